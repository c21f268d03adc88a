"""The answers file: a TOML that is filled in, or the JSON that the page saves.

review = "3f2a91c0"
reader = "an agent"

[answers]
1 = "right"
2 = "wrong: the last tag counts"      # with the sentence that decides
3 = "part 0.5"                        # with the share of a full reward
4 = "unsure: are units allowed?"      # with what is not said

[remarks]
4 = "the same question as task 7"     # by task

[[own]]
task = 4
completion = "<answer>12</answer>"
earns = "wrong"
why = "the README asks for a unit"

[decided]
counts = "last"                       # clauses for contract.toml (--accept)
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.files import parse_json, parse_toml, read_plain
from lab.cli.report import usage
from lab.environment import Completion
from lab.review.content import Shown

LABELS = ("right", "wrong", "part", "unsure")
LABEL = re.compile(r"(right|wrong|unsure|part)(?:\s+(\d*\.?\d+)\s*(%?))?", re.IGNORECASE)
KEYS = ("review", "reader", "model", "answers", "remarks", "own", "decided")
OWN_KEYS = ("task", "completion", "earns", "why")
LARGEST = 4 << 20


@dataclass(frozen=True)
class Answer:
    """A label, with the sentence that decides it or the reader's own words, where there are any."""

    label: str
    quote: str = ""
    share: float | None = None
    """Of `part`: how much of a full reward the reader would pay."""

    @property
    def verdict(self) -> str:
        """The label, with the share of a part."""
        return self.label if self.share is None else f"{self.label} {self.share:g}"

    @property
    def text(self) -> str:
        """As it is written in a file."""
        return f"{self.verdict}: {self.quote}" if self.quote else self.verdict


@dataclass(frozen=True)
class Own:
    """A completion of the reader's own."""

    task: int
    completion: Completion
    earns: str
    why: str = ""


@dataclass(frozen=True)
class Answers:
    review: str
    reader: str = ""
    model: str = ""
    """The model that was the reader, "" where it was an agent or a person."""
    answers: dict[int, Answer] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    own: tuple[Own, ...] = ()
    decided: dict[str, Any] = field(default_factory=dict)

    def of(self, number: int) -> Answer:
        """What was said of a completion; without a label where nothing was."""
        return self.answers.get(number, Answer(""))


def template(shown: Shown) -> str:
    """The file as it is filled in."""
    first = shown.tasks[0][0] if shown.tasks else "0"
    lines = [
        "# Written by prime-lab-trainer. right, wrong, part or unsure for each completion; where a",
        '# sentence of README or prompt decides, copy it: "wrong: the last tag counts"; how much:',
        '# "part 0.5"; what is not said: "unsure: are units allowed?"',
        f'review = "{shown.review}"',
        'reader = ""',
        "",
        "[answers]",
        *(f'{number} = ""' for number, _, _ in shown.completions),
        "",
        "[remarks]",
        f'# {first} = "what is odd about task {first}"',
        "",
        "# A completion of your own for each rule that none of those shown tests:",
        "# [[own]]",
        f"# task = {first}",
        "# completion = '''the whole reply'''",
        '# earns = "right"        # or wrong, part',
        '# why = "the sentence of README or prompt that says so"',
    ]
    return "\n".join(lines) + "\n"


def read(path: Path) -> Answers:
    """The answers of a file. Raises a usage error (exit 2) that names what is wrong."""
    data = _data(path)
    unknown = set(data) - set(KEYS)
    if unknown:
        raise _invalid(
            path, f"unknown key {sorted(unknown)[0]!r}", f"its keys are {', '.join(KEYS)}"
        )
    review = data.get("review")
    if not isinstance(review, str) or not re.fullmatch(r"[0-9a-f]{8,32}", review):
        raise _invalid(path, "review is missing", "keep the line `review = ...` of the template")
    return Answers(
        review,
        str(data.get("reader") or ""),
        str(data.get("model") or ""),
        {_number(path, key): _answer(path, key, v) for key, v in _table(path, data, "answers")},
        {key: str(text) for key, text in _table(path, data, "remarks") if str(text).strip()},
        tuple(_own(path, i, one) for i, one in enumerate(_list(path, data, "own"), 1)),
        dict(_table(path, data, "decided")),
    )


