"""What people declare, damaged: contracts, examples, cases, the answers of a reader, plans, lists
of environments, rows to train on, a login. No environment is loaded for any of them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from benchmarks.damaged_inputs.damage import (
    bytes_damaged,
    rows_damaged,
    toml_damaged,
    value_damaged,
    written,
)
from benchmarks.damaged_inputs.inputs import Input
from benchmarks.damaged_inputs.originals import ROOT, episodes, rows, training_files
from benchmarks.damaged_inputs.readers import REVIEW

ENVIRONMENT = {
    "env/pyproject.toml": b'[project]\nname = "little-sums"\nversion = "0.1.0"\n',
    "env/README.md": b"# Sums\n\nThe last number counts.\n",
    "env/little_sums/__init__.py": b"class Sums(vf.Taskset):\n    pass\n",
}
CONTRACT = """\
[reward]
gold = "answer"
answer_type = "number"
says = "<answer>{answer}</answer>"
counts = "last"
thinking = "ignored"
accepts = ["units", "commas"]
tolerance = 0.01
wrong = 0.0
range = [0.0, 1.0]
noise = 0.0

[[example]]
task = 0
task_has = "6 rows of 7"
completion = "<answer>42</answer>"
earns = 1.0
why = "the plain right answer"
"""
POLICY = """\
[reward]
range = [0.0, 1.2]
partial_credit = true
length_penalty = false
strict_format = false
refused_forms = ["units"]
judge_band = 0.1
format_floor = 0.2
"""
EXAMPLES: list[dict[str, Any]] = [
    {"task": 0, "completion": "<answer>42</answer>", "earns": 1.0, "why": "right"},
    {"task": 1, "completion": [{"role": "assistant", "content": "no"}], "earns": 0.0},
]
CASES: list[dict[str, Any]] = [
    {"name": "gold", "completion": "#### 42", "task": 0, "expected": 1.2},
    {"name": "wrong", "completion": "#### 41", "task": 0, "below": "gold"},
    {"name": "soft", "completion": [{"role": "user", "content": "x"}], "expected": {"max": 0.5}},
]
ANSWERS: dict[str, Any] = {
    "review": REVIEW,
    "reader": "an agent",
    "answers": {
        "1": "right",
        "2": "wrong: the last number counts.",
        "3": "part 0.5",
        "4": "unsure: are units allowed?",
        "7": "right",
        "8": "wrong",
    },
    "remarks": {"1": "the same question as task 0"},
    "own": [{"task": 1, "completion": "#### 3", "earns": "right", "why": "README"}],
}
ANSWERS_TOML = f"""\
review = "{REVIEW}"
reader = "an agent"

[answers]
1 = "right"
2 = "wrong: the last number counts"
3 = "part 0.5"
7 = "right"
8 = "wrong"

[[own]]
task = 1
completion = "#### 3"
earns = "right"

[decided]
counts = "last"
"""
LIST = """\
[[environment]]
env = "env"
name = "sums"
args = { split = "test" }
examples = 4
extras = ["judge"]
pass_env = ["SUMS_KEY"]
contract = "contract.toml"

