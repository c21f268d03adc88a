"""How an environment wants its answer written, and which task field is the gold.

The prompt gives hints (a tag, `####`, `\\boxed{}`, a label, a JSON key); the reward decides. Each
candidate gold is written in each candidate style and scored beside a wrong answer written the
same way: the pair that the reward tells apart best is how this environment is spoken to.

    learned = learn(env)
    learned.gold_field, learned.style.name    # "answer", "after ####"
    learned.style.write("42")                 # "Let me think about this.\\n#### 42"
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lab.answers.wrong import wrong
from lab.environment import Environment, Score, Task
from lab.probes.golds import (
    ANY,
    KNOWS_THE_TESTS,
    LIST_ASKED,
    Candidate,
    candidates,
    family_of,
    options_of,
)

LEAD = "Let me think about this."
ANSWER_TAGS = ("answer", "final_answer", "final", "label", "guess", "output", "solution", "result", "response", "choice", "verdict", "move", "action", "code", "sql", "json")
THINK_TAGS = ("think", "thinking", "reasoning", "reason", "thought", "scratchpad", "analysis", "explanation", "rationale", "plan", "work")
LABELS = r"(?:the\s+)?(?:final\s+|correct\s+|my\s+)?(?:answer|label|result|category|choice|output|verdict|sentiment|class|solution|guess|total|prediction|response)"
PLACEHOLDER = re.compile(
    r"<[a-z][a-z _-]{1,30}>|\[[a-z][a-z '_-]{1,30}\]|\{[a-z][a-z _-]{1,30}\}|\.\.\.|…|_{3,}|(?<![A-Za-z])(?:X|N|YYYY-MM-DD|ANSWER|NUMBER|LETTER|VALUE)(?![A-Za-z])"
)
PAIRED = re.compile(r"([\[{(|]{1,2}[\w ]{1,24}[\]})|]{1,2})[^\n]{0,40}?([\[{(|]{1,2}[/\\][\w ]{1,24}[\]})|]{1,2})")
"""Marks like tags in other brackets: `[TIME]` and `[/TIME]`."""
MARKS = (("<<", ">>"), ("{{", "}}"), ("((", "))"), ("||", "||"), ("$$", "$$"), ("@@", "@@"), ("##", "##"), ("__", "__"), ("[", "]"), ("(", ")"), ("`", "`"))
LABELLED = re.compile(r"(?:^|[\"'`“(]|\b(?:with|as|like|form|format|line|write|by)\s+)([A-Za-z]\w*(?: \w+){0,2}\s?(?::|=|->|=>))([ \t]?)(?=[^\s/])", re.MULTILINE)
"""A label with an example behind it, in quotes, after `with` or `as`, or at the start of a line."""
QUOTED = re.compile(r"\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`|'([^'\n]{3,80})'|“([^”\n]{1,80})”")


@dataclass(frozen=True)
class Style:
    """A way to write an answer: `lead` (reasoning), then the answer between `before` and `after`."""

    name: str
    before: str = ""
    after: str = ""
    lead: str = LEAD
    think: tuple[str, str] = ("", "")
    end: str = ""
    """What follows the slot (a format that wants a last newline)."""
    hinted: bool = False
    language: str = ""
    """Of the fence in which every gold stands."""
    escape: Callable[[str], str] | None = field(default=None, compare=False)

    def slot(self, answer: str) -> str:
        """The answer in its place, without anything around."""
        return f"{self.before}{self.escape(answer) if self.escape else answer}{self.after}"

    def write(self, answer: str, reasoning: str = "") -> str:
        """A whole completion; `reasoning` stands in place of the style's own lead."""
        said = reasoning or self.lead
        if self.think[0]:
            said = f"{self.think[0]}{said or LEAD}{self.think[1]}"
        return (f"{said}\n" if said else "") + self.slot(answer) + self.end

    def wrap(self, body: str) -> str:
        """`body` in place of the slot: for completions with two slots, or with none."""
        return self.write("\0").replace(self.slot("\0"), body) if self.slot("\0") in self.write("\0") else body

    def floorless(self, answer: str) -> str:
        """The answer without the asked format: what a model that ignores the format writes."""
        if not self.before and not self.after:
            return f"I would say that it comes to {answer}, more or less; hard to tell."
        return f"{LEAD} So I would say that it comes to {answer}."

    @property
    def slotted(self) -> bool:
        """Whether the answer stands in marks that a second answer could stand in too."""
        return bool(self.before.strip() or self.after.strip())


