"""submit_training.py, step by step: file, gates, rules, platform, price, one yes, one run."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.cli.command import Progress, ask_first, script
from lab.cli.login import require_login
from lab.cli.report import Report, missing, usage
from lab.ladder import before_the_run, closing, evaluation_of
from lab.platform.prime import Prime, PrimeError, hub, read_login
from lab.platform.submission import config, environments, local, review, rewrite, send
from lab.platform.submission.environments import (
    ON_HUB,
    SAME_CONTENT,
    Named,
    Offline,
    group_sizes,
    meant,
)
from lab.platform.submission.flags import command_again, refuse_unused_flags
from lab.platform.submission.intent import Intent, Trained
from lab.platform.submission.questions import Confirm, ask_what_is_missing, ask_yes
from lab.review.state import REVIEWED, STEP, next_review
from lab.training.cost import estimate, tokens_read
from lab.training.dialects import check_generation
from lab.training.file import TrainingFile, parse
from lab.training.rules import Known, check
from lab.training.schema import check_schema
from lab.training.sft_rows import check_rows
from lab.training.work import Use
from lab.training.write import render

VALIDATING = "asking the platform's schema (the first time it installs about half a gigabyte)"
ASK = (
    "this spends the user's money: show the training file and the estimate; it asks on a terminal, "
    "elsewhere it sends only with --yes, to be added after the user's yes"
)


def submit(args: argparse.Namespace, report: Report, progress: Progress, confirm: Confirm) -> None:
    """One of the script's four uses: convert, fix, self-hosted files, or a submission."""
    refuse_unused_flags(args)
    report.facts = {
        "config": None,
        "environment": args.env,
        "model": None,
        "cost": None,
        "run_id": None,
    }
    if args.convert:
        return rewrite.convert_file(args, report)
    own = args.self_hosted is not None
    file = None
    if args.config:
        file = config.open_config(Path(args.config), args.env, hosted=not own)
    if file and args.fix:
        return rewrite.fix_file(args, report, file)
    if file and own:
        return rewrite.judge_own(args, report, file)
    if file and file.mode == "sft":
        return _supervised(args, report, progress, confirm, file)
    if args.data:
        raise usage(
            "--data checks the conversations of a supervised file",
            "add --config FILE with a [data] table",
            id="input.arguments",
        )
    ask_what_is_missing(args)
    if own:
        return rewrite.self_hosted_files(args, report, config.expand(args))
    return _submission(args, report, progress, confirm, file or _planned(args, report))


def _planned(args: argparse.Namespace, report: Report) -> TrainingFile:
    """The file that the flags or the plan ask for; it is written when it has passed."""
    made = config.expand(args).made
    report.section(rewrite.NUMBERS, made.words)
    text = config.marked(render(made.plan.tables()))
    return parse(text, path=Path("configs/rl") / f"{made.plan.name}.toml")


def _submission(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    confirm: Confirm,
    file: TrainingFile,
) -> None:
    """A run of rollouts: what the file names is checked, then sent once."""
    named = environments.named_in(file, args.local)
    local.check_named_folder(args.local, [one.slug for one in named])
    _describe(report, file, named)
    report.add(environments.check_account(named, args.dry_run))
    for one in named:
        report.add(environments.check_gates(one, file, args.force, args.dry_run))
    gates_failed = bool(report.with_status("fail"))
    if gates_failed:
        report.next = _after_gates(report, named, file)
        if not args.dry_run:
            return
    folders = [one.folder for one in named if one.folder]
    if not _sound(args, report, file, folders):
        return _keep_dry_run(args, report, named)
    prime = _platform(args, progress)
    trained, prime = _ask_hub(args, report, prime, named)
    _price(args, report, file, prime, local.uses_of(folders))
    _place(args, report, file)
    if args.validate:
        _validate(report, progress, prime, file)
    failed = bool(report.with_status("fail"))
    if failed and not gates_failed:
        report.next = _change_then(args)
    if args.dry_run:
        if not failed:
            _after_dry_run(args, report, file, named)
        return _keep_dry_run(args, report, named)
    if failed or isinstance(prime, Offline):
        return
    _start(args, report, progress, confirm, prime, file, trained, named)


def _describe(report: Report, file: TrainingFile, named: list[Named]) -> None:
    slugs = [f"{one.slug}@{one.version}" if one.version else one.slug for one in named]
    places = dict.fromkeys(str(one.folder) if one.folder else "on the hub only" for one in named)
    report.subject = {"environment": ", ".join(slugs), "folder": ", ".join(places)}
    if ledger := next((one.ledger for one in named if one.ledger), None):
        report.subject["content_hash"] = ledger.content
    report.facts.update(
        environment=slugs[0] if slugs else None, environments=slugs, model=file.model
    )


