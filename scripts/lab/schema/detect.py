"""`detect`: from rows to a `Schema`: where prompt, gold, choices and context stand, and how sure.

    schema = detect(rows, types, names)
    schema.prompt.path, schema.answer.path, schema.kind.kind, schema.golds(rows)

Confidences are between 0 and 1. At or above `SURE` a finding may be relied on; below it the
user is asked, with the candidates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from lab.answers.extract import gold as take_gold
from lab.answers.extract import is_absent, option_index, untagged
from lab.answers.recognise import Evidence, Guess, recognise
from lab.answers.written import ASSISTANT, role_of, said_text, turns
from lab.report import usage
from lab.schema.answer import Candidate, answer_candidates
from lab.schema.choices import Choices, as_letters, find_choices, inline_options, stem_of
from lab.schema.fields import Field, fields_of
from lab.schema.leftover import described, left_over, longest_text
from lab.schema.listed import lists_answers
from lab.schema.pairs import preference_pair
from lab.schema.paths import columns, get, parent
from lab.schema.prompt import context_fields, prompt_candidates
from lab.schema.words import is_rate

SURE = 0.75
"""Confidence from which a field is stated as found; below it the finding is a question."""
WEAK = 0.3
"""Score under which a candidate is no better than what is left over."""
UNRIVALLED = 0.55
"""Score from which a field without any rival is taken as found."""
LONGEST = 200_000
"""Characters of a cell that are looked at to find out what it is."""
SUMMARIES = {"summary", "highlights", "tldr", "abstract", "headline", "summaries", "highlight"}


@dataclass(frozen=True)
class Found:
    """One field of the schema: where it stands, how sure, and what else it could be."""

    path: str | None
    confidence: float
    runners_up: list[str] = field(default_factory=list)
    why: str = ""


@dataclass
class Schema:
    prompt: Found
    answer: Found
    kind: Guess
    choices: Choices | None
    context: list[str]
    names: list[str]
    """ClassLabel names of the answer field."""
    rates: list[str]
    """Columns that hold solve rates or difficulties."""
    inline_choices: bool = False
    """The options stand inside the prompt's text."""

    @cached_property
    def summary(self) -> bool:
        """The answer is a summary: a reference for a judge, nothing that a reward can match."""
        last = (self.answer.path or "").rsplit(".", 1)[-1].lower()
        return self.kind.kind == "free_text_long" and last in SUMMARIES

    def gold(self, row: dict[str, Any]) -> str | list[str] | None:
        """The gold of one row, as a reward should compare it; None where the row has none."""
        if self.answer.path is None or self.summary:
            return None
        cell = get(row, self.answer.path)
        options, marks = self.choices.options(row) if self.choices else ([], [])
        if not options and self.inline_choices:
            options = inline_options(self.prompt_text(row))
        kind = self.kind.kind
        if kind == "choice_letter" and self.choices and not options and isinstance(cell, str) and not (len(cell.strip()) == 1 and cell.strip().isalpha()):
            # A set that mixes questions with and without options: this one is answered in words or numbers.
            kind = "latex_string"
        return take_gold(
            kind,
            cell,
            choices=options or None,
            labels=marks or None,
            names=self.names or None,
            base=self.kind.base,
            parent=parent(row, self.answer.path),
        )

    def golds(self, rows: list[dict[str, Any]]) -> list[str | list[str] | None]:
        return [self.gold(row) for row in rows]

    def prompt_text(self, row: dict[str, Any]) -> str:
        """The text of the prompt; of a conversation the turns before the last assistant turn."""
        return as_text(get(row, self.prompt.path)) if self.prompt.path else ""


