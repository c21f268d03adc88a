"""Rules about tokens: what a rollout needs must fit into the sequence and into the context."""

from __future__ import annotations

from collections.abc import Iterator

from lab.report import Check
from lab.training.defaults import PROMPT_TOKENS, sequence_length
from lab.training.file import TrainingFile
from lab.training.rules.base import Change, Issue, Known, integer, is_number

TOKENS = Check(
    "config.completion_tokens",
    title="completions have a limit",
    expected="max_completion_tokens between 16 and seq_len",
    reason="Without a limit a rollout runs to the end of the context, and is then cut to seq_len for training.",
    source="prime-rl TrainSamplingConfig: default none",
)
SEQUENCE = Check(
    "config.sequence_length",
    title="a whole rollout fits into seq_len",
    expected="prompt + turns x max_completion_tokens <= seq_len",
    reason="The packer cuts longer samples without a word: the end of the answer, which earned the reward, is what is lost.",
    source="prime-rl orchestrator packing; default 2048",
)
SEQUENCE_ORDER = Check(
    "config.sequence_consistent",
    title="trainer and orchestrator agree on the sequence length",
    expected="trainer.model.seq_len >= orchestrator.seq_len, one value at the top",
    reason="A trainer with a shorter sequence than the orchestrator is refused.",
    source="prime-rl RLConfig validation",
)
CONTEXT = Check(
    "config.context_length",
    title="the inference server's context holds a rollout",
    expected="inference.vllm.max_model_len >= seq_len",
    reason="A shorter context ends rollouts early, or refuses the longer prompts; nothing cross-checks it.",
    source="prime-rl: inference.vllm is passed through, run",
)


def completion_tokens(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        value = file.sampling(source, "max_completion_tokens")
        if value is None:
            yield Issue(TOKENS.warn("none", f"{source.where}: rollouts run to the end of the context", "set orchestrator.train.sampling.max_completion_tokens"))
        elif not integer(value) or value < 1:
            yield Issue(TOKENS.fail(value, f"{source.where}: it must be a positive whole number", "set max_completion_tokens = 1024"))
        elif value < 16:
            yield Issue(TOKENS.fail(value, f"{source.where}: {value} tokens hold hardly an answer", "set max_completion_tokens = 1024, or what the evaluation measured"))
        else:
            yield Issue(TOKENS.ok(value, source.where))


def sequence(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """Turns come from the file (max_turns of the seat) or from the evaluation; one when unknown."""
    limit = file.seq_len
    if not is_number(limit) or limit < 1 or limit != int(limit):
        yield Issue(SEQUENCE.fail(limit, "seq_len must be a positive whole number", "set seq_len = 2048"))
        return
    for source in file.sources("train"):
        tokens = file.sampling(source, "max_completion_tokens")
        if not integer(tokens) or tokens < 1:
            continue
        seats = [table for key, table in source.env.items() if key != "taskset" and isinstance(table, dict)]
        stated = [seat["max_turns"] for seat in seats if integer(seat.get("max_turns"))]
        turns = int(stated[0] if stated else known.turns or 1)
        prompt = int(known.prompt_tokens or 0)
        need = prompt + turns * tokens
        told = f"{source.where}: {f'{prompt} prompt + ' if prompt else ''}{turns} x {tokens} = {need} tokens, seq_len {limit:g}"
        fit = sequence_length(prompt or PROMPT_TOKENS, turns, tokens)
        repair = () if file.has("orchestrator.seq_len") or file.has("trainer.model.seq_len") else (Change("seq_len", fit),)
        if need > limit or (not prompt and need >= limit):
            yield Issue(SEQUENCE.fail(need, told, f"set seq_len = {fit}, or lower max_completion_tokens"), repair)
        elif not prompt and need + PROMPT_TOKENS > limit:
            yield Issue(SEQUENCE.warn(need, f"{told}: {limit - need:g} tokens are left for the prompt", f"set seq_len = {fit}, or check the length of the prompts"))
        else:
            yield Issue(SEQUENCE.ok(need, told))


def consistent(file: TrainingFile, known: Known) -> Iterator[Issue]:
    shared, trainer, orchestrator = (file.number(path) for path in ("seq_len", "trainer.model.seq_len", "orchestrator.seq_len"))
    if trainer is not None and orchestrator is not None and trainer < orchestrator:
        yield Issue(SEQUENCE_ORDER.fail(f"{trainer:g} < {orchestrator:g}", "the trainer's sequence is shorter than the orchestrator's", "set one seq_len at the top and remove the others"))
    elif shared is not None and any(value not in (None, shared) for value in (trainer, orchestrator)):
        yield Issue(SEQUENCE_ORDER.fail(f"{shared:g}", "seq_len at the top differs from the one in trainer.model or orchestrator, which is refused", "keep the one at the top"))
    elif shared is None and trainer is None and orchestrator is None:
        yield Issue(SEQUENCE_ORDER.warn("not set", "seq_len is the default of 2048", "set seq_len at the top"))
    else:
        yield Issue(SEQUENCE_ORDER.ok(file.seq_len))


def context(file: TrainingFile, known: Known) -> Iterator[Issue]:
    limit = file.number("inference.vllm.max_model_len")
    if limit is None:
        return
    if limit < file.seq_len:
        yield Issue(
            CONTEXT.fail(f"{limit:g}", f"the context of {limit:g} is shorter than seq_len {file.seq_len:g}", f"set inference.vllm.max_model_len = {file.seq_len:g}, or remove it"),
            (Change("inference.vllm.max_model_len", int(file.seq_len)),),
        )
    else:
        yield Issue(CONTEXT.ok(f"{limit:g}"))


RULES = (completion_tokens, sequence, consistent, context)