[[environment]]
env = "someone/sums"
repository = "someone/environments"
commit = "2fbd2b7"
"""


def contract(rng: Random) -> Input:
    """A contract or policy beside the environment or named, or examples in a file of their own."""
    kind = rng.choice(("contract.toml", "contract.toml", "policy.toml", "example", "named"))
    if kind == "example":
        name = rng.choice(("examples.json", "examples.toml"))
        text = CONTRACT[CONTRACT.index("[[example]]") :]
        as_json = name.endswith("json")
        data = written(rng, value_damaged(rng, EXAMPLES)) if as_json else toml_damaged(rng, text)
        return _reward_files(("--example", name), {name: data})
    text = POLICY if kind == "policy.toml" or rng.random() < 0.2 else CONTRACT
    if kind == "named":
        return _reward_files(
            ("--contract-file", "mine.toml"), {"mine.toml": toml_damaged(rng, text)}
        )
    place = rng.choice((f"env/{kind}", f"env/little_sums/{kind}"))
    return _reward_files((), {place: toml_damaged(rng, text)})


def cases(rng: Random) -> Input:
    document = rng.choice((CASES, {"cases": CASES}))
    data = written(rng, value_damaged(rng, document))
    return _reward_files(("--custom", "cases.json"), {"cases.json": data})


def _reward_files(words: tuple[str, ...], files: dict[str, bytes]) -> Input:
    return Input("reward_files", ("env", *words), {**ENVIRONMENT, **files})


def answers(rng: Random) -> Input:
    """What a reader filled in, or what the page saved; sometimes taken into the contract."""
    name = rng.choice(("answers.toml", "answers.json"))
    if name.endswith("json"):
        data = written(rng, value_damaged(rng, ANSWERS))
    else:
        data = toml_damaged(rng, ANSWERS_TOML)
    accept = rng.random() < 0.3
    words = ("env", "--answers", name, *(["--accept"] if accept else []))
    left = ("state", *(["env/contract.toml"] if accept else []))
    return Input("review_answers", words, {**ENVIRONMENT, name: data}, left)


def several(rng: Random) -> Input:
    """A list of environments, of which none is audited."""
    lines = b'env {"split": "test"}\n# a comment\nsomeone/sums\ngsm8k {"a": [1]}\n'
    document = {"environments": [{"env": "env", "args": {"a": 1}, "budget": 5}, "someone/sums"]}
    name = rng.choice(("list.toml", "list.json", "list.txt"))
    made = {
        "list.toml": lambda: toml_damaged(rng, LIST),
        "list.json": lambda: written(rng, value_damaged(rng, document)),
        "list.txt": lambda: bytes_damaged(rng, lines),
    }
    words = (name, "--only", "none-of-them")
    return Input("audit_environments", words, {**ENVIRONMENT, name: made[name]()})


def plan(rng: Random) -> Input:
    paths = sorted((ROOT / "configs" / "plans").glob("*.toml"))
    data = toml_damaged(rng, rng.choice(paths).read_text(encoding="utf-8"))
    words = ("--plan", "plan.toml", "--dry-run")
    return Input("submit_training", words, {"plan.toml": data}, ("configs",))


def trained_rows(rng: Random) -> Input:
    """Conversations for supervised training, beside their training file."""
    chats = [{"messages": row["messages"], "tools": "[]"} for row in rows()]
    text = next(text for text in training_files() if "[data]" in text)
    data = rows_damaged(rng, chats)
    if rng.random() < 0.3:
        data = bytes_damaged(rng, data)
    words = ("--config", "sft.toml", "--data", "rows.jsonl", "--dry-run")
    return Input("submit_training", words, {"sft.toml": text.encode(), "rows.jsonl": data})


def of_training(rng: Random) -> Input:
    """A good log, and the training file whose group size is looked up."""
    log = b"\n".join(json.dumps(row).encode() for row in episodes()) + b"\n"
    files = {
        "run/traces.jsonl": log,
        "old.toml": toml_damaged(rng, rng.choice(training_files())),
    }
    words = ("--results", "run", "--training", "old.toml")
    return Input("check_reward_distribution", words, files)


def evaluated(rng: Random) -> Input:
    return Input("evaluated_run", ("run",), {"run/traces.jsonl": rows_damaged(rng, episodes())})


def login(rng: Random) -> Input:
    """The file in which the platform's client keeps its key."""
    settings = {
        "api_key": "an-ordinary-key",
        "team_id": None,
        "base_url": "https://api.example.com",
        "inference_url": "https://inference.example.com/v1",
        "frontend_url": "https://app.example.com",
    }
    name = rng.choice(("home/.prime/config.json", "home/.prime/environments/mine.json"))
    data = written(rng, value_damaged(rng, settings))
    files = {"home/.prime/config.json": json.dumps(settings).encode(), name: data}
    return Input("login", ("home",), files)
