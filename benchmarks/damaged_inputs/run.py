"""Inputs one after the other in a worker process, which is replaced when it dies or takes too long.

The worker takes numbers on stdin and answers a line of JSON for each on a pipe of its own, so that
nothing that a script prints is taken for an answer. It runs the very `COMMAND` of each script.
"""

from __future__ import annotations

import io
import json
import os
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO

from benchmarks.damaged_inputs.inputs import Input
from benchmarks.damaged_inputs.judge import SECONDS, Ended, faults
from benchmarks.damaged_inputs.kinds import made
from benchmarks.damaged_inputs.originals import ROOT
from benchmarks.damaged_inputs.readers import command

PATIENCE = 10 * SECONDS
"""Seconds on the clock after which a worker is ended; the limit itself is in seconds of a core,
which a machine under load does not stretch."""


def results(
    numbers: Iterable[int], keep: Path | None = None, make: Callable[[int], Input] = made
) -> Iterator[tuple[int, Input, Ended, list[str]]]:
    """(number, input, how it ended, faults) of each."""
    with tempfile.TemporaryDirectory(prefix="prime-lab-damaged-") as base:
        worker = None
        try:
            for number in numbers:
                given = make(number)
                folder = (keep or Path(base)) / str(number)
                _lay_out(folder, given.files)
                worker = worker or Worker()
                ended = worker.ask(given, folder)
                if ended.code is None:
                    worker.end()
                    worker = None
                yield number, given, ended, faults(ended, folder, given.files, given.written)
                if not keep:
                    shutil.rmtree(folder, ignore_errors=True)
        finally:
            if worker:
                worker.end()


def _lay_out(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Worker:
    """A process that runs scripts, asked for one at a time."""

    def __init__(self) -> None:
        answers, theirs = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.damaged_inputs.run", str(theirs)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(theirs,),
            text=True,
        )
        os.close(theirs)
        self.answers: IO[str] = os.fdopen(answers)

    def ask(self, given: Input, folder: Path) -> Ended:
        assert self.process.stdin is not None
        words = {"folder": str(folder), "script": given.script, "words": given.words}
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        started = time.monotonic()
        if not select.select([self.answers], [], [], PATIENCE)[0]:
            return Ended(None, "", f"did not end in {PATIENCE:.0f} s", PATIENCE, 0)
        answer = self.answers.readline()
        if answer:
            return Ended(**json.loads(answer))
        code = self.process.wait()
        assert self.process.stderr is not None
        last = self.process.stderr.read()[-400:]
        return Ended(None, "", f"died: {code} {last}", time.monotonic() - started, 0)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.answers.close()


def _serve(answers: IO[str]) -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        os.environ["PRIME_LAB_STATE"] = str(Path(asked["folder"], "state"))
        os.chdir(asked["folder"])
        ended = _ended(asked["script"], [*asked["words"], "--json", "--quiet"])
        answers.write(json.dumps(asdict(ended)) + "\n")
        answers.flush()


def _ended(script: str, words: list[str]) -> Ended:
    """One run of a script in this process, with the memory that it took at its peak."""
    to_run = command(script)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak starts again
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    kept, started = (sys.stdout, sys.stderr), _core_seconds()
    sys.stdout, sys.stderr = out, err
    try:
        code = to_run.run(words)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException as error:
        import traceback

        err.write("".join(traceback.format_exception(error)).encode("utf-8", "replace").decode())
        code = -1
    finally:
        seconds = _core_seconds() - started
        sys.stdout, sys.stderr = kept
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    peak = max(_peak(), children if children > before else 0)
    said, noted = (stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))
    return Ended(code, said, noted, seconds, peak << 10)


def _core_seconds() -> float:
    """Seconds of a core that this process and what it started have used."""
    return sum(os.times()[:4])


def _peak() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0])


if __name__ == "__main__":
    with os.fdopen(int(sys.argv[1]), "w") as pipe:
        _serve(pipe)
