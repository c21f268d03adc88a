"""Streams that are closed, full or gone, targets that are not ours, and faults of the machine."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab.cli.failures import explained
from lab.cli.files import NotPlain, read_plain, write_whole
from lab.cli.report import Check, Report
from lab.cli.report.page import render_page
from lab.cli.report.terminal import render
from lab.cli.secrets import MASK, find_secrets, masked
from run_script import SCRIPTS, run_script

PYTHON = sys.executable
FAILING = f"{PYTHON} {SCRIPTS}/inspect_dataset.py missing.jsonl"
PASSING = f"{PYTHON} {SCRIPTS}/workflow.py next"
BUFFERED = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
"""As most machines are: what is left in a buffer is written when the interpreter ends."""


def shell(line: str, cwd: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=BUFFERED,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"{FAILING} >&-", 2),
        (f"{FAILING} 2>&-", 2),
        (f"{FAILING} <&- >&- 2>&-", 2),
        (f"{FAILING} > /dev/full", 2),
        (f"{FAILING} 2> /dev/full", 2),
        (f"{FAILING} --json | true", 2),
        (f"{FAILING} --json | head -c 1 > /dev/null", 2),
        (f"{PASSING} >&-", 0),
        (f"{PASSING} > /dev/full", 3),
        (f"{PASSING} | true", 0),
        (f"{FAILING} --help | true", 0),
    ],
)
def test_the_exit_code_is_kept_whatever_happens_to_the_output(tmp_path, line, code):
    ended, _, err = shell(line, tmp_path)
    assert ended == code, err
    assert "Traceback" not in err and "Exception ignored" not in err


@pytest.mark.parametrize(("words", "code"), [("--help", 0), ("missing.jsonl", 2)])
def test_the_exit_code_is_kept_for_a_reader_that_is_gone_before_anything_is_printed(
    tmp_path, words, code
):
    read, write = os.pipe()
    os.close(read)
    line = [sys.executable, str(SCRIPTS / "inspect_dataset.py"), words]
    done = subprocess.run(
        line, stdout=write, stderr=subprocess.PIPE, cwd=tmp_path, check=False, env=BUFFERED
    )
    os.close(write)
    assert done.returncode == code and b"Exception ignored" not in done.stderr


def test_a_note_that_cannot_be_written_does_not_change_the_exit_code(tmp_path):
    line = f"{PYTHON} -c 'from lab.cli import streams; streams.note(\"a note\")' 2> /dev/full"
    assert shell(line, Path(SCRIPTS))[0] == 0


ROWS = "".join(
    json.dumps({"question": f"{n} + 1?", "answer": str(n + 1)}) + "\n" for n in range(30)
)


def targets(folder: Path) -> dict[str, tuple[str, ...]]:
    (folder / "rows.jsonl").write_text(ROWS)
    (folder / "notes.html").write_text("my own page")
    (folder / "link.html").symlink_to("notes.html")
    os.mkfifo(folder / "pipe")
    return {
        "the input": ("--out", "rows.jsonl"),
        "the input by another name": ("--html", "./rows.jsonl"),
        "a pipe": ("--html", "pipe"),
        "a device": ("--out", "/dev/null"),
        "a link": ("--html", "link.html"),
        "somebody's file": ("--html", "notes.html"),
    }


def test_a_target_that_is_not_ours_is_refused_without_a_flag(tmp_path):
    for name, flags in targets(tmp_path).items():
        ran = run_script("inspect_dataset", "rows.jsonl", *flags, "--json", cwd=tmp_path)
        assert ran.code == 2 and ran.finding("input.target"), (name, ran.out)
    assert (tmp_path / "rows.jsonl").read_text() == ROWS
    assert (tmp_path / "notes.html").read_text() == "my own page"
    assert Path("/dev/null").is_char_device()
    flags = ("--html", "notes.html", "--out", "profile.json", "--quiet")
    replaced = run_script("inspect_dataset", "rows.jsonl", *flags, "--overwrite", cwd=tmp_path)
    again = run_script("inspect_dataset", "rows.jsonl", *flags, cwd=tmp_path)
    assert (replaced.code, again.code) == (0, 0), again.out + again.err
    assert "<!doctype html>" in (tmp_path / "notes.html").read_text(), "what is ours is replaced"


def test_a_device_is_never_replaced(tmp_path):
    with pytest.raises(NotPlain):
        write_whole(Path("/dev/null"), "text")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(NotPlain):
            read_plain(path)


WRITES = """
import sys
from pathlib import Path
from lab.cli.files import write_whole
for number in range(200):
    write_whole(Path(sys.argv[1]), f"{number}\\n" * 50)
