"""A stand-alone reproduction of each finding: one small program per completion that did it.

    python reproductions/reward.empty.py       # prints the reward, exit code 1 while it is still paid
"""

from __future__ import annotations

import json
from pathlib import Path

from lab.files import write_whole
from lab.probes.families import Payment
from lab.probes.subject import Subject
from lab.report import usage

SCRIPTS = Path(__file__).resolve().parents[2]

PROGRAM = '''"""{title}

Task {index} of {environment}: the right answer earns {right:.6g}, a wrong one {wrong:.6g}.
Prints what this completion earns; exit code 1 when that is more than {limit:.6g}.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, {scripts!r})

from lab.environment import Environment, locate
from lab.probes.judge import ScriptedJudge

COMPLETION = json.loads({completion!r})
SETTINGS = {{"examples": {examples}, "python": {python!r}, "config": {config!r}, "seat": {seat!r}}}

with ScriptedJudge({upstream!r}) as judge, Environment(locate({path!r}), judge_base_url=judge.url, **SETTINGS) as env:
    env.expect = judge.told
    task = next(i for i, task in enumerate(env.description.tasks) if task.index == {index})
    score = env.score(task, COMPLETION)
print("reward", score.reward, score.error)
sys.exit(1 if score.reward is None or score.reward > {limit!r} else 0)
'''


def write(s: Subject, payments: list[Payment], folder: Path, upstream: str = "") -> list[Path]:
    """One file per finding, for its best-paid completion. An existing folder of other files is refused.

    `upstream` is the judge model that was asked; without one a scripted judge answers there too.
    """
    if folder.exists() and (not folder.is_dir() or any(not f.name.startswith("reward.") for f in folder.iterdir())):
        raise usage(f"{folder} exists and holds other files", "give a new or an empty folder to --repro", id="input.folder_in_use")
    written = []
    best: dict[str, Payment] = {}
    for payment in payments:
        kept = best.get(payment.family.check.id)
        if kept is None or payment.share > kept.share:
            best[payment.family.check.id] = payment
    for id, payment in best.items():
        path = folder / f"{id}.py"
        limit = s.floor_of(payment.task) + 0.25 * max(0.0, s.ceiling_of(payment.task) - s.floor_of(payment.task))
        text = PROGRAM.format(
            title=f"{id}: {payment.family.check.title}, but {payment.variant} is.",
            index=s.tasks[payment.task].index,
            environment=s.env.location.name,
            right=s.ceiling_of(payment.task),
            wrong=s.floor_of(payment.task),
            limit=limit,
            scripts=str(SCRIPTS),
            completion=json.dumps(s.env.said(payment.task, payment.completion)),
            path=str(s.env.location.path if s.env.location.local else s.env.location.name),
            examples=s.env.examples,
            python=s.env.worker.python,
            config=s.env.config,
            seat=s.env.seat,
            upstream=upstream,
        )
        write_whole(path, text)
        written.append(path)
    return written
