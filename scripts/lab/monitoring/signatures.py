"""How runs fail, as checks over their series: each with a remedy and whether to stop.

Nothing here stops a run. A signature needs enough steps to be one; before that it is
inconclusive, and says how many steps it needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from lab.monitoring.series import Series
from lab.report import Check, Finding

ENOUGH = 5
"""Steps before a trend is called one."""

STATUS = Check("run.status", title="the run goes on or has completed", expected="RUNNING or COMPLETED", reason="A failed run is not restarted by the platform.", source="prime 0.18.0: run statuses")
REWARD = Check("run.reward", title="the reward moves", expected="higher in the last fifth than in the first", reason="A flat reward after dozens of steps is money for nothing.", source="prime-rl: training documentation")
LIVE = Check("run.live_groups", title="groups carry a signal", expected=">= 0.2 of rollouts trainable", reason="Groups whose rewards are all equal have no advantage; the newer generation only warns about it, and goes on.", source="prime-rl orchestrator: is_trainable")
HARD = Check("run.too_hard", title="some tasks are solved", expected="solved_none < 0.8", reason="What is never solved teaches nothing: the tasks are too hard, or the reward refuses right answers.", source="prime-rl metrics: solved_none")
EASY = Check("run.too_easy", title="some tasks are not solved yet", expected="solved_all < 0.8", reason="What is always solved teaches nothing.", source="prime-rl metrics: solved_all")
TRUNCATION = Check("run.truncation", title="replies end by themselves", expected="< 0.2 truncated, not rising while the reward falls", reason="Truncated rollouts train like any other: with a reward of zero for replies that were cut.", source="prime-rl: no overlong filter since August 2026")
ERRORS = Check("run.errors", title="rollouts do not fail", expected="< 0.05 with an error", reason="When every rollout fails the older generation aborts after ten empty batches; the newer one does not.", source="verifiers documentation: above 5 % is a smell")
ENTROPY = Check("run.entropy", title="the policy still explores", expected="entropy above a tenth of its start", reason="An entropy near zero is a collapsed policy: all rollouts of a group become the same.", source="prime-rl trainer: entropy/all/mean")
MISMATCH = Check("run.mismatch", title="trainer and inference agree on probabilities", expected="mismatch_kl below 0.05 and not growing tenfold", reason="A growing mismatch is an off-policy lag, or a chat template that trainer and server render differently.", source="prime-rl: bands of 5e-4 to 0.15 in its own tests")
GRADIENT = Check("run.gradient", title="gradients have no spikes", expected="largest < 20 x the median", reason="Spikes come before a collapse.", source="prime-rl trainer: optim/grad_norm")
STALE = Check("run.stale_rollouts", title="rollouts are used", expected="no groups dropped for their age", reason="Dropped rollouts were paid for.", source="prime-rl orchestrator: off_policy/dropped")
BALANCE = Check("run.balance", title="training and inference keep up with each other", expected="< 0.5 of a step spent waiting", reason="GPUs that wait are paid for.", source="prime-rl: time/wait_for_batch, time/wait_for_policy")
HACK = Check("run.reward_exploit", title="the held-out reward rises with the training reward", expected="eval not falling while the training reward rises", reason="A training reward that rises alone is an exploit, or memory.", source="")


def signatures(series: Series) -> Iterator[Finding]:
    """Every check that has its metric; the others are skipped with the metric's name."""
    for check, needs, rule in (
        (REWARD, "reward", _reward),
        (LIVE, "trainable", _live),
        (HARD, "solved_none", _hard),
        (EASY, "solved_all", _easy),
        (TRUNCATION, "truncated", _truncation),
        (ERRORS, "errors", _errors),
        (ENTROPY, "entropy", _entropy),
        (MISMATCH, "mismatch", _mismatch),
        (GRADIENT, "grad_norm", _gradient),
        (STALE, "dropped", _stale),
        (BALANCE, "step_time", _balance),
        (HACK, "eval", _exploit),
    ):
        if not series.of(needs):
            yield check.skip(f"the run reports no {needs.replace('_', ' ')} yet")
        else:
            yield from rule(series)


