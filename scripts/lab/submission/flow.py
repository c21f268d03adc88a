"""submit_training.py, step by step: gates, file, rules, platform, price, one yes, one run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from lab.command import Progress, ask_first, script
from lab.ledger import Ledger
from lab.prime import Prime, PrimeError, read_login
from lab.report import Report, missing, usage
from lab.secrets import masked
from lab.submission import config, local, review, send
from lab.submission.review import Offline
from lab.training import defaults
from lab.training.cost import Use, estimate, tokens_read
from lab.training.dialects import check_generation
from lab.training.file import SLUG, TrainingFile, parse
from lab.training.rules import check
from lab.training.schema import check_schema
from lab.training.sft_rows import check_rows
from lab.training.write import render

Confirm = Callable[[str], "bool | None"]

VALIDATING = "asking the platform's schema (the first time it installs about half a gigabyte)"
ASK = "this spends the user's money: show the training file and the estimate; it asks on a terminal, elsewhere it sends only with --yes, to be added after the user's yes"


def submit(args: argparse.Namespace, report: Report, progress: Progress, confirm: Confirm) -> None:
    """One of the script's four works: convert, fix, self-hosted files, or a submission."""
    chosen = [flag for flag in ("convert", "fix", "self_hosted") if getattr(args, flag)]
    if len(chosen) > 1:
        raise usage(f"--{' and --'.join(chosen).replace('_', '-')} exclude each other", "do one after the other", id="input.arguments")
    if args.fix and not args.config:
        raise usage("--fix repairs a file, and none is named", "add --config FILE", id="input.arguments")
    report.facts = {"config": None, "environment": args.env, "model": None, "cost": None, "run_id": None}
    if args.convert:
        from lab.submission.rewrite import convert_file

        return convert_file(args, report)
    file = None
    if args.config:
        file, args.env = config.open_config(Path(args.config), args.env)
    if args.fix:
        from lab.submission.rewrite import fix_file

        return fix_file(args, report, file)
    if file is not None and file.mode == "sft":
        return _supervised(args, report, progress, confirm, file)
    if args.data:
        raise usage("--data checks the conversations of a supervised file", "add --config FILE with a [data] table", id="input.arguments")
    _ask_what_is_missing(args)
    slug = _slug(args.env)
    folder = local.find_folder(slug, args.local)
    ledger = Ledger(folder) if folder else None
    report.subject = {"environment": slug, "folder": str(folder) if folder else "on the hub only"}
    if ledger:
        report.subject["content_hash"] = ledger.content
    report.facts["environment"] = slug
    if args.self_hosted:
        from lab.submission.rewrite import self_hosted_files

        return self_hosted_files(args, report, slug, folder, ledger)
    model = file.model if file else args.model or defaults.MODEL
    if ledger and folder and not _gates(args, report, ledger, folder, model):
        return None
    return _submission(args, report, progress, confirm, file, slug, folder, ledger)


def _supervised(args: argparse.Namespace, report: Report, progress: Progress, confirm: Confirm, file: TrainingFile) -> None:
    """A supervised file: its own rules and rows; there is no environment, and so no gate."""
    file = config.with_name(file, file.path.stem)
    report.subject = {"file": str(file.path)}
    report.facts.update(config=str(file.path), model=file.model)
    report.add(check_generation(file, "-"))
    report.add(merged(check(file, local.known(None, None))))
    if not args.validate:
        report.add(check_schema(file, None))
    if args.data:
        report.add(check_rows(Path(args.data), file.number("data.seq_len") or 128, tokens_read(file)))
    report.section(f"training file {file.path}", file.text.splitlines())
    report.next = script("submit_training.py", "--config", args.config, "--fix")
    if report.with_status("fail"):
        return
    prime = _platform(args, progress)
    _price(args, report, file, prime, Use())
    if args.validate:
        progress.note(VALIDATING)
        report.add(review.ask_platform(prime, file.path))
    report.next = script("submit_training.py", "--config", args.config)
    if args.dry_run:
        return ask_first(report, ASK)
    if isinstance(prime, Prime) and not report.with_status("fail"):
        _start(args, report, progress, confirm, prime, file, None)


