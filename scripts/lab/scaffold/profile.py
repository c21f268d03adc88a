"""The profile that inspect_dataset.py wrote: read, and its open questions settled.

    profile, facts = read_profile(path)
    finding = settled(facts, {"answer_field": "gold"})       # a question that stays open fails

What the user names is taken; what the profile said of another field does not hold for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.cli.command import script
from lab.cli.files import read_json
from lab.cli.report import Check, Finding, usage
from lab.data.schema import SURE
from lab.data.schema.profile import NOBODY

PROFILE_SURE = Check(
    "scaffold.profile_is_sure",
    title="the profile names the prompt and the answer with confidence",
    expected=f"confidence >= {SURE} for each field, or the field given by flag",
    reason="A wrong column makes the whole run worthless, silently.",
    source="schemas: columns that look like the answer and are not",
)
FOUND_WITH = {
    "prompt_field": ("questions",),
    "answer_field": ("golds", "answer_kind", "answer_type", "labels", "index_base"),
}
"""What the profile says of a field beside its name; not true of another one."""


def read_profile(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """(the whole report, its facts)."""
    written = script("inspect_dataset.py", "DATASET", "--out", path)
    profile = read_json(path, "the profile", f"write it with: {written}")
    facts = profile.get("facts") if isinstance(profile, dict) else None
    if (
        not isinstance(facts, dict)
        or "dataset" not in facts
        or profile.get("tool") != "inspect_dataset"
    ):
        raise usage(
            f"{path} is not a profile of inspect_dataset.py",
            f"write one with: {script('inspect_dataset.py', 'DATASET', '--out', 'profile.json')}",
            id="input.profile",
        )
    return profile, facts


def settled(facts: dict[str, Any], named: Mapping[str, str | None]) -> Finding:
    """The prompt and answer fields are known: by confidence, or because the user `named` them,
    which is then in the facts."""
    confidence = facts.get("confidence") or {}
    for field in FOUND_WITH:
        flag, given = f"--{field.replace('_', '-')}", named.get(field)
        if given:
            _settle(facts, field, given)
            confidence[field] = 1.0
        elif not facts.get(field):
            return PROFILE_SURE.fail(
                0.0,
                f"the profile names no {field.replace('_', ' ')}",
                f"ask the user, then give {flag} PATH; {NOBODY}",
            )
        elif confidence.get(field, 1.0) < SURE:
            return PROFILE_SURE.fail(
                confidence[field],
                f"the profile takes {facts[field]!r} as the {field.replace('_', ' ')} with "
                f"confidence {confidence[field]:.2f}",
                f"look at the rows with the user, then confirm it with {flag} {facts[field]} or "
                f"name another; {NOBODY}",
            )
    return PROFILE_SURE.ok(min(confidence.get(field, 1.0) for field in FOUND_WITH))


def _settle(facts: dict[str, Any], field: str, given: str) -> None:
    """Take the field that the user names. It is no context any more: the prompt would show the
    gold."""
    if facts.get(field) != given:
        for name in FOUND_WITH[field]:
            facts.pop(name, None)
    facts[field] = given
    facts["context_fields"] = [path for path in facts.get("context_fields") or [] if path != given]
