"""What the test of one environment found, and what later steps work on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lab.cli.report import Finding
from lab.reward.brief import Brief
from lab.reward.observation import Table
from lab.reward.reading.found import Found
from lab.reward.rules import constants, forms, paid, readings
from lab.reward.session import Session


@dataclass
class Audit:
    """The findings, with the table of observations that they are drawn from."""

    brief: Brief
    session: Session
    found: Found
    table: Table
    findings: list[Finding] = field(default_factory=list)
    results: list[paid.Result] = field(default_factory=list)
    constants: list[constants.Constant] = field(default_factory=list)
    forms: forms.Forms = field(default_factory=forms.Forms)
    seen: readings.Seen = field(default_factory=readings.Seen)
    facts: dict[str, Any] = field(default_factory=dict)
