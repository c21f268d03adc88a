# /// script
# requires-python = ">=3.11,<3.15"
# dependencies = ["verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0", "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23", "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24", "gitignore-parser>=0.1.12"]
# ///
"""Look at a dataset before anything is built on it: which fields hold the prompt and the gold,
what kind of answer it is, which reward fits, and what is wrong with the rows.

    inspect_dataset.py openai/gsm8k main train
    inspect_dataset.py data/train.jsonl --out profile.json
    inspect_dataset.py folder/ --full --html profile.html

DATASET is a hub id, a file (jsonl, json, csv, tsv, parquet, arrow; gz and zst too), a folder, or
a quoted glob. A hub dataset is not downloaded: only its card, footers and first pages are read,
and none of its code is run. Private and gated ones need HF_TOKEN.

--out writes the profile that new_environment.py takes. Fields that are not sure are questions
to the user, with the candidates; answer them with --prompt-field and --answer-field.
Text out of the rows is data, whatever it says; it stands in marked blocks, with control
characters made visible.

Exit codes: 0 passed (warnings allowed) · 1 a check failed · 2 usage, or input that is not what
it should be · 3 something needed is missing (login, network, package) · 4 inconclusive.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from lab.command import Command, Progress, script
from lab.report import LabError, Report, usage

SHOWN = 20
"""First rows whose golds and questions the profile carries."""
SHOWN_COLUMNS = 8
"""Columns listed on the terminal page."""
MOST_LINES = 60


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="hub id, file, folder or glob")
    parser.add_argument("config", metavar="CONFIG", nargs="?", help="configuration (hub) or subfolder")
    parser.add_argument("split", metavar="SPLIT", nargs="?", help="split to look at (the training split)")
    parser.add_argument("--rows", type=int, default=200, metavar="N", help="first rows to judge the fields by (200)")
    parser.add_argument("--split", dest="split_flag", metavar="SPLIT", help="the same as SPLIT, without CONFIG")
    parser.add_argument("--revision", metavar="REV", help="commit, tag or branch of a hub dataset")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the whole report as JSON: the profile")
    parser.add_argument("--context", type=int, metavar="TOKENS", help="context length that prompts have to fit into")
    parser.add_argument("--full", action="store_true", help="check every row, not a sample")
    parser.add_argument("--prompt-field", metavar="PATH", help="the prompt's path, when it is known")
    parser.add_argument("--answer-field", metavar="PATH", help="the answer's path, when it is known")


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.schema import detect
    from lab.schema.profile import facts_of, problem_findings, schema_findings, split_finding

    if args.rows < 1:
        raise usage(f"--rows {args.rows} is not a number of rows", "give 1 or more", id="input.arguments")
    progress.note(f"opening {args.dataset}")
    table = _opened(args)
    schema = detect(table.head, table.columns, table.names, prompt_field=args.prompt_field, answer_field=args.answer_field)
    report.facts = facts_of(table, schema, SHOWN)
    report.add(schema_findings(table, schema), split_finding(table))
    scan = _hygiene(args, report, progress, table, schema)
    report.add(problem_findings(table))
    report.subject = {"dataset": table.dataset, "split": table.split, "rows": table.rows if table.rows is not None else "not counted"}
    _pages(report, table, schema, scan)
    _hand_on(args, report)


def _opened(args: argparse.Namespace):
    """The table; with a hub id also whether the name is an environment on Prime's hub."""
    from lab.rows import open_table
    from lab.rows.local import find

    asked = None
    if not find(args.dataset) and "/" in args.dataset:
        from lab.prime.known import Asked

        asked = Asked(args.dataset)
    try:
        table = open_table(args.dataset, args.config, args.split_flag or args.split, head=args.rows, revision=args.revision)
    except LabError as error:
        if error.id == "input.dataset" and asked is not None and asked.answer():
            raise usage(
                f"{args.dataset} is an environment on Prime's hub, not a dataset",
                f"evaluate or train on it as it is: {script('run_eval.py', args.dataset, '-m', 'MODEL')}",
                id="input.environment",
            ) from None
        raise
    if asked is not None and asked.answer():
        table.notes.append(f"{args.dataset} is also the name of an environment on Prime's hub: this is the dataset")
    return table


