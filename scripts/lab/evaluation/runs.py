"""The folder of one run: what vf-eval wrote there, what is still owed, and our note beside it.

    run = run_folder(Path("outputs"), "my_env", "openai/gpt-5-mini")
    well(run)                    # rollouts that ended without an error; the others are owed
    read_note(run)["content"]    # the environment content that its rollouts are of
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from lab.files import json_object, write_whole
from lab.report import usage
from lab.rollouts.find import RUN_NOTE


def run_folder(output: Path, name: str, model: str) -> Path:
    """A new folder for one run: environment, model and the time it was started."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    base = f"{name}--{re.sub(r'[^A-Za-z0-9.-]+', '-', model).strip('-')}--{stamp}"
    candidates = (output / (base + suffix) for suffix in ["", *(f"-{n}" for n in range(2, 100))])
    return next(path for path in candidates if not path.exists())


def resumable(run: Path) -> bool:
    """Whether an interrupted run got far enough to be gone on with: vf-eval wrote its settings."""
    return (run / "configs" / "resolved" / "eval.json").is_file()


def well(run: Path) -> int:
    """Number of rollouts that ended without an error."""
    return sum(bool(episode.get("ok")) for episode in episodes_of(run))


def episodes_of(run: Path) -> Iterator[dict]:
    """The complete lines of a run's traces."""
    try:
        with (run / "traces.jsonl").open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    row = json.loads(line)
                    if isinstance(row, dict):
                        yield row
    except OSError:
        return


def prompts(run: Path) -> list[str]:
    """The prompt of every rollout that is there, as text."""
    found = [episode.get("task", {}).get("data", {}).get("prompt") for episode in episodes_of(run)]
    return [prompt for prompt in found if isinstance(prompt, str)]


def look(run: Path, group_size: int) -> dict:
    """The share of live groups as it stands: {tasks, rollouts, low, high, decided}.

    Decided by the thresholds of the distribution check: the whole interval at .30 or above, or at
    .10 or below, on at least 20 tasks. Looking several times makes a wrong decision a little more
    likely than one look would; the looks are in the report.
    """
    from lab.learnability import Settings as Training
    from lab.learnability import analyse, collect
    from lab.rollouts import read

    analysis = analyse(collect(read([run])), Training(group_size))
    live, tasks = analysis.live[group_size], analysis.evidence.tasks
    decided = tasks >= 20 and analysis.identifiable and (live.low >= 0.30 or live.high <= 0.10)
    return {"tasks": tasks, "rollouts": len(analysis.evidence.reward), "low": live.low, "high": live.high, "decided": bool(decided)}


def adjust(run: Path, *, base_url: str | None = None, judge_url: str | None = None, limit: int | None = None) -> None:
    """Change what may change between the rounds of one run: the addresses of a simulated policy and
    of its scripted judge, and the number of tasks. Everything else in its settings stays, and with it what a rollout is."""
    path = run / "configs" / "resolved" / "eval.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    if base_url is not None:
        config["client"]["base_url"] = base_url
        for seat in config.get("env", {}).values():
            if isinstance(seat, dict) and isinstance(seat.get("client"), dict):
                seat["client"]["base_url"] = base_url
    if judge_url is not None:
        _judged_at(config.get("env", {}).get("taskset"), judge_url)
    if limit is not None:
        config["select"]["limit"] = limit
    write_whole(path, json.dumps(config, indent=2) + "\n")


def _judged_at(settings: object, url: str) -> None:
    """Every address in a taskset's settings that is on loopback was the judge's of an earlier round."""
    for key, value in list(settings.items()) if isinstance(settings, dict) else list(enumerate(settings)) if isinstance(settings, list) else []:
        if key == "base_url" and isinstance(value, str) and value.startswith("http://127.0.0.1:"):
            settings[key] = url  # type: ignore[index]
        else:
            _judged_at(value, url)


def count_lines(path: Path) -> int:
    """Complete lines of a file that may still be growing or not exist yet."""
    try:
        with path.open("rb") as file:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    except OSError:
        return 0


def write_note(run: Path, note: dict) -> None:
    """Keep beside the traces which environment content they are of (see check_reward_distribution)."""
    write_whole(run / RUN_NOTE, json.dumps(note, indent=1) + "\n")


def read_note(run: Path) -> dict:
    """What `write_note` kept; a usage error (exit 2) when the folder is not one of our runs."""
    if note := json_object(run / RUN_NOTE):
        return note
    raise usage(f"{run} is not a run of run_eval.py ({RUN_NOTE} is missing or damaged)", "give the run folder under outputs/", id="input.run")
