"""Conversations for a supervised run, row by row: what the trainer refuses, skips, learns wrongly.

A row has `messages` (a chat), or `prompt` and `completion`; tool calls carry their arguments as
JSON. Every assistant turn is learnt from, those inside a prompt too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.cli.files import parse_json
from lab.cli.report import Check, Finding, usage

ROLES = ("system", "user", "assistant", "tool")
CHARACTERS_PER_TOKEN = 3.5
"""Of English prose; code and mathematics have fewer, so lengths here are rather too small."""
MOST_LONG, MOST_REPEATED = 0.05, 0.05
FEWEST_TIMES, MOST_TIMES = 0.5, 8
SHOWN = 5

ROWS = Check(
    "sft.rows",
    title="every row is a conversation that the trainer can read",
    expected="messages, or prompt and completion; known roles; arguments as JSON",
    reason="A row with unreadable tool arguments stops the run; one without an assistant turn is "
    "skipped in silence.",
    source="prime-rl: SFT dataset, read and run",
)
LENGTH = Check(
    "sft.length",
    title="conversations fit into the sequence",
    expected=f"<= {MOST_LONG} of the rows longer than data.seq_len",
    reason="What is longer is cut: the end of the answer is not learnt.",
    source="prime-rl: SFT packing",
)
REPEATED = Check(
    "sft.repeated",
    title="rows differ",
    expected=f"<= {MOST_REPEATED} repeated",
    reason="Repeated rows are learnt by heart.",
    source="design: a share that a reader would notice",
)
PROMPT_TURNS = Check(
    "sft.prompt_turns",
    title="only what should be learnt is in assistant turns",
    expected="no assistant turn inside a prompt",
    reason="The loss covers all assistant turns; earlier ones in the prompt are trained on too.",
    source="prime-rl: SFT dataset, sampled mask",
)
EPOCHS = Check(
    "sft.epochs",
    title="the run reads the conversations a few times",
    expected=f"between {FEWEST_TIMES} and {MOST_TIMES} times",
    reason="A run that reads a small set many times learns it by heart; one that reads a fraction "
    "was paid for data that nobody used.",
    source="prime-rl: worked examples read theirs 1 to 4 times",
)


def fault(row: Any) -> str:
    """Why the trainer cannot use a row; "" for a good one."""
    messages = messages_of(row)
    if messages is None:
        return "neither messages nor prompt and completion"
    if not messages:
        return "no messages"
    for message in messages:
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            return "a message with another role than system, user, assistant, tool"
        if not all(map(_readable, _calls(message))):
            return "tool call arguments that are no JSON"
    said = [
        message
        for message in messages
        if message["role"] == "assistant" and (message.get("content") or message.get("tool_calls"))
    ]
    return "" if said else "no assistant turn to learn from"


def _calls(message: dict[str, Any]) -> list[Any]:
    calls = message.get("tool_calls")
    return calls if isinstance(calls, list) else []


def _readable(call: Any) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    arguments = function.get("arguments") if isinstance(function, dict) else None
    try:
        if isinstance(arguments, str):
            parse_json(arguments)
        return True
    except ValueError:
        return False


def messages_of(row: Any) -> list[Any] | None:
    """The conversation of a row, as the trainer puts it together."""
    if not isinstance(row, dict):
        return None
    if isinstance(row.get("messages"), list):
        return row["messages"]
    if "prompt" not in row or "completion" not in row:
        return None
    return [*_part(row["prompt"], "user"), *_part(row["completion"], "assistant")]


def _part(value: Any, role: str) -> list[Any]:
    if isinstance(value, str):
        return [{"role": role, "content": value}]
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else []


@dataclass
class _Rows:
    """The rows of a file, and how many cannot be used, why, and where the first one is."""

    rows: list[Any] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, line: str) -> None:
        try:
            row = parse_json(line)
            why = fault(row)
        except ValueError:
            row, why = None, "a line that is no JSON"
        self.rows.append(row)
        if why:
            self.faults[why] += 1
            self.first.setdefault(why, number)


def check_rows(path: Path, seq_len: float, reads: float | None = None) -> Iterator[Finding]:
    """Findings over a .jsonl file of conversations; `reads` are the tokens that the run reads."""
    found = _read(path)
    yield _usable(found)
    good = [messages_of(row) or [] for row in found.rows if row is not None and not fault(row)]
    if not good:
        yield LENGTH.skip("no readable row")
        return
    lengths = [_tokens(messages) for messages in good]
    yield _length(lengths, seq_len)
    if reads is not None and sum(lengths) > 0:
        yield _epochs(lengths, seq_len, reads)
    yield _repeated(good)
    yield _prompt_turns(found.rows)


def _read(path: Path) -> _Rows:
    """Every line that is not empty; exit 2 for a file that is none."""
    found, fix = _Rows(), "name a .jsonl file of conversations"
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    found.add(number, line)
    except FileNotFoundError:
        raise usage(f"--data {path} does not exist", fix, id="input.missing_file") from None
    except (IsADirectoryError, UnicodeDecodeError):
        raise usage(f"--data {path} is not a UTF-8 text file", fix, id="input.encoding") from None
    if not found.rows:
        raise usage(f"--data {path} is empty", fix, id="input.empty")
    return found


def _tokens(messages: list[Any]) -> float:
    characters = sum(len(str(message.get("content") or "")) for message in messages)
    return characters / CHARACTERS_PER_TOKEN


def _usable(found: _Rows) -> Finding:
    if not found.faults:
        return ROWS.ok(len(found.rows))
    said = "; ".join(
        f"{why}: {count} (first in line {found.first[why]})"
        for why, count in found.faults.most_common(SHOWN)
    )
    measured = f"{found.faults.total()} of {len(found.rows)}"
    return ROWS.fail(measured, said, "correct or remove these rows")


def _length(lengths: list[float], seq_len: float) -> Finding:
    share = sum(length > seq_len for length in lengths) / len(lengths)
    evidence = (
        f"about {share:.0%} of the rows are longer than {seq_len:g} tokens (at "
        f"{CHARACTERS_PER_TOKEN} characters per token)"
    )
    if share > MOST_LONG:
        return LENGTH.warn(f"{share:.2f}", evidence, "raise data.seq_len, or shorten the rows")
    return LENGTH.ok(f"{share:.2f}", evidence)


def _epochs(lengths: list[float], seq_len: float, reads: float) -> Finding:
    times = reads / sum(min(length, seq_len) for length in lengths)
    said = (
        f"the run reads {reads:,.0f} tokens, the rows hold about {sum(lengths):,.0f}: "
        f"{times:.1f} times"
    )
    if times > MOST_TIMES:
        fix = "lower max_steps or data.batch_size, or add rows"
        return EPOCHS.warn(f"{times:.1f}", said, fix)
    if times < FEWEST_TIMES:
        fix = "raise max_steps, or leave rows out on purpose"
        return EPOCHS.warn(f"{times:.2f}", said, fix)
    return EPOCHS.ok(f"{times:.1f}", said)


def _repeated(good: list[list[Any]]) -> Finding:
    texts = [json.dumps(messages, sort_keys=True) for messages in good]
    same = 1 - len(set(texts)) / len(texts)
    if same > MOST_REPEATED:
        said = f"{same:.0%} of the rows are there more than once"
        return REPEATED.warn(f"{same:.2f}", said, "remove the repeated rows")
    return REPEATED.ok(f"{same:.2f}")


def _prompt_turns(rows: list[Any]) -> Finding:
    prompts = [
        row["prompt"]
        for row in rows
        if isinstance(row, dict) and "messages" not in row and isinstance(row.get("prompt"), list)
    ]
    inside = sum(any(map(_is_answer, prompt)) for prompt in prompts)
    if inside:
        said = f"{inside} prompts hold assistant turns, which are learnt from too"
        fix = "remove them from the prompt, unless they should be learnt"
        return PROMPT_TURNS.warn(inside, said, fix)
    return PROMPT_TURNS.ok(0)


def _is_answer(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") == "assistant"
