"""What the rewards of public environments pay: what was seen, and one command to see it again.

    python -m benchmarks.public_environments                    the sums of what was seen
    python -m benchmarks.public_environments --write            also the table in results/
    python -m benchmarks.public_environments --checkouts DIR    audit the checkouts in DIR again
    python -m benchmarks.public_environments --checkouts DIR --fetch    clone first what is missing
    python -m benchmarks.public_environments --checkouts DIR --contracts DIR    held to contracts

The list in cases/public_environments.toml names each environment (repository, commit, path, what
it needs), the exit code that a careful reader of its code would give, what was found, and the
smallest completion that shows it, scored by hand with the environment's own reward. It contains
no code of anybody. --fetch needs a network; datasets come as the environments load them, so a run
elsewhere sees the published rows, where the first one saw rows of our own in the same columns. A
contract is DIR/NAME/contract.toml; with --contracts only environments that have one are audited.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from lab.rates import jeffreys

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "benchmarks" / "cases" / "public_environments.toml"
PAGE = ROOT / "benchmarks" / "results" / "public_environments.md"
GITHUB = "https://github.com/{repository}"

LABELS = ("true", "policy", "false")
"""What a failing finding turned out to be: a defect; a choice that somebody could intend; wrong."""
KINDS = {
    "misread": "an answer that was not given is read out of words of the text",
    "loose": "several answers, or one taken back, are read as one; nothing is gained over a guess",
    "refused": "a right answer in the form that is asked for earns nothing",
    "constant": "one text earns the same everywhere, or the most",
    "broken": "the reward raises or is never asked: everything earns alike, or a rollout is lost",
    "tampered": "a program under test can answer for the comparison",
    "copied": "a copy of the prompt, or no attempt, earns as much as an answer",
    "incentive": "the sign, the weights or the counts favour something else than the task",
}
"""Kinds of defects, each confirmed by a completion scored by hand."""
UNSPOKEN = {
    "play": "the reward belongs to a game, a dialogue or a program that was not acted out",
    "gold": "the right answer is in no field of the task, or in a form that was not found",
    "service": "a sandbox, a server or another model has to be there",
    "judge": "the judge answers in a form that the scripted judge does not speak",
}
"""Why a test alone cannot write an answer that the reward pays."""
EXITS = {0: "holds", 1: "defect", 3: "does not load", 4: "no verdict", 124: "cut short"}


@dataclass(frozen=True)
class Seen:
    """What one run of the reward test said, and what its failing findings turned out to be."""

    exit: int
    findings: dict[str, str] = field(default_factory=dict)
    right: int | None = None
    """The exit code that is right with the contract of this run, where it is another one: a
    contract may ask for what the code does not keep."""

    def of(self, label: str) -> int:
        return sum(value == label for value in self.findings.values())


@dataclass(frozen=True)
class Public:
    """One environment of the list."""

    name: str
    repository: str
    commit: str
    path: str
    api: str
    right: int
    """The exit code that a careful reader of the code would give."""
    says: str
    """What the reward does, in one sentence."""
    args: dict[str, Any] = field(default_factory=dict)
    requirements: tuple[str, ...] = ()
    kind: str = ""
    completion: str = ""
    earns: float | None = None
    right_earns: float | None = None
    unspoken: str = ""
    tried: bool = False
    """Whether completions were scored by hand, with a defect as the result or without."""
    new: bool = False
    """Whether the reward test had never met it before its first run."""
    first: Seen | None = None
    later: Seen | None = None
    contract: Seen | None = None
    """The last run with a contract, written by a reader of README and prompts who did not see the
    code."""

    @property
    def declared(self) -> Seen | None:
        """What the last run said with a contract, or without where none was written."""
        return self.contract or self.last

    @property
    def last(self) -> Seen | None:
        """What the last run said."""
        return self.later or self.first

    @property
    def folder(self) -> str:
        """Where its checkout is, below the folder of checkouts."""
        return f"{self.repository.replace('/', '+')}@{self.commit[:12]}"


def read(path: Path = LIST) -> list[Public]:
    """The environments of a list, with its vocabularies checked."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["environment"]
    found = [_public(table) for table in tables]
    twice = [name for name, count in Counter(p.name for p in found).items() if count > 1]
    if twice:
        raise ValueError(f"two environments are called {twice[0]}")
    return found


def _public(table: dict[str, Any]) -> Public:
    table = dict(table)
    for run in ("first", "later", "contract"):
        if run in table:
            table[run] = Seen(**table[run])
            wrong = set(table[run].findings.values()) - set(LABELS)
            if wrong:
                raise ValueError(f"{table['name']}: no label {wrong}; choose from {LABELS}")
    if table.get("kind", next(iter(KINDS))) not in KINDS:
        raise ValueError(f"{table['name']}: no kind {table['kind']}; choose from {list(KINDS)}")
    if table.get("unspoken", next(iter(UNSPOKEN))) not in UNSPOKEN:
        raise ValueError(f"{table['name']}: choose `unspoken` from {list(UNSPOKEN)}")
    table["requirements"] = tuple(table.get("requirements", ()))
    return Public(**table)


