"""Make an environment and install into it what the scripts need, with uv.

    ready(folder or interpreter, note)      the interpreter, with everything

Where there is no uv, `venv` makes the environment and pip installs uv into it, since pip alone
takes minutes for the same packages. What the tools print goes to stderr as it comes; the list of
a hundred installed packages only to a terminal, where it moves on.

None of these tools works whole or not at all, and half an environment can pass for a whole one. So
a file in it says meanwhile what was begun. The next start makes one anew that was never finished,
and installs every package again into one that was there before.
"""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lab.cli.interpreter import UNFINISHED, begun, made_by_uv, python_of
from lab.cli.locks import held
from lab.cli.report import missing, usage
from lab.cli.requirements import Need, need, needs
from lab.setup.interpreter import FILLED, MADE, Interpreter, ask

NO_UV_NO_VENV = "install uv (https://docs.astral.sh/uv), or on Debian: apt-get install python3-venv"


def ready(found: str | Path, note: Callable[[str], None]) -> Interpreter:
    """An interpreter that has everything: the one of this path, or of a new environment in this
    folder. Raises a missing error (exit 3) where that cannot be done."""
    if isinstance(found, Path):
        with _unfinished(found, MADE):
            note(f"1/2 making {found}")
            python = make(found)
            return _filled(python, python.lacks(), note, again=False)
    python = ask(found)
    lacks = python.lacks()
    if not lacks:
        return python
    _not_managed(python)
    with _unfinished(Path(python.prefix), FILLED) as before:
        return _filled(python, lacks, note, again=bool(before))


@contextmanager
def _unfinished(environment: Path, what: str) -> Iterator[str]:
    """`what` is said to be begun until the end is reached; yields what was begun before. A folder
    that has something else in it is not made an environment."""
    environment.mkdir(parents=True, exist_ok=True)
    mark = environment / UNFINISHED
    with held(mark, f"the environment {environment}", 0):
        before = begun(environment)
        if what == MADE != before and _content(environment):
            mark.unlink()
            raise usage(
                f"{environment} is there already, and it is no environment",
                "name another folder with --venv, or remove this one",
                id="input.target",
            )
        mark.write_text(before or what, encoding="utf-8")
        yield before
        mark.unlink()


def _content(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name != UNFINISHED]


def make(folder: Path) -> Interpreter:
    """A new virtual environment in `folder`, in place of whatever is in it. Raises a missing error
    (exit 3) where none can be made."""
    for left in _content(folder):
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    base = getattr(sys, "_base_executable", sys.executable) if made_by_uv() else sys.executable
    uv = shutil.which("uv")
    line = [uv, "venv", "--quiet", "--allow-existing", "--python"] if uv else []
    line += [base] if uv else [base, "-m", "venv"]
    _run([*line, str(folder)], f"making {folder} failed", NO_UV_NO_VENV)
    return ask(str(python_of(folder)))


def _filled(
    python: Interpreter, lacks: list[Need], note: Callable[[str], None], *, again: bool
) -> Interpreter:
    note(f"2/2 installing {len(lacks)} of {len(needs())} packages into {python.prefix}")
    return install(python, lacks, again=again)


def _not_managed(python: Interpreter) -> None:
    if python.managed:
        raise missing(
            f"{python.path} is managed by the system (PEP 668), so nothing is installed into it",
            "leave --python out: then an environment of its own is made",
            id="setup.managed",
        )


def install(python: Interpreter, wanted: list[Need], *, again: bool = False) -> Interpreter:
    """Install `wanted` into the interpreter's environment, also what seems to be there where it is
    done `again`; returns it with what it has then."""
    _not_managed(python)
    why = f"installing into {python.prefix} failed"
    uv = shutil.which("uv")
    if not uv:
        uv = str(Path(python.path).with_name("uv"))
        if again or not Path(uv).is_file():
            pip = [python.path, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
            pip += ["--force-reinstall"] if again else []
            _run([*pip, need("uv").requirement], why, NO_UV_NO_VENV)
            wanted = [one for one in wanted if one.name != "uv"]
    flags = [] if sys.stderr.isatty() else ["--quiet"]
    flags += ["--reinstall"] if again else []
    _run(
        [uv, "pip", "install", *flags, "--python", python.path]
        + [one.requirement for one in wanted],
        why,
        "see the message above; check the network, or UV_DEFAULT_INDEX behind a mirror, and repeat",
    )
    return ask(python.path)


def _run(line: list[str], failed: str, fix: str) -> None:
    done = subprocess.run(
        line,
        env={**_certificates(), **os.environ},
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),
        check=False,
    )
    if done.returncode != 0:
        raise missing(failed, fix, id="setup.install")


def _certificates() -> dict[str, str]:
    """The system's certificates for uv as for pip and Python: a company's proxy has its own."""
    paths = ssl.get_default_verify_paths()
    return {"UV_SYSTEM_CERTS": "true"} if paths.cafile or paths.capath else {}
