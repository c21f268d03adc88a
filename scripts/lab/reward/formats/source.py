"""What an environment's own code looks for: patterns, keys, tags and words, read and never run.

tokens = read_source(location.path)
tokens.formats      # [AnswerFormat("as code <final>(.*?)</final>", "<final>", "</final>")]
tokens.keys         # ["verdict", "reason"]: what it takes out of JSON
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lab.reward.formats.answer_format import AnswerFormat, tagged
from lab.reward.formats.pattern import sample
from lab.reward.formats.prompt import json_formats

MOST_FILES, MOST_BYTES, MOST_FORMATS = 60, 400_000, 24
PATTERN_CALLS = {"compile", "search", "match", "fullmatch", "findall", "finditer", "split", "sub"}
CUTS = {"split", "rsplit", "partition", "rpartition", "startswith", "removeprefix", "find", "index"}
COUNTS = {"split", "count"}
WORD = re.compile(r"[^\W\d][\w-]{0,20}")
TAG = re.compile(r"</?([^\W\d][\w-]{0,30})>")
CALLS = re.compile(r"(?:^|_)(?:calls|called|tools_?(?:used|called)|used_tools)(?:$|_)")
"""Names of what holds the names of calls."""
STRIPS = {"endswith", "removeprefix", "removesuffix", "rpartition", "split", "rsplit"}
"""Methods with which code takes a prefix off the name of a call."""
NAMED = re.compile(r"name|tool|call|func")
PLACEHOLDER = re.compile(r"\{([a-z_]\w{0,30})\}")


@dataclass
class SourceTokens:
    """What the code names, each once, in the order of the files."""

    formats: list[AnswerFormat] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """Keys that it takes out of dictionaries."""
    literal_keys: list[str] = field(default_factory=list)
    """Keys of dictionaries that it writes out."""
    tags: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    """Attributes and keys that it mentions: a field of a task that is not among them is not
    read."""
    placeholders: list[str] = field(default_factory=list)
    """Names in braces in its templates."""
    patterns: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """All its string constants."""
    counted: list[str] = field(default_factory=list)
    """Short texts that it splits at or counts."""
    called: list[str] = field(default_factory=list)
    """Words that the name of a call is compared with."""
    cuts_names: bool = False
    """Whether it takes a part of such a name off first."""
    reads_json: bool = False


def read_source(path: Path) -> SourceTokens:
    """The tokens of a module file or of all Python files of a folder; what does not parse is left
    out."""
    tokens = SourceTokens()
    for tree in trees(path):
        _Reader(tokens).visit(tree)
    tokens.formats = _formats(tokens)
    return tokens


def trees(path: Path) -> Iterator[ast.AST]:
    """The syntax trees of a module file or of a folder's files, its tests left out."""
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    left = MOST_BYTES
    for file in files[:MOST_FILES]:
        inside = file.relative_to(path).parts  # none for a module file
        if any(part.startswith((".", "test")) or part == "outputs" for part in inside):
            continue
        try:
            text = file.read_text(encoding="utf-8")
            left -= len(text)
            if left < 0:
                return
            yield ast.parse(text)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue


