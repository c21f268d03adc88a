"""Rules about the seats of an environment: who plays, by which program, where, and how long.

What the environment's own class sets for a seat counts where the file says nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from lab.cli.report import Check
from lab.cli.untrusted import excerpt
from lab.training.file import SourceBlock, TrainingFile
from lab.training.keys import harnesses
from lab.training.rules.base import (
    DROP,
    Change,
    Issue,
    Known,
    both,
    integer,
    is_number,
    seats_of,
)

SEAT = Check(
    "config.seat",
    title="settings are under the environment's own seat",
    expected="env.agent for single-agent environments",
    reason="Keys under a seat that the environment does not have are refused on the cluster.",
    source="prime-rl: wordle's seat is player; verifiers: EnvConfig",
)
HARNESS = Check(
    "config.harness",
    title="the harness is explicit",
    expected='harness.id = "null" for plain chat',
    reason="The default harness is a coding agent with its own prompt and tools.",
    source="verifiers: the default is bash",
)
RUNTIME = Check(
    "config.runtime",
    title="the runtime is explicit",
    expected='runtime.type = "subprocess" for environments in Python, a sandbox for agents',
    reason="The default is a paid sandbox for each rollout; a subprocess runs what the model "
    "writes beside the run, with its files and keys.",
    source="verifiers: the default is prime",
)
AGENTS = tuple(name for name in harnesses() if name != "null")
"""Harnesses that run programs and the model's commands in their runtime."""
SECONDS = 30
"""Seconds below which a time-out ends rollouts on a busy server."""
STAGE_SECONDS = 1.0
"""The same for setting up, finishing and scoring."""
SEAT_LIMITS = Check(
    "config.seat_limits",
    title="a seat's own limits leave room for a rollout",
    expected=f"max_turns >= 1, token limits above one completion, >= {SECONDS} s for a rollout, "
    f">= {STAGE_SECONDS} s for a stage",
    reason="The seat's limits are far from the sampling block, and the smaller one counts: every "
    "rollout is cut or times out, and is paid.",
    source="verifiers: AgentConfig",
)
MOST_RETRIES = 5
RETRIES = Check(
    "config.retries",
    title="failed rollouts are repeated a few times at most",
    expected=f"max_retries <= {MOST_RETRIES}",
    reason="A retry runs the whole rollout again: an environment that always fails is paid that "
    "many times.",
    source="verifiers: RetryConfig; prime-rl: worked examples use 0 to 3",
)
TRAINED_SEAT = Check(
    "config.trained_seat",
    title="the policy plays the seat that is trained, as the run samples",
    expected="no other model or client, and no sampling of its own, on every seat",
    reason="A seat with a model of its own is played by that model; a seat with sampling of its "
    "own does not follow the training block.",
    source="verifiers: AgentConfig: model, client, sampling",
)
MISNAMED = ("model", "policy", "assistant")
"""Names that are no seat of any environment, and are written for `agent`."""
PAID = ("prime", "modal", "e2b")
GREEDY = 0.1
"""Temperatures below it make the rollouts of a task alike."""


def legal(source: SourceBlock, known: Known) -> tuple[str, ...]:
    classes = known.classes.get(source.module)
    return classes.seats if classes and classes.seats else ("agent",)


def surely_wrong(name: str, source: SourceBlock, known: Known) -> bool:
    """Whether a name is no seat: by the environment's classes, else only a likely misspelling."""
    if source.module in known.classes:
        return name not in legal(source, known)
    near = difflib.get_close_matches(name, ["agent"], 1, 0.7)
    return name in MISNAMED or (name != "agent" and bool(near))


def played(source: SourceBlock, known: Known) -> dict[str, dict[str, Any]]:
    """Seat -> its settings: the environment's own, under those of the file."""
    classes = known.classes.get(source.module)
    own = classes.seat_defaults if classes else {}
    there = {k: v for k, v in seats_of(source).items() if not surely_wrong(k, source, known)}
    names = list(there) or [legal(source, known)[0]]
    return {name: {**own.get(name, {}), **there.get(name, {})} for name in names}


