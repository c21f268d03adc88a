"""Which field holds the gold: what its name says, and a table of hints."""

from __future__ import annotations

import re

from lab.answers.extract import ALIAS_KEYS
from lab.answers.shapes import has_rubric, has_tests, has_tools, is_checker, is_ddl, is_sql, parsed
from lab.data.schema import cells
from lab.data.schema.choices import CORRECT
from lab.data.schema.fields import Field
from lab.data.schema.hints import NEVER, WEAK, Candidate, Hint, Role, Table, at_least, judged
from lab.data.schema.options import inline_options
from lab.data.schema.pairs import translation_pair
from lab.data.schema.words import ANSWER, CONTEXT, PROMPT, is_class, is_wrong, weight

ASIDE = ("extra_info", "metadata", "meta", "info")
"""Columns of what is beside the task; a gold that is found there is the last resort."""
MEMBERS = frozenset(
    "text aliases value spans input_text labels answer ground_truth normalized_aliases target "
    "texts human_readable span body content".split()
)
"""Members of an answer's struct that are the answer itself."""
FINAL = frozenset({"aliases", "ground_truth", "human_readable"})
RUNS = ("trajectory", "trajectories", "rollout", "rollouts", "trace", "traces")
RUBRICS = {"rubric", "rubrics", "checklist", "criteria"}
PICTURED = frozenset("text sentence caption transcription transcript description".split())
BESIDE_PICTURE = "the text beside a picture"


def answer_candidates(table: Table) -> list[Candidate]:
    """Fields that may hold the gold, best first; 1.0 is a plain `answer`."""
    return judged(ANSWERS, table)


def named(f: Field, t: Table) -> float:
    """What the name says; inside an answer's struct its members count as the answer."""
    if not f.depth:
        return f.as_answer
    above = f.path.rpartition(".")[0]
    outer = t.by_path.get(above.removesuffix("[]"))
    steps = f.path.replace("[]", "").split(".")
    if pair := translation_pair(outer):
        return 0.95 if steps[-1] == pair[1] else 0.0
    if "ground_truth" in steps:
        inner = steps[-1] in ("ground_truth", "target", "value", "answer")
        return 1.3 + 0.02 * (steps[-1] != "ground_truth") if inner else 0.6
    if steps[0] in ASIDE:
        return 0.55 * f.as_answer
    if outer and outer.as_answer >= 0.6:
        if f.key not in MEMBERS or _grouped(f):
            return 0.3
        return outer.as_answer + 0.03 + 0.03 * (f.key in FINAL)
    return f.as_answer * 0.75**f.depth


def _grouped(f: Field) -> bool:
    """Lists of aliases, one for each of the answers beside them, are not these answers."""
    return any(isinstance(i, list) for c in f.present[:20] if isinstance(c, list) for i in c)


def _final_of(f: Field, t: Table) -> bool:
    """The final answer of a longer answer beside it."""
    return named(f, t) >= 0.65 and any(
        other is not f and (other.as_answer >= 0.5 or other.explains) and cells.ends_in(other, f)
        for other in t.top
    )


def _choices(f: Field, t: Table) -> str:
    top = t.choices[0] if t.choices else None
    return "" if f.depth or f.meta else cells.names_options(f, top, t.rows)


def _left_over(f: Field, t: Table) -> bool:
    """A column that could be an answer, whatever its name."""
    return (
        not f.depth
        and f.kind not in ("null", "media", "mixed")
        and not (f.identifier or f.meta or f.explains or f.counts_up)
        and f.as_prompt < 0.65
        and not any(CONTEXT.get(word, 0) >= 0.9 for word in (f.key, *f.words))
    )


def _criteria(f: Field) -> bool:
    listed = f.kind == "list" or "rubric" in f.words
    return (listed and cells.every(f.present[:40], lambda c: has_rubric(parsed(c) or c))) or (
        cells.mostly_json(f, lambda v: isinstance(v, dict) and RUBRICS.intersection(v))
    )


def _annotations(f: Field) -> bool:
    return f.kind == "dict" and not any(
        has_tests(cell) or any(isinstance(cell.get(key), (str, int, float)) for key in ALIAS_KEYS)
        for cell in f.present[:20]
    )


def _says_what_is_right(f: Field) -> bool:
    return (
        cells.calls(f)
        or (f.as_answer > 0.5 and cells.mostly_json(f, is_checker))
        or (
            not f.meta
            and cells.lists_of(f, lambda i: cells.is_text(i) and re.fullmatch(r"[a-z_]+:\w+", i))
        )
    )


