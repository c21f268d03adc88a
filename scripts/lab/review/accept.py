"""What a review decided, as clauses and examples of `contract.toml`.

Clauses are those under [decided] of the answers file. Examples are completions on which reader and
reward agree: the reader's own, and one of the sheet per form, structure or exploit. Nothing that is
declared already is changed, and the comments of the file stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lab.cli.files import write_whole
from lab.cli.report import usage
from lab.cli.untrusted import excerpt
from lab.environment import Location
from lab.review.answers import Answers
from lab.review.items import CONTROL, NO_TASK, PART, WRONG
from lab.review.own import AGREES, Scored
from lab.review.sealed import Review
from lab.reward import contract_file
from lab.reward.contract import Contract, Example
from lab.reward.observation import key_of

MOST_EXAMPLES = 6


def accept(
    location: Location, named: Path | None, review: Review, answers: Answers, own: list[Scored]
) -> tuple[Path, list[str]]:
    """Write the contract; returns its path and what was added to it, line by line."""
    contract = contract_file.read(named) if named else contract_file.beside(location.path)
    path = named or contract.path or _new_place(location)
    if path.name == contract_file.OLD_NAME:
        raise usage(
            f"{path} is of an older form",
            "write contract.toml from it first: test_reward.py ENV --contract contract.toml",
            id="input.invalid_contract",
        )
    clauses = list(_clauses(path, contract, answers))
    examples = list(_examples(contract, review, answers, own))
    if not clauses and not examples:
        return path, []
    old = path.read_text(encoding="utf-8") if path.is_file() else contract_file.render(Contract())
    text = _with_clauses(old, clauses).rstrip("\n") + "\n"
    text += "".join(f"\n{one}" for one in map(contract_file.example_text, examples))
    contract_file.check(path, text)
    write_whole(path, text)
    said = (f"example: task {e.task}, {excerpt(key_of(e.completion), 60)!r}" for e in examples)
    return path, [*clauses, *said]


def _new_place(location: Location) -> Path:
    folder = location.path if location.path.is_dir() else location.path.parent
    return folder / contract_file.NAME


def _clauses(path: Path, contract: Contract, answers: Answers) -> Iterator[str]:
    """The lines of what was decided. Raises a usage error for a clause that is declared otherwise
    already: then the contract is corrected by hand."""
    declared = contract.declared
    for name, value in answers.decided.items():
        kept = contract_file.clause(path, name, value)
        if name in declared and declared[name] == kept:
            continue
        if name in declared:
            raise usage(
                f"{path} declares {name} = {contract_file.literal(declared[name])} already",
                f"change it there to {contract_file.literal(value)}, or leave it out of [decided]",
                id="input.invalid_contract",
            )
        yield f"{name} = {contract_file.literal(value)}"


def _with_clauses(text: str, clauses: list[str]) -> str:
    """The file with these lines at the end of its table [reward]."""
    if not clauses:
        return text
    lines = text.splitlines()
    if "[reward]" not in [line.strip() for line in lines]:
        return "\n".join([*lines, "", "[reward]", *clauses])
    start = next(i for i, line in enumerate(lines) if line.strip() == "[reward]")
    ends = (i for i in range(start + 1, len(lines)) if lines[i].lstrip().startswith("["))
    end = next(ends, len(lines))
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return "\n".join([*lines[:end], *clauses, *lines[end:]])


def _examples(
    contract: Contract, review: Review, answers: Answers, own: list[Scored]
) -> Iterator[Example]:
    known = {(e.task, key_of(e.completion)) for e in contract.examples}
    agreed = [
        Example(s.own.task, s.own.completion, s.reward or 0.0, s.own.why or "of a review")
        for s in own
        if s.state == AGREES
    ]
    names: set[str] = set()
    for item in review.items:
        answer = answers.of(item.number)
        plain = item.role in (CONTROL, WRONG) or item.task == NO_TASK
        if plain or answer.label != item.says or item.says == PART:
            continue
        if item.name not in names:
            names.add(item.name)
            why = answer.quote or f"{item.says} for the reader of a review: {item.name}"
            agreed.append(Example(item.index, item.completion, item.reward or 0.0, why))
    for example in agreed[:MOST_EXAMPLES]:
        if (example.task, key_of(example.completion)) not in known:
            known.add((example.task, key_of(example.completion)))
            yield example
