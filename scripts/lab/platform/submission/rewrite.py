"""Uses of submit_training.py that send nothing: convert an older file, repair one, check one for
own GPUs, or write those for own GPUs."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from lab.cli.command import script
from lab.cli.files import write_whole
from lab.cli.report import Check, Finding, Report, usage
from lab.platform.submission import config, local
from lab.platform.submission.review import merged
from lab.training.convert import Conversion, convert, meant_for_platform
from lab.training.dialects import check_generation, recognise
from lab.training.file import TrainingFile, other_kind, parse, read
from lab.training.fix import difference, fix
from lab.training.model import Plan
from lab.training.rules import Known, check
from lab.training.schema import check_schema
from lab.training.selfhosted import files
from lab.training.selfhosted import local as local_plan
from lab.training.sheet import SHEET, Place, Sheet
from lab.training.write import render

CONVERTED = Check(
    "config.converted",
    title="every key of the old file found its place",
    expected="moved, changed or dropped with a reason; none left to ask about",
    reason="A key that is silently lost changes what is trained.",
    source="prime-rl: schema generations",
)
VALUES = Check(
    "config.values_changed",
    title="the new file has the values of the old one",
    expected="no value changed, or the user agrees",
    reason="A converted file is taken for the same run; another learning rate is another run.",
    source="prime-rl: adapters and all weights take learning rates a factor of ten apart",
)
NUMBERS = "where the numbers come from"
FIXED = Check(
    "config.fixed",
    title="safe repairs are applied",
    expected="the file as its author surely meant it",
    reason="Repairs that need a decision are left to the author.",
    source="training-files: every repair is made and judged again",
)


def convert_file(args: argparse.Namespace, report: Report) -> None:
    """Write the file in today's form (configs/rl/NAME.toml, or --out), with a note per key."""
    old = read(Path(args.convert))
    if kind := other_kind(old.data):
        raise usage(
            f"{old.path} is no training file: {kind}",
            "name an older training file",
            id="input.other_file",
        )
    generation, signs = recognise(old)
    owner = args.env.split("/")[0] if args.env and "/" in args.env else ""
    done = convert(old, owner=owner)
    file = parse(
        config.marked(render(done.data)),
        path=args.out or Path("configs") / "rl" / f"{old.path.stem}.toml",
        hosted=bool(owner) or meant_for_platform(old),
    )
    if not args.out and file.path.exists() and file.path.resolve() == old.path.resolve():
        file.path = file.path.with_name(f"{old.path.stem}-now.toml")
    report.subject = {"file": str(old.path), "generation": generation.title}
    asked = [note for note in done.notes if note.action == "asked"]
    for note in asked:
        report.add(
            CONVERTED.warn(
                note.old,
                f"{note.old}: {note.reason}",
                f"decide, and write it into {file.path} if it is still wanted",
            )
        )
    if not asked:
        report.add(
            CONVERTED.ok(
                len(done.notes), f"{generation.title}: {', '.join(signs) or 'nothing old in it'}"
            )
        )
    report.add(_changed_values(done, file))
    report.add(check_generation(file, "-"))
    report.add(merged(check(file, Known())))
    report.section(
        "what became of each key", [note.line() for note in done.notes] or ["nothing had to change"]
    )
    config.place(file.path, file.text, args.overwrite)
    report.section(f"training file {file.path}", file.text.splitlines())
    report.facts.update(
        config=str(file.path),
        model=file.model,
        generation=generation.id,
        notes=[
            {
                "action": note.action,
                "old": note.old,
                "new": note.new,
                "was": note.was,
                "now": note.now,
                "reason": note.reason,
            }
            for note in done.notes
        ],
    )
    report.next = script("submit_training.py", "--config", file.path, "--dry-run")


def _changed_values(done: Conversion, file: TrainingFile) -> Finding:
    """Each value by which the run would differ, with why."""
    changed = [note for note in done.notes if note.values]
    if not changed:
        return VALUES.ok(0)
    return VALUES.warn(
        len(changed),
        "; ".join(f"{note.new}: {note.values} ({note.reason})" for note in changed),
        f"show it to the user; where the old value is meant, write it into {file.path}",
    )