@dataclass
class Learned:
    """What `learn` found out. `golds` has one entry per task of the description."""

    gold_field: str | None
    reading: str
    golds: list[str | None]
    accepted: list[list[str]]
    family: str
    style: Style
    scores: list[Score | None]
    """Of the gold written in the style, per task."""
    paid: float
    """Mean reward of the gold probes (0 when none could be scored)."""
    evidence: str
    called_gold: str | None = None
    """A field that is named like the gold, when the reward pays another one instead."""
    all_of: bool = False
    options: list[list[str]] = field(default_factory=list)
    """Per task: the other answers that it offers."""
    rank: int = 0
    """Of the gold's field: 0 named like a gold, 1 perhaps, 2 and 3 like something else."""
    told_apart: float = 0.0
    """What the gold earns above a wrong answer written the same way, on the tasks of the search."""

    def without_gold(self, evidence: str) -> Learned:
        """The same with no gold: nothing in the tasks' fields is an answer that could be written."""
        count = len(self.golds)
        return replace(self, gold_field=None, reading="", golds=[None] * count, accepted=[[] for _ in range(count)],
                       family="unknown", scores=[None] * count, paid=0.0, evidence=evidence, called_gold=None)  # fmt: skip


def learn(env: Environment, *, budget: float = 12.0, tasks: Sequence[Task] | None = None) -> Learned:
    """Find the gold field and the style by scoring; spends about `budget` seconds at most.

    `tasks` are the environment's, with more of what a model reads. With no field that could be a
    gold, `gold_field` is None and the style is the first hint.
    """
    from lab.probes.fences import inside

    tasks = tasks or env.description.tasks
    options = [options_of(task) for task in tasks]
    found = candidates(tasks)
    ways = styles(tasks)
    if not found or not tasks:
        nothing: list[str | None] = [None] * len(tasks)
        return Learned(None, "", nothing, [[] for _ in tasks], "unknown", ways[0], [None] * len(tasks), 0.0,
                       "no field of the tasks could be a gold", options=options)  # fmt: skip
    search = _Search(env, tasks, options, budget)
    best = search.best(found, ways)
    named = [c for c in found if c.named]
    chosen, style = best.candidate, best.style
    called = None
    # A body without its head, or words about the program, fail the tests that a program passes.
    outdone = chosen.reading == KNOWS_THE_TESTS and not all("def " in (gold or "def ") for gold in named[0].golds) if named else False
    if named and not chosen.named and best.told_apart > 0 and not outdone:
        called = named[0].field
    elif best.told_apart <= 0:
        chosen = named[0] if named else chosen
    chosen, style = inside(chosen, style)
    scores = search.golds(chosen, style)
    if chosen.reading == KNOWS_THE_TESTS and best.told_apart > 0:
        # Worked out here and not written by the author: where it is not paid, it is no gold.
        scores = [score if score and (score.reward or 0.0) > best.wrong else None for score in scores]
        chosen = replace(chosen, golds=[gold if score else None for gold, score in zip(chosen.golds, scores, strict=True)])
    rewards = [score.reward for score in scores if score and score.reward is not None]
    paid = sum(rewards) / len(rewards) if rewards else 0.0
    family = "code" if style.language not in ("", "text", "json") else family_of(chosen, tasks)
    evidence = (
        f"field {chosen.field} ({chosen.reading}), written {style.name}, is paid {paid:.3g} on average "
        f"over {len(rewards)} tasks; the same with a wrong answer {best.wrong:.3g}"
    )
    return Learned(chosen.field, chosen.reading, chosen.golds, chosen.accepted, family, style, scores, paid, evidence,
                   called, chosen.all_of, options, chosen.rank, best.told_apart)  # fmt: skip


