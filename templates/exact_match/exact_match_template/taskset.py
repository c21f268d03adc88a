"""Questions with a short exact answer: a label, yes or no, a name with aliases.

Rewards: `correct` (weight 1.0) when the text in the last `<answer>…</answer>` is one of the golds
as a careful reader would compare them; `format` (weight 0.125) when there is an answer in the slot
at all, and with fixed labels only when it is one of them.
"""

import verifiers.v1 as vf

from .rows import DatasetConfig, Row, load_rows
from .slots import last_tag
from .texts import normal, read_golds, same

SYSTEM_PROMPT = (
    "Think step by step, then give the final answer between tags, as in "
    "<answer>your answer</answer>. Keep it as short as it can be."
)
LONGEST = 300


class ExactMatchTemplateConfig(DatasetConfig):
    labels: list[str] = []
    """The allowed answers, in the order of the dataset's label numbers; empty for short text."""
    instruction: str = "Answer the question."
    """What is asked of every row; a text to be classified does not say it itself."""


class ExactMatchTemplateData(vf.TaskData):
    """One question. `answer` holds every accepted answer."""

    answer: list[str]
    labels: list[str]


class ExactMatchTemplateTask(vf.Task[ExactMatchTemplateData]):
    def given(self, trace: vf.Trace) -> str | None:
        """The text the model committed to, or None."""
        slot = last_tag(trace.last_reply)
        return slot if slot and len(slot) <= LONGEST and normal(slot) else None

    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        """1.0 when the last <answer> is one of the accepted answers."""
        given = self.given(trace)
        return float(any(same(given, gold) for gold in self.data.answer))

    @vf.reward(weight=0.125)
    async def format(self, trace: vf.Trace) -> float:
        """1.0 when the last <answer> holds a text; one of the labels where there are any."""
        given, labels = self.given(trace), self.data.labels
        return float(
            given is not None and (not labels or any(same(given, label) for label in labels))
        )

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Each gold is read back from the slot and equals itself."""
        slots = [last_tag(f"<answer>{gold}</answer>") for gold in self.data.answer]
        return all(same(slot, gold) for slot, gold in zip(slots, self.data.answer, strict=True))


class ExactMatchTemplateTaskset(vf.Taskset[ExactMatchTemplateTask, ExactMatchTemplateConfig]):
    def load(self) -> list[ExactMatchTemplateTask]:
        labels = self.config.labels
        rows = load_rows(self.config, lambda cell, record: read_golds(cell, labels))
        return [self._task(row, labels) for row in rows]

    def _task(self, row: Row, labels: list[str]) -> ExactMatchTemplateTask:
        allowed = f" The answer is one of: {', '.join(labels)}." if labels else ""
        data = ExactMatchTemplateData(
            id=row.id,
            prompt=row.question,
            system_prompt=f"{self.config.instruction} {SYSTEM_PROMPT}{allowed}",
            answer=row.gold,
            labels=labels,
        )
        return ExactMatchTemplateTask(data, self.config.task)


class ExactMatchTemplateEnvConfig(vf.SingleAgentEnvConfig):
    """Plain chat on this machine. Without this, verifiers runs a coding agent in a paid sandbox."""

    agent: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})


class ExactMatchTemplateEnv(vf.SingleAgentEnv, vf.Env[ExactMatchTemplateEnvConfig]):
    pass
