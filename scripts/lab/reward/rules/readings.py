"""Which of several answers counts, and whether thinking is read: the readings that explain what was
seen, and the findings where no fair one does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.reward.brief import Brief
from lab.reward.observation import Table
from lab.reward.productions.base import COLLECTIONS, DESIGN, VALUES
from lab.reward.productions.units import (
    EMPTY,
    OPEN,
    READINGS,
    RIGHT,
    THOUGHT,
    TURN,
    UNFINISHED,
    WRONG,
    Reading,
    Unit,
    Units,
    expected,
    name_of,
)
from lab.reward.scale import PAID

ID = "units"
LEAST = 0.5
"""Share of the tasks on which a reply must be paid to count as paid."""

ANY = Check(
    "reward.any_slot",
    title="of two answers only one counts",
    expected="one of two answers, the first or the last, or none",
    reason="When any of several answers may match, the best policy is to give many.",
    source="open-r1: PR 418",
)
WHICH = Check(
    "reward.which_answer",
    title="of several answers the promised one counts",
    expected="the one that prompt, README or contract names",
    reason="A model that corrects itself as the prompt says is refused, and a first guess is paid.",
    source="own cases: several answers",
)
THINK = Check(
    "reward.think_leak",
    title="an answer that is only in the thinking is not paid",
    expected=f"at most {PAID:.0%} of what is right",
    reason="Graders that read the whole completion pay for candidates tried out while thinking.",
    source="falsepass: probe list",
)
INVENTED = Check(
    "reward.another_turn",
    title="an answer in an invented later turn is not paid",
    expected="like two answers without a role's name between them",
    reason="Splitting on role names lets the model write the next turn itself.",
    source="TinyZero: splits on `Assistant:`",
)
AROUND = Check(
    "reward.several_answers_refused",
    title="the right answer is paid where it is also thought of, or said twice",
    expected="paid like the answer alone",
    reason="Models try answers while they think; a reward that refuses that punishes thinking.",
    source="own cases: several answers",
)
CHECKS = (ANY, WHICH, THINK, INVENTED, AROUND)


@dataclass
class Seen:
    """Per sequence of units the share of the tasks that paid it, and one example."""

    paid: dict[Units, float] = field(default_factory=dict)
    example: dict[Units, tuple[int, str, float]] = field(default_factory=dict)
    """(task, completion, reward)."""
    fits: list[Reading] = field(default_factory=list)
    """The readings with the fewest contradictions, fair ones before others."""
    contradictions: list[Units] = field(default_factory=list)
    """What the best reading does not explain."""


def parse(variant: str) -> Units:
    """The units of a probe's variant."""
    return tuple(Unit(*part.split("/")) for part in variant.split(" "))


def label(units: Units) -> str:
    return " ".join(f"{unit.context}/{unit.answer}" for unit in units)


def allowed(b: Brief) -> list[Reading]:
    """The readings that are fair here: the declared ones, or those of every careful author."""
    counts = b.declared.get("counts")
    thinking = b.declared.get("thinking")
    found = []
    for reading in READINGS:
        # A first answer that is thought of is read where nobody was asked to think in the reply.
        first = reading.thinking == "read" and reading.counts == "first"
        fair = reading.counts != "any" and not (first and b.names_thinking)
        if counts is not None and reading.counts != counts:
            continue
        if counts is None and not fair:
            continue
        if thinking is not None and reading.thinking != thinking:
            continue
        if (thinking == "ignored" or b.names_thinking) and reading.unfinished == "read":
            continue
        found.append(reading)
    return found


def seen(b: Brief, table: Table) -> Seen:
    shares: dict[Units, list[bool]] = defaultdict(list)
    found = Seen()
    for o in table.of(ID):
        if o.reward is None or (ID, o.probe.variant) in b.settled:
            continue
        units = parse(o.probe.variant)
        # A close answer earns a part of a graded reward: only the whole of it tells them apart.
        close = b.scale.paid if b.graded else lambda i, r: not b.scale.refused(i, r)
        paid = close(o.probe.task, o.reward)
        shares[units].append(paid)
        known = found.example.get(units)
        if known is None or (paid and known[2] < o.reward):
            found.example[units] = (o.probe.task, str(o.probe.completion), o.reward)
    found.paid = {units: sum(each) / len(each) for units, each in shares.items()}
    if found.paid:
        _fit(found, allowed(b))
    return found


