"""Faults of the golds themselves: none found, the wrong column, an answer that the prompt gives away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.answers.extract import option_index, strip_option_mark
from lab.answers.numbers import measured
from lab.answers.wrong import plain_words
from lab.environment import Task
from lab.ledger import FOLDER
from lab.probes.families import DESIGN
from lab.probes.golds import candidates, options_of
from lab.probes.subject import Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt

TASKS = Check(
    "data.tasks",
    title="the environment has tasks",
    expected=">= 1 task",
    reason="An empty taskset trains nothing, and validates without an error.",
    source="vf-validate: empty taskset, exit 0",
)
GOLDS = Check(
    "data.golds",
    title="every task carries its gold",
    expected="all tasks",
    reason="A task without a gold can only be scored wrong, or paid for nothing.",
    source="",
)
MATCHES = Check(
    "data.gold_matches_profile",
    title="the environment's golds are the dataset's golds",
    expected="all questions in common agree",
    reason="A wrong column makes an environment that is consistent in itself and trains the wrong thing.",
    source="the inspector and the environment read the same rows",
)
LEAK = Check(
    "data.task_shows_gold",
    title="the prompt does not give the answer away",
    expected="<= 0.05 of tasks; <= 0.5 where the answer is one of a few",
    reason="An answer that stands in the prompt is copied, not worked out.",
    source="gradecheck answer-leak; E37",
)


def findings(s: Subject, acted_out: bool = False) -> Iterator[Finding]:
    total = s.env.description.total
    if total is None and s.env.description.api == "taskset" and not s.env.description.endless:
        yield TASKS.warn(
            measured=f"{len(s.tasks)} of many", evidence="the tasks came to no end while they were counted: only the first ones are tested",
            fix="declare INFINITE = True in the Taskset where they have none; where they are many, let the configuration bound them", severity="low", direction="data",
        )  # fmt: skip
    else:
        yield TASKS.ok(measured=f"{len(s.tasks)} of {total if total is not None else 'many'}")
    missing = [i for i, gold in enumerate(s.learned.golds) if not gold]
    if s.learned.gold_field is None and acted_out:
        yield GOLDS.skip("the gold is acted out, not written: Task.validate or a tool's call applies it")
    elif s.learned.gold_field is None:
        yield GOLDS.inconclusive(
            measured=0, evidence="no field of the tasks could be a gold", direction="data",
            fix="keep the gold as a field of the task (named answer); scoring against hidden golds cannot be tested here",
        )  # fmt: skip
    elif missing:
        task = s.tasks[missing[0]]
        yield GOLDS.fail(
            measured=len(s.tasks) - len(missing),
            evidence=f"{len(missing)} of {len(s.tasks)} tasks have an empty {s.learned.gold_field}; the first is task {task.index}",
            fix=f"leave rows without a gold out when loading ({DESIGN}#golds)",
            severity="high", direction="data",
        )  # fmt: skip
    else:
        yield GOLDS.ok(measured=len(s.tasks), evidence=f"field {s.learned.gold_field}, {s.learned.reading}; {s.learned.family}")
    yield _matches(s)
    yield _leak(s)


def _matches(s: Subject) -> Finding:
    folder = s.env.location.path if s.env.location.path.is_dir() else s.env.location.path.parent
    facts = _facts(folder / FOLDER / "profile.json")
    profile = _profile(facts)
    if profile is None:
        return MATCHES.skip("no dataset profile beside the environment (.prime-lab/profile.json)")
    if s.learned.gold_field is None:
        return MATCHES.skip("no gold was found in the tasks")
    if facts.get("answer_family") == "tests":
        return MATCHES.skip("the dataset's column holds tests, and the gold is a program: that it passes them is what reward.gold_paid says")
    wanted = _one_gold_each(profile)
    tasks = list({(t.index, t.prompt): t for t in [*s.env.description.first, *s.tasks]}.values())
    read = [c for c in candidates(tasks) if c.field == s.learned.gold_field and c.reading == s.learned.reading]
    golds = read[0].golds if read else [None] * len(tasks)
    pairs = [(task, gold, wanted[key]) for task, gold in zip(tasks, golds, strict=True) if gold and (key := _question(task, wanted)) is not None]
    if not pairs:
        return MATCHES.skip("none of the profile's questions is among the tasks looked at")
    differ = [(task, gold, profiled) for task, gold, (profiled, option) in pairs if not _agree(gold, profiled, task, option)]
    if not differ:
        return MATCHES.ok(measured=f"{len(pairs)} questions compared")
    if facts.get("context_fields") and 2 * len(differ) < len(pairs):
        # A question is compared without its passage, and about another passage it has another gold.
        return MATCHES.ok(measured=f"{len(pairs) - len(differ)} of {len(pairs)} questions agree; the others may be about another {excerpt(facts['context_fields'][0], 40)}")
    task, gold, profiled = differ[0]
    return MATCHES.fail(
        measured=f"{len(differ)} of {len(pairs)} differ",
        evidence=f"task {task.index}: the environment's gold is {excerpt(gold, 60)!r}, the dataset's {excerpt(profiled, 60)!r}",
        fix=f"take the gold from the column that the profile names, with its reading ({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )


def _facts(path: Path) -> dict[str, Any]:
    """The facts of the profile beside the environment; empty where there is none that can be read."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))["facts"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _profile(facts: dict[str, Any]) -> list[tuple[str, Any, str | None]] | None:
    """(question, gold, text of the gold's option or None) for the rows that the profile carries."""
    questions, golds = facts.get("questions"), facts.get("golds")
    if not isinstance(questions, list) or not isinstance(golds, list):
        return None
    options = facts.get("gold_options")
    options = options if isinstance(options, list) and len(options) == len(golds) else [None] * len(golds)
    return [(q, g, o) for q, g, o in zip(questions, golds, options, strict=False) if isinstance(q, str) and g not in (None, "", [])]


