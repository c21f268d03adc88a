"""Every rule over training files: what it finds, what it leaves alone, what it repairs."""

from __future__ import annotations

import os

import pytest

from lab.training.classes import read as read_classes
from lab.training.classes import renderers
from lab.training.dialects import check_generation, recognise
from lab.training.file import TrainingFile, parse
from lab.training.fix import fix
from lab.training.rules import Known, Measured, check
from lab.training.rules.base import EnvironmentClasses
from lab.training.schema import ask, check_schema
from publishable import write_environment
from training_files import GOOD, HOSTED, UNUSUAL, example
from training_mistakes import MISTAKES, Mistake

CLASSES = EnvironmentClasses(
    "my_env",
    {
        "split": {
            "type": "Literal['train', 'eval']",
            "default": "train",
            "choices": ["train", "eval"],
        },
        "count": {"type": "int", "default": 8},
        "name_of_set": {"type": "str | None"},
    },
    task_fields=("judges", "rewards", "metrics", "stops"),
)
KNOWN = Known(classes={"my_env": CLASSES}, renderers=renderers())


def findings(file: TrainingFile, known: Known = KNOWN) -> dict[str, set[str]]:
    """id -> statuses, the generation's check included; what is bad says why and what to do."""
    found: dict[str, set[str]] = {}
    rules = (issue.finding for issue in check(file, known))
    for finding in [check_generation(file, "convert"), *rules]:
        found.setdefault(finding.id, set()).add(finding.status)
        if finding.status in ("fail", "warn"):
            assert finding.fix and finding.evidence, finding
    return found


def bad(file: TrainingFile, status: str = "fail") -> set[str]:
    return {id for id, statuses in findings(file).items() if status in statuses}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_has_no_failing_finding(name):
    text, hosted = GOOD[name]
    file = parse(text, hosted=hosted)
    assert bad(file) | bad(file, "warn") == set()


def test_checkpoints_at_the_end_only_are_a_risk_on_paid_gpus():
    bare = example(steps=200, ckpt=None, more="[ckpt]")
    statuses = [findings(parse(bare, hosted=hosted))["config.checkpoint"] for hosted in (0, 1)]
    assert statuses == [{"pass"}, {"warn"}]


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_files_that_are_right_have_no_failure(name):
    text, hosted = UNUSUAL[name]
    assert bad(parse(text, hosted=hosted)) == set()


def test_there_are_twenty_good_files_of_different_kinds():
    assert len(GOOD) >= 20 and len({text for text, _ in GOOD.values()}) == len(GOOD)


WHOLE = (
    "flat form",
    "no source",
    "source with single brackets",
    "no taskset id",
    "no [inference]",
)
"""Mistakes after which little of the file is left to judge, or much of it is wrong."""


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_each_mistake_is_found_by_the_rule_meant_for_it_and_hardly_by_others(mistake: Mistake):
    before, after = findings(mistake.good), findings(mistake.broken)
    assert mistake.status not in before.get(mistake.rule, set())
    assert mistake.status in after.get(mistake.rule, set()), after
    others = bad(mistake.broken) - bad(mistake.good) - {mistake.rule}
    assert len(others) <= 1 or mistake.name in WHOLE, others


def test_there_is_a_mistake_for_every_rule():
    import lab.platform.submission.rewrite
    from lab.cli.report import CATALOGUE

    # Those of a conversion are held by test_training_convert.
    assert lab.platform.submission.rewrite
    elsewhere = {"config.converted", "config.fixed", "config.schema", "config.values_changed"}
    rules = {id for id in CATALOGUE if id.startswith("config.") and "sft_" not in id}
    assert len(MISTAKES) >= 140 and rules - elsewhere <= {mistake.rule for mistake in MISTAKES}


def test_client_keys_in_a_file_for_own_gpus():
    own = example(hosted=False)
    assert "config.platform_keys" in bad(parse('gpu_type = "H100"\n' + own, hosted=False))
    assert findings(parse(own, hosted=False))["config.platform_keys"] == {"pass"}


REPAIRED = [mistake for mistake in MISTAKES if mistake.repaired]


@pytest.mark.parametrize("mistake", REPAIRED, ids=lambda one: one.name)
def test_a_safe_repair_corrects_the_file_and_nothing_else(mistake: Mistake):
    repaired, done = fix(mistake.broken, KNOWN)
    assert mistake.rule in {issue.finding.id for issue in done}
    assert mistake.status not in findings(repaired).get(mistake.rule, set())
    assert bad(repaired) == set() and repaired.text.startswith("# mine\n")
    again, more = fix(repaired, KNOWN)
    assert again.text == repaired.text and more == []


