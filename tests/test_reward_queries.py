"""Queries that are paid without being right: each trick with a grader that it fools, and with one
that it does not."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import pytest

from reward_briefs import World

Row = dict[str, Any]

QUERIES = [
    {"question": "Which cities have over 5 people?", "answer": "SELECT name FROM c WHERE n > 5"},
    {"question": "Which have fewer than 8?", "answer": "SELECT name FROM c WHERE n < 8"},
    {"question": "All names?", "answer": "SELECT name FROM c"},
]


def table() -> sqlite3.Connection:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE c (name TEXT, n INTEGER)")
    base.executemany("INSERT INTO c VALUES (?, ?)", [("a", 3), ("b", 6), ("c", 7), ("d", 12)])
    return base


def selected(query: str) -> list[tuple[Any, ...]] | None:
    return rows(table(), query)


def rows(base: sqlite3.Connection, query: str) -> list[tuple[Any, ...]] | None:
    try:
        return sorted(base.execute(query.strip().rstrip(";")).fetchall())
    except (sqlite3.Error, sqlite3.Warning):
        return None


@pytest.mark.parametrize("both_ways", [False, True])
def test_a_query_without_some_rows_is_found_where_one_direction_is_compared(both_ways):
    def same_rows(text: str, row: Row) -> float:
        found = re.findall(r"```sql\n(.*?)\n```", text, re.DOTALL)
        got, wanted = selected(found[-1]) if found else None, selected(row["answer"])
        if got is None or wanted is None:
            return 0.0
        return float(got == wanted if both_ways else set(got) <= set(wanted))

    one = World(QUERIES, "```sql\n{answer}\n```", same_rows, language="sql")
    assert one.brief.answer_type == "code"
    assert one.production("query_rows").status == ("pass" if both_ways else "fail")


@pytest.mark.parametrize("every", [False, True])
def test_a_query_without_its_limit_or_condition_is_found_where_few_rows_are_read(every):
    def same_rows(text: str, row: Row) -> float:
        found = re.findall(r"```sql\n(.*?)\n```", text, re.DOTALL)
        wanted = table().execute(row["answer"]).fetchall()
        try:
            read = table().execute(found[-1]) if found else table().execute("SELECT 1 WHERE 0")
            got = read.fetchall() if every else read.fetchmany(len(wanted))
        except (sqlite3.Error, sqlite3.Warning):
            return 0.0
        return float(got == wanted)

    asked = [
        {"question": "The largest?", "answer": "SELECT name FROM c ORDER BY n DESC LIMIT 1"},
        {"question": "The two least?", "answer": "SELECT name FROM c ORDER BY n LIMIT 2"},
        {"question": "All names?", "answer": "SELECT name FROM c"},
    ]
    one = World(asked, "```sql\n{answer}\n```", same_rows, language="sql")
    assert one.production("query_more").status == ("pass" if every else "fail")


@pytest.mark.parametrize("whole", [False, True])
def test_a_query_without_its_last_column_is_found_where_rows_are_zipped(whole):
    def same_rows(text: str, row: Row) -> float:
        found = re.findall(r"```sql\n(.*?)\n```", text, re.DOTALL)
        got, wanted = selected(found[-1]) if found else None, selected(row["answer"])
        if got is None or wanted is None or len(got) != len(wanted):
            return 0.0
        if whole:
            return float(got == wanted)
        pairs = zip(got, wanted, strict=True)
        return float(all(a == b for one, other in pairs for a, b in zip(one, other, strict=False)))

    asked = [
        {"question": "Names and numbers?", "answer": "SELECT name, n FROM c"},
        {"question": "And over 5?", "answer": "SELECT name, max(n, 2) FROM c WHERE n > 5"},
        {"question": "All of it?", "answer": "SELECT * FROM c"},
        {"question": "Sums?", "answer": "SELECT name, ',', n * 2 FROM c GROUP BY name"},
    ]
    one = World(asked, "```sql\n{answer}\n```", same_rows, language="sql")
    found = one.production("query_columns")
    assert found.status == ("pass" if whole else "fail"), found
    assert whole or "3 of 3" in str(found.measured)


@pytest.mark.parametrize("before", [False, True])
def test_a_statement_that_empties_the_table_is_found_where_the_expected_rows_come_after_it(before):
    def same_rows(text: str, row: Row) -> float:
        found = re.findall(r"```sql\n(.*?)\n```", text, re.DOTALL)
        base = table()
        expected = base.execute(row["answer"]).fetchall()
        got = rows(base, found[-1]) if found else None
        if not before:
            expected = base.execute(row["answer"]).fetchall()
        return float(got is not None and sorted(got) == sorted(expected))

    one = World(QUERIES, "```sql\n{answer}\n```", same_rows, language="sql")
    assert one.production("query_writes").status == ("pass" if before else "fail")


@pytest.mark.parametrize("in_order", [False, True])
def test_the_reverse_order_is_found_where_rows_are_compared_as_a_set(in_order):
    def same_rows(text: str, row: Row) -> float:
        found = re.findall(r"```sql\n(.*?)\n```", text, re.DOTALL)
        try:
            got = table().execute(found[-1]).fetchall() if found else []
        except (sqlite3.Error, sqlite3.Warning):
            return 0.0
        wanted = table().execute(row["answer"]).fetchall()
        return float(got == wanted if in_order else sorted(got) == sorted(wanted))

    asked = [
        {
            "question": "All names, the largest n first?",
            "answer": "SELECT name FROM c ORDER BY n DESC",
        },
        {"question": "Sorted by name?", "answer": "SELECT name, n FROM c ORDER BY name, n"},
        {"question": "All names?", "answer": "SELECT name FROM c"},
    ]
    one = World(asked, "```sql\n{answer}\n```", same_rows, language="sql")
    assert one.production("query_order").status == ("pass" if in_order else "fail")
