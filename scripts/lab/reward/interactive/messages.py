"""Rollouts as messages after the prompt: replies in turns, calls of tools."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lab.environment import Completion
from lab.environment.messages import UNANSWERED

Call = tuple[str, dict[str, Any]]
Turn = str | Call
Messages = list[dict[str, Any]]
DONE = "Done."


def said(texts: Iterable[str]) -> Messages:
    """One assistant message per text."""
    return [{"role": "assistant", "content": text} for text in texts]


def conversation(calls: Iterable[Call], last: str = DONE, first: int = 0) -> Messages:
    """Messages that make each call, leave its result to the environment, and end with `last`.
    `first`: the number of the first call."""
    messages: Messages = []
    for call in _as_made(calls, first):
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": UNANSWERED})
    return [*messages, {"role": "assistant", "content": last}]


def at_once(calls: Iterable[Call]) -> Messages:
    """One message that makes all the calls, and is the last one."""
    return [{"role": "assistant", "content": "", "tool_calls": _as_made(calls)}]


def _as_made(calls: Iterable[Call], first: int = 0) -> list[dict[str, Any]]:
    """The calls as a message has them."""
    return [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(calls, first)
    ]


def calls_made(completion: Completion) -> list[Call]:
    """The calls that a completion makes."""
    if isinstance(completion, str):
        return []
    made = [c["function"] for message in completion for c in message.get("tool_calls") or []]
    return [(function["name"], json.loads(function["arguments"])) for function in made]


def last_said(completion: Completion) -> str:
    """The text that a completion ends with; `DONE` where it ends otherwise."""
    if isinstance(completion, str):
        return completion
    last = completion[-1] if completion else {}
    text = last.get("content") if last.get("role") == "assistant" else None
    return text if isinstance(text, str) and text else DONE


def turns_of(completion: Completion) -> list[Turn]:
    """What is said and called, one after the other."""
    if isinstance(completion, str):
        return [completion]
    found: list[Turn] = []
    for message in completion:
        if message.get("role") == "assistant":
            text = message.get("content")
            found += [text] if isinstance(text, str) and text else []
            found += calls_made([message])
    return found


def messages_of(turns: Iterable[Turn | dict[str, Any]]) -> Messages:
    """The messages of these turns, each by itself; the results of calls are left to the
    environment. What is a message already stays as it is."""
    messages: Messages = []
    calls = 0
    for turn in turns:
        if isinstance(turn, str):
            messages += said([turn])
        elif isinstance(turn, dict):
            messages.append(turn)
        else:
            messages += conversation([turn], first=calls)[:-1]
            calls += 1
    return messages


def shown(completion: Completion) -> str:
    """What the model says and calls, on one line."""
    if isinstance(completion, str):
        return completion
    parts = []
    for message in completion:
        calls = [call.get("function") or {} for call in message.get("tool_calls") or []]
        parts += [f"{function.get('name')}({function.get('arguments')})" for function in calls]
        if message.get("role") == "assistant" and not calls:
            parts.append(str(message.get("content")))
    return " | ".join(parts) or "no message at all"
