"""What prompts and README show of a reply, as something to begin with: their examples, with a
value of its own in every place.

    skeletons("End with\\n\\nPRICE: <amount>\\nDAY: …")
    # ["PRICE: 7319\\nDAY: 7331", ...]

A search that exchanges values for those that the code compares them with (`solved`) sees by its
value which place a comparison is about. Which of the texts is an example is not decided: each
paragraph, fence, quotation and head of a table may be one.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from textwrap import dedent

from lab.environment import Task
from lab.reward.formats.prompt import quoted, shared_text, shown_examples
from lab.reward.reading.candidate import dumped
from lab.reward.reading.filled import shapes
from lab.reward.reading.rendered import columns_of, table_of

FIRST, STEP, PLACES = 7319, 12, 40
"""Numbers that are hardly anybody's gold, and that most parsers take."""
PLACE = re.compile(
    r"<(?!/)(?P<tag>[^<>\n/]{1,60})>|\[[^\W\d][^\[\]\n]{1,40}\]|\{[^\W\d][\w .-]{0,30}\}"
    r"|…|\.\.\.|_{2,}|(?<![\w'])[XYZN](?![\w'])|\b([A-Za-z#])\1{1,5}\b"
)
"""A place in an example: `<amount>`, `[end date]`, `{name}`, `…`, `___`, `X`, `YYYY`."""
FENCED = re.compile(r"(```\w*)\n(.{3,800}?)\n```", re.DOTALL)
LABELLED = re.compile(r"(?:^[ \t>*-]*[^\W\d_][\w ]{0,24}:[ \t]*\S[^\n]{0,100}\n?)+", re.MULTILINE)
"""Lines that begin with a label, one after the other."""
LABEL = re.compile(r"\s*[^\W\d_][\w ]{0,24}:(?=[ \t]*\S)")
REMARK = re.compile(r"(?<=\S)\s{3,}\S.*")
"""What is said of a line behind it, in a column of its own."""
HEAD = re.compile(r"(?<![\w|;,])[^\W\d]\w*([|;,])[^\W\d]\w*(?:\1[^\W\d]\w*)*(?!\w|\1\w)")
"""The names of columns without blanks between them."""
LANGUAGE = re.compile(
    r"```(\w+)|\b(?:marked|tagged|labelled|language|fenced) [`\"'(]?(\w+)\b"
    r"|[`\"'](\w+)[`\"'] block",
    re.IGNORECASE,
)
MOST_LINES, MOST_CHARACTERS, MOST_TABLES, MOST_OBJECTS = 12, 600, 6, 3


def skeletons(tasks: Sequence[Task], readme: str) -> list[str]:
    """The texts, those of the prompts first, each once; a text with places comes filled and as it
    is."""
    shown = shared_text(tasks)
    own = tasks[0].shown if tasks else ""
    found = [*shown_examples(shown), *shown_examples(own), *_objects(own), *_tables(shown)]
    for text in (shown, readme):
        fenced = [f"{mark}\n{body}\n```" for mark, body in FENCED.findall(text)]
        found += [*fenced, *(one.partition("\n")[2].rpartition("\n")[0] for one in fenced)]
        found += reversed(list(_paragraphs(FENCED.sub("\n\n", text))))
        found += (match[0].strip() for match in LABELLED.finditer(text))
        found += reversed(quoted(text))
    return list(dict.fromkeys(one for text in found for one in (filled(text), text) if one))


def filled(text: str) -> str:
    """The text with another number in each of its places."""
    numbers = iter(range(FIRST, FIRST + STEP * PLACES, STEP))

    def number(match: re.Match[str]) -> str:
        tag = match["tag"]
        closed = tag and f"</{tag.split()[0]}>" in text
        return match[0] if closed else str(next(numbers, match[0]))

    return PLACE.sub(number, text)


def is_marker(value: object) -> bool:
    """Whether a value may be one of these numbers."""
    text = str(value)
    return text.isdecimal() and int(text) in range(FIRST, FIRST + STEP * PLACES, STEP)


def _objects(shown: str) -> Iterator[str]:
    """The objects that a prompt shows inside of its text."""
    for shape in islice(shapes(shown), MOST_OBJECTS):
        with contextlib.suppress(RecursionError):
            yield dumped(shape)


def _paragraphs(text: str) -> Iterator[str]:
    """Short paragraphs with a place or a label in them; the lines behind a line that announces
    them, too."""
    for block in re.split(r"\n[ \t]*\n", text):
        block = block.strip("\n")
        lines = [line.rstrip() for line in dedent(block).splitlines()]
        if not 0 < len(lines) <= MOST_LINES or len(block) > MOST_CHARACTERS:
            continue
        body = "\n".join(lines)
        indented = block.startswith(("    ", "\t"))  # code, in Markdown
        if indented or PLACE.search(body) or re.search(r"\w[ \t]*[:=|]", body):
            yield from _alternatives(lines)
            yield body
            if len(lines) > 1 and lines[0].endswith((":", "：")):
                yield "\n".join(lines[1:])
        yield from (line for line in lines[-1:] if PLACE.search(line) and len(lines) > 1)


def _alternatives(lines: list[str]) -> Iterator[str]:
    """Lines with the same label, of which a reply has one, each without what is said behind it."""
    labels = [match[0].lower() if (match := LABEL.match(line)) else "" for line in lines]
    for line, label in zip(lines, labels, strict=True):
        if label and labels.count(label) > 1:
            yield REMARK.sub("", line.strip())


def _tables(shown: str) -> Iterator[str]:
    """Tables of one row with the columns that a prompt names, alone and in the block that it asks
    for."""
    made = []
    if columns := columns_of(shown):
        made.append(table_of(columns, [[str(FIRST + STEP * n) for n, _ in enumerate(columns)]]))
    for found in list(HEAD.finditer(shown))[:2]:
        cells = found[0].split(found[1])
        row = found[1].join(str(FIRST + STEP * n) for n, _ in enumerate(cells))
        made.append(f"{found[0]}\n{row}")
    language = LANGUAGE.search(shown)
    marks = dict.fromkeys(["```" + next(filter(None, language.groups()))] if language else [])
    for table in made[:MOST_TABLES]:
        yield from (f"{mark}\n{table}\n```" for mark in marks)
        yield table
