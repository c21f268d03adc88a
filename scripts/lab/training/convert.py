"""An older training file in today's form: every key moved, changed, dropped with a reason, or asked about.

    done = convert(file)
    done.data, done.notes

All generations go through one list of steps, oldest first, because files mix them. The result
is portable where it can be: group size and algorithm stand on each source, and keys that only
one of the two current generations has are dropped with the reason.
"""

from __future__ import annotations

import copy
from typing import Any

from lab.training import defaults
from lab.training.conversion import Conversion
from lab.training.file import SLUG, TrainingFile
from lab.training.keys import KNOWN, open_below

ADAPTIVE = "the number of rollouts in flight adapts by itself"
BUFFER = "the buffer is gone; groups without a signal are left out of the batch today"
ONE_GENERATION = "only one of the two current generations has it"


def convert(file: TrainingFile, *, owner: str = "") -> Conversion:
    """The file in today's form. `owner` completes taskset ids without one."""
    done = Conversion(copy.deepcopy(file.data), hosted=file.hosted)
    was_flat = isinstance(done.data.get("model"), str) or isinstance(done.data.get("env"), list)
    if was_flat:
        _flat(done)
    for step in (_environments, _sampling, _groups, _evaluation, _adapters, _monitors, _engine, _deployment, _gone, _one_generation):
        step(done)
    _sources(done, owner)
    _complete(done, was_flat)
    _unknown(done)
    return done


def _flat(done: Conversion) -> None:
    """The hosted file of prime up to 0.12: its top level is spread over the tables."""
    if isinstance(done.get("model"), str):
        done.put("model", {"name": done.take("model")})
        done.note("moved", "model", "model.name")
    rate = done.take("learning_rate")
    if rate is not None and done.hosted and float(rate) > 1e-5:
        size = defaults.sizing(str(done.get("model.name") or ""))
        done.put("trainer.optim.lr", size.learning_rate)
        done.note("changed", "learning_rate", "trainer.optim.lr", f"{rate:g} was for adapters; all weights are trained today, so {size.learning_rate:g}")
    elif rate is not None:
        done.put("trainer.optim.lr", rate)
        done.note("moved", "learning_rate", "trainer.optim.lr")
    done.move("env", "orchestrator.env")
    if done.get("rollouts_per_example") is None:
        done.put("rollouts_per_example", 8)
        done.note("added", "", "group_size", "8 was the default of the flat form")
    if done.get("max_steps") is None:
        done.put("max_steps", 100)
        done.note("added", "", "max_steps", "100 was the default of the flat form")
    for key in ("checkpoint_id", "run_config", "infrastructure", "tailscale", "loss", "teacher", "cluster_name"):
        done.ask(key, "it has no counterpart in the file; a warm start is resume or a volume, hardware is gpu_type")
    done.drop("temp_scheduler", "the temperature is constant today")
    if done.get("eval") is not None:
        done.move("eval", "orchestrator.eval")
    done.drop("val", "validation on the training tasks is gone; [orchestrator.eval] has tasks of its own")


def _environments(done: Conversion) -> None:
    """Every older list of environments becomes source blocks."""
    for kind, olds in (("train", ("orchestrator.env", "orchestrator.train.env")), ("eval", ("orchestrator.eval.env",))):
        for old in olds:
            rows = done.take(old)
            if not isinstance(rows, list):
                continue
            sources = [_source_of(done, row, f"{old}[{index}]") for index, row in enumerate(rows) if isinstance(row, dict)]
            done.put(f"orchestrator.{kind}.source", done.sources(kind) + sources)
            done.note("moved", old, f"orchestrator.{kind}.source")


def _source_of(done: Conversion, row: dict[str, Any], where: str) -> dict[str, Any]:
    """One older environment entry: id and args become the taskset's, the rest is looked at key by key."""
    row = dict(row)
    taskset = row.pop("taskset", None)
    environment: dict[str, Any] = {"taskset": dict(taskset) if isinstance(taskset, dict) else {}}
    if "id" in row:
        environment["taskset"].setdefault("id", row.pop("id"))
    args = row.pop("args", None)
    if isinstance(args, dict) and args:
        environment["taskset"].update(args)
        done.note("asked", f"{where}.args", "env.taskset", f"{', '.join(args)} were arguments of load_environment(); check that the taskset's config has them")
    agent = {key: row.pop(key) for key in ("harness", "runtime", "max_turns", "max_total_tokens", "timeout") if key in row}
    if agent:
        environment["agent"] = agent
    source: dict[str, Any] = {}
    for old, new in (("name", "name"), ("ratio", "ratio"), ("weight", "ratio"), ("rollouts_per_example", "group_size"), ("group_size", "group_size"), ("sampling", "sampling"), ("algo", "algo"), ("num_examples", "num_examples"), ("interval", "interval")):
        if old in row:
            source[new] = row.pop(old)
    for key in row:
        done.note("asked", f"{where}.{key}", "", "it has no counterpart in a source block")
    return {**source, "env": environment}


