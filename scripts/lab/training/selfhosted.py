"""The files for a run on own GPUs, and a sheet with the exact commands.

One file for prime-rl's `rl` launcher, or three for its parts apart (inference, trainer,
orchestrator), whose keys lose the prefix of their table. Several nodes go through SLURM, as
prime-rl's launcher does it; three files also run by hand on machines that share a folder.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from lab.training.defaults import billions
from lab.training.model import Plan
from lab.training.write import render

INFER, TRAIN, ORCH, WHOLE, SHEET = "infer.toml", "train.toml", "orch.toml", "rl.toml", "RUN.md"


def local(plan: Plan, *, nodes: int = 1, slurm: bool = False) -> Plan:
    """The plan for own GPUs: locally installed tasksets, a run name, and nodes if several."""
    train = tuple(dataclasses.replace(source, taskset=source.label, name=source.label) for source in plan.train)
    held = tuple(dataclasses.replace(source, taskset=source.taskset.rsplit("/", 1)[-1].split("@", 1)[0]) for source in plan.eval)
    plan = dataclasses.replace(plan, train=train, eval=held, hosted=False, gpu_type=None)
    more: dict[str, Any] = {"slurm": {"job_name": plan.name}} if slurm or nodes > 1 else {}
    deployment = None
    if nodes > 1:
        inference = max(1, nodes // 2)
        deployment = {"type": "multi_node", "num_train_nodes": nodes - inference, "num_infer_nodes": inference}
    return dataclasses.replace(plan, deployment=deployment, more=more)


def files(plan: Plan, *, split: bool) -> dict[str, str]:
    """File name -> text, for a plan from `local`."""
    whole = plan.tables()
    if not split:
        return {WHOLE: render(whole)}
    shared = {"output_dir": f"outputs/{plan.name}", "max_steps": plan.steps}
    broadcast = {"weight_broadcast": {"type": "filesystem"}}
    trainer = {**shared, "model": {"name": plan.model, "seq_len": plan.seq_len, **whole["trainer"].get("model", {})}, "optim": whole["trainer"]["optim"], **broadcast}
    orchestrator = {**shared, "seq_len": plan.seq_len, **whole["orchestrator"], "model": {"name": plan.model}, **broadcast}
    if plan.lora_rank:
        orchestrator["model"]["lora"] = {"rank": plan.lora_rank, "alpha": float(2 * plan.lora_rank)}
    for table in (trainer, orchestrator):
        if "ckpt" in whole:
            table["ckpt"] = dict(whole["ckpt"])
        if "monitors" in whole:
            table["monitors"] = whole["monitors"]
    vllm = {"model": plan.model, **({"tool_call_parser": plan.tool_parser} if plan.tool_parser else {}), **({"enable_lora": True, "max_lora_rank": plan.lora_rank} if plan.lora_rank else {})}
    return {INFER: render({"vllm": vllm, **broadcast}), TRAIN: render(trainer), ORCH: render(orchestrator)}


def sheet(plan: Plan, *, split: bool, folder: str, slug: str, command: Callable[..., str]) -> str:
    """RUN.md. `folder` is the environment's own, "" when it is only on the hub; `command` writes
    a script's command line."""
    environment = folder or plan.train[0].label
    install = f"uv pip install -e {folder}" if folder else f"prime env install {slug}"
    size = billions(plan.model)[0]
    serve = f"uv run inference @ {INFER}" if split else f"uv run inference --vllm.model {plan.model}" + (f" --vllm.tool-call-parser {plan.tool_parser}" if plan.tool_parser else "")
    url = "http://localhost:8000/v1"
    evaluate = command("run_eval.py", environment, "-m", plan.model, "--base-url", url, "-n", 50, "-r", 8, "--max-tokens", plan.max_completion_tokens)
    start = "\n".join(
        [
            f"CUDA_VISIBLE_DEVICES={','.join(map(str, range(plan.infer_gpus)))} uv run inference @ {INFER}",
            f"uv run orchestrator @ {ORCH}",
            f"CUDA_VISIBLE_DEVICES={','.join(map(str, range(plan.infer_gpus, plan.infer_gpus + plan.train_gpus)))} "
            + (f"uv run torchrun --nproc-per-node {plan.train_gpus} src/prime_rl/trainer/rl/train.py @ {TRAIN}" if plan.train_gpus > 1 else f"uv run trainer @ {TRAIN}"),
        ]
        if split
        else [f"uv run rl @ {WHOLE} --dry-run", f"uv run rl @ {WHOLE}"]
    )
    where = "One command per terminal, all in the same folder of prime-rl (or on machines that share it)." if split else "The first line only validates; the second starts inference, orchestrator and trainer."
    cluster = "\n`[slurm]` is in the file, so the same command submits the job; the checkout and its environment must lie on a file system that all nodes share.\n" if plan.more.get("slurm") else ""
    return f"""# {plan.name}: {plan.model} on own GPUs

{plan.train_gpus} GPU(s) for training and {plan.infer_gpus} for inference{f', {size:g} billion parameters' if size else ''}. Commands that start with `uv run` are
run in a checkout of prime-rl (`uv sync --all-extras` once); the environment is installed there:

    {install}

## 1. Serve the model

    {serve}

## 2. Baseline on the training environment

Before training, with the sampling of the training, and again on the held-out tasks. The
distribution decides whether there is anything to learn at a group size of {plan.train[0].group_size}.

    {evaluate}
    {command("check_reward_distribution.py", "--group-size", plan.train[0].group_size)}

## 3. Train

Stop the server of step 1 first: the run starts its own on the same port.

    {start.replace(chr(10), chr(10) + "    ")}

{where}
{cluster}
    {command("monitor_training.py", f"outputs/{plan.name}")}

## 4. Evaluate the result

The run evaluates held-out tasks every {plan.eval_interval} steps by itself where the file has an evaluation block.
For a comparison with the baseline, serve the trained weights and repeat step 2 with the same
number of tasks and rollouts. prime-rl 0.8.0 exports them to `weights/step_N`; later commits write
distributed checkpoints, which its `tools/convert_dcp_to_bf16.py` turns into a model folder (full
training only). A model folder needs `[orchestrator.renderer] name` when it is trained further.

    {command("run_eval.py", environment, "-m", "PATH_OF_THE_MODEL", "--base-url", url, "-n", 50, "-r", 8, "--max-tokens", plan.max_completion_tokens)}
    {command("compare_evals.py", "outputs/BEFORE", "outputs/AFTER")}

## 5. Benchmarks that were not trained on

Several environments, several rollouts each: one number from one rollout per problem moves by
several points between two runs of the same model.

    for ENV in math500 aime24; do
      {command("run_eval.py", "$ENV", "-m", "PATH_OF_THE_MODEL", "--base-url", url, "-r", 16, "--max-tokens", max(4096, plan.max_completion_tokens)).replace("'$ENV'", '"$ENV"')}
    done

Names stand for environments that are installed here; install each with `prime env install owner/name`.
"""


def tool_parser(model: str) -> str | None:
    """The parser by which vLLM reads this family's tool calls; None when it is not known here
    (prime-rl's own default picks one by the model's name)."""
    name = model.lower()
    if "qwen3-coder" in name or "qwen3.5" in name or "primeintellect/qwen3" in name:
        return "qwen3_coder"
    return "hermes" if "qwen3" in name or "qwen2.5" in name else None
