"""test_reward.py as a user runs it: what passes, what stops the ladder, and what it says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from lab.ledger.records import Ledger
from marks import soak
from reward_environments import RIGHT, environment
from run_script import ROOT, run_script

NUMERIC = ROOT / "templates" / "numeric"
CORRECT = "return float(given is not None and given == read_number(self.data.answer))"


@pytest.fixture(scope="module")
def numeric(tmp_path_factory):
    """A copy of the numeric template, as new_environment.py writes it (links followed)."""
    folder = tmp_path_factory.mktemp("numeric") / "numeric-template"
    shutil.copytree(NUMERIC, folder, ignore=shutil.ignore_patterns(".prime-lab", "__pycache__"))
    return folder


def tampered(folder, numeric, replacement):
    copy = folder / "numeric-template"
    shutil.copytree(numeric, copy, ignore=shutil.ignore_patterns(".prime-lab"))
    path = copy / "numeric_template" / "taskset.py"
    source = path.read_text(encoding="utf-8")
    assert CORRECT in source
    path.write_text(source.replace(CORRECT, replacement), encoding="utf-8")
    return copy


def test_a_sound_environment_passes_in_every_mode(numeric, tmp_path):
    cases = [
        {"name": "gold", "completion": "#### 930", "expected": 1.25},
        {"name": "wrong", "completion": "#### 931", "below": "gold"},
    ]
    (tmp_path / "tests.json").write_text(json.dumps(cases), encoding="utf-8")
    page = tmp_path / "page.html"
    ran = run_script(
        "test_reward",
        numeric,
        "--json",
        "--preset",
        "gsm8k",
        "--custom",
        "tests.json",
        "--rehearse",
        "--against",
        numeric,
        "--html",
        page,
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.err
    report = ran.report
    assert {"tool", "version", "verdict", "subject", "findings", "facts", "next"} <= set(report)
    assert report["verdict"] == "pass", [
        f for f in report["findings"] if f["status"] in ("fail", "warn")
    ]
    facts = report["facts"]
    assert (
        facts["api"],
        facts["answer_kind"],
        facts["ceiling"],
        facts["floor"],
        facts["youden_j"],
    ) == ("taskset", "number", 1.25, 0.25, 1.0)
    for name in ("cases", "best_constant", "best_exploit", "false_rejection_rate", "tpr", "fpr"):
        assert facts[name] is not None, name
    for id in ("reward.preset", "reward.custom", "reward.simulation", "reward.parity"):
        assert ran.finding(id)["status"] == "pass"
    assert "run_eval.py" in report["next"]
    assert "<svg" in page.read_text(encoding="utf-8")
    assert Ledger(numeric).step("test_reward").verdict == "pass"


@pytest.mark.parametrize(
    ("replacement", "id"),
    [
        ("return 1.0", "reward.tells_apart"),
        pytest.param("return 0.0", "reward.tells_apart", marks=pytest.mark.soak),
        pytest.param(
            "return float(given is None or given == read_number(self.data.answer))",
            "reward.empty",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_tampered_reward_stops_the_ladder(numeric, tmp_path, replacement, id):
    copy = tampered(tmp_path, numeric, replacement)
    ran = run_script("test_reward", copy, "--json", "--quiet", "--preset", "gsm8k", cwd=tmp_path)
    assert ran.code == 1
    finding = ran.finding(id)
    assert finding["status"] == "fail"
    assert finding["severity"] == "critical"
    assert finding["evidence"]
    assert "references/reward_design.md#" in finding["fix"]
    assert "test_reward.py" in ran.report["next"] and ran.report["next"].endswith(
        "--preset gsm8k"
    ), "the same test comes again"
    assert Ledger(copy).step("test_reward").verdict == "fail"


@pytest.mark.long
def test_a_wrong_column_is_found_by_the_dataset_profile(numeric, tmp_path):
    copy = tmp_path / "numeric-template"
    shutil.copytree(numeric, copy, ignore=shutil.ignore_patterns(".prime-lab"))
    rows = [
        json.loads(line)
        for line in (copy / "numeric_template" / "data" / "rows.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    ]
    golds = [row["answer"].rsplit("#### ", 1)[1] for row in rows]
    (copy / ".prime-lab").mkdir()
    profile = {"facts": {"questions": [row["question"] for row in rows], "golds": golds}}
    (copy / ".prime-lab" / "profile.json").write_text(json.dumps(profile), encoding="utf-8")
    for row, wrong in zip(rows, golds[1:] + golds[:1], strict=True):
        row["answer"] = f"#### {wrong}"
    (copy / "numeric_template" / "data" / "rows.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
    )
    ran = run_script("test_reward", copy, "--json", "--quiet", cwd=tmp_path)
    assert ran.code == 1
    failed = {f["id"] for f in ran.report["findings"] if f["status"] == "fail"}
    assert failed == {"data.gold_matches_profile", "reward.examples"}, "its contract knows, too"


@pytest.mark.long
def test_a_reward_that_raises_or_hangs_is_one_finding_and_leaves_no_process(numeric, tmp_path):
    copy = tampered(tmp_path, numeric, "import time\n        time.sleep(600)")
    ran = run_script(
        "test_reward",
        copy,
        "--json",
        "--quiet",
        "--timeout",
        "1",
        cwd=tmp_path,
        env={"TMPDIR": str(tmp_path)},
    )
    assert ran.code == 1
    assert ran.finding("reward.timeout")["status"] == "fail"
    assert "Traceback" not in ran.err
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(copy) not in left


DIGEST = "__import__('hashlib').md5(str({}).encode()).hexdigest()"
HIDDEN = f"float({DIGEST} == {DIGEST})".format("last_hash(text)", "37 * len(row['question'])")
"""What is compared does not tell what is right."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("paid", "code", "gold", "empty"),
    [
        soak(HIDDEN, 4, "inconclusive", "pass"),
        ("float(not text.strip())", 1, "inconclusive", "fail"),
    ],
)
def test_tasks_without_a_gold_are_inconclusive_and_still_probed(tmp_path, paid, code, gold, empty):
    source = f"def score(text, row):\n    return {paid}\n"
    path = environment(tmp_path, "hidden", source, rows="hidden")
    ran = run_script("test_reward", path, "--json", "--quiet", cwd=tmp_path)
    assert ran.code == code
    assert ran.finding("reward.gold_paid")["status"] == gold
    assert ran.finding("reward.empty")["status"] == empty


