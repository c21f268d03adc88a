"""Whether the log is what it seems: readable, grouped right, sampled, complete, one policy."""

from __future__ import annotations

import numpy as np

from lab.cli.report import Check, Finding
from lab.learnability.analysis import Analysis
from lab.learnability.evidence import RolloutEvidence
from lab.rollouts.grouping import first_of
from lab.rollouts.model import EMPTY, TRUNCATED
from lab.rollouts.outcomes import OUTCOMES, completions_recorded

MOST_IDENTICAL, FAR_TOO_MANY = 0.10, 0.30
"""Share of groups with identical completions: a warning above the first, a failure above the
second, unless the completions are so short that equal ones can be chance."""
BRIEF_CHARACTERS, BRIEF_TOKENS = 80, 20
MOST_EMPTY = 0.05
ERRORS_WARN, ERRORS_FAIL = 0.02, 0.10
CUT_WARN, CUT_FAIL, CUT_OF_ZEROS = 0.02, 0.10, 0.30

READABLE = Check(
    "rollouts.readable",
    title="every line of the log is a rollout",
    expected="no torn, damaged or foreign line",
    reason="A line that cannot be read is a rollout that is not counted.",
    source="public logs: torn last lines of runs that were cut off",
)
GROUPING = Check(
    "rollouts.grouping",
    title="it is clear which rollouts belong to one task",
    expected="the rules that name a task agree",
    reason="Statistics over wrong groups are wrong: the bare id of old logs mixed the tasks in 69 "
    "of 73 logs.",
    source="verifiers: scripts/eval.py 8c1b7fe7d; public logs: grouping",
)
GROUP_SIZES = Check(
    "rollouts.group_sizes",
    title="every task has the same number of rollouts",
    expected="one group size",
    reason="An evaluation that was cut off or resumed leaves partial groups.",
    source="verifiers: vf-eval --resume",
)
ONE_MODEL = Check(
    "rollouts.one_model",
    title="all rollouts are of one model",
    expected="one model",
    reason="A group mixed from two policies differs because the policies do.",
    source="prime-rl: a group is sampled from one policy",
)
ONCE = Check(
    "rollouts.written_once",
    title="no rollout is in the log twice",
    expected="0",
    reason="A resumed run can write rollouts again; a copy makes its group look more equal than "
    "it is.",
    source="verifiers: vf-eval --resume",
)
SAMPLING = Check(
    "rollouts.sampling",
    title="the rollouts of a task differ in text",
    expected=f"<= {MOST_IDENTICAL:.2f} of groups with identical completions "
    f"(fails above {FAR_TOO_MANY:.2f})",
    reason="Temperature 0 or a cache makes every group dead whatever the task is.",
    source="public logs: 12 of 81 logs with several rollouts per task",
)
RECORDED = Check(
    "rollouts.recorded",
    title="the log holds what the model wrote",
    expected="completions are there",
    reason="Without completions an empty answer cannot be told from a wrong one.",
    source="public logs: verifiers' own gsm8k log has 150 rows with an empty completion list",
)
EMPTIES = Check(
    "rollouts.empty",
    title="the model answers",
    expected=f"0 (fails above {MOST_EMPTY:.2f})",
    reason="Reasoning models that run out of tokens answer nothing; the mean hides it.",
    source="public logs: simpleqa_verified, 43% to 82% empty completions",
)
ERRORS = Check(
    "rollouts.errors",
    title="rollouts end without an error",
    expected=f"< {ERRORS_WARN:.2f} (fails above {ERRORS_FAIL:.2f})",
    reason="Errored rollouts leave their group, and classic logs count them as reward 0.",
    source="prime-rl: orchestrator; verifiers: avg_reward",
)
TRUNCATION = Check(
    "rollouts.truncation",
    title="rollouts end before a limit ends them",
    expected=f"< {CUT_WARN:.2f} (fails above {CUT_FAIL:.2f}, or when truncated rollouts make over "
    f"{CUT_OF_ZEROS:.0%} of the zeros)",
    reason="A token or turn limit makes solvable tasks look impossible.",
    source="verifiers: Trace.is_truncated",
)
SAME_SETTING = Check(
    "rollouts.same_setting",
    title="the evaluation ran as the training will",
    expected="same model, sampling and limits",
    reason="Learnability belongs to the task, the model, the temperature and the token limit.",
    source="prime-rl: orchestrator.train.sampling; verifiers: sampling of an evaluation",
)
READING = {
    "line_torn": "torn last line",
    "line_not_json": "line that is not JSON",
    "line_not_utf8": "line that is not UTF-8",
    "line_too_long": "line over 256 MB",
    "archive_torn": "archive that breaks off",
    "not_an_object": "line that is no object",
    "not_a_rollout": "object that is no rollout",
    "rollout_malformed": "rollout with parts of another type",
    "seat_not_trained": "trace of a seat that is not trained",
}


