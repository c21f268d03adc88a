"""Nothing but the installed skill and a dataset: what is printed is enough, to a dry submission.

An actor without any knowledge asks `workflow.py next`, fills in the words in capitals, runs the
command, and asks again. The model is a server on loopback; for one kind a platform on loopback
stands behind the real client, so that publishing is followed too.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evals.services import in_the_form_asked
from run_script import ROOT
from servers.prime_api import OWNER, PrimeApi
from servers.scripted import Scripted

PLACES = ("Lima", "Oslo", "Quito", "Rabat", "Hanoi", "Turin")


def numeric(draw: random.Random) -> tuple[dict, str, str]:
    a, b = draw.randint(12, 98), draw.randint(3, 19)
    text = f"A train to {draw.choice(PLACES)} has {a} seats in each of {b} cars. How many seats are there?"
    return {"problem": text, "solution": f"There are {b} cars.\n#### {a * b}"}, str(a * b), str(a * b + 1)


def choice(draw: random.Random) -> tuple[dict, str, str]:
    a, b = draw.randint(12, 98), draw.randint(12, 98)
    options = [str(a + b + shift) for shift in (0, 1, -2, 10)]
    draw.shuffle(options)
    letter = "ABCD"[options.index(str(a + b))]
    return {"question": f"In {draw.choice(PLACES)} a shop sells {a} pears and {b} plums. How many fruits is that?", "choices": options, "answer": letter}, letter, "ABCD"[("ABCD".index(letter) + 1) % 4]


def label(draw: random.Random) -> tuple[dict, str, str]:
    good = draw.random() < 0.5
    mood = draw.choice(["delightful", "wonderful", "charming"] if good else ["dreadful", "boring", "noisy"])
    text = f"The hotel number {draw.randint(100, 9999)} in {draw.choice(PLACES)} was {mood}, and we stayed {draw.randint(2, 30)} nights."
    return {"text": text, "label": "positive" if good else "negative"}, "positive" if good else "negative", "negative" if good else "positive"


KINDS = {"numeric": (numeric, "problem"), "choice": (choice, "question"), "label": (label, "text")}


def dataset(folder: Path, kind: str, rows: int = 80) -> dict[str, tuple[str, str]]:
    """Write problems.jsonl; returns the right and a wrong answer by question."""
    draw, (make, field) = random.Random(kind), KINDS[kind]
    made = {row[field]: (row, right, wrong) for row, right, wrong in (make(draw) for _ in range(rows))}
    (folder / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row, _, _ in made.values()))
    return {question: (right, wrong) for question, (_, right, wrong) in made.items()}


def model_of(answers: dict[str, tuple[str, str]]):
    """Right about half of the time, in the form that the conversation asks for."""
    asked: dict[str, int] = {}

    def reply(body: dict) -> str:
        talk = "\n".join(str(message["content"]) for message in body["messages"])
        question = next(q for q in answers if q in talk)
        asked[question] = turn = asked.get(question, -1) + 1
        said = answers[question][0 if hashlib.sha256(f"{question} {turn}".encode()).digest()[0] % 2 else 1]
        return in_the_form_asked(talk, said, turn)

    return reply


class Actor:
    """Runs exactly what is printed, in a folder of its own, with the words in capitals filled in."""

    def __init__(self, folder: Path, words: dict[str, str], environ: dict[str, str]):
        self.folder, self.words, self.ran = folder, words, []
        self.environ = {**os.environ, "HF_HUB_OFFLINE": "1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **environ}

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        words = [part for word in shlex.split(line) for part in shlex.split(self.words.get(word, shlex.quote(word)))]
        words = [word.replace("OWNER/", f"{self.words['OWNER']}/") for word in words]
        assert not [word for word in words if word.isupper() and len(word) > 3 and word not in ("PRIVATE", "PUBLIC")], line
        done = subprocess.run(words, cwd=self.folder, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=800)
        self.ran.append((" ".join(words), done.returncode))
        return done

    def next(self) -> tuple[str, str]:
        """What the skill says comes next, and all that it prints with it."""
        done = self.run(f"python {shlex.quote(str(self.skill / 'scripts' / 'workflow.py'))} next")
        assert done.returncode == 0, done.stdout + done.stderr
        return re.search(r"^next: (.*)$", done.stdout, re.MULTILINE)[1], done.stdout

    @property
    def skill(self) -> Path:
        """Found as a client finds it: by SKILL.md in the project's skills folder."""
        return next((self.folder / ".claude" / "skills").glob("*/SKILL.md")).parent


@pytest.mark.long
@pytest.mark.parametrize(("kind", "publishes"), [("numeric", True), ("choice", False), ("label", False)])
def test_from_nothing_to_a_dry_submission_by_following_what_is_printed(tmp_path, kind, publishes):
    folder = tmp_path / "a new project"
    folder.mkdir()
    how = ["--copy"] if kind == "numeric" else []
    subprocess.run([sys.executable, str(ROOT / "install.py"), "--project", str(folder), "--client", "claude", *how], check=True, capture_output=True)
    answers = dataset(folder, kind)
    with Scripted(model_of(answers)) as model, PrimeApi() as api:
        words = {"DATASET": "problems.jsonl", "NAME": "my-first", "OWNER": OWNER, "MODEL": f"a-model --base-url {model.url} -c 4"}
        platform = {**api.environ(tmp_path / "home"), "UV_NO_BUILD_ISOLATION": "1", "UV_PYTHON": sys.executable} if publishes else {"HOME": str(tmp_path / "home")}
        (tmp_path / "home").mkdir(exist_ok=True)
        cache = subprocess.run([str(Path(sys.executable).with_name("uv")), "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
        actor = Actor(folder, words, {**platform, "UV_CACHE_DIR": cache})
        told = []
        for _ in range(12):
            command, page = actor.next()
            if "--visibility" in command and not publishes:
                command = re.search(r"(\S*python\S* \S.*submit_training\.py.* --dry-run)", page)[1]
            done = actor.run(command)
            told.append(f"$ {command}\n{done.stdout}{done.stderr}")
            if done.returncode == 2 and "--yes" in done.stdout and publishes:
                done = actor.run(f"{command} --yes")  # the user has said yes, as the message asks
                told.append(done.stdout + done.stderr)
            assert done.returncode in ((0, 4) if "distribution" in command else (0,)), "\n".join(told[-2:])
            if "submit_training.py" in command:
                break
        steps = [re.search(r"(\w+)\.py", line)[1] for line, _ in actor.ran if "workflow.py" not in line]
        assert [step for number, step in enumerate(steps) if step not in steps[:number]] == ["inspect_dataset", "new_environment", "test_reward", "run_eval", "check_reward_distribution", "push_environment", "submit_training"]
        assert "submit_training" in steps[-1], actor.ran
        assert list((folder / "configs" / "rl").glob("*.toml")), told[-1]
        assert model.seen, "the model was really asked"
        assert api.sent("POST", "/training/runs") == []
        assert bool(api.environments) is publishes
    kept = {path.name for path in folder.iterdir()}
    assert kept <= {".claude", "problems.jsonl", "profile.json", "environments", "outputs", "configs"}
    if how:
        assert not list(actor.skill.rglob("my_first*")), "what is made goes to the user's folder, not into the skill"
        assert shutil.which("git") is None or not (actor.skill / ".git").exists()
