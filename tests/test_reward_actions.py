"""Calls of tools and games with rules: what does nothing, does something else, or breaks a rule."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from lab.environment import Completion, Played, Score, Task
from lab.reward.interactive.calls import calls_of, sensible, typed
from lab.reward.interactive.messages import Call, calls_made, conversation, last_said, said, shown
from lab.reward.interactive.ways import Found, _written_calls, written
from lab.reward.productions.acts import repeated_move
from lab.reward.reading.acting import Acting
from reward_briefs import World
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.prelude import last_tag

Row = dict[str, Any]
TOOLS = {
    "refund": {
        "type": "object",
        "properties": {"order": {"type": "string"}, "amount": {"type": "number"}},
        "required": ["order", "amount"],
    },
    "look": {
        "type": "object",
        "properties": {"order": {"type": "string"}},
        "required": ["order"],
    },
}
ORDERS: list[Row] = [
    {"question": f"Refund order B{n}00.", "calls": [("refund", {"order": f"B{n}00", "amount": n})]}
    for n in (3, 4, 5, 6)
]


def made(completion: Completion) -> list[tuple[str, dict[str, Any]]]:
    return calls_made(completion)


def same_calls(said: Completion, row: Row) -> float:
    return float(made(said) == row["calls"])


def among_them(said: Completion, row: Row) -> float:
    return float(all(call in made(said) for call in row["calls"]))


def right_tool(said: Completion, row: Row) -> float:
    return float([name for name, _ in made(said)] == [name for name, _ in row["calls"]])


def counted(said: Completion, row: Row) -> float:
    return min(1.0, 0.2 * len(made(said)))


def shop(reward) -> World:
    whole: dict[int, Completion] = {i: conversation(row["calls"]) for i, row in enumerate(ORDERS)}
    return World(ORDERS, "{answer}", reward, field="none", calls=True, whole=whole, tools=TOOLS)


@pytest.mark.parametrize(
    ("id", "reward"),
    [
        ("empty_tool_calls", counted),
        ("other_arguments", right_tool),
        ("every_call", among_them),
    ],
)
def test_calls_that_are_paid_and_should_not_be(id, reward):
    assert shop(reward).production(id).status == "fail"
    assert shop(same_calls).production(id).status == "pass"


def test_a_last_reply_that_is_only_looked_for_is_any_tasks():
    def told(said: Completion, row: Row) -> float:
        named = [word for word in last_said(said).split() if word.startswith("B")]
        return same_calls(said, row) * bool(named)

    def named(said: Completion, row: Row) -> float:
        return told(said, row) * (row["calls"][0][1]["order"] in last_said(said))

    whole: dict[int, Completion] = {
        i: conversation(row["calls"], f"Refunded {row['calls'][0][1]['order']}")
        for i, row in enumerate(ORDERS)
    }
    for reward, status in ((told, "fail"), (named, "pass")):
        world = World(
            ORDERS, "{answer}", reward, field="none", calls=True, whole=whole, tools=TOOLS
        )
        assert world.production("another_last_reply").status == status


def test_a_part_of_the_reward_for_calling_anything_is_a_failure_already():
    def part(said: Completion, row: Row) -> float:
        return max(same_calls(said, row), 0.3 * bool(made(said)))

    assert shop(part).production("empty_tool_calls").status == "fail"


def test_further_calls_that_cost_something_are_seen():
    """A game that pays a little less for each move beside the way."""

    def game(said: Completion, row: Row) -> float:
        beside = sum(call not in row["calls"] for call in made(said))
        return counted(said, row) - 0.02 * beside

    assert shop(game).production("every_call").status == "pass"


def test_calls_of_other_tasks_that_do_nothing_in_some_are_no_fault():
    """On half of the tasks the other orders are not on the books: those calls change nothing."""

    def books(said: Completion, row: Row) -> float:
        unknown = row in ORDERS[:2]
        return among_them(said, row) if unknown else same_calls(said, row)

    assert shop(books).production("every_call").status == "pass"


@pytest.mark.parametrize(
    ("told", "counted", "status"),
    [
        ("Each call beyond the second costs 0.1.", "messages", "fail"),
        ("Each call beyond the second costs 0.1.", "calls", "pass"),
        ("Each turn beyond the second costs 0.1.", "messages", "skip"),
    ],
)
def test_calls_that_cost_less_in_one_message(told, counted, status):
    """The task's own right rollout after many calls, one by one and all at once."""

    def looked_up(said: Completion, row: Row) -> float:
        asked = [one["tool_calls"] for one in said if one.get("tool_calls")]
        spent = len(asked) if counted == "messages" else sum(map(len, asked))
        right = row["calls"][0] in made(said)
        return right * max(0.2, 1 - 0.1 * max(0, spent - 2))

    rows = [{**row, "question": f"{row['question']} {told}"} for row in ORDERS]
    whole: dict[int, Completion] = {i: conversation(row["calls"]) for i, row in enumerate(ORDERS)}
    world = World(rows, "{answer}", looked_up, field="none", calls=True, whole=whole, tools=TOOLS)
    finding = world.production("calls_at_once")
    assert finding.status == status, finding


