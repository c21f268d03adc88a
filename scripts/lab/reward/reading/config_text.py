"""Configuration files as text: INI, TOML, YAML, properties and JSON, written and read.

    write("toml", {"tls": {"ports": [1, 2]}})     # [tls]\\nports = [1, 2]
    read("ini", "[tls]\\nport = 80")              # {"tls": {"port": "80"}}

What is written is read again before it is given out: a value that a kind of file has no way to
write (null in a list of TOML, a list of objects in INI) has no text.
"""

from __future__ import annotations

import configparser
import json
import math
import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import date, time
from importlib.util import find_spec
from typing import Any

KINDS = ("json", "toml", "yaml", "ini", "properties")
"""In the order in which a text of no known kind is read: the strictest first."""
LONGEST, MOST_NODES = 20_000, 5_000
TOP = "\1"
"""The section of what stands above the first one."""
PLAIN = re.compile(r"[A-Za-z_/](?:[\w ./@+-]*[\w/@+-])?", re.ASCII)
OTHERWISE = re.compile(r"y|n|yes|no|on|off|true|false|null", re.IGNORECASE)
"""Words that YAML reads as something else than a text."""


def write(kind: str, value: Any) -> str | None:
    """The value as a file of that kind; None where it cannot be one."""
    try:
        text = WRITERS[kind](value).strip("\n")
        unread = kind == "yaml" and find_spec("yaml") is None
        return text if unread or read(kind, text) == AS_READ[kind](value) else None
    except (TypeError, ValueError, AttributeError, RecursionError):
        return None


def read(kind: str, text: str) -> Any:
    """The object, or the list, in a file of that kind; None where there is none."""
    if len(text) > LONGEST:
        return None
    try:
        value = READERS[kind](text)
    except (ValueError, RecursionError, configparser.Error):
        return None
    return value if isinstance(value, (dict, list)) and value and _few(value) else None


def _few(value: Any) -> bool:
    """Whether a value is small when it is written: YAML's aliases can make a short text huge."""
    left, seen = [value], 0
    while left and seen <= MOST_NODES:
        one = left.pop()
        seen += 1
        left += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return seen <= MOST_NODES


def quoted(text: str) -> str:
    """A text in double quotes, as YAML reads them."""
    whole = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else _escape(char) for char in whole)


def _escape(char: str) -> str:
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}"


# --- TOML --------------------------------------------------------------------------------


def _toml(value: dict[str, Any]) -> str:
    import tomli_w

    return tomli_w.dumps(_without_nulls(value))


def _bare(value: Any) -> str:
    """A truth, a number, a date, as JSON and YAML have them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    raise TypeError(f"no plain value: {value!r}")


def _without_nulls(value: Any) -> Any:
    """TOML has no null: such a key is left out."""
    if isinstance(value, dict):
        return {k: _without_nulls(one) for k, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


# --- YAML --------------------------------------------------------------------------------


def _block(value: Any) -> Iterator[str]:
    """The lines of an object or a list, a member each, and what is in it below."""
    if isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, (dict, list)) and one:
                yield f"{_scalar(key)}:"
                yield from (f"  {line}" for line in _block(one))
            else:
                yield f"{_scalar(key)}: {_scalar(one)}"
    else:
        for one in value:
            nested = isinstance(one, (dict, list)) and one
            lines = list(_block(one)) if nested else [_scalar(one)]
            yield from (f"{'  ' if i else '- '}{line}" for i, line in enumerate(lines))


def _scalar(value: Any) -> str:
    if value is None or value in ({}, []):
        return json.dumps(value)
    if isinstance(value, str):
        plain = PLAIN.fullmatch(value) and not OTHERWISE.fullmatch(value)
        return value if plain else quoted(value)
    if not isinstance(value, float):
        return _bare(value)
    if not math.isfinite(value):
        return f".{value}" if value != -math.inf else "-.inf"
    return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))  # 1e-05 is a text there


def _read_yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        return None
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except Exception as error:  # broken files raise much more than its own errors
        raise ValueError("no YAML") from error


# --- INI and properties --------------------------------------------------------------------


def _ini(value: dict[str, Any]) -> str:
    lines: list[str] = []
    for name, pairs in _sections(value).items():
        lines += ["", f"[{name}]"] if name else []
        lines += [f"{key} = {one}".rstrip() for key, one in pairs.items()]
    return "\n".join(line.replace("\n", "\n    ") if " = " in line else line for line in lines)


def _sections(value: dict[str, Any], name: str = "") -> dict[str, dict[str, str]]:
    """By name the texts of each section; what is not in one is under "". A section in another one
    has both names: `[tls.client]`."""
    inner = {key: one for key, one in value.items() if isinstance(one, dict)}
    own = {key: _as_text(one) for key, one in value.items() if key not in inner}
    found = {name: own} if own or (name and not inner) else {}
    for key, one in inner.items():
        found |= _sections(one, f"{name}.{key}" if name else key)
    return found


def _as_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_as_text, value))
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else _bare(value)


def _read_ini(text: str) -> dict[str, Any]:
    parser = configparser.RawConfigParser(default_section="", empty_lines_in_values=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys as they are
    parser.read_string(f"[{TOP}]\n{text}")
    found: dict[str, Any] = {name: dict(parser.items(name)) for name in parser.sections()}
    return {**found.pop(TOP), **found}


def _properties(value: dict[str, Any]) -> str:
    return "\n".join(f"{key}={one}" for key, one in _dotted(value).items())


def _dotted(value: dict[str, Any]) -> dict[str, str]:
    """Each value under the path of its keys."""
    return {
        f"{name}.{key}" if name else key: one
        for name, pairs in _sections(value).items()
        for key, one in pairs.items()
    }


def _ini_as_read(value: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = dict(_sections(value))
    return {**found.pop("", {}), **found}


READERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": _read_yaml,
    "ini": _read_ini,
    "properties": _read_ini,
}
WRITERS: dict[str, Callable[[Any], str]] = {
    "json": lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    "toml": _toml,
    "yaml": lambda value: "\n".join(_block(value)),
    "ini": _ini,
    "properties": _properties,
}
AS_READ: dict[str, Callable[[Any], Any]] = {
    "json": lambda value: value,
    "toml": _without_nulls,
    "yaml": lambda value: value,
    "ini": _ini_as_read,
    "properties": _dotted,
}
"""What reading gives back for a value that was written."""
