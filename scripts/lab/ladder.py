"""What comes next for an environment: the one command that closes the first gap of its ladder.

    next_command("environments/mine", location, ledger)

A step that is missing or stale is run. After a failed one comes what can change its result: an
edit where the reward or the package failed, else the command that its own report named. After a
rehearsal comes the same with the real thing (without a key first what else can be rehearsed),
before a paid run the blind review, and after the last step the monitor.
"""

from __future__ import annotations

from pathlib import Path

from lab.cli.command import edit_then, script
from lab.cli.login import read_login
from lab.environment.classic_commands import migration, vf_eval
from lab.environment.locate import TASKSET, Location, locate
from lab.ledger.records import Ledger, Step
from lab.review.state import STEP as REVIEW
from lab.review.state import next_review
from lab.training.place import written_for

PLACEHOLDER = "OWNER"
"""What stands for the user's account in a command until they have named it."""


def next_command(env: str, location: Location, ledger: Ledger, done: str = "") -> str:
    """The next command for `env`, as the user names it. `done`: a step that is being recorded."""
    steps = ledger.steps()
    if location.api != TASKSET:
        return _next_classic(env, location, steps)
    first = next((step for step in steps if step.open), None)
    if first is not None and first.state == "rehearsed" and not read_login():
        others = (s for s in steps if s.open and s.state != "rehearsed" and s.name != done)
        first = next(others, first)
    if first is None:
        run = (ledger.entry("submit_training").get("facts") or {}).get("run_id")
        return script("monitor_training.py", run or "RUN_ID")
    if first.state in ("failed", "inconclusive"):
        return _after_a_failure(env, ledger, first)
    if first.state == "rehearsed":
        return _for_real(env, ledger, first)
    return command_of(first.name, env, ledger)


def next_for(folder: Path | str, done: str = "") -> str:
    """The next command for the environment in `folder`."""
    return next_command(str(folder), locate(str(folder)), Ledger(Path(folder)), done)


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
    return script("submit_training.py", "--env", _slug(env, ledger), "--local", env, "--dry-run")


def _after_a_failure(env: str, ledger: Ledger, step: Step) -> str:
    """The step itself said what can change its result. A reward and a package change by an edit."""
    command = command_of(step.name, env, ledger)
    if step.state == "failed" and step.name in ("test_reward", "push_environment"):
        return edit_then(env, command)
    return str(ledger.report_of(step.name).get("next") or command)


def _for_real(env: str, ledger: Ledger, step: Step) -> str:
    """What was rehearsed, with the real thing in the place of what stood in for it."""
    if step.name == "push_environment":
        return script("push_environment.py", env, "--visibility", "PRIVATE")
    if step.name == "submit_training":
        if ledger.step(REVIEW).open:
            return next_review(ledger, env)
        report = ledger.report_of(step.name)
        said = str((report.get("facts") or {}).get("after_review") or report.get("next") or "")
        return said or command_of(step.name, env, ledger).removesuffix(" --dry-run")
    return command_of(step.name, env, ledger)


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
