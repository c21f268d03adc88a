"""The tasks as data: all of them, with the golds that the reward test reads, through the one set of
data checks. What is asked twice, contradicts itself, is given away or is right nearly everywhere
cannot be seen by scoring."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lab.answers.alike import plain_words
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.data.checks import Item, examine
from lab.data.checks.checks_parts import OVERLAP, OVERLAP_FAILS
from lab.data.checks.checks_rows import CONFLICTS
from lab.environment import Environment, Task
from lab.reward.brief import Brief
from lab.reward.formats.prompt import common
from lab.reward.interactive.calls import sensible
from lab.reward.interactive.messages import conversation
from lab.reward.productions.base import CLOSED, DESIGN
from lab.reward.reading.candidates import candidates
from lab.reward.reading.fields import options_of
from lab.reward.rules import dates
from lab.reward.scale import TINY

MOST, MOST_HELD_OUT = 5000, 2000
"""Tasks that are read as data."""
LEAST_TASKS, LEAST_ALIKE = 8, 5
"""Tasks below which one gold may be the commonest by chance; where all have the same."""
MAJORITY, MAJORITY_WARN = 0.8, 0.7
COPIED = 24
"""Characters of a gold from which on it may be a passage that has to be copied from the prompt."""
SAID = frozenset(
    {
        "data.duplicate_prompts",
        "data.conflicting_golds",
        "data.gold_in_prompt",
        "data.encoding",
        "data.prompt_injection",
        "data.shortcut",
        "data.option_position",
        "data.overlap",
    }
)
"""The checks of data that hold for any environment: with tools and turns a prompt is not all."""
STAYS, OWN = 0.6, 0.2
"""Share of the golds that belong to the prompt of one other row, and at most to any third one."""
STEPS = (1, -1, 2, -2, 3, -3, 4, -4, 5, -5)
"""Rows that golds are looked for away from theirs."""
MOST_COMPARED, MOST_TOOLS = 400, 6
STEM = 3
"""Letters that two forms of a word have in common at least."""
SEVERITY = {"fail": "high", "warn": "medium"}

MAJOR = Check(
    "data.majority_gold",
    title="no single gold is right on most tasks",
    expected=f"<= {MAJORITY_WARN} of tasks; fails above {MAJORITY}",
    reason="Where one answer is right nearly everywhere, training learns that answer.",
    source="boolq: 62% of the golds are yes; truthfulqa: mc1 has its gold always first",
)

SHIFTED = Check(
    "data.shifted_golds",
    title="each gold belongs to its own row",
    expected=f"in its own prompt, not in another row's (fails from {STAYS:.0%} of the rows)",
    reason="A list that is joined one row off gives every question the answer of the next.",
    source="own cases: golds of the neighbouring row",
)
Golds = Sequence[str | None]
"""Per task its gold, read from its fields."""

SAME = OVERLAP.warn(
    1.0,
    "the evaluation data are the training data",
    "hold out questions by their text, or say in the README that there is no held-out part",
    severity="medium",
    direction="data",
)
OTHERS = OVERLAP.skip("a prompt has another gold in the held-out part: it is not all of a task")

ACTED = OVERLAP.skip("the gold is acted out: alike prompts may be about different worlds")


def findings(b: Brief, env: Environment) -> Iterator[Finding]:
    rows = list(b.tasks) if b.description.endless else env.rows(MOST) or list(b.tasks)
    golds = golds_of(b, rows)
    yield _majority(golds) if _is_gold(b) else MAJOR.skip("no field is surely the gold")
    yield _shifted(rows, golds)
    yield dates.order(b, rows)
    yield dates.passed(b, rows)
    if len({task.shown for task in rows}) * 4 < len(rows):
        return  # most tasks have one prompt: what is asked is said later
    held = [] if b.description.endless else env.held_out(MOST_HELD_OUT)
    parts = _parts(rows, golds, held, golds_of(b, held))
    if parts is not None:
        yield parts
        held = []
    own = _own_words([*rows, *held])
    items = _items(rows, golds, b, own)
    long = sum(len(gold or "") >= COPIED for gold in golds) * 2 > len(golds)
    closed = b.answer_type in CLOSED
    examined = examine(
        items,
        held_out=_items(held, golds_of(b, held), b, own),
        closed=closed,
        leaks=not closed and not long and any(golds),
    )
    for finding in examined.findings:
        if finding.id in SAID and (parts is None or finding.id != OVERLAP.id):
            found = _by_words(finding, rows, held) if finding.id == OVERLAP.id else finding
            found = _settled(b, env, found) if found.id == CONFLICTS.id else found
            yield replace(found, direction="data", severity=SEVERITY.get(found.status))


def _shifted(rows: Sequence[Task], golds: Golds) -> Finding:
    """Golds that belong to the prompts some rows away, and not to their own. Each different gold
    counts once: one that comes often, such as a label or a small number, is in many prompts."""
    prompts = [plain_words(task.prompt).split() for task in rows]
    first: dict[str, int] = {}
    for i, gold in enumerate(golds):
        first.setdefault(plain_words(gold or ""), i)
    known = [(i, words) for words, i in first.items() if words][:MOST_COMPARED]
    if len(known) < LEAST_TASKS:
        return SHIFTED.skip(f"{len(known)} different golds, fewer than {LEAST_TASKS}")
    steps = [step for step in STEPS if abs(step) * 2 < len(rows)]
    share = {
        step: sum(_belongs(words, prompts[(i + step) % len(rows)]) for i, words in known)
        / len(known)
        for step in (0, *steps)
    }
    step = max(steps, key=lambda one: share[one])
    if share[step] < STAYS or sorted(share.values())[-2] > OWN:
        return SHIFTED.ok(measured=round(share[step], 3))
    i = next(i for i, words in known if _belongs(words, prompts[(i + step) % len(rows)]))
    rows_off = f"{abs(step)} row{'s' if abs(step) > 1 else ''} {'after' if step > 0 else 'before'}"
    return SHIFTED.fail(
        measured=round(share[step], 3),
        evidence=f"{share[step]:.0%} of the golds belong to the prompt {rows_off} theirs, "
        f"{share[0]:.0%} to their own; such as {excerpt(golds[i] or '', 40)!r} of task "
        f"{rows[i].index}",
        fix=f"join questions and golds by their key, not by their place ({DESIGN}#golds)",
        severity="critical",
        direction="data",
    )


def _belongs(gold: str, prompt: Sequence[str]) -> bool:
    """Whether the prompt holds the gold, or for one word a form of it: `journal`, `journaux`."""
    if " " in gold:
        return f" {gold} " in f" {' '.join(prompt)} "
    stem = gold[: max(STEM, len(gold) * 2 // 3)] if len(gold) > STEM else gold
    return gold in prompt or any(
        word.startswith(stem) and abs(len(word) - len(gold)) <= STEM for word in prompt
    )


def _is_gold(b: Brief) -> bool:
    """Whether the field is surely the gold: named like one, or paid by the reward itself and not by
    a judge that approves of what it is told to."""
    return b.right.rank == 0 or (b.right.margin > TINY and not b.judged)


def _settled(b: Brief, env: Environment, found: Finding) -> Finding:
    """The finding about conflicting golds, as far as the reward bears it out."""
    if not _conflict(b, env):
        return CONFLICTS.ok(0, "prompts that are alike have golds that are both paid")
    # A judge may accept both, and what makes the tasks two may be said in the turns.
    open_ = (b.judged or (b.playable and not b.description.tools)) and found.status == "fail"
    return replace(found, status="warn") if open_ else found


def _conflict(b: Brief, env: Environment) -> bool:
    """Whether tasks of one prompt contradict each other: their golds differ, and one is not paid
    on the other's task. Several right answers, or a prompt that is not all of a task, do not."""
    if not b.scale.apart or not _is_gold(b):
        return False
    first: dict[str, int] = {}
    pairs = [
        (i, known)
        for i in b.with_gold
        if (known := first.setdefault(b.tasks[i].shown, i)) != i and b.gold(known) != b.gold(i)
    ]
    if not pairs:
        return True  # beyond the tasks that can be scored
    return any(
        b.scale.refused(i, env.score(i, b.write(b.gold(j))).reward or 0.0)
        for pair in pairs[:4]
        for i, j in (pair, pair[::-1])
        if not _told_apart(b, i, j)
    )


