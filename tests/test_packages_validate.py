"""Every template and worked environment passes the real vf-validate, as its README says to call it.

The command is one process per package; here its own entry point is called for one package after
the other in one process, because each would import verifiers anew.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import ROOT
from servers.scripted import Scripted

PACKAGES = [
    *sorted((ROOT / "templates").glob("*/pyproject.toml")),
    *sorted((ROOT / "environments").glob("*/pyproject.toml")),
]
FOLDERS = {
    path.parent.name + ("-template" if path.parent.parent.name == "templates" else ""): path.parent
    for path in PACKAGES
    if "classic" not in path.parent.name
}
MOST = 4
"""Tasks of each package."""
DRIVER = """
import importlib.metadata as metadata, json, sys
(entry,) = metadata.entry_points(group="console_scripts", name="vf-validate")
main, most = entry.load(), sys.argv[2]
for name in json.loads(sys.argv[1]):
    sys.argv = ["vf-validate", name, "--runtime.type", "subprocess", "-n", most]
    sys.argv += ["--no-rich", "--run.name", name]
    main()
"""


def names() -> list[str]:
    return [name.replace("_", "-") for name in FOLDERS]


@pytest.fixture(scope="module")
def summaries(tmp_path_factory) -> dict[str, dict]:
    """What vf-validate wrote about each package."""
    work = tmp_path_factory.mktemp("validated")
    with Scripted(lambda body: '{"met": true, "reason": "scripted"}') as judge:
        environ = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, FOLDERS.values())),
            "JUDGE_BASE_URL": judge.url,
            "JUDGE_MODEL": "judge",
            "PRIME_API_KEY": "not-a-key",
            "HOME": str(work),
        }
        done = subprocess.run(
            [sys.executable, "-c", DRIVER, json.dumps(names()), str(MOST)],
            cwd=work,
            env=environ,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return {
        name: json.loads((work / "outputs" / name / "summary.json").read_text())
        | {"work": str(work)}
        for name in names()
    }


@pytest.mark.soak
@pytest.mark.xdist_group("packages_validate")
@pytest.mark.parametrize("name", names())
def test_every_gold_is_valid_and_an_untouched_task_is_not_solved(summaries, name):
    found = summaries[name]
    told = Path(found["work"], "outputs", name, "results.jsonl").read_text()[:2000]
    assert found["total"] == MOST and found["outcomes"]["valid"] == MOST, told
    assert set(found["checks"]) >= {"gold", "noop"}
