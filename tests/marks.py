"""`soak(...)`: one of several sets of parameters that only `make soak` runs.

    @pytest.mark.parametrize("way", ["KILL", soak("TERM")])

At least one set stays in `make test` or `make test-long`: the others show the same with other
data.
"""

from __future__ import annotations

from functools import partial

import pytest

soak = partial(pytest.param, marks=pytest.mark.soak)
