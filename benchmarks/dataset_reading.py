"""What it costs to look at a dataset: seconds, bytes read, peak memory; here and through the hub.

    python -m benchmarks.dataset_reading [--gigabytes 0.5] [--rows 200000]

Files are made for the measurement (incompressible text for the size, sentences for the full
reading) and removed. `beyond imports` takes off what the same command needs on a file of 96 rows.
Targets: under 3 s beyond imports, under 1% of the bytes and 400 MB for any size; a full reading
of 1,000,000 rows, held-out questions and shortcut learners included, in under 40 s and 500 MB;
under 5% of a split's bytes through the hub. Use --gigabytes 5 --rows 1000000 for these sizes.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "inspect_dataset.py"
WORDS = (
    "apple river stone seven market cost people train winter green walk paper house number total "
    "each buys sells left after before hours minutes price shop basket twenty forty farm road city"
).split()
MEASURED = f"""
import runpy, sys
sys.path.insert(0, {str(ROOT / "scripts")!r})
sys.argv = ["inspect_dataset.py", *sys.argv[1:]]
try:
    runpy.run_path({str(SCRIPT)!r}, run_name="__main__")
finally:
    try:
        read = [line.split()[1] for line in open("/proc/self/io") if line.startswith("rchar")][0]
        # Not ru_maxrss: it begins with the size of the process that started this one.
        status = open("/proc/self/status")
        peak = [line.split()[1] for line in status if line.startswith("VmHWM")][0]
    except OSError:
        read = peak = 0
    print(read, peak, file=sys.stderr)
"""


def inspected(*args: object, env: dict[str, str] | None = None) -> dict[str, Any]:
    """One inspection in its own process: its report, wall and CPU seconds, bytes read, peak MB."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", MEASURED, *map(str, args), "--json", "--quiet"],
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    _, _, used = os.wait4(process.pid, 0)
    return {
        "report": json.loads(out),
        "seconds": time.monotonic() - started,
        "cpu": used.ru_utime + used.ru_stime,
        "read": int(err.split()[-2]),
        "peak": int(err.split()[-1]) / 1024,
    }


def big_parquet(path: Path, size: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("question", pa.string()), ("answer", pa.string())])
    with (
        path.open("wb") as sink,
        pq.ParquetWriter(sink, schema, compression="none", use_dictionary=False) as writer,
    ):
        count = 0
        while sink.tell() < size:
            noise = base64.b64encode(os.urandom(20_000 * 1500)).decode()
            questions = [
                f"Question {count + k}? {noise[k * 2000 : k * 2000 + 2000]}" for k in range(20_000)
            ]
            writer.write_table(
                pa.table([questions, [f"#### {k % 997}" for k in range(20_000)]], schema=schema)
            )
            count += 20_000


def big_lines(path: Path, size: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        count = 0
        while file.tell() < size:
            noise = base64.b64encode(os.urandom(150_000)).decode()
            file.write(
                "".join(
                    json.dumps(
                        {
                            "question": f"Question {count + k}? {noise[k * 2000 :][:2000]}",
                            "answer": f"#### {k}",
                        }
                    )
                    + "\n"
                    for k in range(100)
                )
            )
            count += 100


def sentences(rows: int) -> Any:
    import pyarrow as pa

    chance = random.Random(0)
    questions = [f"Task {i}: {' '.join(chance.choices(WORDS, k=45))}?" for i in range(rows)]
    return pa.table(
        {"question": questions, "answer": [f"step by step\n#### {i % 1000}" for i in range(rows)]}
    )


def through_the_hub(table: Any) -> tuple[dict[str, Any], float]:
    """The inspection through a hub on loopback, and the share of the split's bytes that it sent."""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts")]
    import pyarrow.parquet as pq

    from servers.hub import Hub, Repo

    out = io.BytesIO()
    pq.write_table(table, out, row_group_size=5000, compression="none")
    raw = out.getvalue()
    with Hub({"owner/name": Repo({"data/train-00000-of-00001.parquet": raw})}) as hub:
        measured = inspected("owner/name", env=hub.env)
        return measured, hub.sent / len(raw)


def main(argv: list[str]) -> int:
    import pyarrow.parquet as pq

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--gigabytes", type=float, default=0.5)
    parser.add_argument("--rows", type=int, default=200_000)
    args = parser.parse_args(argv)
    size = int(args.gigabytes * 1e9)
    print(
        f"{'':<34}{'seconds':>9}{'beyond imports':>16}{'CPU s':>8}{'bytes read':>13}{'peak MB':>9}"
    )
    base = min(
        (inspected(ROOT / "demo" / "word_problems.jsonl") for _ in range(3)),
        key=lambda one: one["seconds"],
    )

    def row(name: str, one: dict[str, Any], share: float) -> None:
        beyond = max(0.0, one["seconds"] - base["seconds"])
        print(
            f"{name:<34}{one['seconds']:>9.2f}{beyond:>16.2f}{one['cpu']:>8.2f}{share:>12.2%} "
            f"{one['peak']:>9.0f}"
        )

    row("96 rows", base, 1.0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, make, path in (
            (f"parquet, {args.gigabytes:g} GB", big_parquet, folder / "big.parquet"),
            (f"jsonl, {args.gigabytes:g} GB", big_lines, folder / "big.jsonl"),
        ):
            make(path, size)
            one = inspected(path)
            row(label, one, max(0, one["read"] - base["read"]) / path.stat().st_size)
            path.unlink()
        table = sentences(args.rows)
        path = folder / "rows.parquet"
        pq.write_table(table, path)
        row(
            f"every row of {args.rows:,}",
            inspected(path, "--full", env={"XDG_CACHE_HOME": name}),
            1.0,
        )
        (folder / "set").mkdir()
        pq.write_table(table, folder / "set" / "train.parquet")
        pq.write_table(table.slice(0, 1500), folder / "set" / "test.parquet")
        row(
            "  with overlap of 1,500 held out",
            inspected(folder / "set", "--full", env={"XDG_CACHE_HOME": name}),
            1.0,
        )
        one, share = through_the_hub(table.slice(0, 200_000))
        row("through the hub", one, share)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
