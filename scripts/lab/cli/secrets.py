"""Secrets in text: the known forms of keys, and the very keys that this process was given.

`find_secrets` says where some are in a file; findings name the place and the kind, never the
secret. `masked` takes them out of a value that is printed or kept: what has the form of a key, and
the keys of this process (its environment's, and what `conceal` was given).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache

from lab.cli.secret_forms import ASSIGNMENT, forms, marked

MASK = "[secret]"
NAMES = re.compile(
    r"KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH|COOKIE|DSN|_PAT$", re.IGNORECASE
)
"""Names of variables that hold secrets."""
SHORTEST = 12
"""A shorter value of such a variable may be an ordinary word, and is not looked for in texts."""
IN_URL = re.compile(r"://[^\s:/?#@]*:([^\s/?#@]+)@")


def find_secrets(text: str) -> Iterator[tuple[int, str]]:
    """(line number from 1, kind) for each line that holds a secret."""
    for number, line in enumerate(text.splitlines(), 1):
        if kind := kind_of_secret(line):
            yield number, kind


def kind_of_secret(text: str) -> str:
    """What kind of secret `text` holds; empty for none."""
    lower = text.lower()
    if not marked(lower):
        return ""
    return next((form.kind for form in (*forms(), ASSIGNMENT) if any(form.found(text, lower))), "")


_concealed: set[str] = set()


def conceal(secret: str | None) -> None:
    """Remember a key of this user's, whatever its form, so that `masked` takes it out."""
    if secret and len(secret) >= 8 and secret not in _concealed:
        _concealed.add(secret)
        _own.cache_clear()


def given(environ: Mapping[str, str]) -> set[str]:
    """The values of variables whose names speak of keys, without paths and short words; and the
    passwords in addresses."""
    named = {
        value
        for name, value in environ.items()
        if NAMES.search(name)
        and len(value) >= SHORTEST
        and not re.search(r"\s", value)
        and not value.startswith(("/", "~", ".", "http"))
    }
    addressed = {
        password
        for value in environ.values()
        for password in IN_URL.findall(value)
        if len(password) >= SHORTEST
    }
    return named | addressed


@cache
def _own() -> re.Pattern[str] | None:
    own = sorted(_concealed | given(os.environ), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, own))) if own else None


def masked(text: str) -> str:
    """`text` with every secret replaced by MASK. Assignments are left: code is full of them."""
    if len(text) < 8:
        return text
    own = _own()
    text = own.sub(MASK, text) if own else text
    lower = text.lower()
    for form in forms():
        spans = list(form.found(text, lower))
        if spans:
            for start, end in reversed(spans):
                text = text[:start] + MASK + text[end:]
            lower = text.lower()
    return text
