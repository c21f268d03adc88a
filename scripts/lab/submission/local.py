"""The environment's own folder beside the training file: gates, measurements, config classes.

An environment that lives only on the hub has no folder here (the fast path): its owner is
trusted, and only the training file is checked.
"""

from __future__ import annotations

import dataclasses
import json
import math
import statistics
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lab.files import json_object
from lab.ledger import Ledger
from lab.report import Check, Finding, usage
from lab.rollouts.find import RUN_NOTE
from lab.training import classes, classes_live
from lab.training.file import TrainingFile
from lab.training.rules import Issue, check
from lab.training.rules.base import EnvironmentClasses, Known, Measured, integer, is_number
from lab.untrusted import excerpt

MOST_ROLLOUTS = 5000

REAL_MODEL = Check(
    "gate.simulated_only",
    title="a real model was evaluated",
    expected="an evaluation of the model that will be trained",
    reason="A simulated policy shows that the tools work, not that the model can learn from these tasks.",
    source="the ladder: no step past a failed or stale one",
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
    """Whether a real model was evaluated, and whether it is the one that will be trained."""
    entry = ledger.entry("run_eval")
    simulated = entry.get("simulated") or ledger.entry("check_reward_distribution").get("simulated")
    if not entry:
        return REAL_MODEL.skip("no evaluation is recorded")
    fix = f"evaluate it: {command}"
    if not simulated:
        evaluated = _evaluated_model(entry)
        if evaluated and model and evaluated.rsplit("/", 1)[-1].lower() != model.rsplit("/", 1)[-1].lower():
            return REAL_MODEL.warn(excerpt(evaluated, 80), f"{excerpt(evaluated, 80)} was evaluated, {excerpt(model, 80)} will be trained", fix)
        return REAL_MODEL.ok(excerpt(evaluated, 80) or "a model")
    told = "only a simulated policy was evaluated; the model that will be trained was not"
    if force:
        return REAL_MODEL.warn("simulated", f"{told}; forced: {force}", fix)
    return (REAL_MODEL.warn if dry_run else REAL_MODEL.fail)("simulated", told, fix)


def _evaluated_model(entry: dict[str, Any]) -> str:
    """The model that run_eval.py noted beside its results."""
    return str(json_object(Path(str(entry.get("results"))) / RUN_NOTE).get("model") or "")


def known(folder: Path | None, ledger: Ledger | None) -> Known:
    """What the rules may use: the config classes of the folder, and what its reports measured."""
    found: dict[str, EnvironmentClasses] = {}
    if folder is not None:
        module = project_name(folder).replace("-", "_").lower()
        read = classes.read(folder, module) or classes_live.read(folder, module)
        if read is not None:
            found[module] = read
    measured = measurements(ledger)
    return Known(
        classes=found,
        prompt_tokens=measured.get("prompt_tokens"),
        turns=math.ceil(measured["turns"]) if measured.get("turns") else None,
        best_group_size=measured.get("group_size"),
        measured=measured_plan(ledger, project_name(folder).replace("-", "_").lower()) if folder else None,
        renderers=classes.renderers(),
    )


def judged(file: TrainingFile, folder: Path | None, known: Known) -> list[Issue]:
    """The rules' issues. What is said against taskset arguments or seats rests on the imported
    classes: the reading of the source is only the quick way to a pass. Installed environments
    without a folder here are imported too."""
    issues = check(file, known)
    local = project_name(folder).replace("-", "_").lower() if folder else ""
    doubted = {source.module for kind in ("train", "eval") for source in file.sources(kind) if source.args or source.seat("agent") == {}}
    against = any(issue.finding.id in DOUBTED and issue.finding.status == "fail" for issue in issues)
    wanted = {module for module in doubted if (module == local and against) or (module not in known.classes and installed(module))}
    live = {module: classes_live.read(folder if module == local else None, module) for module in sorted(wanted)}
    found = {module: read for module, read in live.items() if read is not None}
    return check(file, dataclasses.replace(known, classes={**known.classes, **found})) if found else issues


DOUBTED = ("config.taskset_args", "config.seat", "config.eval_split")


def installed(module: str) -> bool:
    """Whether a module of this name can be imported here, without importing it."""
    try:
        return module.isidentifier() and find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def measurements(ledger: Ledger | None) -> dict[str, Any]:
    """Numbers of the real evaluation: `prompt_tokens` (95th percentile), `completion_tokens` (mean
    per rollout) with `completion_error` (standard error, as a share of it), `turns` (mean); and `group_size`,
    which the distribution report's plan suggests. A simulated policy measures nothing but that a
    rollout takes several turns: `simulated_turns` (mean), fewer than a model needs."""
    if ledger is None:
        return {}
    found: dict[str, Any] = {}
    entry = ledger.entry("run_eval")
    if entry.get("content") == ledger.content:
        found = _traced(entry.get("results"))
    if entry.get("simulated"):
        found = {"simulated_turns": found["turns"]} if found.get("turns", 1) > 1 else {}
    facts, plan = _distribution(ledger)
    size = next((value for value in (plan.get("suggested_group_size"), plan.get("group_size"), facts.get("group_size")) if isinstance(value, int)), None)
    if size is not None and 4 <= size <= 64:
        found["group_size"] = size
    return found


def _distribution(ledger: Ledger) -> tuple[dict[str, Any], dict[str, Any]]:
    """The facts of the distribution report and its plan; empty for a simulated policy, and for
    another content of the environment."""
    step = ledger.step("check_reward_distribution")
    if ledger.entry(step.name).get("simulated") or step.state in ("stale", "missing"):
        return {}, {}
    facts = step.facts or {}
    return facts, facts["plan"] if isinstance(facts.get("plan"), dict) else {}


def measured_plan(ledger: Ledger | None, module: str) -> Measured | None:
    """What the distribution report says about `module`, for the rules that compare it with the file."""
    if ledger is None:
        return None
    facts, plan = _distribution(ledger)
    keep, drop = plan.get("keep_tasks"), plan.get("drop_tasks")
    table = facts.get("live_group_share_by_group_size")
    if not integer(keep) or not integer(drop) or not isinstance(table, dict):
        return None
    shares = {
        int(size): (float(row["estimate"]), float(row["low"]), float(row["high"]))
        for size, row in table.items()
        if str(size).isdigit() and isinstance(row, dict) and all(is_number(row.get(key)) for key in ("estimate", "low", "high"))
    }
    total = (ledger.step("push_environment").facts or {}).get("tasks") if ledger.step("push_environment").state != "stale" else None
    return Measured(
        module=module,
        tasks=keep + drop,
        keep=keep,
        shares=shares,
        total=total if integer(total) else None,
        warm_up=plan.get("format_warm_up_first") is True,
        results=str(ledger.entry("run_eval").get("results") or ""),
    )


def _traced(results: Any) -> dict[str, Any]:
    """Token counts of a run folder's traces.jsonl: the calls to the model, rollout by rollout."""
    try:
        lines = (Path(str(results)) / "traces.jsonl").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    prompts, completions, turns = [], [], []
    for line in lines[:MOST_ROLLOUTS]:
        try:
            traces = json.loads(line).get("traces") or []
        except (ValueError, AttributeError):
            continue
        for trace in traces:
            usages = [call.get("usage") or {} for call in trace.get("calls") or [] if not call.get("error")]
            sampled = [usage["completion_tokens"] for usage in usages if isinstance(usage.get("completion_tokens"), int)]
            if sampled:
                completions.append(sum(sampled))
                turns.append(len(sampled))
                prompts.append((usages[0].get("prompt_tokens") or 0) + (usages[0].get("cached_input_tokens") or 0))
    if not completions:
        return {}
    prompts.sort()
    mean = sum(completions) / len(completions)
    # The rollouts of a task are alike, so the error is rather larger; the range of the cost is wider still.
    error = statistics.stdev(completions) / math.sqrt(len(completions)) / mean if len(completions) > 1 and mean else 0.0
    return {
        "prompt_tokens": float(prompts[min(len(prompts) - 1, int(0.95 * len(prompts)))]),
        "completion_tokens": mean,
        "completion_error": error,
        "turns": sum(turns) / len(turns),
    }
