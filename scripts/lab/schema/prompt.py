"""Which field holds the prompt, and which ones the context that it needs."""

from __future__ import annotations

import re

from lab.answers.shapes import has_tools, is_sql, parsed
from lab.schema.answer import Candidate
from lab.schema.choices import Choices, inline_options
from lab.schema.content import formats, is_token_list
from lab.schema.fields import Field, words_of
from lab.schema.pairs import parallel_texts, spoken_pair, translation_pair
from lab.schema.paths import columns
from lab.schema.words import CONTEXT, PROMPT, TESTS, explains, is_class, is_meta, is_rate, weight

SIDES = {"source", "sources", "src", "original", "source_text", "from_text"}
"""Names of the first side of a pair of texts; over single words they name where a row comes from."""
JUDGES = frozenset("labelling labeling annotation annotator judge judging judgement judgment grader grading evaluation evaluator rating scoring critique generation verifier".split())
"""First words of the names of prompts that were put to somebody else than the model in training."""
SPEAKERS = frozenset({"speaker", "author", "sender", "role"})
SAID = ("text", "utterance", "message", "content", "value")
"""Members of a turn: who says it, and what."""
ASSISTANT_LAST = re.compile(r"assistant|gpt|model|bot|chatgpt", re.IGNORECASE)


def prompt_candidates(fields: list[Field], answer: str | None, choices: list[Choices], chat_answer: bool) -> list[Candidate]:
    """Fields that may hold the prompt, best first; 1.0 is a plain `question`."""
    by_path = {field.path: field for field in fields}
    options = {part for choice in choices[:1] for part in columns(choice.path)}
    gold = by_path.get(answer or "")
    verl = any("reward_model" in field.path for field in fields)
    languages, spoken = parallel_texts(fields), spoken_pair(fields)
    out = []
    for field in fields:
        if field.path in options or (field.path == answer and not chat_answer) or field.path.startswith(f"{answer}."):
            continue
        score, why = _score(field, gold, verl, by_path)
        if languages and field.path == languages[0] and answer == languages[1]:
            score, why = max(score, 0.8), "the text in the first language"
        if spoken and (field.path, answer) == spoken:
            score, why = max(score, 0.9), "what is said first"
        if score > 0.05:
            out.append(Candidate(field.path, round(score, 4), why))
    ranked = sorted(out, key=lambda c: (-c.score, list(by_path).index(c.path)))
    if ranked and is_standing(by_path[ranked[0].path]):
        # What is asked is what differs from row to row.
        ranked.sort(key=lambda c: c.score < 0.7 or by_path[c.path].kind != "string" or is_standing(by_path[c.path]))
    if ranked and not _lists_options(by_path[ranked[0].path]):
        # And where the options stand.
        ranked.sort(key=lambda c: c.score < 0.7 or not _lists_options(by_path[c.path]))
    return _prefer_whole(ranked, by_path)


