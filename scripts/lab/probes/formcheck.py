"""Right answers in other dress: how often the reward refuses what it should pay.

Two kinds of dress: the answer itself in another form (`lab.answers.forms`), and the completion
around it (blanks in the slot, a longer line of thought, a friendly last line). A prompt that asks
for one exact form, or `strict_format` in policy.toml, makes forms a matter of policy.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from lab.answers.forms import CHOICE, CORE, USUAL, Form, forms
from lab.probes.families import DESIGN
from lab.probes.subject import TINY, Subject
from lab.rates import jeffreys
from lab.report import Check, Finding
from lab.untrusted import excerpt

CORE_FORMS = Check(
    "reward.forms_core",
    title="plain variants of the right answer are paid",
    expected="every core form",
    reason="A right answer that is refused teaches the model that right is wrong.",
    source="arXiv 2505.22203: rule-based verifiers miss 14% of right answers; reward science 2.1",
)
USUAL_FORMS = Check(
    "reward.forms_usual",
    title="common variants of the right answer are paid",
    expected="more than half of them",
    reason="Each refused variant costs right answers until the model has learnt the author's taste.",
    source="TinyV, arXiv 2505.14625; reward science 2.1",
)
WRAPPER = Check(
    "reward.wrapper",
    title="what stands around the answer does not matter",
    expected="every wrapper",
    reason="Models think before they answer, use numbers while thinking, and end with a newline.",
    source="reward science 2.1, invariant I7",
)
POLICY = Check(
    "reward.forms_policy",
    title="forms whose acceptance is the author's choice",
    expected="reported only",
    reason="Whether `Option B` or `x = 4` counts is a decision; it should be one.",
    source="reward science 2.1; E24, E25",
)

STRICT = re.compile(
    r"\bexact(?:ly)?\b|\bonly (?:the|a|one|your|digits|an? integer|plain|lower)|\bjust the\b|\bnothing (?:else|but)\b|number alone|\balone\b"
    r"|\b(?:without|no|don't (?:use|include|add)|do not (?:use|include|add)) (?:any )?(?:\w+ )?(?:commas?|punctuation|units?|symbols?|separators?|quotes|explanation|extra|other|additional|formatting|markdown)"
    r"|\blower-?case\b|\bupper-?case\b|\bplain (?:integer|number|digits|text)|\bsingle (?:letter|word|integer|number|digit|capital|uppercase)|\bcase-?sensitive\b|\bin digits\b|\bcapital letter|\bstrict|\bone word\b|\bone of(?: the following)?[: ]|\bverbatim\b|\bas (?:it is )?written\b",
    re.IGNORECASE,
)


@dataclass
class Tally:
    """How one form fared over the tasks."""

    level: str
    natural: str = CHOICE
    """Its level where nothing is declared."""
    tried: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)

    @property
    def systematic(self) -> bool:
        return len(self.refused) * 2 >= self.tried and len(self.refused) >= 1


@dataclass
class Forms:
    """Everything tried, by name. The rates are over core and usual forms and the gold itself."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    wrappers: dict[str, Tally] = field(default_factory=dict)
    strict: str = ""

    def rate(self, s: Subject) -> tuple[int, int]:
        """(refused, tried) over everything that must be paid."""
        must = [t for t in (*self.tallies.values(), *self.wrappers.values()) if t.level in (CORE, USUAL)]
        unpaid = sum(1 for i, reward in s.gold_rewards.items() if not s.paid_like_right(i, reward))
        return sum(len(t.refused) for t in must) + unpaid, sum(t.tried for t in must) + len(s.gold_rewards)


