"""The few values of a training file that decide learnability: group size, model, sampling.

Reads today's prime-rl form (group size on each source, or on `orchestrator`,
`orchestrator.train`) without validating it; that is the work of the step that submits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lab.cli.files import LARGEST_SETTINGS, parse_toml, read_plain
from lab.cli.report import usage
from lab.cli.untrusted import excerpt

KINDS: dict[str, type | tuple[type, ...]] = {
    "group_size": int,
    "batch_size": int,
    "model": str,
    "temperature": (int, float),
    "max_tokens": int,
    "source": str,
    "sources": int,
}
"""The type of each value. A damaged file is said to be one here as well."""


def training_settings(path: Path, environment: str = "") -> dict[str, Any]:
    """group_size, batch_size, model, temperature, max_tokens, sources; absent where not said.

    With several sources the one of `environment` counts, else the first.
    """
    try:
        data = parse_toml(read_plain(path, LARGEST_SETTINGS))
    except OSError as error:
        raise usage(
            f"--training {path}: {error.strerror}",
            "name a training file, for example configs/rl/my-env.toml",
            id="input.missing_file",
        ) from None
    except ValueError as error:
        raise usage(
            f"--training {path} is not TOML: {error}",
            "write it again with submit_training.py --dry-run",
            id="input.invalid_toml",
        ) from None
    orchestrator = _table(data, "orchestrator")
    train = _table(orchestrator, "train")
    sources = (
        [s for s in train.get("source", []) if isinstance(s, dict)]
        if isinstance(train.get("source"), list)
        else []
    )
    named = [
        s
        for s in sources
        if environment
        and environment.replace("_", "-") in (_taskset(s), str(s.get("name", "")).replace("_", "-"))
    ]
    source = (named or sources or [{}])[0]
    sampling = {**_table(train, "sampling"), **_table(source, "sampling")}
    model = _table(data, "model").get("name") or (
        data["model"] if isinstance(data.get("model"), str) else None
    )
    out = {
        "group_size": _first(
            source.get("group_size"),
            train.get("group_size"),
            orchestrator.get("group_size"),
            data.get("rollouts_per_example"),
        ),
        "batch_size": _first(orchestrator.get("batch_size"), data.get("batch_size")),
        "model": model,
        "temperature": _first(
            sampling.get("temperature"), _table(data, "sampling").get("temperature")
        ),
        "max_tokens": _first(
            sampling.get("max_completion_tokens"),
            sampling.get("max_tokens"),
            _table(data, "sampling").get("max_tokens"),
        ),
        "source": source.get("name") or _taskset(source) or None,
        "sources": len(sources) or None,
    }
    return _typed(path, {name: value for name, value in out.items() if value is not None})


def _typed(path: Path, said: dict[str, Any]) -> dict[str, Any]:
    for name, value in said.items():
        if not isinstance(value, KINDS[name]) or isinstance(value, bool):
            raise usage(
                f"--training {path}: {name} = {excerpt(value, 40)} is of another type",
                "correct it; submit_training.py --config FILE --dry-run names all that is wrong",
                id="input.training",
            )
    return said


def _table(data: Any, name: str) -> dict[str, Any]:
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _taskset(source: dict[str, Any]) -> str:
    name = _table(_table(source, "env"), "taskset").get("id")
    return str(name).rsplit("/", 1)[-1].replace("_", "-") if name else ""


def _first(*values: Any) -> Any:
    return next((v for v in values if v is not None), None)
