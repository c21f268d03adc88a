"""python -m benchmarks.reward_defects [NAME ...] [--json FILE] [--threads N]

Exit code 0 when every critical and high defect is found, at least 95% of all, with no false alarm.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from benchmarks.reward_defects.measure import Outcome, cases, measure


def line(outcome: Outcome) -> str:
    case = outcome.case
    mark = "ok  " if outcome.right else "MISS" if not case.sound else "FALSE ALARM"
    shown = ", ".join(outcome.failed[:6]) or ", ".join(f"({id})" for id in outcome.stood_out[:6]) or "-"
    return f"{mark} {case.api:8} {case.severity or 'sound':8} {case.name:28} {outcome.seconds:5.1f} s  {outcome.error or shown}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--threads", type=int, default=2, help="environments at a time (default: 2)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reward-defects-") as folder:
        outcomes = measure(cases(args.names), Path(folder), lambda outcome: print(line(outcome), flush=True), args.threads)
    planted = [o for o in outcomes if not o.case.sound]
    sound = [o for o in outcomes if o.case.sound]
    grave = [o for o in planted if o.case.severity in ("critical", "high")]
    alarms = [o for o in sound if o.false_alarm]
    found = sum(o.found for o in planted)
    print(f"\nplanted: {found} of {len(planted)} found · critical and high: {sum(o.found for o in grave)} of {len(grave)}")
    print(f"sound: {len(alarms)} false alarms of {len(sound)}")
    unsure = [o.case.name for o in sound if o.verdict == "inconclusive"]
    print(f"inconclusive for want of a gold: {', '.join(unsure)}" if unsure else "none inconclusive")
    seconds = [o.seconds for o in outcomes]
    print(f"seconds per environment: median {statistics.median(seconds):.1f}, most {max(seconds):.1f}, all {sum(seconds):.0f}")
    if args.json:
        args.json.write_text(json.dumps([{"name": o.case.name, "right": o.right, "verdict": o.verdict, "seconds": o.seconds, "findings": o.stood_out, "why": o.why, "error": o.error} for o in outcomes], indent=1), encoding="utf-8")
    good = all(o.found for o in grave) and found >= 0.95 * len(planted) and not alarms
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
