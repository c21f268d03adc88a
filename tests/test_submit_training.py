"""submit_training.py without the platform: what it writes, and what stops it."""

from __future__ import annotations

import tomllib

import pytest

from lab.training.defaults import billions, sequence_length
from publishable import pass_the_ladder, record_failed_or_stale, write_environment
from submissions import SLUG, submit

pytestmark = pytest.mark.usefixtures("fresh_state")


class TestWithoutANetwork:
    def test_a_dry_run_writes_the_file_and_skips_what_it_cannot_ask(self, tmp_path):
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert ran.code == 0 and ran.report["verdict"] == "pass", ran.out
        for id in ("hub.environment", "hub.model", "cost.estimate"):
            assert ran.finding(id)["status"] == "skip" and ran.finding(id)["evidence"]
        facts = ran.report["facts"]
        assert (
            set(facts) >= {"config", "environment", "model", "cost", "run_id"}
            and facts["run_id"] is None
        )
        assert facts["config"] == "configs/rl/little-sums.toml" and facts["cost"]["gpus"] == 2
        assert f"--env {SLUG}" in ran.report["next"] and not {"--yes", "--dry-run"} & set(
            ran.report["next"].split()
        )
        assert "after the user's yes" in facts["ask_first"]

    def test_a_placeholder_for_the_account_is_named_and_never_sent(self, tmp_path):
        ran = submit(tmp_path, None, "--env", "OWNER/little-sums", "--dry-run")
        assert ran.finding("hub.account")["status"] == "warn"
        ran = submit(tmp_path, None, "--env", "OWNER/little-sums", "--yes")
        assert ran.code == 2
        assert "--env ACCOUNT/little-sums" in ran.finding("input.placeholder")["fix"]

    def test_the_written_file_has_todays_form(self, tmp_path):
        submit(
            tmp_path,
            None,
            "--env",
            SLUG,
            "--dry-run",
            "--steps",
            40,
            "--batch",
            64,
            "--rollouts",
            8,
            "--tokens",
            512,
        )
        data = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())
        assert (
            isinstance(data["model"], dict)
            and "env" not in data
            and {"trainer", "orchestrator", "inference"} <= set(data)
        )
        assert (
            data["max_steps"] == 40
            and data["orchestrator"]["batch_size"] == 64
            and data["ckpt"]["interval"] == 10
        )
        assert "group_size" not in data["orchestrator"] and "group_size" not in {
            k: v for k, v in data["orchestrator"]["train"].items() if k != "source"
        }
        [source] = data["orchestrator"]["train"]["source"]
        assert source["group_size"] == 8 and source["env"]["taskset"] == {"id": SLUG}
        assert source["env"]["agent"] == {
            "harness": {"id": "null"},
            "runtime": {"type": "subprocess"},
        }

    def test_the_splits_of_a_local_taskset_are_used(self, tmp_path):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, simulated=True)
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert ran.code == 0 and ran.finding("gate.simulated_only")["status"] == "warn"
        assert ran.finding("config.taskset_args")["status"] == "pass"
        orchestrator = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())[
            "orchestrator"
        ]
        assert orchestrator["train"]["source"][0]["env"]["taskset"]["split"] == "train"
        assert orchestrator["eval"]["source"][0]["env"]["taskset"]["split"] == "eval"

    def test_measurements_shape_the_run(self, tmp_path):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, tokens=(700, 900), plan={"suggested_group_size": 32})
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        data = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())
        assert data["orchestrator"]["train"]["source"][0]["group_size"] == 32
        assert (
            data["orchestrator"]["train"]["sampling"]["max_completion_tokens"] == 2048
            and data["seq_len"] == 4096
        )
        assert (
            ran.report["facts"]["cost"]["tokens_per_rollout"] == [765, 1260]
            and ran.report["facts"]["cost"]["measured"]
        )

    def test_a_rollout_of_several_turns_has_room_before_a_model_was_evaluated(self, tmp_path):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, simulated=True, tokens=(700, 90), turns=2)
        submit(tmp_path, None, "--env", SLUG, "--dry-run")
        data = tomllib.loads((tmp_path / "configs/rl/little-sums.toml").read_text())
        assert (
            data["orchestrator"]["train"]["source"][0]["env"]["agent"]["max_turns"] == 5
            and data["seq_len"] == 8192
        )
        assert data["orchestrator"]["train"]["sampling"]["max_completion_tokens"] == 1024, (
            "its tokens say nothing about a model's"
        )

    def test_another_model_than_the_evaluated_one_is_told(self, tmp_path):
        pass_the_ladder(write_environment(tmp_path / "environments"), model="Qwen/Qwen3-1.7B")
        other = submit(tmp_path, None, "--env", SLUG, "--dry-run", "--model", "Qwen/Qwen3-8B")
        assert (
            other.finding("gate.simulated_only")["status"] == "warn"
            and "Qwen3-1.7B" in other.finding("gate.simulated_only")["evidence"]
        )
        same = submit(tmp_path, None, "--env", SLUG, "--dry-run", "--model", "Qwen/Qwen3-1.7B")
        assert same.finding("gate.simulated_only")["status"] == "pass"

    def test_a_folder_that_only_records_name_is_said_to_be_that(self, tmp_path):
        elsewhere = write_environment(tmp_path / "elsewhere")
        record_failed_or_stale(elsewhere, "failed")
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        gate = ran.finding("gate.earlier_steps")
        assert gate["status"] == "fail" and "found by its name in the records" in gate["evidence"]
        assert "--local ITS_FOLDER" in gate["fix"]
        named = submit(tmp_path, None, "--env", SLUG, "--local", elsewhere, "--dry-run")
        assert "records of this machine" not in named.finding("gate.earlier_steps")["evidence"]

    def test_a_dry_run_past_a_missing_step_writes_the_file_and_fails(self, tmp_path):
        write_environment(tmp_path / "environments")
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert ran.code == 1 and ran.finding("gate.earlier_steps")["status"] == "fail"
        assert "test_reward.py" in ran.report["next"]
        assert ran.report["facts"]["config"] == "configs/rl/little-sums.toml"
        assert (tmp_path / "configs/rl/little-sums.toml").is_file()
        sent = submit(tmp_path, None, "--env", SLUG, "--yes")
        assert sent.code == 1 and sent.finding("gate.earlier_steps")["status"] == "fail"

    @pytest.mark.parametrize(
        ("flags", "id"),
        [
            (("--rollouts", 1), "config.group_size"),
            (("--batch", 100), "config.batch_divisible"),
            (("--tokens", 8), "config.completion_tokens"),
        ],
    )
    def test_flags_that_ruin_a_run_are_a_failure(self, tmp_path, flags, id):
        ran = submit(tmp_path, None, "--env", SLUG, "--dry-run", *flags)
        assert (
            ran.code == 1
            and ran.finding(id)["status"] == "fail"
            and not (tmp_path / "configs").exists()
        )

    def test_an_edited_file_is_not_overwritten(self, tmp_path):
        submit(tmp_path, None, "--env", SLUG, "--dry-run")
        file = tmp_path / "configs/rl/little-sums.toml"
        unchanged = submit(tmp_path, None, "--env", SLUG, "--dry-run", "--steps", 40)
        assert unchanged.code == 0 and "max_steps = 40" in file.read_text(), (
            "our own unedited file may be replaced"
        )
        file.write_text(file.read_text() + "# mine\n")
        refused = submit(tmp_path, None, "--env", SLUG, "--dry-run")
        assert (
            refused.code == 2
            and refused.finding("input.would_overwrite")["fix"]
            and file.read_text().endswith("# mine\n")
        )
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
            (("--env", SLUG, "--nodes", "2"), "input.arguments"),
            (("--env", SLUG, "--self-hosted", "b", "--yes"), "input.arguments"),
            (("--env", SLUG, "--self-hosted"), "input.arguments"),
            (("--config", "absent.toml", "--self-hosted", "b"), "input.arguments"),
            (("--config", "absent.toml", "--plan", "b.toml"), "input.arguments"),
            (("--plan", "b.toml", "--model", "m"), "input.arguments"),
            (("--plan", "absent.toml"), "input.missing_file"),
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


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        ("Qwen/Qwen3-4B-Instruct-2507", (4, 4)),
        ("Qwen/Qwen3-30B-A3B", (30, 3)),
        ("Qwen/Qwen3-0.6B", (0.6, 0.6)),
        ("google/gemma-4-E2B-it", (2, 2)),
        ("meta-llama/Llama-3.2-1B-Instruct", (1, 1)),
        ("someone/mine", (None, None)),
    ],
)
def test_sizes_are_read_from_names(model, sizes):
    assert billions(model) == sizes


def test_the_sequence_holds_prompt_and_turns():
    assert (
        sequence_length(512, 1, 1024) == 2048
        and sequence_length(512, 1, 1537) == 4096
        and sequence_length(100, 8, 1024) == 16384
    )
