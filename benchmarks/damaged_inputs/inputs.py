"""What is damaged, and the command that reads it: datasets, logs of rollouts, runs, training files,
suites, packages, profiles and records. What people declare is in `declared`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.damaged_inputs.damage import (
    bytes_damaged,
    rows_damaged,
    toml_damaged,
    value_damaged,
    written,
)
from benchmarks.damaged_inputs.originals import (
    METADATA,
    NOTE,
    ROOT,
    SETTINGS,
    as_csv,
    classic,
    episodes,
    profile,
    rows,
    tables,
    training_files,
)


@dataclass(frozen=True)
class Input:
    """One damaged input: its files, and the words of the script that is given them."""

    script: str
    words: tuple[str, ...]
    files: dict[str, bytes]
    written: tuple[str, ...] = field(default=())
    """What the command may leave: these names and what lies below them."""


# --- datasets ---------------------------------------------------------------------------------


def _gzip(data: bytes) -> bytes:
    """The same bytes at every call: without the time of day."""
    return gzip.compress(data, mtime=0)


def _packed(rng: Random, data: bytes) -> tuple[str, bytes]:
    """The data as it is or compressed, and then damaged or not."""
    import zstandard

    packers: list[Callable[[bytes], bytes]] = [bytes, bytes, _gzip, zstandard.compress]
    ending, pack = rng.choice(list(zip(("", "", ".gz", ".zst"), packers, strict=True)))
    packed = pack(data)
    return ending, bytes_damaged(rng, packed) if ending and rng.random() < 0.5 else packed


def _text_of_rows(rng: Random) -> tuple[str, bytes]:
    kind = rng.choice(("jsonl", "jsonl", "json", "csv", "tsv"))
    if kind == "jsonl":
        damage = rng.choice((rows_damaged, rows_damaged, _rows_bytes))
        return kind, damage(rng, rows())
    if kind == "json":
        document = rng.choice((rows(), {"data": rows()}, {"train": rows(), "test": rows()[:5]}))
        return kind, written(rng, value_damaged(rng, document))
    return kind, bytes_damaged(rng, as_csv("," if kind == "csv" else "\t"))


def _rows_bytes(rng: Random, of: list[Any]) -> bytes:
    return bytes_damaged(rng, b"\n".join(json.dumps(row).encode() for row in of))


def dataset(rng: Random) -> Input:
    if rng.random() < 0.45:
        name, whole = rng.choice(list(tables().items()))
        ending, data = name.rpartition(".")[2], bytes_damaged(rng, whole)
    else:
        kind, data = _text_of_rows(rng)
        packing, data = _packed(rng, data)
        ending = kind + packing
    flags = rng.choice(((), (), ("--full",), ("--out", "profile.json"), ("--html", "page.html")))
    return Input("inspect_dataset", (f"rows.{ending}", *flags), {f"rows.{ending}": data}, flags[1:])


def folder_of_files(rng: Random) -> Input:
    """A dataset's folder with its card and what `datasets` notes about it."""
    card = (
        "---\nlicense: mit\nconfigs:\n- config_name: main\n  data_files:\n  - split: train\n"
        "    path: data/train.jsonl\n  - split: test\n    path: data/*.parquet\n---\n# Sums\n"
    )
    infos = {
        "default": {
            "features": {
                "answer": {"dtype": "string", "_type": "Value"},
                "label": {"names": ["a", "b", "c", "d"], "_type": "ClassLabel"},
            },
            "splits": {"train": {"num_examples": 40}},
        }
    }
    files = {
        "set/README.md": card.encode(),
        "set/dataset_infos.json": json.dumps(infos).encode(),
        "set/data/train.jsonl": b"\n".join(json.dumps(row).encode() for row in rows()),
        "set/data/test.parquet": tables()["snappy-1.0.parquet"],
    }
    name = rng.choice(list(files))
    if name.endswith("infos.json") and rng.random() < 0.7:
        files[name] = written(rng, value_damaged(rng, infos))
    else:
        files[name] = bytes_damaged(rng, files[name])
    return Input("inspect_dataset", ("set",), files)


def saved(rng: Random) -> Input:
    """What `save_to_disk` of datasets writes: two splits with their states."""
    state = {"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_split": "train"}
    notes: dict[str, Any] = {"set/dataset_dict.json": {"splits": ["train", "test"]}}
    notes |= {f"set/{split}/state.json": state for split in ("train", "test")}
    files = {name: json.dumps(value).encode() for name, value in notes.items()}
    for split in ("train", "test"):
        files[f"set/{split}/data-00000-of-00001.arrow"] = tables()["stream-None.arrow"]
    name = rng.choice([*notes, *notes, *files])
    if name in notes and rng.random() < 0.7:
        files[name] = written(rng, value_damaged(rng, notes[name]))
    else:
        files[name] = bytes_damaged(rng, files[name])
    return Input("inspect_dataset", ("set", *rng.choice(((), ("--split", "test")))), files)


# --- logs of rollouts -------------------------------------------------------------------------


