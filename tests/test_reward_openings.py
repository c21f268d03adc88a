"""Judges: how a verdict is worded is read from the prompt and the code, and what is wrong with the
reading of it is found. The judge here is scripted, on loopback."""

from __future__ import annotations

import sys

import pytest

from lab.reward.judges.server import ScriptedJudge
from lab.reward.judges.verdicts import reply
from lab.reward.reading.right import APPROVED
from marks import soak
from run_script import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks.reward_defects.rows import ROWS

MODULE = """
import json
import os
import re

import verifiers.v1 as vf
from openai import AsyncOpenAI

ROWS = @ROWS@
ASK = @ASK@


async def asked(prompt):
    client = AsyncOpenAI(api_key="x", base_url=os.environ.get("OPENAI_BASE_URL"), max_retries=0)
    said = [{"role": "user", "content": prompt}]
    done = await client.chat.completions.create(model="m", messages=said)
    return done.choices[0].message.content


def read(said):
@READ@


class Data(vf.TaskData):
    answer: str


class Question(vf.Task[Data]):
    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        reply = trace.last_reply.strip()
        if not 1 < len(reply) < 400:
            return 0.0
        names = {"question": self.data.prompt, "answer": self.data.answer, "reply": reply}
        prompt = ASK
        for name in ("reply", "question", "answer"):
            prompt = prompt.replace(@MARK@, names[name])
        return read(await asked(prompt))


class Questions(vf.Taskset[Question, vf.TasksetConfig]):
    def load(self):
        for row in ROWS:
            yield Question(Data(prompt=row["question"], answer=row["answer"]))


__all__ = ["Questions"]
"""
HEAD = "Question: {question}\\nReference: {answer}\\nResponse: {reply}\\n"
YES_NO = "Same meaning? Reply with one word, yes or no."
SAFE, FILLED = '"<<" + name + ">>"', '"{" + name + "}"'
STRICT_YES = "    return {'yes': 1.0, 'no': 0.0}[said.strip().lower()]"
JUDGES = {
    "one word": (YES_NO, STRICT_YES),
    "JSON": (
        'Reply with JSON: {"correct": true or false}.',
        "    return float(json.loads(said)['correct'])",
    ),
    "a tag": (
        "Put your verdict in <grade>CORRECT</grade> or <grade>INCORRECT</grade>.",
        "    return float(re.search('<grade>(.*?)</grade>', said)[1] == 'CORRECT')",
    ),
    "a score": (
        "End with a line `Score: N`, from 0 to 10.",
        "    return int(re.search(r'Score: (\\\\d+)', said)[1]) / 10",
    ),
}


def module(folder, name, asked, read, mark=SAFE):
    """`mark` is how a name is written in the template of the judge's prompt."""
    head = HEAD if mark == FILLED else HEAD.replace("{", "<<").replace("}", ">>")
    text = MODULE.replace("@ROWS@", repr(ROWS["facts"][:5]))
    text = text.replace("@ASK@", repr(head.replace("\\n", "\n") + asked))
    text = text.replace("@READ@", read.replace("\\\\", "\\")).replace("@MARK@", mark)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def rewritten(path, *changes):
    """The module with each pair's first text replaced by its second."""
    source = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    path.write_text(source, encoding="utf-8")


def judged(bench, path, examples=3):
    with ScriptedJudge() as judge:
        return bench.audit(path, judge=judge, examples=examples)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[] if one == "JSON" else [pytest.mark.soak]) for one in JUDGES],
)
def test_the_verdict_is_worded_as_the_environment_reads_it(tmp_path, bench, name):
    found = judged(
        bench, module(tmp_path, f"judge_{name.lower().replace(' ', '_')}", *JUDGES[name])
    )
    assert found.status("reward.gold_paid") == "pass", found.audit.brief.right.evidence
    assert found.status("reward.tells_apart") == "pass"
    for id in ("judge_reading", "judge_template", "judge_sees_reference", "judge_failure"):
        assert found.status(f"reward.{id}") == "pass", found.findings[f"reward.{id}"]
    assert found.status("reward.judge_model") == "skip", "no real model was asked"
    assert found.clause("judge").words.startswith("a judge decides")