def seat(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in both(file):
        there, seats = list(seats_of(source)), legal(source, known)
        wrong = [key for key in there if key not in seats]
        if not wrong:
            if there:
                yield Issue(SEAT.ok(there, source.where))
        elif surely_wrong(wrong[0], source, known):
            yield _moved(source, wrong[0], seats)


def _moved(source: SourceBlock, wrong: str, seats: tuple[str, ...]) -> Issue:
    target, shown = seats[0], excerpt(wrong, 40)
    taken = source.seat(target)
    moved = {key: value for key, value in source.env[wrong].items() if key not in taken}
    changes = [Change(f"{source.path}.env.{target}.{key}", v) for key, v in moved.items()]
    said = f"{source.where}: env.{shown} is no seat of this environment ({', '.join(seats)})"
    drop = Change(f"{source.path}.env.{wrong}", DROP)
    return Issue(SEAT.fail(shown, said, f"write env.{target}"), (*changes, drop))


def harness(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in both(file):
        for name, settings in played(source, known).items():
            table = settings.get("harness")
            value = table.get("id") if isinstance(table, dict) else None
            if value is not None:
                yield _against_own(source, name, value, known)
                continue
            path = f"{source.path}.env.{name}.harness.id"
            said = f"{source.where}: env.{name}.harness.id is not set"
            fix = 'set harness.id = "null" for plain chat'
            yield Issue(HARNESS.fail("not set", said, fix), (Change(path, "null"),))


def _against_own(source: SourceBlock, name: str, value: Any, known: Known) -> Issue:
    """The harness of the file beside the one that the environment sets itself."""
    classes = known.classes.get(source.module)
    own = _harness_id(classes.seat_defaults.get(name, {})) if classes else None
    if own is None or own == value:
        return Issue(HARNESS.ok(excerpt(value, 40), source.where))
    said = (
        f"{source.where}: env.{name}.harness.id is {excerpt(value, 40)}, the environment's own is "
        f"{excerpt(own, 40)}"
    )
    fix = f'write harness.id = "{excerpt(own, 40)}", with which its reward was tested'
    return Issue(HARNESS.warn(excerpt(value, 40), said, fix))


def runtime(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in both(file):
        for name, settings in played(source, known).items():
            table = settings.get("runtime")
            value = table.get("type") if isinstance(table, dict) else None
            if value is None:
                yield _no_runtime(source, name, settings)
            else:
                yield _judged_runtime(source, name, value, _harness_id(settings))


def _judged_runtime(source: SourceBlock, name: str, value: Any, harness: Any) -> Issue:
    """A harness that runs the model's commands belongs into a sandbox."""
    shown = excerpt(value, 40)
    if value == "subprocess" and harness in AGENTS:
        said = (
            f"{source.where}: env.{name} runs the model's commands ({harness}) as processes of the "
            "run itself, not in a sandbox"
        )
        fix = 'set runtime.type = "prime" or "docker", or harness.id = "null" for plain chat'
        return Issue(RUNTIME.warn(shown, said, fix))
    paid = " (each rollout opens a paid sandbox)" if value in PAID else ""
    return Issue(RUNTIME.ok(shown, f"{source.where}{paid}"))


def _no_runtime(source: SourceBlock, name: str, settings: dict[str, Any]) -> Issue:
    """Unset is a paid sandbox: a mistake for plain chat, a choice worth naming for an agent."""
    path = f"{source.path}.env.{name}.runtime.type"
    said = (
        f"{source.where}: env.{name}.runtime.type is not set, so each rollout opens a paid sandbox"
    )
    if _harness_id(settings) in (None, "null"):
        fix = 'set runtime.type = "subprocess"'
        return Issue(RUNTIME.fail("not set", said, fix), (Change(path, "subprocess"),))
    fix = 'set runtime.type = "prime" if that is meant, else the one that is'
    return Issue(RUNTIME.warn("not set", said, fix))


def _harness_id(settings: dict[str, Any]) -> Any:
    table = settings.get("harness")
    return table.get("id") if isinstance(table, dict) else None


def seat_limits(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in both(file):
        tokens = file.sampling(source, "max_completion_tokens")
        timeout = source.env.get("timeout")
        if isinstance(timeout, dict):
            yield from _timeouts(f"{source.where}: env.timeout", timeout)
        for name, settings in seats_of(source).items():
            where = f"{source.where}: env.{name}"
            yield from _turns(where, settings.get("max_turns"))
            for key in ("max_total_tokens", "max_output_tokens"):
                yield from _budget(where, key, settings.get(key), tokens)
            if isinstance(settings.get("timeout"), dict):
                yield from _timeouts(f"{where}.timeout", settings["timeout"])


def _turns(where: str, turns: Any) -> Iterator[Issue]:
    if turns not in (None, "None") and (not integer(turns) or turns < 1):
        shown = f"max_turns = {excerpt(turns, 40)}"
        fix = "set max_turns to what a rollout needs, or leave it out"
        yield Issue(SEAT_LIMITS.fail(shown, f"{where}.{shown} allows no turn", fix))


def _budget(where: str, key: str, value: Any, tokens: Any) -> Iterator[Issue]:
    if is_number(value) and integer(tokens) and value < tokens:
        said = f"{where}.{key} = {value} ends a rollout before one completion of {tokens} tokens"
        fix = f"raise {key} above {tokens}, or lower max_completion_tokens"
        yield Issue(SEAT_LIMITS.fail(f"{key} = {value}", said, fix))


def _timeouts(where: str, table: dict[str, Any]) -> Iterator[Issue]:
    for stage, seconds in table.items():
        least = SECONDS if stage in ("rollout", "episode") else STAGE_SECONDS
        if not is_number(seconds) or not 0 < seconds < least:
            continue
        said = (
            f"{where}.{excerpt(stage, 20)} = {seconds:g} seconds, on a server that works at many "
            "rollouts at a time"
        )
        fix = f"set it to {20 * least:g} or more, or leave it out"
        check = SEAT_LIMITS.fail if seconds < least / 10 else SEAT_LIMITS.warn
        yield Issue(check(f"timeout.{excerpt(stage, 20)} = {seconds:g} s", said, fix))


def retries(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in both(file):
        blocks = {"env": source.env, **{f"env.{k}": v for k, v in seats_of(source).items()}}
        for where, block in blocks.items():
            table = block.get("retries")
            value = table.get("max_retries") if isinstance(table, dict) else None
            if is_number(value) and value > MOST_RETRIES:
                said = (
                    f"{source.where}: {where}.retries.max_retries = {value:g}: a rollout that "
                    f"always fails is run {value + 1:g} times"
                )
                yield Issue(RETRIES.warn(value, said, "set max_retries to 1 to 3"))


def trained_seat(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("train"):
        seats = seats_of(source)
        away = [
            f"{name}.{key}"
            for name, settings in seats.items()
            for key in ("model", "client")
            if settings.get(key) not in (None, "None", {}, file.model)
        ]
        if away and len({path.split(".")[0] for path in away}) >= len(seats):
            shown = ", ".join(f"env.{excerpt(item, 60)}" for item in away)
            said = (
                f"{source.where}: {shown} takes the seat from the policy, and there is no other "
                "seat"
            )
            yield Issue(TRAINED_SEAT.fail(away, said, f"remove {source.path}.env.{away[0]}"))
        for name, settings in seats.items():
            yield from _own_sampling(file, source, name, settings.get("sampling"))


def _own_sampling(
    file: TrainingFile, source: SourceBlock, name: str, sampling: Any
) -> Iterator[Issue]:
    """A seat's own temperature and length win over the training block's."""
    if not isinstance(sampling, dict):
        return
    path, where = f"{source.path}.env.{name}.sampling", f"{source.where}: env.{name}.sampling"
    temperature = sampling.get("temperature")
    if is_number(temperature) and temperature < GREEDY:
        said = f"{where}.temperature = {temperature:g} makes all rollouts of a task the same"
        change = Change(f"{path}.temperature", DROP)
        measured = f"temperature {temperature:g}"
        yield Issue(TRAINED_SEAT.fail(measured, said, f"remove env.{name}.sampling"), (change,))
    tokens, own = file.sampling(source, "max_completion_tokens"), sampling.get("max_tokens")
    if is_number(own) and integer(tokens) and own < tokens:
        said = f"{where}.max_tokens = {own:g} ends each turn before the {tokens} tokens it may have"
        change = Change(f"{path}.max_tokens", DROP)
        fix = "remove it: max_completion_tokens of the training block decides"
        yield Issue(TRAINED_SEAT.fail(f"max_tokens {own:g}", said, fix), (change,))


RULES = (seat, harness, runtime, seat_limits, retries, trained_seat)
