"""A prepared reader of review sheets: it knows the right answers from the rows, and no reward.

    fill_in(Path("reviews/mine"), lambda task, prompt: golds[task])
    review(folder, "environments/mine")      # the steps of a walk that does so

It reads the sheet as anybody would: what is said last, after the thinking and in the declared form,
is right where it is the answer of the row, wrong where it is another one, and not decided where the
answer stands among other words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from walking import Step  # first: it puts scripts on the path

from lab.environment import Environment, locate
from lab.review.controls import WORD
from lab.review.folder import ANSWERS, SHEET
from lab.reward import contract_file

Gold = Callable[[int, str], str]
"""The right answer of a task by its number and its prompt, "" where it is not known."""
PART = re.compile(
    r"^(?:Task (?P<task>\w+)|### (?P<number>\d+) \(task (?P<of>\w+)\))\n"
    r"```text\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def review(folder: Path, env: str) -> list[Step]:
    """The two steps of a review of the environment `env` below `folder`."""
    sheet = Path("reviews") / Path(env).name

    def answers() -> Path:
        golds = golds_of(folder / env)
        fill_in(folder / sheet, lambda task, _: golds.get(task, ""))
        return sheet / ANSWERS

    return [
        ("review_reward", env, "--out", sheet),
        ("review_reward", env, "--answers", answers),
    ]


def golds_of(env: Path) -> dict[int, str]:
    """The right answers that the rows hold, in the field that the contract names."""
    field = contract_file.beside(env).gold or "answer"
    with Environment(locate(str(env))) as opened:
        held = {task.index: task.fields.get(field, "") for task in opened.description.tasks}
    # Of several accepted answers the first.
    return {
        task: str(next(iter(gold), "") if type(gold) is list else gold)
        for task, gold in held.items()
    }


def fill_in(folder: Path, gold_of: Gold) -> None:
    """Write the answers file of the sheet in `folder`."""
    sheet = (folder / SHEET).read_text(encoding="utf-8")
    prompts, lines = {}, []
    form = _declared(sheet)
    for found in PART.finditer(sheet):
        text = _unquoted(found["text"])
        if found["task"]:
            prompts[found["task"]] = text
            continue
        name = found["of"]
        gold = gold_of(int(name), prompts[name]) if name.isdigit() else WORD
        lines.append(f'{found["number"]} = "{judged(text, gold, form)}"')
    review = re.search(r"^# Blind review (\w+):", sheet)
    assert review, "every sheet names its review"
    head = [f'review = "{review[1]}"', 'reader = "prepared answers"', "", "[answers]"]
    (folder / ANSWERS).write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


def judged(text: str, gold: str, form: str) -> str:
    """The label of one completion."""
    if not gold:
        return "unsure"
    said = text.rpartition("</think>")[2]
    before, _, after = form.partition("{answer}")
    pattern = re.escape(before.strip()) + r"(.*?)" + (re.escape(after.strip()) or r"(?:\n|\Z)")
    slots = re.findall(pattern, "" if "<think>" in said else said, re.DOTALL)
    if not slots:
        return "wrong"
    answer, right = _plain(slots[-1]), _plain(gold)
    if answer == right:
        return "right"
    if f" {right} " in f" {answer} ":
        return "unsure: may other words stand beside the answer?"
    return "wrong"


def _declared(sheet: str) -> str:
    """How a completion says its answer, as the declared lines have it."""
    line = re.search(r"^\| (says = .*)$", sheet, re.MULTILINE)
    return str(tomllib.loads(line[1])["says"]) if line else "<answer>{answer}</answer>"


def _unquoted(text: str) -> str:
    return "\n".join(line.removeprefix("| ") for line in text.splitlines())


def _plain(text: str) -> str:
    """Without what may be around an answer; of a number its value."""
    bare = " ".join(re.sub(r"[$*,()\"'`]", "", text).lower().split()).rstrip(".")
    return f"{float(bare):g}" if re.fullmatch(r"[-+]?\d{1,15}(?:\.\d+)?", bare) else bare
