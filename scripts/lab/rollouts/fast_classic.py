"""Classic `results.jsonl` in blocks: cut the prompt and the completion out, decode the rest.

    {"example_id": 3, "prompt": [...], "completion": [...], "answer": ..., "reward": 1.0, ...}
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

The marked part is most of the bytes, and little more than its hash is wanted. The cut is safe:
an unescaped `"completion": ` cannot stand inside a string, and if it were found at another
depth the rest would not be balanced, so the decoder refuses the line and the exact reader
takes it. What is cut out is not looked at more closely than that: a control character inside a
reply makes the exact reader refuse the line, and this one not. Where rows have another order,
lines are decoded whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import xxhash

from lab.rollouts import classic
from lab.rollouts.fast import Columns, halves, hashes
from lab.rollouts.model import TRUNCATED, Rollouts
from lab.rollouts.row import canonical, pair, said

LOOK = 512
"""Every so many lines one is decoded whole, to notice columns that the first line lacks."""
NO_TEXT = b'" \\'
"""What may begin a reply without text: its end, a space, an escape such as a newline."""
REFUSED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Usage(msgspec.Struct, gc=False):
    output_tokens: float | None = None


class Common(msgspec.Struct, gc=False):
    """What an ordinary row has. An error, a NaN, text for a number: the row is refused."""

    reward: float
    example_id: int | str | None = None
    id: int | str | None = None
    answer: str | int | float | None = None
    error: None = None
    is_truncated: bool | None = None
    stop_condition: str | None = None
    metrics: dict[str, float] | None = None
    token_usage: Usage | None = None
    timing: msgspec.Raw = msgspec.Raw(b"")
    generation_ms: float | None = None
    model: str | None = None


class Cut:
    """The lines of one block: decoded rows, and per line where it begins, hashes of its prompt,
    its completion and the whole line, whether the reply surely has text, and where prompt and
    completion stand (empty when nothing was cut)."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.starts: list[int] = []
        self.prompts: list[int] = []
        self.replies: list[int] = []
        self.lines: list[int] = []
        self.spoke: list[bool] = []
        self.spans: list[tuple[int, int, int, int]] = []


class Shape(NamedTuple):
    """How the rows of a file are written, from its first line."""

    after: str
    """The key that follows `"prompt": ..., "completion": ...`; empty when they stand elsewhere."""
    gap: bytes
    """What stands after a colon and a comma: a space or nothing."""
    columns: list[str]
    """Reward functions as top-level columns, for logs without `metrics`."""
    known: frozenset[str]


def shape(row: dict[str, Any], line: bytes) -> Shape | None:
    """The shape of a file with this first row; None where the fast path does not apply."""
    keys = list(row)
    if "prompt" not in row or "completion" not in row:
        return None
    place = keys.index("prompt")
    after = keys[place + 2] if keys[place + 1 : place + 2] == ["completion"] and len(keys) > place + 2 else ""
    columns = [] if isinstance(row.get("metrics"), dict) and row["metrics"] else sorted(classic.components(row))
    return Shape(after, b" " if b'"completion": ' in line else b"", columns, frozenset(keys))


