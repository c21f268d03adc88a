"""What is not sure is asked, and said once: golds that are not found, constraints, alike texts."""

from __future__ import annotations

import random
import re
import string

import pytest

from lab.reward.contract import Contract
from lab.reward.draft import draft
from lab.reward.observed import observe
from reward_environments import RIGHT, environment
from test_reward_whole import with_rows

BACKWARDS = """
def score(text, row):
    match = re.search(r"\\\\boxed\\{(\\d+)\\}", text)
    return float(bool(match) and int(match[1][::-1]) == row["answer"] + 100001)
"""
TRIPS = [
    {"question": f"{hours} hours at {speed} km/h. How far is it?", "answer": hours * speed}
    for hours, speed in ((2, 40), (3, 50), (4, 70), (5, 30), (6, 45), (7, 60))
]
OWN = """
def score(text, row):
    try:
        return float(row["answer"].strip() == last_tag(text))
    except Exception:
        return 0.0
"""
NO_COMMA = """
def score(text, row):
    return float("," not in text) if row["rule"] == "no commas" else float("owl" in text.lower())
"""
RULES = [
    {"question": f"Write about {what} with {rule}.", "rule": rule}
    for what in ("a river", "a harbour", "snow", "a clock")
    for rule in ("no commas", "the word owl")
]
GIVEN_ONLY = """
def score(text, row):
    try:
        plan = json.loads(re.search(r"```json\\n(.*?)\\n```", text, re.DOTALL)[1])
        return float(all(int(plan[name]) % row["people"] == 0 for name in plan))
    except Exception:
        return 0.0
"""
PLANS = [
    {"question": f"Seats for {', '.join(names)}: each a multiple of {people}.", "people": people}
    for names, people in ((["Ada", "Bo"], 7), (["Cy", "Di"], 11), (["Ed", "Flo"], 13), (["Gil"], 9))
]
PLACES = "Oslo Rome Bern Lima Riga Cork Pisa Bonn Metz Nara Turku Graz".split()
FLIGHTS = [
    f"The flight of day {day} leaves for {place}. Where to?" for day, place in enumerate(PLACES)
]
EXACT = """
def score(text, row):
    return float(words(last_tag(text)) == words(row["answer"]))
"""
LIKENESS = """
def score(text, row):
    from difflib import SequenceMatcher

    return SequenceMatcher(None, last_tag(text) or "", row["answer"]).ratio()
"""


def paragraph(seed: int) -> str:
    """Fourteen words, others in each."""
    rng = random.Random(seed)
    return " ".join("".join(rng.choices(string.ascii_lowercase, k=5)) for _ in range(14))


@pytest.mark.long
def test_a_form_that_was_not_found_is_one_question(tmp_path, bench):
    path = environment(tmp_path, "backwards", BACKWARDS)
    with_rows(path, TRIPS, "Put the answer into \\boxed{}.")
    found = bench.audit(path)
    assert not found.failed
    assert [one.id for one in found.of("inconclusive")] == ["reward.gold_paid"]


SEATS = """
def score(text, row):
    import json
    try:
        plan = json.loads(text[text.rfind("{"):])
    except ValueError:
        return 0.0
    if not isinstance(plan, dict):
        return 0.0
    taken = set()
    for name, place in plan.items():
        if name not in row["size"] or not isinstance(place, list) or len(place) != 2:
            return 0.0
        line, first = place
        if line not in ("A", "B") or type(first) is not int or not 1 <= first <= 8:
            return 0.0
        seats = {(line, seat) for seat in range(first, first + row["size"][name])}
        if seats & taken:
            return 0.0
        taken |= seats
    return 1.0
"""


def test_an_error_of_the_code_on_every_completion_is_a_failure(tmp_path, bench):
    path = with_rows(environment(tmp_path, "own", OWN), TRIPS, "Reply in <answer></answer>.")
    found = bench.audit(path)
    assert list(found.failed) == ["reward.gold_paid"]
    assert "'int' object has no attribute 'strip'" in found.failed["reward.gold_paid"]