def share(hits: int, of: int) -> str:
    """A share with its 95% interval, the way every figure here is given."""
    if not of:
        return "none tried"
    low, high = jeffreys(hits, of)
    return f"{hits} of {of} ({hits / of:.0%}; 95% {low:.0%} to {high:.0%})"


def sums(listed: list[Public]) -> Iterator[str]:
    """What the list says in numbers: of the environments, then of the reward test."""
    yield from _judged(listed)
    ran = [p for p in listed if p.first]
    yield f"the reward test ran on {len(ran)} of them, bare"
    yield from _runs("first contact, never met before", [p for p in ran if p.new], "first")
    yield from _runs("known from earlier work", [p for p in ran if not p.new], "first")
    yield from _runs("run again after repairs", [p for p in listed if p.later], "later")
    yield from _runs("the last run of each", ran, "last")
    given = [p for p in ran if p.contract]
    if given:
        yield from _runs("those with a contract, bare", given, "last")
        yield from _runs("the same with their contracts", given, "contract")
        yield from _runs("with a contract where one was written, else bare", ran, "declared")


def _judged(listed: list[Public]) -> Iterator[str]:
    """What a reader found in the code, and what completions scored by hand show."""
    apis = Counter(p.api for p in listed)
    yield (
        f"{len(listed)} environments of {len({p.repository for p in listed})} repositories, "
        f"{apis['classic']} classic and {apis['v1']} tasksets"
    )
    defects, tried = [p for p in listed if p.kind], [p for p in listed if p.tried]
    yield (
        f"all were judged from their code, and completions were scored by hand in {len(tried)}, "
        "most of them where the code made one doubt"
    )
    yield f"a defect that such a completion shows: at least {share(len(defects), len(listed))}"
    for kind, count in Counter(p.kind for p in defects).most_common():
        yield f"  {count}: {KINDS[kind]}"
    reasons = Counter(p.unspoken for p in listed if p.unspoken)
    for reason, count in reasons.most_common():
        yield f"not to be answered by a test alone, {count}: {UNSPOKEN[reason]}"


def _runs(title: str, listed: list[Public], run: str) -> Iterator[str]:
    """How the reward test did on these, bare: without a contract."""
    if not listed:
        return
    pairs = [(p, seen) for p in listed if (seen := getattr(p, run))]
    yield f"{title}: {len(pairs)}"
    loads = sum(seen.exit != 3 for _, seen in pairs)
    yield f"  load: {share(loads, len(pairs))}"
    yield f"  a verdict is given: {share(sum(s.exit in (0, 1) for _, s in pairs), len(pairs))}"
    right = sum(seen.exit == (p.right if seen.right is None else seen.right) for p, seen in pairs)
    yield f"  the verdict is right: {share(right, len(pairs))}"
    counts = {label: sum(seen.of(label) for _, seen in pairs) for label in LABELS}
    yield (
        f"  failing findings: {sum(counts.values())}, of them "
        f"{counts['true']} true, {counts['policy']} policy, {counts['false']} false"
    )


def page(listed: list[Public]) -> str:
    """The whole table, as Markdown."""
    head = (
        "# What the rewards of public environments pay\n\n"
        "`python -m benchmarks.public_environments --write` writes this page from "
        "`benchmarks/cases/public_environments.toml`.\n\n"
        "Each environment was read and tried at the commit named here, not at a later one, "
        "which may well differ. Its dataset, and what else it downloads, was replaced by rows "
        "of our own in the columns that its code reads, so nothing is said about the published "
        "data. A completion in the table was scored by hand with the environment's own reward, "
        "under `verifiers` 0.3.1 for classic environments and 0.4.0 for tasksets, which is "
        "newer than some were written for. They were chosen for many kinds of rewards and for "
        "loading without a network, so the shares are not those of all public environments. The "
        "reward test ran without a contract; where its column is empty it was not run. A contract, "
        "where one was given, was written by a reader who saw the README, three to five prompts "
        "with their rows, the tools, and the draft that the test prints, and not the code. A "
        "reader's verdict that a run made doubtful was read again: 17 were corrected, ten by "
        "completions scored by hand, one because its prompt asks for exactly the form that is "
        "paid, the others by the code and what the test had scored; six of them because the test "
        "could speak to what was thought to need more. For two the verdict is another one with "
        "the contract: it asks that an answer inside the thinking is not paid, and the code pays "
        "it. Intervals are Jeffreys 95%.\n\n"
        "To see it again: `python -m benchmarks.public_environments --checkouts DIR --fetch`.\n"
    )
    lines = [f"- {line}" if line[0] != " " else f"  - {line.strip()}" for line in sums(listed)]
    meaning = [f"- {word}: {text}" for word, text in KINDS.items()]
    table = [
        "| environment | commit | reader | test, first | test, later | with a contract "
        "| what it pays | completion | earns |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_row(p) for p in listed),
    ]
    parts = (
        head,
        "## Sums\n",
        "\n".join(lines) + "\n",
        "## Kinds\n",
        "\n".join(meaning) + "\n",
        "## Table\n",
        "In the columns of the test: its verdict, then its failing findings as "
        "true/policy/false.\n",
        "\n".join(table) + "\n",
    )
    return "\n".join(parts)


