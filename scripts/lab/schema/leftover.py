"""What may be the prompt or the gold where no name tells: always a question to the user, never a finding."""

from __future__ import annotations

from itertools import pairwise

from lab.schema.answer import Candidate
from lab.schema.fields import Field
from lab.schema.words import ANSWER, CONTEXT, PROMPT, explains, is_meta, is_wrong, weight

SORTS = frozenset({"type", "kind", "category", "topic", "subject", "genre", "domain"})
"""Names of bookkeeping that are asked about where a text has nothing else beside it: it may be sorted into them."""


def left_over(fields: list[Field]) -> list[Candidate]:
    """With no telling name: what is left beside the prompt; never sure. Inputs are written before
    targets, so of several the last one, and labels (few values) before texts."""
    plain = [item for item in fields if item.depth == 0 and item.kind not in ("null", "media", "mixed") and item.present and not item.identifier and not _bookkeeping(item) and not _counts_up(item)]
    texts = [item for item in plain if item.kind == "string"]
    pictured = any(item.kind == "media" for item in fields) and not any(weight(PROMPT, item.words) >= 0.5 for item in texts)
    texts = [*texts, *(item for item in fields if (item.kind == "messages" or (item.kind == "list" and not item.depth)) and weight(PROMPT, item.words) >= 0.5)]
    if texts and len(plain) == 1 and not pictured:
        return [Candidate(item.path, 0.3, "what the texts may be sorted into") for item in fields if item.depth == 0 and item.kind == "string" and item.words[-1] in SORTS and item.mean_words <= 4][:4]
    if not texts:
        return []
    prompt = None if pictured else max(texts, key=lambda item: (weight(PROMPT, item.words) >= 0.85, weight(PROMPT, item.words) >= 0.5, item.mean_length))
    empty = [item for item in fields if item.depth == 0 and not item.present and weight(ANSWER, item.words) >= 0.9]
    rest = [item for item in plain if item is not prompt and not (prompt and prompt.path.startswith(f"{item.path}.")) and not _given(item) and not is_wrong(item.words) and weight(PROMPT, item.words) < 0.7][::-1]
    rest.sort(key=lambda item: item.kind not in ("string", "list"))
    labels = [item for item in rest if item.repeated and item.distinct > 1]
    # Beside a prompt that is named as one, a long text is what was written for it.
    written = [item for item in rest if prompt is not None and weight(PROMPT, prompt.words) >= 0.9 > weight(PROMPT, item.words) and item.mean_words >= 12]
    ordered = dict.fromkeys(item.path for item in [*labels, *written, *rest, *empty])
    return [Candidate(path, 0.3, "what is left beside the prompt") for path in ordered][:4]


def _given(item: Field) -> bool:
    """Names of what stands beside the question for the model to read: contexts, system prompts."""
    return any(CONTEXT.get(word, 0) >= 0.9 for word in (item.key, *item.words)) or "prompt" in item.words


def longest_text(fields: list[Field], answer: str) -> list[Candidate]:
    """With no telling name: the longest text beside the answer, else the first list of texts; never sure."""
    beside = [item for item in fields if item.depth == 0 and item.path != answer and item.present and not item.identifier and not _bookkeeping(item)]
    texts = sorted((item for item in beside if item.kind == "string"), key=lambda item: (weight(ANSWER, item.words) >= 0.7, -item.mean_length))
    lists = [item for item in beside if item.kind == "list" and all(isinstance(part, str) for cell in item.present[:20] if isinstance(cell, list) for part in cell)]
    return [Candidate(item.path, 0.3, "the longest text") for item in [*texts, *lists][:3]]


def described(fields: list[Field], answers: list[Candidate]) -> tuple[str, str] | None:
    """(media, text) where a picture or a recording stands beside one text: its caption, its transcript."""
    media = [item for item in fields if item.depth == 0 and item.kind == "media"]
    flags = {item.path for item in fields if item.kind == "bool"}
    if not media or any(answer.score > 0.42 and answer.path not in flags for answer in answers):
        return None
    asked = [item for item in fields if item.depth == 0 and item.present and item.kind in ("string", "messages", "sharegpt", "list") and not item.identifier and not is_meta(item.words) and weight(PROMPT, item.words) >= 0.5]
    plain = [item for item in asked if item.words[-1] in ("text", "sentence", "caption", "transcription", "transcript", "description")]
    return (media[0].path, plain[0].path) if len(asked) == 1 and plain else None


def _counts_up(item: Field) -> bool:
    """A running number, or one number for all rows."""
    whole = [cell for cell in item.present if isinstance(cell, int) and not isinstance(cell, bool)]
    if item.kind != "int" or len(whole) < 2:
        return False
    return len(set(whole)) == 1 or (len(whole) > 2 and all(b - a == whole[1] - whole[0] for a, b in pairwise(whole)))


def _bookkeeping(item: Field) -> bool:
    """Names of bookkeeping and of explanations, and single words with slashes in them: paths and names of things."""
    return is_meta(item.words) or explains(item.words) or (item.kind == "string" and item.share(lambda text: "/" in text and " " not in text.strip()) > 0.8)
