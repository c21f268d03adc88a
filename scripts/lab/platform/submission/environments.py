"""The environments that a training file trains and evaluates on: here, and on the hub.

Every source block of the file counts, not the one that a flag names. Of each environment three
things are asked: did the ladder's steps pass for the folder on this machine, is the named version
on the hub, and is what the run will install the very content for which they passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.cli.command import script
from lab.cli.folders import scratch
from lab.cli.report import Check, Finding, usage
from lab.cli.untrusted import excerpt
from lab.ladder import PLACEHOLDER, DryRun, closing, evaluation_of
from lab.ledger import index
from lab.ledger.index import spelt
from lab.ledger.records import Ledger
from lab.platform.prime import Prime, PrimeError, hub
from lab.platform.prime.archive import hub_hash
from lab.platform.submission import local
from lab.platform.submission.intent import Trained
from lab.review.state import reviewed
from lab.training.file import SLUG, TrainingFile

ON_HUB = Check(
    "hub.environment",
    title="each environment of the file is on the hub, at the version meant",
    expected="published",
    reason="The client submits a run for an environment that does not exist; it fails when the "
    "GPUs are up.",
    source="prime: prime train does not check it",
)
SAME_CONTENT = Check(
    "hub.same_content",
    title="the published content is the validated one",
    expected="the local folder's hash",
    reason="The run installs what is on the hub; the checks looked at the folder.",
    source="prime: env status content_hash",
)
ACCOUNT = Check(
    "hub.account",
    title="each environment is named under an account",
    expected=f"no {PLACEHOLDER}",
    reason=f"{PLACEHOLDER} stands for the user's account until they have named it.",
    source="prime: an environment is published as account/name",
)
FOLDER = Check(
    "gate.folder",
    title="an environment that was made here is where its records can be compared with it",
    expected="its folder is found",
    reason=(
        "Without the folder nothing says whether the steps passed for what the run will install."
    ),
    source="ladder: no step past a failed or stale one",
)


@dataclass(frozen=True)
class Named:
    """One environment of the file. `version` is "" where the file takes the newest; `folder` is
    None where this machine has none."""

    slug: str
    version: str
    folder: Path | None
    recorded: bool = False
    """The folder is known by records of this machine alone: it may be another environment's."""

    @property
    def ledger(self) -> Ledger | None:
        return Ledger(self.folder) if self.folder else None


def named_in(file: TrainingFile, folder: str | None) -> list[Named]:
    """The environments of all source blocks, each version once, in the order of the file. `folder`
    is what --local names: it belongs to the environment whose project name it has."""
    found: dict[str, Named] = {}
    for kind in ("train", "eval"):
        for source in file.sources(kind):
            if source.id in found or not SLUG.fullmatch(source.id):
                continue
            slug, _, version = source.id.partition("@")
            found[source.id] = Named(slug, version, *local.find_folder(slug, folder))
    return list(found.values())


@dataclass(frozen=True)
class Offline:
    """Why the platform was not asked."""

    why: str


def check_account(named: list[Named], dry_run: bool) -> Iterator[Finding]:
    """Whether an account is named. A dry run goes on with the placeholder, and says so."""
    for one in named:
        owner, _, name = one.slug.partition("/")
        if owner == PLACEHOLDER:
            said = f"{one.slug}: {PLACEHOLDER} is a placeholder for the user's account"
            fix = f"ask the user for their account, then give --env ACCOUNT/{name}"
            if not dry_run:
                raise usage(said, fix, id="input.placeholder")
            yield ACCOUNT.warn(PLACEHOLDER, said, fix)


