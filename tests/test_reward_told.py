"""What an environment tells when a game is given up, and a contract that names no gold."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.reward.contract import Contract
from lab.reward.productions.late import gives_up
from lab.reward.statements import stated

GAME = '''
import re
import verifiers.v1 as vf

WORDS = ["Rigel", "Vega", "Deneb", "Altair", "Spica", "Mizar"]
PROMPT = """Which star is it? Guess with <guess>name</guess>; `<giveup/>` ends the game."""
GUESS = re.compile(r"<guess>(\\w+)</guess>")


class Data(vf.TaskData):
    answer: str


class Task(vf.Task[Data]):
    @vf.reward
    async def found(self, trace: vf.Trace) -> float:
        for n, message in enumerate(trace.assistant_messages):
            text = message.content or ""
            if STOPS and "<giveup/>" in text:
                return 0.0
            if GUESS.findall(text)[:1] == [self.data.answer]:
                return 1.0 - 0.3 * n
        return 0.0


class Game(vf.SingleAgentEnv):
    async def run(self, task, agents):
        async with agents.agent.interaction(task) as game:
            turn = await game.turn()
            for _ in range(3):
                if turn.terminated or GUESS.findall(turn.last_reply)[:1] == [task.data.answer]:
                    return
                if "<giveup/>" in turn.last_reply:
                    await game.turn(f"It was {task.data.answer}. A last remark?")
                    return
                turn = await game.turn("No.")


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            data = Data(prompt=f"Sky {n}. {PROMPT}", answer=WORDS[n % len(WORDS)])
            yield Task(data, self.config.task)


__all__ = ["Tasks", "Game"]
'''


@pytest.mark.parametrize("stops", [False, True])
def test_a_guess_after_giving_up_is_found_however_little_it_earns(tmp_path, bench, stops) -> None:
    module = tmp_path / f"sky_{int(stops)}.py"
    module.write_text(f"STOPS = {stops}\n{GAME}")
    found = bench.audit(module, examples=12)
    assert ("reward.after_the_end" in found.failed) == (not stops), found.failed
    if not stops:
        assert "<giveup/>" in found.failed["reward.after_the_end"]


@pytest.mark.parametrize(
    ("shown", "replies"),
    [
        ("Say `give up` to stop.", ["give up"]),
        ("<move>x</move>, or <resign/>, or <resign/>", ["<resign/>"]),
        ("Never give up! </giveup>", []),
    ],
)
def test_the_replies_by_which_a_prompt_lets_one_give_up(shown: str, replies: list[str]) -> None:
    assert gives_up(shown) == replies


ROUTES = """
import zlib
import verifiers.v1 as vf


class Data(vf.TaskData):
    target: str


class Task(vf.Task[Data]):
    @vf.reward
    async def arrives(self, trace: vf.Trace) -> float:
        text = trace.last_reply
        return float("<plan>" in text and zlib.crc32(text.encode()) % 1_000_003 == 7)


class Tasks(vf.Taskset[Task, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            prompt = f"Way {n}: write a <plan>way</plan> to town T{n}."
            yield Task(Data(prompt=prompt, target=f"T{n}"), self.config.task)


__all__ = ["Tasks"]
"""


def test_a_form_without_a_gold_is_a_question_where_nothing_is_paid(tmp_path: Path, bench) -> None:
    module = tmp_path / "routes.py"
    module.write_text(ROUTES)
    found = bench.audit(module, Contract(says=("<plan>{answer}</plan>",)), examples=12)
    assert found.findings["reward.gold_paid"].status == "inconclusive" and not found.failed
    named = Contract(says=("<plan>{answer}</plan>",), gold="target", answer_type="text")
    found = bench.audit(module, named, examples=12)
    assert "reward.gold_paid" in found.failed


@pytest.mark.parametrize(
    "text",
    [
        "If the reply has a `</think>`, only the part after the last one is read.",
        "Closed from the last mark back to the first (a pond's edge doesn't count).",
    ],
)
def test_what_a_sentence_says_of_other_things_is_nothing_about_answers(text: str) -> None:
    assert "counts" not in stated(text)
    assert stated(f"{text} Only the last <answer> tag counts.")["counts"].value == "last"
