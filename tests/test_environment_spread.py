"""Which tasks of many are kept for a test."""

from __future__ import annotations

import pytest

from lab.environment.spread import chosen, shape


@pytest.mark.parametrize(
    ("gold", "written"),
    [
        ("18", "9"),
        (18, "9"),
        ("70,000", "9,9"),
        ("-10", "-9"),
        ("\\frac{3}{4}", "\\a{9}{9}"),
        ("7 km", "9 a"),
        ("Yes", ""),
        ("the harbour", ""),
        ("", ""),
        (None, ""),
        ("9" * 60, ""),
    ],
)
def test_the_shape_of_a_gold(gold, written):
    assert shape(gold) == written


def test_golds_that_are_written_otherwise_are_among_the_kept_ones():
    golds = [str(i) for i in range(1000)]
    golds[433], golds[434], golds[701] = "-7", "-8", "1,234"
    kept = chosen(1000, {"limit": 20}, golds)
    assert len(kept) == 20 and kept == sorted(kept)
    assert {433, 701} < set(kept) and 434 not in kept
    plain = chosen(1000, {"limit": 20})
    assert plain == list(range(0, 1000, 50)) and len(set(plain) & set(kept)) == 18


@pytest.mark.parametrize(
    ("request_", "golds"),
    [
        ({"limit": 20, "first": True}, [*"7" * 99, "-7"]),
        ({"limit": 100}, [*"7" * 99, "-7"]),
        ({"limit": 20}, [f"word {chr(97 + i % 26)}" for i in range(100)]),
        ({"limit": 20}, ["7"] * 50),
    ],
)
def test_the_spread_stays_where_nothing_is_to_be_gained(request_, golds):
    assert chosen(100, request_, golds) == chosen(100, request_)


def test_no_more_than_a_fifth_gives_way_and_named_tasks_stay():
    golds = ["7"] * 90 + ["-7", "7,7", "7.7", "7/7", "$7", "7%", "+7", "7 m", "(7)", "[7]"]
    kept = chosen(100, {"limit": 10, "also": [99]}, golds)
    assert len(kept) == 11 and kept[-1] == 99
    assert sum(golds[i] != "7" for i in kept[:-1]) == 3  # 90 is there, and two more


def test_tasks_are_spread_where_there_are_not_twice_as_many_either():
    kept = chosen(34, {"limit": 20})
    assert kept[0] == 0 and kept[-1] >= 32 and len(set(kept)) == 20
    assert chosen(34, {"limit": 20, "first": True}) == list(range(20))
    assert chosen(12, {"limit": 20}) == list(range(12))
