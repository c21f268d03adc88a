"""Which candidate is the gold and which format says it: the pair that the reward tells apart best.

Each candidate is written in each format and scored beside a wrong answer written the same way.
Where no field of the tasks is paid, the values that the environment's code holds while it scores
are tried as well (see `held`).
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from lab.answers.extract import loads
from lab.answers.wrong import wrong
from lab.environment import Environment, Score, Task
from lab.reward.formats.answer_format import PLAIN, AnswerFormat, same_name
from lab.reward.reading.answer_type import answer_type
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.candidates import ANY
from lab.reward.reading.code_blocks import inside_block
from lab.reward.reading.fields import flat, rank_of
from lab.reward.reading.right import APPROVED, Right
from lab.reward.reading.worked_out import CODE

TINY = 1e-6
PAID_LEAST = 0.5
"""Of the weights of all rewards: a gold that earns less may not be the whole answer."""
GUESSED, NO_GOLD, OF_ALL = 2, 3, 0.9
"""The ranks from which on a candidate is a guess and a field is named like something else; and the
share of its golds that must be paid."""
LITTLE = 0.2
"""Of all that rewards pay, what a value earns that is a small part of the answer, or luck."""
MOST_CANDIDATES = 12
CLEAR = 0.95
MOST_PAIRS, STARTS = 60, (0.2, 0.4, 0.6, 0.8)
"""Candidates in formats that are screened once more on other tasks, and where in the list of tasks,
where the first one tells nothing apart."""
READINGS, MOST_AGAIN = 4, 40
"""Other readings of the field that are tried where a gold is not paid, and on how many tasks."""
NOTHING = "x"
QUICK = 0.05
"""Seconds of one completion below which the time of the search is no matter."""
LIST_ASKED = re.compile(
    r"\b(?:list (?:all|every|the)|lists? of|one per line|each on (?:a|its own) line"
    r"|(?:comma|semicolon)[- ]separated|separated by|sort(?:ed)?|in order|order (?:by|from)"
    r"|rank(?:ed)?|sequence|all (?:of )?(?:the|that)|select all)\b",
    re.IGNORECASE,
)
"""A prompt whose answer has several members."""


@dataclass(frozen=True)
class Trial:
    """What a candidate and a wrong answer earn, written in one format."""

    candidate: Candidate
    format: AnswerFormat
    gold: float
    wrong: float
    order: tuple[int, int]
    highest: float = math.inf
    """What a README says that a reward is at most."""

    @property
    def margin(self) -> float:
        return self.gold - self.wrong

    @property
    def key(self) -> tuple[float, float, bool, int, int]:
        """Told apart best, then paid most, then named and hinted first. What earns more than any
        reward is said to be is no better: it is padded, or said twice."""
        margin, gold = min(self.margin, self.highest), min(self.gold, self.highest)
        return (-round(margin, 3), -round(gold, 3), self.gold > self.highest + TINY, *self.order)


class Search:
    """Scores pairs of candidates and formats on an environment; spends about `budget` seconds."""

    def __init__(
        self,
        env: Environment,
        tasks: Sequence[Task],
        options: list[list[str]],
        budget: float,
        *,
        alone: bool = False,
        highest: float = math.inf,
    ) -> None:
        self.env, self.tasks, self.options = env, tasks, options
        self.until = env.clock() + budget
        self.alone = alone
        """Whether a pair stands beside a reply without an answer, because others may be right."""
        self.highest = highest
        """What a reward is said to be at most."""
        self.start = 0.0
        """Where in the tasks with a gold pairs are tried."""
        self.known: Sequence[Candidate] = ()
        """The candidates of all searches."""
        self.seen: dict[tuple[int, str], Score] = {}
        self.tied: list[Trial] = []
        """Trials of all searches that told the first task's gold apart."""

    def best(
        self,
        found: Sequence[Candidate],
        formats: Sequence[AnswerFormat],
        most: int = MOST_CANDIDATES,
    ) -> Trial | None:
        """Screen the pairs on one task or a few, then compare the best on up to four golds."""
        self.known = unique([*self.known, *found])
        pairs = [
            (candidate, one, (i, j))
            for i, candidate in enumerate(found[:most])
            for j, one in enumerate(formats)
            if not _shows_member(one, candidate)
        ]
        pairs.sort(key=lambda p: (p[0].rank * 2 + (not p[1].hint) * 2 + p[2][1] / 100, p[2]))
        trials = self._screened(pairs)
        self.start = 0.0
        only = only_field(self.tasks)
        named = [p for p in pairs if p[0].rank < GUESSED or p[0].field == only][:MOST_PAIRS]
        for start in STARTS:
            # The first gold may be one of those that are refused.
            if self.quick and named and not any(trial.margin > 0 for trial in trials):
                self.start = start
                trials += self._screened(named)
        return self._winner(sorted(trials, key=lambda trial: trial.key))

    def _screened(
        self, pairs: Sequence[tuple[Candidate, AnswerFormat, tuple[int, int]]]
    ) -> list[Trial]:
        """Each pair on one task."""
        trials: list[Trial] = []
        for candidate, one, order in pairs:
            trials.append(self.trial(candidate, one, order, self._on(candidate)[:1]))
            if self.env.clock() > self.until and len(trials) > 3:
                break
            if not self.quick and self._clear(trials[-1]):
                break
        return trials

    def _on(self, candidate: Candidate) -> list[int]:
        """The tasks with a gold (see `distinct`), from where the search stands on."""
        on = distinct(candidate)
        at = int(self.start * len(on))
        return on[at:] + on[:at]

    def _clear(self, trial: Trial) -> bool:
        """Whether a hinted pair is paid as much as all rewards together, and its wrong answer
        hardly: where scoring is slow, nothing better is looked for."""
        hinted = bool(trial.format.hint) and trial.candidate.rank <= 1
        return hinted and trial.gold >= CLEAR * self.most and trial.margin >= CLEAR * trial.gold

    def _winner(self, trials: list[Trial]) -> Trial | None:
        if not trials:
            return None
        # What one task does not tell apart wins only where no pair tells it apart.
        apart = [trial for trial in trials if trial.margin > 0]
        self.tied += apart
        named = [trial for trial in apart[8:] if trial.candidate.named][:2]
        again: list[Trial] = []
        for t in apart[:8] + named or trials[:8]:
            on = self._on(t.candidate)[: 4 if self.quick else 2]
            again.append(self.trial(t.candidate, t.format, t.order, on))
            if not self.quick and self.env.clock() > self.until:
                break
        return self._preferred(min(again, key=lambda trial: trial.key), again)

    def _preferred(self, winner: Trial, again: list[Trial]) -> Trial:
        """Of pairs that are paid alike: all members where a list is asked for, then the candidate
        that is named like a gold (the other is a bound, or a copy)."""
        alike = [t for t in again if t.margin > 0 and t.gold >= winner.gold - 1e-3]
        asked = all(LIST_ASKED.search(task.shown) for task in self.tasks[:6])
        if winner.candidate.reading.startswith(ANY) and asked:
            field = winner.candidate.field
            whole = [t for t in alike if t.candidate.all_of and t.candidate.field == field]
            # One of a form's several parts, where another is the list: `Sources: p06, p07`.
            whole = whole if winner.gold >= CLEAR * self.most else []
            winner = min(whole, key=lambda trial: trial.key, default=winner)
        if winner.candidate.named:
            return winner
        named = [t for t in alike if t.candidate.named]
        return min(named, key=lambda trial: trial.key, default=winner)

    @property
    def most(self) -> float:
        """The weights of all rewards together."""
        weights = self.env.description.rewards.values()
        return sum(weight for weight in weights if weight > 0) or 1.0

    @property
    def quick(self) -> bool:
        spent = [score.seconds for score in self.seen.values()]
        return sum(spent) < QUICK * max(1, len(spent))

    def trial(
        self, candidate: Candidate, one: AnswerFormat, order: tuple[int, int], on: list[int]
    ) -> Trial:
        kind = answer_type(candidate, self.tasks)
        pool = [gold for gold in candidate.golds if gold]
        golds, others = [], []
        for i in on:
            gold = candidate.golds[i] or ""
            bad = NOTHING
            if not self.alone:
                bad = wrong(kind, gold, random.Random(i), options=self.options[i] or pool)
            golds.append(self.reward(i, one.write(gold), right=candidate.rank <= 1))
            others.append(self.reward(i, one.write(bad)))
        count = max(1, len(golds))
        paid, otherwise = sum(golds) / count, sum(others) / count
        return Trial(candidate, one, paid, otherwise, order, self.highest)

    def reward(self, task: int, text: str, right: bool = False) -> float:
        reward = self.score(task, text, right).reward
        return 0.0 if reward is None else reward

    def score(self, task: int, text: str, right: bool = False) -> Score:
        if (task, text) not in self.seen:
            self.env.expect(right, text)
            self.seen[task, text] = self.env.score(task, text)
        return self.seen[task, text]

    def right(self, best: Trial) -> Right:
        """What is right by the best trial, with the scores of its golds."""
        chosen, one = inside_block(best.candidate, best.format)
        scores = self._golds(chosen, one)
        if best.margin > 0:
            chosen, one, scores = self._widest(best, chosen, one, scores)
            chosen = self._read_otherwise(chosen, one, scores, best)
        if (chosen.reading in CODE or chosen.field == APPROVED) and best.margin > 0:
            # Worked out here and not written by the author: where it is not paid, it is no gold.
            paid = {i for i, score in scores.items() if (score.reward or 0.0) > best.wrong}
            golds = [gold if i in paid else None for i, gold in enumerate(chosen.golds)]
            chosen = replace(chosen, golds=golds)
            scores = {i: score for i, score in scores.items() if i in paid}
        programs = one.language not in ("", "text", "json")
        rewards = [score.reward for score in scores.values() if score.reward is not None]
        mean = sum(rewards) / len(rewards) if rewards else 0.0
        evidence = (
            f"field {chosen.field} ({chosen.reading}), written {one.name}, earns {mean:.3g} on "
            f"average over {len(rewards)} tasks; the same with a wrong answer {best.wrong:.3g}"
        )
        return Right(
            self.tasks,
            source=chosen.field,
            reading=chosen.reading,
            golds=list(chosen.golds),
            accepted=[list(texts) for texts in chosen.accepted],
            answer_type="code" if programs else answer_type(chosen, self.tasks),
            format=one,
            options=self.options,
            all_of=chosen.all_of,
            rank=_rank(chosen, one),
            margin=best.margin,
            evidence=evidence,
            scores=scores,
        )

    def _widest(
        self, best: Trial, chosen: Candidate, one: AnswerFormat, scores: dict[int, Score]
    ) -> tuple[Candidate, AnswerFormat, dict[int, Score]]:
        """The candidate and the format; another one where it pays what the first few golds did not
        show: tasks of several kinds, of which some take a number out of any text."""
        least = best.wrong + best.margin / 2
        missed = [i for i, s in scores.items() if not s.kind and (s.reward or 0.0) <= least]
        if len(missed) <= (1 - OF_ALL) * len(scores):
            return chosen, one, scores
        known = [(trial.candidate, trial.format) for trial in self.tied]
        for candidate, as_written in [*known, (best.candidate, PLAIN)]:
            other, way = inside_block(candidate, as_written)
            if way == one or other.golds != chosen.golds:
                continue
            texts = [(i, way.write(other.golds[i] or "")) for i in missed[:MOST_AGAIN]]
            if all((self.score(i, text, right=True).reward or 0.0) > least for i, text in texts):
                return other, way, self._golds(other, way)
        return chosen, one, scores

    def _read_otherwise(
        self, chosen: Candidate, one: AnswerFormat, scores: dict[int, Score], best: Trial
    ) -> Candidate:
        """The candidate with another reading of its field on the tasks where only that is paid: a
        text with its blanks, a row of letters among words. `scores` are brought up to date."""
        least = best.wrong + best.margin / 2
        golds, accepted = list(chosen.golds), list(chosen.accepted)
        others = [c for c in self.known if c.field == chosen.field and c is not chosen]
        for i, score in list(scores.items())[:MOST_AGAIN]:
            if (score.reward or 0.0) > least or score.kind:
                continue
            for other in others[:READINGS]:
                gold = other.golds[i]
                if not gold or gold == golds[i]:
                    continue
                again = self.score(i, one.write(gold), right=True)
                if (again.reward or 0.0) > least:
                    golds[i], accepted[i], scores[i] = gold, other.accepted[i], again
                    break
        return replace(chosen, golds=golds, accepted=accepted)

    def _golds(self, chosen: Candidate, one: AnswerFormat) -> dict[int, Score]:
        """Each task's gold, scored; where that is slow, as many as the time allows, at least
        four."""
        scores: dict[int, Score] = {}
        until = max(self.until, self.env.clock() + 2)
        for i in distinct(chosen):
            if len(scores) >= 4 and self.env.clock() > until:
                break
            scores[i] = self.score(i, one.write(chosen.golds[i] or ""), right=True)
        return scores


