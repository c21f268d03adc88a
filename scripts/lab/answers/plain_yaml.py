"""An object as people write it in YAML: in lines, without quotes where none are needed.

plain_yaml({"room": "Hall", "start": "19:30"})
# room: Hall
# start: 19:30

YAML 1.2 (https://yaml.org/spec/1.2.2/) reads `19:30` and `no` as texts. Loaders of YAML 1.1,
such as PyYAML, make 1170 and False of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

PLAIN = re.compile(r"[^\W_][\w .,+/()@:-]*(?<=[\w.)])")
"""A text that needs no quotes, unless it is one of these."""
READ_OTHERWISE = re.compile(
    r"true|false|null|0[xo][\da-f]+|[-+]?[\d_]*\.?[\d_]*(?:e[-+]?\d+)?|.*: .*|.*:$", re.IGNORECASE
)


def plain_yaml(value: Any) -> str:
    return "\n".join(_lines(value))


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _entry(f"{_scalar(key)}:", inner)
    elif isinstance(value, list) and value:
        for inner in value:
            first, *rest = _lines(inner)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield _scalar(value)


def _entry(key: str, inner: Any) -> Iterator[str]:
    if isinstance(inner, (dict, list)) and inner:
        yield key
        yield from (f"  {line}" for line in _lines(inner))
    else:
        yield f"{key} {_scalar(inner)}"


def _scalar(value: Any) -> str:
    if isinstance(value, str) and PLAIN.fullmatch(value) and not READ_OTHERWISE.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)
