"""The frame of every script: arguments, one report, one exit code, nothing left behind.

    COMMAND = Command(__doc__, "inspect_dataset", arguments, main)
    if __name__ == "__main__":
        COMMAND.exit()

`arguments(parser)` adds the script's own flags; `main(args, report, progress)` fills the
report. A `LabError`, Ctrl-C, SIGTERM and any bug become one clear message and an exit code.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the message is for those who have an older one
    sys.exit("error: Python 3.11 or newer is needed, this is %d.%d\n  fix: run with python3.11 or newer, or with: uv run SCRIPT" % sys.version_info[:2])

import argparse
import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.report import LabError, Report, missing, usage
from lab.report.terminal import render
from lab.secrets import conceal, masked

SCRIPTS = Path(__file__).resolve().parent.parent
SKILL = SCRIPTS.parent


class Progress:
    """Diagnostics on stderr: plain lines, or one rewritten line on a terminal; `--quiet`: none."""

    def __init__(self, quiet: bool = False):
        self.quiet = quiet
        self.live = sys.stderr.isatty()
        self._open = False
        self._last = ""

    def note(self, text: str) -> None:
        """One line about what is being done now."""
        if not self.quiet:
            self._clear()
            print(masked(text), file=sys.stderr, flush=True)

    def count(self, label: str, done: int, total: int | None = None, extra: str = "") -> None:
        """Progress of a counted job; off a terminal a line for every tenth of the way."""
        if self.quiet:
            return
        of = f"/{total}" if total else ""
        text = f"{label} {done}{of}{' ' + extra if extra else ''}"
        if self.live:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
            self._open = True
            if total and done >= total:
                self._clear(newline=True)
        else:
            step = f"{label} {done * 10 // total if total else done}"
            if step != self._last:
                self._last = step
                print(text, file=sys.stderr, flush=True)

    def _clear(self, newline: bool = False) -> None:
        if self._open:
            print("" if newline else "\r\033[K", end="\n" if newline else "", file=sys.stderr, flush=True)
            self._open = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise usage(message, f"see {self.prog} --help", id="input.arguments")


class Command:
    """One script: its manual (the docstring), its flags, and its main function."""

    def __init__(
        self,
        manual: str,
        tool: str,
        arguments: Callable[[argparse.ArgumentParser], None],
        main: Callable[[argparse.Namespace, Report, Progress], None],
    ):
        self.manual, self.tool, self.arguments, self.main = manual, tool, arguments, main

    def parser(self) -> argparse.ArgumentParser:
        parser = _Parser(
            prog=f"{self.tool}.py",
            description=self.manual,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.arguments(parser)
        common = parser.add_argument_group("output")
        common.add_argument("--json", action="store_true", help="print one JSON report on stdout and nothing else")
        common.add_argument("--html", metavar="FILE", type=Path, help="also write the report as one self-contained page")
        common.add_argument("--quiet", action="store_true", help="no progress on stderr")
        return parser

    def run(self, argv: list[str] | None = None) -> int:
        """Parse, work, print. Returns the exit code (0 1 2 3 4, see AGENTS.md)."""
        with _ended_like_ctrl_c():
            return self._run(sys.argv[1:] if argv is None else argv)

    def _run(self, argv: list[str]) -> int:
        report = Report(self.tool)
        as_json, html = "--json" in argv, None
        try:
            args = self.parser().parse_args(argv)
            _conceal_keys()
            as_json, html = args.json, args.html
            self.main(args, report, Progress(args.quiet))
        except LabError as error:
            report.error = error
        except KeyboardInterrupt:
            report.error = missing(
                "interrupted before the end; nothing half-written was kept",
                f"run it again: {shlex.join([Path(sys.executable).name, *sys.argv])}",
                id="run.interrupted",
            )
        except BrokenPipeError:
            return _closed_output()
        except ModuleNotFoundError as error:
            if os.environ.get("PRIME_LAB_DEBUG"):
                raise
            report.error = missing(
                f"the Python package {error.name} is not installed for {python()}",
                f"install what is missing: {script('preflight.py', '--install')}; or let uv bring it: {shlex.join(['uv', 'run', *sys.argv])}",
                id="needs.package",
            )
        except Exception as error:
            if os.environ.get("PRIME_LAB_DEBUG"):
                raise
            report.error = missing(
                f"{type(error).__name__}: {error}",
                "this is a defect of the script: set PRIME_LAB_DEBUG=1 for the traceback and report it",
                id="run.crashed",
            )
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            print(report.as_json() if as_json else _encodable(render(report)), flush=True)
        except BrokenPipeError:
            return _closed_output()
        if html:
            try:
                from lab.report.page import write_page

                write_page(report, html)
            except OSError as error:
                print(f"error: cannot write {html}: {error.strerror}", file=sys.stderr)
                return 2
        return report.exit_code

    def exit(self) -> None:
        code = self.run()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(code)


def _conceal_keys() -> None:
    """The keys that `prime` would use go into no output and no file, whatever they look like."""
    from lab.prime.login import api_key

    conceal(api_key())
    conceal(api_key({name: value for name, value in os.environ.items() if name != "PRIME_API_KEY"}))


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """SIGTERM interrupts like Ctrl-C; afterwards both are what they were for the caller."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _closed_output() -> int:
    # The reader went away (head, a closed pane): not our error, and no traceback at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="backslashreplace").decode(encoding)


def script(name: str, *args: object) -> str:
    """The command line of another step, as the user can paste it from here."""
    path = SCRIPTS / name
    shown = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    start = ["uv", "run"] if made_by_uv() else [python()]
    return shlex.join([*start, shown, *map(str, args)])


def made_by_uv() -> bool:
    """Whether `uv run SCRIPT` made this interpreter: then only `uv run` can make it again."""
    return "environments-v" in sys.prefix


def python() -> str:
    """How to name this interpreter on a command line: `python` if that is the one on PATH."""
    for name in ("python", "python3"):
        found = shutil.which(name)
        if found and Path(found).parent == Path(sys.executable).parent:
            return name
    executable = Path(sys.executable)
    return os.path.relpath(executable) if executable.is_relative_to(Path.cwd()) else str(executable)


def ask_first(report: Report, decision: str) -> None:
    """Say beside `next` that it needs the user's word: the command itself neither publishes nor
    spends, so whoever follows it blindly is stopped and told to ask."""
    report.facts["ask_first"] = decision
    report.section("ask the user first", [decision])


def confirm(question: str) -> bool | None:
    """A yes or no from the terminal; None where nobody can answer. The default is no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