def _fit(found: Seen, fair: list[Reading]) -> None:
    def wrong(reading: Reading) -> list[Units]:
        return [
            units
            for units, share in found.paid.items()
            if (should := expected(units, reading)) is not None and should != (share >= LEAST)
        ]

    each = {reading: wrong(reading) for reading in READINGS}
    least_fair = min((len(each[reading]) for reading in fair), default=len(found.paid) + 1)
    least = min(len(units) for units in each.values())
    pool = fair if least_fair <= least else list(READINGS)
    best = min(least_fair, least)
    found.fits = [reading for reading in pool if len(each[reading]) == best]
    found.contradictions = each[found.fits[0]]


def findings(b: Brief, s: Seen) -> Iterator[Finding]:
    """The findings about several answers and thinking."""
    applies = b.answer_type in (*VALUES, *COLLECTIONS, "expression") and b.scale.apart
    if not s.paid or not applies or b.guessing:
        why = (
            "a guess is answered by a turn" if b.guessing else "no answer in a slot to try it with"
        )
        yield from (check.skip(why) for check in CHECKS)
        return
    found = problems(b, s)
    for check, severity, direction, fix in (
        (
            ANY,
            "high",
            "false_positive",
            "read exactly one slot, the last, and refuse a completion with two different answers",
        ),
        (WHICH, "high", "false_negative", "read the answer that the prompt promises to read"),
        (
            THINK,
            "medium",
            "false_positive",
            "cut the thinking off before parsing, also where it is "
            "never closed, and read the slot after it",
        ),
        (INVENTED, "medium", "false_positive", "do not split on role names; read the last slot"),
        (
            AROUND,
            "high",
            "false_negative",
            "read the answer after the thinking; one answer said twice is one answer",
        ),
    ):
        units = found.get(check.id, [])
        if not units:
            yield check.ok(measured=reading_words(s), direction=direction)
            continue
        worst = units[0]
        task, text, reward = s.example[worst]
        mild = _mild(b, s, check, units)
        yield (check.warn if mild else check.fail)(
            measured=f"{s.paid[worst]:.0%} of the tasks pay {name_of(worst)}",
            evidence=f"task {b.tasks[task].index}, gold {excerpt(b.gold(task), 40)!r}: "
            f"'{excerpt(text[-160:], 160)}' earns {reward:.3g}{_promise(b, check)}",
            fix=f"{fix} ({DESIGN}#{_section(check)})",
            severity=severity,
            direction=direction,
        )


def _mild(b: Brief, s: Seen, check: Check, units: list[Units]) -> bool:
    """Whether what is paid is worth saying and no failure: an answer in thinking that nobody speaks
    of, a right answer before an invented turn, a message of an exchange that is read as a whole."""
    if check in (WHICH, AROUND) and b.playable and _whole(s):
        return True  # each message of an exchange is one command, and nothing beside it
    if check is WHICH and b.playable and b.contract.counts in ("first", "last"):
        return True  # of the messages, which says nothing of several answers in one
    if check is AROUND:
        return _mild_around(b, units)
    if check is INVENTED:
        return all(each[0].answer == RIGHT for each in units)
    if check is not THINK or b.contract.thinking:
        return False
    return not b.declared.get("thinking") or all(map(_cut_short, units))


def _mild_around(b: Brief, units: list[Units]) -> bool:
    counts = b.declared.get("counts")
    if counts == "only" and not b.declared.get("thinking"):
        return True  # "no tag twice" may be meant of the thinking too
    if counts == "any" and all(EMPTY in {unit.answer for unit in each} for each in units):
        return True  # of several candidates an empty one may be a foul
    if not b.format.closed and all(map(_empty_first, units)):
        return True  # a label with nothing behind it: its answer may be on the next line
    # What a README in another language says of several answers is not read.
    return b.foreign and not counts


def _whole(s: Seen) -> bool:
    """Whether a reply with more in it than one answer is never paid."""
    return all(share < LEAST for units, share in s.paid.items() if len(units) > 1)


