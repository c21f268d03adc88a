"""Whether the tasks are distinct and agree with themselves."""

from __future__ import annotations

import numpy as np

from lab.learnability.analysis import Analysis
from lab.report import Check, Finding

DUPLICATES = Check(
    "data.duplicates",
    title="tasks are distinct",
    expected="0 (warns above)",
    reason="A prompt that occurs in many tasks is trained many times, and may be in the evaluation split too.",
    source="DAPO-17k is stored 100 times over",
)
CONFLICTS = Check(
    "data.conflicts",
    title="one prompt has one gold answer",
    expected="0 (fails above 0.02)",
    reason="Two golds for one prompt pay and refuse the same answer.",
)


def data(a: Analysis) -> list[Finding]:
    """C19 on what the log shows: one prompt and one answer hash per task."""
    e = a.evidence
    if not e.tasks:
        return [DUPLICATES.skip("no task"), CONFLICTS.skip("no task")]
    first = e.order[e.starts]
    prompts, answers = e.rollouts.prompt[first], e.rollouts.answer[first]
    if not prompts.all():
        return [check.skip("the log does not hold the prompts") for check in (DUPLICATES, CONFLICTS)]
    if e.grouping.by in ("position", "id"):
        return [check.skip("the texts cannot tell the tasks apart") for check in (DUPLICATES, CONFLICTS)]
    distinct, index = np.unique(prompts, return_inverse=True)
    repeated = e.tasks - len(distinct)
    pairs = np.unique(np.column_stack([prompts, answers]), axis=0)
    golds = np.bincount(np.unique(pairs[:, 0], return_inverse=True)[1])
    conflicting = int((golds > 1).sum()) if answers.any() else 0
    findings = []
    if repeated:
        most = int(np.bincount(index).max())
        findings.append(DUPLICATES.warn(repeated / e.tasks, f"{repeated} of {e.tasks} tasks repeat the prompt of another (the most frequent occurs {most} times)", "drop repeated prompts from the dataset (if images tell them apart, this is no finding)"))
    else:
        findings.append(DUPLICATES.ok(0.0))
    rate = conflicting / e.tasks
    if conflicting:
        make = CONFLICTS.fail if rate > 0.02 and repeated < 0.5 * e.tasks else CONFLICTS.warn
        findings.append(make(rate, f"{conflicting} prompts stand in tasks with different golds", "decide for one gold per prompt, or drop those tasks"))
    else:
        findings.append(CONFLICTS.ok(0.0))
    return findings