# --- calls as data ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "tool"),
    [
        ([{"name": "refund", "arguments": {"order": "B1", "amount": 2}}], ""),
        ([{"function": {"name": "refund", "arguments": '{"order": "B1", "amount": 2}'}}], ""),
        ('[{"name": "refund", "kwargs": {"order": "B1", "amount": 2}}]', ""),
        (["refund(order='B1', amount=2)"], ""),
        ([["B1", 2]], "refund"),
        ([["refund", "B1", 2]], ""),
        ([["refund", {"order": "B1", "amount": 2}]], ""),
        ({"B1": 2}, "refund"),
    ],
)
def test_calls_are_read_however_a_field_writes_them(value, tool):
    assert calls_of(value, TOOLS, tool) == [("refund", {"order": "B1", "amount": 2})]


@pytest.mark.parametrize("value", ["Lima", [1, 2], {"order": "B1"}, [], "[{", "refund(order=x)"])
def test_other_values_are_no_calls(value):
    assert calls_of(value, TOOLS) == []


def test_a_name_with_too_few_or_too_many_values_behind_it_is_no_call():
    assert calls_of([["refund", "B1"]], TOOLS) == []
    assert calls_of([["refund", "B1", 2, "x", "y"]], TOOLS) == []
    assert calls_of([[]], TOOLS) == []


def test_a_list_of_what_the_only_parameter_wants_is_a_call_for_each():
    assert calls_of(["B1", "B2"], TOOLS, "look") == [
        ("look", {"order": "B1"}),
        ("look", {"order": "B2"}),
    ]
    assert calls_of(["B1"], TOOLS, "refund") == []


def test_parameters_that_all_calls_share_are_other_fields_of_the_row():
    shared = {"refund": {**TOOLS["refund"], "required": ["order", "amount", "shop"]}}
    shared["refund"]["properties"] = {**TOOLS["refund"]["properties"], "shop": {"type": "string"}}
    rows = [{"shop": "Lima", "open": {"B1": 2, "B2": 3}}, {"shop": "Oslo", "open": {"C1": 1}}]
    tasks = [Task(i, str(i), "Refund what is open.", "", row) for i, row in enumerate(rows)]
    found = dict(written(tasks, shared))["calls of refund with each of open"]
    assert found[0] == [
        ("refund", {"shop": "Lima", "order": "B1", "amount": 2}),
        ("refund", {"shop": "Lima", "order": "B2", "amount": 3}),
    ]
    assert found[1] == [("refund", {"shop": "Oslo", "order": "C1", "amount": 1})]


def test_a_number_is_a_text_where_the_tool_takes_only_texts():
    assert calls_of([{"order": 7, "amount": 2}], TOOLS, "refund") == [
        ("refund", {"order": "7", "amount": 2})
    ]


def test_work_is_opened_with_what_a_field_of_that_name_holds_and_ended_with_a_bare_tool():
    text = {"type": "string"}
    tools = {
        "open_form": {"properties": {"name": text}, "required": ["name"]},
        "set_field": {"properties": {"field": text, "value": text}, "required": ["field", "value"]},
        "submit": {"properties": {}},
    }
    tasks = [
        Task(n, str(n), "Fill it in.", fields={"form": f"f{n}", "values": {"city": f"c{n}"}})
        for n in range(2)
    ]
    made = {way.name: calls_made(way.right(1) or "") for way in _written_calls(tasks, tools)}
    assert made["calls of set_field with values, after open_form then submit"] == [
        ("open_form", {"name": "f1"}),
        ("set_field", {"field": "city", "value": "c1"}),
        ("submit", {}),
    ]


def test_a_conversation_says_its_calls_again():
    calls: list[Call] = [("look", {"order": "B1"}), ("refund", {"order": "B1", "amount": 2})]
    assert calls_made(conversation(calls)) == calls and calls_made("text") == []
    assert shown(conversation(calls[:1])) == 'look({"order": "B1"}) | Done.'
    assert shown([]) == "no message at all"


def test_sensible_arguments_come_from_the_task():
    task = shop(same_calls).tasks[0]
    assert sensible("look", TOOLS["look"], task) == ("look", {"order": "B300"})
    assert typed("12", {"type": "integer"}) == 12 and typed("x", {"type": "integer"}) == "x"


# --- a game with rules -----------------------------------------------------------------------

COUNTDOWN = [
    {
        "question": f"Use {a}, {b} and {c}, each once, to reach {t}.",
        "numbers": [a, b, c],
        "target": t,
    }
    for a, b, c, t in ((3, 7, 2, 23), (5, 6, 4, 34), (8, 2, 9, 25), (6, 3, 5, 21))
]


def value(text: str) -> float | None:
    try:
        return float(eval(text, {"__builtins__": {}}))
    except Exception:
        return None


