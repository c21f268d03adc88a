"""Everything that a document claims is true: commands, flags, links, names, ids, and its Python."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from lab.upkeep.catalogue import declared
from ladder import WORD_PROBLEMS
from run_script import ROOT, SCRIPTS, run_script

DOCUMENTS = [
    ROOT / "SKILL.md",
    ROOT / "README.md",
    ROOT / "AGENTS.md",
    *sorted((ROOT / "references").glob("*.md")),
]
GONE = {
    "SingleTurnEnv",
    "Rubric",
    "XMLParser",
    "ToolEnv",
    "MultiTurnEnv",
    "JudgeRubric",
    "MathRubric",
}


def ids(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


@cache
def flags_of(script: str) -> frozenset[str]:
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / script), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", done.stdout.partition("options:")[2]))


def prose_and_code(text: str) -> list[str]:
    """Inline code and lines of fenced shell blocks: where commands stand."""
    shell = re.findall(r"```(?:bash|sh)\n(.*?)```", text, re.DOTALL)
    rest = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [line for block in shell for line in block.splitlines()] + re.findall(
        r"`([^`\n]+)`", rest
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids(DOCUMENTS))
def test_every_command_names_a_script_and_flags_that_exist(path):
    for code in prose_and_code(path.read_text()):
        for match in re.finditer(r"(?:scripts/)?(\w+\.py)\b([^`|;&]*)", code):
            name, rest = match.groups()
            if not (SCRIPTS / name).is_file():
                assert "scripts/" not in match[0], f"{match[0]} does not exist"
                continue
            given = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*(?![\w.-])", rest))
            assert given <= flags_of(name), f"{code}: {given - flags_of(name)} of {name}"


def test_every_call_of_the_evaluation_is_one_that_it_takes():
    from evals.__main__ import COMMAND
    from evals.agents import PRESETS
    from evals.cases import chosen, load

    calls = [
        code
        for path in [*DOCUMENTS, ROOT / "evals" / "README.md"]
        for code in prose_and_code(path.read_text())
        if code.startswith("python -m evals ") and "--help" not in code
    ]
    assert len(calls) > 5
    for code in calls:
        args = COMMAND.parser().parse_args(shlex.split(code)[3:])
        assert args.agent is None or args.agent in PRESETS or "{prompt}" in args.agent, code
        assert chosen(load(), args.cases), code


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids(DOCUMENTS))
def test_links_and_named_files_exist(path):
    text = path.read_text()
    headings = {
        re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("#")
    }
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        assert not file or (path.parent / file).exists(), target
        assert file or anchor in headings, target
    for name in re.findall(
        r"`((?:scripts|references|templates|environments|benchmarks|demo|evals|tests)/[\w./-]+)`",
        text,
    ):
        if (
            "NAME" not in name
            and "when it is there" not in text[text.index(name) : text.index(name) + 60]
        ):
            assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids(DOCUMENTS))
def test_finding_ids_are_declared(path):
    known = {check.id for check in declared()}
    areas = {id.split(".")[0] for id in known}
    for name in re.findall(r"`([a-z_]+\.[a-z_]+)`", path.read_text()):
        if name.split(".")[0] in areas and not name.endswith((".py", ".toml", ".md", ".json")):
            assert name in known, name


def test_names_of_the_library_resolve_or_are_named_as_gone():
    import verifiers.v1 as vf

    for path in DOCUMENTS:
        for name in set(re.findall(r"\bvf\.([A-Za-z_]\w*)", path.read_text())):
            assert hasattr(vf, name) or name in GONE, f"{path.name}: vf.{name}"
    assert not any(hasattr(vf, name) for name in GONE)


@pytest.mark.long
def test_the_python_of_the_environment_guide_runs_and_pays_as_it_says(tmp_path):
    source = re.search(
        r"```python\n(.*?)```",
        (ROOT / "references" / "environment_guide.md").read_text(),
        re.DOTALL,
    )[1]
    (tmp_path / "capitals.py").write_text(source)
    ran = run_script("test_reward", tmp_path / "capitals.py", "--json", cwd=tmp_path)
    assert ran.code in (0, 4), ran.out
    assert not [f for f in ran.report["findings"] if f["status"] == "fail"], ran.out


@pytest.mark.soak
def test_the_first_run_of_the_readme_word_for_word_in_an_empty_folder(tmp_path):
    readme = (ROOT / "README.md").read_text()
    block = next(
        b for b in re.findall(r"```bash\n(.*?)```", readme, re.DOTALL) if "problems.jsonl" in b
    )
    shutil.copy(WORD_PROBLEMS, tmp_path / "problems.jsonl")
    quoted = re.search(r"```text\n(.*?)```", readme.partition(block)[2], re.DOTALL)[1].splitlines()
    told = []
    for line in block.splitlines():
        words = shlex.split(line.replace("SKILL/", f"{ROOT}/"))
        assert words[0] == "python"
        done = subprocess.run(
            [sys.executable, *words[1:]],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        assert "next: " in done.stdout
        told += [" ".join(text.split()) for text in done.stdout.splitlines()]
    assert [line for line in quoted if " ".join(line.split()) not in told] == []
    assert list((tmp_path / "configs" / "rl").glob("*.toml"))


def test_the_readme_names_the_two_commands_of_the_makefile():
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    first = re.search(r"```bash\n(.*?)```", readme, re.DOTALL)[1]
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make demo", "make test"]
    for target in ("demo", "test"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_figures_of_the_readme_are_those_of_the_benchmarks():
    """Each row of a table that ends in a benchmark's command quotes what that benchmark printed."""
    rows = re.findall(
        r"^\|(.+)\|([^|]+)\| `python -m benchmarks (\w+)[^`]*` \|$",
        (ROOT / "README.md").read_text(),
        re.MULTILINE,
    )
    assert len(rows) >= 4
    number = re.compile(r"\d+(?:[.,]\d+)*")
    for claim, figures, name in rows:
        printed = set(number.findall((ROOT / "benchmarks" / "results" / f"{name}.txt").read_text()))
        assert set(number.findall(figures)) <= printed, (
            f"{claim}: {set(number.findall(figures)) - printed}"
        )