def _told_apart(b: Brief, one: int, other: int) -> bool:
    """Whether a tool answers the same call otherwise in two tasks: each has a world of its own."""
    for tool, schema in list(b.description.schemas.items())[:MOST_TOOLS]:
        reply = list(conversation([sensible(tool, schema, replace(b.tasks[one], fields={}))])[:1])
        told = [[played.unread for played in b.play(i, reply)] for i in (one, other)]
        if told[0] != told[1]:
            return True
    return False


def _by_words(finding: Finding, rows: Sequence[Task], held: Sequence[Task]) -> Finding:
    """Made-up tasks of one template have half of their words in common: only the same words are a
    failure."""
    known = {task.shown for task in rows}
    share = sum(task.shown in known for task in held) / max(1, len(held))
    few = finding.status == "fail" and share <= OVERLAP_FAILS
    return replace(finding, status="warn") if few else finding


def _parts(
    rows: Sequence[Task], golds: Golds, held: Sequence[Task], held_golds: Golds
) -> Finding | None:
    """What is to be said of the held-out part instead of its overlap: that most prompts in both
    parts are other tasks there (games with a hidden word, worlds drawn from a seed), or that it is
    the training part."""
    known = {task.shown: _solved_by(task, gold) for task, gold in zip(rows, golds, strict=True)}
    both = [
        known[task.shown] == _solved_by(task, gold)
        for task, gold in zip(held, held_golds, strict=True)
        if task.shown in known
    ]
    if both and sum(both) * 2 < len(both):
        return OTHERS
    if held and {task.shown for task in held} == set(known):
        return SAME
    return ACTED if held and not any(golds) else None


