"""Fetches prime-rl's configuration classes, which are not on PyPI, for the checks that ask them.

    PYTHONPATH=scripts python -m lab.upkeep.rl_schema REPOSITORY [COMMIT] [--to FOLDER]

REPOSITORY is a checkout, or the address of one to clone; COMMIT is the newest when it is left out.
Only `packages/prime-rl-configs` is taken. The last line names the folder for LAB_RL_CONFIGS. Exit
codes: 0 the classes can be imported, 2 the repository has none, 3 git or an import failed.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from lab.cli.report import LabError, missing, usage
from lab.training.schema import VARIABLE

PACKAGE = "packages/prime-rl-configs"
SECONDS = 600


def git(*words: str) -> bytes:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    ran = subprocess.run(
        ["git", *words], capture_output=True, check=False, timeout=SECONDS, env=environment
    )
    if ran.returncode:
        why = ran.stderr.decode("utf-8", "replace").strip()
        raise missing(f"git: {why}", "check the repository and the commit", id="schema.git")
    return ran.stdout


def fetch(repository: str, commit: str, folder: Path) -> Path:
    """The package as it was at `commit`, below `folder`; returns its `src`."""
    with tempfile.TemporaryDirectory() as place:
        clone = repository
        if not Path(repository).is_dir():
            depth = ("--depth", "1") if commit == "HEAD" else ()
            git("clone", "--quiet", "--bare", "--filter=blob:none", *depth, repository, place)
            clone = place
        listed = git("-C", clone, "ls-tree", "-r", "--name-only", commit, f"{PACKAGE}/src")
        if not listed.strip():
            raise usage(
                f"{repository} has no {PACKAGE}/src at {commit}",
                "name a checkout of prime-rl, and a commit since May 2026",
                id="schema.no_package",
            )
        archive = git("-C", clone, "archive", "--format=zip", commit, PACKAGE)
    # A zip is kept inside the folder by every Python 3.11; tar files need 3.11.4 for that.
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        files.extractall(folder)
    return folder / PACKAGE / "src"


def check_import(source: Path) -> None:
    """In a process of its own, so that nothing else is on its path."""
    ran = subprocess.run(
        [sys.executable, "-c", "import prime_rl.configs.rl, prime_rl.configs.sft"],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        lines = ran.stderr.strip().splitlines() or ["no message"]
        raise missing(
            f"the classes in {source} cannot be imported: {lines[-1]}",
            "use the Python that has verifiers and pydantic, or another commit",
            id="schema.import",
        )


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="rl_schema", description=__doc__)
    parser.add_argument("repository")
    parser.add_argument("commit", nargs="?", default="HEAD")
    parser.add_argument("--to", type=Path, default=Path("outputs/prime-rl"))
    args = parser.parse_args(words)
    try:
        source = fetch(args.repository, args.commit, args.to)
        check_import(source)
    except LabError as error:
        print(f"error: {error}\n  fix: {error.fix}", file=sys.stderr)
        return error.code
    print(f"{VARIABLE}={source.resolve()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