"""


def test_writers_of_one_file_do_not_take_each_others_for_left_behind(tmp_path):
    line = [PYTHON, "-c", WRITES, str(tmp_path / "state.json")]
    writers = [
        subprocess.Popen(line, env={**os.environ, "PYTHONPATH": str(SCRIPTS)}) for _ in range(4)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    assert [file.name for file in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize(
    ("error", "code", "id"),
    [
        (OSError(28, "No space left on device", "x"), 3, "run.files"),
        (OSError(30, "Read-only file system", "x"), 3, "run.files"),
        (MemoryError(), 3, "run.memory"),
        (RecursionError(), 2, "input.too_deep"),
        (
            UnicodeEncodeError("utf-8", "a\ud800", 1, 2, "surrogates not allowed"),
            2,
            "input.surrogate",
        ),
        (OverflowError("int too large to convert to float"), 2, "input.number"),
        (KeyError("x"), 3, "run.crashed"),
    ],
)
def test_what_the_machine_or_the_input_did_is_no_defect(error, code, id):
    found = explained(error)
    assert (found.code, found.id) == (code, id) and found.fix
    assert ("defect" in found.fix) == (id == "run.crashed")


CHECK = Check("example.streams", title="an example", expected="", reason="a test")
HEADER = "-----BEGIN PRIVATE KEY-----"


def test_data_cannot_blank_a_report():
    report = Report("inspect_dataset", {"dataset": HEADER})
    report.add(CHECK.fail(1, f"the column {HEADER} is empty", "look at it"))
    report.section("columns", [HEADER, "question"])
    report.next = "python scripts/new_environment.py"
    for shown in (render(report), render_page(report), report.as_json()):
        assert "example.streams" in shown and "look at it" in shown
        assert "new_environment.py" in shown and "is empty" in shown
        assert HEADER not in shown


SECRETS = {
    "an AWS secret": "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "a bearer token": "Authorization: Bearer abcdefghij1234567890XYZ",
    "a JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "a GitLab token": "glpat-abcdefghij0123456789",
    "a Stripe key": "sk_live_abcdefghijklmnopqrstuvwx",
    "an npm token": "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "a password in a URL": "postgres://user:hunter22pass@host/db",
    "a W&B key": "WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567",
    "a SendGrid key": "SG." + "a1" * 11 + "." + "b2" * 21 + "c",
    "a private key": f"{HEADER}\n{'QUJD' * 16}\nQUJD\n-----END PRIVATE KEY-----",
}


@pytest.mark.parametrize("name", SECRETS)
def test_known_forms_are_masked_and_found(name):
    text = SECRETS[name]
    secret = text.split("=", 1)[-1].split("Bearer ")[-1]
    shown = masked(f"before {text} after")
    assert MASK in shown and shown.startswith("before ") and shown.endswith(" after")
    assert secret[-12:] not in shown
    assert list(find_secrets(text)), "a package with it is not published"


def test_escapes_in_a_path_are_shown_in_progress_lines(tmp_path):
    name = "a\x1b[31m\u202eb.jsonl"
    (tmp_path / name).write_text(ROWS)
    ran = run_script("inspect_dataset", name, cwd=tmp_path)
    assert "\x1b" not in ran.err + ran.out and "\u202e" not in ran.err + ran.out


@pytest.mark.parametrize("imports", [0, 10, 30, 60, 100, 150, 250, 400])
def test_ctrl_c_gives_no_traceback_at_any_moment(tmp_path, imports):
    """The moments are counted in modules that were imported, so load moves none."""
    (tmp_path / "rows.jsonl").write_text(ROWS)
    process = subprocess.Popen(
        [PYTHON, "-X", "importtime", str(SCRIPTS / "inspect_dataset.py"), "rows.jsonl"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    ours = (line for line in process.stderr if re.search(r"\| +lab$", line))
    assert next(ours), "the script imports lab"
    for _ in range(imports):
        process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert "Traceback" not in err, err
    assert not list(tmp_path.glob(".*"))
