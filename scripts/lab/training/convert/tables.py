"""Keys that moved or went, table by table: what became of each is a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.training.convert.conversion import Conversion
from lab.training.keys import blocks


def first(value: Any) -> Any:
    """One address where a list of one was."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def count(value: Any) -> Any:
    return len(value) if isinstance(value, list) else value


def listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Change = Callable[[Any], Any]
MOVES: tuple[tuple[str, str], ...] = (
    ("wandb", "monitors.wandb"),
    ("clean_output_dir", "clean"),
    ("checkpoints.interval", "ckpt.interval"),
    ("checkpoints.keep_cloud", "ckpt.keep_last"),
    ("ckpt.keep", "ckpt.keep_last"),
    ("trainer.ckpt.interval", "ckpt.interval"),
    ("trainer.ckpt.keep_last", "ckpt.keep_last"),
    ("trainer.ckpt.keep_interval", "ckpt.keep_interval"),
    ("trainer.lora", "trainer.model.lora"),
    ("trainer.model.experimental.lora", "trainer.model.lora"),
    ("model.lora", "trainer.model.lora"),
    ("inference.parallel.dp", "inference.vllm.data_parallel_size"),
    ("inference.parallel.tp", "inference.vllm.tensor_parallel_size"),
    ("inference.deployment.router", "inference.router"),
    ("inference.deployment.prefill_env_overrides", "inference.deployment.prefill_env_vars"),
    ("inference.deployment.decode_env_overrides", "inference.deployment.decode_env_vars"),
    ("max_inflight_rollouts", "orchestrator.concurrency.max_inflight"),
    ("orchestrator.max_inflight_rollouts", "orchestrator.concurrency.max_inflight"),
    ("orchestrator.max_inflight_episodes", "orchestrator.concurrency.max_inflight"),
    ("orchestrator.client", "orchestrator.model.client"),
    ("orchestrator.student.model.name", "orchestrator.model.name"),
    ("orchestrator.eval.rollouts_per_example", "orchestrator.eval.group_size"),
)
CHANGES: tuple[tuple[str, str, Change, str], ...] = (
    ("trainer_gpu_ids", "deployment.num_train_gpus", count, "a count today"),
    ("inference_gpu_ids", "deployment.num_infer_gpus", count, "a count today"),
    ("env_file", "env_files", listed, "a list today"),
    (
        "orchestrator.eval.eval_base_model",
        "orchestrator.eval.skip_first_step",
        lambda value: not value,
        "inverted",
    ),
    ("orchestrator.model.client.base_url", "orchestrator.model.client.base_url", first, "one"),
)
ADAPTS = "the number of rollouts in flight adapts by itself"
NO_FILTERS = "filters are gone; truncated and repetitive rollouts train as they are"
DROPS: dict[str, str] = {
    "trajectory_strategy": "rollouts are always interleaved",
    "max_async_level": "the lag is fixed at one step; see orchestrator.max_off_policy_steps",
    "async_level": "the lag is fixed at one step; see orchestrator.max_off_policy_steps",
    "oversampling_factor": ADAPTS,
    "pool_size": ADAPTS,
    "buffer": "the buffer is gone; groups without a signal are left out of the batch today",
    "filters": NO_FILTERS,
    "pre_batch_filters": NO_FILTERS,
    "post_batch_filters": NO_FILTERS,
    "val": "validation on the training tasks is gone; [orchestrator.eval] has tasks of its own",
    "advantage": "the algorithm decides it: see algo on each source",
    "use_token_client": "the token client is the only one",
    "env_mix": "each source has a ratio",
    "workers_per_env": "workers are added as they are needed",
    "lora_name": "adapters are named by the run",
    "wandb": "one shared monitors.wandb",
}
"""Dropped at the top, in the orchestrator and in the trainer."""
DROPPED_PATHS: dict[str, str] = {
    "checkpoints": "the rest of it has no counterpart",
    "ckpt.weights_only": "weights are exported by the platform",
    "ckpt.weights": "weights are exported by the platform",
    "trainer.ckpt.weights": "weights are exported by tools/convert_dcp_to_bf16.py",
    "trainer.ckpt.skip_gather_master_weights": "checkpoints are distributed",
    "monitors.wandb.log_extras": "samples are logged by monitors.file",
    "monitors.wandb.shared": "trainer and orchestrator always share one curve",
    "monitors.wandb.interval": "every step is logged",
    "inference.vllm.enable_auto_tool_choice": "it is always on",
    "inference.enable_auto_tool_choice": "it is always on",
    "inference.model.enable_auto_tool_choice": "it is always on",
    "inference.parallel": "the rest of it is decided by the deployment",
    "trainer.model.fp8": "low precision is [trainer.model.quantization]",
}
VLLM_TABLES = ("inference.model", "inference.vllm_extra")


def move(done: Conversion) -> None:
    _adapters(done)
    for old, new in MOVES:
        done.move(old, new)
    for old, new, change, reason in CHANGES:
        if done.get(old) is not None and change(done.get(old)) != done.get(old):
            value = change(done.take(old))
            done.put(new, value)
            done.note("changed", old, new, reason)
    _server(done)
    _disaggregated(done)
    _resume(done)
    _lists_of_addresses(done)


