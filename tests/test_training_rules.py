"""Every rule over training files: what it finds, what it leaves alone, what it repairs."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from lab.training.classes import read as read_classes
from lab.training.classes import renderers
from lab.training.dialects import check_generation, recognise
from lab.training.file import TrainingFile, parse
from lab.training.fix import fix
from lab.training.rules import Known, check
from lab.training.rules.base import EnvironmentClasses
from lab.training.schema import ask, check_schema
from publishable import write_environment
from test_training_together import MISTAKES
from training_files import GOOD, HOSTED, example

CLASSES = EnvironmentClasses(
    "my_env",
    {"split": {"type": "Literal['train', 'eval']", "default": "train", "choices": ["train", "eval"]}, "count": {"type": "int", "default": 8}, "name_of_set": {"type": "str | None"}},
    task_fields=("judges", "rewards", "metrics", "stops"),
)
KNOWN = Known(classes={"my_env": CLASSES}, renderers=renderers())


def findings(text: str, *, hosted: bool = True, known: Known = KNOWN) -> dict[str, list[str]]:
    """id -> statuses, the generation's check included."""
    file = parse(text, hosted=hosted)
    found: dict[str, list[str]] = {}
    for finding in [check_generation(file, "convert"), *(issue.finding for issue in check(file, known))]:
        found.setdefault(finding.id, []).append(finding.status)
    return found


@pytest.mark.parametrize("name", GOOD)
def test_a_good_file_has_no_failing_finding(name):
    text, hosted = GOOD[name]
    bad = {id: statuses for id, statuses in findings(text, hosted=hosted).items() if {"fail", "warn"} & set(statuses)}
    assert bad == {}


def test_there_are_twenty_good_files_of_different_kinds():
    assert len(GOOD) >= 20 and len({text for text, _ in GOOD.values()}) == len(GOOD)


