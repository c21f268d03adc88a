# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///
"""Look at a dataset before anything is built on it: which fields hold the prompt and the gold,
what kind of answer it is, which reward fits, what is wrong with the rows, and what they can teach.

    inspect_dataset.py openai/gsm8k main train
    inspect_dataset.py data/train.jsonl --out profile.json
    inspect_dataset.py folder/ --full --html profile.html

DATASET is a hub id, a file (jsonl, json, csv, tsv, parquet, arrow; gz and zst too), a folder, or
a quoted glob. A hub dataset is not downloaded: only its card, footers and first pages are read,
and none of its code is run. Private and gated ones need HF_TOKEN.

The first ten lines say how many different questions there are and everything that is wrong, one
line each. Prompts are compared with each other, and shortcut learners (a fixed answer for each
template, the nearest known prompt, a piece to copy, one word, the options alone) are fitted on
some questions and asked others: on all rows, or on a sample of some thousand questions, as said.

--out writes the profile that new_environment.py takes. Fields that are not sure are questions
to the user, with the candidates; answer them with --prompt-field and --answer-field. --explain
FIELD says why a field was taken for the prompt or the answer, or was not.
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

from lab.cli.command import Command, Progress, script
from lab.cli.report import LabError, Report, usage

SHOWN = 20
"""First rows whose golds and questions the profile carries."""
SHOWN_COLUMNS = 8
"""Columns listed on the terminal page."""
MOST_LINES = 60
FIRST_LINES = 7
"""Lines about what is wrong, so that all of it is within the first ten of the page."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="hub id, file, folder or glob")
    parser.add_argument(
        "config", metavar="CONFIG", nargs="?", help="configuration (hub) or subfolder"
    )
    parser.add_argument(
        "split", metavar="SPLIT", nargs="?", help="split to look at (the training split)"
    )
    parser.add_argument(
        "--rows", type=int, default=200, metavar="N", help="first rows to judge the fields by (200)"
    )
    parser.add_argument(
        "--split", dest="split_flag", metavar="SPLIT", help="the same as SPLIT, without CONFIG"
    )
    parser.add_argument("--revision", metavar="REV", help="commit, tag or branch of a hub dataset")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the whole report as JSON: the profile"
    )
    parser.add_argument(
        "--context", type=int, metavar="TOKENS", help="context length that prompts have to fit into"
    )
    parser.add_argument(
        "--group-size", type=int, default=8, metavar="N", help="rollouts of one task (8)"
    )
    parser.add_argument("--full", action="store_true", help="check every row, not a sample")
    parser.add_argument(
        "--prompt-field", metavar="PATH", help="the prompt's path, when it is known"
    )
    parser.add_argument(
        "--answer-field", metavar="PATH", help="the answer's path, when it is known"
    )
    parser.add_argument(
        "--explain", metavar="FIELD", help="say what spoke for and against this field"
    )


def main(args: argparse.Namespace, report: Report, progress: Progress) -> None:
    from lab.data.checks.benchmarks import benchmark_finding
    from lab.data.checks.source import problem_findings, split_finding
    from lab.data.schema import detect
    from lab.data.schema.profile import facts_of, schema_findings
    from lab.scaffold.snippet import taskset

    if args.rows < 1:
        raise usage(
            f"--rows {args.rows} is not a number of rows", "give 1 or more", id="input.arguments"
        )
    progress.note(f"opening {args.dataset}")
    table = _opened(args)
    schema = detect(
        table.head,
        table.columns,
        table.names,
        prompt_field=args.prompt_field,
        answer_field=args.answer_field,
    )
    report.facts = facts_of(table, schema, SHOWN) | {
        "snippets": {"taskset": taskset(table, schema)}
    }
    report.add(schema_findings(table, schema), split_finding(table), benchmark_finding(table))
    examined = _examined(args, report, progress, table, schema)
    report.add(problem_findings(table))
    report.subject = {
        "dataset": table.dataset,
        "split": table.split,
        "rows": table.rows if table.rows is not None else "not counted",
    }
    if examined is not None:
        within = "" if examined.whole else f" in {examined.scan.rows} rows"
        report.subject["distinct questions"] = f"{examined.scan.distinct}{within}"
    _pages(report, table, schema, examined)
    if args.explain:
        _explain(args.explain, report, table)
    _hand_on(args, report)