@pytest.mark.parametrize(
    ("asked", "read", "mark", "id"),
    [
        (YES_NO, STRICT_YES, FILLED, "reward.judge_template"),
        pytest.param(
            "End with a line `Score: N`, from 0 to 10.",
            "    return int(re.search(r'Score: (\\\\d)', said)[1]) / 10",
            SAFE,
            "reward.judge_scale",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            "Explain briefly, then reply yes or no.",
            "    return float('yes' in said.lower())",
            SAFE,
            "reward.judge_reading",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            "Quote what decides, then end with a line VERDICT: PASS or VERDICT: FAIL.",
            "    return float(re.search(r'VERDICT: (\\w+)', said)[1] == 'PASS')",
            SAFE,
            "reward.judge_reading",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_verdict_that_is_read_wrongly_is_found(tmp_path, bench, asked, read, mark, id):
    found = judged(bench, module(tmp_path, f"wrong_{id[7:]}", asked, read, mark))
    assert found.status(id) == "fail", (found.failed, found.of("inconclusive"))


def test_a_judge_that_is_never_shown_the_reply_is_named(tmp_path, bench):
    path = module(tmp_path, "unshown", YES_NO, STRICT_YES)
    path.write_text(path.read_text().replace("<<reply>>", "<<answer>>"))
    found = judged(bench, path)
    assert found.findings["reward.judge_sees_reference"].measured == "lacks the response"
    assert "reward.judge_sees_reference" in found.failed


@pytest.mark.parametrize(("places", "status"), [("reply answer", "fail"), ("answer reply", "pass")])
def test_a_reply_in_the_place_of_the_reference_is_named(tmp_path, bench, places, status):
    reference, response = places.split()
    head = f"Question: <<question>>\nReference: <<{reference}>>\nResponse: <<{response}>>\n"
    path = module(tmp_path, f"places_{status}", YES_NO, STRICT_YES)
    safe = repr(HEAD.replace("{", "<<").replace("}", ">>").replace("\\n", "\n") + YES_NO)
    path.write_text(path.read_text().replace(safe, repr(head + YES_NO)))
    found = judged(bench, path)
    assert found.status("reward.judge_sees_reference") == status
    if status == "fail":
        assert found.findings["reward.judge_sees_reference"].measured.endswith("exchanged")


def test_a_quoted_approval_before_the_verdict_is_refused_where_the_last_line_counts(
    tmp_path, bench
):
    asked = "Quote what decides, then end with a line VERDICT: PASS or VERDICT: FAIL."
    read = "    return float(re.findall(r'VERDICT: (\\w+)', said)[-1] == 'PASS')"
    found = judged(bench, module(tmp_path, "last_verdict", asked, read))
    assert found.status("reward.judge_reading") == "pass"


def test_a_mark_that_is_quoted_before_the_judges_own_is_found(tmp_path, bench):
    asked = "First quote the reply, then give the mark on a line of its own:\nMARK: n\nfrom 1 to 5."
    read = "    return (int(re.search(r'MARK: (\\d)', said)[1]) - 1) / 4"
    found = judged(bench, module(tmp_path, "first_mark", asked, read))
    assert found.status("reward.judge_reading") == "fail", found.failed


@pytest.mark.parametrize(("which", "status"), [("[-1]", "pass"), ("[0]", "fail")])
def test_a_report_with_a_line_that_is_copied_from_the_reply_is_read_at_its_end(
    tmp_path, bench, which, status
):
    asked = (
        "Write a report of two lines:\nNext step: (the sentence that names it, copied word for "
        "word)\nScore: (a whole number from 0 to 10)"
    )
    read = f"    return int(re.findall(r'Score: (\\d+)', said){which}) / 10"
    found = judged(bench, module(tmp_path, f"report_{status}", asked, read))
    assert found.status("reward.judge_reading") == status, found.failed


KEPT = """        if @KEY@ not in KEPT:
            KEPT[@KEY@] = read(await asked(prompt))
        return KEPT[@KEY@]
"""


@pytest.mark.parametrize(
    ("key", "status"), [("(self.data.prompt, reply)", "pass"), ("self.data.prompt", "fail")]
)
def test_a_verdict_may_be_kept_for_the_same_reply_and_for_no_other(tmp_path, bench, key, status):
    """A verdict that is kept stands for each wording of a verdict that is tried, too."""
    path = module(tmp_path, f"kept_{status}", *JUDGES["one word"])
    asking = "        return read(await asked(prompt))\n"
    source = path.read_text(encoding="utf-8").replace(asking, KEPT.replace("@KEY@", key))
    path.write_text(source.replace("class Data", "KEPT = {}\n\n\nclass Data", 1), encoding="utf-8")
    found = judged(bench, path)
    assert found.status("reward.independent") == status, found.failed
    if status == "pass":
        assert found.status("reward.tells_apart") == "pass"


OWN_WORDS = (
    "Is the text backed by the memo?\nMemo: <<MEMO>>\nText: <<reply>>\nWrite the one word "
    "`supported`, or else `unsupported`."
)
READS_OWN = """    word = said.strip().lower()
    if word not in ("supported", "unsupported"):
        raise ValueError(word)
    return float(word == "supported")"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("memo", "status"),
    [pytest.param("question", "warn", marks=pytest.mark.soak), ("unknown", "fail")],
)
def test_verdicts_of_the_prompts_own_words_are_said_and_an_unfilled_place_is_found(
    tmp_path, bench, memo, status
):
    """Nothing is a gold here: what the judge approves of is right."""
    path = module(tmp_path, f"memo_{memo}", OWN_WORDS, READS_OWN)
    rewritten(
        path,
        (repr(HEAD.replace("{", "<<").replace("}", ">>").replace("\\n", "\n"))[1:-1], ""),
        ("<<MEMO>>", "<<question>>" if memo == "question" else "{memo}"),
        ('"answer": self.data.answer', '"answer": "-"'),
    )
    found = judged(bench, path)
    assert found.status("reward.gold_paid") == "pass", found.audit.brief.right.evidence
    shown = found.findings["reward.judge_sees_reference"]
    assert shown.status == status, shown
    if status == "fail":
        assert shown.severity == "critical" and "{memo} was not filled in" in shown.evidence


KEEPS_NUMBERS = 'not set(re.findall(r"\\d+", self.data.prompt)) <= set(re.findall(r"\\d+", reply))'


def test_a_reply_that_must_keep_the_numbers_of_its_prompt_reaches_the_judge(tmp_path, bench):
    """Before any judge is asked the code looks whether each number is still there."""
    path = module(tmp_path, "rewritten", "Is it a good rewrite? Reply yes or no.", STRICT_YES)
    rewritten(
        path,
        ("not 1 < len(reply) < 400", KEEPS_NUMBERS),
        ("answer: str", "numbers: list[str]"),
        ('"answer": self.data.answer', '"answer": "-"'),
        ('prompt=row["question"], answer=row["answer"]', "prompt=row, numbers=row.split()[1::3]"),
        ("for row in ROWS:", 'for row in [f"Take {n} mg every {n // 9} hours." for n in DOSES]:'),
        ("ASK = ", "DOSES = (54, 72, 99, 108, 45)\nASK = "),
    )
    found = judged(bench, path)
    assert found.audit.brief.judged and found.status("reward.gold_paid") == "pass"
    assert not found.failed


def test_of_replies_that_need_so_many_words_a_short_reference_is_no_gold(tmp_path, bench):
    """Some references are long enough to reach the judge, which then approves of them."""
    path = module(tmp_path, "at_length", YES_NO, STRICT_YES)
    rewritten(
        path,
        ("not 1 < len(reply) < 400", "not 12 <= len(reply.split()) <= 60"),
        ('answer=row["answer"]', 'answer=" and ".join([row["answer"]] * (1 + 3 * (n % 3)))'),
        ("for row in ROWS:", "for n, row in enumerate(ROWS):"),
    )
    found = judged(bench, path, examples=5)
    assert found.audit.brief.right.source == APPROVED, found.audit.brief.right.evidence
    assert found.status("reward.gold_paid") == "pass", found.failed


CHECKLIST = (
    "Checklist:\n1. names the answer\n2. is polite\n3. is short\n\nWrite one line for each item: "
    "its number, a reason, and MET or NOT MET in capitals. For example:\n"
    "1. it is named in the first line: MET\n2. it is rude: NOT MET"
)
EACH_LINE = """    found = re.findall(r"^\\\\d+\\\\.PLACE\\\\b(NOT MET|MET)$", said, re.MULTILINE)
    return found.count("MET") / 3 if len(found) == 3 else 0.0"""


@pytest.mark.parametrize(("place", "status"), [soak("[^:]*: ", "pass"), (".*", "fail")])
def test_a_verdict_for_each_item_of_a_checklist_is_written_and_read(tmp_path, bench, place, status):
    read = EACH_LINE.replace("PLACE", place)
    found = judged(bench, module(tmp_path, f"checklist_{status}", CHECKLIST, read))
    assert found.status("reward.judge_reading") == status, found.findings["reward.judge_reading"]
    assert bool(found.failed) == (status == "fail"), found.failed


SHORT_LIST = (
    "Checklist:\\n1. names the answer\\n2. is polite\\n\\nFor every item write its number and "
    "either MET or UNMET, a line each. Example:\\n1: MET\\n2: UNMET"
)


def test_a_verdict_that_is_counted_in_its_opposite_too(tmp_path, bench):
    """UNMET holds MET: a short line for each item is said, and both verdicts are paid."""
    assert reply(SHORT_LIST.replace("\\n", "\n"), True) == "1: MET\n2: MET"
    assert reply(SHORT_LIST.replace("\\n", "\n"), False) == "1: UNMET\n2: UNMET"
    read = """    met = said.upper().count("MET")
    if not met:
        raise ValueError(said)
    return min(1.0, met / 2)"""
    found = judged(bench, module(tmp_path, "unmet", SHORT_LIST, read))
    assert found.status("reward.judge_reading") == "fail" or "reward.format_only" in found.failed


TAGGED = """
        found = re.search('<answer>(.*?)</answer>', reply, re.S)
        if found is None:
            return 0.0
"""
TOLD = "The reply is graded by a judge. What stands outside of the tags is not shown to the judge. "


@pytest.mark.parametrize(
    ("shown", "told", "status"),
    [
        ("reply", TOLD, "fail"),
        ("found[1]", TOLD, "pass"),
        ("reply", "The judge sees only the reply and the reference. ", "skip"),
    ],
    ids=["all of it", "the answer", "nothing said"],
)
def test_what_is_kept_from_the_judge_is_not_shown_to_it(tmp_path, bench, shown, told, status):
    folder = tmp_path / f"outside_{status}"
    folder.mkdir()
    path = module(folder, "__init__", YES_NO, STRICT_YES)
    text = path.read_text().replace('"reply": reply}', f'"reply": {shown}}}')
    text = text.replace('        names = {"', TAGGED + '        names = {"')
    asked = "prompt=row['question'] + ' Answer in <answer></answer> tags.'"
    path.write_text(text.replace('prompt=row["question"]', asked))
    (folder / "README.md").write_text(f"# Questions\n\n{told}" + "It says yes or no. " * 12)
    with ScriptedJudge() as judge:
        found = bench.audit(folder, judge=judge, examples=3)
    finding = found.findings["reward.judge_sees_outside"]
    assert finding.status == status, (finding, found.audit.brief.right.evidence)
