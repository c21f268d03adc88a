"""Small datasets of three kinds, with the right and a wrong answer of each question."""

from __future__ import annotations

import json
import random
from pathlib import Path

PLACES = ("Lima", "Oslo", "Quito", "Rabat", "Hanoi", "Turin")


def numeric(draw: random.Random) -> tuple[dict, str, str]:
    a, b = draw.randint(12, 98), draw.randint(3, 19)
    text = (
        f"A train to {draw.choice(PLACES)} has {a} seats in each of {b} cars. How many "
        "seats are there?"
    )
    return (
        {"problem": text, "solution": f"There are {b} cars.\n#### {a * b}"},
        str(a * b),
        str(a * b + 1),
    )


def choice(draw: random.Random) -> tuple[dict, str, str]:
    a, b = draw.randint(12, 98), draw.randint(12, 98)
    options = [str(a + b + shift) for shift in (0, 1, -2, 10)]
    draw.shuffle(options)
    letter = "ABCD"[options.index(str(a + b))]
    return (
        {
            "question": (
                f"In {draw.choice(PLACES)} a shop sells {a} pears and {b} plums. How many "
                "fruits is that?"
            ),
            "choices": options,
            "answer": letter,
        },
        letter,
        "ABCD"[("ABCD".index(letter) + 1) % 4],
    )


def label(draw: random.Random) -> tuple[dict, str, str]:
    good = draw.random() < 0.5
    mood = draw.choice(
        ["delightful", "wonderful", "charming"] if good else ["dreadful", "boring", "noisy"]
    )
    text = (
        f"The hotel number {draw.randint(100, 9999)} in {draw.choice(PLACES)} was "
        f"{mood}, and we stayed {draw.randint(2, 30)} nights."
    )
    return (
        {"text": text, "label": "positive" if good else "negative"},
        "positive" if good else "negative",
        "negative" if good else "positive",
    )


KINDS = {"numeric": (numeric, "problem"), "choice": (choice, "question"), "label": (label, "text")}


def dataset(folder: Path, kind: str, rows: int = 80) -> dict[str, tuple[str, str]]:
    """Write problems.jsonl; returns the right and a wrong answer by question."""
    draw, (make, field) = random.Random(kind), KINDS[kind]
    made = {
        row[field]: (row, right, wrong) for row, right, wrong in (make(draw) for _ in range(rows))
    }
    (folder / "problems.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row, _, _ in made.values())
    )
    return {question: (right, wrong) for question, (_, right, wrong) in made.items()}
