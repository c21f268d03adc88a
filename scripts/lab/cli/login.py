"""Whether `prime` is logged in and whom it would ask, decided offline as prime 0.18 decides it.

The order is the client's own: `PRIME_API_KEY`, then the key in the file of the context that
`PRIME_CONTEXT` names, then `api_key` in ~/.prime/config.json. That the file exists proves
nothing: every prime command writes one with an empty key. Standard library only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.cli.files import parse_json, read_plain
from lab.cli.report import missing

HUB = "https://api.primeintellect.ai"
INFERENCE = "https://api.pinference.ai/api/v1"
SITE = "https://app.primeintellect.ai"


@dataclass(frozen=True)
class Login:
    """Where the key comes from ("" when there is none); the key itself is never kept here."""

    source: str
    problem: str
    """Why there is no key, in words, when `source` is empty."""
    hub: str
    inference: str
    site: str
    team: str

    def __bool__(self) -> bool:
        return bool(self.source)


def read_login(environ: Mapping[str, str] | None = None) -> Login:
    """The login that a `prime` command started now would use."""
    environ = os.environ if environ is None else environ
    settings, source, problem = _settings(environ)
    return Login(
        source=source,
        problem=problem,
        hub=_without_suffix(
            environ.get("PRIME_API_BASE_URL")
            or environ.get("PRIME_BASE_URL")
            or settings.get("base_url")
            or HUB
        ),
        inference=(
            environ.get("PRIME_INFERENCE_URL") or settings.get("inference_url") or INFERENCE
        ).rstrip("/"),
        site=(environ.get("PRIME_FRONTEND_URL") or settings.get("frontend_url") or SITE).rstrip(
            "/"
        ),
        team=environ.get("PRIME_TEAM_ID", "").strip() or settings.get("team_id") or "",
    )


LOG_IN = "log in on a terminal with `prime login`, or "


def require_login(why: str = "", result: str = "", without: str = "set PRIME_API_KEY") -> Login:
    """The login, or exit 3: `why` says what needs it, `result` what came of it, and `without` the
    other way out."""
    login = read_login()
    if not login:
        said = f"{why}prime is not logged in: {login.problem}{result}"
        raise missing(said, f"{LOG_IN}{without}", id="prime.not_logged_in")
    return login


def api_key(environ: Mapping[str, str] | None = None) -> str:
    """The key itself, for a request of our own. Never print or store it."""
    environ = os.environ if environ is None else environ
    return environ.get("PRIME_API_KEY") or str(_settings(environ)[0].get("api_key") or "")


def _settings(environ: Mapping[str, str]) -> tuple[dict[str, Any], str, str]:
    """The settings in force, where the key comes from, and why there is none."""
    home = Path(environ.get("HOME") or Path.home()) / ".prime"
    file = home / "config.json"
    base, problem = _read(file)
    if not problem and not base.get("api_key"):
        problem = f"{file} holds no key" if file.exists() else f"there is no {file}"
    source = "config file" if base.get("api_key") else ""
    context = environ.get("PRIME_CONTEXT", "")
    if context.lower() == "production":
        base = {key: base.get(key) for key in ("api_key",)}
    elif context:
        if re.fullmatch(r"[A-Za-z0-9_-]+", context):
            chosen, fault = _read(home / "environments" / f"{context}.json")
        else:
            chosen, fault = {}, "it has other characters than letters, digits, - and _"
        if not chosen:
            base, source = {}, ""
            problem = f"PRIME_CONTEXT names {context!r}: {fault or 'no such context'}"
        else:
            base = {"api_key": base.get("api_key"), **chosen}
            source = f"context {context}" if base.get("api_key") else ""
            problem = "" if source else f"the context {context!r} holds no key"
    if environ.get("PRIME_API_KEY"):
        return base, "PRIME_API_KEY", ""
    return base, source, "" if source else problem


def _read(path: Path) -> tuple[dict[str, Any], str]:
    try:
        data = parse_json(read_plain(path))
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError):
        return {}, f"{path} cannot be read as JSON"
    if not isinstance(data, dict):
        return {}, f"{path} is not a JSON object"
    return {name: value for name, value in data.items() if isinstance(value, str)}, ""


def _without_suffix(url: str) -> str:
    return str(url).rstrip("/").removesuffix("/api/v1")