def _row(p: Public) -> str:
    where = f"{p.repository} `{p.path or '.'}` ({p.api})"
    paid = ""
    if p.earns is not None:
        beside = "" if p.right_earns is None else f" (a right answer {p.right_earns:g})"
        paid = f"{p.earns:g}{beside}"
    shown = f"`{_cell(p.completion)}`" if p.completion else ""
    kind = f"**{p.kind}**: " if p.kind else ""
    cells = (
        where,
        p.commit[:7],
        EXITS[p.right],
        _run(p.first),
        _run(p.later),
        _run(p.contract),
        kind + _cell(p.says),
        shown,
        paid,
    )
    return f"| {' | '.join(cells)} |"


def _run(seen: Seen | None) -> str:
    if seen is None:
        return ""
    counts = "/".join(str(seen.of(label)) for label in LABELS) if seen.findings else ""
    return f"{EXITS.get(seen.exit, str(seen.exit))} {counts}".strip()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("`", "'")


def fetch(listed: Iterable[Public], checkouts: Path, source: str = GITHUB) -> list[str]:
    """Clone each commit that is missing; the folders that could not be had, with git's reason."""
    refused = []
    for folder, p in {p.folder: p for p in listed}.items():
        target = checkouts / folder
        if target.is_dir():
            continue
        target.mkdir(parents=True)
        steps = (
            ["init", "-q"],
            ["fetch", "-q", "--depth", "1", source.format(repository=p.repository), p.commit],
            ["checkout", "-q", "FETCH_HEAD"],
        )
        for step in steps:
            done = subprocess.run(
                ["git", *step], cwd=target, capture_output=True, text=True, check=False
            )
            if done.returncode:
                refused.append(f"{folder}: {done.stderr.strip()[-200:]}")
                break
    return refused


def entries(
    listed: Iterable[Public], checkouts: Path, contracts: Path | None = None
) -> list[dict[str, Any]]:
    """The list for audit_environments.py: those whose checkout is there, and whose contract where
    they are held to contracts."""
    found = []
    for p in listed:
        env = checkouts / p.folder / p.path
        if not env.is_dir():
            continue
        entry: dict[str, Any] = {"name": p.name, "env": str(env)}
        entry |= {"repository": p.repository, "commit": p.commit}
        if contracts:
            contract = contracts / p.name / "contract.toml"
            if not contract.is_file():
                continue
            entry["contract"] = str(contract.absolute())
        if p.args:
            entry["args"] = p.args
        if p.requirements:
            entry["requirements"] = list(p.requirements)
        found.append(entry)
    return found


def audit(listed: list[Public], checkouts: Path, contracts: Path | None, more: list[str]) -> int:
    """Audit what is in the checkouts with scripts/audit_environments.py, beside what was seen."""
    asked = entries(listed, checkouts, contracts)
    if not asked:
        held = f" with a contract in {contracts}" if contracts else ""
        print(f"no environment of the list is in {checkouts}{held}: fetch them with --fetch")
        return 3
    out = checkouts / ("audit-contracts" if contracts else "audit")
    out.mkdir(exist_ok=True)
    source = out / "list.json"
    source.write_text(json.dumps({"environments": asked}, indent=1), encoding="utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "audit_environments.py"), str(source)]
    done = subprocess.run(
        [*command, "--output-dir", str(out), "--json", *more],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode in (2, 3) and not done.stdout.strip().startswith("{"):
        return done.returncode
    rows = {row["name"]: row for row in json.loads(done.stdout)["facts"]["environments"]}
    same = 0
    for p in listed:
        if p.name in rows:
            verdict = rows[p.name]["verdict"]
            same += CODES.get(verdict) == p.right
            print(f"{p.name}: {verdict}; a reader of the code: {EXITS[p.right]}")
    print(f"the reader's verdict: {share(same, len(rows))}")
    return 0


CODES = {"pass": 0, "warn": 0, "fail": 1, "error": 3, "inconclusive": 4}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--checkouts", type=Path, metavar="DIR", help="audit the checkouts there")
    parser.add_argument("--fetch", action="store_true", help="clone first what is missing")
    parser.add_argument("--contracts", type=Path, metavar="DIR", help="hold them to those there")
    parser.add_argument("--source", default=GITHUB, help=f"where to clone from ({GITHUB})")
    parser.add_argument("more", nargs="*", help="arguments for audit_environments.py, after --")
    args = parser.parse_args(argv)
    listed = read()
    if args.checkouts:
        if args.fetch:
            for line in fetch(listed, args.checkouts, args.source):
                print(f"not fetched: {line}", file=sys.stderr)
        return audit(listed, args.checkouts, args.contracts, args.more)
    if args.write:
        PAGE.write_text(page(listed), encoding="utf-8")
    print("\n".join(sums(listed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
