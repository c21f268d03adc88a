"""submit_training.py: what stops it, what it writes, and that one yes starts one run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from lab.prime.archive import hub_hash
from lab.training.cost import Use, estimate, trainer_speed
from lab.training.defaults import billions, sequence_length
from lab.training.file import parse
from publishable import pass_the_ladder, write_environment
from run_script import SCRIPTS, run_script
from servers.prime_api import OWNER, PrimeApi
from training_files import HOSTED

SLUG = f"{OWNER}/little-sums"


@pytest.fixture
def api():
    with PrimeApi() as running:
        yield running
        assert running.complaints == []


def submit(cwd: Path, api: PrimeApi | None, *args: object, **environ: str):
    base = api.environ(cwd / "home") if api else {"HOME": str(cwd / "home")}
    (cwd / "home").mkdir(exist_ok=True)
    return run_script("submit_training", *args, "--json", cwd=cwd, env={**base, **environ})


def runs_sent(api: PrimeApi) -> int:
    return len(api.sent("POST", "/training/runs"))


class TestWithoutANetwork:
    def test_a_dry_run_writes_the_file_and_skips_what_it_cannot_ask(self, tmp_path):
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert ran.code == 0 and ran.report["verdict"] == "pass", ran.out
        for id in ("hub.environment", "hub.model", "cost.estimate"):
            assert ran.finding(id)["status"] == "skip" and ran.finding(id)["evidence"]
        facts = ran.report["facts"]
        assert set(facts) >= {"config", "environment", "model", "cost", "run_id"} and facts["run_id"] is None
        assert facts["config"] == "configs/rl/little-sums.toml" and facts["cost"]["gpus"] == 2
        assert f"--env {SLUG}" in ran.report["next"] and not {"--yes", "--dry-run"} & set(ran.report["next"].split())
        assert "after the user's yes" in facts["ask_first"]

    def test_the_written_file_has_todays_form(self, tmp_path):
        submit(tmp_path, None, "--env", SLUG, "--dry-run", "--steps", 40, "--batch", 64, "--rollouts", 8, "--tokens", 512)
        data = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())
        assert isinstance(data["model"], dict) and "env" not in data and {"trainer", "orchestrator", "inference"} <= set(data)
        assert data["max_steps"] == 40 and data["orchestrator"]["batch_size"] == 64 and data["ckpt"]["interval"] == 10
        assert "group_size" not in data["orchestrator"] and "group_size" not in {k: v for k, v in data["orchestrator"]["train"].items() if k != "source"}
        [source] = data["orchestrator"]["train"]["source"]
        assert source["group_size"] == 8 and source["env"]["taskset"] == {"id": SLUG}
        assert source["env"]["agent"] == {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}

    def test_the_splits_of_a_local_taskset_are_used(self, tmp_path):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, simulated=True)
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert ran.code == 0 and ran.finding("gate.simulated_only")["status"] == "warn"
        assert ran.finding("config.taskset_args")["status"] == "pass"
        orchestrator = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())["orchestrator"]
        assert orchestrator["train"]["source"][0]["env"]["taskset"]["split"] == "train"
        assert orchestrator["eval"]["source"][0]["env"]["taskset"]["split"] == "eval"

    def test_measurements_shape_the_run(self, tmp_path):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, tokens=(700, 900), plan={"suggested_group_size": 32})
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        data = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())
        assert data["orchestrator"]["train"]["source"][0]["group_size"] == 32
        assert data["orchestrator"]["train"]["sampling"]["max_completion_tokens"] == 2048 and data["seq_len"] == 4096
        assert ran.report["facts"]["cost"]["tokens_per_rollout"] == [765, 1260] and ran.report["facts"]["cost"]["measured"]

    def test_a_rollout_of_several_turns_has_room_before_a_model_was_evaluated(self, tmp_path):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, simulated=True, tokens=(700, 90), turns=2)
        submit(tmp_path, None, "--env", SLUG, "--dry-run")
        data = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())
        assert data["orchestrator"]["train"]["source"][0]["env"]["agent"]["max_turns"] == 5 and data["seq_len"] == 8192
        assert data["orchestrator"]["train"]["sampling"]["max_completion_tokens"] == 1024, "its tokens say nothing about a model's"

    def test_another_model_than_the_evaluated_one_is_told(self, tmp_path):
        pass_the_ladder(write_environment(tmp_path / "environments"), model="Qwen/Qwen3-1.7B")
        other = submit(tmp_path, None, "--env", SLUG, "--dry-run", "--model", "Qwen/Qwen3-8B")
        assert other.finding("gate.simulated_only")["status"] == "warn" and "Qwen3-1.7B" in other.finding("gate.simulated_only")["evidence"]
        same = submit(tmp_path, None, "--env", SLUG, "--dry-run", "--model", "Qwen/Qwen3-1.7B")
        assert same.finding("gate.simulated_only")["status"] == "pass"

    def test_open_steps_stop_it_before_a_file_is_written(self, tmp_path):
        write_environment(tmp_path / "environments")
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert ran.code == 1 and ran.finding("gate.earlier_steps")["status"] == "fail"
        assert "workflow.py next" in ran.report["next"]
        assert not (tmp_path / "configs").exists()

    @pytest.mark.parametrize(("flags", "id"), [(("--rollouts", 1), "config.group_size"), (("--batch", 100), "config.batch_divisible"), (("--tokens", 8), "config.completion_tokens")])
    def test_flags_that_ruin_a_run_are_a_failure(self, tmp_path, flags, id):
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run", *flags)
        assert ran.code == 1 and ran.finding(id)["status"] == "fail" and not (tmp_path / "configs").exists()

    def test_an_edited_file_is_not_overwritten(self, tmp_path):
        submit(tmp_path, None, "--env", SLUG, "--dry-run")
        file = tmp_path / "configs/rl/little-sums.toml"
        unchanged = submit(tmp_path, None, "--env", SLUG, "--dry-run", "--steps", 40)
        assert unchanged.code == 0 and "max_steps = 40" in file.read_text(), "our own unedited file may be replaced"
        file.write_text(file.read_text() + "# mine\n")
        refused = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert refused.code == 2 and refused.finding("input.would_overwrite")["fix"] and file.read_text().endswith("# mine\n")
        used = submit(tmp_path, None, "--config", "configs/rl/little-sums.toml", "--dry-run")
        assert used.code == 0 and file.read_text().endswith("# mine\n")

    @pytest.mark.parametrize(
        ("args", "id"),
        [
            ((), "input.environment"),
            (("--env", "little-sums"), "input.environment"),
            (("--env", SLUG, "--local", "nowhere"), "input.not_a_folder"),
            (("--config", "absent.toml"), "input.missing_file"),
            (("--config", "."), "input.not_a_file"),
            (("--env", SLUG, "--steps", "0"), "input.arguments"),
            (("--env", SLUG, "--max-cost", "nan"), "input.arguments"),
            (("--fix",), "input.arguments"),
            (("--convert", "a", "--self-hosted", "b"), "input.arguments"),
        ],
    )
    def test_bad_input_is_one_message_and_exit_2(self, tmp_path, args, id):
        ran = submit(tmp_path, None, *args)
        assert ran.code == 2 and ran.finding(id)["fix"] and "Traceback" not in ran.err

    @pytest.mark.parametrize("content", [b"x = [", b"\xff\xfe", b""])
    def test_a_broken_file(self, tmp_path, content):
        (tmp_path / "bad.toml").write_bytes(content)
        ran = submit(tmp_path, None, "--config", "bad.toml", "--env", SLUG, "--dry-run")
        assert ran.code in (1, 2) and "Traceback" not in ran.err

    def test_a_real_submission_needs_a_login(self, tmp_path):
        ran = submit(tmp_path, None, "--env", SLUG, "--yes")
        assert ran.code == 3 and ran.finding("prime.not_logged_in")

    def test_files_for_own_gpus(self, tmp_path):
        whole = submit(tmp_path, None, "--env", SLUG, "--self-hosted", "own", "--tools")
        assert whole.code == 0 and sorted(p.name for p in (tmp_path / "own").iterdir()) == ["RUN.md", "rl.toml"]
        data = tomllib.loads((tmp_path / "own/rl.toml").read_text())
        assert "name" not in data and data["inference"]["vllm"]["tool_call_parser"] == "hermes"
        assert data["orchestrator"]["train"]["source"][0]["env"]["taskset"]["id"] == "little-sums"
        apart = submit(tmp_path, None, "--env", SLUG, "--self-hosted", "apart", "--split", "--lora", 16)
        assert apart.code == 0, apart.out
        assert tomllib.loads((tmp_path / "apart/train.toml").read_text())["model"]["lora"]["rank"] == 16
        assert "orchestrator" not in tomllib.loads((tmp_path / "apart/orch.toml").read_text())
        nodes = submit(tmp_path, None, "--env", SLUG, "--self-hosted", "nodes", "--nodes", 4)
        assert nodes.code == 0
        assert tomllib.loads((tmp_path / "nodes/rl.toml").read_text())["deployment"] == {"type": "multi_node", "num_train_nodes": 2, "num_infer_nodes": 2}
        sheet = (tmp_path / "own/RUN.md").read_text()
        for step in ("uv run inference", "run_eval.py", 'uv run rl @ "$FILES/rl.toml"', "compare_evals.py", f"export FILES={tmp_path / 'own'}", "prime env install"):
            assert step in sheet

    def test_the_run_sheet_names_commands_that_exist_and_files_that_are_there(self, tmp_path):
        """math_python with a Qwen3 model: each line of the skill parses, each path resolves."""
        import re
        import shlex
        import shutil

        shutil.copytree(SCRIPTS.parent / "environments" / "math_python", tmp_path / "environments" / "math_python")
        ran = submit(tmp_path, None, "--env", "owner/math-python", "--self-hosted", "own", "--tools", "--tokens", 2048)
        assert ran.code == 0, ran.out
        data = tomllib.loads((tmp_path / "own/rl.toml").read_text())
        turns = data["orchestrator"]["train"]["source"][0]["env"]["agent"]["max_turns"]
        assert turns == 5 and data["seq_len"] >= turns * 2048, "a rollout with tools has several turns, and the sequence holds them"
        sheet = (tmp_path / "own/RUN.md").read_text()
        lines = re.findall(r"^    (.+)$", sheet, re.MULTILINE)
        ours = [shlex.split(line) for line in lines if "/scripts/" in line]
        assert {Path(words[1]).stem for words in ours} == {"run_eval", "check_reward_distribution", "monitor_training", "compare_evals"}
        for words in ours:
            known = subprocess.run([words[0], words[1], "--help"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
            assert {word for word in words[2:] if word.startswith("-")} <= set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", known)), words
        splits = [words[words.index("--split") + 1] for words in ours if "--split" in words]
        assert splits == ["train", "eval", "eval"] and sum("$PROJECT/environments/math_python" in line for line in lines) == 1
        assert f"export PROJECT={tmp_path}" in sheet and (tmp_path / "own" / "rl.toml").is_file()
        assert "--vllm.tool-call-parser hermes" in sheet and "/weights/step_N" not in lines


class TestWithThePlatform:
    def test_the_fast_path_starts_one_run(self, tmp_path, api):
        api.publish(SLUG)
        first = submit(tmp_path, api, "--env", SLUG, "--yes", "--max-cost", 500)
        assert first.code == 0, first.out
        run = first.report["facts"]["run_id"]
        assert list(api.runs) == [run] and f"monitor_training.py {run}" in first.report["next"]
        sent = api.sent("POST", "/training/runs")[0].body
        assert sent["name"].startswith("little-sums-") and sent["config"]["orchestrator"]["train"]["source"][0]["group_size"] == 16
        assert first.finding("hub.environment")["measured"] == "0.1.0"
        again = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert again.code == 0 and again.report["facts"]["run_id"] == run and "under way" in again.finding("run.submitted")["evidence"]
        assert runs_sent(api) == 1
        (tmp_path / "configs/rl/little-sums.run.json").unlink()
        forgotten = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert forgotten.report["facts"]["run_id"] == run and runs_sent(api) == 1, "found by its name"
        assert api.key not in first.out + first.err + (tmp_path / "configs/rl/little-sums.toml").read_text()

    def test_without_a_yes_nothing_is_sent(self, tmp_path, api):
        api.publish(SLUG)
        ran = submit(tmp_path, api, "--env", SLUG)
        assert ran.code == 2 and ran.finding("input.not_confirmed") and runs_sent(api) == 0

    def test_an_environment_that_is_not_on_the_hub(self, tmp_path, api):
        ran = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert ran.code == 1 and ran.finding("hub.environment")["status"] == "fail" and runs_sent(api) == 0

    def test_the_published_content_must_be_the_validated_one(self, tmp_path, api):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder)
        api.publish(SLUG)
        other = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert other.code == 1 and other.finding("hub.same_content")["status"] == "fail" and runs_sent(api) == 0
        api.publish(SLUG, content_hash=hub_hash(folder))
        same = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert same.code == 0 and runs_sent(api) == 1
        from lab.ledger import Ledger

        assert Ledger(folder).entry("submit_training")["run_id"] == same.report["facts"]["run_id"]

    def test_a_simulated_evaluation_is_not_enough(self, tmp_path, api):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, simulated=True)
        api.publish(SLUG, content_hash=hub_hash(folder))
        refused = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert refused.code == 1 and refused.finding("gate.simulated_only")["status"] == "fail" and api.requests == []
        forced = submit(tmp_path, api, "--env", SLUG, "--yes", "--force", "a rehearsal")
        assert forced.code == 0 and "a rehearsal" in forced.finding("gate.simulated_only")["evidence"]

    def test_the_limit_on_cost(self, tmp_path, api):
        api.publish(SLUG)
        dear = submit(tmp_path, api, "--env", SLUG, "--yes", "--max-cost", 1)
        assert dear.code == 1 and dear.finding("cost.estimate")["status"] == "fail" and runs_sent(api) == 0
        api.price = None
        unknown = submit(tmp_path, api, "--env", SLUG, "--yes", "--max-cost", 1000)
        assert unknown.code == 1 and unknown.finding("cost.estimate")["measured"] == "no price" and runs_sent(api) == 0
        named = submit(tmp_path, api, "--env", SLUG, "--dry-run", "--max-cost", 1000, "--gpu-price", 2)
        assert named.code == 0 and named.report["facts"]["cost"]["usd_per_gpu_hour"] == 2

    def test_an_interrupt_while_sending_is_settled(self, tmp_path, api):
        """Ctrl-C after the request went out: the platform is asked, and the run is known."""
        api.publish(SLUG)
        api.fault("POST", "/training/runs", slow=2.0)
        home = api.environ(tmp_path / "home")
        process = subprocess.Popen(
            [sys.executable, str(SCRIPTS / "submit_training.py"), "--env", SLUG, "--yes", "--json"],
            cwd=tmp_path, env={**os.environ, **home}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        receipt = tmp_path / "configs/rl/little-sums.run.json"
        deadline = time.monotonic() + 60
        while not (receipt.exists() and api.sent("POST", "/training/runs/prepare")) and time.monotonic() < deadline:
            time.sleep(0.02)
        while not api.faults[0].times < 10**9 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=90)
        assert "Traceback" not in err and runs_sent(api) == 1
        report = json.loads(out)
        assert process.returncode == 0 and report["facts"]["run_id"] in api.runs, out
        assert json.loads(receipt.read_text())["run_id"] in api.runs

    def test_the_users_own_file_is_sent_as_it_is(self, tmp_path, api):
        api.publish("owner/my-env")
        (tmp_path / "mine.toml").write_text(HOSTED)
        ran = submit(tmp_path, api, "--config", "mine.toml", "--yes")
        assert ran.code == 0, ran.out
        assert api.sent("POST", "/training/runs")[0].body["config"] == tomllib.loads(HOSTED)
        assert (tmp_path / "mine.toml").read_text() == HOSTED

    def test_a_version_that_is_not_published(self, tmp_path, api):
        api.publish(SLUG)
        ran = submit(tmp_path, api, "--env", f"{SLUG}@9.9.9", "--dry-run")
        assert ran.code == 1 and "9.9.9" in ran.finding("hub.environment")["evidence"]


def test_the_estimate_grows_with_what_is_asked_for():
    small, long = parse(HOSTED), parse(HOSTED.replace("max_steps = 100", "max_steps = 200"))
    one, two = estimate(small, rate=2.0), estimate(long, rate=2.0)
    assert one.usd[0] < one.usd[1] and two.usd[1] > 1.8 * one.usd[1]
    assert one.usd[1] == pytest.approx(one.gpus * one.hours[1] * 2.0)
    assert estimate(small).usd is None
    assert estimate(small, rate=2.0, use=Use(100)).usd[1] < one.usd[1]
    known = [estimate(small, rate=2.0, use=Use(tokens, 0.03, 400.0, turns)) for tokens in (150, 600, 1000) for turns in (1.0, 4.0)]
    assert all(e.usd[1] / e.usd[0] < 3.7 < one.usd[1] / one.usd[0] for e in known), "what was measured narrows the range"
    assert all("measured in the evaluation" in e.assumptions[0] for e in known) and "none were measured" in one.assumptions[0]


def test_trainer_speed_goes_through_the_published_benchmarks():
    """Tokens per second and GPU: prime-rl BENCHMARKS.md, February 2026."""
    published = {("Qwen/Qwen3-0.6B", False): 11_900, ("Qwen/Qwen3-4B", False): 26_000 / 8, ("Qwen/Qwen3-4B", True): 6_200, ("Qwen/Qwen3-30B-A3B", False): 6_100 / 8, ("Qwen/Qwen3-30B-A3B", True): 33_100 / 8}
    for (model, lora), speed in published.items():
        assert trainer_speed(model, lora=lora) == pytest.approx(speed, rel=0.01)
    speeds = [trainer_speed(f"x/Qwen3-{size}B", lora=False) for size in (0.6, 1.7, 4, 8, 14, 32)]
    assert speeds == sorted(speeds, reverse=True)


@pytest.mark.parametrize(
    ("model", "sizes"),
    [("Qwen/Qwen3-4B-Instruct-2507", (4, 4)), ("Qwen/Qwen3-30B-A3B", (30, 3)), ("Qwen/Qwen3-0.6B", (0.6, 0.6)), ("google/gemma-4-E2B-it", (2, 2)), ("meta-llama/Llama-3.2-1B-Instruct", (1, 1)), ("someone/mine", (None, None))],
)
def test_sizes_are_read_from_names(model, sizes):
    assert billions(model) == sizes


def test_the_sequence_holds_prompt_and_turns():
    assert sequence_length(512, 1, 1024) == 2048 and sequence_length(512, 1, 1537) == 4096 and sequence_length(100, 8, 1024) == 16384
