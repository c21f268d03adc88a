"""A scripted judge on loopback: a language-model judge that knows the verdict and never errs.

It speaks the OpenAI chat protocol and answers in the words that the judge prompt asks for (yes
or no, CORRECT or INCORRECT, a letter, a score, a JSON object). So a test without any model shows
what the environment asks, and what it makes of a clear verdict, a failure and an unreadable
reply. How often a real model errs is not shown; that needs --judge-base-url.
"""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

from lab.answers.wrong import plain_words
from lab.environment import Completion, Score
from lab.loopback import LoopbackServer
from lab.probes.families import DESIGN
from lab.probes.subject import Subject
from lab.report import Check, Finding
from lab.untrusted import excerpt

REAL = Check(
    "reward.judge_model",
    title="the judge model itself was tested",
    expected="probed through --judge-base-url",
    reason="A model that can be talked into a verdict pays for talking.",
    source="RL-Verifier-Pitfalls; arXiv 2507.08794",
)
FAILURE = Check(
    "reward.judge_failure",
    title="a judge that fails or cannot be read is an error, not a score",
    expected="an error",
    reason="A failure scored as 0 punishes right answers; scored as 1 it pays for anything.",
    source="verifiers 0.4: judge calls have no retry; a raising judge fails the rollout",
)
REFERENCE = Check(
    "reward.judge_sees_reference",
    title="the judge is shown the question, the reference and the response",
    expected="all three in its prompt",
    reason="A judge without the reference grades confidence; JudgeRubric of 0.1.14 and 0.3.1 leaves the question empty.",
    source="verifiers JudgeRubric; reward science E20 to E23",
)
POSITIVE = ("yes", "correct", "true", "pass", "passed", "equivalent", "right", "good", "accept", "a", "match", "met")
PAIR = re.compile(r"[\"'`*(\[]*\b([A-Za-z_]{1,20})\b[\"'`*)\]]*\s*(?:or|/|\|)\s*[\"'`*(\[]*\b([A-Za-z_]{1,20})\b")
LABELLED_PAIR = re.compile(r"\b([A-Za-z]\w{0,20}(?: \w{1,20})?:[ \t]*)[\"'`*]*([A-Za-z_]{1,20})[\"'`*.]*\s*(?:or|/|\|)\s*[\"'`*]*\1[\"'`*]*([A-Za-z_]{1,20})")
"""`VERDICT: PASS or VERDICT: FAIL`: the label belongs to the reply."""
BOOLEAN_KEY = re.compile(r"[\"'](\w+)[\"']\s*:\s*<?(?:true|bool)", re.IGNORECASE)
CRITERION = re.compile(r"^[-*\d. ]*\**([\w /-]{1,80}?)\**(?:\s*\[[^\]]*\])?\s*\(([^()]+)\)", re.MULTILINE)

RELAYED = 120.0
"""Seconds that a judge model may take for one answer."""


