"""What an environment tells when a game is given up, and a contract that names no gold."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.answers.forms import ANOTHER_ORDER
from lab.reward.contract import Contract
from lab.reward.productions.acts import BUDGET
from lab.reward.productions.late import ends_with_first, gives_up
from lab.reward.statements import LAST_SIDE, range_of, stated

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


@pytest.mark.parametrize(
    ("said", "takes", "failed"),
    [
        ("a guess ends the game, right or wrong", "PLAIN", True),
        ("a guess ends the game, right or wrong", "ONE", False),
        ("you have exactly one guess per turn", "PLAIN", False),
    ],
)
def test_a_second_guess_is_found_where_the_first_one_is_said_to_end_it(
    tmp_path, bench, said, takes, failed
) -> None:
    module = tmp_path / f"skies_{takes.lower()}_{int(failed)}.py"
    game = GAME.replace("`<giveup/>` ends the game", said)
    if takes == "ONE":
        game = game.replace("GUESS.findall(turn.last_reply)[:1] == [task.data.answer]:", "True:")
    module.write_text(f"STOPS = True\n{game}")
    found = bench.audit(module, examples=12)
    assert ("reward.second_answer" in found.failed) == failed, found.failed


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        ("BLAME: name (names it and ends the session, whether it is right or wrong)", True),
        ("The session ends with the first `BLAME`, right or wrong.", True),
        ("A wrong guess ends the game.", True),
        ("You have only one guess.", True),
        ("You have only one guess per turn.", False),
        ("Each reply must have exactly one guess and nothing else.", False),
        ("The game ends with the first right guess.", False),
        ("You get exactly one guess after every clue, and four in all.", False),
        ("Your sixth guess ends the game, right or wrong.", False),
        ("The last answer ends the episode either way.", False),
        ("Typing QUIT ends the game whatever the board looks like.", False),
        ("Each turn you get exactly one guess.", False),
        ("There is no second attempt bonus.", False),
    ],
)
def test_it_is_read_whether_the_first_answer_ends_an_exchange(said, ends) -> None:
    assert ends_with_first(said) is ends


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The reward is between 0 and 1.", (0.0, 1.0)),
        ("The better result is the reward, a number from 0 to 1:", (0.0, 1.0)),
        ("Rewards lie in [-1, 1] on purpose.", (-1.0, 1.0)),
        ("`d` lies between 0 and 2, and the reward is `1 - d / 2`.", None),
        ("The judge marks from 0 to 10; the reward is that divided by 10.", None),
        ("Rewards lie between 0 and 1. Sometimes the reward is from 0 to 2.", None),
        ("**Reward**, between 0 and 1: right settings", (0.0, 1.0)),
        ("The format reward lies between 0 and 0.2. A right answer adds 1.", None),
        ("Reward shaping is applied in 2 to 4 places", None),
        ("The reward is between 0 and 1,000 points.", None),
        ("The reward is between 0 and 1.5%.", None),
    ],
)
def test_the_range_of_a_reward_is_read(text, said):
    assert range_of(text) == said


def test_a_hostile_readme_takes_no_time():
    assert range_of("The reward" + ", is, a, one" * 2000 + " between") is None


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("The names in any order.", True),
        ("Sets in any order; the calls in the expected order.", False),
        ("A tuple: order counts. A set: the order does not matter.", False),
        ("In any order, not necessarily in the same order as the prompt.", True),
        ("Any order: they need not be in the given order.", True),
    ],
)
def test_an_order_that_is_free_for_a_part_says_nothing_of_all(text, free):
    assert (ANOTHER_ORDER in stated(text)) == free


def test_the_side_of_an_equation_that_counts_is_read():
    text = (
        "If there is an equals sign (`x = 5`, `P(x) = ...`), what stands after the last one counts."
    )
    assert LAST_SIDE in stated(text)


def test_a_limit_of_what_comes_back_is_no_limit_of_calls():
    assert BUDGET.search("you may take at most 5, with more the answer is worth nothing")
    assert BUDGET.search("no more than six calls")
    for text in (
        "`search` returns up to five pages",
        "up to five matching pages",
        "at most 9 words",
    ):
        assert not BUDGET.search(text)
