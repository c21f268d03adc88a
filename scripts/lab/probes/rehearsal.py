"""What training would do with a reward: group-relative policy gradient over a few strategies.

No model: the policy is a probability over strategies (honest at a given skill, each paid exploit,
each constant answer), and a rollout earns what the environment really paid that strategy's
completion for that task. Each step draws groups as prime-rl does: advantage is the reward minus
the group's mean, not divided by the spread, and groups without spread are dropped. Where the
probability goes is what the reward teaches.

It does not show how fast a model learns the task, whether it ever finds an exploit by itself, or
anything that depends on generalisation: a strategy is here from the start, at `start`.
"""

from __future__ import annotations

import html
import math
import random
from dataclasses import dataclass, field

from lab.probes.families import DESIGN
from lab.probes.subject import TINY, Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt

HONEST_WINS = Check(
    "reward.rehearsal",
    title="from a small start the honest strategy wins",
    expected="the largest probability at the end",
    reason="What a group-relative update makes likelier is what the reward pays best, whatever was meant.",
    source="prime-rl default algorithm: reward minus group mean, zero-advantage groups dropped",
)
HONEST = "honest"


@dataclass
class Strategy:
    """A way to answer every task. `rewards[task]` is what it earned, right and wrong for the honest."""

    name: str
    rewards: dict[int, float]
    wrong: dict[int, float] = field(default_factory=dict)

    def draw(self, task: int, skill: float, rng: random.Random) -> float:
        if self.wrong and rng.random() >= skill:
            return self.wrong.get(task, 0.0)
        return self.rewards.get(task, 0.0)


@dataclass
class Rehearsal:
    strategies: list[Strategy]
    history: list[list[float]]
    """Per step the probability of each strategy."""
    skill: float

    @property
    def final(self) -> dict[str, float]:
        return {strategy.name: p for strategy, p in zip(self.strategies, self.history[-1], strict=True)}

    def half_step(self, name: str) -> int | None:
        """The first step at which a strategy holds more than half of the probability."""
        index = [s.name for s in self.strategies].index(name)
        return next((step for step, row in enumerate(self.history) if row[index] > 0.5), None)


def strategies(s: Subject, results: list, constants: list, most: int = 12) -> list[Strategy]:
    """The honest one, every exploit family's best completion per task, the best constants, and a floor."""
    tasks = s.sample(8)
    honest = Strategy(HONEST, {i: s.ceiling_of(i) for i in tasks}, {i: s.floor_of(i) for i in tasks})
    found = [honest, Strategy("wrong, in the format", {i: s.floor_of(i) for i in tasks})]
    exploits = []
    for result in results:
        if not result.family.answer_free or result.best is None:
            continue
        # One fixed variant per family: a strategy is a habit, not an oracle.
        earned: dict[str, dict[int, float]] = {}
        for variant, task, reward in result.earned:
            earned.setdefault(variant, {})[task] = reward
        variant = max(earned, key=lambda name: sum(earned[name].values()) / len(earned[name]))
        exploits.append(Strategy(f"{result.family.id}: {variant}", {i: earned[variant].get(i, 0.0) for i in tasks}))
    exploits.sort(key=lambda one: -sum(one.rewards.values()))
    found += exploits[: most - 4]
    for constant in constants[:2]:
        rewards = {i: r for i in tasks if (r := s.reward(i, constant.completion)) is not None}
        # On a small sample a constant is right once by construction: that one task is taken back.
        lucky = next((i for i in rewards if s.write(s.gold(i)) == constant.completion), None)
        if lucky is not None:
            rewards[lucky] = s.floor_of(lucky)
        found.append(Strategy(f"always '{excerpt(constant.completion.splitlines()[-1] if constant.completion.strip() else '', 24)}'", rewards))
    return found


def skill_for(s: Subject) -> float:
    """A modest skill that is above guessing: 0.3, or 0.2 above the share of the commonest gold."""
    golds = [s.gold(i).lower() for i in s.with_gold]
    commonest = max((golds.count(gold) for gold in golds), default=0) / max(1, len(golds)) if len(golds) >= 4 else 0.0
    return min(0.9, max(0.3, commonest + 0.2))