class ScriptedJudge:
    """Serves until closed. `right` is the verdict of the next calls; `mode` makes it fail.

    With an `upstream` the verdicts come from the model there, and only the failures are ours. With
    `verdict` every call is decided by its own prompt: (right, the completion that it shows).
    """

    def __init__(self, upstream: str = "", *, verdict: Callable[[str], tuple[bool, str]] | None = None) -> None:
        self.upstream = upstream.rstrip("/")
        self.unanswered: list[str] = []
        """What the upstream said instead of an answer, call by call."""
        self.right = False
        self.said: list[str] = []
        """The texts of the completion under judgement: what stands in them asks for no verdict."""
        self.mode = "verdict"
        """`verdict`, `error` (HTTP 400), `noise` (a reply without a verdict) or `torn` (half a reply)."""
        self.calls = 0
        self.last_prompt = self.approval = ""
        self.verdict = verdict
        judge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}"
                body = json.loads(raw)
                judge.calls += 1
                prompt = judge.last_prompt = "\n".join(_content(message) for message in body.get("messages", []))
                if judge.mode == "error":
                    self._send(400, {"error": {"message": "the judge is not available", "type": "unavailable"}})
                    return
                if judge.mode == "torn":
                    self._answer(200, b'{"id": "judge", "choices": [{"index": 0, "mess')
                    return
                if judge.upstream and judge.mode == "verdict":
                    self._answer(*judge.relay(self.path, raw, self.headers.get("Authorization", "")))
                    return
                said = "Hard to say; it depends." if judge.mode == "noise" else judge.say(prompt, body.get("response_format"))
                message = {"role": "assistant", "content": said}
                usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
                self._send(200, {"id": "judge", "object": "chat.completion", "created": 0, "model": "judge", "choices": [choice], "usage": usage})

            def _send(self, status: int, value: dict[str, Any]) -> None:
                self._answer(status, json.dumps(value).encode())

            def _answer(self, status: int, data: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = LoopbackServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def relay(self, path: str, body: bytes, authorization: str) -> tuple[int, bytes]:
        """The upstream's status and answer to a call; 502 where there is none."""
        headers = {"Content-Type": "application/json", **({"Authorization": authorization} if authorization else {})}
        request = urllib.request.Request(self.upstream + path.removeprefix("/v1"), data=body, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=RELAYED) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            self.unanswered.append(f"HTTP {error.code}")
            return error.code, error.read()
        except (OSError, ValueError) as error:
            self.unanswered.append(str(getattr(error, "reason", error)))
            return 502, b'{"error": {"message": "the judge cannot be reached"}}'

    def told(self, right: bool, completion: Completion = "") -> None:
        """What comes next: a completion, and whether it is right."""
        messages = [completion] if isinstance(completion, str) else [m.get("content") for m in completion if m.get("role") == "assistant"]
        self.right, self.said = right, sorted({text.strip() for text in messages if isinstance(text, str) and len(text.strip()) > 8}, key=len, reverse=True)

    def say(self, prompt: str, response_format: Any) -> str:
        """The verdict on what one prompt shows."""
        if self.verdict is None:
            text = reply(self.asked(), self.right, response_format)
            self.approval = text if self.right else self.approval
            return text
        right, said = self.verdict(prompt)
        return reply(prompt.replace(said, "…") if len(said) > 8 else prompt, right, response_format)

    def asked(self) -> str:
        """The last prompt without the completion that it shows."""
        prompt = self.last_prompt
        for text in self.said:
            prompt = prompt.replace(text, "…")
        return prompt

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self) -> ScriptedJudge:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def reply(prompt: str, right: bool, response_format: Any = None) -> str:
    """The verdict in the form that the prompt asks for."""
    schema = (response_format or {}).get("json_schema", {}).get("schema") if isinstance(response_format, dict) else None
    if schema:
        return json.dumps(_from_schema(schema, schema, right, prompt))
    tail = prompt[-1500:]
    if '"verdicts"' in prompt:
        return json.dumps({"verdicts": _criteria(prompt, right)})
    if keys := BOOLEAN_KEY.findall(prompt):
        return json.dumps({**_texts(prompt, keys), **dict.fromkeys(keys, right)})
    if score := re.search(r"[\"'](score|rating|grade)[\"']\s*:", prompt):
        return json.dumps({**_texts(prompt, [score[1]]), score[1]: _top(prompt) if right else 0})
    letters = dict(re.findall(r"^\s*\(?([A-E])[).:]\s*\**(\w+)", tail, re.MULTILINE))
    if letters:
        wanted = [mark for mark, word in letters.items() if (word.lower() in POSITIVE) == right]
        return wanted[0] if wanted else ("A" if right else "B")
    for label, first, second in LABELLED_PAIR.findall(tail)[-1:]:
        return label + (first if (first.lower() in POSITIVE) == right else second)
    pairs = [(a, b) for a, b in PAIR.findall(tail) if a.lower() != b.lower() and ({a.lower(), b.lower()} & set(POSITIVE))]
    if pairs:
        first, second = pairs[-1]
        good, bad = (first, second) if first.lower() in POSITIVE else (second, first)
        return good if right else bad
    if re.search(r"\[\[", tail):
        return f"[[{_top(tail) if right else 1}]]"
    if re.search(r"\b(?:score|rate|rating|scale)\b", tail, re.IGNORECASE):
        return str(_top(tail) if right else 0)
    return "yes" if right else "no"


def _texts(prompt: str, others: list[str]) -> dict[str, str]:
    """The further keys of the object that the prompt shows, such as a reason, each with a text."""
    return {key: "compared with the reference" for key in re.findall(r"[\"'](\w+)[\"']\s*:", prompt) if key not in others}


def _top(text: str) -> int | float:
    """The upper end of the scale that the prompt names; 1 without one."""
    found = re.findall(r"(?:0|1)(?:\.0)?\s*(?:-|to|and|–|through)\s*(\d+(?:\.0)?)", text)
    top = float(found[-1]) if found else 1.0
    return int(top) if top > 1 else 1


def _criteria(prompt: str, right: bool) -> list[dict[str, str]]:
    listed = prompt.rsplit("Criteria:", 1)[-1]
    out = []
    for name, choices in CRITERION.findall(listed):
        options = [option.strip().strip("\"'") for option in re.split(r"/|,|\||\bor\b", choices)]
        if len(options) > 1:
            out.append({"name": name.strip(), "reason": "compared with the reference", "verdict": options[-1] if right else options[0]})
    return out


