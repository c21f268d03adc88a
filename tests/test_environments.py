"""The worked environments: self-contained packages, sound rewards, the templates' shared parts."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from lab.environment import Environment, locate
from lab.reward import contract_file
from scoring import ROOT, Loaded, worked

PLACES = [ROOT / name for name in ("environments", "templates", "demo")]
ENVIRONMENTS = sorted(path.parent for path in (ROOT / "environments").glob("*/pyproject.toml"))
TEMPLATES = sorted(path.parent for path in (ROOT / "templates").glob("*/pyproject.toml"))
SHARED = {path.name: path for path in (ROOT / "templates" / "_shared").glob("*.py")}
PACKAGES = pytest.mark.parametrize(
    "folder", [*TEMPLATES, *ENVIRONMENTS], ids=lambda folder: folder.name
)
CLASSIC = ROOT / ".venv-classic" / "bin" / "python"


@pytest.mark.parametrize("folder", ENVIRONMENTS, ids=lambda folder: folder.name)
def test_a_worked_environment_needs_nothing_outside_its_folder(folder):
    assert not [path for path in folder.rglob("*") if path.is_symlink()]


@pytest.mark.parametrize("folder", ENVIRONMENTS, ids=lambda folder: folder.name)
def test_copies_of_shared_modules_are_the_shared_ones(folder):
    for path in folder.rglob("*.py"):
        if path.name in SHARED:
            assert path.read_bytes() == SHARED[path.name].read_bytes(), (
                f"{path}: copy templates/_shared/{path.name} again"
            )


@PACKAGES
def test_a_package_says_what_it_is(folder):
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    (verifiers,) = [need for need in project["dependencies"] if need.startswith("verifiers")]
    assert verifiers == (
        "verifiers>=0.1.14,<0.4" if "classic" in folder.name else "verifiers>=0.4.0,<0.5"
    )
    assert project["name"].replace("-", "_") in (folder.name, f"{folder.name}_template")
    readme = (folder / "README.md").read_text()
    assert re.search(r"<!-- dataset -->\n.+<!-- /dataset -->", readme, re.DOTALL)
    for title in ("Input and output", "Reward", "Usage", "What should move in training"):
        assert f"## {title}" in readme, title


@PACKAGES
def test_a_package_declares_what_its_reward_pays(folder):
    contract = contract_file.read(folder / "contract.toml")
    assert contract_file.render(contract) == (folder / "contract.toml").read_text()
    assert {"empty", "range", "silent"} & set(contract.declared)
    if folder.name != "toolbelt_agent":  # its golds are acted out with tools
        right, other = contract.examples
        assert contract.says[0].split("{answer}")[0] in right.completion
        assert right.earns == contract.range[1] and other.earns == 0.0


@PACKAGES
def test_equal_rewards_of_a_group_have_an_advantage_of_exactly_zero(folder):
    """What all of a group earn most often, for a wrong and for a right answer, is exact in
    float32: else a filter for dead groups lets them through."""
    from lab.learnability.checks_reward import averages_exactly

    reward = tomllib.loads((folder / "contract.toml").read_text())["reward"]
    for value in (reward.get("wrong", 0.0), reward["range"][1]):
        assert all(averages_exactly(value, size) for size in (8, 16, 32)), value


def test_no_package_has_a_policy_of_earlier_releases():
    assert not [path for parent in PLACES for path in parent.rglob("policy.toml")]


@pytest.mark.long
@pytest.mark.parametrize("name", ["gsm8k", "sentiment", "mmlu"])
def test_both_splits_are_there_and_share_no_question(name):
    train, held_out = worked(name), Loaded(ROOT / "environments" / name, {"split": "eval"})
    prompts = [{task["prompt"] for task in env.tasks} for env in (train, held_out)]
    assert len(prompts[0]) >= 10 and len(prompts[1]) >= 2 and not prompts[0] & prompts[1]


@pytest.mark.long
@pytest.mark.parametrize("name", ["gsm8k", "sentiment", "mmlu"])
def test_every_gold_validates(name):
    env = worked(name)
    assert [env.run(task.validate(None)) for task in env.backend.tasks] == [True] * len(env.tasks)


def test_gsm8k_pays_the_gold_and_no_known_slip_of_the_official_one():
    env = worked("gsm8k")
    task = env.find("6 crates")
    for form in ("#### 135", "#### 135.", "#### 135 jars", "#### **135**", "#### 135.0"):
        assert env.reward(task, form) == pytest.approx(1.25), form
    for form in (
        "#### 23 = 135",
        "#### 135 \\text{ is wrong}",
        "#### 23 \\lor 135",
        "#### 23 or 135",
        "135",
        "",
    ):
        assert env.reward(task, form) == 0.0, form
    assert env.reward(task, "#### 134") == pytest.approx(0.25)


def test_sentiment_reads_the_label_numbers_of_its_schema():
    env = Loaded(ROOT / "environments" / "sentiment", {"eval_share": 0.0})
    good, bad = env.find("quiet triumph"), env.find("stale")
    assert (
        env.reward(good, "<answer>Positive</answer>")
        == env.reward(bad, "<answer>negative</answer>")
        == pytest.approx(1.125)
    )
    assert env.reward(good, "<answer>negative</answer>") == pytest.approx(0.125)
    assert env.reward(good, "<answer>positive or negative</answer>") == 0.0
    assert env.reward(good, "<answer>1</answer>") == 0.0


def test_mmlu_keeps_the_gold_under_the_shuffle():
    env = Loaded(ROOT / "environments" / "mmlu", {"eval_share": 0.0})
    task = env.tasks[env.find("insulin")]
    assert task["fields"]["options"][ord(task["fields"]["answer"]) - 65] == "Pancreas"


@pytest.mark.skipif(
    not CLASSIC.exists(), reason="the second environment .venv-classic is not set up"
)
def test_gsm8k_classic_runs_in_the_classic_api():
    with Environment(locate(str(ROOT / "environments" / "gsm8k_classic")), examples=40) as env:
        assert env.description.api == "classic"
        task = next(t.index for t in env.description.tasks if "desks" in t.prompt)
        paid = {
            "<answer>2016</answer>": 1.25,
            "<answer>2,016</answer>": 1.25,
            "So <answer>$2,016.00</answer>.": 1.25,
            "<answer>5</answer><answer>2016</answer>": 1.25,
            "<answer>2016</answer><answer>5</answer>": 0.25,
            "<answer>5 or 2016</answer>": 0.0,
            "<answer></answer>": 0.0,
            "<think><answer>2016</answer>": 0.0,
            "2016": 0.0,
            "": 0.0,
        }
        assert {text: pytest.approx(env.score(task, text).reward) for text in paid} == paid


def test_the_hub_takes_each_package_for_the_api_that_it_has():
    from prime_cli.utils.environment_runtime import classify_runtime_from_metadata

    for folder in [*TEMPLATES, *ENVIRONMENTS]:
        needs = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["dependencies"]
        assert str(classify_runtime_from_metadata(needs)) == (
            "VERIFIERS_V0" if "classic" in folder.name else "VERIFIERS_V1"
        ), folder


def test_rows_are_ours_and_small():
    for folder in [*TEMPLATES, *ENVIRONMENTS]:
        for path in folder.rglob("data/*.jsonl"):
            lines = Path(path).read_text(encoding="utf-8").splitlines()
            assert 8 <= len(lines) <= 60 and all(
                isinstance(json.loads(line), dict) for line in lines
            ), path
