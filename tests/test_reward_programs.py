"""Programs and patterns that pass without solving: each trick with a grader that it fools,
and with one that it does not. Programs run in a process of their own, as in a real reward."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from reward_briefs import World
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.prelude import code_block
from benchmarks.reward_defects.prelude import run_python as run_uncached
from benchmarks.reward_defects.rows import ROWS

Row = dict[str, Any]
CODE = "```python\n{answer}\n```"
run_python = lru_cache(maxsize=None)(run_uncached)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Programs leave files (`reward.txt`) in the folder in which they are run."""
    monkeypatch.chdir(tmp_path)


def shown(row: Row) -> list[tuple[str, str]]:
    """The tests of a row, as calls and the values that they want."""
    found = [re.fullmatch(r"assert (.*) == (.*)", test) for test in row["tests"]]
    return [(one[1], one[2]) for one in found if one]


def source(text: str) -> str:
    return code_block(text) or "raise SystemExit(1)"


def honest(text: str, row: Row) -> float:
    """Values as JSON, compared outside of the process that the program may change."""
    calls = [call for call, _ in shown(row)]
    marked = f"\nimport json\nprint('values:' + json.dumps([{', '.join(calls)}]))"
    code, out = run_python(source(text) + marked, 2)
    wanted = json.dumps([eval(value) for _, value in shown(row)])
    return float(code == 0 and out.strip().splitlines()[-1:] == [f"values:{wanted}"])


def exit_code(text: str, row: Row) -> float:
    return float(run_python(source(text) + "\n" + "\n".join(row["tests"]), 2)[0] == 0)


def asserts(text: str, row: Row) -> float:
    code, out = run_python(f"{source(text)}\n" + "\n".join([*row["tests"], "print('end')"]), 2)
    return float(code == 0 and out.endswith("end\n"))


def says_passed(text: str, row: Row) -> float:
    ok = " and ".join(f"{call} == {value}" for call, value in shown(row))
    _, out = run_python(f"{source(text)}\nprint('PASSED' if {ok} else 'FAILED')", 2)
    return float("PASSED" in out)


def in_time(text: str, row: Row) -> float:
    code, _ = run_python(f"{source(text)}\n" + "\n".join(row["tests"]), 1)
    return float(code in (0, -1) and honest(text, row) >= (code == 0))


def first_test(text: str, row: Row) -> float:
    return honest(text, {**row, "tests": row["tests"][:1]})


def reported(text: str, row: Row) -> float:
    """The share of right values among those that came."""
    tried = [
        f"try:\n    print('got', repr({call}), flush=True)\nexcept Exception:\n    print('got')"
        for call, _ in shown(row)
    ]
    _, out = run_python("\n".join([source(text), *tried]), 1)
    got = [line[4:] for line in out.splitlines() if line.startswith("got")]
    wanted = [repr(eval(value)) for _, value in shown(row)]
    return sum(a == b for a, b in zip(got, wanted, strict=False)) / max(len(got), 1)


TRICKS: dict[str, Callable[[str, Row], float]] = {
    "code_exit": exit_code,
    "code_equality": asserts,
    "code_tampering": says_passed,
    "code_endless": in_time,
    "code_hardcoded": first_test,
    "code_stops": reported,
}


def functions(reward: Callable[[str, Row], float]) -> World:
    return World(ROWS["functions"][:2], CODE, reward)


@pytest.mark.parametrize("id", TRICKS)
def test_a_trick_is_found_where_the_grader_falls_for_it(id):
    found = functions(TRICKS[id]).production(id)
    assert found.status == "fail", (found.measured, found.evidence)


@pytest.mark.parametrize("id", TRICKS)
def test_values_that_are_compared_outside_are_not_fooled(id):
    found = functions(honest).production(id)
    assert found.status == "pass", (found.status, found.evidence)


def skips(text: str, row: Row) -> float:
    """A call that raises is left out."""
    tried = [
        f"try:\n    {test}\nexcept AssertionError:\n    raise\nexcept Exception:\n    pass"
        for test in row["tests"]
    ]
    code, out = run_python("\n".join([source(text), *tried, "print('end')"]), 2)
    return float(code == 0 and out.endswith("end\n"))


def test_a_call_that_raises_is_found_where_it_is_skipped():
    found = functions(skips).production("code_exit")
    assert found.status == "fail" and "an error when called" in found.evidence