def test_what_needs_a_decision_is_left_to_the_author():
    """A repair never makes a file worse, and is only made by a rule that has one."""
    for mistake in MISTAKES:
        repaired, done = fix(mistake.broken, KNOWN)
        assert len(bad(repaired)) <= len(bad(mistake.broken)), mistake.name
        assert all(issue.repair for issue in done)


def test_the_repair_keeps_a_dotted_style():
    text = (
        example(source="")
        .replace('env.agent.harness.id = "null"\n', "")
        .replace('env.agent.runtime.type = "subprocess"\n', "")
    )
    repaired, _ = fix(parse(text), KNOWN)
    source = parse(repaired.text).sources("train")[0]
    assert source.env["agent"] == {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
    assert 'env.taskset.id = "owner/my-env"' in repaired.text


def test_measurements_of_the_evaluation_are_used():
    measured = Measured("my_env", prompt_tokens=3500, turns=1, group_size=32)
    known = Known(KNOWN.classes, {"my_env": measured}, KNOWN.renderers)
    found = findings(parse(HOSTED), known)
    assert "fail" in found["config.sequence_length"], "3500 + 1024 > 4096"
    assert "warn" in found["config.group_size"], "the plan asks for 32"


def test_config_classes_are_read_from_the_source_without_running_it(tmp_path):
    folder = write_environment(
        tmp_path, **{"little_sums/extra.py": "raise SystemExit('never run')\n"}
    )
    classes = read_classes(folder, "little_sums")
    assert (
        classes.fields["split"]["choices"] == ["train", "eval"]
        and classes.fields["count"]["default"] == 8
    )
    assert classes.seats == ("agent",)
    assert read_classes(tmp_path, "absent") is None


def test_seats_are_read_from_the_env_config(tmp_path):
    folder = write_environment(
        tmp_path,
        **{
            "little_sums/env.py": (
                "import verifiers.v1 as vf\n\nclass GameConfig(vf.EnvConfig):\n    player: "
                "vf.AgentConfig = vf.AgentConfig()\n    referee: vf.AgentConfig = "
                "vf.AgentConfig()\n"
            )
        },
    )
    assert read_classes(folder, "little_sums").seats == ("player", "referee")


def test_a_file_without_known_classes_says_what_it_could_not_check():
    found = findings(parse(HOSTED), Known())
    assert found["config.taskset_args"] == found["config.renderer"] == {"skip"}


@pytest.mark.skipif(
    not os.environ.get("LAB_RL_CONFIGS"),
    reason="prime-rl-configs is not on PyPI: set LAB_RL_CONFIGS to its src folder",
)
def test_the_real_schema_takes_every_good_file(tmp_path):
    folder = write_environment(tmp_path / "one", "my-env")
    other = write_environment(tmp_path / "two", "other-env")
    files = [parse(text, hosted=hosted) for text, hosted in GOOD.values()]
    found = ask(files, [os.environ["LAB_RL_CONFIGS"], str(folder), str(other)])
    assert {
        name: finding.evidence
        for name, finding in zip(GOOD, found, strict=True)
        if finding.status != "pass"
    } == {}


def test_without_the_real_schema_that_is_said():
    if os.environ.get("LAB_RL_CONFIGS"):
        pytest.skip("the schema is there")
    found = check_schema(parse(HOSTED), [])
    assert found.status == "skip" and "prime-rl-configs" in found.evidence


def test_the_generation_of_a_good_file_is_todays():
    assert recognise(TrainingFile(parse(HOSTED).data))[0].id == "now"


INHERITED = """\
import verifiers.v1 as vf
from base_of_mine import LevelConfig


class SumConfig(LevelConfig):
    count: int = 8


class SumTaskset(vf.Taskset[vf.Task, SumConfig]):
    def load(self):
        return []
"""


@pytest.mark.long
def test_inherited_fields_are_asked_of_the_imported_classes(tmp_path, monkeypatch):
    """Reading the source is not trusted where a base class lies elsewhere."""
    from lab.training import classes_live

    folder = write_environment(tmp_path, **{"little_sums/taskset.py": INHERITED})
    (folder / "base_of_mine.py").write_text(
        "import typing\n\nimport verifiers.v1 as vf\n\n\nclass LevelConfig(vf.TasksetConfig):\n   "
        ' level: typing.Literal["low", "high"] = "low"\n'
    )
    assert read_classes(folder, "little_sums") is None
    live = classes_live.read(folder, "little_sums")
    assert (
        live.fields["level"]["choices"] == ["low", "high"] and live.fields["count"]["default"] == 8
    )
    assert live.seats == ("agent",) and "judges" in live.task_fields
    assert classes_live.read(folder, "not_there") is None
