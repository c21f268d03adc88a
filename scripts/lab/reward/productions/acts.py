"""Rollouts of tools and turns: calls that do nothing, other values, sitting it out, too late.

Also games with rules: the right value by a way that is not allowed.
"""

from __future__ import annotations

import re
from typing import Any

from lab.answers.countdown import forbidden
from lab.answers.numbers import parse_number
from lab.environment import Completion
from lab.reward.brief import Brief
from lab.reward.formats.prompt import commands_of
from lab.reward.interactive.calls import answered, blank, nowhere, sensible
from lab.reward.interactive.messages import (
    Call,
    at_once,
    calls_made,
    conversation,
    last_said,
    said,
    turns_of,
)
from lab.reward.interactive.ways import NEUTRAL
from lab.reward.productions.base import Variant, Variants, production
from lab.reward.productions.late import COUNTS
from lab.reward.reading.acting import MOST_TURNS
from lab.reward.reading.worked_out import countdown_of

COMMAND = re.compile(
    r"\[([A-Za-z]{3,12})\]|`/?([A-Za-z]{3,12})`|['\"“]([A-Za-z]{4,12})['\"”]|\b([A-Z]{3,12})\b"
)
"""A word that the instructions give as something to say."""
FREE_WORDS = re.compile(
    r"reason|note|comment|message|query|text|description|summary|body|subject|title|content"
    r"|explanation|thought|limit|page",
    re.IGNORECASE,
)
"""Names of parameters that hold free words, or say how much to show."""
MOST_TOOLS, MOST_LAST = 6, 3


@production(
    "empty_tool_calls",
    title="tool calls that do nothing are not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    reason="A reward that counts calls is earned by calling, and grows with every repetition.",
    source="falsepass: probe list; public logs: tool_count_reward",
    fix="pay for what the calls achieved; a count of calls may be a metric with weight 0",
)
def empty_tool_calls(b: Brief, task: int) -> Variants:
    tools, schemas = b.description.tools, list(b.description.schemas.items())[:MOST_TOOLS]
    if not tools:
        return
    for tool, schema in schemas:
        if properties := schema.get("properties"):
            prompt = b.tasks[task].prompt
            words = {n: prompt if _is_text(kind) else blank(kind) for n, kind in properties.items()}
            yield Variant(f"{tool} with the prompt as its words", conversation([(tool, words)]))
            call = sensible(tool, schema, b.tasks[task])
            once = f"{tool} with words of the prompt"  # which may be what is asked for
            yield Variant(once, conversation([call]), right=True)
            yield Variant(f"{once}, five times", conversation([call] * 5), unless=once)
            yield Variant(f"{once}, ten times", conversation([call] * 10), unless=once)
    yield Variant("an unknown tool", conversation([("no_such_tool", {})]))
    for tool, names in list(b.description.arguments.items())[:MOST_TOOLS]:
        if names:
            call = (tool, dict.fromkeys(names, True))
            yield Variant(f"{tool} with true in every argument", conversation([call]))
    for tool in tools[:MOST_TOOLS]:
        yield Variant(f"{tool} without arguments", conversation([(tool, {})]))
        yield Variant(f"{tool} ten times", conversation([(tool, {})] * 10))
    yield Variant("every tool once", conversation([(tool, {}) for tool in tools[:20]]))


def _is_text(kind: dict[str, Any]) -> bool:
    return kind.get("type", "string") == "string" and not kind.get("enum")


