"""Mistakes in numbers and in what must agree, in files of five kinds; and unusual files that are right."""

from __future__ import annotations

import os
import re

import pytest

from lab.training.classes import renderers
from lab.training.file import TrainingFile, parse
from lab.training.fix import fix
from lab.training.rules import Known, check
from lab.training.schema import ask
from publishable import write_environment
from training_files import GOOD, HOSTED, example

ADAPTERS, OWN_GPUS = GOOD["sorting, 4B, adapters of rank 32"]
NODES = GOOD["several nodes through SLURM"][0]
TWO = GOOD["two sources with a ratio"][0]
SFT = GOOD["supervised, before the run"][0]
THINKING = GOOD["thinking model with a long budget"][0]
KNOWN = Known(renderers=renderers())


def after(line: str, more: str):
    """The file with `more` behind the first line that begins with `line`."""

    def change(text: str) -> str:
        found = re.search(rf"^{re.escape(line)}.*\n", text, re.MULTILINE)
        assert found, line
        return text[: found.end()] + more + "\n" + text[found.end() :]

    return change


def swap(old: str, new: str):
    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return change


def seat(more: str):
    return swap("[orchestrator.train.source.env.agent.harness]", f"[orchestrator.train.source.env.agent]\n{more}\n\n[orchestrator.train.source.env.agent.harness]")


def held(more: str):
    return swap("[[orchestrator.eval.source]]", f"[orchestrator.eval.sampling]\n{more}\n\n[[orchestrator.eval.source]]")


def vllm(more: str):
    return swap("[inference]\n", f"[inference]\n[inference.vllm]\n{more}\n")


