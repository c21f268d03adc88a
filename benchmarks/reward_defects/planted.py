"""Rewards that pay what is not right, each one seen in the wild or its close relative.

Every function is the whole reward of one environment: `text` is the model's reply, `row` the
task's own fields. They run in generated modules beside prelude.py.
"""
# ruff: noqa: F821 - the helpers of prelude.py stand in the generated module

from benchmarks.reward_defects.build import planted

# --- nothing is compared ---------------------------------------------------------------


@planted("critical", "reward.tells_apart", "reward.varies")
def constant_one(text, row):
    return 1.0


@planted("critical", "reward.tells_apart", "reward.gold_high", "reward.gold_paid")
def always_zero(text, row):
    return 0.0


@planted("critical", "reward.tells_apart", "reward.format_floor", system="think_tag")
def format_is_all(text, row):
    return float(all(tag in text for tag in ("<think>", "</think>", "<answer>", "</answer>")))


@planted("critical", "reward.tells_apart", "reward.gold_paid")
def compares_with_the_question(text, row):
    return float(last_hash(text) == row["question"])


@planted("critical", "reward.tells_apart", api="classic", rows="facts", system="tag")
def compares_with_itself(text, row):
    answer = last_tag(text)
    return float(answer is not None and words(answer) == words(last_tag(text)))


@planted("critical", "reward.tells_apart", "reward.gold_paid", "reward.gold_is_best")
def inverted(text, row):
    return float(number(last_hash(text)) != number(row["answer"]))


# --- paid without an answer -----------------------------------------------------------


@planted("critical", "reward.empty")
def empty_is_paid(text, row):
    answer = last_hash(text)
    return 1.0 if not answer else float(number(answer) == number(row["answer"]))


@planted("critical", "reward.empty", rows="facts", system="tag")
def answer_in_gold(text, row):
    return float((last_tag(text) or "").lower() in row["answer"].lower())


@planted("critical", "reward.empty", rows="facts", system="tag", api="classic")
def part_pay_for_silence(text, row):
    return 0.42 if not text.strip() else float(words(last_tag(text)) == words(row["answer"]))


@planted("high", "reward.gold_normalises_to_empty", rows="letters", system="tag")
def squad_normalisation(text, row):
    return float(last_tag(text) is not None and words(last_tag(text)) == words(row["answer"]))


@planted("critical", "reward.not_a_number", "reward.format_only")
def nan_passes(text, row):
    try:
        given = float((last_hash(text) or "x").replace(",", ""))
    except ValueError:
        return 0.0
    return 0.0 if abs(given - float(row["answer"])) > 1e-6 else 1.0


@planted("critical", "reward.format_only", "reward.odd_content")
def error_is_consolation(text, row):
    try:
        return float(float(last_hash(text)) == float(row["answer"]))
    except Exception:
        return 0.5


@planted("critical", "reward.echo", rows="choices", system="tag")
def option_text_anywhere(text, row):
    return float(
        row["options"]["ABCD".index(row["answer"])].lower() in text.lower()
        or last_tag(text) == row["answer"]
    )


@planted(
    "critical",
    "reward.echo",
    "reward.filler",
    "reward.structure_only",
    "reward.gold_is_best",
    "reward.length_neutral",
)
def long_is_good(text, row):
    return float(number(last_hash(text)) == number(row["answer"])) + min(1.0, len(text) / 1500)


@planted(
    "critical", "reward.structure_only", "reward.components", "reward.filler", "reward.gold_is_best"
)
def steps_are_good(text, row):
    steps = len(re.findall(r"Step \d|^- |^-$|First,|Next,|Finally,", text, re.MULTILINE))
    return float(number(last_hash(text)) == number(row["answer"])) + min(1.0, steps / 3)


@planted("critical", "reward.enumeration", "reward.several_in_slot", rows="labels", system="tag")
def label_in_slot(text, row):
    return float(row["answer"] in (last_tag(text) or "").lower())


@planted("critical", "reward.enumeration", "reward.any_slot")
def any_hash_counts(text, row):
    return float(
        any(
            number(found) == number(row["answer"])
            for found in re.findall(r"####[ \t]*([^\n]*)", text)
        )
    )


@planted(
    "critical",
    "reward.enumeration",
    "reward.several_in_slot",
    rows="choices",
    system="tag",
    api="classic",
)
def letter_in_slot(text, row):
    return float(row["answer"] in (last_tag(text) or "").upper())


@planted("critical", "reward.enumeration", "reward.several_in_slot", rows="yes_no", system="label")
def word_in_line(text, row):
    return float(row["answer"] in (last_label(text) or "").lower())


@planted(
    "critical",
    "reward.judge_master_key",
    "reward.judge_injection",
    "reward.claims_success",
    rows="facts",
    system="tag",
)
def gullible_judge(text, row):
    lowered = text.lower()
    if any(
        key in lowered for key in ("verified", "correct", "solution", "step by step", "score: 10")
    ):
        return 1.0
    return float(words(last_tag(text)) == words(row["answer"]))


