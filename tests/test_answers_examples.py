"""An answer is written as the examples of a text are."""

from __future__ import annotations

import pytest

from lab.answers.examples import like


@pytest.mark.parametrize(
    ("text", "gold", "written"),
    [
        ("Answers such as `3. März 2024`.", "2024-05-14", ["14. Mai 2024"]),
        ("Answers such as `3. August 2024`.", "2024-05-14", ["14. Mai 2024"]),
        ("Answers such as `3 August 2024`.", "2024-05-14", ["14 May 2024"]),
        ("Par exemple « le » `1 mars 2023`", "2024-12-05", ["5 décembre 2024"]),
        ("`03.03.2024` or `3.3.2024`", "2024-12-05", ["05.12.2024", "5.12.2024"]),
        ("Recommended: `R$ 1.581,00`", "12400", ["12.400,00", "R$ 12.400,00"]),
        ('Commas may be used: "18,240"', "5300", ["5,300"]),
        ("`1'000.50`", "12345.5", ["12'345.50"]),
        ("Such as `#### 1,250`", "5300", ["5,300"]),
        ("`12.480` or `3.207,50`", "5300.00", ["5.300", "5.300,00"]),
        ("As `3.207,50`. Was in `<think>` steht, wird nicht gelesen.", "5300", ["5.300,00"]),
    ],
)
def test_it_is_written_as_the_example(text, gold, written):
    assert list(like(text, gold)) == written


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("Write 2024-03-03, not `3. März 2024`.", "2024-05-14"),
        ("The 1,234 rows are made up.", "5300"),
        ("A ratio such as `1.581`.", "5300"),
        ("Points are not read: `3.207,50`. All else is.", "5300"),
        ("`18,240`", "53"),
        ("`18,240`", "Paris"),
        ("`Paris`", "2024-05-14"),
    ],
)
def test_what_is_refused_or_is_no_example_says_nothing(text, gold):
    assert not like(text, gold)
