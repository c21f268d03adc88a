"""Everything that validates upstream and still ruins a run, one small function per rule.

    for issue in check(file, known):
        report.add(issue.finding)

A new rule is a function, an entry in its module's RULES, and a line in the mutation table of
the tests.
"""

from __future__ import annotations

from lab.training.file import TrainingFile
from lab.training.rules import length, limits, plan, run, sft, signal, sources, together
from lab.training.rules.base import DROP, Change, EnvironmentClasses, Issue, Known, Measured

RL_RULES = (*sources.RULES, *signal.RULES, *length.RULES, *run.RULES, *limits.RULES, *together.RULES, *plan.RULES)
SFT_RULES = (*sft.RULES, limits.values, together.resume, run.model, run.max_steps, run.checkpoint, run.renderer, run.platform_keys, run.local_keys, run.unknown_keys, run.secrets, run.env_vars, signal.learning_rate)


def check(file: TrainingFile, known: Known | None = None) -> list[Issue]:
    """All findings over a file, of the rules for its mode."""
    rules = RL_RULES if file.mode == "rl" else SFT_RULES
    return [issue for rule in rules for issue in rule(file, known or Known())]


__all__ = ["DROP", "Change", "EnvironmentClasses", "Issue", "Known", "Measured", "check"]
