"""Which field holds the gold: what its name says, and a table of hints."""

from __future__ import annotations

from lab.answers.shapes import has_rubric, has_tests, has_tools, is_ddl, is_sql, parsed
from lab.data.schema import cells
from lab.data.schema.choices import CORRECT
from lab.data.schema.fields import Field
from lab.data.schema.hints import Role, ScoredField, Table, When, hints, judged
from lab.data.schema.options import inline_options
from lab.data.schema.pairs import translation_pair
from lab.data.schema.words import ANSWER, CONTEXT, PROMPT, is_class, is_wrong, weight

MEMBERS = frozenset(
    "text aliases value spans input_text labels answer ground_truth normalized_aliases target "
    "texts human_readable span body content".split()
)
"""Members of an answer's struct that are the answer itself."""
RUNS = ("trajectory", "trajectories", "rollout", "rollouts", "trace", "traces")
RUBRICS = {"rubric", "rubrics", "checklist", "criteria"}
PICTURED = frozenset("text sentence caption transcription transcript description".split())
BESIDE_PICTURE = "the text beside a picture"


def answer_candidates(table: Table) -> list[ScoredField]:
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
    if outer and outer.as_answer >= 0.6:
        if f.key not in MEMBERS or _grouped(f):
            return 0.3
        return outer.as_answer + 0.03 + 0.03 * (f.key in ("aliases", "human_readable"))
    return f.as_answer * 0.75**f.depth


def _grouped(f: Field) -> bool:
    """Lists of aliases, one for each of the answers beside them, are not these answers."""
    return any(isinstance(i, list) for c in f.present[:20] if isinstance(c, list) for i in c)


def _final_of(f: Field, t: Table) -> bool:
    """The final answer of a longer answer beside it."""
    return named(f, t) >= 0.65 and any(
        other is not f and other.as_answer >= 0.5 and cells.ends_in(other, f) for other in t.top
    )


def _choices(f: Field, t: Table) -> bool:
    free = not (f.depth or f.meta) and bool(t.choices)
    return free and cells.names_options(f, t.choices[0], t.rows)


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


def _label(f: Field) -> bool:
    few = f.kind == "string" and 1 < f.distinct < len(f.present)
    labels = f.key in ("label", "labels", "gold_label")
    return labels and bool(f.names or few or f.share(cells.yes_no) == 1)


