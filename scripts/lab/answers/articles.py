"""Articles before a short answer, in the languages that have them.

    language_of("In welcher Stadt steht der Dom?")        # "de"
    with_articles("Dom", "de")                            # ["der Dom", "die Dom", "den Dom", ...]
    with_articles("océan Atlantique", "fr")               # ["l'océan Atlantique", "un océan ..."]

Whether an article fits its noun is not known here: a reward that drops articles knows it as little.
Source: SQuAD's evaluation script drops a, an, the; multilingual ones (MLQA) have a list for each
language.
"""

from __future__ import annotations

import re

ARTICLES: dict[str, tuple[str, ...]] = {
    "en": ("the", "a"),
    "de": ("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer"),
    "fr": ("le", "la", "les", "l'", "un", "une"),
    "es": ("el", "la", "los", "las", "un", "una"),
    "it": ("il", "lo", "la", "i", "gli", "le", "l'", "un", "una"),
    "pt": ("o", "a", "os", "as", "um", "uma"),
    "nl": ("de", "het", "een"),
}
INDEFINITE: dict[str, tuple[str, ...]] = {
    "en": ("a",),
    "fr": ("un", "une"),
    "es": ("un", "una"),
    "it": ("un", "una"),
    "pt": ("um", "uma"),
    "nl": ("een",),
}
"""Those that no name has; in German every noun is written like one."""
TELLING: dict[str, frozenset[str]] = {
    "en": frozenset("the of is was are which what who how and in to".split()),
    "de": frozenset("der die das ist und wie welche welcher wer wo was nicht mit im wurde".split()),
    "fr": frozenset("le la les des est quel quelle qui du dans une et sur combien".split()),
    "es": frozenset("el los las es qué cuál quién del en una por cómo y dónde".split()),
    "it": frozenset("il lo gli è quale chi di che nel della una in dove quanti".split()),
    "pt": frozenset("o os as é qual quem do da em uma que onde quantos".split()),
    "nl": frozenset("het een van welke wie wat hoe is de en op in waar niet".split()),
}
"""Frequent words by which a question tells its language."""
LEAST, MOST_WORDS = 2, 4
ARTICLE = "article"
"""What prompts and READMEs speak of that accept an article before the answer."""
VOWEL = re.compile(r"[aeiouyàâäéèêëîïôöûüœh]", re.IGNORECASE)


def language_of(text: str) -> str:
    """The language of a question, of those that have articles; "" where it does not tell."""
    said = re.findall(r"[^\W\d_]+", text.lower())
    counts = {name: sum(word in words for word in said) for name, words in TELLING.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] >= LEAST else ""


def with_articles(gold: str, language: str) -> list[str]:
    """The gold behind each article of the language, a name behind definite ones alone; nothing
    where it has one already, or where it is a number or long."""
    articles = ARTICLES.get(language, ())
    words = gold.split()
    plain = (
        words
        and len(words) <= MOST_WORDS
        and all(re.fullmatch(r"[^\W\d_][\w'’.-]*", w) for w in words)
    )
    if not plain or re.match(rf"(?:{'|'.join(articles)})\b", gold, re.IGNORECASE):
        return []
    unfit = INDEFINITE.get(language, ()) if gold[0].isupper() else ()
    vowel = bool(VOWEL.match(gold))
    elided = any(article.endswith("'") for article in articles)
    made = []
    for article in (one for one in articles if one not in unfit):
        if article.endswith("'"):
            made += [article + gold] if vowel and gold[0].lower() != "h" else []
        elif not (vowel and elided and article in ("le", "la", "lo", "il")):
            made.append(f"{article} {gold}")
    return made
