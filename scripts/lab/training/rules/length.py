"""Rules about tokens: what a rollout needs must fit into the sequence and into the context."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lab.cli.report import Check
from lab.cli.untrusted import excerpt
from lab.training.defaults import PROMPT_TOKENS, sequence_length
from lab.training.file import SourceBlock, TrainingFile
from lab.training.rules.base import Change, Issue, Known, integer, is_number
from lab.training.rules.seats import played

SHORTEST = 16
TOKENS = Check(
    "config.completion_tokens",
    title="completions have a limit",
    expected=f"max_completion_tokens between {SHORTEST} and seq_len",
    reason="Without a limit a rollout runs to the end of the context, and is then cut to seq_len "
    "for training.",
    source="prime-rl: TrainSamplingConfig has none by default",
)
LONGEST = 262_144
SEQUENCE = Check(
    "config.sequence_length",
    title="a whole rollout fits into seq_len, and seq_len into a GPU",
    expected=f"prompt + turns x max_completion_tokens <= seq_len <= {LONGEST:,}",
    reason="The packer cuts longer samples without a word: the end of the answer, which earned the "
    "reward, is what is lost. Memory grows with seq_len, whatever the rollouts need.",
    source="prime-rl: orchestrator packing, default 2048; model-cards: contexts of 32k to 256k",
)
CONTEXT = Check(
    "config.context_length",
    title="the inference server's context holds a rollout",
    expected="inference.vllm.max_model_len >= prompt + one completion",
    reason="A shorter context ends rollouts early, or refuses the longer prompts; nothing "
    "cross-checks it.",
    source="prime-rl: inference.vllm is passed through",
)
REASONING_TOKENS = 2048
THINKING = re.compile(r"thinking|(?<![a-z0-9])r1(?![a-z0-9])|qwq", re.IGNORECASE)
"""Names of models that always reason at length before they answer."""
REASONING = Check(
    "config.reasoning_room",
    title="a reasoning model has room to reason",
    expected=f"max_completion_tokens >= {REASONING_TOKENS} for a model that always reasons",
    reason="Its reasoning alone is longer: most rollouts end before an answer, and all of a group "
    "get the same reward of nothing.",
    source="model-cards: Qwen3 Thinking and DeepSeek-R1 recommend 32,768 tokens",
)


def completion_tokens(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        value, where = file.sampling(source, "max_completion_tokens"), source.where
        if value in (None, "None"):
            yield _unlimited(file, source, known)
        elif not integer(value) or value < 1:
            said = f"{where}: max_completion_tokens must be a positive whole number"
            yield Issue(TOKENS.fail(excerpt(value, 40), said, "set max_completion_tokens = 1024"))
        elif value < SHORTEST:
            said = f"{where}: {value} tokens hold hardly an answer"
            fix = "set max_completion_tokens = 1024, or what the evaluation measured"
            yield Issue(TOKENS.fail(value, said, fix))
        else:
            yield Issue(TOKENS.ok(value, where))


def _unlimited(file: TrainingFile, source: SourceBlock, known: Known) -> Issue:
    """Fine where the seat or the server ends a rollout within the sequence."""
    limits = [_budget(settings) for settings in played(source, known).values()]
    limits.append(file.number("inference.vllm.max_model_len"))
    ends = [limit for limit in limits if limit is not None and limit <= file.seq_len]
    if ends:
        return Issue(
            TOKENS.ok(min(ends), f"{source.where}: a rollout ends at {min(ends):g} tokens")
        )
    said = (
        f"{source.where}: rollouts run to the end of the context, and seq_len {file.seq_len:g} "
        "cuts them"
    )
    return Issue(TOKENS.warn("none", said, "set orchestrator.train.sampling.max_completion_tokens"))


def _budget(settings: dict[str, Any]) -> float | None:
    """Tokens at which a seat's own limits end a rollout."""
    found = [settings.get(key) for key in ("max_total_tokens", "max_output_tokens")]
    return min((float(value) for value in found if is_number(value)), default=None)


def sequence(file: TrainingFile, known: Known) -> Iterator[Issue]:
    limit = file.seq_len
    if not is_number(limit) or limit < 1 or limit != int(limit):
        said = f"seq_len = {limit}: it must be a positive whole number"
        yield Issue(SEQUENCE.fail(limit, said, "set seq_len = 2048"))
        return
    needs = [need for source in file.sources("train") if (need := _need(file, source, known))]
    if limit > LONGEST:
        most = max((need.tokens for need in needs), default=0)
        said = f"seq_len {limit:,.0f} is more than any model here is trained at; {most:,.0f} needed"
        fit = max((need.fit for need in needs), default=2048)
        yield Issue(SEQUENCE.fail(f"{limit:g}", said, f"set seq_len = {fit}"))
        return
    for need in needs:
        yield _fits(file, need, limit)


