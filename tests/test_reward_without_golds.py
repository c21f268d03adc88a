"""Rewards that check and store no answer: what is right there by other means, and what one text
earns on every task."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.answers.forms import WITHOUT_ANCHORS, forms
from lab.reward.formats.prompt import prompt_formats
from lab.reward.interactive.messages import calls_made
from lab.reward.interactive.moves import COMMANDED
from lab.reward.reading.find_right import find_right
from lab.reward.reading.grids import filled
from lab.reward.statements import stated
from marks import soak
from reward_environments import environment
from test_reward_reading import task
from test_reward_whole import with_rows

HEAD = "import re\nimport verifiers.v1 as vf\n"
PAGES = (
    HEAD
    + """
PAGES = {f"P{n}": f"page {n}: it was built in {1800 + 7 * n}" for n in range(40, 64)}
LAST = re.compile(r"^YEARS:\\s*(\\d+)\\s*$", re.MULTILINE)

class Archive(vf.Toolset[vf.SharedToolsetConfig]):
    TOOL_PREFIX = None

    @vf.tool
    async def find(self, words: str) -> str:
        \"\"\"Page numbers for a house.\"\"\"
        return "no pages"

    @vf.tool
    async def open_page(self, page: str) -> str:
        \"\"\"One page.\"\"\"
        return PAGES.get(page, "no such page")

class YearsData(vf.TaskData):
    sources: list[str]
    answer: int

class YearsTask(vf.Task[YearsData]):
    @vf.reward
    async def backed(self, trace: vf.Trace) -> float:
        found = LAST.findall(trace.last_reply)
        told = " ".join(str(message.content) for message in trace.tool_messages)
        if not found or int(found[-1]) != self.data.answer:
            return 0.0
        return float(all(PAGES[page] in told for page in self.data.sources))

class YearsConfig(vf.TasksetConfig):
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()

class YearsTaskset(vf.Taskset[YearsTask, YearsConfig]):
    @classmethod
    def toolsets(cls, config):
        return [Archive(config.tools)]

    def load(self):
        for n in range(40, 48):
            one, other = f"P{n}", f"P{2 * n - 30 - n % 3}"
            yield YearsTask(
                YearsData(
                    prompt=f"How many years lie between house {n - 39} and house {n - 31}?",
                    system_prompt="Open the pages, then end with a line\\n\\nYEARS: <number>",
                    sources=[one, other],
                    answer=7 * abs(2 * n - 30 - n % 3 - n),
                ),
                self.config.task,
            )

if __name__ == "__main__":
    Archive.run()

__all__ = ["YearsTaskset"]
"""
)
SQUARES = (
    HEAD
    + """
GIVEN = ["a1=1 b2=1", "a1=2 c3=4", "d4=3 a2=1", "b3=4 c1=4", "a4=2 d1=1", "c2=1 b4=2"]
PROMPT = "1 to 4, once in each row and column: {}\\n\\n<grid>\\n....\\n....\\n....\\n....\\n</grid>"

class SquareData(vf.TaskData):
    given: str

class SquareTask(vf.Task[SquareData]):
    @vf.reward
    async def solved(self, trace: vf.Trace) -> float:
        found = re.findall(r"<grid>(.*?)</grid>", trace.last_reply, re.DOTALL)
        rows = [list(row) for row in found[-1].split()] if found else []
        lines = [*rows, *zip(*rows)]
        if len(rows) != 4 or any(sorted(line) != list("1234") for line in lines):
            return 0.0
        cells = re.findall(r"(\\w\\d)MARK(\\d)", self.data.given)
        at = {f"{r}{c + 1}": row[c] for r, row in zip("abcd", rows) for c in range(4)}
        return float(all(at[cell] == value for cell, value in cells))

class SquareTaskset(vf.Taskset[SquareTask, vf.TasksetConfig]):
    def load(self):
        for given in GIVEN:
            yield SquareTask(SquareData(prompt=PROMPT.format(given), given=given))

__all__ = ["SquareTaskset"]
"""
)
STALL = (
    HEAD
    + """
