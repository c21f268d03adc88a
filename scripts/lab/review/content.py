"""What a reader is shown, as data: README, declared contract, prompts and numbered completions.

The sheet and the page are two forms of this and of nothing else, so neither can hold a reward, a
gold field, or why a completion was chosen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lab.cli.secrets import masked
from lab.environment import Completion, Task
from lab.environment.messages import UNANSWERED, text_of
from lab.review.controls import MADE_TASK
from lab.review.items import NO_TASK, Item
from lab.review.others import OTHERS, differing
from lab.review.tools import looked_up, played
from lab.reward.brief import Brief
from lab.reward.contract import Contract
from lab.reward.contract_file import render
from lab.reward.interactive.signatures import described
from lab.reward.outcome import Audit

LONGEST_README, LONGEST_PROMPT = 6000, 3000
LONGEST_REPLY = 600
"""Characters of what a tool or the environment says at a time."""
SECRET = "[the secret of this task, which the model is not told]"
MADE = "M"
"""The name of the task that is made for the sheet."""


@dataclass(frozen=True)
class Shown:
    """The parts of a review that a reader sees. Texts are as they are: whoever shows them makes
    them harmless."""

    review: str
    environment: str
    readme: str
    contract: str
    """The declared clauses, without where the gold is and without examples."""
    system: str
    """What stands before every prompt."""
    tasks: list[tuple[str, str]] = field(default_factory=list)
    """(name, prompt) of each task that is asked about, in the order of the taskset."""
    others: list[tuple[str, str]] = field(default_factory=list)
    """(name, words in which it differs) of further tasks: what repeats is seen among many."""
    completions: list[tuple[int, str, str]] = field(default_factory=list)
    """(number, name of its task, text)."""
    tools: str = ""
    """The tools as the model gets them."""
    withheld: list[str] = field(default_factory=list)
    """What decides and is not shown, because it has the answers: sentences of ours."""

    @property
    def words(self) -> str:
        """Everything that a reader may quote."""
        prompts = (prompt for _, prompt in self.tasks)
        return "\n".join([self.readme, self.contract, self.system, self.tools, *prompts])


def shown_of(audit: Audit, items: Sequence[Item], review: str, environment: str) -> Shown:
    tasks, env = audit.brief.tasks, audit.session.env
    asked = sorted({one.task for one in items if one.task != NO_TASK})
    system = _system(tasks)
    seen = looked_up(env, asked)
    if hidden(audit.brief):
        seen |= {i: f"{SECRET} {audit.brief.gold(i)}" for i in asked}
    prompts = []
    for i in asked:
        prompt = _cut(tasks[i].prompt, LONGEST_PROMPT)
        parts = ("" if system else tasks[i].system, prompt, _begun(seen.get(i, "")))
        prompts.append((str(tasks[i].index), "\n\n".join(filter(None, parts))))
    if any(one.task == NO_TASK for one in items):
        prompts.append((MADE, MADE_TASK))
    return Shown(
        review,
        environment,
        _cut(audit.brief.readme, LONGEST_README),
        _declared(audit.brief.contract),
        _cut(system, LONGEST_PROMPT),
        prompts,
        _others(tasks, asked),
        [(one.number, task_name(one), said(played(env, one))) for one in items],
        described(env.description.schemas),
        list(_withheld(audit, asked)),
    )


def _others(tasks: Sequence[Task], asked: Sequence[int]) -> list[tuple[str, str]]:
    lines = differing([masked(task.prompt) for task in tasks])
    named = [(str(task.index), line) for task, line in zip(tasks, lines, strict=True)]
    return [one for i, one in enumerate(named) if i not in asked][:OTHERS]


def hidden(brief: Brief) -> bool:
    """Whether no prompt says anything of its answer: games whose secret is drawn, where a reader
    who is not told it could judge nothing. All prompts are then alike, but for the task's number:
    any other number may be what the answer follows from."""
    said = {
        re.sub(rf"(?<!\d)(?:{task.index}|{task.index + 1})(?!\d)", "#", task.shown)
        for task in brief.tasks
    }
    return len(said) == 1 and len(brief.right.distinct) > 1 and brief.playable


def _withheld(audit: Audit, asked: Sequence[int]) -> Iterator[str]:
    brief = audit.brief
    if any(len(brief.right.accepted[i]) > 1 for i in asked):
        yield (
            "The data have a list of accepted answers for some tasks. Judge by what an answer "
            "means; where only the list decides, say `unsure`."
        )
    if brief.programs:
        yield "Programs are run on tests, of which the prompt may show a part."
    if brief.judged:
        yield "A language model judges the answers. Its instructions are not shown."


def task_name(item: Item) -> str:
    return MADE if item.task == NO_TASK else str(item.index)


def _system(tasks: Sequence[Task]) -> str:
    """The system prompt, where all tasks have the same."""
    systems = {task.system for task in tasks}
    return systems.pop() if len(systems) == 1 else ""


def _declared(contract: Contract) -> str:
    """The clauses as their file has them; "" where nothing is declared."""
    kept = replace(contract, gold=None, examples=(), path=None)
    return "\n".join(render(kept).splitlines()[2:]) if kept.declared else ""


def _cut(text: str, most: int) -> str:
    """The text without keys; of one that is too long, its two ends."""
    whole = masked(text)
    if len(whole) <= most:
        return whole
    left_out = len(whole) - most
    return (
        f"{whole[: most * 2 // 3]}\n[... {left_out} characters left out ...]\n"
        + (whole[-(most // 3) :])
    )


def _begun(text: str) -> str:
    """The beginning of what a tool or the environment says."""
    whole = masked(text)
    return whole if len(whole) <= LONGEST_REPLY else whole[:LONGEST_REPLY] + " ..."


def said(completion: Completion) -> str:
    """A completion as a reader gets it: a text as it is, messages one under the other."""
    if isinstance(completion, str):
        return _cut(completion, LONGEST_PROMPT)
    parts = [part for message in completion for part in _message(message)]
    return _cut("\n".join(parts), LONGEST_PROMPT) if parts else "(no message at all)"


def _message(message: dict[str, Any]) -> list[str]:
    role, text = str(message.get("role", "")), text_of(message)
    if role == "tool":
        given = "(the tool's own answer)" if text == UNANSWERED else _begun(text)
        return [f"[the tool gives] {given}"]
    if role == "user":
        return [f"[the environment says] {_begun(text)}"]
    calls = [call.get("function") or {} for call in message.get("tool_calls") or []]
    made = [f"[calls] {one.get('name')}({_arguments(one.get('arguments'))})" for one in calls]
    who = "the model says" if role == "assistant" else f"the {role or 'other'} says"
    return [*([f"[{who}] {text}"] if text or not made else []), *made]


def _arguments(raw: Any) -> str:
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)