@dataclass(frozen=True)
class _Trial:
    candidate: Candidate
    style: Style
    gold: float
    wrong: float
    order: tuple[int, int]

    @property
    def told_apart(self) -> float:
        return self.gold - self.wrong

    @property
    def key(self) -> tuple[float, float, int, int]:
        """Told apart best, then paid most, then named and hinted first."""
        return (-round(self.told_apart, 3), -round(self.gold, 3), *self.order)


class _Search:
    def __init__(self, env: Environment, tasks: Sequence[Task], options: list[list[str]], budget: float):
        self.env, self.tasks, self.options = env, tasks, options
        self.until = time.monotonic() + budget
        self.seen: dict[tuple[int, str], Score] = {}

    def score(self, task: int, text: str, right: bool = False) -> Score:
        if (task, text) not in self.seen:
            self.env.expect(right, text)
            self.seen[task, text] = self.env.score(task, text)
        return self.seen[task, text]

    def best(self, found: Sequence[Candidate], ways: Sequence[Style]) -> _Trial:
        """Screen every pair on one task, then compare the best on up to four with different golds."""
        pairs = sorted(
            ((c, s, (i, j)) for i, c in enumerate(found[:10]) for j, s in enumerate(ways)),
            key=lambda pair: (pair[0].rank * 2 + (not pair[1].hinted) * 2 + pair[2][1] / 100, pair[2]),
        )
        trials = []
        for candidate, style, order in pairs:
            trials.append(self.trial(candidate, style, order, self.distinct(candidate)[:1]))
            if time.monotonic() > self.until and len(trials) > 3:
                break
        trials.sort(key=lambda trial: trial.key)
        # What one task does not tell apart wins only where no pair tells it apart.
        apart = [trial for trial in trials if trial.told_apart > 0]
        top = apart[:8] + [trial for trial in apart[8:] if trial.candidate.named][:2] or trials[:8]
        again = []
        for t in top:
            again.append(self.trial(t.candidate, t.style, t.order, self.distinct(t.candidate)[: 4 if self.quick else 2]))
            if not self.quick and time.monotonic() > self.until:
                break
        winner = min(again, key=lambda trial: trial.key)
        # One member is paid like all of them: where a list is asked for, all of them are the answer.
        whole = [t for t in again if t.candidate.all_of and t.candidate.field == winner.candidate.field and t.told_apart > 0 and t.gold >= winner.gold - 1e-3]
        if winner.candidate.reading == ANY and whole and all(LIST_ASKED.search(task.shown) for task in self.tasks[:6]):
            winner = min(whole, key=lambda trial: trial.key)
        # Of two fields that are paid alike the one that is named like a gold is it: a bound, a copy.
        named = [t for t in again if t.candidate.named and t.told_apart > 0 and t.gold >= winner.gold - 1e-3]
        return winner if winner.candidate.named or not named else min(named, key=lambda trial: trial.key)

    @property
    def quick(self) -> bool:
        """Whether scoring is so fast that its time need not be minded."""
        spent = [score.seconds for score in self.seen.values()]
        return sum(spent) < 0.05 * max(1, len(spent))

    def golds(self, chosen: Candidate, style: Style) -> list[Score | None]:
        """Each task's gold, scored; where that is slow, those that the time allows and at least four."""
        scores: list[Score | None] = [None] * len(self.tasks)
        until = max(self.until, time.monotonic() + 2)
        for done, i in enumerate(self.distinct(chosen)):
            if done >= 4 and time.monotonic() > until:
                break
            scores[i] = self.score(i, style.write(chosen.golds[i] or ""), right=True)
        return scores

    def trial(self, candidate: Candidate, style: Style, order: tuple[int, int], on: list[int]) -> _Trial:
        gold = [self.reward(i, style.write(candidate.golds[i] or ""), right=candidate.rank == 0) for i in on]
        wrongs = [self.reward(i, style.write(self.wrong(candidate, i))) for i in on]
        return _Trial(candidate, style, sum(gold) / len(gold), sum(wrongs) / len(wrongs), order)

    def reward(self, task: int, text: str, right: bool = False) -> float:
        reward = self.score(task, text, right).reward
        return 0.0 if reward is None else reward

    def wrong(self, candidate: Candidate, task: int) -> str:
        others = [gold for gold in candidate.golds if gold]
        family = family_of(candidate, self.tasks)
        return wrong(family, candidate.golds[task] or "", random.Random(task), options=self.options[task] or others)

    def distinct(self, candidate: Candidate) -> list[int]:
        """Tasks with a gold, one per different gold first."""
        have = [i for i, gold in enumerate(candidate.golds) if gold]
        first = {candidate.golds[i]: i for i in reversed(have)}
        firsts = sorted(first.values())
        return firsts + [i for i in have if i not in firsts]


