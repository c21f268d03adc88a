"""`detect`: from rows to a `Schema`: where prompt, gold, choices and context are, and how sure.

    schema = detect(rows, types, names)
    schema.prompt.path, schema.answer.path, schema.kind.kind, schema.golds(rows)

Confidences are between 0 and 1. At or above `SURE` a finding may be relied on; below it the
user is asked, with the candidates.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lab.answers.extract import is_absent, option_index, untagged
from lab.answers.recognise import Evidence, Guess, recognise
from lab.data.schema import cells
from lab.data.schema.answer import BESIDE_PICTURE, answer_candidates
from lab.data.schema.choices import Choices, as_letters, find_choices, stem_of
from lab.data.schema.fields import Field, fields_of, words_of
from lab.data.schema.hints import WEAK, ScoredField, Table, is_inside
from lab.data.schema.model import Found, Schema, as_text
from lab.data.schema.options import inline_options
from lab.data.schema.paths import columns
from lab.data.schema.prompt import context_fields, prompt_candidates
from lab.data.schema.words import ANSWER, weight

UNRIVALLED = 0.55
"""Score from which a field without any rival is taken as found."""
LONGEST = 200_000
"""Characters of a cell that are looked at to find out what it is."""
PROMPTS = 60
"""Prompts that the kind of the answers is judged by."""
GIVEN = ScoredField("", 2.0, "given")


def detect(
    rows: list[dict[str, Any]],
    types: dict[str, str] | None = None,
    names: dict[str, list[str]] | None = None,
    *,
    prompt_field: str | None = None,
    answer_field: str | None = None,
) -> Schema:
    """The schema of `rows` (the first some hundred of a dataset) by shape and content.

    A field that is given is taken as the user's word: confidence 1. LabError (exit 2) when no
    row has it.
    """
    table, answers, prompts = candidates(
        rows, types or {}, names or {}, prompt_field=prompt_field, answer_field=answer_field
    )
    target = table.gold
    chosen = _options(table)
    context = context_fields(replace(table, choices=[chosen] if chosen else []))
    kind, inline = _kind(table, chosen)
    answer = _answer(answers, table, chosen)
    declared = target.names if target else []
    return Schema(
        # What is shown beside the prompt is no rival of it.
        prompt=_prompt([one for one in prompts if one.path not in context], table),
        answer=answer,
        kind=replace(kind, confidence=min(kind.confidence, answer.confidence)),
        choices=chosen,
        context=context,
        names=as_letters(declared, chosen) if chosen else declared,
        rates=[
            one.path
            for one in table.top
            if one.rate and one.present and one.kind in ("float", "int", "string")
        ],
        inline_choices=inline
        and kind.kind in ("choice_letter", "choice_index_int", "choice_digit_string"),
    )


def candidates(
    rows: list[dict[str, Any]],
    types: dict[str, str],
    names: dict[str, list[str]],
    *,
    prompt_field: str | None = None,
    answer_field: str | None = None,
) -> tuple[Table, list[ScoredField], list[ScoredField]]:
    """(the fields with the answer among them, the answers and the prompts, best first)."""
    rows = [clipped(row) for row in rows]
    fields = fields_of(rows, types, names)
    table = Table(fields, find_choices(fields), rows)
    answers = answer_candidates(table)
    if not answers and not answer_field:
        table = replace(table, choices=[])  # what looks like options is the whole row
        answers = answer_candidates(table) or _unlabelled(table)
    answers = _with(answer_field, table, answers)
    target = table.by_path[answers[0].path] if answers else None
    table = replace(table, gold=target)
    prompts = _with(prompt_field, table, prompt_candidates(table))
    known = prompt_field or (prompts and prompts[0].score >= WEAK)
    if not known and target is not None:
        prompts = [] if table.preference else _left_beside(target, table, answers, prompts)
        if not prompts and not table.preference and _alone(target, answers) and not answer_field:
            # The only text there is, under a name that hardly says gold: it is what is asked about.
            answers, prompts = [], [ScoredField(target.path, 0.4, "the only text")]
            table = replace(table, gold=None)
    return replace(table, prompt=table.at(prompts[0].path) if prompts else None), answers, prompts


def _alone(target: Field, answers: list[ScoredField]) -> bool:
    return target.kind == "string" and answers[0].score < 0.7


def _left_beside(
    target: Field, table: Table, answers: list[ScoredField], weak: list[ScoredField]
) -> list[ScoredField]:
    """No name says what is asked: a picture, or the longest text beside the answer."""
    pictures = [one for one in table.top if one.kind == "media"]
    if pictures and (not weak or answers[0].why == BESIDE_PICTURE):
        return [ScoredField(pictures[0].path, 0.5, "nothing else is asked"), *weak]
    texts = [
        one
        for one in table.top
        if one is not target
        and (one.kind == "string" or cells.lists_of(one, cells.is_text))
        and not (one.identifier or one.meta or one.explains)
    ]
    if not texts:
        return weak
    beside = {one.path: ScoredField(one.path, 0.2, "left beside the answer") for one in texts}
    known = beside | {one.path: one for one in weak}
    fields = sorted(map(table.at, known), key=lambda one: (one.kind != "string", -one.mean_words))
    return [known[one.path] for one in fields]


def _unlabelled(table: Table) -> list[ScoredField]:
    """Columns that are named as answers and hold none: the labels of a test split are hidden."""
    empty = [one for one in table.top if not one.present and weight(ANSWER, one.words) >= 0.85]
    return [ScoredField(one.path, WEAK, "an answer's name, without answers") for one in empty[:1]]


def _with(path: str | None, table: Table, ranked: list[ScoredField]) -> list[ScoredField]:
    """The candidates with the one first that the user names."""
    if path is None:
        return ranked
    table.at(path)
    return [replace(GIVEN, path=path), *[one for one in ranked if one.path != path]]


def clipped(row: dict[str, Any]) -> dict[str, Any]:
    """The row with very long texts cut in the middle: a megabyte says no more than its two ends."""
    half = LONGEST // 2
    return {
        key: cell[:half] + cell[-half:] if isinstance(cell, str) and len(cell) > LONGEST else cell
        for key, cell in row.items()
    }


def _found(best: ScoredField, rivals: list[ScoredField], rest: list[ScoredField]) -> Found:
    if best.why == GIVEN.why:
        return Found(best.path, 1.0, [], best.why)
    second = rivals[0].score if rivals else 0.0
    runners_up = [one.path for one in rest[:3] if one.score > min(0.25, best.score - 0.1)]
    return Found(best.path, _confidence(best.score, second), runners_up, best.why)


def _confidence(best: float, second: float) -> float:
    """From two scores: how strong the best one is by itself, and how far ahead."""
    strength = min(1.0, max(0.0, (best - 0.25) / 0.6))
    margin = min(1.0, max(0.0, (best - second) / 0.25))
    confidence = 0.25 + 0.4 * strength + 0.34 * margin * strength
    if best >= UNRIVALLED and second < WEAK:
        # A name that says something, and nothing else in the table that could be it.
        confidence = max(confidence, 0.78)
    return round(min(0.98, confidence), 3)


def _prompt(ranked: list[ScoredField], table: Table) -> Found:
    if ranked:
        return _found(ranked[0], ranked[1:], ranked[1:])
    if table.gold is not None and table.preference:
        why = "the prompt is what goes before the last turn of the chosen one"
        return Found(table.gold.path, 0.6, [], why)
    return Found(None, 0.5, [], "no field holds a prompt")


def _answer(ranked: list[ScoredField], table: Table, chosen: Choices | None) -> Found:
    target = table.gold
    if not ranked or target is None:
        return Found(None, 0.3, [], "no field holds an answer")
    best, rest = ranked[0], ranked[1:4]
    above = best.path.rpartition(".")[0]
    answered = weight(ANSWER, words_of(above.rpartition(".")[2])) >= 0.6

    def same(other: str) -> bool:
        """Another part of the same answer, or the same answer in other words."""
        return (
            is_inside(other, best.path)
            or is_inside(best.path, other)
            or (answered and other.rpartition(".")[0] == above)
            or _agree(target, table.by_path[other], chosen, table.rows)
        )

    return _found(best, [one for one in rest if not same(one.path)], rest)


def _options(table: Table) -> Choices | None:
    """The options that belong to the answer."""
    target = table.gold
    taken = {one.path for one in (target, table.prompt) if one is not None}
    usable = [one for one in table.choices if one.path not in taken]
    chosen = usable[0] if usable else None
    if chosen is None or chosen.style != "separate_columns" or target is None or not target.texts:
        return chosen
    named = all(text in columns(chosen.path) for text in target.texts)
    return replace(chosen, named=named)


def _agree(
    target: Field, other: Field, choices: Choices | None, rows: list[dict[str, Any]]
) -> bool:
    """Both say the same in every row: the same option, or the one inside the other."""
    compared = 0
    for row, a, b in zip(rows[:60], target.cells, other.cells, strict=False):
        if any(is_absent(cell) or isinstance(cell, (dict, list)) for cell in (a, b)):
            continue
        compared += 1
        options, marks = choices.options(row) if choices else ([], [])
        places = [
            {option_index(cell, options, marks, base) for base in (0, 1)} - {None}
            for cell in (a, b)
        ]
        if options and places[0] & places[1]:
            continue
        short, long = sorted((str(untagged(cell)).strip().lower() for cell in (a, b)), key=len)
        if short not in long:
            return False
    return compared > 0


def _kind(table: Table, chosen: Choices | None) -> tuple[Guess, bool]:
    """(the kind of the answers, whether their options are written in the prompt)."""
    target, asked = table.gold, table.prompt
    if target is None:
        return Guess("free_text_short", 0.0, None, "no field holds an answer"), False
    prompts = [as_text(cell) for cell in asked.cells[:PROMPTS]] if asked else []
    written = [] if chosen else [inline_options(prompt) for prompt in prompts[: cells.MANY]]
    inline = sum(map(bool, written)) > 0.7 * len(written)
    read = [chosen.options(row) for row in table.rows] if chosen else []
    evidence = Evidence(
        cells=target.cells,
        path=target.path,
        key=target.key,
        kind=target.kind,
        names=target.names,
        options=[options for options, _ in read],
        marks=[marks for _, marks in read],
        prompts=prompts,
        prompt_key=asked.key if asked else "",
        prompt_lists=asked is not None and _in_step(asked, target),
        siblings=frozenset(
            one.path.replace(".", "_").lower() if one.depth else one.key
            for one in table.fields
            if one is not target
        ),
        preference=table.preference is not None and target.path == table.preference[0],
        options_stem=stem_of(chosen) if chosen else "",
        inline=written if inline else [],
        number_lists=_among_numbers(table, target),
    )
    return recognise(evidence), inline


def _in_step(asked: Field, target: Field) -> bool:
    """As many questions as answers in every row."""
    plain = not cells.lists_of(asked, lambda item: isinstance(item, (list, dict)))
    return asked.kind == "list" and plain and cells.as_long(asked, target)


def _among_numbers(table: Table, target: Field) -> bool:
    """A number beside lists of numbers, with no text that asks for it."""
    asks = table.prompt is not None and table.prompt.kind != "list"
    return (
        target.kind in ("int", "float")
        and not asks
        and any(cells.lists_of(f, lambda i: isinstance(i, (int, float))) for f in table.fields)
    )
