"""Write an installable environment package from a dataset's profile.

    new_environment.py NAME --profile profile.json
    new_environment.py NAME --profile profile.json --pattern exact_match --into environments
    new_environment.py NAME --pattern numeric          the template with its own few rows

The profile is what inspect_dataset.py wrote with --out. The package (taskset API, verifiers 0.4)
goes to INTO/NAME: taskset, pyproject.toml, README, and contract.toml, which says what the reward
pays and is what test_reward.py holds it to. A hub dataset stays on the hub and is named in the
config; the needed columns of a local file are put into the package.
--prompt-field and --answer-field answer what the profile left open.

Rows without a usable gold, repeated questions and questions with contradictory golds are left out,
and part of the questions is held out (whole templates, where there are enough of them). What was
done is printed, is said in the package's README, and is kept row by row in its data/selection.json.
--leave-out names further rows, such as those with orders to an agent.
--keep-all takes every row; so does `selection = None` in the package's configuration, later.

Exit codes: 0 written and its tasks load · 1 written, but its tasks do not load ·
2 usage, or the profile leaves a question open · 3 something needed is missing.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from lab.cli.command import Command, Progress, script
from lab.cli.report import Check, LabError, Report, usage

LOADS = Check(
    "scaffold.tasks_load",
    title="the written package imports and yields tasks",
    expected=">= 1 task",
    reason="A package that does not import here does not import where it is trained.",
    source="verifiers: an import error is reported as 'taskset not found'",
)
LICENSE = "Apache-2.0"
"""The licence of the templates, and so of what is made from them."""
NO_LICENSE = "licence of these rows: not known; ask the user before publishing, say it in README.md"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME", help="the environment's name, for example word-problems"
    )
    parser.add_argument(
        "--profile", type=Path, metavar="FILE", help="what inspect_dataset.py --out wrote"
    )
    parser.add_argument("--pattern", help="template to use (the profile's recommendation)")
    parser.add_argument(
        "--into",
        type=Path,
        default=Path("environments"),
        help="folder for the package (environments)",
    )
    parser.add_argument("--prompt-field", metavar="PATH", help="the field that holds the question")
    parser.add_argument("--answer-field", metavar="PATH", help="the field that holds the gold")
    parser.add_argument(
        "--max-rows", type=int, metavar="N", help="take only the first N rows of a local file"
    )
    parser.add_argument(
        "--format-reward",
        type=_form_weight,
        metavar="W",
        help="what the right form alone earns beside 1 for the answer (what the template says, "
        "0.125 or 0.25); 0 pays the right answer and nothing else",
    )
    parser.add_argument(
        "--license",
        metavar="SPDX",
        default=LICENSE,
        help=f"the licence of the package ({LICENSE}); its rows keep that of the dataset",
    )
    parser.add_argument(
        "--keep-all",
        action="store_true",
        help="take every row: leave no repeat, contradiction or row without a gold out",
    )
    parser.add_argument(
        "--leave-out",
        metavar="ROWS",
        help="leave these rows out too: numbers (1,5,9-12; the first row is 0), a file of numbers, "
        "or the profile, for the rows that inspect_dataset.py found orders to an agent in",
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace an existing package of that name"
    )


def _form_weight(text: str) -> float:
    from lab.scaffold.form_reward import form_weight

    return form_weight(text)


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.cli.files import write_whole
    from lab.ledger.records import FOLDER, Ledger
    from lab.scaffold import Scaffold
    from lab.scaffold.profile import read_profile, settled

    profile, facts = read_profile(args.profile) if args.profile else (None, {})
    _leave_out_has_rows(args, facts)
    pattern = args.pattern or facts.get("pattern")
    if not pattern and facts:
        raise usage(
            f"no template fits: {facts.get('pattern_reason') or 'the profile recommends none'}",
            "take the nearest one with --pattern NAME and write its reward by hand: "
            "references/environment_guide.md",
            id="input.pattern",
        )
    if not pattern:
        raise usage(
            "neither a profile nor a pattern was given",
            "give --profile FILE (from inspect_dataset.py --out) or --pattern NAME",
            id="input.pattern",
        )
    if facts:
        named = {"prompt_field": args.prompt_field, "answer_field": args.answer_field}
        report.add(settled(facts, named))
        if report.verdict == "fail":
            report.error = usage(
                report.findings[-1].evidence, report.findings[-1].fix, id="input.open_question"
            )
            return
    if (args.into / args.name.replace("-", "_")).exists() and not args.overwrite:
        raise usage(
            f"{args.into / args.name.replace('-', '_')} exists already",
            "choose another name, or replace it with --overwrite",
            id="input.exists",
        )
    scaffold = Scaffold(pattern, args.name, args.into)
    try:
        scaffold.set_license(args.license)
        if args.format_reward is not None:
            scaffold.set_form_reward(args.format_reward)
        rows = _fill(scaffold, args, facts, report, progress) if facts else None
        if profile:
            kept = scaffold.folder / FOLDER / "profile.json"
            write_whole(kept, json.dumps(profile, indent=2) + "\n")
        place = scaffold.finish(args.overwrite)
    finally:
        scaffold.discard()
    if profile:
        Ledger(place).register()
    report.subject = {
        "environment": str(place),
        "pattern": pattern,
        "dataset": facts.get("dataset", "the template's own rows"),
    }
    report.facts |= {
        "environment": str(place.resolve()),
        "name": scaffold.name,
        "module": scaffold.module,
        "pattern": pattern,
        "rows": rows,
    }
    _load(place, facts, report, progress)
    mend = "mend it as the finding says, then: " if report.verdict == "fail" else ""
    report.next = f"{mend}{script('test_reward.py', place)}"


def _leave_out_has_rows(args: argparse.Namespace, facts: dict[str, Any]) -> None:
    if args.leave_out and (args.keep_all or not facts):
        raise usage(
            "--leave-out has no meaning "
            + ("beside --keep-all" if args.keep_all else "without a profile"),
            "leave one of them out" if args.keep_all else "add --profile FILE",
            id="input.leave_out",
        )


def _fill(
    scaffold, args: argparse.Namespace, facts: dict[str, Any], report: Report, progress: Progress
) -> int | None:
    """Defaults, rows, README and description from the profile. Returns the rows put into the
    package."""
    from lab.answers.kinds import type_of_golds
    from lab.scaffold import companions, contract
    from lab.scaffold.readme import dataset_block

    local = facts.get("source") == "local"
    values = _values(facts, local)
    beside = companions(
        scaffold.pattern,
        facts.get("columns") or {},
        map(_top_level, (values["question_field"], values["answer_field"])),
    )
    named = [_top_level(values["question_field"]), _top_level(values["answer_field"])]
    columns = [*(facts.get("needed_columns") or []), *named, *filter(None, beside.values())]
    rows, chosen = _rows(scaffold, args, facts, list(dict.fromkeys(columns)), report, progress)
    if chosen is not None and not local and chosen.held_out:
        values["eval_split"] = None  # its own held-out split is too small to measure on
    if chosen is not None and chosen.held_out:
        values["eval_share"] = round(chosen.held_share, 3)
    if "instruction" in scaffold.set_defaults(values | beside):
        said = f"{values['instruction']} (the rows ask nothing; change it: `instruction` in"
        report.section("every task says", [f"{said} {scaffold.module}/taskset.py)"])
    else:
        values.pop("instruction", None)
    answer_type = type_of_golds(facts.get("answer_kind"), facts.get("golds") or [])
    contract.of_dataset(scaffold.folder, values.get("labels") or [], answer_type)
    origin = Path(facts["dataset"]).name if local else facts["dataset"]
    scaffold.set_readme(
        dataset_block(facts, values | beside, origin, scaffold.gold(), rows, chosen)
    )
    scaffold.set_description(
        f"{scaffold.pattern.replace('_', ' ').capitalize()} tasks from {origin}."
    )
    return rows


def _values(facts: dict[str, Any], local: bool) -> dict[str, Any]:
    """The template's configuration, as the profile says."""
    from lab.scaffold.checks import BUNDLED
    from lab.scaffold.instruction import instruction

    values = {
        "dataset": BUNDLED if local else facts["dataset"],
        "subset": None if local else facts.get("config"),
        "revision": None if local else facts.get("revision"),
        "train_split": "train"
        if local
        else facts.get("train_split") or facts.get("split") or "train",
        "eval_split": None if local else facts.get("eval_split"),
        "question_field": facts["prompt_field"],
        "answer_field": facts["answer_field"],
        **{
            name: facts[name]
            for name in ("choices_field", "context_fields", "answer_kind", "labels", "index_base")
            if facts.get(name) not in (None, "", [])
        },
    }
    if asked := instruction(facts):
        values["instruction"] = asked
    if facts.get("choices_style") == "inside_prompt":
        values["choices_field"] = None
    return values


