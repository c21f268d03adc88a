"""The generations of the training file: which one a given file is written in.

    H   the flat hosted file (prime up to 0.12)          model = "...", [[env]]
    G0  prime-rl 0.3-0.5, early 2026                     [[orchestrator.env]], rollouts_per_example
    G1  prime-rl 0.6-0.7, mid 2026                       [[orchestrator.train.env]]
    G2  prime-rl 0.8.0, August 2026                      [[orchestrator.train.source]] with [wandb]
    G3  prime-rl after 0.8.0, late August 2026           [monitors.wandb], orchestrator.group_size
    G4  late 2026                                        orchestrator.train.group_size, sampler
    now a file that parses in both G3 and G4: the group size on each source

There were no version numbers in the files; each generation is recognised by keys that only it has.
"""

from __future__ import annotations

from dataclasses import dataclass

from lab.report import Check, Finding
from lab.training.file import TrainingFile


@dataclass(frozen=True)
class Generation:
    """`signs` are dotted paths; `source.x` looks into each train source."""

    id: str
    title: str
    signs: tuple[str, ...]
    accepted: bool = False


H = Generation("H", "flat hosted file (prime up to 0.12)", ("rollouts_per_example", "learning_rate", "lora_alpha", "adapters", "checkpoints", "sampling.max_tokens", "checkpoint_id", "infrastructure"))
G0 = Generation("G0", "prime-rl 0.3 to 0.5", ("orchestrator.env", "orchestrator.rollouts_per_example", "orchestrator.sampling", "orchestrator.buffer", "inference_gpu_ids", "trainer_gpu_ids", "inference.parallel", "max_async_level", "orchestrator.max_async_level", "orchestrator.trajectory_strategy"))
G1 = Generation("G1", "prime-rl 0.6 to 0.7", ("orchestrator.train.env", "orchestrator.eval.env", "orchestrator.max_inflight_rollouts"))
G2 = Generation("G2", "prime-rl 0.8.0", ("wandb", "orchestrator.oversampling_factor", "orchestrator.pre_batch_filters", "orchestrator.post_batch_filters", "inference.model"))
G3 = Generation("G3", "prime-rl of late August 2026", ("orchestrator.group_size", "orchestrator.algo", "source.curriculum", "orchestrator.eval.num_examples", "orchestrator.token_batch_size", "orchestrator.train.filter_zero_advantages"), accepted=True)
G4 = Generation("G4", "prime-rl of late 2026", ("orchestrator.train.group_size", "orchestrator.train.algo", "orchestrator.train.select", "source.sampler", "source.min_abs_advantage", "orchestrator.constant_trainer_batch_size", "orchestrator.eval.select"), accepted=True)
NOW = Generation("now", "today's form, for both current generations", (), accepted=True)
SFT = Generation("sft", "supervised file", (), accepted=True)

GENERATION = Check(
    "config.generation",
    title="the file is written in today's form",
    expected="prime-rl's form, group size on each source",
    reason="The platform refuses the flat form, and prime-rl refuses unknown keys without naming the new ones.",
    source="prime 0.18.0: commands/rl.py; prime-rl v0.3 to late 2026",
)


def recognise(file: TrainingFile) -> tuple[Generation, list[str]]:
    """The generation of a file and the keys that tell it. The oldest sign decides, because a
    file that mixes generations needs everything after it converted too."""
    if isinstance(file.data.get("model"), str) or isinstance(file.data.get("env"), list):
        signs = [sign for sign in ("model", "env") if sign in file.data] + [sign for sign in H.signs if file.has(sign)]
        return H, signs
    if file.mode == "sft":
        return SFT, []
    for generation in (G0, G1, G2, G3, G4):
        found = [sign for sign in generation.signs if _has(file, sign)]
        if found:
            return generation, found
    return NOW, []


def _has(file: TrainingFile, sign: str) -> bool:
    if sign.startswith("source."):
        return any(sign.removeprefix("source.") in source.table for source in file.sources("train"))
    return file.has(sign)


def check_generation(file: TrainingFile, convert: str) -> Finding:
    """`convert` is the command that brings the file up."""
    generation, signs = recognise(file)
    told = f"{generation.title}: {', '.join(signs)}" if signs else generation.title
    if generation is H:
        return GENERATION.fail(generation.id, f"{told}; the platform takes no new runs in this form", f"convert it: {convert}")
    if not generation.accepted:
        return GENERATION.fail(generation.id, told, f"convert it: {convert}")
    if generation in (G3, G4):
        return GENERATION.warn(generation.id, f"{told}; the other current generation refuses these keys", f"make it portable: {convert}")
    return GENERATION.ok(generation.id, told)
