"""Right answers that are refused: equivalent forms, and other text around the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lab.answers.form import CHOICE, CORE, USUAL
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.rates import jeffreys
from lab.reward.brief import Brief
from lab.reward.observation import Table
from lab.reward.productions.base import DESIGN
from lab.reward.productions.forms import strictness

ID = "forms"
SYSTEMATIC, OF_LISTED = 0.5, 0.25
"""Share of the tasks on which a form must be refused to count as refused; the same of answers that
the data themselves list as right."""
MOST_REFUSED, LEAST_TRIED = 0.75, 3
"""For numbers: a failure where this share of at least so many usual forms is refused."""
FEW_GOLDS = 6
"""Golds from which on a form that only one of them has shows no habit of the reward."""

BOLD_LINES = ("bold line", "bold label")
"""What an author who accepts bold may mean: the marks around the line, and not in the slot."""
HARMLESS = {"last newline", "longer reasoning", "reasoning over several lines"}
"""Surroundings that no description of a form excludes."""
CORE_FORMS = Check(
    "reward.forms_core",
    title="plain variants of the right answer are paid",
    expected="every core form",
    reason="A right answer that is refused teaches the model that right is wrong.",
    source="arXiv 2505.22203: rule-based verifiers miss 14% of right answers",
)
USUAL_FORMS = Check(
    "reward.forms_usual",
    title="common variants of the right answer are paid",
    expected=f"numbers: less than {MOST_REFUSED:.0%} of the forms refused; else a warning",
    reason="Each refused variant costs right answers until the model knows the author's taste.",
    source="arXiv 2505.14625: TinyV",
)
WRAPPER = Check(
    "reward.wrapper",
    title="the text around the answer does not matter",
    expected="every surrounding",
    reason="Models think before they answer, use numbers while thinking, and end with a newline.",
    source="own cases: surroundings",
)
POLICY = Check(
    "reward.forms_policy",
    title="forms whose acceptance is the author's choice",
    expected="reported only",
    reason="Whether `Option B` or `x = 4` counts is a decision; it should be one.",
    source="unicode: confusables; own cases: policy choices",
)


@dataclass
class Tally:
    """How one form fared."""

    level: str
    natural: str
    around: bool
    tried: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)
    share: float = SYSTEMATIC
    affirmed: bool = False
    """Whether an example of the contract says that it is refused by right."""

    @property
    def systematic(self) -> bool:
        return len(self.refused) > self.share * self.tried

    @property
    def unfair(self) -> bool:
        return self.systematic and not self.affirmed


@dataclass
class Forms:
    tallies: dict[str, Tally] = field(default_factory=dict)
    strict: str = ""
    """Why other forms are refused on purpose."""

    def of(self, *, around: bool, level: str) -> dict[str, Tally]:
        return {
            name: t for name, t in self.tallies.items() if t.around == around and t.level == level
        }

    def rate(self, b: Brief) -> tuple[int, int]:
        """(refused, tried) over everything that must be paid."""
        must = [t for t in self.tallies.values() if t.level in (CORE, USUAL) and not t.affirmed]
        unpaid = sum(b.scale.refused(i, reward) for i, reward in b.scale.right.items())
        tried = sum(t.tried for t in must) + len(b.scale.right)
        return sum(len(t.refused) for t in must) + unpaid, tried


def measure(b: Brief, table: Table) -> Forms:
    """The tallies of all forms. A probe's variant is `name|level|natural level|around`."""
    found: dict[str, Tally] = {}
    for o in table.of(ID):
        name = name_of(o.probe.variant)
        level, natural, around = o.probe.variant.split("|")[-3:]
        tally = found.setdefault(name, Tally(level, natural, around == "around"))
        tally.share = OF_LISTED if name == "alias" else SYSTEMATIC
        tally.affirmed = (ID, name) in b.settled
        if o.reward is None:
            continue
        tally.tried += 1
        if b.scale.refused(o.probe.task, o.reward):
            tally.refused.append((o.probe.task, str(o.probe.completion)))
    tried = {name: tally for name, tally in found.items() if tally.tried}
    bold = tried.get("bold")
    lines = [tried[name] for name in BOLD_LINES if name in tried]
    if bold and bold.systematic and any(not line.refused for line in lines):
        bold.level = CHOICE
    return Forms(tried, strictness(b))


def name_of(variant: str) -> str:
    return variant.rsplit("|", 3)[0]


def findings(b: Brief, f: Forms) -> Iterator[Finding]:
    if not f.tallies:
        why = "no gold that is paid, so no form of it can be tested"
        yield from (check.skip(why) for check in (CORE_FORMS, USUAL_FORMS, WRAPPER, POLICY))
        return
    yield _core(b, CORE_FORMS, f.of(around=False, level=CORE), f, "false-rejections")
    yield _usual(b, f)
    yield _core(b, WRAPPER, f.of(around=True, level=CORE), f, "wrappers")
    yield _policy(f)


