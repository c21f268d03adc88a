"""What a completion contains: the text of a message, as any release of verifiers gives it,
the replies, the calls, and whether it tells itself what its calls gave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def text_of(message: Any) -> str:
    """The content as text: of a dictionary, of a typed message, or of a plain string; parts are
    joined."""
    content = (
        message
        if isinstance(message, str)
        else message.get("content")
        if isinstance(message, dict)
        else getattr(message, "content", "")
    )
    if isinstance(content, list):
        parts = [
            part.get("text") if isinstance(part, dict) else getattr(part, "text", "")
            for part in content
        ]
        return "\n".join(str(part) for part in parts if part)
    return content if isinstance(content, str) else str(content or "")


UNANSWERED = "error: missing argument"
"""The result of a call that a completion leaves to the environment's own tools, where they run."""


def as_written(completion: Any) -> bool:
    """Whether a completion tells itself what its calls gave: it is scored as it stands, and not
    played."""
    return not isinstance(completion, str) and any(
        m.get("role") == "tool" and text_of(m) != UNANSWERED for m in completion
    )


def replies(completion: Any) -> list[Any]:
    """What a model said in a completion: the text, or the assistant's messages of a list."""
    return (
        [completion]
        if isinstance(completion, str)
        else [m for m in completion if m.get("role") == "assistant"]
    )


def calls_in(said: Iterable[Any]) -> bool:
    """Whether any of the replies (texts, or messages) calls a tool."""
    return any(isinstance(reply, dict) and reply.get("tool_calls") for reply in said)
