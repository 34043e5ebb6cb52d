"""Passages out of the store, as the text engine reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quire.domain.documents import Mark, Place
from quire.domain.passages import Passage
from quire.ports.store import Row, Tx


class StoredPassages:
    def by_number(self, tx: Tx, numbers: Sequence[int]) -> dict[int, Passage]:
        rows = tx.all("passages_by_seq", seqs=json.dumps(list(numbers)))
        return {row["seq"]: _passage(row) for row in rows}

    def titles(self, tx: Tx, notebook_id: str, *, limit: int) -> dict[str, str]:
        rows = tx.all("titles_of_sources", notebook_id=notebook_id, limit=limit)
        return {row["id"]: row["title"] for row in rows}

    def first_of(self, tx: Tx, source_ids: Sequence[str], *, each: int) -> list[Passage]:
        numbers = [
            row["seq"] for id in source_ids for row in tx.all("first_passages_of_source", source_id=id, limit=each)
        ]
        found = self.by_number(tx, numbers)
        return [found[number] for number in numbers if number in found]

    def text(self, tx: Tx, source_id: str, version: int) -> str | None:
        row = tx.one("version_text", id=source_id, version=version)
        return row["text"] if row else None

    def marks(self, tx: Tx, source_id: str, version: int) -> list[Mark]:
        row = tx.one("version_marks", source_id=source_id, version=version)
        return [Mark(**mark) for mark in json.loads(row["marks"])] if row else []


def _passage(row: Row) -> Passage:
    """A row as a passage; what the store holds was checked when it was written."""
    return Passage.model_construct(
        id=row["seq"],
        source_id=row["source_id"],
        source_title=row["title"],
        version=row["version"],
        start=row["start_at"],
        end=row["end_at"],
        text=row["text"],
        place=Place.model_construct(**json.loads(row["place"])),
        language=row["language"],
    )