def _sampling(done: Conversion) -> None:
    for old in ("sampling", "orchestrator.sampling"):
        table = done.get(old)
        if not isinstance(table, dict):
            continue
        for key in list(table):
            _sampling_key(done, f"{old}.{key}", key)
    table = done.get("orchestrator.train.sampling")
    for key in list(table) if isinstance(table, dict) else ():
        if key not in ("temperature", "max_completion_tokens", "extra_body"):
            _sampling_key(done, f"orchestrator.train.sampling.{key}", key)
    for source in done.sources("train"):
        own = source.get("sampling")
        if isinstance(own, dict) and "max_tokens" in own:
            own["max_completion_tokens"] = own.pop("max_tokens")
            done.note("moved", "source.sampling.max_tokens", "source.sampling.max_completion_tokens")


def _sampling_key(done: Conversion, path: str, key: str) -> None:
    if key in ("max_tokens", "max_completion_tokens", "max_seq_len"):
        done.move(path, "orchestrator.train.sampling.max_completion_tokens")
    elif key == "temperature":
        done.move(path, "orchestrator.train.sampling.temperature")
    elif key == "extra_body":
        done.move(path, "orchestrator.train.sampling.extra_body")
    elif key == "enable_thinking":
        done.move(path, "orchestrator.train.sampling.extra_body", lambda value: {"chat_template_kwargs": {"enable_thinking": value}}, "passed to the chat template")
    elif key == "reasoning_effort":
        done.ask(path, "training has no reasoning effort; it belongs to the renderer of models that have one")
    else:
        done.drop(path, "training samples from the whole distribution: only temperature and length are set")


def _groups(done: Conversion) -> None:
    """The shared group size and algorithm go to every source."""
    for old in ("rollouts_per_example", "orchestrator.rollouts_per_example", "group_size", "orchestrator.group_size", "orchestrator.train.group_size"):
        value = done.take(old)
        if value is None:
            continue
        for source in done.sources("train"):
            source.setdefault("group_size", value)
        done.note("moved", old, "group_size on each source")
    for old in ("orchestrator.algo", "orchestrator.train.algo"):
        value = done.take(old)
        if value is not None:
            for source in done.sources("train"):
                source.setdefault("algo", value)
            done.note("moved", old, "algo on each source")
    done.move("batch_size", "orchestrator.batch_size")


def _evaluation(done: Conversion) -> None:
    done.move("orchestrator.eval.rollouts_per_example", "orchestrator.eval.group_size")
    done.move("orchestrator.eval.eval_base_model", "orchestrator.eval.skip_first_step", lambda value: not value, "inverted")
    limit = "how many tasks are evaluated has another key in each current generation (num_examples, select.limit); all are evaluated, so choose a small held-out split"
    for path in ("orchestrator.eval.num_examples", "orchestrator.eval.select"):
        if done.get(path) is not None:
            done.ask(path, limit)
    for source in done.sources("eval"):
        for key in ("num_examples", "select"):
            if source.pop(key, None) is not None:
                done.note("asked", f"orchestrator.eval.source.{key}", "", limit)
    table = done.get("orchestrator.eval.sampling")
    if isinstance(table, dict) and "max_tokens" in table:
        done.move("orchestrator.eval.sampling.max_tokens", "orchestrator.eval.sampling.max_completion_tokens")
    if done.get("orchestrator.eval") is not None and not done.sources("eval"):
        done.drop("orchestrator.eval", "it names no tasks")


