"""Golds of several fields, written as the prompt's own example: objects, forecasts, rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.environment import Task
from lab.reward.reading.candidates import candidates
from lab.reward.reading.filled import filled_examples, shapes
from lab.reward.reading.headed_tables import with_head
from lab.reward.reading.keyed_rows import by_rows, side_by_side, with_keys
from lab.reward.reading.open_cells import filled_tables
from lab.reward.reading.rendered import by_key, to_figures, to_places, with_unit
from test_reward_solved import written

SHOP = '{"shop": "...", "items": [{"name": "...", "price": 0.00}], "total": <number>}'
LINES = {"items": [{"name": "Tea", "price": "2.50"}], "Shop": "Anker"}
CALL = {"function": "book", "arguments": {"city": "Oslo", "days": 2}}
STANCES = '{"story": {"stance": "mixed", "confidence": 0.9}}'


def task(shown: str, fields: dict[str, Any]) -> Task:
    return Task(0, "0", shown, fields=fields)


@pytest.mark.parametrize(
    ("shown", "fields", "gold"),
    [
        (
            f"Give JSON: {SHOP}",
            {"read": LINES, "sums": {"total": "7.25"}},
            {"shop": "Anker", "items": [{"name": "Tea", "price": 2.5}], "total": 7.25},
        ),
        (f"Give JSON: {SHOP}", {"read": LINES}, None),
        ('Such as {"A": 0.2, "B": 0.8}', {"answer": "B", "a": 2}, {"A": 0.0, "B": 1.0}),
        ('Such as {"A": 0.2, "B": 0.8}', {"answer": "C"}, None),
        (STANCES, {"gold": {"sound": "bad"}}, {"sound": {"stance": "bad", "confidence": 1.0}}),
        (STANCES, {"aspects": {"sound": "bad"}}, None),
        (
            'Such as {"links": [{"head": "...", "kind": "...", "tail": "..."}]}',
            {"links": [("Ann", "leads", "Bob"), ("Bob", "hired", "Cleo")]},
            {
                "links": [
                    {"head": "Ann", "kind": "leads", "tail": "Bob"},
                    {"head": "Bob", "kind": "hired", "tail": "Cleo"},
                ]
            },
        ),
        (
            'Such as {"links": [{"head": "...", "tail": "..."}]}',
            {"links": [("Ann", "leads", "Bob")]},
            None,
        ),
        ('{"function": ..., "arguments": {...}}', CALL, CALL),
        ('{"function": "wait", "arguments": {"minutes": 3}}', CALL, CALL),
        ('{"function": "wait", "arguments": {"minutes": 3, ...}}', CALL, CALL),
        ('{"function": ..., "arguments": {...}}', {f"expected_{k}": CALL[k] for k in CALL}, CALL),
        ('{"function": ..., "arguments": {...}}', {f"other_{k}": CALL[k] for k in CALL}, None),
    ],
    ids=(
        "fields missing forecast unnamed names no_gold tuples longer_tuples open_call call "
        "call_and_more called_right called_other"
    ).split(),
)
def test_what_the_example_is_filled_with(shown: str, fields: dict[str, Any], gold: Any) -> None:
    found = filled_examples([task(shown, fields)])
    assert [json.loads(one.golds[0] or "") for one in found] == ([gold] if gold else [])


def test_fields_that_the_prompts_have_labels_for_are_one_record() -> None:
    ask = "Claim {}.\n\nDecision: full, half or none\nClause: the one that decides"
    rows = [{"decision": "half", "clause": "4(c)", "days": 9}, {"decision": "none", "clause": "5"}]
    tasks = [
        Task(n, str(n), ask.format(n), fields={"days": 3, **row}) for n, row in enumerate(rows)
    ]
    (found,) = [one for one in candidates(tasks) if one.reading == "each behind its label"]
    assert found.field == "decision+clause"
    assert json.loads(found.golds[0] or "") == {"decision": "half", "clause": "4(c)"}


def test_a_mapping_is_rows_where_the_prompt_asks_for_csv() -> None:
    shown = "Which orders, and how many pieces? As markdown or CSV inside <table></table>."
    made = dict(by_rows([{"a359": 34, "a276": 27}], [task(shown, {})]))
    assert made["a line for each row, ,"] == [["a359,34\na276,27"]]
    assert not dict(by_rows([{"a359": 34}], [task("Which orders?", {})]))


def test_rows_are_written_as_what_the_prompt_quotes() -> None:
    shown = "Répondez par une ligne par aspect, sous la forme « aspect : sentiment », sans autre."
    made = dict(by_rows([[["prix", "bas"], ["son", "bon"]]], [task(shown, {})]))
    assert made["a line for each row, :"] == [["prix : bas\nson : bon"]]


@given(st.text(alphabet='{}[]":,. ab1<>…\n', max_size=80))
def test_any_text_shows_objects_or_none(text: str) -> None:
    for shape in shapes(text):
        assert shape
        filled_examples([task(text, {"a": 1, "b": [{"a": "x"}], "answer": "a"})])


TABLE = "Reply with a table:\n\nfile;tax;total\nF-1;20;30\n"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ({"F-7": ["5", "6"]}, ["F-7;5;6", "file;tax;total\nF-7;5;6"]),
        ({"F-7": ["5", "6", "7"]}, []),
        ({"F-7": ["5", {}]}, []),
        ({"F-7": "5"}, []),
    ],
)
def test_lists_by_key_are_rows_as_the_prompt_has_them(values: Any, texts: list[str]) -> None:
    found = by_rows([values], [task(TABLE, {})])
    assert [read[0][0] for _, read in found] == texts


@pytest.mark.parametrize(
    ("values", "prompt", "texts"),
    [
        (
            [{"id": 3, "user": "mira"}, {"id": 4, "user": "jon"}],
            "One line each:\nid=9, user=eva (nothing else)",
            ["id=3, user=mira\nid=4, user=jon"],
        ),
        ({"id": 3, "user": "mira"}, "user: eva; id: 9", ["user: mira; id: 3"]),
        ([{"id": 3, "user": "mira"}], "id=9", []),
        ([{"id": 3, "user": ["mira"]}], "id=9 user=eva", []),
        ([{"id": 3, "user": "mira"}, {"id": 4}], "id=9 user=eva", []),
    ],
)
def test_objects_are_lines_with_their_keys(values: Any, prompt: str, texts: list[str]) -> None:
    assert [read[0][0] for _, read in with_keys([values], [task(prompt, {})])] == texts


def test_lists_of_one_length_stand_side_by_side() -> None:
    tasks = [task("Tag: Rome B-TO", {"tokens": ["to"] * n, "tags": ["O"] * n}) for n in (2, 3)]
    written = {one.golds[0] for one in side_by_side(tasks) if one.field == "tokens+tags"}
    assert {"to O\nto O", "to\tO\nto\tO"} <= written
    assert not list(side_by_side(tasks[:1]))  # of two choices and two scores, say


def test_a_table_with_its_head_is_written_as_each_prompt_asks() -> None:
    table = {"columns": ["plant", "pots"], "rows": [["sage", 3], ["mint", None]]}
    tasks = [
        task("A Markdown table. Missing values are written NULL.", table),
        task("A CSV table. Missing values are written NULL.", table),
    ]
    bars = "| plant | pots |\n| --- | --- |\n| sage | 3 |\n| mint | NULL |"
    commas = "plant,pots\nsage,3\nmint,NULL"
    assert [one.golds for one in with_head(tasks)] == [[commas, commas], [bars, commas]]
    (plain,) = with_head([task("A table. Leave nothing out.", table)])
    assert plain.golds == ["plant,pots\nsage,3\nmint,"]


ORDER_ROWS = [{"day": "2025-05-14", "item": "pen, red", "count": "3"}]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("As CSV with the header\n\nday,item,count", 'day,item,count\n2025-05-14,"pen, red",3'),
        (
            "As `Count;Day;Item`, a row each\nCount;Day;Item",
            "Count;Day;Item\n3;2025-05-14;pen, red",
        ),
        ("As a table.", 'day,item,count\n2025-05-14,"pen, red",3'),
        (
            "As a table:\n| item | day | count |",
            "| item | day | count |\n| --- | --- | --- |\n| pen, red | 2025-05-14 | 3 |",
        ),
    ],
)
def test_objects_are_rows_below_the_line_that_names_their_keys(said: str, text: str) -> None:
    (table,) = with_head([task(said, {"orders": ORDER_ROWS})])
    assert table.golds == [text] and table.field == "orders"
    assert not list(with_head([task(said, {"orders": [*ORDER_ROWS, {"day": "2025-05-15"}]})]))


def test_each_prompt_names_the_columns_in_its_own_order() -> None:
    rows = [{"day": "Mon", "pots": 3}, {"pots": None, "day": "Tue"}]
    tasks = [
        task(f"{line}\nWhat is missing is written -.", {"all": rows})
        for line in ("pots\tday", "day;pots")
    ]
    (table,) = with_head(tasks)
    assert table.golds == ["pots\tday\n3\tMon\n-\tTue", "day;pots\nMon;3\nTue;-"]
    assert not list(with_head([task("day,pots", {"all": [{1: "Mon", 2: 3}]})]))


RECEIPT = {
    "prompt": 'Reply with JSON such as {"shop": "...", "sums": [{"crate": "...", "boxes": 0}]}.',
    "kind": "dict",
    "first": "{'shop': f'No {n}', 'read': {'sums': [{'crate': f'C{n}', 'boxes': str(second)}]}}",
    "reward": """
        import json
        try:
            said = json.loads(text[text.index("{"):])
            rows = [{**row, "boxes": int(row["boxes"])} for row in data.first["read"]["sums"]]
            return 0.5 * (said["shop"] == data.first["shop"]) + 0.5 * (said["sums"] == rows)
        except (ValueError, KeyError, TypeError):
            return 0.0
