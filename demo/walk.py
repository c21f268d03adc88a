"""Walk the whole ladder on a dataset, with a simulated policy, and no network.

    python demo/walk.py                    the bundled word problems
    python demo/walk.py --data FILE        your own dataset file
    python demo/walk.py --keep-going       do not stop at the first step that does not pass

Everything is written to demo/work/NAME. Nothing is published, uploaded or submitted: the last
step writes the training file and stops. The exit code is that of the first step that did not pass.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "scripts"))

from lab.report import Report  # noqa: E402
from lab.report.terminal import render  # noqa: E402

SIMULATED = "skill=0.4,spread=0.3,format=0.95,seed=0"


@dataclass(frozen=True)
class Ran:
    step: str
    report: Report
    code: int
    seconds: float
    path: Path


class Walk:
    """One walk in one folder. Each step is the script itself, and hands on its JSON report."""

    def __init__(self, data: Path, folder: Path):
        self.data, self.folder = data, folder
        self.reports = folder / "reports"
        self.ran: list[Ran] = []

    def step(self, number: int, script: str, *args: object) -> Ran:
        line = [sys.executable, str(HERE.parent / "scripts" / f"{script}.py"), *map(str, args)]
        shown = shlex.join(["python", f"scripts/{script}.py", *map(str, args)])
        print(f"\n{number}/8  {shown}", flush=True)
        started = time.monotonic()
        done = subprocess.run([*line, "--json"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
        seconds = time.monotonic() - started
        try:
            report = Report.from_dict(json.loads(done.stdout))
        except ValueError:
            sys.exit(f"{script}.py ended with {done.returncode} and printed no report")
        path = self.reports / f"{number}_{script}.json"
        path.write_text(done.stdout, encoding="utf-8")
        page = render(report).splitlines()
        print("\n".join("     " + text for text in page if not text.startswith("next:")), flush=True)
        self.ran.append(Ran(script, report, done.returncode, seconds, path))
        return self.ran[-1]

    def table(self) -> list[str]:
        rows = [("step", "verdict", "seconds", "report")]
        rows += [(r.step, r.report.verdict, f"{r.seconds:.1f}", str(r.path.relative_to(self.folder))) for r in self.ran]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        return [f"{a.ljust(widths[0])}  {b.ljust(widths[1])}  {c.rjust(widths[2])}  {d}" for a, b, c, d in rows]


def walk(data: Path, name: str, folder: Path, keep_going: bool) -> int:
    """Run the eight steps; returns the exit code of the first that did not pass, else 0."""
    if folder.exists():
        shutil.rmtree(folder)
    (folder / "reports").mkdir(parents=True)
    print(f"walking the ladder on {data}\nin {folder}", flush=True)
    path, started = Walk(data, folder), time.monotonic()
    env = f"environments/{name.replace('-', '_')}"
    steps = [
        ("preflight",),
        ("inspect_dataset", data, "--out", "profile.json"),
        ("new_environment", name, "--profile", "profile.json"),
        ("test_reward", env),
        ("run_eval", env, "--simulate", SIMULATED),
        ("check_reward_distribution",),
        ("push_environment", env, "--check-only"),
        ("submit_training", "--env", f"your-name/{name}", "--local", env, "--dry-run"),
    ]
    worst = 0
    for number, (script, *args) in enumerate(steps, 1):
        ran = path.step(number, script, *args)
        worst = worst or ran.code
        if ran.code and not keep_going:
            break
    print("\n" + "\n".join(path.table()))
    last = path.ran[-1].report
    config = last.facts.get("config")
    if config:
        print(f"\ntraining file: {folder / config}")
    print(f"environment:   {folder / env}\nreports:       {path.reports}")
    print(f"{time.monotonic() - started:.0f} s in all; nothing was published, uploaded or submitted")
    if worst:
        print(f"\nstopped at {path.ran[-1].step} with exit code {worst}; its fix is above. Then:")
    print(f"next: cd {shlex.quote(str(folder))} && {last.next}" if last.next else "")
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=HERE / "word_problems.jsonl", help="dataset file")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a step that does not pass")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="folder for everything that is written")
    args = parser.parse_args()
    data = args.data.expanduser().resolve()
    if not data.exists():
        print(f"error: {args.data} does not exist\n  fix: give an existing dataset file: make demo DATA=path/to/file.jsonl", file=sys.stderr)
        return 2
    stem = re.sub(r"[^a-z0-9]+", "-", data.name.split(".")[0].lower()).strip("-")
    name = f"demo-{stem or 'dataset'}"[:48].strip("-")
    try:
        return walk(data, name, args.work.resolve() / name, args.keep_going)
    except KeyboardInterrupt:
        print("\ninterrupted; run make demo again to walk from the start", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
