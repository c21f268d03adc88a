"""Tables and lists of records: one left out, one several times, one column that is not compared."""

from __future__ import annotations

import csv
import json
import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.answers import close_records
from lab.answers.close_records import records
from lab.answers.target import Target
from lab.environment import Task
from lab.reward.reading.rendered import on_numbered_lines, other_parts
from reward_briefs import World

READINGS = [
    [
        {"meter": "M10", "register": "HT", "kwh": 120 + n},
        {"meter": "M10", "register": "NT", "kwh": 340 + n},
        {"meter": f"M2{n}", "register": "single", "kwh": 77 * n},
    ]
    for n in range(1, 5)
]
AS_JSON = [
    {"question": f"Note {n}: list the readings.", "answer": rows} for n, rows in enumerate(READINGS)
]
AS_CSV = [
    {
        "question": f"Log {n}: one row for each incident.",
        "answer": f"id,service,minutes\nINC-1{n},mail,{n + 3}\nINC-2{n},shop,{n + 40}\n"
        f"INC-3{n},search,{n + 75}",
    }
    for n in range(4)
]


def said(text: str) -> list:
    found = re.findall(r"```\w*\n(.*?)\n```", text, re.DOTALL)
    try:
        return json.loads(found[-1]) if found else []
    except ValueError:
        return []


def whole(text: str, row: dict) -> float:
    def key(one: dict) -> str:
        return json.dumps(one, sort_keys=True)

    got = said(text)
    fits = isinstance(got, list) and all(isinstance(one, dict) for one in got)
    return float(fits and sorted(map(key, got)) == sorted(map(key, row["answer"])))


def by_meter(text: str, row: dict) -> float:
    def last(rows: list) -> dict:
        return {one.get("meter"): one for one in rows if isinstance(one, dict)}

    got = said(text)
    return float(isinstance(got, list) and last(got) == last(row["answer"]))


def without_register(text: str, row: dict) -> float:
    def key(one: dict) -> str:
        return f"{one.get('meter')} {one.get('kwh')}"

    got = said(text)
    fits = isinstance(got, list) and all(isinstance(one, dict) for one in got)
    return float(fits and sorted(map(key, got)) == sorted(map(key, row["answer"])))


@pytest.mark.parametrize(
    ("reward", "id", "status"),
    [
        (whole, "missing_records", "pass"),
        (whole, "repeated_records", "pass"),
        (whole, "wrong_columns", "pass"),
        (by_meter, "missing_records", "fail"),
        (without_register, "wrong_columns", "fail"),
    ],
)
def test_records_that_are_left_out_or_not_compared_are_found(reward, id, status):
    reading = "all of the list, as JSON"
    one = World(AS_JSON, "```json\n{answer}\n```", reward, language="json", reading=reading)
    found = one.production(id)
    assert found.status == status, (found.measured, found.evidence)


@pytest.mark.parametrize("once", [False, True])
def test_a_row_in_the_place_of_all_is_found_where_each_is_looked_up(once):
    def share(text: str, row: dict) -> float:
        found = re.findall(r"```\w*\n(.*?)\n```", text, re.DOTALL)
        got = list(csv.reader((found[-1] if found else "").splitlines()))[1:]
        wanted = list(csv.reader(row["answer"].splitlines()))[1:]
        right = 0
        left = list(wanted)
        for line in got:
            if line in left:
                right += 1
                if once:
                    left.remove(line)
        return 2 * right / (len(got) + len(wanted))

    one = World(AS_CSV, "```csv\n{answer}\n```", share, language="csv")
    found = one.production("repeated_records")
    assert found.status == ("pass" if once else "fail"), (found.measured, found.evidence)
    assert one.production("missing_records").status == "pass"


ORDERS = [
    {
        "question": f'Mail {n}: the order as JSON with "to" and "lines".',
        "answer": {"to": f"Bo {n}", "lines": [{"sku": f"{c}{n}", "pieces": n + k}], "seen": [n, 7]},
    }
    for n, (c, k) in enumerate([("A", 3), ("B", 5), ("C", 2), ("D", 9)], 1)
]
for row in ORDERS:
    row["answer"]["lines"].append({"sku": "Z9", "pieces": 4})