def measure(s: Subject) -> Forms:
    found = Forms()
    if not s.with_gold or s.gap <= TINY:
        return found
    match = STRICT.search(" ".join(_instructions(s)))
    found.strict = "policy.toml" if s.policy.strict_format else f"the prompt says '{match[0]}'" if match else ""
    tallies: dict[str, Tally] = defaultdict(lambda: Tally(CHOICE))
    for i in s.sample(8):
        if not s.paid_like_right(i, s.ceiling_of(i)):
            continue
        options = s.learned.options[i]
        for form in forms(s.family, s.gold(i), options=options, accepted=() if s.learned.all_of else s.accepted(i)[1:6]):
            _try(s, tallies, i, form.name, _level(s, form, found.strict), s.write(_with_unit(s, i, form)))
            if form.name in tallies:
                tallies[form.name].natural = form.level
    found.tallies = dict(tallies)
    wrappers: dict[str, Tally] = defaultdict(lambda: Tally(CHOICE))
    for i in s.sample(6):
        for name, level, text in _wrapped(s, i):
            _try(s, wrappers, i, name, level, text)
    found.wrappers = dict(wrappers)
    return found


def _with_unit(s: Subject, task: int, form: Form) -> str:
    """The form's text; a unit is the one that the question asks for."""
    asked = re.search(r"\bhow (?:many|much) (\w+)", s.tasks[task].prompt, re.IGNORECASE)
    return form.text.replace("units", asked[1]) if form.name == "unit" and asked else form.text


def _instructions(s: Subject) -> list[str]:
    from lab.probes.style import shared_text

    return [shared_text(s.tasks)]


def _level(s: Subject, form: Form, strict: str) -> str:
    if form.name in s.policy.refused_forms:
        return CHOICE
    if strict and form.name != "alias" and s.family not in ("json", "list", "code"):  # strict about words, not about blanks in data
        return CHOICE
    if form.name == "float form" and re.search(r"\b(?:integer|whole number)", s.tasks[0].shown, re.IGNORECASE):
        return CHOICE
    return form.level


def _try(s: Subject, tallies: dict[str, Tally], task: int, name: str, level: str, text: str) -> None:
    reward = None if s.over() else s.reward(task, text, right=True)
    if reward is None:
        return
    tally = tallies[name]
    tally.level = level
    tally.tried += 1
    share = s.share(task, reward)
    if share <= 0.5 + TINY:
        tally.refused.append((task, text))


def _wrapped(s: Subject, task: int) -> Iterator[tuple[str, str, str]]:
    """(name, level, completion): the gold as it is, in other surroundings."""
    gold = s.gold(task)
    code = s.family in ("code", "tests")
    json_like = s.style.escape is not None or s.style.name.startswith("as ")
    # After a label there is a blank already, and nobody writes a second one.
    blanks = gold if code or json_like else f"{gold} " if s.style.before.endswith(" ") and not s.style.after else f" {gold} "
    yield "blank before and after" if blanks[:1] == " " else "blank after", CORE, s.write(blanks)
    yield "last newline", CORE, s.write(gold) + "\n"
    if s.style.lead or s.style.think[0]:
        yield "longer reasoning", CORE, s.write(gold, "First I read the question. " * 6 + "Then I check it.")
        yield "reasoning in another language", CHOICE, s.write(gold, "Zuerst lese ich die Frage noch einmal, dann rechne ich in Ruhe nach.")
        other = s.wrong(task)
        if s.style.slotted:
            yield "numbers in the reasoning", CORE, s.write(gold, "I try 3 + 4 = 7 first, then 12, and 99 looks wrong.")
            yield "a rejected candidate in the reasoning", CORE if not code else CHOICE, s.write(gold, f"At first it looks like {other}, but that does not fit.")
            yield "reasoning over several lines", CORE, s.write(gold, "One.\n\nTwo:\n- a\n- b\n\nThree.")
    if s.style.before.startswith("<"):
        yield "upper-case tag", CHOICE, s.write(gold).replace(s.style.before.strip(), s.style.before.strip().upper()).replace(s.style.after.strip(), s.style.after.strip().upper())
        if not json_like and "\n" not in s.style.before:
            yield "answer on a line of its own", USUAL, s.write("\0").replace("\0", f"\n{gold}\n")
    label = s.style.before.strip()
    if label.endswith(":") and label[:1].isalpha() and not json_like:
        yield "bold label", USUAL, s.write(gold).replace(s.style.before, f"**{label}** ")
    if s.style.slotted and s.style.after.strip():
        yield "a last friendly line", CHOICE, s.write(gold) + "\nLet me know if you need more."
    if s.style.slotted and not code:
        yield "the format named in the reasoning", CHOICE, s.write(gold, f"I will use {s.style.before.strip()}{s.style.after.strip()} for the answer.")


