"""The data.* checks: what a scan says about training on these rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lab.hygiene.scan import Scan
from lab.hygiene.text import CHARACTERS_PER_TOKEN
from lab.report import Check, Finding
from lab.untrusted import excerpt

GOLD_MISSING = Check("data.gold_missing", title="rows have a gold", expected="<= 0.5% of rows without one", reason="A row without a gold gives every rollout the same reward: cost without signal, or a crash in the reward.", source="public datasets: label -1, '', 'proof'")
GOLD_EMPTY = Check("data.gold_empty", title="golds mean something after normalisation", expected="0 rows", reason="A gold that normalises to nothing is equal to every empty answer, and pays for silence.", source="schemas of widely used public datasets")
DISTINCT = Check("data.distinct_questions", title="there are enough different questions", expected=">= 50 distinct questions", reason="Rows over a handful of questions teach nothing new, and any held-out split of them repeats training questions.", source="duplicates in public training sets")
DUPLICATES = Check("data.duplicate_prompts", title="prompts are not repeated", expected="<= 1% repeated", reason="Repeated prompts weigh more in training, and put the same question on both sides of a split.", source="a set of 17,000 problems published as 1.8 million rows")
CONFLICTS = Check("data.conflicting_golds", title="the same prompt has one gold", expected="0; fails above 2% of the prompts", reason="Where one prompt has two golds, a right answer is punished in one of the rows.", source="duplicates in public training sets")
OVERLAP = Check("data.overlap", title="training and held-out prompts do not overlap", expected="0; fails above 2% of the held-out prompts", reason="A held-out prompt that is trained on measures memory.", source="normalised 8-grams")
LEAK = Check("data.gold_in_prompt", title="the prompt does not give the answer away", expected="<= 2% of rows", reason="A gold that stands in the prompt is copied, and the reward rises without any skill.", source="public datasets: leaks")
BALANCE = Check("data.class_balance", title="no single answer is right most of the time", expected="most common gold <= 70%", reason="The share of the most common gold is what a constant answer earns: training collapses to it.", source="the constant answer as a baseline")
POSITION = Check("data.option_position", title="the right option is not always in the same place", expected="most common place <= 1/options + 15 points", reason="When the place gives the answer away, a policy learns the place.", source="a multiple-choice set with the gold always first")
LENGTHS = Check("data.lengths", title="prompts fit the context", expected="<= 1% longer than the context", reason="A prompt that is cut off has lost its question; the rollout costs and its reward is noise.")
ENCODING = Check("data.encoding", title="the text is not damaged", expected="<= 0.5% of rows", reason="Mojibake and replacement characters make questions unreadable and golds unreachable.")
CONTROL = Check("data.control_characters", title="no control or direction characters", expected="0 rows", reason="Terminal escapes and bidirectional controls make text show as something else than it is.")
ORDER = Check("data.order", title="a prefix stands for the whole", expected="slices in reading order alike (distance <= 0.35)", reason="Rows sorted by answer or grouped by topic: the first N rows train, or measure, one corner of the task.", source="public datasets: a review set sorted by label")
UNKNOWABLE = Check("data.unknowable", title="answers can be known or reasoned out", expected="<= 5% drawn values", reason="Ticket numbers, hashes and addresses that stand nowhere in the prompt can only be guessed: every group is dead.")
SOLVE_RATE = Check("data.solve_rate", title="recorded solve rates leave something to learn", expected=">= 30% of rows neither always nor never solved", reason="Problems that a policy always or never solves give no gradient; recorded rates say so before any rollout.", source="recorded solve rates of public sets (difficulty columns)")
HIDDEN = Check("data.held_out_golds", title="the held-out split has its golds", expected=">= 98% of its rows", reason="Test splits of public sets often hide their labels as -1 or '': nothing can be measured on them.", source="public datasets: hellaswag, snli, piqa test")


def findings(scan: Scan, *, whole: bool, total: int | None, context: int | None = None, held_out: int = 0, held_sizes: list[int] | None = None) -> list[Finding]:
    """Every hygiene finding over a scan. `whole`: all rows were read, not a sample of `total`."""
    seen = f"all {scan.rows} rows" if whole else f"{scan.rows} of {total} rows" if total else f"{scan.rows} sampled rows"
    out = [
        _golds(scan, seen),
        _empty(scan, seen),
        _distinct(scan, seen, whole),
        _duplicates(scan, seen, whole, total),
        _conflicts(scan, seen),
        _overlap(scan, held_out, held_sizes or [], seen),
        _leak(scan, seen),
        _unknowable(scan, seen),
        _balance(scan, seen),
        _position(scan, seen),
        _order(scan, seen),
        _lengths(scan, seen, context),
        _encoding(scan, seen),
        _control(scan, seen),
    ]
    return [item for item in out if item is not None]


def _example(scan: Scan, kind: str) -> str:
    """Where to look; the row's text itself stands only in the marked block (`example_lines`)."""
    return f" (such as row {scan.examples[kind][0]})" if kind in scan.examples else ""


