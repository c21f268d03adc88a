"""Golds that read the dates of their prompts day first in some tasks, and month first in others."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inspected import inspect, write
from lab.data.checks import Item, Scan, examine
from lab.data.checks.checkpoint import restore, state
from lab.data.checks.date_order import dated, finding

DAY_FIRST = [
    ("05/08/2025", "2025-08-05"),
    ("24/08/2025", "2025-08-24"),
    ("03/11/2025", "2025-11-03"),
    ("12/01/2026", "2026-01-12"),
]
MONTH_FIRST = [("04/09/2025", "2025-04-09"), ("07/02/2025", "2025-07-02")]


def judged(*pairs):
    """The finding on prompts and golds; a gold that is no text is written as JSON."""
    rows = [
        one
        for row, (prompt, gold) in enumerate(pairs)
        for one in dated(row, prompt, gold if isinstance(gold, str) else json.dumps(gold))
    ]
    return finding(rows, "task")


def documents(pairs, text="Ordered on {} by phone."):
    return [(text.format(written), gold) for written, gold in pairs]


def test_golds_of_both_orders_fail_with_a_task_of_each():
    found = judged(*documents(DAY_FIRST + MONTH_FIRST))
    assert found.status == "fail" and found.measured == "4 day first, 2 month first"
    assert "task 0: '05/08/2025' is '2025-08-05'" in found.evidence
    assert "task 4: '04/09/2025' is '2025-04-09'" in found.evidence


@pytest.mark.parametrize(
    "pairs",
    [
        DAY_FIRST,
        [("08/24/2025", "2025-08-24"), *MONTH_FIRST],
        [("5.8.2025", "5. August 2025"), ("3. 11. 2025", "3 novembre 2025")],
        [("05-08-25", "August 5, 2025"), ("03-11-25", "3 Nov. 2025"), ("30-11-25", "2025-11-30")],
        [("03/11/98", {"from": {"day": "1998-11-03"}}), ("05/08/07", ["5th of August 2007"])],
    ],
)
def test_golds_of_one_order_pass(pairs):
    assert judged(*documents(pairs)).status == "pass"


def test_numbers_over_12_say_the_order_of_the_others():
    sure = [("24/08/2025", "2025-08-24"), ("30/11/2025", "2025-11-30")]
    assert judged(*documents(sure + MONTH_FIRST)).status == "fail"
    assert judged(*documents(sure + MONTH_FIRST[:1])).status == "warn"
    text = "From {} to 31/12/2026."
    assert judged(*documents([*DAY_FIRST, *MONTH_FIRST], text)).status == "fail"


def test_one_task_can_follow_both_orders():
    gold = {"ordered": "2025-05-08", "paid": "2025-08-24"}
    found = judged(*[("Ordered 05/08/2025, paid 24/08/2025.", gold)] * 2)
    assert found.status == "fail" and found.measured == "2 day first, 2 month first"


@pytest.mark.parametrize(
    ("prompt", "gold"),
    [
        ("Between 09/04/2025 and 04/09/2025.", "2025-04-09"),  # both readings
        ("Written on 2025-04-09, read 04/09/2025.", "2025-04-09"),  # said plainly
        ("April 9, 2025 was 04/09/2025.", ["2025-04-09"]),
        ("Ordered on 04/09/2025.", {"first": "2025-04-09", "last": "2025-09-04"}),
        ("Ordered on 09/09/2025.", "2025-09-09"),
        ("From 3-04/09/2025 on.", "2025-04-09"),  # a range
        ("From 04/09/2025-10/09/2025.", "2025-04-09"),
        ("Take 4/9/5 of version 2.4.9.2025.", "2025-04-09"),
        ("See /2025/x/04/09/2025/a and 1404/09/2025.", "2025-04-09"),
        ("Ordered on 04/09/2025.", "04/09/2025"),
        ("Ordered on 04/09/2025.", "14"),
        ("Ordered on 31/31/2025 and 04/09/1025.", "2025-04-09"),
    ],
)
def test_what_says_no_order_is_left_out(prompt, gold):
    assert judged(*[(prompt, gold)] * 4).status == "skip"
    assert judged(*documents(DAY_FIRST), *[(prompt, gold)] * 3).status == "pass"


def test_documents_that_show_both_orders_themselves_are_not_judged():
    american = [("08/24/2025", "2025-08-24"), *MONTH_FIRST]
    found = judged(*documents(DAY_FIRST + american))
    assert found.status == "skip" and "both orders" in found.evidence


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dates are DD/MM/YYYY. {}", "Dates are MM/DD/YYYY. {}"),
        ("{}, the day first", "{}, in US format"),
        ("{}", "{} (month first)"),
        ("{}", "The first number is the month: {}"),
        ("Shipped from London, UK, on {}.", "Shipped from Boston, USA, on {}."),
        ("Locale en_GB: {}", "Locale en_US: {}"),
    ],
)
def test_prompts_that_say_the_order_task_by_task_are_not_judged(one, other):
    assert judged(*documents(DAY_FIRST, one), *documents(MONTH_FIRST, other)).status == "skip"
    same = documents(DAY_FIRST + MONTH_FIRST, one)
    assert judged(*same).status == "fail"


def test_prompts_that_speak_of_both_orders_are_not_judged():
    text = "Letters from Texas are MM/DD/YYYY, the others DD/MM/YYYY. {}"
    found = judged(*documents(DAY_FIRST + MONTH_FIRST, text))
    assert found.status == "skip" and "say which order" in found.evidence
    text = "Reply as YYYY-MM-DD. The day comes first. {}"
    assert judged(*documents(DAY_FIRST + MONTH_FIRST, text)).status == "fail"


def test_what_a_document_says_of_other_things_is_no_order():
    text = "Cancel 30 days before {}, an international order, or a month before."
    assert judged(*documents(DAY_FIRST), *documents(MONTH_FIRST, text)).status == "fail"


def test_each_mark_has_an_order_of_its_own():
    german = [("05.08.2025", "2025-08-05"), ("03.11.2025", "2025-11-03")]
    assert judged(*documents(german + MONTH_FIRST)).status == "pass"


def test_golds_that_are_worked_out_of_the_date_are_not_judged():
    """Thirty days after 6 May is 5 June: the other reading, by chance."""
    days = [date(2025, 1, 1) + timedelta(days=n) for n in range(365)]
    pairs = [(f"{day:%m/%d/%Y}", str(day + timedelta(days=30))) for day in days]
    assert judged(*documents(pairs, "Issued {}, due in 30 days.")).status == "skip"


marks = st.sampled_from(["/", ".", "-"])
ambiguous = st.builds(date, st.integers(2001, 2030), st.integers(1, 12), st.integers(1, 12)).filter(
    lambda day: day.day != day.month
)
any_day = st.one_of(ambiguous, st.dates(date(2001, 1, 1), date(2030, 12, 31)))
written = st.sampled_from(["{:%Y-%m-%d}", "{:%-d %B %Y}", "{:%B %-d, %Y}", "{:%d %b %Y}"])


@given(st.lists(any_day, min_size=1, max_size=12), st.booleans(), marks, written)
def test_one_order_never_fails(days, first, mark, form):
    order = mark.join(("%d", "%m", "%Y") if first else ("%m", "%d", "%Y"))
    found = judged(*documents([(day.strftime(order), form.format(day)) for day in days]))
    assert found.status in ("pass", "skip")


@given(
    st.lists(any_day, min_size=2, max_size=8),
    st.lists(ambiguous, min_size=2, max_size=8),
    st.booleans(),
    marks,
    written,
)
def test_a_reader_that_takes_both_orders_always_fails(right, wrong, first, mark, form):
    assume(sum(day.day != day.month for day in right) >= 2)
    order = mark.join(("%d", "%m", "%Y") if first else ("%m", "%d", "%Y"))
    swapped = [day.replace(day=day.month, month=day.day) for day in wrong]
    pairs = [(day.strftime(order), form.format(day)) for day in right]
    pairs += [
        (day.strftime(order), form.format(other)) for day, other in zip(wrong, swapped, strict=True)
    ]
    assert judged(*documents(pairs)).status == "fail"


# --- where it is asked ------------------------------------------------------------------------

INVOICES = """
import json
import verifiers.v1 as vf

