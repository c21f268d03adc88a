"""contract.toml as a file: every clause, what is refused, older policies, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.cli.report import LabError
from lab.reward.contract import CLAUSES, Contract, Example
from lab.reward.contract_file import beside, literal, read, read_examples, render

GOOD = {
    "gold": '"info.answer"',
    "answer_type": '"number"',
    "says": '"<answer>{answer}</answer>"',
    "counts": '"last"',
    "thinking": '"ignored"',
    "accepts": '["upper case"]',
    "refuses": '["all"]',
    "tolerance": "0.01",
    "wrong": "0.2",
    "empty": "0",
    "silent": "0.0",
    "partial": '"graded"',
    "range": "[0, 1.5]",
    "length": '"shorter"',
    "tools": '"required"',
    "noise": "0.05",
}
BAD = {
    "gold": "3",
    "answer_type": '"numbers"',
    "says": '"<answer></answer>"',
    "counts": '"second"',
    "thinking": "true",
    "accepts": '"upper case"',
    "refuses": "[1]",
    "tolerance": "-0.1",
    "wrong": '"low"',
    "empty": "true",
    "silent": "[]",
    "partial": "true",
    "range": "[1, 0]",
    "length": '"none"',
    "tools": '"yes"',
    "noise": "-1",
}
EXAMPLE = '[[example]]\ntask = 2\ncompletion = "x"\nearns = 0.5\nwhy = "so"\n'


def written(folder: Path, text: str, name: str = "contract.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def refused(path: Path) -> str:
    """What the one error about a file says; it is a usage error with a fix."""
    with pytest.raises(LabError) as error:
        read(path)
    assert error.value.code == 2 and error.value.fix
    return f"{error.value.message} {error.value.fix}"


def test_the_examples_here_name_every_clause():
    assert set(GOOD) == set(BAD) == set(CLAUSES)


@pytest.mark.parametrize("name", CLAUSES)
def test_a_clause_is_read_and_a_wrong_value_is_refused_with_what_is_legal(tmp_path, name):
    contract = read(written(tmp_path, f"[reward]\n{name} = {GOOD[name]}\n"))
    assert list(contract.declared) == [name]
    said = refused(written(tmp_path, f"[reward]\n{name} = {BAD[name]}\n"))
    assert name in said
    clause = CLAUSES[name]
    assert all(value in said for value in clause.values) and clause.form in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[reward]\ncount = "last"\n', "unknown key 'count'"),
        ('[rewards]\ncounts = "last"\n', "unknown table 'rewards'"),
        ('counts = "last"\n', "unknown table 'counts'"),
        ("reward = 3\n", "reward is no table"),
        ("[reward]\ncounts = \n", "no valid TOML"),
        ("[[example]]\ntask = 0\n", "example 1 has no completion"),
        ('[[example]]\ntask = -1\ncompletion = "x"\n', "task = -1"),
        ('[[example]]\ntask = true\ncompletion = "x"\n', "task = True"),
        (
            '[[example]]\ncompletion = "x"\nearn = 1\n',
            "its keys are task, task_has, completion, earns, why",
        ),
        ('[[example]]\ncompletion = "x"\nearns = "all"\n', "earns = 'all'"),
        ("[[example]]\ncompletion = [3]\n", "a list of texts"),
        ('[[example]]\ncompletion = [{call = "look", when = 1}]\n', "is no turn"),
        ('[example]\ncompletion = "x"\n', "[[example]]"),
    ],
)
def test_what_no_contract_has_is_an_error_that_names_it(tmp_path, text, said):
    assert said in refused(written(tmp_path, text))


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "contract.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "contract.toml" in refused(path)
    assert "cannot be read" in refused(tmp_path / "none.toml")


def test_examples_are_read_and_the_best_paid_ones_are_right(tmp_path):
    lower = '[[example]]\ncompletion = "y"\nearns = 0.2\n[[example]]\ncompletion = ""\nearns = 0\n'
    contract = read(written(tmp_path, EXAMPLE + lower))
    assert contract.examples[0] == Example(2, "x", 0.5, "so")
    assert [e.completion for e in contract.right_examples()] == ["x"]
    assert Contract(examples=(Example(0, "z", 0.0),)).right_examples() == []


POLICIES = {
    "range = [0, 2]": {"range": (0, 2)},
    "partial_credit = true": {"partial": "graded"},
    "partial_credit = false": {},
    "length_penalty = true": {"length": "shorter"},
    "strict_format = true": {"refuses": ("all",)},
    'refused_forms = ["upper case"]': {"refuses": ("upper case",)},
    "judge_band = 0.1": {"noise": 0.1},
    "format_floor = 0.3": {"wrong": 0.3},
}


@pytest.mark.parametrize("line", POLICIES)
@pytest.mark.parametrize("table", ["", "[reward]\n"], ids=["bare", "in a table"])
def test_a_policy_of_earlier_releases_becomes_a_contract(tmp_path, line, table):
    contract = read(written(tmp_path, f"{table}{line}\n", "policy.toml"))
    assert contract.declared == POLICIES[line]
    if contract.declared:
        again = read(written(tmp_path, render(contract)))
        assert again.declared == contract.declared, "it can be converted"


@pytest.mark.parametrize("line", ["partial_credits = true", "strict_format = 1", "range = [2, 1]"])
def test_a_policy_with_a_mistake_is_refused(tmp_path, line):
    assert line.split(" ")[0] in refused(written(tmp_path, f"{line}\n", "policy.toml"))


def test_the_contract_is_found_in_the_folder_or_in_its_package(tmp_path):
    inner = written(tmp_path / "a", "[reward]\nwrong = 0.1\n", "package/contract.toml")
    assert beside(tmp_path / "a").path == inner
    outer = written(tmp_path / "a", "[reward]\nwrong = 0.2\n")
    written(tmp_path / "a", "format_floor = 0.3\n", "policy.toml")
    assert beside(tmp_path / "a").path == outer, "the outer one, and contract before policy"
    assert beside(tmp_path / "a" / "module.py").wrong == 0.2
    assert beside(tmp_path / "other.py") == Contract(), "folders beside a module are others'"


def test_examples_alone_are_read_from_either_format(tmp_path):
    one = {"task": 2, "completion": "x", "earns": 0.5, "why": "so"}
    expected = (Example(2, "x", 0.5, "so"),)
    assert read_examples(written(tmp_path, EXAMPLE, "examples.toml")) == expected
    assert read_examples(written(tmp_path, json.dumps([one]), "list.json")) == expected
    assert read_examples(written(tmp_path, json.dumps(one), "one.json")) == expected
    for name, text in (("torn.json", "[{"), ("odd.json", "[3]"), ("odd.toml", "example = 3")):
        with pytest.raises(LabError) as error:
            read_examples(written(tmp_path, text, name))
        assert error.value.code == 2


# --- there and back --------------------------------------------------------------------------

TEXT = st.text(max_size=30)
REWARD = st.floats(-100, 100).map(lambda x: float(f"{x:g}"))
NAMES = st.lists(TEXT, min_size=1, max_size=3).map(tuple)
VALUES = {
    "gold": TEXT.filter(str.strip),
    "says": st.lists(TEXT.map(lambda text: f"{text}{{answer}}"), min_size=1, max_size=2).map(tuple),
    "accepts": NAMES,
    "refuses": NAMES,
    "tolerance": REWARD.map(abs),
    "wrong": REWARD,
    "empty": REWARD,
    "silent": REWARD,
    "range": st.tuples(REWARD, REWARD).filter(lambda ends: ends[0] < ends[1]),
    "noise": REWARD.map(abs),
}
CONTRACT = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from(list(clause.values)) if clause.values else VALUES[name]
        for name, clause in CLAUSES.items()
    },
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["assistant", "user"]), "content": TEXT},
        optional={"tool_calls": st.lists(st.dictionaries(TEXT, TEXT | st.integers(), max_size=2))},
    ),
    min_size=1,
    max_size=3,
)
EXAMPLES = st.lists(
    st.builds(Example, st.integers(0, 50), TEXT | MESSAGES, REWARD, TEXT, TEXT),
    max_size=3,
    unique_by=lambda one: repr((one.task, one.task_has, one.completion)),  # else they contradict
).map(tuple)


@given(CONTRACT, EXAMPLES)
def test_a_contract_that_is_written_is_read_back_as_it_was(clauses, examples):
    contract = Contract(**clauses, examples=examples)
    with TemporaryDirectory() as folder:
        again = read(written(Path(folder), render(contract)))
    assert again.declared == contract.declared
    assert again.examples == contract.examples


@given(st.text(max_size=200))
def test_any_text_is_a_contract_or_one_usage_error(text):
    with TemporaryDirectory() as folder:
        try:
            read(written(Path(folder), text))
        except LabError as error:
            assert error.code == 2 and error.fix


@given(st.dictionaries(TEXT, TEXT | st.integers() | st.booleans() | REWARD, max_size=3))
def test_any_value_is_written_as_toml(value):
    import tomllib

    assert tomllib.loads(f"value = {literal(value)}")["value"] == value


SAME = '[[example]]\ntask = 1\ncompletion = "{}"\nearns = {}\n'


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        (("x", 1), ("x", 0), "earn 1, and elsewhere 0"),
        (("x", '"right"'), ("x", '"wrong"'), "earn right, and elsewhere wrong"),
        (("x", 1), ("x", '"wrong"'), "earn 1, and elsewhere wrong"),
        (("x", 1), ("x", 1.0), ""),
        (("x", 1), ("x", '"right"'), ""),
        (("x", 0.5), ("x", '"part"'), ""),
        (("x", 0), ("x", '"wrong"'), ""),
        (("x", 1), ("y", 0), ""),
        (("x", 1), ("x", '"?"'), ""),
    ],
)
def test_one_reply_earns_one_thing(tmp_path, first, second, wrong):
    path = written(tmp_path, SAME.format(*first) + SAME.format(*second))
    if not wrong:
        assert read(path).examples
        return
    with pytest.raises(LabError, match=wrong) as caught:
        read(path)
    assert "one reply to task 1" in str(caught.value)
