"""The whole test of one environment: find what is right, score, and say what the reward pays for.

with Environment(location) as env:
    found = audit(env, contract)
found.findings, found.facts, found.table
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lab.environment import Completion, Environment
from lab.reward import plan, statements
from lab.reward.brief import Brief
from lab.reward.contract import Contract
from lab.reward.disputed import settled, sorts
from lab.reward.examples import bound
from lab.reward.examples_scored import score_examples
from lab.reward.facts import facts_of
from lab.reward.formats.source import SourceTokens, read_source
from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.verdict_format import detect_verdict_format
from lab.reward.observation import Observation, Table
from lab.reward.outcome import Audit
from lab.reward.productions.base import CLOSED, PRODUCTIONS
from lab.reward.reading.answer_type import settled_type
from lab.reward.reading.compared import is_compared
from lab.reward.reading.find_right import Finder
from lab.reward.reading.found import Found
from lab.reward.reading.right import Right
from lab.reward.reading.search import GUESSED, PAID_LEAST
from lab.reward.rules import (
    budget,
    consequences,
    constants,
    counted,
    data,
    declared,
    empty_golds,
    faults,
    forms,
    invariants,
    keys,
    loads,
    orders,
    pages,
    paid,
    readings,
    rounded_inputs,
    rows,
    sanity,
    shots,
    thrift,
    tool_names,
    tool_runs,
    weights,
)
from lab.reward.rules import judge as judge_rules
from lab.reward.scale import TINY, Scale, graded_by
from lab.reward.session import Failure, Session

OFTEN = 0.25
"""Share of the tasks that pay a wrong answer, from which on a guessed field is no gold."""
IDLE = "Let us see what comes next"
KEEP = 0.1
"""Share of the budget that is left for what follows the main probes."""


def audit(
    env: Environment,
    contract: Contract | None = None,
    *,
    seconds: float = 60.0,
    judge: ScriptedJudge | None = None,
    note: Callable[[str], None] = lambda _: None,
    on_score: Callable[[int], None] = lambda _: None,
    another: Callable[[], Environment | None] = lambda: None,
) -> Audit:
    """Test a running environment. Raises nothing for what the environment does.

    `judge`: the judge that the environment's judges were sent to, scripted or passing on;
    `another` starts a second copy of the environment, for rewards that are slow.
    """
    session = Session(env, seconds, on_score, another=another)
    return _Test(session, contract or Contract(), judge, note).run()


class _Test:
    def __init__(
        self,
        session: Session,
        contract: Contract,
        judge: ScriptedJudge | None,
        note: Callable[[str], None],
    ) -> None:
        self.session, self.env = session, session.env
        tasks = self.env.description.tasks
        self.contract, self.of_others = bound(contract, tasks)
        self.readme = statements.readme_of(self.env.location.path)
        # The prompt counts where the two differ.
        self.texts = [*(task.shown for task in tasks[:1]), self.readme]
        self.said = statements.stated(*self.texts)
        self.stated = {name: one.value for name, one in self.said.items()}
        self.judge, self.note = judge, note
        if judge is not None:
            self.env.expect = judge.expect

    def run(self) -> Audit:
        if not self.env.description.tasks:
            return self._without_tasks()
        self.note("reading what is right")
        tokens = read_source(self.env.location.path)
        self.opening = detect_verdict_format(self.env, self.judge, tokens)
        found = self._find(tokens)
        brief = self._brief(found, tokens)
        kept = found.kept if found.kept[0] else self._state(brief)
        if kept[0]:
            # Nothing that was learnt holds: each completion is scored by a fresh process now.
            self.env.fresh_each = True
            if found.right.with_gold or found.right.whole or found.reward:
                found = self._find(tokens)
                brief = self._brief(found, tokens)
        self.session.begin()
        brief = self._calibrated(brief, found)
        self._fatal()
        audit = Audit(brief, self.session, found, self.session.table)
        if kept[0]:
            audit.findings += sanity.findings(brief, found, self.session)
            audit.findings.append(invariants.state_finding(brief, kept))
            audit.findings += faults.findings(brief, self.session)
            audit.facts = facts_of(audit)
            return audit
        self._observed(audit)
        return audit

    def _fatal(self) -> None:
        """What hung or died while the right answers were looked for is a failure of scoring."""
        fatal = self.env.fatal
        if fatal and not any(f.score.kind == fatal[2].kind for f in self.session.failures):
            self.session.failures.append(Failure(*fatal))

    def _find(self, tokens: SourceTokens) -> Found:
        return Finder(
            self.env, self.contract, tokens, judge=self.judge, opening=self.opening
        ).find()

    def _without_tasks(self) -> Audit:
        description = self.env.description
        brief = Brief(description, Right([]), self.contract, readme=self.readme, stated=self.said)
        none = data.TASKS.fail(
            measured=0,
            evidence="the taskset yields no task",
            fix="check the dataset, its split and the filters in load(); rows that cannot be read "
            "may all have been left out",
            severity="critical",
            direction="data",
        )
        empty = Audit(brief, self.session, Found(brief.right), Table([]), [none])
        empty.facts = {"api": description.api, "cases": 0}
        return empty

    def _brief(self, found: Found, tokens: SourceTokens) -> Brief:
        clauses = {name: self.stated[name] for name in CLAUSE_NAMES if name in self.stated}
        tolerance = self.contract.tolerance
        right = found.right = replace(
            found.right,
            answer_type=settled_type(self.contract.answer_type, found.right.answer_type),
            tolerance=statements.tolerance_of(*self.texts) if tolerance is None else tolerance,
            inexact=self.stated.get("tolerance") == "given",
        )
        brief = Brief(
            self.env.description,
            right,
            self.contract,
            tokens,
            judged=self.opening is not None,
            scripted=bool(self.judge and self.opening and not self.judge.upstream),
            approval=self.judge.approval if self.judge and self.opening else "",
            unread=bool(self.judge and self.opening and not self.judge.understood),
            play=self.session.play,
            readme=self.readme,
            stated=self.said,
        )
        if "counts" in clauses and brief.playable:
            del clauses["counts"]  # "the first answer counts": that of the first turn
        return replace(brief, declared={**clauses, **self.contract.declared})

    def _state(self, brief: Brief) -> tuple[str, float]:
        """What shows that scoring keeps a state; ("", 0) where it keeps none."""
        self.session.timed(brief.right.scores.values())
        if self.session.slow:
            return "", 0.0
        if self.env.fresh_each:
            self.env.fresh_each = False
        if brief.judged:
            return self._kept_verdict(brief)
        right = brief.right
        if right.with_gold and right.margin <= TINY and right.rank > 0:
            return "", 0.0
        pairs: list[tuple[int, Completion, Completion]] = [
            (i, brief.write(brief.gold(i)), brief.write(brief.wrong(i))) for i in right.by_gold[:2]
        ]
        if not pairs:
            return self._kept_texts(right)
        return invariants.state(self.env, pairs)

    def _kept_texts(self, right: Right) -> tuple[str, float]:
        """The same where right are whole texts, which a search may have found."""
        texts = {i: one for i, one in right.whole.items() if isinstance(one, str)}
        wrong = {i: broken[0][1] for i, broken in right.broken.items() if broken}
        pairs: list[tuple[int, Completion, Completion]] = [
            (i, one, wrong.get(i, IDLE)) for i, one in list(texts.items())[:2]
        ]
        learnt = invariants.learnt(self.env, texts)
        return learnt if learnt[0] else invariants.state(self.env, pairs)

    def _kept_verdict(self, brief: Brief) -> tuple[str, float]:
        """What shows that a verdict on one reply is taken for another one's."""
        if self.opening is None or self.judge is None or self.judge.upstream or brief.unread:
            return "", 0.0
        write = self.opening.write
        pairs: list[tuple[int, Completion, Completion]] = [
            (i, write(task, 1), write(task, 2)) for i, task in enumerate(brief.tasks[:2])
        ]
        return invariants.state(self.env, pairs)

    # --- the scale -----------------------------------------------------------------------

    def _calibrated(self, brief: Brief, found: Found) -> Brief:
        """The brief with what right and wrong answers earn."""
        self.session.programs = brief.programs
        for i, score in brief.right.scores.items():
            self.session.know(i, brief.write(brief.gold(i)), score)
        most = int(min(len(brief.with_gold), max(4, self.session.affordable(0.25) / 4)))
        tasks = sorted(brief.right.by_gold[:most])
        self.session.observe(plan.calibration(brief, tasks, 1 if self.session.slow else 3))
        scale = self._scale(found)
        if scale.apart and self._no_gold(brief, scale):
            said = f"what is paid like a wrong answer is no gold ({brief.right.evidence})"
            found.right = brief.right.without_gold(said)
            return replace(brief, right=found.right, scale=Scale(unit=self._unit(found)))
        brief = replace(brief, scale=scale)
        if scale.apart and not brief.programs:
            self.session.observe(plan.near_answers(brief), keep=0.7)
            graded = self.contract.partial == "graded" or self._graded(scale)
            brief = replace(brief, scale=replace(scale, graded=graded))
        return brief

    def _no_gold(self, brief: Brief, scale: Scale) -> bool:
        """Whether what was taken for the golds is none: few are paid, and wrong ones as much; or
        nothing calls the field the gold, and it earns less than half, or idle words are paid where
        wrong answers are."""
        if scale.by_chance and brief.answer_type not in CLOSED:
            return True
        if brief.right.rank == 0 or brief.judged:
            return False
        little = sum(scale.right.values()) < PAID_LEAST * scale.unit * len(scale.right)
        if little and not is_compared(self.env, brief.right):
            return True  # nothing calls it the gold, and it earns a part
        if brief.right.rank < GUESSED:
            return False
        wrong = scale.wrong_paid
        idle = [i for i in wrong if scale.paid(i, self.session.score(i, IDLE).reward)]
        return len(wrong) >= OFTEN * len(scale.wrong) and len(idle) * 2 >= len(wrong) > 0

    def _scale(self, found: Found) -> Scale:
        table = self.session.table
        right = {o.probe.task: o.reward for o in table.of("gold") if o.reward is not None}
        wrong: dict[int, list[float]] = {}
        for o in table.of("wrong"):
            if o.reward is not None:
                wrong.setdefault(o.probe.task, []).append(o.reward)
        unit = found.reward if found.reward and found.reward > TINY else self._unit(found)
        return Scale(right, wrong, unit=unit, graded=found.graded)

    def _unit(self, found: Found) -> float:
        """What a right rollout earns by the contract's examples, or 1."""
        rewards = [
            self.session.score(i, one, right=True).reward for i, one in found.right.whole.items()
        ]
        known = [reward for reward in rewards if reward is not None and reward > TINY]
        return sum(known) / len(known) if known else 1.0

    def _graded(self, scale: Scale) -> bool:
        near: dict[int, list[float]] = {}
        for production in ("near", "wrong"):
            for o in self.session.table.of(production):
                if o.reward is not None:
                    near.setdefault(o.probe.task, []).append(o.reward)
        tried = {o.probe.task for o in self.session.table.of("near")}
        near = {i: rewards for i, rewards in near.items() if i in tried}
        stated = self.stated.get("partial") == "graded"
        return graded_by(scale.right, near, scale.floor or 0.0, scale.gap, stated=stated)

    # --- the rest ------------------------------------------------------------------------

    def _observed(self, audit: Audit) -> None:
        brief, session = audit.brief, self.session
        self.note("scoring completions of every sort")
        quick = session.latency < 0.02
        probes = plan.main(brief, self.stated, constant_tasks=10**6 if quick else 6)
        if session.slow:
            first, probes = plan.each_sort_once(probes)
            seen = session.observe(first, keep=KEEP)
            probes = plan.paid_first(probes, [o.probe for o in seen if _paid(brief, o)])
        session.observe(probes, keep=KEEP)
        session.observe(plan.elsewhere(brief, session.table), keep=KEEP)
        table = audit.table = session.table
        calls = self.judge.calls if self.judge else 0
        scored, late = score_examples(self.contract, session)
        # No reply of ours may have got through to the judge, and the examples do.
        asked = self.judge is not None and not self.judge.upstream and self.judge.calls > calls
        held = replace(brief, scripted=True) if asked else brief
        brief = audit.brief = replace(brief, settled=settled(held, table, scored))
        findings = audit.findings
        findings += sanity.findings(brief, audit.found, session)
        audit.results = [paid.result(brief, table, one) for one in PRODUCTIONS]
        audit.constants = constants.measure(brief, table)
        audit.forms = forms.measure(brief, table)
        audit.seen = readings.seen(brief, table)
        findings.append(sanity.asked_format(brief, self._asked(brief)))
        findings += [paid.finding(brief, one) for one in audit.results]
        findings += readings.findings(brief, audit.seen)
        findings += constants.findings(brief, audit.constants)
        findings += forms.findings(brief, audit.forms)
        repeats, *others = invariants.findings(brief, table, session)
        findings += [repeats, *others]
        findings.append(sanity.best(brief, table, invariants.by_chance(brief, repeats)))
        findings.append(counted.finding(brief, session))
        findings.append(declared.clauses(brief, table, audit.forms))
        findings.append(declared.examples(held, scored, late, self.of_others, sorts(brief)))
        findings.append(declared.tools(brief, bool(self.env.prelude)))
        findings.append(tool_names.finding(brief))
        findings.append(tool_runs.finding(brief, self.env))
        findings.append(pages.finding(brief, self.env))
        findings.append(thrift.finding(brief))
        findings.append(weights.finding(brief))
        findings += judge_rules.findings(brief, session, self.judge)
        findings += faults.findings(brief, session)
        findings += data.findings(brief, audit.found, self.env)
        findings += rows.findings(brief, self.env)
        findings += keys.findings(brief, self.env)
        findings.append(rounded_inputs.finding(brief, session, self.env))
        findings.append(orders.finding(brief))
        findings.append(shots.finding(brief))
        findings.append(empty_golds.finding(brief, session))
        findings.append(loads.finding(brief, self.env.location.path, session.loaded_again))
        findings.append(budget.finding(audit.results))
        audit.findings = consequences.settled(brief, findings, audit.results)
        audit.facts = facts_of(audit)

    def _asked(self, brief: Brief) -> tuple[str, int, float] | None:
        """An explicit format of the prompt in which the gold is not paid, where another one is."""
        from lab.reward.formats.prompt import prompt_formats

        if not brief.scale.apart or brief.format.hint in ("prompt", "contract"):
            return None
        if brief.answer_type not in ("number", "math", *CLOSED):
            return None
        asked = [one for one in prompt_formats(brief.tasks) if one.closed and not one.is_json]
        earned = []
        for one in asked[:6]:
            for i in brief.sample(2, gold=True):
                text = one.write(brief.gold(i))
                reward = self.session.score(i, text, right=True).reward
                if reward is None or not brief.scale.refused(i, reward):
                    return None
                earned.append((one.name, i, reward))
        return earned[0] if earned else None


CLAUSE_NAMES = ("counts", "thinking", "tools", "length")
"""Clauses that statements of a prompt or a README may declare."""


def _paid(b: Brief, o: Observation) -> bool:
    """Whether a completion that must not be paid is."""
    return not o.probe.right and o.reward is not None and b.scale.paid(o.probe.task, o.reward)
