"""Every check there is, as two references: written from the declarations, never by hand.

python -m lab.upkeep.catalogue          write references/checks.md and references/checks_training.md
python -m lab.upkeep.catalogue --check  exit 1 when a file is not what the code declares
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys

from lab import SCRIPTS, SKILL
from lab.cli.files import write_whole
from lab.cli.report import CATALOGUE, Check

REFERENCES = SKILL / "references"

AREAS = {
    "setup": "Set-up (`preflight.py`)",
    "data": "Data (`inspect_dataset.py`, `test_reward.py`, `check_reward_distribution.py`)",
    "schema": "Columns (`inspect_dataset.py`)",
    "scaffold": "Scaffold (`new_environment.py`)",
    "environment": "Loading (`test_reward.py`)",
    "reward": "Reward (`test_reward.py`, `check_reward_distribution.py`)",
    "review": "Blind review (`review_reward.py`)",
    "audit": "Several environments (`audit_environments.py`)",
    "eval": "Evaluation (`run_eval.py`)",
    "rollouts": "Rollouts (`check_reward_distribution.py`)",
    "signal": "Learning signal (`check_reward_distribution.py`)",
    "package": "Package (`push_environment.py`)",
    "hub": "Hub (`push_environment.py`, `submit_training.py`)",
    "gate": "Gates",
    "config": "Training file (`submit_training.py`)",
    "plan": "Training file against the evaluation (`submit_training.py`)",
    "sft": "Conversations for a supervised run (`submit_training.py`)",
    "cost": "Cost (`submit_training.py`)",
    "submit": "Submission (`submit_training.py`)",
    "run": "Running training (`monitor_training.py`)",
    "compare": "Comparison (`compare_evals.py`)",
    "warmup": "Warm-up data (`export_sft.py`)",
}
ENVIRONMENT = (
    "setup",
    "data",
    "schema",
    "scaffold",
    "reward",
    "review",
    "audit",
    "environment",
    "eval",
    "rollouts",
    "signal",
)
"""Areas of references/checks.md; all others are in references/checks_training.md."""


RENAMED = {
    "data.conflicts": "data.conflicting_golds",
    "data.duplicates": "data.duplicate_prompts",
    "data.held_out": "data.overlap",
}
"""Ids of older reports, and what they are called now."""


DECLARES = r"\bCheck\(|^@production\("
"""What a module that declares a check has in it."""


def declared() -> list[Check]:
    """All checks, by importing every module and script that declares one."""
    for path in sorted(SCRIPTS.rglob("*.py")):
        if re.search(DECLARES, path.read_text(encoding="utf-8"), re.MULTILINE):
            importlib.import_module(".".join(path.relative_to(SCRIPTS).with_suffix("").parts))
    return sorted(CATALOGUE.values(), key=lambda check: check.id)


def render(checks: list[Check]) -> dict[str, str]:
    """The references as Markdown by file name: one table per area, ids in order."""
    areas: dict[str, list[Check]] = {}
    for check in checks:
        areas.setdefault(check.id.split(".")[0], []).append(check)
    order = [*AREAS, *sorted(set(areas) - set(AREAS))]
    before = [area for area in order if area in areas and area in ENVIRONMENT]
    after = [area for area in order if area in areas and area not in ENVIRONMENT]
    renamed = [
        "",
        "## Renamed",
        "",
        "Ids of older reports: "
        + ", ".join(f"{old} is `{new}`" for old, new in sorted(RENAMED.items()))
        + ".",
    ]
    return {
        "checks.md": _page(
            "Checks of the environment",
            "Publishing and training: [checks_training.md](checks_training.md).",
            before,
            areas,
            renamed,
        ),
        "checks_training.md": _page(
            "Checks of publishing and training",
            "Set-up to learning signal: [checks.md](checks.md).",
            after,
            areas,
            [],
        ),
    }


def _page(
    title: str, other: str, present: list[str], areas: dict[str, list[Check]], end: list[str]
) -> str:
    contents = [
        f"[{_title(area).split(' (')[0]}](#{_anchor(_title(area))})" for area in present
    ] + (["[Renamed](#renamed)"] if end else [])
    lines = [
        f"# {title}",
        "",
        "Every finding's id, what holds when it passes, its threshold, and why. Written from the",
        "code by `python -m lab.upkeep.catalogue`. A finding's status is `pass`, `warn`, `fail`,",
        f"`skip` (it did not run, with the reason) or `inconclusive` (not enough data). {other}",
        "",
        "Contents: " + " · ".join(contents),
    ]
    for area in present:
        lines += [
            "",
            f"## {_title(area)}",
            "",
            "| id | holds when it passes | expected | why | source |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| `{check.id}` | {_cell(check.title)} | {_cell(check.expected)} | "
            f"{_cell(check.reason)} | {_cell(check.source)} |"
            for check in areas[area]
        ]
    return "\n".join([*lines, *end]) + "\n"


def _title(area: str) -> str:
    return AREAS.get(area, area.capitalize())


def _anchor(title: str) -> str:
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="only compare")
    args = parser.parse_args()
    for name, text in render(declared()).items():
        target = REFERENCES / name
        if args.check and not (target.is_file() and target.read_text(encoding="utf-8") == text):
            return 1
        if not args.check:
            write_whole(target, text)
            print(f"{name}: {text.count(chr(10) + '| `')} checks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
