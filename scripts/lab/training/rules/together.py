"""Rules about values that must agree: each is fine alone, and together they ruin the run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from lab.report import Check
from lab.training.file import LEARNING_RATE, TrainingFile
from lab.training.rules.base import DROP, Change, Issue, Known, integer, is_number
from lab.untrusted import excerpt

IN_FLIGHT = Check(
    "config.in_flight",
    title="enough rollouts run at a time",
    expected="max_inflight and tasks_per_minute allow a batch within minutes",
    reason="A limit below one group never finishes one; a limit far below the batch leaves the GPUs idle and billed.",
    source="prime-rl orchestrator.concurrency, tasks_per_minute",
)
SEAT_LIMITS = Check(
    "config.seat_limits",
    title="a seat's own limits leave room for a rollout",
    expected="max_turns >= 1, token limits above one completion, at least 30 s",
    reason="The seat's limits stand far from the sampling block, and the smaller one counts: every rollout is cut or times out, and is paid.",
    source="verifiers 0.4.0 AgentConfig",
)
TRAINED_SEAT = Check(
    "config.trained_seat",
    title="the policy plays the seat that is trained",
    expected="no other model, client or fixed sampling on every seat",
    reason="A seat with a model of its own is played by that model; nothing of it trains the policy.",
    source="verifiers 0.4.0 AgentConfig: model, client, trainable",
)
EVAL_SAMPLING = Check(
    "config.eval_sampling",
    title="evaluation asks for what training allows",
    expected="no shorter completions than in training; several rollouts only with a temperature",
    reason="With fewer tokens the held-out score falls by truncation; at temperature 0 the rollouts of a task are one rollout paid several times.",
    source="prime-rl EvalSamplingConfig",
)
FAKE_DATA = Check(
    "config.fake_data",
    title="the trainer trains on rollouts",
    expected="no [trainer.data.fake] beside training sources",
    reason="Fake data is left over from a smoke run: the rollouts are sampled and paid for, and the weights follow random tokens.",
    source="prime-rl trainer.data.fake",
)
SHARED = Check(
    "config.shared_values",
    title="a shared value stands once",
    expected="max_steps, ckpt and W&B at the top only",
    reason="A different value in a part is refused; W&B cannot be offline in a run.",
    source="prime-rl RLConfig validation",
)
RESUME = Check(
    "config.resume",
    title="a resumed run has steps left and finds its files",
    expected="resume.step < max_steps, and the name of the earlier run",
    reason="A run that resumes at its end stops at once, after the GPUs were up; without the name it looks into a folder of its own.",
    source="prime-rl resume; run.name",
)
TWICE = Check(
    "config.source_repeated",
    title="sources are different tasks",
    expected="no two training sources with the same taskset and arguments",
    reason="The same tasks under two names count twice in every batch, and their curves say the same.",
    source="",
)
PARALLEL = Check(
    "config.parallel",
    title="GPUs are divided as the parts need them",
    expected="tensor_parallel_size divides the inference GPUs; cp divides seq_len and the training GPUs",
    reason="The launcher refuses it on the node, after the wait for GPUs.",
    source="prime-rl RLConfig validation; vLLM",
)
THINKING = re.compile(r"thinking|(?<![a-z0-9])r1(?![a-z0-9])|qwq", re.IGNORECASE)
"""Names of models that always reason at length before they answer."""
REASONING = Check(
    "config.reasoning_room",
    title="a reasoning model has room to reason",
    expected="max_completion_tokens >= 2048 for a model that always reasons",
    reason="Its reasoning alone is longer: most rollouts end before an answer, and all of a group get the same reward of nothing.",
    source="model cards of Qwen3 Thinking and DeepSeek-R1: 32,768 tokens recommended",
)


def in_flight(file: TrainingFile, known: Known) -> Iterator[Issue]:
    groups = [file.group_size(source) for source in file.sources("train")]
    batch = file.batch_size
    if not groups or not batch:
        return
    most = file.number("orchestrator.concurrency.max_inflight")
    first = file.number("orchestrator.concurrency.initial_inflight")
    rate = file.number("orchestrator.tasks_per_minute")
    low = min((value for value in (most, first) if value is not None), default=None)
    if low is not None and low < max(groups):
        yield Issue(IN_FLIGHT.fail(f"{low:g}", f"{low:g} rollouts in flight hold no group of {max(groups):g}", "leave orchestrator.concurrency out: it adapts by itself"), (Change("orchestrator.concurrency", DROP),))
    elif most is not None and most < batch / 4:
        yield Issue(IN_FLIGHT.warn(f"{most:g} of {batch:g}", f"{most:g} rollouts in flight, a batch has {batch:g}: each step is sampled in {batch / most:.0f} rounds", "raise orchestrator.concurrency.max_inflight, or leave it out"))
    elif rate is not None and (rate <= 0 or batch / max(groups) / rate > 3):
        yield Issue(IN_FLIGHT.warn(f"{rate:g} per minute", f"{batch / max(groups):.0f} tasks per step at {rate:g} a minute: {batch / max(groups) / max(rate, 1e-9):.0f} minutes of waiting per step", "raise orchestrator.tasks_per_minute, or leave it out"))
    elif most is not None or rate is not None:
        yield Issue(IN_FLIGHT.ok())


def seat_limits(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        tokens = file.sampling(source, "max_completion_tokens")
        episode = (source.env.get("timeout") or {}).get("episode") if isinstance(source.env.get("timeout"), dict) else None
        if is_number(episode) and episode < 30:
            yield Issue(SEAT_LIMITS.warn(f"timeout.episode = {episode:g} s", f"{source.where}: an episode has {episode:g} seconds, on a server that works at many at a time", "set env.timeout.episode = 600, or leave it out"))
        for name, seat in _seats(source):
            where = f"{source.where}: env.{name}"
            turns = seat.get("max_turns")
            if turns is not None and (not integer(turns) or turns < 1):
                yield Issue(SEAT_LIMITS.fail(f"max_turns = {excerpt(turns, 40)}", f"{where}.max_turns = {excerpt(turns, 40)} allows no turn", "set max_turns to what a rollout needs, or leave it out"))
            for key in ("max_total_tokens", "max_output_tokens"):
                value = seat.get(key)
                if is_number(value) and integer(tokens) and value < tokens:
                    yield Issue(SEAT_LIMITS.fail(f"{key} = {value}", f"{where}.{key} = {value} ends a rollout before one completion of {tokens} tokens", f"raise {key} above {tokens}, or lower max_completion_tokens"))
            timeout = seat.get("timeout")
            seconds = timeout.get("rollout") if isinstance(timeout, dict) else timeout
            if is_number(seconds) and seconds < 30:
                yield Issue(SEAT_LIMITS.warn(f"timeout = {seconds:g} s", f"{where}: a rollout has {seconds:g} seconds, on a server that works at many at a time", "set timeout.rollout = 600, or leave it out"))


def trained_seat(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        seats = list(_seats(source))
        away = [f"{name}.{key}" for name, seat in seats for key in ("model", "client") if seat.get(key) not in (None, "None", {}, file.model)]
        away += [f"{name}.trainable" for name, seat in seats if seat.get("trainable") is False]
        if away and len({path.split(".")[0] for path in away}) >= len(seats):
            path = f"{source.path}.env.{away[0]}"
            yield Issue(TRAINED_SEAT.fail(away, f"{source.where}: env.{', env.'.join(excerpt(item, 60) for item in away)} takes the seat from the policy, and there is no other seat", f"remove {path}"))
        for name, seat in seats:
            sampling = seat.get("sampling")
            value = sampling.get("temperature") if isinstance(sampling, dict) else None
            if is_number(value) and value < 0.1:
                yield Issue(TRAINED_SEAT.fail(f"temperature {value:g}", f"{source.where}: env.{name}.sampling.temperature = {value:g} makes all rollouts of a task the same", f"remove env.{name}.sampling"), (Change(f"{source.path}.env.{name}.sampling.temperature", DROP),))


def eval_sampling(file: TrainingFile, known: Known) -> Iterator[Issue]:
    train = [file.sampling(source, "max_completion_tokens") for source in file.sources("train")]
    longest = max((tokens for tokens in train if integer(tokens)), default=None)
    for source in file.sources("eval"):
        tokens = file.sampling(source, "max_completion_tokens")
        size = source.table.get("group_size") or file.number("orchestrator.eval.group_size") or 1
        cold = file.sampling(source, "temperature")
        if integer(tokens) and longest and tokens < longest:
            yield Issue(EVAL_SAMPLING.warn(f"{tokens} < {longest}", f"{source.where} may say {tokens} tokens, training {longest}", f"set orchestrator.eval.sampling.max_completion_tokens = {longest}"))
        elif is_number(cold) and cold < 0.05 and is_number(size) and size > 1:
            yield Issue(EVAL_SAMPLING.warn(f"temperature {cold:g}, {size:g} rollouts", f"{source.where}: {size:g} rollouts per task at temperature {cold:g} are the same", "set orchestrator.eval.group_size = 1, or a temperature"))
        else:
            yield Issue(EVAL_SAMPLING.ok())


def fake_data(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if file.has("trainer.data.fake") and file.sources("train"):
        yield Issue(FAKE_DATA.fail("trainer.data.fake", "the trainer reads random tokens, not the rollouts of the sources", "remove [trainer.data.fake]"), (Change("trainer.data.fake", DROP),))


def shared(file: TrainingFile, known: Known) -> Iterator[Issue]:
    clashes = []
    for path in ("max_steps", "ckpt.interval", "ckpt.keep_last", "monitors.wandb.project"):
        if file.has(path):
            clashes += [f"{part}.{path}" for part in ("trainer", "orchestrator") if file.has(f"{part}.{path}") and file.get(f"{part}.{path}") != file.get(path)]
    if clashes:
        yield Issue(SHARED.fail(clashes, f"{', '.join(clashes)} differs from the value at the top, which is refused", "keep the one at the top"), tuple(Change(path, DROP) for path in clashes))
    elif file.get("monitors.wandb.offline") is True and file.mode == "rl":
        yield Issue(SHARED.fail("offline", "monitors.wandb.offline is refused in a run: trainer and orchestrator share one curve", "remove it, or set WANDB_MODE=offline"), (Change("monitors.wandb.offline", DROP),))
    else:
        yield Issue(SHARED.ok())


def resume(file: TrainingFile, known: Known) -> Iterator[Issue]:
    step, steps = file.number("resume.step"), file.number("max_steps")
    if not file.has("resume"):
        return
    if step is not None and steps is not None and step >= steps:
        yield Issue(RESUME.fail(f"{step:g} of {steps:g}", f"the run resumes at step {step:g} and ends at {steps:g}", "raise max_steps: it counts from the beginning of the first run"))
    elif step is not None and not file.hosted and not file.has("run.name"):
        yield Issue(RESUME.fail("no run.name", "resume.step looks into the folder of a run with a new name", 'set [run] name = "..." to the name of the earlier run, or resume.dir'))
    else:
        yield Issue(RESUME.ok(f"{step:g}" if step is not None else "dir"))


def twice(file: TrainingFile, known: Known) -> Iterator[Issue]:
    seen: dict[str, str] = {}
    for source in file.sources("train"):
        key = json.dumps({**source.taskset, "id": source.module}, sort_keys=True, default=str)
        if source.module and key in seen:
            yield Issue(TWICE.warn(excerpt(source.id, 60), f"{source.where} loads the very tasks of {seen[key]}", "remove one of them, or give it a split or arguments of its own"))
        seen.setdefault(key, source.where)


def parallel(file: TrainingFile, known: Known) -> Iterator[Issue]:
    train, infer = file.gpus
    wide, cp = file.number("inference.vllm.tensor_parallel_size"), file.number("trainer.model.cp")
    if file.get("deployment.type") == "multi_node" and file.number("deployment.num_infer_nodes") == 0 and file.has("inference") and not file.has("trainer.data.fake"):
        yield Issue(PARALLEL.fail("0 nodes", "no node is left for inference, and [inference] is there", "set deployment.num_infer_nodes = 1 or more"))
    elif wide and infer and (wide < 1 or infer % wide):
        yield Issue(PARALLEL.fail(f"{infer:g} / {wide:g}", f"{infer:g} inference GPUs are not whole servers of {wide:g}", "set tensor_parallel_size to a divisor of the inference GPUs, or leave it out"))
    elif cp and (cp < 1 or file.seq_len % cp or train % cp):
        yield Issue(PARALLEL.fail(f"cp {cp:g}", f"cp = {cp:g} divides not both seq_len {file.seq_len:g} and {train:g} training GPUs", "set cp to a divisor of both, or leave it out"))
    elif wide or cp:
        yield Issue(PARALLEL.ok())


def schedule(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Part of config.scheduler: what the schedule does to the rate."""
    from lab.training.rules.signal import SCHEDULER

    rate, low = file.number("trainer.optim.lr", LEARNING_RATE), file.number("trainer.scheduler.min_lr")
    steps, warmup = file.number("max_steps"), file.number("trainer.scheduler.warmup_steps")
    if low is not None and rate is not None and low >= rate:
        yield Issue(SCHEDULER.fail(f"{low:g} >= {rate:g}", f"the rate falls from {rate:g} to min_lr {low:g}, which is not below it", "set min_lr to a tenth of the rate, or leave it out"), (Change("trainer.scheduler.min_lr", DROP),))
    elif steps and warmup and warmup > steps / 2:
        yield Issue(SCHEDULER.warn(f"{warmup:g} of {steps:g}", "more than half of the run is warm-up", "set warmup_steps to about a tenth of max_steps"))


def reasoning(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if not THINKING.search(file.model.rsplit("/", 1)[-1]):
        return
    for source in file.sources("train"):
        tokens = file.sampling(source, "max_completion_tokens")
        if integer(tokens) and tokens < 2048:
            yield Issue(REASONING.warn(tokens, f"{source.where}: {tokens} tokens for {excerpt(file.model, 60)}", "raise max_completion_tokens and seq_len, or take an instruct model"))
        else:
            yield Issue(REASONING.ok(tokens))


def _seats(source) -> Iterator[tuple[str, dict]]:
    from lab.training.rules.sources import ENV_KEYS

    for key, value in source.env.items():
        if key not in ENV_KEYS and isinstance(value, dict):
            yield key, value


RULES = (in_flight, seat_limits, trained_seat, eval_sampling, fake_data, shared, resume, twice, parallel, schedule, reasoning)