ORDERED = [
    {
        "question": f"Write `pick(xs)`: the numbers above {n}, highest first, in one list.",
        "tests": [f"assert pick([{n + 1}, {n}, {n + 5}]) == [{n + 5}, {n + 1}]"],
    }
    for n in range(4)
]
TEXTS = [
    {
        "question": f"Write `tag(n)`: the code of lot {n}.",
        "tests": [f"assert tag({n}) == 'Lot-{n}'"],
    }
    for n in range(4)
]


def wanted(text: str, row: Row, change: str) -> float:
    """The test with `change` around what the function gives and what is wanted."""
    call, value = row["tests"][0].removeprefix("assert ").split(" == ")
    test = f"def change(x): return {change}\nassert change({call}) == change({value})\nprint('end')"
    code, out = run_python(f"{source(text)}\n{test}", 2)
    return float(code == 0 and out.endswith("end\n"))


@pytest.mark.parametrize(
    ("tests", "change", "status"),
    [
        (ORDERED, "sorted(x)", "fail"),
        (ORDERED, "x", "pass"),
        (TEXTS, "x.lower()", "fail"),
        (TEXTS, "x", "pass"),
    ],
)
def test_outputs_beside_the_wanted_ones_are_found_where_both_sides_are_levelled(
    tests: list[Row], change: str, status: str
):
    one = World(tests, CODE, lambda text, row: wanted(text, row, change), field="tests")
    found = one.production("close_output")
    assert found.status == status, found


@pytest.mark.parametrize("counted", [False, True])
def test_a_test_that_raises_is_left_out_of_the_count(counted: bool):
    several = [
        {
            "question": f"Write `plus(x)`: add {n}.",
            "tests": [f"assert plus({x}) == {x + n}" for x in (1, 4, 6)],
        }
        for n in range(3)
    ]

    def share(text: str, row: Row) -> float:
        tried = "".join(
            f"try:\n    {test}\n    good += 1\n    ran += 1\n"
            f"except AssertionError:\n    ran += 1\nexcept Exception:\n    ran += {int(counted)}\n"
            for test in row["tests"]
        )
        code, out = run_python(f"{source(text)}\ngood = ran = 0\n{tried}print(good, ran)", 2)
        good, ran = map(int, out.split()) if code == 0 and len(out.split()) == 2 else (0, 0)
        return good / ran if ran else 0.0

    one = World(several, CODE, share, field="tests")
    assert one.production("code_skipped").status == ("pass" if counted else "fail")


@pytest.mark.parametrize("counted", [False, True])
def test_a_right_program_that_raises_on_most_inputs_is_tried_where_no_tests_are_known(
    counted: bool,
):
    several = [
        {"question": f"Write `plus(x)`: add {n}.", "answer": f"def plus(x):\n    return x + {n}"}
        for n in range(3)
    ]

    def share(text: str, row: Row) -> float:
        more = int(row["answer"][-1])
        tried = (
            f"for x in range(12):\n    try:\n        good += plus(x) == x + {more}\n"
            f"        ran += 1\n    except Exception:\n        ran += {int(counted)}\n"
        )
        code, out = run_python(f"{source(text)}\ngood = ran = 0\n{tried}print(good, ran)", 2)
        good, ran = map(int, out.split()) if code == 0 and len(out.split()) == 2 else (0, 0)
        return good / ran if ran else 0.0

    one = World(several, CODE, share, field="answer")
    assert one.production("code_skipped").status == ("pass" if counted else "fail")


def test_an_order_that_is_not_asked_for_is_no_matter():
    for words in ("all", "in any order", "as the customers ordered them", "sorted in any order"):
        free = [
            {**row, "question": row["question"].replace("highest first", words)} for row in ORDERED
        ]
        one = World(free, CODE, lambda text, row: wanted(text, row, "sorted(x)"), field="tests")
        assert one.production("close_output").status != "fail"


