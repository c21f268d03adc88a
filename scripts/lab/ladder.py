"""What comes next for an environment: the one command that closes the first gap of its ladder.

    next_command("environments/mine", location, ledger)

A step that is missing or stale is run. After a failed one comes what can change its result: an
edit where the reward or the package failed, else the command that its own report named. A rehearsal
is gone on with as far as it goes: without a key to a dry run. After a dry run comes the blind
review, then the real thing in the place of what was only rehearsed, and at last the run itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from lab.cli.command import edit_then, script
from lab.cli.login import read_login
from lab.environment.classic_commands import migration, vf_eval
from lab.environment.locate import TASKSET, Location, locate
from lab.ledger.index import name_of
from lab.ledger.records import NEEDS, Ledger, Step
from lab.review.state import STEP as REVIEW
from lab.review.state import next_review
from lab.training.place import written_for

PLACEHOLDER = "OWNER"
"""What stands for the user's account in a command until they have named it."""
SIMULATED = "skill=0.4,spread=0.3"
"""The policy of a rehearsal, as it is suggested."""
NO_MODEL = "without a model or a key yet: a rehearsal"
NEEDS_NO_KEY = ("push_environment", "submit_training")
"""Rehearsed where there is no key: with one they are done for what was really evaluated."""


@dataclass(frozen=True)
class DryRun:
    """What a dry run looked at: what it would train, in groups of how many rollouts."""

    model: str = "MODEL"
    group_size: int | None = None
    on_hub: bool = False
    """Whether the environment is published with this very content."""

    @classmethod
    def of(cls, ledger: Ledger) -> DryRun:
        """The last one for today's content."""
        step = ledger.step("submit_training")
        facts = step.facts or {} if step.state in ("rehearsed", "passed") else {}
        sizes = facts.get("group_sizes")
        size = sizes.get(name_of(ledger.environment)) if isinstance(sizes, dict) else None
        return cls(facts.get("model") or "MODEL", size, facts.get("on_hub") is True)


def next_command(env: str, location: Location, ledger: Ledger, done: str = "") -> str:
    """The next command for `env`, as the user names it. `done`: a step that was rehearsed and is
    being recorded."""
    if location.api != TASKSET:
        return _next_classic(env, location, ledger.steps())
    return before_the_run(env, ledger, done=done) or _the_run(env, ledger)


def next_for(folder: Path | str, done: str = "") -> str:
    """The next command for the environment in `folder`."""
    return next_command(str(folder), locate(str(folder)), Ledger(Path(folder)), done)


def before_the_run(
    env: str, ledger: Ledger, dry_run: DryRun | None = None, *, done: str = ""
) -> str:
    """What comes before a paid run; "" when only that is left. `dry_run`: one that is being
    recorded."""
    done = "submit_training" if dry_run else done
    dry_run = dry_run or DryRun.of(ledger)
    steps = {
        step.name: replace(step, state="rehearsed") if step.name == done and step.open else step
        for step in ledger.steps()
        if not (step.name == "push_environment" and dry_run.on_hub)
    }
    gaps = [step for step in steps.values() if step.open]
    if gaps and gaps[0].state == "rehearsed":
        untried = (s for s in gaps if s.state != "rehearsed" and s.name not in _later())
        gaps.insert(0, next(untried, gaps[0]))
    if not gaps:
        return ""
    if gaps[0].state == "rehearsed":
        if steps["submit_training"].state == "rehearsed" and ledger.step(REVIEW).open:
            return next_review(ledger, env)
        if gaps[0].name == "submit_training":
            return ""
    return _closes(env, ledger, gaps[0], dry_run)


def closing(step: str, env: str, ledger: Ledger, dry_run: DryRun | None = None) -> str:
    """What closes the first gap before `step`: no rehearsal, and no step beside the way."""
    gaps = (earlier for earlier in map(ledger.step, NEEDS[step]) if earlier.open)
    first = next(gaps, None)
    return _closes(env, ledger, first, dry_run or DryRun.of(ledger)) if first else ""