def _rows(
    scaffold,
    args: argparse.Namespace,
    facts: dict[str, Any],
    columns: list[str],
    report: Report,
    progress: Progress,
) -> tuple[int | None, Any]:
    """The dataset's rows, put into the package where it is local, and which of them are taken."""
    from lab.scaffold.checks import BUNDLED, ROWS, chosen_rows, keys
    from lab.scaffold.left_out import check_places, named_rows
    from lab.scaffold.rows import MOST, DatasetSource, choose

    source = DatasetSource(facts, args.max_rows)
    if args.keep_all and not source.local:
        report.add(ROWS.skip("--keep-all: every row is taken"))
        return None, None
    progress.note("reading the dataset's rows")
    table = source.table()
    named = named_rows(args.leave_out) if args.leave_out else set()
    if source.too_many(table):
        if named:
            raise usage(
                f"--leave-out needs the rows to be read, and there are more than {MOST}",
                "take a part of the dataset as a local file",
                id="input.leave_out",
            )
        report.add(ROWS.skip(f"more than {MOST} rows on the hub are taken as they are"))
        return None, None
    rows, own = source.rows(table)
    check_places(named, len(rows))
    count = scaffold.write_rows(rows, columns) if source.local else None
    if source.local:
        report.add(keys(scaffold.keyed))
    if args.keep_all:
        report.add(ROWS.skip("--keep-all: every row is taken"))
        return count, None
    chosen = choose(source, table, rows, own, named)
    scaffold.write_data(
        "selection.json", chosen.as_dict(BUNDLED if source.local else facts["dataset"])
    )
    others = [*_not_taken(facts, columns), NO_LICENSE] if source.local else []
    report.section("rows", [*chosen.rule, *others])
    report.facts["selection"] = {
        "left_out": {why: len(places) for why, places in chosen.left_out.items()},
        "kept": chosen.kept,
        "held_out": len(chosen.held_out),
        "split_by": chosen.split_by,
    }
    report.add(chosen_rows(chosen))
    return count, chosen