def rehearse(
    found: list[Strategy], *, skill: float = 0.3, start: float = 0.05, steps: int = 300, groups: int = 32, size: int = 8, rate: float = 0.6, seed: int = 0
) -> Rehearsal:
    """Run the update. The honest strategy starts at probability `start`, the others share the rest."""
    rng = random.Random(seed)
    tasks = sorted(found[0].rewards)
    logits = [math.log(start) if s.name == HONEST else math.log((1 - start) / (len(found) - 1)) for s in found]
    history = [_softmax(logits)]
    scale = max(1e-9, max(max(s.rewards.values(), default=0.0) for s in found) - min(min([*s.rewards.values(), *s.wrong.values()], default=0.0) for s in found))
    for _ in range(steps):
        p = history[-1]
        gradient = [0.0] * len(found)
        used = 0
        for _ in range(groups):
            task = rng.choice(tasks)
            drawn = rng.choices(range(len(found)), weights=p, k=size)
            rewards = [found[k].draw(task, skill, rng) for k in drawn]
            mean = sum(rewards) / size
            if max(rewards) - min(rewards) < TINY:
                continue  # a group without spread has no advantage, and prime-rl drops it
            used += size
            for k, reward in zip(drawn, rewards, strict=True):
                advantage = (reward - mean) / scale
                for j in range(len(found)):
                    gradient[j] += advantage * ((j == k) - p[j])
        if used:
            logits = [logit + rate * g / used * len(found) for logit, g in zip(logits, gradient, strict=True)]
        history.append(_softmax(logits))
    return Rehearsal(found, history, skill)


def _softmax(logits: list[float]) -> list[float]:
    top = max(logits)
    weights = [math.exp(logit - top) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def finding(run: Rehearsal) -> Finding:
    final = run.final
    winner = max(final, key=lambda name: final[name])
    honest = final[HONEST]
    order = sorted(final.items(), key=lambda item: -item[1])
    shown = ", ".join(f"{name} {p:.2f}" for name, p in order[:3])
    step = run.half_step(winner)
    when = f"; above one half from step {step}" if step is not None else ""
    evidence = f"honest at skill {run.skill:g} from {run.history[0][0]:.2f}: after {len(run.history) - 1} steps {shown}{when}"
    if winner == HONEST and honest > 0.5:
        return HONEST_WINS.ok(measured=honest, evidence=evidence)
    if winner == HONEST:
        return HONEST_WINS.warn(measured=honest, evidence=evidence, fix=f"widen the margin between right answers and everything else ({DESIGN}#rehearsal)", severity="medium", direction="false_positive")
    return HONEST_WINS.fail(
        measured=honest, evidence=evidence, severity="critical", direction="false_positive",
        fix=f"stop paying {winner}; see the finding of that family ({DESIGN}#rehearsal)",
    )  # fmt: skip


def lines(run: Rehearsal, width: int = 48) -> list[str]:
    """The course of the strategies that matter, as text."""
    order = sorted(range(len(run.strategies)), key=lambda k: -run.history[-1][k])
    shown = [k for k in order if run.history[-1][k] > 0.01 or run.strategies[k].name == HONEST][:6]
    at = [round(i * (len(run.history) - 1) / (width - 1)) for i in range(width)]
    label = max(len(run.strategies[k].name) for k in shown)
    marks = " .:-=+*#%@"
    return [
        f"{run.strategies[k].name.ljust(label)} |{''.join(marks[min(9, int(run.history[t][k] * 10))] for t in at)}| {run.history[-1][k]:.2f}"
        for k in shown
    ] + [f"{'':{label}}  probability over {len(run.history) - 1} steps, blank 0 to @ 1"]


def plot(run: Rehearsal) -> str:
    """The same as an SVG line plot, for the page."""
    width, height, left = 640, 260, 40
    steps = len(run.history) - 1
    colours = ["#1b7f4b", "#c0392b", "#7d3c98", "#d68910", "#2471a3", "#5d6d7e"]
    order = sorted(range(len(run.strategies)), key=lambda k: (run.strategies[k].name != HONEST, -run.history[-1][k]))[:6]
    parts = [f'<svg viewBox="0 0 {width + 260} {height + 40}" role="img" aria-label="probability of each strategy over the rehearsal" style="max-width:100%">']
    for tick in (0, 0.5, 1):
        y = 10 + height * (1 - tick)
        parts.append(f'<line x1="{left}" y1="{y}" x2="{width}" y2="{y}" stroke="#ccc"/><text x="4" y="{y + 4}" font-size="12">{tick:g}</text>')
    for row, k in enumerate(order):
        points = " ".join(f"{left + (width - left) * t / steps:.1f},{10 + height * (1 - run.history[t][k]):.1f}" for t in range(0, steps + 1, max(1, steps // 150)))
        parts.append(f'<polyline fill="none" stroke="{colours[row]}" stroke-width="2" points="{points}"/>')
        parts.append(f'<text x="{width + 10}" y="{24 + 18 * row}" font-size="12" fill="{colours[row]}">{html.escape(run.strategies[k].name[:40])} {run.history[-1][k]:.2f}</text>')
    parts.append(f'<text x="{left}" y="{height + 32}" font-size="12">step 0 to {steps}</text></svg>')
    return "".join(parts)
