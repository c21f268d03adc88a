"""One submission, once: intent written first, the run id before anything else, lost answers settled.

Beside the training file stands `<name>.run.json`. It says `sending` before the request goes out
and carries the run id afterwards. Whoever calls again finds either the run, or the intent, and
asks the platform by the run's name before anything is sent a second time.
"""

from __future__ import annotations

import hashlib
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lab.files import write_whole
from lab.prime import Prime, PrimeError, runs
from lab.prime.runs import Run, Submitted
from lab.report import Check, missing

SUBMITTED = Check(
    "run.submitted",
    title="the run was started once",
    expected="one run with this name",
    reason="A second run with the same file costs the same again.",
    source="prime 0.18.0: prime train",
)


SETTLE_SECONDS = {"interrupted": 5.0, "timeout": 10.0}
"""How long a run may take to show up after the client was cut off while sending."""


class Receipt:
    """The small file beside a training file that remembers its submission."""

    def __init__(self, config: Path):
        self.path = config.with_suffix(".run.json")

    def read(self) -> dict[str, Any]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def write(self, **entry: Any) -> None:
        write_whole(self.path, json.dumps({**entry, "at": datetime.now(UTC).isoformat(timespec="seconds")}, indent=1) + "\n")

    def drop(self) -> None:
        self.path.unlink(missing_ok=True)


def fingerprint(text: str) -> str:
    """Eight hex digits of a file's content; part of the run's name, so that a run is found again."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def running(prime: Prime, name: str, receipt: Receipt) -> Run | None:
    """The run that this file started and that has not ended: by its recorded id, else by name."""
    recorded = receipt.read().get("run_id")
    if recorded:
        try:
            found = runs.get(prime, str(recorded))
            return None if found.ended else found
        except PrimeError as error:
            if error.kind != "not_found":
                raise error.lab_error(f"asking about the run {recorded}") from None
    try:
        return next((run for run in runs.find(prime, name) if not run.ended), None)
    except PrimeError as error:
        raise error.lab_error("asking for runs that are under way") from None


def send(prime: Prime, config: Path, name: str, receipt: Receipt) -> tuple[Submitted, str]:
    """Start the run. Returns it and how it became known. Raises LabError; whatever went wrong,
    the text says whether a run may exist."""
    before = {run.id for run in _known_runs(prime, name)}
    receipt.write(state="sending", name=name, config=config.name)
    try:
        submitted = runs.submit(prime, config)
    except PrimeError as error:
        if not error.uncertain:
            receipt.drop()
            raise error.lab_error("submitting; nothing was started") from None
        return _settle(prime, name, before, receipt, error)
    except KeyboardInterrupt:
        # The request may be on its way: the answer is asked for once, then we stop.
        return _settle(prime, name, before, receipt, PrimeError("interrupted", "interrupted while sending"))
    receipt.write(state="started", run_id=submitted.run_id, name=name, config=config.name)
    return submitted, "answered"


def _settle(prime: Prime, name: str, before: set[str], receipt: Receipt, error: PrimeError) -> tuple[Submitted, str]:
    """After a lost answer: is there a run with this name that was not there before? The receipt
    keeps the intent, so that a later call asks again before it sends anything."""
    deadline = time.monotonic() + SETTLE_SECONDS.get(error.kind, 0.0)
    while True:
        try:
            new = [run for run in runs.find(prime, name) if run.id not in before]
        except PrimeError:
            raise missing(
                f"the answer to the submission was lost ({error.detail}), and the platform cannot be asked; a run named {name} may exist",
                "look before repeating: prime train list; a repeated call looks too",
                id="run.unknown",
            ) from None
        if new:
            receipt.write(state="started", run_id=new[0].id, name=name)
            return Submitted(new[0].id, None, None, None), f"the answer was lost ({error.kind}); the platform shows the run"
        if time.monotonic() >= deadline:
            break
        time.sleep(0.5)
    raise missing(
        f"submitting failed ({error.detail}); the platform shows no run named {name}",
        "run the same command again: it looks for the run before it sends anything",
        id=f"prime.{error.kind}",
    )


def _known_runs(prime: Prime, name: str) -> list[Run]:
    try:
        return runs.find(prime, name)
    except PrimeError as error:
        raise error.lab_error("asking for earlier runs; nothing was sent") from None
