"""One way to run `prime`: its traps are handled here and nowhere else.

The client (0.18) ends with 0 on some failures and with 1 on all others, prints its errors on
stdout even with `--output json`, asks questions whose default is yes, wraps text at 80 columns,
and asks PyPI for a newer version. So: `--plain`, stdin closed, the version check off, a time
limit, and an outcome decided by the text. Secrets that slip into an error are taken out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.cli.login import LOG_IN, api_key
from lab.cli.report import LabError, missing
from lab.cli.untrusted import excerpt

SECONDS = 150.0
"""A limit for one call; the client's own longest wait, for the creation of a run, is 120 s."""

INSTALL = "install the client: uv tool install prime (or pip install 'prime>=0.18')"


UNCERTAIN = ("network", "timeout", "server", "interrupted", "unreadable", "failed")
"""Kinds of failure after which the service may have acted all the same."""


class PrimeError(Exception):
    """A call that did not do what it was asked to do.

    `kind` is one of KINDS; `detail` is the service's or the client's own words, in one line.
    """

    def __init__(self, kind: str, detail: str, command: Sequence[str] = ()):
        super().__init__(detail)
        self.kind, self.detail, self.command = kind, detail, tuple(command)

    @property
    def uncertain(self) -> bool:
        """Whether the service may have acted all the same: the answer was lost, or says nothing."""
        return self.kind in UNCERTAIN

    def lab_error(self, doing: str) -> LabError:
        """As the error of a step: exit 3, with what to do about this kind of failure."""
        return missing(f"{doing}: {self.detail}", KINDS[self.kind], id=f"prime.{self.kind}")


KINDS: dict[str, str] = {
    "absent": INSTALL,
    "not_logged_in": f"{LOG_IN}set PRIME_API_KEY",
    "unauthorized": (
        "the key was refused: log in again with `prime login`, or set a valid PRIME_API_KEY"
    ),
    "payment": "add funds to the wallet (`prime wallet`), then run the same command again",
    "forbidden": "ask the owner for access, or use an owner of your own with --owner",
    "not_found": "check the name and the owner with `prime env list --mine --output json`",
    "conflict": "the service says that this exists already: see what is there before repeating",
    "invalid": "correct what the service names, then run the same command again",
    "rate_limited": "wait a minute, then run the same command again",
    "server": (
        "the service is in trouble: wait, then run the same command again (nothing is sent twice)"
    ),
    "network": (
        "check the network (`python scripts/preflight.py --online`), then run the same command "
        "again"
    ),
    "unreachable": (
        "check the network (`python scripts/preflight.py --online`), then run the same command "
        "again"
    ),
    "timeout": "the service did not answer in time: run the same command again later",
    "cancelled": "the client asked something that nobody could answer; run it on a terminal",
    "build": "build it by hand to see the whole message: uv build --wheel",
    "usage": "this client does not know the command: update it with `uv tool upgrade prime`",
    "interrupted": "see what is there before repeating",
    "unreadable": "update the client with `uv tool upgrade prime`; this needs prime >= 0.18",
    "refused": "do what the message says, then run the same command again",
    "failed": "do what the message says, then run the same command again",
}
"""Every kind of failure, and the next thing to do."""

_SIGNS: tuple[tuple[str, str], ...] = (
    ("not_logged_in", r"No API key"),
    ("unauthorized", r"HTTP 401|API key unauthorized|Unauthorized"),
    ("payment", r"HTTP 402|Payment required"),
    ("forbidden", r"HTTP 403|Forbidden"),
    ("conflict", r"HTTP 409|already exists"),
    ("invalid", r"HTTP 422|Validation failed|validation failed|HTTP 400"),
    ("rate_limited", r"HTTP 429"),
    ("server", r"HTTP 5\d\d"),
    ("timeout", r"timed out|[Tt]imeout"),
    (
        "network",
        r"ConnectError|Connection refused|Request failed|RemoteProtocolError|ReadError|Name or "
        r"service|Failed to upload",
    ),
    ("not_found", r"HTTP 404|[Nn]ot found"),
    ("build", r"Build failed"),
    ("cancelled", r"Aborted|Cancelled by user|Run cancelled"),
    ("usage", r"No such command|No such option|Missing argument"),
)
"""How each kind shows in the client's text, in order of precedence (prime 0.18)."""

_NOISE = re.compile(r"(?:Upload failed|Unexpected error|Failed to parse pyproject\.toml): \d+$")


@dataclass(frozen=True)
class Answer:
    """What one call printed."""

    out: str
    err: str
    code: int

    def json(self) -> Any:
        """The JSON on stdout; text before it (the client's warnings) is passed over."""
        for start in [0, *(m.end() for m in re.finditer(r"\n", self.out))]:
            if self.out[start : start + 1] in ("{", "["):
                with suppress(ValueError):
                    return json.loads(self.out[start:])
        raise PrimeError("unreadable", f"expected JSON from prime, got: {excerpt(self.out, 200)}")


