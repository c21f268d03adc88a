"""What a reader must know of the environment's own side: its tools, and what it says in a rollout.

A rule such as "the capital must be looked up" cannot be judged without the tool's replies, and no
answer from a corpus without a look at it. The replies are those that the environment gives when a
completion is played, up to the model's last message: what it says after that may be a verdict. And
one call per task is made whose words are those of the prompt alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lab.environment import Completion, Environment
from lab.environment.messages import as_written, replies, text_of
from lab.review.items import NO_TASK, Item
from lab.reward.interactive.calls import required, sensible
from lab.reward.interactive.messages import conversation, shown
from lab.reward.interactive.signatures import REFUSED

MOST_ASKED = 8
OVER = "(nothing more: the exchange is over)"


def played(env: Environment, item: Item) -> Completion:
    """The completion with what the environment says in it: a tool's reply after a call, its own
    words between two turns. As it is where it cannot be played to its end."""
    said = item.completion
    if isinstance(said, str) or item.task == NO_TASK or as_written(said):
        return said
    own = replies(said)
    if len(own) < 2 and not any(one.get("tool_calls") for one in own):
        return said
    before = env.prelude.get(item.task, [])
    rest = own[len(before) :] if own[: len(before)] == before else own
    for run in env.play(item.task, [rest]):
        taken = sum(message.get("role") == "assistant" for message in run.messages)
        over = [{"role": "user", "content": OVER}] if taken < len(own) else []
        if taken:
            return [*run.messages, *over]
    return said


def looked_up(env: Environment, asked: Sequence[int]) -> dict[int, str]:
    """Per task what a tool says to the words of its prompt; {} where it says the same to all.

    The task's own fields are kept from the call: one of them is the gold.
    """
    schemas = env.description.schemas
    tool = next((name for name, schema in schemas.items() if _asks_in_words(schema)), "")
    found: dict[int, tuple[str, str]] = {}
    for i in asked[:MOST_ASKED] if tool else []:
        task = replace(env.description.tasks[i], fields={})
        made = conversation([sensible(tool, schemas[tool], task)])
        for run in env.play(i, [replies(made)])[:1]:
            said = [text_of(m) for m in run.messages if m.get("role") in ("tool", "user")]
            if said and not REFUSED.search(said[0]):
                found[i] = shown(made[:1]), said[0]
    if len({reply for _, reply in found.values()}) < min(2, len(asked)):
        return {}
    prompts = {i: json.dumps(env.description.tasks[i].prompt) for i in found}
    return {
        i: f"[{call.replace(prompts[i], 'THE PROMPT')} gives] {reply}"
        for i, (call, reply) in found.items()
    }


def _asks_in_words(schema: Mapping[str, Any]) -> bool:
    """Whether a tool is asked with a free text and needs nothing else."""
    properties = schema.get("properties") or {}
    names = required(dict(schema))
    free = [properties.get(name) or {} for name in names]
    return len(names) == 1 and free[0].get("type") == "string" and not free[0].get("enum")
