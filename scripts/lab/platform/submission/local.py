"""The environments on this machine: where they are, what their classes say, what was measured.

An environment that is only on the hub has no folder here (the fast path): its owner is trusted,
and only the training file is checked.
"""

from __future__ import annotations

import dataclasses
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lab.cli.files import json_object
from lab.cli.report import Check, Finding, usage
from lab.cli.untrusted import excerpt
from lab.ledger import index
from lab.ledger.index import name_of, spelt
from lab.ledger.records import Ledger
from lab.platform.submission.evaluated import counted, measured_of, tokens_of
from lab.platform.submission.made_from import held_out, tokens_of_profile
from lab.rollouts.find import RUN_NOTE
from lab.training import classes, classes_live
from lab.training.file import TrainingFile
from lab.training.rules import Issue, check
from lab.training.rules.base import EnvironmentClasses, Known, both
from lab.training.work import Use

REAL_MODEL = Check(
    "gate.simulated_only",
    title="a real model was evaluated",
    expected="an evaluation of the model that will be trained",
    reason="A simulated policy shows that the tools work, not that the model can learn from these "
    "tasks.",
    source="ladder: no step past a failed or stale one",
)


def find_folder(slug: str, named: str | None) -> tuple[Path | None, bool]:
    """The folder of `owner/name` on this machine, and whether only records name it: the folder that
    was named, else ./environments/name or ./name, else where an environment of this name has
    records, from any working folder. None when there is none."""
    if beside := _beside(slug, named):
        return beside[0], False
    recorded = next((known.folder for known in index.find(name=slug) if known.folder), None)
    return recorded, recorded is not None


def _beside(slug: str, named: str | None) -> list[Path]:
    """The folder that was named, or those below the working folder."""
    name = spelt(slug)
    if named and name_of(Path(named)) == name:
        return [Path(named)]
    here = (Path("environments") / name.replace("-", "_"), Path(name.replace("-", "_")))
    return [place for place in here if place.is_dir() and name_of(place) == name]


def check_named_folder(named: str | None, slugs: list[str]) -> None:
    """Exit 2 when --local names no folder, or the folder of another environment."""
    if not named:
        return
    if not Path(named).is_dir():
        raise usage(
            f"--local {named} is not a folder",
            "name the environment's folder",
            id="input.not_a_folder",
        )
    if name_of(Path(named)) not in map(spelt, slugs):
        raise usage(
            f"--local {named} is the project {name_of(Path(named))}, not {', '.join(slugs)}",
            "name the folder of this environment",
            id="input.other_environment",
        )


def module_of(folder: Path) -> str:
    """The Python module of the environment in `folder`."""
    return name_of(folder).replace("-", "_")


def check_real_model(
    ledger: Ledger, model: str, force: str | None, dry_run: bool, command: str
) -> Finding:
    """Whether a real model was evaluated, and whether it is the one that will be trained."""
    entry = ledger.entry("run_eval")
    simulated = entry.get("simulated") or ledger.entry("check_reward_distribution").get("simulated")
    if not entry:
        return REAL_MODEL.skip("no evaluation is recorded")
    fix = f"evaluate it: {command}"
    if not simulated:
        evaluated = _evaluated_model(entry)
        if evaluated and model and _last(evaluated) != _last(model):
            said = f"{excerpt(evaluated, 80)} was evaluated, {excerpt(model, 80)} will be trained"
            return REAL_MODEL.warn(excerpt(evaluated, 80), said, fix)
        return REAL_MODEL.ok(excerpt(evaluated, 80) or "a model")
    said = "only a simulated policy was evaluated; the model that will be trained was not"
    if force:
        return REAL_MODEL.warn("simulated", f"{said}; forced: {force}", fix)
    return (REAL_MODEL.warn if dry_run else REAL_MODEL.fail)("simulated", said, fix)


def _last(model: str) -> str:
    return model.rsplit("/", 1)[-1].lower()


def _evaluated_model(entry: dict[str, Any]) -> str:
    """The model that run_eval.py noted beside its results."""
    return str(json_object(Path(str(entry.get("results"))) / RUN_NOTE).get("model") or "")


def known_of(folders: list[Path]) -> Known:
    """What the rules may use: config classes and measurements of each environment here."""
    found: dict[str, EnvironmentClasses] = {}
    measured = {}
    for folder in folders:
        module = module_of(folder)
        read = classes.read(folder, module) or classes_live.read(folder, module)
        if read is not None:
            found[module] = read
        evaluation = measured_of(Ledger(folder), module)
        if evaluation is not None:
            measured[module] = evaluation
    return Known(classes=found, measured=measured, renderers=classes.renderers())


def uses_of(folders: list[Path]) -> dict[str, Use]:
    """What the evaluations (and before them the dataset's profile) say of a rollout's tokens, and
    how many tasks there are in both parts, by module."""
    found = {}
    for folder in folders:
        ledger = Ledger(folder)
        tokens, tasks = tokens_of(ledger), counted(ledger)
        held, prompt = held_out(folder), tokens_of_profile(folder)
        if tokens or tasks or held or prompt:
            found[module_of(folder)] = Use(
                tokens.get("completion_tokens"),
                tokens.get("completion_error", 0.0),
                tokens.get("prompt_tokens") or prompt,
                tokens.get("turns", 1.0),
                tasks,
                held,
                tokens.get("rollouts"),
            )
    return found


def judged(file: TrainingFile, folders: list[Path], known: Known) -> list[Issue]:
    """The rules' issues. What is said against taskset arguments or seats rests on the imported
    classes: the reading of the source is only the quick way to a pass. Installed environments
    without a folder here are imported too."""
    issues = check(file, known)
    place = {module_of(folder): folder for folder in folders}
    doubted = {source.module for source in both(file) if source.args or source.seat("agent") == {}}
    against = any(
        issue.finding.id in DOUBTED and issue.finding.status == "fail" for issue in issues
    )
    wanted = {
        module
        for module in doubted
        if (module in place and against) or (module not in known.classes and installed(module))
    }
    live = {module: classes_live.read(place.get(module), module) for module in sorted(wanted)}
    found = {module: read for module, read in live.items() if read is not None}
    if not found:
        return issues
    return check(file, dataclasses.replace(known, classes={**known.classes, **found}))


DOUBTED = ("config.taskset_args", "config.seat", "config.eval_split")


def installed(module: str) -> bool:
    """Whether a package of an environment can be imported here, without importing it. A module of
    the standard library is none."""
    try:
        found = find_spec(module) if module.isidentifier() else None
    except (ImportError, ValueError):
        return False
    return found is not None and module not in sys.stdlib_module_names
