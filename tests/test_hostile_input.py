"""Inputs that once ended a script as a defect of its own, one by one: what is wrong with a file is
said of the file, a name in it leads nowhere else, and what can be read is read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.damaged_inputs.declared import CASES, ENVIRONMENT, EXAMPLES
from benchmarks.damaged_inputs.inputs import Input
from benchmarks.damaged_inputs.originals import METADATA, classic, episodes, rows, tables
from benchmarks.damaged_inputs.run import results
from lab.cli.login import read_login
from lab.cli.report import LabError
from lab.cli.report.page import CSP
from lab.platform.submission.evaluated import traced
from publishable import write_environment
from run_script import run_script

DEEP = "[" * 100_000 + "]" * 100_000


def lines(of: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in of).encode()


def reward_files(*words: str, **files: str) -> Input:
    return Input(
        "reward_files",
        ("env", *words),
        {**ENVIRONMENT, **{name.replace("__", "/"): text.encode() for name, text in files.items()}},
    )


def cases(**changed: Any) -> Input:
    """Cases of which the first has other values."""
    text = json.dumps([{**CASES[0], **changed}, *CASES[1:]])
    return reward_files("--custom", "cases.json", **{"cases.json": text})


def contract(text: str, name: str = "contract.toml") -> Input:
    return reward_files(**{f"env__{name}": text})


def log(name: str, of: list[Any], **notes: str) -> Input:
    """A log of rollouts, with notes of these names beside it."""
    files = {f"run/{note}.json": text.encode() for note, text in notes.items()}
    words = ("--results", "run")
    return Input("check_reward_distribution", words, {f"run/{name}.jsonl": lines(of), **files})


def one_trace(**changed: Any) -> list[Any]:
    """Episodes of which the first trace has values of another type."""
    made = json.loads(json.dumps(episodes()))
    made[0]["traces"][0].update(changed)
    return made


def rewarded(*rewards: Any) -> list[Any]:
    made = json.loads(json.dumps(classic()))
    for row, reward in zip(made, rewards, strict=False):
        row["reward"] = reward
    return made


def wide() -> Input:
    """A column whose name has 100,000 characters."""
    made = [{**row, "n" * 100_000: n} for n, row in enumerate(rows())]
    return Input("inspect_dataset", ("rows.jsonl",), {"rows.jsonl": lines(made)})


def saved(name: str, text: str) -> Input:
    files = {
        "set/dataset_dict.json": b'{"splits": ["train"]}',
        "set/train/state.json": b'{"_data_files": [{"filename": "a.arrow"}]}',
        "set/train/a.arrow": tables()["stream-None.arrow"],
    }
    return Input("inspect_dataset", ("set",), {**files, name: text.encode()})


def surrogate() -> Input:
    made = [{**row, "question": f"{row['question']} \ud800"} for row in rows()]
    return Input("inspect_dataset", ("rows.jsonl", "--full"), {"rows.jsonl": lines(made)})


REFUSED = {
    "deep cases": lambda: reward_files("--custom", "cases.json", **{"cases.json": DEEP}),
    "a case that no reward can meet": lambda: cases(expected=float("nan")),
    "a case beyond what a float holds": lambda: cases(expected=10**400),
    "a case whose messages are none": lambda: cases(completion=[1, None]),
    "a deep contract": lambda: contract(f"[reward]\nrange = {DEEP}\n"),
    "a deep example": lambda: reward_files("--example", "e.json", **{"e.json": DEEP}),
    "an example that earns no number": lambda: reward_files(
        "--example", "e.json", **{"e.json": json.dumps([{**EXAMPLES[0], "earns": -1e308}])}
    ),
    "a policy of other types": lambda: contract('[reward]\njudge_band = ["a"]\n', "policy.toml"),
    "a number of rows below 0": lambda: Input(
        "new_environment",
        ("sums", "--profile", "p.json", "--max-rows", "-1"),
        {"p.json": b"{}"},
    ),
    "a plan whose name leads outside": lambda: Input(
        "submit_training",
        ("--plan", "p.toml", "--dry-run"),
        {"p.toml": b'[plan]\nname = "../../x"\n[[train]]\nenv = "a/b"\n'},
        ("configs",),
    ),
    "a package whose name leads outside": lambda: Input(
        "workflow",
        ("status", "env"),
        {**ENVIRONMENT, "env/pyproject.toml": b'[project]\nname = "../../x/little-sums"\n'},
        ("state",),
    ),
}
READ = {
    "deep notes of a log": lambda: log("results", classic(), metadata=DEEP),
    "deep notes of ours": lambda: log("traces", episodes(), prime_lab=DEEP),
    "deep metrics": lambda: Input(
        "monitor_training",
        ("job",),
        {"job/metrics.jsonl": lines([{"step": n, "loss": 1.0} for n in range(9)]) + DEEP.encode()},
    ),
    "a trace of other types": lambda: log(
        "traces", one_trace(rewards=[1], nodes=3, calls="x", task=7)
    ),
    "rewards at the end of the scale": lambda: log(
        "results", rewarded(-1e308, 1e308, 10**400, -(10**400))
    ),
    "settings beyond counting": lambda: log(
        "results", classic(), metadata=json.dumps({**METADATA, "rollouts_per_example": 10**400})
    ),
    "a column with a long name": wide,
    "a lone surrogate in every row": surrogate,
    "splits that are no names": lambda: saved("set/dataset_dict.json", '{"splits": [1, null]}'),
    "splits that lie elsewhere": lambda: saved("set/dataset_dict.json", '{"splits": ["../x"]}'),
    "files that are no names": lambda: saved(
        "set/train/state.json", '{"_data_files": [{"filename": 3}]}'
    ),
    "a deep list of splits": lambda: saved("set/dataset_dict.json", DEEP),
}


def test_what_is_wrong_with_a_file_is_said_of_the_file():
    made = [*REFUSED.items(), *READ.items()]
    for number, _, ended, found in results(range(len(made)), make=lambda n: made[n][1]()):
        name = made[number][0]
        assert found == [], (name, found)
        report = json.loads(ended.out)
        if name in REFUSED:
            (one,) = report["findings"]
            assert ended.code == 2 and one["id"].startswith("input."), (name, report)
            assert one["id"] != "input.too_deep", f"{name}: the message names no file"
        else:
            assert report["verdict"] != "error", (name, report["findings"])


def test_a_package_is_not_written_elsewhere_by_its_name(tmp_path):
    outside = tmp_path / "outside" / "little-sums"
    place = write_environment(tmp_path / "inside")
    project = (place / "pyproject.toml").read_text()
    (place / "pyproject.toml").write_text(project.replace('"little-sums"', f'"{outside}"', 1))
    for name, *words in (
        ("test_reward", place),
        ("review_reward", place),
        ("run_eval", place, "--simulate", "skill=0.5", "--force", "a test"),
        ("push_environment", place, "--check-only"),
    ):
        ran = run_script(name, *words, "--json", "--quiet", cwd=tmp_path)
        assert ran.code == 2 or (name == "push_environment" and ran.code == 1), (name, ran.out)
        assert "project.name" in ran.out, (name, ran.out)
    assert not outside.parent.exists()


CALLS = [1, {"usage": 2}, {"usage": {"completion_tokens": "x"}}]


@pytest.mark.parametrize(
    "line",
    [
        {"traces": 7},
        {"traces": [3, {"calls": 1}, {"calls": CALLS}]},
        {"traces": [{"calls": [{"usage": {"completion_tokens": 10**400}}]}]},
        ["traces"],
    ],
)
def test_tokens_are_counted_of_what_can_be_read(tmp_path, line):
    good = {"traces": [{"calls": [{"usage": {"prompt_tokens": 10, "completion_tokens": 4}}]}]}
    log = tmp_path / "traces.jsonl"
    log.write_text(f"{json.dumps(line)}\n{json.dumps(good)}\n{DEEP}\n")
    found = traced(tmp_path)
    assert found["completion_tokens"] == 4 and found["prompt_tokens"] == 10


@pytest.mark.parametrize("text", [DEEP, "[]", '{"api_key": 5, "inference_url": 7, "team_id": []}'])
def test_a_damaged_login_is_no_login(tmp_path, text):
    (tmp_path / ".prime").mkdir()
    (tmp_path / ".prime" / "config.json").write_text(text)
    found = read_login({"HOME": str(tmp_path)})
    assert not found and found.problem and found.inference.startswith("https://")


def test_a_file_of_settings_that_is_a_pipe_is_not_waited_for(tmp_path):
    place = write_environment(tmp_path)
    os.mkfifo(tmp_path / "pipe.toml")
    for words in (
        ("test_reward", place, "--contract-file", "pipe.toml"),
        ("test_reward", place, "--example", "pipe.toml"),
        ("run_eval", "--suite", "pipe.toml"),
        ("submit_training", "--plan", "pipe.toml", "--dry-run"),
        ("submit_training", "--config", "pipe.toml", "--dry-run"),
        ("audit_environments", "pipe.toml"),
    ):
        ran = run_script(*words, "--json", "--quiet", cwd=tmp_path, timeout=60)
        assert ran.code == 2 and "pipe" in ran.out, (words, ran.out)


def test_no_script_runs_in_a_page_but_the_one_that_its_policy_names(tmp_path):
    name = "<img src=x onerror=alert(1)>"
    made = [{**row, name: "</script><script>alert(1)</script>"} for row in rows()]
    (tmp_path / "rows.jsonl").write_bytes(lines(made))
    ran = run_script("inspect_dataset", "rows.jsonl", "--html", "page.html", cwd=tmp_path)
    page = (tmp_path / "page.html").read_text()
    assert ran.code in (0, 1) and CSP in page
    assert "default-src 'none'" in CSP and "script-src 'sha256-" in CSP
    assert "unsafe" not in CSP.partition("script-src")[2].partition(";")[0]
    assert "<script>alert" not in page and "<img" not in page


def test_a_name_that_leads_outside_is_refused_before_anything_is_read(tmp_path):
    from lab.cli.pyproject import read_pyproject

    file = tmp_path / "pyproject.toml"
    for name in ("..", "/etc/x", "a/../../b", ".hidden", "a\\u0000b", "", "a "):
        file.write_text(f'[project]\nname = "{name}"\n')
        with pytest.raises(LabError) as refused:
            read_pyproject(file)
        assert "project.name" in refused.value.message
    file.write_text('[project]\nname = "Word_Problems-2.0"\n')
    assert read_pyproject(Path(file))["project"]["name"] == "Word_Problems-2.0"
