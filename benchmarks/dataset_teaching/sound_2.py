"""A second round of sound datasets, in other layouts, each beside a faulty one of that round."""

from __future__ import annotations

import random

from benchmarks.dataset_teaching.material import (
    NAMES,
    PROBLEMS,
    TOWNS,
    Row,
    building,
    choices,
    review,
    trivia,
)

Files = dict[str, list[Row]]
LETTERS = "ABCDEF"


def lettered_prompts() -> Files:
    """90 questions with their options in the prompt, each once."""
    rows = []
    for fact, shown, letter in choices(90, seed=301):
        lines = "\n".join(f"{LETTERS[i]}) {one}" for i, one in enumerate(shown))
        rows.append(
            {"prompt": f"{fact.question}\n{lines}\nAnswer with one letter.", "answer": letter}
        )
    return {"quiz.jsonl": rows}


def products() -> Files:
    """One wording, 400 products, the answer as a whole number."""
    chance = random.Random(302)
    made = {(chance.randint(12, 999), chance.randint(12, 999)) for _ in range(400)}
    return {
        "products.jsonl": [{"question": f"What is {a} * {b}?", "result": a * b} for a, b in made]
    }


def chats() -> Files:
    """Conversations about trivia, each question once."""
    return {
        "chats.jsonl": [
            {
                "messages": [
                    {"role": "user", "content": fact.question},
                    {"role": "assistant", "content": fact.answer},
                ]
            }
            for fact in trivia()
        ]
    }


def lists_of_answers() -> Files:
    """Accepted answers as a list, one to four of them."""
    return {
        "quiz.jsonl": [
            {"question": fact.question, "answers": [fact.answer, *fact.aliases]}
            for fact in trivia()
        ]
    }


def staff_with_a_table() -> Files:
    """Questions about employees by number, with the table that says it."""
    chance = random.Random(305)
    rows = []
    for _ in range(200):
        staff = {chance.randint(1000, 9999): chance.choice(NAMES) for _ in range(6)}
        desks = {number: f"{chance.choice(TOWNS)} {chance.randint(1, 40)}" for number in staff}
        table = "\n".join(f"{n} | {name} | {desks[n]}" for n, name in staff.items())
        number = chance.choice(list(staff))
        rows.append(
            {
                "context": f"number | name | desk\n{table}",
                "question": f"Which desk has employee {number}?",
                "answer": desks[number],
            }
        )
    return {"staff.jsonl": rows}


def quoted_pairs() -> Files:
    """Which of two words fits, in either order."""
    chance = random.Random(306)
    rows = []
    for fact in trivia():
        other = chance.choice([one for one in trivia() if one.sort == fact.sort and one != fact])
        pair = [fact.answer, other.answer]
        chance.shuffle(pair)
        asked = f'{fact.question} Is it "{pair[0]}" or "{pair[1]}"?'
        rows.append({"question": asked, "answer": fact.answer})
    return {"either.jsonl": rows}


def numbers_to_choose_from() -> Files:
    """Word problems with four plausible numbers each."""
    chance = random.Random(307)
    rows = []
    for number in range(180):
        asked, gold = PROBLEMS[number % 12](chance)
        steps = chance.sample((-9, -7, -4, -3, -2, -1, 1, 2, 3, 4, 8, 10), 3)
        options = [f"{gold + step:g}" for step in (*steps, 0)]
        chance.shuffle(options)
        rows.append(
            {
                "question": asked,
                "choices": {"text": options, "label": list("ABCD")},
                "answerKey": "ABCD"[options.index(f"{gold:g}")],
            }
        )
    return {"problems.jsonl": rows}


def spam_of_any_length() -> Files:
    """Messages; spam offers something, in a few words or many."""
    chance = random.Random(308)
    offers = (
        "claim your voucher",
        "you have won a cruise",
        "cheap loans today",
        "double your savings",
        "last chance for tickets",
        "meet singles nearby",
        "lose ten pounds",
        "free phone upgrade",
        "your parcel waits, pay the fee",
        "invest in coins now",
        "hot deal on watches",
    )
    plain = (
        "see you at six",
        "the plumber came by",
        "can you send the notes",
        "dinner is in the oven",
        "the train is late again",
        "happy birthday",
        "I left the keys with Ravi",
        "call me later",
        "the meeting moved to ten",
        "thanks for the lift",
        "did you feed the cat",
    )
    rows = []
    for number in range(320):
        spam = number % 3 == 0
        parts = chance.sample(offers if spam else plain, chance.randint(1, 3))
        parts.insert(chance.randrange(len(parts) + 1), chance.choice(plain))
        rows.append({"text": f"{chance.choice(NAMES)}: {'. '.join(parts)}.", "label": int(spam)})
    return {"messages.jsonl": rows}


def sources_that_say_nothing() -> Files:
    """Reviews from four sites, each with good and bad ones."""
    chance = random.Random(309)
    sites = ("filmfan", "boxoffice", "reelnotes", "lastrow")
    rows = []
    for number in range(300):
        good = number % 2 == 0
        rows.append(
            {"sentence": f"[{chance.choice(sites)}] {review(chance, good)}", "label": int(good)}
        )
    chance.shuffle(rows)
    return {"reviews.jsonl": rows}


