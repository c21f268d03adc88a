"""Changed right replies that earn as much: made at places, asked about in the draft, answered."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.answers.changes import text_changes, value_changes
from lab.reward.contract_file import read
from run_script import run_script
from test_reward_solved import written

HOUSES = {
    "prompt": "Put the address into one line `Address: <number> <street>, <city>`.",
    "kind": "str",
    "first": "f\"{40 + n} {['NORTH', 'SOUTH'][n % 2]} {['MILL', 'OAK', 'ELM'][n % 3]} ROAD\"",
    "reward": """
        found = re.findall(r"^Address: (.+)$", text, re.M)
        plain = lambda line: re.sub(r"DROPPED", "", line).split()
        return float(bool(found) and plain(found[-1]) == plain(data.first))
""",
}
TURNED = {
    "prompt": "List the crates as JSON, a list of objects with id and boxes.",
    "kind": "list[dict[str, int]]",
    "first": "[{'id': 10 + k, 'boxes': (k + 1) * second} for k in range(3)]",
    "reward": """
        import json
        try:
            rows = json.loads(text[text.index("["):])
            bag = lambda rows: sorted(str(value) for row in rows for value in row.values())
            return float(bag(rows) == bag(data.first))
        except (ValueError, AttributeError):
            return 0.0
""",
}


@given(st.text(alphabet="ab 1,;:\n{}[]\"'", max_size=60), st.data())
def test_a_text_changed_nowhere_is_the_text_and_places_are_numbers_of_its_own(text, data) -> None:
    for one in text_changes(text):
        structured = json.dumps(json.loads(text)) if one.name.startswith("members") else None
        assert one.made(frozenset()) in (text, structured) or "[" in text or "{" in text
        if one.places > 0:
            chosen = data.draw(st.frozensets(st.integers(0, one.places - 1)))
            assert isinstance(one.made(chosen), str)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES, st.data())
def test_values_are_changed_in_a_copy(value, data) -> None:
    before = json.dumps(value)
    for one in value_changes(value):
        assert one.made(frozenset()) == value
        if one.places > 0:
            one.made(data.draw(st.frozensets(st.integers(0, one.places - 1))))
    assert json.dumps(value) == before


@pytest.mark.parametrize(
    ("text", "name", "chosen", "made"),
    [
        ("a: 1\nb: 2\nc: 3", "lines left out", {1}, "a: 1\nc: 3"),
        ("a: 1\nb: 2\nc: 3", "lines left out", {1, 2}, "a: 1"),
        ("a: 1\nb: 2", "values exchanged", {0}, "a: 2\nb: 1"),
        ("a: 1\nb: 2", "values put in the place of the next", {0}, "a: 1\nb: 1"),
        ("x, y, z", "items said twice", {0}, "x, x, y, z"),
        ("x, y, z", "items exchanged", {0}, "y, x, z"),
        ("not refundable", "words left out", {0}, "refundable"),
        ("412 MILL RD", "numbers changed", {0}, "512 MILL RD"),
        ("FILE [1, 2]", "members left out", {0}, "FILE [2]"),
    ],
)
def test_what_a_change_makes(text: str, name: str, chosen: set[int], made: str) -> None:
    found = {one.name: one for one in text_changes(text)}
    assert found[name].made(frozenset(chosen)) == made


def questions(file: Path) -> dict[str, str]:
    """By sort the completions of which the file asks what they earn."""
    asked = read(file).undecided
    return {re.sub(r" \(\d+\)", "", one.why.split(":")[0]): one.completion for one in asked}


@pytest.mark.parametrize(("dropped", "sort"), [("NORTH |SOUTH ", "words left out"), ("$", "")])
def test_what_is_not_compared_is_asked_about(tmp_path, dropped, sort) -> None:
    parts = {**HOUSES, "reward": HOUSES["reward"].replace("DROPPED", dropped)}
    module = written(tmp_path, f"houses_{int(bool(sort))}", parts)
    file = tmp_path / "contract.toml"
    ran = run_script("test_reward", module, "--contract", file, cwd=tmp_path)
    assert ran.code == 0, ran.out + ran.err
    assert [name for name in questions(file) if name == "words left out"] == [sort] * bool(sort)
    held = run_script("test_reward", module, "--contract-file", file, "--json", cwd=tmp_path)
    examples = {f["id"]: f for f in held.report["findings"]}["reward.examples"]
    assert examples["status"] == "pass"  # nobody has said anything yet
    if sort:
        assert "undecided" in str(examples["measured"])
        text = file.read_text()
        at = text.index(json.dumps(questions(file)[sort]))
        file.write_text(text[:at] + text[at:].replace('earns = "?"', 'earns = "wrong"', 1))
        held = run_script("test_reward", module, "--contract-file", file, "--json", cwd=tmp_path)
        examples = {f["id"]: f for f in held.report["findings"]}["reward.examples"]
        assert (held.code, examples["status"]) == (1, "fail")


def test_of_records_one_pair_of_values_is_exchanged(tmp_path: Path) -> None:
    module = written(tmp_path, "turned", TURNED)
    file = tmp_path / "contract.toml"
    ran = run_script("test_reward", module, "--contract", file, cwd=tmp_path)
    assert ran.code == 0 and ran.out.rstrip().endswith(f"--contract {file}"), ran.out
    text = questions(file)["values exchanged"]
    rows = json.loads(text[text.index("[") :])
    assert [row["id"] for row in rows] == [11, 10, 12]


def test_the_same_command_once_more_asks_about_changes_of_the_examples(tmp_path: Path) -> None:
    parts = {**HOUSES, "reward": HOUSES["reward"].replace("DROPPED", "$")}
    module = written(tmp_path, "again", parts)
    file = tmp_path / "contract.toml"
    line = "Address: 40 NORTH MILL ROAD"
    file.write_text(f'[[example]]\ntask = 0\ncompletion = "{line}"\nearns = "right"\n# mine\n')
    ran = run_script("test_reward", module, "--contract", file, cwd=tmp_path)
    assert ran.code == 0, ran.out + ran.err
    assert file.read_text().startswith("[[example]]\ntask = 0\n") and "# mine" in file.read_text()
    before = file.read_text()
    again = run_script("test_reward", module, "--contract", file, cwd=tmp_path)
    assert again.code == 0 and "nothing more to ask" in again.out
    assert f"--contract-file {file}" in again.out
    assert file.read_text() == before
    other = run_script(
        "test_reward", module, "--contract", file, "--contract-file", tmp_path / "x", cwd=tmp_path
    )
    assert other.code == 2 and "contract.toml exists" in other.out
