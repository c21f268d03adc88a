"""A small environment whose blind review tests are about, and the two calls of its review.

place = write(tmp_path)     # a package: nine headlines, their topic between tags
make_sheet(place)
filled(place, answers_of(place))
compare(place)
"""

from __future__ import annotations

from pathlib import Path

from run_script import Ran, run_script

README = """\
# Headlines

Topic of a headline: World, Sports or Science.

**Answer format.** The topic inside `<answer>` tags; the last tag counts.

**Reward.** 1 for the right topic, else 0.
"""
PYPROJECT = """\
[project]
name = "headlines"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["verifiers>=0.4.0,<0.5"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
"""
TASKSET = '''\
"""Topics of headlines."""

import re

import verifiers.v1 as vf

ROWS = [
    ("Parliament approves the treaty", "World"),
    ("Striker scores twice in the derby", "Sports"),
    ("Telescope spots water on a planet", "Science"),
    ("Border talks resume in Geneva", "World"),
    ("Teenager wins her first tennis title", "Sports"),
    ("Researchers map the genome of wheat", "Science"),
    ("Envoys meet before the summit", "World"),
    ("Marathon record falls by a minute", "Sports"),
    ("A new vaccine passes its first trial", "Science"),
]


class TopicData(vf.TaskData):
    answer: str


class TopicTask(vf.Task[TopicData]):
    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        said = re.findall(r"<answer>(.*?)</answer>", trace.last_reply or "", re.DOTALL)
        return float(bool(said) and said[WHICH].strip().lower() == self.data.answer.lower())


class TopicTaskset(vf.Taskset[TopicTask, vf.TasksetConfig]):
    def load(self) -> list[TopicTask]:
        return [
            TopicTask(
                TopicData(
                    prompt=f"{text}\\n\\nWorld, Sports or Science? Put it in <answer></answer>.",
                    answer=SHIFT.get(topic, topic),
                ),
                self.config.task,
            )
            for text, topic in ROWS
        ]


WHICH = -1
SHIFT = {}
'''
SHIFTED = 'SHIFT = {"World": "Sports", "Sports": "Science", "Science": "World"}'
TRUTH = {0: "World", 1: "Sports", 2: "Science"}


def write(folder: Path, *changes: tuple[str, str]) -> Path:
    place = folder / "headlines"
    (place / "headlines").mkdir(parents=True)
    source = TASKSET
    for old, new in changes:
        assert source.count(old) == 1
        source = source.replace(old, new)
    (place / "headlines" / "taskset.py").write_text(source)
    (place / "headlines" / "__init__.py").write_text(
        'from .taskset import TopicTaskset\n\n__all__ = ["TopicTaskset"]\n'
    )
    (place / "pyproject.toml").write_text(PYPROJECT)
    (place / "README.md").write_text(README)
    return place


def make_sheet(place: Path, *args: object) -> Ran:
    ran = run_script("review_reward", place, "--json", "--quiet", *args, cwd=place.parent)
    assert ran.code == 0, ran.out + ran.err
    return ran


def compare(place: Path, *args: object) -> Ran:
    answers = place.parent / "reviews" / "headlines" / "answers.toml"
    given = ("--answers", answers, "--json", "--quiet", *args)
    return run_script("review_reward", place, *given, cwd=place.parent)


def truth_of(completion: object, index: int) -> str:
    """What a fair reader says: the last tag after the thinking has the topic of the headline."""
    text = str(completion).rpartition("</think>")[2]
    said = text.rpartition("<answer>")[2].partition("</answer>")[0].strip().lower()
    return "right" if said == TRUTH[index % 3].lower() else "wrong"


def answers_of(place: Path) -> Path:
    return place.parent / "reviews" / "headlines" / "answers.toml"
