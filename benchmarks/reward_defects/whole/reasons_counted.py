"""A verdict with reasons: each connective of the reasoning earns a tenth, as much as a hundred of them.

defect: critical reward.structure_only reward.gold_is_best reward.components reward.filler reward.length_neutral
"""

import re

import verifiers.v1 as vf

CLAIMS = [
    ("All squares are rectangles.", "true"),
    ("Every prime number is odd.", "false"),
    ("A triangle may have two right angles.", "false"),
    ("Zero is even.", "true"),
    ("The square of a negative number is negative.", "false"),
    ("A rhombus has four equal sides.", "true"),
]


class Claim(vf.TaskData):
    label: str


class ClaimTask(vf.Task[Claim]):
    @vf.reward(weight=1.0)
    async def right(self, trace: vf.Trace) -> float:
        found = re.findall(r"^\W*verdict\W*:\W*(true|false)\W*$", trace.last_reply, re.I | re.M)
        return float(bool(found) and found[-1].lower() == self.data.label)

    @vf.reward(weight=0.1)
    async def argued(self, trace: vf.Trace) -> float:
        return float(
            len(
                re.findall(
                    r"\b(?:because|therefore|hence|thus|since|first|then|finally)\b",
                    trace.last_reply,
                    re.I,
                )
            )
        )


class Claims(vf.Taskset[ClaimTask, vf.TasksetConfig]):
    def load(self):
        return [
            ClaimTask(
                Claim(
                    prompt=f"True or false? Give your reasons, then a last line `Verdict: true` or `Verdict: false`.\n\n{text}",
                    label=label,
                )
            )
            for text, label in CLAIMS
        ]


__all__ = ["Claims"]
