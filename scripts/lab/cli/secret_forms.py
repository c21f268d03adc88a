"""What keys look like: the forms that services give them.

Most come from detect-secrets, which is kept up to date by others; the rest are services of this
field that it does not know. A form is looked for only in a text that holds one of its marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module


@dataclass(frozen=True)
class Form:
    """One form. With `part` the secret is the pattern's group, else the whole match."""

    kind: str
    marks: tuple[str, ...]
    pattern: re.Pattern[str]
    part: bool = False

    def found(self, text: str, lower: str) -> Iterator[tuple[int, int]]:
        """Where the secrets are in `text`; `lower` is the same text in small letters."""
        if any(mark in lower for mark in self.marks):
            yield from (match.span(int(self.part)) for match in self.pattern.finditer(text))


def _form(kind: str, marks: str, pattern: str) -> Form:
    compiled = re.compile(pattern)
    return Form(kind, tuple(marks.split()), compiled, part=compiled.groups == 1)


BREAK = r"(?:\s|\\n|\\r)*"
LINES = rf"(?:{BREAK}[A-Za-z0-9+/]{{16,76}}={{0,2}})*"
OWN = (
    _form(
        "private key",
        "private",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        rf"{LINES}(?:(?:{BREAK}[A-Za-z0-9+/=]{{1,76}})?"
        rf"{BREAK}-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?",
    ),
    _form("Hugging Face token", "hf_", r"\bhf_[A-Za-z0-9]{30,}\b"),
    _form("Anthropic key", "sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    _form("OpenAI key", "sk-", r"\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}"),
    _form("Prime key", "pit_", r"\bpit_[A-Za-z0-9]{24,}\b"),
    _form(
        "GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b",
    ),
    _form("AWS key", "akia asia", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    _form(
        "AWS secret",
        "secret",
        r"(?i)secret_?-?access_?-?key[\"']?\s*[:=]\s*[\"']?([0-9a-zA-Z/+]{40})(?![0-9a-zA-Z/+])",
    ),
    _form("Google key", "aiza", r"\bAIza[0-9A-Za-z_-]{35}\b"),
    _form("Slack token", "xox", r"\bxox[abprs]-[A-Za-z0-9-]{20,}"),
    _form("npm token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _form("W&B key", "wandb_v1_", r"\bwandb_v1_[A-Za-z0-9_]{20,}"),
    _form(
        "W&B key in an assignment",
        "wandb",
        r"(?i)wandb[a-z_]*[\"']?\s*[:=]\s*[\"']?([0-9a-f]{40})\b",
    ),
    _form("bearer token", "bearer", r"(?i)\bbearer\s+([A-Za-z0-9._~+/-]{20,}=*)"),
    _form(
        "JSON web token",
        "eyj",
        r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    ),
    _form("password in a URL", "://", r"://[^\s:/?#@]{1,100}:([^\s:/?#@]{3,200})@"),
)
ASSIGNMENT = _form(
    "key in an assignment",
    "key secret token passw",
    r"""(?ix)\b[a-z0-9_-]*(?:api_?key|secret|token|passw(?:or)?d)["']?\s*[:=]\s*["'](?![\$<{])"""
    r"""(?=[^"']*\d)(?=[^"']*[a-z])[A-Za-z0-9_\-+/=.]{20,}["']""",
)
"""For files that are published. In what is printed it is left: code is full of them."""

LIBRARY = {
    "azure_storage_key.AzureStorageKeyDetector": "accountkey=",
    "gitlab_token.GitLabTokenDetector": "glpat- gldt- glft- glsoat- glrt- gr1348941 glcbt- glimt- "
    "glptt- glagent- gloas-",
    "npm.NpmDetector": "_authtoken",
    "pypi_token.PypiTokenDetector": "pypi-age",
    "sendgrid.SendGridDetector": "sg.",
    "slack.SlackDetector": "xox hooks.slack.com",
    "square_oauth.SquareOAuthDetector": "sq0csp-",
    "stripe.StripeDetector": "_live_",
}
"""Detectors of detect-secrets whose forms are distinct, each with its marks."""


@cache
def forms() -> tuple[Form, ...]:
    """All forms; only ours where detect-secrets is not installed (before the set-up)."""
    found = []
    for name, marks in LIBRARY.items():
        module, detector = name.split(".")
        try:
            plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), detector)
        except (ImportError, AttributeError):
            continue
        for pattern in plugin.denylist:
            found.append(Form(plugin.secret_type, tuple(marks.split()), pattern))
    return (*OWN, *found)


@cache
def shortest_marks() -> tuple[str, ...]:
    """The marks of all forms that hold no other one: a text without any of them holds no key."""
    every = {mark for form in (*forms(), ASSIGNMENT) for mark in form.marks}
    return tuple(
        mark for mark in sorted(every) if not any(other in mark for other in every - {mark})
    )


@cache
def _marks() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The shortest marks by their first sign that is no letter or digit: an ordinary text has few
    of the signs."""
    by_sign: dict[str, list[str]] = {}
    for mark in shortest_marks():
        sign = next((char for char in mark if not char.isalnum()), "")
        by_sign.setdefault(sign, []).append(mark)
    return tuple((sign, tuple(marks)) for sign, marks in by_sign.items())


def marked(lower: str) -> bool:
    """Whether a text in small letters has a mark of any form: without one it holds no key."""
    return any(sign in lower and any(map(lower.__contains__, marks)) for sign, marks in _marks())