def _one_gold_each(profile: list[tuple[str, Any, str | None]]) -> dict[str, tuple[Any, str | None]]:
    """Gold and option by question, for the questions that have one gold: the same question about
    another passage has another one, and then the question alone says nothing."""
    found: dict[str, list[tuple[Any, str | None]]] = {}
    for question, gold, option in profile:
        found.setdefault(plain_words(question), []).append((gold, option))
    return {key: golds[0] for key, golds in found.items() if key and all(gold == golds[0] for gold in golds)}


def _question(task: Task, wanted: dict[str, Any]) -> str | None:
    """The profile's question that this task asks: the prompt itself, or the longest one inside it."""
    prompt = plain_words(task.prompt)
    if prompt in wanted:
        return prompt
    inside = [question for question in wanted if len(question) > 20 and f" {question} " in f" {prompt} "]
    return max(inside, key=len) if inside else None


def _agree(gold: str, profiled: Any, task: Task, option: str | None) -> bool:
    """The same gold. Options may stand in another order in the task: then their texts decide."""
    shown = options_of(task) if option else []
    index = option_index(gold, shown) if shown else None
    if index is not None:
        return shown[index].strip() == option or plain_words(strip_option_mark(shown[index])) == plain_words(option) != ""
    for one in profiled if isinstance(profiled, list) else [profiled]:
        left, right = measured(gold), measured(str(one))
        if left is not None and right is not None:
            if left == right:
                return True
        elif plain_words(gold) == plain_words(str(one)) and (plain_words(gold) or gold.strip() == str(one).strip()):
            return True
    joined = ", ".join(map(str, profiled)) if isinstance(profiled, list) else ""
    return bool(joined) and plain_words(joined) == plain_words(gold)


def _leak(s: Subject) -> Finding:
    if s.family in ("list", "expression") or not s.with_gold:
        return LEAK.skip("lists and expressions stand in their prompts by nature, or there is no gold")
    among = s.family in ("choice", "boolean", "label")
    told = [i for i in s.with_gold if (_marks_gold(s, i) if among else _gives_away(_own_words(s, i), s.gold(i), s.family))]
    share = len(told) / len(s.with_gold)
    # Of a few possible answers one may be announced by chance.
    if share <= (0.5 if among else 0.05) or len(told) < 2:
        return LEAK.ok(measured=share)
    i = told[0]
    where = s.tasks[i].shown.lower().find(s.gold(i).lower())
    return LEAK.fail(
        measured=share,
        evidence=f"{len(told)} of {len(s.with_gold)} prompts; task {s.tasks[i].index}: gold {excerpt(s.gold(i), 40)!r} in "
        f"'{excerpt(s.tasks[i].shown[max(0, where - 40) : where + 60], 120)}'",
        fix=f"keep the gold and its derivation out of prompt, system prompt and tools ({DESIGN}#golds)",
        severity="high",
        direction="data",
    )


ANNOUNCED = r"\b(?:answer(?: key)?|solution|gold|target|label|correct(?: option| choice| answer)?|expected(?: answer)?|truth|key)[\"'*`)\]]*\s*(?:is|=|:|->|→)\s*[\"'*`(\[<]*"
MARKED = re.compile(r"\((?:correct|right|true|answer|x)\)|[✓✔☑]|\[x\]", re.IGNORECASE)


def _marks_gold(s: Subject, task: int) -> bool:
    """Whether the task's own words announce its option or label, or its option's line alone has a mark."""
    own = _own_words(s, task).splitlines()
    gold = s.gold(task).strip("(). ")
    if re.search(ANNOUNCED + re.escape(gold) + r"(?![\w-])", "\n".join(own), re.IGNORECASE):
        return True
    marked = [line for line in own if MARKED.search(line)]
    index = option_index(gold, s.learned.options[task]) if s.learned.options[task] else None
    option = s.learned.options[task][index] if index is not None else gold
    return len(marked) == 1 and option.lower() in marked[0].lower()


def _own_words(s: Subject, task: int) -> str:
    """What is shown with this task and not with every other one: examples that all share give nothing away."""
    others = [set(one.shown.splitlines()) for one in s.tasks[:6] if one is not s.tasks[task]]
    return "\n".join(line for line in s.tasks[task].shown.splitlines() if not others or not all(line in lines for lines in others))


def _gives_away(shown: str, gold: str, family: str) -> bool:
    """The gold next to a word that announces it; bare occurrences are usual in passages."""
    text, gold = " ".join(shown.lower().split()), " ".join(gold.lower().split())
    if family in ("number", "math"):
        marks = ("answer is ", "answer: ", "answer = ", "solution: ", "#### ", "\\boxed{", "result is ", "result: ", "= ", "<answer>", "gold: ", "target: ")
        return any(mark + gold in text and not text[text.find(mark + gold) + len(mark + gold) :][:1].isdigit() for mark in marks)
    marks = ("answer is ", "answer: ", "answer:", "solution: ", "gold: ", "target: ", "<answer>", "secret is ", "secret: ", "word is ", "label: ", "hint: ")
    return len(gold) > 2 and (any(mark + gold in text for mark in marks) or (family == "code" and gold in text))
