"""Hub datasets through the real clients and a hub on loopback: few bytes, clear errors."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from run_script import Ran, run_script
from servers.hub import TOKEN, Hub, Repo

ROWS = [
    {
        "question": f"Ann has {i} pens and buys {i % 7} more of number {i * 7919}. "
        "How many has she?",
        "answer": f"{i}+{i % 7}\n#### {i + i % 7}",
    }
    for i in range(400)
]


def parquet(rows: list[dict[str, Any]], group: int = 100, features: object = None) -> bytes:
    table = pa.Table.from_pylist(rows)
    if features is not None:
        table = table.replace_schema_metadata(
            {"huggingface": json.dumps({"info": {"features": features}})}
        )
    out = io.BytesIO()
    pq.write_table(table, out, row_group_size=group, compression="none")
    return out.getvalue()


CARD = b"""---
configs:
- config_name: main
  data_files:
  - split: train
    path: main/train-*
  - split: test
    path: main/test-*
- config_name: socratic
  data_files: socratic/train-*
dataset_info:
- config_name: main
  splits:
  - name: train
    num_examples: 400
  - name: test
    num_examples: 20
---
"""
LABELS = b"""---
dataset_info:
  features:
  - name: text
    dtype: string
  - name: label
    dtype:
      class_label:
        names:
          '0': neg
          '1': pos
  splits:
  - name: train
    num_examples: 30