WHEN: dict[str, When] = {
    "it holds nothing": lambda f, t: f.kind in ("null", "media") or f.identifier or not f.present,
    "named as what is wrong, or as a rate": lambda f, t: is_wrong(f.words) or f.rate,
    "options written as one text": lambda f, t: (
        f.share(lambda text: len(inline_options(text)) > 1) > 0.8
    ),
    "an option": lambda f, t: t.is_option(f) and f.key not in CORRECT,
    "tools, or tables to be queried": lambda f, t: (
        cells.mostly_json(f, has_tools) or f.share(is_ddl) > 0.8
    ),
    "bookkeeping": lambda f, t: f.meta and f.key not in ANSWER,
    "a text under the name of a class": lambda f, t: (
        is_class(f.words) and (f.mean_words > 4 or f.kind == "float")
    ),
    "a query that is asked": lambda f, t: f.key == "query" and f.share(is_sql) == 0,
    "a flag about something else": lambda f, t: (
        f.kind == "bool" and (f.key not in ANSWER or f.key == "correct")
    ),
    "annotations of many sorts": lambda f, t: f.kind == "dict",
    "a document": lambda f, t: (
        f.words[-1] == "summary"
        and len(f.words) > 1
        and not any(max(x.as_prompt, weight(CONTEXT, x.words)) >= 0.4 for x in t.fields)
    ),
    "yes or no to an open question": lambda f, t: (
        f.kind == "bool" and any(map(cells.open_question, t.asked))
    ),
    "numbers of words, beside the text itself": lambda f, t: (
        cells.lists_of(f, lambda item: isinstance(item, int))
        and any(one.path.startswith(f"{f.path}_") for one in t.top)
    ),
    "formats of a program's input and output": lambda f, t: (
        "description" in t.by_path and cells.formats(f)
    ),
    "criteria with points": lambda f, t: _criteria(f),
    "questions that a judge answers": lambda f, t: (
        not f.depth and weight(PROMPT, f.words[:1]) < 0.8 and cells.asks_back(f)
    ),
    "tests": lambda f, t: f.as_tests > 0.9 and cells.holds_tests(f),
    "tests that are kept from the model": lambda f, t: (
        f.words[0] in ("private", "hidden", "fail", "f")
        and f.as_tests > 0.9
        and cells.holds_tests(f)
    ),
    "JSON with inputs and outputs": lambda f, t: cells.mostly_json(f, has_tests),
    "tool calls, or ids of constraints": lambda f, t: cells.calls(f) or cells.constraints(f),
    "SQL": lambda f, t: f.share(is_sql) > 0.8,
    "declared class names": lambda f, t: f.names and not f.depth and not f.meta,
    "declared under an answer's name": lambda f, t: f.names and f.as_answer > 0,
    "few values under the name of a label": lambda f, t: _label(f),
    "its last turn is the assistant's": lambda f, t: (
        f.chat and f.words[-1] not in RUNS and f.ends_with_assistant > 0.5
    ),
    "what is left beside the prompt": _left_over,
    "what was said after thinking": lambda f, t: (
        t.by_path.keys() & {f"reasoning_{f.key}", f"thinking_{f.key}"}
    ),
    "the final answer of the one beside it": _final_of,
    "it points at one of the options": _choices,
    "the letter of an option, beside its text": lambda f, t: cells.letters(f) and _choices(f, t),
    "a label of the prompt": lambda f, t: (
        f.words[-1] == "label"
        and f.words[0] in t.by_path
        and t.by_path[f.words[0]].as_prompt >= 0.6
    ),
    "chosen beside rejected": lambda f, t: t.preference is not None and f.path == t.preference[0],
    "the second side of a pair of texts": lambda f, t: f.path == t.sides[1],
    "the text beside a picture": lambda f, t: (
        f.words[-1] in PICTURED and any(one.kind == "media" for one in t.top) and not t.asked
    ),
    "a long text beside a named prompt": lambda f, t: (
        not f.depth
        and f.mean_words >= 12
        and f.as_prompt < 0.8
        and any(t.order[asked.path] < t.order[f.path] for asked in t.asked)
    ),
    "few values that come again, or yes and no": lambda f, t: (
        f.repeated or f.share(cells.yes_no) == 1
    ),
    "the last of the columns": lambda f, t: (
        f.path in [x.path for x in t.top if _left_over(x, t)][-1:]
    ),
}
HINTS = """
never   it holds nothing: an empty column, an id, a picture or a path is no answer (url: https://…)
never   named as what is wrong, or as a rate: distractors and solve rates are about the answer
        (incorrect_answer, pass_rate)
never   options written as one text: lettered one after the other, they are what is chosen from
        (answers: A. Iron B. Gold)
never   an option: the options are what is chosen from (opa, opb, opc)
never   tools, or tables to be queried: what may be called or queried is given, not asked for
        (tools: [{name, parameters}])
-0.5    bookkeeping: ids, sources, subjects and counts (label_source, topic)
-0.4    a text under the name of a class: a class is a word or two (topic: The history of…)
-0.6    a query that is asked: `query` is the gold of SQL sets, and what is asked in all others
        (query: how tall is…)
-0.3    a flag about something else: `correct` judges somebody's answer (difficult_answer: false)
-0.25   annotations of many sorts: a struct is the answer by one of its members (labels: {span: …,
        votes: …})
-0.6    a document: nothing is beside it that it could be a summary of (discharge_summary)
-0.5    yes or no to an open question: `how many` is not answered by true or false (question: How
        many…? has_answer: true)
-0.6    numbers of words, beside the text itself: what a tokenizer made of the answer (targets: [9,
        1] beside targets_text: yes)
-0.85   formats of a program's input and output: beside a description they say what the program
        reads and prints (output: Print one integer, the sum.)
>=0.95  criteria with points: a judge scores by them (rubrics: [{criterion, points}])
>=0.94  questions that a judge answers: each is answered with yes or no for an answer (checklist:
        [Is it a letter?])
>=1.13  tests: code is graded by running it (test_list: [assert f(1) == 2])
+0.05   tests that are kept from the model: the public ones are in the prompt, the others passed
        before (private_test_cases, FAIL_TO_PASS)
>=0.98  JSON with inputs and outputs: tests, whatever they are called (cases: {"inputs": […],
        "outputs": […]})
>=1.05  tool calls, or ids of constraints: they say what a right reply does ([{"name":
        "get_weather", "arguments": {…}}])
>=1.02  SQL: a query is what such sets ask for (SELECT count(*) FROM orders)
>=0.8   declared class names: a column is declared as classes to be predicted (ClassLabel)
+0.1    declared under an answer's name: of several such columns the one that is named
>=1.03  few values under the name of a label: classes, whatever texts are beside them (label: spam)
>=0.7   its last turn is the assistant's: what was said last is the answer to the turns before
        (messages: [user, assistant])
>=0.2   what is left beside the prompt: where no name says more, one of the other columns is it
        (column_7)
>=0.8   what was said after thinking: the thoughts beside it are named after it (content beside
        reasoning_content)
+0.12   the final answer of the one beside it: it is what a reward can compare (final: 7 beside
        solution: … 7)
>=0.5   it points at one of the options: a letter or an index that every row's options have (key:
        B)
+0.1    the letter of an option, beside its text: texts repeat, and a letter is what a model can
        state (answer_idx: B beside answer: Paris)
>=1.0   a label of the prompt: it judges what is asked, and no reply (prompt_label: unsafe)
>=1.15  chosen beside rejected: the better of a pair (chosen, rejected)
>=0.85  the second side of a pair of texts: the same in another language, or what is said back (en,
        de)
>=0.6   the text beside a picture: a caption, or what is said (image, text)
~>=0.3  a long text beside a named prompt: it was written for it (question, decomposition)
~0.06  few values that come again, or yes and no: labels repeat (kind: a, b, a)
~0.03  the last of the columns: inputs are written before targets (x, y)
"""
ANSWERS = Role("answer", named, hints(HINTS, WHEN))