def fix_file(args: argparse.Namespace, report: Report, file: TrainingFile) -> None:
    """Apply the safe repairs in place; what needs a decision stays as findings."""
    known = local.known_of(_folders(file, args.local))
    repaired, done = fix(file, known)
    report.subject = {"file": str(file.path)}
    if done:
        write_whole(file.path, repaired.text)
        report.add(
            FIXED.ok(
                sorted({issue.finding.id for issue in done}),
                "; ".join(issue.finding.evidence for issue in done)[:600],
            )
        )
        report.section("difference", difference(file.text, repaired.text, str(file.path)))
    else:
        report.add(FIXED.ok("nothing to repair"))
    report.add(check_generation(repaired, script("submit_training.py", "--convert", file.path)))
    report.add(merged(check(repaired, known)))
    report.facts.update(
        config=str(file.path),
        model=repaired.model,
        repaired=sorted({issue.finding.id for issue in done}),
    )
    report.next = script("submit_training.py", "--config", file.path, "--dry-run")


def _folders(file: TrainingFile, named: str | None) -> list[Path]:
    """The folders here of the environments of a file, by the names in it."""
    names = dict.fromkeys(source.id for kind in ("train", "eval") for source in file.sources(kind))
    places = [local.find_folder(name, named)[0] for name in names if name]
    return [place for place in places if place]


def judge_own(args: argparse.Namespace, report: Report, file: TrainingFile) -> None:
    """The user's file as one for own GPUs: its rules and prime-rl's schema; nothing is sent."""
    folders = _folders(file, args.local)
    report.subject = {"file": str(file.path)}
    report.facts.update(config=str(file.path), model=file.model)
    report.add(check_generation(file, script("submit_training.py", "--convert", file.path)))
    issues = local.judged(file, folders, local.known_of(folders))
    report.add(merged(issues))
    report.add(check_schema(file, folders))
    if report.with_status("fail"):
        repairable = any(issue.repair for issue in issues)
        words = ("--config", args.config, "--self-hosted", "--fix")
        report.next = script("submit_training.py", *words) if repairable else ""
        return
    launcher = "sft" if file.mode == "sft" else "rl"
    report.next = f"uv run {launcher} @ {shlex.quote(str(Path(args.config).resolve()))} --dry-run"


def self_hosted_files(args: argparse.Namespace, report: Report, wanted: config.Expanded) -> None:
    """The files and RUN.md in the folder that was named."""
    target = Path(args.self_hosted)
    if target.exists() and not target.is_dir():
        raise usage(f"--self-hosted {target} is a file", "name a folder", id="input.not_a_folder")
    if args.split and args.nodes > 1:
        raise usage(
            "--split files are started by hand, --nodes goes through SLURM",
            "choose one of them",
            id="input.arguments",
        )
    report.subject = {
        "environment": ", ".join(wanted.places),
        "folder": ", ".join(map(str, wanted.folders)) or "on the hub only",
    }
    report.facts["environment"] = next(iter(wanted.places))
    report.section(NUMBERS, wanted.made.words)
    plan, known = local_plan(wanted.made.plan, nodes=args.nodes, slurm=args.slurm), wanted.known
    whole = parse(render(plan.tables()), hosted=False)
    report.add(merged(check(whole, known)))
    report.facts.update(model=plan.model)
    texts = {name: config.marked(text) for name, text in files(plan, split=args.split).items()}
    for name, text in texts.items():
        report.section(name, text.splitlines())
    if report.with_status("fail"):
        return
    texts[SHEET] = _sheet(args, plan, wanted, target)
    for name, text in texts.items():
        place = target / name
        if name != SHEET:
            config.place(place, text, args.overwrite)
            continue
        other = place.exists() and place.read_text(encoding="utf-8") != text
        if other and not args.overwrite:
            raise usage(
                f"{place} exists with other content",
                "name another folder, or replace it with --overwrite",
                id="input.would_overwrite",
            )
        write_whole(place, text)
    report.facts.update(
        config=str(target / next(iter(texts))), files=[str(target / name) for name in texts]
    )
    report.next = f"cat {shlex.quote(str(target / SHEET))}"


def _sheet(args: argparse.Namespace, plan: Plan, wanted: config.Expanded, target: Path) -> str:
    places = (Place(slug, str(folder or "")) for slug, folder in wanted.places.items())
    return Sheet(
        plan, args.split, tuple(places), str(target.resolve()), str(Path.cwd()), script
    ).text()
