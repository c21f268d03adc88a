"""submit_training.py with the platform: what stops it there, and that one yes starts one run."""

from __future__ import annotations

import pytest

from lab.platform.prime.archive import hub_hash
from publishable import pass_the_ladder, write_environment
from servers.prime_api import OWNER, PrimeApi
from submissions import SLUG, submit
from training_files import GOOD, HOSTED, example

pytestmark = pytest.mark.usefixtures("fresh_state")


@pytest.fixture
def api():
    with PrimeApi() as running:
        yield running
        assert running.complaints == []


def runs_sent(api: PrimeApi) -> int:
    return len(api.sent("POST", "/training/runs"))


class TestWithThePlatform:
    def test_the_fast_path_starts_one_run(self, tmp_path, api):
        api.publish(SLUG)
        first = submit(tmp_path, api, "--env", SLUG, "--yes", "--max-cost", 500)
        assert first.code == 0, first.out
        run = first.report["facts"]["run_id"]
        assert list(api.runs) == [run] and f"monitor_training.py {run}" in first.report["next"]
        sent = api.sent("POST", "/training/runs")[0].body
        assert sent["name"].startswith("little-sums-")
        assert sent["config"]["orchestrator"]["train"]["source"][0]["group_size"] == 8
        assert first.finding("hub.environment")["measured"] == "0.1.0"
        written = (tmp_path / "configs/rl/little-sums.toml").read_text()
        assert api.key not in first.out + first.err + written

    @pytest.mark.soak
    def test_without_a_yes_nothing_is_sent(self, tmp_path, api):
        api.publish(SLUG)
        ran = submit(tmp_path, api, "--env", SLUG)
        assert ran.code == 2 and ran.finding("input.not_confirmed") and runs_sent(api) == 0

    @pytest.mark.soak
    def test_an_environment_that_is_not_on_the_hub(self, tmp_path, api):
        ran = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert (
            ran.code == 1
            and ran.finding("hub.environment")["status"] == "fail"
            and runs_sent(api) == 0
        )

    @pytest.mark.soak
    def test_the_published_content_must_be_the_validated_one(self, tmp_path, api):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder)
        api.publish(SLUG)
        other = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert (
            other.code == 1
            and other.finding("hub.same_content")["status"] == "fail"
            and runs_sent(api) == 0
        )
        api.publish(SLUG, content_hash=hub_hash(folder))
        same = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert same.code == 0 and runs_sent(api) == 1
        from lab.ledger.records import Ledger

        assert Ledger(folder).entry("submit_training")["run_id"] == same.report["facts"]["run_id"]

    @pytest.mark.soak
    def test_a_simulated_evaluation_is_not_enough(self, tmp_path, api):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, simulated=True)
        api.publish(SLUG, content_hash=hub_hash(folder))
        refused = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert (
            refused.code == 1
            and refused.finding("gate.simulated_only")["status"] == "fail"
            and api.requests == []
        )
        forced = submit(tmp_path, api, "--env", SLUG, "--yes", "--force", "a rehearsal")
        assert (
            forced.code == 0 and "a rehearsal" in forced.finding("gate.simulated_only")["evidence"]
        )

    @pytest.mark.long
    def test_without_a_review_a_dry_run_writes_the_file_and_a_real_one_is_refused(
        self, tmp_path, api
    ):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder, reviewed=False)
        api.publish(SLUG, content_hash=hub_hash(folder))
        dry = submit(tmp_path, api, "--env", SLUG, "--dry-run")
        assert dry.code == 0 and dry.finding("gate.blind_review")["status"] == "warn"
        assert (tmp_path / dry.report["facts"]["config"]).is_file()
        assert dry.report["next"].endswith("review_reward.py environments/little_sums")
        sent = submit(tmp_path, api, "--env", SLUG, "--yes")
        assert sent.code == 1 and sent.finding("gate.blind_review")["status"] == "fail"
        assert sent.report["next"] == dry.report["next"] and runs_sent(api) == 0
        forced = submit(tmp_path, api, "--env", SLUG, "--yes", "--force", "read by hand")
        assert forced.code == 0 and runs_sent(api) == 1
        assert "read by hand" in forced.finding("gate.blind_review")["evidence"]

    @pytest.mark.soak
    def test_the_limit_on_cost(self, tmp_path, api):
        api.publish(SLUG)
        dear = submit(tmp_path, api, "--env", SLUG, "--yes", "--max-cost", 1)
        assert (
            dear.code == 1
            and dear.finding("cost.estimate")["status"] == "fail"
            and runs_sent(api) == 0
        )
        api.price = None
        unknown = submit(tmp_path, api, "--env", SLUG, "--yes", "--max-cost", 1000)
        assert (
            unknown.code == 1
            and unknown.finding("cost.estimate")["measured"] == "no price"
            and runs_sent(api) == 0
        )
        named = submit(
            tmp_path, api, "--env", SLUG, "--dry-run", "--max-cost", 1000, "--gpu-price", 2
        )
        assert named.code == 0 and named.report["facts"]["cost"]["usd_per_gpu_hour"] == 2

    def test_a_version_that_is_not_published(self, tmp_path, api):
        api.publish(SLUG)
        ran = submit(tmp_path, api, "--env", f"{SLUG}@9.9.9", "--dry-run")
        assert ran.code == 1 and "9.9.9" in ran.finding("hub.environment")["evidence"]
        assert ran.report["next"].startswith("change what failed, then: ")
        assert ran.report["next"].endswith(f"--env {SLUG}@9.9.9 --dry-run"), "not the run"