def _explain(path: str, report: Report, table) -> None:
    from lab.cli.untrusted import visible
    from lab.data.schema.explain import explained

    lines = explained(table.head, table.columns, table.names, path)
    report.facts["explained"] = {path: lines}
    report.section(f"why {visible(path)}", lines)


def _opened(args: argparse.Namespace):
    """The table; with a hub id also whether the name is an environment on Prime's hub."""
    from lab.data.rows import open_table
    from lab.data.rows.local import find

    asked = None
    if not find(args.dataset) and "/" in args.dataset:
        from lab.platform.prime.known import Asked

        asked = Asked(args.dataset)
    try:
        table = open_table(
            args.dataset,
            args.config,
            args.split_flag or args.split,
            head=args.rows,
            revision=args.revision,
        )
    except LabError as error:
        if error.id == "input.dataset" and asked is not None and asked.answer():
            raise usage(
                f"{args.dataset} is an environment on Prime's hub, not a dataset",
                "evaluate or train on it as it is: "
                + script("run_eval.py", args.dataset, "-m", "MODEL"),
                id="input.environment",
            ) from None
        raise
    if asked is not None and asked.answer():
        table.notes.append(
            f"{args.dataset} is also the name of an environment on Prime's hub: this is the dataset"
        )
    return table


def _examined(args: argparse.Namespace, report: Report, progress: Progress, table, schema):
    """The rows themselves: over a spread sample, or over every row with --full."""
    from lab.data.checks import of_scan
    from lab.data.checks.run import full, sample

    if schema.prompt.path is None and schema.answer.path is None:
        return None
    if args.full:
        scan = full(table, schema, lambda rows: progress.count("rows", rows, table.rows))
        whole = True
    else:
        scan, whole = sample(table, schema)
    examined = of_scan(
        scan, whole=whole, total=table.rows, context=args.context, group=args.group_size
    )
    report.add(examined.findings)
    report.facts.update(examined.facts)
    return examined


def _pages(report: Report, table, schema, examined) -> None:
    """What the page says beside the findings: what was found first, then the rows behind it."""
    from lab.cli.untrusted import block, excerpt, visible
    from lab.data.checks.page import body
    from lab.data.schema.profile import row_lines

    facts = report.facts
    choices = f", choices {visible(facts['choices_field'])}" if facts["choices_field"] else ""
    context = (
        f", context {', '.join(map(visible, facts['context_fields']))}"
        if facts["context_fields"]
        else ""
    )
    found = [
        f"prompt {visible(schema.prompt.path)}, answer {visible(schema.answer.path)}"
        f"{choices}{context}",
        f"answer kind {facts['answer_kind']}, pattern {facts['pattern'] or 'none'}: "
        f"{facts['pattern_reason']}",
        *(f"note: {visible(note)}" for note in table.notes),
    ]
    columns = [
        f"{excerpt(name, 40)}: {excerpt(kind, 70)}"
        for name, kind in list(table.columns.items())[:SHOWN_COLUMNS]
    ]
    if len(table.columns) > SHOWN_COLUMNS:
        columns.append(f"… {len(table.columns) - SHOWN_COLUMNS} more")
    golds = [
        f"[{index}] gold: {excerpt('none' if gold is None else gold, 90)}"
        for index, gold in enumerate(facts["golds"][:3])
    ]
    size = examined.size_line if examined else f"{facts['rows']} rows"
    report.section(size, _first_lines(report))
    report.section("found", found)
    report.section(f"columns ({table.format})", block(columns))
    report.section(
        "first rows, and golds as the reward should compare them",
        block([*row_lines(table.head[:2], most=6), *golds]),
    )
    if examined is not None:
        report.body = body(examined.scan, facts["golds"], facts["questions"])
        if examined.example_lines:
            report.section("rows behind the findings", block(examined.example_lines[:6]))
    _fit(report)


