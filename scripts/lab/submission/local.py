"""The environment's own folder beside the training file: gates, measurements, config classes.

An environment that lives only on the hub has no folder here (the fast path): its owner is
trusted, and only the training file is checked.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from lab.ledger import Ledger
from lab.report import Check, Finding, usage
from lab.training import classes
from lab.training.rules.base import EnvironmentClasses, Known

REAL_MODEL = Check(
    "gate.simulated_only",
    title="a real model was evaluated",
    expected="an evaluation of the model that will be trained",
    reason="A simulated policy shows that the tools work, not that the model can learn from these tasks.",
    source="DESIGN: gates",
)


def find_folder(slug: str, named: str | None) -> Path | None:
    """The local folder of `owner/name`: the one named, else ./environments/name or ./name when
    its pyproject has that name; None when there is none."""
    name = slug.rsplit("/", 1)[-1].split("@", 1)[0]
    if named:
        folder = Path(named)
        if not folder.is_dir():
            raise usage(f"--local {named} is not a folder", "name the environment's folder", id="input.not_a_folder")
        there = project_name(folder)
        if there and _same(there, name):
            return folder
        raise usage(f"--local {named} is the project {there or 'without a name'}, not {name}", "name the folder of this environment", id="input.other_environment")
    for candidate in (Path("environments") / name.replace("-", "_"), Path(name.replace("-", "_"))):
        if candidate.is_dir() and _same(project_name(candidate), name):
            return candidate
    return None


def project_name(folder: Path) -> str:
    try:
        data = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    project = data.get("project")
    return str(project.get("name") or "") if isinstance(project, dict) else ""


def _same(one: str, other: str) -> bool:
    return one.replace("_", "-").lower() == other.replace("_", "-").lower()


def check_real_model(ledger: Ledger, model: str, force: str | None, dry_run: bool, command: str) -> Finding:
    """Whether an evaluation of a real model is behind the distribution report."""
    entry = {**ledger.entry("run_eval"), **{k: v for k, v in ledger.entry("check_reward_distribution").items() if k == "simulated" and v}}
    facts = entry.get("facts") if isinstance(entry.get("facts"), dict) else {}
    if not entry:
        return REAL_MODEL.skip("no evaluation is recorded")
    if not entry.get("simulated"):
        return REAL_MODEL.ok(str(facts.get("model") or "a model"))
    told = "only a simulated policy was evaluated; the model that will be trained was not"
    fix = f"evaluate it: {command}"
    if force:
        return REAL_MODEL.warn("simulated", f"{told}; forced: {force}", fix)
    return (REAL_MODEL.warn if dry_run else REAL_MODEL.fail)("simulated", told, fix)


def known(folder: Path | None, ledger: Ledger | None) -> Known:
    """What the rules may use: the config classes of the folder, and what its reports measured."""
    found: dict[str, EnvironmentClasses] = {}
    if folder is not None:
        module = project_name(folder).replace("-", "_").lower()
        read = classes.read(folder, module)
        if read is not None:
            found[module] = read
    measured = measurements(ledger)
    return Known(
        classes=found,
        prompt_tokens=measured.get("prompt_tokens"),
        turns=measured.get("turns"),
        best_group_size=measured.get("group_size"),
        renderers=classes.renderers(),
    )


def measurements(ledger: Ledger | None) -> dict[str, Any]:
    """Numbers from the evaluation's and the distribution's records: `prompt_tokens`, `turns`,
    `completion_tokens` (means per rollout) and the planned `group_size`."""
    if ledger is None:
        return {}
    evaluation = (ledger.step("run_eval").facts or {}) if not ledger.entry("run_eval").get("simulated") else {}
    distribution = ledger.step("check_reward_distribution").facts or {}
    plan = distribution.get("plan") if isinstance(distribution.get("plan"), dict) else {}
    found: dict[str, Any] = {}
    for key, names in {
        "prompt_tokens": ("prompt_tokens_p95", "prompt_tokens", "input_tokens"),
        "completion_tokens": ("completion_tokens", "output_tokens", "tokens_per_rollout"),
        "turns": ("turns", "mean_turns"),
    }.items():
        for facts in (distribution, evaluation):
            value = next((facts[name] for name in names if isinstance(facts.get(name), (int, float)) and not isinstance(facts.get(name), bool)), None)
            if value is not None:
                found.setdefault(key, float(value))
    size = plan.get("group_size") or distribution.get("group_size")
    if isinstance(size, int) and 4 <= size <= 64:
        found["group_size"] = size
    return found