def _label(f: Field) -> bool:
    few = f.kind == "string" and 1 < f.distinct < len(f.present) and f.mean_words <= 3
    labelled = not f.depth and f.key in ("label", "labels", "gold_label")
    return labelled and bool(f.names or few or f.share(cells.yes_no) == 1)


HINTS = [
    Hint(
        "it holds nothing",
        lambda f, t: f.kind in ("null", "media") or f.identifier or not f.present,
        NEVER,
        "an empty column, an id, a picture or a path is no answer",
        "url: https://…",
    ),
    Hint(
        "named as what is wrong, or as a rate",
        lambda f, t: is_wrong(f.words) or f.rate,
        NEVER,
        "distractors and solve rates are about the answer",
        "incorrect_answer, pass_rate",
    ),
    Hint(
        "options written as one text",
        lambda f, t: f.share(lambda text: len(inline_options(text)) > 1) > 0.8,
        NEVER,
        "lettered one after the other, they are what is chosen from",
        "answers: A. Iron B. Gold",
    ),
    Hint(
        "an option",
        lambda f, t: t.is_option(f) and f.key not in CORRECT,
        NEVER,
        "the options are what is chosen from",
        "opa, opb, opc",
    ),
    Hint(
        "tools, or tables to be queried",
        lambda f, t: cells.mostly_json(f, has_tools) or f.share(is_ddl) > 0.8,
        NEVER,
        "what may be called or queried is given, not asked for",
        "tools: [{name, parameters}]",
    ),
    Hint(
        "bookkeeping",
        lambda f, t: f.meta and f.key not in ANSWER,
        -0.5,
        "ids, sources, subjects and counts",
        "label_source, topic",
    ),
    Hint(
        "a text under the name of a class",
        lambda f, t: is_class(f.words) and (f.mean_words > 4 or f.kind == "float"),
        -0.4,
        "a class is a word or two",
        "topic: The history of…",
    ),
    Hint(
        "a query that is asked",
        lambda f, t: f.key == "query" and f.share(is_sql) == 0,
        -0.6,
        "`query` is the gold of SQL sets, and what is asked in all others",
        "query: how tall is…",
    ),
    Hint(
        "a flag about something else",
        lambda f, t: f.kind == "bool" and (f.key not in ANSWER or f.key == "correct"),
        -0.3,
        "`correct` judges somebody's answer",
        "difficult_answer: false",
    ),
    Hint(
        "annotations of many sorts",
        lambda f, t: _annotations(f),
        -0.25,
        "a struct is the answer by one of its members",
        "labels: {span: …, votes: …}",
    ),
    Hint(
        "a document",
        lambda f, t: (
            f.words[-1] == "summary"
            and len(f.words) > 1
            and not any(max(x.as_prompt, weight(CONTEXT, x.words)) >= 0.4 for x in t.fields)
        ),
        -0.6,
        "nothing is beside it that it could be a summary of",
        "discharge_summary",
    ),
    Hint(
        "yes or no to an open question",
        lambda f, t: f.kind == "bool" and any(map(cells.open_question, t.asked)),
        -0.5,
        "`how many` is not answered by true or false",
        "question: How many…? has_answer: true",
    ),
    Hint(
        "numbers of words, beside the text itself",
        lambda f, t: (
            cells.lists_of(f, lambda item: isinstance(item, int))
            and any(one.path.startswith(f"{f.path}_") for one in t.top)
        ),
        -0.6,
        "what a tokenizer made of the answer",
        "targets: [9, 1] beside targets_text: yes",
    ),
    Hint(
        "formats of a program's input and output",
        lambda f, t: "description" in t.by_path and cells.formats(f),
        -0.85,
        "beside a description they say what the program reads and prints",
        "output: Print one integer, the sum.",
    ),
    Hint(
        "criteria with points",
        lambda f, t: _criteria(f),
        at_least(0.95),
        "a judge scores by them",
        "rubrics: [{criterion, points}]",
    ),
    Hint(
        "questions that a judge answers",
        lambda f, t: not f.depth and weight(PROMPT, f.words[:1]) < 0.8 and cells.asks_back(f),
        at_least(0.94),
        "each is answered with yes or no for an answer",
        "checklist: [Is it a letter?]",
    ),
    Hint(
        "tests",
        lambda f, t: f.as_tests > 0.9 and cells.holds_tests(f),
        at_least(1.13),
        "code is graded by running it",
        "test_list: [assert f(1) == 2]",
    ),
    Hint(
        "tests that are kept from the model",
        lambda f, t: (
            f.words[0] in ("private", "hidden", "fail", "f")
            and f.as_tests > 0.9
            and cells.holds_tests(f)
        ),
        0.05,
        "the public ones are in the prompt, the others passed before",
        "private_test_cases, FAIL_TO_PASS",
    ),
    Hint(
        "JSON with inputs and outputs",
        lambda f, t: cells.mostly_json(f, has_tests),
        at_least(0.98),
        "tests, whatever they are called",
        'cases: {"inputs": […], "outputs": […]}',
    ),
    Hint(
        "tool calls, a checker, or ids of constraints",
        lambda f, t: _says_what_is_right(f),
        at_least(1.05),
        "they say what a right reply does",
        '[{"name": "get_weather", "arguments": {…}}]',
    ),
    Hint(
        "SQL",
        lambda f, t: f.share(is_sql) > 0.8,
        at_least(1.02),
        "a query is what such sets ask for",
        "SELECT count(*) FROM orders",
    ),
    Hint(
        "declared class names",
        lambda f, t: f.names and not f.depth and not f.meta,
        lambda score: max(score, 0.8) + 0.1 * (score > 0),
        "a column is declared as classes to be predicted; of several the one that is named",
        "ClassLabel(names=[…])",
    ),
    Hint(
        "few values under the name of a label",
        lambda f, t: _label(f),
        at_least(1.03),
        "classes, whatever texts are beside them",
        "label: spam",
    ),
    Hint(
        "its last turn is the assistant's",
        lambda f, t: f.chat and f.words[-1] not in RUNS and f.ends_with_assistant > 0.5,
        at_least(0.7),
        "what was said last is the answer to the turns before",
        "messages: [user, assistant]",
    ),
    Hint(
        "what is left beside the prompt",
        _left_over,
        at_least(0.2),
        "where no name says more, one of the other columns is it",
        "column_7",
    ),
    Hint(
        "what was said after thinking",
        lambda f, t: t.by_path.keys() & {f"reasoning_{f.key}", f"thinking_{f.key}"},
        at_least(0.8),
        "the thoughts beside it are named after it",
        "content beside reasoning_content",
    ),
    Hint(
        "the final answer of the one beside it",
        _final_of,
        0.12,
        "it is what a reward can compare",
        "final: 7 beside solution: … 7",
    ),
    Hint(
        "it points at one of the options",
        _choices,
        at_least(0.5),
        "a letter or an index that every row's options have",
        "key: B",
    ),
    Hint(
        "the letter of an option, beside its text",
        lambda f, t: cells.letters(f) and _choices(f, t),
        0.1,
        "texts repeat, and a letter is what a model can state",
        "answer_idx: B beside answer: Paris",
    ),
    Hint(
        "a label of the prompt",
        lambda f, t: (
            f.words[-1] == "label"
            and f.words[0] in t.by_path
            and t.by_path[f.words[0]].as_prompt >= 0.6
        ),
        at_least(1.0),
        "it judges what is asked, and no reply",
        "prompt_label: unsafe",
    ),
    Hint(
        "chosen beside rejected",
        lambda f, t: t.preference is not None and f.path == t.preference[0],
        at_least(1.15),
        "the better of a pair",
        "chosen, rejected",
    ),
    Hint(
        "the second side of a pair of texts",
        lambda f, t: f.path == t.sides[1],
        at_least(0.85),
        "the same in another language, or what is said back",
        "en, de",
    ),
    Hint(
        BESIDE_PICTURE,
        lambda f, t: (
            f.words[-1] in PICTURED and any(one.kind == "media" for one in t.top) and not t.asked
        ),
        at_least(0.6),
        "a caption, or what is said",
        "image, text",
    ),
    Hint(
        "a long text beside a named prompt",
        lambda f, t: (
            not f.depth
            and f.mean_words >= 12
            and f.as_prompt < 0.8
            and any(t.order[asked.path] < t.order[f.path] for asked in t.asked)
        ),
        at_least(WEAK),
        "it was written for it",
        "question, decomposition",
        below=WEAK,
    ),
    Hint(
        "few values that come again, or yes and no",
        lambda f, t: f.repeated or f.share(cells.yes_no) == 1,
        0.06,
        "labels repeat",
        "kind: a, b, a",
        below=WEAK,
    ),
    Hint(
        "the last of the columns",
        lambda f, t: f.path in [x.path for x in t.top if _left_over(x, t)][-1:],
        0.03,
        "inputs are written before targets",
        "x, y",
        below=WEAK,
    ),
]
ANSWERS = Role("answer", named, HINTS)
