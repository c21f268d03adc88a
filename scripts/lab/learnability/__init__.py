"""Whether a policy can learn from these rollouts: the statistics, the checks, and the plan.

evidence = collect(rollouts)
settings = Settings(group_size=8)
analysis = analyse(evidence, settings)
report.add(checks(analysis))
"""

from lab.learnability.analysis import Analysis, Settings, analyse
from lab.learnability.checks import checks
from lab.learnability.evidence import RolloutEvidence, collect
from lab.learnability.plan import Plan, make_plan

__all__ = [
    "Analysis",
    "Plan",
    "RolloutEvidence",
    "Settings",
    "analyse",
    "checks",
    "collect",
    "make_plan",
]
