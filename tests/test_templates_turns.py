"""tool_use and multi_turn: results are paid and not calls or turns; the real loops run."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import HARNESS, ROOT, Loaded, template
from servers.scripted import Scripted


def evaluate(folder: str, module: str, url: str, out: Path, *flags: str) -> list[dict]:
    """The traces of a real vf-eval against a scripted model."""
    ran = subprocess.run(
        [
            str(Path(sys.executable).with_name("vf-eval")),
            module,
            "-m",
            "scripted",
            "--client.base-url",
            url,
            "--client.api-key-var",
            "NO_SUCH_KEY",
            "--no-push",
            "-o",
            str(out),
            "--run.name",
            "run",
            "--env.agent.harness.id",
            "inline-chat",
            *flags,
        ],
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'templates' / folder}:{HARNESS}",
            "HOME": str(out),
        },
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    file = out / "run" / "traces.jsonl"
    assert file.exists(), ran.stdout + ran.stderr
    return [trace for line in file.read_text().splitlines() for trace in json.loads(line)["traces"]]


def call(name: str, **arguments) -> dict:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
        ],
    }


def test_the_answer_is_paid_with_or_without_calls():
    env = template("tool_use")
    task = env.find("keeper of the lighthouse")
    right, wrong = (
        {"role": "assistant", "content": "<answer>Vessby</answer>"},
        {"role": "assistant", "content": "<answer>Norrholt</answer>"},
    )
    talked = [
        call("search", query="lighthouse"),
        {"role": "tool", "tool_call_id": "c", "content": "error: x"},
    ] * 5
    assert env.reward(task, [right]) == env.reward(task, [*talked, right]) == pytest.approx(1.125)
    for times in (0, 2, 10):
        assert env.reward(task, [*talked[:times], wrong]) == pytest.approx(0.125)
    assert env.reward(task, talked) == 0.0
    assert env.score(task, [*talked, wrong])["metrics"] == {
        "searches": 5.0,
        "reads": 0.0,
        "failed_calls": 5.0,
    }


def test_the_search_finds_the_passages_that_answer():
    template("tool_use")
    from tool_use_template.corpus import ToolUseTemplateConfig, passages
    from tool_use_template.search import Index

    index = Index(passages(ToolUseTemplateConfig()))
    titles = [
        index.passages[number][0]
        for number in index.search("who is the captain of the ferry Selma")
    ]
    assert (
        titles[0] == "The ferry Selma"
        and "Oda Brink" in index.passages[index.search("Oda Brink dog")[0]][0]
    )
    assert index.search("qwertyuiop") == []


@pytest.mark.soak
def test_a_real_evaluation_searches_reads_and_answers(tmp_path):
    def model(body: dict):
        results = [
            str(message["content"]) for message in body["messages"] if message["role"] == "tool"
        ]
        if not results:
            return [("search", {"query": "lighthouse Lindholm keeper 1902"})]
        if len(results) == 1:
            return [("search", {"query": "Per Strand born"}), ("read", {"number": 99})]
        if len(results) == 3:
            return [("read", {"number": int(results[1].split("]")[0].strip("["))})]
        _, _, place = results[-1].partition("born in ")
        return f"<answer>{place.split()[0] if place else '?'}</answer>"

    with Scripted(model) as server:
        (trace,) = evaluate("tool_use", "tool-use-template", server.url, tmp_path, "-n", "1")
    assert trace["ok"], trace["errors"]
    assert trace["rewards"]["correct"]["score"] == 1.0
    assert trace["metrics"] == {"searches": 2.0, "reads": 2.0, "failed_calls": 1.0}
    assert [tool["name"] for tool in trace["tools"]] == ["read", "search"] or {
        tool["name"] for tool in trace["tools"]
    } == {"read", "search"}


def test_contexts_become_the_corpus_and_are_not_shown(tmp_path):
    rows = [
        {
            "question": f"What colour is the {thing}?",
            "answer": colour,
            "context": f"The {thing} in the hall is {colour}.",
        }
        for thing, colour in (("door", "green"), ("lamp", "white"))
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    env = Loaded(
        ROOT / "templates/tool_use",
        {"dataset": str(file), "eval_share": 0.0, "context_fields": ["context"]},
    )
    assert [task["prompt"] for task in env.tasks] == [
        "What colour is the door?",
        "What colour is the lamp?",
    ]
    with pytest.raises(ValueError, match="stand in the corpus"):
        Loaded(ROOT / "templates/tool_use", {"dataset": str(file), "eval_share": 0.0})


def test_a_long_passage_can_be_read_to_its_end(tmp_path):
    template("tool_use")
    from tool_use_template.server import SearchTools, SearchToolsConfig

    rows = [
        {
            "question": "Where?",
            "answer": "Vessby",
            "context": f"{'The archive is long. ' * 450}It ends in Vessby.",
        }
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(rows[0]) + "\n")
    tools = SearchTools(
        SearchToolsConfig(
            source={"dataset": str(file), "eval_share": 0.0, "context_fields": ["context"]}
        )
    )
    asyncio.run(tools.setup())
    found = asyncio.run(tools.search("Vessby archive"))
    assert found.startswith("[0] The archive is long.") and "\n" not in found
    pages, start = [], 0
    while start is not None:
        pages.append(asyncio.run(tools.read(0, start)))
        start = (
            int(pages[-1].split("start=")[1].rstrip("]"))
            if "read on with start=" in pages[-1]
            else None
        )
    assert len(pages) == 3 and "Vessby" in pages[-1] and "Vessby" not in pages[0]


# --- multi_turn --------------------------------------------------------------------


def said(*answers: str) -> list[dict]:
    messages = [
        message
        for answer in answers
        for message in ({"role": "assistant", "content": answer}, {"role": "user", "content": "no"})
    ]
    return messages[:-1]


def tag(text: str) -> str:
    return f"<answer>{text}</answer>"


def test_earlier_answers_earn_more_and_attempts_are_counted():
    env = template("multi_turn")
    task = env.find("reduced by 7")
    wrong = tag("17")
    assert [env.reward(task, said(*[wrong] * n, tag("18"))) for n in range(4)] == pytest.approx(
        [1.5, 1.25, 1.0, 0.0]
    )
    assert env.reward(task, said(wrong, wrong, wrong)) == 0.0
    assert env.reward(task, said(tag("18"), wrong)) == pytest.approx(1.5)
    for form in ("18.0", "**18**", " 18 "):
        assert env.reward(task, tag(form)) == pytest.approx(1.5)
    for form in ("17 or 18", "not 18", "", "18 = 17"):
        assert env.reward(task, tag(form)) == 0.0
    assert env.score(task, said(wrong, wrong, "18"))["metrics"] == {
        "attempts": 3.0,
        "unreadable": 1.0,
        "repeated": 1.0,
    }


@pytest.mark.long
def test_a_real_dialogue_ends_with_the_right_answer_or_the_last_attempt(tmp_path):
    def model(body: dict) -> str:
        turns = sum(message["role"] == "assistant" for message in body["messages"])
        return (
            tag("18") if "reduced by 7" in str(body["messages"]) and turns == 1 else tag("nothing")
        )

    with Scripted(model) as server:
        traces = evaluate("multi_turn", "multi-turn-template", server.url, tmp_path, "-n", "3")
    by_prompt = {trace["task"]["data"]["prompt"][:20]: trace for trace in traces}
    won = by_prompt.pop("I am thinking of a n")
    assert (
        won["ok"]
        and won["rewards"]["solved"]["score"] == 1.0
        and won["rewards"]["early"]["score"] == 0.5
        and won["metrics"]["attempts"] == 2.0
    )
    for lost in by_prompt.values():
        assert (
            lost["ok"]
            and lost["rewards"]["solved"]["score"] == 0.0
            and lost["metrics"]["attempts"] == 3.0
        )
        shown = [node["message"]["content"] for node in lost["nodes"] if not node["sampled"]]
        assert not any(
            gold in text for gold in lost["task"]["data"]["answer"] for text in shown[2:]
        )


def test_labels_that_could_be_guessed_through_are_refused():
    with pytest.raises(ValueError, match="guessed through"):
        Loaded(ROOT / "templates/multi_turn", {"labels": ["yes", "no"]})


@pytest.mark.parametrize(
    "name",
    ["numeric", "multiple_choice", "exact_match", "structured_output", "tool_use", "multi_turn"],
)
def test_every_gold_validates(name):
    env = template(name)
    assert [env.run(task.validate(None)) for task in env.backend.tasks] == [True] * len(env.tasks)
