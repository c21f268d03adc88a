"""A configuration file with the changes of its prompt made, through a whole environment."""

from __future__ import annotations

from lab.environment import Environment, locate
from lab.reward.contract import Contract
from lab.reward.formats.source import read_source
from lab.reward.reading.find_right import Finder

BEDS = '''
import re
import tomllib
import verifiers.v1 as vf

FILE = """\\
[glass.{n}]
litres = {n}
vents = ["east", "roof"]

[[pumps]]
name = "well"
watts = 250.0
"""
PATCHES = [
    [{"op": "replace", "path": "/glass/%d/litres", "value": 40},
     {"op": "add", "path": "/glass/%d/vents/-", "value": "west"}],
    [{"op": "remove", "path": "/glass/%d/vents/0"},
     {"op": "move", "from": "/pumps/0/watts", "path": "/pumps/0/power"}],
]

def wanted(n, patch):
    data = tomllib.loads(FILE.replace("{n}", str(n)))
    bed, pump = data["glass"][str(n)], data["pumps"][0]
    if patch == 0:
        bed["litres"] = 40
        bed["vents"].append("west")
    else:
        del bed["vents"][0]
        pump["power"] = pump.pop("watts")
    return data

class BedData(vf.TaskData):
    n: int
    patch: list[dict]
    which: int

class BedTask(vf.Task[BedData]):
    @vf.reward
    async def patched(self, trace: vf.Trace) -> float:
        blocks = re.findall(r"^```toml\\n(.*?)^```$", trace.last_reply or "", re.S | re.M)
        try:
            read = tomllib.loads(blocks[-1])
        except (IndexError, ValueError):
            return 0.0
        return float(read == wanted(self.data.n, self.data.which))

class BedTaskset(vf.Taskset[BedTask, vf.TasksetConfig]):
    def load(self):
        for n in range(3, 9):
            which = n % 2
            patch = [{k: v % n if "%d" in str(v) else v for k, v in one.items()}
                     for one in PATCHES[which]]
            asked = "\\n".join(f"- {one['op']} {one['path']}: {one.get('value', one.get('from'))}"
                              for one in patch)
            prompt = ("The greenhouse is run by this file:\\n\\n```toml\\n"
                      + FILE.replace("{n}", str(n))
                      + "```\\n\\nApply:\\n" + asked + "\\n\\nReply with the whole new file in one "
                      "```toml block.")
            yield BedTask(BedData(prompt=prompt, n=n, patch=patch, which=which))

__all__ = ["BedTaskset"]
'''


def test_the_changed_file_of_a_prompt_is_found_to_be_right(tmp_path):
    path = tmp_path / "beds.py"
    path.write_text(BEDS, encoding="utf-8")
    with Environment(locate(str(path)), examples=6) as env:
        right = Finder(env, Contract(), read_source(path)).find().right
    assert right.source == "prompt+patch" and right.format.before == "```toml\n"
    assert len(right.with_gold) == 6 and {s.reward for s in right.scores.values()} == {1.0}
