"""Faults of the tasks and their golds: none found, another column, one question with two golds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.answers.alike import plain_words
from lab.answers.extract import option_index, strip_option_mark
from lab.answers.numbers import measured
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Environment, Task
from lab.ledger.records import FOLDER
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.reading.by_example import SOURCE
from lab.reward.reading.fields import LETTERS, flat, options_of
from lab.reward.reading.found import Found
from lab.reward.reading.solved import SOLVED
from lab.reward.reading.worked_out import CODE
from lab.reward.rules import conflicting_tests, mixed_types, outside, repeated_tests
from lab.reward.rules.rows import golds_of
from lab.reward.scale import TINY

DATA = {"direction": "data"}

TASKS = Check(
    "data.tasks",
    title="the environment has tasks",
    expected=">= 1 task",
    reason="An empty taskset trains nothing, and validates without an error.",
    source="verifiers: vf-validate of an empty taskset exits with 0",
)
GOLDS = Check(
    "data.golds",
    title="every task has its gold",
    expected="all tasks",
    reason="A task without a gold can only be scored wrong, or paid for nothing.",
    source="schemas: test splits without labels",
)
VALIDATES = Check(
    "data.gold_validates",
    title="each task's own check of its gold passes",
    expected="Task.validate is True on every task tried",
    reason="A gold that does not solve its own task makes every right rollout wrong.",
    source="verifiers: Task.validate, vf-validate",
)
MATCHES = Check(
    "data.gold_matches_profile",
    title="the environment's golds are the dataset's golds",
    expected="all questions in common agree",
    reason="A wrong column makes an environment that agrees with itself and trains a wrong thing.",
    source="own cases: inspector and environment read the same rows",
)


def findings(b: Brief, found: Found, env: Environment) -> Iterator[Finding]:
    total = b.description.total
    shown = total if total is not None else "many"
    yield TASKS.ok(measured=f"{len(b.tasks)} of {shown}")
    yield _golds(b, found, env)
    yield _validates(found, b.description.api)
    yield _matches(b, env)
    yield conflicting_tests.finding(b)
    yield repeated_tests.finding(b)
    yield mixed_types.finding(b, env)


NO_ANSWERS = ("", "none", "NONE", "[]", "{}", "n/a", "no answer", "nothing")
"""What stands for an empty answer."""


NO_ANSWER_SAID = re.compile(
    r"\b(?:empty|blank|no (?:answer|entry|match|output|result)s?|none|null|unanswerable|unsolvable"
    r"|nothing|absent|missing|cannot (?:be )?(?:answer(?:ed)?|tell|told|say)"
    r"|not (?:stated|mentioned|answerable)|leer\w*|keine?r?|vide|aucune?|vac[ií][oa]|ning\w+"
    r"|vuot[oa]|nessun\w*"
    r"|нет|пуст\w*)\b|空|なし|無し|无",
    re.IGNORECASE,
)
"""Words of a prompt or a README by which no answer may be the right one."""
ASKED_FOR = re.compile(
    r"[`\"“]((?i:no|not|cannot|unknown|unanswerable)(?: \w+){0,3})[`\"”]"
    r"|\b((?:NO|NOT|CANNOT)(?: [A-Z]{2,}){1,3})\b"
)
"""What a prompt or a README asks to be said there: `NOT STATED`."""


def _empty_is_paid(b: Brief, env: Environment, missing: list[int]) -> bool:
    """Whether an empty gold is an answer: something that says so is paid on each of these tasks,
    and another answer is not."""
    ceiling = b.scale.ceiling or 0.0
    wrong = b.write(b.wrong(b.with_gold[0])) if b.with_gold else b.write("x")
    for i in missing[:3]:
        if (env.score(i, wrong).reward or 0.0) >= ceiling - TINY:
            return False  # whatever is said is paid there
        written = str(dict(flat(b.tasks[i].fields)).get(b.right.source, ""))
        asked = ASKED_FOR.findall(f"{b.tasks[i].shown}\n{b.readme}")
        texts = dict.fromkeys((*NO_ANSWERS, written, *(one or other for one, other in asked)))
        rewards = [env.score(i, b.write(text)).reward or 0.0 for text in texts]
        if not b.scale.apart or max(rewards) < ceiling - TINY:
            return False
    return True


def _golds(b: Brief, found: Found, env: Environment) -> Finding:
    if not b.right.source:
        if b.right.whole or found.reward is not None:
            return GOLDS.skip("the gold is acted out or given by examples, not written in a field")
        return GOLDS.skip("no field of the tasks could be a gold: see reward.gold_paid")
    missing = [i for i, gold in enumerate(b.right.golds) if not gold]
    partly = b.right.partly or b.right.source in ("target", SOURCE, SOLVED)
    partly = partly or b.right.reading in CODE or ": " in b.right.source
    if missing and not partly and not _empty_is_paid(b, env, missing):
        task = b.tasks[missing[0]]
        meant = NO_ANSWER_SAID.search(f"{task.shown}\n{b.readme}")
        return (GOLDS.warn if meant else GOLDS.fail)(
            measured=len(b.tasks) - len(missing),
            evidence=f"{len(missing)} of {len(b.tasks)} tasks have no usable {b.right.source}; the "
            f"first is task {task.index}",
            fix=f"leave rows without a gold out when loading ({DESIGN}#golds)",
            severity="high",
            **DATA,
        )
    if beyond := _beyond_the_options(b):
        i = beyond[0]
        return GOLDS.fail(
            measured=len(b.tasks) - len(beyond),
            evidence=f"the golds of {len(beyond)} of {len(b.tasks)} tasks are no option; task "
            f"{b.tasks[i].index}: gold {excerpt(b.gold(i), 20)!r} of {len(options_of(b.tasks[i]))} "
            "options",
            fix=f"count the keys of all rows from the same option ({DESIGN}#golds)",
            severity="high",
            **DATA,
        )
    said = f"{b.right.source}, {b.right.reading}; {b.answer_type}"
    return GOLDS.ok(measured=len(b.tasks) - len(missing), evidence=said)


def _beyond_the_options(b: Brief) -> list[int]:
    """Tasks whose gold is a letter that no option has."""
    if b.answer_type != "choice":
        return []
    marks = {i: b.gold(i).strip("() .").upper() for i in b.with_gold}
    sizes = {i: len(options_of(b.tasks[i])) for i in marks}
    return [
        i
        for i, mark in marks.items()
        if sizes[i] > 1 and len(mark) == 1 and mark in LETTERS and LETTERS.find(mark) >= sizes[i]
    ]


def _validates(found: Found, api: str) -> Finding:
    checked = found.checked
    if not checked:
        none = "the tasks have no check of their own (Task.validate)"
        return VALIDATES.skip(none if api == "taskset" else "the classic API has no such check")
    bad = {i: one for i, one in checked.items() if not one.valid}
    if not bad:
        return VALIDATES.ok(measured=f"{len(checked)} of {len(checked)} tasks")
    i, one = next(iter(bad.items()))
    if outside.lacks(one.error):
        return VALIDATES.skip(f"Task.validate needs something outside: {excerpt(one.error, 120)}")
    return VALIDATES.fail(
        measured=f"{len(bad)} of {len(checked)} tasks",
        evidence=f"task {i}: {excerpt(one.error, 200) or 'Task.validate returned False'}",
        fix=f"correct the gold, or the check; vf-validate runs it on all tasks ({DESIGN}#golds)",
        severity="high",
        **DATA,
    )


# --- the profile of the dataset --------------------------------------------------------------


def _matches(b: Brief, env: Environment) -> Finding:
    path = env.location.path
    facts = _facts((path if path.is_dir() else path.parent) / FOLDER / "profile.json")
    profile = _profile(facts)
    if profile is None:
        return MATCHES.skip("no dataset profile beside the environment (.prime-lab/profile.json)")
    if not b.right.source:
        return MATCHES.skip("no gold was found in the tasks")
    if facts.get("answer_type") == "tests":
        return MATCHES.skip("the dataset's column holds tests, and the gold is a program")
    wanted = _one_gold_each(profile)
    first = {(task.index, task.prompt): task for task in [*b.description.first, *b.tasks]}
    tasks = list(first.values())
    pairs = [
        (task, gold, wanted[key])
        for task, gold in zip(tasks, golds_of(b, tasks), strict=True)
        if gold and (key := _question(task, wanted)) is not None
    ]
    if not pairs:
        return MATCHES.skip("none of the profile's questions is among the tasks looked at")
    differ = [
        (task, gold, profiled)
        for task, gold, (profiled, option) in pairs
        if not _agree(gold, profiled, task, option)
    ]
    if not differ:
        return MATCHES.ok(measured=f"{len(pairs)} questions compared")
    if facts.get("context_fields") and 2 * len(differ) < len(pairs):
        # A question is compared without its passage; about another one it has another gold.
        agree = len(pairs) - len(differ)
        return MATCHES.ok(measured=f"{agree} of {len(pairs)}; the others may have another context")
    task, gold, profiled = differ[0]
    return MATCHES.fail(
        measured=f"{len(differ)} of {len(pairs)} differ",
        evidence=f"task {task.index}: the environment's gold is {excerpt(gold, 60)!r}, the "
        f"dataset's {excerpt(profiled, 60)!r}",
        fix="take the gold from the column that the profile names, with its reading "
        f"({DESIGN}#golds)",
        severity="critical",
        **DATA,
    )


def _facts(path: Path) -> dict[str, Any]:
    """The facts of the profile beside the environment; empty without one that can be read."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))["facts"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}


