"""What must make no difference: asking twice, the order, other rollouts, a long line of thought."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator

from lab.environment import Completion
from lab.environment.messages import replies
from lab.probes.acting import MOST_TURNS, NEUTRAL
from lab.probes.families import DESIGN
from lab.probes.style import shared_text
from lab.probes.subject import TINY, Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt

REPEATS = Check(
    "reward.deterministic",
    title="the same completion earns the same",
    expected="identical; a judge within 0.05",
    reason="Noise in the reward is learnt as if it were signal.",
    source="reward science, invariant I5; E39",
)
ORDER = Check(
    "reward.independent",
    title="a score does not depend on what was scored before",
    expected="identical",
    reason="State kept between rollouts makes the reward a matter of luck and of batch order.",
    source="reward science, invariant I8; E40",
)
LENGTH = Check(
    "reward.length_neutral",
    title="length does not change what a right answer earns",
    expected="within 0.1 of the way from wrong to right",
    reason="A reward that pays for length grows completions until they are cut; one that punishes it cuts thinking.",
    source="Dr. GRPO, arXiv 2503.20783; E16",
)
COMPONENTS = Check(
    "reward.components",
    title="no other component lifts a wrong answer above a right one",
    expected="right without extras > wrong with all extras",
    reason="The sum is what is trained: a style bonus that outweighs correctness replaces it.",
    source="reward science, invariant I10; GDPO, arXiv 2601.05242",
)
BAND = 0.05
THINK = re.compile(r"\b(?:think|reason|step[ -]by[ -]step|explain|show your work|work (?:it|this) out|derive)\b", re.IGNORECASE)


def findings(s: Subject) -> Iterator[Finding]:
    if not s.gold_rewards:
        if s.with_gold or not s.tasks:
            for check in (REPEATS, ORDER):
                yield check.skip("no gold could be scored")
        else:
            yield _repeats(s)
            yield _order(s)
        for check in (LENGTH, COMPONENTS):
            yield check.skip("no gold could be scored")
        return
    yield _repeats(s)
    yield _order(s)
    yield _length(s)
    yield _components(s)


def _repeats(s: Subject) -> Finding:
    """Five scorings of the same completions, three where scoring is slow."""
    times = 5 if s.latency < 0.1 else 3
    worst, where = 0.0, ""
    for i, texts in _texts(s, 4 if not s.over() else 1):
        for text in (*texts, ""):
            rewards = [score.reward for score in (s.score(i, text, again=True) for _ in range(times)) if score.reward is not None]
            first = s.reward(i, text)
            spread = max([*rewards, first or 0.0]) - min([*rewards, first or 0.0]) if rewards and first is not None else 0.0
            if spread > worst:
                worst = spread
                where = f"task {s.tasks[i].index}: '{excerpt(str(text), 80)}' earned {', '.join(f'{r:.3g}' for r in [first or 0.0, *rewards])}"
    band = s.policy.judge_band if s.policy.judge_band is not None else BAND if s.judged else TINY
    if worst <= band + TINY:
        return REPEATS.ok(measured=worst)
    if _luck(s):
        return REPEATS.warn(
            measured=worst, evidence=f"the environment's own turns differ from rollout to rollout; {where}", severity="low", direction="invariant",
            fix="seed what is random by the task, so that the rollouts of a group meet the same",
        )  # fmt: skip
    return REPEATS.fail(
        measured=worst, evidence=where, severity="high", direction="invariant",
        fix=f"take randomness, time and counters out of the reward; for a judge use temperature 0 ({DESIGN}#not-deterministic)",
    )  # fmt: skip


def _luck(s: Subject) -> bool:
    """Whether the environment says something else to the same replies: what is earned is a matter of luck then."""
    for task, texts in _texts(s, 3) if s.playable else ():
        for text in (*texts, NEUTRAL):
            said = [text] * MOST_TURNS if isinstance(text, str) else replies(text)
            told = {json.dumps([played.messages, played.unread]) for _ in range(3) for played in s.play(task, said)}
            if len(told) > 1:
                return True
    return False


def _texts(s: Subject, most: int) -> list[tuple[int, list[Completion]]]:
    """Tasks, each with a right and a wrong completion; where no gold can be written, with what stands in for them."""
    if s.with_gold:
        return [(i, [s.write(s.gold(i)), s.write(s.wrong(i))]) for i in s.sample(most)]
    tasks = [*s.acted, *(i for i in range(len(s.tasks)) if i not in s.acted)][:most]
    return [(i, ["I do not know.", s.acted.get(i, s.tasks[i].prompt)]) for i in tasks]


def _order(s: Subject) -> Finding:
    """The same completions once more in the opposite order, and right after each other's."""
    if s.judged:
        return ORDER.skip("a judge scores each call by itself; its spread is measured by reward.deterministic")
    if s.over():
        return ORDER.skip("the time for all probes was over: a larger --budget")
    pairs = [(i, text) for i, texts in _texts(s, 8) for text in texts]
    if _luck(s):
        return ORDER.skip("the environment's own turns differ from rollout to rollout")
    once = [(task, text, s.reward(task, text)) for task, text in pairs]
    for task, text, before in [*once[::-1], *once[::2], *once[1::2]]:
        again = s.score(task, text, again=True).reward
        if again is not None and before is not None and abs(again - before) > TINY:
            return ORDER.fail(
                measured=abs(again - before),
                evidence=f"task {s.tasks[task].index}: '{excerpt(str(text), 80)}' earned {before:.3g}, in another order {again:.3g}",
                fix=f"keep no state between completions: no module globals, no caches keyed by less than task and completion ({DESIGN}#state-between-rollouts)",
                severity="high",
                direction="invariant",
            )
    return ORDER.ok(measured=0.0)


