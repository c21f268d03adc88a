"""push_environment.py: what its gate finds, and that nothing is published unasked."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

import pytest

from lab.platform.package import open_folder
from lab.platform.prime.archive import hub_hash
from publishable import MODULE, TASKSET, changed, pass_the_ladder, write_environment
from run_script import run_script
from servers.prime_api import OWNER, PrimeApi

OFFLINE_BUILD = {"UV_NO_BUILD_ISOLATION": "1", "UV_PYTHON": sys.executable}
SLUG = f"{OWNER}/little-sums"


def check_only(folder: Path, cwd: Path, *args: str):
    return run_script(
        "push_environment",
        folder,
        "--check-only",
        "--json",
        *args,
        cwd=cwd,
        env={"HOME": os.environ["HOME"]},
    )


@pytest.mark.long
def test_a_ready_package_passes_and_its_folder_stays_as_it_was(tmp_path):
    folder = write_environment(tmp_path)
    before = sorted(path.relative_to(folder) for path in folder.rglob("*"))
    ran = check_only(folder, tmp_path)
    assert ran.code == 0, ran.out
    assert (
        ran.finding("package.tasks")["measured"] == 8
        and ran.finding("package.taskset")["measured"] == "SumTaskset"
    )
    assert "test_reward.py" in ran.report["next"] and "--yes" not in ran.report["next"]
    assert ran.report["facts"]["pushed"] is False and ran.report["facts"]["hub_hash"] == hub_hash(
        folder
    )
    left = sorted(
        path.relative_to(folder) for path in folder.rglob("*") if ".prime-lab" not in path.parts
    )
    assert left == before
    from lab.ledger.records import Ledger

    assert Ledger(folder).step("push_environment").state == "rehearsed"
    # Stopped by the ladder alone: the package stays checked, and the same comes first each time.
    for _ in range(2):
        push = ("push_environment", folder, "--visibility", "PRIVATE", "--yes", "--json")
        stopped = run_script(*push, cwd=tmp_path, env={"HOME": os.environ["HOME"]})
        assert stopped.code == 1 and "test_reward.py" in stopped.report["next"]
        assert "edit" not in stopped.report["next"]
        assert Ledger(folder).step("push_environment").state == "rehearsed"


@pytest.mark.long
def test_a_package_whose_data_does_not_travel_fails_where_it_lands(tmp_path):
    taskset = TASKSET.replace(
        "        start = 0",
        "        from pathlib import Path\n        Path('rows.txt').read_text()\n        start = 0",
    )
    folder = write_environment(tmp_path, **{f"{MODULE}/taskset.py": taskset})
    (folder / "rows.txt").write_text("here")
    ran = run_script(
        "push_environment",
        ".",
        "--check-only",
        "--json",
        cwd=folder,
        env={"HOME": os.environ["HOME"]},
    )
    assert ran.code == 1 and ran.finding("package.tasks")["status"] == "fail"
    assert "rows.txt" in ran.finding("package.tasks")["evidence"]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("files", "id"),
    [
        ({f"{MODULE}/__init__.py": "import a_package_nobody_declared\n"}, "package.imports"),
        ({f"{MODULE}/__init__.py": "__all__ = []\n"}, "package.taskset"),
    ],
    ids=["undeclared import", "nothing exported"],
)
def test_what_shows_only_in_an_empty_environment(tmp_path, files, id):
    ran = check_only(write_environment(tmp_path, **files), tmp_path)
    assert ran.code == 1 and ran.finding(id)["status"] == "fail", ran.out
    assert ran.finding("package.tasks")["status"] == "skip"


def test_a_wheel_that_does_not_build(tmp_path):
    ran = check_only(
        write_environment(
            tmp_path, **changed(f'packages = ["{MODULE}"]', 'packages = ["nothing_here"]')
        ),
        tmp_path,
    )
    assert ran.code == 1 and ran.finding("package.builds")["status"] == "fail"
    assert ran.finding("package.installs")["status"] == "skip"


@pytest.mark.parametrize(
    ("make", "id"),
    [
        ("absent", "input.missing_file"),
        ("file", "input.not_a_folder"),
        ("empty", "input.no_pyproject"),
        ("broken", "input.invalid_toml"),
    ],
)
def test_bad_input(tmp_path, make, id):
    target = tmp_path / "env"
    if make == "file":
        target.write_text("")
    elif make != "absent":
        target.mkdir()
    if make == "broken":
        (target / "pyproject.toml").write_text("x = [")
    ran = run_script("push_environment", "env", "--check-only", "--json", cwd=tmp_path)
    assert ran.code == 2 and ran.finding(id)["fix"] and "Traceback" not in ran.err


@pytest.mark.parametrize("named", ["little-sums", "environments/little-sums", "little_sums"])
def test_a_folder_is_also_found_by_the_name_of_its_package(tmp_path, named):
    (tmp_path / "environments" / "little_sums").mkdir(parents=True)
    ran = run_script("push_environment", named, "--check-only", "--json", cwd=tmp_path)
    assert ran.code == 2 and "little_sums has no" in ran.report["findings"][0]["evidence"]


class TestPublishing:
    """The real client, the platform on loopback. The slow gate is left out: it has its own
    tests."""

    @pytest.fixture
    def api(self):
        with PrimeApi() as running:
            yield running
            assert running.complaints == []

    @pytest.fixture
    def folder(self, tmp_path):
        folder = write_environment(tmp_path)
        pass_the_ladder(folder)
        return folder

    def publish(self, api, folder, tmp_path, *args, monkeypatch, answer=None, **environ):
        """`publish` as the script calls it; returns the report."""
        from argparse import Namespace

        from lab.cli.command import Progress
        from lab.cli.report import LabError, Report
        from lab.ledger.records import Ledger
        from lab.platform.package.publish import publish

        for key, value in {**api.environ(tmp_path / "home"), **OFFLINE_BUILD, **environ}.items():
            monkeypatch.setenv(key, value)
        flags = {
            "visibility": "PRIVATE",
            "owner": None,
            "team": None,
            "bump": None,
            "force": None,
            "yes": True,
            "env": str(folder),
            **dict(args),
        }
        report = Report("push_environment")
        report.facts = {"pushed": False}
        try:
            publish(
                Namespace(**flags),
                report,
                Progress(quiet=True),
                open_folder(folder),
                Ledger(folder),
                lambda question: answer,
            )
        except LabError as error:
            report.error = error
        return report

    def test_published_as_v1_once_and_then_recognised(self, api, folder, tmp_path, monkeypatch):
        first = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch)
        assert first.exit_code == 0 and first.facts["pushed"] and first.facts["environment"] == SLUG
        assert "verifiers v1" in first.findings[-1].evidence and not (folder / "dist").exists()
        sent = len(api.sent("POST", "*"))
        second = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch)
        assert second.facts["pushed"] and "already" in second.findings[-1].evidence
        assert len(api.sent("POST", "*")) == sent

    @pytest.mark.long
    def test_new_content_under_an_old_number_needs_a_bump(self, api, folder, tmp_path, monkeypatch):
        api.publish(SLUG)
        refused = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch)
        assert refused.exit_code == 1 and "--bump" in refused.with_status("fail")[0].fix
        assert api.sent("POST", "/environmentshub/*") == []
        done = self.publish(api, folder, tmp_path, ("bump", "patch"), monkeypatch=monkeypatch)
        assert (
            done.facts["version"] == "0.1.1"
            and api.environments[SLUG].versions[-1].number == "0.1.1"
        )
        text = (folder / "pyproject.toml").read_text()
        assert (
            tomllib.loads(text)["project"]["version"] == "0.1.1"
            and 'target-version = "py311"' in text
        )

    def test_a_failed_push_leaves_the_version_as_it_was(self, api, folder, tmp_path, monkeypatch):
        before = (folder / "pyproject.toml").read_bytes()
        api.fault("POST", "/environmentshub/resolve", status=402)
        report = self.publish(api, folder, tmp_path, ("bump", "minor"), monkeypatch=monkeypatch)
        assert (
            report.error.id == "prime.payment"
            and (folder / "pyproject.toml").read_bytes() == before
        )

    def test_a_lost_answer_is_settled_by_asking_the_hub(self, api, folder, tmp_path, monkeypatch):
        api.fault("POST", "/environmentshub/*/versions/*/finalize", lose="after", times=1)
        report = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch)
        assert report.exit_code == 0 and "lost" in report.findings[-1].evidence
        assert len(api.environments[SLUG].versions) == 1

    @pytest.mark.parametrize(
        ("args", "id"),
        [((("yes", False),), "input.not_confirmed"), ((("visibility", None),), "input.visibility")],
    )
    def test_nothing_is_published_unasked(self, api, folder, tmp_path, monkeypatch, args, id):
        report = self.publish(api, folder, tmp_path, *args, monkeypatch=monkeypatch)
        assert report.error.id == id and report.exit_code == 2
        assert [request for request in api.requests if request.method != "GET"] == []

    def test_a_no_on_the_terminal_is_a_no(self, api, folder, tmp_path, monkeypatch):
        report = self.publish(
            api, folder, tmp_path, ("yes", False), monkeypatch=monkeypatch, answer=False
        )
        assert report.exit_code == 2 and api.environments == {}

    @pytest.mark.usefixtures("fresh_state")
    def test_open_steps_stop_it_and_a_reason_lets_it_through(self, api, tmp_path, monkeypatch):
        folder = write_environment(tmp_path)
        stopped = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch)
        assert (
            stopped.exit_code == 1
            and stopped.findings[0].id == "gate.earlier_steps"
            and api.requests == []
        )
        forced = self.publish(api, folder, tmp_path, ("force", "a trial"), monkeypatch=monkeypatch)
        assert forced.facts["pushed"] and "a trial" in forced.findings[0].evidence

    def test_without_a_login(self, api, folder, tmp_path, monkeypatch):
        report = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch, PRIME_API_KEY="")
        assert (
            report.error.id == "prime.not_logged_in"
            and report.exit_code == 3
            and api.requests == []
        )

    def test_an_account_without_a_name_is_told_so(self, api, folder, tmp_path, monkeypatch):
        api.username = None
        report = self.publish(api, folder, tmp_path, monkeypatch=monkeypatch)
        assert (
            report.error.id == "prime.no_username"
            and [r for r in api.requests if r.method == "POST"] == []
        )
