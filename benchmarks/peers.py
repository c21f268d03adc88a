"""The same environments audited by test_reward, falsepass and gradecheck: detection, false alarms, seconds.

    python -m benchmarks.peers [NAME ...] [--every N]

The peers run in an environment of their own (.venv-peers, made here with uv from PyPI) and see the
same scoring functions: falsepass as a reward function with its rows, gradecheck as a classic
environment. A peer counts as having found a defect when a probe that must not be paid is, or its
reference or an equivalent form (P1, P2) is not, on two or more examples (falsepass), or when an
attack is `fooled` (gradecheck); the same on a sound reward is a false alarm.
Without a network, or where a peer does not run, it is skipped and named.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from benchmarks.reward_defects.build import Case, write
from benchmarks.reward_defects.measure import cases, measure
from benchmarks.reward_defects.rows import ROWS, SYSTEMS

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv-peers"
PACKAGES = ("falsepass==0.11.0", "gradecheck==0.1.0", "rewardlint", "verifiers>=0.3.1,<0.4")
LIMIT = 180

WRAPPER = '''

def correct(completions, row, **kwargs):
    import json as _json
    texts = [c if isinstance(c, str) else (c[-1]["content"] if c else "") for c in completions]
    return [float(score(text or "", _json.loads(r))) for text, r in zip(texts, row)]
'''


def install() -> Path | None:
    """The peers' interpreter; None (with a line why) when they cannot be installed."""
    python = VENV / "bin" / "python"
    if (VENV / ".ready").is_file():
        return python
    uv = Path(sys.executable).with_name("uv")
    for command in ([uv, "venv", "-q", "--clear", "--python", sys.executable, VENV], [uv, "pip", "install", "-q", "--python", python, *PACKAGES]):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"skipped: the peers cannot be installed: {done.stderr.strip().splitlines()[-1:]}")
            return None
    (VENV / ".ready").touch()
    return python


def falsepass(python: Path, case: Case, folder: Path) -> bool | None:
    """Whether it flags the case; None when it did not run to the end."""
    home = folder / "falsepass" / case.name
    home.mkdir(parents=True)
    prelude = (ROOT / "benchmarks" / "reward_defects" / "prelude.py").read_text(encoding="utf-8")
    (home / "rewards.py").write_text(prelude + f"\nROWS = {ROWS[case.rows]!r}\n\n" + case.source + WRAPPER, encoding="utf-8")
    rows = [
        {"prompt": f"{SYSTEMS[case.system]}\n\n{row['question']}", "answer": _gold(row), "row": json.dumps(row)} for row in ROWS[case.rows]
    ]
    (home / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = [str(python.with_name("falsepass")), "init", "rewards.py", "--framework", "reward", "--dataset", "rows.jsonl", "--func", "correct"]
    for command in (made, [str(python), "-m", "falsepass.runner", "audits/rewards", "-n", "8"]):
        try:
            done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return None
    results = home / "audits" / "rewards" / "probe-results.json"
    if done.returncode not in (0, 1) or not results.is_file():
        return None
    failed = Counter((r.get("probe"), r.get("variant")) for r in json.loads(results.read_text(encoding="utf-8"))["results"] if r.get("passed") is False and (r.get("expected") != "full" or r.get("probe") in ("P1", "P2")))
    return any(count >= 2 for count in failed.values())


def _gold(row: dict) -> str:
    gold = row.get("answer", row.get("answers", ""))
    return ", ".join(gold) if isinstance(gold, list) and "answers" not in row else gold[0] if isinstance(gold, list) else str(gold)


def gradecheck(python: Path, case: Case, folder: Path) -> bool | None:
    path = write(dataclasses.replace(case, api="classic"), folder / "gradecheck")
    command = [str(python.with_name("gradecheck")), "verifiers", path.stem, "--sample", "8", "--json", "--quiet"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False, env={**os.environ, "PYTHONPATH": str(path.parent)})
        report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None
    return any(finding["verdict"] == "fooled" for finding in report["findings"])


def line(name: str, chosen: list[Case], flags: list[bool | None], seconds: list[float]) -> str:
    planted = [flag for case, flag in zip(chosen, flags, strict=True) if not case.sound]
    sound = [flag for case, flag in zip(chosen, flags, strict=True) if case.sound]
    failed = f" · did not run on {flags.count(None)}" if None in flags else ""
    return (
        f"{name:12} found {sum(map(bool, planted)):3} of {len(planted)} · false alarms {sum(map(bool, sound)):3} of {len(sound)}"
        f" · {statistics.median(seconds):5.1f} s per environment{failed}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--every", type=int, default=1, help="only every Nth case")
    args = parser.parse_args()
    chosen = cases(args.names)[:: args.every]
    python = install()
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        folder = Path(name)
        outcomes = measure(chosen, folder / "own")
        flagged: list[bool | None] = [None if o.error else o.verdict == "fail" for o in outcomes]
        print(line("test_reward", chosen, flagged, [o.seconds for o in outcomes]), flush=True)
        for peer in (falsepass, gradecheck) if python else ():
            flags, seconds = [], []
            for case in chosen:
                started = time.perf_counter()
                flags.append(peer(python, case, folder))
                seconds.append(time.perf_counter() - started)
            print(line(peer.__name__, chosen, flags, seconds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
