"""What is to be audited: a folder of checkouts, a list file, or one name.

    # list.toml, list.json, or lines of `NAME {"args": "as JSON"}`
    [[environment]]
    env = "checkouts/verifiers/environments/gsm8k"   # a folder, a module file, an installed name,
    args = { split = "test" }                        # or owner/name on the Environments Hub
    contract = "contracts/gsm8k.toml"
    repository = "PrimeIntellect-ai/verifiers"       # repository and commit are only repeated
    commit = "2fbd2b7"

Relative paths are those from the list's own folder, or from --root.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.audits.discover import environments_in
from lab.cli.files import NotPlain, parse_json, parse_toml, read_plain
from lab.cli.report import LabError, usage
from lab.cli.untrusted import excerpt
from lab.environment import locate

KINDS: dict[str, type] = {
    "env": str,
    "path": str,
    "name": str,
    "args": dict,
    "contract": str,
    "seat": str,
    "python": str,
    "examples": int,
    "budget": int,
    "extras": list,
    "requirements": list,
    "import_paths": list,
    "pass_env": list,
    "pass_path": list,
    "repository": str,
    "commit": str,
    "note": str,
}
"""What an entry may set. `path` is another word for `env`."""
TEXTS = ("extras", "requirements", "import_paths", "pass_env", "pass_path")
ABOUT = ("repository", "commit", "note")
HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*(@[\w.-]+)?")
LEGAL = ", ".join(KINDS)


@dataclass(frozen=True)
class Entry:
    """One environment, and how it is audited."""

    env: str
    """A path, an installed name, or an id of the hub."""
    name: str
    """What its record and its row are called; unique in a list."""
    args: dict[str, Any] = field(default_factory=dict)
    contract: str = ""
    seat: str = ""
    python: str = ""
    examples: int = 0
    budget: int = 0
    extras: tuple[str, ...] = ()
    """Optional dependencies of its pyproject.toml that are installed too."""
    requirements: tuple[str, ...] = ()
    """Further packages that it needs and does not name."""
    import_paths: tuple[str, ...] = ()
    """Folders that its code expects on the import path."""
    pass_env: tuple[str, ...] = ()
    pass_path: tuple[str, ...] = ()
    about: dict[str, str] = field(default_factory=dict)
    """Repository, commit and note, as the list has them."""

    @property
    def on_hub(self) -> bool:
        return bool(HUB.fullmatch(self.env)) and not Path(self.env).exists()


def read_entries(source: str, root: Path | None = None) -> list[Entry]:
    """The environments that `source` names: a folder, a list file, or one environment."""
    path = Path(source)
    if path.is_dir():
        return named([_of_path(found, path) for found in environments_in(path)], source)
    if path.is_file() and path.suffix != ".py":
        base = (root or path.parent).resolve()
        return named([_entry(source, base, table) for table in _tables(path)], source)
    if path.is_file() or HUB.fullmatch(source) or ("/" not in source and locate(source)):
        name = Path(source).stem if path.is_file() else source.split("@")[0].rsplit("/", 1)[-1]
        return named([Entry(source, _plain(name))], source)
    raise usage(
        f"there is no folder and no file {source}",
        "name a folder of checkouts, a list file, a module file, or an installed name",
        id="input.missing_file",
    )


def _of_path(found: Path, folder: Path) -> Entry:
    inside = found.resolve().relative_to(folder.resolve())
    name = found.resolve().name if inside == Path() else found.stem
    return Entry(str(found), _plain(name))


def named(entries: list[Entry], source: str) -> list[Entry]:
    """The entries with names of their own: two of one name get the folders before it."""
    if not entries:
        raise usage(
            f"{source} names no environment",
            "an environment is a folder or a module with a Taskset or load_environment()",
            id="input.not_an_environment",
        )
    for depth in range(1, 5):
        twice = {name for name, count in Counter(e.name for e in entries).items() if count > 1}
        if not twice:
            return entries
        entries = [_longer(one, depth) if one.name in twice else one for one in entries]
    seen: Counter[str] = Counter()
    numbered = []
    for one in entries:
        seen[one.name] += 1
        number = f"-{seen[one.name]}" if seen[one.name] > 1 else ""
        numbered.append(_renamed(one, one.name + number))
    return numbered


def _longer(one: Entry, depth: int) -> Entry:
    """The name with one more folder before it."""
    parts = [part for part in Path(one.env).with_suffix("").parts if part not in ("/", "..")]
    before = one.about.get("repository", "").rsplit("/", 1)[-1] if depth == 1 else ""
    return _renamed(
        one, _plain(f"{before}-{one.name}" if before else "-".join(parts[-1 - depth :]))
    )


def _renamed(one: Entry, name: str) -> Entry:
    from dataclasses import replace

    return replace(one, name=name)


def _tables(path: Path) -> list[dict[str, Any]]:
    """The entries of a list file as tables."""
    try:
        text = read_plain(path).decode()
        if path.suffix == ".toml":
            data: Any = parse_toml(text)
        elif path.suffix == ".json":
            data = parse_json(text)
        else:
            return [_line(path, line) for line in text.splitlines() if _said(line)]
    except LabError:
        raise
    except (OSError, NotPlain) as error:
        why = error.strerror or excerpt(error)
        raise _wrong(path, f"it cannot be read: {why}", "name a TOML, JSON or text file") from None
    except ValueError as error:
        raise _wrong(path, excerpt(error, 160), "correct that line") from None
    if isinstance(data, dict):
        data = data.get("environment", data.get("environments"))
    if not isinstance(data, list) or not data:
        raise _wrong(path, "it has no list of environments", "write [[environment]] tables")
    return [{"env": one} if isinstance(one, str) else one for one in data]


def _said(line: str) -> str:
    return line.split("#", 1)[0].strip() if line.lstrip().startswith("#") else line.strip()


def _line(path: Path, line: str) -> dict[str, Any]:
    """`NAME` or `NAME {"args": "as JSON"}`."""
    name, brace, rest = line.strip().partition(" {")
    if not brace:
        return {"env": line.strip()}
    try:
        return {"env": name.strip(), "args": parse_json("{" + rest)}
    except ValueError as error:
        raise _wrong(path, f"{excerpt(line)}: {error}", "the arguments are a JSON object") from None


def _entry(source: str, base: Path, table: Any) -> Entry:
    if not isinstance(table, dict):
        raise _wrong(source, f"{excerpt(table, 60)} is no entry", f"legal keys: {LEGAL}")
    for key, value in table.items():
        _check(source, key, value)
    env = table.get("env") or table.get("path")
    if not env:
        raise _wrong(source, f"an entry has no env: {excerpt(table, 80)}", 'add env = "..."')
    place = base / env
    there = place.exists() or env.startswith((".", "/"))
    values = {key: tuple(table.get(key, ())) for key in TEXTS}
    for key in ("import_paths", "pass_path"):
        values[key] = tuple(str(base / one) for one in values[key])
    return Entry(
        env=str(place) if there else env,
        name=_plain(table.get("name") or Path(env.split("@")[0]).stem),
        args=table.get("args", {}),
        contract=str(base / table["contract"]) if table.get("contract") else "",
        seat=table.get("seat", ""),
        python=table.get("python", ""),
        examples=table.get("examples", 0),
        budget=table.get("budget", 0),
        about={key: table[key] for key in ABOUT if table.get(key)},
        **values,
    )


def _check(source: str, key: str, value: Any) -> None:
    if key not in KINDS:
        raise _wrong(source, f"unknown key {excerpt(key, 40)!r}", f"legal: {LEGAL}")
    wanted = KINDS[key]
    if type(value) is not wanted:
        raise _wrong(source, f"{key} = {excerpt(value, 40)}", f"{key} is a {wanted.__name__}")
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise _wrong(source, f"{key} has something else than texts", f"{key} is a list of texts")
    if isinstance(value, int) and value < 1:
        raise _wrong(source, f"{key} = {value}", f"{key} is 1 or more")


def _wrong(source: object, what: str, fix: str) -> LabError:
    return usage(f"{source}: {what}", fix, id="input.audit_list")


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "environment"
