"""A plan as a training file of today's prime-rl form, in a stable order, a comment per block.

The text is parsed again before it is handed out: what is written is what was meant.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from lab.training.model import Plan, Source


def render(plan: Plan) -> str:
    """The file's text. Raises ValueError for a value that TOML cannot carry."""
    parts = []
    for comment, path, table, array in blocks(plan):
        header = "" if not path else f"[[{path}]]\n" if array else f"[{path}]\n"
        parts.append(_comment(comment) + header + "".join(_emit(table, path)))
    text = "\n".join(parts)
    if tomllib.loads(text) != expected(plan):
        raise ValueError("a value of the plan cannot be written as TOML in its place")
    return text


def expected(plan: Plan) -> dict[str, Any]:
    """The tables that the text must parse to."""
    whole: dict[str, Any] = {}
    for _, path, table, array in blocks(plan):
        *parents, last = path.split(".") if path else [""]
        here = whole
        for part in parents:
            here = here.setdefault(part, {})
        if array:
            here.setdefault(last, []).append(table)
        elif path:
            here.setdefault(last, {}).update(table)
        else:
            whole.update(table)
    return whole


def blocks(plan: Plan) -> Iterator[tuple[str, str, dict[str, Any], bool]]:
    """(comment, table path, content, whether it is an array entry) in the order of the file."""
    top: dict[str, Any] = {}
    if plan.hosted:
        top["name"] = plan.name
        if plan.gpu_type:
            top["gpu_type"] = plan.gpu_type
    top.update(max_steps=plan.steps, seq_len=plan.seq_len)
    yield "Training steps, and the tokens of one rollout: the prompt and all its completions.", "", top, False
    if not plan.hosted:
        yield "Where the run's files go: outputs/<name>.", "run", {"name": plan.name}, False
    yield "The model that is trained.", "model", {"name": plan.model}, False
    yield "GPUs of one node: training, and inference for the rollouts.", "deployment", {"type": "single_node", "num_train_gpus": plan.train_gpus, "num_infer_gpus": plan.infer_gpus}, False
    if plan.ckpt_interval:
        yield "Checkpoints, so that a stopped run can go on.", "ckpt", {"interval": plan.ckpt_interval, "keep_last": plan.ckpt_keep}, False
    if plan.wandb_project:
        yield "Curves on Weights & Biases; needs WANDB_API_KEY.", "monitors.wandb", {"project": plan.wandb_project}, False
    if plan.lora_rank:
        yield "Adapters instead of all weights; the learning rate is ten times that of full training.", "trainer.model.lora", {"rank": plan.lora_rank, "alpha": float(2 * plan.lora_rank)}, False
    yield ("Full training of all weights." if not plan.lora_rank else "The optimiser."), "trainer.optim", {"lr": plan.learning_rate}, False
    yield "Rollouts per step: a multiple of every source's group size.", "orchestrator", {"batch_size": plan.batch_size}, False
    if plan.renderer:
        yield "How messages become tokens, for a model that the library does not list.", "orchestrator.renderer", {"name": plan.renderer}, False
    yield (
        "How rollouts are sampled; the tokens are per turn.",
        "orchestrator.train.sampling",
        {"temperature": plan.temperature, "max_completion_tokens": plan.max_completion_tokens},
        False,
    )
    for source in plan.train:
        yield (
            "Training tasks. The group size stands here, on the source: the default is 1, which trains nothing.\n"
            "Harness and runtime are explicit: the default runtime is a paid sandbox.",
            "orchestrator.train.source",
            _source(source, train=True),
            True,
        )
    if plan.eval:
        yield "Evaluation on held-out tasks, also before the first step.", "orchestrator.eval", {"interval": plan.eval_interval}, False
        for source in plan.eval:
            yield "", "orchestrator.eval.source", _source(source, train=False), True
    vllm = {"tool_call_parser": plan.tool_parser} if plan.tool_parser else {}
    yield "The inference server of the run; without this table none is started.", "inference", {"vllm": vllm} if vllm else {}, False


def _source(source: Source, *, train: bool) -> dict[str, Any]:
    agent: dict[str, Any] = {"max_turns": source.max_turns} if source.max_turns else {}
    agent.update(harness={"id": source.harness}, runtime={"type": source.runtime})
    table: dict[str, Any] = {"name": source.label if train else f"{source.label}-eval"}
    if train:
        table["group_size"] = source.group_size
        if source.ratio is not None:
            table["ratio"] = source.ratio
    return {**table, "env": {"taskset": {"id": source.taskset, **source.args}, source.seat: agent}}


def _comment(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())


def _emit(table: dict[str, Any], path: str) -> Iterator[str]:
    """Scalars first, then each sub-table under a header of its own (lists of tables inline)."""
    import tomli_w

    scalars = {key: value for key, value in table.items() if not isinstance(value, dict)}
    if scalars:
        yield tomli_w.dumps(scalars)
    for key, value in table.items():
        if isinstance(value, dict):
            here = f"{path}.{_key(key)}" if path else _key(key)
            holds_scalars = not value or any(not isinstance(item, dict) for item in value.values())
            if holds_scalars:
                yield f"\n[{here}]\n"
            yield from _emit(value, here)


def _key(key: str) -> str:
    import tomli_w

    return tomli_w.dumps({key: 0}).rsplit(" = ", 1)[0]
