"""The reference program of a row, as one whole program; only `validate` uses it.

Understood: a program, a list of programs (also as JSON text: the first one is taken), and a body
that continues the question's stub, as HumanEval keeps it.
"""

import json
from typing import Any


def read_reference(cell: Any, question: str) -> str:
    """The program in a dataset cell, "" when there is none."""
    if isinstance(cell, str) and cell[:1] == "[":
        try:
            cell = json.loads(cell)
        except ValueError:
            return ""
    if isinstance(cell, list):
        cell = next((item for item in cell if item), "")
    if not isinstance(cell, str) or not cell.strip():
        return ""
    program = cell.replace("\r\n", "\n").strip("\n")
    return f"{question}\n{program}\n" if program[:1] in " \t" else f"{program}\n"
