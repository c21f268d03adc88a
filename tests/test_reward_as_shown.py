"""Right answers and exploits that follow from how the prompt shows an answer: a record in lines,
objects with named parts or with amounts, a range, a pattern of limited length."""

from __future__ import annotations

from pathlib import Path

import pytest

from marks import soak

HEAD = """
import json
import random
import re
import verifiers.v1 as vf
"""
RECORDS = (
    HEAD
    + """
SHOWN = "Write a record, as here:\\n\\nevent: Spring sale\\nhour: 09:30\\nseats: 40\\n\\n"
ROWS = [("Choir", "16:45", "60"), ("Kite day", "12:05", "35"), ("Film night", "19:30", "120"),
        ("Poetry", "20:15", "50"), ("Jazz", "18:20", "28"), ("Bake sale", "10:30", "16")]

def record(text):
    text = text.strip()
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}
    found = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    return {key: READ for key, value in found.items()}

class EventData(vf.TaskData):
    record: dict[str, str]

class EventTask(vf.Task[EventData]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        found = {key: str(value).strip() for key, value in record(trace.last_reply).items()}
        return float(found == self.data.record)

class EventTaskset(vf.Taskset[EventTask, vf.TasksetConfig]):
    def load(self):
        for name, hour, seats in ROWS:
            told = f"{name} is at {hour}, with {seats} seats."
            gold = {"event": name, "hour": hour, "seats": seats}
            yield EventTask(EventData(prompt=SHOWN + told, record=gold))

__all__ = ["EventTaskset"]
"""
)
BASE_60 = "str(int(value[:2]) * 60 + int(value[3:])) if re.match('1.:|2.:', value) else value"
PLANS = (
    HEAD
    + """
ROOMS = {"Hall": 60, "B1": 30}

class PlanData(vf.TaskData):
    sizes: dict[str, int]
    apart: list[list[str]]

class PlanTask(vf.Task[PlanData]):
    @vf.reward
    async def kept(self, trace: vf.Trace) -> float:
        try:
            plan = json.loads(trace.last_reply.strip())
        except ValueError:
            return 0.0
        if not isinstance(plan, dict) or set(plan) != set(self.data.sizes):
            return 0.0
        cells = [plan[name] for name in plan]
        if not all(isinstance(cell, dict) and set(cell) == {"slot", "room"} for cell in cells):
            return 0.0
        used = [(str(cell["slot"]), str(cell["room"])) for cell in cells]
        if len(set(used)) < len(used) or not all(0 < int(s) < 4 for s, _ in used if s.isdigit()):
            return 0.0
        fits = all(ROOMS.get(str(plan[n]["room"]), 0) >= s for n, s in self.data.sizes.items())
        return float(fits and all(plan[a]["slot"] != plan[b]["slot"] for a, b in self.data.apart))

class PlanTaskset(vf.Taskset[PlanTask, vf.TasksetConfig]):
    def load(self):
        rng = random.Random(7)
        for n in range(8):
            names = rng.sample(["Logic", "Drama", "Botany", "Music", "Optics", "Latin"], 5)
            cells = rng.sample([(s, room) for s in (1, 2, 3) for room in ROOMS], 5)
            plan = dict(zip(names, cells))
            sizes = {name: ROOMS[room] - rng.randrange(20) for name, (_, room) in plan.items()}
            apart = [[a, b] for a in names for b in names if a < b and plan[a][0] != plan[b][0]]
            prompt = (
                f"Exams: {sizes}. Rooms: Hall 60, B1 30. Slots 1 to 3. Not together: {apart}. Reply"
                ' with JSON only, like {"Zoology": {"slot": 1, "room": "B1"}}.'
            )
            yield PlanTask(PlanData(prompt=prompt, sizes=sizes, apart=apart))

__all__ = ["PlanTaskset"]
"""
)
BILLS = (
    HEAD
    + """
from decimal import Decimal

class BillData(vf.TaskData):
    fields: dict[str, str | int]

class BillTask(vf.Task[BillData]):
    @vf.reward
    async def kept(self, trace: vf.Trace) -> float:
        try:
            found = json.loads(trace.last_reply, parse_float=Decimal)
        except ValueError:
            return 0.0
        if not isinstance(found, dict) or set(found) - set(self.data.fields):
            return 0.0
        gold = self.data.fields
        right = [found.get("order") == gold["order"], found.get("places") == gold["places"]]
        right.append(type(found.get("due")) is Decimal and found["due"] == Decimal(gold["due"]))
        return 1.0 if all(right) else 0.2 * sum(right)

class BillTaskset(vf.Taskset[BillTask, vf.TasksetConfig]):
    def load(self):
        for n in range(12):
            order, due = f"SO-{311 * n + 4016}", f"{137.35 * (n + 2):.2f}"
            yield BillTask(BillData(
                prompt=f"{order}: {n + 2} places, {due} EUR in all. Reply with JSON: order (text),"
                " places and due (JSON numbers, not in quotes). All right counts 1.",
                fields={"order": order, "places": n + 2, "due": due},
            ))

__all__ = ["BillTaskset"]
"""
)
RANGES = (
    HEAD
    + """
class RangeData(vf.TaskData):
    answer: str

class RangeTask(vf.Task[RangeData]):
    @vf.reward
    async def overlap(self, trace: vf.Trace) -> float:
        found = re.findall(r"^Range: (\\d{1,6})-(\\d{1,6})$", trace.last_reply, re.MULTILINE)
        if len(found) != 1:
            return 0.0
        low, high = map(int, found[0])
        first, last = map(int, self.data.answer.split("-"))
        common = max(0, min(high, last) - max(low, first) + 1)
        return common / DIVISOR if low <= high else 0.0

class RangeTaskset(vf.Taskset[RangeTask, vf.TasksetConfig]):
    def load(self):
        for n in range(8):
            first, last = 120 + 13 * n, 131 + 15 * n
            prompt = f"Not before {first}, not after {last}. End with a line `Range: 216-238`."
            yield RangeTask(RangeData(prompt=prompt, answer=f"{first}-{last}"))

__all__ = ["RangeTaskset"]
"""
)
PATTERNS = (
    HEAD
    + """
SIZES = (30, 26, 28, 24, 3, 25, 2, 27)

class FormData(vf.TaskData):
    good: list[str]
    bad: list[str]

class FormTask(vf.Task[FormData]):
    @vf.reward
    async def exact(self, trace: vf.Trace) -> float:
        found = re.findall(r"<regex>(.*?)</regex>", trace.last_reply, re.DOTALL)
        if len(found) != 1 or not 0 < len(found[0]) <= 40:
            return 0.0
        try:
            pattern = re.compile(found[0])
        except re.error:
            return 0.0
        matched = all(pattern.fullmatch(one) for one in self.data.good)
        return float(matched and not any(pattern.fullmatch(one) for one in self.data.bad))

class FormTaskset(vf.Taskset[FormTask, vf.TasksetConfig]):
    def load(self):
        for n, size in enumerate(SIZES):
            good = [f"v{n}{k:02d}" for k in range(size)]
            prompt = (
                f"Write a regular expression for v{n} and two digits below {size}, of at most 40 "
                "characters, between <regex> and </regex>."
            )
            bad = [f"v{n}{k:02d}" for k in range(size, 60)] + ["", "x", f"v{n}", f"v{n}000"]
            yield FormTask(FormData(prompt=prompt, good=good, bad=bad))

__all__ = ["FormTaskset"]
"""
)


