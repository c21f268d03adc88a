"""Golds that are a time that passed, taken off the clock although it was changed in between."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inspected import inspect, question, write
from lab.data.checks import Item, Scan, examine
from lab.data.checks.checkpoint import restore, state
from lab.data.checks.clock_change import finding, passed
from lab.data.checks.local_times import amounts, moments
from lab.data.checks.time_zones import place

ASKED = (
    "Daylight saving counts. A kiln in {} is lit at {} and cools from {} on. For how long is it on?"
)
SPRING = ("Chicago", "22:00 on 9 March 2024", "06:00 on 10 March 2024")
"""Eight hours on the clock, seven that pass."""
AUTUMN = ("Prague", "22:00 on 26 October 2024", "07:30 on 27 October 2024")
"""9:30 on the clock, 10:30 that pass."""
SUMMER = ("Prague", "22:00 on 26 June 2024", "07:30 on 27 June 2024")
WRONG = [(ASKED.format(*SPRING), "8:00"), (ASKED.format(*AUTUMN), "9:30")]
RIGHT = [(ASKED.format(*SPRING), "7:00"), (ASKED.format(*AUTUMN), "10:30")]
PLAIN = [(ASKED.format(*SUMMER), "9:30")]


def judged(*pairs):
    """The finding on prompts and golds."""
    return finding([one for row, pair in enumerate(pairs) for one in passed(row, *pair)], "task")


def test_golds_that_are_the_time_on_the_clock_fail_with_both_times():
    found = judged(*PLAIN, *WRONG)
    assert found.status == "fail" and found.measured == "2 of 2 over a change of the clock"
    said = "task 1 (America/Chicago): the gold is '8:00' as the clock shows it (8:00), and 7:00"
    assert said in found.evidence
    assert "task 2 (Europe/Prague)" in found.evidence and "10:30 passed" in found.evidence
    assert "astimezone(UTC)" in found.fix


def test_golds_that_count_the_change_pass():
    found = judged(*PLAIN, *RIGHT)
    assert found.status == "pass" and "2 tasks" in found.evidence


def test_how_many_wrong_golds_fail():
    assert judged(*PLAIN, WRONG[0]).status == "fail"
    assert judged(*RIGHT, WRONG[0]).status == "warn"
    assert judged(*RIGHT, *WRONG).status == "fail"
    other = (ASKED.format(*AUTUMN), "41:00")
    assert judged(other, WRONG[0]).status == "warn"
    assert judged(other).status == "skip"


def test_without_a_change_in_between_there_is_nothing_to_say():
    found = judged(*PLAIN * 4)
    assert found.status == "skip" and "over a change" in found.evidence


@pytest.mark.parametrize(
    "gold",
    "8:00|08:00:00|8 h|8 h 0 min|8h0m|8 hours|8 hours and 0 minutes|480|480 minutes|480 min.|8|8.0"
    "|28,800|PT8H|PT8H00M|PT480M|0 days, 8 hours|\nkiln\n8:00".split("|"),
)
def test_a_gold_is_read_in_each_form_of_a_duration(gold):
    assert judged((ASKED.format(*SPRING), gold)).status == "fail"


@pytest.mark.parametrize("gold", ["", "yes", "2024-03-10", "8:00 pm", "8:00-9:00", "8 apples"])
def test_a_gold_that_is_no_duration_is_left_out(gold):
    assert judged((ASKED.format(*SPRING), gold)).status == "skip"
    assert judged((ASKED.format(*SPRING), gold), *RIGHT).status == "pass"


@pytest.mark.parametrize(
    "written",
    [
        "{0:%H:%M} on {0.day} {0:%B} {0.year}",
        "{0:%H:%M} on Saturday, {0.day} {0:%b} {0.year}",
        "{0.day} {0:%B} {0.year}, {0:%H:%M}",
        "{0:%Y-%m-%d} {0:%H:%M}",
        "{0:%Y-%m-%d} at {0:%H:%M}",
        "{0:%Y-%m-%d}T{0:%H:%M}:00",
        "{0:%H:%M} on {0:%Y-%m-%d}",
        "{0:%B} {0.day}, {0.year} at {0:%I:%M %p}",
        "{0:%I:%M} p.m. on {0.day}th of {0:%B} {0.year}",
        "{0:%I:%M %p}, {0:%B} {0.day}, {0.year}",
    ],
)
def test_a_moment_is_read_in_each_form(written):
    at = [datetime(2024, 10, 26, hour, 10) for hour in (19, 22)]
    assert list(moments(" to ".join(map(written.format, at)))) == at


@pytest.mark.parametrize(
    "text",
    [
        "20:00 and 08:30",
        "31 March 2024 (02:00 becomes 03:00)",
        "20:00 on 31 February 2024",
        "2024-03-30T20:00Z",
        "2024-03-30 20:00+01:00",
        "20:00 UTC on 30 March 2024",
        "13:00 pm on 30 March 2024",
        "29:00 on 30 March 2024",
        "30 March 1924, 20:00",
        "20:00 on 30 Sometime 2024",
    ],
)
def test_other_times_are_no_local_moments(text):
    assert not list(moments(text))


def test_a_number_has_a_reading_in_each_unit():
    assert set(amounts("13.5")) == {13.5, 810, 0.225}


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("A shift in Mexico City", "America/Mexico_City"),
        ("A shift in Boston (America/New_York)", "America/New_York"),
        ("Lisbon, Lisbon and Europe/Lisbon", "Europe/Lisbon"),
        ("From Lisbon to Porto", ""),
        ("It lands in Lisbon, and left Porto", ""),
        ("From Lisbon to Madrid", ""),
        ("A shift in New London", ""),
        ("A tour of New Jersey", ""),
        ("A shift in America/Nowhere", ""),
    ],
)
def test_the_place_is_the_only_one_with_a_known_zone(text, zone):
    assert place(text) == zone


@pytest.mark.parametrize(
    "say",
    [
        "There are no clock changes.",
        "Ignore daylight saving.",
        "Daylight saving does not apply.",
        "Give the wall-clock time.",
        "An unpaid break of 60 minutes is taken off.",
        "All times are in UTC.",
        "Everything happens in Boston.",
        "The kiln stands near Tokyo.",
        "The zone is UTC-3, and UTC-4 from 1 May on.",
        "The fire was seen at 23:00 on 9 March 2024.",
    ],
)
def test_a_prompt_that_may_mean_another_time_is_not_judged(say):
    pairs = [(f"{prompt} {say}", gold) for prompt, gold in WRONG]
    assert judged(*pairs).status == "skip"


@pytest.mark.parametrize(
    "say",
    [
        "Do not ignore daylight saving.",
        "Take the time that really passed, not the wall-clock difference.",
        "All times are local civil time.",
        "How much time elapsed?",
        "The clock shows UTC-6 or UTC-5 there, or UTC+1 or UTC+2.",
    ],
)
def test_a_prompt_that_speaks_of_it_is_judged(say):
    pairs = [(f"{prompt.partition('. ')[2]} {say}", gold) for prompt, gold in WRONG]
    assert judged(*pairs).status == "fail"


def test_a_prompt_that_does_not_speak_of_it_is_not_judged():
    pairs = [(prompt.partition(". ")[2], gold) for prompt, gold in WRONG]
    assert judged(*pairs).status == "skip"


@pytest.mark.parametrize("hour", ["02:30 on 10 March 2024", "01:30 on 3 November 2024"])
def test_a_moment_that_the_clock_shows_twice_or_never_is_not_judged(hour):
    start = "22:00 on 9 March 2024" if "March" in hour else "22:00 on 2 November 2024"
    gold = "4:30" if "March" in hour else "3:30"
    assert judged((ASKED.format("Chicago", start, hour), gold)).status == "skip"


# --- any moments ------------------------------------------------------------------------------

CITIES = {
    "Denver": "America/Denver",
    "Halifax": "America/Halifax",
    "Athens": "Europe/Athens",
    "Lord Howe": "Australia/Lord_Howe",
    "Nairobi": "Africa/Nairobi",
    "Karachi": "Asia/Karachi",
}
cities = st.sampled_from(sorted(CITIES))
minute = st.datetimes(datetime(2015, 1, 1), datetime(2025, 12, 31)).map(
    lambda at: at.replace(second=0, microsecond=0)
)
lengths = st.integers(1, 3 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
forms = st.sampled_from(["{:%H:%M on %d %B %Y}", "{:%Y-%m-%d %H:%M}", "{:%B %d, %Y at %I:%M %p}"])
golds = st.sampled_from(["{0}:{1:02}", "{0} h {1} min", "PT{0}H{1}M", "{2}", "{2} minutes"])


def real(city, *times):
    """The moments in UTC; None where the clock shows one of them twice or never."""
    zone = ZoneInfo(CITIES[city])
    ways = [[at.replace(tzinfo=zone, fold=fold).astimezone(UTC) for at in times] for fold in (0, 1)]
    return ways[0] if ways[0] == ways[1] else None


def task(city, form, gold, start, end, time):
    minutes = time // timedelta(minutes=1)
    asked = ASKED.format(city, form.format(start), form.format(end))
    return asked, gold.format(*divmod(minutes, 60), minutes)


@given(cities, minute, lengths, st.one_of(st.none(), lengths), forms, golds)
def test_without_a_change_nothing_is_ever_reported(city, start, length, other, form, gold):
    known = real(city, start, start + length)
    assume(known and known[1] - known[0] == length)
    pair = task(city, form, gold, start, start + length, other or length)
    assert judged(pair, pair).status == "skip"


CHANGES = {
    "Denver": ["2024-03-10", "2023-11-05"],
    "Halifax": ["2025-03-09", "2016-11-06"],
    "Athens": ["2018-03-25", "2024-10-27"],
    "Lord Howe": ["2024-04-07", "2024-10-06"],
}
days = st.sampled_from(
    [(city, datetime.fromisoformat(d)) for city in CHANGES for d in CHANGES[city]]
)
hours = st.integers(60, 40 * 60).map(lambda minutes: timedelta(minutes=minutes))


@given(days, hours, hours, forms, golds, st.booleans())
def test_over_a_change_the_time_on_the_clock_fails_and_the_other_passes(
    changed, before, after, form, gold, right
):
    city, day = changed
    start, end = day - before, day + timedelta(hours=4) + after
    known = real(city, start, end)
    assert known and known[1] - known[0] != end - start
    pair = task(city, form, gold, start, end, known[1] - known[0] if right else end - start)
    assert judged(pair).status == ("pass" if right else "fail")


# --- where it is asked ------------------------------------------------------------------------

KILNS = """
import verifiers.v1 as vf