class _Need:
    """Tokens of one rollout of a source: prompt and turns, or the limit of its seat."""

    def __init__(
        self, source: SourceBlock, turns: int, tokens: int, prompt: int, budget: float | None
    ):
        self.prompt = prompt
        self.tokens = prompt + turns * tokens
        self.fit = sequence_length(prompt or PROMPT_TOKENS, turns, tokens)
        words = f"{prompt} prompt + " if prompt else ""
        each = f"{turns} turns x {tokens}" if turns > 1 else f"{tokens}"
        self.words = f"{source.where}: {words}{each} = {self.tokens} tokens"
        if budget is not None and budget < self.tokens:
            self.tokens, self.fit = int(budget), sequence_length(0, 1, int(budget) + tokens)
            self.prompt = self.prompt or 1  # a limit on all tokens counts the prompt too
            self.words = (
                f"{source.where}: its seat starts no turn after {budget:g} tokens; a turn has up "
                f"to {tokens}"
            )


def _need(file: TrainingFile, source: SourceBlock, known: Known) -> _Need | None:
    """Turns come from the file, else the environment's own config, else the evaluation."""
    tokens = file.sampling(source, "max_completion_tokens")
    if not integer(tokens) or tokens < 1:
        return None
    seats = list(played(source, known).values())
    stated = [seat["max_turns"] for seat in seats if integer(seat.get("max_turns"))]
    measured = known.of(source)
    turns = int(stated[0] if stated else measured.turns or 1)
    budgets = [budget for seat in seats if (budget := _budget(seat)) is not None]
    prompt = int(measured.prompt_tokens or 0)
    return _Need(source, max(turns, 1), tokens, prompt, min(budgets, default=None))


def _fits(file: TrainingFile, need: _Need, limit: float) -> Issue:
    said = f"{need.words}, seq_len {limit:g}"
    own = file.has("orchestrator.seq_len") or file.has("trainer.model.seq_len")
    repair = () if own else (Change("seq_len", need.fit),)
    if need.tokens > limit:
        fix = f"set seq_len = {need.fit}, or lower max_completion_tokens"
        return Issue(SEQUENCE.fail(need.tokens, said, fix), repair)
    if not need.prompt and need.tokens + PROMPT_TOKENS > limit:
        said += f": {limit - need.tokens:g} tokens are left for the prompt"
        fix = f"set seq_len = {need.fit}, or check the length of the prompts"
        return Issue(SEQUENCE.warn(need.tokens, said, fix))
    return Issue(SEQUENCE.ok(need.tokens, said))


def context(file: TrainingFile, known: Known) -> Iterator[Issue]:
    limit = file.number("inference.vllm.max_model_len")
    if limit is None:
        return
    tokens = [file.sampling(source, "max_completion_tokens") for source in file.sources("train")]
    longest = max((value for value in tokens if integer(value)), default=0)
    path = "inference.vllm.max_model_len"
    if limit <= longest:
        said = (
            f"the context of {limit:g} (max_model_len) does not hold {longest} tokens and a prompt"
        )
        fix = f"set {path} = {file.seq_len:g}, or remove it"
        change = Change(path, int(file.seq_len))
        yield Issue(CONTEXT.fail(f"{limit:g}", said, fix), (change,))
    elif limit < file.seq_len and not longest:
        yield Issue(CONTEXT.ok(f"{limit:g}", "it ends rollouts before seq_len"))
    elif limit < file.seq_len:
        said = f"the context of {limit:g} (max_model_len) is shorter than seq_len {file.seq_len:g}"
        fix = f"set {path} = {file.seq_len:g}, or remove it"
        yield Issue(CONTEXT.warn(f"{limit:g}", said, fix))
    else:
        yield Issue(CONTEXT.ok(f"{limit:g}"))


def reasoning(file: TrainingFile, known: Known) -> Iterator[Issue]:
    if not THINKING.search(file.model.rsplit("/", 1)[-1]):
        return
    for source in file.sources("train"):
        tokens = file.sampling(source, "max_completion_tokens")
        if integer(tokens) and tokens < REASONING_TOKENS:
            said = f"{source.where}: {tokens} tokens for {excerpt(file.model, 60)}"
            fix = "raise max_completion_tokens and seq_len, or take an instruct model"
            yield Issue(REASONING.warn(tokens, said, fix))
        else:
            yield Issue(REASONING.ok(tokens))


RULES = (completion_tokens, sequence, context, reasoning)
