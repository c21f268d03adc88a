"""What the cases are made of: trivia, reviews, word problems and passages, drawn by seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]
NAMES = (
    "Ines Omar Lena Paul Mira Theo Asha Jonas Clara Yusuf Nadia Felix Greta Ravi Helen Marco "
    "Sofia Dmitri Anya Luis Freya Kofi Tara Bruno Elsa Idris Wanda Hugo Pilar Sven"
).split()
TOWNS = (
    "Aldmoor Brackwater Carnforth Dunmere Eastvale Farrow Glenholt Harwick Inverlee Jarnby "
    "Kelmouth Lornfield Marwell Netherby Oxley Penfold Quarmby Rothley Selwick Tarnbrook "
    "Ulverton Varley Westmere Yarrowby"
).split()


@dataclass(frozen=True)
class Fact:
    """One question of general knowledge."""

    sort: str
    question: str
    answer: str
    aliases: list[str]


def trivia() -> list[Fact]:
    lines = Path(__file__).with_name("trivia.txt").read_text(encoding="utf-8").splitlines()
    cells = [line.split("|") for line in lines]
    return [
        Fact(sort, question, answer, [alias for alias in aliases.split(";") if alias])
        for sort, question, answer, aliases in cells
    ]


def choices(count: int, seed: int, options: int = 4) -> list[tuple[Fact, list[str], str]]:
    """(fact, options, letter): the wrong options are answers to other questions of its sort."""
    chance = random.Random(seed)
    facts = chance.sample(trivia(), count)
    by_sort: dict[str, list[str]] = {}
    for fact in trivia():
        by_sort.setdefault(fact.sort, []).append(fact.answer)
    out = []
    for fact in facts:
        others = sorted(set(by_sort[fact.sort]) - {fact.answer})
        shown = [fact.answer, *chance.sample(others, options - 1)]
        chance.shuffle(shown)
        out.append((fact, shown, "ABCDEF"[shown.index(fact.answer)]))
    return out


GOOD = (
    "the plot kept me guessing|every scene earned its place|the lead is wonderful|I laughed out "
    "loud twice|the ending moved me|it looks gorgeous|the music is a delight|the dialogue "
    "sparkles|I would see it again tomorrow|the pacing never sags|a warm and clever "
    "script|the supporting cast shines|it trusts its audience|the photography is superb|time "
    "flew by|my children adored it|the jokes land|it has a big heart|the finale is thrilling|a "
    "quiet triumph of craft|the chemistry is real|it stays with you for days"
).split("|")
BAD = (
    "the plot made no sense|half the scenes could go|the lead looks bored|I checked my watch "
    "twice|the ending fell flat|it looks cheap|the music grates|the dialogue creaks|I would not "
    "sit through it again|the pacing drags|a lazy and muddled script|the supporting cast is "
    "wasted|it talks down to its audience|the photography is murky|it felt like three hours|my "
    "children fell asleep|the jokes miss|it has no heart|the finale is a mess|a noisy failure of "
    "nerve|there is no chemistry at all|I had forgotten it by dinner"
).split("|")
OPENERS = (
    "Saw this on a wet Tuesday:|A friend talked me into it, and|For a first feature,|After all "
    "the fuss,|Honestly,|What can I say:|Second viewing, same view:|On a long flight,|I went in "
    "cold and|As a fan of the book,|Late to this one, but|At our local cinema,|With the whole "
    "family along,|Having read the reviews,|From the trailer I had other hopes:|Two hours "
    "later:|By the halfway mark,|In a packed house,|Compared with the original,|Three of us "
    "went;"
).split("|")


def review(chance: random.Random, positive: bool) -> str:
    """A review of three or four remarks, most of them on its own side."""
    own, other = (GOOD, BAD) if positive else (BAD, GOOD)
    remarks = chance.sample(own, chance.choice((2, 3)))
    remarks.insert(chance.randrange(len(remarks) + 1), chance.choice(other))
    return f"{chance.choice(OPENERS)} {', '.join(remarks[:-1])}, and {remarks[-1]}."


Problem = Callable[[random.Random], tuple[str, float]]


def _shop(c: random.Random) -> tuple[str, float]:
    n, price, back = c.randint(3, 40), c.randint(2, 90), c.randint(1, 2)
    who = c.choice(NAMES)
    return (
        f"{who} buys {n} lamps at {price} dollars each and returns {back}. How much is paid?",
        (n - back) * price,
    )


def _fence(c: random.Random) -> tuple[str, float]:
    a, b = c.randint(5, 80), c.randint(5, 80)
    return f"A field is {a} m by {b} m. How long is the fence around it?", 2 * (a + b)


def _train(c: random.Random) -> tuple[str, float]:
    speed, hours = c.randint(40, 160), c.randint(2, 9)
    return f"A train goes {speed} km every hour. How far is it after {hours} hours?", speed * hours


def _share(c: random.Random) -> tuple[str, float]:
    each, people, rest = c.randint(2, 30), c.randint(3, 12), c.randint(0, 2)
    return (
        f"{people} friends share {each * people + rest} nuts evenly and leave the rest. "
        "How many does each get?",
        each,
    )


def _age(c: random.Random) -> tuple[str, float]:
    young, gap = c.randint(4, 40), c.randint(3, 30)
    a, b = c.sample(NAMES, 2)
    return (
        f"{a} is {young}. {b} is {gap} years older. What do their ages add up to?",
        2 * young + gap,
    )


def _tank(c: random.Random) -> tuple[str, float]:
    rate, minutes, leak = c.randint(9, 60), c.randint(3, 50), c.randint(1, 8)
    return (
        f"A tank fills at {rate} litres a minute and leaks {leak}. What is in it after "
        f"{minutes} minutes?",
        (rate - leak) * minutes,
    )


def _books(c: random.Random) -> tuple[str, float]:
    shelves, each, lent = c.randint(3, 20), c.randint(8, 60), c.randint(2, 20)
    return (
        f"A library has {shelves} shelves of {each} books; {lent} are lent out. How many are in?",
        shelves * each - lent,
    )


def _wage(c: random.Random) -> tuple[str, float]:
    rate, hours, tax = c.randint(10, 40), c.randint(5, 45), c.randint(5, 40)
    return (
        f"{c.choice(NAMES)} earns {rate} an hour for {hours} hours and pays {tax} in fees. "
        "What is left?",
        rate * hours - tax,
    )


def _eggs(c: random.Random) -> tuple[str, float]:
    hens, eggs, box = c.randint(6, 60), c.randint(2, 7), c.choice((6, 10, 12))
    return (
        f"{hens} hens lay {eggs} eggs each. How many boxes of {box} are full?",
        hens * eggs // box,
    )


def _stairs(c: random.Random) -> tuple[str, float]:
    floors, steps = c.randint(3, 40), c.randint(12, 24)
    return (
        f"Each of {floors} floors has {steps} steps. How many steps up and down?",
        2 * floors * steps,
    )


def _page(c: random.Random) -> tuple[str, float]:
    pages, read, days = c.randint(200, 700), c.randint(5, 19), c.randint(2, 10)
    return (
        f"A book has {pages} pages. {c.choice(NAMES)} reads {read} a day for {days} days. "
        "How many remain?",
        pages - read * days,
    )


def _mix(c: random.Random) -> tuple[str, float]:
    a, b = c.randint(2, 30), c.randint(2, 30)
    return f"Mixing {a} kg of tea at 6 and {b} kg at 9: what does it all cost?", 6 * a + 9 * b


PROBLEMS: list[Problem] = [
    _shop,
    _fence,
    _train,
    _share,
    _age,
    _tank,
    _books,
    _wage,
    _eggs,
    _stairs,
    _page,
    _mix,
]


def building(chance: random.Random) -> tuple[str, dict[str, str]]:
    """A passage about an old building, its sentences in any order, and what may be asked of it."""
    town, who = chance.choice(TOWNS), chance.choice(NAMES)
    sort = chance.choice("mill bridge chapel inn lighthouse granary school theatre".split())
    year, cost = str(chance.randint(1610, 1930)), str(chance.randint(90, 9900))
    stone = chance.choice("granite slate limestone oak brick flint sandstone larch".split())
    use = chance.choice("a museum|a library|flats|a bakery|a concert hall|a workshop".split("|"))
    said = [
        f"Building work at {town} began in {year}.",
        f"Its architect was {who} {chance.choice(TOWNS)[:-2]}son, then hardly known.",
        f"The walls are of {stone}, brought by barge.",
        f"The whole {sort} cost {cost} pounds.",
        f"For some decades it has been {use}.",
        f"Visitors still ask about the small door on the {chance.choice(('north', 'south'))} side.",
    ]
    chance.shuffle(said)
    passage = f"The {sort} of {town} is well known. " + " ".join(said)
    return passage, {
        f"In what year was the {sort} of {town} begun?": year,
        f"What are the walls of the {sort} made of?": stone,
        f"How many pounds did the {sort} of {town} cost?": cost,
        f"What is the {sort} used as today?": use,
    }
