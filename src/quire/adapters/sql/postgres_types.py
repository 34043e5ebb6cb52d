"""What PostgreSQL has of its own for search: its full text, and the type of vectors where pgvector is there."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

# Lexemes begin with the number of their notebook, so that finding a word costs what its notebook has of it, and not
# what the library has; a pending list would be read through by every search; vectors of words are read many
# times in one query, so they stay beside their rows, uncompressed.
FULL_TEXT = """
CREATE TABLE passage_words (
    passage_seq BIGINT PRIMARY KEY REFERENCES passage (seq) ON DELETE CASCADE,
    notebook_id TEXT NOT NULL,
    length      BIGINT NOT NULL,
    words       TSVECTOR NOT NULL
) WITH (toast_tuple_target = 8160);
ALTER TABLE passage_words ALTER COLUMN words SET STORAGE EXTERNAL;
CREATE INDEX passage_words_notebook ON passage_words (notebook_id);
CREATE INDEX passage_words_any ON passage_words USING gin (words) WITH (fastupdate = off);
"""

NO_EXTENSION = "BYTEA"


def vector_type(connection: psycopg.Connection[Any]) -> str:
    """The type of a column of vectors: pgvector's, or bytes where that is not there and cannot be made."""
    if (schema := extension_schema(connection)) is None:
        available = connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone()
        if available is None:
            return NO_EXTENSION
        try:
            with connection.transaction():
                connection.execute("CREATE EXTENSION vector SCHEMA public")
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidSchemaName):
            return NO_EXTENSION
        schema = extension_schema(connection)
    return NO_EXTENSION if schema is None else sql.Identifier(schema, "halfvec").as_string(connection)


def extension_schema(connection: psycopg.Connection[Any]) -> str | None:
    """Where pgvector's types are, whatever the search path is; None without it, or with one from before halfvec."""
    found = connection.execute(
        "SELECT n.nspname AS name FROM pg_extension e "
        "JOIN pg_namespace n ON n.oid = e.extnamespace "
        "JOIN pg_type t ON t.typnamespace = n.oid AND t.typname = 'halfvec' WHERE e.extname = 'vector'"
    ).fetchone()
    return None if found is None else str(found["name"])