def example_lines(scan: Scan, most: int = 6) -> list[str]:
    """The rows behind the findings, for a marked block."""
    return [f"row {row} ({kind.replace('_', ' ')}): {excerpt(text, 110)}" for kind, (row, text) in list(scan.examples.items())[:most]]


def _golds(scan: Scan, seen: str) -> Finding:
    share = scan.no_gold / max(1, scan.rows)
    evidence = f"{scan.no_gold} without a gold in {seen}{_example(scan, 'no_gold')}"
    if share <= 0.005:
        return GOLD_MISSING.ok(round(share, 4), evidence)
    if share < 0.5:
        return GOLD_MISSING.warn(round(share, 4), evidence, "leave these rows out when tasks are built; do not score them")
    return GOLD_MISSING.fail(round(share, 4), evidence, "take a split that has its labels, or name the right column with --answer-field")


def _empty(scan: Scan, seen: str) -> Finding:
    if not scan.empty_gold:
        return GOLD_EMPTY.ok(0, seen)
    share = scan.empty_gold / max(1, scan.rows)
    evidence = f"{scan.empty_gold} golds mean nothing when normalised, in {seen}{_example(scan, 'empty_gold')}"
    fix = "leave these rows out, or compare these golds without normalising"
    return GOLD_EMPTY.fail(round(share, 4), evidence, fix) if share > 0.02 else GOLD_EMPTY.warn(round(share, 4), evidence, fix)


def _distinct(scan: Scan, seen: str, whole: bool) -> Finding:
    evidence = f"{scan.distinct} distinct questions in {seen}"
    if scan.distinct >= 50:
        return DISTINCT.ok(scan.distinct, evidence)
    if scan.rows >= 3 * scan.distinct and scan.rows >= 30:
        return DISTINCT.fail(scan.distinct, evidence, "collect more questions, and split by question: by row, held-out questions are training ones")
    return DISTINCT.warn(scan.distinct, evidence, "collect more rows: a few dozen questions are learnt by heart within a few steps") if whole else DISTINCT.ok(scan.distinct, evidence)


def estimated_distinct(scan: Scan, total: int | None) -> int | None:
    """Distinct prompts in the whole, from repeats in a sample (birthday estimate); None with no repeat."""
    if not total or scan.repeated < 5 or scan.rows > total / 4:
        return None
    return min(total, int(scan.rows * (scan.rows - 1) / (2 * scan.repeated)))


def _duplicates(scan: Scan, seen: str, whole: bool, total: int | None) -> Finding:
    share = scan.duplicate_share
    evidence = f"{scan.repeated} repeat an earlier prompt in {seen}{_example(scan, 'repeated')}"
    if not whole and scan.repeated and (guess := estimated_distinct(scan, total)) and guess < 0.9 * (total or 0):
        evidence = f"about {guess} distinct prompts in all {total} rows, judged by {scan.repeated} repeats in {scan.rows}"
    if share <= 0.01:
        return DUPLICATES.ok(round(share, 4), evidence if scan.repeated else seen)
    return DUPLICATES.warn(round(share, 4), evidence, "drop repeated prompts before splitting, and split by question")


def _conflicts(scan: Scan, seen: str) -> Finding:
    share = scan.conflict_share
    if not scan.conflicts:
        return CONFLICTS.ok(0, seen)
    evidence = f"{len(scan.conflicts)} prompts have more than one gold{_example(scan, 'conflicting')}"
    fix = "decide which gold is right, accept both as a list, or drop these prompts"
    return CONFLICTS.fail(round(share, 4), evidence, fix) if share > 0.02 else CONFLICTS.warn(round(share, 4), evidence, fix)


def overlapping(scan: Scan, sizes: list[int]) -> tuple[set[int], set[int]]:
    """(held-out rows met exactly, held-out rows of which half of the own n-grams were met)."""
    near = {row for row, hits in scan.near_overlap.items() if row < len(sizes) and sizes[row] >= 3 and min(hits, sizes[row]) >= 0.5 * sizes[row]}
    return scan.exact_overlap, near | scan.exact_overlap


