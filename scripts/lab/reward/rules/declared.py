"""Clauses and examples of a contract that the reward does not keep, and what the prompt
promises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from lab.answers.alike import plain_words
from lab.answers.form import CHOICE
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.contract import PART as PART_OF_IT
from lab.reward.contract import RIGHT, Example
from lab.reward.examples_scored import Scored
from lab.reward.formats.prompt import tags_of
from lab.reward.interactive.messages import shown
from lab.reward.observation import Table
from lab.reward.productions.base import DESIGN
from lab.reward.productions.nothing import EMPTY_FORM, SILENT
from lab.reward.reading.fields import flat
from lab.reward.rules.forms import Forms
from lab.reward.rules.slips import is_slip
from lab.reward.scale import PAID, PART, TINY

OFF = 0.05
"""Of the most that an example should earn: so far a part may be off."""
ROUNDED = 1e-4
"""How far off a declared number may be: a draft writes four decimals."""
OF_DECLARED = 0.75
"""Of what a right example should earn: less is another number, whatever the golds earn."""
OF_RIGHT = 0.9
"""Of what the gold earns: less is not all of it."""
CLAUSES = Check(
    "reward.contract",
    title="what the contract declares is what the reward does",
    expected="each clause is kept",
    reason="A clause says what is meant; a reward that does something else trains something else.",
    source="own cases: rules that only prompt or README state",
)
EXAMPLES = Check(
    "reward.examples",
    title="the contract's examples earn what they should",
    expected=f"right ones at least {OF_DECLARED:.0%} of what they should, wrong ones at most "
    f"{PART:.0%} of what is right, those for a part at most {OFF:.0%} off; of those with a word, "
    f"right ones at least {OF_RIGHT:.0%} of the way from wrong to right, a part between the two",
    reason="An example says what a careful reader expects; the reward has to agree.",
    source="own cases: examples by readers",
)
TOOLS = Check(
    "reward.tool_required",
    title="an answer is paid only after the lookup that is promised to be required",
    expected="a right answer without any call is not paid",
    reason="A memorised or guessed answer is cheaper than a call, so the tool is never learnt.",
    source="own cases: tools",
)
LEAST_FORMS = 3
"""Forms that must have been tried before strictness is said to refuse none."""
MORE = 1.75
"""Of the way from a wrong answer to the golds: right examples that earn more say that the golds are
misread, and are no plain answers that another one gets a bonus beyond."""
SORTS = 160
"""Characters of the names of what examples settle."""
TOP = 0.99
"""Share of the largest example from which on an example is a right one."""


def clauses(b: Brief, table: Table, forms: Forms) -> Finding:
    """One finding about all declared numbers and forms."""
    if not b.contract.declared or not b.scale.apart:
        return CLAUSES.skip("nothing is declared, or there is nothing to hold it against")
    # The forms of a declared answer are not those of golds that examples were taken for.
    broken, unseen = list(_numbers(b, table)), _unseen(b, table, forms)
    (unseen if b.guessed else broken).extend(_forms(b, forms))
    fix = f"correct the reward, or the clause in {_file(b)} ({DESIGN}#contract)"
    if broken:
        return CLAUSES.fail(
            measured=len(broken),
            evidence="; ".join(broken + unseen),
            fix=fix,
            severity="high",
            direction="invariant",
        )
    if unseen:
        return CLAUSES.warn(
            measured=len(unseen),
            evidence="; ".join(unseen),
            fix=fix,
            severity="low",
            direction="invariant",
        )
    return CLAUSES.ok(measured=f"{len(b.contract.declared)} clauses")


def _file(b: Brief) -> str:
    return b.contract.path.name if b.contract.path else "contract.toml"


def _floor(b: Brief, table: Table) -> float:
    """What a wrong answer earns that shares no word with the right one: the others earn a part. Of
    answers that all have words in common, and of numbers, which are all near or far, what the
    cheapest one earns, or another task's."""
    paid, apart = [], []
    for i, rewards in b.scale.wrong.items():
        paid += rewards
        if b.answer_type == "number":
            continue
        own = {*plain_words(b.gold(i)).split()}
        pairs = zip(b.target(i).wrongs, rewards, strict=False)
        apart += [reward for answer, reward in pairs if not own & {*plain_words(answer).split()}]
    paid += [o.reward for o in table.of("another_gold") if o.reward is not None]
    return median(apart) if apart else min(paid, default=b.scale.floor or 0.0)