def rollouts(a: Analysis) -> list[Finding]:
    e = a.evidence
    return [
        readable(e),
        grouping(e),
        group_sizes(e),
        one_model(e),
        written_once(e),
        sampling(e),
        recorded(e),
        empties(e),
        errors(e),
        truncation(e),
        same_setting(a),
    ]


def readable(e: RolloutEvidence) -> Finding:
    seen = {
        kind: count
        for kind, count in e.all.problems.items()
        if kind in READING and kind != "seat_not_trained"
    }
    if not seen:
        return READABLE.ok(0)
    said = ", ".join(
        f"{count} {READING[kind]}{'s' if count > 1 else ''} "
        f"(first at {e.all.examples.get(kind, '?')})"
        for kind, count in seen.items()
    )
    return READABLE.warn(
        sum(seen.values()),
        f"{said}; the other {len(e.all)} rollouts are used",
        "if the run was cut off, finish it with vf-eval --resume and check again",
    )


def grouping(e: RolloutEvidence) -> Finding:
    g = e.grouping
    evidence = f"by {g.by}: {g.why}" + (f"; {g.disagrees}" if g.disagrees else "")
    if not g.certain:
        return GROUPING.inconclusive(
            g.by,
            evidence,
            "name the task with --columns reward=...,task=..., or evaluate again with verifiers "
            "0.4, which writes a task key",
        )
    if g.disagrees:
        return GROUPING.warn(
            g.by,
            evidence,
            "nothing to do if the rule that was used is right; else name it: --columns task=COLUMN",
        )
    return GROUPING.ok(g.by, evidence)


def group_sizes(e: RolloutEvidence) -> Finding:
    attempted = (
        np.unique(np.bincount(np.unique(e.attempted_codes, return_inverse=True)[1]))
        if len(e.attempted_codes)
        else np.zeros(0)
    )
    if len(attempted) <= 1:
        return GROUP_SIZES.ok(int(attempted[0]) if len(attempted) else 0)
    shown = [int(attempted.min()), int(attempted.max())]
    return GROUP_SIZES.warn(
        shown,
        f"from {shown[0]} to {shown[1]} rollouts per task; each task counts once whatever its size",
        "finish the run with vf-eval --resume for equal groups",
    )


def one_model(e: RolloutEvidence) -> Finding:
    other = e.excluded.get("other_model", 0)
    name = e.model or "not named in the log"
    if not other:
        return ONE_MODEL.ok(name)
    return ONE_MODEL.warn(
        len(e.all.models),
        f"{other} rollouts of other models are excluded; {len(e.reward)} of {name} are used",
        "check each model on its own file",
    )


def written_once(e: RolloutEvidence) -> Finding:
    twice = e.excluded.get("written_twice", 0)
    if not twice:
        return ONCE.ok(0)
    return ONCE.warn(
        twice,
        f"{twice} rollouts are in the log more than once; the first of each is used",
        "nothing to do; a fresh run without --resume writes each once",
    )


def sampling(e: RolloutEvidence) -> Finding:
    """Groups whose completions are all the same text."""
    temperature = _temperature(e)
    known = e.rollouts.completion != 0
    codes, texts = e.codes[known], e.rollouts.completion[known]
    if temperature == 0:
        return SAMPLING.fail(
            0.0,
            "the evaluation ran at temperature 0: every rollout of a task is the same",
            "evaluate at the training temperature (prime-rl's default is 1.0)",
        )
    if not len(codes):
        return SAMPLING.skip("completions are not recorded")
    sizes = np.bincount(codes, minlength=e.tasks)
    several = sizes >= 2
    if not several.any():
        return SAMPLING.skip("no task has two recorded completions")
    identical = several & (
        np.bincount(codes, texts == first_of(codes, texts), minlength=e.tasks) == sizes
    )
    share = float(identical.sum() / several.sum())
    evidence = f"{int(identical.sum())} of {int(several.sum())} groups have identical completions"
    if share <= MOST_IDENTICAL:
        return SAMPLING.ok(share, evidence)
    fix = "evaluate at the training temperature, and check that no cache answers"
    brief = _brief(e.rollouts.tokens[known], e.rollouts.chars[known])
    if share <= FAR_TOO_MANY or brief:
        short = "; the completions are short, so equal texts can be chance" if brief else ""
        return SAMPLING.warn(share, evidence + short, fix)
    return SAMPLING.fail(share, evidence, fix)


