"""Tools whose own code fails in every call."""

from __future__ import annotations

import pytest

DESK = """
import verifiers.v1 as vf

def operate(kind, **given):
    return f"{kind}: {sorted(given)}"

class Desk(vf.Toolset[vf.ToolsetConfig]):
    TOOL_PREFIX = None

    def run(self, name, **given):
        return operate(name, **given)

    @vf.tool
    async def find_member(self, name: str) -> str:
        \"\"\"Members by name.\"\"\"
        return FOUND

    @vf.tool
    async def renew(self, copy: str) -> str:
        \"\"\"Renew a loan.\"\"\"
        if not copy.startswith("C0"):
            raise ValueError("no such copy")
        return self.run("renew", copy=copy)

    @vf.tool
    async def tell(self, copy: str) -> str:
        \"\"\"Tell of a copy.\"\"\"
        try:
            return copy.told
        except AttributeError:
            return "nothing is known"

class DeskData(vf.TaskData):
    answer: str

class DeskTask(vf.Task[DeskData]):
    @classmethod
    def toolsets(cls, config):
        return [Desk(vf.ToolsetConfig())]

    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        return float(trace.last_reply.strip() == self.data.answer)

class DeskTaskset(vf.Taskset[DeskTask, vf.TasksetConfig]):
    def load(self):
        for n in range(6):
            yield DeskTask(DeskData(prompt=f"Who has copy C0{n}? Reply with the name alone.",
                                    answer=f"Ines{n}"))

__all__ = ["DeskTaskset"]
"""


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ('self.run("find", member=name)', "pass"),
        ('self.run("find", name=name)', "fail"),
        ("self.members[name]", "fail"),
    ],
    ids=["sound", "an argument twice", "an attribute that is not there"],
)
def test_a_tool_that_fails_in_every_call_is_named(tmp_path, bench, found, status):
    path = tmp_path / f"desk_{status}_{len(found)}.py"
    path.write_text(DESK.replace("FOUND", found), encoding="utf-8")
    finding = bench.audit(path).findings["reward.tool_runs"]
    assert finding.status == status, finding
    assert ("find_member" in str(finding.measured)) == (status == "fail")
    assert not {"renew", "tell"} & set(str(finding.measured).split(", "))