def _length(s: Subject) -> Finding:
    if not s.style.lead and not s.style.think[0] and not (s.style.slotted and THINK.search(shared_text(s.tasks))):
        return LENGTH.skip("the answer stands alone: there is no reasoning whose length could vary")
    if s.gap <= TINY:
        return LENGTH.skip("right and wrong answers earn the same")
    if s.over():
        return LENGTH.skip("the time for all probes was over: a larger --budget")
    words = (10, 100, 400, 1500)
    shares: dict[int, list[float]] = {count: [] for count in words}
    for i in s.sample(4):
        for count in words:
            reward = s.reward(i, s.write(s.gold(i), "Let me check this step again, slowly and with care. " * (count // 10)), right=True)
            if reward is not None:
                shares[count].append(s.share(i, reward))
    means = [statistics.fmean(values) for values in shares.values() if values]
    if not means:
        return LENGTH.skip("could not be scored")
    base = 1.0
    low, high = min([base, *means]), max([base, *means])
    shown = ", ".join(f"{count} words {statistics.fmean(v):.2f}" for count, v in shares.items() if v)
    evidence = f"share of the way from wrong to right: {shown}"
    grows = high - low > 0.1 and means[-1] > means[0] + 0.05
    if s.policy.length_penalty:
        if grows:
            return LENGTH.fail(measured=high - low, evidence=f"declared as a penalty, but longer earns more: {evidence}", severity="high", direction="invariant",
                               fix=f"let length only cost ({DESIGN}#length)")  # fmt: skip
        return LENGTH.ok(measured=high - low, evidence="declared: length_penalty")
    if high - low <= 0.1:
        return LENGTH.ok(measured=high - low)
    fix = f"do not let length count, or declare length_penalty in policy.toml ({DESIGN}#length)"
    extra = {"measured": high - low, "evidence": evidence, "fix": fix, "direction": "invariant"}
    if means[1] <= 0.5 and means[0] > 0.5:
        return LENGTH.fail(**extra, severity="high")
    if grows and high > 1.1:
        return LENGTH.fail(**extra, severity="medium")
    return LENGTH.warn(**extra, severity="medium" if low < 0.5 else "low")


def _components(s: Subject) -> Finding:
    """The worst right answer against the best wrong one, over everything scored so far."""
    if s.gap <= TINY:
        return COMPONENTS.skip("right and wrong answers earn the same")
    if s.over():
        return COMPONENTS.skip("the time for all probes was over: a larger --budget")
    for i in s.sample(6):
        bare = [s.slot(s.gold(i)), s.write(s.gold(i))]
        dressed = [s.write(s.wrong(i)), *(s.write(s.wrong(i), lead) for lead in DRESS)]
        right = [reward for text in bare if (reward := s.reward(i, text, right=True)) is not None and s.paid_like_right(i, reward)]
        wrong = [(reward, text) for text in dressed if (reward := s.reward(i, text)) is not None]
        if right and wrong and max(wrong)[0] > min(right) - TINY and max(wrong)[0] > s.floor_of(i) + TINY:
            reward, text = max(wrong)
            return COMPONENTS.fail(
                measured=reward - min(right),
                evidence=f"task {s.tasks[i].index}: a wrong answer earns {reward:.3g} ('{excerpt(text, 100)}'), a right one {min(right):.3g}",
                fix=f"keep the sum of all other rewards below the reward for correctness ({DESIGN}#components)",
                severity="high",
                direction="false_positive",
            )
    return COMPONENTS.ok()


DRESS = (
    "Step 1: read. Step 2: compute. Step 3: check. Therefore, because of this, the result follows. " * 3,
    "First, let me think. Wait, let me double-check. However, on reflection I am confident. Finally, verified. " * 10,
    "According to [1], [2] and [3] (https://example.org/a, https://example.org/b) \"this is so\", as table 1 and figure 2 show. " * 3,
    "## Analysis\n- **Point one**\n- **Point two**\n\n```python\nprint('check')\n```\nHence, in conclusion, it holds.",
)
