"""Write an installable environment package from a dataset's profile.

    new_environment.py NAME --profile profile.json
    new_environment.py NAME --profile profile.json --pattern exact_match --into environments
    new_environment.py NAME --pattern numeric          the template with its own few rows

The profile is what inspect_dataset.py wrote with --out. The package (taskset API, verifiers 0.4)
goes to INTO/NAME: taskset, pyproject.toml, README. A hub dataset stays on the hub and is named in
the config; the needed columns of a local file are put into the package, so that they travel.
--prompt-field and --answer-field answer what the profile left open.

Exit codes: 0 written and its tasks load · 1 written, but its tasks do not load ·
2 usage, or the profile leaves a question open · 3 something needed is missing.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0", "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23", "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24", "gitignore-parser>=0.1.12"]
# ///

from __future__ import annotations

import argparse
import json
from itertools import islice
from pathlib import Path
from typing import Any

from lab.command import Command, Progress, script
from lab.report import Check, LabError, Report, usage
from lab.schema import SURE

LOADS = Check(
    "scaffold.tasks_load",
    title="the written package imports and yields tasks",
    expected=">= 1 task",
    reason="A package that does not import here does not import where it is trained.",
    source="verifiers 0.4: an import error is reported as 'taskset not found'",
)
PROFILE_SURE = Check(
    "scaffold.profile_is_sure",
    title="the profile names the prompt and the answer with confidence",
    expected=f"confidence >= {SURE} for each field, or the field given by flag",
    reason="A wrong column makes the whole run worthless, silently.",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the environment's name, for example word-problems")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="what inspect_dataset.py --out wrote")
    parser.add_argument("--pattern", help="template to use (the profile's recommendation)")
    parser.add_argument("--into", type=Path, default=Path("environments"), help="folder for the package (environments)")
    parser.add_argument("--prompt-field", metavar="PATH", help="the field that holds the question")
    parser.add_argument("--answer-field", metavar="PATH", help="the field that holds the gold")
    parser.add_argument("--max-rows", type=int, metavar="N", help="take only the first N rows of a local file")
    parser.add_argument("--force", action="store_true", help="overwrite an existing package of that name")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.scaffold import Scaffold

    profile, facts = _profile(args)
    pattern = args.pattern or facts.get("pattern")
    if not pattern and facts:
        raise usage(
            f"no template fits: {facts.get('pattern_reason') or 'the profile recommends none'}",
            "take the nearest one with --pattern NAME and write its reward by hand: references/environment_guide.md",
            id="input.pattern",
        )
    if not pattern:
        raise usage("neither a profile nor a pattern was given", "give --profile FILE (from inspect_dataset.py --out) or --pattern NAME", id="input.pattern")
    if facts:
        report.add(_sure(args, facts))
        if report.verdict == "fail":
            report.error = usage(report.findings[-1].evidence, report.findings[-1].fix, id="input.open_question")
            return
    if (args.into / args.name.replace("-", "_")).exists() and not args.force:
        raise usage(f"{args.into / args.name.replace('-', '_')} exists already", "choose another name, or overwrite it with --force", id="input.exists")
    scaffold = Scaffold(pattern, args.name, args.into)
    try:
        rows = _fill(scaffold, args, facts, progress) if facts else None
        place = scaffold.finish(args.force)
    except BaseException:
        scaffold.discard()
        raise
    if profile:
        from lab.files import write_whole
        from lab.ledger import FOLDER

        write_whole(place / FOLDER / "profile.json", json.dumps(profile, indent=2) + "\n")
    report.subject = {"environment": str(place), "pattern": pattern, "dataset": facts.get("dataset", "the template's own rows")}
    report.facts = {"environment": str(place.resolve()), "name": scaffold.name, "module": scaffold.module, "pattern": pattern, "rows": rows}
    _load(place, facts, report, progress)
    mend = "mend it as the finding says, then: " if report.verdict == "fail" else ""
    report.next = f"{mend}{script('test_reward.py', place)}"


def _profile(args: argparse.Namespace) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    from lab.files import read_json

    if args.profile is None:
        return None, {}
    profile = read_json(args.profile, "the profile", f"write it with: {script('inspect_dataset.py', 'DATASET', '--out', args.profile)}")
    facts = profile.get("facts") if isinstance(profile, dict) else None
    if not isinstance(facts, dict) or "dataset" not in facts or profile.get("tool") != "inspect_dataset":
        raise usage(
            f"{args.profile} is not a profile of inspect_dataset.py",
            f"write one with: {script('inspect_dataset.py', 'DATASET', '--out', 'profile.json')}",
            id="input.profile",
        )
    return profile, facts


def _sure(args: argparse.Namespace, facts: dict[str, Any]):
    """The prompt and answer fields are known: by confidence, or because the user said so."""
    confidence = facts.get("confidence") or {}
    for flag, field in (("--prompt-field", "prompt_field"), ("--answer-field", "answer_field")):
        given = getattr(args, field)
        if given:
            _settle(facts, field, given)
            confidence[field] = 1.0
        elif not facts.get(field):
            return PROFILE_SURE.fail(0.0, f"the profile names no {field.replace('_', ' ')}", f"ask the user, then give {flag} PATH")
        elif confidence.get(field, 1.0) < SURE:
            return PROFILE_SURE.fail(
                confidence[field],
                f"the profile takes {facts[field]!r} as the {field.replace('_', ' ')} with confidence {confidence[field]:.2f}",
                f"look at the rows with the user, then confirm it with {flag} {facts[field]} or name another",
            )
    return PROFILE_SURE.ok(min(confidence.get("prompt_field", 1.0), confidence.get("answer_field", 1.0)))


FOUND_WITH = {"prompt_field": ("questions",), "answer_field": ("golds", "answer_kind", "labels", "index_base")}
"""What the profile says of a field beside its name; not true of another one."""


def _settle(facts: dict[str, Any], field: str, given: str) -> None:
    """Take the field that the user names. It is no context any more, or the prompt would show the gold."""
    if facts.get(field) != given:
        for name in FOUND_WITH[field]:
            facts.pop(name, None)
    facts[field] = given
    facts["context_fields"] = [path for path in facts.get("context_fields") or [] if path != given]


def _fill(scaffold, args: argparse.Namespace, facts: dict[str, Any], progress: Progress) -> int | None:
    """Defaults, rows, README and description from the profile. Returns the rows put into the package."""
    from lab.scaffold import companions

    local = facts.get("source") == "local"
    values = {
        "dataset": "data/rows.jsonl" if local else facts["dataset"],
        "subset": None if local else facts.get("config"),
        "revision": None if local else facts.get("revision"),
        "train_split": "train" if local else facts.get("train_split") or facts.get("split") or "train",
        "eval_split": None if local else facts.get("eval_split"),
        "question_field": facts["prompt_field"],
        "answer_field": facts["answer_field"],
        **{name: facts[name] for name in ("choices_field", "context_fields", "answer_kind", "labels", "index_base") if facts.get(name) not in (None, "", [])},
    }
    if facts.get("choices_style") == "inside_prompt":
        values["choices_field"] = None
    beside = companions(scaffold.pattern, facts.get("columns") or {}, map(_top_level, (values["question_field"], values["answer_field"])))
    scaffold.set_defaults(values | beside)
    rows = None
    if local:
        from lab.rows import records

        progress.note("putting the dataset's rows into the package")
        named = [_top_level(values["question_field"]), _top_level(values["answer_field"])]
        columns = list(dict.fromkeys([*(facts.get("needed_columns") or []), *named, *filter(None, beside.values())]))
        source = records(facts["dataset"], split=facts.get("split"))
        rows = scaffold.write_rows(islice(source, args.max_rows), columns)
    origin = Path(facts["dataset"]).name if local else facts["dataset"]
    scaffold.set_readme(_dataset_block(facts, values | beside, origin, rows, scaffold.gold()))
    scaffold.set_description(f"{scaffold.pattern.replace('_', ' ').capitalize()} tasks from {origin}.")
    return rows


def _top_level(path: str) -> str:
    """The column that a path starts in: `reward_model.ground_truth` -> `reward_model`."""
    return path.split(",")[0].strip().split(".")[0].split("[")[0]


def _dataset_block(facts: dict[str, Any], values: dict[str, Any], origin: str, rows: int | None, gold: str) -> list[str]:
    from lab.untrusted import excerpt

    held_out = f"split `{values['eval_split']}`" if values["eval_split"] else "those 10 %, by a hash of the question"
    training = f"split `{values['train_split']}`" if values["eval_split"] else "all but 10 % of the questions"
    further = [name for name in values if name.endswith("_field") and name not in ("question_field", "answer_field") and values[name]]
    cells = [
        ("dataset", f"`{origin}`" + (f" ({values['subset']})" if values["subset"] else "") + (f", {rows} rows in this package" if rows else "")),
        ("question", f"field `{values['question_field']}`"),
        *((name.removesuffix("_field"), f"field `{values[name]}`") for name in further),
        *([("context", ", ".join(f"field `{path}`" for path in values["context_fields"]))] if values.get("context_fields") else []),
        ("gold", f"field `{values['answer_field']}`: {gold}"),
        *([("labels", ", ".join(f"`{_code(excerpt(label, 60))}`" for label in values["labels"]))] if values.get("labels") else []),
        ("splits", f"training: {training}; held out: {held_out}"),
    ]
    golds, questions = facts.get("golds") or [], facts.get("questions") or []
    if golds and questions:
        cells.append(("first row", f"`{_code(excerpt(questions[0], 160))}` → `{_code(excerpt(golds[0], 60))}`"))
    return ["| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in cells)]


def _code(text: str) -> str:
    return text.replace("`", "'").replace("|", "\\|")


def _load(place: Path, facts: dict[str, Any], report: Report, progress: Progress) -> None:
    from lab.environment import Environment, locate

    progress.note("loading the tasks of the new package")
    try:
        with Environment(locate(str(place)), examples=1) as env:
            total = env.description.total
            report.facts["tasks"] = total
            if env.description.tasks:
                report.add(LOADS.ok(total if total is not None else "endless"))
                return
            report.add(LOADS.fail(0, "the package imports, but its taskset yields no task", "check the split and the fields in rows.py"))
    except LabError as error:
        report.add(LOADS.fail(None, error.message, error.fix))


COMMAND = Command(__doc__, "new_environment", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
