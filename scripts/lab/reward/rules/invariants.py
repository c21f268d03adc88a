"""What must make no difference: chance, what was scored before, length; and the sum of the
parts."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Completion, Environment, Score
from lab.environment.messages import replies
from lab.reward.brief import Brief
from lab.reward.interactive.messages import said
from lab.reward.interactive.ways import NEUTRAL, spread
from lab.reward.observation import Table
from lab.reward.productions.base import DESIGN
from lab.reward.reading.acting import MOST_TURNS
from lab.reward.scale import TINY
from lab.reward.session import Session

BAND = 0.05
"""How much two scorings by a judge may differ, where nothing is declared."""
AGAIN = 5
"""How often a completion is scored again by a fresh process before a difference is no chance."""
LENGTHS = (10, 100, 400, 1500)
"""Words of reasoning before a right answer."""
LENGTH_BAND, RISE = 0.1, 0.05
TIMES, TIMES_SLOW = 5, 3

REPEATS = Check(
    "reward.deterministic",
    title="the same completion earns the same",
    expected=f"identical; a judge within {BAND}",
    reason="Noise in the reward is learnt as if it were signal.",
    source="falsepass: probe list",
)
STATE = Check(
    "reward.independent",
    title="a score does not depend on what was scored before",
    expected="identical",
    reason="State kept between rollouts makes the reward a matter of luck and of batch order.",
    source="falsepass: probe list",
)
LENGTH = Check(
    "reward.length_neutral",
    title="length does not change what a right answer earns",
    expected=f"within {LENGTH_BAND} of the way from wrong to right",
    reason="A reward that pays for length grows completions until they are cut.",
    source="arXiv 2503.20783: Dr. GRPO",
)
COMPONENTS = Check(
    "reward.components",
    title="no other component lifts a wrong answer above a right one",
    expected="right without extras > wrong with all extras",
    reason="The sum is what is trained: a style bonus that outweighs correctness replaces it.",
    source="gdpo: easy terms saturate first",
)
DRESS = (
    "Step 1: read. Step 2: compute. Step 3: check. Therefore, because of this, it follows. " * 3,
    "First, let me think. Wait, let me double-check. However, on reflection I am confident. "
    "Finally, verified. " * 10,
    "According to [1], [2] and [3] (https://example.org/a, https://example.org/b) "
    '"this is so", as table 1 and figure 2 show. ' * 3,
    "## Analysis\n- **Point one**\n- **Point two**\n\n```python\nprint('check')\n```\n"
    "Hence, in conclusion, it holds.",
)
"""Extras that style components look for."""


def state(env: Environment, pairs: list[tuple[int, Completion, Completion]]) -> tuple[str, float]:
    """What shows that scoring keeps a state, and by how much; ("", 0) where it keeps none.

    `pairs`: (task, right, wrong). Each completion is scored alone by a fresh process, and then
    after another one. A judge that is asked approves of the right one.
    """
    for task, right, wrong in pairs:
        said = {True: right, False: wrong}
        alone = {which: _fresh(env, task, said[which], which) for which in said}
        for before, after in ((False, True), (True, False), (True, True)):
            _fresh(env, task, said[before], before)
            env.expect(after, said[after])
            then = _alone(env, env.score(task, said[after]))
            first = alone[after]
            if first is not None and then is not None and abs(then - first) > TINY:
                again = (_fresh(env, task, said[after], after) or 0.0 for _ in range(AGAIN))
                if any(abs(one - first) > TINY for one in again):
                    return "", 0.0  # chance, and no state
                text = (
                    f"'{excerpt(str(said[after]), 80)}' earns {first:.3g} alone and {then:.3g} "
                    f"after '{excerpt(str(said[before]), 80)}'"
                )
                return text, abs(then - first)
    return "", 0.0


def learnt(env: Environment, texts: Mapping[int, str]) -> tuple[str, float]:
    """What shows that the search for right texts found what only the replies before it made right:
    a text that earns less where a process has scored nothing else; ("", 0) where none does."""
    after = {i: _alone(env, env.score(i, text)) for i, text in texts.items()}
    for i, text in texts.items():
        first, then = _fresh(env, i, text), after[i]
        if first is None or then is None or then <= first + TINY:
            continue
        if _fresh(env, i, text) != first:
            continue  # chance, and no state
        said = f"'{excerpt(text, 80)}' earns {first:.3g} alone and {then:.3g} after other replies"
        return said, then - first
    return "", 0.0


def _fresh(
    env: Environment, task: int, completion: Completion, right: bool = False
) -> float | None:
    env.fresh()
    env.expect(right, completion)
    return _alone(env, env.score(task, completion))


def _alone(env: Environment, score: Score) -> float | None:
    """The reward without what the Env records: it compares the rollouts of a group, and by their
    times it differs from one group to the next."""
    if score.reward is None or not env.description.recorded:
        return score.reward
    weights = env.description.rewards
    return sum(weight * (score.components.get(name) or 0.0) for name, weight in weights.items())


def state_finding(b: Brief, found: tuple[str, float]) -> Finding:
    evidence, measured = found
    if not evidence:
        return STATE.ok(measured=0.0)
    return STATE.fail(
        measured=measured or "another way",
        evidence=evidence,
        fix="keep no state between completions: nothing on the task or in the module, no caches "
        f"keyed by less than task and completion ({DESIGN}#state-between-rollouts)",
        severity="critical",
        direction="invariant",
    )


def findings(b: Brief, table: Table, session: Session) -> Iterator[Finding]:
    repeats = _repeats(b, session)
    yield repeats
    chance = STATE.skip(f"the same completion earns different rewards: see {REPEATS.id}")
    yield chance if repeats.status == "fail" else _order(b, session)
    if not b.with_gold or not b.scale.right:
        yield from (check.skip("no gold could be scored") for check in (LENGTH, COMPONENTS))
        return
    yield _length(b, table, by_chance(b, repeats))
    yield _components(b, table)


def by_chance(b: Brief, repeats: Finding) -> float:
    """How far two scorings of one completion were apart, as a share of the way from wrong to right;
    0 where they are alike. Less than that says nothing about length, or about the best answer."""
    noisy = repeats.status in ("warn", "fail") and b.scale.apart
    return float(repeats.measured or 0.0) / b.scale.gap if noisy else 0.0


def _repeats(b: Brief, session: Session) -> Finding:
    """Five scorings of the same completions, three where scoring is slow."""
    times = TIMES if session.latency < 0.1 else TIMES_SLOW
    worst, where, recorded = 0.0, "", False
    for i, texts in compared(b, 1 if session.slow or session.over() else 4):
        for text in (*texts, ""):
            first = session.score(i, text)
            scores = [first, *(session.again(i, text) for _ in range(times))]
            rewards = [score.reward for score in scores if score.reward is not None]
            spread = max(rewards) - min(rewards) if len(rewards) > 1 else 0.0
            if spread > worst:
                worst, recorded = spread, _recorded(b, scores)
                shown = ", ".join(f"{reward:.3g}" for reward in rewards)
                where = f"task {b.tasks[i].index}: '{excerpt(str(text), 80)}' earned {shown}"
    declared = b.contract.noise
    band = declared if declared is not None else BAND if b.judged else TINY
    if worst <= band + TINY:
        return REPEATS.ok(measured=worst)
    extra = {"measured": worst, "direction": "invariant"}
    if recorded or _luck(b):
        what = (
            f"what {b.description.recorded} records differs: it compares the rollouts of a group"
            if recorded
            else "the environment's own turns differ from rollout to rollout"
        )
        return REPEATS.warn(
            evidence=f"{what}; {where}",
            severity="low",
            fix="seed what is random by the task, so that the rollouts of a group meet the same",
            **extra,
        )
    return REPEATS.fail(
        evidence=where,
        severity="high",
        fix="take randomness, time and counters out of the reward; for a judge use temperature 0 "
        f"({DESIGN}#not-deterministic)",
        **extra,
    )


def _recorded(b: Brief, scores: list[Score]) -> bool:
    """Whether the Task's own rewards are the same each time, and only what the Env records is
    not."""
    own = [
        {name: value for name, value in score.components.items() if name in b.description.rewards}
        for score in scores
    ]
    return bool(b.description.recorded and own[0]) and all(each == own[0] for each in own)


def _luck(b: Brief) -> bool:
    """Whether the environment says something else to the same replies: then what is earned is a
    matter of luck."""
    for task, texts in compared(b, 3) if b.playable else ():
        for text in (*texts, NEUTRAL):
            said = [text] * MOST_TURNS if isinstance(text, str) else replies(text)
            told = {
                json.dumps([played.messages, played.unread])
                for _ in range(3)
                for played in b.play(task, said)
            }
            if len(told) > 1:
                return True
    return False


def compared(b: Brief, most: int) -> list[tuple[int, list[Completion]]]:
    """Tasks, each with a right and a wrong completion; where no gold can be written, with what
    takes their place."""
    if b.with_gold:
        tasks = b.sample(most, gold=True)
        return [(i, [b.write(b.gold(i)), b.write(b.wrong(i))]) for i in tasks]
    tasks = b.sample(most, gold=False)
    return [(i, ["I do not know.", b.whole(i) or b.tasks[i].prompt]) for i in tasks]


def _order(b: Brief, session: Session) -> Finding:
    """The same completions once more in the opposite order, and right after each other's."""
    if b.judged:
        return STATE.ok(measured=0.0)  # looked at before anything else was scored
    if session.over():
        return STATE.skip("the time for all completions was over: a larger --budget")
    if _luck(b):
        return STATE.skip("the environment's own turns differ from rollout to rollout")
    pairs = [(i, text) for i, texts in compared(b, 8) for text in texts]
    env = session.env
    once = [(task, text, _alone(env, session.score(task, text))) for task, text in pairs]
    for task, text, before in [*once[::-1], *once[::2], *once[1::2]]:
        again = _alone(env, session.again(task, text))
        if again is not None and before is not None and abs(again - before) > TINY:
            evidence = (
                f"task {b.tasks[task].index}: '{excerpt(str(text), 80)}' earned {before:.3g}, in "
                f"another order {again:.3g}"
            )
            return state_finding(b, (evidence, abs(again - before)))
    return state_finding(b, _used(b, session) if b.playable else ("", 0.0))


