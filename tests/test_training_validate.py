"""`--validate`: the real client asks the platform's own schema, which is named when it was used."""

from __future__ import annotations

import os

import pytest

from lab.platform.prime import Prime
from lab.platform.submission.review import ask_platform
from run_script import run_script
from schema_environment import COMMIT, PREPARED, prepare
from servers.prime_api import OWNER, PrimeApi
from training_files import HOSTED, example

SLUG = f"{OWNER}/little-sums"
SFT = """max_steps = 100
volume = "mine"
[model]
name = "Qwen/Qwen3-1.7B"
[ckpt]
interval = 50
[data]
type = "sft"
name = "datasets/mine"
batch_size = 32
seq_len = 4096
[optim]
lr = 2e-5
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home folder in whose cache the schema of the platform's image is installed."""
    folder = tmp_path_factory.mktemp("home")
    prepare(folder)
    return folder


def validate(cwd, home, api, *args):
    return run_script(
        "submit_training",
        *args,
        "--validate",
        "--json",
        cwd=cwd,
        env={**api.environ(home), "UV_OFFLINE": "1"},
    )


def test_a_good_file_is_accepted_and_the_schema_is_named(tmp_path, home):
    with PrimeApi(prepare=PREPARED) as api:
        api.publish(SLUG)
        ran = validate(tmp_path, home, api, "--env", SLUG, "--dry-run")
        found = ran.finding("config.schema")
        assert (
            found["status"] == "pass"
            and COMMIT[:12] in found["evidence"]
            and "prime train validate" in found["evidence"]
        ), ran.out
        assert ran.code == 0 and api.sent("POST", "/training/runs") == [] and api.complaints == []


def test_a_file_that_the_platform_refuses_is_a_failure_with_its_words(tmp_path, home):
    """The image of the platform may have another schema than the one that the rules know."""
    (tmp_path / "mine.toml").write_text(
        HOSTED.replace("batch_size = 128", "batch_size = 128\ntasks_per_minute = 900")
    )
    with PrimeApi(prepare=PREPARED) as api:
        api.publish("owner/my-env")
        ran = validate(tmp_path, home, api, "--config", "mine.toml", "--yes")
        assert ran.code == 1 and ran.finding("config.schema")["status"] == "fail", ran.out
        assert (
            "orchestrator.tasks_per_minute" in ran.finding("config.schema")["evidence"]
            and api.sent("POST", "/training/runs") == []
        )


def asked(api, home, path):
    return ask_platform(Prime({**os.environ, **api.environ(home), "UV_OFFLINE": "1"}), path)


def test_a_supervised_file_is_asked_about_too(tmp_path, home):
    path = tmp_path / "sft.toml"
    with PrimeApi(prepare=PREPARED) as api:
        path.write_text(SFT)
        assert asked(api, home, path).status == "pass"
        path.write_text(
            SFT.replace("max_steps = 100", 'max_steps = 100\nmatmul_precision = "high"')
        )
        refused = asked(api, home, path)
        assert refused.status == "fail" and "matmul_precision" in refused.evidence


@pytest.mark.parametrize("status", [404, 405, 503])
def test_a_platform_that_prepares_nothing_is_said_to(tmp_path, home, status):
    """`prime train validate` exits with 1 there, unlike `prime train`: not the file's fault."""
    (tmp_path / "mine.toml").write_text(HOSTED)
    with PrimeApi(prepare=status) as api:
        found = asked(api, home, tmp_path / "mine.toml")
    assert (
        found.status == "skip"
        and "could not say" in found.evidence
        and str(status) in found.evidence
    ), found


@pytest.mark.long
def test_a_schema_that_cannot_be_installed_is_said_to(tmp_path):
    (tmp_path / "mine.toml").write_text(HOSTED)
    with PrimeApi(prepare=PREPARED) as api:
        found = asked(api, tmp_path / "empty home", tmp_path / "mine.toml")
    assert found.status == "skip" and "could not say" in found.evidence, found


def test_without_a_login_that_is_said(tmp_path):
    (tmp_path / "home").mkdir()
    ran = run_script(
        "submit_training",
        "--env",
        SLUG,
        "--dry-run",
        "--validate",
        "--json",
        cwd=tmp_path,
        env={"HOME": str(tmp_path / "home")},
    )
    assert ran.code == 0 and "not logged in" in ran.finding("config.schema")["evidence"]


@pytest.mark.long
def test_a_submission_sends_what_the_client_compiled(tmp_path, home):
    """Where the platform prepares, `prime train` itself validates and sends the result along."""
    (tmp_path / "mine.toml").write_text(example(steps=20, ckpt=None))
    with PrimeApi(prepare=PREPARED) as api:
        api.publish("owner/my-env")
        ran = run_script(
            "submit_training",
            "--config",
            "mine.toml",
            "--yes",
            "--json",
            cwd=tmp_path,
            env=api.environ(home),
        )
        assert ran.code == 0, ran.out
        [sent] = api.sent("POST", "/training/runs")
        assert sent.body["normalizedConfig"]["schema_commit"] == COMMIT and api.complaints == []
