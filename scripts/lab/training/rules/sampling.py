"""Rules about sampling and credit: how rollouts are drawn, and what their rewards become."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lab.cli.report import Check
from lab.cli.untrusted import excerpt
from lab.training.file import TEMPERATURE, SourceBlock, TrainingFile
from lab.training.rules.base import DROP, Change, Issue, Known, is_number

BENDING = {
    **dict.fromkeys(
        ("top_p", "top_k", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty"),
        "bends the distribution that the trainer takes for the policy's",
    ),
    **dict.fromkeys(
        ("logit_bias", "bad_words", "allowed_token_ids", "logits_processors"),
        "changes the probabilities that the trainer takes for the policy's",
    ),
    **dict.fromkeys(
        (
            *("guided_json", "guided_regex", "guided_choice", "guided_grammar", "guided_decoding"),
            *("response_format", "structured_outputs", "structural_tag"),
        ),
        "forces the form of a reply, which the trainer takes for the policy's own choice",
    ),
    **dict.fromkeys(
        ("stop", "stop_token_ids", "truncate_prompt_tokens"),
        "ends or cuts every rollout where the environment does not expect it",
    ),
    "temperature": "overrides the temperature",
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "min_tokens"), "overrides the length"),
    **dict.fromkeys(("n", "best_of", "use_beam_search"), "asks for several replies of one"),
    "seed": "makes the rollouts of a task the same",
    "ignore_eos": "lets no rollout end before its limit",
    "echo": "puts the prompt into the reply",
    "skip_special_tokens": "changes the text that the reward reads",
}
"""Keys that reach the inference server through extra_body, and what each does there."""
SOMETIMES_MEANT = ("stop", "stop_token_ids", "skip_special_tokens")
"""An environment may be written for them."""
HARMLESS = {"top_p": 1.0, "top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0, "n": 1}
"""Values of such keys that change nothing."""
COLDEST, WARMEST = 0.5, 1.3
FROZEN = 0.1
TEMPERATURE_RULE = Check(
    "config.temperature",
    title="rollouts of one task differ",
    expected=f"{COLDEST} to {WARMEST} in training",
    reason="At temperature 0 all rollouts of a group are the same, so no group is live.",
    source="prime-rl: worked examples use 1.0",
)
SAMPLING_KEYS = Check(
    "config.sampling_keys",
    title="training samples from the policy as it is",
    expected="temperature and max_completion_tokens; nothing in extra_body that changes a reply",
    reason="The trainer compares the probabilities of the sampled tokens with its own. What the "
    "server bends, forces or cuts is learnt as if the policy had chosen it, and nothing checks "
    "extra_body.",
    source="prime-rl: TrainSamplingConfig; vllm: sampling parameters",
)
ALGORITHM = Check(
    "config.algorithm",
    title="the algorithm has what it needs",
    expected="opd with a teacher, sft with a frozen source, hierarchical_grpo with episode_agents",
    reason="A missing teacher is refused when the run starts.",
    source="prime-rl: algorithm configs",
)
HEAVIEST = 1.0
"""Weights of a length penalty: at 1 the longest rollout of a group loses its whole mean reward."""
PENALTY = Check(
    "config.length_penalty",
    title="a length penalty is smaller than the reward",
    expected=f"weights <= {HEAVIEST:g}",
    reason="Each weight takes that share of the group's mean reward from its longest rollout: "
    "above 1 the shortest reply wins, whatever it says.",
    source="prime-rl: LinearLengthPenaltyConfig, 0.25 and 0.1 by default",
)
NARROW = 1e-3
GATES = Check(
    "config.gates",
    title="admission and task selection leave something to train on",
    expected=f"a gate rejects advantages within {NARROW:g} of zero; some pool has a weight",
    reason="A gate that rejects every group, or pools of weight 0, sample for ever and train "
    "nothing.",
    source="prime-rl: AdvRangeGateConfig, DifficultyPoolSamplerConfig",
)
ALGORITHMS = ("grpo", "echo", "max_rl", "rae", "hierarchical_grpo", "opd", "opsd", "sft")


def temperature(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        value = file.sampling(source, "temperature")
        value = TEMPERATURE if value is None else value
        own = "temperature" in (source.table.get("sampling") or {})
        where = f"{source.path}.sampling" if own else "orchestrator.train.sampling"
        repair = (Change(f"{where}.temperature", 1.0),)
        if not is_number(value) or not 0 <= value <= 2:
            said = f"{source.where}: the temperature must be between 0 and 2"
            yield Issue(TEMPERATURE_RULE.fail(value, said, "set temperature = 1.0"), repair)
        elif value < FROZEN:
            said = f"{source.where}: all rollouts of a task will be the same"
            yield Issue(TEMPERATURE_RULE.fail(value, said, "set temperature = 1.0"), repair)
        elif not COLDEST <= value <= WARMEST:
            cold = value < COLDEST
            why = "little difference within a group" if cold else "rollouts drift into noise"
            fix = "set temperature = 1.0, the value of every worked example"
            yield Issue(TEMPERATURE_RULE.warn(value, f"{source.where}: {why}", fix))
        else:
            yield Issue(TEMPERATURE_RULE.ok(value, source.where))


def sampling_keys(file: TrainingFile, known: Known) -> Iterator[Issue]:
    tables = {"orchestrator.train.sampling": file.get("orchestrator.train.sampling")}
    for source in file.sources("train"):
        tables[f"{source.path}.sampling"] = source.table.get("sampling")
    found = False
    for path, table in tables.items():
        body = table.get("extra_body") if isinstance(table, dict) else None
        for key, value in body.items() if isinstance(body, dict) else ():
            if key in BENDING and HARMLESS.get(key, object()) != value:
                found = True
                shown = f"{path}.extra_body.{key}"
                said = f"{shown} {BENDING[key]}; nothing checks extra_body"
                fix = f"remove {key} from extra_body"
                if key in SOMETIMES_MEANT:
                    yield Issue(SAMPLING_KEYS.warn(f"extra_body.{key}", said, fix))
                else:
                    finding = SAMPLING_KEYS.fail(f"extra_body.{key}", said, fix)
                    yield Issue(finding, (Change(shown, DROP),))
    if not found:
        yield Issue(SAMPLING_KEYS.ok())


def algorithm(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        kind, table = file.algorithm(source), file.algorithm_table(source)
        where = source.where
        if kind not in ALGORITHMS:
            said = f"{where}: there is no algorithm {excerpt(kind, 40)!r}"
            fix = f"use one of {', '.join(ALGORITHMS)}"
            yield Issue(ALGORITHM.fail(excerpt(kind, 40), said, fix))
        elif kind == "opd" and not table.get("teacher"):
            fix = "add algo.teacher with name and base_url, or use grpo"
            yield Issue(ALGORITHM.fail(kind, f"{where}: opd has no teacher", fix))
        elif kind == "hierarchical_grpo" and not table.get("episode_agents"):
            said = f"{where}: hierarchical_grpo names no episode_agents"
            yield Issue(ALGORITHM.fail(kind, said, "add algo.episode_agents, or use grpo"))
        elif kind == "sft" and not isinstance(_sampled_from(table), dict):
            said = (
                f"{where}: sft learns the tokens of a frozen model, and algo.sampling.source names "
                "none"
            )
            fix = "add algo.sampling.source with name and base_url of that model"
            yield Issue(ALGORITHM.fail(kind, said, fix))
        elif place := _lacks_address(table):
            said = f"{where}: algo.{place} has no base_url, and prime-rl serves only the policy"
            yield Issue(ALGORITHM.fail(kind, said, f"set base_url in algo.{place}"))
        elif kind != "grpo":
            yield Issue(ALGORITHM.ok(kind, where))
        yield from _penalty(source, table.get("length_penalty"))


def _sampled_from(table: dict[str, Any]) -> Any:
    sampling = table.get("sampling")
    return sampling.get("source") if isinstance(sampling, dict) else None


def _lacks_address(table: dict[str, Any]) -> str:
    """The frozen model of an algorithm that has no address; "" when each has one."""
    frozen = {"teacher": table.get("teacher"), "sampling.source": _sampled_from(table)}
    for name, model in frozen.items():
        if isinstance(model, dict) and not model.get("base_url"):
            return name
    return ""


def _penalty(source: SourceBlock, table: Any) -> Iterator[Issue]:
    for key, value in table.items() if isinstance(table, dict) else ():
        if is_number(value) and value > HEAVIEST:
            said = (
                f"{source.where}: length_penalty.{excerpt(key, 40)} = {value:g} takes {value:g} "
                "times the mean reward from the longest rollout"
            )
            fix = "use 0.05 to 0.5, or leave the penalty out"
            yield Issue(PENALTY.fail(f"{excerpt(key, 40)} = {value:g}", said, fix))


def gates(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        curriculum = source.table.get("curriculum")
        curriculum = curriculum if isinstance(curriculum, dict) else {}
        found = curriculum.get("gates")
        for name, gate in found.items() if isinstance(found, dict) else ():
            yield from _gate(source, str(name), gate)
        sampler = source.table.get("sampler") or curriculum.get("sampler")
        yield from _pools(source, sampler.get("pools") if isinstance(sampler, dict) else None)
        least = source.table.get("min_abs_advantage")
        if is_number(least) and least > 0.5:
            said = f"{source.where}: min_abs_advantage = {least:g} drops nearly every rollout"
            yield Issue(GATES.fail(f"{least:g}", said, "set min_abs_advantage = 1e-6"))


def _gate(source: SourceBlock, name: str, gate: Any) -> Iterator[Issue]:
    low, high = (
        (gate.get("reject_min", 0.0), gate.get("reject_max", 0.0))
        if isinstance(gate, dict)
        else (None, None)
    )
    if not (is_number(low) and is_number(high)):
        return
    where = f"{source.where}: curriculum.gates.{excerpt(name, 40)}"
    if low > high:
        said = f"{where}: reject_min {low:g} is above reject_max {high:g}, which is refused"
        yield Issue(GATES.fail(f"{low:g} > {high:g}", said, "exchange the two"))
    elif low < -NARROW and high > NARROW:
        said = f"{where} rejects groups with advantages from {low:g} to {high:g}: nearly all"
        fix = "set reject_min = -1e-6 and reject_max = 1e-6: only groups without a signal"
        yield Issue(GATES.fail(f"{low:g} to {high:g}", said, fix))


def _pools(source: SourceBlock, pools: Any) -> Iterator[Issue]:
    rows = (
        [row for row in pools.values() if isinstance(row, dict)] if isinstance(pools, dict) else []
    )
    weights = [row.get("weight") for row in rows]
    if weights and all(is_number(weight) and weight == 0 for weight in weights):
        said = f"{source.where}: every difficulty pool has the weight 0"
        yield Issue(GATES.fail("0", said, "give one pool a positive weight"))


RULES = (temperature, sampling_keys, algorithm, gates)