def _adapters(done: Conversion) -> None:
    rank = done.get("adapters.rank") or done.get("lora_rank")
    alpha = done.get("lora_alpha")
    if done.hosted:
        for path in ("adapters", "lora_alpha", "lora_rank"):
            done.drop(path, "hosted training updates all weights today")
    else:
        done.move("lora_alpha", "trainer.model.lora.alpha")
        done.move("lora_rank", "trainer.model.lora.rank")
        done.drop("adapters", "adapters are saved with the checkpoints")
        if (alpha or rank) and done.get("trainer.model.lora.rank") is None:
            done.put("trainer.model.lora.rank", 16)
            done.note("added", "", "trainer.model.lora.rank", "the default rank")
    for old in ("trainer.lora", "trainer.model.experimental.lora", "model.lora"):
        done.move(old, "trainer.model.lora")
    done.drop("orchestrator.lora_name", "adapters are named by the run")


def _monitors(done: Conversion) -> None:
    done.move("wandb", "monitors.wandb")
    for part in ("trainer", "orchestrator"):
        done.drop(f"{part}.wandb", "one shared monitors.wandb")
    for key in ("log_extras", "shared", "interval"):
        done.drop(f"monitors.wandb.{key}", "not a key of today's monitor")
    done.move("checkpoints.interval", "ckpt.interval")
    done.move("checkpoints.keep_cloud", "ckpt.keep_last")
    done.drop("checkpoints", "the rest of it has no counterpart")
    done.drop("ckpt.weights_only", "weights are exported by the platform")
    done.drop("ckpt.weights", "weights are exported by the platform")
    done.move("ckpt.keep", "ckpt.keep_last")
    done.move("ckpt.resume_step", "resume.step")


def _engine(done: Conversion) -> None:
    """Settings of the inference server live under inference.vllm."""
    done.drop("inference.model.name", "one [model] for all")
    table = done.get("inference.model")
    for key in list(table) if isinstance(table, dict) else ():
        done.move(f"inference.model.{key}", f"inference.vllm.{key}")
    done.move("inference.parallel.dp", "inference.vllm.data_parallel_size")
    done.move("inference.parallel.tp", "inference.vllm.tensor_parallel_size")
    done.drop("inference.parallel", "the rest of it is decided by the deployment")
    for key in ("gpu_memory_utilization", "max_model_len", "enable_lora", "max_loras", "max_lora_rank", "seed", "api_server_count", "enforce_eager", "tool_call_parser", "reasoning_parser"):
        done.move(f"inference.{key}", f"inference.vllm.{key}")
    done.drop("inference.vllm.enable_auto_tool_choice", "it is always on")


def _deployment(done: Conversion) -> None:
    for old, new in (("trainer_gpu_ids", "deployment.num_train_gpus"), ("inference_gpu_ids", "deployment.num_infer_gpus")):
        done.move(old, new, lambda value: len(value) if isinstance(value, list) else value, "a count today")
    done.move("env_file", "env_files", lambda value: value if isinstance(value, list) else [value])


def _gone(done: Conversion) -> None:
    for prefix in ("", "orchestrator.", "trainer."):
        done.drop(f"{prefix}trajectory_strategy", "rollouts are always interleaved")
        done.drop(f"{prefix}max_async_level", "the lag is fixed at one step; see max_off_policy_steps")
        done.drop(f"{prefix}async_level", "the lag is fixed at one step; see max_off_policy_steps")
        done.drop(f"{prefix}oversampling_factor", ADAPTIVE)
        done.drop(f"{prefix}buffer", BUFFER)
        done.drop(f"{prefix}filters", "filters are gone; truncated and repetitive rollouts train as they are")
    done.move("max_inflight_rollouts", "orchestrator.concurrency.max_inflight")
    done.move("orchestrator.max_inflight_rollouts", "orchestrator.concurrency.max_inflight")
    for key in ("pre_batch_filters", "post_batch_filters", "val", "advantage", "use_token_client", "env_mix", "environment", "workers_per_env"):
        done.drop(f"orchestrator.{key}", "it is gone")