def _first_lines(report: Report) -> list[str]:
    """Everything that is wrong, one line each, so that it is read first."""
    open_ones = [f for f in report.worst_first() if f.status in ("fail", "warn", "inconclusive")]
    if not open_ones:
        return [
            "nothing was found that speaks against training on these rows; whether they are a "
            "benchmark's under another name was not looked at"
        ]
    lines = [f"{f.status.upper()} {f.id}: {f.evidence}" for f in open_ones]
    if len(lines) <= FIRST_LINES:
        return lines
    rest = [f.id for f in open_ones[FIRST_LINES - 1 :]]
    return [*lines[: FIRST_LINES - 1], f"and {', '.join(rest)}: see below"]


def _fit(report: Report) -> None:
    """The terminal page has at most 60 lines: with many findings the sections shrink, the last
    first."""
    from lab.cli.report.terminal import render

    for index in range(len(report.sections) - 1, 0, -1):
        excess = render(report).count("\n") + 3 - MOST_LINES
        if excess <= 0:
            return
        title, lines = report.sections[index]
        kept = max(2, len(lines) - excess - 2)
        report.sections[index] = (
            (title, [*lines[:kept], "  …", lines[-1]]) if len(lines) > 4 else (title, lines)
        )
    while render(report).count("\n") + 3 > MOST_LINES and len(report.sections) > 1:
        report.sections.pop()


def _hand_on(args: argparse.Namespace, report: Report) -> None:
    """Write the profile, and name the next step."""
    from lab.cli.files import write_whole

    name = environment_name(report.facts["dataset"])
    if not args.out:
        report.next = script(
            "inspect_dataset.py",
            *(value for value in (args.dataset, args.config, args.split) if value),
            "--out",
            "profile.json",
        )
        return
    open_fields = [
        f"--{field.replace('_', '-')}"
        for field in ("prompt_field", "answer_field")
        if not _is_sure(report.facts, field)
    ]
    ask = "ask the user what is asked above, then: " if open_fields else ""
    report.next = ask + script(
        "new_environment.py",
        name,
        "--profile",
        args.out,
        *(word for flag in open_fields for word in (flag, "PATH")),
    )
    write_whole(args.out, report.as_json() + "\n")


def _is_sure(facts: dict, field: str) -> bool:
    """The field is found with confidence; otherwise the user names it in the next command."""
    from lab.data.schema import SURE

    return bool(facts[field]) and facts["confidence"][field] >= SURE


SAYS_NOTHING = frozenset(
    "all batch clean cleaned csv data dataset datasets dev download downloads dump eval export "
    "exports file files final home input json jsonl new of out output outputs part raw records "
    "result results root rows sample samples set split table temp test tmp train training val "
    "validation work".split()
)
"""Names of files and folders that say nothing of what is in them."""


def environment_name(dataset: str) -> str:
    """A package name from a hub id or a path: `openai/gsm8k` gives gsm8k, `invoices/export.jsonl`
    invoices. NAME, for the user to choose, where neither says anything."""
    import re

    for part in reversed(Path(dataset).parts[-2:]):
        name = re.sub(r"[^a-z0-9]+", "-", part.split(".")[0].lower()).strip("-")
        words = [word for word in name.split("-") if not word.isdigit()]
        if not SAYS_NOTHING.issuperset(words) and re.fullmatch(r"[a-z][a-z0-9-]{1,48}", name):
            return name
    return "NAME"


COMMAND = Command(__doc__, "inspect_dataset", arguments, main)

if __name__ == "__main__":
    COMMAND.exit()
