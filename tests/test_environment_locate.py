"""An environment is found where people put its code, under the name that its library imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.cli.report import LabError
from lab.environment.locate import CLASSIC, TASKSET, locate

CODE = {
    TASKSET: "import verifiers.v1 as vf\n\n\nclass Sums(vf.Taskset): ...\n",
    CLASSIC: "import verifiers as vf\n\n\ndef load_environment():\n    return vf.SingleTurnEnv()\n",
}


def written(folder: Path, name: str, file: str, api: str) -> str:
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n')
    (folder / file).write_text(CODE[api])
    return str(folder)


@pytest.mark.parametrize("file", ["my_sums/__init__.py", "my_sums.py", "src/my_sums/__init__.py"])
@pytest.mark.parametrize("name", ["my-sums", "My-Sums"])
def test_the_module_of_a_project_is_its_name_in_lower_case(tmp_path, name, file):
    found = locate(written(tmp_path / "anywhere", name, file, TASKSET))
    assert (found.api, found.module) == (TASKSET, "my_sums")
    assert found.import_path == (tmp_path / "anywhere" / file.split("my_sums")[0])


def test_a_classic_module_keeps_its_capitals(tmp_path):
    found = locate(written(tmp_path, "MySums", "MySums/__init__.py", CLASSIC))
    assert (found.api, found.module, found.import_path) == (CLASSIC, "MySums", tmp_path)


def test_a_taskset_whose_module_has_capitals_is_refused_as_verifiers_does(tmp_path):
    with pytest.raises(LabError) as refused:
        locate(written(tmp_path, "MySums", "MySums/__init__.py", TASKSET))
    assert "MySums -> mysums.py or mysums/__init__.py" in refused.value.fix


def test_a_folder_is_found_by_the_name_of_its_project(tmp_path):
    written(tmp_path / "environments" / "my_sums", "my-sums", "my_sums.py", TASKSET)
    for name in ("my-sums", "environments/my-sums", "environments/my_sums"):
        assert locate(name, cwd=tmp_path).module == "my_sums"
    with pytest.raises(LabError):
        locate("environments/@1", cwd=tmp_path)