KILNS = {kilns!r}

class KilnData(vf.TaskData):
    hours: str

class KilnTask(vf.Task[KilnData]):
    @vf.reward
    async def same(self, trace: vf.Trace) -> float:
        said = trace.last_reply.rpartition("Time:")[2].strip()
        return float(said == self.data.hours)

class KilnTaskset(vf.Taskset[KilnTask, vf.TasksetConfig]):
    def load(self):
        system = "Count changes of the clock. End with one line 'Time: H:MM'."
        for n, (prompt, hours) in enumerate(KILNS):
            yield KilnTask(KilnData(prompt=prompt, hours=hours, system_prompt=system))

__all__ = ["KilnTaskset"]
"""
UNSAID = [(prompt.partition(". ")[2], gold) for prompt, gold in PLAIN * 2 + WRONG + RIGHT]


@pytest.mark.parametrize(("rows", "status"), [(slice(0, 4), "fail"), (slice(4, 6), "pass")])
def test_all_golds_of_an_environment_are_read(bench, tmp_path, rows, status):
    """Two tasks are scored, and all are read; the shared instructions speak of the change."""
    path = tmp_path / f"kilns_{status}.py"
    path.write_text(KILNS.format(kilns=UNSAID[rows]), encoding="utf-8")
    found = bench.audit(path, examples=2).findings["data.clock_change"]
    assert found.status == status
    if status == "fail":
        assert found.severity == "critical" and found.direction == "data"
        assert "task 3 (Europe/Prague)" in found.evidence


ROWS = [{"question": f"{question(n)} {p}", "answer": g} for n, (p, g) in enumerate(WRONG * 6)]


def test_the_rows_of_a_dataset_are_read(tmp_path):
    ran = inspect(write(tmp_path / "kilns.jsonl", ROWS), "--answer-field", "answer")
    assert ran.finding("data.clock_change")["status"] == "fail"


def test_a_machine_without_zones_skips_the_check(tmp_path):
    (tmp_path / "tzdata").mkdir()
    (tmp_path / "tzdata" / "__init__.py").touch()
    file = write(tmp_path / "kilns.jsonl", ROWS)
    bare = {"PYTHONTZPATH": "", "PYTHONPATH": str(tmp_path)}
    found = inspect(file, "--answer-field", "answer", **bare).finding("data.clock_change")
    assert found["status"] == "skip" and "tzdata" in found["evidence"]


def test_an_interrupted_reading_keeps_what_it_saw():
    items = [Item(prompt, (gold,)) for prompt, gold in PLAIN + WRONG]
    whole = {one.id: one for one in examine(items).findings}["data.clock_change"]
    first, then = Scan(), Scan()
    first.extend(items[:2])
    restore(then, json.loads(json.dumps(state(first))))
    then.extend(items[2:])
    assert finding(then.passed) == whole and whole.status == "fail"
