"""Planted keys never come out: in no output, report, page or file of any script.

Keys stand in the process's environment, in the client's configuration, in rows of the dataset, in
the replies of the model and in a training file. The whole ladder is walked over them once, and
everything that it printed and wrote is searched. A key may stay only where its owner put it, and
in the verbatim copies of rows and replies, which the package gate then refuses to publish.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lab.cli.secrets import MASK, conceal, find_secrets, given, masked
from lab.cli.untrusted import excerpt
from ladder import WORD_PROBLEMS
from run_script import SCRIPTS, Ran, run_script
from servers.prime_api import PrimeApi
from servers.scripted import Scripted
from trained import started_run

ENVIRONMENT = {
    "PRIME_API_KEY": "an-ordinary-looking-value-000111",
    "HF_TOKEN": "hf_EnvironmentCanary" + "a1" * 12,
    "OPENAI_API_KEY": "sk-proj-EnvironmentCanary" + "b2" * 16,
    "WANDB_API_KEY": "0123456789abcdef" * 2 + "01234567",
    "SOME_SERVICE_TOKEN": "neither-prefix-nor-form-424242",
    "DATABASE_PASSWORD": "correct-horse-battery-77",
}
CONFIG = "key-of-the-config-file-8899"
ROWS = [
    "hf_RowCanary" + "c3" * 14,
    "sk-ant-RowCanary-" + "d4" * 16,
    "AKIAROWCANARYQWERTY1",
    "AIzaRowCanary" + "e5" * 13,
]
REPLIES = [
    "ghp_ReplyCanary" + "f6" * 14,
    "pit_ReplyCanary" + "g7" * 12,
    "xoxb-ReplyCanary-" + "h8" * 10,
]
TRAINING = ["hf_FileCanary" + "i9" * 14, "sk-FileCanary" + "j0" * 16]
PLANTED = {
    "environment": [*ENVIRONMENT.values()],
    "config": [CONFIG],
    "rows": ROWS,
    "replies": REPLIES,
    "training": TRAINING,
}

KEPT = {
    "environment": (),
    "config": (".prime/config.json",),
    "rows": ("problems.jsonl", "data/rows.jsonl", "outputs/*/traces.jsonl"),
    "replies": ("outputs/*/traces.jsonl",),
    "training": ("old.toml", "mine.toml"),
}
"""Where a key may stay: the place it was put, and verbatim copies of rows and replies."""


@dataclass
class Walked:
    folder: Path
    ran: dict[str, Ran] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)


def problems(folder: Path) -> Path:
    rows = [json.loads(line) for line in WORD_PROBLEMS.read_text().splitlines()[:24]]
    for row, key in zip(rows, ROWS, strict=False):
        row["question"] = f"The key {key} opens the shop. {row['question']}"
    path = folder / "problems.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


TRAINING_FILES = {
    "old.toml": (
        'model = "Qwen/Qwen3-4B"\nmax_steps = 10\nbatch_size = 64\n'
        'rollouts_per_example = 8\n[[env]]\nid = "someone/problems"\n[env.args]\n'
        f'api_key = "{TRAINING[0]}"\n[wandb]\nproject = "x"\nname = "{TRAINING[1]}"\n'
    ),
    "mine.toml": (
        'name = "mine"\nmax_steps = 10\n[model]\nname = "Qwen/Qwen3-4B"\n'
        f'[trainer.env_vars]\nHF_TOKEN = "{TRAINING[0]}"\n[orchestrator]\n'
        'batch_size = 64\n[[orchestrator.train.source]]\nname = "problems"\n'
        'group_size = 8\nenv.taskset.id = "someone/problems"\n'
        f'env.taskset.key = "{TRAINING[1]}"\n[inference]\n'
    ),
}


def latest(folder: Path) -> Path:
    return next((folder / "outputs").glob("*/traces.jsonl")).parent


def of_the_walk(test):
    """The walk through all scripts is long, and one worker makes it for all of these tests."""
    marks = (pytest.mark.soak, pytest.mark.timeout(3600), pytest.mark.xdist_group("secrets"))
    for mark in marks:
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def walked(tmp_path_factory) -> Walked:
    folder = tmp_path_factory.mktemp("planted")
    problems(folder)
    for name, text in TRAINING_FILES.items():
        (folder / name).write_text(text)
    walk = Walked(folder)
    golds: dict[str, str] = {}

    def reply(body: dict) -> str:
        prompt = str(body["messages"][-1]["content"])
        gold = next((gold for question, gold in golds.items() if question in prompt), "0")
        return (
            f"I found {REPLIES[len(prompt) % 3]} and use it.\n"
            f"<answer>{gold if len(prompt) % 2 else 1}</answer>\n"
            f"#### {gold if len(prompt) % 2 else 1}\n"
            f"\\boxed{{{gold if len(prompt) % 2 else 1}}}"
        )

    for line in (folder / "problems.jsonl").read_text().splitlines():
        row = json.loads(line)
        golds[row["question"]] = row["answer"].rpartition("####")[2].strip().replace(",", "")
    with PrimeApi(key=CONFIG) as api, Scripted(reply) as model:
        home = folder / "home"
        variables = {**api.environ(home), **ENVIRONMENT}
        (home / ".prime").mkdir(exist_ok=True)
        (home / ".prime" / "config.json").write_text(
            json.dumps({"api_key": CONFIG, "base_url": api.url})
        )
        api.key = ENVIRONMENT["PRIME_API_KEY"]

        def run(name: str, *args: object, log: str = "", **more: str) -> Ran:
            label = f"{len(walk.ran)}_{log or name}"
            page = () if name == "workflow" else ("--html", f"{label}.html")
            walk.ran[label] = run_script(name, *args, *page, cwd=folder, env={**variables, **more})
            return walk.ran[label]

        run("preflight", "--json")
        api.key = CONFIG
        run("preflight", "--online", "--json", log="by_the_config_file", PRIME_API_KEY="")
        api.key = ENVIRONMENT["PRIME_API_KEY"]
        run("inspect_dataset", "problems.jsonl", "--out", "profile.json")
        run("inspect_dataset", "problems.jsonl", "--full", "--json", log="inspect_json")
        run("new_environment", "problems", "--profile", "profile.json")
        place = folder / "environments" / "problems"
        run("test_reward", place, "--examples", 6)
        run(
            "run_eval",
            place,
            "-m",
            "a-model",
            "--base-url",
            model.url,
            "--api-key-var",
            "OPENAI_API_KEY",
            "-n",
            24,
            "-r",
            4,
        )
        run("check_reward_distribution")
        run("check_reward_distribution", "--json", log="distribution_json")
        run("push_environment", place, "--visibility", "PRIVATE", "--yes")
        run("submit_training", "--env", "someone/problems", "--local", place, "--dry-run")
        run(
            "submit_training",
            "--env",
            "someone/problems",
            "--local",
            place,
            "--dry-run",
            "--json",
            log="submit_json",
            PRIME_API_KEY="",
        )
        run("submit_training", "--config", "mine.toml", "--dry-run", log="submit_own_file")
        run("submit_training", "--config", "mine.toml", "--yes", log="submit_own_file_yes")
        run("submit_training", "--convert", "old.toml", log="convert")
        run("submit_training", "--config", "mine.toml", "--fix", log="fix")
        run("export_sft", latest(folder), "--out", "warmup", "--min-reward", 0.5)
        copied = shutil.copytree(latest(folder), folder / "outputs" / "again")
        run("compare_evals", latest(folder), copied, "--markdown", "table.md")
        started = started_run(api, reply=f"Use {REPLIES[0]} or {ENVIRONMENT['OPENAI_API_KEY']}.")
        run("monitor_training", started, "--step", 30)
        api.fault(
            "GET",
            "/rft/runs",
            status=401,
            detail=f"the key {ENVIRONMENT['PRIME_API_KEY']} is not known",
        )
        run("submit_training", "--env", "someone/elses", "--yes", log="submit_refused")
        run("audit_environments", place, "--no-install", "--examples", 4, "--budget", 5)
        run("review_reward", place)
        run("workflow", "status", place)
        walk.requests = [json.dumps(request.body, default=str) for request in api.requests]
        walk.ran["sent to the platform"] = Ran(0, "\n".join(walk.requests), "")
    return walk


@of_the_walk
def test_the_walk_went_far_enough_to_have_met_the_keys(walked):
    codes = {label.partition("_")[2] or label: ran.code for label, ran in walked.ran.items()}
    assert codes["inspect_dataset"] in (0, 1) and codes["new_environment"] == 0, walked.ran[
        "4_new_environment"
    ].out
    assert codes["test_reward"] in (0, 4), walked.ran["5_test_reward"].out
    assert codes["run_eval"] == 0, walked.ran["6_run_eval"].out + walked.ran["6_run_eval"].err
    traces = next((walked.folder / "outputs").glob("*/traces.jsonl")).read_text()
    assert all(key in traces for key in REPLIES) and ROWS[0] in traces
    assert MASK in walked.ran["2_inspect_dataset"].out, "the key in a row's excerpt is shown masked"
    assert MASK in "".join(ran.out for ran in walked.ran.values() if "submit" in ran.out)
    assert not [
        label
        for label, ran in walked.ran.items()
        if "Traceback" in ran.err or "run.crashed" in ran.out
    ]


@of_the_walk
@pytest.mark.parametrize("source", PLANTED)
def test_no_planted_key_in_any_output(walked, source):
    for label, ran in walked.ran.items():
        for key in PLANTED[source]:
            assert key not in ran.out, f"{source} key in the output of {label}"
            assert key not in ran.err, f"{source} key on stderr of {label}"


@of_the_walk
@pytest.mark.parametrize("source", PLANTED)
def test_no_planted_key_in_any_file_but_its_own(walked, source):
    for path in walked.folder.rglob("*"):
        if not path.is_file() or any(path.match(pattern) for pattern in KEPT[source]):
            continue
        data = path.read_bytes()
        for key in PLANTED[source]:
            assert key.encode() not in data, f"{source} key in {path.relative_to(walked.folder)}"


@of_the_walk
def test_a_package_with_keys_in_its_rows_is_not_published(walked):
    pushed = next(ran for label, ran in walked.ran.items() if "push_environment" in label)
    assert pushed.code == 1
    assert "package.secrets" in pushed.out


def test_masking_takes_forms_and_given_values_and_leaves_the_rest(monkeypatch):
    assert masked(f"a {ROWS[0]} b {REPLIES[2]}") == f"a {MASK} b {MASK}"
    assert (
        masked("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nafter")
        == f"{MASK}\nafter"
    )
    conceal("what-I-was-told")
    assert masked("key what-I-was-told.") == f"key {MASK}."
    plain = "the key is under the mat; token budget 1024; sk-learn; hf_hub; password = input()"
    assert masked(plain) == plain
    assert given(
        {
            "A_TOKEN": "/var/run/a/path/token",
            "B_KEY": "short",
            "C_SECRET": "has spaces in it all",
            "D_KEY": "0123456789ab",
        }
    ) == {"0123456789ab"}


def test_a_limit_never_leaves_half_a_key():
    key = ROWS[0]
    for start in range(0, 300, 7):
        shown = excerpt("x" * start + " " + key + " tail" * 80, 120)
        assert "RowCanary" not in shown, start
        assert not re.search(r"hf_\w", shown)


def test_every_planted_form_is_one_that_the_gates_know():
    for key in [*ROWS, *REPLIES, *TRAINING]:
        assert list(find_secrets(key)), key


@of_the_walk
def test_no_script_is_left_out(walked):
    named = {label.partition("_")[2] for label in walked.ran}
    assert {path.stem for path in SCRIPTS.glob("*.py")} <= named
