"""Rules about the learning signal: groups, batches, sampling, learning rate, adapters."""

from __future__ import annotations

from collections.abc import Iterator

from lab.report import Check
from lab.training.defaults import sizing
from lab.training.file import LEARNING_RATE, TEMPERATURE, TrainingFile
from lab.training.rules.base import DROP, Change, Issue, Known, integer, is_number

SINGLE = ("rae", "opd", "opsd", "sft")
"""Algorithms that do not compare the rollouts of a group, so a group of one is fine."""
BENDING = {
    **dict.fromkeys(("top_p", "top_k", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty"), "bends the distribution that the trainer takes for the policy's"),
    "temperature": "overrides the temperature",
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "min_tokens"), "overrides the length"),
    "n": "asks for several replies where one is read",
    "seed": "makes the rollouts of a task the same",
    "ignore_eos": "lets no rollout end before its limit",
}
"""Keys that reach the inference server through extra_body, and what they do there."""
VLLM_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)

GROUP_SIZE = Check(
    "config.group_size",
    title="each task gets several rollouts",
    expected=">= 8 per source (4 at least)",
    reason="Advantages are differences within a group: with one rollout they are all zero and the run trains nothing. The default is 1, and it validates.",
    source="prime-rl orchestrator: group_size = 1; examples use 8 and 16",
)
GROUP_PLACE = Check(
    "config.group_size_place",
    title="the group size stands on each source",
    expected="group_size in every train source and nowhere else",
    reason="The shared key moved from orchestrator to orchestrator.train: a file with either fails on the other generation.",
    source="prime-rl schema generations of August and late 2026",
)
BATCH = Check(
    "config.batch_divisible",
    title="the batch is whole groups of every source",
    expected="batch_size % group_size == 0 for each source",
    reason="The platform checks only the shared group size; the newer generation refuses the run.",
    source="prime-rl orchestrator validation",
)
BATCH_GROUPS = Check(
    "config.batch_groups",
    title="a batch holds several tasks",
    expected=">= 4 groups per step, <= 4096 rollouts",
    reason="A step over one or two tasks follows their noise; each step of a huge batch is paid in full.",
    source="prime-rl examples: 8 to 64 groups per step",
)
TEMPERATURE_RULE = Check(
    "config.temperature",
    title="rollouts of one task differ",
    expected="0.5 to 1.3 in training",
    reason="At temperature 0 all rollouts of a group are the same, so no group is live.",
    source="prime-rl examples: 1.0",
)
SAMPLING_KEYS = Check(
    "config.sampling_keys",
    title="training samples from the whole distribution",
    expected="temperature and max_completion_tokens only",
    reason="Other keys are refused by one generation or bias the importance ratios in the other.",
    source="prime-rl TrainSamplingConfig",
)
RATE = Check(
    "config.learning_rate",
    title="the learning rate fits what is trained",
    expected="5e-7 to 1e-5 for all weights, 5e-6 to 1e-4 for adapters",
    reason="A rate of the wrong scale collapses the model within steps, or pays for a run that does not move.",
    source="prime-rl examples: 1e-6 to 3e-6 and 1e-5; verifiers training guide",
)
RANK = Check(
    "config.lora_rank",
    title="the adapter rank is one that the inference server has",
    expected="one of 8, 16, 32, 64, 128, 256, 320, 512",
    reason="Other ranks reach the inference server unrounded, which refuses them after the GPUs are up.",
    source="vLLM LoRA ranks; prime-rl auto_setup_lora, run",
)
LORA_HOSTED = Check(
    "config.lora_hosted",
    title="adapters are supported where the run goes",
    expected="no trainer.model.lora on the platform",
    reason="Hosted training updates every weight; whether it takes adapters is not said anywhere.",
    source="prime 0.18.0: shared LoRA training takes no new runs",
)
LORA_BROADCAST = Check(
    "config.weight_broadcast",
    title="adapters are handed over by files",
    expected="weight_broadcast.type filesystem with adapters",
    reason="NCCL carries no adapters; the run is refused.",
    source="prime-rl RLConfig validation",
)
SCHEDULER = Check(
    "config.scheduler",
    title="warm-up and decay fit into the run",
    expected="warmup_steps + decay_steps <= max_steps",
    reason="A schedule longer than the run never reaches its rate, or is refused.",
    source="prime-rl scheduler configs",
)
ALGORITHM = Check(
    "config.algorithm",
    title="the algorithm has what it needs",
    expected="opd with a teacher; max_rl without negative rewards",
    reason="A missing teacher is refused; under max_rl a mean reward of zero or below gives no advantage.",
    source="prime-rl algorithm configs",
)


