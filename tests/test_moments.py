"""Scripts that write, ended at each change of a file: what they write is the old or the new whole,
nothing of the user's is lost, nothing stays behind, and the same command works afterwards."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import publishable
from lab.cli.folders import beside, move, scratch
from lab.scaffold import Scaffold
from ladder import WORD_PROBLEMS
from marks import soak
from rollout_logs import episode, write
from run_script import SCRIPTS, run_script

DRIVER = Path(__file__).with_name("ended_at.py")
PART = ".unfinished-"


def rollouts(place: Path, right: int) -> None:
    write(
        place / "traces.jsonl",
        [
            episode(i, r, float((i + r) % 4 < right), text=f"{i}, {r}: {'xyz'[r % 3]} #### {2 * i}")
            for i in range(12)
            for r in range(4)
        ],
    )


def rows(folder: Path) -> None:
    shutil.copyfile(WORD_PROBLEMS, folder / "rows.jsonl")
    (folder / "page.html").write_text('<meta content="prime-lab-trainer">old')


def profiled(folder: Path) -> None:
    ran = run_script("inspect_dataset", WORD_PROBLEMS, "--out", "profile.json", cwd=folder)
    assert ran.code == 0, ran.out
    old = folder / "environments" / "sums"
    old.mkdir(parents=True)
    (old / "mine.txt").write_text("old")


def exported(folder: Path) -> None:
    rollouts(folder / "run", 2)
    (folder / "warm").mkdir()
    (folder / "warm" / "mine.txt").write_text("old")


def judged(folder: Path) -> None:
    rollouts(folder / "run", 2)


def compared(folder: Path) -> None:
    rollouts(folder / "run", 1)
    rollouts(folder / "later", 3)


def older(folder: Path) -> None:
    (folder / "old.toml").write_text(
        'model = "Qwen/Qwen3-4B"\nmax_steps = 10\nbatch_size = 64\nrollouts_per_example = 8\n'
        '[[env]]\nid = "someone/little-sums"\n'
    )


def packaged(folder: Path) -> None:
    publishable.write_environment(folder)


def reviewed(folder: Path) -> None:
    packaged(folder)
    (folder / "review").mkdir()
    (folder / "review" / "answers.toml").write_text('[answers]\n1 = "right"\n')


def planned(folder: Path) -> None:
    packaged(folder)
    (folder / "configs" / "rl").mkdir(parents=True)
    (folder / "configs" / "rl" / "little-sums.toml").write_text('name = "old"\n')


def trained(folder: Path) -> None:
    steps = [{"step": n, "train/agg/effective/agent/reward/mean": 0.3 + n / 50} for n in range(20)]
    (folder / "job").mkdir()
    (folder / "job" / "metrics.jsonl").write_text("".join(json.dumps(s) + "\n" for s in steps))


@dataclass(frozen=True)
class Case:
    prepare: Callable[[Path], None]
    words: str
    targets: tuple[str, ...]
    imports: tuple[str, ...] = ()
    most: int = 20
    """Moments of the long walk. Set-ups, audits, evaluations and what is sent to the platform go on
    after a kill: they have tests of their own."""
    script: str = ""
    """Where the case has another name."""


CASES = {
    "inspect_dataset": Case(
        rows,
        "rows.jsonl --out profile.json --html page.html",
        ("profile.json", "page.html"),
        ("lab.data.rows", "lab.data.checks", "pyarrow"),
    ),
    "new_environment": Case(
        profiled,
        "sums --profile profile.json --overwrite",
        ("environments/sums",),
        ("lab.scaffold", "lab.environment"),
        most=6,
    ),
    "export_sft": Case(
        exported,
        "run --out warm --config warm.toml --overwrite --min-reward 1",
        ("warm", "warm.toml"),
        ("lab.warmup.export", "pyarrow.parquet"),
    ),
    "check_reward_distribution": Case(
        judged,
        "--results run --html page.html --keep-tasks keep.toml",
        ("page.html", "keep.toml"),
        ("numpy", "scipy.stats"),
    ),
    "submit_training": Case(
        older,
        "--convert old.toml --html page.html",
        ("configs/rl/old.toml", "page.html"),
        ("lab.platform.submission",),
    ),
    "test_reward": Case(
        packaged,
        "little_sums --examples 2 --budget 60 --html page.html",
        ("page.html",),
        ("lab.reward.audit", "lab.environment"),
        most=4,
    ),
    "a dry run": Case(
        planned,
        "--env someone/little-sums --local little_sums --dry-run --overwrite --html page.html",
        ("configs/rl/little-sums.toml", "page.html"),
        ("lab.platform.submission.flow",),
        script="submit_training",
    ),
    "review_reward": Case(
        reviewed,
        "little_sums --out review --overwrite --html page.html",
        ("review/sheet.md", "review/answers.toml", "review/review.html", "page.html"),
        ("lab.review.making", "lab.environment"),
        most=6,
    ),
    "push_environment": Case(
        packaged,
        "little_sums --check-only --html page.html",
        ("page.html",),
        ("lab.platform.package",),
        most=4,
    ),
    "monitor_training": Case(trained, "job --html page.html", ("page.html",), ("numpy",)),
    "workflow": Case(packaged, "status little_sums --html page.html", ("page.html",)),
    "compare_evals": Case(compared, "run later --html page.html", ("page.html",), ("numpy",)),
}


def ended(script: str, case: Case, runs: list[tuple[Path, int, int]]) -> list[dict[str, Any]]:
    asked = {
        "script": case.script or script,
        "words": [*case.words.split(), "--json", "--quiet"],
        "imports": case.imports,
        "runs": [{"folder": str(place), "at": at, "signal": number} for place, at, number in runs],
    }
    done = subprocess.run(
        [sys.executable, str(DRIVER)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def shape(target: Path) -> Any:
    """What is there, but for what differs in every run."""
    if target.is_dir():
        names = (path.relative_to(target).as_posix() for path in target.rglob("*"))
        return sorted(name for name in names if "__pycache__" not in name and PART not in name)
    if not target.exists():
        return None
    text = target.read_text()
    if target.suffix == ".toml":
        return text
    if target.suffix == ".json":
        return sorted(json.loads(text))
    return text if len(text) < 100 else (text[:60], text.rstrip()[-10:])


def shapes(folder: Path, case: Case) -> dict[str, Any]:
    return {name: shape(folder / name) for name in case.targets}


def given(folder: Path, case: Case) -> dict[str, bytes]:
    """The user's other files."""
    ours = [folder / name for name in case.targets]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
        and PART not in str(path)
        and not any(path.is_relative_to(target) for target in ours)
    }


