"""Letters that look alike and are not the same: `В` (Cyrillic) and `B`, `ş` and `ș`, `（` and `(`.

skeleton("В2") == skeleton("B2")
as_written_in("B2", "Клауза В2: ...")       # "В2"
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

PAIRS = (
    ("АВЕКМНОРСТУХЅІЈаеорсухѕіј", "ABEKMHOPCTYXSIJaeopcyxsij"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo"),
    ("ŞşŢţ\u00b5", "ȘșȚț\u03bc"),
)
"""Letters, and those that look like them (Unicode UTS 39, confusables)."""
TABLE = str.maketrans(
    {one: other for left, right in PAIRS for one, other in zip(left, right, strict=True)}
)
WORD = re.compile(r"\w+")


def skeleton(text: str) -> str:
    """The text with one letter for all that look alike, and one width; for comparison, not to be
    shown."""
    one_width = (
        unicodedata.normalize("NFKC", sign) if unicodedata.east_asian_width(sign) in "FH" else sign
        for sign in unicodedata.normalize("NFC", text)
    )
    return "".join(one_width).translate(TABLE)


def spelled(value: Any) -> str:
    """A value as it looks: 3 and "3" look alike, and so do letters with a mark that is a part of
    them or a sign of its own."""
    if isinstance(value, dict):
        return str({str(key): spelled(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return str([spelled(inner) for inner in value])
    return skeleton(str(value))


def as_written_in(text: str, shown: str) -> str:
    """The text with each word that `shown` has in letters that look alike only as it is there."""
    there = {word: word for word in WORD.findall(shown)}
    alike = {skeleton(word): word for word in there}
    return WORD.sub(lambda m: there.get(m[0]) or alike.get(skeleton(m[0]), m[0]), text)
