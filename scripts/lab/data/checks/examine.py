"""`examine`: items in, findings, facts and the lines of the page out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lab.cli.report import Finding
from lab.cli.untrusted import excerpt
from lab.data.checks import checks_parts, checks_rows, checks_whole
from lab.data.checks.difficulty import GROUP
from lab.data.checks.item import Item
from lab.data.checks.scan import Scan
from lab.data.checks.study import Study

FEW_GOLDS = 12
"""Different golds up to which they may be a closed set, at eight rows for each."""
TEMPLATES_SHOWN = 3
ORDERS_LISTED = 5
"""Rows with orders whose text is on the page; the profile has more."""


NUMBERED = "(rows below are numbered among these)"
"""Of a sample: where it begins in the file is not known."""


@dataclass
class Examined:
    """What was found in the items, and in the held-out ones."""

    study: Study
    whole: bool
    """Every item was read, not a sample of them."""
    total: int | None
    """How many there are in all, where that is known."""
    context: int | None = None
    """Tokens that prompts have to fit into."""

    @property
    def scan(self) -> Scan:
        return self.study.scan

    @cached_property
    def seen(self) -> str:
        rows = self.scan.rows
        if self.whole:
            return f"all {rows} rows"
        return f"{rows} of {self.total} rows" if self.total else f"{rows} sampled rows"

    @cached_property
    def findings(self) -> list[Finding]:
        """One finding for each check of the data."""
        return [
            *checks_whole.findings(self.study, self.seen, self.whole),
            *checks_rows.findings(self.study, self.seen, self.context, whole=self.whole),
            *checks_parts.findings(self.study, self.seen),
        ]

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What the next step reads of it."""
        scan, study = self.scan, self.study
        majority, best = scan.balance(), checks_whole.best_shortcut(study)
        return {
            "rows": self.total if self.total is not None or not self.whole else scan.rows,
            "rows_checked": scan.rows,
            "every_row_checked": self.whole,
            "distinct_questions": scan.distinct,
            "distinct_questions_estimate": None
            if self.whole
            else checks_whole.estimated_distinct(scan, self.total),
            "duplicate_share": round(scan.duplicate_share, 4),
            "prompt_characters": scan.percentiles(),
            "majority_gold": {"gold": majority[0], "share": round(majority[1], 4)}
            if majority
            else None,
            "solve_rates": {column.name: column.facts(study.group) for column in study.rated},
            "templates": self._templates(),
            "shortcuts": [
                {
                    "learner": result.name,
                    "rule": result.rule,
                    "share": round(result.share, 4),
                    "baseline": round(result.baseline, 4),
                    "questions": result.asked,
                }
                for result in study.shortcuts
            ],
            "best_shortcut": best[0].name if best else None,
            "compared": len(scan.sample),
            "orders": {
                "count": scan.counts["orders"],
                # Places in a sample are not places in the dataset.
                "rows": [row for row, _ in scan.ordered] if self.whole else None,
                "examples": [excerpt(text, 200) for _, text in scan.ordered if text],
            },
        }

    def _templates(self) -> dict[str, Any]:
        study, items = self.study, self.study.corpus.items
        groups = study.groups
        return {
            "count": len(groups),
            "share": round(sum(len(own) for _, own, _ in groups) / max(1, len(study.training)), 4),
            "largest": [
                {
                    "text": group.text,
                    "questions": len(own),
                    "share": round(len(own) / max(1, len(study.training)), 4),
                    "golds": len({answer for place in own for answer in items[place].answers}),
                    "held_out_questions": len(held),
                }
                for group, own, held in groups[:TEMPLATES_SHOWN]
            ],
        }

    @cached_property
    def size_line(self) -> str:
        """How much there is to learn from, in one line: `300 rows: 12 distinct questions, …`."""
        scan, study = self.scan, self.study
        estimate = None if self.whole else checks_whole.estimated_distinct(scan, self.total)
        rows = f"{self.total if self.total is not None else scan.rows} rows"
        if estimate is not None:
            questions = (
                f"about {estimate} distinct questions, judged by {scan.rows} rows {NUMBERED}"
            )
        elif not self.whole:
            among = f"the {scan.rows} rows looked at {NUMBERED}"
            questions = f"{scan.distinct} distinct questions in {among}"
        else:
            questions = f"{scan.distinct} distinct questions"
        parts = [questions]
        if study.groups:
            share = self.facts["templates"]["share"]
            number = len(study.groups)
            parts.append(f"{share:.0%} of them in {number} template{'s' * (number > 1)}")
        golds = {answer for item in study.items for answer in item.answers}
        parts.append(f"{len(golds)} distinct golds{' in a sample' * scan.sampled}")
        if scan.held_out:
            distinct = len({item.question_key for item in scan.held_out})
            parts.append(f"held out: {distinct} questions in {len(scan.held_out)} rows")
        return f"{rows}: {', '.join(parts)}"

    @cached_property
    def example_lines(self) -> list[str]:
        """The rows behind the findings, for a marked block."""
        shown = []
        best = checks_whole.best_shortcut(self.study)
        if best and best[1]:
            items = self.study.corpus.items
            for place in best[0].shown:
                item = items[place]
                shown.append(
                    f"row {item.row} (shortcut): {excerpt(item.prompt, 80)} -> "
                    f"{excerpt(item.answer, 30)}"
                )
        for row, text in self.scan.ordered[:ORDERS_LISTED]:
            shown.append(f"row {row} (orders): {excerpt(text, 110)}")
        for kind, (row, text) in self.scan.examples.items():
            if kind == "orders":
                continue
            shown.append(f"row {row} ({kind.replace('_', ' ')}): {excerpt(text, 110)}")
        for group, questions in [*self.study.constant, *self.study.unknowable][:2]:
            shown.append(f"template of {questions} questions: {excerpt(group.text, 110)}")
        return shown


def examine(
    items: Iterable[Item],
    *,
    held_out: Iterable[Item] = (),
    closed: bool | None = None,
    leaks: bool | None = None,
    total: int | None = None,
    context: int | None = None,
    group: int = GROUP,
) -> Examined:
    """Every data check over `items`.

    closed: the golds are letters, labels or truth values; found out from the golds where None.
    leaks: a gold inside its prompt counts; where None, it does unless the golds are closed or the
    items have a context to take them from. total: how many there are, if `items` is a part.
    group: rollouts of one task that are planned.
    """
    known = list(items)
    closed = _closed(known) if closed is None else closed
    if leaks is None:
        leaks = not closed and not any(item.context for item in known)
    scan = Scan(closed=closed, leaks=leaks, held_out=list(held_out))
    scan.extend(known)
    whole = total is None or len(known) >= total
    return Examined(Study(scan, group), whole, len(known) if total is None else total, context)


def of_scan(
    scan: Scan, *, whole: bool, total: int | None, context: int | None = None, group: int = GROUP
) -> Examined:
    """The same of a scan that was made row by row."""
    return Examined(Study(scan, group), whole, total, context)


def _closed(items: list[Item]) -> bool:
    golds = {item.golds[0].strip().casefold() for item in items if item.golds}
    if items and all(item.right is not None for item in items if item.golds):
        return True
    return len(golds) <= FEW_GOLDS and len(items) >= 8 * len(golds)
