"""Which field holds the prompt, and which ones are shown beside it: two tables of hints."""

from __future__ import annotations

from lab.answers.shapes import has_tools, is_code, is_sql
from lab.answers.written import USER
from lab.data.schema import cells
from lab.data.schema.fields import Field, words_of
from lab.data.schema.hints import (
    Role,
    ScoredField,
    Table,
    When,
    hints,
    is_inside,
    judge,
    judged,
)
from lab.data.schema.pairs import translation_pair
from lab.data.schema.words import CONTEXT, PROMPT, TESTS, weight

SIDES = frozenset("source sources src original source_text from_text".split())
"""Names of the first side of a pair of texts; over single words, of where a row comes from."""
JUDGES = frozenset(
    "labelling labeling annotation annotator judge judging judgement judgment grader grading "
    "evaluation evaluator rating scoring critique generation verifier system".split()
)
"""First words of the names of prompts that are put to somebody else, or before every question."""
_TEXT = frozenset("text content value question prompt query input_text texts".split())
NO_TEXT = ("null", "media", "int", "float", "bool")


def prompt_candidates(table: Table) -> list[ScoredField]:
    """Fields that may hold the prompt, best first; 1.0 is a plain `question`."""
    return judged(PROMPTS, table)


def context_fields(table: Table) -> list[str]:
    """Fields that the prompt needs to be answerable: passage, premise, tools, table, input."""
    found = [f.path for f in table.fields if judge(CONTEXTS, f, table).score >= SHOWN]
    # `context.contexts` instead of `context` where the inner one is text.
    return [path for path in found if not any(other.startswith(f"{path}.") for other in found)]


def named(f: Field, t: Table) -> float:
    """What the name says; a text inside a struct is called as the struct is."""
    if not f.depth:
        return f.as_prompt
    steps = f.path.replace("[]", "").split(".")
    if pair := translation_pair(t.by_path.get(f.path.rpartition(".")[0])):
        return 0.95 if steps[-1] == pair[0] else 0.0
    if f.name in _TEXT and "[]" not in f.path:
        return max(f.as_prompt * 0.9, 0.95 * weight(PROMPT, words_of(steps[-2])))
    return 0.7 * f.as_prompt


def _users_turn(f: Field, t: Table) -> bool:
    """Inside a single message (`{"from": "human", "value": …}`) that is the user's."""
    above = f.path.rpartition(".")[0]
    roles = t.by_path.get(f"{above}.from") or t.by_path.get(f"{above}.role")
    asks = roles is not None and roles.share(lambda role: role.lower() in USER) > 0.8
    return asks and f.name in ("value", "content")


def _list_of_texts(f: Field, t: Table) -> bool:
    """A list that can be what is asked: turns, sentences, words, or several questions."""
    nested = f.as_prompt > 0.8 and cells.lists_of(
        f, lambda i: isinstance(i, list) and i and isinstance(i[0], (dict, str))
    )
    if nested or (f.as_prompt >= 0.7 and cells.lists_of(f, cells.is_text)):
        return True
    asked = named(f, t) >= 0.4 or f.key in SIDES
    words = f.words[-1] in ("tokens", "words", "toks") and cells.lists_of(f, cells.is_text)
    return words or (not f.depth and (cells.spoken_turns(f) or (asked and cells.sentences(f))))


def _belongs_to_the_answer(f: Field, t: Table) -> bool:
    steps = f.path.split(".")
    return (
        t.is_option(f)
        or (t.gold is not None and not t.chat and f.path == t.gold.path)
        or (t.gold is not None and f.path.startswith(f"{t.gold.path}."))
        or (f.depth > 0 and weight(TESTS, words_of(steps[0])) > 0.9)
        or (t.preference is not None and steps[0] == t.preference[1])
    )


def _whole(f: Field, t: Table) -> bool:
    """The prompt of another column is in it, with more around it."""
    return f.as_prompt >= 0.8 and any(
        other.as_prompt >= 0.65
        and f.mean_length > other.mean_length + 8
        and cells.contains(f, other, least=1)
        for other in t.top
    )


def _standing(f: Field, t: Table) -> bool:
    others = (one for one in t.top if one.kind == "string" and one.as_prompt >= 0.65)
    return f.standing and not all(other.standing for other in others)


def _premise(f: Field, t: Table) -> bool:
    return f.words[-1].startswith("premise") and any(
        other.words[-1].startswith(("hypothesis", "claim")) for other in t.top
    )