def left(folder: Path) -> list[str]:
    """What nobody needs: parts in the folder, and temporary folders once all has ended."""
    parts = [str(path) for path in folder.rglob(f"*{PART}*")]
    temporary, until = Path(f"{folder}.tmp"), time.monotonic() + 60
    while any(temporary.iterdir()) and time.monotonic() < until:
        time.sleep(0.02)
    return [*parts, *map(str, temporary.iterdir())]


def walk(script: str, root: Path, most: int, signals: tuple[int, ...]) -> None:
    case = CASES[script]
    before = root / "before"
    before.mkdir()
    case.prepare(before)
    old, mine = shapes(before, case), given(before, case)

    def laid(name: str) -> Path:
        shutil.copytree(before, root / name)
        return root / name

    (reference,) = ended(script, case, [(laid("whole"), 0, 0)])
    new, total, code = shapes(root / "whole", case), reference["counted"], reference["code"]
    assert code in (0, 1, 4) and total > 1 and new != old, reference["out"][-800:]
    assert left(root / "whole") == []
    step = max(1, (total - 1) // max(1, most - 1))
    moments = sorted({*range(total, 0, -step)})[-most:]
    runs = [(laid(f"{number}-{at}"), at, number) for number in signals for at in moments]
    for (place, at, number), one in zip(runs, ended(script, case, runs), strict=True):
        said = f"{script}, signal {number} before change {at} of {total}"
        if number == signal.SIGKILL:
            assert one["code"] == -signal.SIGKILL, said
        elif one["code"] != code:  # at the very end everything may have been done
            assert one["code"] == 3 and "run.interrupted" in one["out"], (said, one["code"])
            assert left(place) == [], said
        assert given(place, case) == mine, f"{said}: another file changed"
        for name, now in shapes(place, case).items():
            assert now in (old[name], new[name]), f"{said}: {name} is neither old nor new"
    again = [(place, 0, 0) for place, *_ in runs]
    for (place, at, number), one in zip(runs, ended(script, case, again), strict=True):
        said = f"{script} after signal {number} before change {at} of {total}"
        assert one["code"] == code, (said, one["out"][-800:])
        assert shapes(place, case) == new, said
        assert left(place) == [], said


@pytest.mark.long
@pytest.mark.parametrize(("script", "moments"), [("export_sft", 3), soak("compare_evals", 2)])
def test_a_script_that_is_ended_leaves_the_old_or_the_new(tmp_path, script, moments):
    walk(script, tmp_path, moments, (signal.SIGKILL, signal.SIGTERM))


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("script", CASES)
def test_many_moments_of_each_script(tmp_path, script):
    walk(script, tmp_path, CASES[script].most, (signal.SIGKILL, signal.SIGTERM))


def test_what_a_killed_start_left_is_no_environment_and_goes_at_the_next_one(tmp_path):
    folder = tmp_path / "environments"
    parts = [folder / f".{name}{PART}0a1b2c3d" / name for name in ("sums", "others")]
    for part in parts:
        part.mkdir(parents=True)
        (part / "pyproject.toml").write_text("[project]\n")
    mine = folder / ".sums.backup"
    mine.mkdir()
    ran = run_script("test_reward", "--json", cwd=tmp_path)
    assert ran.code == 2 and "others" not in ran.out, ran.out
    known = run_script("workflow", "status", "--json", cwd=tmp_path)
    assert PART not in known.out
    scaffold = Scaffold("numeric", "sums", folder)
    assert not any(part.exists() for part in parts) and mine.is_dir()
    scaffold.finish(replace=False)
    assert sorted(path.name for path in folder.iterdir()) == [".sums.backup", "sums"]


def test_what_somebody_is_writing_is_not_taken_for_a_left_over(tmp_path):
    with beside(tmp_path / "one", "one") as first:
        with beside(tmp_path / "two", "two"):
            assert first.is_dir()
        with scratch() as mine, scratch() as other:
            assert mine.is_dir() and other.is_dir()
    assert not [*tmp_path.iterdir()] and not mine.exists()


def test_several_exports_to_one_folder_wait_for_each_other(tmp_path):
    rollouts(tmp_path / "run", 2)
    line = [sys.executable, str(SCRIPTS / "export_sft.py"), "run", "--out", "warm", "--overwrite"]
    line += ["--config", "warm.toml", "--min-reward", "1", "--json", "--quiet"]
    both = [subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=600)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert shape(tmp_path / "warm")[:2] == ["README.md", "data"]
    assert not [*tmp_path.glob(".warm*")]
    plain = [word for word in line if word != "--overwrite"]
    assert subprocess.run(plain, cwd=tmp_path, capture_output=True, check=False).returncode == 2


def _make(out: Path, number: int) -> None:
    for _ in range(20):
        with beside(out, "the folder") as work:
            new = work / "new"
            new.mkdir()
            for name in "abc":
                (new / name).write_text(str(number))
            move(new, out)


def test_a_folder_made_by_many_at_once_is_always_one_of_theirs(tmp_path):
    out = tmp_path / "out"
    makers = [get_context("fork").Process(target=_make, args=(out, n)) for n in range(4)]
    for maker in makers:
        maker.start()
    seen = False
    while any(maker.is_alive() for maker in makers):
        there = out.exists()
        assert there or not seen, "there is no moment without it"
        seen = there
    assert [maker.exitcode for maker in makers] == [0] * 4
    assert len({path.read_text() for path in out.iterdir()}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