@pytest.mark.parametrize(
    ("even", "failing"), [(True, []), (False, ["further_records", "missing_records"])]
)
def test_a_list_inside_an_object_is_held_to_its_length(even, failing):
    def score(text: str, row: dict) -> float:
        got, wanted = said(text), row["answer"]
        if not isinstance(got, dict) or got.get("to") != wanted["to"]:
            return 0.0
        lines = got.get("lines")
        pairs = zip(lines, wanted["lines"], strict=False) if isinstance(lines, list) else [(0, 1)]
        return float((not even or len(lines) == 2) and all(a == b for a, b in pairs))

    one = World(ORDERS, "```json\n{answer}\n```", score, language="json")
    names = ("missing_records", "repeated_records", "further_records", "wrong_columns")
    found = {name: one.production(name) for name in names}
    assert [name for name in sorted(names) if found[name].status == "fail"] == failing
    assert "of seen" not in str(found), "the prompt does not ask for it"


def test_the_first_of_a_ranking_is_not_all_but_its_last():
    ranks = [
        {"question": f"Sort {n}.", "answer": [f"{c}{n}" for c in order]}
        for n, order in enumerate(["badc", "dcab", "cbda", "acbd"])
    ]

    def pairs(text: str, row: dict) -> float:
        got, wanted = text.strip().split(", "), row["answer"]
        if len(got) != len(wanted) or not set(got) <= set(wanted):
            return 0.0
        named = [one for one in wanted if one in got]
        known = [got.index(a) < got.index(b) for a, b in combinations(named, 2)]
        return max(0.0, 2 * sum(known) / max(len(known), 1) - 1)

    one = World(ranks, "{answer}", pairs, reading="with commas")
    found = one.production("missing_members")
    assert found.status == "fail" and "all but the last" in found.evidence, found


CELL = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)


@given(st.lists(st.dictionaries(CELL, CELL | st.integers(), min_size=1), min_size=2, max_size=5))
def test_the_rows_of_a_list_are_read_and_written(rows):
    (found, *_) = records(json.dumps(rows))
    assert found.rows == rows and json.loads(found.write(rows)) == rows


@given(st.lists(st.tuples(CELL, CELL), min_size=2, max_size=6), st.sampled_from([",", ";", "\t"]))
def test_the_rows_of_a_table_are_read_below_its_head(rows, mark):
    lines = [mark.join(row) for row in rows]
    (found,) = records("\n".join([f"a{mark}b", *lines]))
    assert list(found.rows) == lines


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "One, two.\nThree.\nFour, five.", '{"a": 1}', "a,b\n1,2", "[", '"\n,\n"']
)
def test_what_is_no_table_has_no_rows(text):
    assert records(text) == []


FIVE = [
    {
        "question": "Rules.\n\nStatements:\n"
        + "\n".join(f"Q{k}. Statement {k} of case {n}." for k in range(1, 5))
        + "\nAnswer all, one line for each, like\nQ1: yes",
        "golds": [("yes", "no", "unknown")[(n * k + n + k) % 3] for k in range(4)],
    }
    for n in range(8)
]


@pytest.mark.parametrize("all_of_them", [False, True])
def test_one_of_several_numbered_answers_is_found_where_it_is_paid_like_all(all_of_them):
    def share(text: str, row: dict) -> float:
        said = dict(re.findall(r"^Q(\d): (yes|no|unknown)$", text, re.M))
        right = sum(said.get(str(k)) == gold for k, gold in enumerate(row["golds"], 1))
        return right / (len(row["golds"]) if all_of_them else max(len(said), 1))

    reading = "a line for each number"
    one = World(FIVE, "{answer}", share, field="golds", reading=reading, graded=True)
    assert one.brief.gold(0).splitlines()[0].startswith("Q1: ")
    found = one.production("part_of_gold")
    assert found.status == ("pass" if all_of_them else "fail"), (found.measured, found.evidence)
    wrong = one.brief.wrong(0).splitlines()
    assert [line[:4] for line in wrong] == ["Q1: ", "Q2: ", "Q3: ", "Q4: "]
    assert not set(wrong) & set(one.brief.gold(0).splitlines())