PROMPT_WHEN: dict[str, When] = {
    "it is no text": lambda f, t: (
        f.kind in (*NO_TEXT, "dict") or not f.present or f.identifier or f.rate or f.explains
    ),
    "the answer, its options or its tests": _belongs_to_the_answer,
    "a list of something else than texts": lambda f, t: (
        f.kind in ("list", "mixed") and not _list_of_texts(f, t)
    ),
    "a text beside the answer": lambda f, t: f.kind == "string" and not f.depth and not f.meta,
    "put to a judge, or before every question": lambda f, t: (
        len(f.words) > 1 and f.words[0] in JUDGES
    ),
    "formats of a program's input and output": lambda f, t: (
        "description" in t.by_path and cells.formats(f)
    ),
    "bookkeeping": lambda f, t: (
        f.meta and f.key not in PROMPT and named(f, t) < 0.7 and f.mean_words < 5
    ),
    "a list of messages": lambda f, t: f.chat,
    "it ends with the user's turn": lambda f, t: f.chat and f.ends_with_assistant < 0.5,
    "the user's turn": _users_turn,
    "a text as a list": lambda f, t: f.kind == "list" and not f.depth,
    "the first side of a pair of texts": lambda f, t: (
        f.path == t.sides[0] or (f.key in SIDES and f.mean_words >= 5)
    ),
    "long text": lambda f, t: f.mean_words >= 8 and f.as_prompt <= 0.5,
    "single words": lambda f, t: (
        0 < f.mean_words < 1.3 and f.mean_length < 12 and f.share(str.isalpha) > 0.8
    ),
    "JSON, or a query": lambda f, t: (
        f.kind == "string"
        and ((named(f, t) < 0.8 and cells.mostly_json(f, bool)) or f.share(is_sql) > 0.7)
    ),
    "code, beside a text that asks for it": lambda f, t: (
        f.share(is_code) >= 0.5
        and any(one.share(is_code) < 0.3 and one.as_prompt > 0.6 for one in t.top)
    ),
    "one text for all rows": _standing,
    "it has the other prompt in it, and more": _whole,
    "the premise of a hypothesis": _premise,
}
PROMPT_HINTS = """
never   it is no text: numbers, pictures, ids, rates and explanations are not asked
never   the answer, its options or its tests: what is asked is beside the answer
never   a list of something else than texts: spans, scores and tags are not asked
>=0.2   a text beside the answer: where no name says more, the longest text is asked
-0.65   put to a judge, or before every question: another model was asked it (judge_prompt,
        system_prompt)
-0.85   formats of a program's input and output: beside a description they say what the program
        reads and prints
-0.4    bookkeeping: ids, sources, subjects and counts
>=0.6   a list of messages: a conversation is ready to be asked
+0.12   it ends with the user's turn: the next turn is asked for
>=0.92  the user's turn: what the user says is asked (messages.content)
>=0.56  a text as a list: its words, sentences or turns
>=0.8   the first side of a pair of texts: the same in another language follows, or what is said
        back
+0.08   long text: what is asked has some length
-0.5    single words: a word is not asked
-0.6    JSON, or a query: what programs read is not asked
-0.15   code, beside a text that asks for it: it is where one begins, or a solution
-0.5    one text for all rows: an instruction before every question
+0.15   it has the other prompt in it, and more: the whole prompt, with what goes before
-0.2    the premise of a hypothesis: the claim about it is what is asked
"""
PROMPTS = Role("prompt", named, hints(PROMPT_HINTS, PROMPT_WHEN))

SHOWN = 0.7
"""Score from which on a field is shown beside the prompt."""


def named_as_context(f: Field, t: Table) -> float:
    """What the name says; of a struct only the text inside counts, called as the struct is."""
    if not f.depth:
        return CONTEXT.get(f.key, 0.0)
    outer = t.by_path.get(f.path.split(".")[0].removesuffix("[]"))
    inner = f.key in ("contexts", "text", "passages", "passage_text") and f.depth <= 2
    return 0.9 if outer and inner and CONTEXT.get(outer.key, 0) >= 0.9 else 0.0


def _related(f: Field, t: Table) -> bool:
    """The prompt or the answer, around one or inside it."""
    return any(
        f.path == one.path or is_inside(f.path, one.path) or is_inside(one.path, f.path)
        for one in (t.prompt, t.gold)
        if one is not None
    )


def _twin(f: Field, t: Table) -> bool:
    """The other one of two texts of the same name (`question_1`, `question_2`)."""
    stem = t.prompt.path[:-1] if t.prompt and t.prompt.path[-1:] in "12ab" else ""
    twins = [one for one in t.top if one.path[:-1] == stem and one.kind == "string"]
    return len(stem) > 1 and len(twins) == 2 and f in twins


CONTEXT_WHEN: dict[str, When] = {
    "it is no text, or an option": lambda f, t: f.kind in NO_TEXT or f.path in t.option_columns,
    "the prompt or the answer": _related,
    "in the prompt already": lambda f, t: (
        t.prompt is not None
        and t.prompt.key in ("messages", "conversations", "prompt")
        and f.key in ("context", "input", "text", "body", "history")
    ),
    "the answer is written in it": lambda f, t: t.gold is not None and cells.contains(f, t.gold),
    "one instruction for all rows": lambda f, t: (
        f.standing
        and not f.depth
        and t.prompt is not None
        and not t.prompt.standing
        and f.as_prompt >= 0.65
    ),
    "the title of a text": lambda f, t: (
        f.key == "title"
        and not f.depth
        and t.prompt is not None
        and t.prompt.key in ("content", "body", "text")
    ),
    "tools": lambda f, t: named_as_context(f, t) >= 0.3 and cells.mostly_json(f, has_tools),
    "the other one of two numbered texts": _twin,
    "the premise of a hypothesis": _premise,
}
CONTEXT_HINTS = """
never   it is no text, or an option: numbers and pictures are shown in another way
never   the prompt or the answer: or a part of one of them
never   in the prompt already: conversations hold all that is to be read
never   the answer is written in it: it would give the answer away
>=0.7   one instruction for all rows: it says what to do with what the row asks
>=0.7   the title of a text: it is read before the text
>=0.7   tools: what may be called
>=0.7   the other one of two numbered texts: both are asked about (question_1, question_2)
>=0.7   the premise of a hypothesis: the claim is about it
"""
CONTEXTS = Role("context", named_as_context, hints(CONTEXT_HINTS, CONTEXT_WHEN))
