"""Secrets in text: known token formats, and keys that are assigned a literal value.

Findings name the place and the kind, never the secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