def _overlap(scan: Scan, held_out: int, sizes: list[int], seen: str) -> Finding:
    if not held_out:
        return OVERLAP.skip("there is no held-out split to compare with")
    exact, near = overlapping(scan, sizes)
    share = len(near) / held_out
    evidence = f"of {held_out} held-out prompts {len(exact)} are met word for word in {seen}, {len(near)} by half"
    if not near:
        return OVERLAP.ok(0, evidence)
    fix = "take the overlapping prompts out of training, or report results without them"
    return OVERLAP.fail(round(share, 4), evidence, fix) if share > 0.02 else OVERLAP.warn(round(share, 4), evidence, fix)


def _leak(scan: Scan, seen: str) -> Finding:
    if not scan.leaks or scan.closed:
        return LEAK.skip("the answer is chosen from options, labels or a passage: it is meant to be visible")
    hits = scan.given_away + scan.leaked
    share = hits / max(1, scan.rows)
    kind = "given_away" if scan.given_away else "leaked"
    evidence = f"{hits} prompts show their gold in {seen}{_example(scan, kind)}"
    if share <= 0.02:
        return LEAK.ok(round(share, 4), evidence)
    fix = "cut the answer out of the prompt, or choose another prompt column"
    return LEAK.fail(round(share, 4), evidence, fix) if share > 0.5 else LEAK.warn(round(share, 4), evidence, fix)


def _unknowable(scan: Scan, seen: str) -> Finding:
    share = scan.drawn / max(1, scan.rows)
    evidence = f"{scan.drawn} golds are drawn values, nowhere in the prompt, in {seen}{_example(scan, 'drawn')}"
    if share <= 0.05:
        return UNKNOWABLE.ok(round(share, 4), evidence)
    fix = "put the document that holds the value into the prompt, or give a tool that finds it"
    return UNKNOWABLE.fail(round(share, 4), evidence, fix) if share > 0.5 else UNKNOWABLE.warn(round(share, 4), evidence, fix)


def _balance(scan: Scan, seen: str) -> Finding:
    found = scan.balance()
    if found is None or scan.rows < 20:
        return BALANCE.skip("the golds are no closed set" if scan.rows >= 20 else f"only {scan.rows} rows")
    _, share = found
    evidence = f"a constant answer (the most common of {len(scan.golds)} golds) earns {share:.0%} in {seen}"
    if share <= 0.7:
        return BALANCE.ok(round(share, 4), evidence)
    fix = "balance the answers by sampling, or weigh them in the reward"
    return BALANCE.fail(round(share, 4), evidence, fix) if share > 0.95 else BALANCE.warn(round(share, 4), evidence, fix)


def _position(scan: Scan, seen: str) -> Finding:
    letters = Counter({gold: count for gold, count in scan.golds.items() if len(gold) == 1 and gold.isalpha()})
    total = sum(letters.values())
    if not scan.options or total < 20:
        return POSITION.skip("the golds are no option letters" if not scan.options else f"only {total} rows with options")
    size = scan.options.most_common(1)[0][0]
    letter, count = letters.most_common(1)[0]
    share, even = count / total, 1 / max(2, size)
    evidence = f"{letter} is right on {share:.0%} of {seen} with {size} options (even: {even:.0%})"
    slack = 3 * (even * (1 - even) / total) ** 0.5
    if share <= even + max(0.15, slack):
        return POSITION.ok(round(share, 4), evidence)
    fix = "shuffle the options of each row with a seed when tasks are built"
    return POSITION.fail(round(share, 4), evidence, fix) if share > 0.9 else POSITION.warn(round(share, 4), evidence, fix)


def unevenness(scan: Scan) -> float | None:
    """Mean distance (total variation, 0 to 1) between slices of the reading order and the whole, less what chance gives."""
    frames = [frame for frame in scan.frames if sum(frame.values()) >= 8]
    if len(frames) < 4:
        return None
    whole: Counter[str] = sum(frames, Counter())
    total = sum(whole.values())
    if whole.most_common(1)[0][1] > 0.97 * total:
        return None
    distances, chance = [], []
    for frame in frames:
        size = sum(frame.values())
        distances.append(0.5 * sum(abs(frame[gold] / size - count / total) for gold, count in whole.items()))
        chance.append(0.5 * sum((2 / 3.14159 * (count / total) * (1 - count / total) / size) ** 0.5 for count in whole.values()))
    return max(0.0, sum(distances) / len(distances) - sum(chance) / len(chance))


