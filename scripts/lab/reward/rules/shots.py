"""Whether a prompt's examples hold the task itself, with its answer.

Message: my card is gone
Label: card_lost            # an example
Message: my card is gone    # the task
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt
from lab.environment import Task
from lab.reward.brief import Brief
from lab.reward.productions.base import DESIGN
from lab.reward.reading.fields import flat

SHOTS = Check(
    "data.own_example",
    title="the examples of a prompt are other tasks",
    expected="no task that is shown before with its gold",
    reason="Examples that are drawn from all rows hold the row itself: its answer is copied.",
    source="lm-eval: few-shot samplers leave out the document that is asked about",
)
SHORTEST, WORDS, NEAR, AT_END, LEAST = 12, 3, 80, 200, 2
"""Characters and words of a text that is told from others; characters between it and its answer,
and behind the last one; tasks that show it."""


def finding(b: Brief) -> Finding:
    shown = {i: said for i in b.with_gold if (said := _shown(b.tasks[i], b.gold(i)))}
    if len(shown) < LEAST:
        return SHOTS.ok(measured=len(shown))
    i, said = next(iter(shown.items()))
    return SHOTS.fail(
        measured=f"{len(shown)} of {len(b.with_gold)} tasks",
        evidence=f"task {b.tasks[i].index}: '{excerpt(said, 120)}' stands in the prompt before, "
        f"with its gold '{excerpt(b.gold(i), 40)}'",
        fix=f"leave the row itself out when examples are drawn ({DESIGN}#golds)",
        severity="high",
        direction="data",
    )


def _shown(task: Task, gold: str) -> str:
    """The text of a task that its prompt has twice, first with the gold behind it; "" without."""
    answer = re.compile(rf"(?<!\w){re.escape(gold)}(?!\w)")
    for text in _texts(task):
        found = [one.end() for one in re.finditer(re.escape(text), task.shown)]
        asked = len(task.shown) - found[-1] <= AT_END  # what is asked comes last
        if asked and any(answer.search(task.shown, end, end + NEAR) for end in found[:-1]):
            last = task.shown[found[-1] : found[-1] + NEAR]
            if not answer.search(last):  # options below the question hold the gold each time
                return text
    return ""


def _texts(task: Task) -> Iterator[str]:
    lines = (line.strip() for line in task.prompt.splitlines())
    texts = [value for _, value in flat(task.fields) if isinstance(value, str)]
    for text in dict.fromkeys([*texts, *lines]):
        words = re.findall(r"[^\W\d_]+", text)
        if len(text) >= SHORTEST and len(words) >= WORDS and task.shown.count(text) > 1:
            yield text
