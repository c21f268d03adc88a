"""A right rollout that takes something else away, or makes something else: a calendar of which only
the asked entry is compared."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from lab.environment import Completion
from lab.reward.interactive.messages import calls_made, conversation
from lab.reward.productions.beside import REFUSED
from reward_briefs import World

DAY = {"type": "object", "properties": {"day": {"type": "string"}}}
BY_ID = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS = {
    "list_events": DAY,
    "create_event": {
        "type": "object",
        "properties": {"title": {"type": "string"}, "day": {"type": "string"}},
        "required": ["title", "day"],
    },
    "cancel_event": BY_ID,
}
ROWS = [
    {
        "question": f"Enter '{title}' on {day}.",
        "calls": ("create_event", {"title": title, "day": day}),
    }
    for title, day in (("Tax", "fri"), ("Band", "mon"), ("Dentist", "tue"), ("Lunch", "thu"))
]
OVER = "Breakfast"
FIRST = {"ev-0": OVER, "ev-1": "Standup", "ev-2": "Review", "ev-3": "Choir"}
"""`OVER` can no more be cancelled: a call that says so changes nothing."""


def events_after(said: Completion) -> tuple[dict[str, str], list[dict[str, str]], str]:
    """What is left of the events, what was entered, and what the last call was answered."""
    left, entered, told = dict(FIRST), [], ""
    for name, arguments in calls_made(said):
        if name == "create_event":
            entered.append(arguments)
            told = f"entered {arguments.get('title')}"
        elif name == "cancel_event":
            known = str(arguments.get("id"))
            over = left.get(known) == OVER
            title = None if over else left.pop(known, None)
            told = f"cancelled {title}" if title else "error: no such event"
            told = f"error: {known} is over" if over else told
        else:
            told = json.dumps([{"id": key, "title": title} for key, title in left.items()])
    return left, entered, told


def play(task, said, *_):
    return [SimpleNamespace(unread=events_after(said)[2], open=True, reward=0.0, messages=said)]


def only_what_is_asked(said, row):
    return float(row["calls"][1] in events_after(said)[1])


def all_of_it(said, row):
    left, entered, _ = events_after(said)
    return float(entered == [row["calls"][1]] and left == FIRST)


def calendar(reward, readme: str) -> World:
    whole: dict[int, Completion] = {i: conversation([row["calls"]]) for i, row in enumerate(ROWS)}
    world = World(ROWS, "{answer}", reward, field="none", calls=True, whole=whole, tools=TOOLS)
    world.brief = replace(world.brief, play=play, readme=readme)
    return world


@pytest.mark.parametrize(
    ("reward", "readme", "status"),
    [
        (only_what_is_asked, "All other entries stay as they are.", "fail"),
        (only_what_is_asked, "Nothing else is changed.", "fail"),
        (only_what_is_asked, "The entry has to be there.", "warn"),
        (all_of_it, "All other entries stay as they are.", "pass"),
    ],
)
def test_what_is_done_besides_a_right_rollout_costs_it(reward, readme, status):
    for production, said in (
        ("undone_besides", "cancel_event of ev-1 besides"),
        ("made_besides", "create_event for another task besides"),
    ):
        found = calendar(reward, readme).production(production)
        assert found.status == status, found
        assert (said in found.evidence) == (status != "pass")


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("error: ev-1 is over", True),
        ('{"ok": false, "reason": "locked"}', True),
        ("ev-1 is not open any more", True),
        ("Cancelled ev-1.", False),
        ('{"id": "ev-1", "error": null}', False),
        ('{"cancelled": "ev-1", "errors": []}', False),
    ],
)
def test_what_a_tool_says_when_it_has_changed_nothing(said, refused):
    assert bool(REFUSED.search(said)) is refused
