"""An object as people write it in YAML: in lines, without quotes where none are needed.

plain_yaml({"room": "Hall", "start": "19:30"})
# room: Hall
# start: 19:30

YAML 1.2 (https://yaml.org/spec/1.2.2/, its core schema) reads `19:30` and `no` as texts. Loaders of
YAML 1.1, such as PyYAML, make 1170 and False of them, and its dumper quotes what they would read.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

CORE = {
    "null": r"null|Null|NULL|~|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+",
    "float": r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)"
    r"|\.(?:nan|NaN|NAN)",
}
"""What is no text without quotes, by its type."""


def plain_yaml(value: Any) -> str:
    import yaml

    written = yaml.dump(
        value, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=float("inf")
    )
    return written.removesuffix("...\n").removesuffix("\n")


@cache
def _dumper() -> Any:
    import yaml

    own = {"yaml_implicit_resolvers": {}, "ignore_aliases": lambda *_: True}
    dumper: Any = type("CoreDumper", (yaml.SafeDumper,), own)
    for kind, pattern in CORE.items():
        whole = re.compile(rf"(?:{pattern})\Z")
        dumper.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", whole, None)
    return dumper
