"""Publishing a checked folder: the gates, one question, `prime env push`, and the proof.

Nothing is sent before every local check has passed, the visibility is chosen, and a yes given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from lab.cli.command import Progress, script
from lab.cli.files import write_whole
from lab.cli.interpreter import named
from lab.cli.login import require_login
from lab.cli.report import Check, Finding, LabError, Report, missing, usage
from lab.ladder import PLACEHOLDER, closing
from lab.ledger.records import Ledger
from lab.platform.package.bump import bump, raised
from lab.platform.package.folder import Folder
from lab.platform.package.sealed_uv import sealed
from lab.platform.prime import Prime, PrimeError, hub
from lab.platform.prime.archive import hub_hash
from lab.review.state import reviewed

NEW_VERSION = Check(
    "package.version_new",
    title="the version is not published with other content",
    expected="a new number for new content",
    reason=(
        "Two contents under one version cannot be told apart, in a training file or in a result."
    ),
    source="prime: env push accepts any version",
)
PUBLISHED = Check(
    "package.published",
    title="the hub has this content, as verifiers v1",
    expected="published as v1 with this content hash",
    reason="The client ends with 0 in cases that published something else than was meant.",
    source="prime: env push",
)


def publish(
    args: argparse.Namespace,
    report: Report,
    progress: Progress,
    folder: Folder,
    ledger: Ledger,
    confirm: Callable[[str], bool | None],
) -> None:
    """Take the checked folder to the hub. Fills the report; raises for usage, login and network."""
    first = closing("push_environment", named(folder.path), ledger)
    report.add(ledger.gate("push_environment", args.force, first))
    report.add(reviewed(ledger, str(folder.path)))
    if report.exit_code != 0:
        return
    if PLACEHOLDER in (args.owner, args.team):
        raise usage(
            f"{PLACEHOLDER} is a placeholder for the user's account",
            "give the account with --owner NAME, or leave it away: the account that is logged in",
            id="input.placeholder",
        )
    visibility = args.visibility or _ask_visibility()
    require_login()
    prime = Prime()
    owner = args.owner or args.team
    try:
        owner = owner or hub.account(prime)
        before = hub.status(prime, f"{owner}/{folder.name}") if owner else None
    except PrimeError as error:
        raise error.lab_error("asking the hub about this environment") from None
    if not owner:
        raise missing(
            "the account has no user name yet, and a push would ask for one",
            "choose one on the dashboard, or push once by hand: prime env push",
            id="prime.no_username",
        )
    slug = f"{owner}/{folder.name}"
    report.facts["environment"] = slug
    if before and before.content_hash == hub_hash(folder.path):
        report.add(
            PUBLISHED.ok(before.version, f"{slug} has this content already; nothing was sent")
        )
        report.facts.update(pushed=True, visibility=before.visibility)
        return
    version = raised(folder.version, args.bump) if args.bump else folder.version
    report.add(_version_is_new(before, version, args.env))
    if report.exit_code != 0:
        return
    _yes(args, slug, folder, version, visibility, before, confirm)
    original = (folder.path / "pyproject.toml").read_bytes()
    if args.bump:
        bump(folder.path / "pyproject.toml", args.bump)
    progress.note(f"publishing {slug} {version} as {visibility}")
    try:
        with sealed(prime.environ) as environ:
            builder = Prime(environ)
            report.add(_push(builder, folder, slug, visibility, args.owner or "", args.team or ""))
    except LabError:
        # Nothing was published, so the version stays what it was.
        write_whole(folder.path / "pyproject.toml", original.decode("utf-8"))
        raise
    report.facts.update(
        pushed=report.exit_code == 0,
        visibility=visibility,
        version=version,
        hub_hash=hub_hash(folder.path),
    )


def _ask_visibility() -> str:
    import sys

    if sys.stdin.isatty() and sys.stderr.isatty():
        print("visibility: PUBLIC or PRIVATE? ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().upper()
        if answer in hub.VISIBILITIES:
            return answer
    raise usage(
        "the visibility is not chosen; nothing was published",
        "ask the user, then add --visibility PRIVATE or --visibility PUBLIC",
        id="input.visibility",
    )


def _version_is_new(before: hub.Published | None, version: str, env: str) -> Finding:
    if before and before.version == version:
        return NEW_VERSION.fail(
            version,
            f"{before.slug} {before.version} is on the hub with other content",
            f"raise it: {script('push_environment.py', env, '--bump', 'patch')}",
        )
    return NEW_VERSION.ok(
        version,
        f"the hub has {before.version}" if before else "the hub does not have this environment yet",
    )


def _yes(
    args: argparse.Namespace,
    slug: str,
    folder: Folder,
    version: str,
    visibility: str,
    before: hub.Published | None,
    confirm: Callable[[str], bool | None],
) -> None:
    if args.yes:
        return
    kept = (
        f" (on the hub it is {before.visibility})"
        if before and before.visibility != visibility
        else ""
    )
    answer = confirm(
        f"publish {slug} {version}, {len(folder.uploaded)} files, {folder.bytes / 1024:.0f} "
        f"KB, as {visibility}{kept}?"
    )
    if answer is None:
        raise usage(
            "not confirmed; nothing was published",
            "ask the user; after a yes, add --yes",
            id="input.not_confirmed",
        )
    if not answer:
        raise usage(
            "declined; nothing was published",
            "run it again when it is ready",
            id="input.not_confirmed",
        )


def _push(
    prime: Prime, folder: Folder, slug: str, visibility: str, owner: str, team: str
) -> Finding:
    """Push, and let the hub say what it has now; a lost answer is settled by asking."""
    content = hub_hash(folder.path)
    lost: PrimeError | None = None
    pushed = None
    try:
        pushed = hub.push(prime, folder.path, visibility=visibility, owner=owner, team=team)
    except PrimeError as error:
        if not error.uncertain:
            raise error.lab_error("publishing") from None
        lost = error
    try:
        after = hub.status(prime, slug)
    except PrimeError as error:
        raise (lost or error).lab_error(
            "publishing, and it is not known whether it arrived"
        ) from None
    if after is None or after.content_hash != content:
        if lost is not None:
            raise lost.lab_error("publishing; the hub does not have it") from None
        there = f"{after.version} with other content" if after else "nothing"
        return PUBLISHED.fail(
            there,
            f"the push ended well, but the hub shows {there}",
            "wait a minute and look: prime env status " + slug,
        )
    if pushed is not None and pushed.runtime and pushed.runtime != "v1":
        return PUBLISHED.fail(
            pushed.runtime,
            "it was published as legacy verifiers v0",
            'set "verifiers>=0.4.0,<0.5" in the dependencies, raise the version and push again',
        )
    told = (
        "published as verifiers v1"
        if pushed and pushed.runtime == "v1"
        else "the hub has this content"
    )
    return PUBLISHED.ok(
        after.version,
        f"{slug}: {told}" + (f"; the answer to the upload was lost ({lost.kind})" if lost else ""),
    )