def _used(b: Brief, session: Session) -> tuple[str, float]:
    """What a rollout without any sense earns in the process that has scored everything so far, and
    in a fresh one: what earlier rollouts reached may be kept."""
    for task in spread(len(b.tasks), 3):
        idle = said([NEUTRAL] * 2)
        used = _alone(session.env, session.again(task, idle))
        alone = _fresh(session.env, task, idle)
        if used is not None and alone is not None and abs(used - alone) > TINY:
            text = (
                f"task {b.tasks[task].index}: two replies '{NEUTRAL}' earn {alone:.3g} in a fresh "
                f"process and {used:.3g} after other rollouts"
            )
            return text, abs(used - alone)
    return "", 0.0


def _by_length(b: Brief, table: Table) -> dict[int, list[float]]:
    """By number of words what the right answer after them earns, as far as the prompt allows so
    many."""
    shares: dict[int, list[float]] = {}
    for o in table.of("length"):
        if o.reward is not None and len(str(o.probe.completion).split()) <= b.most_words:
            share = b.scale.share(o.probe.task, o.reward)
            shares.setdefault(int(o.probe.variant), []).append(share)
    return shares


def _length(b: Brief, table: Table, chance: float) -> Finding:
    shares = _by_length(b, table)
    if not shares or not b.scale.apart:
        return LENGTH.skip("there is no reasoning whose length could vary")
    means = [statistics.fmean(shares[count]) for count in sorted(shares)]
    if means[0] < 0.5:
        return LENGTH.skip("nothing may stand before the answer")
    low, high = min([1.0, *means]), max([1.0, *means])
    said = ", ".join(f"{n} words {m:.2f}" for n, m in zip(sorted(shares), means, strict=True))
    evidence = f"share of the way from wrong to right: {said}"
    moved = high - low > LENGTH_BAND + chance
    grows = moved and means[-1] > means[0] + RISE
    declared = b.declared.get("length")
    extra: dict[str, Any] = {
        "measured": high - low,
        "evidence": evidence,
        "direction": "invariant",
    }
    falls = moved and means[-1] < means[0] - RISE
    moves = {"shorter": grows, "longer": falls, "neutral": moved}
    if declared and moves[declared]:
        fix = f"keep what is declared, length = {declared!r}, or correct it ({DESIGN}#length)"
        return LENGTH.fail(**extra, fix=fix, severity="high")
    if not moved or declared in ("shorter", "longer"):
        return LENGTH.ok(measured=high - low, evidence=f"declared: {declared}" if declared else "")
    fix = f"do not let length count, or declare it: length in contract.toml ({DESIGN}#length)"
    if len(means) > 1 and means[1] <= 0.5 < means[0]:
        return LENGTH.fail(**extra, fix=fix, severity="high")
    if grows and high > 1.1:
        return LENGTH.fail(**extra, fix=fix, severity="medium")
    return LENGTH.warn(**extra, fix=fix, severity="medium" if low < 0.5 else "low")


def _components(b: Brief, table: Table) -> Finding:
    """The worst right answer against the best wrong one of the same task."""
    rows = table.of("components")
    if not b.scale.apart or not rows:
        return COMPONENTS.skip("right and wrong answers earn the same")
    for i in dict.fromkeys(o.probe.task for o in rows):
        own = [(o.probe, o.reward) for o in rows if o.probe.task == i and o.reward is not None]
        right = [earned for probe, earned in own if probe.right and b.scale.paid(i, earned)]
        wrong = [(earned, str(probe.completion)) for probe, earned in own if not probe.right]
        if not right or not wrong:
            continue
        reward, text = max(wrong)
        if reward > min(right) - TINY and reward > b.scale.floor_of(i) + TINY:
            return COMPONENTS.fail(
                measured=reward - min(right),
                evidence=f"task {b.tasks[i].index}: a wrong answer earns {reward:.3g} "
                f"('{excerpt(text, 100)}'), a right one {min(right):.3g}",
                fix="keep the sum of all other rewards below the reward for correctness "
                f"({DESIGN}#components)",
                severity="high",
                direction="false_positive",
            )
    return COMPONENTS.ok()
