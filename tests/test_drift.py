"""All that documents, templates, scripts and harness take from verifiers and prime still exists."""

from __future__ import annotations

import sys

import pytest

from lab.upkeep import drift


@pytest.fixture(scope="module")
def wanted() -> dict:
    return {
        "names": drift.names(),
        "gone": sorted(drift.GONE),
        "flags": drift.flags(),
        "commands": drift.commands(),
    }


@pytest.mark.soak
def test_what_is_used_here_is_in_the_installed_packages_and_what_is_not_is_told(wanted):
    made_up = {
        **wanted,
        "names": [
            *wanted["names"],
            ("verifiers.v1", "NoSuchName", "a document"),
            ("verifiers.v1.no_such_module", "x", "a template"),
        ],
        "flags": [*wanted["flags"], "--no-such-flag", "--env.agent.no-such-seat"],
        "commands": [*wanted["commands"], ["env", "nosuch"]],
        "gone": [*wanted["gone"], "Taskset"],
    }
    found = drift.look(sys.executable, made_up)
    assert {name for name, _ in found["gone"]} == {
        "verifiers.v1.NoSuchName",
        "verifiers.v1.no_such_module.x",
        "vf-eval --no-such-flag",
        "vf-eval --env.agent.no-such-seat",
        "prime env nosuch",
    }
    assert found["back"] == ["Taskset"]
    told = "\n".join(drift.report(found))
    assert "gone  verifiers.v1.NoSuchName   used in a document" in told and "6 changes" in told


def test_the_lists_hold_what_they_are_about(wanted):
    names = {f"{module}.{name}" for module, name, _ in wanted["names"]}
    assert {"verifiers.v1.Taskset", "verifiers.v1.reward", "verifiers.v1.Trace"} <= names
    assert any(
        where.startswith("scripts/lab/evaluation/harness") for _, _, where in wanted["names"]
    )
    assert any(where.startswith("templates/") for _, _, where in wanted["names"])
    assert {"--no-push", "--env.agent.runtime.type", "--client.api-key-var"} <= set(wanted["flags"])
    assert ["env", "push"] in wanted["commands"] and ["env", "status"] in wanted["commands"]
