"""The blind review by its command line: sheets that hide the rewards, and what answers find."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from headlines_environment import (
    SHIFTED,
    answers_of,
    compare,
    make_sheet,
    truth_of,
    write,
)
from lab.review.answers import Answer, Answers
from lab.review.compared import QUESTION, differences
from lab.review.items import CONTROL, EXPLOIT, FORM, GOLD, STRUCTURE, WRONG
from lab.review.sealed import seal
from reviewing import filled, sealed
from run_script import Ran, run_script
from servers.scripted import Scripted


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    place = write(tmp_path_factory.mktemp("sound"))
    make_sheet(place)
    return place


@pytest.fixture(scope="module")
def shifted(tmp_path_factory) -> Path:
    place = write(tmp_path_factory.mktemp("shifted"), ("SHIFT = {}", SHIFTED))
    make_sheet(place)
    return place


@pytest.fixture(autouse=True)
def blank_answers(request):
    """Every test fills in a fresh answers file."""
    places = [request.getfixturevalue(n) for n in ("sound", "shifted") if n in request.fixturenames]
    kept = {answers_of(place): answers_of(place).read_text() for place in places}
    yield
    for path, text in kept.items():
        path.write_text(text)


def test_a_sheet_has_16_to_24_completions_of_every_sort_in_mixed_order(sound):
    review = sealed(sound, answers_of(sound))
    assert 16 <= len(review.items) <= 24
    assert [item.number for item in review.items] == list(range(1, len(review.items) + 1))
    roles = [item.role for item in review.items]
    assert roles.count(CONTROL) == 2 and roles.count(GOLD) >= 5
    assert {WRONG, EXPLOIT, STRUCTURE, FORM} <= set(roles)
    assert roles != sorted(roles)
    golds = {item.index for item in review.items if item.role == GOLD}
    assert len(golds) == roles.count(GOLD), "each right answer is of another task"


def test_neither_sheet_nor_page_says_what_is_paid_or_why_it_was_chosen(sound):
    folder = answers_of(sound).parent
    review = sealed(sound, answers_of(sound))
    public = {folder / name for name in ("sheet.md", "answers.toml", "review.html")}
    assert set(folder.iterdir()) == public
    for path in public:
        text = path.read_text()
        for item in review.items:
            if item.role in (EXPLOIT, STRUCTURE, FORM):
                assert item.name not in text
        assert '"reward"' not in text and "earns 1" not in text and '"gold"' not in text
    sheet = (folder / "sheet.md").read_text()
    assert "the last tag counts" in sheet and "Envoys meet" in sheet
    assert len(sheet) < 4 * 4000, "a sheet is at most about 4,000 tokens"


@pytest.mark.soak
def test_the_same_content_gives_the_same_sheet_and_another_seed_another(sound, tmp_path):
    before = (answers_of(sound).parent / "sheet.md").read_text()
    again = make_sheet(sound, "--out", tmp_path / "again")
    assert again.report["facts"]["review"] in before
    other = make_sheet(sound, "--out", tmp_path / "other", "--seed", 7)
    assert other.report["facts"]["review"] != again.report["facts"]["review"]


def test_a_reader_who_agrees_passes_the_review(sound):
    filled(sound, answers_of(sound), lambda item: (item.role == CONTROL and item.says) or None)
    ran = compare(sound)
    assert ran.code == 0, ran.out
    facts = ran.report["facts"]
    assert facts["agreement"]["estimate"] == 1.0 and facts["agreement"]["low"] < 1.0
    assert facts["beyond_chance"]["estimate"] == 1.0
    assert facts["golds_wrong"] == facts["exploits_paid"] == facts["right_refused"] == []
    assert set(facts["labels"].values()) <= {"right", "wrong", "part"}


@pytest.mark.long
def test_labels_that_are_shifted_by_one_class_are_found_by_who_reads(shifted):
    """The environment agrees with itself: no completion shows it."""
    tested = run_script("test_reward", shifted, "--json", "--quiet", cwd=shifted.parent)
    assert tested.code == 0
    filled(
        shifted,
        answers_of(shifted),
        lambda item: None if item.task < 0 else truth_of(item.completion, item.index),
    )
    ran = compare(shifted)
    assert ran.code == 1
    finding = ran.finding("review.golds")
    assert finding["status"] == "fail" and finding["severity"] == "critical"
    assert finding["measured"] >= 5 and finding["evidence"] and finding["fix"]
    assert ran.finding("review.reader")["status"] == "pass"
    assert ran.report["facts"]["questions"] == [], "forms of wrong golds are no questions"


def test_a_difference_about_a_form_is_a_question_and_one_line_answers_it(sound):
    changed = {}

    def strict(item):
        if item.role == FORM and not changed:
            changed[item.number] = item
            return "wrong" if item.says == "right" else "right"
        return None

    filled(sound, answers_of(sound), strict)
    ran = compare(sound)
    assert ran.code == 0
    assert ran.finding("review.questions")["status"] == "warn"
    (question,) = ran.report["facts"]["questions"]
    (item,) = changed.values()
    assert question["number"] == item.number
    verb = "accepts" if item.says == "right" else "refuses"
    assert question["contract"][0] == f'{verb} = ["{item.name}"]'


@pytest.mark.long
def test_a_sentence_of_the_readme_turns_a_question_into_a_contradiction(tmp_path):
    """The README says that the last tag counts, and the reward reads the first."""
    place = write(tmp_path, ("WHICH = -1", "WHICH = 0"))
    make_sheet(place)
    quote = "the last tag counts"

    def fair(item):
        if item.role != STRUCTURE or item.clause != "counts":
            return None
        return f"{truth_of(item.completion, item.index)}: {quote}"

    filled(place, answers_of(place), fair)
    ran = compare(place)
    assert ran.code == 1
    failed = {f["id"] for f in ran.report["findings"] if f["status"] == "fail"}
    assert failed == {"review.exploits", "review.right_answers"}
    text = answers_of(place).read_text()
    answers_of(place).write_text(text.replace(quote, "whatever the author may have thought"))
    asked = compare(place)
    assert asked.code == 0 and len(asked.report["facts"]["questions"]) == 2


def test_who_misses_a_control_is_no_reader(sound):
    filled(sound, answers_of(sound), lambda item: "right")
    ran = compare(sound)
    assert ran.code == 4
    assert ran.finding("review.reader")["status"] == "inconclusive"
    assert ran.finding("review.exploits")["status"] == "skip"


def test_a_review_with_gaps_is_inconclusive(sound):
    ran = compare(sound)
    assert ran.code == 4
    assert "without an answer" in ran.finding("review.reader")["measured"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("\n1 = ''", "\n1 = 'maybe'"), "one of right, wrong, part, unsure"),
        (("\n1 = ''", "\n1 = 'part 3'"), "part 0.5"),
        (("\n1 = ''", "\n1 = 'right 0.5'"), "part 0.5"),
        (("\n1 = ''", "\n99 = 'right'"), "1 to"),
        (("[answers]", "[answer]"), "its keys are"),
        (("[answers]", "[answers"), "repair it"),
    ],
)
def test_a_damaged_answers_file_is_named(sound, wrong, said):
    path = answers_of(sound)
    text = path.read_text().replace('= ""', "= ''")
    assert wrong[0] in text
    path.write_text(text.replace(*wrong))
    ran = compare(sound)
    assert ran.code == 2
    assert said in ran.report["findings"][-1]["fix"], ran.out


def test_answers_that_were_begun_are_not_overwritten(sound):
    filled(sound, answers_of(sound))
    ran = run_script("review_reward", sound, "--json", "--quiet", cwd=sound.parent)
    assert ran.code == 2 and "has answers already" in ran.report["findings"][-1]["evidence"]


@pytest.mark.long
def test_completions_of_the_readers_own_are_scored(sound):
    filled(sound, answers_of(sound))
    path = answers_of(sound)
    own = [
        (0, "<answer>Sports</answer> <answer>World</answer>", "right", "the last tag counts"),
        (0, "<answer>World</answer> <answer>Sports</answer>", "right", "the last tag counts"),
        (1, "<answer>sports</answer>", "wrong", "I would refuse it"),
    ]
    for task, completion, earns, why in own:
        said = {"task": task, "completion": completion, "earns": earns, "why": why}
        lines = [f"{key} = {json.dumps(value)}" for key, value in said.items()]
        path.write_text("\n".join([path.read_text(), "[[own]]", *lines]))
    ran = compare(sound)
    states = [one["state"] for one in ran.report["facts"]["untested_rules"]]
    assert states == ["agrees", "contradicted", "differs"]
    assert ran.code == 1 and ran.finding("review.own_completions")["status"] == "fail"


def test_what_the_reader_cannot_decide_is_a_question_in_the_readers_words(sound):
    first = []

    def doubts(item):
        if item.role != FORM or first:
            return None
        first.append(item.number)
        return "unsure: may there be marks around the topic?"

    filled(sound, answers_of(sound), doubts)
    ran = compare(sound)
    assert ran.code == 0 and ran.finding("review.questions")["status"] == "warn"
    assert "marks around the topic" in ran.finding("review.questions")["evidence"]
    (one,) = ran.report["facts"]["undecided"]
    assert one["number"] == first[0] and one["why"] == "may there be marks around the topic?"


def test_another_share_of_a_part_is_a_question_and_about_the_same_is_none(sound):
    """Reader and reward both pay a part of one completion."""
    review = sealed(sound, answers_of(sound))
    graded = next(item for item in review.items if item.role == EXPLOIT)
    item = replace(graded, says="part", share=0.5)
    review = replace(review, items=(item,))
    for share, kinds in ((0.5, []), (0.4, []), (None, []), (0.1, [QUESTION]), (1.0, [QUESTION])):
        given = Answers(review.id, answers={item.number: Answer("part", share=share)})
        assert [one.kind for one in differences(review, given)] == kinds, share


def test_own_completions_are_not_scored_by_a_judge_that_is_scripted(sound):
    """Such a judge says of a completion what it was told to say."""
    review = filled(sound, answers_of(sound))
    seal(sound, replace(review, settings={**review.settings, "scripted": True}))
    path = answers_of(sound)
    own = '\n[[own]]\ntask = 0\ncompletion = "World"\nearns = "right"\nwhy = "no tags"\n'
    path.write_text(path.read_text() + own)
    ran = compare(sound)
    seal(sound, review)
    assert ran.code == 0, ran.out
    finding = ran.finding("review.own_completions")
    assert finding["status"] == "skip" and "--judge-base-url" in finding["evidence"]
    assert ran.report["facts"]["untested_rules"][0]["reward"] is None


def of_model(place: Path, reply, *args: object) -> tuple[Ran, Scripted]:
    out = place.parent / "by_model"
    with Scripted(reply) as server:
        given = ("--model", "small-model", "--base-url", server.url, "--out", out, "--overwrite")
        common = ("--json", "--quiet", *args)
        return run_script("review_reward", place, *given, *common, cwd=place.parent), server


@pytest.mark.long
def test_a_model_reads_the_sheet_and_nothing_else(sound):
    review = sealed(sound, answers_of(sound))
    labels = {str(item.number): item.says for item in review.items} | {"99": "right"}
    own = {"task": 0, "completion": "World", "earns": "wrong", "why": "no tags"}
    said = json.dumps({"answers": labels, "own": [own, {"task": "x"}], "reward": 1})
    ran, server = of_model(sound, lambda body: f"I have read it.\n{said}")
    assert ran.code == 0, ran.out + ran.err
    facts = ran.report["facts"]
    assert facts["model"] == "small-model" and facts["used"]["calls"] == 1
    assert facts["agreement"]["estimate"] == 1.0 and len(facts["untested_rules"]) == 1
    asked = str(server.seen)
    assert "Envoys meet" in asked and "shown_of" not in asked and "TopicData" not in asked
    for item in review.items:
        if item.role in (EXPLOIT, STRUCTURE):
            assert item.name not in asked


@pytest.mark.soak
def test_a_model_that_gives_no_answers_is_asked_twice_and_no_more(sound):
    ran, server = of_model(sound, lambda body: "I would rather not.")
    assert ran.code == 3 and len(server.seen) == 2
    assert "review.no_answers" in ran.out


@pytest.mark.long
def test_no_model_is_asked_above_the_limit_of_cost(sound):
    ran, server = of_model(sound, lambda body: "{}", "--price", "5,25", "--max-cost", "0.1")
    assert ran.code == 2 and server.seen == []
    assert "USD" in ran.report["findings"][-1]["evidence"]
