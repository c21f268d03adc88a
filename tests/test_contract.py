"""What every script keeps: help at once, one JSON report, an exit code, no traceback."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from lab.upkeep.metadata import inline
from run_script import ROOT, SCRIPTS, run_script

NAMES = sorted(path.stem for path in SCRIPTS.glob("*.py"))
OPTIONAL = {
    "transformers": "exact token counts of export_sft.py",
    "prime_rl": "the trainer's own schema",
    "yaml": "golds that are YAML files; datasets brings it",
}
HEAVY = {
    "verifiers",
    "datasets",
    "numpy",
    "pyarrow",
    "scipy",
    "pandas",
    "huggingface_hub",
    "openai",
    "pydantic",
    "msgspec",
    "asyncio",
}
KEYS = {"tool", "version", "verdict", "subject", "findings", "facts", "next"}
LADDER = {
    "preflight",
    "inspect_dataset",
    "new_environment",
    "test_reward",
    "run_eval",
    "check_reward_distribution",
    "push_environment",
    "submit_training",
    "workflow",
}


def test_every_step_of_the_ladder_has_its_script():
    assert set(NAMES) >= LADDER


@pytest.mark.parametrize("name", NAMES)
def test_help_imports_nothing_heavy(name, tmp_path):
    code = (
        "import sys, runpy, json\n"
        f"sys.argv = ['{name}.py', '--help']\n"
        f"sys.path.insert(0, {str(SCRIPTS)!r})\n"
        "try:\n"
        f"    runpy.run_path({str(SCRIPTS / (name + '.py'))!r}, run_name='__main__')\n"
        "except SystemExit as end:\n"
        "    told = {'code': end.code, 'modules': sorted(sys.modules)}\n"
        "    print(json.dumps(told), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    told = json.loads(done.stderr.splitlines()[-1])
    assert told["code"] == 0
    assert not HEAVY & set(told["modules"])
    assert "Exit codes" in done.stdout
    assert "--json" in done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_the_manual_names_usage_and_exit_codes_and_only_flags_that_exist(name, tmp_path):
    manual = ast.get_docstring(ast.parse((SCRIPTS / f"{name}.py").read_text())) or ""
    usage = [line for line in manual.splitlines() if f"{name}.py" in line]
    assert usage
    assert "Exit codes" in manual
    known = run_script(name, "--help", cwd=tmp_path).out.partition("options:")[2]
    for flag in {flag for line in usage for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", line)}:
        assert re.search(rf"{flag}(?![a-z-])", known), (
            f"{flag} is in the manual and not in the parser"
        )


@pytest.mark.parametrize("name", NAMES)
def test_inline_metadata_names_a_python_and_its_dependencies(name):
    data = inline((SCRIPTS / f"{name}.py").read_text())
    assert data, "no inline metadata: uv run could not run it alone"
    assert data["requires-python"].startswith(">=3.11")
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    # uv is there where uv runs the script; the two that need nothing must start where nothing is.
    needed = (
        []
        if name in ("preflight", "workflow")
        else [need for need in known if not need.startswith("uv>")]
    )
    assert data["dependencies"] == needed, "python -m lab.upkeep.metadata writes today's list"


def test_uv_runs_the_scripts_by_their_inline_metadata(tmp_path):
    """From uv's cache: the set-up has filled it, and nothing is fetched."""
    shutil.copy(ROOT / "demo" / "word_problems.jsonl", tmp_path / "problems.jsonl")
    outside = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHONPATH")
    }

    def uv(name: str, *args: str) -> dict:
        line = [
            shutil.which("uv") or str(Path(sys.executable).with_name("uv")),
            "run",
            "--offline",
            "--quiet",
            str(SCRIPTS / f"{name}.py"),
            *args,
            "--json",
        ]
        done = subprocess.run(
            line,
            cwd=tmp_path,
            env=outside,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if "network was disabled" in done.stderr:
            pytest.skip("uv's cache does not hold the packages: they were installed in another way")
        return json.loads(done.stdout)

    looked = uv("inspect_dataset", "problems.jsonl", "--out", "profile.json")
    assert looked["verdict"] in ("pass", "warn") and looked["next"].startswith("uv run "), looked


def test_nothing_is_imported_that_the_metadata_does_not_name():
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "dependencies"
    ] + metadata.requires("verifiers")
    known = {re.match(r"[\w-]+", need)[0].replace("_", "-") for need in needs}
    given = metadata.packages_distributions()
    for path in SCRIPTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if isinstance(node, ast.ImportFrom) and not node.level
                else []
            )
            for module in {name.partition(".")[0] for name in names if name}:
                if (
                    module in sys.stdlib_module_names
                    or module in OPTIONAL
                    or (SCRIPTS / module).exists()
                    or (SCRIPTS / f"{module}.py").exists()
                ):
                    continue
                assert {name.replace("_", "-") for name in given.get(module, [module])} & known, (
                    f"{path.relative_to(ROOT)} imports {module}"
                )


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_flag_is_a_report_with_exit_code_2(name, tmp_path):
    ran = run_script(name, "--no-such-flag", "--json", cwd=tmp_path)
    assert ran.code == 2
    assert set(ran.report) == KEYS
    assert ran.report["verdict"] == "error"
    assert (
        "--no-such-flag" in ran.report["findings"][-1]["evidence"]
        or "required" in ran.report["findings"][-1]["evidence"]
    )
    assert ran.report["next"]
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


BAD_PATHS = {
    "inspect_dataset": ["{path}"],
    "new_environment": ["some-env", "--profile", "{path}"],
    "test_reward": ["{path}"],
    "run_eval": ["{path}", "-m", "some-model"],
    "check_reward_distribution": ["--results", "{path}"],
    "push_environment": ["{path}", "--check-only"],
    "submit_training": ["--env", "owner/name", "--local", "{path}", "--dry-run"],
    "workflow": ["next", "{path}"],
}


def bad_inputs(folder: Path) -> dict[str, Path]:
    empty, binary, nothing = (
        folder / "empty.jsonl",
        folder / "binary.jsonl",
        folder / "empty_folder",
    )
    empty.touch()
    binary.write_bytes(bytes(range(256)) * 8)
    nothing.mkdir()
    return {
        "missing": folder / "missing.jsonl",
        "empty": empty,
        "binary": binary,
        "folder": nothing,
    }


@pytest.mark.parametrize("name", sorted(BAD_PATHS))
def test_bad_paths_are_named_with_the_next_step(name, tmp_path):
    for kind, path in bad_inputs(tmp_path).items():
        arguments = [part.format(path=path) for part in BAD_PATHS[name]]
        ran = run_script(name, *arguments, "--json", cwd=tmp_path, env={"HF_HUB_OFFLINE": "1"})
        assert ran.code in (2, 3), f"{kind}: {ran.out}{ran.err}"
        assert ran.report["verdict"] == "error"
        assert ran.report["next"], kind
        assert "Traceback" not in ran.err, kind
        assert ran.report["findings"][-1]["id"] != "run.crashed", f"{kind}: {ran.out}"
    assert {p.name for p in tmp_path.iterdir()} <= {
        "empty.jsonl",
        "binary.jsonl",
        "empty_folder",
        "environments",
    }


def test_an_output_that_nobody_reads_is_no_crash(tmp_path):
    line = f"{sys.executable} {SCRIPTS / 'preflight.py'} | head -c 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
