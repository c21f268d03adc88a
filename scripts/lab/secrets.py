"""Secrets in text: known token formats, and keys that are assigned a literal value.

`find_secrets` says where some stand in a file; findings name the place and the kind, never the
secret. `masked` takes them out of whatever is printed or kept: what has the form of a token, and
the very keys that this process was given (its environment's, and what `conceal` was told).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache

MASK = "[secret]"
NAMES = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
"""Names of variables that hold secrets."""
SHORTEST = 12
"""A shorter value of such a variable may be an ordinary word, and is not looked for in texts."""

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"),
        ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
        ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
        ("OpenAI key", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}"),
        ("Prime key", r"\bpit_[A-Za-z0-9]{24,}\b"),
        ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b"),
        ("AWS key", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
        ("Google key", r"\bAIza[0-9A-Za-z_-]{35}\b"),
        ("Slack token", r"\bxox[abprs]-[A-Za-z0-9-]{20,}"),
        ("key in an assignment", r"""(?ix)\b[a-z0-9_-]*(?:api_?key|secret|token|passw(?:or)?d)["']?\s*[:=]\s*["'](?![\$<{])(?=[^"']*\d)(?=[^"']*[a-z])[A-Za-z0-9_\-+/=.]{20,}["']"""),
        ("W&B key in an assignment", r"(?i)wandb[a-z_]*[\"']?\s*[:=]\s*[\"']?[0-9a-f]{40}\b"),
    )
)


def find_secrets(text: str) -> Iterator[tuple[int, str]]:
    """(line number from 1, kind) for each secret found; at most one per line."""
    for number, line in enumerate(text.splitlines(), 1):
        for kind, pattern in _KINDS:
            if pattern.search(line):
                yield number, kind
                break


_FORMS = [(kind, pattern) for kind, pattern in _KINDS if "assignment" not in kind and kind != "private key"]
_PRIVATE_KEY = r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:(?!-----END )[\s\S]){0,8000}(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----)?"
_told: set[str] = set()


def conceal(secret: str | None) -> None:
    """Remember a key of this user's, whatever its form, so that `masked` takes it out."""
    if secret and len(secret) >= 8 and secret not in _told:
        _told.add(secret)
        _pattern.cache_clear()


def given(environ: Mapping[str, str]) -> set[str]:
    """The values of variables whose names speak of keys; paths and short words are not among them."""
    return {
        value
        for name, value in environ.items()
        if NAMES.search(name) and len(value) >= SHORTEST and not re.search(r"\s", value) and not value.startswith(("/", "~", ".", "http"))
    }


@cache
def _pattern() -> re.Pattern[str]:
    own = sorted(_told | given(os.environ), key=len, reverse=True)
    return re.compile("|".join([*map(re.escape, own), _PRIVATE_KEY, *(pattern.pattern for _, pattern in _FORMS)]))


def masked(text: str) -> str:
    """`text` with every secret replaced by MASK. Assignments are left: code is full of them."""
    return _pattern().sub(MASK, text) if len(text) >= 8 else text
