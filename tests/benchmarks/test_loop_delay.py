"""What the server's loop has to do for a door's input grows only with the input."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from loop_delay import doors, watched_server

# A quarter of an input, and all of it; below the floor (in milliseconds) all is soon done.
QUARTER, WHOLE, MOST, FLOOR = 0.25, 1.0, 10, 60.0


@pytest.mark.parametrize("part", [0.1, pytest.param(1.0, marks=pytest.mark.long)])
def test_the_loop_works_no_more_than_the_input_grows(part: float, tmp_path: Path) -> None:
    with (
        watched_server(tmp_path) as server,
        httpx.Client(base_url=server.url, timeout=300, trust_env=False) as http,
    ):
        small, large = doors(http, part * QUARTER), doors(http, part * WHOLE)
        grew = {}
        for door, work in small.items():
            work()
            before = min(server.during(door, work).cpu for _ in range(2))
            after = min(server.during(door, large[door]).cpu for _ in range(2))
            if after > max(FLOOR * part, MOST * before):
                grew[door] = (before, after)
        assert grew == {}