def test_a_tolerance_of_the_contract_counts_and_not_that_of_the_readme(tmp_path, bench):
    rows = [{**trip, "answer": str(trip["answer"])} for trip in TRIPS]
    path = with_rows(environment(tmp_path, "to_the_unit", RIGHT), rows)
    (path.parent / "README.md").write_text("Numbers count within 2 %.")
    assert bench.audit(path).status("reward.forms_core") == "fail"
    assert bench.audit(path, Contract(tolerance=0.0)).status("reward.forms_core") == "skip"


def test_a_reward_that_reads_constraints_is_one_finding(tmp_path, bench):
    path = with_rows(environment(tmp_path, "rules", NO_COMMA), RULES, "Be brief.")
    found = bench.audit(path, examples=8)  # as many tasks of either rule
    assert len(found.failed) == 1
    assert "sorts of text without an answer" in next(iter(found.failed.values()))


def test_an_answer_that_says_nothing_is_found_without_a_gold(tmp_path, bench):
    path = environment(tmp_path, "given_only", GIVEN_ONLY)
    says = "Reply with a JSON object of names and seats in a fenced block with the language `json`."
    found = bench.audit(with_rows(path, PLANS, says))
    assert "{} in the form" in found.failed["reward.one_for_all"]


def test_an_object_without_keys_is_tried_alone_where_the_form_is_an_object(tmp_path, bench):
    rows = [
        {"question": f"Seat Moor ({n} people) and Lind (2 people).", "size": {"Moor": n, "Lind": 2}}
        for n in range(2, 10)
    ]
    says = 'Answer with a JSON object of group, row and first seat, such as {"Kim": ["B", 4]}.'
    found = bench.audit(with_rows(environment(tmp_path, "seats", SEATS), rows, says))
    assert "{} alone" in found.failed["reward.one_for_all"], found.failed


def test_an_example_in_the_instructions_gives_no_answer_away(tmp_path, bench):
    says = "End with the answer, such as: the answer is: yes, or: the answer is: no."
    rows = [
        {"question": f"{says}\nIs {n} a prime number?", "answer": "yes" if prime else "no"}
        for n, prime in {4: 0, 5: 1, 7: 1, 9: 0, 11: 1, 12: 0, 13: 1, 15: 0, 17: 1, 21: 0}.items()
    ]
    path = with_rows(environment(tmp_path, "primes", EXACT), rows, "Reply in <answer></answer>.")
    assert bench.audit(path).status("data.gold_in_prompt") in ("pass", "skip")


@pytest.mark.parametrize(
    ("by", "often", "status"), [(1, 1, "fail"), (3, 1, "fail"), (0, 1, "pass"), (1, 3, "fail")]
)
def test_golds_of_the_next_row_are_found(tmp_path, bench, by, often, status):
    """Also where each of them comes several times."""
    golds = PLACES[-by:] + PLACES[:-by] if by else PLACES
    rows = [
        {"question": f"Trip {time}: {q}", "answer": a}
        for time in range(often)
        for q, a in zip(FLIGHTS, golds, strict=True)
    ]
    path = with_rows(
        environment(tmp_path, f"rolled_{by}_{often}", EXACT), rows, "<answer>Rome</answer>"
    )
    assert bench.audit(path).status("data.shifted_golds") == status


@pytest.mark.soak
def test_texts_that_are_nearly_the_gold_are_no_wrong_answers_of_a_likeness(tmp_path, bench):
    rows = [
        {"question": f"Reverse: {text}", "answer": text[::-1]} for text in map(paragraph, range(8))
    ]
    says = "Reply in <answer></answer>."
    found = bench.audit(with_rows(environment(tmp_path, "likeness", LIKENESS), rows, says))
    assert not found.failed