def _data(path: Path) -> dict[str, Any]:
    try:
        raw = read_plain(path, LARGEST)
        as_json = path.suffix == ".json"
        found = parse_json(raw) if as_json else parse_toml(raw)
    except OSError as error:
        raise _invalid(path, f"cannot be read: {error.strerror}", "check the path") from None
    except ValueError as error:
        raise _invalid(
            path, f"cannot be parsed: {error}", "repair it, or begin with a new sheet"
        ) from None
    if not isinstance(found, dict):
        raise _invalid(path, "is no table", "begin with the answers file of the sheet")
    return found


def _table(path: Path, data: dict[str, Any], name: str) -> list[tuple[str, Any]]:
    found = data.get(name) or {}
    if not isinstance(found, dict):
        raise _invalid(path, f"{name} is no table", f"write [{name}]")
    return list(found.items())


def _list(path: Path, data: dict[str, Any], name: str) -> Sequence[Any]:
    found = data.get(name) or []
    if not isinstance(found, list):
        raise _invalid(path, f"{name} is no list", f"write [[{name}]] before each")
    return found


def _number(path: Path, key: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", key):
        raise _invalid(
            path, f"answers has the key {key!r}", "its keys are the numbers of the sheet"
        )
    return int(key)


def parsed(value: Any) -> Answer | None:
    """What was written for a completion, as an answer; None where it is none."""
    label, _, quote = str(value).partition(":")
    if not label.strip():
        return Answer("", quote.strip())
    found = LABEL.fullmatch(label.strip())
    if found is None:
        return None
    name, share = found[1].lower(), None
    if found[2]:
        share = float(found[2]) / (100 if found[3] else 1)
        if name != "part" or share > 1:
            return None
    return Answer(name, quote.strip(), share)


def _answer(path: Path, key: str, value: Any) -> Answer:
    found = parsed(value)
    if found is None:
        legal = f"one of {', '.join(LABELS)}; part may have a share from 0 to 1: part 0.5"
        raise _invalid(path, f"{key} = {str(value)[:60]!r}", legal)
    return found


def _own(path: Path, number: int, item: Any) -> Own:
    where = f"own {number}"
    if not isinstance(item, dict) or set(item) - set(OWN_KEYS):
        raise _invalid(path, f"{where}: {str(item)[:80]}", f"its keys are {', '.join(OWN_KEYS)}")
    task, completion, earns = item.get("task"), item.get("completion"), item.get("earns")
    if not isinstance(task, int) or isinstance(task, bool):
        raise _invalid(path, f"{where}: task = {task!r}", "the number of a task of the sheet")
    if not isinstance(completion, str) and not _is_messages(completion):
        raise _invalid(path, f"{where} has no completion", "a text, or a list of messages")
    said: Completion = completion or ""
    if earns not in ("right", "wrong", "part"):
        raise _invalid(path, f"{where}: earns = {earns!r}", "right, wrong or part")
    return Own(task, said, str(earns), str(item.get("why", "")))


def _is_messages(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _invalid(path: Path, what: str, fix: str) -> Exception:
    return usage(f"{path}: {what}", fix, id="input.invalid_answers")


def as_json(answers: Answers) -> str:
    """The answers as the page saves them."""
    given = {str(number): answer.text for number, answer in answers.answers.items()}
    own = [
        {"task": o.task, "completion": o.completion, "earns": o.earns, "why": o.why}
        for o in answers.own
    ]
    data = {
        "review": answers.review,
        "reader": answers.reader,
        "model": answers.model,
        "answers": given,
        "remarks": answers.remarks,
        "own": own,
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