class Prime:
    """The client on this machine. `environ` replaces the process's environment in tests."""

    def __init__(self, environ: Mapping[str, str] | None = None, executable: str | None = None):
        self.environ = dict(os.environ if environ is None else environ)
        self.executable = executable or find_prime(self.environ)

    def run(self, *args: str, seconds: float = SECONDS, cwd: Path | None = None) -> Answer:
        """One command, for example `run("env", "status", "o/n", "--output", "json")`.

        Raises PrimeError whenever the text or the exit code says that it failed.
        """
        if not self.executable:
            raise PrimeError("absent", "the prime command line is not installed", args)
        command = [self.executable, "--plain", *args]
        answer = _run(command, self._environ(), seconds, cwd, args)
        answer = Answer(self._clean(answer.out), self._clean(answer.err), answer.code)
        if answer.code != 0:
            raise PrimeError(*reason(answer), args)
        return answer

    def json(self, *args: str, seconds: float = SECONDS) -> Any:
        """The parsed JSON of a command that prints it."""
        return self.run(*args, seconds=seconds).json()

    def start(self, *args: str, answer: Path, keep: Sequence[int] = ()) -> subprocess.Popen[bytes]:
        """A command that goes on to its end when this process ends. What it prints goes to
        `answer` and to the same name with `.err`; it holds the descriptors `keep` open, so a lock
        among them lasts as long as the command. Read the outcome with `read_answer`."""
        if not self.executable:
            raise PrimeError("absent", "the prime command line is not installed", args)
        with answer.open("wb") as out, answer.with_suffix(".err").open("wb") as err:
            try:
                return subprocess.Popen(
                    [self.executable, "--plain", *args],
                    env=self._environ(),
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                    pass_fds=keep,
                )
            except OSError as error:
                raise PrimeError(
                    "absent", f"{self.executable} cannot be started: {error.strerror}", args
                ) from None

    def read_answer(self, answer: Path, code: int) -> Answer:
        """What a command of `start` has printed so far, without secrets."""
        texts = []
        for path in (answer, answer.with_suffix(".err")):
            try:
                texts.append(path.read_text(encoding="utf-8", errors="replace"))
            except FileNotFoundError:
                texts.append("")
        return Answer(self._clean(texts[0]), self._clean(texts[1]), code)

    def _environ(self) -> dict[str, str]:
        # `prime env push` builds with uv when it finds it on PATH, else with pip in a new place.
        path = os.pathsep.join(
            filter(None, (self.environ.get("PATH", ""), str(Path(sys.executable).parent)))
        )
        return {
            **self.environ,
            "PATH": path,
            "PRIME_DISABLE_VERSION_CHECK": "1",
            "NO_COLOR": "1",
            "PYTHONUTF8": "1",
            "COLUMNS": "1000",
        }

    def _clean(self, text: str) -> str:
        secrets = {
            api_key(self.environ),
            *(self.environ.get(name, "") for name in ("HF_TOKEN", "WANDB_API_KEY")),
        }
        for secret in sorted(filter(None, secrets), key=len, reverse=True):
            text = text.replace(secret, "[secret]")
        return text


def find_prime(environ: Mapping[str, str] | None = None) -> str | None:
    """The client beside this interpreter, else the one on PATH."""
    beside = Path(sys.executable).parent / "prime"
    if beside.is_file() and os.access(beside, os.X_OK):
        return str(beside)
    return shutil.which("prime", path=(os.environ if environ is None else environ).get("PATH"))


def _run(
    command: list[str],
    environ: dict[str, str],
    seconds: float,
    cwd: Path | None,
    args: Sequence[str],
) -> Answer:
    """Run in a process group of its own, so that nothing is left after a limit or Ctrl-C."""
    try:
        process = subprocess.Popen(
            command,
            env=environ,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise PrimeError(
            "absent", f"{command[0]} cannot be started: {error.strerror}", args
        ) from None
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(process)
        raise PrimeError(
            "timeout", f"prime {' '.join(args[:2])} gave no answer within {seconds:.0f} s", args
        ) from None
    except BaseException:
        _end(process)
        raise
    return Answer(out, err, process.returncode)


def _end(process: subprocess.Popen[str]) -> None:
    for sign, wait in ((signal.SIGTERM, 3.0), (signal.SIGKILL, None)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=wait)
            return


def reason(answer: Answer) -> tuple[str, str]:
    """The kind of a failure and the line that says it. The client's nested handlers append
    noise such as `Upload failed: 1` after the real message."""
    lines = [line.strip() for line in (answer.out + "\n" + answer.err).splitlines()]
    lines = [line for line in lines if line and not _NOISE.match(line)]
    for kind, sign in _SIGNS:
        for index, line in enumerate(lines):
            if re.search(sign, line):
                long = kind in ("invalid", "build", "usage")
                return kind, _message(" ".join(lines[index : index + 4]) if long else line)
    errors = [line for line in lines if line.startswith("Error")] or lines[-1:]
    return "failed", _message(errors[0] if errors else f"prime exited with code {answer.code}")


def _message(text: str) -> str:
    return excerpt(re.sub(r"^(?:Error:|Request failed:)\s*", "", text), 400)
