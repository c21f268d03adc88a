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
from lab.data.schema.hints import WEAK, Candidate, Table
from lab.data.schema.model import Found, Schema, as_text
from lab.data.schema.options import inline_options
from lab.data.schema.paths import columns
from lab.data.schema.prompt import context_fields, prompt_candidates
from lab.data.schema.words import ANSWER, explains, is_meta, is_rate, weight

UNRIVALLED = 0.55
"""Score from which a field without any rival is taken as found."""
LONGEST = 200_000
"""Characters of a cell that are looked at to find out what it is."""
PROMPTS = 60
"""Prompts that the kind of the answers is judged by."""
GIVEN = Candidate("", 2.0, "given")


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
    asked = table.by_path.get(prompts[0].path) if prompts else None
    chosen = _options(table, asked)
    context = context_fields(replace(table, choices=[chosen] if chosen else [], prompt=asked))
    kind, inline = _kind(table, chosen, asked)
    answer = _answer(answers, table, chosen)
    letters = ("choice_letter", "choice_index_int", "choice_digit_string")
    return Schema(
        # What is shown beside the prompt is no rival of it.
        prompt=_prompt([one for one in prompts if one.path not in context], table),
        answer=answer,
        kind=_sobered(kind, target, answer.confidence),
        choices=chosen,
        context=context,
        names=_names(target, chosen),
        rates=[one.path for one in table.top if _is_rate(one)],
        inline_choices=inline and kind.kind in letters,
    )


def candidates(
    rows: list[dict[str, Any]],
    types: dict[str, str],
    names: dict[str, list[str]],
    *,
    prompt_field: str | None = None,
    answer_field: str | None = None,
) -> tuple[Table, list[Candidate], list[Candidate]]:
    """(the fields with the answer among them, the answers and the prompts, best first)."""
    rows = [clipped(row) for row in rows]
    fields = fields_of(rows, types, names)
    table = Table(fields, find_choices(fields), rows)
    if not answer_field and not answer_candidates(table):
        table = replace(table, choices=[])  # what looks like options is the whole row
    answers = _with(answer_field, table, answer_candidates(table) or _unlabelled(table))
    target = table.by_path[answers[0].path] if answers else None
    table = replace(table, gold=target)
    prompts = _with(prompt_field, table, prompt_candidates(table))
    if (prompts and prompts[0].score >= WEAK) or prompt_field or target is None:
        return table, answers, prompts
    if table.preference:
        return table, answers, []
    return _without_prompt(table, answers, prompts, bool(answer_field))


def _without_prompt(
    table: Table, answers: list[Candidate], weak: list[Candidate], given: bool
) -> tuple[Table, list[Candidate], list[Candidate]]:
    """No name says what is asked: a picture, or the longest text beside the answer."""
    target = table.gold
    assert target is not None
    pictures = [one for one in table.top if one.kind == "media"]
    if pictures and (not weak or answers[0].why == BESIDE_PICTURE):
        return table, answers, [Candidate(pictures[0].path, 0.5, "nothing else is asked"), *weak]
    texts = [one for one in table.top if one is not target and _may_be_asked(one)]
    if texts:
        beside = [Candidate(one.path, 0.2, "what is left beside the answer") for one in texts]
        known = {one.path: one for one in [*beside, *weak]}
        return table, answers, sorted(known.values(), key=lambda one: _shortness(table, one))
    if not weak and target.kind == "string" and answers[0].score < 0.7 and not given:
        # The only text there is, under a name that hardly says gold: it is what is asked about.
        return replace(table, gold=None), [], [Candidate(target.path, 0.4, "the only text")]
    return table, answers, weak


def _may_be_asked(one: Field) -> bool:
    """A text, or a list of them, that is no bookkeeping and no explanation."""
    texts = one.kind == "string" or cells.lists_of(one, cells.is_text)
    return texts and not (one.identifier or is_meta(one.words) or explains(one.words))


def _shortness(table: Table, one: Candidate) -> tuple[bool, float]:
    """Orders long texts before short ones, and texts before lists."""
    field = table.by_path[one.path]
    return field.kind != "string", -field.mean_words


def _unlabelled(table: Table) -> list[Candidate]:
    """Columns that are named as answers and hold none: the labels of a test split are hidden."""
    empty = [one for one in table.top if not one.present and weight(ANSWER, one.words) >= 0.85]
    return [Candidate(one.path, WEAK, "an answer's name, without answers") for one in empty[:1]]


def _with(path: str | None, table: Table, ranked: list[Candidate]) -> list[Candidate]:
    """The candidates with the one first that the user names."""
    if path is None:
        return ranked
    table.at(path)
    return [replace(GIVEN, path=path), *[one for one in ranked if one.path != path]]


