"""Rules about the evaluations of a run: how often, of how many tasks, and with which sampling."""

from __future__ import annotations

from collections.abc import Iterator

from lab.cli.report import Check
from lab.training.file import SourceBlock, TrainingFile
from lab.training.rules.base import Change, Issue, Known, integer, is_number

OFTEN = 5
"""Steps between evaluations below which they cost as much as the training."""
EVAL_INTERVAL = Check(
    "config.eval_interval",
    title="evaluations happen during the run, and not all the time",
    expected=f"interval <= max_steps, and >= {OFTEN} steps",
    reason="The default interval of 100 is longer than most runs; an evaluation at every step "
    "costs as much as the training.",
    source="prime-rl: the default is 100",
)
MOST = 64
EVAL_SIZE = Check(
    "config.eval_size",
    title="an evaluation has tasks, and a few rollouts of each",
    expected=f"num_examples != 0, 1 to {MOST} rollouts per task",
    reason="An evaluation of no task measures nothing; every rollout of a held-out task is paid at "
    "each evaluation.",
    source="prime-rl: EvalConfig, -1 evaluates all tasks",
)
GREEDY = 0.05
EVAL_SAMPLING = Check(
    "config.eval_sampling",
    title="evaluation asks for what training allows",
    expected="no shorter completions than in training; several rollouts only with a temperature",
    reason="With fewer tokens the held-out score falls by truncation; at temperature 0 the "
    "rollouts of a task are one rollout paid several times.",
    source="prime-rl: EvalSamplingConfig",
)


def interval(file: TrainingFile, known: Known) -> Iterator[Issue]:
    """The shared interval, and that of each source that has its own."""
    if not file.sources("eval"):
        if not file.has("orchestrator.eval"):
            why = (
                "the file has no evaluation block: held-out tasks are measured before and after "
                "with run_eval.py, and compared with compare_evals.py"
            )
            yield Issue(EVAL_INTERVAL.skip(why))
        return
    steps = file.number("max_steps")
    found = [_judged(file, source, steps) for source in file.sources("eval")]
    bad = [issue for issue in found if issue.finding.status != "pass"]
    shared = {issue.finding.evidence: issue for issue in bad}
    yield from shared.values() if bad else found[:1]


def _judged(file: TrainingFile, source: SourceBlock, steps: float | None) -> Issue:
    own = source.table.get("interval")
    every = own if is_number(own) else file.number("orchestrator.eval.interval", 100)
    path = f"{source.path}.interval" if is_number(own) else "orchestrator.eval.interval"
    if not every or every < 1:
        return Issue(EVAL_INTERVAL.skip("the interval is no number"))
    if steps and every > steps:
        better = max(1, int(steps // 4))
        said = f"{path} = {every:g}: the only evaluation is the one before the first step"
        fix = f"set {path} = {better}"
        return Issue(
            EVAL_INTERVAL.warn(f"{every:g} of {steps:g}", said, fix), (Change(path, better),)
        )
    if every < OFTEN and (steps or 0) > 20:
        said = f"{path} = {every:g}: evaluating this often costs as much as the training"
        return Issue(EVAL_INTERVAL.warn(f"{every:g}", said, f"set {path} = 25"))
    return Issue(EVAL_INTERVAL.ok(f"every {every:g} steps"))


def size(file: TrainingFile, known: Known) -> Iterator[Issue]:
    for source in file.sources("eval"):
        for key, value in (
            ("num_examples", source.table.get("num_examples")),
            ("num_examples", file.get("orchestrator.eval.num_examples")),
            ("select.limit", _limit(source.table.get("select"))),
            ("select.limit", _limit(file.get("orchestrator.eval.select"))),
        ):
            if value == 0 and not isinstance(value, bool):
                said = f"{source.where}: {key} = 0 evaluates no task"
                fix = f"set {key} to 50 or more, or leave it out: all tasks"
                yield Issue(EVAL_SIZE.fail(f"{key} = 0", said, fix))
        rollouts = file.eval_rollouts(source)
        if rollouts > MOST:
            said = f"{source.where}: {rollouts:g} rollouts of every task at each evaluation"
            yield Issue(EVAL_SIZE.warn(f"{rollouts:g}", said, "set its group_size to 1 to 32"))


def _limit(select: object) -> object:
    return select.get("limit") if isinstance(select, dict) else None


def sampling(file: TrainingFile, known: Known) -> Iterator[Issue]:
    train = [file.sampling(source, "max_completion_tokens") for source in file.sources("train")]
    longest = max((tokens for tokens in train if integer(tokens)), default=None)
    for source in file.sources("eval"):
        tokens, cold = (
            file.sampling(source, key) for key in ("max_completion_tokens", "temperature")
        )
        rollouts, where = file.eval_rollouts(source), source.where
        if integer(tokens) and longest and tokens < longest:
            said = f"{where} may say {tokens} tokens, training {longest}"
            fix = f"set orchestrator.eval.sampling.max_completion_tokens = {longest}"
            yield Issue(EVAL_SAMPLING.warn(f"{tokens} < {longest}", said, fix))
        elif is_number(cold) and cold < GREEDY and rollouts > 1:
            said = f"{where}: {rollouts:g} rollouts per task at temperature {cold:g} are the same"
            fix = "set its group_size = 1, or a temperature"
            measured = f"temperature {cold:g}, {rollouts:g} rollouts"
            yield Issue(EVAL_SAMPLING.warn(measured, said, fix))
        else:
            yield Issue(EVAL_SAMPLING.ok())


RULES = (interval, size, sampling)