def as_text(cell: Any) -> str:
    """A prompt cell as text: messages joined without the final answer of the assistant."""
    if cell is None:
        return ""
    if spoken := turns(cell):
        asked = spoken[:-1] if role_of(spoken[-1]) in ASSISTANT else spoken
        return "\n\n".join(said_text(turn.get("content", turn.get("value"))) or "" for turn in asked)
    if isinstance(cell, str):
        return cell
    if isinstance(cell, (list, tuple)):
        if cell and all(isinstance(item, dict) for item in cell):
            return "\n\n".join(said_text(next((item[key] for key in ("content", "value", "text", "utterance", "message") if key in item), None)) or "" for item in cell)
        return "\n".join(as_text(item) for item in cell)
    return str(cell)


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
    rows = [clipped(row) for row in rows]
    fields = fields_of(rows, types or {}, names or {})
    by_path = {item.path: item for item in fields}
    choices = find_choices(fields)
    answers = answer_candidates(fields, choices, rows)
    if answer_field:
        answers = _told(answer_field, rows, by_path, answers)
    preference = preference_pair(fields)
    if preference:
        fields_asked = [item for item in fields if item.path.split(".")[0] != preference[1]]
    else:
        fields_asked = fields
    pictured = described(fields, answers) if not answer_field and not preference else None
    if pictured:
        answers = [Candidate(pictured[1], 0.6, "the only text beside images or sound"), *answers]
    if not answers or answers[0].score < WEAK:
        answers = [*left_over(fields), *answers]
    answer = answers[0] if answers else None
    target = by_path.get(answer.path) if answer else None
    chat = bool(target and target.kind in ("messages", "sharegpt"))
    paired = bool(preference and answer and answer.path == preference[0])
    prompts = prompt_candidates(fields_asked, answer.path if answer else None, choices, chat and not paired)
    if paired and chat and (not prompts or prompts[0].score < WEAK) and all(len(cell) > 1 for cell in target.present[:40]):
        prompts = []  # Each of the two conversations holds the prompt.
    if prompt_field:
        prompts = _told(prompt_field, rows, by_path, prompts)
    if pictured:
        prompts = [Candidate(pictured[0], 0.5, "what the text describes")]
    elif not prompts and not prompt_field and not answer_field and answer and target is not None and target.kind == "string" and answer.score < 0.7 and not longest_text(fields, target.path) and not any(item.kind == "media" for item in fields):
        # The only text there is, under a name that hardly says gold: it is what there is to be asked about.
        prompts, answers, answer, target = [Candidate(target.path, 0.4, "the only text")], [], None, None
    elif not prompts and not paired and target is not None:
        prompts = [Candidate(item.path, 0.5, "nothing else is asked") for item in fields_asked if item.depth == 0 and item.kind == "media"][:1] or longest_text(fields, target.path)
    elif prompts and prompts[0].score < WEAK and not paired and target is not None and not prompt_field:
        prompts = list({item.path: item for item in [*prompts, *longest_text(fields_asked, target.path)]}.values())
        prompts.sort(key=lambda item: -by_path[item.path].mean_words)
    prompt = Found(prompt_field, 1.0, [], "given") if prompt_field else _prompt(prompts, paired, answer)
    chosen = _matching(choices, answer, prompt)
    if chosen and chosen.style == "separate_columns" and target is not None and target.texts and all(len(text) > 1 and text in columns(chosen.path) for text in target.texts):
        chosen = replace(chosen, named=True)

    def agrees(path: str) -> bool:
        return target is not None and path in by_path and _agree(target, by_path[path], chosen, rows)

    inline = False
    kind = Guess("free_text_short", 0.0, None, "no field holds an answer")
    if target is not None:
        asked = by_path.get(prompt.path or "")
        found = [] if chosen or asked is None else [inline_options(as_text(cell)) for cell in asked.cells[:40]]
        inline = bool(found) and sum(bool(options) for options in found) > 0.7 * len(found)
        kind = recognise(_evidence(rows, target, fields, chosen, asked, paired, found if inline else []))
        kind = _sobered(kind, target, 1.0 if answer_field else _found(answers, target, agrees).confidence)
    return Schema(
        prompt=prompt,
        answer=Found(answer_field, 1.0, [], "given") if answer_field else _found(answers, target, agrees),
        kind=kind,
        choices=chosen,
        context=context_fields(fields, prompt.path, answer.path if answer else None, [chosen] if chosen else []),
        names=(as_letters(target.names, chosen) if chosen else target.names) if target is not None else [],
        rates=[item.path for item in fields if item.depth == 0 and is_rate(item.name, item.words) and item.present and item.kind in ("float", "int", "string")],
        inline_choices=inline and kind.kind in ("choice_letter", "choice_index_int", "choice_digit_string"),
    )


def _prompt(prompts: list[Candidate], paired: bool, answer: Candidate | None) -> Found:
    if not prompts:
        if paired and answer is not None:
            return Found(answer.path, 0.6, [], "the prompt is what stands before the last turn of the chosen one")
        return Found(None, 0.5, [], "no field holds a prompt")
    best, rest = prompts[0], prompts[1:4]
    confidence = _confidence(best.score, rest[0].score if rest else 0.0)
    return Found(best.path, confidence, [item.path for item in rest if item.score > 0.25], best.why)


def _confidence(best: float, second: float) -> float:
    """From two scores: how strong the best one is by itself, and how far ahead."""
    strength = min(1.0, max(0.0, (best - 0.25) / 0.6))
    margin = min(1.0, max(0.0, (best - second) / 0.25))
    confidence = 0.25 + 0.4 * strength + 0.34 * margin * strength
    # A name that tells something, and nothing else in the table that could be it.
    return round(min(0.98, max(confidence, 0.78) if best >= UNRIVALLED and second < WEAK else confidence), 3)