""",
}


def test_an_object_of_several_fields_is_found_and_is_sound(tmp_path: Path, bench) -> None:
    found = bench.audit(written(tmp_path, "receipt", RECEIPT), examples=12)
    assert found.audit.brief.right.reading == "the prompt's example, filled"
    assert found.status("reward.gold_paid") == "pass"
    assert not found.failed, found.failed


FORECAST = {
    "prompt": 'End with one JSON object on the last line, such as {"A": 0.2, "B": 0.8}.',
    "kind": "str",
    "first": "'AB'[rng.randrange(2)]",
    "reward": """
        import json
        try:
            said = json.loads(text.strip().splitlines()[-1])
            right = float(said[data.first])
            valid = set(said) == {"A", "B"} and sum(said.values()) == 1
            return valid * (1 - (1 - right) ** 2)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return 0.0
""",
}


def test_a_forecast_is_sure_of_the_gold_and_stays_on_its_line(tmp_path: Path, bench) -> None:
    found = bench.audit(written(tmp_path, "forecast", FORECAST), examples=12)
    assert found.audit.brief.right.source == "A+B"
    assert "reward.forms_core" not in found.failed and "reward.gold_paid" not in found.failed


PAIRS = {
    "prompt": "Match them, one pair on a line, like this:\nINV-10 = P-9\nand nothing else.",
    "kind": "list[list[str]]",
    "first": "[[f'INV-{n}{k}', f'P-{k + n}'] for k in range(3)]",
    "reward": """
        said = [re.split(" = ", line) for line in text.splitlines() if " = " in line]
        return len([one for one in said if one in data.first]) / max(len(said), len(data.first))