def supervised(done: Conversion) -> None:
    """A supervised file of an earlier release: its monitor, its checkpoints, what it resumes."""
    done.move("wandb", "monitors.wandb")
    done.move("clean_output_dir", "clean")
    done.move("experimental.lora", "model.lora")
    done.move("model.experimental.lora", "model.lora")
    done.move("deployment.num_gpus", "deployment.num_train_gpus")
    done.move("deployment.num_nodes", "deployment.num_train_nodes")
    done.move("loss_mask", "data.loss_mask")
    _resume(done)
    for path, reason in DROPPED_PATHS.items():
        done.drop(path, reason)
    done.drop("ckpt.skip_gather_master_weights", "checkpoints are distributed")
    if done.get("model.impl") == "liger_kernel":
        done.put("model.impl", "auto")
        why = "liger_kernel is gone"
        done.note("changed", "model.impl", "model.impl", why, was="liger_kernel", now="auto")


def drop(done: Conversion) -> None:
    for prefix in ("", "orchestrator.", "trainer."):
        for key, reason in DROPS.items():
            done.drop(f"{prefix}{key}", reason)
    for path, reason in DROPPED_PATHS.items():
        done.drop(path, reason)
    for path in ("trainer.ckpt", "trainer.wandb", "ckpt.weights"):
        if done.get(path) == {}:
            done.take(path)


def _adapters(done: Conversion) -> None:
    """Adapters of the flat form: gone on the platform, kept on own GPUs."""
    keys = ("adapters", "lora_alpha", "lora_rank")
    if done.hosted:
        for path in keys:
            done.drop(path, "hosted training updates all weights today")
        return
    had = any(done.get(key) is not None for key in keys)
    done.move("lora_alpha", "trainer.model.lora.alpha")
    done.move("lora_rank", "trainer.model.lora.rank")
    done.move("adapters.rank", "trainer.model.lora.rank")
    done.drop("adapters", "adapters are saved with the checkpoints")
    if had and done.get("trainer.model.lora.rank") is None:
        done.put("trainer.model.lora.rank", 16)
        done.note("added", "", "trainer.model.lora.rank", "the default rank")


def _server(done: Conversion) -> None:
    """Settings of the inference server live under inference.vllm."""
    if done.get("inference.model.name") is not None and done.get("model.name") is not None:
        done.drop("inference.model.name", "one [model] for all")
    done.move("inference.model.name", "inference.vllm.model")
    for table in VLLM_TABLES:
        found = done.get(table)
        for key in list(found) if isinstance(found, dict) else ():
            done.move(f"{table}.{key}", f"inference.vllm.{key}")
        if done.get(table) == {}:
            done.take(table)
    inference = done.get("inference")
    known = blocks()["Inference"]
    for key in list(inference) if isinstance(inference, dict) else ():
        if key not in known and key in blocks()["Vllm"]:
            done.move(f"inference.{key}", f"inference.vllm.{key}")


def _disaggregated(done: Conversion) -> None:
    """Nodes were counted over all replicas, and are counted per replica today."""
    for role in ("prefill", "decode"):
        old = f"inference.deployment.num_{role}_nodes"
        replicas = done.get(f"inference.deployment.num_{role}_replicas", 1)
        nodes = done.take(old)
        if isinstance(nodes, int) and isinstance(replicas, int) and replicas >= 1:
            new = f"inference.deployment.{role}_nodes_per_replica"
            done.put(new, max(1, nodes // replicas))
            done.note("changed", old, new, f"{nodes} nodes in {replicas} replicas")


def _resume(done: Conversion) -> None:
    """-1 meant the newest checkpoint: an empty [resume] does today."""
    step = done.take("ckpt.resume_step")
    if step is None:
        return
    if isinstance(step, int) and step >= 1:
        done.put("resume.step", step)
        done.note("moved", "ckpt.resume_step", "resume.step")
    else:
        done.data.setdefault("resume", {})
        done.note("changed", "ckpt.resume_step", "[resume]", "the newest checkpoint")


def teachers(done: Conversion) -> None:
    """A teacher of the orchestrator becomes the algorithm of every source."""
    mode = done.take("orchestrator.training_mode")
    name, address = _model_of(done, "orchestrator.teacher")
    sampler, sampled_at = _model_of(done, "orchestrator.teacher_rollout_model")
    if mode is not None:
        done.note("moved", "orchestrator.training_mode", "algo.type", str(mode))
    if sampler or (mode == "sft" and name):
        frozen = {"name": sampler or name, "base_url": sampled_at or address}
        done.put("orchestrator.algo", {"type": "sft", "sampling": {"source": frozen}})
    elif name and mode in ("opd", None):
        teacher = {"name": name, "base_url": address}
        done.put("orchestrator.algo", {"type": "opd", "teacher": teacher})


def _model_of(done: Conversion, path: str) -> tuple[Any, Any]:
    name = done.take(f"{path}.model.name")
    address = first(done.take(f"{path}.client.base_url"))
    if name is not None:
        done.note("moved", f"{path}.model.name", "algo", str(name))
    if address is not None:
        done.note("moved", f"{path}.client.base_url", "algo", str(address))
    done.ask(path, "only name and base_url of a teacher have a place in algo")
    return name, address


def _lists_of_addresses(done: Conversion) -> None:
    """A base_url is one address today, wherever it is."""

    def walk(table: Any, path: str) -> None:
        rows = table.items() if isinstance(table, dict) else enumerate(table)
        for key, value in list(rows):
            here = f"{path}.{key}" if path else str(key)
            if key == "base_url" and isinstance(value, list):
                table[key] = value[0] if value else ""
                several = len(value) > 1
                reason = f"one address is taken; {', '.join(map(str, value[1:]))} is left out"
                done.note("asked" if several else "changed", here, here, reason if several else "")
            elif isinstance(value, dict | list):
                walk(value, here)

    walk(done.data, "")