def _solved_by(task: Task, gold: str | None) -> str:
    """What is right on a task: its gold, or all that it holds where no field is the gold."""
    return gold or json.dumps(task.fields, sort_keys=True, default=str)


def golds_of(b: Brief, rows: Sequence[Task]) -> list[str | None]:
    """The golds of all rows, read as those of the tested tasks are."""
    if not b.right.source:
        return [None] * len(rows)
    read = [
        one
        for one in candidates(rows)
        if one.field == b.right.source and one.reading == b.right.reading
    ]
    return read[0].golds if read else [None] * len(rows)


def _own_words(rows: Sequence[Task]) -> tuple[str, int, int]:
    """What all rows have in common and says nothing of one of them: the system prompt, and how
    many characters before and after the question."""
    systems = {task.system for task in rows}
    prompts = list(dict.fromkeys(task.prompt for task in rows))
    if len(prompts) < 2:
        return "", 0, 0
    before = common(prompts)
    after = common([text[::-1] for text in prompts])
    left = before.rfind("\n") + 1
    right = after.rfind("\n") + 1
    return systems.pop() if len(systems) == 1 else "", left, right


def _items(rows: Sequence[Task], golds: Golds, b: Brief, own: tuple[str, int, int]) -> list[Item]:
    """The rows by their own words: an example in the instructions gives nobody's answer away."""
    system, left, right = own
    texts = [
        f"{'' if system else task.system}\n{task.prompt[left : len(task.prompt) - right]}".strip()
        for task in rows
    ]
    return [
        Item(
            text or task.shown,
            (gold,) if gold else None,
            tuple(options_of(task)) if b.answer_type == "choice" else (),
            row=task.index,
        )
        for task, gold, text in zip(rows, golds, texts, strict=True)
    ]


def _majority(golds: Golds) -> Finding:
    known = [plain_words(gold) or gold for gold in golds if gold]
    gold, count = Counter(known).most_common(1)[0] if known else ("", 0)
    share = count / max(1, len(known))
    if len(known) < (LEAST_ALIKE if share == 1 else LEAST_TASKS):
        return MAJOR.skip(f"fewer than {LEAST_TASKS} golds")
    evidence = f"{excerpt(gold, 40)!r} on {count} of {len(known)} tasks"
    if share <= MAJORITY_WARN:
        return MAJOR.ok(measured=share, evidence=evidence)
    severe = share >= MAJORITY
    return (MAJOR.fail if severe else MAJOR.warn)(
        measured=share,
        evidence=f"{evidence}: that answer alone earns as much",
        fix=f"balance the tasks, or weigh them ({DESIGN}#golds)",
        severity="high" if severe else "medium",
        direction="data",
    )