---
"""
REPOS = {
    "owner/sums": Repo(
        {
            "README.md": CARD,
            "main/train-00000-of-00001.parquet": parquet(ROWS),
            "main/test-00000-of-00001.parquet": parquet(
                [
                    {"question": f"Ben sees {i} birds in tree number {i}?", "answer": f"#### {i}"}
                    for i in range(20)
                ]
            ),
            "socratic/train-00000-of-00001.parquet": parquet(ROWS[:50]),
        }
    ),
    "owner/private": Repo({"train.parquet": parquet(ROWS[:60])}, private=True),
    "owner/gated": Repo({"train.parquet": parquet(ROWS[:60])}, gated=True),
    "old/sums": Repo(renamed_to="owner/sums"),
    "sums": Repo(renamed_to="owner/sums"),
    "owner/script": Repo(
        {"script.py": b"raise SystemExit('code of a dataset was run')", "README.md": b"# data"}
    ),
    "owner/converted": Repo(
        {"converted.py": b"raise SystemExit('code of a dataset was run')"},
        refs={"refs/convert/parquet": {"default/train/0000.parquet": parquet(ROWS[:60])}},
    ),
    "owner/lines": Repo(
        {
            "train.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS).encode(),
            "test.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS[:30]).encode(),
        }
    ),
    "owner/labels": Repo(
        {
            "README.md": LABELS,
            "train.jsonl": "".join(
                json.dumps({"text": f"Film number {i} was great fun to watch.", "label": i % 2})
                + "\n"
                for i in range(30)
            ).encode(),
        }
    ),
    "owner/pictures": Repo({"README.md": b"# pictures", "a.png": b"\x89PNG"}),
    "owner/broken": Repo(status=500),
    "owner/busy": Repo(status=429),
}


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    with Hub(REPOS, environments={"owner/environment", "owner/lines"}) as server:
        yield server


@pytest.fixture
def inspect(hub: Hub, tmp_path: Path):
    def run(*args: object, **env: str) -> Ran:
        hub.sent = 0
        hub.requests.clear()
        return run_script(
            "inspect_dataset",
            *args,
            "--json",
            "--quiet",
            cwd=tmp_path,
            env={**hub.env, "HF_HOME": str(tmp_path / "hf"), **env},
            timeout=600,
        )

    return run


def test_a_configuration_is_opened_with_its_splits(inspect, hub: Hub) -> None:
    ran = inspect("owner/sums", "main")
    facts = ran.report["facts"]
    assert ran.code == 0, ran.report["findings"]
    assert (
        facts["prompt_field"],
        facts["answer_field"],
        facts["answer_kind"],
        facts["pattern"],
    ) == ("question", "answer", "hash4_suffix", "numeric")
    assert (
        facts["source"],
        facts["config"],
        facts["rows"],
        facts["train_split"],
        facts["eval_split"],
    ) == ("hub", "main", 400, "train", "test")
    assert facts["splits"] == {"train": 400, "test": 20}
    assert facts["configs"] == ["main", "socratic"]
    assert facts["golds"][:3] == ["0", "2", "4"]
    assert ran.finding("data.held_out_golds")["status"] == "pass"
    assert facts["revision"] == REPOS["owner/sums"].sha


def test_legal_configurations_and_splits_are_listed(inspect) -> None:
    for args, id, names in (
        (["owner/sums"], "input.config", "main, socratic"),
        (["owner/sums", "other"], "input.config", "main, socratic"),
        (["owner/sums", "main", "dev"], "input.split", "train, test"),
    ):
        ran = inspect(*args)
        assert ran.code == 2
        assert names in ran.finding(id)["fix"]


def test_one_argument_may_be_the_split(inspect) -> None:
    assert inspect("owner/lines", "test").report["facts"]["split"] == "test"


def test_a_few_percent_of_the_bytes_are_transferred(inspect, hub: Hub) -> None:
    rows = [
        {
            "question": f"Case {i}: " + "".join(chr(97 + (i * k) % 26) for k in range(1, 400)),
            "answer": str(i),
        }
        for i in range(24_000)
    ]
    raw = parquet(rows, group=500)
    hub.repos["owner/large"] = Repo({"data/train-00000-of-00001.parquet": raw})
    hub.repos["owner/longlines"] = Repo(
        {"train.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}
    )
    for name in ("owner/large", "owner/longlines"):
        ran = inspect(name)
        assert ran.code == 0, ran.report["findings"]
        size = sum(map(len, hub.repos[name].files.values()))
        assert size > 9_000_000
        assert hub.sent < 0.05 * size, f"{hub.sent} of {size} bytes"
        assert ran.report["facts"]["rows_checked"] >= 200


def test_a_private_dataset_needs_the_token(inspect) -> None:
    without = inspect("owner/private")
    assert without.code == 2
    assert "HF_TOKEN" in without.finding("input.dataset")["fix"]
    with_token = inspect("owner/private", HF_TOKEN=TOKEN)
    assert with_token.code == 0
    assert TOKEN not in with_token.out + with_token.err


def test_a_gated_dataset_says_where_to_ask(inspect) -> None:
    ran = inspect("owner/gated")
    assert ran.code == 3
    assert "gated" in ran.finding("needs.access")["evidence"]
    assert inspect("owner/gated", HF_TOKEN=TOKEN).code == 0


@pytest.mark.parametrize("name", ["old/sums", "sums"])
def test_a_renamed_dataset_is_followed_and_named(inspect, name: str) -> None:
    ran = inspect(name, "main")
    assert ran.code == 0
    assert ran.report["facts"]["dataset"] == "owner/sums"


def test_no_code_of_a_dataset_is_run(inspect) -> None:
    ran = inspect("owner/script")
    assert ran.code == 2
    assert "never run" in ran.finding("input.script_only")["fix"]
    converted = inspect("owner/converted")
    assert converted.code == 0
    assert converted.report["facts"]["revision"] == "refs/convert/parquet"


def test_class_names_come_from_the_card(inspect) -> None:
    facts = inspect("owner/labels").report["facts"]
    assert (facts["answer_kind"], facts["labels"], facts["golds"][:2]) == (
        "class_label_int",
        ["neg", "pos"],
        ["neg", "pos"],
    )


@pytest.mark.parametrize(
    ("name", "code", "id"),
    [
        ("no/such", 2, "input.dataset"),
        ("not a name", 2, "input.missing_file"),
        ("owner/pictures", 2, "input.no_data"),
        ("owner/busy", 3, "needs.network"),
    ],
)
def test_what_cannot_be_opened_says_why(inspect, name: str, code: int, id: str) -> None:
    ran = inspect(name)
    assert ran.code == code
    assert ran.finding(id)["fix"]


def test_a_name_that_is_an_environment_is_said(inspect) -> None:
    ran = inspect("owner/environment")
    assert ran.code == 2
    assert "run_eval.py" in ran.finding("input.environment")["fix"]
    both = inspect("owner/lines")
    assert both.code in (0, 1)
    assert any("also the name of an environment" in note for note in both.report["facts"]["notes"])


def test_a_revision_that_does_not_exist_is_said(inspect) -> None:
    assert (
        inspect("owner/sums", "main", "--revision", "v9").finding("input.revision")["status"]
        == "fail"
    )


def test_a_hub_that_is_down_is_no_crash(inspect) -> None:
    ran = inspect("owner/sums", "main", HF_ENDPOINT="http://127.0.0.1:9")
    assert ran.code == 3
    assert ran.finding("needs.network")["fix"]


def test_the_hub_switched_off_is_said(inspect) -> None:
    assert (
        inspect("owner/sums", "main", HF_HUB_OFFLINE="1")
        .finding("needs.network")["evidence"]
        .startswith("the hub is switched off")
    )


@pytest.mark.long
def test_a_connection_cut_in_the_middle_leaves_nothing_behind(
    hub: Hub, inspect, tmp_path: Path
) -> None:
    hub.repos["owner/cut"] = Repo({"train.parquet": parquet(ROWS)}, cut_after=3000)
    ran = inspect("owner/cut", "--out", "profile.json")
    assert ran.code == 3
    assert "connection" in ran.finding("needs.network")["evidence"]
    assert not list(tmp_path.glob("*profile*"))


def test_the_datasets_client_reads_the_same_rows(hub: Hub, tmp_path: Path) -> None:
    """The snippet's `load_dataset` call, run by the real client against the same hub."""
    code = (
        "from datasets import load_dataset; d = load_dataset('owner/sums', 'main', split='train'); "
        "print(d.num_rows, d[3]['answer'].split()[-1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **hub.env, "HF_HOME": str(tmp_path / "hf")},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout.split() == ["400", "6"], done.stderr[-2000:]
