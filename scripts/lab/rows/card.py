"""What a dataset's card declares: configurations, their files, split sizes, features."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field
from typing import Any

from lab.rows.files import named_format
from lab.rows.splits import split_of


@dataclass
class Config:
    """One configuration: its files by split, and what the card says about it."""

    name: str
    files: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    default: bool = False


def configs_of(card: dict[str, Any], files: list[str]) -> list[Config]:
    """The configurations of a repository, from its card and else from its file names."""
    declared = [entry for entry in as_list(card.get("configs")) if isinstance(entry, dict)]
    out = []
    for entry in declared:
        config = Config(str(entry.get("config_name", "default")), default=bool(entry.get("default")))
        config.files = _matching(entry.get("data_files"), str(entry.get("data_dir") or ""), files)
        if config.files:
            out.append(config)
    if not out:
        grouped = by_split([name for name in files if is_data(name)])
        if grouped:
            out = [Config("default", grouped)]
    for info in as_list(card.get("dataset_info")):
        if not isinstance(info, dict):
            continue
        name = str(info.get("config_name", "default"))
        for config in out:
            if config.name == name or (len(out) == 1 and len(as_list(card.get("dataset_info"))) == 1):
                config.rows = {str(split.get("name")): int(split.get("num_examples") or 0) for split in as_list(info.get("splits")) if isinstance(split, dict)}
                config.types, config.names = card_features(info.get("features"))
    return out


def converted(files: list[str]) -> list[Config]:
    """The configurations of the hub's own conversion: CONFIG/SPLIT/0000.parquet."""
    out: dict[str, Config] = {}
    for name in sorted(files):
        parts = name.split("/")
        if len(parts) == 3 and name.endswith(".parquet"):
            config = out.setdefault(parts[0], Config(parts[0]))
            config.files.setdefault(parts[1].removeprefix("partial-"), []).append(name)
    return list(out.values())


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def is_data(name: str) -> bool:
    parts = name.split("/")
    described = parts[-1] in ("dataset_infos.json", "dataset_info.json", "state.json", "dataset_dict.json", "package.json", "config.json", "metadata.json")
    return not described and not any(part.startswith((".", "_")) for part in parts) and named_format(parts[-1]) is not None


def by_split(names: list[str]) -> dict[str, list[str]]:
    """Files to splits by name; of several formats the best supported one (parquet first)."""
    order = ("parquet", "arrow", "jsonl", "json", "csv", "tsv")
    formats = {named_format(name) for name in names}
    kept = next((kind for kind in order if kind in formats), None)
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        if named_format(name) == kept:
            groups.setdefault(split_of(name) or "train", []).append(name)
    rank = {"train": 0, "validation": 1, "test": 2}
    return {name: groups[name] for name in sorted(groups, key=lambda name: (rank.get(name, 3), name))}


def _matching(declared: Any, folder: str, files: list[str]) -> dict[str, list[str]]:
    """`data_files` of a card (a pattern, a list, or one per split) as the files it matches."""
    prefix = folder.rstrip("/") + "/" if folder else ""
    if declared is None:
        return by_split([name for name in files if is_data(name) and name.startswith(prefix)])
    if isinstance(declared, dict):
        declared = [{"split": split, "path": path} for split, path in declared.items()]
    out: dict[str, list[str]] = {}
    for entry in as_list(declared):
        split = str(entry.get("split", "train")) if isinstance(entry, dict) else "train"
        for pattern in as_list(entry.get("path") if isinstance(entry, dict) else entry):
            full = prefix + str(pattern).removeprefix("./")
            found = [name for name in files if name == full or fnmatch.fnmatchcase(name, full) or fnmatch.fnmatchcase(name, full.replace("**/", ""))]
            out.setdefault(split, []).extend(name for name in sorted(found) if named_format(name) and name not in out.get(split, []))
    return {split: names for split, names in out.items() if names}


def card_features(features: Any) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Types and ClassLabel names from the features as a card's YAML writes them."""
    types: dict[str, str] = {}
    names: dict[str, list[str]] = {}

    def walk(path: str, feature: Any) -> str:
        if isinstance(feature, str):
            return feature
        if isinstance(feature, list):
            return f"struct<{', '.join(str(item.get('name')) + ': ' + walk(path + '.' + str(item.get('name')), item) for item in feature if isinstance(item, dict))}>"
        if not isinstance(feature, dict):
            return "string"
        for key in ("sequence", "list"):
            if key in feature:
                inner = feature[key]
                return f"list<{walk(path, inner if not (isinstance(inner, dict) and set(inner) == {'dtype'}) else inner['dtype'])}>"
        if "struct" in feature:
            return walk(path, feature["struct"])
        dtype = feature.get("dtype")
        if isinstance(dtype, dict) and "class_label" in dtype:
            declared = dtype["class_label"].get("names", {})
            found = [str(declared[key]) for key in sorted(declared, key=lambda key: int(key))] if isinstance(declared, dict) else [str(name) for name in declared]
            names[path] = found
            shown = ",".join(found)
            return f"ClassLabel({shown if len(shown) <= 60 else len(found)})"
        return walk(path, dtype) if dtype is not None else "string"

    for item in as_list(features):
        if isinstance(item, dict) and "name" in item:
            types[str(item["name"])] = walk(str(item["name"]), item)
    return types, names
