"""Which files hold the rollouts: a file, a run folder, or the newest run under ./outputs.

A run folder is one of verifiers 0.4 (`traces.jsonl`), classic (`results.jsonl` beside
`metadata.json`), or a training run of prime-rl: `rollouts/step_N/train/all/traces.jsonl` (the
last step alone, because each step is another policy), since September 2026 instead
`monitors/file/traces/stream/NNNNN.jsonl`, sealed chunks as `.jsonl.zst` (all of them).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lab.cli.command import script
from lab.cli.files import json_object
from lab.cli.report import usage

NAMES = ("traces.jsonl", "results.jsonl")
ENDINGS = ("", ".gz", ".zst")
RUN_NOTE = "prime_lab.json"
"""What run_eval.py leaves beside the rollouts: the model, the content, what was asked."""
SIMULATED = "a simulated policy"
"""What stood in for a model where that note says `simulated`, in the words of every report."""
TABLES = (".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".parquet", ".gz", ".zst")


def newest_run(root: Path = Path("outputs")) -> Path:
    """The run folder under `root` whose results were written last."""
    found = (
        [p for name in NAMES for ending in ENDINGS for p in root.glob(f"**/{name}{ending}")]
        if root.is_dir()
        else []
    )
    # vf-validate writes a results.jsonl there as well, with one verdict per task and no rollout.
    found = [
        p for p in found if not (p.parent / "configs" / "resolved" / "validate.json").is_file()
    ]
    if not found:
        raise usage(
            f"no evaluation under {root}/ here",
            f"run {script('run_eval.py', 'ENV', '-m', 'MODEL')} first, or name the results with "
            "--results PATH",
            id="input.no_results",
        )
    return max(found, key=lambda p: (p.stat().st_mtime, str(p))).parent


def files_of(path: Path) -> list[Path]:
    """The files with rollouts that `path` stands for; a usage error says what was looked for."""
    if path.is_file():
        return [path]
    if not path.exists():
        raise usage(
            f"{path} does not exist",
            "name a results file or a run folder",
            id="input.missing_file",
        )
    for name in NAMES:
        for ending in ENDINGS:
            if (file := path / f"{name}{ending}").is_file():
                return [file]
    if steps := _steps(path) or _stream(path):
        return steps
    below = sorted(
        p for name in NAMES for ending in ENDINGS for p in path.glob(f"**/{name}{ending}")
    )
    if len(below) == 1:
        return below
    if below:
        raise usage(
            f"{path} holds {len(below)} runs",
            "name one of them, or several after --results: "
            f"{', '.join(str(p.parent) for p in below[:4])}",
            id="input.several_runs",
        )
    is_package = (path / "pyproject.toml").is_file()
    raise usage(
        f"{path} holds no traces.jsonl and no results.jsonl",
        f"it is an environment: name it with --env {path}, and the run folder before that"
        if is_package
        else "name the results file itself; a plain table is read with --columns",
        id="input.no_results",
    )


def _steps(path: Path) -> list[Path]:
    """The last step's files of a prime-rl run folder: trained rollouts, else evaluations."""
    root = path / "rollouts" if (path / "rollouts").is_dir() else path
    for kind in ("train", "eval"):
        steps: dict[int, Path] = {}
        for ending in ENDINGS:
            for file in root.glob(f"step_*/{kind}/all/traces.jsonl{ending}"):
                number = file.parts[-4].removeprefix("step_")
                if number.isdigit() and file.stat().st_size:
                    steps[int(number)] = file
        if steps:
            return [steps[max(steps)]]
    return []


STREAM = ("monitors", "file", "traces", "stream")


def _stream(path: Path) -> list[Path]:
    """The chunks of a newer prime-rl run in order; of one that is there twice, the sealed one."""
    for depth in range(len(STREAM) + 1):
        folder = path.joinpath(*STREAM[depth:])
        chunks = {
            int(f.name.split(".")[0]): f
            for ending in ENDINGS
            for f in folder.glob(f"*.jsonl{ending}")
            if f.name.split(".")[0].isdigit() and f.stat().st_size
        }
        if chunks:
            return [chunks[number] for number in sorted(chunks)]
    return []


def settings_of(file: Path) -> dict[str, Any]:
    """What the run folder says of the evaluation: env, model, sampling, num_examples,
    rollouts_per_example, max_tokens, max_turns; and `prime_lab`, what run_eval.py left."""
    out: dict[str, Any] = {}
    metadata = json_object(file.parent / "metadata.json")
    for key in ("model", "num_examples", "rollouts_per_example", "version_info"):
        if key in metadata:
            out[key] = metadata[key]
    if metadata.get("env_id"):
        out["env"] = metadata["env_id"]
    if isinstance(metadata.get("sampling_args"), dict):
        out["sampling"] = metadata["sampling_args"]
    if config := json_object(file.parent / "configs" / "resolved" / "eval.json"):
        out |= _resolved(config)
    if file.parent.parts[-4:] == STREAM:
        out["stream"] = True
    if lab := json_object(file.parent / RUN_NOTE):
        out["prime_lab"] = lab
    return out


LIMITS = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens")


def _resolved(config: dict[str, Any]) -> dict[str, Any]:
    """What the settings of a verifiers 0.4 evaluation say."""
    said = {
        "model": config.get("model"),
        "rollouts_per_example": config.get("num_rollouts"),
        "sampling": config.get("sampling"),
    }
    env = _table(config.get("env"))
    said["env"] = env.get("id") or _table(env.get("taskset")).get("id")
    agent = _table(env.get("agent"))
    limits = {name: agent[name] for name in LIMITS if agent.get(name)}
    return {key: value for key, value in said.items() if value} | {"limits": limits}


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