class TestEveryEnvironmentOfTheFile:
    """What the file trains is checked, whatever --env names."""

    def test_a_second_source_that_is_not_on_the_hub(self, tmp_path, api):
        api.publish("owner/my-env")
        (tmp_path / "mine.toml").write_text(GOOD["two sources with a ratio"][0])
        ran = submit(tmp_path, api, "--config", "mine.toml", "--yes")
        found = {f["measured"]: f for f in ran.report["findings"] if f["id"] == "hub.environment"}
        assert ran.code == 1 and set(found) == {"0.1.0", "not found"} and runs_sent(api) == 0
        assert "owner/other-env" in found["not found"]["evidence"]

    def test_another_environment_than_the_file_trains(self, tmp_path, api):
        (tmp_path / "mine.toml").write_text(HOSTED)
        ran = submit(tmp_path, api, "--config", "mine.toml", "--env", SLUG, "--yes")
        assert (
            ran.code == 2 and "owner/my-env" in ran.finding("input.other_environment")["evidence"]
        )

    def test_gates_count_for_the_environment_in_the_file(self, tmp_path, api):
        write_environment(tmp_path / "environments")
        api.publish(SLUG)
        (tmp_path / "mine.toml").write_text(HOSTED.replace("owner/my-env", SLUG))
        ran = submit(tmp_path, api, "--config", "mine.toml", "--yes")
        assert ran.code == 1 and SLUG in ran.finding("gate.earlier_steps")["evidence"]
        assert runs_sent(api) == 0

    def test_gates_count_from_any_folder_and_after_the_folder_was_renamed(self, tmp_path, api):
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder)
        (folder / "little_sums" / "more.py").write_text("X = 1\n")
        api.publish(SLUG, content_hash=hub_hash(folder))
        (tmp_path / "mine.toml").write_text(HOSTED.replace("owner/my-env", SLUG))
        below = tmp_path / "notes" / "deep"
        below.mkdir(parents=True)
        away = submit(below, api, "--config", "../../mine.toml", "--yes")
        assert away.code == 1 and "stale" in away.finding("gate.earlier_steps")["evidence"]
        folder.rename(tmp_path / "environments" / "renamed")
        renamed = submit(tmp_path, api, "--config", "mine.toml", "--yes")
        assert renamed.code == 1 and renamed.finding("gate.earlier_steps")["status"] == "fail"
        (tmp_path / "environments").rename(tmp_path / "elsewhere")
        gone = submit(below, api, "--config", "../../mine.toml", "--yes")
        assert gone.code == 1 and gone.finding("gate.folder")["status"] == "fail"
        assert runs_sent(api) == 0

    @pytest.mark.long
    def test_a_pinned_version(self, tmp_path, api):
        """Not published: stopped. Older than the newest: its files are compared with the folder."""
        folder = write_environment(tmp_path / "environments")
        pass_the_ladder(folder)
        api.publish(SLUG)
        api.add_version(SLUG, folder, "0.2.0")
        text = example(steps=20, ckpt=None, id="little-sums").replace("owner/", f"{OWNER}/")
        codes = {}
        for version in ("9.9.9", "0.1.0", "0.2.0"):
            pinned = text.replace(SLUG, f"{SLUG}@{version}")
            (tmp_path / "mine.toml").write_text(pinned)
            ran = submit(tmp_path, api, "--config", "mine.toml", "--yes")
            codes[version] = ran.code
        assert codes == {"9.9.9": 1, "0.1.0": 1, "0.2.0": 0} and runs_sent(api) == 1
        api.publish(SLUG)
        api.add_version(SLUG, folder, "0.2.0")
        api.add_version(SLUG, write_environment(tmp_path / "other", **{"README.md": "x"}), "0.3.0")
        (tmp_path / "mine.toml").write_text(text.replace(SLUG, f"{SLUG}@0.2.0"))
        older = submit(tmp_path, api, "--config", "mine.toml", "--dry-run")
        assert older.code == 0 and older.finding("hub.same_content")["status"] == "pass", older.out
