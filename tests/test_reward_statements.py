"""What README and prompts say of a reply in words: rules, tolerances, forms, limits."""

from __future__ import annotations

import pytest

from lab.reward.statements import most_words, stated, tolerance_of


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("If you write several, only the last <answer> tag counts.", "counts", "last"),
        ("Earlier boxes are ignored. A second answer in the box makes it wrong.", "counts", "last"),
        ("Only the first box is graded.", "counts", "first"),
        ("A reply with more than one answer scores 0.", "counts", "only"),
        ("Replies with multiple `<plan>` tags now return 0.0 reward.", "counts", "only"),
        ("Several boxes get no credit.", "counts", "only"),
        ("A second answer line makes the reply void.", "counts", "only"),
        ("The last filled pair outside <think> counts.", "counts", "last"),
        ("Text inside <think> is ignored.", "thinking", "ignored"),
        ("An answer without a lookup scores 0.", "tools", "required"),
        ("Write a fraction or as a decimal.", "decimal", "accepted"),
        ("Partial credit for each correct member.", "partial", "graded"),
        ("Longer replies earn less.", "length", "shorter"),
        ("0.4 for the step directly above or below it.", "partial", "graded"),
        ("A neighbouring class earns half.", "partial", "graded"),
        ("Case-insensitive comparison.", "case", "ignored"),
        ("Scientific notation may be 3.2 x 10^-5 or 3.2 × 10⁻⁵.", "power of ten", "accepted"),
        ("Numbers: plain decimals, `3.2 × 10⁻⁵`.", "superscript power", "accepted"),
    ],
)
def test_a_rule_that_is_stated_is_found_with_its_sentence(text, name, value):
    found = stated(f"You solve problems. {text} Good luck.")
    assert found[name].value == value and found[name].words in text


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("More than two decimals, or words, make it wrong.", "trailing zero", "refused"),
        ("Give exactly two decimals.", "trailing zero", "refused"),
        ("1 when the amount is right to the cent, otherwise 0.", "trailing zero", "refused"),
        ("A label in front (`A = ...`) is fine: only what follows the last `=` is read.",
         "last side", "read"),
        ("The part left of the first equals sign is not read.", "last side", "read"),
        ("An article in front: le, la, l', or none, is the same answer.", "article", "accepted"),
        ("Ein Artikel am Anfang wird weggelassen.", "article", "accepted"),
        ("Un artículo delante puede faltar.", "article", "accepted"),
        ("In the answer, an article in front is ignored.", "article", "accepted"),
    ],
)  # fmt: skip
def test_what_is_said_of_decimals_equations_and_articles(text, name, value):
    assert stated(text)[name].value == value


@pytest.mark.parametrize(
    "text",
    [
        "Round to two decimals.",
        "y = 2x follows from it.",
        "Name each article and its price.",
        "The core with the articles and other words of the same expression is accepted.",
        "Words, or a second number between the tags, make the reply wrong.",
        "What stands after the last </think> counts.",
        "Ignored are accents; in Italian dates, the article in front (`il primo maggio`).",
    ],
)
def test_what_only_sounds_like_it_says_nothing(text):
    assert not stated(text).keys() & {"trailing zero", "last side", "article", "counts"}


def test_ordinary_words_state_no_rule():
    assert stated("What was the last king of France? Give the answer in <answer> tags.") == {}
    rows = "The rows that are right before the first mistake, counted from the top."
    assert "counts" not in stated(rows)
    blocks = "The longest matching block counts; lines without a branch are penalised."
    assert "length" not in stated(blocks)


@pytest.mark.parametrize(
    ("readme", "share"),
    [
        ("Numbers count within 2 %.", 0.02),
        ("A relative tolerance of 0.5% applies.", 0.005),
        ("A figure may be up to 3 % off.", 0.03),
        ("A jacket is 15% off in the sale.", None),
        ("Toleranz: 1,5 %", 0.015),
        ("Right within 1 % or 0.01, whichever is more.", None),
        ("The share of seats that are taken, in %, such as 25 %.", None),
        ("Within 1 % for lengths. Within 5 % for masses.", None),
    ],
)
def test_a_tolerance_that_is_stated_is_read(readme, share):
    assert tolerance_of(readme) == share


@pytest.mark.parametrize(
    ("readme", "rule", "value"),
    [
        ("Decimal point, no thousands separator.", "thousands separator", "refused"),
        ("Numbers with or without thousands separators.", "thousands separator", "accepted"),
        ("Tags may be given in any order.", "another order", "accepted"),
        ("Strings are compared without regard to case.", "case", "ignored"),
        ("Tolerance 0.5 %, one unit of your choice.", "tolerance", "given"),
        ("Text after the number is ignored.", "around", "ignored"),
        ("It is enough that one of them is right.", "counts", "any"),
    ],
)
def test_what_a_readme_says_of_forms_is_read(readme, rule, value):
    assert stated(readme)[rule].value == value


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("In a sentence or two (at most 80 words; longer answers score 0).", 80),
        ("Replies of more than 120 words earn nothing.", 120),
        ("Write 40 to 120 words.", 120),
        ("Use 60 words or fewer.", 60),
        ("Responda com no máximo 80 palavras.", 80),
        ("Höchstens 90 Wörter.", 90),
        ("A title of at most 6 words.", None),
        ("Count the words.", None),
    ],
)
def test_a_limit_of_words_is_read(text, most):
    assert most_words(text) == most
