"""`.ci/run` runs what it is asked for, says so in its last lines, and fails as the first did."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from run_script import ROOT

CLOSING = "4 failed, 12 passed, 3 skipped, 1 warning in 61.20s (0:01:01)"
MAKE = f"""#!/bin/sh
[ "$1" = test ] && code=$FIRST || code=$SECOND
[ "$code" = 2 ] || printf '..F. [100%%]\\n{CLOSING}\\n'
echo "make: $1 ended, limit ${{LAB_TEST_MINUTES:-none}}"
exit $code
"""


@pytest.mark.parametrize("named", [[], ["test", "test-long"]])
@pytest.mark.parametrize(("first", "second", "code"), [(0, 0, 0), (1, 0, 1), (0, 3, 3), (2, 1, 2)])
def test_both_are_run_and_the_first_failure_decides(
    tmp_path: Path, first: int, second: int, code: int, named: list[str]
) -> None:
    for name, text in {"make": MAKE, "chromium": "#!/bin/sh\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [str(ROOT / ".ci" / "run"), *named],
        env={
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "FIRST": str(first),
            "SECOND": str(second),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "make: test ended, limit none" in done.stdout
    assert "make: test-long ended, limit 30" in done.stdout
    ran = ["no test was run" if exit_code == 2 else CLOSING for exit_code in (first, second)]
    assert done.stdout.splitlines()[-2:] == [
        f"run: make test (exit code {first}): {ran[0]}",
        f"run: make test-long (exit code {second}): {ran[1]}",
    ]


def test_what_has_not_begun_in_time_is_skipped_and_counted(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_two.py").write_text("def test_a(): ...\n\n\ndef test_b(): ...\n")
    for limit, closing in (("0", "2 skipped"), ("30", "2 passed")):
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
                # Where pytest keeps folders, it clears away those of earlier runs.
                *("--basetemp", str(tmp_path / "kept"), str(tmp_path)),
            ],
            env={**os.environ, "LAB_TEST_MINUTES": limit},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert closing in done.stdout.splitlines()[-1], done.stdout
