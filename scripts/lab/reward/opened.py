"""A running environment for a test of its reward, from the flags of a script.

environment_flags(parser)
with opened(args, location, contract) as subject:
    found = subject.audit(note=progress.note)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.cli.arguments import count, json_object, seconds
from lab.cli.report import LabError

if TYPE_CHECKING:
    from lab.environment import Environment, Location
    from lab.reward.contract import Contract
    from lab.reward.judges.server import ScriptedJudge
    from lab.reward.outcome import Audit


def environment_flags(parser: argparse.ArgumentParser) -> None:
    """The flags that say how an environment is loaded and scored."""
    add = parser.add_argument
    add(
        "--examples",
        type=count,
        default=20,
        metavar="N",
        help="tasks to test on (default 20)",
    )
    add(
        "--contract-file",
        type=Path,
        metavar="FILE",
        help="the contract to hold the reward to (default: contract.toml in ENV)",
    )
    add(
        "--env-args",
        type=json_object,
        default={},
        metavar="JSON",
        help="fields of the taskset's configuration, or arguments of load_environment()",
    )
    add("--python", metavar="EXE", help="the interpreter that has the environment's verifiers")
    add("--seat", default="", metavar="NAME", help="which agent of several is scored")
    add(
        "--judge-base-url",
        default="",
        metavar="URL",
        help="an OpenAI-compatible endpoint for judges (default: a scripted judge)",
    )
    add(
        "--timeout",
        type=seconds,
        default=20.0,
        metavar="S",
        help="seconds for one completion (default 20)",
    )
    add(
        "--budget",
        type=seconds,
        default=60.0,
        metavar="S",
        help="seconds for all completions; slow rewards get fewer (default 60)",
    )
    add(
        "--load-timeout",
        type=seconds,
        default=180.0,
        metavar="S",
        help="seconds for importing the environment and reading its tasks (default 180)",
    )
    add(
        "--import-path",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="a further folder that the environment imports from",
    )
    add(
        "--pass-env",
        action="append",
        default=[],
        metavar="NAME",
        help="hand this environment variable to the environment",
    )
    add(
        "--pass-path",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help="let the environment read this file or folder of yours",
    )


def declared_contract(args: argparse.Namespace, location: Location) -> Contract:
    """The contract of --contract-file, or the one beside the environment; with --example."""
    from lab.reward import contract_file

    named = args.contract_file
    contract = contract_file.read(named) if named else contract_file.beside(location.path)
    if getattr(args, "example", None):
        more = contract_file.read_examples(args.example)
        contract = replace(contract, examples=(*contract.examples, *more))
        contract_file.agree(args.example, contract.examples)
    return contract


@dataclass
class Subject:
    """An environment that runs, with the judge that its judges are sent to."""

    env: Environment
    judge: ScriptedJudge
    contract: Contract
    budget: float
    another: Callable[[], Environment | None]
    options: dict[str, Any]
    """What an environment that is compared with it is started with, too."""

    def audit(
        self,
        note: Callable[[str], None] = lambda _: None,
        on_score: Callable[[int], None] = lambda _: None,
    ) -> Audit:
        from lab.reward.audit import audit

        return audit(
            self.env,
            self.contract,
            seconds=self.budget,
            judge=self.judge,
            note=note,
            on_score=on_score,
            another=self.another,
        )


@contextmanager
def opened(args: argparse.Namespace, location: Location, contract: Contract) -> Iterator[Subject]:
    from lab.environment import Environment, Limits
    from lab.reward.judges.server import ScriptedJudge

    limits = Limits(
        load=args.load_timeout,
        score=args.timeout,
        total=max(4 * args.budget, 2 * args.timeout),
    )
    with ExitStack() as stack:
        judge = stack.enter_context(ScriptedJudge(args.judge_base_url))
        options = {
            "examples": args.examples,
            "limits": limits,
            "pass_env": args.pass_env,
            "pass_paths": args.pass_path,
            "import_paths": args.import_path,
            "judge_base_url": judge.url,
        }

        def start(asked: ScriptedJudge, hash_seed: str = "0") -> Environment:
            made = Environment(
                location,
                python=_python(args, location),
                config=args.env_args,
                seat=args.seat,
                also=[example.task for example in contract.examples],
                **{**options, "judge_base_url": asked.url},
            )
            made.expect = asked.expect
            made.worker.hash_seed = hash_seed
            return stack.enter_context(made)

        def another() -> Environment | None:
            """A second copy of the environment, as another process has it; None where it does not
            load once more."""
            try:
                return start(stack.enter_context(judge.copy()), hash_seed="1")
            except LabError:
                return None

        yield Subject(start(judge), judge, contract, args.budget, another, options)


def _python(args: argparse.Namespace, location: Location) -> str | None:
    """The interpreter that was named, after a look at what it has; None leaves the choice to the
    tool."""
    from lab.environment import CLASSIC
    from lab.environment.classic import check

    if args.python and location.api == CLASSIC:
        return check(args.python)
    return args.python
