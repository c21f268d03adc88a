"""What the draft of a contract asks a reader for, and what examples with words are held to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.environment import Task
from lab.reward.contract import Contract, Example
from lab.reward.contract_file import example_text, read, read_examples
from lab.reward.examples import PIECE, piece_of
from lab.reward.sentences import LEAST, MOST, sentences
from lab.reward.unlike import unlike
from reward_environments import RIGHT, environment
from run_script import run_script
from test_reward_solved import UNITS, written

README = """# Orders of a bakery

A model reads an order and
writes one line. The last line counts.

| case | reward |
|---|---|
| the right total | 1.0 |

- A wrong total costs half; nothing else does.

```bash
pip install orders
```

正しい合計だけが1点になる。他は0点。
"""


def test_the_sentences_of_a_readme_come_without_headings_code_and_bars() -> None:
    assert sentences(README) == [
        "A model reads an order and writes one line.",
        "The last line counts.",
        "case | reward",
        "the right total | 1.0",
        "A wrong total costs half; nothing else does.",
        "正しい合計だけが1点になる。",
        "他は0点。",
    ]


@given(st.text(max_size=400))
def test_sentences_are_pieces_of_the_text(text: str) -> None:
    found = sentences(text)
    flat = " ".join(text.split())
    assert len(found) <= MOST and len(set(found)) == len(found)
    assert all(one in flat and (len(one) >= LEAST or not one.isascii()) for one in found)


def test_the_piece_of_a_long_prompt_is_what_no_other_prompt_has() -> None:
    rules = "Look the article up before you answer, and give the number in whole pieces. " * 3
    tasks = [Task(n, str(n), f"How many of article {n}1 are left?\n\n{rules}") for n in range(3)]
    assert piece_of(tasks[1], tasks) == "How many of article 11 are left?"
    assert piece_of(tasks[1]) != piece_of(tasks[2]) or len(rules) > PIECE


@pytest.fixture(scope="module")
def sums(tmp_path_factory) -> Path:
    return environment(tmp_path_factory.mktemp("draft"), "sums", RIGHT)


def test_the_draft_lists_sentences_and_tasks_to_write_examples_about(sums: Path) -> None:
    readme = sums.parent / "README.md"
    readme.write_text("# Sums\n\nThe last line counts. A total in words earns nothing.\n")
    ran = run_script("test_reward", sums, "--contract", "--examples", 4, cwd=sums.parent)
    readme.unlink()
    assert ran.code == 0
    lines = [line.removeprefix("# ").strip() for line in ran.out.splitlines()]
    assert "1. The last line counts." in lines and "2. A total in words earns nothing." in lines
    assert [line for line in lines if line.startswith("earns = ")] == [
        'earns = "right": all of what a right answer earns',
        'earns = "part": more than a wrong answer and less than a right one',
        'earns = "wrong": no more than a wrong answer in the right form',
        "earns = 1",
        "earns = 1",
    ]
    assert sum(re.fullmatch(r"task \d+:", line) is not None for line in lines) == 4


def test_the_draft_names_no_field_where_the_gold_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, "no_field", UNITS)
    ran = run_script("test_reward", path, "--contract", "--examples", 8, cwd=tmp_path)
    clauses = ran.out.split("[reward]")[1].split("[[example]]")[0]
    assert ran.code == 0 and "says = " in clauses and "\ngold = " not in clauses, clauses


WORDS = [
    ("#### {gold}", "right", ""),
    ("#### {gold}", "part", "earns 1, not a part"),
    ("#### {gold}", "wrong", "earns 1, not what is wrong"),
    ("The answer is {gold}.", "wrong", ""),
    ("The answer is {gold}.", "right", "earns 0, not what is right"),
]


@pytest.mark.parametrize(("completion", "earns", "said"), WORDS)
def test_a_word_says_what_an_example_earns(sums, bench, completion, earns, said) -> None:
    with bench.open(sums) as env:
        golds = [task.fields["answer"] for task in env.description.tasks]
    contract = Contract(examples=(Example(1, completion.format(gold=golds[1]), earns),))
    found = bench.audit(sums, contract).findings["reward.examples"]
    assert (found.status == "pass") == (not said) and said in found.evidence
    refused = earns == "right" and found.status == "fail"
    assert (f"(its gold is '{golds[1]}')" in found.evidence) == refused


def test_examples_say_replies_and_calls_in_short(tmp_path: Path) -> None:
    file = tmp_path / "contract.toml"
    file.write_text(
        '[[example]]\ncompletion = ["a first reply", "a second one"]\nearns = "part"\n'
        '[[example]]\ncompletion = [{call = "look", with = {sku = "A1"}}, {call = "list"}, "34"]\n'
    )
    turns, calls = read_examples(file)
    assert [one["content"] for one in turns.completion] == ["a first reply", "a second one"]
    made = [m["tool_calls"][0] for m in calls.completion if m.get("tool_calls")]
    assert [one["function"]["name"] for one in made] == ["look", "list"]
    assert made[0]["function"]["arguments"] == '{"sku": "A1"}' and made[0]["id"] != made[1]["id"]
    assert calls.completion[-1] == {"role": "assistant", "content": "34"}
    assert turns.earns == "part" and calls.earns == 1.0
    again = tmp_path / "again.toml"
    again.write_text(example_text(turns))
    assert read(again).examples == (turns,)


SPELLED = {
    "prompt": "Kategorie: mulțumire, reclamație oder cerere? End with `Kind: <one of them>`.",
    "kind": "str",
    "first": "['mul\\u0163umire', 'reclama\\u0163ie', 'cerere'][n % 3]",
    "reward": """
        found = re.findall(r"^Kind: (.+)$", text, re.M)
        return float(bool(found) and found[-1].strip() == data.first)