DATES = {dates}

class InvoiceData(vf.TaskData):
    answer: dict

class InvoiceTask(vf.Task[InvoiceData]):
    @vf.reward
    async def same(self, trace: vf.Trace) -> float:
        try:
            return float(json.loads(trace.last_reply) == self.data.answer)
        except ValueError:
            return 0.0

class InvoiceTaskset(vf.Taskset[InvoiceTask, vf.TasksetConfig]):
    def load(self):
        for n, (written, day) in enumerate(DATES):
            prompt = (f"Reply with a JSON object with the keys number and dates (issued: "
                      f"YYYY-MM-DD). The day comes first.\\nInvoice {{n}} of {{written}}")
            gold = {{"number": n, "dates": {{"issued": day}}}}
            yield InvoiceTask(InvoiceData(prompt=prompt, answer=gold))

__all__ = ["InvoiceTaskset"]
"""


@pytest.mark.parametrize(
    ("dates", "status"), [(DAY_FIRST + MONTH_FIRST, "fail"), (DAY_FIRST * 2, "pass")]
)
def test_all_golds_of_an_environment_are_read(bench, tmp_path, dates, status):
    """Two tasks are scored, and all are read."""
    path = tmp_path / f"invoices_{status}.py"
    path.write_text(INVOICES.format(dates=dates), encoding="utf-8")
    found = bench.audit(path, examples=2).findings["data.date_order"]
    assert found.status == status
    if status == "fail":
        assert found.severity == "critical" and found.direction == "data"
        assert "2 tasks month first, such as task 4" in found.evidence


def test_the_rows_of_a_dataset_are_read(tmp_path):
    rows = [
        {"question": f"When was invoice {n} of {written} sent?", "answer": day}
        for n, (written, day) in enumerate(DAY_FIRST + MONTH_FIRST)
    ]
    ran = inspect(write(tmp_path / "invoices.jsonl", rows), "--answer-field", "answer")
    assert ran.finding("data.date_order")["status"] == "fail"


def test_an_interrupted_reading_keeps_what_it_saw():
    items = [Item(prompt, (gold,)) for prompt, gold in documents(DAY_FIRST + MONTH_FIRST)]
    whole = {one.id: one for one in examine(items).findings}["data.date_order"]
    first, then = Scan(), Scan()
    first.extend(items[:3])
    restore(then, json.loads(json.dumps(state(first))))
    then.extend(items[3:])
    assert finding(then.dated) == whole and whole.status == "fail"
