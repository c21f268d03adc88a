"""What the options give away together with the question, and what of a prompt is its question."""

from __future__ import annotations

import random

import pytest

from lab.data.checks.item import Item
from lab.data.checks.learners import Corpus, crossed, shortcuts
from lab.data.checks.options import BEGINNING

COUNTRIES = """Thailand Norway Niue Gabon Kenya Peru Chile Oman Fiji Malta Qatar Haiti Ghana Italy
Japan Latvia Brazil Denmark Estonia Finland Jordan Lebanon Mexico Nauru Palau Rwanda Samoa Tonga
Uganda Vanuatu Yemen Zambia Austria Belgium Cuba Ecuador Iceland Ukraine Slovenia Tunisia""".split()
CAPITALS = """Bangkok Oslo Alofi Libreville Nairobi Lima Santiago Muscat Suva Valletta Doha
Port-au-Prince Accra Rome Tokyo Riga Brasilia Copenhagen Tallinn Helsinki Amman Beirut
Tenochtitlan Yaren Ngerulmud Kigali Apia Nukualofa Kampala Vila Sanaa Lusaka Vienna Brussels
Havana Quito Reykjavik Kyiv Ljubljana Tunis""".split()


def questions(form: str, given: list[str]) -> list[Item]:
    draw = random.Random(4)
    made = []
    for place, right in enumerate(COUNTRIES):
        options = [right, *draw.sample([one for one in COUNTRIES if one != right], 3)]
        draw.shuffle(options)
        letter = "ABCD"[options.index(right)]
        made.append(Item(form.format(given[place]), (letter,), options=tuple(options)))
    return made


@pytest.mark.parametrize(
    ("form", "given", "low"),
    [
        ("Which country has the code {}?", [name[:2].upper() for name in COUNTRIES], 0.8),
        ('The official name "Republic of {}" is of which country?', COUNTRIES, 0.9),
        ("Which country has the capital {}?", CAPITALS, 0.0),
    ],
    ids=["codes", "names", "capitals"],
)
def test_options_that_begin_like_the_question_are_a_shortcut(form, given, low):
    items = questions(form, given)
    found = {one.name: one for one in shortcuts(Corpus.of(items, True), crossed(items))}
    if low:
        assert found["options"].share > low
        assert form.startswith("The official") or found["options"].rule == BEGINNING
    else:
        assert found["options"].gap < 0.5


def test_an_option_that_the_question_names_stays_in_it():
    listed = "\nA. {}\nB. {}\nAnswer with one letter."
    asked = 'The official name "Kingdom of {}" is of which country?'
    norway, thailand = (
        Item(asked.format(name) + listed.format(*options), ("A",), options=options)
        for name, options in [("Norway", ("Norway", "Peru")), ("Thailand", ("Oman", "Thailand"))]
    )
    assert "norway" in norway.question and "peru" not in norway.question
    assert norway.question_key != thailand.question_key
    again = Item(
        asked.format("Norway") + listed.format("Peru", "Norway"), ("B",), options=("Peru", "Norway")
    )
    assert again.question_key == norway.question_key
