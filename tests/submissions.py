"""submit_training.py as a test calls it: with a home of its own, and the platform that is given."""

from __future__ import annotations

from pathlib import Path

from run_script import Ran, run_script
from servers.prime_api import OWNER, PrimeApi

SLUG = f"{OWNER}/little-sums"
"""The environment of `publishable`, on the hub."""


def submit(cwd: Path, api: PrimeApi | None, *args: object, **environ: str) -> Ran:
    base = api.environ(cwd / "home") if api else {"HOME": str(cwd / "home")}
    (cwd / "home").mkdir(exist_ok=True)
    return run_script("submit_training", *args, "--json", cwd=cwd, env={**base, **environ})
