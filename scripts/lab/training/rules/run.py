"""Rules about the run as a whole: its end, its checkpoints, its GPUs, and keys that belong elsewhere."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from lab.report import Check
from lab.secrets import find_secrets
from lab.training.defaults import sizing
from lab.training.file import TrainingFile
from lab.training.keys import KNOWN, open_below, removed
from lab.training.rules.base import DROP, Change, Issue, Known, integer
from lab.untrusted import excerpt

TABLES = Check(
    "config.tables",
    title="the tables that a run needs are there",
    expected="[trainer], [orchestrator] and, on the platform, [inference]",
    reason="They are required, if only empty; without [inference] no server is started.",
    source="prime-rl RLConfig; hosted validation",
)
MODEL = Check(
    "config.model",
    title="the model is named",
    expected="model.name",
    reason="The default is a model of 0.6 billion parameters.",
    source="prime-rl: default Qwen/Qwen3-0.6B",
)
STEPS = Check(
    "config.max_steps",
    title="the run ends",
    expected="max_steps between 1 and 2000",
    reason="Without it the run goes on, and is billed, until somebody stops it.",
    source="prime-rl: default none",
)
CHECKPOINT = Check(
    "config.checkpoint",
    title="a long run keeps checkpoints",
    expected="[ckpt] interval, and keep_last, from 50 steps on",
    reason="Without checkpoints a crash at the last step loses everything that was paid for.",
    source="prime-rl: ckpt is off by default",
)
GPUS = Check(
    "config.gpus",
    title="the GPUs fit the node and the model",
    expected="training + inference GPUs within gpus_per_node, both >= 1",
    reason="The rollouts need GPUs of their own; too few for the model fail after the start, too many are paid for.",
    source="prime-rl deployment configs",
)
RENDERER = Check(
    "config.renderer",
    title="messages become tokens as the model expects",
    expected="a listed model, or orchestrator.renderer.name",
    reason="A model that is not listed exactly is refused, or is trained on a template that is not its own.",
    source="renderers 0.1.12: MODEL_RENDERER_MAP",
)
PLATFORM_KEYS = Check(
    "config.platform_keys",
    title="keys of the platform's client stand only in hosted files",
    expected="none of image_tag, gpu_type, volume, env_files ... for own GPUs",
    reason="prime-rl refuses them; the client takes them out before it sends the file.",
    source="prime 0.18.0: commands/rl.py",
)
LOCAL_KEYS = Check(
    "config.local_keys",
    title="keys of own GPUs stand only in self-hosted files",
    expected="no clean, k8s, slurm, output paths or disaggregated inference on the platform",
    reason="The platform refuses them, or they mean a path on a machine that is not yours.",
    source="prime 0.18.0: training_schema_worker",
)
UNKNOWN = Check(
    "config.unknown_keys",
    title="keys are spelt as prime-rl spells them",
    expected="no unknown key",
    reason="Every level refuses unknown keys; older names fail without a hint at the new one.",
    source="prime-rl: extra = forbid",
)
SECRETS = Check(
    "config.secrets",
    title="no secret stands in the file",
    expected="none",
    reason="The whole file is sent, kept with the run, and usually committed.",
    source="prime 0.18.0: the config is sent as it is",
)
ENV_VARS = Check(
    "config.env_vars",
    title="environment variables are ones that may be set",
    expected="none of CUDA_VISIBLE_DEVICES, WANDB_SHARED_*, PRL_RUN_*",
    reason="The launcher owns them and refuses the file.",
    source="prime-rl env_vars validation",
)
EVAL_INTERVAL = Check(
    "config.eval_interval",
    title="evaluations happen during the run",
    expected="interval <= max_steps, and not at each step",
    reason="The default interval of 100 is longer than most runs; an evaluation at every step costs as much as the training.",
    source="prime-rl: default 100",
)
OFF_POLICY = Check(
    "config.off_policy",
    title="rollouts are not too old",
    expected="max_off_policy_steps 1 to 16",
    reason="0 throws most rollouts away; many steps train on a policy long gone.",
    source="prime-rl: default 8",
)

CLIENT_KEYS = ("env_file", "env_files", "image_tag", "gpu_type", "volume", "volume_size", "source_ref", "type")
"""Top-level keys that the client takes out of the file."""


def tables(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if file.mode == "sft":
        return
    needed = ["trainer", "orchestrator"] + (["inference"] if file.hosted and not file.has("trainer.data.fake") else [])
    lacking = [name for name in needed if not isinstance(file.data.get(name), dict)]
    if lacking:
        yield Issue(TABLES.fail(lacking, f"missing: {', '.join(f'[{name}]' for name in lacking)}", f"add {', '.join(f'[{name}]' for name in lacking)}; an empty table is enough"), tuple(Change(name, {}) for name in lacking))
    else:
        yield Issue(TABLES.ok(needed))


def model(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if not file.model:
        yield Issue(MODEL.fail("not set", "the run would train Qwen/Qwen3-0.6B", 'set name = "..." in [model]'))
        return
    other = {path: file.get(path) for path in ("trainer.model.name", "orchestrator.model.name", "inference.vllm.model") if file.has(path)}
    different = [path for path, value in other.items() if file.has("model.name") and value != file.get("model.name")]
    if different:
        yield Issue(MODEL.fail(excerpt(file.model, 60), f"{', '.join(different)} names another model than [model]", "keep the name in [model] only"), tuple(Change(path, DROP) for path in different))
    elif quantised := re.search(r"[-_](fp8|awq|gptq|gguf|int4|int8|[248]bit|bnb)\b", file.model, re.IGNORECASE):
        yield Issue(MODEL.fail(excerpt(file.model, 80), f"{excerpt(file.model, 80)} holds weights in {quantised[1]}, which are for inference and are not trained", "name the model in its full precision"))
    else:
        yield Issue(MODEL.ok(excerpt(file.model, 80)))


def max_steps(file: TrainingFile, known: Known) -> Iterator[Issue]:
    steps = file.get("max_steps")
    if steps is None:
        yield Issue(STEPS.fail("not set", "the run has no end", "set max_steps, for example 100"))
    elif not integer(steps) or steps < 1:
        yield Issue(STEPS.fail(steps, "max_steps must be a positive whole number", "set max_steps = 100"))
    elif steps > 2000:
        yield Issue(STEPS.warn(steps, f"{steps} steps is more than most published runs", "start with 20 to 200 steps and look at the curve"))
    else:
        yield Issue(STEPS.ok(steps))


def checkpoint(file: TrainingFile, known: Known) -> Iterator[Issue]:
    steps = file.number("max_steps") or 0
    interval = file.number("ckpt.interval") or file.number("trainer.ckpt.interval")
    if steps < 50 and not file.has("ckpt"):
        yield Issue(CHECKPOINT.ok("short run"))
    elif not interval:
        every = max(10, int(steps // 4 // 10 * 10)) if steps else 50
        yield Issue(
            CHECKPOINT.fail("none" if not file.has("ckpt") else "at the end only", f"a run of {steps:g} steps keeps nothing on the way", f"add [ckpt] with interval = {every} and keep_last = 2"),
            (Change("ckpt.interval", every), Change("ckpt.keep_last", 2)),
        )
    elif interval > steps > 0:
        yield Issue(CHECKPOINT.warn(f"every {interval:g} of {steps:g}", "the interval is longer than the run", f"set ckpt.interval = {max(10, int(steps // 4)):g}"))
    elif not file.number("ckpt.keep_last") and not file.number("ckpt.keep_interval") and steps / interval > 10:
        yield Issue(CHECKPOINT.warn(f"{steps / interval:.0f} kept", "every checkpoint is kept, each as large as the model with its optimiser", "set ckpt.keep_last = 2"), (Change("ckpt.keep_last", 2),))
    else:
        yield Issue(CHECKPOINT.ok(f"every {interval:g} steps"))


def gpus(file: TrainingFile, known: Known) -> Iterator[Issue]:
    train, infer = file.gpus
    per = file.number("deployment.gpus_per_node", 8) or 8
    kind = file.get("deployment.type", "single_node")
    size = sizing(file.model)
    if kind == "multi_node":
        if not file.hosted and not file.has("slurm"):
            yield Issue(GPUS.fail("multi_node", "several nodes need [slurm] on own GPUs", "add [slurm], or use one node"))
        elif not file.has("deployment.num_train_nodes"):
            yield Issue(GPUS.fail("multi_node", "num_train_nodes is required", "set deployment.num_train_nodes"))
        else:
            yield Issue(GPUS.ok(f"{train:g} + {infer:g}", "several nodes"))
    elif kind != "single_node":
        yield Issue(GPUS.fail(excerpt(kind, 40), "deployment.type is single_node or multi_node", "use single_node"))
    elif train + infer > per:
        yield Issue(GPUS.fail(f"{train:g} + {infer:g}", f"{train + infer:g} GPUs on a node of {per:g}", "lower num_train_gpus or num_infer_gpus"))
    elif train < 1 or (infer < 1 and not file.has("trainer.data.fake")):
        yield Issue(GPUS.fail(f"{train:g} + {infer:g}", "training and inference need at least one GPU each", "set num_train_gpus = 1 and num_infer_gpus = 1"))
    elif size.billions and size.billions > 4.5 * train and file.lora is None and size.billions > 10:
        yield Issue(GPUS.warn(f"{train:g} + {infer:g}", f"{size.billions:g} billion parameters on {train:g} training GPUs: weights, gradients and activations may not fit", f"use about {max(2, round(size.billions / 4)):g} training GPUs, or a smaller model"))
    else:
        yield Issue(GPUS.ok(f"{train:g} + {infer:g}", size.source if not size.known else ""))


def renderer(file: TrainingFile, known: Known) -> Iterator[Issue]:
    name = file.get("orchestrator.renderer.name", "auto") if file.mode == "rl" else file.get("renderer.name", "auto")
    if name != "auto":
        if known.renderers is not None and name not in {*known.renderers.values(), "default"}:
            yield Issue(RENDERER.fail(excerpt(name, 40), f"there is no renderer {excerpt(name, 40)!r}", f"use one of {', '.join(sorted({*known.renderers.values()}))}, or default"))
        elif file.mode == "sft" and name == "default":
            yield Issue(RENDERER.fail(name, "the default renderer is refused for SFT", "name the model's own renderer"))
        else:
            yield Issue(RENDERER.ok(excerpt(name, 40)))
    elif not file.model:
        return
    elif known.renderers is None:
        yield Issue(RENDERER.skip("the renderers package is not installed, so it is not known which models it lists"))
    elif file.model in known.renderers:
        yield Issue(RENDERER.ok(known.renderers[file.model], excerpt(file.model, 80)))
    else:
        near = difflib.get_close_matches(file.model, known.renderers, 1, 0.8)
        yield Issue(RENDERER.fail(excerpt(file.model, 80), "the model is not listed under this exact name (local paths and fine-tunes never are)", f'set orchestrator.renderer.name, for example "{known.renderers[near[0]] if near else "qwen3"}"' + (f", or the model {near[0]}" if near else "")))


def platform_keys(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if file.hosted:
        if isinstance(file.data.get("env_file"), (str, list)):
            yield Issue(PLATFORM_KEYS.warn("env_file", "env_file is the older name", "rename it: env_files"))
        return
    there = [key for key in (*CLIENT_KEYS, "name") if key in file.data]
    if there:
        yield Issue(PLATFORM_KEYS.fail(there, f"{', '.join(there)} belong to the platform's client; prime-rl refuses them", "remove them (the run's name is [run] name)"), tuple(Change(key, DROP) for key in there))
    else:
        yield Issue(PLATFORM_KEYS.ok())


def local_keys(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if not file.hosted:
        return
    refused = [path for path in ("clean", "k8s", "slurm", "dry_run") if file.get(path) not in (None, False)]
    refused += ["inference.deployment.type"] if file.get("inference.deployment.type") == "disaggregated" else []
    paths = [path for path in ("output_dir", "run.dir", "resume.dir", "ckpt.output_dir") if file.has(path)]
    if refused:
        yield Issue(LOCAL_KEYS.fail(refused, f"{', '.join(refused)} is refused on the platform", "remove it, or write a self-hosted file with --self-hosted DIR"), tuple(Change(path, DROP) for path in refused))
    elif paths:
        yield Issue(LOCAL_KEYS.warn(paths, f"{', '.join(paths)} names a path on the run's machine", "remove it; the platform keeps outputs and checkpoints itself"), tuple(Change(path, DROP) for path in paths))
    elif isinstance(file.model, str) and file.model.startswith((".", "/", "~")) and not file.model.startswith("/volume/"):
        yield Issue(LOCAL_KEYS.fail(excerpt(file.model, 80), "the model is a path on this machine", "use a model of the hub, or a volume (/volume/...)"))
    else:
        yield Issue(LOCAL_KEYS.ok())


def unknown_keys(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Keys that prime-rl does not have at their place, with the name they have today."""
    clean = True
    for path in _paths(file.data):
        if path.split(".")[0] in (*CLIENT_KEYS, "name", "k8s") or open_below(path, file.mode):
            continue
        if path in KNOWN[file.mode]:
            continue
        clean = False
        table, _, key = path.rpartition(".")
        gone = removed(path)
        siblings = [known_path.rpartition(".")[2] for known_path in KNOWN[file.mode] if known_path.rpartition(".")[0] == table]
        near = difflib.get_close_matches(key, siblings, 1, 0.7)
        shown = excerpt(path, 80)
        if gone:
            yield Issue(UNKNOWN.fail(shown, f"{shown}: {gone}", "convert the file: --convert writes today's form"))
        elif near:
            new = f"{table}.{near[0]}" if table else near[0]
            repair = (Change(new, file.get(path)), Change(path, DROP)) if not file.has(new) and file.has(path) else ()
            yield Issue(UNKNOWN.fail(shown, f"there is no {shown}", f"write {new}"), repair)
        else:
            yield Issue(UNKNOWN.warn(shown, f"{shown} is not among the keys that are known here", "check its name: prime train validate FILE tells, with a login"))
    if clean:
        yield Issue(UNKNOWN.ok())


