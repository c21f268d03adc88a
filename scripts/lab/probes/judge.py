"""A scripted judge on loopback: a language-model judge that knows the verdict and never errs.

It speaks the OpenAI chat protocol and answers in the words that the judge prompt asks for (yes
or no, CORRECT or INCORRECT, a letter, a score, a JSON object). So a test without any model shows
what the environment asks, and what it makes of a clear verdict, a failure and an unreadable
reply. How often a real model errs is not shown; that needs --judge-base-url.
"""

from __future__ import annotations

import json
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
from lab.probes.judge_words import FORMS, REASONED, refusal, reply
from lab.probes.style import styles
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
READING = Check(
    "reward.judge_reading",
    title="a refusal that mentions the words of approval is no approval",
    expected="paid like a refusal",
    reason="A judge that is asked for reasons quotes the answer and the question: `'yes' in text` finds a yes in most refusals.",
    source="verifiers JudgeRubric examples; reward science E20 to E23",
)
REFERENCE = Check(
    "reward.judge_sees_reference",
    title="the judge is shown the question, the reference and the response",
    expected="all three in its prompt",
    reason="A judge without the reference grades confidence; JudgeRubric of 0.1.14 and 0.3.1 leaves the question empty.",
    source="verifiers JudgeRubric; reward science E20 to E23",
)
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
        self.form: Callable[[str, bool, Any], str] = reply
        """How a verdict is worded."""
        self.understood = True
        """False where the environment could read none of the forms."""
        self.word: Callable[[str], str] | None = None
        """Words what the next refusals say."""
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
            text = self.form(self.asked(), self.right, response_format)
            text = self.word(text) if self.word else text
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
    yield _reading(s, judge, task)


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


def _reading(s: Subject, judge: ScriptedJudge, task: int) -> Finding:
    if judge.upstream or not judge.last_prompt:
        return READING.skip("only a scripted judge says what it is told to")
    if not REASONED.search(judge.asked()):
        return READING.skip("the judge is asked for the verdict alone")
    known, earned = len(s.failures), []
    for number in range(len(refusal(judge.asked(), judge.form(judge.asked(), False, None)))):
        judge.word = lambda bad, number=number: refusal(judge.asked(), bad)[number]
        earned.append((_shown(s, judge, task, s.wrong(task), f"A line about reading, {number}.")[1].reward or 0.0, judge.say(judge.last_prompt, None)))
        judge.word = None
    del s.failures[known:]
    if earned and all(s.paid_like_right(task, reward) for reward, _ in earned):
        reward, said = max(earned)
        return READING.fail(
            measured=reward, evidence=f"task {s.tasks[task].index}: a wrong answer earns {reward:.3g} when the judge says '{excerpt(said, 160)}'",
            fix=f"ask for the verdict in a place of its own, and compare that word whole ({DESIGN}#judges)", severity="high", direction="false_positive",
        )  # fmt: skip
    return READING.ok(measured=max((reward for reward, _ in earned), default=0.0))


def attune(env: Any, judge: ScriptedJudge | None) -> bool:
    """Word the verdicts as this environment reads them: the first form on which a yes is paid more
    than a no. False where no judge is asked, or where none of the forms is read."""
    if judge is None or judge.upstream or not env.description.tasks:
        return False
    said = next((text for text in _openings(env) if _calls(env, judge, text)), None)
    if said is None:
        return False
    errors = 0
    for number, form in enumerate(FORMS):
        judge.form, text = form, f"{said} ({number})" if number else said
        env.expect(True, text)
        yes = env.score(0, text)
        env.expect(False, text)
        no = env.score(0, text)
        errors += bool(yes.error)
        if not yes.error and not no.error and (yes.reward or 0.0) > (no.reward or 0.0):
            return True
    judge.form, judge.understood = reply, errors < len(FORMS)
    return False


def _openings(env: Any) -> list[str]:
    """Replies of which one may be let through to the judge: an ordinary one, and what the fields hold."""
    tasks = env.description.tasks
    values = [str(value) for value in tasks[0].fields.values() if isinstance(value, (str, int, float)) and value != ""]
    ways = styles(tasks)[:4]
    prose = "There is something to be said on both sides. On the one hand it saves time and money, on the other hand it asks for care and patience. All in all the first seems to weigh more to me, because it lasts."
    return [prose, *(way.write(value[:400]) for value in values[:4] for way in ways)]


def _calls(env: Any, judge: ScriptedJudge, text: str) -> bool:
    before = judge.calls
    env.expect(True, text)
    env.score(0, text)
    return judge.calls > before


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
