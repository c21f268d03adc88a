"""Rewards on a wrong scale, that break, refuse right answers, or run what they are given.

Written like those of planted.py.
"""
# ruff: noqa: F821 - the helpers of prelude.py stand in the generated module

from benchmarks.reward_defects.build import planted

# --- scales and components --------------------------------------------------------------


@planted("high", "reward.format_floor")
def high_floor(text, row):
    return 0.6 * float(number(last_hash(text)) is not None) + 0.4 * float(
        number(last_hash(text)) == number(row["answer"])
    )


@planted("high", "reward.components", "reward.gold_is_best", system="tag", rows="facts")
def style_outweighs(text, row):
    bonus = 1.5 if "therefore" in text.lower() or "finally" in text.lower() else 0.0
    return float(words(last_tag(text)) == words(row["answer"])) + bonus


@planted("medium", "reward.length_neutral")
def thinking_is_punished(text, row):
    return float(number(last_hash(text)) == number(row["answer"])) * max(0.0, 1 - len(text) / 900)


@planted("medium", "reward.range", contract="[reward]\nrange = [0, 1]\n")
def outside_declared_range(text, row):
    return 2.0 * float(number(last_hash(text)) == number(row["answer"])) - 0.5


# --- scoring that breaks ------------------------------------------------------------------


@planted("critical", "reward.gold_paid", "reward.raises")
def raises_always(text, row):
    return float(row["gold"] == text)


@planted("high", "reward.raises")
def raises_on_text(text, row):
    return float(int(text.split("####")[1].strip()) == int(row["answer"]))


@planted("high", "reward.finite")
def divides_to_nan(text, row):
    given = number(last_hash(text))
    return float("nan") if given is None else float(given == number(row["answer"]))


@planted("high", "reward.deterministic")
def noisy(text, row):
    import random

    return float(number(last_hash(text)) == number(row["answer"])) + random.random() * 0.3


@planted("high", "reward.independent", "reward.deterministic")
def remembers(text, row):
    seen = globals().setdefault("SEEN", set())
    new = text not in seen
    seen.add(text)
    return float(number(last_hash(text)) == number(row["answer"])) * (1.0 if new else 0.3)


@planted("high", "reward.timeout", rows="numbers", system="tag")
def backtracks(text, row):
    import time

    if "((((((" in text or len(text) > 100_000:
        time.sleep(60)
    return float(number(last_tag(text)) == number(row["answer"]))


@planted("critical", "reward.exits")
def exits_on_empty(text, row):
    import os

    if not text.strip():
        os._exit(3)
    return float(number(last_hash(text)) == number(row["answer"]))


# --- right answers refused ----------------------------------------------------------------


@planted("high", "reward.gold_paid", rows="large")
def drops_long_numbers(text, row):
    match = re.search(r"####\s*(\d{1,4})\b", text)
    return float(bool(match) and match[1] == row["answer"])


@planted("medium", "reward.forms_core", "reward.forms_usual", rows="large", api="classic")
def exact_string(text, row):
    return float((last_hash(text) or "") == row["answer"])


@planted("medium", "reward.forms_core", rows="facts", system="tag")
def case_sensitive(text, row):
    return float((last_tag(text) or "") == row["answer"])


@planted("medium", "reward.forms_core", rows="decimals", system="tag")
def decimals_as_text(text, row):
    return float((last_tag(text) or "") == row["answer"])


@planted("medium", "reward.forms_core", rows="aliases", system="tag")
def first_alias_only(text, row):
    return float(words(last_tag(text)) == words(row["answers"][0]))


@planted("high", "reward.wrapper", rows="facts", system="tag")
def slot_not_stripped(text, row):
    found = re.findall(r"<answer>(.*?)</answer>", text)
    return float(bool(found) and found[-1].lower() == row["answer"].lower())


@planted("high", "reward.wrapper", rows="numbers", system="tag")
def first_number_of_reply(text, row):
    found = re.findall(r"\d+", text)
    return float(bool(found) and "<answer>" in text and found[0] == row["answer"])


@planted("high", "reward.wrapper", "reward.length_neutral", rows="numbers", system="tag")
def only_the_start_is_read(text, row):
    return float(number(last_tag(text[:200])) == number(row["answer"]))


@planted("medium", "reward.forms_core", rows="calls", system="json")
def json_as_text(text, row):
    return float((last_tag(text) or "") == row["answer"])


@planted("medium", "reward.forms_usual", rows="latex", system="box")
def latex_as_text(text, row):
    return float((last_box(text) or "") == row["answer"])


@planted("medium", "reward.wrapper", rows="facts", system="think_tag")
def one_line_thinking(text, row):
    match = re.fullmatch(r"<think>\n?[^\n]*\n?</think>\n<answer>\n?(.*?)\n?</answer>\s*", text)
    return float(bool(match) and words(match[1]) == words(row["answer"]))


# --- code -------------------------------------------------------------------------------


@planted("critical", "reward.code_exit", rows="functions", system="code")
def exit_code_zero(text, row):
    code, _ = run_python(
        (code_block(text) or "raise SystemExit(1)") + "\n" + "\n".join(row["tests"])
    )
    return float(code == 0)


@planted("critical", "reward.code_equality", rows="functions", system="code", api="classic")
def asserts_in_process(text, row):
    space = {}
    try:
        exec(code_block(text) or "raise ValueError", space)
        for test in row["tests"]:
            exec(test, space)
    except BaseException:
        return 0.0
    return 1.0


@planted("critical", "reward.code_tampering", rows="functions", system="code")
def reads_stdout(text, row):
    tests = "".join(f"    {test}\n" for test in row["tests"])
    _, out = run_python(
        (code_block(text) or "")
        + f"\ntry:\n{tests}    print('PASSED')\nexcept BaseException:\n    print('FAILED')"
    )
    return float("PASSED" in out)


@planted(
    "critical",
    "reward.wrong_unpaid",
    "reward.empty",
    rows="functions",
    system="code",
)
def it_compiles(text, row):
    try:
        compile(code_block(text) or "(", "x", "exec")
    except SyntaxError:
        return 0.0
    return 1.0


@planted("high", "reward.code_hardcoded", rows="functions", system="code")
def visible_tests_only(text, row):
    code, out = run_python(
        (code_block(text) or "raise ValueError") + f"\n{row['tests'][0]}\nprint('ran to the end')"
    )
    return float(code == 0 and out.endswith("ran to the end\n"))


# --- golds --------------------------------------------------------------------------------


@planted("high", "reward.gold_paid", "reward.constant_policy", rows="yes_no", system="label")
def always_yes(text, row):
    return float(words(last_label(text)) == "yes")