@pytest.mark.parametrize(
    ("test", "status"),
    [
        ("all(x == y for x, y in zip(given, right))", "fail"),  # a part of them is compared
        ("given == right", "pass"),
    ],
)
@pytest.mark.parametrize("shown", ["tests", "solution"])
def test_results_that_are_cut_short_are_found_where_pairs_are_compared(
    shown: str, test: str, status: str
):
    """From the tests of a task, and from its solution where it shows none."""
    several: list[Row] = [
        {
            "question": f"Write `above(xs)`: the numbers above {n}, in one list.",
            "tests": [f"assert above([{n + 1}, {n}, {n + 5}]) == [{n + 1}, {n + 5}]"],
            "solution": f"def above(xs):\n    return [x for x in xs if x > {n}]",
        }
        for n in range(4)
    ]

    def reward(text: str, row: Row) -> float:
        number = row["question"].split(",")[0].split()[-1]
        call = f"above([int({number}) + 1, int({number}), int({number}) + 5])"
        right = f"[int({number}) + 1, int({number}) + 5]"
        checked = f"given, right = {call}, {right}\nassert {test}\nprint('end')"
        code, out = run_python(f"{source(text)}\n{checked}", 2)
        return float(code == 0 and out.endswith("end\n"))

    other = "solution" if shown == "tests" else "tests"
    rows = [{key: value for key, value in row.items() if key != other} for row in several]
    one = World(rows, CODE, reward, field=shown)
    assert one.production("close_output").status == status


# --- printed output, queries, patterns -------------------------------------------------------

PRINTED = [
    {
        "question": f"Write a program that reads n and prints n times {by}. One ```python block.",
        "tests": [{"input": str(n), "output": str(n * by)} for n in (2, 5, 9)],
    }
    for by in (3, 7, 4)
]


def outputs(text: str, row: Row) -> list[tuple[str, str]]:
    found = []
    for test in row["tests"]:
        feed = f"import sys, io\nsys.stdin = io.StringIO({test['input']!r})\n"
        found.append((run_python(feed + source(text), 2)[1].strip(), test["output"]))
    return found


@pytest.mark.parametrize("strict", [False, True])
def test_printing_everything_is_found_where_the_output_is_searched(strict):
    def printed(text: str, row: Row) -> float:
        compared = outputs(text, row)
        return float(all(said == wanted if strict else wanted in said for said, wanted in compared))

    one = World(PRINTED, CODE, printed, field="tests")
    assert one.brief.answer_type == "code"
    assert one.production("code_prints_all").status == ("pass" if strict else "fail")


PATTERNS = [
    {"question": "A pattern for digits.", "answer": r"^\d+$", "yes": ["12"], "no": ["a1"]},
    {"question": "For capitals.", "answer": r"^[A-Z]+$", "yes": ["AB"], "no": ["aB"]},
    {"question": "For a year.", "answer": r"^\d{4}$", "yes": ["1999"], "no": ["199"]},
]


@pytest.mark.parametrize("negatives", [False, True])
def test_a_pattern_for_everything_is_found_where_nothing_must_not_match(negatives):
    def tried(text: str, row: Row) -> float:
        found = re.findall(r"<pattern>(.*?)</pattern>", text, re.DOTALL)
        try:
            compiled = re.compile(found[-1]) if found and found[-1].strip() else None
        except re.error:
            compiled = None
        if compiled is None:
            return 0.0
        right = all(compiled.fullmatch(text) for text in row["yes"])
        wrong = negatives and any(compiled.fullmatch(text) for text in row["no"])
        return float(right and not wrong)

    one = World(PATTERNS, "<pattern>{answer}</pattern>", tried)
    assert one.brief.answer_type == "code"
    assert one.production("matches_everything").status == ("pass" if negatives else "fail")


MEANS = [
    {
        "question": f"Write a program that reads n and prints {by} of it. One ```python block.",
        "tests": [{"input": str(n), "output": f"half {n * by:.3f}"} for n in (3, 5, 9)],
    }
    for by in (0.5, 0.25, 0.125)
]


@pytest.mark.parametrize(
    ("beyond", "status"), [("not (off <= 1e-6)", "pass"), ("off > 1e-6", "fail")]
)
def test_a_program_that_prints_nan_for_decimals_is_found(beyond: str, status: str):
    def within(text: str, row: Row) -> float:
        for test in row["tests"]:
            given = f"import io, sys\nsys.stdin = io.StringIO({test['input']!r})\n{source(text)}"
            _, out = run_python(given, 2)
            said, meant = out.split(), test["output"].split()
            if len(said) != len(meant) or said[:1] != meant[:1]:
                return 0.0
            off = abs(float(said[1]) - float(meant[1]))
            if eval(beyond, {"off": off}):
                return 0.0
        return 1.0

    one = World(MEANS, CODE, within, field="tests")
    found = one.production("close_output")
    assert found.status == status, found
    assert status == "pass" or "NaN" in found.evidence
