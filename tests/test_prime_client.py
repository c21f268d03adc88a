"""The real `prime` 0.18 against the platform on loopback, through lab.platform.prime."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.cli.report import LabError
from lab.platform.prime import Prime, PrimeError, capacity, hub, runs
from lab.platform.prime.archive import hub_hash, uploaded_files
from lab.platform.prime.client import KINDS, Answer, reason
from lab.platform.submission import send
from lab.platform.submission.intent import Intent
from lab.platform.submission.journal import Journal
from lab.training.file import read
from publishable import write_environment
from servers.prime_api import OWNER, PrimeApi

RL = """\
name = "{name}"
max_steps = 5
[model]
name = "Qwen/Qwen3-0.6B"
[trainer]
[orchestrator]
batch_size = 16
[[orchestrator.train.source]]
name = "little-sums"
group_size = 8
env.taskset.id = "someone/little-sums"
[inference]
"""


@pytest.fixture
def api():
    with PrimeApi() as running:
        yield running
        assert running.complaints == []


@pytest.fixture
def prime(api, tmp_path):
    return Prime(
        {
            **os.environ,
            **api.environ(tmp_path / "home"),
            "UV_NO_BUILD_ISOLATION": "1",
            "UV_PYTHON": sys.executable,
        }
    )


@pytest.fixture
def config(tmp_path) -> Path:
    (tmp_path / "rl.toml").write_text(RL.format(name="sums-1"))
    return tmp_path / "rl.toml"


def with_environ(prime: Prime, **changes: str) -> Prime:
    return Prime({**prime.environ, **changes})


@pytest.mark.long
def test_the_whole_way(prime, api, tmp_path, config):
    """whoami, status, two pushes, models, train, list, get, and what a run reports."""
    folder = write_environment(tmp_path)
    slug = f"{OWNER}/little-sums"
    assert hub.account(prime) == OWNER
    assert hub.status(prime, slug) is None
    pushed = hub.push(prime, folder, visibility="PRIVATE")
    assert (pushed.slug, pushed.runtime, pushed.already) == (slug, "v1", False)
    assert not (folder / "dist").exists()
    published = hub.status(prime, slug)
    assert published.content_hash == hub_hash(folder) and published.visibility == "PRIVATE"
    assert api.environments[slug].versions[0].runtime == "VERIFIERS_V1"
    assert hub.push(prime, folder, visibility="PRIVATE").already
    assert hub.versions(prime, slug) == ["0.1.0"]

    offered = capacity.capacity(prime)
    assert "Qwen/Qwen3-0.6B" in offered.models and offered.price() == (2.5, "H100_80GB")
    submitted = runs.submit(prime, config, tmp_path / "answer")
    assert submitted.cost_per_hour == 5.0 and list(api.runs) == [submitted.run_id]
    [run] = runs.listed(prime)
    assert (run.id, run.name, run.under_way) == (submitted.run_id, "sums-1", True)
    assert runs.get(prime, submitted.run_id).status == "QUEUED"
    api.metrics[submitted.run_id] = [{"step": 0, "x": 1.0}, {"step": 1, "x": 2.0}]
    api.samples[submitted.run_id] = [{"step": 1, "reward": 1.0, "prompt": "p", "completion": "c"}]
    assert runs.metrics(prime, submitted.run_id) == api.metrics[submitted.run_id]
    assert runs.rollouts(prime, submitted.run_id, 1)[0]["reward"] == 1.0
    assert runs.progress(prime, submitted.run_id)["latest_step"] == 1
    assert runs.distributions(prime, submitted.run_id)["bins"]
    assert runs.usage(prime, submitted.run_id)["total_cost_usd"] == 2.5


@pytest.mark.soak
def test_the_whole_way_again_without_a_network():
    """In a network namespace that has loopback and nothing else."""
    here = Path(__file__)
    inner = (
        f"ip link set lo up && exec {shlex.quote(sys.executable)} -m pytest -q "
        f"-p no:cacheprovider {shlex.quote(str(here))}::test_the_whole_way"
    )
    probe = (
        subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
        if shutil.which("unshare") and shutil.which("ip")
        else None
    )
    if probe is None or probe.returncode != 0:
        pytest.skip("network namespaces are not allowed here (unshare -rn)")
    done = subprocess.run(
        ["unshare", "-rn", "bash", "-c", inner],
        cwd=here.parent.parent,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_flat_form_is_refused_by_the_client_before_anything_is_sent(
    prime, api, config, tmp_path
):
    config.write_text('model = "Qwen/Qwen3-4B"\nrollouts_per_example = 8\n[[env]]\nid = "a/b"\n')
    with pytest.raises(PrimeError) as error:
        runs.submit(prime, config, tmp_path / "answer")
    assert not error.value.uncertain
    assert "no longer accepts" in error.value.detail or "LoRA" in error.value.detail
    assert api.requests == []


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"PRIME_API_KEY": ""}, "not_logged_in"),
        ({"PRIME_API_KEY": "another-key-1234"}, "unauthorized"),
        ({"PRIME_API_BASE_URL": "http://127.0.0.1:9"}, "network"),
    ],
)
def test_what_is_wrong_with_the_login_or_the_network(prime, changes, kind):
    with pytest.raises(PrimeError) as error:
        hub.account(with_environ(prime, **changes))
    assert error.value.kind == kind
    assert error.value.lab_error("asking").code == 3


def test_an_absent_client_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(PrimeError) as error:
        Prime({"PATH": str(tmp_path)}).run("whoami")
    assert error.value.kind == "absent" and "install" in error.value.lab_error("asking").fix


def test_a_slow_service_is_left_after_the_limit(prime, api):
    api.fault("GET", "/user/whoami", slow=600)
    with pytest.raises(PrimeError) as error:
        prime.run("whoami", seconds=3)
    assert error.value.kind == "timeout"


def test_a_secret_in_a_message_is_taken_out(prime, api, config, tmp_path):
    api.fault("POST", "/training/runs", status=422, detail=f"the key {api.key} is not good")
    with pytest.raises(PrimeError) as error:
        runs.submit(prime, config, tmp_path / "answer")
    assert api.key not in error.value.detail and "[secret]" in error.value.detail


FAULTS = [
    ("400", {"status": 400}, "prime.refused", False),
    ("401", {"status": 401}, "prime.unauthorized", False),
    ("402", {"status": 402}, "prime.payment", False),
    ("403", {"status": 403}, "prime.forbidden", False),
    ("404", {"status": 404}, "prime.not_found", False),
    (
        "409",
        {"status": 409, "detail": "a run with this name already exists"},
        "prime.conflict",
        False,
    ),
    (
        "422",
        {"status": 422, "detail": [{"loc": ["body", "config"], "msg": "bad"}]},
        "prime.invalid",
        False,
    ),
    ("429", {"status": 429}, "prime.rate_limited", False),
    ("500", {"status": 500}, "run.unknown", False),
    ("503", {"status": 503}, "run.unknown", False),
    ("hangs up before it acts", {"lose": "before"}, "run.unknown", False),
    ("cut in the middle of the request", {"lose": "middle"}, "run.unknown", False),
    ("acts, then hangs up", {"lose": "after"}, "", True),
    ("acts, then answers 500", {"status": 500, "acts": True}, "", True),
]
"""What the service does with POST /training/runs, the id of the error, and whether a run exists."""


@pytest.mark.parametrize(
    ("name", "fault", "id", "exists"), FAULTS, ids=[case[0] for case in FAULTS]
)
def test_each_fault_of_a_submission_is_named_and_nothing_is_sent_twice(
    prime, api, config, tmp_path, monkeypatch, name, fault, id, exists, record_property
):
    monkeypatch.setenv("PRIME_LAB_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(send, "SETTLE_SECONDS", 0.0)
    api.fault("POST", "/training/runs", times=1, **fault)
    intent = Intent(read(config), (), "someone")
    outcome = ""
    try:
        done = send.submit_once(prime, intent)
        outcome = f"{done.submitted.run_id}: {done.how}"
    except LabError as error:
        assert error.code == 3 and error.fix
        outcome = f"{error.id}: {error.message}"
        assert error.id == id
    record_property(
        "table: faults of the platform while a run is submitted", f"{name:34s} {outcome[:150]}"
    )
    assert len(api.sent("POST", "/training/runs")) == 1, "sent more than once"
    assert len(api.runs) == exists
    state = Journal(intent.token).read()["state"]
    expected = "sending" if id == "run.unknown" else "started" if exists else "refused"
    assert state == expected


def test_when_the_platform_cannot_be_asked_afterwards_that_is_said(
    prime, api, config, tmp_path, monkeypatch
):
    monkeypatch.setenv("PRIME_LAB_STATE", str(tmp_path / "state"))
    api.fault("POST", "/training/runs", lose="after")
    api.fault("GET", "/rft/runs", status=503, times=0)
    listing = api.faults[-1]
    original = api.create_run

    def create_and_break(*args):
        listing.times = 100
        return original(*args)

    api.create_run = create_and_break
    intent = Intent(read(config), (), "someone")
    with pytest.raises(LabError) as error:
        send.submit_once(prime, intent)
    assert error.value.id == "run.unknown" and "not known" in error.value.message
    assert Journal(intent.token).read()["state"] == "sending"
    listing.times = 0
    assert send.submit_once(prime, intent).earlier.id in api.runs


PUSH_FAULTS = [
    ("resolve: 401", "POST", "/environmentshub/resolve", {"status": 401}, "unauthorized"),
    ("resolve: 402", "POST", "/environmentshub/resolve", {"status": 402}, "payment"),
    ("wheel: 422", "POST", "/environmentshub/*/wheels", {"status": 422}, "invalid"),
    ("upload: cut in the middle", "PUT", "/upload/*", {"lose": "middle"}, "network"),
    ("version: 500", "POST", "/environmentshub/*/versions", {"status": 500}, "server"),
    (
        "finalize: answer lost",
        "POST",
        "/environmentshub/*/versions/*/finalize",
        {"lose": "after"},
        "network",
    ),
]


@pytest.mark.parametrize(
    ("name", "method", "path", "fault", "kind"), PUSH_FAULTS, ids=[case[0] for case in PUSH_FAULTS]
)
def test_each_fault_of_a_push_is_named(
    prime, api, tmp_path, name, method, path, fault, kind, record_property
):
    folder = write_environment(tmp_path)
    api.fault(method, path, times=1, **fault)
    with pytest.raises(PrimeError) as error:
        hub.push(prime, folder, visibility="PRIVATE")
    record_property(
        "table: faults of the hub while an environment is published",
        f"{name:34s} {error.value.kind}: {error.value.detail[:130]}",
    )
    assert error.value.kind == kind
    assert not (folder / "dist").exists()
    published = hub.status(prime, f"{OWNER}/little-sums")
    assert (published is not None) == (fault.get("lose") == "after")


@pytest.mark.parametrize(
    ("out", "code", "kind"),
    [
        ("Error: HTTP 404: Environment a/b not found", 1, "not_found"),
        ("Build failed!\nerror: no such backend\nUpload failed: 1", 1, "build"),
        ("No such command 'init'.", 2, "usage"),
        ("Cancelled by user", 1, "cancelled"),
        ("something nobody has seen", 1, "failed"),
        ("", 1, "failed"),
    ],
)
def test_the_kind_is_read_from_the_text(out, code, kind):
    found, detail = reason(Answer(out, "", code))
    assert found == kind and detail and "Upload failed: 1" not in detail
    assert kind in KINDS


def test_json_after_a_warning_on_stdout_is_still_read():
    assert Answer('Warning: old\n{\n "a": 1}\n', "", 0).json() == {"a": 1}
    with pytest.raises(PrimeError):
        Answer("no json here", "", 0).json()


NAMES = st.sampled_from(
    [
        "a.py",
        "README.md",
        "readme.md",
        "pyproject.toml",
        "data.jsonl",
        ".env",
        "uv.lock",
        "notes.txt",
        "x.pyc",
    ]
)
FOLDERS = st.sampled_from(
    [
        "",
        "pkg",
        "pkg/data",
        "tests",
        ".hidden",
        "dist",
        "build",
        "outputs",
        "pkg/__pycache__",
        "x.egg-info",
        "pkg/outputs",
        "deep/er/still",
    ]
)


@settings(max_examples=40)
@given(
    st.dictionaries(st.tuples(FOLDERS, NAMES), st.binary(max_size=5), max_size=12),
    st.sampled_from(["", "*.txt\n", "pkg/\n", "data*\n!data.jsonl\n", "/tests\n"]),
)
def test_the_hash_is_the_clients_own(tmp_path_factory, tree, ignore):
    from prime_cli.commands.env import _collect_archive_files, compute_content_hash

    root = tmp_path_factory.mktemp("tree")
    for (folder, name), data in tree.items():
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / name).write_bytes(data)
    if ignore:
        (root / ".gitignore").write_text(ignore)
    assert uploaded_files(root) == _collect_archive_files(root)
    assert hub_hash(root) == compute_content_hash(root)


def test_links_do_not_travel(tmp_path):
    folder = write_environment(tmp_path)
    before = hub_hash(folder)
    (folder / "little_sums" / "linked.py").symlink_to("/etc/hostname")
    assert hub_hash(folder) == before
    assert json.dumps([str(path) for path in uploaded_files(folder)]).count("linked.py") == 0