def _numbers(b: Brief, table: Table) -> Iterator[str]:
    c, scale = b.contract, b.scale
    floor = _floor(b, table) if c.partial == "graded" else scale.floor or 0.0
    if c.wrong is not None and floor > c.wrong + ROUNDED:
        yield f"wrong: a wrong answer in the form earns {floor:.3g}, not {c.wrong:g} at most"
    for name, most, variants in (
        ("empty", c.empty, EMPTY_FORM),
        ("silent", c.silent, SILENT),
    ):
        rows = [o for o in table.scored() if o.probe.variant in variants]
        if variants is SILENT:  # a prompt that is repeated may show the form
            rows = [o for o in rows if not _has_form(b, shown(o.probe.completion))]
        best = max(rows, key=lambda o: o.reward or 0.0, default=None)
        if most is not None and best and (best.reward or 0.0) > most + ROUNDED:
            text = excerpt(shown(best.probe.completion), 60)
            yield f"{name}: '{text}' earns {best.reward:.3g}, not {most:g} at most"
    if c.partial == "none" and scale.graded:
        yield "partial: near answers earn a part"


def _has_form(b: Brief, text: str) -> bool:
    """Whether the format's mark is in a text, or a tag that the answers themselves have."""
    mark = b.format.before.strip()
    tags = {f"<{tag}>" for gold in b.right.golds for tag in tags_of(gold or "")}
    return (bool(mark) and mark in text) or any(tag in text for tag in tags)


def _forms(b: Brief, forms: Forms) -> Iterator[str]:
    tallies = forms.tallies
    for name in b.contract.accepts:
        if name in tallies and tallies[name].systematic and tallies[name].level != CHOICE:
            yield f"accepts: {name!r} is refused"
    for name in b.contract.refuses:
        if name in tallies and not tallies[name].refused:
            yield f"refuses: {name!r} is paid"
    kept = [t for t in tallies.values() if t.around or t.natural != "choice"]
    if b.contract.strict and len(kept) >= LEAST_FORMS and not any(t.refused for t in kept):
        yield f"refuses all: each of {len(kept)} other forms and surroundings is paid"


def _unseen(b: Brief, table: Table, forms: Forms) -> list[str]:
    """Clauses that nothing bears out."""
    found = []
    gold = b.contract.gold
    if gold and b.right.source != gold and not any(gold in dict(flat(t.fields)) for t in b.tasks):
        found.append(f"gold: no task has a field {gold!r}")
    if b.contract.tolerance is not None and b.answer_type != "number":
        found.append(f"tolerance: the answers are of type {b.answer_type}, not numbers")
    # The scripted judge approves of all or nothing.
    if b.contract.partial == "graded" and not b.judged and not _part_seen(b, table):
        found.append("partial: no completion earned a part")
    for clause in ("refuses", "accepts"):
        for name in getattr(b.contract, clause):
            if name != "all" and name not in forms.tallies:
                known = excerpt(", ".join(forms.tallies) or "none", SORTS)
                found.append(f"{clause}: no form of these golds is {name!r} (there are: {known})")
    return found


def _part_seen(b: Brief, table: Table) -> bool:
    floor = _floor(b, table)
    ways = {i: right - floor for i, right in b.scale.right.items() if right > floor}
    return any(
        0.05 < ((o.reward or 0.0) - floor) / ways[o.probe.task] < 0.95
        for o in table.scored()
        if o.probe.task in ways
    )


@dataclass(frozen=True)
class Differing:
    """An example that does not earn what it should."""

    example: Example
    said: str
    """What it earns."""
    direction: str


def examples(
    b: Brief,
    scored: Scored,
    late: int = 0,
    of_others: Sequence[Example] = (),
    settled: Sequence[str] = (),
) -> Finding:
    """`scored`: (task, example, what it earned); `late`: examples for which there was no time;
    `of_others`: those that are of none of these tasks; `settled`: the sorts of completions that
    examples affirm."""
    if late:
        return EXAMPLES.inconclusive(
            measured=f"{late} not tried",
            evidence="there was no time for these examples",
            fix="give more time: --budget SECONDS",
            direction="invariant",
        )
    if not scored and of_others:
        return EXAMPLES.skip(
            f"none of the {len(b.tasks)} tasks looked at has what the examples name, "
            f"'{excerpt(of_others[0].task_has, 80)}': it is another split, or other rows"
        )
    if not scored:
        return EXAMPLES.skip("the contract has no examples of the tasks that were looked at")
    known = [one for one in scored if not _for_a_judge(b, *one[1:])]
    weighed, scored = len(scored) - len(known), known
    wrong = list(differing(b, scored))
    if not wrong and weighed and (b.unread or not scored):
        return EXAMPLES.inconclusive(
            measured=f"{weighed} cannot be scored",
            evidence="it is not known what the judge says of them",
            fix="name the judge that is asked: --judge-base-url URL",
            direction="invariant",
        )
    if not wrong:
        others = f"; {len(of_others)} of tasks that were not looked at" if of_others else ""
        undecided = len(b.contract.undecided)
        others += f"; {undecided} undecided (?)" if undecided else ""
        sorts = excerpt(", ".join(settled), SORTS)
        others += f"; not held against the reward: {sorts}" if settled else ""
        return EXAMPLES.ok(measured=f"{len(scored)} as expected{others}")
    tried = [example for _, example, _ in scored]
    extra = {
        "measured": f"{len(wrong)} of {len(scored)} differ",
        "evidence": "; ".join(one.said for one in wrong[:3]),
        "fix": _example_fix(tried),
        "direction": wrong[0].direction,
    }
    if all(is_slip(one.example, tried, b.think) for one in wrong):
        return EXAMPLES.warn(**extra, severity="medium")
    return EXAMPLES.fail(**extra, severity="critical" if len(wrong) * 2 >= len(scored) else "high")