def distinct(candidate: Candidate) -> list[int]:
    """Tasks with a gold, one per different gold first; of programs that are worked out the short
    ones, which are the likeliest to be within what is allowed."""
    have = [i for i, gold in enumerate(candidate.golds) if gold]
    if candidate.reading in CODE:
        return sorted(have, key=lambda i: len(candidate.golds[i] or ""))
    first = {candidate.golds[i]: i for i in reversed(have)}
    firsts = sorted(first.values())
    return [*firsts, *(i for i in have if i not in set(firsts))]


def unique(found: Iterable[Candidate]) -> list[Candidate]:
    """The candidates without those whose golds another one has already."""
    kept: dict[tuple[str | None, ...], Candidate] = {}
    for one in found:
        kept.setdefault(tuple(one.golds), one)
    return list(kept.values())


def unpaid(best: Trial | None) -> bool:
    """Whether nothing is told apart."""
    return best is None or best.margin <= TINY


def better(one: Trial | None, other: Trial | None) -> Trial | None:
    """The trial that is told apart better; the first where they are alike."""
    if one is None or other is None:
        return one or other
    return other if other.margin > one.margin + 1e-3 else one


def is_little(right: Right, most: float) -> bool:
    """Whether values that nothing calls the gold earn a little only of the `most` that is paid."""
    earned = [score.reward or 0.0 for score in right.scores.values()]
    return right.rank >= GUESSED and bool(earned) and 0 < fmean(earned) < LITTLE * most