def _reward(s: Series) -> Iterator[Finding]:
    values = s.of("reward")
    first, last = s.first("reward") or 0.0, s.last("reward") or 0.0
    told = f"{first:.3f} at the start, {last:.3f} now, over {len(values)} steps"
    if len(values) < ENOUGH:
        yield REWARD.inconclusive(len(values), f"{told}; a trend needs {ENOUGH} steps", "look again later")
    elif max(values) == min(values) and len(values) >= 10:
        yield REWARD.fail(f"{last:.3f}", f"the reward is {last:.3f} in every one of {len(values)} steps", "stop it: test the reward and the distribution again before another run")
    elif last < first - 0.05 * max(1.0, abs(first)) and len(values) >= 20:
        yield REWARD.fail(f"{last - first:+.3f}", told, "stop it and look at rollouts of a late step; lower the learning rate")
    elif last <= first + 0.01 and len(values) >= 40:
        yield REWARD.warn(f"{last - first:+.3f}", told, "look at the share of live groups first; stop when it stays flat for another 20 steps")
    else:
        yield REWARD.ok(f"{last:.3f}", told)


def _live(s: Series) -> Iterator[Finding]:
    last, count = s.last("trainable") or 0.0, len(s.of("trainable"))
    if count < 3:
        yield LIVE.inconclusive(f"{last:.2f}", f"{count} steps", "look again later")
    elif last < 0.1:
        yield LIVE.fail(f"{last:.2f}", f"{last:.0%} of the rollouts train anything", "stop it: choose tasks of another difficulty or a larger group (check_reward_distribution.py on rollouts of a step)")
    elif last < 0.2:
        yield LIVE.warn(f"{last:.2f}", f"{last:.0%} of the rollouts train anything", "raise the group size, or drop tasks that are always or never solved")
    else:
        yield LIVE.ok(f"{last:.2f}")


def _hard(s: Series) -> Iterator[Finding]:
    last = s.last("solved_none") or 0.0
    if last > 0.95 and len(s.of("solved_none")) >= ENOUGH:
        yield HARD.fail(f"{last:.2f}", f"{last:.0%} of the groups have no right rollout", "stop it: test the reward on gold answers (test_reward.py); warm up by SFT if it is right")
    elif last > 0.8:
        yield HARD.warn(f"{last:.2f}", f"{last:.0%} of the groups have no right rollout", "add easier tasks, or a stronger model")
    else:
        yield HARD.ok(f"{last:.2f}")


def _easy(s: Series) -> Iterator[Finding]:
    last = s.last("solved_all") or 0.0
    if last > 0.95 and len(s.of("solved_all")) >= ENOUGH:
        yield EASY.fail(f"{last:.2f}", f"{last:.0%} of the groups are all right", "stop it: nothing is left to learn; use harder tasks")
    elif last > 0.8:
        yield EASY.warn(f"{last:.2f}", f"{last:.0%} of the groups are all right", "drop tasks that are always solved, or end the run here")
    else:
        yield EASY.ok(f"{last:.2f}")


def _truncation(s: Series) -> Iterator[Finding]:
    first, last = s.first("truncated") or 0.0, s.last("truncated") or 0.0
    falling = (s.last("reward") or 0.0) < (s.first("reward") or 0.0)
    told = f"{first:.0%} at the start, {last:.0%} now"
    if last > 0.5 or (last > 0.2 and last > first + 0.1 and falling):
        yield TRUNCATION.fail(f"{last:.2f}", told + (", while the reward falls" if falling else ""), "stop it and raise max_completion_tokens and seq_len; or reward brevity")
    elif last > 0.2:
        yield TRUNCATION.warn(f"{last:.2f}", told, "raise max_completion_tokens and seq_len in the next run")
    else:
        yield TRUNCATION.ok(f"{last:.2f}", told)


def _errors(s: Series) -> Iterator[Finding]:
    last = s.last("errors") or 0.0
    if last > 0.5:
        yield ERRORS.fail(f"{last:.2f}", f"{last:.0%} of the rollouts end in an error", "stop it and read the environment's log: prime train logs RUN -c env-server")
    elif last > 0.05:
        yield ERRORS.warn(f"{last:.2f}", f"{last:.0%} of the rollouts end in an error", "read the environment's log: prime train logs RUN -c env-server")
    else:
        yield ERRORS.ok(f"{last:.2f}")


