"""A walk in one folder: each step is a script in a process of its own, which leaves a report."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parent / "scripts"
if str(SCRIPTS) not in sys.path:
    sys.path.insert(0, str(SCRIPTS))

from lab.cli.report import Report  # noqa: E402
from lab.cli.report.terminal import render  # noqa: E402

Step = tuple[object, ...]
"""A script's name and its arguments. An argument that is a function is asked for when its step
comes: it may need what the steps before have left."""


@dataclass(frozen=True)
class Ran:
    step: str
    report: Report
    code: int
    seconds: float
    path: Path


class Walk:
    """Steps in a fresh `folder`, whose reports are kept; `title` says what is walked."""

    def __init__(self, folder: Path, title: str):
        self.folder, self.reports = folder, folder / "reports"
        self.environ: dict[str, str] = {}
        """Added to the environment of each step."""
        self.ran: list[Ran] = []
        self.started = time.monotonic()
        if folder.exists():
            shutil.rmtree(folder)
        self.reports.mkdir(parents=True)
        print(f"{title}\nin {folder}", flush=True)

    def all(self, steps: list[Step], keep_going: bool, of: int | None = None) -> int:
        """Run the steps; returns the exit code of the first that did not pass, else 0. `of` is the
        number of all steps, when these are only some of them."""
        worst = 0
        for script, *args in steps:
            words = [arg() if callable(arg) else arg for arg in args]
            ran = self.step(of or len(steps), str(script), *words)
            worst = worst or ran.code
            if ran.code and not keep_going:
                break
        return worst

    def step(self, of: int, script: str, *args: object) -> Ran:
        number = len(self.ran) + 1
        words = list(map(str, args))
        print(
            f"\n{number}/{of}  {shlex.join(['python', f'scripts/{script}.py', *words])}", flush=True
        )
        started = time.monotonic()
        line = [sys.executable, str(SCRIPTS / f"{script}.py"), *words, "--json"]
        environ = {**os.environ, **self.environ}
        done = subprocess.run(
            line,
            cwd=self.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - started
        try:
            report = Report.from_dict(json.loads(done.stdout))
        except ValueError:
            sys.exit(f"{script}.py ended with {done.returncode} and printed no report")
        path = self.reports / f"{number}_{script}.json"
        path.write_text(done.stdout, encoding="utf-8")
        page = render(report).splitlines()
        print(
            "\n".join("     " + text for text in page if not text.startswith("next:")), flush=True
        )
        self.ran.append(Ran(script, report, done.returncode, seconds, path))
        return self.ran[-1]

    def close(self, code: int, *places: str) -> int:
        """Print the steps as a table, where things are, and what comes next; returns `code`."""
        print("\n" + "\n".join(self._table()))
        last = self.ran[-1]
        config = last.report.facts.get("config")
        if config:
            print(f"\ntraining file: {self.folder / config}")
        print("\n".join([*places, f"reports:       {self.reports}"]))
        print(
            f"{time.monotonic() - self.started:.0f} s in all; "
            "nothing was published, uploaded or submitted"
        )
        if code:
            print(f"\nstopped at {last.step} with exit code {code}; its fix is above. Then:")
        if last.report.next:
            print(f"next: cd {shlex.quote(str(self.folder))} && {last.report.next}")
        return code

    def _table(self) -> list[str]:
        rows = [("step", "verdict", "seconds", "report")]
        rows += [
            (r.step, r.report.verdict, f"{r.seconds:.1f}", str(r.path.relative_to(self.folder)))
            for r in self.ran
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        return [
            f"{a.ljust(widths[0])}  {b.ljust(widths[1])}  {c.rjust(widths[2])}  {d}"
            for a, b, c, d in rows
        ]
