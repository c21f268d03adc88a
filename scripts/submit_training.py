#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "verifiers>=0.4.0,<0.5", "prime>=0.18.0", "datasets>=4.0", "huggingface_hub>=1.0",
#     "pyarrow>=18", "numpy>=2.0", "scipy>=1.14", "msgspec>=0.19", "xxhash>=3.5", "zstandard>=0.23",
#     "matplotlib>=3.9", "tomli-w>=1.1", "tomlkit>=0.13", "hatchling>=1.27", "packaging>=24",
#     "pyyaml>=6", "gitignore-parser>=0.1.12", "detect-secrets>=1.5",
# ]
# ///
"""Write a training file that means what its author thinks, and start one paid run after a yes.

The file is prime-rl's, with the group size on each source and harness and runtime explicit;
everything in it that validates upstream and still ruins a run is a finding. Before anything is
sent: the ladder's earlier steps, the environment on the hub, the model, the price.

    python scripts/submit_training.py --env owner/my-env --dry-run
    python scripts/submit_training.py --env owner/my-env --steps 100 --turns 8 --max-cost 50
    python scripts/submit_training.py --plan configs/plans/two_tasksets.toml --dry-run
    python scripts/submit_training.py --env owner/my-env --yes
    python scripts/submit_training.py --config configs/rl/my-env.toml --dry-run

--dry-run works without a login and without a network: what could not be asked is skipped with
the reason. With a local folder (--local, else ./environments/NAME) the gates of the ladder
apply; an environment that is only on the hub is taken as it is. Without a terminal nothing is
sent without --yes. A repeated call finds the run that is under way; --new-run starts another.

Exit codes: 0 submitted (or, with --dry-run, ready), 1 a check failed and nothing was sent,
2 usage or not confirmed, 3 prime, login or network.
"""

from lab.cli.command import Command, confirm


def arguments(parser):
    from lab.platform.submission.flags import arguments as flags

    flags(parser)


def main(args, report, progress):
    from lab.platform.submission.flow import submit

    submit(args, report, progress, confirm)


COMMAND = Command(__doc__, "submit_training", arguments, main)
if __name__ == "__main__":
    COMMAND.exit()
