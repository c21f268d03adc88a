"""A model as the reader: it gets the sheet and nothing else, and its answers are marked as its own.

One call, and a second one where the first reply holds no answers. What it says is data: labels that
are none, numbers that the sheet does not have and fields that are not asked for are left out.
"""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from lab.answers.extract import loads
from lab.cli.report import missing
from lab.cli.untrusted import excerpt
from lab.review.answers import Answers, Own, parsed
from lab.review.items import CONTROL
from lab.review.sealed import Review

CALLS = 2
PER_TOKEN = 3
"""Characters per token, at least: the estimate must not be too low."""
MOST_OWN = 5
SECONDS = 600.0
ASK = """\
Be the reader of this review. Reply with one JSON object and nothing after it:
{"answers": {"1": "right", "2": "wrong: the sentence that decides", "3": "part 0.5",
 "4": "unsure: what is not said", ...},
 "remarks": {"TASK": "what is odd about it"},
 "own": [{"task": 0, "completion": "...", "earns": "right", "why": "the sentence that says so"}]}
Give every number of the sheet one of right, wrong, part, unsure.

"""
AGAIN = "There was no such JSON object in your reply. Reply with the JSON object alone."


@dataclass(frozen=True)
class Reader:
    """A model at an OpenAI-compatible endpoint."""

    model: str
    base_url: str
    key_variable: str
    max_tokens: int

    def tokens(self, sheet: str) -> tuple[int, int]:
        """(sent, written) at most, over all calls."""
        once = len(ASK + sheet) // PER_TOKEN + 200
        return CALLS * once + self.max_tokens, CALLS * self.max_tokens

    def read(self, sheet: str, review: Review) -> tuple[Answers, dict[str, int]]:
        """The answers, with what was used. Raises a missing error (exit 3) where none come."""
        messages = [{"role": "user", "content": ASK + sheet}]
        used = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
        for _ in range(CALLS):
            reply = self._ask(messages, used)
            found = _object(reply)
            if found:
                return answers_of(found, review, self.model), used
            messages += [
                {"role": "assistant", "content": reply},
                {"role": "user", "content": AGAIN},
            ]
        raise missing(
            f"{self.model} gave no answers in {CALLS} calls; it said '{excerpt(reply, 120)}'",
            "take another model, or a larger --max-tokens; or read the sheet yourself",
            id="review.no_answers",
        )

    def _ask(self, messages: list[dict[str, str]], used: dict[str, int]) -> str:
        body = {"model": self.model, "messages": messages, "max_tokens": self.max_tokens}
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self.key_variable, ""):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(
            f"{self.base_url.rstrip('/')}/chat/completions",
            data=json.dumps(body).encode(),
            headers=headers,
            method="POST",
        )
        used["calls"] += 1
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                said = json.loads(answer.read())
            content = said["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            raise self._failed(f"HTTP {error.code}") from None
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise self._failed(f"{type(error).__name__}: {error}") from None
        tokens = said.get("usage") or {}
        used["input_tokens"] += int(tokens.get("prompt_tokens") or 0)
        used["output_tokens"] += int(tokens.get("completion_tokens") or 0)
        return content if isinstance(content, str) else ""

    def _failed(self, why: str) -> Exception:
        return missing(
            f"{self.model} at {self.base_url} did not answer: {excerpt(why, 160)}",
            f"check the endpoint, the model's name and the key in {self.key_variable}",
            id="review.model",
        )


def _object(reply: str) -> dict[str, Any]:
    """The JSON object of a reply that has answers; {} without one."""
    start, end = reply.find('{"answers"'), reply.rfind("}")
    if start < 0:
        start = reply.find("{")
    found = loads(reply[start : end + 1]) if 0 <= start < end else None
    given = found.get("answers") if isinstance(found, dict) else None
    return found if isinstance(found, dict) and isinstance(given, dict) and given else {}


def answers_of(found: dict[str, Any], review: Review, model: str) -> Answers:
    """What of a model's reply is an answer."""
    numbers = {item.number for item in review.items}
    answers = {}
    for key, value in found["answers"].items():
        answer = parsed(value)
        number = int(key) if str(key).isdigit() and len(str(key)) < 4 else 0
        if number in numbers and answer and answer.label:
            answers[number] = answer
    tasks = {item.index for item in review.items if item.role != CONTROL}
    remarks = found.get("remarks")
    kept = {
        str(key): str(text)
        for key, text in (remarks.items() if isinstance(remarks, dict) else ())
        if str(key).isdigit() and int(key) in tasks and str(text).strip()
    }
    listed = found.get("own")
    own = [one for one in listed if _is_own(one, tasks)] if isinstance(listed, list) else []
    return Answers(
        review.id,
        model=model,
        answers=answers,
        remarks=kept,
        own=tuple(
            Own(one["task"], one["completion"], one["earns"], str(one.get("why", "")))
            for one in own[:MOST_OWN]
        ),
    )


def _is_own(one: Any, tasks: set[int]) -> bool:
    return (
        isinstance(one, dict)
        and one.get("task") in tasks
        and isinstance(one.get("completion"), str)
        and one.get("earns") in ("right", "wrong", "part")
    )
