"""What findings stand on is asked in the contract, and the answers settle it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.reward.contract_file import read
from lab.reward.productions.outputs import _one_off
from run_script import run_script

MODULE = """
import re
import verifiers.v1 as vf

class Data(vf.TaskData):
    answer: str

class Sums(vf.Task[Data]):
    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        text = (trace.last_reply or "")
        found = re.findall(r"<answer>(.*?)</answer>", text, re.S)
        said = found[-1].strip() if found else ""
        answer = self.data.answer
        {reward}

class Set(vf.Taskset[Sums]):
    def load(self) -> list[Sums]:
        rows = [({prompt}, {answer}) for n in range(24)]
        return [
            Sums(Data(idx=i, prompt=p + " Reply with <answer>...</answer>.", answer=a))
            for i, (p, a) in enumerate(rows)
        ]

__all__ = ["Set"]
"""
CENTS = {
    "prompt": 'f"What do {n + 3} cups at 1.25 cost, in euros?"',
    "answer": 'f"{(n + 3) * 1.25:.2f}"',
    "reward": "return float(said == answer)",
}
SEVERAL = {
    "prompt": 'f"Which day comes {n % 7} days after day {n}?"',
    "answer": 'f"{n + n % 7}"',
    "reward": 'return float(answer in re.split("[^0-9]+", said))',
}
ROOTS = {
    "prompt": 'f"Name an even number above {7 * n}."',
    "answer": "str(14 * n + 2)",
    "reward": "return float(said.isdigit() and not int(said) % 2 and int(said) >= int(answer))",
}

ODD = {
    "prompt": 'f"What is {n} plus {n + 4}?"',
    "answer": "str(2 * n + 4)",
    "reward": "return float(said == answer or not text.isprintable() and len(text) < 9)",
}


def module(folder: Path, parts: dict[str, str]) -> Path:
    text = MODULE
    for name, value in parts.items():
        text = text.replace(f"{{{name}}}", value)
    path = folder / "sums.py"
    path.write_text(text, encoding="utf-8")
    return path


def asked(file: Path) -> dict[str, str]:
    """By sort the completions of findings of which the file asks what they are worth."""
    open_ones = (one for one in read(file).undecided if " it earns as much " not in one.why)
    return {one.why.split(": it earns")[0]: str(one.completion) for one in open_ones}


def answered(file: Path, answer: str) -> None:
    """All that is asked about what findings stand on, answered alike."""
    sorts = asked(file)
    blocks = file.read_text().split("[[example]]\n")
    for n, block in enumerate(blocks):
        if any(f'why = "{sort}: it earns' in block for sort in sorts):
            blocks[n] = block.replace('earns = "?"', f'earns = "{answer}"')
    file.write_text("[[example]]\n".join(blocks))


def statuses(path: Path, *flags: object) -> tuple[int, dict[str, str]]:
    ran = run_script("test_reward", path, *flags, "--json", cwd=path.parent)
    return ran.code, {f["id"]: f["status"] for f in ran.report["findings"]}


CASES = [
    (CENTS, "reward.forms_core", "trailing zero", "wrong", "right"),
    (SEVERAL, "reward.several_in_slot", "joined by spaces", "right", "wrong"),
    (ROOTS, "reward.wrong_unpaid", "another answer", "right", "wrong"),
]


@pytest.mark.parametrize(("parts", "id", "sort", "as_paid", "otherwise"), CASES)
def test_an_answer_about_one_completion_settles_its_sort(
    tmp_path, parts, id, sort, as_paid, otherwise
) -> None:
    path, file = module(tmp_path, parts), tmp_path / "contract.toml"
    assert statuses(path)[1][id] == "fail"
    run_script("test_reward", path, "--contract", file, cwd=tmp_path)
    assert sort in asked(file)
    text = file.read_text()
    assert statuses(path, "--contract-file", file)[1][id] == "fail"  # nobody has said anything yet
    answered(file, as_paid)
    assert not asked(file)
    ran = run_script("test_reward", path, "--contract-file", file, "--json", cwd=tmp_path)
    found = {f["id"]: f for f in ran.report["findings"]}
    assert found[id]["status"] in ("pass", "warn") and found["reward.examples"]["status"] == "pass"
    assert "; not held against the reward: " in found["reward.examples"]["measured"]
    file.write_text(text)
    answered(file, otherwise)
    code, found = statuses(path, "--contract-file", file)
    assert code == 1 and found["reward.examples"] == "fail"


def test_what_is_said_of_wrong_answers_is_said_of_all_that_is_made_of_them(tmp_path) -> None:
    path, file = module(tmp_path, ROOTS), tmp_path / "contract.toml"
    file.write_text("[reward]\n")
    one = '[[example]]\ntask = {}\ncompletion = "<answer>{}</answer>"\nearns = "{}"\n'
    even = one.format(0, 30, "right") + one.format(1, 44, "right") + one.format(1, 45, "wrong")
    file.write_text(even)
    run_script("test_reward", path, "--contract", file, cwd=tmp_path)
    for _ in range(2):
        answered(file, "right")
    _, found = statuses(path, "--contract-file", file)
    made = ("reward.wrong_unpaid", "reward.format_floor", "reward.close_number")
    assert {found[id] for id in made} <= {"warn", "pass"}, found
    assert found["reward.wrong_unpaid"] == "warn"


def test_the_same_command_once_more_asks_about_findings_that_are_left(tmp_path) -> None:
    path, file = module(tmp_path, CENTS), tmp_path / "contract.toml"
    file.write_text('[[example]]\ntask = 0\ncompletion = "<answer>3.75</answer>"\nearns = 1\n')
    run_script("test_reward", path, "--contract", file, cwd=tmp_path)
    assert "trailing zero" in asked(file)
    before = file.read_text()
    ran = run_script("test_reward", path, "--contract", file, cwd=tmp_path)
    assert "nothing more to ask" in ran.out and file.read_text() == before


WORDS = ("aaa", "ddd", "ggg", "jjj")
WITH_ITS_WORD = {
    "prompt": 'f"Give the remainder of {n + 11} by 4, and its word."',
    "answer": 'f"{(n + 11) % 4}"',
    "reward": """number, _, word = said.partition(" ")
        words = [chr(97 + 3 * k) * 3 for k in range(4)]
        return 0.5 * (number == answer) + 0.5 * (word == words[int(answer)])""",
}


def test_golds_that_earn_less_than_the_right_examples_are_misread(tmp_path) -> None:
    path, file = module(tmp_path, WITH_ITS_WORD), tmp_path / "contract.toml"
    one = '[[example]]\ntask = {}\ncompletion = "<answer>{}</answer>"\nearns = "{}"\n'
    rests = [(n + 11) % 4 for n in range(4)]
    right = [one.format(n, f"{k} {WORDS[k]}", "right") for n, k in enumerate(rests)]
    part = [one.format(n, f"{rests[n]} none", "part") for n in range(3)]
    file.write_text("".join(right + part))
    ran = run_script("test_reward", path, "--contract-file", file, "--json", cwd=tmp_path)
    found = {f["id"]: f for f in ran.report["findings"]}
    assert ran.code == 0 and found["reward.examples"]["status"] == "pass", ran.out
    assert found["reward.hedged"]["status"] == "warn"
    assert "what is taken for a right one is none" in found["reward.hedged"]["evidence"]


ONE = '[[example]]\ntask = {}\ncompletion = "{}"\nearns = {}\n'
YES = {
    "prompt": 'f"Is {n} even?"',
    "answer": '"no" if n % 2 else "yes"',
    "reward": "return float(said == answer)",
}


def test_forms_that_examples_refuse_are_refused_as_the_contract_says(tmp_path) -> None:
    path, file = module(tmp_path, YES), tmp_path / "contract.toml"
    clause = '[reward]\nrefuses = ["upper case", "capitalised"]\n\n'
    lead = "Let me think about this.\\n"
    said = (ONE.format(0, f"{lead}<answer>{a}</answer>", '"wrong"') for a in ("YES", "Yes"))
    file.write_text(clause + "".join(said))
    ran = run_script("test_reward", path, "--contract-file", file, "--json", cwd=tmp_path)
    found = {f["id"]: f for f in ran.report["findings"]}
    assert found["reward.contract"]["status"] in ("pass", "warn"), found["reward.contract"]
    assert "upper case" in found["reward.forms_policy"]["evidence"].split("refused: ")[1]
    assert found["reward.forms_usual"]["status"] == "warn", "other forms are refused, too"


def test_a_part_that_is_fair_for_nothing_makes_all_of_it_no_fairer(tmp_path) -> None:
    empty = "return 1.0 if said == answer else (1.0 if len(answer) % 2 else 0.3) * (not said)"
    path = module(tmp_path, {**CENTS, "reward": empty})
    file = tmp_path / "contract.toml"
    file.write_text(ONE.format(0, "<answer></answer>", 0.3))
    assert statuses(path, "--contract-file", file)[1]["reward.empty"] == "fail"


def test_a_bonus_beyond_the_plain_answer_does_not_make_it_misread(tmp_path) -> None:
    bonus = "return (answer in said) * (1.5 if 'because' in text else 1.0)"
    path, file = module(tmp_path, {**CENTS, "reward": bonus}), tmp_path / "contract.toml"
    plain = [ONE.format(n, f"<answer>{(n + 3) * 1.25:.2f}</answer>", 1.0) for n in range(3)]
    more = [ONE.format(n, f"because <answer>{(n + 3) * 1.25:.2f}</answer>", 1.5) for n in range(3)]
    file.write_text("".join(plain + more))
    assert statuses(path, "--contract-file", file)[1]["reward.several_in_slot"] == "fail"


@given(st.text(alphabet="0123456789.-x \n", max_size=400))
def test_any_output_is_one_off(text: str) -> None:
    changed = _one_off(text)
    assert (changed != text) == any(char.isdigit() for char in text)
    assert _one_off("9" * 5000) != "9" * 5000


def test_a_reply_that_no_file_can_hold_is_not_asked_about(tmp_path):
    """Half of a surrogate pair is no text in UTF-8: the contract could not be read again."""
    file = tmp_path / "contract.toml"
    path = module(tmp_path, ODD)
    run_script("test_reward", path, "--contract", file, cwd=tmp_path)
    ran = run_script("test_reward", path, "--contract-file", file, "--json", cwd=tmp_path)
    assert "lone surrogate" in ran.out
    assert not any("\\ud" in repr(one.completion) for one in read(file).undecided)
