"""Serve until interrupted; the variables to set are printed first."""

import contextlib
import tempfile
import time
from pathlib import Path

from servers.prime_api import PrimeApi

with PrimeApi() as api, tempfile.TemporaryDirectory() as home:
    for key, value in api.environ(Path(home)).items():
        print(f"export {key}={value}", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600)
