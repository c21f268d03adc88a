"""What the supervised trainer does with a row, as rules: what crashes it, and what it trains wrongly.

Re-made from prime-rl (late 2026), trainer/sft/data/dataset.py and utils/chat_template.py: null
fields are stripped, tool arguments are parsed as JSON, the role must be one of four, every
assistant message is trained (the renderer's sampled mask), a row without a trainable token
within the length is skipped, images need a vision model, and a final stop token is asserted.
"""

from __future__ import annotations

import json
from typing import Any

from lab.warmup.conversation import ROLES, Chat, text_of

REASONS = {
    "no_messages": "there is no message",
    "unknown_role": "a role other than system, user, assistant, tool: the trainer raises an error",
    "no_reply": "no message of the model: nothing to train on",
    "empty_reply": "a message of the model without text and tool calls",
    "prompt_trained": "the prompt holds an assistant turn, which the trainer would train as the model's own",
    "bad_tool_call": "a tool call that is no object with a function name",
    "bad_arguments": "tool arguments that are not a JSON object: the trainer raises an error",
    "unknown_tool": "a call of a tool that was not offered",
    "unanswered_call": "a tool call without its result before the next message of the model",
    "orphan_result": "a tool result without its call",
    "bad_tools": "tool definitions that are not JSON, or have no name",
    "not_text": "a message that is not text (images need a vision model)",
    "not_unicode": "characters that no file can hold (lone surrogates)",
    "no_question": "the conversation begins with the model's own message",
}
"""Every reason for which a conversation is refused."""


def problems(chat: Chat) -> list[str]:
    """The reasons in `REASONS` that hold for a conversation; empty when it can be trained on."""
    if not chat.messages:
        return ["no_messages"]
    found: list[str] = []
    offered = {t.get("function", {}).get("name") for t in chat.tools if isinstance(t.get("function"), dict)}
    waiting: set[str] = set()
    for message, mine in zip(chat.messages, chat.sampled, strict=True):
        role = message.get("role")
        if role not in ROLES:
            found.append("unknown_role")
        if not isinstance(message.get("content"), str):
            found.append("not_text")
        calls = message.get("tool_calls") or []
        if role == "assistant":
            if waiting:
                found.append("unanswered_call")
            waiting = set()
            if not mine:
                found.append("prompt_trained")
            if mine and not text_of(message.get("content")).strip() and not calls:
                found.append("empty_reply")
            for call in calls:
                found += _call(call, offered)
                if isinstance(call, dict) and call.get("id"):
                    waiting.add(call["id"])
        elif role == "tool":
            if message.get("tool_call_id") and message["tool_call_id"] not in waiting:
                found.append("orphan_result")
            waiting.discard(message.get("tool_call_id", ""))
    if not any(chat.sampled):
        found.append("no_reply")
    elif chat.sampled[0]:
        found.append("no_question")
    if any(not isinstance(t.get("function"), dict) or not t["function"].get("name") for t in chat.tools):
        found.append("bad_tools")
    try:
        json.dumps([chat.messages, chat.tools], ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        found.append("not_unicode")
    except (TypeError, ValueError):
        found.append("bad_tools")
    return list(dict.fromkeys(found))


def _call(call: Any, offered: set[Any]) -> list[str]:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str) or not function["name"]:
        return ["bad_tool_call"]
    arguments = function.get("arguments")
    try:
        parsed = json.loads(arguments) if isinstance(arguments, str) else None
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        return ["bad_arguments"]
    return ["unknown_tool"] if offered and function["name"] not in offered else []


def estimated_tokens(chat: Chat) -> int:
    """Tokens of the whole conversation, on the safe side: three characters each and some for the
    template around a message. Used where no call counted them and no tokenizer is at hand."""
    size = 0
    for message in chat.messages:
        size += len(text_of(message.get("content"))) + len(message.get("reasoning_content") or "") + 24
        size += sum(len(json.dumps(call)) for call in message.get("tool_calls") or [])
    return (size + len(json.dumps(chat.tools) if chat.tools else "")) // 3 + 16