def _run(rng: Random, name: str, damaged: bool) -> dict[str, bytes]:
    """A run folder; where `damaged`, one of its files is."""
    new = rng.random() < 0.6
    log, of = ("traces.jsonl", episodes()) if new else ("results.jsonl", classic())
    beside = (
        {"configs/resolved/eval.json": SETTINGS, "prime_lab.json": NOTE}
        if new
        else {"metadata.json": METADATA}
    )
    files = {
        f"{name}/{log}": b"\n".join(json.dumps(row).encode() for row in of) + b"\n",
        **{f"{name}/{path}": json.dumps(value).encode() for path, value in beside.items()},
    }
    if not damaged:
        return files
    if rng.random() < 0.2:
        path, value = rng.choice(list(beside.items()))
        files[f"{name}/{path}"] = written(rng, value_damaged(rng, value))
        return files
    data = rng.choice((rows_damaged, rows_damaged, _rows_bytes))(rng, of)
    del files[f"{name}/{log}"]
    packing, data = _packed(rng, data)
    return {**files, f"{name}/{log}{packing}": data}


def distribution(rng: Random) -> Input:
    flags = rng.choice(((), (), ("--html", "page.html"), ("--keep-tasks", "keep.toml")))
    if rng.random() < 0.2:
        kind = rng.choice(("csv", "parquet"))
        data = tables()["snappy-1.0.parquet"] if kind == "parquet" else as_csv(",")
        columns = ("--columns", "reward=id,task=question,completion=answer")
        return Input(
            "check_reward_distribution",
            ("--results", f"table.{kind}", *columns, *flags),
            {f"table.{kind}": bytes_damaged(rng, data)},
            flags[1:],
        )
    return Input(
        "check_reward_distribution", ("--results", "run", *flags), _run(rng, "run", True), flags[1:]
    )


def comparison(rng: Random) -> Input:
    files = {**_run(rng, "before", rng.random() < 0.3), **_run(rng, "after", True)}
    flags = rng.choice(((), ("--markdown", "table.md"), ("--html", "page.html")))
    return Input("compare_evals", ("before", "after", *flags), files, flags[1:])


def warm_up(rng: Random) -> Input:
    flags = rng.choice(((), ("--min-reward", "0.5"), ("--drop-reasoning",)))
    return Input(
        "export_sft",
        ("run", "--out", "warm", "--config", "sft.toml", *flags),
        _run(rng, "run", True),
        ("warm", "sft.toml"),
    )


def training_run(rng: Random) -> Input:
    """The folder that prime-rl writes."""
    records = [
        {
            "step": step,
            "train/agg/effective/agent/reward/mean": 0.3 + step / 50,
            "optim/grad_norm": 0.3,
            "train/agg/all/agent/solved_none": 0.2,
            "entropy/all/mean": 0.5,
            "time/step": 60.0,
        }
        for step in range(20)
    ]
    damage = rng.choice((rows_damaged, rows_damaged, _rows_bytes))
    name = rng.choice(("job/metrics.jsonl", "job/monitors/file/metrics.jsonl"))
    return Input("monitor_training", ("job",), {name: damage(rng, records)})


# --- files that are settings ------------------------------------------------------------------


def training_file(rng: Random) -> Input:
    use = rng.choice(
        ("--convert old.toml", "--config old.toml --fix", "--config old.toml --dry-run")
    )
    kept = {"--convert": ("configs",), "--fix": ("old.toml",)}
    words = tuple(use.split())
    written = kept.get(words[0], kept.get(words[-1], ()))
    data = toml_damaged(rng, rng.choice(training_files()))
    return Input("submit_training", words, {"old.toml": data}, written)


def suite(rng: Random) -> Input:
    text = (
        'name = "demo"\nmodels = ["someone/model"]\ntasks = 20\nrollouts = 4\ntemperature = 1.0\n'
        'simulate = "skill=0.4"\n[[eval]]\nenv = "environments/missing"\nsplit = "eval"\n'
        'price = "1,2"\n'
    )
    return Input("run_eval", ("--suite", "suite.toml"), {"suite.toml": toml_damaged(rng, text)})


def package(rng: Random) -> Input:
    """A folder that is to be published, looked at without being built."""
    source = ROOT / "environments" / "gsm8k"
    files = {
        f"env/{path.relative_to(source)}": path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.is_file() and path.stat().st_size < 60_000 and "__pycache__" not in path.parts
    }
    name = rng.choice(["env/pyproject.toml"] * 6 + ["env/README.md", "env/gsm8k/__init__.py"])
    text = files[name].decode()
    files[name] = (
        toml_damaged(rng, text) if name.endswith("toml") else bytes_damaged(rng, files[name])
    )
    return Input("package_folder", ("env",), files)


def records(rng: Random) -> Input:
    """A module of an environment, and records of its steps that were edited."""
    files = package(rng).files
    record = {
        "seal": "0" * 64,
        "content": {"version": 1, "entries": {"test_reward": {"verdict": "pass"}}},
    }
    files["state/key"] = rng.choice((b"0" * 64, b"", b"\xff" * 2000))
    files["state/index.json"] = written(rng, value_damaged(rng, record))
    files["state/environments/env.json"] = written(rng, value_damaged(rng, record))
    return Input("workflow", (rng.choice(("status", "next")), "env"), files, ("state",))


def new_package(rng: Random) -> Input:
    """A profile that somebody edited; that it is refused, or written and left unloaded."""
    files = {
        "profile.json": written(rng, value_damaged(rng, profile())),
        "rows.jsonl": b"\n".join(json.dumps(row).encode() for row in rows()),
    }
    return Input("new_environment", ("sums", "--profile", "profile.json"), files, ("environments",))
