"""--repair-format: right content in the wrong form is written in the asked form, and nothing else
is."""

from __future__ import annotations

import json

import pytest

from lab.environment import Environment, locate
from lab.warmup.repair import concludes
from run_script import ROOT, run_script
from traces import episode, task, write_run

GSM8K = ROOT / "environments" / "gsm8k"


@pytest.mark.parametrize(
    ("reply", "gold", "expected"),
    [
        ("so it comes to 42.", "42", True),
        ("so it comes to $1,200", "1200", True),
        ("42 at first, then 43", "42", False),
        ("42 " + "and so on " * 60, "42", False),
        ("the answer is New York.", "New York", True),
        ("New York is not it", "New York", False),
        ("", "42", False),
    ],
)
def test_a_reply_concludes_with_what_it_ends_on(reply, gold, expected):
    assert concludes(reply, gold) is expected


@pytest.mark.long
def test_only_right_content_is_repaired_and_marked(tmp_path):
    with Environment(locate(str(GSM8K)), examples=6, first=True, config={"split": "train"}) as env:
        tasks = env.description.tasks
    golds = [str(t.fields["answer"]) for t in tasks]
    episodes = []
    for i, (one, gold) in enumerate(zip(tasks, golds, strict=True)):
        of = task(i, prompt=one.prompt, answer=gold)
        episodes.append(episode(of, f"I add it up and it comes to {gold}.", correct=0.0, form=0.0))
        episodes.append(episode(of, f"I add it up and it comes to {gold}7.", correct=0.0, form=0.0))
    write_run(
        tmp_path / "run", episodes, config={"env": {"taskset": {"id": "gsm8k", "split": "train"}}}
    )
    ran = run_script(
        "export_sft",
        "run",
        "--out",
        "out",
        "--min-reward",
        "1",
        "--repair-format",
        "--env",
        GSM8K,
        "--json",
        "--quiet",
        cwd=tmp_path,
    )
    facts = ran.report["facts"]
    assert facts["repaired"] == facts["rows"] == len(tasks), ran.out
    assert facts["left_out"] == {"below_min_reward": len(tasks)}
    rows = [
        json.loads(line)
        for path in (tmp_path / "out" / "jsonl").glob("*.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert {row["origin"] for row in rows} == {"repaired"}
    assert sorted(
        row["messages"][-1]["content"].rsplit("#### ", 1)[1].strip() for row in rows
    ) == sorted(golds)