def _one_generation(done: Conversion) -> None:
    """Keys that parse in one current generation and stop the run in the other."""
    done.drop("orchestrator.train.filter_zero_advantages", f"{ONE_GENERATION}, and the default does it")
    done.drop("orchestrator.constant_trainer_batch_size", f"{ONE_GENERATION}, and the default does it")
    done.ask("orchestrator.token_batch_size", f"{ONE_GENERATION}; set orchestrator.batch_size in rollouts")
    done.ask("orchestrator.train.select", f"{ONE_GENERATION}; choose tasks by the taskset's own config")
    if done.get("trainer.loss") is not None:
        done.ask("trainer.loss", "loss types differ between the current generations; the default of each is used")
    for kind in ("train", "eval"):
        for source in done.sources(kind):
            for key, reason in (("curriculum", "the newer generation calls it sampler"), ("sampler", "the older generation calls it curriculum"), ("min_abs_advantage", "the older generation has gates instead"), ("select", "choose tasks by the taskset's own config")):
                if source.pop(key, None) is not None:
                    done.note("dropped", f"orchestrator.{kind}.source.{key}", "", f"{ONE_GENERATION}: {reason}")


def _sources(done: Conversion, owner: str) -> None:
    """Ids with their owner, seats with harness and runtime."""
    for kind in ("train", "eval"):
        for source in done.sources(kind):
            environment = source.setdefault("env", {})
            if not isinstance(environment, dict):
                continue
            taskset = environment.setdefault("taskset", {})
            id = taskset.get("id") if isinstance(taskset, dict) else None
            if isinstance(id, str) and id:
                new = id.removesuffix("-v1") if not SLUG.fullmatch(id) else id
                if done.hosted and "/" not in new:
                    if owner:
                        new = f"{owner}/{new}"
                    else:
                        done.note("asked", f"orchestrator.{kind}.source.env.taskset.id", "", f"{id} has no owner; the platform needs owner/name (--env owner/name)")
                if new != id:
                    taskset["id"] = new
                    done.note("changed", f"orchestrator.{kind}.source.env.taskset.id", new, f"it was {id}")
                source.setdefault("name", new.rsplit("/", 1)[-1].split("@", 1)[0] + ("-eval" if kind == "eval" else ""))
            seats = [value for key, value in environment.items() if key not in ("taskset", "id", "timeout", "retries", "interception", "max_concurrent_agents") and isinstance(value, dict)]
            if not seats:
                environment["agent"] = {}
                seats = [environment["agent"]]
            for seat in seats:
                for block, key, value in (("harness", "id", "null"), ("runtime", "type", "subprocess")):
                    table = seat.setdefault(block, {})
                    if isinstance(table, dict) and key not in table:
                        table[key] = value
                        done.note("added", "", f"env.agent.{block}.{key} = {value}", "the default is a paid sandbox" if block == "runtime" else "the default is a coding agent")


def _complete(done: Conversion, was_flat: bool) -> None:
    """Required tables, and a group size on every source."""
    for source in done.sources("train"):
        if "group_size" not in source:
            source["group_size"] = defaults.GROUP_SIZE
            done.note("added", "", f"group_size = {defaults.GROUP_SIZE}", "the default is 1, which trains nothing")
    for table in ("trainer", "orchestrator", "inference"):
        if not isinstance(done.data.get(table), dict):
            done.data[table] = {}
            done.note("added", "", f"[{table}]", "required")
    tokens = done.get("orchestrator.train.sampling.max_completion_tokens")
    if was_flat and done.get("seq_len") is None and isinstance(tokens, int):
        length = defaults.sequence_length(defaults.PROMPT_TOKENS, 1, tokens)
        done.put("seq_len", length)
        done.note("added", "", f"seq_len = {length}", "the flat form had none; the default of 2048 cuts longer rollouts")
    steps = done.get("max_steps")
    if was_flat and isinstance(steps, int) and steps >= 50 and done.get("ckpt") is None:
        done.put("ckpt", {"interval": max(10, steps // 4), "keep_last": 2})
        done.note("added", "", "[ckpt]", "a long run without checkpoints loses everything in a crash")


def _unknown(done: Conversion) -> None:
    """What is left and not known in today's form is asked about, and left out."""

    def walk(table: dict[str, Any], prefix: str) -> None:
        for key in list(table):
            path = f"{prefix}.{key}" if prefix else key
            value = table[key]
            if isinstance(value, dict) and any(known.startswith(path + ".") for known in KNOWN["rl"]):
                walk(value, path)
            elif path not in KNOWN["rl"] and not open_below(path, "rl") and path not in ("name", "gpu_type", "image_tag", "volume", "volume_size", "env_files", "source_ref"):
                del table[key]
                done.note("asked", path, "", "it is not a key of today's form")

    walk(done.data, "")