def _after_gates(report: Report, named: list[Named], file: TrainingFile) -> str:
    here = [(one, one.ledger) for one in named if one.ledger]
    failing = {finding.id for finding in report.with_status("fail")}
    if "gate.earlier_steps" in failing:
        first = (
            closing("submit_training", str(one.folder), ledger, meant(file, one))
            for one, ledger in here
        )
        return next(filter(None, first), "")
    if REVIEWED.id in failing:
        unread = (one for one in here if one[1].step(STEP).open)
        return next((next_review(ledger, str(one.folder)) for one, ledger in unread), "")
    return _evaluation(named, file)


def _evaluation(named: list[Named], file: TrainingFile) -> str:
    """The evaluation of the model that will be trained, on the first environment that is here."""
    here = (one for one in named if one.folder)
    return next((evaluation_of(str(one.folder), meant(file, one)) for one in here), "")


def _place(args: argparse.Namespace, report: Report, file: TrainingFile) -> None:
    """Write what was planned; the text is printed where it is sent, after a dry run it is there."""
    if not args.config:
        config.place(file.path, file.text, args.overwrite)
    report.facts["config"] = str(file.path)
    if args.dry_run:
        report.section("training file", [f"{file.path}: show it to the user"])
    else:
        report.section(f"training file {file.path}", file.text.splitlines())


def _change_then(args: argparse.Namespace) -> str:
    """After a failure the check comes again before anything is spent, whatever was asked for."""
    return f"change what failed, then: {command_again(args, dry_run=True)}"


def _sound(
    args: argparse.Namespace, report: Report, file: TrainingFile, folders: list[Path]
) -> bool:
    """Judge the file itself; a gate that is not passed says nothing about it."""
    report.add(check_generation(file, script("submit_training.py", "--convert", file.path)))
    issues = local.judged(file, folders, local.known_of(folders))
    report.add(review.merged(issues))
    if not args.validate:
        report.add(check_schema(file, folders))
    failed = report.with_status("fail")
    gates = [finding for finding in failed if finding.id.startswith("gate.")]
    if failed == gates:
        return True
    shown = "training file" if args.config else "training file (not written)"
    report.section(shown, file.text.splitlines())
    if args.config and any(issue.repair for issue in issues):
        report.next = script("submit_training.py", "--config", args.config, "--fix")
    elif not gates:
        report.next = _change_then(args)
    return False


def _after_dry_run(
    args: argparse.Namespace, report: Report, file: TrainingFile, named: list[Named]
) -> None:
    """The ladder says what comes first, the same as workflow.py next; here is what comes then."""
    again = command_again(args)
    other = any(one.id == local.REAL_MODEL.id for one in report.with_status("warn"))
    then = (_evaluation(named, file) if other else "") or again
    on_hub = _on_hub(report)
    report.facts |= {"after_review": then, "on_hub": on_hub, "group_sizes": group_sizes(file)}
    first = (
        before_the_run(str(one.folder), one.ledger, meant(file, one, on_hub))
        for one in named
        if one.ledger
    )
    report.next = next(filter(None, first), then)
    if report.next == again:
        ask_first(report, ASK)


def _on_hub(report: Report) -> bool:
    """Whether the platform has every environment of the file, with the content that is here."""
    asked = (ON_HUB.id, SAME_CONTENT.id)
    found = [one.status for one in report.findings if one.id in asked]
    return bool(found) and set(found) == {"pass"}


def _keep_dry_run(args: argparse.Namespace, report: Report, named: list[Named]) -> None:
    """A dry run is a rehearsal in the ledger: it shows what was found, and no step passes by it."""
    for ledger in (one.ledger for one in named if args.dry_run):
        if ledger:
            ledger.record(report, rehearsal="training file checked, nothing sent")


