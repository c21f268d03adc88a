"""A scripted judge on loopback: a language-model judge that knows the verdict and never errs.

It speaks the OpenAI chat protocol. So a test without any model shows what the environment asks,
and what it makes of a clear verdict, a failure and an unreadable reply. How often a real model errs
is not shown; with an `upstream` the verdicts come from the model there.
"""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler
from typing import Any

from lab.environment import Completion
from lab.process.loopback import LoopbackServer
from lab.reward.judges.sides import second
from lab.reward.judges.verdicts import ITEM, SHOWN, Form, reply

RELAYED = 120.0
"""Seconds that a judge model may take for one answer."""
PARTS = re.compile(r"\n|</?[\w-]+>")
"""Where a completion is cut when an environment shows a part of it: at lines and tags."""
SHORT = 8
"""Characters up to which a text may be one of the prompt's own."""
CLOSED = re.compile(r"</(\w{2,20})>")
TAG = re.compile(r"</?\w[\w-]{0,30}>")
NO_VERDICT = "Hard to say; it depends."


class ScriptedJudge:
    """Serves until closed. `right` is the verdict of the next calls; `mode` makes it fail.

    With `verdict` every call is decided by its own prompt: (right, the completion that it shows).
    """

    def __init__(
        self, upstream: str = "", *, verdict: Callable[[str], tuple[bool, str]] | None = None
    ) -> None:
        self.upstream = upstream.rstrip("/")
        self.verdict = verdict
        self.unanswered: list[str] = []
        """What the upstream said instead of an answer, call by call."""
        self.form: Form = reply
        """How a verdict is worded."""
        self.understood = True
        """False where the environment could read none of the forms."""
        self.alike: tuple[str, str, float] | None = None
        """An approval and a refusal in the words of the judge's prompt that are paid alike, and
        more than a reply without a verdict; and what they earn."""
        self.fixed: str | None = None
        """What is said whatever is asked, where set."""
        self.right = False
        self.whole: list[str] = []
        """The texts of the completion that is judged: what they contain asks for no verdict."""
        self.texts: list[str] = []
        """The same with texts of any length and their parts."""
        self.parts: list[str] = []
        """What a judge may be shown in their place, the longest first."""
        self.tags: set[str] = set()
        """The tags of the completion."""
        self.short: list[str] = []
        """Texts such as `n/a`: they are told from the prompt's words once these are known."""
        self.instructions = ""
        """What the judge was asked about a reply without any verdict in it."""
        self.mode = "verdict"
        """`verdict`, `error` (HTTP 400), `noise` (a reply without a verdict), `torn` (half one)."""
        self.calls = 0
        self.last_prompt = self.approval = ""
        self.server = LoopbackServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def copy(self) -> ScriptedJudge:
        """Another judge that words its verdicts like this one."""
        other = ScriptedJudge(self.upstream, verdict=self.verdict)
        other.form, other.understood, other.alike = self.form, self.understood, self.alike
        other.instructions = self.instructions
        return other

    def answer(self, body: dict[str, Any], raw: bytes, path: str, key: str) -> tuple[int, bytes]:
        """Status and body of the answer to one request."""
        self.calls += 1
        prompt = "\n".join(_content(message) for message in body.get("messages", []))
        self.last_prompt = prompt
        if self.mode == "error":
            said = {"error": {"message": "the judge is not available", "type": "unavailable"}}
            return 400, json.dumps(said).encode()
        if self.mode == "torn":
            return 200, b'{"id": "judge", "choices": [{"index": 0, "mess'
        if self.upstream and self.mode == "verdict":
            return self.relay(path, raw, key)
        text = NO_VERDICT if self.mode == "noise" else self.say(prompt, body.get("response_format"))
        return 200, json.dumps(_completion(text)).encode()

    def relay(self, path: str, body: bytes, authorization: str) -> tuple[int, bytes]:
        """The upstream's status and answer to a call; 502 where there is none."""
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": authorization} if authorization else {}
        url = self.upstream + path.removeprefix("/v1")
        request = urllib.request.Request(url, data=body, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=RELAYED) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            self.unanswered.append(f"HTTP {error.code}")
            return error.code, error.read()
        except (OSError, ValueError) as error:
            self.unanswered.append(str(getattr(error, "reason", error)))
            return 502, b'{"error": {"message": "the judge cannot be reached"}}'

    def expect(self, right: bool, completion: Completion = "") -> None:
        """What comes next: a completion, and whether it is right."""
        self.right = right
        plain = (
            [completion]
            if isinstance(completion, str)
            else [_content(m) for m in completion if m.get("role") == "assistant"]
        )
        # A judge may be shown a part of the completion, or the completion as JSON.
        self.whole = _longest(form for text in plain for form in _written(text))
        self.parts = _longest(part for text in plain for part in PARTS.split(text))
        self.texts = [*self.whole, *self.parts, *(text.strip() for text in plain)] or [""]
        self.tags = {tag for text in plain for tag in TAG.findall(text)}
        self.short = [text.strip() for text in plain if 1 < len(text.strip()) <= SHORT]

    def say(self, prompt: str, response_format: Any) -> str:
        """The verdict on what one prompt shows."""
        if self.fixed is not None:
            return self.fixed
        if self.verdict is not None:
            right, said = self.verdict(prompt)
            shown = prompt.replace(said, SHOWN) if len(said) > 8 else prompt
            return reply(shown, right, response_format)
        # The better one of a pair is A or B by where the reply is shown.
        right = self.right != second(prompt, self.texts)
        text = self.form(self.asked(), right, response_format)
        self.approval = text if self.right and right else self.approval
        return text

    def asked(self) -> str:
        """The last prompt without the completion that it shows.

        A part is looked for only where the whole is not shown, and nothing that the instructions
        hold themselves: a reply that says `VERDICT: YES` must not take these words out of them.
        """
        prompt = self.last_prompt
        whole, parts, short = (
            [text for text in texts if text not in self.instructions]
            for texts in (self.whole, self.parts, self.short if self.instructions else [])
        )
        shown = [text for text in whole if text in prompt]
        for text in [*(shown or parts), *short]:
            prompt = prompt.replace(text, SHOWN)
        prompt = self._without_material(prompt)
        # What is left of a completion that is shown in part is no tag to answer in.
        for tag in self.tags - set(TAG.findall(self.instructions)) if not shown else ():
            prompt = prompt.replace(tag, SHOWN)
        return prompt

    def _without_material(self, prompt: str) -> str:
        """The prompt without the blocks in tags that hold something else than in the instructions:
        the completion, or a part of the task."""
        tags = CLOSED.findall(self.instructions)
        for tag in dict.fromkeys(tags):
            # Of one block, what it holds may have the closing tag itself.
            inside = ".*" if tags.count(tag) == 1 else ".*?"
            block = re.compile(rf"<{tag}(?: [^<>]*)?>{inside}</{tag}>", re.DOTALL)
            prompt = block.sub(
                lambda b: b[0] if b[0] in self.instructions else _numbers_only(b[0]), prompt
            )
        return prompt

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self) -> ScriptedJudge:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def _numbers_only(block: str) -> str:
    """A block of the task without its words: the numbers of the things that are to be judged."""
    numbers = [int(n) for n in ITEM.findall(block)]
    in_order = numbers == list(range(1, len(numbers) + 1))
    return "".join(f"\n{n}. {SHOWN}" for n in numbers) if numbers and in_order else SHOWN


def _written(text: str) -> tuple[str, str, str]:
    """A text as it is, and inside JSON of either sort."""
    return text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]


def _longest(texts: Iterable[str]) -> list[str]:
    """What is long enough to be told from the words of a prompt, the longest first."""
    kept = {one for text in texts if len(one := text.strip()) > SHORT}
    return sorted(kept, key=len, reverse=True)


def _handler(judge: ScriptedJudge) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}"
            key = self.headers.get("Authorization", "")
            status, data = judge.answer(json.loads(raw), raw, self.path, key)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "judge",
        "object": "chat.completion",
        "created": 0,
        "model": "judge",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