Rows = list[tuple[str, Any, str | None]]


def _profile(facts: dict[str, Any]) -> Rows | None:
    """(question, gold, text of the gold's option or None) for the rows that the profile has."""
    questions, golds = facts.get("questions"), facts.get("golds")
    if not isinstance(questions, list) or not isinstance(golds, list):
        return None
    options = facts.get("gold_options")
    if not isinstance(options, list) or len(options) != len(golds):
        options = [None] * len(golds)
    rows = zip(questions, golds, options, strict=False)
    return [(q, g, o) for q, g, o in rows if isinstance(q, str) and g not in (None, "", [])]


def _one_gold_each(profile: Rows) -> dict[str, tuple[Any, str | None]]:
    """Gold and option by question, for the questions that have one gold: about another passage
    the same question has another one, and then the question alone says nothing."""
    found: dict[str, list[tuple[Any, str | None]]] = {}
    for question, gold, option in profile:
        found.setdefault(plain_words(question), []).append((gold, option))
    return {
        key: golds[0]
        for key, golds in found.items()
        if key and all(gold == golds[0] for gold in golds)
    }


def _question(task: Task, wanted: dict[str, Any]) -> str | None:
    """The profile's question that this task asks: the prompt, or the longest one inside it."""
    prompt = plain_words(task.prompt)
    if prompt in wanted:
        return prompt
    inside = [one for one in wanted if len(one) > 20 and f" {one} " in f" {prompt} "]
    return max(inside, key=len) if inside else None


def _agree(gold: str, profiled: Any, task: Task, option: str | None) -> bool:
    """The same gold. Options may be in another order in the task: then their texts decide."""
    shown = options_of(task) if option else []
    index = option_index(gold, shown) if shown else None
    if index is not None:
        same = plain_words(strip_option_mark(shown[index])) == plain_words(option or "") != ""
        return same or shown[index].strip() == option
    several = profiled if isinstance(profiled, list) else [profiled]
    if any(_alike(gold, str(one)) for one in several):
        return True
    joined = plain_words(", ".join(map(str, several))) if isinstance(profiled, list) else ""
    return bool(joined) and joined == plain_words(gold)


def _alike(gold: str, one: str) -> bool:
    left, right = measured(gold), measured(one)
    if left is not None and right is not None:
        return left == right
    words = plain_words(gold)
    return words == plain_words(one) and (bool(words) or gold.strip() == one.strip())
