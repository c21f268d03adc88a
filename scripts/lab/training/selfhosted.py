"""The files for a run on own GPUs, and a sheet with the exact commands.

One file for prime-rl's `rl` launcher, or three for its parts apart (inference, trainer,
orchestrator), whose keys lose the prefix of their table. Several nodes go through SLURM, as
prime-rl's launcher does it; three files also run by hand on machines that share a folder.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Callable
from typing import Any

from lab.training.defaults import billions
from lab.training.model import Plan, Source
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


def sheet(plan: Plan, *, split: bool, folder: str, slug: str, files: str, project: str, command: Callable[..., str]) -> str:
    """RUN.md. `folder` is the environment's own, "" when it is only on the hub; `files` is where the
    training files lie and `project` where the skill's commands are run, both absolute; `command`
    writes a script's command line."""
    environment = folder or plan.train[0].label
    install = f'uv pip install -e "$PROJECT/{folder}"' if folder and not folder.startswith("/") else f"uv pip install -e {shlex.quote(folder)}" if folder else f"prime env install {slug}"
    size = billions(plan.model)[0]
    parser = f" --vllm.tool-call-parser {plan.tool_parser}" if plan.tool_parser else ""
    serve = f'uv run inference @ "$FILES/{INFER}"' if split else f"uv run inference --vllm.model {plan.model}{parser}"

    def evaluate(model: str, kept: str, source: Source | None = None) -> str:
        chosen = ["--split", source.args["split"]] if source and source.args.get("split") else []
        return command("run_eval.py", environment, "-m", model, "--base-url", URL, *chosen, "-n", 50, "-r", 8, "--max-tokens", plan.max_completion_tokens, "--output-dir", f"outputs/{kept}")

    held = plan.eval[0] if plan.eval else plan.train[0]
    baselines = [evaluate(plan.model, "baseline-training", plan.train[0])] + ([evaluate(plan.model, "baseline-held-out", held)] if plan.eval else [])
    before = "baseline-held-out" if plan.eval else "baseline-training"
    weights = command("run_eval.py", "ENV", "-m", "MODEL", "--base-url", URL, "-r", 16, "--max-tokens", max(4096, plan.max_completion_tokens))
    gpus = [",".join(map(str, range(plan.infer_gpus))), ",".join(map(str, range(plan.infer_gpus, plan.infer_gpus + plan.train_gpus)))]
    trainer = f"torchrun --nproc-per-node {plan.train_gpus} src/prime_rl/trainer/rl/train.py" if plan.train_gpus > 1 else "trainer"
    start = (
        [
            f'CUDA_VISIBLE_DEVICES={gpus[0]} uv run inference @ "$FILES/{INFER}"',
            f'uv run orchestrator @ "$FILES/{ORCH}"',
            f'CUDA_VISIBLE_DEVICES={gpus[1]} uv run {trainer} @ "$FILES/{TRAIN}"',
        ]
        if split
        else [f'uv run rl @ "$FILES/{WHOLE}" --dry-run', f'uv run rl @ "$FILES/{WHOLE}"']
    )
    where = "One command per terminal, all in the same checkout of prime-rl (or on machines that share it)." if split else "The first line only validates; the second starts inference, orchestrator and trainer."
    cluster = "\n`[slurm]` is in the file, so the same command submits the job; the checkout, its environment and\n`$FILES` must lie on a file system that all nodes share.\n" if plan.more.get("slurm") else ""
    return f"""# {plan.name}: {plan.model} on own GPUs

{plan.train_gpus} GPU(s) for training and {plan.infer_gpus} for inference{f', {size:g} billion parameters' if size else ''}. Set once, in every terminal; on
another machine only these lines change:

    export PROJECT={shlex.quote(project)}    # the skill's commands are run here
    export FILES={shlex.quote(files)}    # the training files beside this sheet
    export PRIME_RL=~/prime-rl    # a checkout of prime-rl, after `uv sync --all-extras`

Commands that start with `uv run` or `uv pip` are run in `$PRIME_RL`, all others in `$PROJECT`. The
environment is installed where prime-rl runs:

    {install}

## 1. Serve the model

    {serve}

## 2. Baseline on the training environment

Before training, with the length and the temperature of the training{', on the training tasks and on the held-out ones' if plan.eval else ''}. The
distribution on the training tasks decides whether there is anything to learn at a group size of {plan.train[0].group_size}.

    {_lines(baselines)}
    {command("check_reward_distribution.py", "--group-size", plan.train[0].group_size)} --results outputs/baseline-training/*

## 3. Train

Stop the server of step 1 first: the run starts its own on the same port.

    {_lines(start)}

{where}
{cluster}
    {command("monitor_training.py")} "$PRIME_RL/outputs/{plan.name}"

## 4. Evaluate the result

{f"The run evaluates held-out tasks every {plan.eval_interval} steps by itself." if plan.eval else "The file has no evaluation block, so the run itself measures only training tasks."} For the comparison with the baseline, serve
the trained weights and evaluate the same tasks with the same number of rollouts. prime-rl 0.8.0
exports weights to `weights/step_N` in the run's folder; later commits write distributed checkpoints,
which its `tools/convert_dcp_to_bf16.py` turns into a model folder (full training only). A model
folder needs `[orchestrator.renderer] name` when it is trained further. MODEL is that folder.

    uv run inference --vllm.model MODEL{parser}
    {evaluate("MODEL", "trained", held)}
    {command("compare_evals.py")} outputs/{before}/* outputs/trained/*

## 5. Benchmarks that were not trained on

Several environments, several rollouts each: one number from one rollout per problem moves by
several points between two runs of the same model. For mathematics for example `math500` and `aime24`;
each is installed first (`prime env install OWNER/NAME`) and stands for ENV. Run the line for the model
before training and for the trained one, and compare the two folders.

    {weights}
"""


URL = "http://localhost:8000/v1"


def _lines(commands: list[str]) -> str:
    return "\n    ".join(commands)


def tool_parser(model: str) -> str | None:
    """The parser by which vLLM reads this family's tool calls; None when it is not known here
    (prime-rl's own default picks one by the model's name)."""
    name = model.lower()
    if "qwen3-coder" in name or "qwen3.5" in name or "primeintellect/qwen3" in name:
        return "qwen3_coder"
    return "hermes" if "qwen3" in name or "qwen2.5" in name else None
