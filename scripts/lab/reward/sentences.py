"""The sentences of README and prompts: each may state a rule that no clause of a contract has.

    sentences("# Orders\\n\\nOne line each. A wrong total costs half.\\n")
    # ["One line each.", "A wrong total costs half."]

They are listed in the draft of a contract, for a reader to write examples about. Which of them are
rules is for the reader to say: it depends on meaning, in whatever language.
"""

from __future__ import annotations

import re

MOST, LONGEST, LEAST, LEAST_OTHER = 36, 240, 12, 3
"""Sentences; characters of one that are shown; characters below which it says nothing, in letters
with marks or without, and in other scripts."""
OTHER_SCRIPT = re.compile(r"[^\x00-\u02ff]")
FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[^\n]*$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[-*+•|]|\d+[.)])\s)|\n(?=#)")
"""Where a paragraph, an item of a list, a row of a table or a heading begins."""
END = re.compile(r"(?<=[.!?;])[\"')*`]*\s+(?=[^\Wa-z_]|[`\"'<(*\[]|\d)|(?<=[。！？।])\s*")
COMMAND = re.compile(r"^(?:\$|>>>|pip|uv|prime|vf-|python|import|from)\b")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each once, without headings, code and commands."""
    found: dict[str, None] = {}
    for block in BLOCK.split(FENCE.sub("\n\n", text)):
        flat = " ".join(block.split())
        if flat.startswith("#") or COMMAND.match(flat) or set(flat) <= set("|-: "):
            continue
        for sentence in END.split(flat):
            kept = sentence.strip(" *-+•|")
            if len(kept) >= LEAST or len(OTHER_SCRIPT.findall(kept)) >= LEAST_OTHER:
                found[kept] = None
    return list(found)[:MOST]