MISTAKES = [
    ("gradients clipped to nothing", HOSTED, after("lr = ", "max_norm = 0.0"), "config.values", "fail"),
    ("weights decayed", HOSTED, after("lr = ", "weight_decay = 1.0"), "config.values", "warn"),
    ("momentum that never forgets", HOSTED, after("lr = ", "betas2 = 1.0"), "config.values", "fail"),
    ("advantages times zero", HOSTED, swap("[orchestrator]\n", '[trainer.loss]\ntype = "default"\nadv_tau = 0.0\n\n[orchestrator]\n'), "config.values", "fail"),
    ("a tenth of the memory", HOSTED, vllm("gpu_memory_utilization = 0.1"), "config.values", "fail"),
    ("more than all memory", HOSTED, vllm("gpu_memory_utilization = 1.2"), "config.values", "fail"),
    ("one sequence at a time", HOSTED, vllm("max_num_seqs = 1"), "config.values", "fail"),
    ("64 rollouts per evaluated task", HOSTED, after("[orchestrator.eval]", "group_size = 64"), "config.values", "warn"),
    ("evaluation at temperature 3", HOSTED, held("temperature = 3.0"), "config.values", "fail"),
    ("no checkpoint kept", HOSTED, swap("keep_last = 2", "keep_last = 0"), "config.values", "fail"),
    ("adapters scaled to nothing", ADAPTERS, swap("alpha = 64.0", "alpha = 0.0"), "config.values", "fail"),
    ("adapters dropped out", ADAPTERS, after("alpha = ", "dropout = 0.9"), "config.values", "fail"),
    ("adapters nowhere", ADAPTERS, after("alpha = ", "target_modules = []"), "config.values", "fail"),
    ("fewer in flight than a group", HOSTED, after("batch_size", "concurrency.max_inflight = 8"), "config.in_flight", "fail"),
    ("sixteen in flight", HOSTED, after("batch_size", "concurrency.max_inflight = 16"), "config.in_flight", "warn"),
    ("one task a minute", HOSTED, after("batch_size", "tasks_per_minute = 1"), "config.in_flight", "warn"),
    ("no turn", HOSTED, seat("max_turns = 0"), "config.seat_limits", "fail"),
    ("total below one completion", HOSTED, seat("max_total_tokens = 300"), "config.seat_limits", "fail"),
    ("one second", HOSTED, seat("timeout.rollout = 1"), "config.seat_limits", "warn"),
    ("a seat played by another model", HOSTED, seat('model = "openai/gpt-4.1-mini"'), "config.trained_seat", "fail"),
    ("the only seat not trained", HOSTED, seat("trainable = false"), "config.trained_seat", "fail"),
    ("a seat at temperature 0", HOSTED, seat("sampling.temperature = 0.0"), "config.trained_seat", "fail"),
    ("evaluation with fewer tokens", HOSTED, held("max_completion_tokens = 64"), "config.eval_sampling", "warn"),
    ("greedy evaluation eight times", HOSTED, swap("[orchestrator.eval]\ninterval = 25", "[orchestrator.eval]\ninterval = 25\ngroup_size = 8\nsampling.temperature = 0.0"), "config.eval_sampling", "warn"),
    ("fake data left over", HOSTED, swap("[trainer.optim]", "[trainer.data.fake]\nbatch_size = 8\n\n[trainer.optim]"), "config.fake_data", "fail"),
    ("another end for the trainer", HOSTED, swap("[trainer.optim]", "[trainer]\nmax_steps = 50\n\n[trainer.optim]"), "config.shared_values", "fail"),
    ("W&B offline", HOSTED, swap("[inference]\n", '[monitors.wandb]\nproject = "x"\noffline = true\n\n[inference]\n'), "config.shared_values", "fail"),
    ("resumed at its end", ADAPTERS, swap("[model]", '[run]\nname = "mine"\n[resume]\nstep = 200\n\n[model]'), "config.resume", "fail"),
    ("resumed without a name", ADAPTERS, swap("[model]", "[resume]\nstep = 50\n\n[model]"), "config.resume", "fail"),
    ("one taskset under two names", TWO, swap("owner/other-env", "owner/my-env"), "config.source_repeated", "warn"),
    ("a source that hardly ever comes", TWO, swap("ratio = 0.5", "ratio = 0.0001"), "config.ratio", "warn"),
    ("two versions of one environment", HOSTED, swap('id = "owner/my-env"\nsplit = "eval"', 'id = "owner/my-env@0.1.0"\nsplit = "eval"'), "config.taskset_id", "warn"),
    ("an environment server at home", HOSTED, after("group_size", 'serve.address = "tcp://localhost:5555"'), "config.taskset_id", "warn"),
    ("servers wider than the GPUs", HOSTED, vllm("tensor_parallel_size = 4"), "config.parallel", "fail"),
    ("context parallel over three", HOSTED, swap("[trainer.optim]", "[trainer.model]\ncp = 3\n\n[trainer.optim]"), "config.parallel", "fail"),
    ("no node for inference", NODES, swap("num_infer_nodes = 2", "num_infer_nodes = 0"), "config.parallel", "fail"),
    ("a rate that rises", HOSTED, swap("[orchestrator]\n", '[trainer.scheduler]\ntype = "cosine"\nmin_lr = 1e-4\n\n[orchestrator]\n'), "config.scheduler", "fail"),
    ("nothing but warm-up", HOSTED, swap("[orchestrator]\n", '[trainer.scheduler]\ntype = "linear"\nwarmup_steps = 90\n\n[orchestrator]\n'), "config.scheduler", "warn"),
    ("512 tokens to think in", THINKING, swap("max_completion_tokens = 12288", "max_completion_tokens = 512"), "config.reasoning_room", "warn"),
    ("half the distribution, by the back door", HOSTED, after("max_completion_tokens", "extra_body = {top_p = 0.5}"), "config.sampling_keys", "fail"),
    ("one seed for all", HOSTED, after("max_completion_tokens", "extra_body = {seed = 7}"), "config.sampling_keys", "fail"),
    ("weights for inference", HOSTED, swap("Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-4B-Instruct-2507-FP8"), "config.model", "fail"),
    ("sgd at the rate of adamw", HOSTED, after("lr = ", 'type = "sgd"'), "config.learning_rate", "warn"),
    ("no such loss", HOSTED, swap("[orchestrator]\n", '[trainer.loss]\ntype = "grpo"\n\n[orchestrator]\n'), "config.values", "fail"),
    ("an episode of five seconds", HOSTED, after("group_size", "env.timeout.episode = 5"), "config.seat_limits", "warn"),
    ("half a token", HOSTED, swap("seq_len = 4096", "seq_len = 4096.5"), "config.sequence_length", "fail"),
    ("validation on the training rows", SFT, swap("[optim]", '[val.data]\nname = "/volume/datasets/mine"\nseq_len = 4096\n[optim]'), "config.sft_validation", "fail"),
    ("micro batch that does not divide", SFT, after("seq_len", "micro_batch_size = 5"), "config.sft_batch", "fail"),
    ("model shorter than its rows", SFT, swap("[ckpt]", "seq_len = 1024\n[ckpt]"), "config.sft_sequence", "fail"),
    ("rows in their order", SFT, after("seq_len", "shuffle = false"), "config.sft_data", "warn"),
    ("trained on the test split", SFT, after("seq_len", 'splits = ["test"]'), "config.sft_data", "warn"),
    ("supervised adapters at zero", GOOD["supervised with adapters"][0], after("rank", "alpha = 0.0"), "config.values", "fail"),
]
"""(the mistake, the good file, the change, the rule that is meant for it, its status)."""