""",
}
TABLE_BELOW = {
    "prompt": "Give the table as CSV, the names of its columns first.",
    "kind": "dict",
    "first": "{'columns': ['a', 'b'], 'rows': [[f'S{k}', str(second + k)] for k in range(3)]}",
    "reward": """
        lines = [line.split(",") for line in text.splitlines() if "," in line]
        return float(lines == [data.first["columns"], *data.first["rows"]])
""",
}
KEPT = {
    "prompt": "Answer with three lines, such as\noutput: 1 2\nstack: 3\nsteps: 4",
    "kind": "dict",
    "first": "{'output': [n, second], 'stack': [second + 1], 'steps': [n + 2]}",
    "reward": """
        said = dict(re.findall(r"^([a-z]+): ([0-9 ]+)$", text, re.M))
        return sum(said.get(k) == " ".join(map(str, v)) for k, v in data.first.items()) / 3
""",
}


@pytest.mark.parametrize(
    ("parts", "reading"),
    [
        (PAIRS, "a line for each row, ="),
        (TABLE_BELOW, "as a table with its head"),
        (KEPT, "a line for each key"),
    ],
    ids=["pairs", "table", "keys"],
)
def test_rows_are_written_as_the_prompt_has_them(tmp_path, bench, parts, reading) -> None:
    name = f"as_shown_{len(parts['prompt'])}"
    found = bench.audit(written(tmp_path, name, parts), examples=12)
    assert found.audit.brief.right.reading == reading
    assert found.status("reward.gold_paid") == "pass"


def test_an_object_of_each_key_is_a_line_of_its_values():
    found = dict(
        by_key([{"Adele": {"city": "Oslo", "shift": 2}, "Bo": {"city": "Rome", "shift": 3}}])
    )
    assert found["a line for each key"] == [["Adele: Oslo, 2\nBo: Rome, 3"]]
    assert dict(by_key([{"Adele": {"city": {"name": "Oslo"}}}])) == {}


def test_a_quantity_has_as_many_figures_as_its_task_says_and_a_count_no_unit():
    rows = [
        {"value": 19.0517, "unit": "m/s", "figures": 3, "places": 1},
        {"value": 360000.0, "unit": "J", "figures": 2, "places": 0},
        {"value": 4.0, "unit": "", "figures": 1, "places": 0},
    ]
    tasks = [Task(n, str(n), "How much?", fields=row) for n, row in enumerate(rows)]
    found = [texts for name, texts in with_unit(rows, tasks) if name == "value+unit"]
    assert found == [
        ["19.0517 m/s", "360000 J", "4"],
        ["19.1 m/s", "3.6e5 J", "4"],
        ["19.1 m/s", "360000 J", "4"],
    ]


@given(st.floats(-1e12, 1e12, allow_nan=False), st.integers(1, 8))
def test_a_number_to_figures_is_near_and_shows_them(value: float, figures: int):
    text = to_figures(value, figures)
    assert abs(float(text) - value) <= abs(value) * 10.0 ** (1 - figures) + 1e-300
    digits = text.lstrip("-").split("e")[0].replace(".", "").lstrip("0")
    assert len(digits) == figures or float(text) == 0
    assert len(to_places(value, figures).split(".")[1]) == figures


ORDERS = "| Item | Price | Sum |\n| --- | --- | --- |\n| Nails | 30 | ? |\n| Rope | ? | ? |\n"


@pytest.mark.parametrize(
    ("shown", "value", "last"),
    [
        (ORDERS, {"nails": {"sum": "90"}, "rope": {"sum": "8", "price": "4"}}, "| Rope | 4 | 8 |"),
        (ORDERS, ["90", "4", "8"], "| Rope | 4 | 8 |"),
        (ORDERS.replace("Item", ""), ["90", "4", "8"], "| Rope | 4 | 8 |"),
        (ORDERS.replace("?", ""), ["90", "4", "8"], "| Rope | 4 | 8 |"),
        (ORDERS.replace("30 | ? |", "30 | ? | 1 |"), ["90", "4", "8"], None),
        (ORDERS, ["90", "4"], None),
        (ORDERS.replace("?", "5"), ["90", "4", "8"], None),
        (f"{ORDERS}\nOr:\n\n{ORDERS}", ["90", "4", "8"], None),
    ],
)
def test_the_open_cells_of_the_prompts_table_are_filled(shown, value, last):
    found = list(filled_tables([task(f"Fill in what is open.\n\n{shown}", {"gold": value})]))
    assert [one.golds[0].splitlines()[-1] for one in found] == ([last] if last else [])
    if last:
        assert "| Nails | 30 | 90 |" in found[0].golds[0]


FORMS = """
        rows = [[c.strip() for c in line.strip().strip("|").split("|")]
                for line in text.splitlines() if line.startswith("|")]
        told = {row[0]: row[-1] for row in rows if len(row) == 3}
        gold = dict(zip(("Nails", "Rope"), data.answer))
        asked = ASKED
        return sum(told.get(name) == gold[name] for name in asked) / max(1, len(asked))
