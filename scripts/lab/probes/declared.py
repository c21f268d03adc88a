"""Declarations in policy.toml that nothing bears out: they would excuse what is not intended."""

from __future__ import annotations

from lab.answers.forms import CHOICE
from lab.probes.families import DESIGN
from lab.probes.formcheck import Forms
from lab.probes.subject import TINY, Subject
from lab.report import Check, Finding

DECLARED = Check(
    "reward.policy",
    title="what policy.toml declares is what the reward does",
    expected="each declaration is seen in the rewards",
    reason="A declaration relaxes a check; one that is not true hides a defect that comes later.",
    source="policy.toml",
)

LEAST_FORMS = 3
"""Forms that must have been tried before strictness is said to refuse none."""


def finding(s: Subject, forms: Forms) -> Finding:
    """Partial credit that no near answer gets is unseen; strictness that refuses nothing, a form that
    is paid and a floor that is exceeded are broken."""
    if not s.with_gold or s.gap <= TINY:
        return DECLARED.skip("no gold that is paid: nothing to hold a declaration against")
    false, broken = [], []
    if s.policy.partial_credit and not _partial(s):
        false.append("partial_credit: no answer of any probe earned a part")
    tallies = forms.tallies | forms.wrappers
    kept = [*(tally for tally in forms.tallies.values() if tally.natural != CHOICE), *forms.wrappers.values()]
    if s.policy.strict_format and len(kept) >= LEAST_FORMS and not any(tally.refused for tally in kept):
        broken.append(f"strict_format: each of {len(kept)} other forms and surroundings was paid")
    broken += [f"refused_forms: {name!r} is paid" for name in s.policy.refused_forms if name in tallies and not tallies[name].refused]
    false += [f"refused_forms: there is no form {name!r} for these golds" for name in s.policy.refused_forms if name not in tallies]
    if s.policy.format_floor is not None and (s.floor or 0.0) > s.policy.format_floor + TINY:
        broken.append(f"format_floor: a wrong answer in the right format earns {s.floor:.3g}, not {s.policy.format_floor:g} at most")
    fix = f"take out of policy.toml what the reward does not do, or mend the reward ({DESIGN}#declaring-what-is-intended)"
    if broken:
        return DECLARED.fail(measured=len(broken + false), evidence="; ".join(broken + false), severity="medium", direction="invariant", fix=fix)
    if not false:
        return DECLARED.ok(evidence=f"{s.policy.path.name}" if s.policy.path else "nothing is declared")
    return DECLARED.warn(measured=len(false), evidence="; ".join(false), severity="low", direction="invariant", fix=fix)


def _partial(s: Subject) -> bool:
    return any(0.05 < s.share(task, score.reward) < 0.95 for (task, _), score in s.texts() if score.reward is not None and task in s.gold_rewards)
