"""A wanted run, expanded: each number with where it comes from.

made = make(wanted, known, measured_tokens)
made.plan.tables()      # the training file
made.words              # "8 turns: the environment's own limit", ...
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

from lab.platform.submission.wanted import Wanted, WantedSource
from lab.sizes import GROUP_SIZE
from lab.training import defaults
from lab.training.keys import module_of
from lab.training.model import Plan, Source
from lab.training.rules.base import EnvironmentClasses, Known, Measured
from lab.training.rules.measured import LIVE_ENOUGH
from lab.training.rules.tasks import HELD_OUT
from lab.training.selfhosted import tool_parser
from lab.training.work import Use

LONGEST = 32_768
"""Tokens of a rollout above which its seat gets a limit instead of a longer sequence."""
MARGIN = 1.5
"""Turns that a rollout may take, against those that the evaluation took."""
FEWEST_TOKENS, MOST_TOKENS = 256, 8192
"""Completion tokens per turn that are taken from an evaluation."""
ENLARGED = 4
"""How many times the usual batch may become so that enough groups are live."""


@dataclass
class Made:
    """The plan of a run, and where its numbers come from, in words."""

    plan: Plan
    words: list[str] = field(default_factory=list)


class _Maker:
    """Collects the words while the numbers are chosen."""

    def __init__(
        self, wanted: Wanted, known: Known, uses: dict[str, Use], simulated: dict[str, float]
    ):
        self.wanted, self.known, self.uses, self.simulated = wanted, known, uses, simulated
        self.words: list[str] = []

    def say(self, text: str) -> None:
        if text not in self.words:
            self.words.append(text)

    def classes(self, source: WantedSource) -> EnvironmentClasses | None:
        return self.known.classes.get(module_of(source.env))

    def measured(self, source: WantedSource) -> Measured:
        module = module_of(source.env)
        return self.known.measured.get(module, Measured(module))

    def turns(self, source: WantedSource) -> int:
        """What was asked for, else the environment's own limit and the evaluation, else one."""
        asked = source.turns or self.wanted.turns
        name = bare(source.env)
        if asked:
            self.say(f"{name}: {asked} turns, as asked for")
            return asked
        own = self._own_turns(source)
        taken = self.measured(source).turns
        if taken and taken > 1:
            found = math.ceil(MARGIN * taken)
            if own and own < found:
                self.say(f"{name}: {own} turns, the environment's own limit")
                return own
            self.say(f"{name}: {found} turns, {MARGIN:g} times those of the evaluation")
            return found
        if own:
            self.say(f"{name}: {own} turns, the environment's own limit")
            return own
        if taken:
            return 1
        simulated = self.simulated.get(module_of(source.env), 0.0)
        if simulated > 1 or self.wanted.tools:
            found = max(defaults.TOOL_TURNS, math.ceil(MARGIN * simulated))
            why = "a simulated rollout took several" if simulated > 1 else "the tasks call tools"
            self.say(f"{name}: {found} turns, because {why}; --turns N sets another number")
            return found
        return 1

    def _own_turns(self, source: WantedSource) -> int | None:
        found = self.classes(source)
        own = found.seat_defaults.get(self.seat(source), {}).get("max_turns") if found else None
        return own if isinstance(own, int) and own >= 1 else None

    def seat(self, source: WantedSource) -> str:
        found = self.classes(source)
        return found.seats[0] if found and found.seats else "agent"

    def tokens(self) -> int:
        """Twice the mean of a turn in the evaluation, as a power of two; else the default."""
        if self.wanted.tokens:
            return self.wanted.tokens
        means = [
            use.tokens / max(use.turns, 1.0)
            for source in self.wanted.train
            if (use := self.uses.get(module_of(source.env))) and use.tokens
        ]
        if not means:
            self.say(f"{defaults.TOKENS} completion tokens per turn: nothing was measured")
            return defaults.TOKENS
        tokens = FEWEST_TOKENS
        while tokens < 2 * max(means) and tokens < MOST_TOKENS:
            tokens *= 2
        self.say(
            f"{tokens} completion tokens per turn: twice the {max(means):.0f} that a turn took"
        )
        return tokens

    def rollouts(self, source: WantedSource) -> int:
        asked = source.rollouts or self.wanted.rollouts
        if asked:
            return asked
        planned = self.measured(source).group_size
        size, why = planned or GROUP_SIZE, "the default: no distribution report"
        if planned:
            why = "the distribution's plan"
        self.say(f"{bare(source.env)}: groups of {size} rollouts per task, {why}")
        return size

    def batch(self, sizes: list[int]) -> int:
        """A multiple of every group size: the default, and more where few groups are live."""
        if self.wanted.batch:
            return self.wanted.batch
        step = math.lcm(*sizes)
        usual = max(1, round(defaults.BATCH_SIZE / step)) * step
        first = self.wanted.train[0]
        share = self.measured(first).share(sizes[0])
        if not share or share[1][0] <= 0:
            return usual
        groups = math.ceil(LIVE_ENOUGH / share[1][0])
        needed = math.ceil(groups * sizes[0] / step) * step
        if needed <= usual:
            return usual
        batch = min(needed, ENLARGED * usual)
        self.say(f"{batch} rollouts per step: {share[1][0]:.0%} of the groups are live")
        return batch


def bare(env: str) -> str:
    return env.rsplit("/", 1)[-1].split("@", 1)[0]


