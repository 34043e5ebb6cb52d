"""A row is one requirement of a contract, in our own words. A test says which rows it proves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Row:
    """`note` is for a requirement that is wrong, impossible or overruled: what holds instead, and why."""

    id: str
    requirement: str
    contract: int
    section: str
    note: str = ""


def section(contract: int, name: str, *rows: tuple[str, str] | tuple[str, str, str]) -> list[Row]:
    """The rows of one section: id, requirement and, where there is one, the note."""
    return [Row(id, requirement, contract, name, *note) for id, requirement, *note in rows]


def proves(*ids: str) -> pytest.MarkDecorator:
    """Marks a test, or one of its parameters, with the rows that it proves."""
    return pytest.mark.proves(*ids)


def all_rows() -> list[Row]:
    """The rows of every `contract_N.py` beside this file."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("contract_*.py"))
    tables: Iterable[list[Row]] = (import_module(f"contracts.{name}").ROWS for name in names)
    return [row for table in tables for row in table]
