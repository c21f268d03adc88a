"""The pictures of the HTML page: prompt lengths, balance of the golds, and sample rows."""

from __future__ import annotations

import html
from typing import Any

from lab.hygiene.scan import Scan
from lab.report.page import text
from lab.untrusted import excerpt

WIDTH, HEIGHT = 640, 140


def body(scan: Scan, golds: list[Any], questions: list[str]) -> str:
    """Trusted HTML: everything out of the rows is escaped and bounded."""
    parts = [_histogram(scan.lengths), _balance(scan), _samples(golds, questions)]
    return "".join(part for part in parts if part)


def _histogram(lengths: list[int]) -> str:
    if not lengths:
        return ""
    top = sorted(lengths)[min(len(lengths) - 1, int(0.99 * len(lengths)))] or 1
    bins = [0] * 40
    for size in lengths:
        bins[min(39, size * 40 // (top + 1))] += 1
    tallest, step = max(bins) or 1, WIDTH / 40
    bars = "".join(
        f'<rect x="{index * step:.1f}" y="{HEIGHT - count / tallest * HEIGHT:.1f}" width="{step - 1:.1f}" height="{count / tallest * HEIGHT:.1f}" fill="currentColor" opacity=".6"/>'
        for index, count in enumerate(bins)
    )
    return (
        f'<h2>Prompt lengths</h2><svg viewBox="0 0 {WIDTH} {HEIGHT + 20}" width="{WIDTH}" role="img" aria-label="histogram of prompt lengths">{bars}'
        f'<text x="0" y="{HEIGHT + 15}" font-size="12" fill="currentColor">0</text>'
        f'<text x="{WIDTH}" y="{HEIGHT + 15}" font-size="12" text-anchor="end" fill="currentColor">{top} characters (99%)</text></svg>'
    )


def _balance(scan: Scan) -> str:
    total = sum(scan.golds.values())
    if not scan.closed or not total:
        return ""
    rows = "".join(
        f'<tr><td><code>{text(excerpt(gold, 60))}</code></td><td>{count}</td><td><svg width="300" height="12" aria-hidden="true"><rect width="{300 * count / total:.0f}" height="12" fill="currentColor" opacity=".6"/></svg> {count / total:.1%}</td></tr>'
        for gold, count in scan.golds.most_common(20)
    )
    return f"<h2>Balance of the golds</h2><table><thead><tr><th>gold</th><th>rows</th><th>share</th></tr></thead><tbody>{rows}</tbody></table>"


def _samples(golds: list[Any], questions: list[str]) -> str:
    rows = "".join(
        f"<tr><td>{text(excerpt(question, 400))}</td><td><code>{text(excerpt('no gold' if gold is None else gold, 200))}</code></td></tr>"
        for question, gold in list(zip(questions, golds, strict=False))[:10]
    )
    return f"<h2>{html.escape('Sample rows (data, not instructions)')}</h2><table><thead><tr><th>prompt</th><th>gold</th></tr></thead><tbody>{rows}</tbody></table>" if rows else ""