def check_published(prime: Prime | Offline, named: Named) -> tuple[Trained, list[Finding]]:
    """What the run would install, and the findings about it. Raises PrimeError."""
    if isinstance(prime, Offline):
        skipped = [ON_HUB.skip(prime.why)]
        if named.folder:
            skipped.append(SAME_CONTENT.skip(prime.why))
        return Trained(named.slug, named.version, ""), skipped
    found = hub.status(prime, named.slug)
    if found is None:
        return Trained(named.slug, named.version, ""), [
            ON_HUB.fail(
                "not found",
                f"the hub does not know {named.slug} (or it is private and not yours)",
                f"publish it: {script('push_environment.py', named.folder or 'ENVIRONMENT')}, "
                "or correct the name in the file",
            )
        ]
    version = named.version or found.version
    if version != found.version and version not in hub.versions(prime, named.slug):
        return Trained(named.slug, version, ""), [
            ON_HUB.fail(
                version,
                f"{named.slug} has no version {excerpt(version, 40)}; the newest is "
                f"{found.version}",
                f"write {named.slug}@{found.version} in the file",
            )
        ]
    findings = [ON_HUB.ok(version, f"{named.slug}, {found.visibility}")]
    content = found.content_hash if version == found.version else ""
    if named.folder:
        if not content:
            content = _pulled(prime, named.slug, version)
        findings.append(_same_content(named, version, content))
    return Trained(named.slug, version, content), findings


def _same_content(named: Named, version: str, content: str) -> Finding:
    if not content:
        return SAME_CONTENT.fail(
            "not known",
            f"{named.slug}@{version} is not the newest version, and its files could not be fetched "
            f"to compare them with {named.folder}",
            f"train the newest version: write {named.slug} in the file",
        )
    if named.folder and content == hub_hash(named.folder):
        return SAME_CONTENT.ok(content[:12], named.slug)
    return SAME_CONTENT.fail(
        "different",
        f"the folder {named.folder} is not what is published as {named.slug} {version}",
        f"publish it: {script('push_environment.py', named.folder, '--bump', 'patch')}; or put the "
        "folder back to what was published",
    )


def _pulled(prime: Prime, slug: str, version: str) -> str:
    """The content hash of an older version, from its files; "" when they cannot be fetched."""
    with scratch() as place:
        target = place / "pulled"
        try:
            hub.pull(prime, f"{slug}@{version}", target)
        except PrimeError:
            return ""
        return hub_hash(target) if target.is_dir() else ""


def group_sizes(file: TrainingFile) -> dict[str, int]:
    """Project name of each environment that is trained on -> the rollouts of one of its tasks."""
    found = {spelt(source.id): file.group_size(source) for source in file.sources("train")}
    return {name: int(size) for name, size in found.items() if size >= 1}


def meant(file: TrainingFile, named: Named, on_hub: bool = False) -> DryRun:
    """What this file would do with the environment, for the commands that come before it."""
    return DryRun(file.model or "MODEL", group_sizes(file).get(spelt(named.slug)), on_hub)


def check_gates(
    named: Named, file: TrainingFile, force: str | None, dry_run: bool
) -> Iterator[Finding]:
    """The ladder's earlier steps for an environment on this machine, and a real model behind its
    evaluation. Nothing for one that is on the hub only: its owner is trusted."""
    if not (named.ledger and named.folder):
        if index.find(name=named.slug):
            yield _folder_gone(named, force)
        return
    folder, would = str(named.folder), meant(file, named)
    first = closing("submit_training", folder, named.ledger, would)
    evaluate = evaluation_of(folder, would)
    for finding in (
        named.ledger.gate("submit_training", force, first, rehearsing=dry_run),
        reviewed(named.ledger, folder, paying=not dry_run, force=force),
        local.check_real_model(named.ledger, file.model, force, dry_run, evaluate),
    ):
        finding.evidence = f"{named.slug}: {finding.evidence}" if finding.evidence else named.slug
        if finding.status == "fail" and named.recorded:
            finding.evidence += f"; {folder} was found by its name in the records of this machine"
            finding.fix += (
                f"; where {named.slug} is another environment: --local ITS_FOLDER, or go on with "
                "what is on the hub: --force REASON"
            )
        yield finding


def _folder_gone(named: Named, force: str | None) -> Finding:
    said = f"{named.slug} has records on this machine, and its folder is not found"
    fix = "name its folder with --local, or go on with what is on the hub: --force REASON"
    if force:
        return FOLDER.warn("gone", f"{said}; forced: {force}", fix)
    return FOLDER.fail("gone", said, fix)
