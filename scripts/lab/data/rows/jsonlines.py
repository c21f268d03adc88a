"""JSON lines: the first rows by reading the start, a spread by seeking, all by streaming.

A line that is no JSON is counted and passed over; the last one without its newline is torn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from lab.cli.report import usage
from lab.data.rows.files import Blob, chunks, compressed
from lab.data.rows.model import Problem, Row, as_row, evenly

SPREAD_BYTES = 32 << 20
"""Bytes that a spread over a file may read, or a 128th of the file if that is more."""
LONGEST_LINE = 64 << 20
"""Bytes; a longer row is passed over and counted: no policy reads a prompt of this size."""
COUNT_UP_TO = 256 << 20
"""Bytes up to which the lines are counted exactly (about 0.2 s); beyond, the count is unknown."""
BATCH = 2000
PLACE = 160 << 10
"""Bytes that one place of a spread costs on the hub."""


class JsonLines:
    format = "jsonl"

    def __init__(self, blob: Blob):
        self.blob = blob
        self.problems: list[Problem] = []
        self.position = 0
        self._compressed = compressed(blob)

    def types(self) -> tuple[dict[str, str], dict[str, list[str]]]:
        return {}, {}

    def head(self, count: int) -> list[Row]:
        tally = _Tally(self.blob)
        rows: list[Row] = []
        for line, ended in lines(self.blob, tally):
            row = tally.parse(line, ended)
            if row is not None:
                rows.append(row)
            if len(rows) >= count:
                break
        tally.settle(self.problems, any_row=bool(rows))
        return rows

    def count(self) -> int | None:
        if self._compressed or not self.blob.local or self.blob.size > COUNT_UP_TO:
            return None
        total, blank = 0, False
        for piece in chunks(self.blob):
            total += piece.count(b"\n")
            blank = blank or b"\n\n" in piece or piece.startswith(b"\n")
        if blank:
            tally = _Tally(self.blob)
            total = sum(ended for _, ended in lines(self.blob, tally))
        total += self._last_line()
        return max(
            0,
            total - sum(problem.count for problem in self.problems if problem.kind != "torn_line"),
        )

    def _last_line(self) -> int:
        """1 if the file ends in a whole row without a newline, else 0; a torn row is a problem."""
        with self.blob.open() as file:
            file.seek(max(0, self.blob.size - LONGEST_LINE))
            last = (
                file.read().rpartition(b"\n")[2]
                if self.blob.size <= LONGEST_LINE
                else _tail(file, self.blob.size)
            )
        if not last.strip():
            return 0
        try:
            json.loads(last)
            return 1
        except (ValueError, RecursionError):
            if not any(problem.kind == "torn_line" for problem in self.problems):
                self.problems.append(
                    Problem(
                        "torn_line", self.blob.name, 1, "the last line ends in the middle of a row"
                    )
                )
            return 0

    def spread(self, count: int, budget: int | None = None) -> list[Row]:
        """Rows after evenly spaced offsets; a compressed file gives its first rows instead."""
        size = self.blob.size
        if budget is not None and (self._compressed or budget < 4 * PLACE):
            return self.head(min(count, 200))
        if self._compressed or size < 4 << 20:
            if self._compressed:
                known = self.head(20_000)
            else:
                known = [row for batch in self.batches() for row in batch]
            return known if len(known) <= count else evenly(known, count)
        places = min(count, 32 if budget is None else budget // PLACE)
        each = -(-count // places)
        rows: list[Row] = []
        allowed = max(SPREAD_BYTES, size // 128) // places
        done = spent = 0
        with self.blob.open() as file:
            for place in range(places):
                if spent > allowed * (place + 1):
                    continue  # the rows are long: fewer places pay for them
                start = max(place * size // places, done)
                file.seek(start)
                if start > done:
                    skipped = file.readline(LONGEST_LINE)
                    spent += len(skipped)
                    if not skipped.endswith(b"\n"):
                        continue  # in the middle of a row that is passed over
                for _ in range(each):
                    line = file.readline(LONGEST_LINE)
                    spent += len(line)
                    if not line.endswith(b"\n"):
                        break
                    with suppress(ValueError):
                        rows.append(as_row(json.loads(line)))
                    if spent > allowed * (place + 1):
                        break
                # Never a row twice: where rows are long, the next place begins after this one.
                done = file.tell()
        return rows[:count] or self.head(min(count, 200))

    def batches(self, columns: list[str] | None = None, start: int = 0) -> Iterator[list[Row]]:
        import msgspec

        tally, batch = _Tally(self.blob), []
        decode = msgspec.json.Decoder().decode
        for line, ended in lines(self.blob, tally, start):
            try:
                row = as_row(decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError):
                # json allows what msgspec refuses: NaN, lone surrogates.
                parsed = tally.parse(line, ended)
                if parsed is None:
                    continue
                row = parsed
            batch.append(row)
            if len(batch) >= BATCH:
                self.position = tally.offset
                yield batch
                batch = []
        self.position = tally.offset
        if batch:
            yield batch
        self.problems.clear()
        tally.settle(self.problems, any_row=True)


def _tail(file: Any, size: int) -> bytes:
    """The bytes after the last newline, read from the end in growing pieces."""
    length = 1 << 16
    while True:
        file.seek(max(0, size - length))
        found = file.read(length)
        if b"\n" in found or length >= min(size, LONGEST_LINE):
            return found.rpartition(b"\n")[2]
        length *= 8


def lines(blob: Blob, tally: _Tally, start: int = 0) -> Iterator[tuple[bytes, bool]]:
    """(line, ended by a newline) for every line that is not blank, in constant memory.

    `start` is an offset at which a line begins; `tally.offset` follows the lines that were given.
    """
    rest, skipping = b"", False
    begun: list[bytes] = []
    tally.offset = tally.start = start
    for piece in chunks(blob, start=start):
        if not begun and not skipping and not piece.strip():
            tally.offset += len(piece)
            tally.number += piece.count(b"\n")
            continue
        if b"\n" not in piece:
            # A long row is joined once, when it ends.
            begun.append(piece)
            if skipping or sum(map(len, begun)) > LONGEST_LINE:
                tally.offset += sum(map(len, begun))
                begun, skipping = [], True
            continue
        parts = b"".join([*begun, piece]).split(b"\n")
        begun = []
        rest = parts.pop()
        for part in parts:
            tally.offset += len(part) + 1
            tally.number += 1
            if skipping:
                skipping = False
                tally.oversized += 1
                continue
            if part.strip(b" \t\r\xef\xbb\xbf"):
                yield part, True
        begun = [rest] if rest else []
    rest = b"".join(begun)
    if skipping:
        tally.oversized += 1
    elif rest.strip():
        tally.offset += len(rest)
        tally.number += 1
        yield rest, False


class _Tally:
    """What could not be used, and whether the file is another encoding altogether."""

    def __init__(self, blob: Blob):
        self.blob = blob
        self.bad = self.torn = self.oversized = 0
        self.number = self.offset = self.start = 0
        self.first_bad: tuple[str, str] | None = None
        """Where it is, and what is wrong with it."""
        self.beyond_ascii = self.undecodable = 0

    def parse(self, line: bytes, ended: bool) -> Row | None:
        try:
            text = line.decode("utf-8-sig")
            self.beyond_ascii += not line.isascii()
        except UnicodeDecodeError as error:
            self.beyond_ascii += 1
            self.undecodable += 1
            self._refuse(ended, f"not UTF-8 ({error.reason} at byte {error.start})")
            return None
        try:
            return as_row(json.loads(text))
        except RecursionError:
            self._refuse(ended, "nested too deeply")
        except ValueError as error:
            self._refuse(ended, str(error))
        return None

    def _refuse(self, ended: bool, why: str) -> None:
        if ended:
            self.bad += 1
            # Read from the middle of a file on, lines have no number.
            line = f"line {self.number}"
            where = f"the line before byte {self.offset}" if self.start else line
            self.first_bad = self.first_bad or (where, why)
        else:
            self.torn += 1

    def settle(self, problems: list[Problem], any_row: bool) -> None:
        """Turn the counts into problems, or into one error when the whole file is not usable."""
        if self.undecodable and self.undecodable == self.beyond_ascii:
            raise usage(
                f"{self.blob} is not UTF-8: all {self.undecodable} lines "
                "with other than ASCII characters fail to decode",
                f"convert it: iconv -f WINDOWS-1252 -t UTF-8 {self.blob} > utf8.jsonl "
                "(or -f UTF-16)",
                id="input.encoding",
            )
        if not any_row and (self.bad or self.torn):
            where, why = self.first_bad or ("line 1", "it ends in the middle of a row")
            raise usage(
                f"{self.blob} has no line that is JSON; {where}: {why}",
                "give a file with one JSON object per line, "
                "or name it .json, .csv, .parquet by what it is",
                id="input.invalid_json",
            )
        if self.bad and self.first_bad:
            problems.append(
                Problem(
                    "bad_line",
                    self.blob.name,
                    self.bad,
                    f"first at {self.first_bad[0]}: {self.first_bad[1]}",
                )
            )
        if self.torn:
            problems.append(
                Problem("torn_line", self.blob.name, 1, "the last line ends in the middle of a row")
            )
        if self.oversized:
            problems.append(
                Problem(
                    "oversized_row",
                    self.blob.name,
                    self.oversized,
                    f"rows over {LONGEST_LINE >> 20} MB",
                )
            )