class Decoder:
    """Blocks of one file into columns; see `fast`."""

    def __init__(self, how: Shape, files: list[Path], number: int):
        self.out = Columns("classic", files, number)
        self.how, gap = how, how.gap
        self.prompt = b'"prompt":' + gap
        self.completion = b"," + gap + b'"completion":' + gap
        self.after = b"," + gap + b'"' + how.after.encode() + b'":' + gap
        # A reply whose first character is plain text is no empty answer, whatever follows.
        self.spoke = b'[{"role":' + gap + b'"assistant",' + gap + b'"content":' + gap + b'"'
        fields: list[Any] = [(f"c{i}", float | None, msgspec.field(default=None, name=name)) for i, name in enumerate(how.columns)]
        if not how.after:
            fields += [("prompt", msgspec.Raw, msgspec.Raw(b"")), ("completion", msgspec.Raw, msgspec.Raw(b""))]
        self.decoder = msgspec.json.Decoder(msgspec.defstruct("Row", fields, bases=(Common,), gc=False))
        self.prompts: dict[int, int] = {}
        self.plain: dict[Any, int] = {None: 0}
        self.lines = 0

    def done(self) -> Rollouts:
        return self.out.done()

    def block(self, offset: int, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Take the lines of `data`; yield those that are refused."""
        cut = self._cut(data) if self.how.after else self._whole(data)
        if cut is None or not self._add(offset, data, cut):
            yield from halves(self.block, offset, data)

    def _cut(self, data: bytes) -> Cut | None:
        """The lines of a block without their prompts and completions; None when one has another form."""
        find, rfind, starts_with, hash64 = data.find, data.rfind, data.startswith, xxhash.xxh3_64_intdigest
        view, out, parts = memoryview(data), Cut(), []
        prompt_key, completion_key, after_key, spoke = self.prompt, self.completion, self.after, self.spoke
        # A key behind a closed list: inside a message, or one that the first line did not have.
        another = b"]," + self.how.gap + b'"'
        skip, skip2, skip3, keep = len(prompt_key), len(completion_key), len(spoke), 1 + len(self.how.gap)
        at, size = 0, len(data)
        while at < size:
            stop = find(b"\n", at) + 1
            prompt = find(prompt_key, at, stop)
            end = find(completion_key, prompt, stop)
            reply = end + skip2
            after = rfind(after_key, reply, stop)
            if not stop or prompt < 0 or end < 0 or after < 0:
                return None
            parts += (data[at:prompt], data[after + keep : stop])
            out.starts.append(at)
            out.prompts.append(hash64(view[prompt + skip : end]))
            out.replies.append(hash64(view[reply:after]))
            out.lines.append(hash64(view[at : stop - 1]))
            out.spoke.append(starts_with(spoke, reply) and data[reply + skip3] not in NO_TEXT and find(another, reply, after) < 0)
            out.spans.append((prompt + skip, end, reply, after))
            at = stop
        out.rows = self._decode(b"".join(parts), len(out.starts))
        return out if out.rows and self._as_expected(data, out.starts) else None

    def _whole(self, data: bytes) -> Cut | None:
        """The same for lines of another order: nothing is cut."""
        ends = (np.flatnonzero(np.frombuffer(data, np.uint8) == 10) + 1).tolist()
        if not ends or ends[-1] != len(data):
            return None
        out, view = Cut(), memoryview(data)
        out.starts = [0, *ends[:-1]]
        out.rows = self._decode(data, len(ends))
        if not out.rows or not self._as_expected(data, out.starts):
            return None
        out.prompts = [xxhash.xxh3_64_intdigest(r.prompt) for r in out.rows]
        out.lines = [xxhash.xxh3_64_intdigest(view[a : b - 1]) for a, b in zip(out.starts, ends, strict=True)]
        out.replies, out.spoke = [0] * len(ends), [False] * len(ends)
        return out

    def _decode(self, data: bytes, count: int) -> list[Any]:
        try:
            rows = self.decoder.decode_lines(data)
        except REFUSED:
            return []
        return rows if len(rows) == count else []

    def _as_expected(self, data: bytes, starts: list[int]) -> bool:
        """Look at a whole line now and then: does it have a number that the first one lacked?"""
        before, self.lines = self.lines // LOOK, self.lines + len(starts)
        if before == self.lines // LOOK:
            return True
        try:
            row = msgspec.json.decode(data[starts[-1] :])
        except REFUSED:
            return False
        return not any(isinstance(row[name], (int, float)) for name in row.keys() - self.how.known)

    def _add(self, offset: int, data: bytes, cut: Cut) -> bool:
        rows = cut.rows
        if any(r.stop_condition == "has_error" for r in rows):
            return False
        if not self.how.columns and not all(r.metrics for r in rows):
            # The exact reader looks for reward functions among the columns then.
            return False
        if self.how.columns and any(r.metrics for r in rows):
            return False
        tokens = np.array([-1 if (u := r.token_usage) is None or u.output_tokens is None else u.output_tokens for r in rows], float)
        flags = np.array([r.is_truncated is True for r in rows]) * np.uint8(TRUNCATED)
        written, chars = np.array(cut.replies, np.uint64), np.full(len(rows), -1, np.int32)
        try:
            for i in np.flatnonzero(~np.array(cut.spoke) | (tokens < 0)).tolist():
                reply = data[cut.spans[i][2] : cut.spans[i][3]] if cut.spans else rows[i].completion
                flag, chars[i], written[i] = said(msgspec.json.decode(reply))
                flags[i] |= flag
            prompt = self._prompts(data, cut)
        except REFUSED:
            return False
        answer = hashes([r.answer for r in rows], self.plain)
        example = hashes([r.example_id for r in rows], self.plain)
        bare = hashes([r.id for r in rows], self.plain)
        content = pair(prompt, answer)
        timed = np.array([len(r.timing) > 4 or bool(r.generation_ms) for r in rows])
        self.out.add(
            reward=np.array([r.reward for r in rows]), flags=flags, prompt=prompt, answer=answer, completion=written,
            identity=np.array(cut.lines, np.uint64) * timed, tokens=tokens.astype(np.int32), chars=chars,
            offset=np.array(cut.starts, np.int64) + offset, keys={"example_id": example, "content": content, "id": bare},
            models=[r.model or "" for r in rows], components=self._components(rows),
        )  # fmt: skip
        named = np.where(example != 0, example, np.where(content != 0, content, bare))
        self.out.name(named, lambda i: (rows[i].id if rows[i].example_id is None else rows[i].example_id, rows[i].answer))
        return True

    def _prompts(self, data: bytes, cut: Cut) -> np.ndarray:
        """The hash of each prompt's value; each distinct text is decoded once."""
        known = self.prompts
        for i, key in enumerate(cut.prompts):
            if key not in known:
                raw = data[cut.spans[i][0] : cut.spans[i][1]] if cut.spans else cut.rows[i].prompt
                known[key] = canonical(msgspec.json.decode(raw)) if len(raw) else 0
        return np.array([known[key] for key in cut.prompts], np.uint64)

    def _components(self, rows: list[Any]) -> dict[str, np.ndarray]:
        if self.how.columns:
            return {name: np.array([getattr(r, f"c{i}") for r in rows], float) for i, name in enumerate(self.how.columns)}
        metrics = [r.metrics or {} for r in rows]
        names = dict.fromkeys(name for m in {tuple(m) for m in metrics} for name in m if name not in classic.MEASURES)
        return {name: np.array([m.get(name, np.nan) for m in metrics], float) for name in names}
