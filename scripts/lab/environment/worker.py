"""The child process that runs environments: started in a sandbox, asked, and outlived.

Scoring that hangs or dies is replaced inside the child (see `child`); the worker itself is
restarted only when the whole child is gone. One worker may serve several environments one after
another (tests and benchmarks do, because importing verifiers takes seconds); an environment that
hangs or kills it costs the others a restart, nothing more.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab import SCRIPTS, SKILL
from lab.cli.untrusted import excerpt
from lab.process.bytecode import write_bytecode
from lab.process.downloads import downloads, uv_program
from lab.process.sandbox import Running, Sandbox, allowed

CHUNK = 65536
LONGEST_REPLY = 256 << 20
SHARED = "shared"
"""Whose downloads a worker uses that serves several environments."""


class Died(Exception):
    """The worker gave no reply. `kind` is `timeout` or `exited`."""

    def __init__(self, message: str, kind: str):
        super().__init__(message)
        self.kind = kind


class Worker:
    """A process for one API in one interpreter. Starts on the first request, and again after a
    death.

    `show` is what it sees beside the system and the interpreter; None is for a worker that several
    environments share: it sees the temporary folder and the skill's own. `name` says whose
    downloads it keeps.
    """

    def __init__(
        self,
        api: str,
        *,
        python: str = sys.executable,
        import_paths: Iterable[Path] = (),
        show: Iterable[Path] | None = None,
        name: str = SHARED,
        memory: int = 8 << 30,
        variables: Iterable[str] = (),
        extra: dict[str, str] | None = None,
    ):
        self.api, self.python, self.memory, self.name = api, python, memory, name
        self.import_paths, self.variables = list(import_paths), tuple(variables)
        self.show = [Path(tempfile.gettempdir()), SKILL] if show is None else list(show)
        self.extra = extra or {}
        self.hash_seed = "0"
        """By it sets and `hash()` are the same in each process that is started."""
        self.generation = 0
        """Grows with each start: what was loaded into an earlier one is gone."""
        self._running: Running | None = None

    @property
    def folder(self) -> Path:
        """Its home folder, gone when it ends."""
        assert self._running is not None
        return self._running.home

    @property
    def running(self) -> bool:
        return self._running is not None

    def start(self) -> None:
        to_child, from_parent = os.pipe()
        from_child, to_parent = os.pipe()
        if self.python == sys.executable:  # another one may have foreign packages
            write_bytecode(self.python)
        kept, uv = downloads(self.name), uv_program()
        box = Sandbox(
            read=[*self.show, *kept.read, *([uv] if uv else [])],
            write=kept.write,
            variables={**self._variables(), **kept.variables},
            python=self.python,
            memory=self.memory,
        )
        command = [self.python, "-P", "-m", "lab.environment.child", self.api]
        try:
            self._running = box.start(
                [*command, str(to_child), str(to_parent)], pass_fds=(to_child, to_parent)
            )
        finally:
            for descriptor in (to_child, to_parent):
                os.close(descriptor)
        self._write, self._read, self._buffer = from_parent, from_child, bytearray()
        os.set_blocking(self._write, False)
        self._running.keep_output()
        self.generation += 1

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One request, one reply. Raises `Died` when none comes in time; the process is gone
        then."""
        if self._running is None:
            self.start()
        deadline = time.monotonic() + seconds
        payload = memoryview(json.dumps(request).encode() + b"\n")
        end = -1
        while end < 0:
            left = deadline - time.monotonic()
            if left <= 0:
                self.stop()
                raise Died(f"no result after {seconds:g} s", "timeout")
            readable, writable, _ = select.select(
                [self._read], [self._write] if payload else [], [], left
            )
            try:
                if writable:
                    payload = payload[os.write(self._write, payload[:CHUNK]) :]
                if readable:
                    chunk = os.read(self._read, 1 << 20)
                    if not chunk or len(self._buffer) > LONGEST_REPLY:
                        raise BrokenPipeError
                    self._buffer += chunk
                    end = self._buffer.find(b"\n")
            except BrokenPipeError:
                raise Died(self._obituary(), "exited") from None
        line, self._buffer = bytes(self._buffer[:end]), self._buffer[end + 1 :]
        try:
            frame = json.loads(line)
            reply = frame["reply"] if frame["id"] == request["id"] else None
        except (ValueError, TypeError, KeyError):
            reply = None
        if not isinstance(reply, dict):
            self.stop()
            raise Died(
                "the process wrote something else than a reply into the reply channel", "exited"
            )
        return reply

    def stop(self) -> None:
        """End the process and everything that it started."""
        running, self._running = self._running, None
        if running is None:
            return
        running.end()
        for descriptor in (self._write, self._read):
            os.close(descriptor)

    def close(self) -> None:
        self.stop()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _variables(self) -> dict[str, str]:
        return {
            **allowed(self.variables),
            "PYTHONPATH": os.pathsep.join(map(str, (SCRIPTS, *self.import_paths))),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
            "PYTHONHASHSEED": self.hash_seed,
            "PATH": _path(),
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            **self.extra,
        }

    def _obituary(self) -> str:
        running = self._running
        assert running is not None
        process = running.process
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        code = process.returncode
        how = (
            f"killed by {signal.Signals(code - 128).name}"
            if code and code > 128
            else f"exit code {code}"
        )
        self.stop()
        output = running.said.strip().splitlines()
        return f"the process ended ({how})" + (
            f"; its last line: {excerpt(output[-1], 200)}" if output else ""
        )


def _path() -> str:
    """This user's PATH; uv's folder comes last, for taskset rewards that run scripts by it."""
    folders = [os.environ.get("PATH", os.defpath)]
    if uv := uv_program():
        folders.append(str(uv.parent))
    return os.pathsep.join(folders)