@production(
    "played_out",
    title="an exchange that is only sat out is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    whole=True,
    reason="A flag that ends the game is easily taken for the one that it was won.",
    source="falsepass: probe list",
    fix="pay for what was reached, read from the state at the end; an end by the limit, by giving "
    "up or by a foul is no success",
)
def played_out(b: Brief, task: int) -> Variants:
    if not b.playable:
        return
    yield Variant("neutral replies to the end", said([NEUTRAL] * MOST_TURNS))
    yield Variant("nothing readable to the end", said([b.write("x")] * MOST_TURNS))
    gold = b.gold(task)
    if gold:
        yield Variant(
            "wrong answers to the end", said(b.write(b.wrong(task, n)) for n in range(MOST_TURNS))
        )
        yield Variant("one wrong answer to the end", said([b.write(b.wrong(task))] * MOST_TURNS))
        shown = b.tasks[task].shown
        commands = commands_of(shown)
        wrong = next((one for one in b.target(task).wrongs if one in shown), b.wrong(task))
        for asked in commands if b.format.before.strip() in commands else ():
            text = f"a wrong answer after {asked} about it"
            yield Variant(text, said([f"{asked} {wrong}", b.write(wrong)]))
    for word in spoken(b, task):
        bracketed = f"[{word}]" if f"[{word}]" in b.tasks[task].shown else word
        for text in dict.fromkeys((bracketed, b.write(word))):
            yield Variant(f"only {word!r}", text)
            yield Variant(f"{word!r} to the end", said([text] * MOST_TURNS))


def spoken(b: Brief, task: int) -> list[str]:
    """The words that the instructions give as something to say, and that are no answer."""
    instructions = b.tasks[task].system or b.tasks[task].prompt
    words = [next(word for word in found if word) for found in COMMAND.findall(instructions)]
    answer = b.gold(task).lower().split()
    return [word for word in dict.fromkeys(words) if word.lower() not in answer][:6]


@production(
    "repeated_move",
    title="one move repeated to the end is not paid",
    severity="critical",
    free=True,
    needs_gold=False,
    whole=True,
    section="played-out",
    least_share=0.5,  # in a straight corridor one move is the way out
    reason="Progress that is added up over the turns is earned by the same move again and again.",
    source="own cases: code breaking and guessing games",
    fix="pay for the best state that was reached, or for the end; count each thing once",
)
def repeated_move(b: Brief, task: int) -> Variants:
    """The moves that are right for other tasks, and those of other tasks' golds, one at a time;
    before them the task's own that lead up to its last one."""
    rollouts = _moves(b, task) if b.playable else []
    if any(map(_again_and_again, rollouts)):
        return  # a right rollout makes one move again and again itself
    whole = {} if b.gold(task) else b.right.whole
    led = {i: moves for i, one in whole.items() if len(moves := _said(one)) > 1}
    if len(led) >= LED and task not in led:
        return  # what is known to lead somewhere there is not known to do so here
    own = led.get(task, [])[:-1]
    tried = dict.fromkeys([*own, *(move for moves in rollouts for move in moves)])
    for number, move in enumerate(list(tried)[:6], 1):
        yield Variant(f"move {number}", said([move]), right=True)  # which may be all that is asked
        yield Variant("one move to the end", said([move] * MOST_TURNS), unless=f"move {number}")


def _again_and_again(moves: list[str]) -> bool:
    most = max(map(moves.count, moves), default=0)
    return most >= REPEATED or 1 < most == len(moves)


def _moves(b: Brief, task: int) -> list[list[str]]:
    """The moves of each right rollout; the wrong answers, where what is right is an answer."""
    if b.gold(task):
        wrongs = [*b.target(task).wrongs, *(g for g in b.right.distinct if g != b.gold(task))]
        return [[b.write(answer)] for answer in wrongs]
    return [moves for rollout in b.right.whole.values() if (moves := _said(rollout))]


def _said(rollout: Completion) -> list[str]:
    """The replies of a rollout that has several."""
    several = turns_of(rollout) if not isinstance(rollout, str) else []
    return [turn for turn in several if isinstance(turn, str)]


@production(
    "other_arguments",
    title="the right call with another value is not paid",
    needs_gold=False,
    whole=True,
    section="other-calls",
    reason="A check of the tool's name, or of one argument, pays for calls that do something else.",
    source="falsepass: probe list",
    fix="compare the state that the calls left behind with the one the task wants, every value",
)
def other_arguments(b: Brief, task: int) -> Variants:
    whole = b.whole(task) or ""
    calls, last = calls_made(whole), last_said(whole)
    for number, (tool, arguments) in enumerate(calls):
        for name, value in arguments.items():
            other = None if FREE_WORDS.search(name) else _other_value(b, tool, name, value)
            if other is not None:
                changed = list(calls)
                changed[number] = (tool, {**arguments, name: other})
                yield Variant(f"another {name}", conversation(changed, last))
    if len(calls) > 1:
        yield Variant("without the last call", conversation(calls[:-1], last))


