"""The rows of a dataset as a package takes them: read with the profile's columns, then chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lab.cli.report import LabError
from lab.data.checks.item import Item
from lab.data.checks.run import Rows, nature
from lab.data.checks.selection import Selection, select
from lab.data.rows import open_table
from lab.data.rows.model import Row, Table
from lab.data.schema import detect

MOST = 200_000
"""Rows of a hub dataset that are read to choose among them; larger ones are taken as they are."""


@dataclass
class DatasetSource:
    """A dataset as its profile names it."""

    facts: dict[str, Any]
    most: int | None = None
    """Rows to take of the training part."""

    @property
    def local(self) -> bool:
        return self.facts.get("source") == "local"

    def table(self) -> Table:
        facts = self.facts
        return open_table(
            facts["dataset"],
            facts.get("config"),
            facts.get("split"),
            revision=None if self.local else facts.get("revision"),
        )

    def rows(self, table: Table) -> tuple[list[Row], int]:
        """The rows of the training part and then those of a held-out part beside it, and how many
        are of the first."""
        train = list(islice(_every(table), self.most))
        if not self.local:
            return train, len(train)
        readers = table.other.get(self.facts.get("eval_split") or "", [])
        held = [row for reader in readers for batch in reader.batches(None) for row in batch]
        return [*train, *held], len(train)

    def too_many(self, table: Table) -> bool:
        return not self.local and (table.rows is None or table.rows > MOST)


def choose(
    source: DatasetSource, table: Table, rows: list[Row], own: int, named: Collection[int] = ()
) -> Selection:
    """Which of `rows` to take; those from `own` on are the dataset's own held-out part, and those
    at the places `named` are left out."""
    facts = source.facts
    schema = detect(
        table.head,
        table.columns,
        table.names,
        prompt_field=facts["prompt_field"],
        answer_field=facts["answer_field"],
    )
    read = Rows(schema)
    closed, _ = nature(schema, table.head)
    elsewhere = _held_out_items(source, table, read)
    return select(
        [read.item(row) for row in rows],
        closed=closed,
        own=range(own, len(rows)),
        elsewhere=elsewhere,
        named=named,
    )


def _held_out_items(source: DatasetSource, table: Table, read: Rows) -> list[Item]:
    """The questions of a hub dataset's own held-out split."""
    readers = [] if source.local else table.other.get(source.facts.get("eval_split") or "", [])
    try:
        rows = (row for reader in readers for batch in reader.batches(None) for row in batch)
        return [read.item(row) for row in islice(rows, MOST)]
    except LabError as error:
        table.notes.append(f"the held-out split was not read: {error.message}")
        return []


def _every(table: Table) -> Iterator[Row]:
    for batch in table.batches():
        yield from batch