def clipped(row: dict[str, Any]) -> dict[str, Any]:
    """The row with very long texts cut in the middle: a megabyte says no more than its two ends."""
    if any(isinstance(cell, str) and len(cell) > LONGEST for cell in row.values()):
        return {key: cell[: LONGEST // 2] + cell[-LONGEST // 2 :] if isinstance(cell, str) and len(cell) > LONGEST else cell for key, cell in row.items()}
    return row


def _told(path: str, rows: list[dict[str, Any]], by_path: dict[str, Field], ranked: list[Candidate]) -> list[Candidate]:
    if path not in by_path:
        cells = [get(row, path) for row in rows]
        if all(cell is None for cell in cells):
            raise usage(f"no row has a field {path!r}", f"its fields are {', '.join(list(by_path)[:20])}", id="input.field")
        by_path[path] = Field(path, cells)
    return [Candidate(path, 2.0, "given"), *[item for item in ranked if item.path != path]]


def _found(answers: list[Candidate], target: Field | None, same: Callable[[str], bool] | None = None) -> Found:
    if not answers or target is None:
        return Found(None, 0.3, [], "no field holds an answer")
    best, rest = answers[0], answers[1:4]
    # An inner path of the same struct is no rival, nor the same answer in other words.
    rivals = [item for item in rest if not (item.path.startswith((f"{best.path}.", f"{best.path}[")) or best.path.startswith((f"{item.path}.", f"{item.path}["))) and not (same and same(item.path))]
    confidence = _confidence(best.score, rivals[0].score if rivals else 0.0)
    return Found(best.path, confidence, [item.path for item in rest if item.score > 0.25], best.why)


def _matching(choices: list[Choices], answer: Candidate | None, prompt: Found) -> Choices | None:
    """The options that belong to the answer: of several the ones in the same struct."""
    usable = [choice for choice in choices if (answer is None or choice.path != answer.path) and choice.path != prompt.path]
    if answer is not None and "." in answer.path:
        above = answer.path.rsplit(".", 1)[0]
        inside = [choice for choice in usable if choice.path.startswith(f"{above}.") or choice.path == above]
        if inside:
            return inside[0]
    return usable[0] if usable and usable[0].weight >= 0.6 else None


def _agree(target: Field, other: Field, choices: Choices | None, rows: list[dict[str, Any]]) -> bool:
    """True when both fields say the same in every row: the same option, or the one inside the other."""
    compared = 0
    for row, a, b in zip(rows[:60], target.cells, other.cells, strict=False):
        if is_absent(a) or is_absent(b) or isinstance(a, (dict, list)) or isinstance(b, (dict, list)):
            continue
        compared += 1
        options, marks = choices.options(row) if choices else ([], [])
        if options and any(option_index(a, options, marks, base) is not None and option_index(a, options, marks, base) == option_index(b, options, marks, other_base) for base in (0, 1) for other_base in (0, 1)):
            continue
        short, long = sorted((str(untagged(a)).strip().lower(), str(untagged(b)).strip().lower()), key=len)
        if short not in long:
            return False
    return compared > 0


def _evidence(rows: list[dict[str, Any]], target: Field, fields: list[Field], choices: Choices | None, prompt: Field | None, paired: bool, inline: list[list[str]]) -> Evidence:
    read = [choices.options(row) for row in rows] if choices else []
    lists = prompt is not None and prompt.kind == "list" and not any(isinstance(item, (list, dict)) for cell in prompt.present[:20] for item in cell) and all(isinstance(a, list) and isinstance(b, list) and len(a) == len(b) for a, b in zip(prompt.cells, target.cells, strict=True) if not is_absent(a) and not is_absent(b))
    return Evidence(
        cells=target.cells,
        path=target.path,
        key=target.key,
        kind=target.kind,
        names=target.names,
        options=[options for options, _ in read],
        marks=[marks for _, marks in read],
        prompts=[as_text(cell) for cell in prompt.cells[:60]] if prompt is not None else [],
        prompt_key=prompt.key if prompt is not None else "",
        prompt_lists=lists,
        siblings=frozenset(item.path.replace(".", "_").lower() if item.depth else item.key for item in fields if item.path != target.path),
        preference=paired,
        options_stem=stem_of(choices) if choices else "",
        inline=inline,
        listed=lists_answers(target, fields),
        number_lists=prompt is None and target.kind in ("int", "float") and any(_numbers(item) for item in fields),
    )


def _numbers(item: Field) -> bool:
    return item.kind == "list" and bool(item.present) and all(isinstance(cell, list) and all(isinstance(value, (int, float)) for value in cell) for cell in item.present[:20])


def _sobered(kind: Guess, target: Field, answer: float) -> Guess:
    """The kind is never surer than the field that it was read from; two rows are no proof."""
    few = 1.0 if len(target.present) >= 3 or kind.kind in ("class_label_int", "bool", "preference_pair") else 0.97
    return replace(kind, confidence=round(min(kind.confidence * few, answer), 3))
