"""An object in YAML as people write it: read back it is the same, and its texts have no quotes."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lab.answers.plain_yaml import plain_yaml

TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=["Cc"]))
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def as_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_texts(inner) for inner in value]
    return value if isinstance(value, str) else json.dumps(value)


@given(VALUES)
def test_it_is_read_back(value):
    assert yaml.load(plain_yaml(value), Loader=yaml.BaseLoader) == as_texts(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"room": "Hall", "start": "19:30", "seats": 4}, "room: Hall\nstart: 19:30\nseats: 4"),
        ({"on": "2025-07-25", "food": False}, "on: 2025-07-25\nfood: false"),
        ({"who": {"name": "Jo", "code": "007"}}, "who:\n  name: Jo\n  code: '007'"),
        ([{"a": 1, "b": ["x", "y"]}], "- a: 1\n  b:\n  - x\n  - y"),
        ({"list": [], "none": None, "said": "a: b"}, "list: []\nnone: null\nsaid: 'a: b'"),
    ],
)
def test_it_is_written_as_people_write_it(value, text):
    assert plain_yaml(value) == text
