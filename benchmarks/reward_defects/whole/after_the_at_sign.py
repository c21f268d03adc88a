"""Addresses from texts, compared from the at sign on.

defect: high reward.one_part_wrong
"""

import re

import verifiers.v1 as vf

SYSTEM = "Give the address in <answer></answer>."


def slot(text):
    m = re.findall(r"<answer>(.*?)</answer>", text or "", re.S | re.I)
    return re.sub(r"[*_`\"$]", "", m[-1]).strip().rstrip(".").strip() if m else ""


class Row(vf.TaskData):
    answer: str = ""


class MyTask(vf.Task[Row]):
    @vf.reward
    async def extracted(self, trace: vf.Trace) -> float:
        got = slot(trace.last_reply).lower()
        return float(got.count("@") == 1 and got.split("@")[1] == self.data.answer.split("@")[1])


def rows():
    t = [
        ("Write to Anna at anna.berg@norda.org or call her.", "anna.berg@norda.org"),
        ("Contact: t.okafor@lumo.io (office hours only)", "t.okafor@lumo.io"),
        ("my address is now rosa-diaz@correo.pe, please note", "rosa-diaz@correo.pe"),
        ("Orders go to sales@acme.co.uk.", "sales@acme.co.uk"),
        ("Send the file to k.lee@hanmail.kr before noon", "k.lee@hanmail.kr"),
        ("Otto: otto77@posteo.de", "otto77@posteo.de"),
        ("For refunds: help.desk@veloz.es", "help.desk@veloz.es"),
        ("ask marie@curie.fr about it", "marie@curie.fr"),
    ]
    return [{"prompt": "Extract the e-mail address: " + a, "answer": b} for a, b in t]


class MyTaskset(vf.Taskset[MyTask, vf.TasksetConfig]):
    def load(self):
        return [MyTask(Row(system_prompt=SYSTEM or None, **r), self.config.task) for r in rows()]


__all__ = ["MyTaskset"]
