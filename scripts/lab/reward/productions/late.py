"""Answers that come too late: after the last allowed one, or after the environment told them."""

from __future__ import annotations

import re
from typing import Any

from lab.answers.alike import plain_words
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.interactive.messages import said
from lab.reward.productions.base import VALUES, Variant, Variants, production
from lab.reward.reading.acting import MOST_TURNS
from lab.reward.reading.fields import flat

WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
COUNTS = {word: n for n, word in enumerate(WORDS)}
UNIT = r"(?:guess(?:es)?|attempts?|tr(?:y|ies)|turns?|moves?|chances?|rounds?)"
LIMIT = re.compile(
    rf"\b(?:at most|up to|within|in|have|only|maximum of|no more than)\s+"
    rf"(\d{{1,2}}|{'|'.join(COUNTS)})\s+(?:\w+\s+)?{UNIT}\b",
    re.IGNORECASE,
)
LIMIT_FIELD = re.compile(
    rf"(?:^|[._])(?:max|maximum|most|allowed|limit|n|num)_{UNIT}$", re.IGNORECASE
)

UP = r"give[ _-]?s?[ _-]?up|resign|surrender|concede|reveal|quit"
GIVES_UP = re.compile(rf"(?i)(<(?!/)[^<>\n]*(?:{UP})[^<>\n]*>)|`([^`<>\n]*(?:{UP})[^`<>\n]*)`")


@production(
    "after_the_end",
    title="an answer that is given after the last allowed one is not paid",
    free=True,
    any_part=True,
    judgement=lambda b: not b.playable,
    types=(*VALUES, "list", "json", "expression", "code"),
    reason="A game that tells the solution when it is lost pays for repeating it.",
    source="falsepass: probe list",
    fix="end the rollout with the last allowed reply, and score only the replies up to it",
)
def after_the_end(b: Brief, task: int) -> Variants:
    last = {"role": "assistant", "content": b.write(b.gold(task))}
    if b.playable:
        for word in ("", *gives_up(b.tasks[task].shown)):
            if told := revealed(b, task, word):
                after = f" after '{word}'" if word else ""
                yield Variant(f"repeating what the environment told{after}", [*told, last])
        return
    most = allowed(b.tasks[task])
    if most is None or b.description.turns == most:
        return  # no limit, or the library itself ends the rollout there
    messages: list[dict[str, Any]] = []
    for n in range(most):
        over = f"That is wrong, and the game is over. The answer was {b.gold(task)}."
        messages.append({"role": "assistant", "content": b.write(b.wrong(task, n))})
        told_now = over if n == most - 1 else "That is wrong."
        messages.append({"role": "user", "content": told_now})
    yield Variant("repeating what was told when the game was lost", [*messages, last])


EXCHANGE = "session|game|hunt|exchange|dialogue|episode|conversation|interview|rollout"
ONE = "guess|answer|attempt|accusation|submission|try|shot|chance"
ENDS = re.compile(
    rf"(?P<before>[^.\n]{{0,80}})(?:\bends? (?:the (?:{EXCHANGE})|with the first)\b[^.\n]{{0,40}}"
    r"\b(?:right or wrong|correct or (?:not|wrong)|either way|no matter|whatever|whether)\b"
    rf"|\ba wrong (?:{ONE}) (?:also |always )?ends? (?:the (?:{EXCHANGE})|it)\b"
    rf"|\byou (?:have|get|are given|may make) (?:only|just|exactly) one (?:{ONE})"
    r"(?=[.,;:!)\n]|$| in all\b| and no\b))",
    re.IGNORECASE,
)
"""Words by which the first answer of an exchange ends it."""
LATER_ONE = re.compile(
    rf"\b(?:last|final|each|every|per|\d+(?:st|nd|rd|th)|quit\w*|stop\w*|giv\w+|{'|'.join(ORDINALS)})\b",
    re.IGNORECASE,
)
"""Words before these that speak of a later answer, of one a turn, or of giving up."""


def ends_with_first(text: str) -> bool:
    """Whether a text says that the first answer ends the exchange."""
    return any(not LATER_ONE.search(found["before"]) for found in ENDS.finditer(text))


@production(
    "second_answer",
    title="a second answer is not paid where the first one is said to end the exchange",
    types=(*VALUES, "list", "json", "expression"),
    section="after-the-end",
    judgement=lambda b: not ends_with_first(b.tasks[0].shown),  # a README alone may be misread
    reason="Where a wrong answer costs nothing, naming all there are is the best policy.",
    source="own cases: hunts and guessing games",
    fix="end the rollout with the first answer, right or wrong, and score that one",
)
def second_answer(b: Brief, task: int) -> Variants:
    """The right answer as the reply after a wrong one."""
    shown = b.tasks[task].shown
    said_so = ends_with_first(shown) or ends_with_first(b.readme)
    if b.playable and said_so and (allowed(b.tasks[task]) or 1) == 1:
        answers = [b.write(b.wrong(task)), b.write(b.gold(task))]
        yield Variant("the right answer after a wrong one", said(answers))


def gives_up(shown: str) -> list[str]:
    """The replies of a prompt by which a game is given up: `<giveup/>`."""
    return list(dict.fromkeys(first or second for first, second in GIVES_UP.findall(shown)))


def revealed(b: Brief, task: int, word: str = "") -> list[dict[str, Any]]:
    """A played rollout of wrong replies, the first one `word` where it says something, up to where
    the environment tells the gold and takes a reply after it; [] where it does not.

    It tells the gold where at the same turn of another task it names that one's, and not this
    one's: a word that every message has, or that the rollout itself has said, is no telling."""
    other = next((i for i in b.with_gold if _plain(b.gold(i)) != _plain(b.gold(task))), task)
    golds = _plain(b.gold(task)), _plain(b.gold(other))
    if other == task or not all(map(str.strip, golds)):
        return []
    first = [word] if word else []
    here, there = (
        b.exchange(i, [*first, *(b.write(b.wrong(i, n)) for n in range(MOST_TURNS))])
        for i in (task, other)
    )
    for n, both in enumerate(zip(here, there, strict=False)):
        texts = [_plain(str(message.get("content") or "")) for message in both]
        named = [[gold in text for gold in golds] for text in texts]
        if both[0]["role"] == "assistant" and named[0][0]:
            return []  # it was asked about, before an answer may be given
        if both[0]["role"] == "user" and named == [[True, False], [False, True]]:
            return here[: n + 1]
    return []


def _plain(text: str) -> str:
    return f" {plain_words(text)} "


def allowed(task: Task) -> int | None:
    """How many guesses the task allows, from its fields or its words; None where it says
    nothing."""
    for path, value in flat(task.fields):
        if LIMIT_FIELD.search(path) and isinstance(value, int) and 0 < value <= 60:
            return value
    found = LIMIT.search(task.shown)
    if found is None:
        return None
    word = found[1].lower()
    return COUNTS.get(word) or (int(word) if word.isdigit() else 0) or None
