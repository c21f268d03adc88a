"""`long(...)`: one of several sets of parameters that only `make test-long` runs.

    @pytest.mark.parametrize("way", ["KILL", long("TERM")])

At least one set stays in `make test`: the long ones show the same with other data.
"""

from __future__ import annotations

from functools import partial

import pytest

long = partial(pytest.param, marks=pytest.mark.long)
