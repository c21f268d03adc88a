"""Works of submit_training.py that send nothing: convert an old file, fix one, write self-hosted ones."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from lab.command import script
from lab.files import write_whole
from lab.ledger import Ledger
from lab.report import Check, Report, usage
from lab.submission import config, local
from lab.submission.flow import merged
from lab.training.convert import convert
from lab.training.dialects import check_generation, recognise
from lab.training.file import TrainingFile, parse, read
from lab.training.fix import difference, fix
from lab.training.rules import check
from lab.training.selfhosted import SHEET, files, sheet
from lab.training.selfhosted import local as local_plan
from lab.training.write import render

CONVERTED = Check(
    "config.converted",
    title="every key of the old file found its place",
    expected="moved, changed or dropped with a reason; none left to ask about",
    reason="A key that is silently lost changes what is trained.",
    source="prime-rl schema generations",
)
FIXED = Check(
    "config.fixed",
    title="safe repairs are applied",
    expected="the file as its author surely meant it",
    reason="Repairs that need a decision are left to the author.",
    source="",
)


def convert_file(args: argparse.Namespace, report: Report) -> None:
    """Write configs/rl/<name>.toml in today's form, with a note per key."""
    old = read(Path(args.convert))
    generation, signs = recognise(old)
    owner = args.env.split("/")[0] if args.env and "/" in args.env else ""
    done = convert(old, owner=owner)
    file = parse(config.marked(render(done.data)), path=Path("configs") / "rl" / f"{old.path.stem}.toml")
    if file.path.exists() and file.path.resolve() == old.path.resolve():
        file.path = file.path.with_name(f"{old.path.stem}-now.toml")
    report.subject = {"file": str(old.path), "generation": generation.title}
    asked = [note for note in done.notes if note.action == "asked"]
    for note in asked:
        report.add(CONVERTED.warn(note.old, f"{note.old}: {note.reason}", f"decide, and write it into {file.path} if it is still wanted"))
    if not asked:
        report.add(CONVERTED.ok(len(done.notes), f"{generation.title}, told by {', '.join(signs) or 'nothing old'}"))
    report.add(check_generation(file, "-"))
    report.add(merged(check(file, local.known(None, None))))
    report.section("what became of each key", [note.line() for note in done.notes] or ["nothing had to change"])
    config.place(file.path, file.text, args.force)
    report.section(f"training file {file.path}", file.text.splitlines())
    report.facts.update(
        config=str(file.path),
        model=file.model,
        generation=generation.id,
        notes=[{"action": note.action, "old": note.old, "new": note.new, "reason": note.reason} for note in done.notes],
    )
    report.next = script("submit_training.py", "--config", file.path, "--dry-run")


def fix_file(args: argparse.Namespace, report: Report, file: TrainingFile) -> None:
    """Apply the safe repairs in place; what needs a decision stays as findings."""
    slug = args.env or ""
    folder = local.find_folder(slug, args.local) if slug else None
    known = local.known(folder, Ledger(folder) if folder else None)
    repaired, done = fix(file, known)
    report.subject = {"file": str(file.path)}
    if done:
        write_whole(file.path, repaired.text)
        report.add(FIXED.ok(sorted({issue.finding.id for issue in done}), "; ".join(issue.finding.evidence for issue in done)[:600]))
        report.section("difference", difference(file.text, repaired.text, str(file.path)))
    else:
        report.add(FIXED.ok("nothing to repair"))
    report.add(check_generation(repaired, script("submit_training.py", "--convert", file.path)))
    report.add(merged(check(repaired, known)))
    report.facts.update(config=str(file.path), model=repaired.model, repaired=sorted({issue.finding.id for issue in done}))
    report.next = script("submit_training.py", "--config", file.path, "--dry-run")


def self_hosted_files(args: argparse.Namespace, report: Report, slug: str, folder: Path | None, ledger: Ledger | None) -> None:
    """rl.toml, or the three parts, and RUN.md in the folder that was named."""
    target = Path(args.self_hosted)
    if target.exists() and not target.is_dir():
        raise usage(f"--self-hosted {target} is a file", "name a folder", id="input.not_a_folder")
    if args.split and args.nodes > 1:
        raise usage("--split files are started by hand, --nodes goes through SLURM", "choose one of them", id="input.arguments")
    known, measured = local.known(folder, ledger), local.measurements(ledger)
    plan = local_plan(config.make_plan(args, slug, known, measured), nodes=args.nodes, slurm=args.slurm)
    whole = parse(render(plan.tables()), hosted=False)
    report.add(merged(check(whole, known)))
    report.facts.update(model=plan.model)
    texts = {name: config.marked(text) for name, text in files(plan, split=args.split).items()}
    for name, text in texts.items():
        report.section(name, text.splitlines())
    if report.with_status("fail"):
        return
    texts[SHEET] = sheet(plan, split=args.split, folder=str(folder or ""), slug=slug, files=str(target.resolve()), project=str(Path.cwd()), command=script)
    for name, text in texts.items():
        place = target / name
        if name == SHEET and place.exists() and place.read_text(encoding="utf-8") != text and not args.force:
            raise usage(f"{place} exists with other content", "name another folder, or overwrite it with --force REASON", id="input.would_overwrite")
        if name == SHEET:
            write_whole(place, text)
        else:
            config.place(place, text, args.force)
    report.facts.update(config=str(target / next(iter(texts))), files=[str(target / name) for name in texts])
    report.next = f"cat {shlex.quote(str(target / SHEET))}"
