"""What this machine has and lacks for the ladder, as `setup.*` findings. Standard library only.

`inspect(python)` looks at one interpreter and at PATH; each check is one small function. What
is missing for one step only is a warning that names the step.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.command import made_by_uv, script
from lab.prime.login import Login, api_key, read_login
from lab.report import Check, Finding, missing
from lab.requirements import CLASSIC, PACKAGES, PRIME, PYTHON, VERIFIERS, Need, release
from lab.untrusted import excerpt

FREE_GB = 2.0
"""verifiers, prime and datasets with their dependencies take about 1 GB; evaluations the rest."""

ONLINE_SECONDS = 5.0


@dataclass(frozen=True)
class Interpreter:
    """One Python: its version and the distributions that it can import."""

    path: str
    version: tuple[int, ...]
    packages: dict[str, str]
    managed: bool
    """The distribution manages it (PEP 668): nothing may be installed into it."""
    prefix: str


_ASK = """
import json, sys, sysconfig, pathlib, importlib.metadata as m
names = json.loads(sys.argv[1]); found = {}
for name in names:
    try: found[name] = m.version(name)
    except m.PackageNotFoundError: pass
managed = sys.prefix == sys.base_prefix and (pathlib.Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").exists()
print(json.dumps([list(sys.version_info[:3]), found, managed, sys.prefix]))
"""


def interpreter(python: str = sys.executable) -> Interpreter:
    """What `python` has, asked of that interpreter itself (about 0.1 s)."""
    names = json.dumps([need.name for need in (*PACKAGES, PRIME)])
    try:
        done = subprocess.run([python, "-c", _ASK, names], capture_output=True, text=True, timeout=30, check=True)
        version, packages, managed, prefix = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise missing(f"{python} does not run as a Python interpreter: {excerpt(error)}", "name another one with --python", id="setup.python") from None
    return Interpreter(python, tuple(version), packages, managed, prefix)


def target(named: str | None) -> str:
    """Which interpreter is meant: the one named, or this one. `uv run preflight.py` starts a
    throw-away environment; then the active or the local virtual environment is meant."""
    if named:
        return named
    if made_by_uv():
        for root in filter(None, (os.environ.get("VIRTUAL_ENV"), ".venv")):
            candidate = Path(root) / "bin" / "python"
            if candidate.exists() and Path(root).resolve() != Path(sys.prefix).resolve():
                return str(candidate)
    return sys.executable


def api(python: Interpreter) -> str | None:
    """`taskset`, `classic`, or None: decided by the installed package, not by commands on PATH."""
    version = python.packages.get(VERIFIERS.name)
    if version is None:
        return None
    if VERIFIERS.accepts(version):
        return "taskset"
    return "classic" if release(CLASSIC[0]) <= release(version) < release(CLASSIC[1]) else None


PYTHON_VERSION = Check(
    "setup.python",
    title="Python is in the range that verifiers supports",
    expected=">=%d.%d,<%d.%d" % (*PYTHON[0], *PYTHON[1]),
    reason="Outside this range the packages of the ladder do not install.",
    source="verifiers 0.4.0 metadata: requires-python",
)
VERIFIERS_VERSION = Check(
    "setup.verifiers",
    title="verifiers has the taskset (v1) API",
    expected=VERIFIERS.range,
    reason="0.4 has only tasksets; 0.1.10-0.3.1 have the classic API. The same package name imports differently.",
    source="verifiers 0.4.0",
)
PRIME_VERSION = Check(
    "setup.prime",
    title="the prime command line takes today's training files",
    expected=PRIME.range,
    reason="Clients before 0.13 send the flat training file, which the platform no longer runs.",
    source="prime 0.18.0: prime train",
)
UV = Check(
    "setup.uv",
    title="uv is on PATH",
    expected="found",
    reason="The stock chat harness starts its program with uv (and otherwise installs uv into the home folder), and packages are built with it.",
    source="verifiers 0.4.0: harnesses; prime 0.18.0: env push",
)
LOGIN = Check(
    "setup.login",
    title="prime is logged in",
    expected="a key from PRIME_API_KEY, the context or the config file",
    reason="Publishing, training and Prime Inference need an account; every local step works without one.",
    source="prime 0.18.0: core/config.py",
)
HF_TOKEN = Check(
    "setup.hf_token",
    title="a Hugging Face token is set (optional)",
    expected="HF_TOKEN or a token file",
    reason="Gated datasets and models need it; public ones do not.",
    source="huggingface_hub",
)
DISK = Check(
    "setup.disk",
    title="there is free disk space",
    expected=f">= {FREE_GB:g} GB",
    reason="Packages, datasets and evaluation results are written here.",
    source="measured: a full set-up takes about 1 GB",
)
HUB_ONLINE = Check(
    "setup.hub_online",
    title="the environments hub answers and takes the key",
    expected=f"an answer within {ONLINE_SECONDS:g} s",
    reason="Publishing and training go through it.",
    source="prime 0.18.0: GET /api/v1/user/whoami",
)
INFERENCE_ONLINE = Check(
    "setup.inference_online",
    title="Prime Inference answers",
    expected=f"an answer within {ONLINE_SECONDS:g} s",
    reason="An evaluation of a real model asks it, unless --base-url names another server.",
    source="prime 0.18.0: GET /models",
)
_PACKAGE_CHECKS = {
    need.name: Check(
        f"setup.{need.name.replace('-', '_')}",
        title=f"{need.name} is installed",
        expected=need.range,
        reason=f"Needed by {need.steps}.",
        source="pyproject.toml",
    )
    for need in PACKAGES
    if need is not VERIFIERS
}


def inspect(python: Interpreter) -> Iterator[Finding]:
    """Everything that can be said without a network."""
    yield _python(python)
    yield _verifiers(python)
    for need in PACKAGES:
        if need is not VERIFIERS:
            yield _package(python, need)
    yield _prime(python)
    yield _uv(python)
    yield _login(read_login())
    yield _hf_token()
    yield _disk(Path.cwd())


def install_command(python: Interpreter) -> str:
    other = () if python.path == sys.executable else ("--python", python.path)
    return script("preflight.py", "--install", *other)


def _python(python: Interpreter) -> Finding:
    shown = ".".join(map(str, python.version))
    if PYTHON[0] <= python.version[:2] < PYTHON[1]:
        return PYTHON_VERSION.ok(shown, python.path)
    return PYTHON_VERSION.fail(shown, f"{python.path} is Python {shown}", "use another interpreter, for example: uv venv --python 3.12 && source .venv/bin/activate")


def _verifiers(python: Interpreter) -> Finding:
    version = python.packages.get(VERIFIERS.name)
    if version is None:
        return VERIFIERS_VERSION.fail("not installed", f"{python.path} has no verifiers", f"run {install_command(python)}")
    if VERIFIERS.accepts(version):
        return VERIFIERS_VERSION.ok(version, "tasksets (v1)")
    if release(CLASSIC[0]) <= release(version) < release(CLASSIC[1]):
        return VERIFIERS_VERSION.warn(
            version,
            f"verifiers {version} has the classic API: environments with load_environment() load here; tasksets, and so the "
            "templates and new environments of this skill, do not",
            f"keep it for classic environments in an environment of its own; for tasksets: {install_command(python)}",
        )
    return VERIFIERS_VERSION.fail(version, f"verifiers {version} is outside {VERIFIERS.range}", f"run {install_command(python)}")


def _package(python: Interpreter, need: Need) -> Finding:
    check = _PACKAGE_CHECKS[need.name]
    version = python.packages.get(need.name)
    if version is not None and need.accepts(version):
        return check.ok(version)
    evidence = f"{need.name} {version} is outside {need.range}" if version else f"{need.name} is not installed; {need.steps} stops without it"
    return check.fail(version or "not installed", evidence, f"run {install_command(python)}")


def _prime(python: Interpreter) -> Finding:
    """The client found beside the interpreter, else on PATH: its version, and whose it is."""
    beside = Path(python.path).parent / "prime"
    found = str(beside) if beside.is_file() else shutil.which("prime")
    if not found:
        return PRIME_VERSION.warn(
            "not installed", f"there is no prime command; without it these stop: {PRIME.steps}", f"run {install_command(python)}, or: uv tool install prime"
        )
    owner = shebang(Path(found))
    if owner is None:
        return PRIME_VERSION.warn("unknown", f"{found} is not a Python script, so its version cannot be told", "install the client anew: uv tool install prime")
    try:
        version = interpreter(owner).packages.get(PRIME.name)
    except Exception:
        return PRIME_VERSION.fail("broken", f"{found} belongs to {owner}, which does not run", "install the client anew: uv tool install --force prime")
    if version is None:
        return PRIME_VERSION.fail("broken", f"{found} belongs to {owner}, which has no prime package", "install the client anew: uv tool install --force prime")
    if not PRIME.accepts(version):
        return PRIME_VERSION.fail(
            version,
            f"{found} is prime {version}: before 0.13 it sends the flat training file, which the platform refuses",
            "update it: uv tool upgrade prime (or pip install -U 'prime>=0.18')",
        )
    same = Path(owner).resolve() == Path(python.path).resolve() and Path(owner).parent == Path(python.path).parent
    whose = "this interpreter" if same else f"another interpreter ({owner}), which is fine: only the command is used"
    return PRIME_VERSION.ok(version, f"{found}, of {whose}")


def shebang(script: Path) -> str | None:
    """The interpreter that a console script runs on: its `#!` line, also in the `/bin/sh` form
    that installers write for long paths."""
    try:
        lines = script.read_bytes()[:2000].decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    if not lines or not lines[0].startswith("#!"):
        return None
    words = lines[0][2:].split()
    if words and words[0].endswith("/sh") and len(lines) > 1 and "exec" in lines[1]:
        quoted = lines[1].replace("'''exec'", "").strip().strip('"').split('"')[0].split(" ")
        return quoted[0] or None
    if words and words[0].endswith("/env") and len(words) > 1:
        return shutil.which(words[-1])
    return lines[0][2:].strip().split(" -")[0] or None


def _uv(python: Interpreter) -> Finding:
    found = shutil.which("uv")
    if found:
        return UV.ok("found", found)
    beside = Path(python.path).parent / "uv"
    if beside.is_file():
        return UV.warn("not on PATH", f"{beside} exists, but its folder is not on PATH", f"activate the environment: source {beside.parent / 'activate'}")
    return UV.warn(
        "not found",
        "without uv the stock chat harness installs it into the home folder on its first rollout, and push_environment.py cannot build the package",
        "install it: pip install uv (or see https://docs.astral.sh/uv)",
    )


def _login(login: Login) -> Finding:
    if login:
        return LOGIN.ok(login.source, f"hub {login.hub}" + (f", team {login.team}" if login.team else ""))
    return LOGIN.warn(
        "not logged in",
        f"{login.problem}; publishing, submitting a run and Prime Inference need a key, every other step works without",
        "log in on a terminal with `prime login`, or set PRIME_API_KEY",
    )


def _hf_token() -> Finding:
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    file = Path(os.environ.get("HF_TOKEN_PATH") or home / "token")
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        if os.environ.get(name):
            return HF_TOKEN.ok(name)
    if file.is_file() and file.stat().st_size:
        return HF_TOKEN.ok(str(file))
    return HF_TOKEN.skip("optional: no token is set; public datasets and models need none")


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free / 1e9
    if free >= FREE_GB:
        return DISK.ok(f"{free:.1f} GB")
    return DISK.warn(f"{free:.1f} GB", f"{folder} has {free:.1f} GB free", "free some space, or work in a folder on another disk")


def online(login: Login) -> Iterator[Finding]:
    """Ask the hub who we are, and Prime Inference for its models; each within 5 s."""
    status, told = _get(f"{login.hub}/api/v1/user/whoami", key=True)
    if status == 200:
        yield HUB_ONLINE.ok("answers", login.hub)
    elif status in (401, 403):
        fix = "log in again: prime login" if login else "log in on a terminal with `prime login`, or set PRIME_API_KEY"
        refused = "refuses the key" if login else "answers, and asks for a key"
        yield (HUB_ONLINE.fail if login else HUB_ONLINE.warn)(refused, f"{login.hub} answered {status}", fix)
    else:
        yield HUB_ONLINE.fail("no answer" if status is None else status, f"{login.hub}: {told}", "check the network and PRIME_API_BASE_URL, then try again")
    status, told = _get(f"{login.inference}/models", key=bool(login))
    if status == 200:
        yield INFERENCE_ONLINE.ok("answers", login.inference)
    else:
        yield INFERENCE_ONLINE.warn(
            "no answer" if status is None else status,
            f"{login.inference}: {told}",
            "check the network and PRIME_INFERENCE_URL; other servers work with run_eval.py --base-url",
        )


def _get(url: str, *, key: bool) -> tuple[int | None, str]:
    import urllib.error
    import urllib.request

    request = urllib.request.Request(url, headers={"User-Agent": "prime-lab-trainer", "Accept": "application/json"})
    if key and api_key():
        request.add_unredirected_header("Authorization", f"Bearer {api_key()}")
    try:
        with urllib.request.urlopen(request, timeout=ONLINE_SECONDS) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        return error.code, f"HTTP {error.code}"
    except (OSError, ValueError) as error:
        return None, excerpt(getattr(error, "reason", None) or error, 120)


def install(python: Interpreter, needs: list[Need]) -> None:
    """Install `needs` into the interpreter's environment with uv, else pip. Output goes to stderr."""
    if python.managed:
        raise missing(
            f"{python.path} is managed by the system (PEP 668), so nothing is installed into it",
            "make an environment and use it: python3 -m venv .venv && source .venv/bin/activate && python scripts/preflight.py --install",
            id="setup.managed",
        )
    wanted = [need.requirement for need in needs]
    uv = shutil.which("uv")
    command = [uv, "pip", "install", "--python", python.path, *wanted] if uv else [python.path, "-m", "pip", "install", *wanted]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False)
    if done.returncode != 0:
        raise missing(f"installing {', '.join(wanted)} failed", "see the message above; check the network, then run it again", id="setup.install")