def swap(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert text.count(old) >= 1, f"{old!r} does not stand in the file"
        return text.replace(old, new, 1)

    return change


def drop(*lines: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        for line in lines:
            assert line in text
            text = text.replace(line, "", 1)
        return text

    return change


def add(more: str) -> Callable[[str], str]:
    return lambda text: text + "\n" + more + "\n"


TRAIN_HARNESS = '[orchestrator.train.source.env.agent.harness]\nid = "null"\n'
TRAIN_RUNTIME = '[orchestrator.train.source.env.agent.runtime]\ntype = "subprocess"\n'
EVAL_BLOCK = HOSTED[HOSTED.index("[[orchestrator.eval.source]]") : HOSTED.index("[inference]")]

MUTATIONS: list[tuple[str, Callable[[str], str], str, str]] = [
    ("group size left out", drop("group_size = 16\n"), "config.group_size", "fail"),
    ("group size 1", swap("group_size = 16", "group_size = 1"), "config.group_size", "fail"),
    ("group size 2", swap("group_size = 16", "group_size = 2"), "config.group_size", "fail"),
    ("group size 4", swap("group_size = 16", "group_size = 4"), "config.group_size", "warn"),
    ("group size a string", swap("group_size = 16", 'group_size = "16"'), "config.group_size", "fail"),
    ("group size 128", swap("group_size = 16", "group_size = 128"), "config.group_size", "warn"),
    ("group size shared, older place", swap("batch_size = 128", "batch_size = 128\ngroup_size = 16"), "config.group_size_place", "warn"),
    ("group size shared, newer place", swap("[orchestrator.train.sampling]", "[orchestrator.train]\ngroup_size = 16\n\n[orchestrator.train.sampling]"), "config.group_size_place", "warn"),
    ("batch not whole groups", swap("batch_size = 128", "batch_size = 120"), "config.batch_divisible", "fail"),
    ("group of 24 in a batch of 128", swap("group_size = 16", "group_size = 24"), "config.batch_divisible", "fail"),
    ("batch of zero", swap("batch_size = 128", "batch_size = 0"), "config.batch_divisible", "fail"),
    ("both kinds of batch", swap("batch_size = 128", "batch_size = 128\ntoken_batch_size = 65536"), "config.batch_divisible", "fail"),
    ("batch counted in tokens", swap("batch_size = 128", "token_batch_size = 65536"), "config.batch_divisible", "warn"),
    ("batch smaller than a group", swap("batch_size = 128", "batch_size = 8"), "config.batch_groups", "fail"),
    ("batch of two tasks", swap("batch_size = 128", "batch_size = 32"), "config.batch_groups", "warn"),
    ("huge batch", swap("batch_size = 128", "batch_size = 8192"), "config.batch_groups", "warn"),
    ("temperature 0", swap("temperature = 1.0", "temperature = 0.0"), "config.temperature", "fail"),
    ("temperature 3", swap("temperature = 1.0", "temperature = 3.0"), "config.temperature", "fail"),
    ("temperature 0.2", swap("temperature = 1.0", "temperature = 0.2"), "config.temperature", "warn"),
    ("top_p in training", swap("temperature = 1.0", "temperature = 1.0\ntop_p = 0.9"), "config.sampling_keys", "fail"),
    ("max_tokens, the old name", swap("max_completion_tokens", "max_tokens"), "config.sampling_keys", "fail"),
    ("learning rate of adapters", swap("lr = 1e-6", "lr = 1e-4"), "config.learning_rate", "fail"),
    ("learning rate 2e-5", swap("lr = 1e-6", "lr = 2e-5"), "config.learning_rate", "warn"),
    ("learning rate 1e-9", swap("lr = 1e-6", "lr = 1e-9"), "config.learning_rate", "fail"),
    ("learning rate a string", swap("lr = 1e-6", 'lr = "1e-6"'), "config.learning_rate", "fail"),
    ("no such optimiser", swap("lr = 1e-6", 'lr = 1e-6\ntype = "adam"'), "config.learning_rate", "fail"),
    ("adapter rank 12", add("[trainer.model.lora]\nrank = 12"), "config.lora_rank", "fail"),
    ("adapters on the platform", add("[trainer.model.lora]\nrank = 16"), "config.lora_hosted", "warn"),
    ("adapters over NCCL", add('[trainer.model.lora]\nrank = 16\n[weight_broadcast]\ntype = "nccl"'), "config.weight_broadcast", "fail"),
    ("schedule longer than the run", add('[trainer.scheduler]\ntype = "linear"\nwarmup_steps = 80\ndecay_steps = 40'), "config.scheduler", "fail"),
    ("no such schedule", add('[trainer.scheduler]\ntype = "cosin"'), "config.scheduler", "fail"),
    ("no such algorithm", swap("group_size = 16", 'group_size = 16\nalgo.type = "ppo"'), "config.algorithm", "fail"),
    ("distillation without a teacher", swap("group_size = 16", 'group_size = 16\nalgo.type = "opd"'), "config.algorithm", "fail"),
    ("no limit on completions", drop("max_completion_tokens = 1024\n"), "config.completion_tokens", "warn"),
    ("completions of 4 tokens", swap("max_completion_tokens = 1024", "max_completion_tokens = 4"), "config.completion_tokens", "fail"),
    ("completions longer than the sequence", swap("max_completion_tokens = 1024", "max_completion_tokens = 8192"), "config.sequence_length", "fail"),
    ("no room for the prompt", swap("max_completion_tokens = 1024", "max_completion_tokens = 4000"), "config.sequence_length", "warn"),
    ("turns that do not fit", swap('[orchestrator.train.source.env.agent.harness]', '[orchestrator.train.source.env.agent]\nmax_turns = 6\n\n[orchestrator.train.source.env.agent.harness]'), "config.sequence_length", "fail"),
    ("sequence of the trainer shorter", swap("[trainer.optim]", "[trainer.model]\nseq_len = 1024\n\n[trainer.optim]"), "config.sequence_consistent", "fail"),
    ("sequence length left out", drop("seq_len = 4096\n"), "config.sequence_consistent", "warn"),
    ("context shorter than the sequence", add("[inference.vllm]\nmax_model_len = 2048"), "config.context_length", "fail"),
    ("harness left out", drop(TRAIN_HARNESS), "config.harness", "fail"),
    ("harness of a coding agent", swap('id = "null"', 'id = "bash"'), "config.harness", "warn"),
    ("runtime left out", drop(TRAIN_RUNTIME), "config.runtime", "fail"),
    ("runtime a paid sandbox", swap('type = "subprocess"', 'type = "prime"'), "config.runtime", "warn"),
    ("no such runtime", swap('type = "subprocess"', 'type = "local"'), "config.runtime", "fail"),
    ("wrong seat", swap("[orchestrator.train.source.env.agent.harness]", "[orchestrator.train.source.env.player.harness]"), "config.seat", "fail"),
    ("misspelt seat", swap("[orchestrator.train.source.env.agent.harness]", "[orchestrator.train.source.env.agents.harness]"), "config.seat", "fail"),
    ("no source", lambda text: text[: text.index("[[orchestrator.train.source]]")] + "[inference]\n", "config.sources", "fail"),
    ("source with single brackets", swap("[[orchestrator.train.source]]", "[orchestrator.train.source]"), "config.sources", "fail"),
    ("no taskset id", drop('id = "owner/my-env"\nsplit = "train"\n'), "config.taskset_id", "fail"),
    ("taskset without owner", swap('id = "owner/my-env"', 'id = "my-env"'), "config.taskset_id", "fail"),
    ("taskset id of an older generation", swap('id = "owner/my-env"', 'id = "owner/my-env-v1"'), "config.taskset_id", "warn"),
    ("reserved name", swap('name = "my-env"', 'name = "agg"'), "config.source_names", "fail"),
    ("misspelt key of a source", swap("group_size = 16", "groupsize = 16"), "config.source_keys", "fail"),
    ("arguments in the old place", swap("group_size = 16", "group_size = 16\nargs = {count = 8}"), "config.source_keys", "fail"),
    ("ratio 0", swap("group_size = 16", "group_size = 16\nratio = 0"), "config.ratio", "fail"),
    ("dead taskset argument", swap('split = "train"', 'split = "train"\nnum_tasks = 5'), "config.taskset_args", "fail"),
    ("misspelt taskset argument", swap('split = "train"', 'split = "train"\ncuont = 5'), "config.taskset_args", "fail"),
    ("choice that does not exist", swap('split = "train"', 'split = "test"'), "config.taskset_args", "fail"),
    ("argument of another type", swap('split = "train"', 'split = "train"\ncount = "five"'), "config.taskset_args", "fail"),
    ("dead task setting", swap('split = "train"', 'split = "train"\ntask.timeout = 5'), "config.taskset_args", "fail"),
    ("evaluation on the training split", swap('split = "eval"', 'split = "train"'), "config.eval_split", "fail"),
    ("evaluation with the default split", drop('split = "eval"\n'), "config.eval_split", "fail"),
    ("evaluation without a source", drop(EVAL_BLOCK), "config.eval_sources", "fail"),
    ("evaluation less often than the run is long", swap("[orchestrator.eval]\ninterval = 25", "[orchestrator.eval]\ninterval = 500"), "config.eval_interval", "warn"),
    ("evaluation at each step", swap("[orchestrator.eval]\ninterval = 25", "[orchestrator.eval]\ninterval = 1"), "config.eval_interval", "warn"),
    ("judge key that nobody forwards", swap('split = "train"', 'split = "train"\ntask.judges = [{api_key_var = "OPENAI_API_KEY"}]'), "config.judge_key", "warn"),
    ("no end", drop("max_steps = 100\n"), "config.max_steps", "fail"),
    ("steps a string", swap("max_steps = 100", 'max_steps = "100"'), "config.max_steps", "fail"),
    ("100,000 steps", swap("max_steps = 100", "max_steps = 100000"), "config.max_steps", "warn"),
    ("long run without checkpoints", drop("[ckpt]\ninterval = 25\nkeep_last = 2\n"), "config.checkpoint", "fail"),
    ("checkpoint at the end only", swap("[ckpt]\ninterval = 25\nkeep_last = 2\n", "[ckpt]\n"), "config.checkpoint", "fail"),
    ("checkpoints later than the end", swap("[ckpt]\ninterval = 25", "[ckpt]\ninterval = 250"), "config.checkpoint", "warn"),
    ("every checkpoint kept", swap("[ckpt]\ninterval = 25\nkeep_last = 2", "[ckpt]\ninterval = 2"), "config.checkpoint", "warn"),
    ("more GPUs than the node has", swap("num_train_gpus = 1", "num_train_gpus = 9"), "config.gpus", "fail"),
    ("no GPU for inference", swap("num_infer_gpus = 1", "num_infer_gpus = 0"), "config.gpus", "fail"),
    ("32 billion on one GPU", swap("Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-32B"), "config.gpus", "warn"),
    ("no such deployment", swap('type = "single_node"', 'type = "one_node"'), "config.gpus", "fail"),
    ("model that no renderer lists", swap("Qwen/Qwen3-4B-Instruct-2507", "someone/qwen3-4b-mine"), "config.renderer", "fail"),
    ("no such renderer", add('[orchestrator.renderer]\nname = "qwen"'), "config.renderer", "fail"),
    ("model on this machine", swap("Qwen/Qwen3-4B-Instruct-2507", "./outputs/weights"), "config.local_keys", "fail"),
    ("no model", drop('[model]\nname = "Qwen/Qwen3-4B-Instruct-2507"\n'), "config.model", "fail"),
    ("two models", swap("[trainer.optim]", '[trainer.model]\nname = "Qwen/Qwen3-8B"\n\n[trainer.optim]'), "config.model", "fail"),
    ("no [inference]", drop("[inference]\n"), "config.tables", "fail"),
    ("clean on the platform", swap("max_steps = 100", "max_steps = 100\nclean = true"), "config.local_keys", "fail"),
    ("slurm on the platform", add('[slurm]\njob_name = "x"'), "config.local_keys", "fail"),
    ("disaggregated inference on the platform", add('[inference.deployment]\ntype = "disaggregated"'), "config.local_keys", "fail"),
    ("output folder on the platform", swap("max_steps = 100", 'max_steps = 100\noutput_dir = "/data"'), "config.local_keys", "warn"),
    ("misspelt key of the orchestrator", swap("batch_size = 128", "batch_size = 128\nmax_off_policy_step = 4"), "config.unknown_keys", "fail"),
    ("misspelt key at the top", swap("max_steps = 100", "max_steps = 100\nmax_step = 100"), "config.unknown_keys", "fail"),
    ("W&B in the old place", add('[wandb]\nproject = "x"'), "config.unknown_keys", "fail"),
    ("inference setting in the old place", add("[inference.model]\nmax_model_len = 4096"), "config.unknown_keys", "fail"),
    ("key nobody knows", swap("batch_size = 128", "batch_size = 128\nzebra = 1"), "config.unknown_keys", "warn"),
    ("token in the file", swap("[trainer.optim]", '[env_vars]\nHF_HOME = "hf_abcdefghijklmnopqrstuvwxyz0123456789"\n\n[trainer.optim]'), "config.secrets", "fail"),
    ("GPUs chosen by variable", add('[env_vars]\nCUDA_VISIBLE_DEVICES = "0"'), "config.env_vars", "fail"),
    ("key among the variables", add('[env_vars]\nOPENAI_API_KEY = "$OPENAI_API_KEY"'), "config.env_vars", "warn"),
    ("rollouts of long ago", swap("batch_size = 128", "batch_size = 128\nmax_off_policy_steps = 64"), "config.off_policy", "warn"),
    ("file with env_file", swap("max_steps = 100", 'env_file = "a.env"\nmax_steps = 100'), "config.platform_keys", "warn"),
    ("flat form", lambda text: 'model = "Qwen/Qwen3-4B"\n[[env]]\nid = "owner/my-env"\n', "config.generation", "fail"),
]
"""(the mistake, the change that makes it in HOSTED, the rule that is meant for it, its status)."""


@pytest.mark.parametrize(("mistake", "change", "id", "status"), MUTATIONS, ids=[row[0] for row in MUTATIONS])
def test_each_mistake_is_found_by_the_rule_meant_for_it(mistake, change, id, status):
    before, after = findings(HOSTED), findings(change(HOSTED))
    assert status not in before.get(id, [])
    assert status in after.get(id, []), {key: value for key, value in after.items() if {"fail", "warn"} & set(value)}


def test_the_table_has_at_least_sixty_mistakes_and_every_rule():
    from lab.report import CATALOGUE

    assert len(MUTATIONS) >= 60
    covered = {row[2] for row in MUTATIONS} | {row[3] for row in MISTAKES}
    rules = {id for id in CATALOGUE if id.startswith("config.")} - {"config.converted", "config.fixed", "config.schema"} - {id for id in CATALOGUE if id.startswith("config.sft_")}
    assert rules <= covered


def test_a_mistake_does_not_set_off_unrelated_rules():
    """At most two rules speak about one mistake: the one meant, and one that it drags along."""
    noisy = {}
    for mistake, change, id, _ in MUTATIONS:
        if mistake in ("flat form", "no source", "source with single brackets", "no taskset id", "no [inference]"):
            continue
        others = {other for other, statuses in findings(change(HOSTED)).items() if "fail" in statuses} - {id}
        if len(others) > 2:
            noisy[mistake] = others
    assert noisy == {}


def test_client_keys_in_a_file_for_own_gpus():
    assert "fail" in findings('gpu_type = "H100"\n' + example(hosted=False), hosted=False)["config.platform_keys"]
    assert findings(example(hosted=False), hosted=False)["config.platform_keys"] == ["pass"]


REPAIRABLE = [
    "group size left out", "group size 1", "group size shared, older place", "group size shared, newer place", "both kinds of batch", "temperature 0", "top_p in training",
    "max_tokens, the old name", "adapter rank 12", "adapters over NCCL", "completions longer than the sequence", 
    "context shorter than the sequence", "harness left out", "runtime left out", "misspelt seat", "misspelt key of a source", "misspelt taskset argument",
    "evaluation on the training split", "evaluation with the default split", "evaluation without a source", "evaluation less often than the run is long",
    "long run without checkpoints", "checkpoint at the end only", "every checkpoint kept", "two models", "no [inference]", "clean on the platform", "slurm on the platform",
    "output folder on the platform", "misspelt key of the orchestrator", "GPUs chosen by variable",
]  # fmt: skip


@pytest.mark.parametrize("mistake", REPAIRABLE)
def test_a_safe_repair_mends_the_file_and_nothing_else(mistake):
    [(_, change, id, status)] = [row for row in MUTATIONS if row[0] == mistake]
    broken = parse("# mine\n" + change(HOSTED))
    repaired, done = fix(broken, KNOWN)
    assert id in {issue.finding.id for issue in done}
    assert status not in findings(repaired.text).get(id, [])
    assert "fail" not in {status for statuses in findings(repaired.text).values() for status in statuses}
    assert repaired.text.startswith("# mine\n")
    again, more = fix(repaired, KNOWN)
    assert again.text == repaired.text and more == []


@pytest.mark.parametrize("mistake", [row[0] for row in MUTATIONS if row[0] not in REPAIRABLE and row[0] != "flat form"])
def test_what_needs_a_decision_is_left_to_the_author(mistake):
    """A repair never makes a file worse, and never settles what it cannot know."""
    text = next(row[1] for row in MUTATIONS if row[0] == mistake)(HOSTED)
    repaired, done = fix(parse(text), KNOWN)
    before = sum(statuses.count("fail") for statuses in findings(text).values())
    after = sum(statuses.count("fail") for statuses in findings(repaired.text).values())
    assert after <= before
    for issue in done:
        assert issue.repair


def test_the_repair_keeps_a_dotted_style():
    text = example(source="").replace('env.agent.harness.id = "null"\n', "").replace('env.agent.runtime.type = "subprocess"\n', "")
    repaired, _ = fix(parse(text), KNOWN)
    source = parse(repaired.text).sources("train")[0]
    assert source.env["agent"] == {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}
    assert 'env.taskset.id = "owner/my-env"' in repaired.text


def test_measurements_of_the_evaluation_are_used():
    known = Known(classes=KNOWN.classes, renderers=KNOWN.renderers, prompt_tokens=3500, turns=1, best_group_size=32)
    found = findings(HOSTED, known=known)
    assert "fail" in found["config.sequence_length"], "3500 + 1024 > 4096"
    assert "warn" in found["config.group_size"], "the plan asks for 32"


def test_config_classes_are_read_from_the_source_without_running_it(tmp_path):
    folder = write_environment(tmp_path, **{"little_sums/extra.py": "raise SystemExit('never run')\n"})
    classes = read_classes(folder, "little_sums")
    assert classes.fields["split"]["choices"] == ["train", "eval"] and classes.fields["count"]["default"] == 8
    assert classes.seats == ("agent",)
    assert read_classes(tmp_path, "absent") is None


def test_seats_are_read_from_the_env_config(tmp_path):
    folder = write_environment(
        tmp_path,
        **{"little_sums/env.py": "import verifiers.v1 as vf\n\nclass GameConfig(vf.EnvConfig):\n    player: vf.AgentConfig = vf.AgentConfig()\n    referee: vf.AgentConfig = vf.AgentConfig()\n"},
    )
    assert read_classes(folder, "little_sums").seats == ("player", "referee")


def test_a_file_without_known_classes_says_what_it_could_not_check():
    found = findings(HOSTED, known=Known())
    assert set(found["config.taskset_args"]) == {"skip"} and found["config.renderer"] == ["skip"]


@pytest.mark.skipif(not os.environ.get("LAB_RL_CONFIGS"), reason="prime-rl-configs is not on PyPI: set LAB_RL_CONFIGS to its src folder")
def test_the_real_schema_takes_every_good_file(tmp_path):
    folder = write_environment(tmp_path / "one", "my-env")
    other = write_environment(tmp_path / "two", "other-env")
    files = [parse(text, hosted=hosted) for text, hosted in GOOD.values()]
    found = ask(files, [os.environ["LAB_RL_CONFIGS"], str(folder), str(other)])
    assert {name: finding.evidence for name, finding in zip(GOOD, found, strict=True) if finding.status != "pass"} == {}


def test_without_the_real_schema_that_is_said():
    if os.environ.get("LAB_RL_CONFIGS"):
        pytest.skip("the schema is there")
    found = check_schema(parse(HOSTED), None)
    assert found.status == "skip" and "prime-rl-configs" in found.evidence


def test_the_generation_of_a_good_file_is_todays():
    assert recognise(TrainingFile(parse(HOSTED).data))[0].id == "now"


INHERITED = '''\
import verifiers.v1 as vf
from base_of_mine import LevelConfig


class SumConfig(LevelConfig):
    count: int = 8


class SumTaskset(vf.Taskset[vf.Task, SumConfig]):
    def load(self):
        return []
'''


def test_inherited_fields_are_asked_of_the_imported_classes(tmp_path, monkeypatch):
    """Reading the source is not trusted where a base class lies elsewhere."""
    from lab.training import classes_live

    folder = write_environment(tmp_path, **{"little_sums/taskset.py": INHERITED})
    (folder / "base_of_mine.py").write_text('import typing\n\nimport verifiers.v1 as vf\n\n\nclass LevelConfig(vf.TasksetConfig):\n    level: typing.Literal["low", "high"] = "low"\n')
    assert read_classes(folder, "little_sums") is None
    live = classes_live.read(folder, "little_sums")
    assert live.fields["level"]["choices"] == ["low", "high"] and live.fields["count"]["default"] == 8
    assert live.seats == ("agent",) and "judges" in live.task_fields
    assert classes_live.read(folder, "not_there") is None