def _from_schema(schema: dict[str, Any], root: dict[str, Any], right: bool, prompt: str) -> Any:
    if "$ref" in schema:
        schema = root.get("$defs", {}).get(schema["$ref"].rsplit("/", 1)[-1], {})
    kind = schema.get("type")
    if kind == "object":
        if "verdicts" in schema.get("properties", {}):
            return {"verdicts": _criteria(prompt, right)}
        return {key: _from_schema(value, root, right, prompt) for key, value in schema.get("properties", {}).items()}
    if kind == "boolean":
        return right
    if kind in ("integer", "number"):
        return schema.get("maximum", 1) if right else schema.get("minimum", 0)
    if "enum" in schema:
        good = [value for value in schema["enum"] if str(value).lower() in POSITIVE]
        return good[0] if right and good else next((v for v in schema["enum"] if v not in good), schema["enum"][0])
    return [] if kind == "array" else "compared with the reference"


def findings(s: Subject, judge: ScriptedJudge | None) -> Iterator[Finding]:
    """About the judge as it is used: only for environments whose scoring called it."""
    if not s.judged:
        return
    if judge is None:
        return
    yield _model(judge)
    if not s.with_gold:
        return
    task = s.with_gold[0]
    yield _reference(s, judge, task)
    yield _failure(s, judge, task)


def _model(judge: ScriptedJudge) -> Finding:
    if not judge.upstream:
        return REAL.skip("the verdicts were scripted: whether the model can be talked into one needs --judge-base-url")
    failed = len(judge.unanswered)
    if not failed:
        return REAL.ok(measured=f"{judge.calls} calls", evidence="every probe was scored by the model behind --judge-base-url")
    return (REAL.fail if failed * 2 > judge.calls else REAL.warn)(
        measured=f"{failed} of {judge.calls} calls unanswered", evidence=f"{judge.upstream}: {excerpt(judge.unanswered[-1], 120)}",
        fix="check --judge-base-url, the model's name, and its key (--pass-env NAME), then test again", severity="high", direction="invariant",
    )  # fmt: skip


def _reference(s: Subject, judge: ScriptedJudge, task: int) -> Finding:
    judge.right, judge.last_prompt = True, ""
    response, _ = _shown(s, judge, task, s.gold(task), "A marker sentence about lanterns.")
    if not judge.last_prompt:
        return REFERENCE.skip("the judge is not asked about the gold")
    seen = plain_words(judge.last_prompt)
    lacking = []
    if plain_words(s.tasks[task].prompt)[:200] not in seen:
        lacking.append("the question")
    # The response carries the gold too: the reference must stand there besides.
    if seen.count(plain_words(s.gold(task))) < 1 + (plain_words(s.gold(task)) in plain_words(response) and plain_words(response) in seen):
        lacking.append("the reference answer")
    if not lacking:
        return REFERENCE.ok()
    others = [i for i in s.with_gold if s.gold(i) != s.gold(task)]
    if others and len(lacking) == 2:
        seen_first = judge.last_prompt
        s.score(others[0], response, again=True)
        if judge.last_prompt == seen_first:
            return REFERENCE.fail(
                measured="nothing of the task", evidence=f"two tasks, one response, the same prompt: it begins '{excerpt(seen_first, 160)}'",
                fix=f"put question, reference and response into the judge's prompt, each in a fence of its own ({DESIGN}#judges)",
                severity="high", direction="false_positive",
            )  # fmt: skip
    return REFERENCE.warn(
        measured=f"lacks {' and '.join(lacking)}", evidence=f"the judge's prompt begins '{excerpt(judge.last_prompt, 160)}'",
        fix=f"put question, reference and response into the judge's prompt, each in a fence of its own ({DESIGN}#judges)",
        severity="medium", direction="false_positive",
    )  # fmt: skip


def _shown(s: Subject, judge: ScriptedJudge, task: int, answer: str, lead: str) -> tuple[str, Score]:
    """The answer after a sentence or, where code lets no such reply through to the judge, alone; with its score."""
    before, response = judge.calls, s.write(answer, lead)
    score = s.score(task, response, again=True)
    if judge.calls == before:
        response = s.write(answer)
        score = s.score(task, response, again=True)
    return response, score


def _failure(s: Subject, judge: ScriptedJudge, task: int) -> Finding:
    paid, silent, known = [], [], len(s.failures)
    for mode in ("error", "noise", "torn"):
        judge.mode = mode
        before = judge.calls
        _, score = _shown(s, judge, task, s.wrong(task), f"A line about {mode}.")
        judge.mode = "verdict"
        if judge.calls == before:
            continue
        if score.reward is not None and not score.error:
            (paid if s.paid_like_right(task, score.reward) else silent).append(f"{mode}: {score.reward:.3g}")
    del s.failures[known:]  # failures made on purpose
    fix = f"raise when there is no verdict, after a few retries: the rollout is then left out instead of scored ({DESIGN}#judges)"
    if paid:
        return FAILURE.fail(measured=", ".join(paid), evidence="a judge without a verdict is paid like a right answer", fix=fix, severity="high", direction="false_positive")
    if silent:
        return FAILURE.warn(measured=", ".join(silent), evidence="a judge without a verdict is scored as if it had said no", fix=fix, severity="medium", direction="false_negative")
    return FAILURE.ok(measured="an error each time")