@production(
    "another_last_reply",
    title="the right calls with another task's last reply are not paid like the right one",
    needs_gold=False,
    whole=True,
    all_of_it=True,
    section="other-calls",
    reason="A report that is only looked for, or compared in part, pays for saying anything.",
    source="arXiv 2406.12045: tau-bench wants words of the reply besides the state of its database",
    fix="compare all that the last reply states with what the task wants",
)
def another_last_reply(b: Brief, task: int) -> Variants:
    whole = b.whole(task) or ""
    calls, last = calls_made(whole), last_said(whole)
    others = {last_said(one) for i, one in b.right.whole.items() if calls and i != task}
    for text in sorted(others - {last})[:MOST_LAST]:
        yield Variant("with another task's last reply", conversation(calls, text))


def _other_value(b: Brief, tool: str, name: str, value: Any) -> Any:
    """Another value of the same kind; None where there is none that is surely another."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 7
    if isinstance(value, str) and parse_number(value) is not None and value.isdigit():
        return str(int(value) + 7)
    made = [call for one in b.right.whole.values() for call in calls_made(one)]
    others = [a[name] for t, a in made if t == tool and a.get(name) not in (None, value)]
    return others[0] if others and isinstance(value, str) else None


@production(
    "another_rollout",
    title="what is right for another task is not paid",
    severity="critical",
    needs_gold=False,
    whole=True,
    section="another-gold",
    least_share=0.9,  # where several are right, another task's may be one of them
    reason="A check that never looks at the task pays one right answer everywhere.",
    source="own cases: puzzles whose given cells are not compared",
    fix="compare with what the task gives, and not only with the rules that all tasks share",
)
def another_rollout(b: Brief, task: int) -> Variants:
    whole = b.right.whole
    if b.right.own and task in whole:
        others = [one for one in whole.values() if one != whole[task]]
        for other in others[:2]:
            yield Variant("another task's", other)


@production(
    "every_call",
    title="the calls of all tasks together are not paid",
    needs_gold=False,
    whole=True,
    all_of_it=True,  # where each further call costs something, they are seen
    least_share=0.75,  # calls that change nothing in this task do no harm
    section="other-calls",
    reason="Where only the wanted call is looked for, making all of them is the safest policy.",
    source="falsepass: probe list",
    fix="what was done besides counts too: compare the whole state, or all calls that change "
    "something",
)
def every_call(b: Brief, task: int) -> Variants:
    whole = b.whole(task) or ""
    own = calls_made(whole)
    if not own or not own[-1][1]:  # work that is begun anew, and ended, discards the rest
        return
    made = {i: calls_made(one) for i, one in b.right.whole.items() if i != task}
    others = [c for i, calls in made.items() if not _fails_here(b, task, i, calls) for c in calls]
    others = [call for call in others if call not in own]
    if len(others) > 1:
        # In the middle: where the first or the last call counts, the others are no list.
        half = len(others) // 2
        mixed = conversation([*others[:half], *own, *others[half:]], last_said(whole))
        yield Variant("the right calls among those of the other tasks", mixed)


def _fails_here(b: Brief, task: int, home: int, calls: list[Call]) -> bool:
    """Whether the last call of another task, the one that acts, does nothing in this one: it is
    answered unlike there, and like a call with values that nothing has."""
    if not calls:
        return True
    here, there = (answered(b.play, i, calls[-1]) for i in (task, home))
    return here != there and here == answered(b.play, task, nowhere(calls[-1]))


LED = 3
"""Tasks whose own moves are known, from which on the others' say nothing more."""
REPEATED = 4
"""Times that a move comes in a right rollout, where it is meant to be repeated."""
MANY = 24
"""Calls that are more than a task allows."""
OTHERS = (
    "words|lines|characters|sentences|digits|decimals|pages|results|rows|entries|hits|items"
    "|documents|records|passages|names|numbers|answers|points|percent"
)
"""What a limit of so many says nothing of calls with: the length of a reply, of what comes back."""
BUDGET = re.compile(
    r"\b(?:at most|up to|no more than|more than|only|have|budget of|maximum of)\s+"
    rf"(?:\d{{1,2}}|{'|'.join(COUNTS)})\b(?! (?:\w+ )?(?:{OTHERS})\b)"
    r"|\b(?:each|every)\b[^.;\n]{0,40}\b(?:costs?|takes? off|lowers?|loses?|deduct\w*)\b",
    re.IGNORECASE,
)
"""Words by which a prompt or a README allows so many of something, or lets each one cost."""
BY_MESSAGE = re.compile(r"\b(?:turns?|rounds?|messages?|replies|steps?)\b", re.IGNORECASE)
"""Words of a limit that counts messages, and not calls."""
TOGETHER = re.compile(r"\b(?:one|same|single) (?:message|turn|reply)\b|\bparallel\b", re.IGNORECASE)
"""Words of a README that says what calls of one message count."""


