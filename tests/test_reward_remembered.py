"""Whether scoring keeps a state, where no reply is known that is paid."""

from __future__ import annotations

import pytest

from lab.environment import Environment, locate
from lab.reward.reading.remembered import remembered

ROOMS = """
import verifiers.v1 as vf

TAKEN = {"Oak": {9, 10}, "Elm": {14}}
RESULTS = {}
COUNT = [0]
KNOWN = {}

def taken():
    if not KNOWN:
        KNOWN.update({room: set(hours) for room, hours in TAKEN.items()})
    return COPIED

def free(room, hour, rooms):
    if room not in rooms or hour in rooms[room]:
        return False
    if {hour} & rooms[room]:
        return False
    rooms[room].add(hour)
    return True

def judged(reply):
    rooms = taken()
    placed = [line.split() for line in reply.splitlines()]
    for room, hour in [one for one in placed if len(one) == 2]:
        clash = {int(hour)} & rooms.get(room, set())
        if len(clash) == 1:
            return 0.0
        rooms.setdefault(room, set()).add(int(hour))
    return float(len(placed) == 7 and sum(map(len, rooms.values())) == 99)

class RoomTask(vf.Task[vf.TaskData]):
    @vf.reward
    async def planned(self, trace: vf.Trace) -> float:
        COUNT[0] += 1
        if COUNT[0] > 1000:
            COUNT[0] = 0
        REMEMBERED
        return judged(trace.last_reply)

class RoomTaskset(vf.Taskset[RoomTask, vf.TasksetConfig]):
    def load(self):
        yield RoomTask(vf.TaskData(prompt="Plan the rooms."))

__all__ = ["RoomTaskset"]
"""
SHARED, OWN = "KNOWN", "{room: set(hours) for room, hours in KNOWN.items()}"
MEMORY = """if trace.last_reply not in RESULTS:
            RESULTS[trace.last_reply] = judged(trace.last_reply)
        if RESULTS[trace.last_reply] == 0.5:
            return 0.4
        return RESULTS[trace.last_reply]
"""


@pytest.mark.parametrize(
    ("copied", "memory", "kept"),
    [(SHARED, "", True), (OWN, "", False), (OWN, MEMORY, False)],
    ids=["one calendar for all", "a calendar each", "results kept by reply"],
)
def test_another_way_the_second_time_is_a_state_and_a_shorter_one_is_none(
    tmp_path, copied, memory, kept
):
    path = tmp_path / "rooms.py"
    path.write_text(ROOMS.replace("COPIED", copied).replace("REMEMBERED", memory), encoding="utf-8")
    with Environment(locate(str(path)), examples=1) as env:
        said, apart = remembered(env, 0, ["nothing", "Oak 12\nElm 9"])
    assert bool(said) == kept and apart == 0
    assert ("on another way through the code" in said) == kept