@pytest.mark.long
def test_a_reproduction_shows_the_finding_again(tmp_path):
    path = environment(
        tmp_path, "echoing", "def score(text, row):\n    return float(row['answer'] in text)\n"
    )
    ran = run_script(
        "test_reward", path, "--json", "--quiet", "--repro", tmp_path / "repro", cwd=tmp_path
    )
    assert ran.code == 1
    program = tmp_path / "repro" / "reward.several_in_slot.py"
    again = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (again.returncode, again.stdout.split()[1]) == (1, "1.0")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 2, "no environment"),
        (["README.txt"], 2, "not a Python module"),
        (["ok.py", "--custom", "none.json"], 2, "does not exist"),
        (["ok.py", "--custom", "torn.json"], 2, "not valid JSON"),
        (["ok.py", "--custom", "odd.json"], 2, "expects nothing"),
        (["ok.py", "--contract-file", "typo.toml"], 2, "unknown key 'count'"),
        (["ok.py", "--contract-file", "none.toml"], 2, "cannot be read"),
        (["ok.py", "--example", "torn.json"], 2, "Unterminated"),
        (["ok.py", "--contract", "README.txt"], 2, "exists"),
        (["ok.py", "--env-args", "[1]"], 2, "a JSON object"),
        (["ok.py", "--examples", "0"], 2, "at least 1"),
        (["syntax.py"], 3, "does not parse"),
        (["needs.py"], 3, "no_such_package_at_all"),
    ],
)
def test_bad_input_gets_one_clear_message(tmp_path, arguments, code, said):
    shutil.copy(environment(tmp_path / "made", "ok", RIGHT), tmp_path / "ok.py")
    (tmp_path / "README.txt").write_text("text", encoding="utf-8")
    (tmp_path / "torn.json").write_text('[{"comp', encoding="utf-8")
    (tmp_path / "odd.json").write_text('[{"completion": "x"}]', encoding="utf-8")
    (tmp_path / "typo.toml").write_text('[reward]\ncount = "last"\n', encoding="utf-8")
    (tmp_path / "syntax.py").write_text("def load_environment(:\n", encoding="utf-8")
    (tmp_path / "needs.py").write_text(
        "import no_such_package_at_all\nimport verifiers.v1 as vf\nclass T(vf.Taskset): pass\n",
        encoding="utf-8",
    )
    ran = run_script("test_reward", *arguments, "--json", "--quiet", cwd=tmp_path)
    assert ran.code == code, ran.out
    error = ran.report["findings"][-1]
    assert said in error["evidence"]
    assert error["fix"]
    assert "Traceback" not in ran.err
    assert not list(tmp_path.glob(".tmp*"))