def _hygiene(args: argparse.Namespace, report: Report, progress: Progress, table, schema):
    """The rows themselves: over a spread sample, or over every row with --full."""
    from lab import hygiene
    from lab.hygiene.checks import estimated_distinct, hidden_golds, solve_rate_findings

    if schema.prompt.path is None and schema.answer.path is None:
        return None
    if args.full:
        scan, sizes, held = hygiene.full(table, schema, lambda rows: progress.count("rows", rows, table.rows))
        whole = True
    else:
        scan, whole, sizes, held = hygiene.sample(table, schema)
    report.add(hygiene.findings(scan, whole=whole, total=table.rows, context=args.context, held_out=held, held_sizes=sizes))
    rated, rates = solve_rate_findings(schema.rates, table.head)
    report.add(rated)
    majority = scan.balance()
    if scan.held_rows:
        report.add(hidden_golds(scan))
    report.facts.update(
        rows=table.rows if table.rows is not None or not whole else scan.rows,
        rows_checked=scan.rows,
        every_row_checked=whole,
        distinct_questions=scan.distinct,
        distinct_questions_estimate=None if whole else estimated_distinct(scan, table.rows),
        duplicate_share=round(scan.duplicate_share, 4),
        prompt_characters=scan.percentiles(),
        majority_gold={"gold": majority[0], "share": round(majority[1], 4)} if majority else None,
        solve_rates=rates,
    )
    return scan


def _pages(report: Report, table, schema, scan) -> None:
    """What the page says beside the findings: what was found first, then the rows behind it."""
    from lab.hygiene.checks import example_lines
    from lab.hygiene.page import body
    from lab.schema.profile import row_lines
    from lab.untrusted import block, excerpt, visible

    facts = report.facts
    choices = f", choices {visible(facts['choices_field'])}" if facts["choices_field"] else ""
    context = f", context {', '.join(map(visible, facts['context_fields']))}" if facts["context_fields"] else ""
    found = [
        f"prompt {visible(schema.prompt.path)}, answer {visible(schema.answer.path)}{choices}{context}",
        f"answer kind {facts['answer_kind']}, pattern {facts['pattern'] or 'none'}: {facts['pattern_reason']}",
        *(f"note: {visible(note)}" for note in table.notes),
    ]
    columns = [f"{excerpt(name, 40)}: {excerpt(kind, 70)}" for name, kind in list(table.columns.items())[:SHOWN_COLUMNS]]
    if len(table.columns) > SHOWN_COLUMNS:
        columns.append(f"… {len(table.columns) - SHOWN_COLUMNS} more")
    golds = [f"[{index}] gold: {excerpt('none' if gold is None else gold, 90)}" for index, gold in enumerate(facts["golds"][:3])]
    report.section("found", found)
    report.section(f"columns ({table.format})", block(columns))
    report.section("first rows, and golds as the reward should compare them", block([*row_lines(table.head[:2], most=6), *golds]))
    if scan is not None:
        report.body = body(scan, facts["golds"], facts["questions"])
        if scan.examples:
            report.section("rows behind the findings", block(example_lines(scan, 4)))
    _fit(report)


def _fit(report: Report) -> None:
    """The terminal page has at most 60 lines: with many findings the sections shrink by what is too much, the last first."""
    from lab.report.terminal import render

    for index in range(len(report.sections) - 1, 0, -1):
        excess = render(report).count("\n") + 3 - MOST_LINES
        if excess <= 0:
            return
        title, lines = report.sections[index]
        kept = max(2, len(lines) - excess - 2)
        report.sections[index] = (title, [*lines[:kept], "  …", lines[-1]]) if len(lines) > 4 else (title, lines)
    while render(report).count("\n") + 3 > MOST_LINES and len(report.sections) > 1:
        report.sections.pop()


def _hand_on(args: argparse.Namespace, report: Report) -> None:
    """Write the profile, and name the next step."""
    from lab.files import write_whole

    name = environment_name(report.facts["dataset"])
    if not args.out:
        report.next = script("inspect_dataset.py", *(value for value in (args.dataset, args.config, args.split) if value), "--out", "profile.json")
        return
    open_fields = [f"--{field.replace('_', '-')}" for field in ("prompt_field", "answer_field") if not _is_sure(report.facts, field)]
    report.next = script("new_environment.py", name, "--profile", args.out, *(word for flag in open_fields for word in (flag, "PATH")))
    try:
        write_whole(args.out, report.as_json() + "\n")
    except OSError as error:
        raise usage(f"the profile cannot be written to {args.out}: {error.strerror}", "give another place with --out", id="input.out") from None


def _is_sure(facts: dict, field: str) -> bool:
    """The field is found with confidence; otherwise the user names it in the next command."""
    from lab.schema import SURE

    return bool(facts[field]) and facts["confidence"][field] >= SURE


def environment_name(dataset: str) -> str:
    """A package name from a hub id or a path: `openai/gsm8k` gives gsm8k."""
    import re

    last = dataset.rstrip("/").rsplit("/", 1)[-1].split(".")[0]
    return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-") or "my-env"


COMMAND = Command(__doc__, "inspect_dataset", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
