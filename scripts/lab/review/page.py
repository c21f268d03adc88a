"""The page: the same review for a browser, as one file that needs no server and no network.

It shows one completion at a time and takes the answers by key. They stay on the page until they are
saved as answers.json; nothing is sent anywhere. The content is one JSON array that only reaches the
page as text, and the policy names the one script that may run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from lab.cli.report.page import text
from lab.cli.secrets import masked
from lab.cli.untrusted import visible
from lab.review.content import Shown

HERE = Path(__file__).parent
SCRIPT = (HERE / "page.js").read_text(encoding="utf-8")
HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
CSP = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{HASH}'; "
    "base-uri 'none'; form-action 'none'"
)


def page(shown: Shown, command: str) -> str:
    data = {
        "review": shown.review,
        "tasks": {name: _lines(prompt) for name, prompt in shown.tasks},
        "completions": [[n, task, _lines(said)] for n, task, said in shown.completions],
    }
    about = "".join(
        f"<details{'' if title == 'other tasks' else ' open'}><summary>{title}</summary>"
        f"<pre>{_escaped(body)}</pre></details>"
        for title, body in (
            ("README", shown.readme or "(there is none)"),
            ("declared for this reward", shown.contract),
            ("tools that the model may call", shown.tools),
            ("not shown here", "\n".join(shown.withheld)),
            ("before every prompt", shown.system),
            ("other tasks", "\n".join(f"{name}: {words}" for name, words in shown.others)),
        )
        if body
    )
    body = (HERE / "page.html").read_text(encoding="utf-8")
    parts = {
        "@CSP@": CSP,
        "@STYLE@": (HERE / "page.css").read_text(encoding="utf-8"),
        "@REVIEW@": text(shown.review),
        "@COMMAND@": text(command),
        "@ABOUT@": about,
        "@DATA@": _script(data),
        "@SCRIPT@": SCRIPT,
    }
    # In one pass: what stands for a part in one of them is not a part.
    found, rest = "", body
    while (start := rest.find("@")) >= 0:
        name = next((one for one in parts if rest.startswith(one, start)), None)
        found += rest[:start] + (parts[name] if name else "@")
        rest = rest[start + len(name or "@") :]
    return found + rest


def _lines(content: str) -> str:
    """A text of several lines, with nothing in it that a browser or a reader acts on."""
    return "\n".join(visible(line) for line in masked(content).replace("\r\n", "\n").split("\n"))


def _escaped(content: str) -> str:
    return "\n".join(text(line) for line in masked(content).replace("\r\n", "\n").split("\n"))


def _script(value: Any) -> str:
    """JSON that cannot end its script element."""
    raw = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return raw.replace("<", "\\u003c").replace("&", "\\u0026")
