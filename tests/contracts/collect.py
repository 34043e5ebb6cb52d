"""Prints, as JSON, every test of the contracts with the rows it proves; `python collect.py`."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


class Collected:
    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            self.tests[item.nodeid] = [id for mark in item.iter_markers("proves") for id in mark.args]


def main() -> int:
    collected = Collected()
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        code = pytest.main(["--collect-only", "-q", "-m", "", "-p", "no:cacheprovider", str(HERE)], plugins=[collected])
    if code:
        sys.stderr.write(told.getvalue())
    else:
        print(json.dumps(collected.tests))
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