# --- the ways to write an answer ------------------------------------------------------


def styles(tasks: Sequence[Task]) -> list[Style]:
    """The ways that the prompts hint at, then the ways people know."""
    shared = shared_text(tasks)
    hinted = [replace(style, hinted=True) for style in _hinted(shared)]
    known = [
        Style("plain", lead=""),
        *_tags("answer", ""),
        *_tags("answer", "think"),
        *_tags("answer", "reasoning"),
        Style("in \\boxed{}", "\\boxed{", "}"),
        Style("after ####", "#### "),
        Style("after Answer:", "Answer: "),
        Style("after Final answer:", "Final answer: "),
        Style("plain, after reasoning"),
        Style("as JSON answer", '{"answer": ', "}", lead="", escape=json.dumps),
        Style("in double brackets", "[[", "]]"),
        Style("in a code block", "```python\n", "\n```"),
    ]
    # Bare marks say least: a bracket may just be a bracket, and counts where no other way is paid as well.
    bare = [Style(f"between {a} and {b}", a, b, hinted=True) for a, b in MARKS if len(a) == 1 and re.search(rf"{re.escape(a)}[^\n{re.escape(a + b)}]{{1,30}}{re.escape(b)}", shared)]
    unique: dict[tuple[str, ...], Style] = {}
    for style in [*hinted, *known, *bare]:
        unique.setdefault((style.before, style.after, style.lead, *style.think, style.end), style)
    return list(unique.values())


def shared_text(tasks: Sequence[Task]) -> str:
    """What every prompt says: the system prompt and the lines that all prompts have in common."""
    if not tasks:
        return ""
    system = tasks[0].system
    lines = [line for line in tasks[0].prompt.splitlines() if all(line in task.prompt for task in tasks[:6])]
    # A prompt on one line carries its instructions before or after the question.
    ends = [_common([task.prompt for task in tasks[:6]]), _common([task.prompt[::-1] for task in tasks[:6]])[::-1]]
    return "\n".join([system, *lines, *ends] if len(tasks) > 1 else [tasks[0].shown])


def _common(texts: Sequence[str]) -> str:
    shortest = min(texts, key=len)
    length = next((i for i, char in enumerate(shortest) if any(text[i] != char for text in texts)), len(shortest))
    return shortest[:length]


