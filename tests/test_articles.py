"""Articles before short answers, in the language of the question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.answers.articles import ARTICLES, language_of, with_articles
from lab.reward import plan
from lab.reward.rules import forms
from reward_briefs import World


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("In which city is the tower of the king?", "en"),
        ("In welcher Stadt steht der Dom, und wie heißt der Fluss?", "de"),
        ("Quelle est la capitale de la région du sud ?", "fr"),
        ("¿Cuál es la capital del país, y dónde está?", "es"),
        ("Qual é o nome do rio que passa em Lisboa?", "pt"),
        ("Wat is de hoofdstad van het land, en waar is die?", "nl"),
        ("Πού είναι ο πύργος;", ""),
    ],
)
def test_a_question_tells_its_language(question, language):
    assert language_of(question) == language


def test_french_articles_are_elided_before_a_vowel():
    assert with_articles("océan", "fr") == ["les océan", "l'océan", "un océan", "une océan"]
    assert with_articles("Dunmarsh", "en") == ["the Dunmarsh"]
    assert with_articles("lamp", "en") == ["the lamp", "a lamp"]
    assert "a Lisboa" in with_articles("Lisboa", "pt") and "um Porto" not in with_articles(
        "Porto", "pt"
    )
    assert "la Loire" in with_articles("Loire", "fr") and "l'Loire" not in with_articles(
        "Loire", "fr"
    )


@given(st.sampled_from([*ARTICLES, ""]), st.text(max_size=30))
def test_every_text_ends_with_the_gold_and_numbers_have_no_article(language, gold):
    assert all(text.endswith(gold) and text != gold for text in with_articles(gold, language))
    assert with_articles("1848", language) == [] and with_articles("der Dom", "de") == []


ROWS = [
    {"question": f"Wer oder was ist in der Stadt {n} und nicht im Dorf?", "answer": gold}
    for n, gold in enumerate(["Dom", "Brunnen", "Mühle", "Markt", "Rathaus", "Apotheker"])
]


def graded(*articles):
    def reward(text, row):
        said = text.partition("<answer>")[2].partition("</answer>")[0].strip().lower()
        first, _, rest = said.partition(" ")
        return float((rest if first in articles and rest else said) == row["answer"].lower())

    one = World(ROWS, "<answer>{answer}</answer>", reward)
    table = one.table(plan.of_forms(one.brief, {"article": "accepted"}))
    found = forms.findings(one.brief, forms.measure(one.brief, table))
    return next(each for each in found if each.id == "reward.forms_core")


def test_an_article_that_is_promised_and_refused_is_found():
    failed = graded("der", "die", "das", "ein", "eine")
    assert failed.status == "fail" and "article dem" in failed.evidence
    assert graded(*ARTICLES["de"]).status == "pass"
