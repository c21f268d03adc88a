"""What holds for every test: no login of the machine's, no time limits on single examples."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile(
    "lab", deadline=None, max_examples=50, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("lab")

for name in [
    n
    for n in os.environ
    if n.startswith("PRIME_") or n in ("HF_TOKEN", "OPENAI_API_KEY", "WANDB_API_KEY")
]:
    del os.environ[name]
os.environ |= {
    "PRIME_DISABLE_VERSION_CHECK": "1",
    "PRIME_RUNS_MODE": "disabled",
    "NO_COLOR": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts its background jobs with Ctrl-C ignored, and children inherit that: the tests
    # that interrupt one would wait for its normal end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def state(tmp_path_factory):
    """The ledger of each test file lies in a folder of its own."""
    folder = os.environ["PRIME_LAB_STATE"] = str(tmp_path_factory.mktemp("state"))
    return folder


@pytest.fixture
def fresh_state(tmp_path, monkeypatch):
    """A ledger of this test's own: what other tests passed for the same content does not count."""
    folder = tmp_path / "state"
    monkeypatch.setenv("PRIME_LAB_STATE", str(folder))
    return folder


@pytest.fixture(scope="session")
def word_problems(tmp_path_factory):
    """The environment that the first steps write of the demo's rows, to be copied: one for the
    tests of all workers."""
    from ladder import write_environment

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "word_problems"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "written").exists():
            patch.setenv("PRIME_LAB_STATE", str(folder / "state"))
            (folder / "written").write_text(str(write_environment(folder)))
    return Path((folder / "written").read_text())


@pytest.fixture(scope="session")
def bench():
    """Opens and audits small environments: one process per API for all tests."""
    from reward_bench import Bench

    made = Bench()
    yield made
    made.close()


SLOW = (
    "test_documents",
    "test_submission_once",
    "test_evals_run",
    "test_cold_start",
    "test_secrets",
    "test_hostile",
    "test_guards",
    "test_push_environment",
    "test_monitor_training",
    "test_eval",
    "test_reward_shipped",
    "test_reward_defects",
    "test_ladder",
    "test_templates_ladder",
    "test_drift",
    "test_orders",
    "test_export_sft_real",
    "test_reward_script",
    "test_audit_environments",
    "test_submit_",
    "test_training_validate",
)
"""Files that take long, the longest first: a worker that took one last would run on alone."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config) -> int:
    """Three more than there are cores: tests often wait, for a server or for the end of a child."""
    return 3 + (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )


def pytest_collection_modifyitems(items) -> None:
    places = {name: place for place, name in enumerate(SLOW)}
    items.sort(
        key=lambda item: min(
            (place for name, place in places.items() if item.path.name.startswith(name)),
            default=len(SLOW),
        )
    )


def pytest_configure(config) -> None:
    config.began = getattr(config, "workerinput", {}).get("began", time.time())


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    node.workerinput["began"] = node.config.began


def pytest_runtest_setup(item) -> None:
    """LAB_TEST_MINUTES: what has not begun by then is skipped, and said to be. CI has an end."""
    limit = os.environ.get("LAB_TEST_MINUTES")
    if limit and time.time() - item.config.began > 60 * float(limit):
        pytest.skip(f"not begun within {limit} minutes (LAB_TEST_MINUTES)")


def pytest_terminal_summary(terminalreporter) -> None:
    """A table of what tests recorded with `record_property("table: TITLE", ROW)`."""
    tables: dict[str, list[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for title, row in getattr(report, "user_properties", ()):
                if getattr(report, "when", "") == "call" and str(title).startswith("table: "):
                    tables.setdefault(str(title)[7:], []).append(str(row))
    for title, rows in tables.items():
        terminalreporter.section(title)
        for row in rows:
            terminalreporter.line(row)
