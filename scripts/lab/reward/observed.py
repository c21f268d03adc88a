"""The observed contract: what a reward does, clause by clause, in plain words and with an example.

clauses = observe(audit)
clauses["counts"].words       # "of several answers the last counts"
clauses["counts"].status      # "declared", "contradicted" or "undeclared"
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from lab.answers.form import CHOICE
from lab.cli.untrusted import excerpt
from lab.environment import Completion
from lab.reward.contract import CLAUSES
from lab.reward.interactive.messages import shown
from lab.reward.observation import Observation
from lab.reward.outcome import Audit
from lab.reward.productions.nothing import EMPTY_FORM, SILENT
from lab.reward.rules import declared
from lab.reward.scale import TINY

DECLARED, CONTRADICTED, UNDECLARED = "declared", "contradicted", "undeclared"
CHECKS: dict[str, tuple[str, ...]] = {
    "gold": ("reward.gold_paid", "data.golds", "reward.examples"),
    "says": ("reward.asked_format",),
    "counts": ("reward.which_answer", "reward.any_slot"),
    "thinking": ("reward.think_leak",),
    "accepts": ("reward.forms_core", "reward.wrapper"),
    "wrong": ("reward.format_floor", "reward.wrong_unpaid"),
    "empty": ("reward.empty", "reward.format_only"),
    "silent": ("reward.echo", "reward.filler"),
    "length": ("reward.length_neutral",),
    "tools": ("reward.tool_required",),
    "noise": ("reward.deterministic", "reward.independent"),
    "range": ("reward.range",),
}
"""Per clause the checks whose failure contradicts it."""


@dataclass(frozen=True)
class Clause:
    """One thing that the reward does."""

    value: Any
    """As a contract would declare it; None where nothing was seen."""
    words: str
    status: str = UNDECLARED
    example: tuple[int, str, float] | None = None
    """(index of the task, completion, reward): the smallest that shows it."""

    def as_fact(self) -> dict[str, Any]:
        fact: dict[str, Any] = {"value": self.value, "words": self.words, "status": self.status}
        if self.example:
            index, text, reward = self.example
            fact["example"] = {"task": index, "completion": excerpt(text, 300), "earns": reward}
        return fact


Seen = tuple[Any, str, Observation | None]


def observe(audit: Audit) -> dict[str, Clause]:
    """The clauses of which something was seen, in the order in which they are shown."""
    failed = {f.id for f in audit.findings if f.status == "fail"} | _broken(audit)
    found: dict[str, Clause] = {}
    for name, read in READERS.items():
        seen = read(audit)
        if seen is not None:
            value, words, one = seen
            found[name] = Clause(value, words, _status(audit, name, failed), _example(audit, one))
    return found


def _broken(audit: Audit) -> set[str]:
    """The clauses that the finding about the contract names: `wrong: a wrong answer earns ...`."""
    failed = [f for f in audit.findings if f.status == "fail" and f.id == declared.CLAUSES.id]
    said = "; ".join(one.evidence for one in failed)
    return {name for name in CLAUSES if f"; {name}" in f"; {said}"}


def _status(audit: Audit, name: str, failed: set[str]) -> str:
    if failed & {name, *CHECKS.get(name, ())}:
        return CONTRADICTED
    return DECLARED if name in audit.brief.declared else UNDECLARED


def _example(audit: Audit, one: Observation | None) -> tuple[int, str, float] | None:
    if one is None or one.reward is None:
        return None
    task = audit.brief.tasks[one.probe.task]
    return task.index, shown(one.probe.completion), one.reward


def _smallest(rows: Iterable[Observation]) -> Observation | None:
    return min(rows, key=lambda o: len(shown(o.probe.completion)), default=None)


def _best(rows: Iterable[Observation]) -> Observation | None:
    scored = [o for o in rows if o.reward is not None]
    return max(scored, key=lambda o: (o.reward or 0.0, -_length(o.probe.completion)), default=None)


def _length(completion: Completion) -> int:
    return len(shown(completion))


def _gold(a: Audit) -> Seen | None:
    right = a.brief.right
    if right.source:
        how = "" if right.reading in ("as it is", "any of the list") else f" ({right.reading})"
        said = f"the right answer is `{right.source}`{how}, {_a(right.answer_type)}"
        if a.brief.in_part:
            said = f"`{right.source}`{how} earns {right.best:.3g}, maybe as a part of what is right"
        return right.source, said, None
    if right.whole:
        return "acted", f"a right rollout is known: {right.whole_from}", None
    if a.found.reward is not None:
        return "acted", f"a right rollout is applied by {a.found.how}", None
    return None, "no right answer was found", None


def _a(kind: str) -> str:
    words = {
        "math": "a formula",
        "json": "a JSON value",
        "code": "a program",
        "boolean": "yes or no",
    }
    return words.get(kind, f"a {kind}" if kind[:1] not in "aeiou" else f"an {kind}")


def _says(a: Audit) -> Seen | None:
    if not a.brief.with_gold or not a.brief.scale.apart:
        return None
    template = a.brief.format.template
    first = _smallest(a.table.of("gold"))
    return template, f"an answer is said as {excerpt(template, 80)!r}", first


def _right(a: Audit) -> Seen | None:
    ceiling = a.brief.scale.ceiling
    if ceiling is None:
        if a.found.reward is None:
            return None
        return a.found.reward, f"a right rollout earns {a.found.reward:.3g}", None
    return ceiling, f"a right answer earns {ceiling:.3g}", _smallest(a.table.of("gold"))


def _wrong(a: Audit) -> Seen | None:
    floor = a.brief.scale.floor
    if floor is None:
        return None
    said = f"a wrong answer in the right form earns {floor:.3g}"
    return floor, said, _smallest(a.table.of("wrong"))


def _empty(a: Audit) -> Seen | None:
    if not a.brief.format.slotted:
        return None
    best = _best(o for o in a.table.of("empty") if o.probe.variant in EMPTY_FORM)
    if best is None:
        return None
    return best.reward, f"the form without an answer earns {best.reward:.3g}", best


def _silent(a: Audit) -> Seen | None:
    rows = [o for o in a.table.scored() if o.probe.variant in SILENT]
    best = _best(rows)
    if best is None:
        return None
    return best.reward, f"a reply without an answer earns at most {best.reward:.3g}", best


COUNTED = {
    "last": "the last counts",
    "first": "the first counts",
    "only": "several different ones are refused",
    "all": "all must be right",
    "any": "one right one is enough",
}


def _counts(a: Audit) -> Seen | None:
    fits = a.seen.fits
    if not fits or not a.brief.format.slotted:
        return None
    values = list(dict.fromkeys(reading.counts for reading in fits))
    # `only` and `all` cannot be told apart by single answers.
    value = "only" if set(values) == {"only", "all"} else values[0] if len(values) == 1 else None
    words = COUNTED[value] if value else " or ".join(COUNTED[one] for one in values)
    irregular = " (not always)" if a.seen.contradictions else ""
    return value, f"of several answers {words}{irregular}", None


def _thinking(a: Audit) -> Seen | None:
    if not a.seen.fits:
        return None
    values = {reading.thinking for reading in a.seen.fits}
    unfinished = {reading.unfinished for reading in a.seen.fits}
    if len(values) > 1:
        return None
    read = values == {"read"}
    words = "an answer inside the thinking counts" if read else "thinking is not read"
    if not read and unfinished == {"read"}:
        words += ", but it is where it is never closed"
    if unfinished == {"refused"}:
        words += "; a reply whose thinking never ends has no answer"
    return ("read" if read else "ignored"), words, None


def _slot(a: Audit) -> Seen | None:
    paid = [r for r in a.results if r.production.id in ("several_in_slot", "hedged") and r.tried]
    if not paid:
        return None
    full = [p for r in paid for p in r.full]
    if not full:
        return "one", "several or hedged answers in one slot are refused", None
    names = list(dict.fromkeys(p.variant for p in full))
    said = f"one slot may hold more than the answer: {', '.join(names[:4])} are paid"
    return "several", said, None


def _forms(a: Audit) -> Seen | None:
    tallies = a.forms.tallies
    if not tallies:
        return None
    refused = [name for name, t in tallies.items() if t.systematic]
    paid = [name for name, t in tallies.items() if not t.systematic]
    choice = [name for name in refused if tallies[name].level == CHOICE]
    said = f"other forms: {len(paid)} paid{_named(paid)}, {len(refused) or 'none'} refused"
    return {"paid": paid, "refused": refused, "choice": choice}, said + _named(refused), None


def _named(forms: list[str]) -> str:
    """The first of them, in brackets."""
    more = f" and {len(forms) - 4} more" if len(forms) > 4 else ""
    return f" ({', '.join(forms[:4])}{more})" if forms else ""


NEAR = ("close_number", "close_date", "close_time", "close_unit", "close_math", "part_of_gold")


def _near(a: Audit) -> Seen | None:
    tried = [r for r in a.results if r.production.id in NEAR and r.tried]
    if not tried:
        return None
    full = [p for r in tried for p in r.full]
    if not full:
        return "refused", "answers close to the right one are refused", None
    names = ", ".join(list(dict.fromkeys(p.variant for p in full))[:4])
    return "paid", f"close answers are paid: {names}", None


def _partial(a: Audit) -> Seen | None:
    if not a.brief.scale.apart:
        return None
    graded = a.brief.graded
    words = "nearly right answers earn a part" if graded else "an answer is right or wrong"
    return ("graded" if graded else "none"), words, None


def _length_of(a: Audit) -> Seen | None:
    finding = next((f for f in a.findings if f.id == "reward.length_neutral"), None)
    if finding is None or finding.status == "skip":
        return None
    if finding.status == "pass":
        return "neutral", "the length of a right reply changes nothing", None
    return "changes", f"the length of a right reply counts: {finding.evidence}", None


def _tools(a: Audit) -> Seen | None:
    tools = a.brief.description.tools
    if not tools:
        return None
    if a.brief.with_gold and a.brief.scale.apart:
        needed = bool(a.session.env.prelude)
        words = "a call of a tool comes before a paid answer" if needed else "no call is needed"
        return ("required" if needed else "optional"), words, None
    return None, f"{len(tools)} tool{'s' * (len(tools) > 1)}", None


def _turns(a: Audit) -> Seen | None:
    if not a.brief.playable:
        return None
    words = "a wrong answer is followed by another turn" if a.brief.guessing else "turns are taken"
    return "turns", words, None


def _judge(a: Audit) -> Seen | None:
    if not a.brief.judged:
        return None
    said = f"a judge decides; it approves with {excerpt(a.brief.approval, 60)!r}"
    return "judge", said, None


def _constant(a: Audit) -> Seen | None:
    if not a.constants:
        return None
    best = a.constants[0]
    said = f"the best fixed reply, {excerpt(best.completion, 40)!r}, earns {best.mean:.3g} a task"
    return best.mean, said, None


def _range(a: Audit) -> Seen | None:
    rewards = [o.reward for o in a.table.scored() if o.reward is not None]
    if not rewards:
        return None
    low, high = min(rewards), max(rewards)
    return [low, high], f"rewards from {low:.3g} to {high:.3g} were seen", None


def _noise(a: Audit) -> Seen | None:
    finding = next((f for f in a.findings if f.id == "reward.deterministic"), None)
    if finding is None or finding.status == "skip":
        return None
    spread = float(finding.measured or 0.0)
    if spread <= TINY:
        return 0.0, "the same reply always earns the same", None
    return spread, f"the same reply earns amounts that differ by up to {spread:.3g}", None


READERS: dict[str, Callable[[Audit], Seen | None]] = {
    "gold": _gold,
    "says": _says,
    "right": _right,
    "wrong": _wrong,
    "empty": _empty,
    "silent": _silent,
    "counts": _counts,
    "thinking": _thinking,
    "slot": _slot,
    "accepts": _forms,
    "near": _near,
    "partial": _partial,
    "length": _length_of,
    "tools": _tools,
    "turns": _turns,
    "judge": _judge,
    "constant": _constant,
    "range": _range,
    "noise": _noise,
}


def sheet(clauses: dict[str, Clause], *, verbose: bool = False) -> list[str]:
    """The observed contract as plain lines: what is declared, contradicted or not declared."""
    lines = []
    for name, clause in clauses.items():
        mark = {DECLARED: "declared", CONTRADICTED: "CONTRADICTED", UNDECLARED: ""}[clause.status]
        lines.append(
            f"{name:<9} {excerpt(clause.words, 180)}{f'  [{mark.lower()}]' if mark else ''}"
        )
        if verbose and clause.example:
            index, text, reward = clause.example
            lines.append(f"{'':<9} such as task {index}: '{excerpt(text, 100)}' earns {reward:.3g}")
    return lines
