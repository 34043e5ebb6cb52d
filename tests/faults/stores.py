"""Which stores a round runs on."""

from __future__ import annotations

import pytest

# What a killed process leaves of a file is ours to see to; PostgreSQL sees to its own, and the long round to both.
files_first = pytest.mark.parametrize(
    "store", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)], indirect=True
)