@production(
    "calls_at_once",
    title="calls cost the same in one message as in several",
    needs_gold=False,
    sure=True,  # each is held against the same calls one after the other
    section="other-calls",
    reason="A message may hold many calls: a budget that counts messages is no limit to them.",
    source="verifiers: an assistant message holds a list of tool calls",
    fix="count the calls of all messages, not the messages that have some",
)
def calls_at_once(b: Brief, task: int) -> Variants:
    """What is right after too many calls, which one message makes: a gold after calls of any tool,
    or the task's own right rollout after one of its calls."""
    shown = b.tasks[task].shown
    by_turn = 1 < b.description.turns <= MANY or BY_MESSAGE.search(shown)
    if by_turn or TOGETHER.search(b.readme) or not BUDGET.search(f"{shown}\n{b.readme}"):
        return
    whole = b.whole(task) or ""
    own, last = calls_made(whole), last_said(whole)
    many = {own[0][0]: [own[0]] * MANY + own} if own else {}
    if b.gold(task):
        last = b.write(b.gold(task))
        tools = list(b.description.schemas.items())[:MOST_TOOLS]
        many = {tool: [sensible(tool, schema, b.tasks[task])] * MANY for tool, schema in tools}
    for tool, calls in many.items():
        name = f"{MANY} calls of {tool}, one after the other"
        yield Variant(name, conversation(calls, last), right=True)
        together = [*at_once(calls), *said([last])]
        yield Variant(f"{MANY} calls of {tool} in one message", together, unless=name)


@production(
    "illegal_method",
    title="the right value by a forbidden way is not paid",
    types=("expression",),
    least_golds=1,
    reason="A check of the value alone, or of the digits that occur, pays what breaks the rules.",
    source="TinyZero: countdown pays 4.5*2, 2**3 and 7//2",
    fix="parse the expression, and allow only the operators and the whole numbers of the task, "
    "each once",
)
def illegal_method(b: Brief, task: int) -> Variants:
    numbers, target = countdown_of(b.tasks[task], b.gold(task)) or ([], 0)
    if not numbers:
        return
    shown = b.tasks[task].shown
    for text in forbidden(numbers, target):
        used = next(sign for sign in ("**", "//", "%", ".") if sign in text)
        if used not in ("**", "//", "%") or used not in shown:
            yield Variant(f"with {used}", b.write(text))
    first = numbers[0]
    wrong = {
        "the target itself": str(target),
        "a number used twice": f"({b.gold(task)}) + {first} - {first}",
        "a number too many": f"{target} + {first} - {first}",
        "without the numbers": f"{target - 1} + 1",
    }
    for name, text in wrong.items():
        yield Variant(name, b.write(text))
