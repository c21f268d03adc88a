"""Conversations for a supervised run, row by row: what the trainer refuses, skips, or learns wrongly.

A row has `messages` (a chat), or `prompt` and `completion`; tool calls carry their arguments as
JSON. Every assistant turn is learnt from, those inside a prompt too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.report import Check, Finding, usage

ROLES = ("system", "user", "assistant", "tool")
CHARACTERS_PER_TOKEN = 3.5
"""Of English prose; code and mathematics have fewer, so lengths here are rather too small."""

ROWS = Check(
    "sft.rows",
    title="every row is a conversation that the trainer can read",
    expected="messages, or prompt and completion; known roles; arguments as JSON",
    reason="A row with unreadable tool arguments stops the run; one without an assistant turn is skipped in silence.",
    source="prime-rl SFT dataset, read and run",
)
LENGTH = Check(
    "sft.length",
    title="conversations fit into the sequence",
    expected="<= 0.05 of the rows longer than data.seq_len",
    reason="What is longer is cut: the end of the answer is not learnt.",
    source="prime-rl SFT packing",
)
REPEATED = Check(
    "sft.repeated",
    title="rows differ",
    expected="<= 0.05 repeated",
    reason="Repeated rows are learnt by heart.",
    source="",
)
PROMPT_TURNS = Check(
    "sft.prompt_turns",
    title="only what should be learnt stands in assistant turns",
    expected="no assistant turn inside a prompt",
    reason="The loss covers all assistant turns; earlier ones in the prompt are trained on too.",
    source="prime-rl SFT: sampled mask, by reading the code",
)
EPOCHS = Check(
    "sft.epochs",
    title="the run reads the conversations a few times",
    expected="between half of them and 8 times",
    reason="A run that reads a small set many times learns it by heart; one that reads a fraction was paid for data that nobody used.",
    source="prime-rl worked examples: 1 to 4 times",
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
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            arguments = ((call.get("function") or {}) if isinstance(call, dict) else {}).get("arguments")
            if isinstance(arguments, str):
                try:
                    json.loads(arguments)
                except ValueError:
                    return "tool call arguments that are no JSON"
    said = [message for message in messages if message["role"] == "assistant" and (message.get("content") or message.get("tool_calls"))]
    return "" if said else "no assistant turn to learn from"


def messages_of(row: Any) -> list[Any] | None:
    """The conversation of a row, as the trainer puts it together."""
    if not isinstance(row, dict):
        return None
    if isinstance(row.get("messages"), list):
        return row["messages"]
    if "prompt" not in row or "completion" not in row:
        return None
    parts = []
    for key, role in (("prompt", "user"), ("completion", "assistant")):
        value = row[key]
        parts += [{"role": role, "content": value}] if isinstance(value, str) else [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    return parts


def check_rows(path: Path, seq_len: float, reads: float | None = None) -> Iterator[Finding]:
    """Findings over a .jsonl file of conversations; `reads` are the tokens that the run reads."""
    rows, faults, lines = [], Counter(), {}
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                    why = fault(row)
                except ValueError:
                    row, why = None, "a line that is no JSON"
                rows.append(row)
                if why:
                    faults[why] += 1
                    lines.setdefault(why, number)
    except FileNotFoundError:
        raise usage(f"--data {path} does not exist", "name a .jsonl file of conversations", id="input.missing_file") from None
    except (IsADirectoryError, UnicodeDecodeError):
        raise usage(f"--data {path} is not a UTF-8 text file", "name a .jsonl file of conversations", id="input.encoding") from None
    if not rows:
        raise usage(f"--data {path} is empty", "name a .jsonl file of conversations", id="input.empty")
    if faults:
        told = "; ".join(f"{why}: {count} (first in line {lines[why]})" for why, count in faults.most_common(5))
        yield ROWS.fail(f"{sum(faults.values())} of {len(rows)}", told, "correct or remove these rows")
    else:
        yield ROWS.ok(len(rows))
    good = [messages_of(row) for row in rows if row is not None and not fault(row)]
    if not good:
        yield LENGTH.skip("no readable row")
        return
    texts = [json.dumps(messages, sort_keys=True) for messages in good]
    lengths = [sum(len(str(message.get("content") or "")) for message in messages) / CHARACTERS_PER_TOKEN for messages in good]
    long = sum(length > seq_len for length in lengths) / len(good)
    measured = f"{long:.2f}"
    evidence = f"about {long:.0%} of the rows are longer than {seq_len:g} tokens (at {CHARACTERS_PER_TOKEN} characters per token)"
    yield LENGTH.warn(measured, evidence, "raise data.seq_len, or shorten the rows") if long > 0.05 else LENGTH.ok(measured, evidence)
    if reads is not None and sum(lengths) > 0:
        times = reads / sum(min(length, seq_len) for length in lengths)
        told = f"the run reads {reads:,.0f} tokens, the rows hold about {sum(lengths):,.0f}: {times:.1f} times"
        if times > 8:
            yield EPOCHS.warn(f"{times:.1f}", told, "lower max_steps or data.batch_size, or add rows")
        elif times < 0.5:
            yield EPOCHS.warn(f"{times:.2f}", told, "raise max_steps, or leave rows out on purpose")
        else:
            yield EPOCHS.ok(f"{times:.1f}", told)
    same = 1 - len(set(texts)) / len(texts)
    yield REPEATED.warn(f"{same:.2f}", f"{same:.0%} of the rows stand more than once", "remove the repeated rows") if same > 0.05 else REPEATED.ok(f"{same:.2f}")
    inside = sum(isinstance(row, dict) and isinstance(row.get("prompt"), list) and "messages" not in row and any(isinstance(m, dict) and m.get("role") == "assistant" for m in row["prompt"]) for row in rows)
    if inside:
        yield PROMPT_TURNS.warn(inside, f"{inside} prompts hold assistant turns, which are learnt from too", "remove them from the prompt, unless they should be learnt")
    else:
        yield PROMPT_TURNS.ok(0)