def clipped(row: dict[str, Any]) -> dict[str, Any]:
    """The row with very long texts cut in the middle: a megabyte says no more than its two ends."""
    if not any(isinstance(cell, str) and len(cell) > LONGEST for cell in row.values()):
        return row
    half = LONGEST // 2
    return {
        key: cell[:half] + cell[-half:] if isinstance(cell, str) and len(cell) > LONGEST else cell
        for key, cell in row.items()
    }


def _found(best: Candidate, rivals: list[Candidate], rest: list[Candidate]) -> Found:
    if best.score >= GIVEN.score and best.why == GIVEN.why:
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


def _prompt(ranked: list[Candidate], table: Table) -> Found:
    if ranked:
        return _found(ranked[0], ranked[1:], ranked[1:])
    if table.gold is not None and table.preference:
        why = "the prompt is what goes before the last turn of the chosen one"
        return Found(table.gold.path, 0.6, [], why)
    return Found(None, 0.5, [], "no field holds a prompt")


def _answer(ranked: list[Candidate], table: Table, chosen: Choices | None) -> Found:
    target = table.gold
    if not ranked or target is None:
        return Found(None, 0.3, [], "no field holds an answer")
    best, rest = ranked[0], ranked[1:4]
    above = best.path.rpartition(".")[0]
    answered = bool(above) and weight(ANSWER, words_of(above.rpartition(".")[2])) >= 0.6

    def same(other: str) -> bool:
        """Another part of the same answer, or the same answer in other words."""
        inside = other.startswith((f"{best.path}.", f"{best.path}["))
        around = best.path.startswith((f"{other}.", f"{other}["))
        beside = answered and other.rpartition(".")[0] == above
        return (
            inside or around or beside or _agree(target, table.by_path[other], chosen, table.rows)
        )

    return _found(best, [one for one in rest if not same(one.path)], rest)


def _options(table: Table, asked: Field | None) -> Choices | None:
    """The options that belong to the answer: of several the ones in the same struct."""
    target = table.gold
    taken = {one.path for one in (target, asked) if one is not None}
    usable = [choice for choice in table.choices if choice.path not in taken]
    if target is not None and "." in target.path:
        above = target.path.rsplit(".", 1)[0]
        inside = [c for c in usable if c.path.startswith(f"{above}.") or c.path == above]
        usable = inside or usable
    chosen = usable[0] if usable and usable[0].weight >= 0.6 else None
    if chosen is None or chosen.style != "separate_columns" or target is None or not target.texts:
        return chosen
    named = all(len(text) > 1 and text in columns(chosen.path) for text in target.texts)
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


def _kind(table: Table, chosen: Choices | None, asked: Field | None) -> tuple[Guess, bool]:
    """(the kind of the answers, whether their options are written in the prompt)."""
    target = table.gold
    if target is None:
        return Guess("free_text_short", 0.0, None, "no field holds an answer"), False
    prompts: list[str] = []
    if asked is not None:
        prompts = [as_text(cell) for cell in asked.cells[:PROMPTS]]
    written = [] if chosen else [inline_options(prompt) for prompt in prompts[: cells.MANY]]
    inline = bool(written) and sum(map(bool, written)) > 0.7 * len(written)
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
        prompt_key=asked.key if asked is not None else "",
        prompt_lists=asked is not None and _in_step(asked, target),
        siblings=frozenset(
            one.path.replace(".", "_").lower() if one.depth else one.key
            for one in table.fields
            if one.path != target.path
        ),
        preference=table.preference is not None and target.path == table.preference[0],
        options_stem=stem_of(chosen) if chosen else "",
        inline=written if inline else [],
        number_lists=_among_numbers(table, target, asked),
    )
    return recognise(evidence), inline


def _in_step(asked: Field, target: Field) -> bool:
    """As many questions as answers in every row."""
    plain = not cells.lists_of(asked, lambda item: isinstance(item, (list, dict)))
    return asked.kind == "list" and plain and cells.as_long(asked, target) > 0


def _among_numbers(table: Table, target: Field, asked: Field | None) -> bool:
    """A number beside lists of numbers, with no text that asks for it."""
    asks = asked is not None and asked.kind != "list"
    return target.kind in ("int", "float") and not asks and any(map(_numbers, table.fields))


def _numbers(one: Field) -> bool:
    return cells.lists_of(one, lambda item: isinstance(item, (int, float)))


def _is_rate(one: Field) -> bool:
    return (
        is_rate(one.name, one.words)
        and bool(one.present)
        and one.kind in ("float", "int", "string")
    )


def _names(target: Field | None, chosen: Choices | None) -> list[str]:
    if target is None:
        return []
    return as_letters(target.names, chosen) if chosen else target.names


def _sobered(kind: Guess, target: Field | None, answer: float) -> Guess:
    """The kind is never surer than the field that it was read from; two rows are no proof."""
    if target is None:
        return kind
    plain = kind.kind in ("class_label_int", "bool", "preference_pair")
    few = 1.0 if len(target.present) >= 3 or plain else 0.97
    return replace(kind, confidence=round(min(kind.confidence * few, answer), 3))
