"""Every finding's fix points to a section that exists."""

from __future__ import annotations

import re
from pathlib import Path

from lab.probes import audit  # noqa: F401 - declares the families
from lab.probes.families import FAMILIES
from run_script import ROOT, SCRIPTS

GUIDE = ROOT / "references" / "reward_design.md"


def anchors() -> set[str]:
    headings = re.findall(r"^#+ (.*)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_each_exploit_family_has_its_section():
    assert {family.fix.rsplit("#", 1)[1].rstrip(")") for family in FAMILIES} <= anchors()


def test_each_fix_points_to_a_section():
    code = "".join(path.read_text(encoding="utf-8") for path in Path(SCRIPTS / "lab" / "probes").glob("*.py"))
    assert set(re.findall(r"\{DESIGN\}#([a-z-]+)", code)) <= anchors()


def test_the_guide_stays_readable():
    assert len(GUIDE.read_text(encoding="utf-8").splitlines()) < 400
