"""What is right in an environment: declared, inferred, checked by its own tasks, or acted out.

The order: a contract's clauses and examples; the fields, in the formats that prompt and code name;
the values that the code holds while it scores; each task's own check (`Task.validate`); and,
where replies meet tools or turns, what is acted out.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from lab.environment import Environment, Task, Validity
from lab.reward.contract import Contract
from lab.reward.formats.answer_format import AnswerFormat, of_template, records
from lab.reward.formats.known import all_formats, likeliest
from lab.reward.formats.prompt import labels_of, shared_text, tags_of
from lab.reward.formats.source import SourceTokens, read_source
from lab.reward.interactive import ways
from lab.reward.judges.opening import Opening
from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.verdict_format import detect_verdict_format
from lab.reward.reading.acting import Acting
from lab.reward.reading.by_example import ByExample, any_answer, from_examples
from lab.reward.reading.candidate import Candidate, single
from lab.reward.reading.candidates import candidates
from lab.reward.reading.compared import is_compared
from lab.reward.reading.fields import CALLED_GOLD, flat, options_of
from lab.reward.reading.found import Found
from lab.reward.reading.held import computed_candidates, held_candidates
from lab.reward.reading.listed import listed
from lab.reward.reading.right import APPROVED, Right
from lab.reward.reading.search import (
    CLEAR,
    GUESSED,
    MOST_CANDIDATES,
    OF_ALL,
    PAID_LEAST,
    TINY,
    Search,
    Trial,
    better,
    by_chance,
    is_little,
    unique,
    unpaid,
)
from lab.reward.reading.shown_to_judge import ShownToJudge
from lab.reward.reading.unwritten import Unwritten
from lab.reward.statements import range_of, readme_of

FRESH_CANDIDATES, FRESH_FORMATS = 3, 5
"""Pairs that are tried by fresh processes, each of which takes a tenth of a second."""
MOST_QUICK = 48
"""Candidates that are tried where scoring is quick and none of the first is paid."""
NOTHING = "no field of the tasks could be a gold"


def find_right(
    env: Environment, contract: Contract | None = None, *, judge: ScriptedJudge | None = None
) -> Found:
    """What is right in a running environment, its judges asked through `judge`."""
    tokens = read_source(env.location.path)
    opening = detect_verdict_format(env, judge, tokens)
    return Finder(env, contract or Contract(), tokens, judge=judge, opening=opening).find()


class Finder:
    """Finds what is right on one running environment; about `budget` seconds for each search."""

    def __init__(
        self,
        env: Environment,
        contract: Contract,
        tokens: SourceTokens,
        *,
        judge: ScriptedJudge | None = None,
        opening: Opening | None = None,
        budget: float = 12.0,
    ) -> None:
        self.env, self.contract, self.tokens, self.budget = env, contract, tokens, budget
        self.judge = judge if opening is not None else None
        self.opening = opening
        self.shown = ShownToJudge(env, judge, opening) if judge and opening else None
        self.computed: list[Candidate] | None = None
        self.lists: list[dict[str, Any]] = []
        """By task what the code holds while it scores, where it holds several."""
        self.acting = Acting(env, tokens.formats, self._most, self._written, self._incidental)
        self.tasks = env.description.tasks
        self.options = [options_of(task) for task in self.tasks]

    def find(self) -> Found:
        checked = self._checked()
        found = self._written(self.tasks)
        found.checked = checked
        if found.right.margin >= CLEAR * self._most and not self.judge:
            for i, texts in listed(self.env, found.right).items():
                found.right.accepted[i] = list(dict.fromkeys([*found.right.accepted[i], *texts]))
        written = found.right
        all_of_it = CLEAR * self._most
        if TINY < written.margin < all_of_it and self.acting.interactive:
            turned = self.acting.by_turn(replace(found))
            most_of_it = written.margin >= PAID_LEAST * self._most
            if turned and (turned.reward or 0.0) > (all_of_it if most_of_it else written.margin):
                return turned
        if solved := self._with_what_is_beside(found):
            return solved
        if backed := self._backed(found):
            return backed
        incidental = self._incidental(written) and self.acting.interactive
        if written.whole or (written.margin > TINY and not incidental and not self._weak(written)):
            return found
        acted = self._acted(replace(found))
        most = max(acted.right.margin, acted.reward or 0.0)
        return acted if most > written.margin - TINY or written.margin <= TINY else found

    def _with_what_is_beside(self, found: Found) -> Found | None:
        """Replies that earn all of it, where the gold alone earns less than half: the rest may be
        paid for a source, a unit or a reason beside it."""
        written = found.right
        if self.judge or not TINY < written.margin < PAID_LEAST * self._most:
            return None
        solved = self._solved(replace(found, right=replace(written, rank=max(written.rank, 1))))
        return solved if solved and solved.right.margin >= CLEAR * self._most else None

    def _backed(self, found: Found) -> Found | None:
        """The declared gold after what has to come before it, where it earns nothing alone and
        examples of calls or turns are paid; without such a way the examples alone are right."""
        right, shown = found.right, not all(isinstance(t, str) for t in found.right.whole.values())
        if not (self.contract.gold and shown and right.margin <= TINY and self.acting.interactive):
            return None
        acted = self._acted(replace(found, right=replace(right, whole={}, whole_from="")))
        if acted.right.source and acted.right.margin > TINY:
            return acted
        alone = right.without_gold(f"field {right.source} earns nothing alone ({right.evidence})")
        alone.whole, alone.whole_from = right.whole, right.whole_from
        return replace(found, right=alone)

    # --- an answer that is written -------------------------------------------------------

    def _written(self, tasks: Sequence[Task], budget: float = 0.0) -> Found:
        _, highest = range_of(readme_of(self.env.location.path)) or (0.0, math.inf)
        search = Search(self.env, tasks, self.options, budget or self.budget, highest=highest)
        formats = self._formats(tasks)
        shown = from_examples(self.env, tasks, self.contract, formats)
        given = self._given(tasks)
        if not self.contract.says:
            formats = [*shown.formats, *formats]
        best = self._of_given(search, given, formats)
        likely = likeliest(formats, [*self.tokens.texts, *self.tokens.patterns])
        found = Found(Right(tasks, options=self.options, format=likely, evidence=NOTHING))
        if self._poor(best):
            best = better(best, self._held(search, tasks, formats, given, found))
        if unpaid(best) and not self.judge:
            best = better(best, self._computed(search, tasks, formats))
        if unpaid(best) and not self.env.fresh_each:
            best = better(best, self._by_fresh(search, given, formats))
        # A form in which anything is paid is the one to try nothing in.
        likely = best.format if best and best.wrong >= CLEAR * self._most else likely
        best = self._kept(search, best, given, found, shown)
        if unpaid(best):
            self._by_examples(found, shown, tasks)
            if not found.right.source:
                found.right.format = likely
        # What a judge approves of is right; of replies that need so many words a field is none.
        if not found.right.whole and (unpaid(best) or found.right.paid < OF_ALL):
            self._by_opening(found)
        return found

    def _kept(
        self,
        search: Search,
        best: Trial | None,
        given: Sequence[Candidate],
        found: Found,
        shown: ByExample,
    ) -> Trial | None:
        """The best pair where it says what is right, which `found` then has; None where what it
        earns is chance, or an example says otherwise."""
        if best is None:
            return None
        right = found.right = search.right(self._taken(best, given))
        right.named_otherwise = self._named_otherwise(best, given)
        if (little := is_little(right, self._most)) or by_chance(right, best):
            if little or not is_compared(self.env, right):
                said = f"what is paid on some tasks, or a little, is no gold ({right.evidence})"
                found.right = right.without_gold(said)
                return None
            right.rank = 0
        return None if self._overruled(found.right, best, shown) else best

    def _of_given(
        self, search: Search, given: list[Candidate], formats: list[AnswerFormat]
    ) -> Trial | None:
        """The best pair of the first candidates; of more where none is paid and scoring is
        quick."""
        best = search.best(given, formats)
        more = given[MOST_CANDIDATES:MOST_QUICK] if unpaid(best) and search.quick else []
        return better(best, search.best(more, formats, len(more))) if more else best

    def _overruled(self, right: Right, best: Trial, shown: ByExample) -> bool:
        """Whether an example of the contract is paid in full on a task whose gold is not: then the
        gold is misread, or is not written so."""
        full = {i: paid for i, paid in shown.earned.items() if paid >= CLEAR * self._most}
        least = best.wrong + best.margin * PAID_LEAST
        return any(
            (score.reward or 0.0) < max(least, full[i] * PAID_LEAST)
            for i, score in right.scores.items()
            if i in full
        )

    def _given(self, tasks: Sequence[Task]) -> list[Candidate]:
        """The candidates of the declared field; all of them where none is declared. Of a judged
        environment those that the judge is shown."""
        every = candidates(tasks)
        named = [one for one in every if one.field == self.contract.gold]
        if named:
            return [replace(one, rank=0) for one in named]
        if self.shown is None:
            return every
        rivals = self.shown.rivals(every)
        every = [one for one in every if one.field not in rivals]
        approved = self.shown.approves(self._most)
        rest = [one for one in every if not self.shown.material(one)]
        return self.shown.golds(every) or [one for one in rest if one.named or not approved]

    def _held(
        self,
        search: Search,
        tasks: Sequence[Task],
        formats: list[AnswerFormat],
        given: list[Candidate],
        found: Found,
    ) -> Trial | None:
        """The best pair of a value that the code holds while it scores."""
        held, found.swallowed, self.lists = held_candidates(self.env, tasks, formats)
        held = self.shown.golds(held) if self.shown else held
        search.until = self.env.clock() + self.budget
        most = len(held) if search.quick else MOST_CANDIDATES
        return search.best(unique([*held, *given])[:24], formats, most)

    def _computed(
        self, search: Search, tasks: Sequence[Task], formats: list[AnswerFormat]
    ) -> Trial | None:
        """The best pair of a value that the environment's own functions make of the fields."""
        if self.computed is None:
            self.computed = computed_candidates(self.env, self.tasks, self.lists)
        search.until = self.env.clock() + self.budget / (1 if search.quick else 3)
        return search.best(self.computed, formats, len(self.computed))

    def _by_fresh(
        self,
        search: Search,
        given: Sequence[Candidate],
        formats: list[AnswerFormat],
    ) -> Trial | None:
        """The best of a few pairs, each completion scored by a process that has scored nothing: a
        reward that keeps a state pays the gold only there."""
        if self.judge or not search.quick:
            return None
        self.env.fresh_each = True
        fresh = Search(self.env, self.tasks, self.options, self.budget)
        best = fresh.best(list(given)[:FRESH_CANDIDATES], formats[:FRESH_FORMATS])
        self.env.fresh_each = best is not None and best.margin > TINY
        return best if self.env.fresh_each else None

    @property
    def _most(self) -> float:
        weights = self.env.description.rewards.values()
        return sum(weight for weight in weights if weight > 0) or 1.0

    def _poor(self, best: Trial | None) -> bool:
        return best is None or best.margin <= TINY or best.gold < PAID_LEAST * self._most

    def _incidental(self, right: Right) -> bool:
        """Whether a value that the code holds earns a little (one letter of a word to guess), or is
        not called the answer: the best first move of an exchange."""
        held = ": " in right.source
        return held and (right.rank > 1 or right.margin < PAID_LEAST * self._most)

    def _weak(self, right: Right) -> bool:
        """Whether what nothing calls the gold earns less than half."""
        return right.rank >= GUESSED and right.margin < PAID_LEAST * self._most

    def _formats(self, tasks: Sequence[Task]) -> list[AnswerFormat]:
        declared = [one for text in self.contract.says for one in of_template(text)]
        shown = shared_text(tasks)
        paths = [path for path, _ in flat(tasks[0].fields)] if tasks else []
        keys = list(dict.fromkeys(path.rsplit(".", 1)[-1] for path in paths))
        several = records(keys, [*tags_of(shown), *self.tokens.tags], labels_of(shown))
        first = [*declared, *several]
        return all_formats(tasks, first, self.tokens.formats, judged=bool(self.judge))

    def _taken(self, best: Trial, given: Sequence[Candidate]) -> Trial:
        """Where nothing is told apart, what is named like a gold is taken for it."""
        if best.margin > TINY:
            return best
        named = next((one for one in given if one.named), best.candidate)
        return replace(best, candidate=named)

    def _named_otherwise(self, best: Trial, given: Sequence[Candidate]) -> str:
        """The field that is called the gold, where a field with another name is paid."""
        inside = f"{best.candidate.field}."
        called = [one for one in given if one.named and CALLED_GOLD.search(one.field.lower())]
        named = [one for one in called if not one.field.startswith(inside)]
        held = ": " in best.candidate.field or best.candidate.field in ("tests", "target")
        if best.margin <= TINY or best.candidate.rank <= 1 or not named or held:
            return ""
        name = best.candidate.field.rsplit(".", 1)[-1]
        if re.search(rf"[\"'<{{]{re.escape(name)}[\"'>}}]", shared_text(self.tasks)):
            return ""  # the prompt asks for it by this name: `{"duty": 412.5}`
        return named[0].field

    def _by_examples(self, found: Found, shown: ByExample, tasks: Sequence[Task]) -> None:
        """Nothing that the tasks hold is paid: the contract's examples say what is right."""
        if shown.golds:
            found.right = shown.right(tasks, self.options, self.contract.answer_type)
            if any_answer(self.env, self.contract, found.right):
                found.right = found.right.without_gold("any answer of the examples' form is right")
                found.right.own = True
        elif found.right.rank > 0 or (shown.whole and not self.contract.gold):
            named = "is paid alone" if found.right.rank == 0 else "is named like a gold"
            found.right = found.right.without_gold(f"no field {named} ({found.right.evidence})")
        if not (shown.golds and found.right.with_gold):
            found.right.whole, found.right.whole_from = shown.whole, shown.source

    def _by_opening(self, found: Found) -> None:
        """No field is what the judge compares with: whatever it approves of is right."""
        if self.opening is None:
            return
        golds: list[str | None] = [self.opening.body(task).strip() for task in self.tasks]
        one = single(APPROVED, "as it is", golds, 1)
        search = Search(self.env, self.tasks, self.options, self.budget)
        trial = search.trial(one, self.opening.format, (0, 0), list(range(min(4, len(golds)))))
        right = search.right(trial) if trial.margin > TINY else None
        if right and right.paid > found.right.paid:
            found.right = right
            found.right.answer_type = "text"

    # --- the tasks' own check ------------------------------------------------------------

    def _checked(self, most: int = 6, seconds: float = 10.0) -> dict[int, Validity]:
        """`Task.validate` on up to `most` tasks; it ends with the first task that has none."""
        found: dict[int, Validity] = {}
        until = time.monotonic() + seconds
        self.env.expect(True)  # a check may ask the judge about the gold
        for i in ways.spread(len(self.tasks), most):
            one = self.env.validate(i)
            if one.valid is None:
                break
            found[i] = one
            if one.ended or time.monotonic() > until:
                break
        self.env.expect(False)
        return found

    # --- an answer that no field writes ----------------------------------------------------

    @property
    def _unwritten(self) -> Unwritten:
        formats, idle = self._formats(self.tasks), self.acting.idle
        return Unwritten(self.env, self.contract, formats, self.options, self._most, idle)

    def _solved(self, found: Found) -> Found | None:
        return self._unwritten.solved(found)

    # --- an answer that is acted out -----------------------------------------------------

    def _acted(self, found: Found) -> Found:
        unpaid = found.right.evidence
        paid = [one.reward for one in found.checked.values() if one.reward is not None]
        if paid:
            found.idle, found.claim = self.acting.idle(found.checked)
        if paid and fmean(paid) > found.idle + TINY:
            found.reward, found.how = fmean(paid), "Task.validate"
            said = f"the gold is acted out, not written ({unpaid})"
            found.right = found.right.without_gold(said)
            return found
        if self.acting.interactive:
            acted = self.acting.by_acting(found)
            known = acted.reward or acted.right.source or acted.right.whole
            sat_out = max(acted.idle, acted.claim) > TINY  # there is nothing to be told apart
            return acted if known or sat_out else self._solved(acted) or acted
        if self.judge or self.contract.says:
            return self._solved(found) or found
        by_field = found.right.margin > TINY and not self._weak(found.right)
        return self._unwritten.find(found, paid=by_field) or found