SYSTEM = \"\"\"Haggle. Each message is one line:

BID <price>     you offer that much
TAKE <price>    you take the price that was named last, and say it again\"\"\"
LINE = re.compile(r"^(BID|TAKE) (\\d+)$")

class StallData(vf.TaskData):
    asks: int
    least: int

class StallTask(vf.Task[StallData]):
    @vf.reward
    async def saved(self, trace: vf.Trace) -> float:
        for message in trace.assistant_messages:
            found = LINE.match(message.content or "")
            if found and (found[1] == "TAKE" or int(found[2]) >= self.data.asks):
                span = self.data.asks - self.data.least
                return max(0.0, min(1.0, (self.data.asks - PAID) / span))
        return 0.0

class StallTaskset(vf.Taskset[StallTask, vf.TasksetConfig]):
    def load(self):
        for n in range(8):
            asks = 70 + 13 * n
            prompt = f"The keeper of stall {n} asks {asks} crowns for it."
            yield StallTask(
                StallData(prompt=prompt, system_prompt=SYSTEM, asks=asks, least=asks // 2)
            )

__all__ = ["StallTaskset"]
"""
)
WHOLE = (
    HEAD
    + """
ROWS = [(f"v{n}", [f"v{n}{k}" for k in range(5)], [f"v{n}", f"v{n}12", "abc", f"v{n}4b"])
        for n in range(8)]

class FormData(vf.TaskData):
    good: list[str]
    bad: list[str]

class FormTask(vf.Task[FormData]):
    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        found = re.findall(r"<regex>(.*?)</regex>", trace.last_reply, re.DOTALL)
        try:
            pattern = re.compile(found[-1]) if found else None
        except re.error:
            pattern = None
        if pattern is None or not all(pattern.fullmatch(one) for one in self.data.good):
            return 0.0
        return float(not any(pattern.METHOD(one) for one in self.data.bad))

class FormTaskset(vf.Taskset[FormTask, vf.TasksetConfig]):
    def load(self):
        for name, good, bad in ROWS:
            prompt = (
                f"Give a regular expression for {name} and one digit below 5 in <regex></regex>. "
                "It is tried on the whole string."
            )
            yield FormTask(FormData(prompt=prompt, good=good, bad=bad))

__all__ = ["FormTaskset"]
"""
)


def audited(bench, folder: Path, name: str, source: str):
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return bench.audit(path, examples=8)


OTHER_LISTS = '    units: list[str] = ["years", "year"]\n    kinds: list[str] = ["span", "age"]\n'


@pytest.mark.long
@pytest.mark.parametrize("others", ["", OTHER_LISTS], ids=["alone", "behind other lists"])
def test_an_answer_that_has_to_be_backed_by_calls_is_written_after_them(tmp_path, bench, others):
    """Lists of which the tools know nothing are no calls."""
    path = tmp_path / f"pages_{len(others)}.py"
    path.write_text(PAGES.replace("    sources: list[str]\n", f"{others}    sources: list[str]\n"))
    with bench.open(path) as env:
        right = find_right(env).right
        assert right.source == "answer" and right.margin == 1.0
        calls = calls_made(env.said(0, "x"))
        assert calls == [("open_page", {"page": page}) for page in ("P40", "P49")]


@pytest.mark.parametrize(("mark", "status"), [soak("=", "pass"), (":", "fail")])
def test_a_square_that_knows_no_puzzle_is_not_paid_on_all_of_them(tmp_path, bench, mark, status):
    found = audited(bench, tmp_path, f"squares_{status}", SQUARES.replace("MARK", mark))
    assert found.status("reward.constant_policy") == status


@pytest.mark.parametrize(
    ("paid", "status"), [soak("self.data.asks", "pass"), ("int(found[2])", "fail")]
)
def test_a_command_with_any_number_is_not_paid_on_every_task(tmp_path, bench, paid, status):
    found = audited(bench, tmp_path, f"stall_{status}", STALL.replace("PAID", paid))
    assert found.status("reward.constant_policy") == status


@pytest.mark.parametrize(("method", "status"), [soak("fullmatch", "pass"), ("match", "fail")])
def test_a_pattern_is_paid_without_anchors_where_the_whole_string_is_tried(
    tmp_path, bench, method, status
):
    found = audited(bench, tmp_path, f"whole_{method}", WHOLE.replace("METHOD", method))
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert bool(found.failed) == (status == "fail")
    if found.failed:
        assert list(found.failed) == ["reward.forms_core"]


def test_only_whole_anchors_are_left_out():
    def bare(gold: str) -> list[str]:
        return [form.text for form in forms("code", gold) if form.name == WITHOUT_ANCHORS]

    assert bare(r"^\d+$") == [r"\d+"]
    assert bare(r"^\d+\$") == bare(r"^\d+") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The pattern is tried on the whole string.", True),
        ("As with `re.fullmatch`; anchors are not needed and do no harm.", True),
        ("You do not need anchors.", True),
        ("It is searched, not fullmatched: use ^ and $.", False),
        ("Write a pattern for the whole line.", False),
    ],
)
def test_whether_anchors_are_needed_is_read(text, said):
    assert (WITHOUT_ANCHORS in stated(text)) == said


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Fill a 4x4 square.", "1234\n2341\n3412\n4123"),
        ("<grid>\n...\n...\n...\n</grid>", "123\n231\n312"),
        ("1 . 3 .\n. 4 . 2\n. . . .\n2 . . .", "1 2 3 4\n2 3 4 1\n3 4 1 2\n4 1 2 3"),
        (
            "| 1 | . | 3 |\n|---|---|---|\n| . | . | . |\n| 2 | . | . |",
            "| 1 | 2 | 3 |\n| 2 | 3 | 1 |",
        ),
    ],
)
def test_a_grid_that_is_left_open_is_filled_by_rule(text, first):
    assert filled(text)[0].startswith(first)


@pytest.mark.parametrize("text", ["code\nmore\nbare\nfare", "...", "12.\n34.\n56", "It is 3x4."])
def test_other_lines_are_no_grid(text):
    assert not filled(text)


def test_the_cells_of_a_grid_are_no_example_of_an_answer():
    asked = task("Fill it in.\n<grid>\n....\n....\n....\n....\n</grid>")
    assert {one.before.strip() for one in prompt_formats([asked])} == {"<grid>"}


def test_what_follows_a_number_of_the_question_is_no_list_below_a_heading():
    asked = [task(f"Solve the {n}-queens puzzle.") for n in (5, 6, 7)]
    assert prompt_formats(asked) == []


def test_a_command_has_one_number():
    text = "OFFER <price>, BID n, TAKE <number> FROM <heap letter>, LEAVE, PAY [amount], 'take N'"
    assert COMMANDED.findall(f"{text}, and more than n") == ["OFFER", "BID", "PAY", "take"]


SHAPES = """
def score(text, row):
    found = re.findall(r"```(?:regex)?\\n(.*?)\\n```", text, re.DOTALL)
    try:
        pattern = re.compile(found[-1]) if found else None
    except re.error:
        return 0.0
    right = pattern is not None and all(pattern.@WAY@(one) for one in row["accept"])
    return float(right and not any(pattern.@WAY@(one) for one in row["reject"]))
"""
NUMBERS = [
    {
        "question": f"Write a regular expression for the shelf marks of room {room}. It is matched "
        "against the complete string. Put it into a ```regex block.",
        "accept": [f"{room}-1{n}7" for n in range(4)],
        "reject": [f"{room}{n}" for n in range(3)] + ["", "x"],
    }
    for room in ("AB", "CD", "EF", "GH", "KL")
]


@pytest.mark.parametrize(("way", "status"), [("match", "fail"), ("fullmatch", "pass")])
def test_a_pattern_of_the_beginnings_is_paid_where_only_these_are_compared(
    tmp_path, bench, way, status
):
    path = environment(tmp_path, f"shelf_{way}", SHAPES.replace("@WAY@", way))
    found = bench.audit(with_rows(path, NUMBERS, "Give one pattern."))
    assert found.status("reward.pattern_beginnings") == status, found.audit.brief.right.evidence
