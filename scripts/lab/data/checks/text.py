"""Text made comparable: normalised prompts, damage, and what no reasoning can reach."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

SHORT, REMEMBERED = 64, 1 << 14
"""Characters of a text that may come again, and how many of them are kept."""
WORD = re.compile(r"\w+")
_PLAIN = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() or chr(code) == "_" else ord(" ")
    for code in range(128)
).ljust(256)
"""ASCII in lower case, with spaces for what is in no word."""
CHARACTERS_PER_TOKEN = 3.6
"""English prose gives about 4 characters per token, mathematics and code about 3."""

MOJIBAKE = re.compile(
    "\ufffd|Ã[\x80-\xbf©¨¡¢¤¶¼±]|â€[™œ\x9d“”˜¦]|Â[\xa0°±²³´µ¶·¸¹º»]|ï»¿|&(?:amp|lt|gt|quot|#\\d+);|\\\\u00[0-9a-f]{2}"
)
CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]"
)
ARTICLES = {"a", "an", "the"}
RANDOM_VALUE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}"
    r"|[\w.+-]+@[\w-]+\.[\w.]+"
    r"|https?://\S+"
    r"|\+?\d[\d ().-]{8,}\d"
    r"|(?=\S*\d\S*\d\S*\d)[A-Z]{1,5}[-_#]?\d{3,}[A-Z0-9-]*"
    r"|#\d{4,}",
    re.IGNORECASE,
)
"""Values that are drawn, not derived: uuids, hashes, addresses, telephone and ticket numbers."""
_CASED_TICKET = re.compile(r"[A-Z]{1,5}[-_#]?\d{3,}[A-Z0-9-]*|#\d{4,}")

_ANNOUNCED = re.compile(
    r"(?:answer(?: is)?|solution|gold|ground truth|####|\\boxed\{|label|\bkey)[\"'`*]*\s*[:=]?\s*"
    r"[\"'`(*$]*\Z",
    re.IGNORECASE,
)


def remembered(work: Callable[[str], T]) -> Callable[[str], T]:
    """`work` with the results for short texts kept: labels and numbers come again and again."""
    kept = lru_cache(REMEMBERED)(work)

    @wraps(work)
    def result(text: str) -> T:
        return kept(text) if len(text) <= SHORT else work(text)

    return result


def normalised(text: str) -> str:
    """Words only, one space between them, no case: what a near-identical prompt shares."""
    if text.isascii():
        plain = text.encode().translate(_PLAIN).strip()
        while b"  " in plain:
            plain = plain.replace(b"  ", b" ")
        return plain.decode() or text.strip()
    return " ".join(WORD.findall(text.casefold())) or text.strip()


def key(text: str) -> int:
    """A stable 63-bit hash of a text."""
    return (
        int.from_bytes(
            hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big"
        )
        >> 1
    )


def means_nothing(gold: str, articles: bool = True) -> bool:
    """True for a gold of which normalisation leaves nothing: punctuation, and (as text) an
    article."""
    if any(char.isdigit() for char in gold) or "\\" in gold or gold.strip() == "A":
        return False
    words = WORD.findall(gold.casefold())
    # A gold of symbols only (`) ]`, `+`) answers a task about symbols; quotes and dots do not.
    return (not words and not re.search(r"[()\[\]{}<>+*/=%&|^~√∞∅π-]", gold)) or (
        articles and bool(words) and all(word in ARTICLES for word in words)
    )


def drawn(gold: str) -> bool:
    """True for a value that nobody can know or reason out without being told."""
    text = gold.strip()
    if len(text) > 120 or not RANDOM_VALUE.fullmatch(text):
        return False
    if re.fullmatch(r"[A-Za-z]{1,5}[-_#]?\d{3,}[A-Za-z0-9-]*", text):
        return bool(_CASED_TICKET.fullmatch(text))
    # Plain numbers with separators are numbers, not telephone numbers.
    return not re.fullmatch(r"[\d., ]+", text) and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text)


def marked(gold: str, prompt: str) -> bool:
    """True when the prompt gives the gold away: `Answer: 42`, `#### 42`, `\\boxed{42}`."""
    place = prompt.find(gold) if gold else -1
    for _ in range(20):
        if place < 0:
            return False
        after = prompt[place + len(gold) : place + len(gold) + 1]
        if not after.isalnum() and _ANNOUNCED.search(prompt, max(0, place - 40), place):
            return True
        place = prompt.find(gold, place + 1)
    return False
