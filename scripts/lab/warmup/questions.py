"""The questions of a run, to keep its tasks out of training data: text alone, whatever the layout."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from lab.rollouts.find import files_of
from lab.rollouts.read import decode
from lab.rollouts.streams import lines
from lab.warmup.conversation import conversations, text_of

FIELDS = ("prompt", "question", "problem", "instruction", "input")


def questions(path: Path) -> set[str]:
    """Every question in `path`, in small letters with blanks squeezed. A plain jsonl of tasks
    works too: its `question` or `prompt` field is read."""
    found: set[str] = set()
    for file in files_of(path):
        for _, line in lines(file, Counter()):
            try:
                row = decode(line)
            except ValueError:
                continue
            found.update(filter(None, map(squeezed, _asked(row))))
    return found


def squeezed(text: str) -> str:
    return " ".join(text.split()).lower()


def _asked(row: Any) -> list[str]:
    texts = [next((text_of(m.get("content")) for m in chat.messages if m.get("role") == "user"), "") for _, chats in conversations(row) for chat in chats]
    if isinstance(row, dict):
        texts += [row[name] for name in FIELDS if isinstance(row.get(name), str)]
        task = row.get("task")
        data = task.get("data") if isinstance(task, dict) else None
        if isinstance(data, dict):
            prompt = data.get("prompt")
            texts.append(prompt if isinstance(prompt, str) else json.dumps(prompt) if prompt else "")
    return texts
