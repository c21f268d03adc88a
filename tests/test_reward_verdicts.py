"""The words of a verdict, as a judge's prompt asks for them: without an environment."""

from __future__ import annotations

import json

import pytest

from lab.reward.judges.item_map import mapped
from lab.reward.judges.scales import top_of
from lab.reward.judges.verdicts import reply
from lab.reward.rules.judge_prompt import KEPT


@pytest.mark.parametrize(
    ("asked", "right", "wrong"),
    [
        ("Reply with one word, yes or no.", "yes", "no"),
        ("Answer CORRECT or INCORRECT.", "CORRECT", "INCORRECT"),
        ("Give a score from 1 to 5.", "5", "1"),
        ('One JSON object, its keys "facts" and "tone", each 0, 1 or 2.', '"tone": 2', '"tone": 0'),
        ('Answer in JSON with the keys "kind", "reason": true or false.', "true", "false"),
    ],
)
def test_a_verdict_is_worded_as_the_prompt_asks(asked, right, wrong):
    assert right in reply(asked, True) and wrong in reply(asked, False)
    assert reply(asked, True) != reply(asked, False)


@pytest.mark.parametrize("further", ["{...}", '{"why": "...", "mark": 0}', "{ … }"])
def test_an_object_for_each_criterion_is_filled_like_the_first(further):
    asked = 'Marks from 0 to 3, as JSON: {"marks": {"facts": {"why": "...", "mark": 0}, "tone": @}}'
    for right, mark in ((True, 3), (False, 0)):
        marks = json.loads(reply(asked.replace("@", further), right))["marks"]
        assert {key: one["mark"] for key, one in marks.items()} == {"facts": mark, "tone": mark}


def test_a_schema_is_answered_with_what_it_wants():
    schema = {
        "type": "object",
        "properties": {"reason": {"type": "string"}, "correct": {"type": "boolean"}},
        "required": ["reason", "correct"],
    }
    wanted = {"type": "json_schema", "json_schema": {"schema": schema}}
    for right in (True, False):
        assert json.loads(reply("Judge it.", right, wanted))["correct"] is right


@pytest.mark.parametrize(
    ("text", "top"),
    [
        ("from 0 to 10", 10),
        ("a score from 1 to 5", 5),
        ("Grade: 4 = all of it; 3 = a detail is missing; 2 = vague;\n1 = wrong; 0 = no answer.", 4),
        ("- 0: wrong\n- 1: in part\n- 2: right", 2),
        ("For each give 0 (missed), 1 (met in part) or\n2 (fully met).", 2),
        ("1. Read it.\n2. Say yes or no.", 1),
        ("Von 0 bis 6.", 6),
        ("0から10までの整数", 10),
        ("1到5分", 5),
        ("Score 0-10pts", 10),
        ("De 1 a 7.", 7),
        ("Note de 0 (nul) à 20.", 20),
        ("From 0 to 4. The reply stands between lines ==0a6f31c01a92b7d4==.", 4),
        ("The reply is marked 9f-0a61.", 1),
    ],
)
def test_the_upper_end_of_a_scale_is_read(text, top):
    assert top_of(text) == top


def test_tags_around_what_is_judged_are_not_those_of_the_verdict():
    asked = "The reply is between <reply> and </reply>.\n<reply>\n…\n</reply>\nCORRECT or WRONG?"
    assert reply(asked, True) == "CORRECT" and reply(asked, False) == "WRONG"
    assert "<grade>" in reply(f"{asked} Say <grade>CORRECT</grade> or <grade>WRONG</grade>.", True)


def test_a_judge_that_gives_several_marks_gives_each_on_its_line():
    asked = "Answer with exactly two lines:\nmeaning: <0-4>\nplainness: <0-4>"
    assert reply(asked, True) == "meaning: 4\nplainness: 4"
    assert reply(asked, False) == "meaning: 0\nplainness: 0"
    assert reply("End with a line `Score: N`, from 0 to 10.", True) == "Score: 10"


