"""A reply that gets through to the judge: an environment checks form and length before it asks one.

opening = find_opening(env, judge, formats)
opening.write(task)      # a reply to this task that the judge is asked about
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from lab.environment import Environment, Task
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.formats.prompt import quoted
from lab.reward.judges.server import ScriptedJudge

PROSE = (
    "There is something to be said on both sides. On the one hand it saves time and money, on the "
    "other hand it asks for care and patience. All in all the first seems to weigh more to me, "
    "because it lasts."
)
LISTED = "\n".join(f"- {sentence}" for sentence in re.split(r"(?<=\.) ", PROSE))
LENGTHS = (100, 240, 600, 60)
"""Characters of a reply in the task's own words."""
MOST_TRIED = 90
FORMATS = 8
SECONDS = 5.0
"""For all replies after the first ones, where scoring is slow: a reward that asks no judge may need
the time."""


@dataclass(frozen=True)
class Opening:
    format: AnswerFormat
    body: Callable[[Task], str]

    def write(self, task: Task, number: int | None = None) -> str:
        """The reply to a task; with a number another one, for judges that are asked once about
        each."""
        mark = f"-{number}" if number is not None else ""
        return self.format.write(self.body(task) + mark)


def find_opening(
    env: Environment, judge: ScriptedJudge, formats: Sequence[AnswerFormat]
) -> Opening | None:
    """The first format and content for which the judge is asked; None where none is."""
    tasks = env.description.tasks
    tried, until = 0, time.monotonic() + SECONDS
    for body in bodies(tasks):
        for one in formats[:FORMATS]:
            opening = Opening(one, body)
            if asks(env, judge, opening.write(tasks[0])):
                return opening
            tried += 1
            if tried >= MOST_TRIED or (tried >= FORMATS and time.monotonic() > until):
                return None
    return None


def asks(env: Environment, judge: ScriptedJudge, text: str, task: int = 0) -> bool:
    before = judge.calls
    env.expect(True, text)
    env.score(task, text)
    return judge.calls > before


def bodies(tasks: Sequence[Task]) -> Iterator[Callable[[Task], str]]:
    """What a reply may hold: ordinary prose, alone and with all numbers of the prompt, what the
    fields hold, a letter between the words that the prompt quotes, a list of lines, the task's own
    words of several lengths."""
    yield lambda task: PROSE
    yield _with_numbers
    fields = tasks[0].fields
    names = [name for name, value in fields.items() if isinstance(value, (str, int, float))]
    for name in names[:4]:
        yield partial(_field, name)
    yield lambda task: PROSE[:60]
    yield lambda task: " ".join([PROSE] * 3)
    yield _letter
    yield lambda task: LISTED
    for length in LENGTHS:
        yield partial(_own_words, length)


def _with_numbers(task: Task) -> str:
    """A rewritten text has to keep the numbers of the first one."""
    numbers = dict.fromkeys(re.findall(r"\d+(?:[.,]\d+)*", task.prompt))
    return f"{PROSE} So it is with {', '.join(numbers)} here." if numbers else PROSE


def _field(name: str, task: Task) -> str:
    return str(task.fields.get(name, ""))[:400]


def _own_words(length: int, task: Task) -> str:
    """About `length` characters of the task's own words: in its language, without its marks."""
    words = " ".join(re.sub(r"[<>{}\[\]`|#*]+", " ", task.prompt).split())
    return " ".join([words] * (1 + length // max(1, len(words))))[:length]


def _letter(task: Task) -> str:
    """Prose between the first and the last text that the prompt quotes."""
    found = [text for text in quoted(task.shown) if not text.isdigit()]
    ends = [re.sub(r"\s*(?:\.\.\.|…)$", " Sam,", text) for text in found]
    first, last = (ends[0], ends[-1]) if len(ends) > 1 else ("", "")
    return "\n".join(part for part in (first, PROSE, last, "Sam Carter") if part)