def _paths(table: dict, prefix: str = "") -> Iterator[str]:
    """Every key's dotted path; a known table is entered, an unknown one is named once."""
    for key, value in table.items():
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, dict) and any(known.startswith(path + ".") for mode in KNOWN.values() for known in mode):
            yield from _paths(value, path)
        else:
            yield path


def secrets(file: TrainingFile, known: Known) -> Iterator[Issue]:
    hits = [f"line {line} ({kind})" for line, kind in find_secrets(file.text)]
    if hits:
        yield Issue(SECRETS.fail(len(hits), ", ".join(hits[:5]), "remove it, make a new key, and pass it as a variable: -e WANDB_API_KEY, or prime env secret create for the environment's keys"))
    else:
        yield Issue(SECRETS.ok("none"))


def env_vars(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for path in ("env_vars", "trainer.env_vars", "orchestrator.env_vars", "inference.env_vars"):
        table = file.get(path)
        for key in table if isinstance(table, dict) else ():
            if key == "CUDA_VISIBLE_DEVICES" or key.startswith(("WANDB_SHARED_", "PRL_RUN_")):
                yield Issue(ENV_VARS.fail(excerpt(key, 40), f"{path}.{excerpt(key, 40)} is refused", "remove it"), (Change(f"{path}.{key}", DROP),))
            elif key.endswith(("_KEY", "_TOKEN", "_SECRET")):
                yield Issue(ENV_VARS.warn(excerpt(key, 40), f"{path}.{excerpt(key, 40)} would be stored with the run", "pass it with -e (WANDB_API_KEY, HF_TOKEN) or as a secret of the environment on the hub"))


def eval_interval(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if not file.sources("eval"):
        if not file.has("orchestrator.eval"):
            yield Issue(EVAL_INTERVAL.skip("the file has no evaluation block: held-out tasks are measured before and after with run_eval.py, and compared with compare_evals.py"))
        return
    steps, interval = file.number("max_steps"), file.number("orchestrator.eval.interval", 100)
    if steps and interval and interval > steps:
        yield Issue(EVAL_INTERVAL.warn(f"{interval:g} of {steps:g}", "the only evaluation is the one before the first step", f"set orchestrator.eval.interval = {max(1, int(steps // 4))}"), (Change("orchestrator.eval.interval", max(1, int(steps // 4))),))
    elif interval and interval < 5 and (steps or 0) > 20:
        yield Issue(EVAL_INTERVAL.warn(f"{interval:g}", "evaluating this often costs as much as the training", "set orchestrator.eval.interval = 25"))
    else:
        yield Issue(EVAL_INTERVAL.ok(f"every {interval:g} steps"))


def off_policy(file: TrainingFile, known: Known) -> Iterator[Issue]:
    value = file.number("orchestrator.max_off_policy_steps")
    if value is None:
        return
    if value < 1 or value > 16:
        yield Issue(OFF_POLICY.warn(f"{value:g}", "rollouts in flight are thrown away" if value < 1 else "rollouts of a policy long gone are trained on", "leave it at 8"))
    else:
        yield Issue(OFF_POLICY.ok(f"{value:g}"))


RULES = (tables, model, max_steps, checkpoint, gpus, renderer, platform_keys, local_keys, unknown_keys, secrets, env_vars, eval_interval, off_policy)
