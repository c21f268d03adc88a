"""Local data: a file, a folder, a glob, a `save_to_disk` folder; which files make which split."""

from __future__ import annotations

import glob
from collections import Counter
from pathlib import Path
from typing import Any

from lab.cli.files import json_object, parse_json
from lab.cli.report import usage
from lab.data.rows.columnar import Arrow, Parquet, features_of
from lab.data.rows.csvfile import CsvFile
from lab.data.rows.files import READABLE, Blob, LocalFile, chunks, format_of, named_format
from lab.data.rows.jsonfile import JsonFile, split_keys
from lab.data.rows.jsonlines import JsonLines
from lab.data.rows.model import Reader, Table
from lab.data.rows.splits import split_of

NOT_DATA = {
    "dataset_info.json",
    "dataset_infos.json",
    "state.json",
    "dataset_dict.json",
    "package.json",
    "metadata.json",
    "config.json",
}
"""Files that describe data, or settings beside it."""


def reader_for(blob: Blob, key: str | None = None) -> Reader:
    """The reader for one file by its format; exit 2 naming what is readable."""
    if blob.size == 0:
        raise usage(f"{blob} is empty", "give a file with rows", id="input.empty_file")
    kind = format_of(blob)
    if kind == "json":
        return JsonLines(blob) if _lines_inside(blob) else JsonFile(blob, key)
    if kind == "jsonl":
        return JsonLines(blob)
    if kind in ("csv", "tsv"):
        return CsvFile(blob, "\t" if kind == "tsv" else None)
    if kind == "parquet":
        return Parquet(blob)
    if kind == "arrow":
        return Arrow(blob)
    raise usage(f"{blob} is in no known format", f"readable are {READABLE}", id="input.format")


def _lines_inside(blob: Blob) -> bool:
    """True when a .json file really holds one object per line."""
    start = next(chunks(blob, 1 << 16), b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"{"):
        return False
    first, _, rest = start.partition(b"\n")
    try:
        parse_json(first)
    except ValueError:
        return False
    return rest.lstrip().startswith(b"{")


def find(dataset: str) -> bool:
    """`dataset` is meant locally: it exists, is a glob that matches, or is written as a path."""
    path = Path(dataset).expanduser()
    return (
        path.exists()
        or any(char in dataset for char in "*?[")
        or dataset.startswith((".", "/", "~"))
        or named_format(dataset) is not None
    )


def open_local(dataset: str, config: str | None, split: str | None) -> Table:
    """The table for a local path: its splits known, nothing read yet but names and magic bytes."""
    given = str(Path(dataset).expanduser())
    path = Path(given)
    if config and not (path / config).is_dir():
        # One more argument may be the split: a path has configurations only as subfolders.
        known = open_local(dataset, None, None).splits
        if split is not None or config not in known:
            raise usage(
                f"{dataset} has no configuration {config!r}",
                f"leave it out, or name a split: {', '.join(known)}",
                id="input.config",
            )
        config, split = None, config
    if any(char in given for char in "*?[") and not path.exists():
        return _grouped(dataset, _globbed(given), Path(given.split("*")[0]).parent, split)
    if not path.exists():
        raise usage(
            f"{dataset} does not exist",
            "check the path, or give a hub id such as openai/gsm8k",
            id="input.missing_file",
        )
    if path.is_dir():
        return _folder(path.resolve(), config, split)
    if not path.is_file():
        raise usage(
            f"{dataset} is neither a file nor a folder",
            f"readable are {READABLE}",
            id="input.format",
        )
    return _single(path.resolve(), split)


def _single(path: Path, split: str | None) -> Table:
    blob = LocalFile(path)
    keys = (
        split_keys(blob)
        if blob.size and format_of(blob) == "json" and not _lines_inside(blob)
        else []
    )
    if len(keys) > 1:
        readers: dict[str, list[Reader]] = {key: [JsonFile(blob, key)] for key in keys}
        return _table(str(path), None, readers, split)
    return _table(str(path), None, {"train": [reader_for(blob)]}, split)


def _folder(folder: Path, config: str | None, split: str | None) -> Table:
    if config and (folder / config).is_dir():
        table = _folder(folder / config, None, split)
        table.dataset, table.config = str(folder), config
        return table
    if (folder / "dataset_dict.json").is_file():
        named = json_object(folder / "dataset_dict.json").get("splits")
        known = [name for name in named if _inside(name)] if isinstance(named, list) else []
        names = known or sorted(path.parent.name for path in folder.glob("*/state.json"))
        saved = {name: _saved(folder / name) for name in names if (folder / name).is_dir()}
        if not saved:
            raise usage(
                f"{folder} is a saved dataset without its splits",
                "save it again with save_to_disk",
                id="input.no_data",
            )
        return _table(str(folder), None, saved, split)
    if (folder / "state.json").is_file():
        return _table(str(folder), None, {"train": _saved(folder)}, split)
    files = [
        path for path in sorted(folder.rglob("*")) if path.is_file() and _is_data(path, folder)
    ]
    if not files:
        raise usage(f"{folder} holds no data files", f"readable are {READABLE}", id="input.no_data")
    return _grouped(str(folder), files, folder, split)