def _score(field: Field, gold: Field | None, verl: bool, by_path: dict[str, Field]) -> tuple[float, str]:
    if field.kind in ("null", "media", "int", "float", "bool") or not field.present:
        return 0.0, ""
    name = weight(PROMPT, field.words)
    if len(field.words) > 1 and (field.words[0] in JUDGES or field.words[0] == "system"):
        # `labelling_prompt`: what a judge of the row was asked; `system_prompt`: what stands before every question.
        name *= 0.3
    if field.key in ("input", "output") and formats(by_path):
        name = 0.0
    if field.depth and weight(TESTS, words_of(field.path.split(".")[0])) > 0.9:
        return 0.0, ""
    if field.kind in ("messages", "sharegpt"):
        ends = sum(_last_role_is_assistant(cell) for cell in field.present[:40]) / len(field.present[:40])
        ready = 0.12 if ends < 0.5 else (-0.05 if name >= 0.6 else -0.4)
        return max(name, 0.6) + ready + (0.05 if verl else 0), "a list of messages"
    if field.kind == "dict":
        return 0.0, ""
    if field.kind == "list":
        strings = all(isinstance(cell, list) and all(isinstance(item, str) for item in cell) for cell in field.present[:20])
        nested = all(isinstance(cell, list) and cell and isinstance(cell[0], list) and cell[0] and isinstance(cell[0][0], (dict, str)) for cell in field.present[:20])
        if nested and weight(PROMPT, field.words) > 0.8:
            return 0.85, "lists of messages"
        if is_token_list(field):
            return 0.62, "a text as the list of its words"
        if field.depth == 1 and field.name in ("input_text", "text", "texts", "question", "content"):
            name = max(name, weight(PROMPT, words_of(field.path.split(".")[0])))
        if name < 0.7 and field.depth == 0 and _sentences(field):
            return max(0.55, 0.9 * name) if name >= 0.4 or field.key in SIDES else 0.0, "a text as a list of sentences"
        if not field.depth and is_spoken(field):
            return max(name, 0.7), "turns of a conversation"
        if gold is not None and gold.kind == "list" and name >= 0.7 and strings and _parallel(field, gold):
            return name * 0.9 + 0.2, "as many questions as answers"
        return (name * (0.7 if "[]" in field.path and (gold is None or gold.path.split("[]")[0] != field.path.split("[]")[0]) else 0.9), "a list of questions") if strings and name >= 0.7 else (0.0, "")
    if is_rate(field.name, field.words) or field.identifier:
        return 0.0, ""
    if explains(field.words):
        return 0.0, ""
    if field.key in SIDES and field.mean_words >= 5:
        name = max(name, 0.7)
    score = max(name, 0.72) if is_class(field.words) and field.mean_words > 4 else name
    languages = translation_pair(by_path.get(field.path.rpartition(".")[0])) if field.depth else None
    if languages:
        return (0.95, "the text in the first language") if field.name == languages[0] else (0.0, "")
    if field.depth and field.name in ("value", "content") and _asked_by_user(field, by_path):
        return 0.92, "the text of the user's turn"
    if is_meta(field.words) and (field.key not in PROMPT or PROMPT[field.key] < 0.2) and name < 0.7:
        score = min(score, 0.2)
    if field.depth:
        above = field.path.split(".")[0].removesuffix("[]")
        if above in ("extra_info", "metadata", "meta", "info", "reward_model"):
            score *= 0.6
        elif field.name in ("text", "content", "value", "question", "prompt", "query"):
            score = max(score * 0.9, 0.95 * weight(PROMPT, (above.lower(),)))
        else:
            score *= 0.7
    if field.key in ("text", "content", "body", "description", "sentence") or name == 0:
        score += 0.1 * min(1.0, field.mean_words / 12)
    if field.share(lambda text: text.rstrip().endswith("?")) > 0.5:
        score += 0.06
    if field.share(is_sql) > 0.7:
        score -= 0.9
    if field.repeated and field.longest < 40:
        score -= 0.5
    if field.mean_words < 1.3 and field.mean_length < 12:
        score -= 0.5 if field.share(str.isalpha) > 0.8 else 0.35
    structured = [parsed(text) for text in field.texts[:20]]
    if structured and sum(value is not None for value in structured) > 0.7 * len(structured) and name < 0.8:
        score -= 0.6
    if field.filled < 0.5:
        score *= 0.4 + 1.2 * field.filled
    if gold is not None and _holds(field, gold):
        score -= 0.5
    return score, "its name and text"


def is_spoken(field: Field) -> bool:
    """A list of what several people say in turn, each with a name for who says it."""
    flat = [item for cell in field.present[:20] if isinstance(cell, list) for item in cell]
    return bool(flat) and all(isinstance(item, dict) and SPEAKERS.intersection(item) and any(isinstance(item.get(key), str) for key in SAID) for item in flat)


def is_standing(field: Field) -> bool:
    """One text for all rows: an instruction that stands before every question."""
    return field.kind == "string" and field.filled == 1 and len(field.present) > 1 and field.distinct == 1


def _lists_options(field: Field) -> bool:
    """True for texts with their options in them, lettered and in order."""
    return bool(field.texts) and field.kind == "string" and all(len(inline_options(text)) >= 2 for text in field.texts[:40])


def _parallel(field: Field, gold: Field) -> bool:
    """True when every row has as many members in both lists, and some row more than one."""
    sizes = [(len(a), len(b)) for a, b in zip(field.cells[:40], gold.cells[:40], strict=True) if isinstance(a, list) and isinstance(b, list)]
    return bool(sizes) and all(a == b for a, b in sizes) and any(a > 1 for a, _ in sizes)


def _sentences(field: Field) -> bool:
    """A list whose members are sentences, as long texts are sometimes kept."""
    flat = [item for cell in field.present[:20] if isinstance(cell, list) for item in cell]
    return bool(flat) and all(isinstance(item, str) for item in flat) and sum(len(item.split()) for item in flat) >= 4 * len(flat)


def _asked_by_user(field: Field, by_path: dict[str, Field]) -> bool:
    """True inside a single message (`{"from": "human", "value": …}`) that is the user's."""
    above = field.path.rpartition(".")[0]
    roles = by_path.get(f"{above}.from") or by_path.get(f"{above}.role")
    return bool(roles and roles.texts and roles.share(lambda role: role.lower() in ("human", "user", "prompter")) > 0.8)


