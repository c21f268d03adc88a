"""A draft of contract.toml for an environment that has none, or an older policy.toml.

What a contract or policy.toml declares already, what prompt and README state, and where the gold
is, is written as a clause. What only the reward
shows is a comment with the legal values: whoever reads prompt and README takes the comment sign
away, or writes what is meant instead. What clauses cannot say is asked for as examples: the
sentences of README and prompts are listed, each may be a rule that is kept or broken.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lab.cli.secrets import masked
from lab.cli.untrusted import excerpt, visible
from lab.environment import Completion
from lab.reward.brief import Brief
from lab.reward.contract import CLAUSES, EARNS, UNDECIDED, Contract, Example
from lab.reward.contract_file import example_text, literal, render
from lab.reward.disputed import Disputed, disputed
from lab.reward.examples import piece_of
from lab.reward.formats.prompt import shared_text
from lab.reward.interactive.calls import sensible
from lab.reward.interactive.messages import conversation, shown
from lab.reward.interactive.signatures import REFUSED, described
from lab.reward.interactive.ways import NEUTRAL
from lab.reward.observation import key_of
from lab.reward.observed import Clause
from lab.reward.outcome import Audit
from lab.reward.reading.by_example import SOURCE
from lab.reward.reading.right import APPROVED
from lab.reward.reading.solved import SOLVED
from lab.reward.sentences import LONGEST, sentences
from lab.reward.stays_paid import StaysPaid, stays_paid
from lab.reward.unlike import unlike

NO_FIELDS = (SOLVED, APPROVED, SOURCE)
"""Sources of golds that no field of the tasks is."""
KNOWN = ("gold", "answer_type", "says")
"""Clauses that what was found already settles."""
NUMBERS = ("wrong", "empty", "silent", "noise")
MOST_EXAMPLES = 2
CALLS = 'completion = [{call = "a tool", with = {its_parameter = "a value"}}, "the last reply"]'
SEE = "what is said in between: test_reward.py ENV --play FILE, with such completions in FILE"
REPLIES = 'completion = ["the first reply", "the second reply"]'
MOST_CALL = 120
TASKS, MOST_TOOLS, MOST_LINES, MOST_CHARACTERS = 10, 6, 180, 600
"""Tasks whose prompts are shown, tools that are called, lines of one, and characters of a line."""
FEW, LONG = 3, 120
"""So many tasks are shown however long they are; more, up to so many lines of all together."""
WORTH = "is it right, part or wrong?"
STILL = f"it earns as much as the right reply; {WORTH}"
ASKED = """\
Most rules of a reward are no clause: they are held by examples alone. These are the sentences of
README and prompts. For each that decides what a reply earns, add the reply that just keeps it and
the nearest one that breaks it, for a task of which you are sure: another allowed form, a limit and
one beyond it, one part of several wrong, left out, twice or in another order, each value that has
to be right, each bonus and each cost. Ten examples or more; `why` says the number of the sentence.
Leave out what no sentence decides. Then solve each task below from its prompt alone, computations
with a program, and add the reply as one that is right: a gold that is wrong is seen by nothing
else. At the end of the file are replies that the test holds against the reward, and changed ones
that earn as much as the right one: say of each what it is worth, in the place of "?". Then run the
command that wrote this file once more: it asks about changes of your own right examples, too. earns
is one of these words, or the number that a sentence states for it:"""


def asked_again(audit: Audit) -> str:
    """What is asked about a contract that is there: examples to be put at its end, "" for none."""
    brief, questions = audit.brief, list(_questions(audit, []))
    shared = _shared_lines(brief)
    shown_there = _shown(brief, shared)
    given = _tasks_of([*brief.contract.examples, *brief.contract.undecided], brief)
    more = [i for i in _tasks_of(questions, brief) if i not in {*shown_there, *given}]
    lines = [line for i in more for line in _prompt(brief, i, shared, shown_there[0])]
    told = [_comments(lines)] if lines else []
    return "".join(f"\n{text}" for text in (*told, *map(example_text, questions)))


def draft(audit: Audit, clauses: dict[str, Clause], stated: dict[str, str]) -> str:
    """The text of the file. `stated`: the sentence per clause that prompt or README state."""
    brief = audit.brief
    right = brief.right
    written = brief.scale.apart and bool(right.source)
    kind = right.answer_type
    known = {
        "gold": None if right.source in NO_FIELDS else right.source or None,
        "answer_type": kind if kind in CLAUSES["answer_type"].values else None,
        "says": (brief.format.template,) if written else (),
    }
    found = {**({} if brief.in_part else known), **brief.declared}
    contract = Contract(**found, examples=brief.contract.examples or _examples(audit))
    unsure = tuple(_unsure(brief))
    notes = {name: _note(name, contract, clauses, stated, unsure) for name in CLAUSES}
    noted = {name: lines for name, lines in notes.items() if lines}
    clauses_text = render(replace(contract, examples=()), noted)
    shared = _shared_lines(brief)
    tasks = _shown(brief, shared)
    examples = [*contract.examples, *_questions(audit, tasks)]
    tasks += [i for i in _tasks_of(examples, brief) if i not in tasks]
    asked = _asked(audit, tasks, shared)
    return "\n".join([clauses_text, asked, *map(example_text, examples)])


def _unsure(b: Brief) -> Iterator[str]:
    """Clauses of which what was seen says little: without a right answer nothing says what is paid
    at most, and that no part was seen is no proof that none is paid."""
    if not b.scale.apart:
        yield from ("range", "silent", "empty")
    if not b.graded:
        yield "partial"


def _asked(audit: Audit, tasks: list[int], shared: list[str]) -> str:
    """What examples are to be written about, as comments: sentences, tools and tasks."""
    brief = audit.brief
    said = sentences("\n\n".join([brief.readme, shared_text(brief.tasks)]))
    lines = [*ASKED.splitlines(), *(f'  earns = "{word}": {EARNS[word]}' for word in EARNS), ""]
    lines += [f"{n:>3}. {excerpt(one, LONGEST)}" for n, one in enumerate(said, 1)]
    if tools := described(brief.description.schemas):
        lines += ["", "tools:", *_quoted(tools), f"such as {CALLS}", SEE]
    elif brief.playable:
        lines += ["", f"such as {REPLIES}", SEE]
    if system := brief.tasks[0].system if brief.tasks else "":
        lines += ["", "before each task the model is told:", *_quoted(system)]
    for n, i in enumerate(tasks):
        lines += ["", *_prompt(brief, i, shared if n else [], tasks[0])]
        for asked, reply in _replies(brief, i) if n < FEW else ():
            told = next((one.unread for one in brief.play(i, reply)), "")
            if told and not REFUSED.search(told):
                lines += [f"  to {asked} the environment says:", *_quoted(told)]
    return _comments(lines)


def _comments(lines: Iterable[str]) -> str:
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)


def _prompt(b: Brief, task: int, shared: list[str], first: int) -> list[str]:
    """The lines that show a task; those at its end that all have are said to be in the first."""
    lines = [f"task {b.tasks[task].index}:", *_quoted(_short(b.tasks[task].prompt, shared))]
    said = f"  [and the last {len(shared)} lines of task {b.tasks[first].index}]"
    return [*lines, said] if shared else lines


def _tasks_of(examples: Iterable[Example], b: Brief) -> list[int]:
    """The positions of the tasks that examples are about, each once."""
    places = {task.index: i for i, task in enumerate(b.tasks)}
    return list(dict.fromkeys(places[one.task] for one in examples if one.task in places))


def _shown(b: Brief, shared: list[str]) -> list[int]:
    """The tasks whose prompts are shown: those that differ most, few of them where they are
    long."""
    prompts = [_short(task.prompt, shared) for task in b.tasks]
    found = unlike([f"{prompt}\n{b.gold(i)}" for i, prompt in enumerate(prompts)], TASKS)
    lines = (len(prompts[i].splitlines()) for i in found)
    most = max(FEW, sum(total <= LONG for total in itertools.accumulate(lines)))
    return found[:most]


def _shared_lines(b: Brief) -> list[str]:
    """The lines that end all prompts alike."""
    prompts = [task.prompt.splitlines()[::-1] for task in b.tasks]
    ends = itertools.takewhile(lambda at: len(set(at)) == 1, zip(*prompts, strict=False))
    return [at[0] for at in ends][::-1] if len(prompts) > 1 else []


def _short(prompt: str, shared: list[str]) -> str:
    """A prompt without the lines at its end that all have."""
    lines = prompt.splitlines()
    return "\n".join(lines[: len(lines) - len(shared)] or lines).rstrip()


def _replies(b: Brief, task: int) -> Iterator[tuple[str, list[Any]]]:
    """What is said once, to see what comes back: a call of each tool with words of the prompt
    alone, or nothing of interest."""
    schemas, asked = b.description.schemas, replace(b.tasks[task], fields={})
    for tool, schema in list(schemas.items())[:MOST_TOOLS]:
        made = conversation([sensible(tool, schema, asked)])[:1]
        yield excerpt(shown(made), MOST_CALL), list(made)
    if not schemas:
        yield f"'{NEUTRAL}'", [NEUTRAL]


def _quoted(text: str) -> list[str]:
    """The lines of a text; of a long one those at its beginning and at its end, where it asks."""
    lines = masked(text).splitlines()
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        left_out = f"[{len(lines) - 2 * half} lines more]"
        lines = [*lines[:half], left_out, *lines[-half:]]
    return [f"  | {visible(line)[:MOST_CHARACTERS]}" for line in lines]


def _examples(audit: Audit) -> tuple[Example, ...]:
    """Right completions that are paid, to be checked by whoever knows the task."""
    brief = audit.brief
    found = []
    for i in brief.order:
        completion, reward = brief.right.completion(i), brief.scale.right.get(i)
        if completion is not None and reward is not None and brief.scale.apart:
            task, why = brief.tasks[i], "is this right, and worth that?"
            found.append(Example(task.index, completion, reward, why, piece_of(task, brief.tasks)))
        if len(found) == MOST_EXAMPLES:
            break
    return tuple(found)


def _questions(audit: Audit, tasks: list[int]) -> Iterator[Example]:
    """What findings stand on, and changed right replies that earn as much: replies of which nobody
    has said what they are worth."""
    brief = audit.brief
    of = {example.task for example in brief.contract.examples}
    named = [i for i, task in enumerate(brief.tasks) if task.index in of]
    changed = stays_paid(audit, list(dict.fromkeys([*named, *tasks, *brief.order])))
    asked: list[tuple[str, Disputed | StaysPaid]]
    asked = [(f"{d.name}: it earns {d.reward:.3g}; {WORTH}", d) for d in disputed(audit)]
    asked += [(f"{one.words}: {STILL}", one) for one in changed]
    seen = set()
    for why, one in asked:
        task = brief.tasks[one.task]
        key = (task.index, key_of(one.completion))
        if key not in seen and _can_be_written(one.completion):
            seen.add(key)
            piece = piece_of(task, brief.tasks)
            yield Example(task.index, one.completion, UNDECIDED, why, piece)


def _can_be_written(completion: Completion) -> bool:
    """Whether a file of TOML can hold it: it is UTF-8, which has no lone surrogates."""
    try:
        literal(completion).encode()
    except UnicodeEncodeError:
        return False
    return True


def _note(
    name: str,
    contract: Contract,
    clauses: dict[str, Clause],
    stated: dict[str, str],
    unsure: tuple[str, ...],
) -> list[str]:
    clause = CLAUSES[name]
    seen = clauses.get(name)
    if name in contract.declared:
        if name in stated:
            return [f"  said: '{excerpt(stated[name], 120)}'"]
        return [] if name in KNOWN else [f"  {seen.words}"] if seen else []
    legal = ", ".join(clause.values) or clause.form
    if seen is None:
        return [f"{name}: {clause.meaning}. Nothing was seen of it. Legal: {legal}"]
    value = None if name in unsure else _value(name, seen.value)
    shown = f"{name} = {literal(value)}" if value is not None else f"{name} ="
    words = _forms(seen.value) if name == "accepts" else excerpt(seen.words, 100)
    return [f"{shown}   # {words}. Legal: {legal}"]


def _forms(value: dict[str, list[str]]) -> str:
    """All forms by their names, which are what may be written."""
    told = {how: ", ".join(value[how]) or "none" for how in ("paid", "refused")}
    return f"paid: {told['paid']}; refused: {told['refused']}"


def _value(name: str, value: Any) -> Any:
    """The observed value as a contract writes it."""
    if name in NUMBERS and isinstance(value, (int, float)):
        return round(float(value), 4)
    if name == "range" and isinstance(value, list):
        return [round(float(end), 4) for end in value]
    if name == "accepts" and isinstance(value, dict):
        return None
    return value if isinstance(value, str) and value in CLAUSES[name].values else None
