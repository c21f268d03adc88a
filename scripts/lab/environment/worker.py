"""The child process that runs environments: started with limits, asked, and outlived.

Scoring that hangs or dies is replaced inside the child (see `child`); the worker itself is
restarted only when the whole child is gone. One worker may serve several environments one after another (tests and benchmarks do, because
importing verifiers takes seconds); an environment that hangs or kills it costs the others a
restart, nothing more.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab.untrusted import excerpt

SCRIPTS = Path(__file__).resolve().parents[2]
KEEPER = Path(__file__).with_name("keeper.py")
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "HF_ENDPOINT", "HF_HUB_OFFLINE", "UV_CACHE_DIR")
CHUNK = 65536
LONGEST_REPLY = 256 << 20


class Died(Exception):
    """The worker gave no reply. `kind` is `timeout` or `exited`."""

    def __init__(self, message: str, kind: str):
        super().__init__(message)
        self.kind = kind


class Worker:
    """A process for one API in one interpreter. Starts on the first request, and again after a death."""

    def __init__(
        self,
        api: str,
        *,
        python: str = sys.executable,
        import_paths: Iterable[Path] = (),
        memory: int = 8 << 30,
        variables: Iterable[str] = (),
        extra: dict[str, str] | None = None,
    ):
        self.api, self.python, self.memory = api, python, memory
        self.import_paths, self.variables, self.extra = list(import_paths), tuple(variables), extra or {}
        self.generation = 0
        """Grows with each start: what was loaded into an earlier one is gone."""
        self.folder = Path(tempfile.mkdtemp(prefix="lab-environment-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._output: deque[bytes] = deque(maxlen=64)

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        to_child, from_parent = os.pipe()
        from_child, to_parent = os.pipe()
        lifeline, self._lifeline = os.pipe()
        inherited = (to_child, to_parent, lifeline)
        command = [self.python, "-P", "-m", "lab.environment.child", self.api, str(to_child), str(to_parent)]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(KEEPER), str(lifeline), str(self.memory), *command],
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=inherited,
                start_new_session=True,
            )
        finally:
            for descriptor in inherited:
                os.close(descriptor)
        self._write, self._read, self._buffer = from_parent, from_child, bytearray()
        os.set_blocking(self._write, False)
        self._output.clear()
        threading.Thread(target=_drain, args=(self._process.stdout, self._output), daemon=True).start()
        self.generation += 1

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One request, one reply. Raises `Died` when none comes in time; the process is gone then."""
        if self._process is None:
            self.start()
        deadline = time.monotonic() + seconds
        payload = memoryview(json.dumps(request).encode() + b"\n")
        end = -1
        while end < 0:
            left = deadline - time.monotonic()
            if left <= 0:
                self.stop()
                raise Died(f"no result after {seconds:g} s", "timeout")
            readable, writable, _ = select.select([self._read], [self._write] if payload else [], [], left)
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
            raise Died("the process wrote something else than a reply into the reply channel", "exited")
        return reply

    def stop(self) -> None:
        """End the process and everything that it started."""
        process, self._process = self._process, None
        if process is None:
            return
        os.close(self._lifeline)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for descriptor in (self._write, self._read):
            os.close(descriptor)

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _environment(self) -> dict[str, str]:
        hub = os.environ.get("HF_HOME") or str(Path.home() / ".cache" / "huggingface")
        return {
            **{name: os.environ[name] for name in (*PASSED_ON, *self.variables) if name in os.environ},
            "HF_HOME": hub,
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder),
            "PYTHONPATH": os.pathsep.join(map(str, (SCRIPTS, *self.import_paths))),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUTF8": "1",
            "PYTHONHASHSEED": "0",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            **self.extra,
        }

    def _obituary(self) -> str:
        process = self._process
        assert process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        code = process.returncode
        how = f"killed by {signal.Signals(code - 128).name}" if code and code > 128 else f"exit code {code}"
        self.stop()
        output = b"".join(self._output).decode(errors="replace").strip().splitlines()
        return f"the process ended ({how})" + (f"; its last line: {excerpt(output[-1], 200)}" if output else "")


def _drain(stream: Any, keep: deque[bytes]) -> None:
    """Read what the environment prints and keep only the end of it, so a flood fills nothing."""
    with contextlib.suppress(OSError, ValueError):
        while chunk := stream.read1(4096):
            keep.append(chunk)