def _last_role_is_assistant(cell: object) -> bool:
    last = cell[-1] if isinstance(cell, (list, tuple)) and cell else None
    role = str((last.get("role") or last.get("from") or "") if isinstance(last, dict) else "")
    return bool(ASSISTANT_LAST.search(role))


def _holds(field: Field, gold: Field) -> bool:
    """True when the field contains the whole gold text: prompt and answer in one."""
    pairs = [(a, b) for a, b in zip(field.cells, gold.cells, strict=True) if isinstance(a, str) and isinstance(b, str) and len(b) >= 24]
    return len(pairs) >= 1 and sum(b.strip() in a for a, b in pairs) > 0.7 * len(pairs)


def _prefer_whole(ranked: list[Candidate], by_path: dict[str, Field]) -> list[Candidate]:
    """A field that contains the other prompt field and more is the whole prompt."""
    if len(ranked) < 2:
        return ranked
    best = by_path[ranked[0].path]
    for other in ranked[1:5]:
        rival = by_path[other.path]
        if other.score < ranked[0].score - 0.2 or best.kind != "string" or rival.kind != "string":
            continue
        pairs = [(a.strip(), b) for a, b in zip(best.cells, rival.cells, strict=True) if isinstance(a, str) and isinstance(b, str) and a.strip()]
        if pairs and sum(len(b) > len(a) + 8 and a in b for a, b in pairs) > 0.8 * len(pairs) and weight(PROMPT, rival.words) >= 0.8:
            return [other, *[c for c in ranked if c is not other]]
    return ranked


def context_fields(fields: list[Field], prompt: str | None, answer: str | None, choices: list[Choices]) -> list[str]:
    """Fields that the prompt needs to be answerable: passage, premise, tools, table, input."""
    options = {part for choice in choices[:1] for part in columns(choice.path)}
    by_path = {field.path: field for field in fields}
    asked, gold = by_path.get(prompt or ""), by_path.get(answer or "")
    found: list[str] = []
    for field in fields:
        if field.path in options or field.path in (prompt, answer) or field.kind in ("null", "media", "int", "float", "bool"):
            continue
        if prompt and (field.path.startswith((f"{prompt}.", f"{prompt}[]")) or prompt.startswith((f"{field.path}.", f"{field.path}[]"))):
            continue
        if answer and (field.path.startswith((f"{answer}.", f"{answer}[]")) or answer.startswith((f"{field.path}.", f"{field.path}[]"))):
            continue
        strength = CONTEXT.get(field.key, 0.0)
        if field.depth:
            outer = by_path.get(field.path.split(".")[0].removesuffix("[]"))
            inner = field.key in ("contexts", "text", "passages", "passage_text")
            strength = 0.9 if outer is not None and inner and field.depth <= 2 and CONTEXT.get(outer.key, 0) >= 0.9 and field.mean_length + len(field.present) > 0 else 0.0
        standing = asked is not None and not field.depth and weight(PROMPT, field.words) >= 0.7 and is_standing(field) and not is_standing(asked)
        if strength < 0.7 and not standing and not _needed(field, asked, strength) and not _twin(field, asked, by_path):
            continue
        if asked is not None and asked.key in ("messages", "conversations", "prompt") and field.key in ("context", "input", "text", "body", "history"):
            continue
        if gold is not None and _holds(field, gold) and strength < 0.9:
            continue
        found.append(field.path)
    return _innermost(found)


def _needed(field: Field, asked: Field | None, strength: float) -> bool:
    if field.depth or asked is None:
        return False
    if field.key == "title" and asked.key in ("content", "body", "text") and not is_meta((asked.key,)):
        return True
    structured = [parsed(text) for text in field.texts[:10]]
    return strength >= 0.3 and bool(structured) and all(has_tools(value) for value in structured if value is not None) and any(value is not None for value in structured)


def _twin(field: Field, asked: Field | None, by_path: dict[str, Field]) -> bool:
    """True for the other one of two numbered texts (`question_1`, `question_2`): what is asked is about both."""
    if asked is None or field.depth or asked.depth or field.kind != "string" or not field.present:
        return False
    stem = asked.path[:-1]
    return len(stem) > 1 and asked.path[-1] in "12ab" and [path for path in by_path if path[:-1] == stem and len(path) == len(stem) + 1] in ([asked.path, field.path], [field.path, asked.path])


def _innermost(paths: list[str]) -> list[str]:
    """`context.contexts` instead of `context` where the inner one is text."""
    return [path for path in paths if not any(other != path and other.startswith(f"{path}.") for other in paths)]