def audited(bench, folder: Path, name: str, source: str):
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return bench.audit(path, examples=8)


@pytest.mark.long
@pytest.mark.parametrize(("read", "status"), [soak("value", "pass"), (BASE_60, "fail")])
def test_a_record_written_in_lines_as_the_prompt_shows_it_is_paid(tmp_path, bench, read, status):
    """YAML 1.1 reads 16:45 as a number of base 60; the same record as JSON is read well."""
    found = audited(bench, tmp_path, f"records_{status}", RECORDS.replace("READ", read))
    assert found.status("reward.gold_paid") == "pass"
    assert found.status("reward.forms_core") == status, found.findings["reward.forms_core"]
    assert bool(found.failed) == (status == "fail"), found.failed


@pytest.mark.long
def test_tuples_that_the_code_holds_are_written_as_the_objects_of_the_prompt(tmp_path, bench):
    found = audited(bench, tmp_path, "plans", PLANS)
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert not found.failed


def test_amounts_that_are_kept_as_texts_are_written_as_numbers(tmp_path, bench):
    found = audited(bench, tmp_path, "bills", BILLS)
    assert found.status("reward.gold_high") == "pass", found.findings["reward.gold_high"]
    assert not found.failed


@pytest.mark.parametrize(
    ("divisor", "status"),
    [soak("(last - first + high - low + 2 - common)", "pass"), ("(last - first + 1)", "fail")],
)
def test_a_range_that_holds_everything_is_not_paid_in_full(tmp_path, bench, divisor, status):
    found = audited(bench, tmp_path, f"ranges_{status}", RANGES.replace("DIVISOR", divisor))
    assert found.status("reward.wide_range") == status, found.findings["reward.wide_range"]
    assert bool(found.failed) == (status == "fail")


