# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///
"""Let a reader judge completions without knowing what the reward pays, and compare.

No test of a reward sees what the data mean and what only the README says. A reader does: an agent
or a person. The first run tests the reward and writes a sheet of 16 to 24 completions, chosen for
what a judgement of each would say, with README and prompts and without any reward; an answers file
to fill in; and a page to do it in a browser. The second run compares.

usage:
  review_reward.py ENV                     write reviews/NAME: sheet.md, answers.toml, review.html
  review_reward.py ENV --out FOLDER        write them there
  review_reward.py ENV --answers FILE      compare: what the reader and the reward contradict
  review_reward.py ENV --answers FILE --accept   also write what was decided into contract.toml
  review_reward.py ENV --model M --base-url URL  a model is the reader: at most two calls, paid

The reader sees nothing but the sheet or the page: not the environment's code, not its data. The
rewards are sealed in your own state folder. A sheet holds for one content of the environment.

Exit codes: 0 the sheet is written, or the review passed (warnings allowed) · 1 reader and reward
contradict each other · 2 usage, a sheet of an older content, or an answers file that is not what it
should be · 3 the environment does not load, or something needed is missing · 4 inconclusive: the
review is not complete, its reader missed a control, or there is nothing to show
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lab.cli.arguments import count
from lab.cli.command import Command, Progress, script
from lab.cli.report import Report, usage
from lab.reward.opened import environment_flags

if TYPE_CHECKING:
    from lab.environment import Location
    from lab.ledger.records import Ledger
    from lab.review.answers import Answers
    from lab.review.own import Scored
    from lab.review.sealed import Review


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("env", metavar="ENV", help="environment: folder, module file, or installed name")
    add(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where the sheet is written (default: reviews/NAME)",
    )
    add("--answers", type=Path, metavar="FILE", help="the answers file, filled in")
    add(
        "--accept",
        action="store_true",
        help="with --answers: write [decided] and the completions that were agreed on into "
        "contract.toml",
    )
    add("--model", metavar="M", help="let this model read the sheet, and compare")
    add("--base-url", metavar="URL", help="its OpenAI-compatible endpoint")
    add(
        "--api-key-var",
        default="PRIME_API_KEY",
        metavar="NAME",
        help="variable that holds the key of the endpoint (PRIME_API_KEY)",
    )
    add(
        "--max-tokens",
        type=count,
        default=8000,
        metavar="N",
        help="of one reply of the model (default 8000)",
    )
    add("--price", metavar="IN,OUT", help="of the model, in USD per million tokens")
    add("--max-cost", type=float, metavar="USD", help="do not ask the model above this cost")
    add("--seed", type=int, default=0, metavar="N", help="another choice and order (default 0)")
    environment_flags(parser)


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.environment import locate
    from lab.ledger.records import Ledger

    _check_flags(args)
    location = locate(args.env)
    ledger = Ledger(location.path)
    report.subject = {
        "environment": location.name,
        "api": location.api,
        "path": str(location.path),
        "content_hash": ledger.content,
    }
    if not args.answers:
        _write(args, report, progress, location, ledger)
        if args.model and not report.findings:
            _let_read(args, report, progress, location)
    if args.answers:
        _compare(args, report, progress, location, ledger)


def _check_flags(args: argparse.Namespace) -> None:
    refused = ""
    if args.accept and not args.answers:
        refused = "--accept needs --answers: what a model or nobody decided is not written"
    elif args.model and args.answers:
        refused = "--model and --answers name two readers"
    elif bool(args.model) != bool(args.base_url):
        refused = "--model and --base-url belong together"
    if refused:
        raise usage(refused, "see review_reward.py --help", id="input.arguments")


# --- the sheet -------------------------------------------------------------------------------


def _write(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    location: Location,
    ledger: Ledger,
) -> None:
    from dataclasses import replace

    from lab.process.protection import tell
    from lab.review import folder
    from lab.review.making import make
    from lab.review.sealed import seal
    from lab.review.state import to_read
    from lab.review.verdicts import SHOWN
    from lab.reward.opened import declared_contract, opened

    out = args.out or Path("reviews") / location.name.replace("/", "_")
    folder.check(out, args.overwrite)
    contract = declared_contract(args, location)
    progress.note(f"testing the reward of {location.name} ({location.api})")
    with opened(args, location, contract) as subject:
        tell(report)
        found = subject.audit(note=progress.note)
        scripted = not subject.judge.upstream
        review = make(found, location.name, ledger.content, args.seed, scripted=scripted)
    if review is None:
        report.add(
            SHOWN.inconclusive(
                measured="too few completions",
                evidence="the test of the reward found nothing right that a reader could be shown",
                fix="give one right completion ([[example]] in contract.toml), then: "
                + script("test_reward.py", args.env),
            )
        )
        return
    answers = out / folder.ANSWERS
    seal(location.path, replace(review, answers=str(answers.resolve())))
    command = script("review_reward.py", args.env, "--answers", answers)
    saved = script("review_reward.py", args.env, "--answers", "answers.json")
    written = folder.write(out, review.shown, command, saved)
    report.facts = {
        "review": review.id,
        "completions": len(review.items),
        "tasks": len(review.shown.tasks),
        "sheet": str(written.sheet),
        "answers": str(written.answers),
        "page": str(written.page),
        "characters": written.characters,
    }
    report.section(
        "to be judged by somebody who has not seen the reward's code",
        [
            f"sheet      {written.sheet}  ({len(review.items)} completions, about "
            f"{written.characters // 4} tokens)",
            f"answers    {written.answers}  (fill it in)",
            f"page       {written.page}  (the same for a browser; it saves the answers)",
        ],
    )
    report.next = to_read(args.env, answers)


# --- a model as the reader ---------------------------------------------------------------------


def _let_read(
    args: argparse.Namespace, report: Report, progress: Progress, location: Location
) -> None:
    """Ask the model, and go on with its answers as with a file."""
    from lab.cli.files import write_whole
    from lab.evaluation.budget import price_of
    from lab.review import answers as answers_file
    from lab.review.model_reader import CALLS, Reader
    from lab.review.sealed import unseal

    reader = Reader(args.model, args.base_url, args.api_key_var, args.max_tokens)
    sheet = Path(report.facts["sheet"]).read_text(encoding="utf-8")
    sent, written = reader.tokens(sheet)
    said = f"at most {CALLS} calls of {args.model}, {sent} tokens sent and {written} written"
    if args.price or args.max_cost is not None:
        price = price_of(args.model, args.price, args.base_url)
        cost = (sent * price.input + written * price.output) / 1e6
        said += f", {cost:.3g} USD"
        report.facts["cost"] = {"at_most": cost}
        if args.max_cost is not None and cost > args.max_cost:
            raise usage(
                f"{said}: above --max-cost {args.max_cost:g}; nothing was asked",
                "raise --max-cost, or lower --max-tokens",
                id="input.max_cost",
            )
    progress.note(said)
    review = unseal(location.path, report.facts["review"], script("review_reward.py", args.env))
    answers, used = reader.read(sheet, review)
    target = Path(report.facts["sheet"]).with_name("answers.model.json")
    write_whole(target, answers_file.as_json(answers))
    report.section("a model was the reader", [f"{said}; used: {used}", f"its answers: {target}"])
    args.answers, args.used = target, used


# --- the answers -----------------------------------------------------------------------------


def _compare(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    location: Location,
    ledger: Ledger,
) -> None:
    from lab.review import answers as answers_file
    from lab.review import verdicts
    from lab.review.compared import differences
    from lab.review.facts import facts_of, lines_of
    from lab.review.sealed import unseal

    again = script("review_reward.py", args.env)
    answers = answers_file.read(args.answers)
    review = unseal(location.path, answers.review, again)
    if review.content != ledger.content:
        raise usage(
            f"{args.answers} is about an earlier content of {location.name}",
            f"the environment changed since: make a new sheet: {again} --overwrite",
            id="input.stale_review",
        )
    numbers = {item.number for item in review.items}
    if unknown := sorted(set(answers.answers) - numbers):
        raise usage(
            f"{args.answers} has an answer for {unknown[0]}, and the sheet has no such completion",
            f"its numbers are 1 to {len(numbers)}",
            id="input.invalid_answers",
        )
    own = _own(args, report, progress, location, review, answers) if answers.own else []
    differ = differences(review, answers)
    report.add(verdicts.findings(review, answers, differ, own))
    report.facts |= facts_of(review, answers, differ, own)
    if hasattr(args, "used"):
        report.facts["used"] = args.used
    for title, lines in lines_of(review, answers, differ, own):
        report.section(title, lines)
    if args.accept:
        from lab.review.accept import accept

        path, written = accept(location, args.contract_file, review, answers, own)
        report.facts["accepted"] = written
        report.section(f"written into {path}", written or ["nothing: nothing was decided"])
    if location.local:
        ledger.record(report, reader=answers.reader, model=answers.model)
        report.next = _next(args, report, location)


def _own(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    location: Location,
    review: Review,
    answers: Answers,
) -> list[Scored]:
    """The reader's own completions, scored in an environment that is started as for the sheet."""
    from lab.process.protection import tell
    from lab.review.own import score, without_judge
    from lab.reward.opened import declared_contract, opened

    if review.settings.get("scripted") and not args.judge_base_url:
        return without_judge(answers.own)
    progress.note(f"scoring {len(answers.own)} completions of the reader's own")
    with opened(args, location, declared_contract(args, location)) as subject:
        tell(report)
        return list(score(subject.env, review, answers.own))


def _next(args: argparse.Namespace, report: Report, location: Location) -> str:
    from lab.ladder import next_command
    from lab.ledger.records import Ledger

    if report.exit_code == 0:
        return next_command(args.env, location, Ledger(location.path))
    again = script("review_reward.py", args.env, "--answers", args.answers)
    if report.verdict == "inconclusive":
        return f"complete the review, then: {again}"
    return f"change what is contradicted, then: {script('test_reward.py', args.env)}"


COMMAND = Command(__doc__, "review_reward", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