def differing(b: Brief, scored: Scored) -> Iterator[Differing]:
    """The examples that do not earn what they should."""
    most = _most(scored)
    on_scale = b.scale.apart and not golds_misread(b, scored)
    for task, example, reward in scored:
        if reward is None:
            yield Differing(example, f"{_quoted(example)} cannot be scored", "invariant")
        elif direction := _differs(b, task, example, reward, most, on_scale):
            earned = f"{_quoted(example)} on task {example.task} earns {reward:.3g}"
            gold = b.gold(task) if direction == "false_negative" else ""
            known = f" (its gold is '{excerpt(gold, 60)}')" if gold else ""
            yield Differing(example, f"{earned}, not {_said(example)}{known}", direction)


def golds_misread(b: Brief, scored: Scored) -> bool:
    """Whether the examples that are right earn more than what is taken for the golds."""
    right = b.contract.right_examples()
    earned = [reward for _, example, reward in scored if example in right and reward is not None]
    if not earned or not b.scale.apart:
        return False
    return median(earned) - (b.scale.floor or 0.0) > MORE * b.scale.gap + TINY


def _is_part(b: Brief, example: Example) -> bool:
    return not example.wrong and example not in b.contract.right_examples()


def _for_a_judge(b: Brief, example: Example, reward: float | None) -> bool:
    """Whether only a real judge could say what an example earns: one that cannot be scored where
    its verdicts are not understood, or one for a part where it approves of all or of nothing."""
    if b.unread and reward is None:
        return True
    return b.scripted and _is_part(b, example)


def _differs(
    b: Brief, task: int, example: Example, reward: float, most: float, on_scale: bool
) -> str:
    """In which direction an example earns something else than it should; "" where it does not.
    `most`: what the right examples should earn, or do; `on_scale`: whether the golds say what is
    right."""
    if example.number is not None and abs(reward - example.number) <= TINY:
        return ""  # as declared, whatever the golds earn
    share = b.scale.share(task, reward) if on_scale else reward / max(most, TINY)
    if example.wrong:
        return "false_positive" if share > PART + TINY and reward > TINY else ""
    if example.number is None or example.number < TOP * most:
        return _part_differs(example, reward, most, share)
    if most > 0 and (reward < OF_DECLARED * example.number or share <= PAID + TINY):
        return "false_negative"
    return ""


def _part_differs(example: Example, reward: float, most: float, share: float) -> str:
    """The same for an example that is right or a part by a word, or has the number of a part."""
    if example.number is not None:
        if abs(reward - example.number) <= OFF * most:
            return ""
        return "false_positive" if reward > example.number else "false_negative"
    if share < (OF_RIGHT if example.earns == RIGHT else TINY):
        return "false_negative"
    return "false_positive" if example.earns == PART_OF_IT and share >= 1 - TINY else ""


def _example_fix(tried: Iterable[Example]) -> str:
    fix = "look at gold and reward of these tasks, or correct the example"
    if not all(example.task_has for example in tried):
        fix += "; where it is of another split, give it task_has, a piece of its own task's prompt"
    return f"{fix} ({DESIGN}#contract)"


def _most(scored: Scored) -> float:
    """What a right example should earn, by the largest number; where words say it, what the best
    of these earns."""
    numbers = [example.number for _, example, _ in scored if example.number is not None]
    earned = [reward or 0.0 for _, example, reward in scored if example.earns == RIGHT]
    return max([*numbers, *earned], default=0.0)


def _said(example: Example) -> str:
    if example.number is not None:
        return f"{example.number:g}"
    return f"what is {example.earns}" if example.earns != PART_OF_IT else "a part"


def _quoted(example: Example) -> str:
    return f"'{excerpt(shown(example.completion), 80)}'"


def tools(b: Brief, prelude: bool) -> Finding:
    """`prelude`: a right answer is paid only after a call."""
    said = b.declared.get("tools")
    if not b.description.tools or not b.with_gold or not b.scale.apart:
        return TOOLS.skip("no tools, or no answer that is written")
    if said != "required":
        return TOOLS.skip("nothing says that a call is required")
    if prelude:
        return TOOLS.ok(evidence="a right answer without a call is not paid")
    task = b.with_gold[0]
    return TOOLS.fail(
        measured=b.scale.ceiling_of(task),
        evidence=f"task {b.tasks[task].index}: '{excerpt(b.write(b.gold(task)), 100)}' earns "
        f"{b.scale.ceiling_of(task):.3g} without any call, and a call is said to be required",
        fix="pay only where the trace has the call that found the answer; or take the promise out "
        f"of prompt and README ({DESIGN}#tools)",
        severity="high",
        direction="false_positive",
    )