def read(text: str) -> TrainingFile:
    return parse(text, hosted="owner/" in text or "/volume/" in text)


def found(text: str) -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for issue in check(read(text), KNOWN):
        out.setdefault(issue.finding.id, set()).add(issue.finding.status)
        if issue.finding.status in ("fail", "warn"):
            assert issue.finding.fix and issue.finding.evidence
    return out


@pytest.mark.parametrize(("mistake", "text", "change", "id", "status"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_each_mistake_is_found_and_drags_at_most_one_other_along(mistake, text, change, id, status):
    before, after_it = found(text), found(change(text))
    assert status not in before.get(id, set()) and status in after_it[id], after_it
    others = {other for other, statuses in after_it.items() if "fail" in statuses} - {other for other, statuses in before.items() if "fail" in statuses} - {id}
    assert len(others) <= 1, others


def test_repairs_of_these_never_make_a_file_worse():
    for _, text, change, _, _ in MISTAKES:
        broken = change(text)
        repaired, done = fix(read(broken), KNOWN)
        fails = [sum("fail" in statuses for statuses in found(version).values()) for version in (broken, repaired.text)]
        assert fails[1] <= fails[0] and all(issue.repair for issue in done)


DUEL = '''
[[orchestrator.train.source]]
name = "duel"
group_size = 16
env.taskset.id = "duel"
env.player.harness.id = "null"
env.player.runtime.type = "subprocess"
env.referee.harness.id = "null"
env.referee.runtime.type = "subprocess"
env.referee.trainable = false
env.referee.model = "openai/gpt-4.1-mini"
'''
UNUSUAL: dict[str, tuple[str, bool]] = {
    "a game with a referee that is not trained": (example(hosted=False, environment=DUEL), False),
    "three sources, each with its own sampling": (example(batch=384, environment=TWO[TWO.index("[[orchestrator.train.source]]\nname = \"other\"") : TWO.index("[inference]")] + '\n[[orchestrator.train.source]]\nname = "third"\ngroup_size = 32\nratio = 0.5\nsampling = {temperature = 0.8, max_completion_tokens = 512}\nenv.taskset.id = "owner/third-env"\nenv.agent.harness.id = "null"\nenv.agent.runtime.type = "subprocess"\n'), True),
    "held-out tasks with more tokens, sixteen times, colder": (HOSTED.replace("[[orchestrator.eval.source]]", "[orchestrator.eval.sampling]\ntemperature = 0.6\nmax_completion_tokens = 2048\n\n[[orchestrator.eval.source]]").replace("[orchestrator.eval]\n", "[orchestrator.eval]\ngroup_size = 16\n"), True),
    "greedy evaluation, once": (HOSTED.replace("[[orchestrator.eval.source]]", "[orchestrator.eval.sampling]\ntemperature = 0.0\n\n[[orchestrator.eval.source]]"), True),
    "trainer only, on fake data": ('max_steps = 5\nseq_len = 2048\n[model]\nname = "Qwen/Qwen3-0.6B"\n[trainer.data.fake]\nbatch_size = 8\n[orchestrator]\n', False),
    "servers of two GPUs, context parallel": (example(seq_len=32768, tokens=16384, gpus=(4, 4), trainer="\n[trainer.model]\ncp = 2", more="[inference.vllm]\ntensor_parallel_size = 2\nmax_model_len = 32768"), True),
    "resumed on own GPUs": (example(hosted=False, more='[run]\nname = "mine"\n[resume]\nstep = 50'), False),
    "linear, to a tenth of the rate": (example(trainer='weight_decay = 0.0\nmax_norm = 0.5\n\n[trainer.scheduler]\ntype = "linear"\nwarmup_steps = 5\ndecay_steps = 20\nmin_lr = 1e-7'), True),
    "many small groups": (example(batch=1024, group=8, orchestrator="[orchestrator.concurrency]\nmax_inflight = 1024\nmin_inflight = 128"), True),
    "tools in containers, twenty turns": (example(seq_len=16384, tokens=768, environment="env.agent.max_turns = 20\nenv.agent.max_total_tokens = 16000\nenv.agent.timeout.rollout = 1800").replace('runtime.type = "subprocess"', 'runtime.type = "docker"'), True),
    "rank 8 in attention only": (example(hosted=False, lr=2e-5, trainer='\n[trainer.model.lora]\nrank = 8\nalpha = 16.0\ntarget_modules = ["q_proj", "v_proj"]'), False),
    "thinking turned off through the template": (HOSTED.replace("max_completion_tokens = 1024\n", "max_completion_tokens = 1024\nextra_body = {chat_template_kwargs = {enable_thinking = false}}\n"), True),
    "numbers that were written as text or with a point": (HOSTED.replace("batch_size = 128", "batch_size = 128.0").replace("seq_len = 4096", 'seq_len = "4096"'), True),
    "supervised with held-out rows": (SFT.replace("[optim]", '[val]\ninterval = 20\n[val.data]\nname = "/volume/datasets/held"\nseq_len = 4096\n[optim]').replace("seq_len = 4096\n[val]", "seq_len = 4096\nmicro_batch_size = 4\n[val]"), True),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_files_that_are_right_have_no_failure(name):
    text, hosted = UNUSUAL[name]
    failing = [issue.finding for issue in check(parse(text, hosted=hosted), KNOWN) if issue.finding.status == "fail"]
    assert failing == [], failing


@pytest.mark.skipif(not os.environ.get("LAB_RL_CONFIGS"), reason="prime-rl-configs is not on PyPI: set LAB_RL_CONFIGS to its src folder")
def test_the_real_schema_takes_the_unusual_files_and_most_of_the_mistakes(tmp_path):
    """What the schema refuses by itself needs no rule; these mistakes are mostly of the other kind."""
    names = ("my-env", "other-env", "third-env")
    folders = [str(write_environment(tmp_path / name, name)) for name in names]
    unusual = {name: parse(text, hosted=hosted) for name, (text, hosted) in UNUSUAL.items() if "referee" not in name}
    verdicts = ask(list(unusual.values()), [os.environ["LAB_RL_CONFIGS"], *folders])
    assert {name: verdict.evidence for name, verdict in zip(unusual, verdicts, strict=True) if verdict.status == "fail"} == {}
    wrong = ask([read(change(text)) for _, text, change, _, _ in MISTAKES], [os.environ["LAB_RL_CONFIGS"], *folders])
    assert sum(verdict.status == "pass" for verdict in wrong) >= 30
