"""The HTML page in a real browser: it renders, filters and opens rollouts, and text stays text."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from browser import drive, needs_browser
from rollout_logs import draws, episode, write
from run_script import run_script

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x "
    "onerror=\"document.title='owned'\">\u202egnp.exe \x1b[31mred\x00"
)


def page(folder: Path, rows: list[dict], *args: object) -> Path:
    path = write(folder / "traces.jsonl", rows)
    ran = run_script(
        "check_reward_distribution",
        "--results",
        path,
        "--html",
        folder / "report.html",
        "--quiet",
        *args,
        cwd=folder,
    )
    assert ran.code in (0, 1, 4), ran.err
    return folder / "report.html"


def test_the_page_is_one_file_without_network(tmp_path):
    text = page(
        tmp_path, [episode(t, r, v, format=1.0) for t, r, v in draws(30, 4, lambda t: 0.5)]
    ).read_text()
    assert text.count("<svg") == 5
    assert not re.search(
        r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text.replace("http://www.w3.org", "")
    )
    assert "default-src 'none'" in text


@needs_browser
def test_it_renders_filters_and_opens_rollouts(tmp_path):
    rows = [episode(t, r, v, format=1.0, tools=t == 3) for t, r, v in draws(30, 4, lambda t: 0.5)]
    right = sum(v for _, _, v in draws(30, 4, lambda t: 0.5))
    out = drive(
        page(tmp_path, rows),
        """
        out.ready = document.documentElement.dataset.browser;
        out.all = $('f-count').textContent;
        set('f-outcome', '0'); out.right = $('f-count').textContent;
        set('f-outcome', ''); set('f-low', '1.1'); out.paid = $('f-count').textContent;
        set('f-low', ''); set('f-task', '3'.padStart(64, '0')); out.task = $('f-count').textContent;
        out.name = document.querySelector('#list .row span').textContent;
        document.querySelector('#list .row').click();
        await until(() => $('talk').dataset.open);
        out.talk = $('talk').innerText;
        out.folded = $('talk').querySelectorAll('details:not([open])').length;
        out.drawn = document.querySelectorAll('svg').length;
        """,
    )
    assert out["trouble"] == []
    assert out["ready"] == "ready"
    assert out["all"] == "120 of 120 rollouts"
    assert out["right"] == out["paid"] == f"{int(right)} of 120 rollouts"
    assert out["task"] == "4 of 120 rollouts"
    assert out["name"].startswith("What is 3 + 3? · 0000"), (
        "a task is known by its prompt, and found by its key"
    )
    assert "What is 3 + 3?" in out["talk"]
    assert out["folded"] == 1, "tool calls are folded"
    assert out["drawn"] == 5


@needs_browser
def test_hostile_text_stays_text(tmp_path):
    rows = [
        episode(
            t, r, v, text=f"{HOSTILE} {r}", prompt=f"{HOSTILE} {t}", model=HOSTILE, answer=HOSTILE
        )
        for t, r, v in draws(20, 4, lambda t: 0.5)
    ]
    for row in rows:
        row["traces"][0]["rewards"][HOSTILE] = {"score": 1.0, "weight": 0.1}
        row["traces"][0]["task"]["key"] = HOSTILE + row["traces"][0]["task"]["key"]
    out = drive(
        page(tmp_path, rows, "--verbose"),
        """
        document.querySelector('#list .row').click();
        await until(() => $('talk').dataset.open);
        out.talk = $('talk').textContent; out.images = document.images.length;
        out.scripts = document.scripts.length;
        """,
    )
    assert out["trouble"] == []
    assert "owned" not in out["title"]
    assert out["images"] == 0
    assert "</script><script>document.title='owned'</script>" in out["talk"]
    assert "\\u202egnp.exe \\u001b[31mred\\u0000" in out["talk"]


@pytest.mark.soak
@needs_browser
def test_fifty_thousand_rollouts_stay_usable(tmp_path):
    """Filters answer, the list scrolls, a rollout far down opens; the whole visit is timed."""
    rows = [
        episode(
            t,
            r,
            v,
            text=f"step {r} of task {t}: " + "the number is doubled and checked again. " * 6,
        )
        for t, r, v in draws(6250, 8, lambda t: (t % 10) / 10)
    ]
    report = page(tmp_path, rows)
    assert report.stat().st_size < 40 << 20
    start = os.times()
    out = drive(
        report,
        """
        out.all = $('f-count').textContent;
        set('f-task', (6000).toString(16).padStart(64, '0'));
        out.task = $('f-count').textContent; set('f-task', '');
        set('f-outcome', '1'); out.wrong = $('f-count').textContent; set('f-outcome', '');
        $('list').scrollTop = 28 * 40000; $('list').dispatchEvent(new Event('scroll'));
        const rows = () => [...document.querySelectorAll('#list .row')];
        await until(() => rows().some(r => +r.dataset.i >= 40000));
        out.elements = document.querySelectorAll('#list .row').length;
        [...document.querySelectorAll('#list .row')].pop().click();
        await until(() => $('talk').dataset.open);
        out.talk = $('talk').textContent;
        """,
    )
    assert out["trouble"] == []
    assert out["all"] == "50000 of 50000 rollouts"
    assert out["task"] == "8 of 50000 rollouts"
    assert out["elements"] < 100, "only what is in view exists"
    assert "the number is doubled" in out["talk"]
    took = os.times()
    seconds = (
        took.children_user + took.children_system - start.children_user - start.children_system
    )
    assert seconds < 60, "of processor time"


@needs_browser
def test_two_runs_are_drawn_together(tmp_path):
    other = write(
        tmp_path / "other.jsonl", [episode(t, r, v) for t, r, v in draws(20, 4, lambda t: 0.9)]
    )
    out = drive(
        page(
            tmp_path,
            [episode(t, r, v) for t, r, v in draws(20, 4, lambda t: 0.3)],
            "--compare",
            other,
        ),
        "out.text = document.body.textContent",
    )
    assert out["trouble"] == []
    assert "other.jsonl" in out["text"]
