"""What the value of a flag may be: each reads a text, and says what it wants where it is not that.

parser.add_argument("--tasks", type=count, default=50)
"""

from __future__ import annotations

import argparse
import json
from typing import Any


def count(text: str) -> int:
    """A whole number of 1 or more."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return value


def amount(text: str) -> float:
    """A number above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return value


def seconds(text: str) -> float:
    """A time that a process can wait."""
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


def json_object(text: str) -> dict[str, Any]:
    """A JSON object: the arguments of an environment."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError('a JSON object, such as \'{"split": "eval"}\'')
    return value