""",
}
FORMULA = {
    "prompt": "Give a formula in a line `Formula: <formula>` with the letters a, b and n.",
    "kind": "str",
    "first": "['a*n+b', '(a-b)/n', 'a^2/b', 'n*(a+2*b)'][n % 4]",
    "reward": """
        found = re.findall(r"^Formula: ([-+*/^() abn0-9]+)$", text, re.M)
        try:
            values = [
                eval(re.sub("[abn]", LETTER, one.replace("^", "**")))
                for one in (found[-1] if found else "0", data.first)
            ]
        except (SyntaxError, ArithmeticError, TypeError):
            return 0.0
        return float(abs(values[0] - values[1]) < 1e-9)
""",
}
WORDS_CUT = {
    "prompt": "Name both tones. End with a line `Tones: <first>, <second>`.",
    "kind": "list[str]",
    "first": "[['mid', 'low'], ['mid', 'ri-sing'], ['fal-ling', 'low'], ['hi-gh', 'mid']][n % 4]",
    "reward": """
        found = re.findall(r"^Tones: (.+)$", text, re.M)
        return float(bool(found) and re.findall(r"\\w+", found[-1]) == data.first)
""",
}


def test_a_label_is_right_as_the_prompt_spells_it(tmp_path: Path, bench) -> None:
    found = bench.audit(written(tmp_path, "spelled", SPELLED), examples=12)
    assert "as the prompt spells it" in found.failed["reward.forms_core"]


@pytest.mark.parametrize(("letter", "fails"), [("'7'", True), ("lambda m: VALUES[m[0]]", False)])
def test_letters_in_each_others_places_are_another_formula(tmp_path, bench, letter, fails) -> None:
    parts = {**FORMULA, "reward": FORMULA["reward"].replace("LETTER", letter)}
    path = written(tmp_path, f"formula_{int(fails)}", parts)
    values = 'VALUES = {"a": "3", "b": "5", "n": "11"}\n\nPROMPT = '
    path.write_text(path.read_text().replace("PROMPT = ", values, 1))
    found = bench.audit(path, examples=12)
    assert ("reward.close_math" in found.failed) == fails
    if fails:
        assert "two letters exchanged" in found.failed["reward.close_math"]


def test_a_field_that_the_code_compares_with_is_the_gold_where_few_are_paid(tmp_path, bench):
    found = bench.audit(written(tmp_path, "cut", WORDS_CUT), examples=12)
    assert found.status("reward.gold_paid") == "fail", found.findings["reward.gold_paid"]


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(0, 12))
def test_tasks_that_differ_are_other_tasks_each_and_the_first_is_one(texts, most) -> None:
    found = unlike(texts, most)
    assert len(found) == len(set(found)) == min(len(texts), max(most, 1))
    assert found[:1] == [0][: len(texts)]


@pytest.mark.parametrize(
    ("odd", "usual"),
    [
        ("Anna has -4 apples and gets 12.", "Anna has {n} apples and gets 12."),
        ("The shift starts at 22:30 and takes 480 minutes.", "The shift starts at {n} h."),
        ("Which of 11 and 11 is larger?", "Sum 1{n} and 17."),
    ],
)
def test_the_task_that_is_like_no_other_is_shown(odd: str, usual: str) -> None:
    texts = [usual.format(n=n + 10) for n in range(19)]
    for place in (5, 19):
        assert place in unlike([*texts[:place], odd, *texts[place:]], 2)


@pytest.mark.parametrize(("lines", "tasks"), [(1, 10), (50, 3)])
def test_what_all_prompts_say_is_shown_once_and_long_ones_are_few(tmp_path, lines, tasks) -> None:
    own = "".join(f"Line {n} of case {{n}}.\\n" for n in range(lines))
    rules = "Think.\nEnd with a line `Total: <number> min`."
    module = written(tmp_path, "hours", {**UNITS, "prompt": rules})
    module.write_text(module.read_text().replace('f"Case {n}. "', f'f"{own}"'))
    ran = run_script("test_reward", module, "--contract", cwd=tmp_path)
    shown = re.findall(r"^# task (\d+):$", ran.out, re.M)
    asked = set(re.findall(r"^task = (\d+)$", ran.out, re.M))
    assert asked <= set(shown), "an example of a task that is not shown"
    assert tasks <= len(shown) == len(set(shown)) <= tasks + len(asked), ran.out + ran.err
    assert ran.out.count("#   | Think.") == 1