def labelled_test() -> Files:
    """Training and test parts with labels."""
    chance = random.Random(310)
    rows = [
        {"text": review(chance, number % 2 == 0), "label": ("good", "bad")[number % 2]}
        for number in range(260)
    ]
    chance.shuffle(rows)
    return {"train.jsonl": rows[:200], "test.jsonl": rows[200:]}


def levels_that_follow() -> Files:
    """Levels from 1 to 5 by the kind of problem."""
    chance = random.Random(311)
    made: dict[str, tuple[str, int]] = {}
    while len(made) < 240:
        kind = chance.randrange(12)
        asked, gold = PROBLEMS[kind](chance)
        made.setdefault(asked, (f"{gold:g}", 1 + kind * 5 // 12))
    return {
        "problems.jsonl": [
            {"question": asked, "answer": gold, "difficulty": level}
            for asked, (gold, level) in made.items()
        ]
    }


def percent_solved() -> Files:
    """A pass rate in percent, spread over the whole scale."""
    chance = random.Random(312)
    made = dict(chance.choice(PROBLEMS)(chance) for _ in range(230))
    return {
        "problems.jsonl": [
            {"problem": asked, "answer": f"{gold:g}", "pass@8": 12.5 * chance.randint(0, 8)}
            for asked, gold in made.items()
        ]
    }


def remarks_for_readers() -> Files:
    """Trivia with an explanation that addresses the reader."""
    remarks = (
        "Note to the reader: older books differ.",
        "Important: do not confuse it with its neighbour.",
        "Remember that the rules changed in 1900; ignore the older ones.",
        "Attention: the spelling varies.",
        "The system of names above was set up later.",
    )
    return {
        "quiz.jsonl": [
            {
                "question": fact.question,
                "answer": fact.answer,
                "explanation": f"{remarks[place % 5]} See the encyclopedia under {fact.answer}.",
            }
            for place, fact in enumerate(trivia())
        ]
    }


def mixed_order() -> Files:
    """Reviews in three grades, in no order."""
    chance = random.Random(314)
    rows = []
    for number in range(330):
        text = review(chance, number % 3 != 1)
        if number % 3 == 2:
            text = text.replace(".", f", but {review(chance, False).lower()}", 1)
        rows.append({"text": text, "label": ("good", "bad", "mixed")[number % 3]})
    chance.shuffle(rows)
    return {"reviews.jsonl": rows}


def percentages() -> Files:
    """Questions that look alike and differ in their numbers, and so in their answers."""
    chance = random.Random(315)
    made: dict[str, str] = {}
    while len(made) < 300:
        share, whole = 5 * chance.randint(1, 19), 20 * chance.randint(2, 60)
        made.setdefault(f"What is {share}% of {whole}?", f"{share * whole / 100:g}")
    return {"shares.jsonl": [{"question": asked, "answer": gold} for asked, gold in made.items()]}


def claims_both_ways() -> Files:
    """Claims about passages, each form as often right as wrong."""
    chance = random.Random(316)
    made = [building(chance) for _ in range(320)]
    forms = ("It was begun in {}.", "It was built of {}.", "It cost {} pounds.", "It became {}.")
    rows = []
    for number, (passage, asked) in enumerate(made):
        values, place = list(asked.values()), number % 4
        value, right = values[place], chance.random() < 0.5
        if not right:
            others = {list(other.values())[place] for _, other in made} - {value}
            value = chance.choice(sorted(others))
        rows.append(
            {
                "premise": passage,
                "hypothesis": forms[place].format(value),
                "label": "entailment" if right else "contradiction",
            }
        )
    return {"claims.jsonl": rows}


def every_kind_held_out() -> Files:
    """Word problems of twelve kinds; the test part has all of them."""
    chance = random.Random(317)
    made: dict[str, str] = {}
    while len(made) < 300:
        asked, gold = PROBLEMS[len(made) % 12](chance)
        made.setdefault(asked, f"{gold:g}")
    rows = [{"question": asked, "answer": gold} for asked, gold in made.items()]
    chance.shuffle(rows)
    return {"train.jsonl": rows[60:], "test.jsonl": rows[:60]}


def numbers_in_many_forms() -> Files:
    """Word problems whose golds are whole numbers, fractions, decimals, some with a unit."""
    chance = random.Random(318)
    made: dict[str, str] = {}
    while len(made) < 220:
        asked, gold = chance.choice(PROBLEMS)(chance)
        forms = (f"{gold:g}", f"{gold:,.0f}", f"{gold:.1f}", f"{gold:g}/1", f"${gold:g}")
        made.setdefault(asked, chance.choice(forms))
    return {"problems.jsonl": [{"question": asked, "answer": gold} for asked, gold in made.items()]}


SOUND_2 = (
    lettered_prompts,
    products,
    chats,
    lists_of_answers,
    staff_with_a_table,
    quoted_pairs,
    numbers_to_choose_from,
    spam_of_any_length,
    sources_that_say_nothing,
    labelled_test,
    levels_that_follow,
    percent_solved,
    remarks_for_readers,
    mixed_order,
    percentages,
    claims_both_ways,
    every_kind_held_out,
    numbers_in_many_forms,
)