def _order(scan: Scan, seen: str) -> Finding:
    if not scan.closed:
        return ORDER.skip("the golds are no closed set")
    distance = unevenness(scan)
    if distance is None:
        return ORDER.skip("too few rows to compare slices")
    evidence = f"slices in reading order differ from the whole by {distance:.2f}, in {seen}"
    if distance <= 0.35:
        return ORDER.ok(round(distance, 3), evidence)
    return ORDER.warn(round(distance, 3), evidence, "shuffle with a seed before taking a prefix or a split")


def _lengths(scan: Scan, seen: str, context: int | None) -> Finding:
    marks = scan.percentiles()
    tokens = {name: round(size / CHARACTERS_PER_TOKEN) for name, size in marks.items()}
    shown = ", ".join(f"{name} {size}" for name, size in tokens.items())
    if context is None:
        return LENGTHS.skip(f"no --context TOKENS was given; prompts have about {shown} tokens")
    over = sum(size / CHARACTERS_PER_TOKEN > context for size in scan.lengths) / max(1, len(scan.lengths))
    evidence = f"{over:.1%} of {seen} are longer than {context} tokens (about {shown})"
    if over <= 0.01:
        return LENGTHS.ok(round(over, 4), evidence)
    return LENGTHS.warn(round(over, 4), evidence, "leave the longest rows out, or train with a longer context")


def _encoding(scan: Scan, seen: str) -> Finding:
    share = scan.damaged / max(1, scan.rows)
    evidence = f"{scan.damaged} prompts with damaged characters in {seen}{_example(scan, 'damaged')}"
    if share <= 0.005:
        return ENCODING.ok(round(share, 4), evidence)
    return ENCODING.warn(round(share, 4), evidence, "repair the text (decoded or escaped twice), or leave these rows out")


def _control(scan: Scan, seen: str) -> Finding:
    if not scan.controlled:
        return CONTROL.ok(0, seen)
    return CONTROL.warn(round(scan.controlled / scan.rows, 4), f"{scan.controlled} prompts hold such characters in {seen}{_example(scan, 'controlled')}", "strip them when tasks are built, and look at these rows first")


def hidden_golds(scan: Scan) -> Finding:
    """Whether the held-out split can be measured on at all."""
    share = scan.held_no_gold / scan.held_rows
    evidence = f"{scan.held_no_gold} of {scan.held_rows} held-out rows have no gold"
    if share <= 0.02:
        return HIDDEN.ok(round(1 - share, 4), evidence)
    fix = "hold out another split, or part of the training split by question"
    return HIDDEN.fail(round(1 - share, 4), evidence, fix) if share > 0.5 else HIDDEN.warn(round(1 - share, 4), evidence, fix)


def solve_rate_findings(columns: list[str], rows: list[dict[str, Any]], group: int = 8) -> tuple[list[Finding], dict[str, Any]]:
    """What columns with recorded solve rates say about learnability, and the numbers per column."""
    out: dict[str, Any] = {}
    for column in columns:
        rates = [rate for row in rows if (rate := as_rate(row.get(column))) is not None]
        if len(rates) < 5 or len(rates) < 0.3 * len(rows):
            continue
        if max(rates) > 1:
            rates = [rate / 100 for rate in rates] if max(rates) > 10 or any(0 < rate < 100 and rate != int(rate) for rate in rates) else []
        if not rates or max(rates) > 1 or min(rates) < 0:
            continue
        live = sum(1 - rate**group - (1 - rate) ** group for rate in rates) / len(rates)
        between = sum(0 < rate < 1 for rate in rates) / len(rates)
        out[column] = {"mean": round(sum(rates) / len(rates), 4), "neither_always_nor_never": round(between, 4), "expected_live_groups": round(live, 4), "group_size": group, "rows": len(rates)}
    if not out:
        return [], out
    name, best = max(out.items(), key=lambda pair: pair[1]["rows"])
    evidence = f"{excerpt(name, 40)}: mean {best['mean']:.2f}; at group size {group} about {best['expected_live_groups']:.0%} live groups, for the model measured"
    if best["neither_always_nor_never"] >= 0.3:
        return [SOLVE_RATE.ok(best["neither_always_nor_never"], evidence)], out
    return [SOLVE_RATE.warn(best["neither_always_nor_never"], evidence, "keep the rows with a rate between 0.1 and 0.9, or choose a weaker or stronger model")], out


def as_rate(cell: Any) -> float | None:
    """A solve rate as a number: 0.53, '0.53', '5/8', '62.5%'."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, float)):
        return float(cell) if cell == cell else None
    text = str(cell).strip()
    try:
        if "/" in text:
            top, bottom = text.split("/")
            return float(top) / float(bottom) if float(bottom) else None
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None