def _brief(tokens: np.ndarray, chars: np.ndarray) -> bool:
    """Whether most completions are short, by characters or else by tokens."""
    if (chars >= 0).mean() > 0.5:
        return bool(np.median(chars[chars >= 0]) < BRIEF_CHARACTERS)
    return bool((tokens >= 0).any() and np.median(tokens[tokens >= 0]) < BRIEF_TOKENS)


def _temperature(e: RolloutEvidence) -> float | None:
    sampling = e.all.settings.get("sampling")
    value = sampling.get("temperature") if isinstance(sampling, dict) else None
    return float(value) if isinstance(value, (int, float)) else None


def recorded(e: RolloutEvidence) -> Finding:
    if completions_recorded(e.rollouts):
        return RECORDED.ok("yes")
    if e.all.layout == "table":
        return RECORDED.skip("the table has no completion column")
    return RECORDED.warn(
        0.0,
        f"completions not recorded: none of {len(e.reward)} rollouts holds a message of the model, "
        "so zeros cannot be told from lost answers",
        "evaluate again and keep the completions",
    )


def empties(e: RolloutEvidence) -> Finding:
    """Assistant messages with neither text nor tool call."""
    if not completions_recorded(e.rollouts):
        return EMPTIES.skip("completions are not recorded")
    n = int((e.outcomes == OUTCOMES.index("empty")).sum())
    share = n / max(e.attempted, 1)
    if n == 0:
        return EMPTIES.ok(0.0)
    evidence = f"{n} of {e.attempted} rollouts have no text and no tool call"
    if (e.rollouts.has(EMPTY) & e.rollouts.has(TRUNCATED)).any():
        evidence += "; some of them hit a limit"
    fix = (
        "raise the token limit (reasoning models think before they answer), or check the chat "
        "template"
    )
    return (EMPTIES.fail if share > MOST_EMPTY else EMPTIES.warn)(share, evidence, fix)


def errors(e: RolloutEvidence) -> Finding:
    n = e.excluded.get("error", 0)
    share = n / max(e.attempted, 1)
    kinds = ", ".join(f"{kind} {count}" for kind, count in e.all.error_kinds.most_common(3))
    evidence = (
        f"{n} of {e.attempted} rollouts ended in an error"
        + (f" ({kinds})" if kinds else "")
        + "; they are left out of the groups"
    )
    if share < ERRORS_WARN:
        return ERRORS.ok(share, evidence if n else "")
    fix = "repair what fails before training: errors there waste rollouts and shrink groups"
    return (ERRORS.fail if share > ERRORS_FAIL else ERRORS.warn)(share, evidence, fix)


def truncation(e: RolloutEvidence) -> Finding:
    cut = e.rollouts.has(TRUNCATED)
    share = float(cut.mean()) if len(cut) else 0.0
    zeros = ~e.right
    of_zeros = float((cut & zeros).sum() / max(zeros.sum(), 1))
    evidence = (
        f"{int(cut.sum())} of {len(cut)} rollouts hit a limit; they make {of_zeros:.0%} of the "
        "rollouts that are not right"
    )
    if share < CUT_WARN:
        return TRUNCATION.ok(share, evidence if cut.any() else "")
    none_right = not (cut & e.right).any()
    fix = "raise the token or turn limit for training and evaluate again with it"
    if share > CUT_FAIL or (none_right and of_zeros > CUT_OF_ZEROS):
        return TRUNCATION.fail(share, evidence, fix)
    return TRUNCATION.warn(share, evidence, fix)


def same_setting(a: Analysis) -> Finding:
    """The training file against what the evaluation says of itself."""
    training, run = a.settings.training, a.evidence.all.settings
    if not training:
        return SAME_SETTING.skip("no training file was given (--training FILE.toml)")
    found = run.get("sampling")
    sampling = found if isinstance(found, dict) else {}
    evaluated = {
        "model": a.evidence.model or run.get("model"),
        "temperature": sampling.get("temperature"),
        "max_tokens": sampling.get("max_tokens") or sampling.get("max_completion_tokens"),
    }
    pairs = [(name, evaluated[name], training.get(name)) for name in evaluated]
    differ = [
        f"{name} {here} here, {there} in training"
        for name, here, there in pairs
        if here is not None and there is not None and here != there
    ]
    unknown = [name for name, here, there in pairs if here is None or there is None]
    note = f"not stated on one side: {', '.join(unknown)}" if unknown else ""
    if differ:
        return SAME_SETTING.warn(
            len(differ),
            "; ".join([*differ, note]).rstrip("; "),
            "evaluate again with the training's model, temperature and token limit",
        )
    if len(unknown) == len(pairs):
        return SAME_SETTING.skip(note)
    return SAME_SETTING.ok("same", note)