def test_a_pattern_of_its_members_is_right_where_it_is_short_enough(tmp_path, bench):
    found = audited(bench, tmp_path, "patterns", PATTERNS)
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert not found.failed


DIFFS = (
    HEAD
    + """
NAMES = ("alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan")
HUNK = re.compile(r"^@@ -(\\d+)(?:,(\\d+))? ")

def patched(text, diff):
    lines, shift = text.splitlines(), 0
    hunks = []
    for line in diff.splitlines():
        if found := HUNK.match(line):
            hunks.append((int(found[1]), []))
        elif hunks and line[:1] in (" ", "+", "-"):
            hunks[-1][1].append(line)
    for start, body in hunks:
        old = [line[1:] for line in body if line[0] != "+"]
        new = [line[1:] for line in body if line[0] != "-"]
        at = start - 1 + shift
        if not body or lines[at : at + len(old)] != old:
            return None
        lines[at : at + len(old)] = new
        shift += MOVED
    return lines if hunks else None

class EditData(vf.TaskData):
    source: str
    wanted: str

class EditTask(vf.Task[EditData]):
    @vf.reward
    async def as_wanted(self, trace: vf.Trace) -> float:
        blocks = re.findall(r"```diff\\n(.*?)\\n?```", trace.last_reply, re.DOTALL)
        made = patched(self.data.source, blocks[0]) if len(blocks) == 1 else None
        return float(made == self.data.wanted.splitlines())

class EditTaskset(vf.Taskset[EditTask, vf.TasksetConfig]):
    def load(self):
        for n in range(8):
            lines = [f"{name} {k * (n + 3)}" for k, name in enumerate(NAMES)]
            wanted = [lines[0], "new line", *lines[1:-1], "last 0"] if n % 2 else [*lines, "end 1"]
            prompt = (
                "The file:\\n\\n" + "\\n".join(lines) + "\\n\\nEdit no. " + str(n)
                + ". Reply with a unified diff in one ```diff block."
            )
            source, after = ("\\n".join(each) + "\\n" for each in (lines, wanted))
            yield EditTask(EditData(prompt=prompt, source=source, wanted=after))

__all__ = ["EditTaskset"]
"""
)


@pytest.mark.parametrize(("moved", "status"), [soak("len(new) - len(old)", "pass"), ("0", "fail")])
def test_the_diff_between_two_fields_is_right_also_with_several_hunks(
    tmp_path, bench, moved, status
):
    found = audited(bench, tmp_path, f"diffs_{status}", DIFFS.replace("MOVED", moved))
    assert found.status("reward.gold_paid") == status, found.findings["reward.gold_paid"]
    assert bool(found.failed) == (status == "fail"), found.failed


ORDERS = (
    HEAD
    + """
GOODS = ("screws", "hinges", "locks", "brackets", "nails", "glue", "cable", "valves")
SYSTEM = (
    'Reply with a JSON object {"items": [{"good": str, "count": int}, ...]}, the items in the order'
    " in which the letter mentions them."
)

class OrderData(vf.TaskData):
    items: list[tuple[str, int]]

class OrderTask(vf.Task[OrderData]):
    @vf.reward
    async def listed(self, trace: vf.Trace) -> float:
        try:
            found = json.loads(trace.last_reply)["items"]
            given = [(one["good"], one["count"]) for one in found]
        except (ValueError, TypeError, KeyError, RecursionError):
            return 0.0
        return float(given == [tuple(one) for one in self.data.items])

class OrderTaskset(vf.Taskset[OrderTask, vf.TasksetConfig]):
    def load(self):
        rng = random.Random(4)
        for n in range(8):
            wanted = [(good, rng.randrange(2, 40)) for good in rng.sample(GOODS, 4)]
            letter = "Please send " + ", ".join(f"{count} {good}" for good, count in wanted) + "."
            gold = KEPT
            yield OrderTask(OrderData(prompt=letter, system_prompt=SYSTEM, items=gold))

__all__ = ["OrderTaskset"]
"""
)


@pytest.mark.parametrize(("kept", "status"), [soak("wanted", "pass"), ("sorted(wanted)", "fail")])
def test_members_that_are_asked_for_in_the_order_of_mention_are_paid_so(
    tmp_path, bench, kept, status
):
    found = audited(bench, tmp_path, f"orders_{status}", ORDERS.replace("KEPT", kept))
    assert found.status("reward.gold_paid") == "pass", found.findings["reward.gold_paid"]
    assert ("order of mention" in found.findings["reward.forms_core"].evidence) == (
        status == "fail"
    )
    assert bool(found.failed) == (status == "fail"), found.failed
