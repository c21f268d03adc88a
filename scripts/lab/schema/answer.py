"""Which field holds the gold: every field weighed by its name and by what its cells hold."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lab.answers.extract import ALIAS_KEYS, is_absent
from lab.answers.numbers import parse_number
from lab.answers.shapes import has_tests, is_sql, parsed
from lab.schema.choices import Choices
from lab.schema.content import fits_options, formats, weigh
from lab.schema.fields import Field, words_of
from lab.schema.pairs import parallel_texts, preference_pair, spoken_pair, translation_pair
from lab.schema.paths import columns
from lab.schema.words import (
    ANSWER,
    CONTEXT,
    PROMPT,
    TESTS,
    is_class,
    is_made,
    is_meta,
    is_rate,
    is_wrong,
    weight,
)


@dataclass(frozen=True)
class Candidate:
    path: str
    score: float
    why: str = ""


def answer_candidates(fields: list[Field], choices: list[Choices], rows: list[dict]) -> list[Candidate]:
    """Fields that may hold the gold, best first; the scores are comparable, 1.0 is a plain `answer`."""
    by_path = {field.path: field for field in fields}
    preference = preference_pair(fields)
    languages, spoken = parallel_texts(fields), spoken_pair(fields)
    taken = {part for choice in choices[:1] for part in columns(choice.path)} if choices else set()
    top = choices[0] if choices else None
    out = []
    for field in fields:
        score, why = _score(field, by_path, top, rows)
        if field.path in taken and not _correct_column(field, top) and not (preference and field.path == preference[0]):
            continue
        if preference and field.path == preference[0]:
            # Numbered responses are a pair only beside a verdict, which is then no rival.
            score, why = max(score, 1.0 if field.path[-1] in "012ABab" else 0.93), "chosen beside rejected"
        if languages and field.path == languages[1]:
            score, why = max(score, 0.66), "the text in the second language"
        if spoken and field.path == spoken[1]:
            score, why = max(score, 0.85), "what is said back"
        if score > 0.05:
            out.append(Candidate(field.path, round(score, 4), why))
    ranked = sorted(out, key=lambda c: (-c.score, c.path.count("."), list(by_path).index(c.path)))
    ranked = ranked if preference and ranked[0].path == preference[0] else _prefer_short_form(_prefer_told(ranked, by_path), by_path)
    return _prefer_letter(ranked, by_path, top, rows) if top else ranked


ASIDE = ("extra_info", "metadata", "meta", "info")
"""Columns that hold what stands beside the task; a gold found there is the last resort."""
def _correct_column(field: Field, top: Choices | None) -> bool:
    """The correct option as a column of its own, among distractor columns."""
    return bool(top and top.style == "separate_columns" and field.key in ("correct_answer", "right_answer", "correct", "correct_option", "true_answer", "correct_choice", "answer") and not re.search(r"(?:\d|_[a-e])$", field.path))


def _score(field: Field, by_path: dict[str, Field], top: Choices | None, rows: list[dict]) -> tuple[float, str]:
    # Spans with their places are answers also where the rows in sight have none.
    spans = field.name == "text" and field.kind == "list" and f"{field.path.rpartition('.')[0]}.answer_start" in by_path
    if field.kind in ("null", "media") or field.identifier or not (field.present or spans):
        return 0.0, ""
    if is_wrong(field.words):
        return 0.0, ""
    name = weight(ANSWER, field.words)
    tests = weight(TESTS, field.words)
    if is_rate(field.name, field.words):
        return 0.0, ""
    if is_meta(field.words) and field.key not in ANSWER:
        name *= 0.3
    if is_made(field.words):
        name *= 0.5
    if is_class(field.words) and (field.mean_words > 4 or field.kind == "float"):
        name *= 0.4
    if field.key == "query" and not field.share(is_sql):
        # `query` is the gold of SQL sets, and what is asked in all others.
        name = 0.0
    if field.words[0] in ("is", "has") and not field.depth and all(cell in (0, 1) for cell in field.present):
        name = max(name, 0.45)
    if field.kind == "list" and not field.depth and all(isinstance(cell, list) and all(isinstance(item, int) for item in cell) for cell in field.present[:20]) and any(other.kind == "string" and other.path.startswith(f"{field.path}_") for other in by_path.values()):
        # `targets` as token ids beside `targets_pretokenized`.
        name *= 0.3
    if field.kind == "bool" and (field.key not in ANSWER or field.key == "correct"):
        # `difficult_direct_answer: false` says something about the answer, `correct` about somebody's.
        name *= 0.6
    if field.kind == "dict" and any(path.startswith(f"{field.path}.") and other.kind in ("messages", "sharegpt") for path, other in by_path.items()):
        # A request with the conversation in it is what is asked.
        return 0.0, ""
    if not field.depth and len(field.words) > 1 and field.words[-1] == "label" and by_path.get(field.words[0]) and weight(PROMPT, field.words[:1]) >= 0.6:
        # `prompt_label` judges the `prompt` itself.
        name = max(name, 1.0)
    if field.words[-1] == "id" and not field.names and not (top and fits_options(field, top, rows)) and any(len(str(cell)) > 2 for cell in field.present):
        # An `answer_id` without options is the number of a row somewhere.
        name *= 0.2
    if (f"reasoning_{field.key}" in by_path or f"thinking_{field.key}" in by_path) and field.mean_words >= 3:
        # `content` beside `reasoning_content`: what a model said after thinking.
        name = max(name, 0.8)
    if field.kind == "dict" and field.key in ("label", "labels") and not any(isinstance(cell.get(key), (str, int, float)) for cell in field.present[:20] for key in ALIAS_KEYS):
        # Annotations of many sorts, none of them an answer.
        name *= 0.4
    if field.key in ("input", "output") and formats(by_path):
        name = 0.0
    if field.words[-1] == "summary" and len(field.words) > 1 and not any(other.kind in ("string", "messages", "list", "media") and max(weight(PROMPT, other.words), weight(CONTEXT, other.words)) >= 0.4 for other in by_path.values()):
        # A `discharge_summary` with nothing beside it to be summarised is a document.
        name *= 0.3
    nested = _nested_name(field, by_path)
    if field.depth and (field.path.split(".")[0] in ASIDE or len(field.name) == 1 or _about_prompt(field, by_path)):
        # Beside the task, something measured about the prompt, or a key of one letter (a model, an option): nothing that a name could tell.
        name = 0.0
    score, why = max(name, nested), "its name"
    content, reason = weigh(field, by_path, top, rows, tests)
    if content > 0:
        score, why = max(score, content), reason
    elif content < 0:
        score += content
    if field.depth and nested <= 0.3:
        # Deep inside some other column a telling name tells less.
        score = score * 0.75**field.depth if score > 0 else score
    # A column that most rows leave empty is no gold column, unless the others are empty too.
    score *= 0.35 + 0.65 * min(1.0, field.filled / 0.5) if field.filled < 0.5 and not spans else 1.0
    if field.names and field.depth == 0:
        judged = field.key in ("label", "labels", "gold_label")
        # Declared class names make a column a target; a label beside an `answer` judges that answer.
        score = max(score, 1.04 if judged else 0.82 + 0.06 * name) if not is_meta(field.words) or name >= 0.3 else score
    elif field.key == "label" and field.depth == 0 and field.texts and field.share(lambda text: text.strip().lower() in ("yes", "no", "true", "false")) == 1:
        score = max(score, 1.02)
    elif field.key == "label" and field.depth == 0 and field.kind == "string" and 1 < field.distinct < len(field.present) and field.mean_words <= 3:
        # Few words that come again are classes, whatever texts stand beside them.
        score = max(score, 0.96)
    if field.kind in ("messages", "sharegpt"):
        score = _turns(field)
        why = "its last turn is the assistant's"
    return score, why


def _about_prompt(field: Field, by_path: dict[str, Field]) -> bool:
    """True inside a struct that holds the text of the prompt: `prompt.toxicity` beside `prompt.text`."""
    above = field.path.rpartition(".")[0]
    return weight(PROMPT, words_of(above)) >= 0.85 and any(f"{above}.{name}" in by_path for name in ("text", "content"))


def _nested_name(field: Field, by_path: dict[str, Field]) -> float:
    """Weights of nested fields: the inside of an answer struct counts as the answer."""
    if not field.depth:
        return 0.0
    above = field.path.rpartition(".")[0]
    outer = by_path.get(above.removesuffix("[]"))
    languages = translation_pair(outer)
    if languages:
        return 0.95 if field.path == f"{above}.{languages[1]}" else 0.0
    steps = field.path.replace("[]", "").split(".")
    if "ground_truth" in steps:
        deeper = steps[-1] != "ground_truth"
        return 1.3 if not deeper else (1.32 if steps[-1] in ("target", "value", "answer") else 0.6)
    if outer is not None and weight(TESTS, outer.words) > 0.9 and any(map(has_tests, outer.present[:5])):
        return 0.0
    if steps[0] in ASIDE and outer is not None:
        return 0.55 * weight(ANSWER, field.words) if len(steps[-1]) > 1 else 0.0
    base = weight(ANSWER, outer.words) if outer else 0.0
    member = {"text": 0.04, "aliases": 0.05, "value": 0.03, "spans": 0.04, "input_text": 0.04, "labels": 0.03, "answer": 0.03, "ground_truth": 0.1, "normalized_aliases": 0.01, "target": 0.04, "texts": 0.04, "human_readable": 0.06, "span": 0.02, "body": 0.04, "content": 0.03}
    if base >= 0.6 and steps[-1] in member:
        # Lists of aliases, one for each of the answers beside them, are not these answers.
        grouped = field.kind == "list" and any(isinstance(item, list) for cell in field.present[:20] for item in cell)
        return base + (0.0 if grouped else member[steps[-1]])
    if base >= 0.6:
        return 0.3
    return 0.0


_ASKS = re.compile(r"(?:^|[.?!,:;\n]\s*|\b(?:in|at|on|by|for|from|of|to|with) )(?:what|which|who|whom|whose|when|where|how (?:many|much|long|far|old|often))\b", re.IGNORECASE)


def _prefer_told(ranked: list[Candidate], by_path: dict[str, Field]) -> list[Candidate]:
    """`How many …?` is not answered by true or false: the next one that can be, where there is one."""
    if len(ranked) < 2 or by_path[ranked[0].path].kind != "bool":
        return ranked
    asked = [field for field in by_path.values() if field.kind == "string" and not field.depth and weight(PROMPT, field.words) >= 0.85]
    if not any(field.share(_ASKS.search) > 0.8 for field in asked):
        return ranked
    told = next((other for other in ranked[1:] if other.score >= 0.7 and by_path[other.path].kind != "bool" and by_path[other.path] not in asked), None)
    return [told, *[other for other in ranked if other is not told]] if told else ranked


_RUNS = frozenset({"trajectory", "trajectories", "rollout", "rollouts", "trace", "traces"})
"""Names of what some agent did, whoever speaks last in it."""


def _turns(field: Field) -> float:
    """Chat columns hold the answer only when they end with an assistant turn."""
    from lab.answers.extract import gold

    kind = "messages_last_assistant" if field.kind == "messages" else "sharegpt_last_assistant"
    ended = [gold(kind, cell) for cell in field.present[:40]]
    share = sum(value is not None for value in ended) / len(ended) if ended else 0
    name = weight(ANSWER, field.words)
    if field.words[-1] not in _RUNS:
        name = max(name, 0.7)
    return min(name, 0.8) * share if share > 0.5 else 0.0


def _prefer_short_form(ranked: list[Candidate], by_path: dict[str, Field]) -> list[Candidate]:
    """Of two fields with the same answer the final one: `answer_number` over a worked `answer`."""
    if len(ranked) < 2:
        return ranked
    best = by_path[ranked[0].path]
    for other in ranked[1:6]:
        rival = by_path[other.path]
        if is_meta(rival.words) or (rival.depth and other.path.split(".")[0] != ranked[0].path.split(".")[0]):
            continue
        if other.score < 0.72 or rival.kind not in ("string", "int", "float") or best.kind != "string" or rival.filled < best.filled - 0.1:
            continue
        if best.mean_length < 3 * max(rival.mean_length, 4) or best.share(parsed) > 0.6:
            continue
        pairs = [(str(a), b) for a, b in zip(best.cells, rival.cells, strict=True) if isinstance(a, str) and not is_absent(b)]
        inside = sum(str(b).strip() in a or _number_inside(a, b) for a, b in pairs)
        if pairs and inside >= 0.8 * len(pairs) and all(len(str(b)) <= 60 for _, b in pairs):
            return [other, *[c for c in ranked if c is not other]]
    return ranked


def _prefer_letter(ranked: list[Candidate], by_path: dict[str, Field], top: Choices, rows: list[dict]) -> list[Candidate]:
    """Of an option's text and its letter the letter: texts repeat, and a letter is what a model can state."""
    if not ranked or not fits_options(by_path[ranked[0].path], top, rows):
        return ranked
    if _letters(by_path[ranked[0].path]):
        return ranked
    for other in ranked[1:6]:
        rival = by_path[other.path]
        if other.score >= 0.7 and _letters(rival) and fits_options(rival, top, rows) and rival.filled >= 0.9 * by_path[ranked[0].path].filled:
            return [other, *[c for c in ranked if c is not other]]
    return ranked


def _letters(field: Field) -> bool:
    return field.share(lambda text: re.fullmatch(r"\(?[A-Za-z]\)?", text.strip())) > 0.9


def _number_inside(text: str, cell: object) -> bool:
    value = parse_number(cell)
    return value is not None and any(parse_number(found) == value for found in re.findall(r"-?[\d,]*\.?\d+", text))