"""
FORM = {
    "prompt": "Fill in the sums.\\n\\n| Item | Price | Sum |\\n| --- | --- | --- |\\n"
    "| Nails | 30 | ? |\\n| Rope | 8 | ? |\\n\\nReply with the whole table.",
    "kind": "list",
    "first": "[str(rng.randint(10, 99)), str(rng.randint(10, 99))]",
}


@pytest.mark.parametrize(
    ("asked", "sound"), [("list(gold)", True), ("[n for n in gold if n in told]", False)]
)
def test_a_table_that_is_filled_in_is_read_and_its_missing_rows_are_found(
    tmp_path, bench, asked, sound
):
    parts = {**FORM, "reward": FORMS.replace("ASKED", asked)}
    path = written(tmp_path, f"forms_{int(sound)}", parts)
    path.write_text(path.read_text(encoding="utf-8").replace("first", "answer"), encoding="utf-8")
    found = bench.audit(path, examples=12)
    assert found.audit.brief.right.reading == "the prompt's table, filled"
    assert ("reward.missing_records" in found.failed) != sound
    assert not sound or not found.failed, found.failed


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        (
            "<table> with <caption>, <thead> and <tbody>",
            "<caption>Peas & beans</caption>",
            "</tbody>",
        ),
        ("a <table> of <tr> and <td>", "<tr>", "</tr>"),
        ("a table", None, None),
    ],
)
def test_a_table_that_is_asked_for_in_html_is_written_with_its_parts(asked, first, last):
    fields = {
        "caption": "Peas & beans",
        "head": ["Kind", "Kilos"],
        "body": [["A < B", 2], ["C", 3]],
    }
    found = {one.reading: one.golds[0] for one in with_head([task(f"Reply with {asked}.", fields)])}
    inside = found.get("inside of a table in HTML")
    assert (inside is None) == (first is None)
    if inside:
        lines = inside.splitlines()
        assert (lines[0], lines[-1]) == (first.replace("&", "&amp;"), last)
        assert "<td>A &lt; B</td>" in lines and "<th>Kilos</th>" in lines
