"""wordle: an engine that marks as the game does, and a reward that nothing but the word earns."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import HARNESS, ROOT, Loaded, worked
from servers.scripted import Scripted


def said(*guesses: str) -> list[dict]:
    messages = []
    for guess in guesses:
        messages += [{"role": "assistant", "content": guess}, {"role": "user", "content": "marks"}]
    return messages[:-1]


def tag(word: str) -> str:
    return f"<guess>{word}</guess>"


@pytest.mark.parametrize(
    ("guess", "secret", "shown"),
    [
        ("allee", "apple", "GYXXG"),
        ("crane", "crane", "GGGGG"),
        ("speed", "abide", "XXYXY"),
        ("eerie", "there", "YXYXG"),
        ("llama", "label", "GYYXX"),
        ("geese", "those", "XXXGG"),
    ],
)
def test_marks(guess, secret, shown):
    worked("wordle")
    from wordle.engine import marks

    assert marks(guess, secret) == shown


def test_the_secret_always_fits_the_marks_of_every_guess():
    worked("wordle")
    from wordle.engine import fits
    from wordle.taskset import WORDS

    dice = random.Random(1)
    for _ in range(500):
        secret, *earlier = dice.sample(WORDS, 4)
        assert fits(secret, earlier, secret)
        assert not fits(earlier[0], earlier, secret)


def test_fewer_guesses_earn_more_and_a_lost_game_nothing():
    env = worked("wordle")
    word = env.tasks[0]["fields"]["answer"]
    others = [
        w for w in ("apple", "brick", "cloud", "dream", "eagle", "flame", "giant") if w != word
    ]
    rewards = [env.reward(0, said(*map(tag, others[:n]), tag(word))) for n in range(6)]
    assert rewards == pytest.approx([1.5, 1.4, 1.3, 1.2, 1.1, 1.0])
    assert env.reward(0, said(*map(tag, others[:6]), tag(word))) == 0.0
    assert env.reward(0, said(*map(tag, others[:6]))) == 0.0


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "{word}",
        "<guess>{word}",
        "<guess>{word} apple</guess>",
        "<think><guess>{word}</guess>",
        "<guess></guess>",
    ],
)
def test_a_word_outside_its_slot_is_no_guess(reply):
    env = worked("wordle")
    assert env.reward(0, reply.format(word=env.tasks[0]["fields"]["answer"])) == 0.0


def test_several_guesses_in_a_reply_are_one():
    env = worked("wordle")
    word = env.tasks[0]["fields"]["answer"]
    assert env.reward(0, tag(word) + tag("apple")) == 0.0
    assert env.reward(0, "".join(map(tag, ["apple", "brick", word]))) == pytest.approx(1.5)


def test_metrics_tell_how_the_game_was_played():
    env = worked("wordle")
    word = env.tasks[0]["fields"]["answer"]
    metrics = env.score(0, said(tag("zzzzz"), "hm", tag("zzzzz"), tag(word)))["metrics"]
    assert metrics == {
        "guesses": 4.0,
        "unreadable": 1.0,
        "consistent": pytest.approx(2 / 3),
        "repeated": 1.0,
    }


def test_words_are_seeded_and_the_splits_share_none():
    train, again, other = (
        Loaded(ROOT / "environments/wordle", {"seed": seed}) for seed in (0, 0, 1)
    )
    assert (
        [t["key"] for t in train.tasks]
        == [t["key"] for t in again.tasks]
        != [t["key"] for t in other.tasks]
    )
    held_out = Loaded(ROOT / "environments/wordle", {"split": "eval"})
    words = [{task["fields"]["answer"] for task in env.tasks} for env in (train, held_out)]
    assert len(words[0]) > 200 and len(words[1]) > 40 and not words[0] & words[1]


@pytest.mark.soak
def test_a_real_game_is_played_turn_by_turn_and_never_tells_the_word(tmp_path):
    secret = worked("wordle").tasks[0]["fields"]["answer"]

    def model(body: dict) -> str:
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        return (
            tag(["apple" if secret != "apple" else "brick", "not a guess"][turns])
            if turns < 2
            else tag(secret if "scripted-win" in body["model"] else "zebra")
        )

    for name in ("scripted-win", "scripted-loss"):
        with Scripted(model) as server:
            ran = subprocess.run(
                [
                    str(Path(sys.executable).with_name("vf-eval")),
                    "wordle",
                    "-m",
                    name,
                    "-n",
                    "1",
                    "--client.base-url",
                    server.url,
                    "--client.api-key-var",
                    "NO_SUCH_KEY",
                    "--no-push",
                    "-o",
                    str(tmp_path),
                    "--run.name",
                    name,
                    "--env.agent.harness.id",
                    "inline-chat",
                ],
                env={
                    **os.environ,
                    "PYTHONPATH": f"{ROOT / 'environments/wordle'}:{HARNESS}",
                    "HOME": str(tmp_path),
                },
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
        (episode,) = [
            json.loads(line) for line in (tmp_path / name / "traces.jsonl").read_text().splitlines()
        ]
        (trace,) = episode["traces"]
        assert trace["ok"], (trace["errors"], ran.stderr)
        shown = " ".join(
            str(node["message"].get("content")) for node in trace["nodes"] if not node["sampled"]
        )
        assert secret not in shown.lower()
        if name == "scripted-win":
            assert trace["rewards"]["solved"]["score"] == 1.0 and trace["rewards"]["speed"][
                "score"
            ] == pytest.approx(0.6)
        else:
            assert trace["rewards"]["solved"]["score"] == 0.0 and trace["metrics"]["guesses"] == 6.0


@pytest.mark.parametrize("split", ["train", "eval"])
def test_every_word_validates(split):
    env = Loaded(ROOT / "environments/wordle", {"split": split})
    assert all(env.run(task.validate(None)) for task in env.backend.tasks)
