"""Letters that look alike and are not the same: Cyrillic `В` and Latin `B`, `ş` and `ș`.

skeleton("В2") == skeleton("B2")
as_written_in("B2", "Клауза В2: ...")       # "В2"
"""

from __future__ import annotations

import re
import unicodedata

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
    """The text with one letter for all that look alike; for comparison, not to be shown."""
    return unicodedata.normalize("NFC", text).translate(TABLE)


def as_written_in(text: str, shown: str) -> str:
    """The text with each word that `shown` has in letters that look alike only as it is there."""
    there = {word: word for word in WORD.findall(shown)}
    alike = {skeleton(word): word for word in there}
    return WORD.sub(lambda m: there.get(m[0]) or alike.get(skeleton(m[0]), m[0]), text)