def findings(s: Subject, found: Forms) -> Iterator[Finding]:
    if not found.tallies and not found.wrappers:
        for check in (CORE_FORMS, USUAL_FORMS, WRAPPER, POLICY):
            yield check.skip("no gold that is paid, so no form of it can be tested")
        return
    yield _core(s, CORE_FORMS, {n: t for n, t in found.tallies.items() if t.level == CORE}, found, "false-rejections")
    yield _usual(s, found)
    yield _core(s, WRAPPER, {n: t for n, t in found.wrappers.items() if t.level == CORE}, found, "wrappers")
    yield _policy(found)


def _core(s: Subject, check: Check, tallies: dict[str, Tally], found: Forms, section: str) -> Finding:
    refused = {name: t for name, t in tallies.items() if t.systematic}
    tried = sum(t.tried for t in tallies.values())
    if not tried:
        return check.skip(f"forms are declared strict: {found.strict}" if found.strict else "there are none for these golds")
    if not refused:
        return check.ok(measured=f"{len(tallies)} forms paid", direction="false_negative")
    name, tally = max(refused.items(), key=lambda item: len(item[1].refused))
    task, text = tally.refused[0]
    low, high = jeffreys(len(tally.refused), tally.tried)
    return check.fail(
        measured=f"{len(refused)} of {len(tallies)} forms refused",
        evidence=f"{', '.join(refused)}: task {s.tasks[task].index}, gold {excerpt(s.gold(task), 40)!r}, earns {s.reward(task, text):.3g} for "
        f"'{excerpt(text[-150:], 150)}' ({name} refused on {len(tally.refused)} of {tally.tried} tasks, 95% {low:.2f} to {high:.2f})",
        fix=f"normalise both sides before comparing; or declare it: strict_format or refused_forms in policy.toml ({DESIGN}#{section})",
        severity="high" if check is WRAPPER else "medium",
        direction="false_negative",
    )


def _usual(s: Subject, found: Forms) -> Finding:
    tallies = {n: t for n, t in found.tallies.items() if t.level == USUAL} | {n: t for n, t in found.wrappers.items() if t.level == USUAL}
    if not tallies:
        return USUAL_FORMS.skip(f"forms are declared strict: {found.strict}" if found.strict else "there are none for these golds")
    refused = {name: t for name, t in tallies.items() if t.systematic}
    if not refused:
        return USUAL_FORMS.ok(measured=f"{len(tallies)} forms paid", direction="false_negative")
    task, text = next(iter(refused.values())).refused[0]
    evidence = f"refused: {', '.join(refused)}; such as '{excerpt(text[-100:], 100)}' for the gold {excerpt(s.gold(task), 40)!r}"
    fix = f"normalise both sides before comparing; or say in the prompt which form counts, and declare it in policy.toml ({DESIGN}#false-rejections)"
    measured = f"{len(refused)} of {len(tallies)} forms refused"
    # An exact comparison of labels and letters is usual, of numbers it refuses right answers.
    most = s.family in ("number", "math") and len(refused) * 4 >= len(tallies) * 3 and len(tallies) >= 3
    if most:
        return USUAL_FORMS.fail(measured=measured, evidence=evidence, fix=fix, severity="medium", direction="false_negative")
    return USUAL_FORMS.warn(measured=measured, evidence=evidence, fix=fix, severity="medium" if len(refused) > 1 else "low", direction="false_negative")


def _policy(found: Forms) -> Finding:
    tallies = {n: t for n, t in (found.tallies | found.wrappers).items() if t.level == CHOICE}
    if not tallies:
        return POLICY.skip("there are none for these golds")
    paid = sorted(n for n, t in tallies.items() if not t.systematic)
    refused = sorted(n for n, t in tallies.items() if t.systematic)
    strict = f"strict: {found.strict}; " if found.strict else ""
    return POLICY.ok(measured=f"{len(paid)} paid, {len(refused)} refused", evidence=f"{strict}paid: {', '.join(paid) or 'none'}; refused: {', '.join(refused) or 'none'}")