@pytest.mark.parametrize(
    ("asked", "good", "bad"),
    [
        ("Answer with the verdict APPROVED or NOT APPROVED, then a sentence.", "APPROVED", None),
        ('Reply "covered" / "not covered".', "covered", None),
        ("Antworte mit erfüllt oder nicht erfüllt.", "erfüllt", "nicht erfüllt"),
    ],
)
def test_a_verdict_and_its_denial_are_the_two_words(asked, good, bad):
    assert reply(asked, True) == good
    assert reply(asked, False).lower() == (bad or f"not {good}").lower()


VERDICTS = [
    (
        'Grades from 1 to 5.\nAnswer with JSON: {"accuracy": n, "clarity": n, "tone": n}',
        {"accuracy": 5, "clarity": 5, "tone": 5},
        {"accuracy": 1, "clarity": 1, "tone": 1},
    ),
    (
        'Points:\n1. a date\n2. a place\n\nDecide: "full" if it is said; "partial" if vaguely; '
        '"none" if not. JSON only:\n{"verdicts": ["full"], "contradiction": false}',
        {"verdicts": ["full", "full"], "contradiction": False},
        {"verdicts": ["none", "none"], "contradiction": True},
    ),
]


@pytest.mark.parametrize(("asked", "good", "bad"), VERDICTS, ids=["grades", "words"])
def test_an_object_with_several_verdicts_is_filled(asked, good, bad):
    assert json.loads(reply(asked, True)) == good
    assert json.loads(reply(asked, False)) == bad


@pytest.mark.parametrize(
    ("asked", "good"),
    [
        ('One line: "Verdict: A", "Verdict: B" or "Verdict: TIE".', "Verdict: A"),
        ('"Final verdict: FIRST", "Final verdict: SECOND" or "Final verdict: EQUAL"', "FIRST"),
        ("End with Verdict: FAIL or Verdict: PASS.", "PASS"),
        ("End with Verdict: INCORRECT or Verdict: SOUND.", "SOUND"),
    ],
)
def test_of_labelled_verdicts_the_two_first_are_said_and_no_tie(asked, good):
    others = {"Verdict: A": "Verdict: B", "FIRST": "SECOND", "PASS": "FAIL", "SOUND": "INCORRECT"}
    bad = others[good]
    assert reply(asked, True).endswith(good) and reply(asked, False).endswith(bad)


def test_an_object_of_numbered_words_is_said_with_yes_or_no():
    prompt = '1. a date\n2. a place\nOne object, like {"1": "yes", "2": "no"}.'
    assert json.loads(mapped(1)(prompt, True, None)) == {"1": "yes", "2": "yes"}
    assert json.loads(mapped(1)(prompt, False, None)) == {"1": "no", "2": "no"}


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("What stands outside of the tags is neither judged nor shown to the judge.", True),
        ("What stands above it is not shown to the judge.", True),
        ("The judge never sees what stands around the answer.", True),
        ("The judge sees only the reply and the reference.", False),
        ("The judge is not shown the reference.", False),
        ("Only the last line of the judge's answer is read; nothing else is graded.", False),
        ("A reply without a label is not shown to the judge and earns 0.", False),
    ],
)
def test_a_sentence_by_which_the_judge_is_shown_the_answer_alone(sentence, kept):
    assert bool(KEPT.search(sentence)) is kept


def test_a_label_may_stand_before_words_for_its_number():
    asked = "From 0 to 4. Give reasons. Then write, as the last line, MARK: and the number."
    assert (reply(asked, True), reply(asked, False)) == ("MARK: 4", "MARK: 0")


def test_an_object_of_pairs_of_words_inside_another_is_filled():
    form = '{"verdicts": {"scope": "yes|no", "clear": "no or yes", "errors": "yes/no"}}'
    asked = f"Say it as JSON: {form}"
    for right, word in ((True, "yes"), (False, "no")):
        said = json.loads(reply(asked, right))["verdicts"]
        assert said["scope"] == said["clear"] == word != said["errors"]


def test_the_better_word_of_a_pair_is_known_by_either():
    asked = 'As JSON: {"checks": {"form": "wrong|right", "error_handling": "pass|fail"}}'
    said = json.loads(reply(asked, True))["checks"]
    assert said == {"form": "right", "error_handling": "pass"}
    assert reply("Give a score from 0 to 5.\n\nQuestion: The number of moons?", True) == "5"