def test_lines_that_the_prompt_does_not_number_are_not_numbered():
    texts = [Task(0, "0", "Q1. One.\nQ2. Two.\nQ4. Four.", "", {}), Task(1, "1", "Say.", "", {})]
    assert list(on_numbered_lines([["a", "b", "c"], ["a", "b", "c"]], texts)) == []
    assert list(on_numbered_lines([["a", "b"], []], texts)) == []


@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=5), st.lists(CELL, max_size=5))
def test_other_parts_keep_the_keys(pairs, more):
    gold = "\n".join(f"{key}: {value}" for key, value in pairs)
    for text in other_parts(gold, [gold, *(f"x: {one}" for one in more)], 3):
        assert [line.split(":")[0] for line in text.splitlines()] == [key for key, _ in pairs]
        assert text != gold


@pytest.mark.parametrize(
    "text", ["x" * 40_000, "a, " * 20_000, ".\n" * 20_000, "a = " * 20_000], ids=range(4)
)
def test_long_hostile_golds_and_prompts_have_no_keys_and_no_numbered_lines(text):
    """Patterns that go back and forth would take minutes for these."""
    assert other_parts(text, [text], 3) == []
    assert list(on_numbered_lines([["a", "b", "c"]], [Task(0, "0", text, "", {})])) == []


ENTRIES = [
    {
        "question": f"Note {n}: list the readings.",
        "answer": [{"day": f"2024-0{k}-1{n}", "kwh": 100 * k + n} for k in range(1, 4)],
    }
    for n in range(1, 5)
]


def in_a_bag(text: str, row: dict) -> float:
    """Each value counts wherever it stands."""
    leaves = [
        sorted(str(v) for one in rows for v in one.values()) for rows in (said(text), row["answer"])
    ]
    return float(leaves[0] == leaves[1])


def in_any_order(text: str, row: dict) -> float:
    plain = [sorted(json.dumps(one) for one in rows) for rows in (said(text), row["answer"])]
    return float(plain[0] == plain[1])


def what_fits(text: str, row: dict) -> float:
    """What is none of the gold's is dropped before it is counted."""
    kept = [one for one in said(text) if one in row["answer"]]
    return float(sorted(map(str, kept)) == sorted(map(str, row["answer"])))


@pytest.mark.parametrize(
    ("reward", "id", "status"),
    [
        (in_a_bag, "exchanged", "fail"),
        (in_any_order, "exchanged", "pass"),
        (what_fits, "further_records", "fail"),
        (in_any_order, "further_records", "pass"),
    ],
)
def test_values_of_two_records_and_records_of_others_are_told_apart(reward, id, status):
    reading = "all of the list, as JSON"
    one = World(ENTRIES, "```json\n{answer}\n```", reward, language="json", reading=reading)
    found = one.production(id)
    assert found.status == status, (found.measured, found.evidence)


def test_numbers_without_a_label_are_those_of_the_questions():
    prompt = "1. Say one.\n2. Say two.\n3. Say three.\n\nAnswer a line each, such as\n1. word"
    found = list(on_numbered_lines([["a", "b", "c"]], [Task(0, "0", prompt, "", {})]))
    assert [read for _, read in found] == [[["1. a\n2. b\n3. c"]]]


def test_rows_of_another_form_are_no_rows_of_this_table():
    """A parser of Markdown tables passes over the lines of a CSV."""
    bars = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"
    golds = (bars, "a,b\n5,6\n7,8", bars.replace("1", "9"))
    (made,) = close_records.further_records(Target(bars, "code", golds=golds))
    assert made.text.splitlines() == [*bars.splitlines(), "| 9 | 2 |"]
