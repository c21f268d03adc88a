"""Ready code for the schema that was found: a taskset (verifiers 0.4) and a classic environment."""

from __future__ import annotations

from lab.schema.detect import Schema

TASKSET = '''\
import verifiers.v1 as vf
from datasets import load_dataset


class RowData(vf.TaskData):
    answer: str


class RowTask(vf.Task[RowData]):
    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        given = trace.last_reply.rsplit("####", 1)[-1].strip()
        return float(given == self.data.answer)


class RowTaskset(vf.Taskset[RowTask, vf.TasksetConfig]):
    def load(self):
        for index, row in enumerate({load}):
            question, answer = {question}, {answer}
            if question and answer is not None:
                yield RowTask(RowData(id=str(index), prompt=str(question), answer=str(answer)), self.config.task)
'''

CLASSIC = '''\
import verifiers as vf
from datasets import load_dataset


def load_environment(**kwargs):
    def row_of(row):
        return {{"question": str({question}), "answer": str({answer})}}

    data = {load}
    parser = vf.XMLParser(["think", "answer"], answer_field="answer")

    def correct(completion, answer, **_):
        return float((parser.parse_answer(completion) or "").strip() == answer)

    rubric = vf.Rubric(funcs=[correct, parser.get_format_reward_func()], weights=[1.0, 0.2], parser=parser)
    return vf.SingleTurnEnv(dataset=data.map(row_of), system_prompt=parser.get_format_str(), parser=parser, rubric=rubric, **kwargs)
'''


def loading(dataset: str, source: str, format: str, config: str | None, split: str) -> str:
    """The `load_dataset` call that opens this split."""
    if source == "hub":
        middle = f", {config!r}" if config and config != "default" else ""
        return f"load_dataset({dataset!r}{middle}, split={split!r})"
    builder = {"jsonl": "json", "json": "json", "tsv": "csv"}.get(format, format)
    extra = ', sep="\\t"' if format == "tsv" else ""
    return f"load_dataset({builder!r}, data_files={dataset!r}, split='train'{extra})"


def access(path: str | None) -> str:
    """A Python expression for the cell at `path` in `row`."""
    if path is None:
        return "None"
    head, *rest = path.split(".")
    return f"row[{head!r}]" + "".join(f"[{part!r}]" for part in rest) if "[]" not in path and "," not in path else f"row[{head.split('[')[0].split(',')[0]!r}]"


def gold_expression(schema: Schema) -> str:
    """How the gold is taken out of the row, in one expression."""
    cell = access(schema.answer.path)
    kind = schema.kind.kind
    if kind == "hash4_suffix":
        return f'{cell}.rsplit("####", 1)[-1].strip().replace(",", "")'
    if kind == "class_label_int" and schema.names:
        return f"{schema.names!r}[{cell}]" if len(schema.names) <= 12 else cell
    if kind in ("choice_index_int", "choice_digit_string"):
        shift = f" - {schema.kind.base}" if schema.kind.base else ""
        return f'"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[int({cell}){shift}]'
    if kind == "choice_index_list":
        return f'"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[{cell}[0]]'
    if kind == "choice_onehot_labels":
        return f'"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[{cell}.index(1)]'
    if kind == "choice_letter":
        return f"{cell}.strip().upper()"
    if kind == "bool":
        return f"str({cell})"
    return cell


def question_expression(schema: Schema) -> str:
    parts = [access(path) for path in [*schema.context[:2], schema.prompt.path] if path]
    return " + '\\n\\n' + ".join(f"str({part})" for part in parts) if len(parts) > 1 else (parts[0] if parts else "''")


def taskset(load: str, schema: Schema) -> str:
    return TASKSET.format(load=load, question=question_expression(schema), answer=gold_expression(schema))


def classic(load: str, schema: Schema) -> str:
    return CLASSIC.format(load=load, question=question_expression(schema), answer=gold_expression(schema))
