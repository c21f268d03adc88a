"""Which input a number stands for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from benchmarks.damaged_inputs.declared import (
    answers,
    cases,
    contract,
    evaluated,
    login,
    of_training,
    plan,
    several,
    trained_rows,
)
from benchmarks.damaged_inputs.inputs import (
    Input,
    comparison,
    dataset,
    distribution,
    folder_of_files,
    new_package,
    package,
    records,
    saved,
    suite,
    training_file,
    training_run,
    warm_up,
)

Kinds = dict[Callable[[Random], Input], float]
KINDS: Kinds = {
    dataset: 40,
    folder_of_files: 6,
    distribution: 14,
    comparison: 6,
    warm_up: 8,
    training_run: 5,
    training_file: 10,
    suite: 4,
    package: 5,
    records: 2,
    new_package: 0.5,
}
DECLARED: Kinds = {
    contract: 4,
    cases: 3,
    answers: 4,
    plan: 2,
    trained_rows: 2,
    of_training: 1,
    several: 2,
    saved: 2,
    evaluated: 1,
    login: 1,
}
"""The kinds of each tenth input. The others keep the numbers under which they were met."""


def made(number: int) -> Input:
    """The input of this number, the same each time."""
    rng, kinds = Random(number), DECLARED if number % 10 == 9 else KINDS
    return rng.choices(list(kinds), weights=list(kinds.values()))[0](rng)