def _hinted(text: str) -> list[Style]:
    """The hinted styles in the order of the text's last mention: formats stand at its end."""
    found: list[tuple[int, list[Style]]] = []
    tags = list(dict.fromkeys(re.findall(r"<([A-Za-z][\w-]{0,30})>", text)))
    closed = [tag for tag in tags if f"</{tag}>" in text] or [t for t in tags if t.lower() in ANSWER_TAGS]
    if closed:
        answer = next((tag for tag in reversed(closed) if tag.lower() in ANSWER_TAGS), None)
        answer = answer or next((tag for tag in reversed(closed) if tag.lower() not in THINK_TAGS), closed[-1])
        think = next((tag for tag in closed if tag != answer and tag.lower() in THINK_TAGS), "")
        think = think or next((tag for tag in closed if tag != answer), "")
        ways = [*_tags(answer, think), *(_tags(answer, "") if think else [])]
        found.append((text.rfind(f"<{answer}>"), ways))
    if "\\boxed" in text:
        found.append((text.rfind("\\boxed"), [Style("in \\boxed{}", "\\boxed{", "}"), Style("in $\\boxed{}$", "$\\boxed{", "}$")]))
    if "####" in text:
        found.append((text.rfind("####"), [Style("after ####", "#### ")]))
    if "```" in text or re.search(r"code (?:block|fence)|fenced", text, re.IGNORECASE):
        language = (re.findall(r"```(\w+)", text) or ["python"])[-1]
        found.append((text.rfind("```"), [Style("in a code block", f"```{language}\n", "\n```")]))
    keys = re.findall(r"[\"'](\w+)[\"']\s*:", text)
    if keys and "{" in text:
        key = next((k for k in reversed(keys) if k.lower() in (*ANSWER_TAGS, "value", "category", "sentiment")), keys[-1])
        before = "".join(f'"{k}": "{LEAD}", ' for k in dict.fromkeys(keys) if k != key)
        way = Style(f"as JSON {key}", f'{{{before}"{key}": ', "}", lead="", escape=json.dumps)
        found.append((text.rfind(f'"{key}"'), [way, replace(way, escape=None, name=f"as bare JSON {key}")]))
    for match in re.finditer(rf"(?:^|[\s\"'`*(])(\*\*)?({LABELS}\s*(?::|=|\bis\b:?))", text, re.IGNORECASE):
        label = match[2].strip()
        bold = "**" if match[1] else ""
        found.append((match.start(2), [Style(f"after {label}", f"{label} ", lead=lead) for lead in (LEAD, "")]
                      + ([Style(f"after {bold}{label}{bold}", f"{bold}{label}{bold} ")] if bold else [])))  # fmt: skip
    for match in QUOTED.finditer(text):
        snippet = next(group for group in match.groups() if group)
        found += [(match.start(), way) for way in _template(snippet)]
    for line in text.splitlines():
        if len(line) <= 60 and PLACEHOLDER.search(line) and not line.rstrip().endswith("?"):
            found += [(text.rfind(line), way) for way in _template(line.strip())]
    for match in LABELLED.finditer(text):
        before = match[1] + match[2]
        found.append((match.start(1), [Style(f"after {match[1]}", before, lead=lead) for lead in (LEAD, "")]))
    for match in PAIRED.finditer(text):
        found.append((match.start(), [Style(f"between {match[1]} and {match[2]}", match[1], match[2], lead=lead) for lead in (LEAD, "")]))
    if "**" in text or re.search(r"\bbold\b", text, re.IGNORECASE):
        found.append((max(text.find("**"), text.lower().find("bold")), [Style("in bold", "**", "**", lead=lead) for lead in (LEAD, "")]))
    if re.search(r"\b(?:only|just|nothing (?:else|but)|single (?:word|letter|number)|with one of|no other text)\b", text, re.IGNORECASE):
        found.append((-1, [Style("plain", lead="")]))
    found.sort(key=lambda item: -item[0])
    named = [style for _, ways in found for style in ways][:20]
    marks = [(a, b) for a, b in MARKS if re.search(rf"{re.escape(a)}[^\n{re.escape(a[0] + b[0])}]{{1,30}}{re.escape(b)}", text)]
    return named + [Style(f"between {a} and {b}", a, b) for a, b in marks[:4] if len(a) > 1]


def _template(snippet: str) -> list[list[Style]]:
    """A quoted example with a placeholder, such as `ANSWER = <number>` or "It is [city]."."""
    places = list(PLACEHOLDER.finditer(snippet))
    if not places or re.fullmatch(r"</?[\w -]+>", snippet.strip()):
        return []
    place = places[-1]
    before, after = snippet[: place.start()], snippet[place.end() :]
    if not (before + after).strip() or "<" in before + after or len(before) > 60:
        return []
    return [[Style(f"as {snippet.strip()}", before.lstrip(), after.rstrip(), lead=lead) for lead in (LEAD, "")]]


def _tags(answer: str, think: str) -> list[Style]:
    left, right = f"<{answer}>", f"</{answer}>"
    if not think:
        return [Style(f"in <{answer}>", left, right), Style(f"in <{answer}> on lines of its own", f"{left}\n", f"\n{right}", end="\n")]
    inside = (f"<{think}>", f"</{think}>")
    lined = (f"<{think}>\n", f"\n</{think}>")
    return [
        Style(f"in <{answer}> after <{think}>", left, right, think=inside),
        Style(f"in <{answer}> after <{think}>, on lines of their own", f"{left}\n", f"\n{right}", think=lined),
        Style(f"in <{answer}> after <{think}>, with a last newline", f"{left}\n", f"\n{right}", think=lined, end="\n"),
    ]
