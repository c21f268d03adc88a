"""Shortcut learners: what a policy could learn before it learns the task.

Each is fitted on some of the questions and asked the others. They read the surface only: the
template, the nearest known prompt, a piece to copy or count, one word, the options without the
question. What one of them solves, training finds first.

    corpus = Corpus.of(items, closed=False)
    for result in shortcuts(corpus, crossed(items)):
        result.name, result.share, result.baseline, result.rule, result.shown
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lab.data.checks.item import Item
from lab.data.checks.nearest import Nearest
from lab.data.checks.options import chosen
from lab.data.checks.spans import Rule, copied, pieces
from lab.data.checks.templates import Template, templates
from lab.rates import jeffreys

FEWEST = 20
"""Questions to be asked before a share says anything."""
OWN_RULE = 6
"""Known questions of a template from which on it has a rule of its own."""
RARE_WORD = 0.02
"""Share of the known prompts in which a word must occur to be a rule."""
SHOWN = 3
LONGER = "\0words "
"""Begins the mark of a prompt's length, which no word can."""
LENGTHS = tuple(sorted({round(1.25**step) for step in range(3, 34)}))
"""Numbers of words that a prompt may reach."""

Guess = Callable[[int], bool]
"""Whether the learner's answer to the question at a place is right."""
Fold = tuple[list[int], list[int]]
"""The places of the questions that a learner is fitted on, and of those that it is asked."""


@dataclass
class Corpus:
    """The questions that the learners share, each once, with all that is read of it."""

    items: list[Item]
    closed: bool
    """The golds are a closed set: letters, labels, truth values."""
    groups: list[Template] = field(default_factory=list)
    template_of: dict[int, int] = field(default_factory=dict)
    pieces: list[dict[str, str]] = field(default_factory=list)
    nearest: Nearest | None = None

    @classmethod
    def of(cls, items: Sequence[Item], closed: bool) -> Corpus:
        corpus = cls(list(items), closed, templates([item.prompt for item in items]))
        corpus.template_of = {
            member: number for number, group in enumerate(corpus.groups) for member in group.members
        }
        corpus.pieces = [pieces(item) for item in items]
        corpus.nearest = Nearest([f"{item.question} {item.context[-600:]}" for item in items])
        return corpus

    def right(self, place: int, answer: str | None) -> bool:
        return answer is not None and answer in self.items[place].answers


@dataclass(frozen=True)
class Result:
    """What one learner solved of the questions that it was not fitted on."""

    name: str
    share: float
    low: float
    """Lower end of the 95 % interval of the share."""
    asked: int
    baseline: float
    """What a constant answer, or a guess among the options, solves of the same questions."""
    rule: str
    """What the learner does, in words; nothing out of the rows is in it."""
    shown: tuple[int, ...]
    """Places of questions that it solved."""

    @property
    def gap(self) -> float:
        """How much of what the baseline leaves unsolved the learner solves."""
        return max(0.0, (self.share - self.baseline) / max(1e-9, 1 - self.baseline))


def crossed(items: Sequence[Item]) -> list[Fold]:
    """Two halves by a hash of the question, each asked what the other was fitted on."""
    first = [place for place, item in enumerate(items) if item.question_key & 1]
    second = [place for place, item in enumerate(items) if not item.question_key & 1]
    return [(first, second), (second, first)]


def shortcuts(corpus: Corpus, folds: Sequence[Fold]) -> list[Result]:
    """The result of each learner that applies, the best first."""
    asked = [place for _, others in folds for place in others]
    if len(asked) < FEWEST or any(not known for known, _ in folds):
        return []
    base = _baseline(corpus, folds)
    learners: list[tuple[str, Learner]] = [
        ("template", _by_template),
        ("copy", _by_copy),
        ("neighbour", _by_neighbour),
    ]
    if corpus.closed:
        learners.append(("word", _by_word))
    if sum(corpus.items[place].right is not None for place in asked) > len(asked) / 2:
        learners.append(("options", _by_options))
    found = [_result(name, learner, corpus, folds, base) for name, learner in learners]
    return sorted(found, key=lambda result: -result.gap)


Learner = Callable[[Corpus, list[int]], tuple[Guess, str]]
"""Fitted on the questions at some places: its guesses, and what it does in words."""


def _result(
    name: str, learner: Learner, corpus: Corpus, folds: Sequence[Fold], base: float
) -> Result:
    solved, total, rule = [], 0, ""
    for known, asked in folds:
        guess, words = learner(corpus, known)
        rule = rule or words
        total += len(asked)
        solved += [place for place in asked if guess(place)]
    share = len(solved) / total
    low, _ = jeffreys(len(solved), total)
    return Result(name, share, low, total, base, rule, tuple(solved[:SHOWN]))


