"""The last steps: groups and algorithm on each source, required tables, and what nobody knows."""

from __future__ import annotations

from typing import Any

from lab.sizes import GROUP_SIZE
from lab.training import defaults
from lab.training.classes import renderers
from lab.training.convert.conversion import Conversion
from lab.training.keys import faults, known
from lab.training.schema import CLIENT_ONLY

SIZES = (
    "rollouts_per_example",
    "orchestrator.rollouts_per_example",
    "group_size",
    "orchestrator.group_size",
    "orchestrator.train.group_size",
)
KERNELS = {"liger_kernel": "auto"}
"""Implementations of the model that went, and what does their work."""


def groups(done: Conversion) -> None:
    """The shared group size and algorithm go to every source."""
    for old in SIZES:
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


def evaluation(done: Conversion) -> None:
    if done.get("orchestrator.eval") is not None and not done.sources("eval"):
        done.drop("orchestrator.eval", "it names no tasks")


def whole(done: Conversion, was_flat: bool) -> None:
    """What the new form needs and the old one had not."""
    _group_sizes(done)
    for table in ("trainer", "orchestrator", "inference"):
        if not isinstance(done.data.get(table), dict):
            done.data[table] = {}
            done.note("added", "", f"[{table}]", "required")
    _sequence(done, was_flat)
    _one_place(done)
    _checkpoints(done, was_flat)
    _model(done)


def _group_sizes(done: Conversion) -> None:
    for source in done.sources("train"):
        if "group_size" not in source:
            source["group_size"] = GROUP_SIZE
            why = "the default is 1, which trains nothing"
            done.note("added", "", f"group_size = {GROUP_SIZE}", why)


def _sequence(done: Conversion, was_flat: bool) -> None:
    tokens = done.get("orchestrator.train.sampling.max_completion_tokens")
    if done.get("seq_len") is None and done.get("trainer.model.seq_len") is None:
        done.move(
            "orchestrator.seq_len", "seq_len", reason="one value for trainer and orchestrator"
        )
    if was_flat and done.get("seq_len") is None and isinstance(tokens, int):
        length = defaults.sequence_length(defaults.PROMPT_TOKENS, 1, tokens)
        done.put("seq_len", length)
        why = "the flat form had none; the default of 2048 cuts longer rollouts"
        done.note("added", "", f"seq_len = {length}", why)


SHARED = (
    ("max_steps", ("trainer.max_steps", "orchestrator.max_steps")),
    ("seq_len", ("trainer.model.seq_len", "orchestrator.seq_len")),
    ("model.name", ("trainer.model.name", "orchestrator.model.name", "inference.vllm.model")),
    ("ckpt.interval", ("orchestrator.ckpt.interval",)),
    ("ckpt.keep_last", ("orchestrator.ckpt.keep_last",)),
)


def _one_place(done: Conversion) -> None:
    """A part that has another value than the top is refused: the parts keep theirs."""
    for top, parts in SHARED:
        shared = done.get(top)
        own = {part: done.get(part) for part in parts if done.get(part) is not None}
        if shared is None or all(value == shared for value in own.values()):
            continue
        for part in parts:
            if done.get(part) is None and part.split(".")[0] in done.data:
                done.put(part, shared)
        done.take(top)
        why = f"{', '.join(own)} had a value of its own, and a different one at the top is refused"
        done.note("changed", top, ", ".join(parts), why)


def _checkpoints(done: Conversion, was_flat: bool) -> None:
    steps = done.get("max_steps")
    if done.get("trainer.ckpt") is not None and done.get("ckpt") is None:
        done.data["ckpt"] = {}
        done.note("added", "", "[ckpt]", "trainer.ckpt alone is refused")
    if was_flat and isinstance(steps, int) and steps >= 50 and done.get("ckpt") is None:
        done.put("ckpt", {"interval": max(10, steps // 4), "keep_last": 2})
        why = "a long run without checkpoints loses everything in a crash"
        done.note("added", "", "[ckpt]", why)


def _model(done: Conversion) -> None:
    """The renderer of a model that is not listed, and implementations that went."""
    kernel = done.get("trainer.model.impl")
    if kernel in KERNELS:
        done.put("trainer.model.impl", KERNELS[kernel])
        path, now = "trainer.model.impl", KERNELS[kernel]
        done.note("changed", path, path, f"{kernel} is gone", was=kernel, now=now)
    vision = done.get("model.vlm") is not None or done.get("trainer.model.vlm") is not None
    if vision and done.get("trainer.model.impl") != "custom":
        done.put("trainer.model.impl", "custom")
        done.note("added", "", "trainer.model.impl = custom", "vision models need it")
    _renderer(done)


def _renderer(done: Conversion) -> None:
    old = done.take("orchestrator.renderer.preserve_all_thinking")
    if old is not None:
        if old is True:
            done.put("orchestrator.renderer.thinking_retention", "all")
        path = "orchestrator.renderer.preserve_all_thinking"
        done.note("moved", path, "orchestrator.renderer.thinking_retention")
    done.drop("orchestrator.renderer.pool_size", "renderers are made as they are needed")
    if isinstance(done.get("orchestrator.renderer"), dict) and not done.get(
        "orchestrator.renderer.name"
    ):
        done.put("orchestrator.renderer.name", "auto")
        done.note("added", "", "orchestrator.renderer.name = auto", "a renderer has a name")
    name = done.get("orchestrator.renderer.name", "auto")
    listed = renderers() or {}
    trained = done.get("tokenizer.name") or done.get("orchestrator.tokenizer.name")
    trained = trained or done.get("orchestrator.model.name") or done.get("model.name")
    if listed and name == "auto" and isinstance(trained, str) and trained not in listed:
        done.put("orchestrator.renderer.name", "default")
        why = (
            f"{trained} is not listed under this name; default uses the model's own chat template, "
            "as the older form did"
        )
        done.note("added", "", "orchestrator.renderer.name = default", why)


def unknown(done: Conversion, mode: str) -> None:
    """What is left and not known in today's form is asked about, and left out."""

    def walk(table: dict[str, Any], prefix: str) -> None:
        for key in list(table):
            path = f"{prefix}.{key}" if prefix else key
            if not prefix and key in CLIENT_ONLY and done.hosted:
                continue
            value = table[key]
            if not known(path, mode):
                del table[key]
                shown = f"{value!r}"[:60]
                done.note("asked", path, "", f"{shown}: it is not a key of today's form")
            elif isinstance(value, dict):
                walk(value, path)

    walk(done.data, "")


def refused(done: Conversion, mode: str) -> None:
    """A value that no release takes today is asked about, and left out: its default holds."""
    client = {key for key in CLIENT_ONLY if done.hosted}
    data = {key: value for key, value in done.data.items() if key not in client}
    for fault in list(faults(data, mode)):
        if fault.what == "value" and ".source." not in fault.path:
            shown = f"{fault.value!r}"[:60]
            done.ask(fault.path, f"{shown} is not taken today; it must be {fault.expected}")