def _core(b: Brief, check: Check, tallies: dict[str, Tally], f: Forms, section: str) -> Finding:
    refused = {name: t for name, t in tallies.items() if t.unfair}
    if not tallies:
        strict = f"forms are meant to be strict: {f.strict}"
        return check.skip(strict if f.strict else "there are none for these golds")
    if not refused:
        return check.ok(measured=_paid(tallies), direction="false_negative")
    if b.documented and check is WRAPPER and not refused.keys() & HARMLESS:
        return _by_choice(check, refused, len(tallies))
    name, tally = max(refused.items(), key=lambda item: len(item[1].refused))
    task, text = tally.refused[0]
    low, high = jeffreys(len(tally.refused), tally.tried)
    once = len(tally.refused) == 1 < FEW_GOLDS <= len(b.right.distinct)
    return (check.warn if once else check.fail)(
        measured=f"{len(refused)} of {len(tallies)} forms refused",
        evidence=f"{', '.join(refused)}: task {b.tasks[task].index}, gold "
        f"{excerpt(b.gold(task), 40)!r}, refused: '{excerpt(text[-150:], 150)}' ({name} on "
        f"{len(tally.refused)} of {tally.tried} tasks, 95% {low:.2f} to {high:.2f})",
        fix="normalise both sides before comparing; or declare it: refuses in contract.toml "
        f"({DESIGN}#{section})",
        severity="high" if check is WRAPPER else "medium",
        direction="false_negative",
    )


def _paid(tallies: dict[str, Tally]) -> str:
    by_right = sum(one.systematic for one in tallies.values())
    refused = f", {by_right} refused as examples say" if by_right else ""
    return f"{len(tallies) - by_right} forms paid{refused}"


def _by_choice(check: Check, refused: dict[str, Tally], of: int) -> Finding:
    """Refused by a reward whose README says how an answer has to be written: the author's choice,
    as far as the README's words cannot be held against it."""
    text = next(iter(refused.values())).refused[0][1]
    return check.warn(
        measured=f"{len(refused)} of {of} forms refused",
        evidence=f"{', '.join(refused)}: refused '{excerpt(text[-100:], 100)}'; the README says "
        "how an answer is written",
        fix=f"say it in the prompt as well, or accept them ({DESIGN}#false-rejections)",
        severity="medium",
        direction="false_negative",
    )


def _usual(b: Brief, f: Forms) -> Finding:
    tallies = f.of(around=False, level=USUAL) | f.of(around=True, level=USUAL)
    if not tallies:
        strict = f"forms are meant to be strict: {f.strict}"
        return USUAL_FORMS.skip(strict if f.strict else "there are none for these golds")
    refused = {name: t for name, t in tallies.items() if t.unfair}
    if not refused:
        return USUAL_FORMS.ok(measured=_paid(tallies), direction="false_negative")
    task, text = next(iter(refused.values())).refused[0]
    extra = {
        "measured": f"{len(refused)} of {len(tallies)} forms refused",
        "evidence": f"refused: {', '.join(refused)}; such as '{excerpt(text[-100:], 100)}' for the "
        f"gold {excerpt(b.gold(task), 40)!r}",
        "fix": "normalise both sides before comparing; or say in the prompt which form counts, and "
        f"declare it: refuses in contract.toml ({DESIGN}#false-rejections)",
        "direction": "false_negative",
    }
    most = len(refused) >= MOST_REFUSED * len(tallies) and len(tallies) >= LEAST_TRIED
    # An exact comparison of labels and letters is usual, of numbers it refuses right answers.
    exact = most and b.answer_type in ("number", "math") and not b.guessing
    if exact and not b.documented:
        return USUAL_FORMS.fail(**extra, severity="medium")
    return USUAL_FORMS.warn(**extra, severity="medium" if len(refused) > 1 else "low")


def _policy(f: Forms) -> Finding:
    tallies = {name: t for name, t in f.tallies.items() if t.level == CHOICE}
    if not tallies:
        return POLICY.skip("there are none for these golds")
    paid = sorted(name for name, t in tallies.items() if not t.systematic)
    refused = sorted(name for name, t in tallies.items() if t.systematic)
    strict = f"strict: {f.strict}; " if f.strict else ""
    said = f"{strict}paid: {', '.join(paid) or 'none'}; refused: {', '.join(refused) or 'none'}"
    return POLICY.ok(measured=f"{len(paid)} paid, {len(refused)} refused", evidence=said)