SHARE = """
def score(text, row):
    words = row["note"].split()
    if len(text) > 40:
        return 0.0
    return sum(word in text.lower() for word in words) / len(words)
"""
NOTES = [
    {"question": f"Sum up: {note}.", "note": note}
    for note in (
        "the ferry left late because of fog and wind",
        "two lamps in the hall were replaced last week",
        "our baker sells rye bread on mondays and fridays",
        "the bridge stays closed until the river falls again",
    )
]


def test_what_earns_a_part_and_is_not_called_the_gold_is_no_gold(tmp_path, bench):
    found = bench.audit(with_rows(environment(tmp_path, "share", SHARE), NOTES, "Be brief."))
    assert not {"reward.several_in_slot", "reward.hedged", "reward.denied"} & set(found.failed)


LINES = """
def score(text, row):
    found = re.findall(r"<lines>(.*?)</lines>", text, re.DOTALL)
    lines = (found[-1] if found else "").strip().splitlines()
    said = [re.sub(r"[^a-z ]", "", line).strip() for line in lines]
    right = sum(one in each for one, each in zip(said, row["accepted"]))
    return right / 4 if len(said) == 4 else 0.0
"""
SENTENCES = [
    {
        "question": f"Translate four sentences of set {n}, one per line, in <lines></lines>.",
        "accepted": [
            [f"{'abcdefghijkl'[n]} sun{'o' * k}"] + [f"sun{'o' * k} x"] * (k < n % 5)
            for k in range(4)
        ],
    }
    for n in range(12)
]


def test_a_guessed_field_that_earns_many_parts_is_asked_about(tmp_path, bench):
    """Alternatives for each line, written as they are held: one alone is read as the line."""
    path = with_rows(environment(tmp_path, "lines", LINES), SENTENCES, "")
    finding = bench.audit(path, examples=12).findings["reward.gold_paid"]
    assert finding.status == "inconclusive" and "earn a part, others 1" in finding.evidence


FORMS = """
def score(text, row):
    try:
        form = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return 0.0
    broken = sorted(str(part).lower() for part in form.get("broken") or [])
    right = [str(form.get("order")).lower() == row["order"].lower()]
    right += [broken == sorted(row["damage"].split("+")), form.get("late") is (row["day"] > 9)]
    return right[0] * (0.2 * sum(right) + 0.4 * all(right))
"""
LETTERS = [
    {
        "question": f"Order D{31 * n + 407}, day {n + 6}: {broken} broken. Reply with one object "
        'such as {"broken": ["cup"], "late": true, "order": "D12"}; late is after day 9.',
        "order": f"D{31 * n + 407}",
        "damage": broken,
        "day": n + 6,
    }
    for n, broken in enumerate(("lid", "rim+cup", "arm", "hub+axle", "cap", "key", "pin", "pot"))
]


def test_a_field_that_earns_a_part_alone_is_asked_about(tmp_path, bench):
    """The key of a form earns a fifth without the rest: it is no answer whose forms count."""
    found = bench.audit(with_rows(environment(tmp_path, "forms", FORMS), LETTERS, ""))
    finding = found.findings["reward.gold_paid"]
    assert finding.status == "inconclusive" and "a part of the answer" in finding.evidence
    assert not found.failed
    asked = draft(found.audit, observe(found.audit), {})
    assert "# gold =   # `order` earns 0.2, maybe as a part of what is right" in asked
    assert not re.search(r"^(?:gold|says|answer_type) = ", asked, re.MULTILINE)


def test_golds_that_are_unpaid_beside_others_that_earn_a_part_are_refused(tmp_path, bench):
    """The same key is paid on some forms and not on others: that is no guess."""
    refused = "    if sum(row['order'].encode()) % 3 == 0:\n        return 0.0\n"
    some = FORMS.replace("    right = [", f"{refused}    right = [")
    found = bench.audit(with_rows(environment(tmp_path, "some_forms", some), LETTERS, ""))
    assert found.status("reward.gold_paid") == "fail", found.findings["reward.gold_paid"]
