"""`policy.toml` beside an environment: what its author intends, so that it is checked, not failed.

    [reward]
    range = [0, 1]            # every reward lies within
    partial_credit = true     # a near answer earns a part
    length_penalty = true     # filler may cost something; more filler never earns more
    strict_format = true      # equivalent forms of the answer are refused on purpose
    refused_forms = ["unit"]  # ... or only these
    judge_band = 0.1          # two scorings of one completion may differ by this much
    format_floor = 0.2        # what the right format alone earns, at most

An unknown key is an error: a typo would silently declare nothing.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from lab.report import usage


@dataclass(frozen=True)
class Policy:
    range: tuple[float, float] | None = None
    partial_credit: bool = False
    length_penalty: bool = False
    strict_format: bool = False
    refused_forms: tuple[str, ...] = ()
    judge_band: float | None = None
    format_floor: float | None = None
    path: Path | None = None

    @classmethod
    def beside(cls, environment: Path) -> Policy:
        """The policy in the environment's folder (or its package folder); all defaults without one."""
        folder = environment if environment.is_dir() else environment.parent
        for path in (folder / "policy.toml", *sorted(folder.glob("*/policy.toml"))):
            if path.is_file():
                return cls.read(path)
        return cls()

    @classmethod
    def read(cls, path: Path) -> Policy:
        try:
            declared = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise usage(f"{path} is not valid TOML: {error}", f"mend {path}", id="input.invalid_policy") from None
        declared = declared.get("reward", declared)
        known = {f.name: f for f in fields(cls) if f.name != "path"}
        for key, value in declared.items():
            if key not in known:
                raise usage(f"{path}: unknown key {key!r}", f"one of {', '.join(known)}", id="input.invalid_policy")
            _check(path, key, value)
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in declared.items()}
        return cls(**values, path=path)


def _check(path: Path, key: str, value: Any) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    legal = {
        "range": isinstance(value, list) and len(value) == 2 and all(isinstance(v, (int, float)) for v in value) and value[0] < value[1],
        "refused_forms": isinstance(value, list) and all(isinstance(v, str) for v in value),
        "judge_band": number and value >= 0,
        "format_floor": number,
    }.get(key, isinstance(value, bool))
    if not legal:
        form = {"range": "[low, high]", "refused_forms": "a list of form names"}.get(key, "a number" if key in ("judge_band", "format_floor") else "true or false")
        raise usage(f"{path}: {key} = {value!r} is not {form}", f"write {key} as {form}", id="input.invalid_policy")