def _supervised(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    confirm: Confirm,
    file: TrainingFile,
) -> None:
    """A supervised file: its own rules and rows; there is no environment, and so no gate."""
    report.subject = {"file": str(file.path)}
    report.facts.update(config=str(file.path), model=file.model)
    report.add(check_generation(file, "-"))
    report.add(review.merged(check(file, Known())))
    if not args.validate:
        report.add(check_schema(file, []))
    if args.data:
        length = file.number("data.seq_len") or 128
        report.add(check_rows(Path(args.data), length, tokens_read(file)))
    report.section(f"training file {file.path}", file.text.splitlines())
    report.next = script("submit_training.py", "--config", args.config, "--fix")
    if report.with_status("fail"):
        return
    prime = _platform(args, progress)
    _price(args, report, file, prime, {})
    if args.validate:
        _validate(report, progress, prime, file)
    if report.with_status("fail"):
        report.next = _change_then(args)
        return
    report.next = script("submit_training.py", "--config", args.config)
    if args.dry_run:
        return ask_first(report, ASK)
    if isinstance(prime, Prime):
        _start(args, report, progress, confirm, prime, file, [], [])


def _platform(args: argparse.Namespace, progress: Progress) -> Prime | Offline:
    """The client, or why it is not asked. A real submission needs it."""
    prime = Prime()
    absent = "prime is not installed"
    if args.dry_run:
        login = read_login()
        if not (prime.executable and login):
            why = f"prime is not logged in: {login.problem}" if prime.executable else absent
            return Offline(f"not asked: {why}")
    elif not prime.executable:
        fix = "install the client: uv tool install prime"
        raise missing(f"{absent}; nothing was sent", fix, id="prime.absent")
    else:
        require_login(result="; nothing was sent")
    progress.note("asking the platform")
    return prime


def _ask_hub(
    args: argparse.Namespace, report: Report, prime: Prime | Offline, named: list[Named]
) -> tuple[list[Trained], Prime | Offline]:
    """The environments as the run would install them. A dry run goes on without the platform."""
    trained = []
    for one in named:
        try:
            found, findings = environments.check_published(prime, one)
        except PrimeError as error:
            if not args.dry_run:
                raise error.lab_error("asking the hub; nothing was sent") from None
            prime = Offline(f"not asked: {error.detail}")
            found, findings = environments.check_published(prime, one)
        trained.append(found)
        report.add(findings)
    return trained, prime


def _validate(
    report: Report, progress: Progress, prime: Prime | Offline, file: TrainingFile
) -> None:
    if isinstance(prime, Prime):
        progress.note(VALIDATING)
    report.add(review.ask_platform(prime, file.path))


def _price(
    args: argparse.Namespace,
    report: Report,
    file: TrainingFile,
    prime: Prime | Offline,
    uses: dict[str, Use],
) -> None:
    """The model and the estimate, with what it assumes."""
    found, why = review.ask_capacity(prime)
    report.add(review.check_model(found, why, file.model))
    asked = str(file.data.get("gpu_type") or "")
    rate, gpu = (
        (args.gpu_price, asked) if args.gpu_price else (found.price(asked) if found else (None, ""))
    )
    priced = estimate(file, rate=rate, gpu=gpu, uses=uses)
    report.facts["cost"] = priced.facts() if priced else None
    report.add(review.check_cost(priced, args.max_cost, why))
    if priced:
        report.section("the estimate", priced.lines())


def _start(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    confirm: Confirm,
    prime: Prime,
    file: TrainingFile,
    trained: list[Trained],
    named: list[Named],
) -> None:
    """The one request: after a yes, and only if it has no run yet."""
    try:
        account = f"{hub.payer(prime)}, {read_login().hub}"
    except PrimeError as error:
        raise error.lab_error("asking whose account pays; nothing was sent") from None
    intent = Intent(file, tuple(trained), account)
    report.section(
        "the request", [intent.name(1), f"account: {account}", *(one.line() for one in trained)]
    )
    if not args.yes:
        ask_yes(file, report.facts["cost"] or {}, confirm)
    progress.note(f"submitting {intent.name(1)}")
    done = send.submit_once(prime, intent, new_run=args.new_run, note=progress.note)
    if done.earlier:
        report.add(send.judge_earlier(done.earlier))
        report.facts["run_id"] = done.earlier.id
    elif done.submitted:
        report.add(send.SUBMITTED.ok(done.submitted.run_id, done.how))
        report.facts["run_id"] = done.submitted.run_id
        if done.submitted.cost_per_hour is not None:
            report.facts["cost"] = {
                **(report.facts["cost"] or {}),
                "usd_per_hour": done.submitted.cost_per_hour,
                "gpu": done.submitted.gpu_type,
            }
    report.next = script("monitor_training.py", report.facts["run_id"])
    if done.submitted:
        forced = {"forced": args.force} if args.force else {}
        for one in named:
            if one.ledger:
                one.ledger.record(report, run_id=done.submitted.run_id, **forced)
    send.reported(intent)
