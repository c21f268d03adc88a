"""Which environments an audit is about: folders, lists and hub ids, and what they need."""

from __future__ import annotations

import io
import tarfile

import pytest

import small_environments
from lab.audits.discover import environments_in
from lab.audits.entries import read_entries
from lab.audits.needed import Installed, Needed, needed
from lab.cli.report import LabError
from run_script import run_script
from servers.prime_api import PrimeApi
from servers.prime_api.state import Environment, Version


def test_a_folder_gives_its_innermost_projects_and_no_library_around_them(tmp_path):
    """The library's own repository has a Taskset class too; what counts is in environments/."""
    outer = tmp_path / "verifiers"
    (outer / "verifiers").mkdir(parents=True)
    (outer / "verifiers" / "__init__.py").write_text("class Taskset: ...\nclass A(Taskset): ...\n")
    (outer / "pyproject.toml").write_text('[project]\nname = "verifiers"\n')
    for name in ("one", "two"):
        place = outer / "environments" / name
        place.mkdir(parents=True)
        (place / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n')
        (place / f"{name}.py").write_text("def load_environment():\n    return None\n")
    (outer / "tools").mkdir()
    (outer / "tools" / "pyproject.toml").write_text('[project]\nname = "tools"\n')
    assert [path.name for path in environments_in(tmp_path)] == ["one", "two"]
    assert [entry.name for entry in read_entries(str(tmp_path))] == ["one", "two"]


def test_a_folder_of_modules_gives_those_that_are_environments(tmp_path):
    small_environments.write(tmp_path)
    only = [path for path in environments_in(tmp_path / "parts") if "sound" in path.name]
    assert len(only) == 3


@pytest.mark.parametrize(
    "name, text",
    [
        ("a.toml", '[[environment]]\nenv = "one"\nargs = {split = "test"}\ncommit = "abc"\n'),
        ("a.json", '[{"path": "one", "args": {"split": "test"}, "commit": "abc"}]'),
        ("a.json", '{"environments": [{"path": "one", "args": {"split": "test"}}]}'),
        ("a.txt", '# some\none {"split": "test"}\n\n'),
    ],
)
def test_a_list_is_toml_json_or_lines(tmp_path, name, text):
    (tmp_path / "one").mkdir()
    (tmp_path / name).write_text(text)
    (entry,) = read_entries(str(tmp_path / name))
    assert (entry.env, entry.name) == (str(tmp_path / "one"), "one")
    assert entry.args == {"split": "test"}
    assert entry.about in ({}, {"commit": "abc"})


def test_two_of_one_name_get_the_repository_or_the_folder_before_it(tmp_path):
    table = '[[environment]]\nenv = "{}/gsm8k"\nrepository = "{}"\n'
    (tmp_path / "a.toml").write_text(
        table.format("a", "x/verifiers") + table.format("b", "y/others")
    )
    names = [entry.name for entry in read_entries(str(tmp_path / "a.toml"))]
    assert names == ["verifiers-gsm8k", "others-gsm8k"]


@pytest.mark.parametrize(
    "text, said",
    [
        ("[[environment]]\nenvironment = 1\n", "unknown key"),
        ('[[environment]]\nenv = "a"\nargs = "b"\n', "args is a dict"),
        ('[[environment]]\nname = "a"\n', "has no env"),
        ("environment = 3\n", "no list of environments"),
        ("[[environment]\n", "a.toml"),
    ],
)
def test_a_wrong_list_is_a_usage_error_that_names_the_fault(tmp_path, text, said):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(LabError) as error:
        read_entries(str(tmp_path / "a.toml"))
    assert error.value.code == 2 and said in error.value.message + error.value.fix


def test_a_hub_id_is_fetched_only_when_asked_for_and_logged_in(tmp_path):
    ran = run_script(
        "audit_environments",
        *("someone/sums", "--pull", "--output-dir", "results", "--json"),
        cwd=tmp_path,
        env={"HOME": str(tmp_path)},
    )
    assert ran.code == 3
    assert "not logged in" in ran.report["facts"]["environments"][0]["why"]
    ran = run_script(
        "audit_environments",
        *("someone/sums", "--output-dir", "results", "--json"),
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PRIME_API_KEY": "pit_" + "a" * 40},
    )
    assert ran.code == 3
    assert "--pull" in ran.report["facts"]["environments"][0]["why"]


def test_a_hub_id_is_fetched_as_it_was_published(tmp_path):
    """Here one whose code does not parse: it was fetched, and nothing of it was run."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in {
            "pyproject.toml": '[project]\nname = "sums"\nversion = "0.1.0"\n',
            "sums.py": "def load_environment(:\n",
        }.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    with PrimeApi() as api:
        made = Environment("env1", "someone", "sums", "PUBLIC")
        made.versions.append(Version("0.1.0", "hash", "v0", b"", packed.getvalue(), {}))
        api.environments["someone/sums"] = made
        ran = run_script(
            "audit_environments",
            *("someone/sums@0.1.0", "--pull", "--output-dir", "results", "--json"),
            cwd=tmp_path,
            env=api.environ(tmp_path / "home"),
        )
    assert ran.code == 3, ran.out + ran.err
    (row,) = ran.report["facts"]["environments"]
    assert row["name"] == "sums" and "does not parse" in row["why"]
    assert (tmp_path / "results" / "checkouts" / "sums" / "sums.py").is_file()


# -- what it needs -----------------------------------------------------------------------------


def test_requirements_extras_and_the_folders_of_a_workspace(tmp_path):
    (tmp_path / "shared" / "src").mkdir(parents=True)
    (tmp_path / "shared" / "pyproject.toml").write_text(
        '[project]\nname = "shared-code"\ndependencies = ["numpy>=1"]\n'
    )
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyproject.toml").write_text(
        '[project]\nname = "env"\n'
        'dependencies = ["verifiers==0.1.14", "shared-code", "tools",\n'
        "  \"x; python_version < '3'\"]\n"
        '[project.optional-dependencies]\nplots = ["drawing>=2"]\n'
        '[tool.uv.sources]\nshared-code = {path = "../shared"}\n'
        'tools = {git = "https://example.org/tools", rev = "abc"}\n'
    )
    found = needed(tmp_path / "env", extras=["plots"], more=["more==1"])
    assert str(found.library) == "verifiers==0.1.14"
    assert found.import_paths == [tmp_path / "shared" / "src"]
    assert [str(one) for one in found.requirements] == [
        "numpy>=1",
        "tools @ git+https://example.org/tools@abc",
        "drawing>=2",
        "more==1",
    ]


@pytest.mark.parametrize(
    ("asked", "runs"), [("", True), (">=3.10", True), (">=3.12,<3.14", False), ("new", True)]
)
def test_a_python_that_is_asked_for_is_compared(asked, runs):
    assert Needed(python=asked).runs_on("3.11.7") == runs


def test_a_project_of_the_same_checkout_is_taken_from_there(tmp_path):
    """A package that is imported by its folder's name, and one at the root of the checkout."""
    for place in (".git", "ours", "environments/env"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "Root_Tools"\n')
    (tmp_path / "ours" / "__init__.py").write_text("")
    (tmp_path / "ours" / "pyproject.toml").write_text(
        '[project]\nname = "shared-code"\ndependencies = ["numpy>=1"]\n'
    )
    env = tmp_path / "environments" / "env"
    (env / "pyproject.toml").write_text(
        '[project]\nname = "env"\ndependencies = ["verifiers", "shared.code>=3", "root-tools"]\n'
        '[tool.uv.sources]\nroot-tools = {git = "https://example.org/all"}\n'
    )
    found = needed(env)
    assert found.import_paths == [tmp_path, tmp_path]
    assert [str(one) for one in found.requirements] == ["numpy>=1"]
    (tmp_path / ".git").rmdir()
    assert needed(env).import_paths == []


def test_what_is_installed_is_known_with_its_extras(tmp_path):
    info = tmp_path / "sums-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: Sums\nVersion: 2.0\nProvides-Extra: plots\n"
        "Requires-Dist: drawing>=2; extra == 'plots'\n"
    )
    from packaging.requirements import Requirement

    there = Installed([tmp_path])
    assert there.has(Requirement("sums>=1.5"))
    assert not there.has(Requirement("sums<2"))
    assert not there.has(Requirement("sums[plots]")), "what the extra asks for is not there"
    assert there.pins() == ["sums==2.0"]


# -- what the rows add up to -------------------------------------------------------------------