def _entropy(s: Series) -> Iterator[Finding]:
    first, last = s.first("entropy") or 0.0, s.last("entropy") or 0.0
    told = f"{first:.3g} at the start, {last:.3g} now"
    if len(s.of("entropy")) < ENOUGH:
        yield ENTROPY.inconclusive(f"{last:.3g}", told, "look again later")
    elif last < first * 0.1:
        yield ENTROPY.fail(f"{last:.3g}", told, "stop it: go back to an earlier checkpoint with a lower learning rate")
    elif last < first * 0.3:
        yield ENTROPY.warn(f"{last:.3g}", told, "watch it; lower the learning rate in the next run")
    else:
        yield ENTROPY.ok(f"{last:.3g}", told)


def _mismatch(s: Series) -> Iterator[Finding]:
    first, last = s.first("mismatch") or 0.0, s.last("mismatch") or 0.0
    told = f"{first:.2g} at the start, {last:.2g} now"
    if last > 0.15 or (last > 0.02 and last > 10 * max(first, 1e-6)):
        yield MISMATCH.fail(f"{last:.2g}", told, "stop it: set the model's own renderer, and lower max_off_policy_steps")
    elif last > 0.05:
        yield MISMATCH.warn(f"{last:.2g}", told, "check orchestrator.renderer and max_off_policy_steps")
    else:
        yield MISMATCH.ok(f"{last:.2g}", told)


def _gradient(s: Series) -> Iterator[Finding]:
    values = s.of("grad_norm")
    middle, largest = sorted(values)[len(values) // 2], max(values)
    if len(values) >= ENOUGH and middle > 0 and largest > 20 * middle:
        yield GRADIENT.warn(f"{largest:.3g}", f"the largest is {largest:.3g}, the median {middle:.3g}", "lower the learning rate in the next run if it happens again")
    else:
        yield GRADIENT.ok(f"{largest:.3g}", f"median {middle:.3g}")


def _stale(s: Series) -> Iterator[Finding]:
    total = sum(s.of("dropped"))
    if total > 0:
        yield STALE.warn(f"{total:g}", f"{total:g} groups were dropped for their age", "raise max_off_policy_steps, or lower orchestrator.concurrency.max_inflight")
    else:
        yield STALE.ok("0")


def _balance(s: Series) -> Iterator[Finding]:
    step = s.last("step_time") or 0.0
    batch, policy = s.last("wait_for_batch") or 0.0, s.last("wait_for_policy") or 0.0
    if step > 0 and batch > 0.5 * step:
        yield BALANCE.warn(f"{batch / step:.2f}", f"the trainer waits {batch:.0f} of {step:.0f} s for rollouts", "give inference more GPUs (deployment.num_infer_gpus)")
    elif step > 0 and policy > 0.5 * step:
        yield BALANCE.warn(f"{policy / step:.2f}", f"rollouts wait {policy:.0f} of {step:.0f} s for the trainer", "give training more GPUs (deployment.num_train_gpus)")
    else:
        yield BALANCE.ok(f"{max(batch, policy) / step:.2f}" if step else "-")


def _exploit(s: Series) -> Iterator[Finding]:
    held = s.of("eval")
    gain = (s.last("reward") or 0.0) - (s.first("reward") or 0.0)
    if len(held) < 2:
        yield HACK.inconclusive(len(held), "one evaluation so far", "look again after the next evaluation")
    elif gain > 0.05 and held[-1] < held[0] - 0.05:
        yield HACK.fail(f"{held[-1] - held[0]:+.3f}", f"training {gain:+.3f}, held-out {held[0]:.3f} to {held[-1]:.3f}", "stop it and read rollouts of a late step: the reward is being exploited, or the tasks are memorised")
    elif gain > 0.1 and held[-1] <= held[0]:
        yield HACK.warn(f"{held[-1] - held[0]:+.3f}", f"training {gain:+.3f}, held-out {held[0]:.3f} to {held[-1]:.3f}", "read rollouts of a late step before going on")
    else:
        yield HACK.ok(f"{held[-1]:.3f}", f"held-out {held[0]:.3f} to {held[-1]:.3f}")