def _baseline(corpus: Corpus, folds: Sequence[Fold]) -> float:
    """What the best constant answer solves, and a guess among the options."""
    asked = [corpus.items[place] for _, others in folds for place in others]
    common = Counter(answer for item in asked for answer in item.answers)
    most = common.most_common(1)[0][1] / len(asked) if common else 0.0
    chance = sum(1 / len(item.options) for item in asked if item.right is not None) / len(asked)
    return max(most, chance)


def _rule(corpus: Corpus, places: Iterable[int], constant: bool) -> tuple[Rule, int] | None:
    own = list(places)
    if not own:
        return None
    if constant:
        count = Counter(answer for place in own for answer in corpus.items[place].answers)
        answer, hits = count.most_common(1)[0] if count else ("", 0)
        return Rule("", before=answer), hits
    return copied([corpus.items[p] for p in own], [corpus.pieces[p] for p in own])


def _ruled(corpus: Corpus, known: list[int], constant: bool) -> tuple[Guess, str]:
    """One rule for each template that is known well enough, and one for everything else."""
    members: dict[int, list[int]] = defaultdict(list)
    for place in known:
        if (number := corpus.template_of.get(place)) is not None:
            members[number].append(place)
    fitted = {
        number: found
        for number, places in members.items()
        if len(places) >= OWN_RULE and (found := _rule(corpus, places, constant))
    }
    general = _rule(corpus, known, constant)
    rules = {number: rule for number, (rule, _) in fitted.items()}
    anywhere = general[0] if general else None

    def guess(place: int) -> bool:
        rule = rules.get(corpus.template_of.get(place, -1), anywhere)
        return rule is not None and corpus.right(place, rule.answer(corpus.pieces[place]))

    best = max(
        [*fitted.values(), *([general] if general else [])], key=lambda p: p[1], default=None
    )
    return guess, best[0].words if best else ""


def _by_template(corpus: Corpus, known: list[int]) -> tuple[Guess, str]:
    guess, _ = _ruled(corpus, known, constant=True)
    return guess, "one fixed answer for each template"


def _by_copy(corpus: Corpus, known: list[int]) -> tuple[Guess, str]:
    return _ruled(corpus, known, constant=False)


def _by_neighbour(corpus: Corpus, known: list[int]) -> tuple[Guess, str]:
    assert corpus.nearest is not None
    index = corpus.nearest.over(known)

    def guess(place: int) -> bool:
        near = index.best(place, like=corpus.closed)
        return near is not None and bool(corpus.items[near].answers & corpus.items[place].answers)

    # Labels agree by chance: there only a prompt that is nearly the same one counts.
    like = "a nearly identical known prompt" if corpus.closed else "the most similar known prompt"
    return guess, f"the answer of {like}"


def _by_word(corpus: Corpus, known: list[int]) -> tuple[Guess, str]:
    """One word, or the length: which decides between two answers."""
    golds = {place: next(iter(corpus.items[place].answers), "") for place in known}
    having: dict[str, Counter[str]] = defaultdict(Counter)
    for place in known:
        for word in _marks(corpus.items[place]):
            having[word][golds[place]] += 1
    total, fewest = Counter(golds.values()), max(3, RARE_WORD * len(known))
    best, most, largest = ("", "", ""), -1, max(total.values(), default=0)
    for word, counted in sorted(having.items()):
        # What is left without a word takes long to count: only where it can decide.
        if counted.total() < fewest or max(counted.values()) + largest <= most:
            continue
        if not (without := total - counted):
            continue
        (with_, a), (none, b) = counted.most_common(1)[0], without.most_common(1)[0]
        if a + b > most:
            best, most = (word, with_, none), a + b
    word, with_, none = best

    def guess(place: int) -> bool:
        return corpus.right(place, with_ if word in _marks(corpus.items[place]) else none)

    if word.startswith(LONGER):
        return guess, f"whether the prompt has {word.removeprefix(LONGER)} words or more"
    return guess, "whether one word is in the prompt"


def _marks(item: Item) -> set[str]:
    """The words of a prompt, and each length that it reaches."""
    words = item.question.split()
    reached = {f"{LONGER}{size}" for size in LENGTHS if len(words) >= size}
    return {*words, *reached}


def _by_options(corpus: Corpus, known: list[int]) -> tuple[Guess, str]:
    name, pick = chosen([item for p in known if (item := corpus.items[p]).right is not None])

    def guess(place: int) -> bool:
        item = corpus.items[place]
        return item.right is not None and pick(item) == item.right

    return guess, name
