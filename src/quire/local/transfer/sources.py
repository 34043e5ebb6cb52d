"""Sources, their texts, and their labels, as they are moved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.documents import Document, Mark, Place
from quire.domain.errors import NotFound
from quire.domain.notebook_file.rows import LabelRow, SourceRow, Span, VersionRow
from quire.local.files import use
from quire.local.label_rows import members
from quire.local.source_versions import STEP, put_passages, put_text
from quire.local.transfer.part import Into, Part, Step, Whose, one_step, paged
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text.indexing import Prepared

UNREAD = "It had not been read when its notebook was exported."


def _sources(tx: Tx, whose: Whose) -> Iterator[SourceRow]:
    for row in paged(tx, "sources_to_move", notebook_id=whose.notebook_id):
        columns = {name: row[name] for name in SourceRow.model_fields}
        yield SourceRow.model_validate(columns | {"whole": bool(row["whole"])})


def _put_source(row: SourceRow, into: Into) -> list[Step]:
    into.titles[row.id] = row.title

    def work(tx: Tx) -> None:
        # Its original is there, and so is the version before; whoever wants the new one reads it again.
        unread = row.state == "processing"
        state = "ready" if unread and row.version else "failed" if unread else row.state
        error = UNREAD if state == "failed" and unread else row.error
        values = row.model_dump() | {"state": state, "error": error, "whole": int(row.whole)}
        tx.run("insert_moved_source", notebook_id=into.notebook_id, **values)
        if row.blob:
            use(tx, row.blob, "source", row.id)

    return one_step(work)


def version_file(row: VersionRow) -> str:
    return f"sources/{row.source_id}/{row.version}.md"


def _versions(tx: Tx, whose: Whose) -> Iterator[VersionRow]:
    for key in tx.all("versions_to_move", notebook_id=whose.notebook_id):
        which = {"source_id": key["source_id"], "version": key["version"]}
        row = tx.one("version_to_move", **which)
        if row is not None:
            yield _version(tx, row)


def _version(tx: Tx, row: Row) -> VersionRow:
    which = {"source_id": row["source_id"], "version": row["version"]}
    return VersionRow(
        **which,
        hash=row["hash"],
        language=row["language"],
        warnings=json.loads(row["warnings"]),
        created_at=row["created_at"],
        marks=[Mark(**mark) for mark in json.loads(row["marks"])],
        passages=[
            Span(start=span["start_at"], end=span["end_at"], place=Place(**json.loads(span["place"])))
            for span in tx.all("spans_of_version", **which)
        ],
        text=row["text"],
    )


def version_in_force(tx: Tx, source_id: str) -> VersionRow:
    source = tx.one("source_by_id", id=source_id)
    row = tx.one("version_to_move", source_id=source_id, version=source["version"]) if source else None
    if row is None:
        raise NotFound("source", source_id)
    return _version(tx, row)


def prepared_again(row: VersionRow, title: str) -> Prepared:
    """A text that was cut into passages before, cut in the same way."""
    from quire.text.indexing import Prepared

    document = Document(text=row.text, language=row.language, marks=row.marks, warnings=row.warnings)
    return Prepared.again(document, title, row.hash, [(span.start, span.end, span.place) for span in row.passages])


def _put_version(row: VersionRow, into: Into) -> Iterator[Step]:
    """The text, and its passages a few at a time. Nobody sees the notebook meanwhile, so none of them is hidden."""
    prepared = prepared_again(row, into.titles[row.source_id])
    if row.passages:
        into.languages[row.source_id] = row.language
    yield Step(STEP, lambda tx: put_text(tx, row.source_id, row.version, prepared, row.created_at))

    def passages(tx: Tx, start: int) -> None:
        cut = prepared.passages[start : start + STEP]
        put_passages(tx, into.index, into.notebook_id, row.source_id, row.version, prepared, cut, {})

    for start in range(0, len(row.passages), STEP):
        yield Step(STEP, partial(passages, start=start))


def _labels(tx: Tx, whose: Whose) -> Iterator[LabelRow]:
    under = members(tx, whose.notebook_id)
    for row in paged(tx, "labels_of", notebook_id=whose.notebook_id):
        columns = {name: row[name] for name in ("id", "name", "emoji", "created_at", "updated_at")}
        yield LabelRow(**columns, generated=bool(row["generated"]), source_ids=under.get(row["id"], []))


def _put_label(row: LabelRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        values = row.model_dump(exclude={"source_ids", "generated"})
        tx.run("insert_moved_label", notebook_id=into.notebook_id, generated=int(row.generated), **values)
        for source_id in row.source_ids:
            tx.run("add_to_label", id=row.id, source_id=source_id)

    return one_step(work, 1 + len(row.source_ids))


def _in_index(row: SourceRow) -> tuple[str, str | None]:
    return row.title, f"sources/{row.id}/{row.version}.md" if row.version else None


SOURCES = Part("sources", SourceRow, _sources, _put_source, listed=("Sources", _in_index))
VERSIONS = Part("versions", VersionRow, _versions, _put_version, text=("text", version_file))
LABELS = Part("labels", LabelRow, _labels, _put_label)