def _ask_what_is_missing(args: argparse.Namespace) -> None:
    """On a terminal the fast path asks for what no flag gave; an empty answer takes the default."""
    if args.yes or args.dry_run or args.config or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for flag, question, default in (
        ("env", "environment on the hub (owner/name)", None),
        ("model", "model to train", defaults.MODEL),
        ("steps", "training steps", defaults.STEPS),
        ("rollouts", "rollouts per task", None),
        ("tokens", "completion tokens per turn", None),
    ):
        if getattr(args, flag) is not None:
            continue
        print(f"{question}{f' [{default}]' if default else ' [measured or default]' if flag != 'env' else ''}: ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip()
        if not answer:
            continue
        if flag in ("steps", "rollouts", "tokens"):
            if not answer.isdigit() or int(answer) < 1:
                raise usage(f"{answer!r} is not a positive number", f"give it by flag: --{flag} N", id="input.arguments")
            setattr(args, flag, int(answer))
        else:
            setattr(args, flag, answer)


def _submission(args: argparse.Namespace, report: Report, progress: Progress, confirm: Confirm, file: TrainingFile | None, slug: str, folder: Path | None, ledger: Ledger | None) -> None:
    known = local.known(folder, ledger)
    measured = local.measurements(ledger)
    if file is None:
        plan = config.make_plan(args, slug, known, measured)
        target = Path("configs") / "rl" / f"{slug.rsplit('/', 1)[-1].split('@', 1)[0]}.toml"
        file = parse(config.marked(render(plan.tables())), path=target)
    file = config.with_name(file, slug)
    report.facts["model"] = file.model
    report.add(check_generation(file, script("submit_training.py", "--convert", file.path)))
    report.add(merged(local.judged(file, folder, known)))
    if not args.validate:
        report.add(check_schema(file, folder))
    if report.with_status("fail"):
        report.section("training file (not written)" if not args.config else "training file", file.text.splitlines())
        if args.config:
            report.next = script("submit_training.py", "--config", args.config, "--fix")
        return
    prime = _platform(args, progress)
    _review(args, report, file, prime, slug, folder, measured)
    report.section(f"training file {file.path}", file.text.splitlines())
    if not args.config:
        config.place(file.path, file.text, args.force)
    report.facts["config"] = str(file.path)
    if args.validate:
        progress.note(VALIDATING)
        report.add(review.ask_platform(prime, file.path))
    if args.dry_run:
        only_simulated = folder and "gate.simulated_only" in {finding.id for finding in report.with_status("warn")}
        report.next = script("run_eval.py", folder, "-m", file.model, "-r", 8) if only_simulated else _command(args, slug)
        return None if only_simulated else ask_first(report, ASK)
    if report.with_status("fail") or isinstance(prime, Offline):
        return
    _start(args, report, progress, confirm, prime, file, ledger)


def _slug(named: str | None) -> str:
    if not named:
        raise usage("which environment? --env is missing", "add --env owner/name, as published on the hub", id="input.environment")
    if not SLUG.fullmatch(named):
        raise usage(f"--env {named!r} is not an environment on the hub", "write it as owner/name; publish a local one first with push_environment.py", id="input.environment")
    return named


def _gates(args: argparse.Namespace, report: Report, ledger: Ledger, folder: Path, model: str) -> bool:
    """The ladder's earlier steps, and a real model behind the evaluation. False stops here."""
    report.add(ledger.gate("submit_training", args.force, script("workflow.py", "next", folder)))
    evaluate = script("run_eval.py", folder, "-m", model, "-r", 8)
    report.add(local.check_real_model(ledger, model, args.force, args.dry_run, evaluate))
    failing = {finding.id for finding in report.with_status("fail")}
    if failing:
        report.next = script("workflow.py", "next", folder) if "gate.earlier_steps" in failing else evaluate
    return not failing


def _platform(args: argparse.Namespace, progress: Progress) -> Prime | Offline:
    """The client, or why it is not asked. A real submission needs it."""
    login, prime = read_login(), Prime()
    if prime.executable and login:
        progress.note("asking the platform")
        return prime
    why = "prime is not installed" if not prime.executable else f"prime is not logged in: {login.problem}"
    if args.dry_run:
        return Offline(f"not asked: {why}")
    fix = "install the client: uv tool install prime" if not prime.executable else "log in on a terminal with `prime login`, or set PRIME_API_KEY"
    raise missing(f"{why}; nothing was sent", fix, id="prime.absent" if not prime.executable else "prime.not_logged_in")


def _review(args: argparse.Namespace, report: Report, file: TrainingFile, prime: Prime | Offline, slug: str, folder: Path | None, measured: dict) -> None:
    try:
        report.add(list(review.check_environment(prime, slug, folder)))
    except PrimeError as error:
        if not args.dry_run:
            raise error.lab_error("asking the hub; nothing was sent") from None
        prime = Offline(f"not asked: {error.detail}")
        report.add(list(review.check_environment(prime, slug, folder)))
    _price(args, report, file, prime, Use.of(measured))


def _price(args: argparse.Namespace, report: Report, file: TrainingFile, prime: Prime | Offline, use: Use) -> None:
    """The model and the estimate, with what it assumes."""
    found, why = review.ask_capacity(prime)
    report.add(review.check_model(found, why, file.model))
    asked = args.gpu_type or str(file.data.get("gpu_type") or "")
    rate, gpu = (args.gpu_price, asked) if args.gpu_price else (found.price(asked) if found else (None, ""))
    priced = estimate(file, rate=rate, gpu=gpu, use=use)
    report.facts["cost"] = priced.facts() if priced else None
    report.add(review.check_cost(priced, args.max_cost, why))
    if priced:
        report.section("the estimate assumes", priced.assumptions)


def _start(args: argparse.Namespace, report: Report, progress: Progress, confirm: Confirm, prime: Prime, file: TrainingFile, ledger: Ledger | None) -> None:
    name = str(file.data["name"])
    receipt = send.Receipt(file.path)
    under_way = None if args.new_run else send.running(prime, name, receipt)
    if under_way is not None:
        report.add(send.SUBMITTED.ok(under_way.id, f"{name} is under way already ({under_way.status}); nothing was sent"))
        report.facts["run_id"] = under_way.id
        report.next = script("monitor_training.py", under_way.id)
        return
    if not args.yes:
        cost = report.facts["cost"] or {}
        price = f", about {cost['usd'][0]:.0f} to {cost['usd'][1]:.0f} USD" if cost.get("usd") else ", at a price that is not known here"
        print(masked(file.text), file=sys.stderr)
        answer = confirm(f"start this run of {file.get('max_steps')} steps{price}?")
        if answer is None:
            raise usage("not confirmed; nothing was sent", "ask the user; after a yes, add --yes", id="input.not_confirmed")
        if not answer:
            raise usage("declined; nothing was sent", "run it again when it is ready", id="input.not_confirmed")
    progress.note(f"submitting {name}")
    submitted, how = send.send(prime, _sendable(file), name, receipt)
    report.facts["run_id"] = submitted.run_id
    if ledger:
        ledger.record(report, run_id=submitted.run_id, **({"forced": args.force} if args.force else {}))
    report.add(send.SUBMITTED.ok(submitted.run_id, f"{name}: {how}"))
    if submitted.cost_per_hour is not None:
        report.facts["cost"] = {**(report.facts["cost"] or {}), "usd_per_hour": submitted.cost_per_hour, "gpu": submitted.gpu_type}
    report.next = script("monitor_training.py", submitted.run_id)
    if ledger:
        ledger.record(report, run_id=submitted.run_id, **({"forced": args.force} if args.force else {}))


def _sendable(file: TrainingFile) -> Path:
    """The file as it is sent; with a name added it is a sibling, so that its relative paths hold."""
    if file.path.read_text(encoding="utf-8") == file.text:
        return file.path
    from lab.files import write_whole

    sibling = file.path.with_name(f".{file.path.stem}.sent.toml")
    write_whole(sibling, file.text)
    return sibling


def merged(issues: list) -> list:
    """The findings of the rules; several passes of one rule become one line."""
    findings, passed = [], {}
    for issue in issues:
        finding = issue.finding
        if finding.status != "pass":
            findings.append(finding)
        elif finding.id not in passed:
            passed[finding.id] = finding
    failing = {finding.id for finding in findings}
    return findings + [finding for id, finding in passed.items() if id not in failing]


def _command(args: argparse.Namespace, slug: str) -> str:
    """The same command without --dry-run; it asks before it sends anything."""
    words: list[object] = ["--env", slug]
    for flag in ("local", "config", "model", "steps", "batch", "rollouts", "tokens", "lora", "tools", "gpu_type", "max_cost", "gpu_price", "new_run", "force"):
        value = getattr(args, flag)
        if value is True:
            words.append(f"--{flag.replace('_', '-')}")
        elif value not in (None, False):
            words += [f"--{flag.replace('_', '-')}", f"{value:.15g}" if isinstance(value, float) else value]
    return script("submit_training.py", *words)
