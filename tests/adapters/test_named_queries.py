"""Named queries: what the code calls exists, what exists is called, and each database has its own where it must."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import quire
from quire.adapters.sql.named import NAME, PARAMETER, migrations, percent_style, queries, statements
from quire.api.library import Library

SOURCE = Path(quire.__file__).parent


@cache
def nodes() -> tuple[ast.AST, ...]:
    """Every node of the source's syntax trees."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in SOURCE.rglob("*.py")]
    return tuple(node for tree in trees for node in ast.walk(tree))


@cache
def called() -> frozenset[str]:
    """Every query that the code calls: `tx.one("…")`, `.all` and `.run`, and a role query for each kind of subject."""
    return frozenset(calls())


def calls() -> Iterator[str]:
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            first = node.args[0]
            if node.func.attr in ("one", "all", "run") and isinstance(first, ast.Constant) and first.value:
                yield str(first.value)
    for noun in Library.nouns.values():
        for method in vars(noun).values():
            if hasattr(method, "declared") and method.declared.facts.of:
                yield f"role_in_{method.declared.facts.of[0]}"


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_every_query_that_is_called_exists(dialect: str) -> None:
    assert called() - queries(dialect).keys() == set()


def test_every_query_that_exists_is_named_in_the_code() -> None:
    named = {node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert queries("sqlite").keys() - named - called() == set()


def test_both_databases_know_the_same_queries_with_the_same_parameters() -> None:
    sqlite, postgres = queries("sqlite"), queries("postgres")
    assert sqlite.keys() == postgres.keys()
    for name, text in sqlite.items():
        assert set(PARAMETER.findall(text)) == set(PARAMETER.findall(postgres[name])), name


def test_a_query_of_a_dialect_takes_the_place_of_the_common_one() -> None:
    sqlite, postgres = queries("sqlite"), queries("postgres")
    overrides = (SOURCE / "adapters/sql/queries").glob("*.postgres.sql")
    named = {name for file in overrides for name in NAME.findall(file.read_text(encoding="utf-8"))}
    assert {name for name, text in sqlite.items() if text != postgres[name]} == named
    assert "instr(" in sqlite["search_notes"]
    assert "strpos(" in postgres["search_notes"]
    assert "SKIP LOCKED" in postgres["claim_job"]


def test_a_query_is_its_text_without_comments() -> None:
    for name, text in queries("sqlite").items():
        assert re.match(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b", text), name
        assert "--" not in text, name
        assert not text.rstrip().endswith(";"), name


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT :a, :b_2", "SELECT %(a)s, %(b_2)s"),
        ("x LIKE '10%' AND y = :y", "x LIKE '10%%' AND y = %(y)s"),
        ("CAST(:at AS BIGINT)", "CAST(%(at)s AS BIGINT)"),
        ("now()::text || :a", "now()::text || %(a)s"),
    ],
)
def test_parameters_are_written_as_psycopg_wants_them(query: str, expected: str) -> None:
    assert percent_style(query) == expected


WORDS = {"serial": "x", "bytes": "y", "clustered": "z", "vector": "v", "full_text": "", "missing_full_text": ""}


def test_migrations_are_numbered_without_gaps() -> None:
    numbers = [number for number, _ in migrations(WORDS)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "{" not in "".join(text for _, text in migrations(WORDS))


def test_a_script_is_cut_into_its_statements() -> None:
    assert statements("-- why; so\nCREATE TABLE a (b TEXT);\n\n  -- and\nCREATE INDEX c ON a (b);\n") == [
        "CREATE TABLE a (b TEXT)",
        "CREATE INDEX c ON a (b)",
    ]