def group_size(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """1 trains nothing; 2 and 3 rarely have a live group; below 8 most are not."""
    best = known.best_group_size or 16
    for source in file.sources("train"):
        size, algorithm = file.group_size(source), file.algorithm(source)
        raw = source.table.get("group_size")
        if raw is not None and not integer(raw):
            yield Issue(GROUP_SIZE.fail(str(raw), f"{source.where}: group_size is not a whole number", f"set group_size = {best} on it"))
        elif algorithm in SINGLE:
            yield Issue(GROUP_SIZE.ok(size, f"{source.where}: {algorithm} does not compare rollouts"))
        elif size < 4:
            why = "it is not set, and the default is 1" if raw is None and size == 1 else f"it is {size}"
            yield Issue(
                GROUP_SIZE.fail(size, f"{source.where}: {why}", f"set group_size = {best} on each train source"),
                (Change(f"{source.path}.group_size", best),),
            )
        elif size < 8:
            yield Issue(GROUP_SIZE.warn(size, f"{source.where}: groups of {size} are rarely live unless about half of the rollouts are right", f"use 8 to 32, for example group_size = {best}"))
        elif size > 64:
            yield Issue(GROUP_SIZE.warn(size, f"{source.where}: {size} rollouts of one task cost more than they tell", "use 8 to 32, and more tasks per step"))
        elif known.best_group_size and size < known.best_group_size:
            yield Issue(GROUP_SIZE.warn(size, f"{source.where}: the distribution report's plan asks for {known.best_group_size}", f"set group_size = {known.best_group_size}, or check the distribution at {size}"))
        else:
            yield Issue(GROUP_SIZE.ok(size, source.where))


def group_size_place(file: TrainingFile, known: Known) -> Iterator[Issue]:
    shared = [path for path in ("orchestrator.group_size", "orchestrator.train.group_size") if file.has(path)]
    if not shared:
        if file.sources("train"):
            yield Issue(GROUP_PLACE.ok("on each source"))
        return
    value = file.get(shared[0])
    repair = tuple(Change(f"{source.path}.group_size", value) for source in file.sources("train") if "group_size" not in source.table)
    yield Issue(
        GROUP_PLACE.warn(shared, f"{' and '.join(shared)} is known to one generation of the schema only", f"move group_size = {value} to each [[orchestrator.train.source]]"),
        repair + tuple(Change(path, DROP) for path in shared),
    )


def batch(file: TrainingFile, known: Known) -> Iterator[Issue]:
    size = file.batch_size
    if file.has("orchestrator.batch_size") and file.has("orchestrator.token_batch_size"):
        yield Issue(BATCH.fail("both", "batch_size and token_batch_size exclude each other", "keep batch_size; the newer generation has no token_batch_size"), (Change("orchestrator.token_batch_size", DROP),))
        return
    if size is None:
        yield Issue(BATCH.warn("in tokens", "token_batch_size is unknown to the newer generation of the schema", "use orchestrator.batch_size, a multiple of the group size"))
        return
    if size != int(size) or size < 1:
        yield Issue(BATCH.fail(size, "batch_size is not a positive whole number", "set orchestrator.batch_size = 128"))
        return
    bad = [(source, file.group_size(source)) for source in file.sources("train") if file.group_size(source) >= 1 and size % file.group_size(source)]
    for source, group in bad:
        near = max(group, round(size / group) * group)
        yield Issue(BATCH.fail(f"{size} / {group}", f"{source.where}: {size} rollouts are not whole groups of {group}", f"set orchestrator.batch_size = {near:g}, or another group size"))
    if not bad and file.sources("train"):
        yield Issue(BATCH.ok(size))


def batch_groups(file: TrainingFile, known: Known) -> Iterator[Issue]:
    size = file.batch_size
    groups = [file.group_size(source) for source in file.sources("train")]
    if size is None or not groups or size != int(size):
        return
    count = size / max(max(groups), 1)
    if count < 1:
        yield Issue(BATCH_GROUPS.fail(f"{count:.2g} groups", f"a batch of {size} does not hold one group of {max(groups)}", f"set orchestrator.batch_size = {max(groups) * 8:g}"))
    elif count < 4:
        yield Issue(BATCH_GROUPS.warn(f"{count:g} groups", f"each step sees {count:g} tasks", f"set orchestrator.batch_size = {max(groups) * 8:g} (8 tasks per step)"))
    elif size > 4096:
        yield Issue(BATCH_GROUPS.warn(f"{size} rollouts", "each step waits for that many rollouts", "start with 128 to 512"))
    else:
        yield Issue(BATCH_GROUPS.ok(f"{count:g} groups"))


def temperature(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        value = file.sampling(source, "temperature")
        value = TEMPERATURE if value is None else value
        where = "orchestrator.train.sampling" if "temperature" not in (source.table.get("sampling") or {}) else f"{source.path}.sampling"
        repair = (Change(f"{where}.temperature", 1.0),)
        if not is_number(value) or not 0 <= value <= 2:
            yield Issue(TEMPERATURE_RULE.fail(value, f"{source.where}: refused, it must lie between 0 and 2", "set temperature = 1.0"), repair)
        elif value < 0.1:
            yield Issue(TEMPERATURE_RULE.fail(value, f"{source.where}: all rollouts of a task will be the same", "set temperature = 1.0"), repair)
        elif not 0.5 <= value <= 1.3:
            yield Issue(TEMPERATURE_RULE.warn(value, f"{source.where}: {'little difference within a group' if value < 0.5 else 'rollouts drift into noise'}", "set temperature = 1.0, the value of every worked example"))
        else:
            yield Issue(TEMPERATURE_RULE.ok(value, source.where))


def sampling_keys(file: TrainingFile, known: Known) -> Iterator[Issue]:
    tables = [("orchestrator.train.sampling", file.get("orchestrator.train.sampling"))]
    tables += [(f"{source.path}.sampling", source.table.get("sampling")) for source in file.sources("train")]
    found = False
    for path, table in tables:
        if not isinstance(table, dict):
            continue
        for key in table:
            if key in ("max_tokens", "max_new_tokens", "max_length"):
                found = True
                yield Issue(
                    SAMPLING_KEYS.fail(key, f"{path}.{key} is called max_completion_tokens", f"rename it: max_completion_tokens = {table[key]}"),
                    (Change(f"{path}.max_completion_tokens", table[key]), Change(f"{path}.{key}", DROP)),
                )
            elif key not in ("temperature", "max_completion_tokens", "extra_body"):
                found = True
                yield Issue(SAMPLING_KEYS.fail(key, f"{path}.{key} is refused in training", f"remove {key}"), (Change(f"{path}.{key}", DROP),))
        body = table.get("extra_body")
        for key in [key for key in (body if isinstance(body, dict) else ()) if key in BENDING]:
            found = True
            yield Issue(SAMPLING_KEYS.fail(f"extra_body.{key}", f"{path}.extra_body.{key} {BENDING[key]}; nothing checks extra_body", f"remove {key} from extra_body"), (Change(f"{path}.extra_body.{key}", DROP),))
    if not found:
        yield Issue(SAMPLING_KEYS.ok())


def learning_rate(file: TrainingFile, known: Known) -> Iterator[Issue]:
    rate = file.get("trainer.optim.lr" if file.mode == "rl" else "optim.lr", LEARNING_RATE)
    adapters = file.lora is not None or (file.mode == "sft" and file.has("model.lora"))
    kind = file.get("trainer.optim.type", "adamw")
    good = sizing(file.model, lora=adapters).learning_rate if file.mode == "rl" else 1e-5
    if not is_number(rate) or rate <= 0:
        yield Issue(RATE.fail(rate, "it must be a positive number", f"set trainer.optim.lr = {good:g}"))
        return
    if kind not in ("adamw", "sgd", "muon", "sign_sgd"):
        yield Issue(RATE.fail(kind, f"there is no optimiser {kind!r}", 'use type = "adamw"'))
        return
    if kind == "sgd" and rate < 1e-4:
        yield Issue(RATE.warn(rate, f"{rate:g} is a rate for adamw; plain sgd scales no step, and hardly moves at it", 'use type = "adamw", or a rate for sgd'))
        return
    what = "adapters" if adapters else "all weights"
    low, high = (5e-6, 1e-4) if adapters else (5e-7, 1e-5)
    if file.mode == "sft":
        low, high = (1e-5, 5e-4) if adapters else (1e-6, 1e-4)
    if rate > high * 5 or rate < low / 10:
        yield Issue(RATE.fail(rate, f"{rate:g} for {what} is {'far too high' if rate > high else 'far too low'}", f"set lr = {good:g}"))
    elif not low <= rate <= high:
        yield Issue(RATE.warn(rate, f"{rate:g} for {what} is {'high' if rate > high else 'low'}", f"worked examples use {good:g}"))
    else:
        yield Issue(RATE.ok(rate, what))


def adapters(file: TrainingFile, known: Known) -> Iterator[Issue]:
    lora = file.lora
    if lora is None:
        return
    rank = lora.get("rank", 16)
    if rank not in VLLM_RANKS:
        near = min(VLLM_RANKS, key=lambda item: abs(item - rank)) if is_number(rank) else 16
        yield Issue(RANK.fail(rank, f"rank {rank} is not a rank of the inference server", f"set rank = {near}"), (Change("trainer.model.lora.rank", near),))
    else:
        yield Issue(RANK.ok(rank))
    if file.hosted:
        yield Issue(LORA_HOSTED.warn("adapters", "the platform's documents say that every weight is updated; adapters are not mentioned", "remove [trainer.model.lora] and set lr = 1e-6, or train on own GPUs with --self-hosted"))
    if file.get("weight_broadcast.type") in ("nccl", "nixl"):
        yield Issue(LORA_BROADCAST.fail(file.get("weight_broadcast.type"), "adapters need the filesystem", 'set weight_broadcast.type = "filesystem", or leave the table out'), (Change("weight_broadcast.type", "filesystem"),))


def scheduler(file: TrainingFile, known: Known) -> Iterator[Issue]:
    kind = file.get("trainer.scheduler.type")
    if kind is None:
        return
    steps = file.number("max_steps")
    warmup = file.number("trainer.scheduler.warmup_steps", 10) or 0
    decay = (file.number("trainer.scheduler.decay_steps", 10) or 0) if kind == "linear" else 0
    if kind not in ("constant", "linear", "cosine"):
        yield Issue(SCHEDULER.fail(kind, f"there is no scheduler {kind!r}", "use constant, linear or cosine"))
    elif kind != "constant" and (steps is None or warmup + decay > steps or (kind == "cosine" and warmup >= steps)):
        yield Issue(SCHEDULER.fail(f"{warmup + decay:g} of {steps}", f"{kind}: {warmup:g} steps of warm-up and {decay:g} of decay do not fit into {steps} steps", "lower warmup_steps and decay_steps, or use constant"))
    else:
        yield Issue(SCHEDULER.ok(kind))


def algorithm(file: TrainingFile, known: Known) -> Iterator[Issue]:
    kinds = ("grpo", "echo", "max_rl", "rae", "hierarchical_grpo", "opd", "opsd", "sft")
    for source in file.sources("train"):
        kind = file.algorithm(source)
        table = source.table.get("algo") or file.get("orchestrator.train.algo") or file.get("orchestrator.algo") or {}
        if kind not in kinds:
            yield Issue(ALGORITHM.fail(kind, f"{source.where}: there is no algorithm {kind!r}", f"use one of {', '.join(kinds)}"))
        elif kind == "opd" and not (isinstance(table, dict) and table.get("teacher")):
            yield Issue(ALGORITHM.fail(kind, f"{source.where}: opd has no teacher", "add algo.teacher with name and base_url, or use grpo"))
        elif kind == "hierarchical_grpo" and not (isinstance(table, dict) and table.get("episode_agents")):
            yield Issue(ALGORITHM.fail(kind, f"{source.where}: hierarchical_grpo names no episode_agents", "add algo.episode_agents, or use grpo"))
        elif kind != "grpo":
            yield Issue(ALGORITHM.ok(kind, source.where))


RULES = (group_size, group_size_place, batch, batch_groups, temperature, sampling_keys, learning_rate, adapters, scheduler, algorithm)
