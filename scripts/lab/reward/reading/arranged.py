"""Plans: replies whose rows arrange the names, numbers and times of their task, where whatever
keeps the rules is right.

No field writes such a reply, but prompts show the form of its rows, and the task has what may stand
in their cells. Beginning with one row for each name, a cell, two cells or a row is changed at a
time; what is as good or better is gone on with: what it earns, what metrics and functions of the
code say is broken, and how far the code comes. Source: min-conflicts (Minton et al., AIJ 1992);
search-based test generation (McMinn, STVR 2004).
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations
from statistics import fmean
from typing import Any

from lab.environment import Completion, Environment
from lab.reward.formats.answer_format import AnswerFormat
from lab.reward.interactive.ways import spread
from lab.reward.reading.fields import flat
from lab.reward.reading.fills import Fill, changed, fills_of, known_fills, start
from lab.reward.reading.kept import kept
from lab.reward.reading.pools import pools
from lab.reward.reading.reordered import in_each, reordered
from lab.reward.reading.row_forms import Row
from lab.reward.reading.search import PAID_LEAST, TINY

TASKS, LEAST, SECONDS, SLOW = 6, 2, 30.0, 0.1
FIRST, BEST_FORMS, MOST_BEGUN, KEPT = 4, 2, 60, 8
"""Of each form the fills that are tried first; forms that are gone on with, fills of each that are
begun, and those of all that are gone on with."""
TURN, GRADED_TURN, BETTER = 200, 400, 1.0
"""Changes before the worse half of them is left; seconds for a plan that earns more than one that
is paid."""
AS_FAR, WARMTH, TWICE, GRADES = 0.85, 0.5, 0.25, 8
"""Share of what was looked at, below which a reply is not read; faults that are taken more often
than not in the beginning, and how often two changes are made at once; replies by which it is seen
whether faults are counted."""
EACH = re.compile(r"\b(?:each|every|all|once)\b", re.IGNORECASE)


@dataclass
class _State:
    fill: Fill
    rows: list[Row]
    earned: float
    looked: int
    """How much the code looked at."""
    worth: tuple[float, ...]
    """Of two replies at which it looks as long: how much is kept, then how far it comes."""
    stuck: bool = False
    """Whether changes have not made it better."""

    @property
    def text(self) -> str:
        return self.fill.text(self.rows)

    @property
    def rank(self) -> tuple[float, ...]:
        return (self.earned, self.looked, *self.worth)


@dataclass
class Arranged:
    """Plans that keep the rules, by task, and what is right but for one name."""

    right: dict[int, Completion] = field(default_factory=dict)
    earned: float = 0.0
    """What they earn on average."""
    broken: dict[int, list[tuple[str, Completion]]] = field(default_factory=dict)


def find(
    env: Environment, formats: Sequence[AnswerFormat], readme: str, most: float
) -> Arranged | None:
    """Plans that are paid; None where fewer than two tasks are solved."""
    if env.score(0, "x").seconds > SLOW:
        return None
    found: dict[int, _State] = {}
    for tried, i in enumerate(spread(len(env.description.tasks), TASKS), 1):
        search = _Search(env, i, most, env.clock() + SECONDS / TASKS)
        known = [state.fill for state in found.values()][-1:]
        if state := search.find(formats, readme, known):
            found[i] = state
        if search.unread or (tried > TASKS // 2 and not found):
            break
    if len(found) < LEAST or len({state.text for state in found.values()}) == 1:
        return None
    once = _once(env, found)
    made = Arranged({i: state.text for i, state in found.items()})
    made.earned = fmean(state.earned for state in found.values())
    for i, state in found.items():
        twice = list(_breaches(state, once)) if once >= 0 else []
        made.broken[i] = [*twice, *_invented(state)]
    _in_other_orders(env, found, made)
    return made


def _in_other_orders(env: Environment, found: dict[int, _State], made: Arranged) -> None:
    """Adds plans that break a rule and are paid in another order, where any order is free."""

    def paid(task: int, text: str) -> bool:
        return (env.score(task, text).reward or 0.0) >= found[task].earned - TINY

    until = env.clock() + SECONDS / 2

    def over() -> bool:
        return env.clock() > until

    each = {i: partial(paid, i) for i in found}
    rows = {i: in_each(state.fill, state.rows, each[i], over) for i, state in found.items()}
    if 2 * sum(map(bool, rows.values())) > len(rows):
        for i, state in found.items():
            if rows[i]:
                made.right[i] = state.fill.text(rows[i])
                made.broken[i] += reordered(state.fill, rows[i], each[i], over)


def _once(env: Environment, found: dict[int, _State]) -> int:
    """The cell that says each name of its group once in every plan that was found, where prompts
    say so of something; -1 where there is none."""
    if not all(EACH.search(env.description.tasks[i].prompt) for i in found):
        return -1
    for n in reversed(range(min(len(state.rows[0]) for state in found.values()))):
        if all(
            sorted(row[n] for row in state.rows) == sorted(state.fill.pools[n].members)
            for state in found.values()
        ):
            return n
    return -1


def _breaches(state: _State, once: int) -> Iterator[tuple[str, str]]:
    """The plan without one of its names, and with another name twice in its place."""
    for n, row in enumerate(state.rows):
        yield f"without {row[once]}", state.fill.text([*state.rows[:n], *state.rows[n + 1 :]])
    for n, other in permutations(range(len(state.rows)), 2):
        row, name = state.rows[n], state.rows[other][once]
        twice = [*state.rows[:n], (*row[:once], name, *row[once + 1 :]), *state.rows[n + 1 :]]
        yield f"{name} twice and {row[once]} never", state.fill.text(twice)


MARKED = re.compile(r"([A-Z]{1,3})\d+")
STRANGER = "Zorbo"
"""A name that no task has."""


def _invented(state: _State) -> Iterator[tuple[str, str]]:
    """The plan with a name that its task does not have in the place of each of a last cell."""
    last = len(state.rows[0]) - 1
    if not state.fill.pools[last].names:
        return
    for n, row in enumerate(state.rows):
        mark = MARKED.fullmatch(row[last])
        name = f"{mark[1]}97" if mark else STRANGER
        changed = [*state.rows[:n], (*row[:last], name), *state.rows[n + 1 :]]
        yield f"{name} for {row[last]}", state.fill.text(changed)


class _Search:
    """Looks for a plan that one task pays."""

    def __init__(self, env: Environment, task: int, most: float, until: float) -> None:
        self.env, self.most, self.until = env, most, until
        self.number, self.task = task, env.description.tasks[task]
        self.pools = pools(self.task)
        self.random = random.Random(task)
        self.unread = False
        """Whether the code comes no further with any rows than with a reply that says nothing."""
        self.graded = False
        """Whether it is told how much of the rules is kept."""
        self.turn = GRADED_TURN
        self.compared = True
        """Whether it is looked at how far the code's comparisons come."""

    def find(
        self, formats: Sequence[AnswerFormat], readme: str, known: Sequence[Fill]
    ) -> _State | None:
        own = known_fills(known, self.pools)
        fills = own or self._likely(fills_of(self.task, self.pools, formats, readme))
        states = self._best([self._state(fill, start(fill, self.random)) for fill in fills])
        if states:
            states = self._best([*self._held(states[0].fill, states[0].rows), *states])
        self.unread = not states or (not own and self._unread(states[0]))
        if self.unread:
            return None
        again = [
            self._state(states[0].fill, start(states[0].fill, self.random)) for _ in range(GRADES)
        ]
        self.graded = len({state.worth[0] for state in again}) >= GRADES // 2
        self.compared = not self.graded
        while not self._over(states[0]):
            walked: list[_State] = []
            for state in states:
                walked.append(self._walked(state))
                if self._over(walked[-1]):
                    break
            states = sorted(walked, key=lambda state: state.rank, reverse=True)
            states = states[: (len(states) + 1) // 2]
            if self.graded and len(states) == 1:
                self.compared = not self.compared
                self.turn *= 2
        return states[0] if self._told_apart(states[0]) else None

    def _told_apart(self, state: _State) -> bool:
        """Whether most of all is earned, and less by the same rows with names of no task."""
        pools = state.fill.pools
        named = [pool.names for pool in pools]
        odd = named if any(named) else [True] * len(pools)
        rows = [
            tuple(STRANGER if one else cell for cell, one in zip(row, odd, strict=True))
            for row in state.rows
        ]
        strange = self.env.score(self.number, state.fill.text(rows)).reward or 0.0
        return state.earned >= PAID_LEAST * self.most and strange < state.earned - TINY

    def _best(self, states: list[_State]) -> list[_State]:
        """The best of each choice of groups, where the code comes about as far as with any."""
        states.sort(key=lambda state: state.rank, reverse=True)
        best: dict[Any, _State] = {}
        for state in states:
            if state.looked >= AS_FAR * states[0].looked:
                best.setdefault((state.fill.pools, state.fill.each), state)
        return list(best.values())[:KEPT]

    def _unread(self, state: _State) -> bool:
        """Whether the code comes no further than with a reply that says nothing."""
        nothing = kept(self.env.watch(self.number, "x"))
        return not self._paid(state) and state.looked <= nothing[2]

    def _over(self, state: _State) -> bool:
        return self._paid(state) or self.env.clock() > self.until

    def _paid(self, state: _State) -> bool:
        return state.earned >= self.most - TINY

    def _state(self, fill: Fill, rows: list[Row]) -> _State:
        text = fill.text(rows)
        earned, said, looked = kept(self.env.watch(self.number, text))
        if not self.compared:
            return _State(fill, rows, earned, looked, (said,))
        compared = self.env.watch(self.number, text, comparisons=True)
        far = float(len(compared.places)), compared.alike, float(len(compared.steps))
        return _State(fill, rows, earned, looked, (said, *far))

    def _walked(self, state: _State) -> _State:
        """The best after some changes, each taken where it makes nothing worse, and now and then
        where it does; never what earns less, or of which less is read."""
        begun = start(state.fill, self.random) if state.stuck else state.rows
        best = self._state(state.fill, state.rows)  # seen in the way of this turn
        state, first = self._state(state.fill, begun), best
        furthest = max(state.looked, best.looked)
        turn = TURN if self.compared else self.turn
        for step in range(turn):
            rows = changed(state.fill, self.random, state.rows)
            if not self.compared and self.random.random() < TWICE:
                rows = changed(state.fill, self.random, rows)
            if rows == state.rows or not rows:
                continue
            made = self._state(state.fill, rows)
            read = made.looked >= AS_FAR * furthest and made.earned >= state.earned - TINY
            good = made.worth >= state.worth
            good = good or self._taken(made.worth[0] - state.worth[0], 1 - step / turn)
            if made.earned > state.earned + TINY or (read and good):
                state = made
                if state.earned >= PAID_LEAST * self.most:  # it keeps the rules; a better one may
                    self.until = min(self.until, self.env.clock() + BETTER)
            best = max(best, state, key=lambda one: (one.earned, one.worth))
            furthest = max(furthest, made.looked)
            if self._over(best):
                break
        best.stuck = best is first and begun is best.rows
        return best

    def _taken(self, by: float, left: float) -> bool:
        """Whether a change for the worse is taken all the same: less and less often (simulated
        annealing)."""
        return not self.compared and self.random.random() < math.exp(by / (WARMTH * left))

    # --- where it begins -------------------------------------------------------------------

    def _likely(self, by_form: Sequence[Sequence[Fill]]) -> list[Fill]:
        """The fills of the forms with which the code comes furthest."""
        first = [max(map(self._begun, fills[:FIRST])) for fills in by_form]
        order = sorted(range(len(first)), key=lambda n: first[n], reverse=True)
        return [fill for n in order[:BEST_FORMS] for fill in by_form[n][:MOST_BEGUN]]

    def _begun(self, fill: Fill) -> tuple[float, ...]:
        return self._state(fill, start(fill, self.random)).rank

    def _held(self, fill: Fill, begun: list[Row]) -> Iterator[_State]:
        """What the code holds that may be such rows: the plan that a task was made around."""
        seen = self.env.watch(self.number, fill.text(begun)).values
        values = [value for _, _, value in seen] + [value for _, value in flat(self.task.fields)]
        tried: list[Any] = [begun]
        for value in values:
            rows = fill.rows(value)
            if rows and rows not in tried:
                tried.append(rows)
                yield self._state(fill, rows)
