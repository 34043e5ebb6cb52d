"""Every requirement has a test, and every test of a contract names the requirement that it proves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from contracts.rows import Row, all_rows

HERE = Path(__file__).parent
FORM = re.compile(r"C([1-5])-[A-Z]+-\d{2,3}")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return all_rows()


@pytest.fixture(scope="module")
def tests() -> dict[str, list[str]]:
    """What pytest collects here, the long tests too, whatever was selected for this run."""
    done = subprocess.run(
        [sys.executable, str(HERE / "collect.py")], cwd=HERE.parent.parent, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return {test: ids for test, ids in found.items() if Path(__file__).name not in test}


def test_every_row_has_a_test(rows: list[Row], tests: dict[str, list[str]]) -> None:
    proven = {id for ids in tests.values() for id in ids}
    assert [row.id for row in rows if row.id not in proven] == []


def test_every_contract_test_names_a_row(tests: dict[str, list[str]]) -> None:
    assert tests
    assert [test for test, ids in tests.items() if not ids] == []


def test_no_test_names_a_row_that_is_not_there(rows: list[Row], tests: dict[str, list[str]]) -> None:
    known = {row.id for row in rows}
    assert sorted({id for ids in tests.values() for id in ids} - known) == []


def test_row_ids_are_unique(rows: list[Row]) -> None:
    assert [id for id, count in Counter(row.id for row in rows).items() if count > 1] == []


def test_rows_are_complete_and_named_after_their_contract(rows: list[Row]) -> None:
    assert rows
    for row in rows:
        form = FORM.fullmatch(row.id)
        assert form is not None, row.id
        assert int(form[1]) == row.contract, row.id
        assert row.requirement.strip(), row.id
        assert row.section.strip(), row.id
