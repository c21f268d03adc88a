"""The terminal page of a report: same words and marks in every script, readable without colour.

Whatever the report holds, the page has printable characters only: what a terminal would act on
is made visible here, at the last place that all text passes.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections import Counter
from typing import Any, TextIO

from lab.cli.report.model import Finding, Report
from lab.cli.secrets import masked
from lab.cli.untrusted import visible

WIDTH = 100
"""Columns at which prose is wrapped where there is no terminal, or a wider one."""

MOST_ROWS = 16
"""With more findings than this, those that pass or are skipped for one reason share a few lines;
--json has them all."""

MOST_NAMES = 20
"""A line that more checks share gives their number: --json has the names."""

MOST_REASONS = 4
"""More skipped checks than this, with a reason of its own each, share a line too."""

WORDS = {
    "pass": "pass",
    "warn": "WARN",
    "fail": "FAIL",
    "skip": "skip",
    "inconclusive": "inconclusive",
}
COLOURS = {
    "pass": "32",
    "warn": "33",
    "fail": "31;1",
    "skip": "2",
    "inconclusive": "33",
    "error": "31;1",
    "rehearsed": "36",
}


def use_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def number(value: Any) -> str:
    """A measured value, short: floats to three significant digits, the rest as it is."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "-"}[value]
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {number(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(number(item) for item in value)
    return str(value)


def render(report: Report, stream: TextIO | None = None) -> str:
    """The whole page as text. Paths and commands are never wrapped; prose is, at 100 columns or the
    width of a narrower terminal."""
    if report.plain and report.error is None:
        return "\n".join(visible(line) for line in masked(report.plain).splitlines())
    stream = stream or sys.stdout
    colour = use_colour(stream)
    columns = max(40, min(WIDTH, shutil.get_terminal_size().columns)) if stream.isatty() else WIDTH

    def paint(text: str, status: str) -> str:
        return f"\033[{COLOURS[status]}m{text}\033[0m" if colour else text

    subject = " · ".join(
        visible(f"{key} {number(value)}")
        for key, value in report.subject.items()
        if not key.endswith("hash")
    )
    lines = [f"{report.tool}  {subject}".rstrip()]
    for title, body in report.sections:
        lines += ["", visible(title), *("  " + visible(line) for line in body)]
    if report.findings:
        lines += ["", *(_rows(report.worst_first(), paint, columns))]
    if report.error is not None:
        lines += [
            "",
            paint(visible(f"error: {report.error.message}"), "error"),
            visible(f"  fix: {report.error.fix}"),
        ]
    elif report.findings:
        lines += ["", "verdict: " + paint(verdict_line(report), report.verdict)]
    if report.next and report.error is None:
        lines.append(visible(f"next: {report.next}"))
    return "\n".join(map(masked, lines))


def verdict_line(report: Report) -> str:
    """The verdict, with what it means where the word alone does not say it."""
    meaning = {
        "inconclusive": " (not enough data to say)",
        "rehearsed": f" ({report.rehearsed}, so nothing has passed; by its findings alone it "
        f"would be: {report.reaction})",
    }
    return report.verdict + meaning.get(report.verdict, "")


def _rows(findings: list[Finding], paint: Any, columns: int) -> list[str]:
    width = max(len(f.id) for f in findings)
    mark = max(len(WORDS[f.status]) for f in findings)
    folded = _folded(findings) if len(findings) > MOST_ROWS else {}
    out = []
    for f in findings:
        if f.id in folded:
            continue
        label = f"  {paint(WORDS[f.status].ljust(mark), f.status)}  {f.id.ljust(width)}"
        out.append(f"{label}  {_measured(f)}".rstrip())
        if f.status in ("fail", "warn", "inconclusive"):
            out += _explained(f, columns)
    for reason in dict.fromkeys(folded.values()):
        ids = [f.id for f in findings if folded.get(f.id) == reason]
        status, because = ("skip", f" ({reason})") if reason else ("pass", "")
        label = f"  {paint(WORDS[status], status)}  {len(ids)} checks{because}"
        if len(ids) > MOST_NAMES:
            out.append(f"{label}; --json names them")
        else:
            out += _wrapped(f"{label}: ", ", ".join(ids), columns, indent=8)
    return out


def _measured(f: Finding) -> str:
    """What was measured and what is expected; of a check that did not run, why."""
    measured = "" if f.measured is None else visible(number(f.measured))
    if f.status == "skip":
        return measured or visible(f.evidence)
    expected = f"expected {f.expected}" if f.expected else ""
    severity = f" [{f.severity}]" if f.severity and f.status in ("fail", "warn") else ""
    return "   ".join(filter(None, (measured, expected))) + severity


def _explained(f: Finding, columns: int) -> list[str]:
    """Evidence, and the fix on one line: it may hold a command to paste."""
    lines = _wrapped("        evidence: ", visible(f.evidence), columns) if f.evidence else []
    return [*lines, visible(f"        fix: {f.fix}")] if f.fix else lines


def _folded(findings: list[Finding]) -> dict[str, str]:
    """Checks that share a line, with the reason they share: those that pass ("" as the reason),
    those that were skipped for the same reason, and those with a reason of their own if they are
    many."""
    skipped = [f for f in findings if f.status == "skip"]
    reasons = Counter(f.evidence for f in skipped)
    shared = {f.id: visible(f.evidence) for f in skipped if reasons[f.evidence] > 1}
    alone = [f.id for f in skipped if f.id not in shared]
    if len(alone) > MOST_REASONS:
        shared |= dict.fromkeys(alone, "each for a reason of its own")
    return {**shared, **{f.id: "" for f in findings if f.status == "pass"}}


def _wrapped(label: str, text: str, columns: int, indent: int | None = None) -> list[str]:
    """Prose at `columns`; a long word (a path, a command) stays whole on its line."""
    return textwrap.wrap(
        text,
        width=columns,
        initial_indent=label,
        subsequent_indent=" " * (len(label) if indent is None else indent),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [label]
