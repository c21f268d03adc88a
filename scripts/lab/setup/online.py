"""Do the Environments Hub and Prime Inference answer, and do they take the key?"""

from __future__ import annotations

from collections.abc import Iterator

from lab.cli.login import LOG_IN, Login, api_key
from lab.cli.report import Check, Finding
from lab.cli.untrusted import excerpt

ONLINE_SECONDS = 5.0

HUB_ONLINE = Check(
    "setup.hub_online",
    title="the environments hub answers and takes the key",
    expected=f"an answer within {ONLINE_SECONDS:g} s",
    reason="Publishing and training go through it.",
    source="prime: GET /api/v1/user/whoami",
)
INFERENCE_ONLINE = Check(
    "setup.inference_online",
    title="Prime Inference answers",
    expected=f"an answer within {ONLINE_SECONDS:g} s",
    reason="An evaluation of a real model asks it, unless --base-url names another server.",
    source="prime: GET /models",
)


def online(login: Login) -> Iterator[Finding]:
    """Ask the hub who we are, and Prime Inference for its models; each within ONLINE_SECONDS."""
    yield _hub(login, *_get(f"{login.hub}/api/v1/user/whoami", key=True))
    status, problem = _get(f"{login.inference}/models", key=bool(login))
    if status == 200:
        yield INFERENCE_ONLINE.ok("answers", login.inference)
    else:
        yield INFERENCE_ONLINE.warn(
            "no answer" if status is None else status,
            f"{login.inference}: {problem}",
            "check the network and PRIME_INFERENCE_URL; "
            "other servers work with run_eval.py --base-url",
        )


def _hub(login: Login, status: int | None, problem: str) -> Finding:
    if status == 200:
        return HUB_ONLINE.ok("answers", login.hub)
    answered = f"{login.hub} answered {status}"
    if status in (401, 403) and login:
        return HUB_ONLINE.fail("refuses the key", answered, "log in again: prime login")
    if status in (401, 403):
        return HUB_ONLINE.warn(
            "answers, and asks for a key",
            answered,
            f"{LOG_IN}set PRIME_API_KEY",
        )
    return HUB_ONLINE.fail(
        "no answer" if status is None else status,
        f"{login.hub}: {problem}",
        "check the network and PRIME_API_BASE_URL, then try again",
    )


def _get(url: str, *, key: bool) -> tuple[int | None, str]:
    """(HTTP status, "") or (None or status, what went wrong)."""
    import urllib.error
    import urllib.request

    request = urllib.request.Request(
        url, headers={"User-Agent": "prime-lab-trainer", "Accept": "application/json"}
    )
    if key and api_key():
        request.add_unredirected_header("Authorization", f"Bearer {api_key()}")
    try:
        with urllib.request.urlopen(request, timeout=ONLINE_SECONDS) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        return error.code, f"HTTP {error.code}"
    except (OSError, ValueError) as error:
        return None, excerpt(getattr(error, "reason", None) or error, 120)
