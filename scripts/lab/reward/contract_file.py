"""Contracts as files: `contract.toml` read, checked and written, `policy.toml` read and
converted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lab.cli.files import LARGEST_SETTINGS, parse_json, parse_toml, read_plain
from lab.cli.report import usage
from lab.cli.untrusted import excerpt
from lab.environment import Completion
from lab.reward.contract import CLAUSES, EARNS, UNDECIDED, Contract, Example
from lab.reward.interactive.messages import messages_of, turns_of

NAME, OLD_NAME = "contract.toml", "policy.toml"
EXAMPLE_KEYS = ("task", "task_has", "completion", "earns", "why")


def beside(environment: Path) -> Contract:
    """The contract in the environment's folder or its package folder, or beside a module file; an
    empty one without a file."""
    folder = environment if environment.is_dir() else environment.parent
    for name in (NAME, OLD_NAME):
        # The folders beside a module file are other environments.
        inner = sorted(folder.glob(f"*/{name}")) if environment.is_dir() else []
        for path in (folder / name, *inner):
            if path.is_file():
                return read(path)
    return Contract()


def read(path: Path) -> Contract:
    """The contract of a file. Raises a usage error (exit 2) that names what is wrong."""
    data = _toml(path)
    if path.name == OLD_NAME or _is_policy(data):
        return _policy(path, data.get("reward", data))
    return _contract(path, data)


def _contract(path: Path, data: dict[str, Any]) -> Contract:
    unknown = set(data) - {"reward", "example"}
    if unknown:
        raise _invalid(
            path, f"unknown table {sorted(unknown)[0]!r}", "write [reward] and [[example]]"
        )
    clauses = data.get("reward", {})
    if not isinstance(clauses, dict):
        raise _invalid(path, "reward is no table", "write [reward]")
    values = {key: _clause(path, key, value) for key, value in clauses.items()}
    listed = examples(path, data.get("example", []))
    decided = tuple(example for example in listed if example.earns != UNDECIDED)
    agree(path, decided)
    undecided = tuple(example for example in listed if example.earns == UNDECIDED)
    return Contract(**values, examples=decided, undecided=undecided, path=path)


def agree(path: Path, decided: Sequence[Example]) -> None:
    """Raise a usage error (exit 2) where two examples are one reply and contradict each other."""
    known: dict[str, Example] = {}
    for one in decided:
        first = known.setdefault(repr((one.task, one.task_has, one.completion)), one)
        if _contradict(first, one):
            reply = excerpt(literal(_turns(one.completion)), 120)
            raise _invalid(
                path,
                f"one reply to task {one.task} is said to earn {_told(first)}, and elsewhere "
                f"{_told(one)}: {reply}",
                "write in one of the two what was meant, or take it away",
            )


def _contradict(one: Example, other: Example) -> bool:
    """Whether they earn two numbers, or two words, or one is paid and the other is wrong."""
    if (one.number is None) == (other.number is None):
        return one.earns != other.earns
    return one.wrong != other.wrong


def _told(example: Example) -> str:
    earns = example.earns if isinstance(example.earns, str) else f"{example.earns:g}"
    return f"{earns} ({excerpt(example.why, 60)})" if example.why else earns


def examples(path: Path, items: Any) -> tuple[Example, ...]:
    """The examples of a contract, or of a file with nothing else in it."""
    if not isinstance(items, list):
        raise _invalid(path, "example is no list of tables", "write [[example]] before each")
    return tuple(_example(path, number, item) for number, item in enumerate(items))


def read_examples(path: Path) -> tuple[Example, ...]:
    """Examples alone, from TOML ([[example]]) or JSON (a list, or one object)."""
    if path.suffix == ".json":
        try:
            data = parse_json(read_plain(path, LARGEST_SETTINGS))
        except (OSError, ValueError) as error:
            raise _invalid(path, str(error), 'write {"task": 0, "completion": "..."}') from None
        return examples(path, data if isinstance(data, list) else [data])
    return examples(path, _toml(path).get("example", []))


def clause(path: Path, name: str, value: Any) -> Any:
    """A clause as it is kept. Raises a usage error (exit 2) where it is none, or not legal."""
    return _clause(path, name, value)


def check(path: Path, text: str) -> None:
    """Raise a usage error (exit 2) where a text that is about to be written is no contract."""
    _contract(path, _parsed(path, text))


def _toml(path: Path) -> dict[str, Any]:
    try:
        return _parsed(path, read_plain(path, LARGEST_SETTINGS))
    except OSError as error:
        raise _invalid(path, f"cannot be read: {error}", "check the path") from None


def _parsed(path: Path, text: str | bytes) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except ValueError as error:
        raise _invalid(path, f"no valid TOML: {error}", f"repair {path.name}") from None


def _invalid(path: Path, what: str, fix: str) -> Exception:
    return usage(f"{path}: {what}", fix, id="input.invalid_contract")


def _clause(path: Path, key: str, value: Any) -> Any:
    if key not in CLAUSES:
        raise _invalid(path, f"unknown key {key!r}", f"one of {', '.join(CLAUSES)}")
    clause = CLAUSES[key]
    if clause.values:
        if value not in clause.values:
            legal = ", ".join(clause.values)
            raise _invalid(path, f"{key} = {value!r}", f"one of {legal} ({clause.meaning})")
        return value
    legal_value, as_kept = FREE[key]
    if not legal_value(value):
        raise _invalid(path, f"{key} = {value!r}", f"write {key} as {clause.form}")
    return as_kept(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_template(value: Any) -> bool:
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(text, str) and "{answer" in text for text in texts)


def _is_range(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(map(_is_number, value))
        and value[0] < value[1]
    )


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


Test = Callable[[Any], bool]
FREE: dict[str, tuple[Test, Callable[[Any], Any]]] = {
    "gold": (lambda value: isinstance(value, str) and bool(value.strip()), str),
    "says": (_is_template, _texts),
    "accepts": (_is_texts, tuple),
    "refuses": (_is_texts, tuple),
    "tolerance": (lambda value: _is_number(value) and value >= 0, float),
    "wrong": (_is_number, float),
    "empty": (_is_number, float),
    "silent": (_is_number, float),
    "range": (_is_range, tuple),
    "noise": (lambda value: _is_number(value) and value >= 0, float),
}
"""Per clause with a free value: what is legal, and how it is kept."""


def _example(path: Path, number: int, item: Any) -> Example:
    where = f"example {number + 1}"
    if not isinstance(item, dict) or set(item) - set(EXAMPLE_KEYS):
        raise _invalid(path, f"{where}: {item!r:.80}", f"its keys are {', '.join(EXAMPLE_KEYS)}")
    task, completion = item.get("task", 0), item.get("completion")
    if not isinstance(task, int) or isinstance(task, bool) or task < 0:
        raise _invalid(path, f"{where}: task = {task!r}", "the task's index, from 0")
    if isinstance(completion, list) and completion:
        completion = _messages(path, where, completion)
    elif not isinstance(completion, str | list):
        raise _invalid(path, f"{where} has no completion", f"a text, or a list of {TURNS}")
    earns = item.get("earns", 1.0)
    if not _is_number(earns) and earns not in (*EARNS, UNDECIDED):
        words = ", ".join(EARNS)
        raise _invalid(path, f"{where}: earns = {earns!r}", f"{words}, or the reward as a number")
    piece = item.get("task_has", "")
    if not isinstance(piece, str):
        raise _invalid(path, f"{where}: task_has = {piece!r:.80}", "a piece of the task's prompt")
    kept = earns if isinstance(earns, str) else float(earns)
    return Example(task, completion, kept, str(item.get("why", "")), piece)


TURNS = 'texts, {call = "a tool", with = {its = "arguments"}} and messages'


def _messages(path: Path, where: str, items: list[Any]) -> list[dict[str, Any]]:
    """The messages of a list: each text is a reply, each call is left to the environment."""
    turns: list[Any] = []
    for item in items:
        if isinstance(item, dict) and _is_call(item):
            turns.append((item["call"], item.get("with", {})))
        elif isinstance(item, str) or (isinstance(item, dict) and "call" not in item):
            turns.append(item)
        else:
            raise _invalid(path, f"{where}: {item!r:.80} is no turn", f"a list of {TURNS}")
    return messages_of(turns)


def _is_call(item: dict[str, Any]) -> bool:
    named = isinstance(item.get("call"), str) and isinstance(item.get("with", {}), dict)
    return named and set(item) <= {"call", "with"}


# --- policy.toml ---------------------------------------------------------------------------

POLICY_KEYS = (
    "range",
    "partial_credit",
    "length_penalty",
    "strict_format",
    "refused_forms",
    "judge_band",
    "format_floor",
)


def _is_policy(data: dict[str, Any]) -> bool:
    table = data.get("reward", data)
    return isinstance(table, dict) and bool(set(table) & (set(POLICY_KEYS) - {"range"}))


def _policy(path: Path, table: dict[str, Any]) -> Contract:
    """The contract that a policy.toml of earlier releases declares."""
    for key, value in table.items():
        if key not in POLICY_KEYS:
            raise _invalid(path, f"unknown key {key!r}", f"one of {', '.join(POLICY_KEYS)}")
        _policy_value(path, key, value)
    refuses = tuple(table.get("refused_forms", ()))
    return Contract(
        range=tuple(table["range"]) if "range" in table else None,
        partial="graded" if table.get("partial_credit") else None,
        length="shorter" if table.get("length_penalty") else None,
        refuses=("all",) if table.get("strict_format") else refuses,
        noise=_or_none(table.get("judge_band")),
        wrong=_or_none(table.get("format_floor")),
        path=path,
    )


def _or_none(value: Any) -> float | None:
    return None if value is None else float(value)


def _policy_value(path: Path, key: str, value: Any) -> None:
    tests: dict[str, tuple[Test, str]] = {
        "range": (_is_range, "[low, high]"),
        "refused_forms": (_is_texts, "a list of form names"),
        "judge_band": (lambda v: _is_number(v) and v >= 0, "a number"),
        "format_floor": (_is_number, "a number"),
    }
    test, form = tests.get(key, (lambda v: isinstance(v, bool), "true or false"))
    if not test(value):
        raise _invalid(path, f"{key} = {value!r}", f"write {key} as {form}")


# --- writing ---------------------------------------------------------------------------------


def render(contract: Contract, notes: dict[str, list[str]] | None = None) -> str:
    """The contract as TOML. `notes`: comment lines that follow a clause, or stand where it is
    not declared."""
    notes = notes or {}
    lines = [
        "# What this reward is meant to pay; test_reward.py holds the reward to it.",
        "[reward]",
    ]
    for name in CLAUSES:
        value = contract.declared.get(name)
        if value is not None:
            written = value[0] if name == "says" and len(value) == 1 else value
            lines.append(f"{name} = {literal(written)}")
        lines += [f"# {line}" for line in notes.get(name, ())]
    text = "\n".join(lines) + "\n"
    return text + "".join(f"\n{example_text(example)}" for example in contract.examples)


def example_text(example: Example) -> str:
    lines = ["[[example]]", f"task = {example.task}"]
    lines += [f"task_has = {literal(example.task_has)}"] if example.task_has else []
    earns = literal(example.earns) if isinstance(example.earns, str) else f"{example.earns:g}"
    lines += [f"completion = {literal(_turns(example.completion))}", f"earns = {earns}"]
    lines += [f"why = {literal(example.why)}"] if example.why else []
    return "\n".join(lines) + "\n"


def _turns(completion: Completion) -> Any:
    """The completion as a file says it: calls and replies, where there is nothing else in it."""
    if isinstance(completion, str):
        return completion
    try:
        turns = turns_of(completion)
    except (KeyError, TypeError, ValueError):  # calls of another shape stay as they are
        return completion
    short = [
        turn if isinstance(turn, str) else {"call": turn[0], "with": turn[1]} for turn in turns
    ]
    return short if messages_of(turns) == completion else completion


def literal(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, float):
        return f"{value:g}" if "." in f"{value:g}" or "e" in f"{value:g}" else f"{value:g}.0"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else literal(name)