def _empty_first(units: Units) -> bool:
    """Whether an empty slot comes before an answer."""
    return any(unit.answer == EMPTY for unit in units[:-1])


def _cut_short(units: Units) -> bool:
    """Whether the answer is in thinking that is never closed, as in a reply that is cut off."""
    contexts = {unit.context for unit in units}
    return UNFINISHED in contexts and THOUGHT not in contexts


def _section(check: Check) -> str:
    return check.id.removeprefix("reward.").replace("_", "-")


def _promise(b: Brief, check: Check) -> str:
    words = b.declared.get("counts" if check in (ANY, WHICH) else "thinking")
    return f"; declared: {words}" if words else ""


def problems(b: Brief, s: Seen) -> dict[str, list[Units]]:
    """Per check the sequences that no fair reading explains."""
    fair = allowed(b)
    if any(_explains(s, reading) for reading in fair):
        return {}
    other = next((reading for reading in READINGS if _explains(s, reading)), None)
    found = _unexplained(b, s, fair)
    if other is not None:
        # One rule explains everything that was seen: it is one finding.
        check = _check_of_reading(b, other, fair)
        return {check.id: found.get(check.id) or _telling(s, found)}
    if not found and s.fits and s.fits[0].counts == "any":
        # Each order alone is fair: both together are not.
        return {ANY.id: [u for u, p in s.paid.items() if p >= LEAST and _mixed(u)]}
    return found


def _unexplained(b: Brief, s: Seen, fair: list[Reading]) -> dict[str, list[Units]]:
    """Per check the sequences on which all fair readings agree, and the reward does not."""
    found: dict[str, list[Units]] = defaultdict(list)
    for units, share in s.paid.items():
        verdicts = {expected(units, reading) for reading in fair}
        paid = share >= LEAST
        if len(verdicts) == 1 and None not in verdicts and paid not in verdicts:
            found[_check_of(units, paid, b).id].append(units)
    for units in _by_turns(s):
        if units not in found[INVENTED.id]:
            found[INVENTED.id].append(units)
    return {id: listed for id, listed in found.items() if listed}


def _by_turns(s: Seen) -> list[Units]:
    """Sequences that are paid for the name of a role between the answers, and not without it."""
    plain = {
        units: tuple(
            replace(unit, context=OPEN) if unit.context == TURN else unit for unit in units
        )
        for units in s.paid
        if any(unit.context == TURN for unit in units)
    }
    return [
        units
        for units, without in plain.items()
        if s.paid[units] >= LEAST > s.paid.get(without, 1.0)
    ]


def _explains(s: Seen, reading: Reading) -> bool:
    return all(expected(units, reading) in (None, p >= LEAST) for units, p in s.paid.items())


def _telling(s: Seen, found: dict[str, list[Units]]) -> list[Units]:
    """Sequences that show an unfair reading: those that break every fair one, else mixed
    answers."""
    listed = [units for each in found.values() for units in each]
    return listed or [u for u, p in s.paid.items() if p >= LEAST and _mixed(u)] or list(s.paid)


def _check_of_reading(b: Brief, reading: Reading, fair: list[Reading]) -> Check:
    """What is wrong with a reading that is not fair here."""
    if reading.counts not in {one.counts for one in fair}:
        return ANY if reading.counts == "any" else WHICH
    return THINK


def _mixed(units: Units) -> bool:
    answers = {unit.answer for unit in units if unit.context in (OPEN, TURN)}
    return len(answers) > 1 and WRONG in answers


def _check_of(units: Units, paid: bool, b: Brief) -> Check:
    contexts = {unit.context for unit in units}
    if b.declared.get("counts") and _mixed(units) and contexts <= {OPEN}:
        return WHICH
    if not paid:
        return AROUND
    if contexts & {THOUGHT, UNFINISHED}:
        return THINK
    return INVENTED if TURN in contexts else ANY


def reading_words(s: Seen) -> str:
    """The reading that was found, in words."""
    if not s.fits:
        return "not read"
    counts = "/".join(dict.fromkeys(r.counts for r in s.fits))
    thinking = "/".join(dict.fromkeys(r.thinking for r in s.fits))
    return f"{counts} counts, thinking {thinking}"
