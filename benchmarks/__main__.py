"""Run the benchmarks one after the other, each with its own table.

    python -m benchmarks              all of them
    python -m benchmarks NAME ...     the named ones

Each is also a module of its own (python -m benchmarks.NAME). Figures are ratios or shares measured
in one run on this machine; a benchmark that needs something absent says so and is passed over.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def names() -> list[str]:
    """Every module with a command line, and every package with a __main__."""
    modules = [p.stem for p in HERE.glob("*.py") if not p.stem.startswith("_") and "__main__" in p.read_text(encoding="utf-8")]
    return sorted([*modules, *(p.parent.name for p in HERE.glob("*/__main__.py"))])


def main() -> int:
    known = names()
    chosen = sys.argv[1:] or known
    unknown = [name for name in chosen if name not in known]
    if unknown:
        print(f"error: no benchmark {', '.join(unknown)}\n  fix: choose from {', '.join(known)}", file=sys.stderr)
        return 2
    worst = 0
    for name in chosen:
        print(f"\n== {name}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent, check=False).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