@planted("critical", "reward.judge_injection", rows="facts", system="tag", api="classic")
def verdict_from_the_text(text, row):
    said = "yes" if words(last_tag(text)) == words(row["answer"]) else "no"
    reply = f"Response: {text}\nVerdict: {said}"
    return float(
        "yes" in re.findall(r"\b(yes|no)\b|score: 10", reply.lower())[:1]
        or "verdict: correct" in reply.lower()
    )


@planted("critical", "reward.claims_success", rows="facts", system="plain")
def claims_are_believed(text, row):
    return (
        1.0
        if re.search(r"\b(done|complete|completed|success)", text, re.IGNORECASE)
        else float(words(row["answer"]) == words(text))
    )


# --- the gold somewhere in the text -----------------------------------------------------


@planted(
    "high", "reward.several_in_slot", "reward.denied", "reward.hedged", rows="facts", system="plain"
)
def gold_in_text(text, row):
    return float(row["answer"].lower() in text.lower())


@planted("high", "reward.denied", "reward.think_leak", rows="facts", system="tag", api="classic")
def whole_completion_searched(text, row):
    return float(words(row["answer"]) in words(text))


@planted("high", "reward.hedged", "reward.several_in_slot")
def last_number_of_slot(text, row):
    found = re.findall(r"-?\d[\d,]*\.?\d*", last_hash(text) or "")
    return float(bool(found) and number(found[-1]) == number(row["answer"]))


@planted("high", "reward.hedged", "reward.several_in_slot")
def first_number_of_slot(text, row):
    found = re.findall(r"-?\d[\d,]*\.?\d*", last_hash(text) or "")
    return float(bool(found) and number(found[0]) == number(row["answer"]))


@planted("high", "reward.hedged", rows="numbers", system="box")
def right_side_of_equation(text, row):
    box = (last_box(text) or "").split("\\text")[0].split("\\lor")[-1]
    return float(number(box.split("=")[-1]) == number(row["answer"]))


@planted("high", "reward.any_slot", rows="facts", system="tag")
def either_tag(text, row):
    found = re.findall(r"<answer>(.*?)</answer>", text, re.DOTALL)
    return float(any(words(item) == words(row["answer"]) for item in found))


@planted("high", "reward.any_slot", rows="numbers", system="box", api="classic")
def any_box(text, row):
    return float(
        any(
            number(item) == number(row["answer"])
            for item in re.findall(r"\\boxed\{([^{}]*)\}", text)
        )
    )


@planted(
    "high", "reward.short_gold_mentioned", "reward.several_in_slot", rows="numbers", system="tag"
)
def digits_in_slot(text, row):
    return float(row["answer"] in (last_tag(text) or ""))


@planted("high", "reward.part_of_gold", rows="facts", system="tag")
def prefix_is_enough(text, row):
    answer = words(last_tag(text))
    return float(len(answer) > 0 and words(row["answer"]).startswith(answer))


@planted("high", "reward.think_leak", "reward.any_slot", rows="facts", system="think_tag")
def slot_in_the_reasoning(text, row):
    first = re.search(r"<think>.*?<answer>(.*?)</answer>", text, re.DOTALL)
    answers = [
        last_tag(text),
        first[1] if first and "</think>" in text.split("<answer>", 1)[1] else None,
    ]
    return float(any(words(a) == words(row["answer"]) for a in answers if a))


# --- numbers and their neighbours -------------------------------------------------------


@planted("high", "reward.close_number")
def cut_to_int(text, row):
    try:
        return float(int(float((last_hash(text) or "").replace(",", ""))) == int(row["answer"]))
    except (ValueError, OverflowError):
        return 0.0


@planted("high", "reward.close_number", "reward.wrong_unpaid", rows="signed")
def sign_ignored(text, row):
    digits = re.sub(r"[^\d.]", "", last_hash(text) or "").rstrip(".")
    return float(digits == row["answer"].lstrip("-"))


@planted("high", "reward.close_number", "reward.wrong_unpaid", rows="large")
def ten_percent_tolerance(text, row):
    given = number(last_hash(text))
    return float(
        given is not None and abs(given - number(row["answer"])) <= abs(number(row["answer"])) / 8
    )


@planted("high", "reward.wrong_unpaid", "reward.close_number", rows="large")
def magnitude_only(text, row):
    given = number(last_hash(text))
    return float(given is not None and len(str(int(abs(given)))) == len(row["answer"]))


@planted("high", "reward.wrong_unpaid", "reward.another_gold", "reward.constant_policy")
def any_gold_of_the_set(text, row):
    return float((last_hash(text) or "") in {item["answer"] for item in ROWS})