def by_chance(right: Right, best: Trial) -> bool:
    """Whether values that nothing calls the gold are paid on some of the tasks only; not those of
    the only field that could be one, where that is most of them."""
    if best.margin <= TINY or right.rank < GUESSED:
        return False
    least = best.wrong + best.margin * PAID_LEAST
    paid = [(score.reward or 0.0) >= least for score in right.scores.values()]
    only = only_field(right.tasks) == best.candidate.field and best.wrong <= TINY
    return bool(paid) and sum(paid) < (PAID_LEAST if only else OF_ALL) * len(paid)


def _shows_member(one: AnswerFormat, candidate: Candidate) -> bool:
    """Whether a format is the object that a prompt shows of one member of a list of objects."""
    gold = next(filter(None, candidate.golds), "") if one.is_json else ""
    value = loads(gold) if gold[:1] == "[" else None
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and any(f'"{key}": ' in one.before for key in first)


def only_field(tasks: Sequence[Task]) -> str:
    """The only field that could be a gold by its name; "" where there are several."""
    fields = [path for path, _ in flat(tasks[0].fields) if rank_of(path) < NO_GOLD]
    return fields[0] if len(fields) == 1 else ""


def _rank(chosen: Candidate, one: AnswerFormat) -> int:
    """The candidate's, or less where the form calls it so: by its parts, or by the word before the
    answer (`FAULT: {answer}` and the field `fault`)."""
    name = chosen.field.rsplit(".", 1)[-1]
    words = re.findall(r"[^\W_][\w -]*", one.before)
    if words and same_name(words[-1], name):
        return 0
    return min(chosen.rank, 1) if one.slots else chosen.rank
