"""export_sft.py: what becomes a row, and what a trainer then makes of it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from marks import soak
from sft_rollouts import TOOL, TRAIN, WORDS, all_rows, export, failed, rows, solved, words
from sft_trainer import drop_nulls, load, processed, write_tokenizer
from traces import episode, node, task, write_run


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory) -> Path:
    return write_tokenizer(tmp_path_factory.mktemp("tokenizer"))


def tool_rollout(i: int) -> dict[str, Any]:
    call = {
        "id": f"c{i}",
        "type": "function",
        "name": "add",
        "arguments": json.dumps({"a": i, "b": None, "note": "ü"}),
    }
    nodes = [
        node("system", "You may add."),
        node("user", f"Add {i} and {i}, please.", parent=0),
        node(
            "assistant",
            None,
            parent=1,
            sampled=True,
            reasoning_content=f"I should add {i}.",
            tool_calls=[call],
        ),
        node("tool", f"the sum of task {i} is known", parent=2, tool_call_id=f"c{i}"),
        node("assistant", f"{words(i)}\n#### {2 * i}", parent=3, sampled=True),
    ]
    return episode(
        task(i, prompt=f"Add {i} and {i}, please."), correct=1.0, nodes=nodes, tools=[TOOL]
    )


def turns_rollout(i: int) -> dict[str, Any]:
    nodes = [node("user", f"Guess number {i}.")]
    for turn in range(3):
        nodes.append(
            node(
                "assistant",
                f"{words((i, turn), 6)} guess {turn}",
                parent=len(nodes) - 1,
                sampled=True,
            )
        )
        nodes.append(node("user", f"Higher than {turn}.", parent=len(nodes) - 1))
    nodes.append(node("assistant", f"It is {2 * i}.", parent=len(nodes) - 1, sampled=True))
    return episode(task(i, prompt=f"Guess number {i}."), correct=1.0, nodes=nodes)


@pytest.mark.parametrize(
    "make",
    [
        soak(solved, id="one-turn"),
        pytest.param(tool_rollout, id="tools"),
        pytest.param(turns_rollout, id="multi-turn"),
    ],
)
def test_every_row_is_what_the_trainer_reads_and_keeps_every_message(tmp_path, tokenizer, make):
    episodes = [make(i) for i in range(40)]
    write_run(tmp_path / "run", episodes, config=TRAIN)
    ran = export(tmp_path, "run", "--out", "out", "--heldout", "0.2", "--tokenizer", tokenizer)
    assert ran.code == 0, ran.out
    config = tomllib.loads((tmp_path / ran.report["facts"]["config"]).read_text())
    assert config["data"]["name"] == "out" and config["renderer"]["name"] == "qwen3"
    assert config["data"]["loss_mask"] == {
        "system": False,
        "user": False,
        "assistant": True,
        "tool": False,
    }
    by_question = {}
    for split, table in (("train", config["data"]), ("validation", config["val"]["data"])):
        loaded = load(tmp_path / "out", table["splits"][0], tmp_path / "cache")
        assert len(loaded) == len(rows(tmp_path / "out", split))
        for row in loaded:
            whole, trained = processed(row, tokenizer, table["seq_len"])
            messages = drop_nulls(row["messages"])
            by_question[messages[-1]["content"]] = messages
            for message in messages:
                if message["role"] == "assistant":
                    assert message["content"] in trained
                else:
                    assert message["content"] in whole and message["content"] not in trained
    assert len(by_question) == 40
    for one in episodes:
        nodes = [n["message"] for n in one["traces"][0]["nodes"]]
        kept = by_question[nodes[-1]["content"]]
        assert [(m["role"], m["content"]) for m in kept] == [
            (m["role"], m["content"] or "") for m in nodes
        ]
        assert [m.get("reasoning_content") for m in kept] == [
            m.get("reasoning_content") for m in nodes
        ]
        for given, saved in zip(nodes, kept, strict=True):
            calls = [(c["id"], c["name"], c["arguments"]) for c in given.get("tool_calls") or []]
            assert [
                (c["id"], c["function"]["name"], c["function"]["arguments"])
                for c in saved.get("tool_calls") or []
            ] == calls


def test_a_game_that_asks_the_same_for_every_secret_has_as_many_tasks_as_secrets(tmp_path):
    def game(i: int) -> dict[str, Any]:
        return episode(
            task(i, prompt="Guess my word.", answer=WORDS[i]), f"{words(i)} {WORDS[i]}", correct=1.0
        )

    write_run(tmp_path / "run", [game(i) for i in range(12)], config=TRAIN)
    write_run(tmp_path / "eval", [game(i) for i in range(3)])
    facts = export(tmp_path, "run", "--out", "out").report["facts"]
    assert facts["rows"] == facts["tasks"] == 12 and facts["left_out"] == {}
    facts = export(
        tmp_path, "run", "--out", "other", "--config", "other.toml", "--not-in", "eval"
    ).report["facts"]
    assert facts["left_out"] == {"evaluation_task": 3} and facts["rows"] == 9


def test_held_out_rows_share_no_task_with_training_rows(tmp_path):
    write_run(tmp_path / "run", [solved(i, r) for i in range(60) for r in range(3)], config=TRAIN)
    facts = export(tmp_path, "run", "--out", "out", "--heldout", "0.2").report["facts"]
    train, heldout = (
        {row["messages"][0]["content"] for row in rows(tmp_path / "out", split)}
        for split in ("train", "validation")
    )
    assert train and heldout and not train & heldout
    assert facts["heldout_rows"] == 0.2 * facts["rows"]


def test_a_branched_trace_gives_one_row_per_branch_and_no_abandoned_compaction(tmp_path):
    def branched(i: int) -> dict[str, Any]:
        nodes = [
            node("user", f"What is {i} plus {i}?"),
            node("assistant", f"{words((i, 'a'))} first", parent=0, sampled=True),
            node("user", f"summary {words((i, 's'))}"),
            node("assistant", f"{words((i, 'b'))} #### {2 * i}", parent=2, sampled=True),
            node("assistant", f"{words((i, 'c'))} abandoned", parent=1, sampled=True),
        ]
        nodes[4]["semantic_parents"] = [{"node": 1, "type": "compaction_attempt"}]
        return episode(task(i), correct=1.0, nodes=nodes)

    write_run(tmp_path / "run", [branched(i) for i in range(20)], config=TRAIN)
    ran = export(tmp_path, "run", "--out", "out")
    assert ran.report["facts"]["rows"] == 40 - 20, (
        "node 1 is no leaf: its only continuation was abandoned"
    )
    assert not any(
        "abandoned" in row["messages"][-1]["content"] for row in all_rows(tmp_path / "out")
    )


def test_easy_tasks_are_at_most_half_of_the_rows_and_none_is_lost_for_it(tmp_path):
    episodes = [solved(i, r) for i in range(30) for r in range(4)]
    episodes += [(solved if r == 0 else failed)(i, r) for i in range(30, 70) for r in range(4)]
    write_run(tmp_path / "run", episodes, config=TRAIN)
    facts = export(tmp_path, "run", "--out", "out").report["facts"]
    assert facts["difficulty"]["easy"] == 40 == facts["rows"] - facts["difficulty"]["easy"]
    easy = {row["task"] for row in all_rows(tmp_path / "out") if row["difficulty"] == "easy"}
    assert len(easy) == 30


def test_classic_logs_with_tool_calls_in_strings(tmp_path):
    call = json.dumps(
        {"id": "c", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
    )
    lines = [
        {
            "example_id": i,
            "prompt": [{"role": "user", "content": f"q{i}"}],
            "answer": "1",
            "reward": 1.0,
            "error": None,
            "is_truncated": False,
            "metrics": {"correct": 1.0},
            "completion": [
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "content": "2", "tool_call_id": "c"},
                {"role": "assistant", "content": words(i)},
            ],
        }
        for i in range(20)
    ]
    (tmp_path / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = export(tmp_path, "results.jsonl", "--out", "out")
    assert ran.code == 0
    assert ran.finding("warmup.split")["status"] == "warn"
    assert all(
        row["messages"][1]["tool_calls"][0]["function"]["name"] == "add"
        for row in all_rows(tmp_path / "out")
    )


def test_nothing_of_the_users_is_overwritten_and_a_second_run_is_the_same(tmp_path):
    write_run(tmp_path / "run", [solved(i, r) for i in range(20) for r in range(2)], config=TRAIN)
    assert export(tmp_path, "run", "--out", "out").code == 0
    first = {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*.jsonl")}
    again = export(tmp_path, "run", "--out", "out")
    assert again.code == 2 and again.report["findings"][-1]["id"] == "input.exists"
    other = export(tmp_path, "run", "--out", "other")
    assert other.code == 2, "the training file is there too"
    assert not (tmp_path / "other").exists()
    assert export(tmp_path, "run", "--out", "out", "--overwrite").code == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*.jsonl")} == first


def test_no_rows_write_nothing_and_say_what_to_do(tmp_path):
    write_run(tmp_path / "run", [failed(i) for i in range(20)], config=TRAIN)
    ran = export(tmp_path, "run", "--out", "out", "--min-reward", "1")
    assert ran.code == 1
    assert "--repair-format" in ran.finding("warmup.rows")["fix"]
    assert not (tmp_path / "out").exists()
    assert (
        export(tmp_path, "run", "--out", "out").report["findings"][-1]["id"] == "input.min_reward"
    )


def test_long_rows_are_left_out_and_the_length_fits_the_rest(tmp_path, tokenizer):
    episodes = [solved(i) for i in range(20)] + [
        episode(task(50), f"{words(1, 4000)} #### 100", correct=1.0)
    ]
    write_run(tmp_path / "run", episodes, config=TRAIN)
    facts = export(
        tmp_path, "run", "--out", "out", "--max-length", "2000", "--tokenizer", tokenizer
    ).report["facts"]
    assert facts["left_out"]["longer_than_limit"] == 1
    assert facts["tokens"]["max"] <= facts["seq_len"] <= 2048