def reaches(text: str, row: Row) -> float:
    said = last_tag(text) or ""
    short = len(said) < 40 and set(said) <= set("0123456789+-*/(). ")
    return float(short and value(said) == row["target"])


def by_the_rules(text: str, row: Row) -> float:
    if not reaches(text, row):
        return 0.0
    nodes = list(ast.walk(ast.parse((last_tag(text) or "").strip(), mode="eval")))
    used = sorted(int(str(node.value)) for node in nodes if isinstance(node, ast.Constant))
    operators = [node for node in nodes if isinstance(node, ast.operator)]
    plain = all(isinstance(one, (ast.Add, ast.Sub, ast.Mult, ast.Div)) for one in operators)
    return float(plain and used == sorted(row["numbers"]))


def test_the_right_value_by_a_forbidden_way():
    paid = World(COUNTDOWN, "<answer>{answer}</answer>", reaches, field="target")
    assert paid.brief.answer_type == "expression"
    assert paid.production("illegal_method").status == "fail"
    kept = World(COUNTDOWN, "<answer>{answer}</answer>", by_the_rules, field="target")
    assert kept.production("illegal_method").status == "pass"


@pytest.mark.parametrize(("short", "graded"), [(2 / 3, True), (1.0, False), (0.0, False)])
def test_calls_that_earn_their_share_each_are_graded(short: float, graded: bool):
    calls = [("look", {"order": f"B{n}"}) for n in range(3)]
    whole = conversation(calls)
    env: Any = SimpleNamespace(score=lambda i, one: Score(1.0 if one == whole else short))
    acting = Acting(env, [], 1.0, lambda *_: None, lambda _: False)  # type: ignore[arg-type]
    assert acting._call_by_call(Found("calls", 1.0, {0: whole})) is graded


def test_the_moves_of_a_tasks_own_rollout_are_repeated_first_and_not_its_last_one():
    """A lookup of the booking that is asked about earns again and again, another task's nothing."""
    rows = [{"question": f"Refund K{n}.", "place": n} for n in range(8)]
    whole = {n: said([f"FIND K{n}", f"REFUND K{n}", "Done."]) for n in range(8)}

    def looked_up(replies, row) -> float:
        finds = sum(reply["content"] == f"FIND K{row['place']}" for reply in replies)
        return min(1.0, 0.2 * finds)

    world = World(rows, "{answer}", looked_up, calls=True, whole=whole)
    brief = replace(world.brief, play=lambda task, *replies: [Played([], None, True)])
    for task in range(8):
        moves = [one.completion[0]["content"] for one in repeated_move(brief, task) if one.unless]
        assert moves[:2] == [f"FIND K{task}", f"REFUND K{task}"] and len(moves) == 6
        assert "Done." not in moves[:2]
        assert world.earned(task, said([moves[0]] * 6)) == 1.0


def test_moves_are_repeated_where_a_tasks_own_ones_are_known():
    """A leak that is dug again and again counts each time; on another floor there is none."""
    rows = [{"question": "Dig.", "leaks": [f"A{n}", f"B{n}", f"C{n}"]} for n in range(20)]
    found = {n: said(rows[n]["leaks"]) for n in (3, 8, 13, 18)}

    def leaks(replies, row) -> float:
        return min(1.0, sum(reply["content"] in row["leaks"] for reply in replies) / 3)

    world = World(rows, "{answer}", leaks, calls=True, whole=found)
    brief = replace(world.brief, play=lambda task, *replies: [Played([], None, True)])
    sample = brief.sample(8, gold=False)
    assert sample[:4] == [3, 8, 13, 18] and len(set(sample)) == 8
    assert [i for i in sample if list(repeated_move(brief, i))] == [3, 8, 13, 18]
    corridor = {n: said(["GO NORTH"] * 3) for n in range(20)}
    world = World(rows, "{answer}", leaks, calls=True, whole=corridor)
    brief = replace(world.brief, play=lambda task, *replies: [Played([], None, True)])
    assert not [one for i in range(20) for one in repeated_move(brief, i)]


@pytest.mark.parametrize(("paid", "status"), [("once", "pass"), ("each time", "fail")])
def test_a_move_that_earns_as_much_when_it_is_made_once_is_no_repetition(paid, status):
    """The right claim ends the game, wherever it stands; a question that counts may be repeated."""
    rows = [{"question": "Whose is it?", "claim": f"CLAIM {31 * n}"} for n in range(8)]
    whole = {n: said(["ASK red", f"CLAIM {31 * n}", "Bye."]) for n in range(8)}

    def handed(replies, row) -> float:
        moves = [reply["content"] for reply in replies]
        asked = 0.25 * moves.count("ASK red") if paid == "each time" else 0.0
        return min(1.0, asked + float(row["claim"] in moves))

    world = World(rows, "{answer}", handed, calls=True, whole=whole)
    world.brief = replace(world.brief, play=lambda task, *replies: [Played([], None, True)])
    assert world.production("repeated_move").status == status