def command_of(step: str, env: str, ledger: Ledger) -> str:
    """The command of a step, as it is run the first time."""
    if step == "test_reward":
        return script("test_reward.py", env)
    if step == "run_eval":
        return script("run_eval.py", env, "-m", "MODEL")
    if step == "check_reward_distribution":
        results = ledger.entry("run_eval").get("results", "outputs/RUN")
        file = written_for(env)
        training = ["--training", file] if file else []
        return script("check_reward_distribution.py", "--results", results, *training)
    if step == "push_environment":
        return script("push_environment.py", env, "--check-only")
    return dry_run_of(env, ledger)


def dry_run_of(env: str, ledger: Ledger, slug: str = "") -> str:
    """The first dry run: of the model that was really evaluated, where its name is one that can be
    trained (`owner/name`)."""
    evaluation = ledger.entry("run_eval")
    model = "" if evaluation.get("simulated") else str(evaluation.get("model") or "")
    trained = ["--model", model] if "/" in model else []
    named = ["--env", slug or _slug(env, ledger), "--local", env]
    return script("submit_training.py", *named, *trained, "--dry-run")


def evaluation_of(env: str, dry_run: DryRun) -> str:
    """The evaluation of what a dry run would train, in groups as they are trained."""
    size = ["-r", dry_run.group_size] if dry_run.group_size else []
    return script("run_eval.py", env, "-m", dry_run.model, *size)


def rehearsal_beside(command: str, env: str, ledger: Ledger) -> list[str]:
    """Where an evaluation comes next, nothing is rehearsed, and there is no key: its rehearsal."""
    asked = command == command_of("run_eval", env, ledger)
    if not asked or read_login() or ledger.step("run_eval").state == "rehearsed":
        return []
    return [script("run_eval.py", env, "--simulate", SIMULATED)]


def _later() -> tuple[str, ...]:
    """Steps that a rehearsal does not go on to."""
    return NEEDS_NO_KEY if read_login() else ()


def _closes(env: str, ledger: Ledger, step: Step, dry_run: DryRun) -> str:
    """The command that makes this step pass, or what can change its result."""
    if step.state == "rehearsed":
        return _for_real(env, ledger, step, dry_run)
    command = command_of(step.name, env, ledger)
    if step.state == "failed" and step.name in ("test_reward", "push_environment"):
        return edit_then(env, command)
    if step.state in ("failed", "inconclusive"):
        return str(ledger.report_of(step.name).get("next") or command)
    return command


def _for_real(env: str, ledger: Ledger, step: Step, dry_run: DryRun) -> str:
    """What was rehearsed, with the real thing in the place of what stood in for it."""
    if step.name == "run_eval":
        return evaluation_of(env, dry_run)
    if step.name == "push_environment":
        return script("push_environment.py", env, "--visibility", "PRIVATE")
    return command_of(step.name, env, ledger)


def _the_run(env: str, ledger: Ledger) -> str:
    """The paid run as the dry run named it; where it was sent, its monitor."""
    step = ledger.step("submit_training")
    if not step.open:
        return script("monitor_training.py", (step.facts or {}).get("run_id") or "RUN_ID")
    said = (step.facts or {}).get("after_review") or ledger.report_of(step.name).get("next")
    return str(said or command_of(step.name, env, ledger).removesuffix(" --dry-run"))


def _slug(env: str, ledger: Ledger) -> str:
    """The name on the hub: where it was published, else to be filled in."""
    published = (ledger.entry("push_environment").get("facts") or {}).get("environment")
    return str(published or f"{PLACEHOLDER}/{Path(env).resolve().name.replace('_', '-')}")


def _next_classic(env: str, location: Location, steps: list[Step]) -> str:
    """A classic environment is tested here, evaluated by its own vf-eval, trained as a taskset."""
    of = {step.name: step for step in steps}
    if of["test_reward"].open:
        command = script("test_reward.py", env)
        return edit_then(env, command) if of["test_reward"].state == "failed" else command
    return vf_eval(location, env) if of["check_reward_distribution"].open else migration(env)