def _saved(folder: Path) -> list[Reader]:
    """The arrow files of a `save_to_disk` split, in the order that its state.json gives."""
    try:
        entries = json_object(folder / "state.json")["_data_files"]
        listed = [entry["filename"] for entry in entries]
    except (KeyError, TypeError):
        listed = []
    if not listed or not all(map(_inside, listed)):
        listed = sorted(path.name for path in folder.glob("*.arrow"))
    found = [folder / name for name in listed if (folder / name).is_file()]
    if not found:
        raise usage(
            f"{folder} is a saved dataset without its arrow files",
            "save it again with save_to_disk",
            id="input.no_data",
        )
    return [Arrow(LocalFile(path)) for path in found]


def _inside(name: Any) -> bool:
    """Whether it names a file or folder that lies in the folder itself."""
    return isinstance(name, str) and name not in ("", ".", "..") and not {"/", "\0"} & set(name)


def _is_data(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return (
        not any(part.startswith((".", "_")) for part in parts)
        and path.name not in NOT_DATA
        and named_format(path.name) is not None
    )


def _globbed(pattern: str) -> list[Path]:
    matched = map(Path, glob.glob(pattern, recursive=True))  # noqa: PTH207 (absolute patterns)
    found = sorted(path for path in matched if path.is_file())
    if not found:
        raise usage(
            f"no file matches {pattern}",
            "check the pattern (and quote it)",
            id="input.missing_file",
        )
    return [path.resolve() for path in found]


def _grouped(dataset: str, files: list[Path], root: Path, split: str | None) -> Table:
    """Files to splits by their names."""
    files, notes = _readable(dataset, files)
    root = root.resolve()
    groups: dict[str, list[Path]] = {}
    for path in files:
        relative = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        groups.setdefault(split_of(relative) or "train", []).append(path)
    rank = {"train": 0, "validation": 1, "test": 2}
    ordered = sorted(groups, key=lambda name: (rank.get(name, 3), name))
    table = _table(
        str(Path(dataset).expanduser().absolute()),
        None,
        {name: [reader_for(LocalFile(path)) for path in groups[name]] for name in ordered},
        split,
    )
    table.notes += notes
    infos = root / "dataset_infos.json"
    if infos.is_file():
        table.names.update(_declared(infos))
    return table


def _readable(dataset: str, files: list[Path]) -> tuple[list[Path], list[str]]:
    """(files with something in them, of several formats the one with the most bytes; notes)."""
    sizes: Counter[str] = Counter()
    for path in files:
        sizes[named_format(path.name) or "?"] += path.stat().st_size
    main = max(sizes, key=lambda kind: sizes[kind])
    same = [path for path in files if (named_format(path.name) or "?") == main]
    other = [path for path in files if (named_format(path.name) or "?") != main]
    empty = [path for path in same if not path.stat().st_size]
    notes = []
    if other:
        notes.append(f"files of another format passed over: {_names(other)}")
    if empty:
        notes.append(f"empty files passed over: {_names(empty)}")
    left = [path for path in same if path.stat().st_size]
    if not left:
        raise usage(
            f"every data file of {dataset} is empty", "give files with rows", id="input.empty_file"
        )
    return left, notes


def _names(files: list[Path]) -> str:
    return ", ".join(path.name for path in files[:5]) + (" …" if len(files) > 5 else "")


def _declared(infos: Path) -> dict[str, list[str]]:
    try:
        first = next(iter(json_object(infos).values()))
        return features_of(first.get("features") or {})[1]
    except (StopIteration, AttributeError):
        return {}


def _table(
    dataset: str, config: str | None, readers: dict[str, list[Reader]], split: str | None
) -> Table:
    from lab.data.rows.splits import choose

    empty: dict[str, int | None] = dict.fromkeys(readers)
    name = split or choose(empty)[0]
    if name not in readers:
        raise usage(
            f"there is no split {name!r} in {dataset}",
            f"its splits are {', '.join(readers)}",
            id="input.split",
        )
    return Table(
        dataset=dataset,
        source="local",
        format=readers[name][0].format,
        split=name,
        splits=empty,
        readers=readers[name],
        config=config,
        other={key: value for key, value in readers.items() if key != name},
    )