def _not_taken(facts: dict[str, Any], columns: list[str]) -> list[str]:
    """One line on the columns of a local file that the package does not have."""
    from lab.cli.untrusted import excerpt

    others = [name for name in facts.get("columns") or {} if name not in columns]
    if not others:
        return []
    return [f"columns left out: {excerpt(', '.join(map(str, others)), 160)}"]


def _top_level(path: str) -> str:
    """The column that a path starts in: `reward_model.ground_truth` -> `reward_model`."""
    return path.split(",")[0].strip().split(".")[0].split("[")[0]


def _load(place: Path, facts: dict[str, Any], report: Report, progress: Progress) -> None:
    from lab.environment import Environment, locate
    from lab.scaffold import contract

    progress.note("loading the tasks of the new package")
    try:
        with Environment(locate(str(place)), examples=1, first=True) as env:
            total = env.description.total
            report.facts["tasks"] = total
            if env.description.tasks:
                contract.add_examples(place, env.description.tasks[0])
                report.add(LOADS.ok(total if total is not None else "endless"))
                return
            report.add(
                LOADS.fail(
                    0,
                    "the package imports, but its taskset yields no task",
                    "check the split and the fields in rows.py",
                )
            )
    except LabError as error:
        report.add(LOADS.fail(None, error.message, error.fix))


COMMAND = Command(__doc__, "new_environment", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
