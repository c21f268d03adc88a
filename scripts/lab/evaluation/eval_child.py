"""The `vf-eval` of this interpreter as it runs in its sandbox.

    python eval_child.py JUDGE_URL [ARGUMENTS OF vf-eval]      JUDGE_URL may be empty

The files in which tool servers say their ports lie below TMPDIR: verifiers writes them to /tmp,
which the sandbox closes where bubblewrap is not there, and waits for them without an error.

With a JUDGE_URL every judge but those on loopback is asked there. A simulated policy costs nothing,
so its judges must cost nothing either: an OpenAI client that an environment points at a provider,
whatever setting it reads, talks to JUDGE_URL instead. The policy and verifiers' interception
endpoint are on loopback and left as they are. This file is run by path.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PORTS = "/vf-port-"
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def send_judges_to(url: str) -> None:
    """Clients made from now on that are not for loopback are made for `url`."""
    import openai

    for client in (openai.OpenAI, openai.AsyncOpenAI):
        original = client.__init__

        def redirected(self: Any, *args: Any, _original: Any = original, **options: Any) -> None:
            if urlsplit(str(options.get("base_url") or "")).hostname not in LOOPBACK:
                options.update(base_url=url, api_key="EMPTY")
            _original(self, *args, **options)

        client.__init__ = redirected  # type: ignore[method-assign]


def keep_ports_in(folder: Path) -> bool:
    """The files of ports lie in `folder`; False where this verifiers has no such name."""
    from verifiers.v1.mcp import launch

    code = launch.serve_in_runtime.__code__
    prefix = next((c for c in code.co_consts if isinstance(c, str) and c.endswith(PORTS)), None)
    if prefix is None:
        return False
    here = f"{folder}{PORTS}"
    moved = tuple(here if const == prefix else const for const in code.co_consts)
    launch.serve_in_runtime.__code__ = code.replace(co_consts=moved)
    return True


def main() -> None:
    url = sys.argv.pop(1)
    sys.path.pop(0)  # the folder of this file: its neighbours are no modules of an environment
    gc.disable()  # it finds nothing during the import, and takes a fifth of its time
    if url:
        send_judges_to(url)
    keep_ports_in(Path(tempfile.gettempdir()))
    from verifiers.v1.cli.eval.main import main as vf_eval

    gc.freeze()
    gc.enable()
    sys.argv[0] = "vf-eval"
    vf_eval()


if __name__ == "__main__":
    main()
