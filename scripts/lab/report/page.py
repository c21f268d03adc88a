"""The HTML page of a report: one self-contained file, no network, hostile text stays text."""

from __future__ import annotations

import html
from pathlib import Path

from lab.files import write_whole
from lab.report.model import Report
from lab.report.terminal import number
from lab.secrets import masked
from lab.untrusted import visible

STYLE = """
:root { color-scheme: light dark; --line: #8884; --pass: #1a7f37; --warn: #9a6700; --fail: #cf222e; --skip: #6e7781; }
@media (prefers-color-scheme: dark) { :root { --pass: #3fb950; --warn: #d29922; --fail: #ff7b72; --skip: #8b949e; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: .2rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } td, th { border-bottom: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top } td:last-child { overflow-wrap: anywhere }
code, pre { font: 13px/1.45 ui-monospace, monospace } pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--line); border-radius: 6px }
.pass { color: var(--pass) } .warn, .inconclusive { color: var(--warn) } .fail, .error { color: var(--fail); font-weight: 600 } .skip { color: var(--skip) }
.verdict { font-size: 1.1rem } .fix { color: var(--skip) }
"""

CSP = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def text(value: object) -> str:
    """Any text as safe HTML: control characters made visible, markup escaped."""
    return html.escape(visible(value), quote=True)


def render_page(report: Report, body: str = "") -> str:
    """The page as a string; `body` is trusted HTML put between the verdict and the findings."""
    rows = []
    for f in report.worst_first():
        detail = "".join(
            f'<div class="{name}">{text(value)}</div>' for name, value in (("evidence", f.evidence), ("fix", f.fix)) if value
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
    subject = " · ".join(f"{text(key)} {text(number(value))}" for key, value in report.subject.items())
    error = (
        f'<p class="error">{text(report.error.message)}</p><p class="fix">{text(report.error.fix)}</p>'
        if report.error
        else ""
    )
    next_step = f"<h2>Next</h2><pre>{text(report.next)}</pre>" if report.next else ""
    table = (
        "<h2>Findings</h2><table><thead><tr><th>status</th><th>check</th><th>measured</th><th>expected</th>"
        f"<th>evidence and fix</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
        if rows
        else ""
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}">'
        f"<title>{text(report.tool)}: {report.verdict}</title><style>{STYLE}</style></head><body>"
        f"<h1>{text(report.tool)}</h1><div>{subject}</div>"
        f'<p class="verdict">verdict: <span class="{report.verdict}">{report.verdict}</span></p>'
        f"{error}{body}{table}{sections}{next_step}</body></html>\n"
    )


def write_page(report: Report, path: Path, body: str = "") -> None:
    write_whole(path, masked(render_page(report, body or report.body)))
