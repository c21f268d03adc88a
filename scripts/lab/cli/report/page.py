"""The HTML page of a report: one self-contained file, no network, hostile text stays text."""

from __future__ import annotations

import base64
import hashlib
import html
from pathlib import Path

from lab.cli.files import write_whole
from lab.cli.report.model import Report
from lab.cli.report.terminal import number, verdict_line
from lab.cli.secrets import masked
from lab.cli.untrusted import visible

STYLE = Path(__file__).with_name("page.css")
SCRIPT = Path(__file__).with_name("browser.js").read_text(encoding="utf-8")
"""The one script that a page may run: its policy names the hash, so that no other runs."""
HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
CSP = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{HASH}'; img-src data:"


def text(value: object) -> str:
    """Any text as safe HTML: keys masked, control characters made visible, markup escaped."""
    return html.escape(visible(masked(str(value))), quote=True)


def render_page(report: Report, body: str = "") -> str:
    """The page as a string; `body` is trusted HTML put between the verdict and the findings."""
    rows = []
    for f in report.worst_first():
        detail = "".join(
            f'<div class="{name}">{text(value)}</div>'
            for name, value in (("evidence", f.evidence), ("fix", f.fix))
            if value
        )
        measured = "" if f.measured is None else text(number(f.measured))
        rows.append(
            f'<tr><td class="{f.status}">{f.status}</td><td><code>{text(f.id)}</code></td>'
            f"<td>{measured}</td><td>{text(f.expected)}</td><td>{detail}</td></tr>"
        )
    sections = "".join(
        f"<h2>{text(title)}</h2><pre>" + "\n".join(text(line) for line in lines) + "</pre>"
        for title, lines in report.sections
    )
    subject = " · ".join(
        f"{text(key)} {text(number(value))}" for key, value in report.subject.items()
    )
    error = (
        f'<p class="error">{text(report.error.message)}</p>'
        f'<p class="fix">{text(report.error.fix)}</p>'
        if report.error
        else ""
    )
    next_step = f"<h2>Next</h2><pre>{text(report.next)}</pre>" if report.next else ""
    table = (
        "<h2>Findings</h2><table><thead><tr><th>status</th><th>check</th><th>measured</th>"
        "<th>expected</th>"
        f"<th>evidence and fix</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
        if rows
        else ""
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="generator" content="prime-lab-trainer">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}">'
        f"<title>{text(report.tool)}: {report.verdict}</title>"
        f"<style>{STYLE.read_text()}</style></head><body>"
        f"<h1>{text(report.tool)}</h1><div>{subject}</div>"
        f'<p class="verdict">verdict: <span class="{report.verdict}">{text(verdict_line(report))}'
        "</span></p>"
        f"{error}{body}{sections}{table}{next_step}</body></html>\n"
    )


def write_page(report: Report, path: Path, body: str = "") -> None:
    write_whole(path, render_page(report, body or report.body))
