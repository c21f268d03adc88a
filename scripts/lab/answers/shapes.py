"""What a single cell looks like: SQL, test code, tool calls, tests as JSON, a checker's
specification."""

from __future__ import annotations

import re
from typing import Any

from lab.answers.extract import loads

_SQL = re.compile(
    r"^\s*(?:--.*\n\s*)*(?:SELECT\b[\s\S]*\bFROM\b|SELECT\s|WITH\s+[\w\"]+\s+AS\s*\(|INSERT\s+INTO\b|UPDATE\s+\w+\s+SET\b|DELETE\s+FROM\b|CREATE\s+(?:TABLE|VIEW)\b)",
    re.IGNORECASE,
)
_PATTERN = re.compile(r"\\[dwsbDWSB](?![A-Za-z])|\[\^?[^\[\]]*\w-\w[^\[\]]*\]|\(\?[:=!<P]")
_TEST_CODE = re.compile(
    r"(?:^|\n)[ \t]*(?:assert\w*\b|@Test\b|#\[test\]"
    r"|(?:local )?(?:function|func|fn|void|public void|let|sub) \w*[tT]est\w*|describe\("
    r"|EXPECT_\w+\(|TEST\(|def (?:test|check)\w*\s*\(|class Test\w*|self\.assert\w+"
    r"|import unittest)|^\s*assert\b"
)
_DDL = re.compile(
    r"^\s*(?:--.*\n\s*)*(?:CREATE\s+(?:TEMP(?:ORARY)?\s+)?TABLE\b|INSERT\s+INTO\b|DROP\s+TABLE\b)",
    re.IGNORECASE,
)
_TEST_DEFINITION = re.compile(
    r"(?:^|\n)[ \t]*(?:def (?:test|check)\w*\s*\(|class Test\w*"
    r"|class \w+\((?:unittest\.)?TestCase\)|import unittest|@Test\b|#\[test\]"
    r"|(?:local )?(?:function|func|fn|void|public void) test\w*|TEST\()"
)
_TEST_ID = re.compile(r"::|^test_|/test|\btest_\w+|\(\w+(?:\.\w+)+\)$|\btests?\.")
_CODE = re.compile(
    r"(?:^|\n)[ \t]*(?:def |class |import |from \w+ import|return\b|print\(|#include"
    r"|public (?:static|class)|function \w+\(|for \w+ in |\w+ = .+\n)"
)
CHECKER_KEYS = {
    "func_name",
    "instruction_id",
    "instruction_id_list",
    "constraint",
    "constraint_type",
    "checker",
    "verifier",
    "instructions",
}


def is_sql(text: str) -> bool:
    return bool(_SQL.match(text))


def is_pattern(text: str) -> bool:
    """True for a regular expression: classes, anchors and groups that no other notation has."""
    return (
        len(text) < 500
        and "\n" not in text.strip()
        and bool(_PATTERN.search(text))
        and not re.search(r"\\[A-Za-z]{2,}", text)
    )


def is_test_code(text: str) -> bool:
    return bool(_TEST_CODE.search(text))


def is_ddl(text: str) -> bool:
    """True for statements that build tables: the schema that a query is asked about."""
    return bool(_DDL.match(text))


def defines_tests(text: str) -> bool:
    """True for code that defines tests, not only code that asserts something on its way."""
    return bool(_TEST_DEFINITION.search(text)) and not text.lstrip().startswith("diff ")


def is_code(text: str) -> bool:
    return bool(_CODE.search(text))


def is_test_id(text: str) -> bool:
    return bool(_TEST_ID.search(text)) and len(text) < 400 and "\n" not in text.strip()


def has_tests(value: Any) -> bool:
    """True for a dict or a list of dicts that holds inputs and outputs to run code against."""
    if isinstance(value, dict):
        keys = {str(key).lower() for key in value}
        if (
            ({"inputs", "outputs"} <= keys)
            or ({"input", "output"} <= keys)
            or keys
            & {
                "test_cases",
                "tests",
                "unit_tests",
                "test_code",
                "testcases",
                "fn_name",
                "assert_case",
            }
        ):
            return True
        if any(key.endswith("input") for key in keys) and any(
            key.endswith("output") for key in keys
        ):
            return True
        return bool(value) and all(
            is_status(item)
            or (isinstance(item, dict) and item and all(map(is_status, item.values())))
            for item in value.values()
        )
    if (
        isinstance(value, (list, tuple))
        and value
        and all(isinstance(item, dict) for item in value[:20])
    ):
        return all(map(has_tests, value[:20]))
    return False


def is_status(value: Any) -> bool:
    """True for how one test went."""
    return str(value).upper() in (
        "PASSED",
        "FAILED",
        "PASS",
        "FAIL",
        "SKIPPED",
        "ERROR",
        "XFAIL",
        "NONE",
    )


def has_calls(value: Any) -> bool:
    """True for a tool call or a list of them: a name with arguments."""
    if isinstance(value, dict):
        if isinstance(value.get("function"), dict):
            return has_calls(value["function"])
        return (
            isinstance(value.get("name"), str)
            and any(key in value for key in ("arguments", "args", "parameters", "kwargs"))
            and "description" not in value
        )
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(has_calls(item) for item in value[:20])
    )


def has_tools(value: Any) -> bool:
    """True for descriptions of tools: a name with a description or a parameter schema."""
    if isinstance(value, dict):
        named = value.get("function")
        inner = named if isinstance(named, dict) else value
        return (
            isinstance(inner.get("name"), str)
            and ("description" in inner or "parameters" in inner)
            and not has_calls(value)
        )
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(has_tools(item) for item in value[:20])
    )


def is_checker(value: Any) -> bool:
    """True for the specification of a checker (`func_name`, `instruction_id` …)."""
    if isinstance(value, dict):
        return bool({str(key).lower() for key in value} & CHECKER_KEYS)
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(item, dict) and is_checker(item) for item in value[:20])
    )


def has_rubric(value: Any) -> bool:
    """True for a list of criteria with points, as judged sets carry them."""
    if isinstance(value, dict):
        keys = {str(key).lower() for key in value}
        plain = bool(keys & {"criterion", "criteria", "rubric", "requirement"}) and bool(
            keys & {"points", "weight", "score", "max_points", "importance"}
        )
        return plain or (
            bool(keys & {"desc", "description"}) and bool(keys & {"points", "max_points", "weight"})
        )
    return (
        isinstance(value, (list, tuple))
        and bool(value)
        and all(isinstance(item, dict) and has_rubric(item) for item in value[:20])
    )


_FORMAT = re.compile(
    r"\s*(?:print|output|display|write)\b"
    r"|\s*(?:for each|each|the|a|one|in the|on the|on a)\b[^.\n]{0,60}?"
    r"\b(?:lines?|integers?|test cases?|queries|query|input|output)\b",
    re.IGNORECASE,
)


def describes_format(text: str) -> bool:
    """True for the part of a programming task that says what is read or printed: `The first line
    contains t.`"""
    return bool(_FORMAT.match(text)) and len(text.split()) >= 4


def packed(text: str) -> bool:
    """True for base64 of compressed data, as some sets keep their hidden tests."""
    return (
        len(text) > 100
        and bool(re.fullmatch(r"[A-Za-z0-9+/=\s]+", text))
        and " " not in text.strip()
    )


def parsed(text: Any) -> Any:
    """The structure inside a JSON or Python-literal string; None for plain text and numbers."""
    value = loads(text) if isinstance(text, str) and text.strip()[:1] in "[{(" else None
    return value if isinstance(value, (dict, list, tuple)) else None
