"""Nothing but the installed skill and a dataset: what is printed is enough, to a dry submission.

An actor without any knowledge starts with the set-up, and runs the last line of every output with
the words in capitals filled in. At the end it reads the sheet of the blind review, knowing the
right answers. The model is a server on loopback; for one kind a platform on loopback is behind the
real client, so that publishing is followed too; for another nothing but a Python without packages
is on PATH. The commands are counted.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest

from cold_datasets import dataset
from evals.services import in_the_form_asked
from run_script import ROOT
from servers.prime_api import OWNER, PrimeApi
from servers.scripted import Scripted

sys.path.append(str(ROOT / "demo"))
from reader import fill_in


def model_of(answers: dict[str, tuple[str, str]]):
    """Right about half of the time, in the form that the conversation asks for."""
    asked: dict[str, int] = {}

    def reply(body: dict) -> str:
        talk = "\n".join(str(message["content"]) for message in body["messages"])
        question = next(q for q in answers if q in talk)
        asked[question] = turn = asked.get(question, -1) + 1
        said = answers[question][
            0 if hashlib.sha256(f"{question} {turn}".encode()).digest()[0] % 2 else 1
        ]
        return in_the_form_asked(talk, said, turn)

    return reply


class Actor:
    """Runs exactly what is printed, in a folder of its own, with the words in capitals filled
    in."""

    def __init__(self, folder: Path, words: dict[str, str], environ: dict[str, str]):
        self.folder, self.words, self.environ = folder, words, environ
        self.ran: list[str] = []
        self.longest = 0
        """Lines of the longest output, of both streams."""

    def run(self, line: str, *extra: str) -> subprocess.CompletedProcess[str]:
        words = [
            part
            for word in shlex.split(line)
            for part in shlex.split(self.words.get(word, shlex.quote(word)))
        ]
        words = [word.replace("OWNER/", f"{self.words['OWNER']}/") for word in words]
        assert not [
            word
            for word in words
            if word.isupper() and len(word) > 3 and word not in ("PRIVATE", "PUBLIC")
        ], line
        done = subprocess.run(
            [*words, *extra],
            cwd=self.folder,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=800,
        )
        self.ran.append(next(word for word in words if word.endswith(".py")).rsplit("/", 1)[1][:-3])
        self.longest = max(self.longest, len((done.stdout + done.stderr).splitlines()))
        return done

    @property
    def skill(self) -> Path:
        """Found as a client finds it: by SKILL.md in the project's skills folder."""
        return next((self.folder / ".claude" / "skills").glob("*/SKILL.md")).parent


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The next command: the last line of every output."""
    last = done.stdout.rstrip().splitlines()[-1]
    assert last.startswith("next: "), done.stdout + done.stderr
    return last.removeprefix("next: ")


def wheel_of_uv(folder: Path) -> Path:
    """The installed uv as a wheel, for pip to install it where nothing may be fetched."""
    found = metadata.distribution("uv")
    name = f"uv-{found.version}"
    tag = re.search(r"^Tag: (\S+)$", found.read_text("WHEEL"), re.MULTILINE)[1]
    folder.mkdir()
    record = []
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w") as wheel:
        for file in found.files:
            path = Path(found.locate_file(file))
            inside = str(file)
            if inside.startswith(".."):
                inside = f"{name}.data/scripts/{path.name}"
            if path.name not in ("RECORD", "INSTALLER", "REQUESTED") and ".pyc" not in inside:
                wheel.write(path, inside)
                record.append(f"{inside},,")
        record_name = f"{name}.dist-info/RECORD"
        wheel.writestr(record_name, "\n".join([*record, f"{record_name},,", ""]))
    return folder


def nothing_but_python(folder: Path) -> dict[str, str]:
    """A PATH with a Python that has no packages, and what lets installers work without a
    network."""
    real = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    (folder / "bin").mkdir(parents=True)
    python = folder / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(str(real))} "$@"\n')
    python.chmod(0o755)
    return {
        "PATH": str(folder / "bin"),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheel_of_uv(folder / "wheels")),
        "UV_OFFLINE": "1",
    }


def uv_cache() -> str:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("uv")), "cache", "dir"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@dataclass(frozen=True)
class Start:
    """What one actor starts with."""

    publishes: bool = False
    """A platform on loopback is behind the real client, and the user says yes to publishing."""
    bare: bool = False
    """Nothing but a Python without packages is on PATH."""
    copied: bool = False
    """The skill is a copy, not a link."""


STARTS = {
    "numeric": Start(publishes=True, copied=True),
    "choice": Start(bare=True),
    "label": Start(),
}
STEPS = [
    "preflight",
    "inspect_dataset",
    "new_environment",
    "test_reward",
    "run_eval",
    "check_reward_distribution",
    "push_environment",
    "submit_training",
    "review_reward",
]
MOST_COMMANDS = 12
MOST_LINES = 60


@pytest.mark.long
@pytest.mark.parametrize("kind", STARTS)
def test_from_nothing_to_a_dry_submission_by_following_what_is_printed(
    tmp_path, kind, record_property
):
    start = STARTS[kind]
    folder, home = tmp_path / "a new project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    subprocess.run(
        [
            sys.executable,
            str(ROOT / "install.py"),
            *("--project", str(folder), "--client", "claude"),
            *(["--copy"] if start.copied else []),
        ],
        check=True,
        capture_output=True,
    )
    answers = dataset(folder, kind)
    with Scripted(model_of(answers)) as model, PrimeApi() as api:
        words = {
            "DATASET": "problems.jsonl",
            "NAME": "my-first",
            "OWNER": OWNER,
            "MODEL": f"a-model --base-url {model.url} -c 4",
        }
        environ = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(home),
            "HF_HUB_OFFLINE": "1",
            "NO_COLOR": "1",
            "UV_CACHE_DIR": uv_cache(),
        }
        if start.publishes:
            environ |= {
                **api.environ(home),
                "UV_NO_BUILD_ISOLATION": "1",
                "UV_PYTHON": sys.executable,
            }
        if start.bare:
            environ |= nothing_but_python(tmp_path / "machine")
        actor = Actor(folder, words, environ)
        began = os.times()
        done = actor.run(f"python {shlex.quote(str(actor.skill))}/scripts/preflight.py --install")
        if "network was disabled" in done.stderr:
            pytest.skip("uv's cache does not hold the packages: they were installed in another way")
        assert done.returncode == 0, done.stdout + done.stderr
        used = os.times()
        seconds = used.children_user + used.children_system
        seconds -= began.children_user + began.children_system
        assert seconds < 60, f"the set-up took {seconds:.0f} s of processor time"
        said = follow(actor, done, start)
        said += reviewed(actor, start, said[-1], answers)
        assert_walked(actor, start, said)
        assert list((folder / "configs" / "rl").glob("*.toml")), said[-1]
        assert model.seen, "the model was really asked"
        assert api.sent("POST", "/training/runs") == []
        assert bool(api.environments) is start.publishes
    assert {path.name for path in folder.iterdir()} <= {
        ".claude",
        *([".venv"] if start.bare else []),
        "problems.jsonl",
        "profile.json",
        "environments",
        "outputs",
        "configs",
        "reviews",
    }
    if start.copied:
        assert not list(actor.skill.rglob("my_first*")), (
            "what is made goes to the user's folder, not into the skill"
        )
        assert shutil.which("git") is None or not (actor.skill / ".git").exists()
    record_property(
        "table: commands from nothing to a training file",
        f"{kind}: {len(actor.ran)} commands ({', '.join(actor.ran)}), at most {actor.longest} "
        f"lines of output, set-up {seconds:.0f} s of processor time",
    )
    if start.bare:
        the_other_scripts_start(actor, done)


def follow(actor: Actor, done: subprocess.CompletedProcess[str], start: Start) -> list[str]:
    """Run what comes next until the training file is written; returns what was printed."""
    said: list[str] = []
    while actor.ran[-1] != "submit_training" and len(actor.ran) <= MOST_COMMANDS:
        command = last_line(done)
        if "--visibility" in command and not start.publishes:
            command = re.search(r"^ +(\S.*submit_training\.py.* --dry-run)$", done.stdout, re.M)[1]
        done = actor.run(command)
        if done.returncode == 2 and "--yes" in done.stdout and start.publishes:
            done = actor.run(command, "--yes")  # the user has said yes, as the message asks
        said.append(f"$ {command}\n{done.stdout}{done.stderr}")
        inconclusive = "distribution" in command
        assert done.returncode in ((0, 4) if inconclusive else (0,)), "\n".join(said[-2:])
    return said


def reviewed(
    actor: Actor, start: Start, dry_run: str, answers: dict[str, tuple[str, str]]
) -> list[str]:
    """The blind review that the dry run asks for before a paid run: its sheet is read by somebody
    who knows the right answers. After it comes the run itself, or before it an evaluation of the
    very model that will be trained; the publishing where that was left out."""

    rows = [json.loads(line) for line in (actor.folder / "problems.jsonl").read_text().splitlines()]

    def gold(task: int, prompt: str) -> str:
        right = next(right for question, (right, _) in answers.items() if question in prompt)
        row = next(row for row in rows if row.get("question", prompt) in prompt)
        if "choices" not in row:
            return right
        # The options are shown in an order of their own.
        option = row["choices"]["ABCD".index(right)]
        return re.search(rf"^([A-D])\. {re.escape(option)}$", prompt, re.MULTILINE)[1]

    made = actor.run(re.findall(r"^next: (.*)$", dry_run, re.MULTILINE)[-1])
    assert made.returncode == 0 and actor.ran[-1] == "review_reward", made.stdout + made.stderr
    reading, _, command = last_line(made).partition(", then: ")
    sheet = re.match(r"read (.+?/sheet\.md), fill in ", reading)[1]
    fill_in((actor.folder / sheet).parent, gold)
    done = actor.run(command)
    assert done.returncode == 0, done.stdout + done.stderr
    then = last_line(done)
    after = "submit_training|run_eval" if start.publishes else "push_environment"
    assert re.search(rf"(?:{after})\.py", then) and "--dry-run" not in then, then
    return [made.stdout + made.stderr, done.stdout + done.stderr]


def assert_walked(actor: Actor, start: Start, said: list[str]) -> None:
    steps = list(dict.fromkeys(actor.ran))
    assert steps == STEPS, "\n".join(said)
    assert len(actor.ran) <= MOST_COMMANDS, actor.ran
    assert actor.longest < MOST_LINES, max(said, key=lambda text: len(text.splitlines()))


OTHERS = {
    "workflow": (["status"], 0),
    "compare_evals": (["RUN", "RUN", "--vary", "tasks"], 1),
    "export_sft": (["RUN", "--out", "warmup", "--not-in", "RUN"], 1),
    "monitor_training": (["a-run"], 3),
    "audit_environments": (["a-name-that-is-nowhere", "--no-install"], 2),
}
"""The scripts beside the ladder: what is asked of each here, and what it answers."""


def the_other_scripts_start(actor: Actor, done: subprocess.CompletedProcess[str]) -> None:
    """With the interpreter of the set-up, every script has what it needs."""
    scripts = actor.skill / "scripts"
    assert {path.stem for path in scripts.glob("*.py")} == {*OTHERS, *STEPS}
    python = shlex.split(last_line(done))[0]
    run = next((actor.folder / "outputs").glob("*/prime_lab.json")).parent
    for name, (words, code) in OTHERS.items():
        given = [str(run) if word == "RUN" else word for word in words]
        ran = actor.run(shlex.join([python, str(scripts / f"{name}.py"), *given]))
        assert ran.returncode == code, f"{name}: {ran.stdout}{ran.stderr}"
        lacks = re.search(r"does not have|cannot be imported", ran.stdout)
        assert lacks is None, ran.stdout