def make(
    wanted: Wanted,
    known: Known,
    uses: dict[str, Use] | None = None,
    simulated: dict[str, float] | None = None,
) -> Made:
    maker = _Maker(wanted, known, uses or {}, simulated or {})
    model = wanted.model or defaults.MODEL
    size = defaults.sizing(model, lora=bool(wanted.lora))
    steps, tokens = wanted.steps or defaults.STEPS, maker.tokens()
    turns = [maker.turns(source) for source in wanted.train]
    sizes = [maker.rollouts(source) for source in wanted.train]
    lengths = [
        _length(maker, source, count, source.tokens or tokens)
        for source, count in zip(wanted.train, turns, strict=True)
    ]
    train = tuple(
        _source(maker, source, count, length, rollouts)
        for source, count, length, rollouts in zip(wanted.train, turns, lengths, sizes, strict=True)
    )
    held = _held_out(maker, wanted, train, turns)
    every = wanted.every or (max(5, min(25, steps // 4)) if steps >= 5 else 1)
    name = wanted.name or "-".join(dict.fromkeys(bare(source.env) for source in wanted.train))
    plan = Plan(
        name=name[:60],
        model=model,
        train=train,
        eval=held,
        steps=steps,
        batch_size=maker.batch(sizes),
        seq_len=max(length for length, _ in lengths),
        max_completion_tokens=tokens,
        learning_rate=size.learning_rate,
        eval_interval=every,
        ckpt_interval=max(10, steps // 4) if steps >= 20 else None,
        train_gpus=size.train_gpus,
        infer_gpus=size.infer_gpus,
        gpu_type=wanted.gpu_type,
        lora_rank=wanted.lora,
        wandb_project=wanted.wandb,
        tool_parser=tool_parser(model) if wanted.tools else None,
        form=wanted.form,
    )
    if not wanted.model:
        maker.say(f"{model}: the default model, because none was named")
    maker.say(
        f"{size.train_gpus} + {size.infer_gpus} GPUs, lr {size.learning_rate:g}: {size.source}"
    )
    return Made(plan, maker.words)


def _length(maker: _Maker, source: WantedSource, turns: int, tokens: int) -> tuple[int, int | None]:
    """The sequence that holds a rollout, and the limit of its seat where that would be too long.
    A seat's limit is looked at between turns, so the last turn comes on top of it."""
    use = maker.uses.get(module_of(source.env), Use())
    measured = maker.measured(source).prompt_tokens or use.prompt
    prompt = int(measured or defaults.PROMPT_TOKENS)
    need = prompt + turns * tokens
    name, longest = bare(source.env), maker.wanted.length or LONGEST
    words = f"a prompt of {prompt} and {turns} turn{'s' * (turns > 1)} of {tokens} tokens: {need}"
    if need <= longest or turns == 1:
        length = maker.wanted.length or defaults.sequence_length(prompt, turns, tokens)
        maker.say(f"{name}: seq_len {length} for {words}")
        return length, None
    limit = max(tokens, longest - tokens)
    maker.say(
        f"{name}: {words}, more than {longest}; its seat starts no turn after {limit} tokens, so "
        "that no rollout is cut in training"
    )
    return longest, limit


def _source(
    maker: _Maker,
    wanted: WantedSource,
    turns: int,
    length: tuple[int, int | None],
    rollouts: int,
) -> Source:
    classes = maker.classes(wanted)
    splits = classes.splits() if classes else []
    split = {"split": "train"} if "train" in splits else {}
    return Source(
        wanted.env,
        name=wanted.name or bare(wanted.env),
        group_size=rollouts,
        ratio=wanted.share,
        seat=maker.seat(wanted),
        args={**split, **wanted.args},
        max_turns=turns if turns > 1 else None,
        max_total_tokens=length[1],
        tokens=wanted.tokens,
        skip_dead_groups=wanted.skip_dead_groups,
        curriculum=wanted.curriculum,
    )


def _held_out(
    maker: _Maker, wanted: Wanted, train: tuple[Source, ...], turns: list[int]
) -> tuple[Source, ...]:
    """The evaluations that were asked for; without any, the held-out split of each environment."""
    if wanted.eval:
        return tuple(_evaluation(maker, source) for source in wanted.eval)
    found = []
    for one, source, count in zip(wanted.train, train, turns, strict=True):
        classes = maker.classes(one)
        free = [name for name in (classes.splits() if classes else []) if name in HELD_OUT]
        if free and source.args.get("split") not in free:
            maker.say(f"{bare(one.env)}: evaluated on its split {free[0]}")
            found.append(
                dataclasses.replace(
                    source,
                    args={**source.args, "split": free[0]},
                    name=f"{source.label}-eval",
                    group_size=None,
                    ratio=None,
                    max_turns=count if count > 1 else None,
                    skip_dead_groups=False,
                    curriculum=False,
                )
            )
    return tuple(found)


def _evaluation(maker: _Maker, wanted: WantedSource) -> Source:
    turns = maker.turns(wanted)
    classes = maker.classes(wanted)
    free = [name for name in (classes.splits() if classes else []) if name in HELD_OUT]
    trained = {module_of(source.env) for source in maker.wanted.train}
    own = {"split": free[0]} if free and module_of(wanted.env) in trained else {}
    return Source(
        wanted.env,
        name=wanted.name or f"{bare(wanted.env)}-eval",
        group_size=wanted.rollouts,
        seat=maker.seat(wanted),
        args={**own, **wanted.args},
        max_turns=turns if turns > 1 else None,
        tokens=wanted.tokens,
        tasks=wanted.tasks,
        interval=wanted.every,
    )
