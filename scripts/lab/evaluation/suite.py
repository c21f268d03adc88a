"""Several environments and models in one call, as a file.

    name = "before-training"
    models = ["Qwen/Qwen3-4B-Instruct-2507", "openai/gpt-5-mini"]
    rollouts = 2                      # defaults for every [[eval]]

    [[eval]]
    env = "environments/my_env"
    tasks = 200
    split = "eval"

    [[eval]]
    env = "environments/gsm8k"
    rollouts = 32

Each environment with each model is one run in OUTPUT/NAME/, in a folder of a fixed name: the
same command again goes on where it was killed, and leaves alone what is complete.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.cli.files import LARGEST_SETTINGS, parse_toml, read_plain
from lab.cli.report import usage
from lab.cli.untrusted import excerpt

KEYS: dict[str, type | tuple[type, ...]] = {
    "tasks": int,
    "rollouts": int,
    "max_tokens": int,
    "temperature": (int, float),
    "concurrency": int,
    "split": str,
    "shuffle": int,
    "base_url": str,
    "api_key_var": str,
    "harness": str,
    "runtime": str,
    "simulate": str,
    "retries": int,
    "turns": int,
    "prompt_tokens": int,
    "price": str,
    "pass_env": list,
    "pass_path": list,
    "stall": (int, float),
}
"""What an [[eval]] may set; each may also be set at the top, as the default of all."""
POSITIVE = ("tasks", "rollouts", "max_tokens", "concurrency", "turns", "prompt_tokens")


@dataclass(frozen=True)
class Entry:
    """One environment with one model (None: a simulated policy)."""

    env: str
    name: str
    model: str | None
    values: dict[str, Any]

    @property
    def folder(self) -> str:
        return f"{self.name}--{_plain(self.model or 'simulated')}"


@dataclass(frozen=True)
class Suite:
    name: str
    entries: tuple[Entry, ...]


def read_suite(path: Path, model: str | None = None) -> Suite:
    """The suite in `path`; `model` replaces its models. Usage errors name the key and what is
    legal."""
    data = _table(path)
    evals = data.pop("eval", None)
    if not isinstance(evals, list) or not evals or not all(isinstance(e, dict) for e in evals):
        raise _wrong(path, "there is no [[eval]]", 'add one with env = "..."')
    models = _models(path, data.pop("models", None) or _one_or_none(data.pop("model", None)))
    name = data.pop("name", path.stem)
    if not isinstance(name, str) or not _plain(name):
        raise _wrong(path, "name is no text", "use letters, digits, dots and dashes")
    defaults = _values(path, data, "at the top")
    entries = [
        entry
        for number, table in enumerate(evals)
        for entry in _entries(path, table, f"[[eval]] number {number + 1}", defaults, models, model)
    ]
    folders = [entry.folder for entry in entries]
    twice = next((f for f in folders if folders.count(f) > 1), None)
    if twice:
        raise _wrong(path, f"two entries are called {twice}", 'give them a name each: name = "..."')
    return Suite(_plain(name), tuple(entries))


def _table(path: Path) -> dict[str, Any]:
    """The file as it is."""
    try:
        return parse_toml(read_plain(path, LARGEST_SETTINGS))
    except FileNotFoundError:
        raise usage(
            f"{path} does not exist", "see configs/eval/ for an example", id="input.missing_file"
        ) from None
    except OSError as error:
        raise usage(
            f"{path} cannot be read: {excerpt(error, 120)}",
            "name a TOML file",
            id="input.unreadable",
        ) from None
    except ValueError as error:
        raise usage(
            f"{path} is not valid TOML: {excerpt(error, 160)}",
            "correct that line",
            id="input.invalid_toml",
        ) from None


def _entries(
    path: Path,
    table: dict[str, Any],
    where: str,
    defaults: dict[str, Any],
    models: list[str],
    model: str | None,
) -> list[Entry]:
    """One [[eval]] with each of its models."""
    env = table.pop("env", None)
    if not isinstance(env, str) or not env:
        raise _wrong(path, f"{where} has no env", "name the environment's folder or package")
    label = table.pop("name", None)
    own = table.pop("models", None)
    values = {**defaults, **_values(path, table, where)}
    chosen: list[str | None] = [*([model] if model else own or models)]
    if values.get("simulate") and not model:
        chosen = [None]
    if not chosen:
        raise _wrong(
            path, f"{where} has no model", "set models at the top, or simulate in the entry"
        )
    return [Entry(env, _plain(label or Path(env).name), one, values) for one in chosen]


def _models(path: Path, models: Any) -> list[str]:
    if not isinstance(models, list) or not all(isinstance(m, str) and m for m in models):
        raise _wrong(
            path, "models is no list of model ids", 'for example models = ["openai/gpt-5-mini"]'
        )
    return models


def _one_or_none(model: Any) -> list[Any]:
    return [model] if model else []


def _values(path: Path, table: dict[str, Any], where: str) -> dict[str, Any]:
    for key, value in table.items():
        if key not in KEYS:
            raise _wrong(
                path,
                f"unknown key {excerpt(key, 40)!r} {where}",
                f"legal: env, name, models, {', '.join(KEYS)}",
            )
        if not _legal(key, value):
            wanted = "number of 1 or more" if key in POSITIVE else "value as in run_eval.py --help"
            raise _wrong(
                path,
                f"{key} = {excerpt(value, 40)} {where} is not what it should be",
                f"{key} is a {wanted}",
            )
    return dict(table)


def _legal(key: str, value: Any) -> bool:
    if not isinstance(value, KEYS[key]) or isinstance(value, bool):
        return False
    return key not in POSITIVE or (isinstance(value, int) and value >= 1)


def _wrong(path: Path, what: str, fix: str) -> Exception:
    return usage(f"{path}: {what}", fix, id="input.suite")


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
