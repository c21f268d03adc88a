"""The dataset block of a generated package's README: where its tasks come from, row by row."""

from __future__ import annotations

from typing import Any

from lab.cli.untrusted import excerpt
from lab.data.checks.selection import Selection

Cells = list[tuple[str, str]]
NOT_SAID = "not known, and not that of this package: say it here before the package is published"
"""Of rows from a local file."""


def dataset_block(
    facts: dict[str, Any],
    values: dict[str, Any],
    origin: str,
    gold: str,
    rows: int | None,
    chosen: Selection | None,
) -> list[str]:
    """The lines of the table. `gold` says how the template reads the cell, `rows` how many rows
    the package contains."""
    cells = [
        ("dataset", _origin(values, origin, rows, chosen)),
        ("licence of the rows", _licence(rows)),
        ("question", f"field `{values['question_field']}`"),
        *_further(values),
        ("gold", f"field `{values['answer_field']}`: {gold}"),
        *_labels(values),
        *_rows(values, chosen),
        *_first(facts),
    ]
    return ["| | |", "|---|---|", *(f"| {name} | {text} |" for name, text in cells)]


def _origin(values: dict[str, Any], origin: str, rows: int | None, chosen: Selection | None) -> str:
    """Where the rows are from; of those in the package, how many each split has."""
    subset = f" ({values['subset']})" if values["subset"] else ""
    if not rows:
        return f"`{origin}`{subset}"
    parts = ""
    if chosen is not None:
        held, left = len(chosen.held_out), chosen.rows - chosen.kept
        parts = f": {chosen.kept - held} for training, {held} held out, {left} left out"
    return f"`{origin}`{subset}, {rows} rows in this package{parts}"


def _licence(rows: int | None) -> str:
    """The package's own licence is in pyproject.toml; that of the rows only their source knows."""
    return NOT_SAID if rows else "that of the dataset: see its card on the hub"


def _further(values: dict[str, Any]) -> Cells:
    named = [
        name
        for name in values
        if name.endswith("_field")
        and name not in ("question_field", "answer_field")
        and values[name]
    ]
    cells = [(name.removesuffix("_field"), f"field `{values[name]}`") for name in named]
    if values.get("instruction"):
        cells.append(("asked", f"{values['instruction']} (`instruction` in the configuration)"))
    context = values.get("context_fields")
    if context:
        cells.append(("context", ", ".join(f"field `{path}`" for path in context)))
    return cells


def _labels(values: dict[str, Any]) -> Cells:
    labels = values.get("labels")
    shown = ", ".join(f"`{_code(excerpt(label, 60))}`" for label in labels or ())
    return [("labels", shown)] if labels else []


def _rows(values: dict[str, Any], chosen: Selection | None) -> Cells:
    """Which rows are left out and held out, and how to take all of them."""
    if chosen is None:
        held, training = "those 10 %, by a hash of the question", "all but 10 % of the questions"
        if values["eval_split"]:
            held, training = f"split `{values['eval_split']}`", f"split `{values['train_split']}`"
        return [("splits", f"training: {training}; held out: {held}")]
    *left, held = chosen.rule
    if values["eval_split"]:
        held = f"held out: split `{values['eval_split']}`"
    return [
        ("left out", "; ".join(line.removeprefix("left out ") for line in left)),
        ("splits", held),
        (
            "chosen by",
            "`data/selection.json`, which names every row; `selection = None` in the configuration "
            "takes all rows",
        ),
    ]


def _first(facts: dict[str, Any]) -> Cells:
    golds, questions = facts.get("golds") or [], facts.get("questions") or []
    if not golds or not questions:
        return []
    asked, gold = _code(excerpt(questions[0], 160)), _code(excerpt(golds[0], 60))
    return [("first row", f"`{asked}` → `{gold}`")]


def _code(text: str) -> str:
    return text.replace("`", "'").replace("|", "\\|")
