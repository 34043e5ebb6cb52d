"""Schemas of PostgreSQL that have been migrated once, and are emptied for each test that they are lent to."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.rows import dict_row

from quire.adapters.memory import FixedClock
from quire.adapters.sql.named import percent_style, queries
from quire.adapters.sql.postgres import PostgresTx
from quire.domain.sharing import LOCAL_OWNER
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.people import add_person

# Every table but the one that says which migrations were made, whatever refers to what; numbers begin at one again.
EMPTY = """
DO $$
DECLARE one record;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'quire_schema' LOOP
        EXECUTE format('DELETE FROM %I', one.tablename);
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename), 1, false)
        FROM pg_sequences WHERE schemaname = current_schema();
END $$
"""


class EmptiedSchemas:
    """Each is as a new one: its tables are there, and the owner with an inbox. Making a new one takes twenty times
    as long."""

    def __init__(self, server: str, home: Path) -> None:
        self._server = server
        self._home = home
        self._returned: deque[str] = deque()
        self._named = {name: percent_style(text) for name, text in queries("postgres").items()}

    @contextmanager
    def lent(self) -> Iterator[str]:
        """The address of a schema that is nobody else's until the block ends."""
        name = self._emptied() or self._made()
        yield self._url(name)
        self._returned.append(name)

    def _url(self, name: str) -> str:
        return f"{self._server}&options=-csearch_path%3D{name}&application_name={name}"

    def _emptied(self) -> str | None:
        """The one that was returned first, unless somebody is still connected to it: then it is left alone for good."""
        if not self._returned:
            return None
        name = self._returned.popleft()
        with psycopg.connect(self._server, row_factory=dict_row) as connection:
            if connection.execute("SELECT 1 FROM pg_stat_activity WHERE application_name = %s", [name]).fetchone():
                return None
            connection.execute(f"SET search_path = {name}")
            connection.execute(EMPTY)
            tx = PostgresTx(connection, self._named)
            add_person(tx, LOCAL_OWNER.id, LOCAL_OWNER.name, None, FixedClock().now())
            tx.finish()
        return name

    def _made(self) -> str:
        name = f"quire_{uuid.uuid4().hex}"
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")

        async def migrated() -> None:
            async with build(load({"home": self._home, "store": self._url(name)}, {}), FixedClock()) as library:
                await library.engine.check()

        asyncio.run(migrated())
        return name
