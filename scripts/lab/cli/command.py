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
    sys.exit(
        "error: Python 3.11 or newer is needed, this is %d.%d\n"
        "  fix: run with python3.11 or newer, or with: uv run SCRIPT" % sys.version_info[:2]
    )

import argparse
import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lab import SCRIPTS
from lab.cli import streams
from lab.cli.failures import explained
from lab.cli.interpreter import named, prepared, start, this_lacks
from lab.cli.login import api_key
from lab.cli.report import EXIT_MISSING, LabError, Report, missing, usage
from lab.cli.report.terminal import render
from lab.cli.secrets import conceal, masked
from lab.cli.targets import check_targets
from lab.cli.untrusted import visible

streams.opened()


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
            streams.note(visible(masked(text)))

    def count(self, label: str, done: int, total: int | None = None, extra: str = "") -> None:
        """Progress of a counted job; off a terminal a line for every tenth of the way."""
        if self.quiet:
            return
        of = f"/{total}" if total else ""
        text = visible(f"{label} {done}{of}{' ' + extra if extra else ''}")
        if self.live:
            streams.note(f"\r\033[K{text}", end="")
            self._open = True
            if total and done >= total:
                self._clear(newline=True)
        else:
            step = f"{label} {done * 10 // total if total else done}"
            if step != self._last:
                self._last = step
                streams.note(text)

    def _clear(self, newline: bool = False) -> None:
        if self._open:
            streams.note("" if newline else "\r\033[K", end="\n" if newline else "")
            self._open = False


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise usage(message, f"see {self.prog} --help", id="input.arguments")

    def _print_message(self, message: str, file: object = None) -> None:
        """The manual, printed at once: its reader may have gone when the script ends."""
        (streams.say if file is sys.stdout else streams.note)(message, end="")


class Command:
    """One script: its manual (the docstring), its flags, and its main function. A `bare` one works
    with the standard library alone; every other is refused by an interpreter without the packages.
    """

    def __init__(
        self,
        manual: str,
        tool: str,
        arguments: Callable[[argparse.ArgumentParser], None],
        main: Callable[[argparse.Namespace, Report, Progress], None],
        *,
        bare: bool = False,
    ):
        self.manual, self.tool, self.arguments, self.main = manual, tool, arguments, main
        self.bare = bare

    def parser(self) -> argparse.ArgumentParser:
        parser = _Parser(
            prog=f"{self.tool}.py",
            description=self.manual,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.arguments(parser)
        common = parser.add_argument_group("output")
        common.add_argument(
            "--json", action="store_true", help="print one JSON report on stdout and nothing else"
        )
        common.add_argument(
            "--html",
            metavar="FILE",
            type=Path,
            help="also write the report as one self-contained page",
        )
        if parser.get_default("overwrite") is None:
            common.add_argument(
                "--overwrite", action="store_true", help="replace files that are there already"
            )
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
            if not self.bare:
                _right_interpreter()
            check_targets(args)
            self.main(args, report, Progress(args.quiet))
        except LabError as error:
            report.error = error
        except KeyboardInterrupt:
            report.error = missing(
                "interrupted before the end; nothing half-written was kept",
                f"run it again: {shlex.join([Path(sys.executable).name, *sys.argv])}",
                id="run.interrupted",
            )
        except ModuleNotFoundError as error:
            if os.environ.get("PRIME_LAB_DEBUG"):
                raise
            report.error = missing(
                f"the Python module {error.name} cannot be imported by {sys.executable}",
                _how_to_start()
                if this_lacks()
                else f"install it: {sys.executable} -m pip install {error.name}",
                id="needs.package",
            )
        except Exception as error:
            if os.environ.get("PRIME_LAB_DEBUG"):
                raise
            report.error = explained(error)
        for number in (signal.SIGINT, signal.SIGTERM):  # what is left is short, and is the result
            signal.signal(number, signal.SIG_IGN)
        lost = streams.say(report.as_json() if as_json else _encodable(render(report)))
        if lost:
            streams.note(f"error: the report cannot be printed: {lost}")
        if html and not (report.error and report.error.id == "input.target"):
            try:
                from lab.cli.report.page import write_page

                write_page(report, html)
            except OSError as error:
                streams.note(f"error: cannot write {html}: {error.strerror}")
                return report.exit_code or explained(error).code
        return report.exit_code or (EXIT_MISSING if lost else 0)

    def exit(self) -> None:
        code = self.run()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.exit(code)


def _right_interpreter() -> None:
    """Refuse an interpreter without the packages, before anything is done with half of them."""
    lacking = [need.name for need in this_lacks()]
    if lacking:
        more = f" and {len(lacking) - 3} more packages" if len(lacking) > 3 else ""
        raise missing(
            f"{sys.executable} does not have {', '.join(lacking[:3])}{more}",
            _how_to_start(),
            id="needs.package",
            measured=lacking,
        )


def _how_to_start() -> str:
    """One line: this very command by an interpreter that has the packages, else how to get one."""
    if other := prepared():
        return (
            f"start it with the interpreter that has them: {shlex.join([named(other), *sys.argv])}"
        )
    without_setup = f"; or without set-up: {shlex.join(['uv', 'run', *sys.argv])}"
    return (
        f"make an environment that has them: {script('preflight.py', '--install')}"
        f"{without_setup if shutil.which('uv') else ''}"
    )


def _conceal_keys() -> None:
    """The keys that `prime` would use go into no output and no file, whatever they look like."""
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


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="backslashreplace").decode(encoding)


def script(name: str, *args: object) -> str:
    """The command line of another step, as the user can paste it from here."""
    return shlex.join([*start(), named(SCRIPTS / name), *map(str, args)])


def edit_then(what: object, command: str) -> str:
    """The next command where only an edit can change the result: the check comes after it."""
    return f"edit {what} as the fix above says, then: {command}"


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