def test_the_sums_of_the_readme_are_those_of_every_round():
    """All rounds alone; the last three and those before, alone and with contracts; older."""
    line = re.compile(
        r"^\| .+ \| (\d+) \| (\d+) of (\d+)(?:, (\d+) of (\d+) critical)?"
        r" \| (\d+) / (\d+) / (\d+) \|$",
        re.MULTILINE,
    )

    def sums(rows):
        return [sum(int(row[n] or 0) for row in rows) for n in range(8)]

    page = (ROOT / "benchmarks" / "results" / "first_contact.md").read_text()
    alone, older, newer = (line.findall(table) for table in page.split("\n| round ")[1:])
    every, *shown, before = line.findall((ROOT / "README.md").read_text())
    assert sums([every])[:3] == sums(alone)[:3] and sums([every])[5:] == sums(alone)[5:]
    rounds = alone[-3:], newer[-3:], alone[-len(newer) : -3], newer[:-3]
    assert [sums([one]) for one in shown] == [sums(rows) for rows in rounds]
    assert sums([before])[:3] == sums(older)[:3] and sums([before])[5:] == sums(older)[5:]


def test_the_reference_of_checks_is_what_the_code_declares():
    line = [sys.executable, "-m", "lab.upkeep.catalogue", "--check"]
    done = subprocess.run(line, cwd=SCRIPTS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (
        f"{done.stderr}\nrun: PYTHONPATH=scripts python -m lab.upkeep.catalogue"
    )


def test_the_skill_is_valid(tmp_path):
    skill = tmp_path / "prime-lab-trainer"
    skill.mkdir()
    shutil.copy(ROOT / "SKILL.md", skill)
    validator = Path(sys.executable).with_name("agentskills")
    done = subprocess.run(
        [str(validator), "validate", str(skill)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len((ROOT / "SKILL.md").read_text().splitlines()) < 250
    description = re.search(r"^description: (.*)$", (ROOT / "SKILL.md").read_text(), re.MULTILINE)[
        1
    ]
    assert len(description) <= 1024


@pytest.mark.parametrize(
    "path", [p for p in DOCUMENTS if p.parent.name == "references"], ids=lambda p: p.name
)
def test_references_stay_short_and_are_named_in_the_skill(path):
    lines = path.read_text().splitlines()
    assert len(lines) < 400
    assert len(lines) <= 150 or any("contents" in line.lower() for line in lines[:30])
    assert f"references/{path.name}" in (ROOT / "SKILL.md").read_text()
