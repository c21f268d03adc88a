"""A reward as a plain function, without an environment: what the rules say about what it pays.

world = World(ROWS["numbers"], "#### {answer}", lambda text, row: float(row["answer"] in text))
world.production("echo").status
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from lab.cli.report import Finding
from lab.environment import Completion, Description, Score, Task
from lab.reward import plan
from lab.reward.brief import Brief
from lab.reward.contract import Contract, Example
from lab.reward.formats.answer_format import of_template
from lab.reward.observation import Observation, Probe, Table
from lab.reward.productions.base import PRODUCTIONS
from lab.reward.reading.answer_type import answer_type
from lab.reward.reading.candidate import Candidate
from lab.reward.reading.candidates import candidates
from lab.reward.reading.fields import options_of
from lab.reward.reading.right import Right
from lab.reward.rules import constants, declared, forms, invariants, paid, readings
from lab.reward.scale import Scale

Row = dict[str, Any]
Reward = Callable[[Any, Row], float]


class World:
    """Tasks, a format, and a reward; `calls=True` gives the reward the messages, not the text."""

    def __init__(
        self,
        rows: list[Row],
        says: str,
        reward: Reward,
        *,
        system: str = "",
        field: str = "answer",
        reading: str = "",
        graded: bool = False,
        calls: bool = False,
        whole: dict[int, Completion] | None = None,
        tools: dict[str, dict[str, Any]] | None = None,
        contract: Contract | None = None,
        stated: dict[str, Any] | None = None,
        language: str = "",
    ) -> None:
        self.rows, self.reward, self.calls = rows, reward, calls
        self.tasks = [
            Task(
                i,
                str(i),
                row["question"],
                system,
                {k: v for k, v in row.items() if k != "question"},
            )
            for i, row in enumerate(rows)
        ]
        self.right = self._right(says, field, reading, language)
        self.right.whole = whole or {}
        self.right.tolerance = contract.tolerance if contract else None
        schemas = tools or {}
        description = Description(
            "taskset",
            self.tasks,
            len(rows),
            {"reward": 1.0},
            [],
            [],
            tools=list(schemas),
            schemas=schemas,
            arguments={name: list(one.get("properties", {})) for name, one in schemas.items()},
        )
        contract = contract or Contract()
        known = {**(stated or {}), **contract.declared}
        self.brief = Brief(description, self.right, contract, declared=known)
        self.brief = replace(self.brief, scale=self._scale(graded))

    def _right(self, says: str, field: str, reading: str, language: str) -> Right:
        options = [options_of(task) for task in self.tasks]
        one = next((c for c in candidates(self.tasks) if self._is(c, field, reading)), None)
        way = replace(of_template(says)[0], language=language)
        if one is None:
            return Right(self.tasks, format=way, options=options)
        return Right(
            self.tasks,
            source=one.field,
            reading=one.reading,
            golds=one.golds,
            accepted=one.accepted,
            answer_type=answer_type(one, self.tasks),
            format=way,
            options=options,
            all_of=one.all_of,
            rank=one.rank,
            margin=1.0,
        )

    def _is(self, one: Candidate, field: str, reading: str) -> bool:
        return one.field == field and reading in one.reading

    def _scale(self, graded: bool) -> Scale:
        b = self.brief
        right = {i: self.earned(i, b.write(b.gold(i))) for i in b.with_gold}
        wrong = {
            i: [self.earned(i, b.write(text)) for text in b.target(i).wrongs] for i in b.with_gold
        }
        return Scale(right, wrong, graded=graded)

    def earned(self, task: int, completion: Completion) -> float:
        return self.score(task, completion).reward or 0.0

    def score(self, task: int, completion: Completion) -> Score:
        """The reward's own score; an error where it raises."""
        given: Any = completion
        if not self.calls and not isinstance(completion, str):
            last = completion[-1]["content"] if completion else ""
            given = last if isinstance(last, str) else ""
        try:
            return Score(float(self.reward(given, self.rows[task])))
        except Exception as error:
            return Score(None, error=repr(error), kind="raised")

    def table(self, probes: Iterable[Probe]) -> Table:
        return Table(Observation(one, self.score(one.task, one.completion)) for one in probes)

    def production(self, id: str) -> Finding:
        """The finding about one sort of completion."""
        one = next(one for one in PRODUCTIONS if one.id == id)
        if not one.applies(self.brief):
            return one.check.skip("does not apply")
        probes = [p for each in plan.of_production(self.brief, one) for p in each]
        return paid.finding(self.brief, paid.result(self.brief, self.table(probes), one))

    @cached_property
    def seen(self) -> readings.Seen:
        """Which of several answers counts, as far as it shows."""
        return readings.seen(self.brief, self.table(plan.of_units(self.brief)))

    @property
    def about_readings(self) -> dict[str, Finding]:
        return {one.id: one for one in readings.findings(self.brief, self.seen)}

    @property
    def about_forms(self) -> dict[str, Finding]:
        probes = plan.of_forms(self.brief, {})
        measured = forms.measure(self.brief, self.table(probes))
        return {one.id: one for one in forms.findings(self.brief, measured)}

    @cached_property
    def everything(self) -> Table:
        """Golds, wrong answers and completions of every sort."""
        calibration = plan.calibration(self.brief, self.brief.with_gold, 3)
        return self.table([*calibration, *plan.main(self.brief, {}, constant_tasks=4)])

    @property
    def about_contract(self) -> Finding:
        """Whether the declared numbers and forms are kept."""
        measured = forms.measure(self.brief, self.everything)
        return declared.clauses(self.brief, self.everything, measured)

    def about_examples(self, *examples: Example) -> Finding:
        scored = [(e.task, e, self.score(e.task, e.completion).reward) for e in examples]
        return declared.examples(self.brief, scored)

    @property
    def about_length(self) -> Finding:
        """Whether the length of a right reply counts."""
        again = {
            "score": self.score,
            "again": self.score,
            "over": lambda: True,
            "slow": False,
            "env": None,
        }
        session = SimpleNamespace(latency=0.0, **again)
        found = invariants.findings(self.brief, self.everything, session)  # type: ignore[arg-type]
        return next(one for one in found if one.id == invariants.LENGTH.id)

    @property
    def about_constants(self) -> Finding:
        probes = plan.of_constants(self.brief, 10**6)
        (found,) = constants.findings(self.brief, constants.measure(self.brief, self.table(probes)))
        return found