class _Reader(ast.NodeVisitor):
    """Collects into `tokens`."""

    def __init__(self, tokens: SourceTokens) -> None:
        self.tokens = tokens
        self.words: list[str] = []

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node.value.strip():
            text = node.value
            _add(self.tokens.texts, text)
            for tag in TAG.findall(text):
                _add(self.tokens.tags, tag)
            for name in PLACEHOLDER.findall(text):
                _add(self.tokens.placeholders, name)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.tokens.names.add(node.attr)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self.tokens.names.add(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        self.tokens.names.add(node.arg)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        key = _text(node.slice)
        if key and isinstance(node.ctx, ast.Load):
            self.tokens.names.add(key)
            _add(self.tokens.keys, key)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key in node.keys:
            if key is not None and WORD.fullmatch(_text(key)):
                _add(self.tokens.literal_keys, _text(key))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """`call.name == "read"`, `call["name"] in ("read", "list")`, `"read" in calls(trace)`."""
        sides = [node.left, *node.comparators]
        if any(_is_name(side) for side in sides):
            inner = [one for side in sides for one in getattr(side, "elts", [side])]
            for text in filter(None, map(_text, inner)):
                _add(self.tokens.called, text)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = called(node)
        if name in STRIPS and isinstance(node.func, ast.Attribute):
            self.tokens.cuts_names |= NAMED.search(ast.unparse(node.func.value)) is not None
        texts = [text for argument in node.args if (text := _text(argument))]
        for text in texts:
            if name in PATTERN_CALLS and re.search(r"[(\\\[*+?]", text):
                _add(self.tokens.patterns, text)
            if name in COUNTS and len(text) <= 3:
                _add(self.tokens.counted, text)
            if name in CUTS and not WORD.fullmatch(text) and len(text) <= 40:
                _add(self.tokens.patterns, re.escape(text) + "(.*)")
            if name in ("get", "pop") and WORD.fullmatch(text):
                self.tokens.names.add(text)
                _add(self.tokens.keys, text)
            if name == "getattr":
                self.tokens.names.add(text)
        self._joined(node, name)
        self._parser(node, name)
        self.tokens.reads_json |= name in ("loads", "raw_decode", "model_validate_json")
        self.generic_visit(node)

    def _joined(self, node: ast.Call, name: str) -> None:
        """Patterns such as rf"<{tag}>(.*?)</{tag}>": the name takes the place of {tag} later."""
        for argument in node.args:
            if name in PATTERN_CALLS and isinstance(argument, ast.JoinedStr):
                parts = [_text(part) or "\0" for part in argument.values]
                _add(self.tokens.patterns, "".join(parts))

    def _parser(self, node: ast.Call, name: str) -> None:
        """The fields of XMLParser([...]) are tags; of a tuple the first name counts."""
        if not name.endswith("XMLParser"):
            return
        fields = node.args[:1] + [k.value for k in node.keywords if k.arg == "fields"]
        for item in (e for f in fields if isinstance(f, (ast.List, ast.Tuple)) for e in f.elts):
            first = item.elts[0] if isinstance(item, ast.Tuple) and item.elts else item
            if tag := _text(first):
                _add(self.tokens.tags, tag)
        named = [k.value for k in node.keywords if k.arg == "answer_field"]
        for tag in filter(None, map(_text, named)):
            self.tokens.tags.remove(tag) if tag in self.tokens.tags else None
            self.tokens.tags.append(tag)


def _add(found: list[str], text: str) -> None:
    if text not in found:
        found.append(text)


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_name(node: ast.AST) -> bool:
    """Whether it is the name of something, or the names of calls: `call.name`, `call["name"]`,
    `called`, `calls(trace)`."""
    if isinstance(node, ast.Call):
        return CALLS.search(called(node)) is not None
    if isinstance(node, ast.Name):
        return CALLS.search(node.id) is not None
    subscript = isinstance(node, ast.Subscript) and _text(node.slice) == "name"
    named = node.attr if isinstance(node, ast.Attribute) else ""
    return subscript or named == "name" or CALLS.search(named) is not None


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _formats(tokens: SourceTokens) -> list[AnswerFormat]:
    """The formats that patterns, tags, keys and named helpers of the code look for."""
    words = [text for text in tokens.texts if WORD.fullmatch(text)]
    found = [one for pattern in tokens.patterns for one in _of_pattern(pattern, words)]
    tags = [tag for tag in tokens.tags if tag.lower() not in ("br", "b", "i", "p", "think")]
    for tag in tags[-4:][::-1]:
        found += tagged(tag)
        found += [one for other in tags if other != tag for one in tagged(tag, other)[:2]][:4]
    if tokens.reads_json:
        for key in tokens.keys[:8]:
            others = [k for k in tokens.keys[:6] if k != key]
            found += [*json_formats(key), *json_formats(key, others)]
    names = " ".join(tokens.names)
    if "boxed" in names:
        found.append(AnswerFormat("in \\boxed{}", "\\boxed{", "}"))
    if re.search(r"hash_?answer|extract_hash", names):
        found.append(AnswerFormat("after ####", "#### "))
    return [_from_code(one) for one in _unique(found)][:MOST_FORMATS]


def _from_code(one: AnswerFormat) -> AnswerFormat:
    from dataclasses import replace

    return replace(one, hint="code")


def _unique(found: Iterable[AnswerFormat]) -> list[AnswerFormat]:
    kept: dict[tuple[str, ...], AnswerFormat] = {}
    for one in found:
        kept.setdefault((one.before, one.after, one.lead, *one.think, str(bool(one.escape))), one)
    return list(kept.values())


def _marks(before: str, after: str) -> bool:
    """Whether they mark a place: at least two characters that a text does not have by itself, and
    no tags of thinking."""
    text = (before + after).strip()
    thinking = re.search(r"</?(?:think|thinking|reasoning)>", text)
    return 2 <= len(text) <= 120 and not thinking


def _of_pattern(pattern: str, words: list[str]) -> Iterator[AnswerFormat]:
    """The format that a pattern reads: what a match has before its first group and after its
    last."""
    for text in (
        [pattern.replace("\0", word) for word in words[:8]] if "\0" in pattern else [pattern]
    ):
        found = sample(text)
        if found is None or not _marks(*found[:2]):
            continue
        before, after, _ = found
        name = f"as the code reads {text[:60]}"
        yield AnswerFormat(name, before, after)
        yield AnswerFormat(f"{name}, alone", before, after, lead="")
