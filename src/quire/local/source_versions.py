"""Versions of a source's text, each of which becomes searchable at once, or is taken away at once.

A short text is put into the index in one transaction. A long one comes in steps, so that others can write in
between: its passages are hidden until the last step shows them all, and hides those of the version before.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from quire.local.job_run import Run
from quire.local.source_rows import hold_source
from quire.ports.search import Index
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text.indexing import CutPassage, Prepared

# So many passages go into one statement.
BATCH = 500
# So many passages of a long text go into one transaction: a tenth of a second.
STEP = 100


class Write(Protocol):
    def __call__(self, work: Callable[[Tx], Any], /) -> Awaitable[Any]: ...


def put_version(
    tx: Tx, index: Index, notebook_id: str, source_id: str, version: int, prepared: Prepared, at: int
) -> None:
    """Makes `version` the one in force: text, passages and full text in one transaction.

    Vectors of passages that did not change are kept; of the version before only a text that is cited stays.
    """
    old = _by_hash(tx, source_id, version - 1)
    put_text(tx, source_id, version, prepared, at)
    put_passages(tx, index, notebook_id, source_id, version, prepared, prepared.passages, old)
    _replace(tx, index, notebook_id, source_id, version)


async def put_in_steps(run: Run, index: Index, source_id: str, version: int, prepared: Prepared) -> None:
    """Puts a long text's passages into the index, hidden. Goes on where an attempt at the same text has stopped."""

    def begin(tx: Tx) -> int:
        hold_source(tx, run.notebook_id, source_id)
        known = tx.one("hidden_version", source_id=source_id, version=version)
        if known is not None and known["hash"] == prepared.hash:
            return _count(tx, source_id, version)
        if known is not None:
            return -1
        _hide(tx, source_id, version, prepared.hash)
        return 0

    begun = await run.write(begin)
    if begun < 0:
        await take_away_hidden(run.write, index, source_id)
        begun = await run.write(begin)
    old = await run.read(lambda tx: _by_hash(tx, source_id, version - 1))
    total = len(prepared.passages)
    for start in range(begun, total, STEP):
        passages = prepared.passages[start : start + STEP]

        def step(tx: Tx, passages: Sequence[CutPassage] = passages) -> None:
            hold_source(tx, run.notebook_id, source_id)
            put_passages(tx, index, run.notebook_id, source_id, version, prepared, passages, old)

        await run.advance(start + len(passages), total, "indexing", str(start), step)


def publish(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int, prepared: Prepared, at: int) -> None:
    """Shows a version whose passages are all in the index, and hides the one before, which is then to be taken away."""
    put_text(tx, source_id, version, prepared, at)
    tx.run("show_version", source_id=source_id, version=version)
    _replace(tx, index, notebook_id, source_id, version)


async def take_away_hidden(write: Write, index: Index, source_id: str) -> None:
    """Takes the passages of a source's hidden versions out of the index, a step at a time."""

    def step(tx: Tx) -> bool:
        hidden = tx.one("hidden_version_of", source_id=source_id)
        if hidden is None:
            return False
        which = {"source_id": source_id, "version": hidden["version"]}
        rows = tx.all("some_passages_of_version", limit=STEP, **which)
        if rows:
            take_away_passages(tx, index, rows)
        else:
            tx.run("show_version", **which)
        return True

    while await write(step):
        pass


def take_away_passages(tx: Tx, index: Index, rows: Sequence[Row]) -> None:
    """Takes these passages away, with their words and vectors."""
    for notebook_id in {row["notebook_id"] for row in rows}:
        index.remove(tx, notebook_id, [row["seq"] for row in rows if row["notebook_id"] == notebook_id])
    tx.run("delete_passages_by_seq", seqs=json.dumps(_numbers(rows)))


def drop_source(tx: Tx, index: Index, notebook_id: str, source_id: str) -> None:
    """Takes all passages of a source out of the index, hidden ones too."""
    for row in tx.all("versions_with_passages", source_id=source_id):
        drop_version(tx, index, notebook_id, source_id, row["version"])


def drop_version(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int) -> None:
    """Drops a version's passages, and its text unless an answer cites it."""
    index.remove(tx, notebook_id, _numbers(tx.all("passages_of_version", source_id=source_id, version=version)))
    tx.run("delete_passages", source_id=source_id, version=version)
    tx.run("drop_uncited_version", source_id=source_id, version=version)


def _replace(tx: Tx, index: Index, notebook_id: str, source_id: str, version: int) -> None:
    """Has nothing found any more in the version before; where that is a long one, it is then to be taken away."""
    old = version - 1
    if old:
        if _count(tx, source_id, old) > STEP:
            _hide(tx, source_id, old)
            tx.run("drop_uncited_version", source_id=source_id, version=old)
        else:
            drop_version(tx, index, notebook_id, source_id, old)
    tx.run("next_generation", notebook_id=notebook_id)


def put_text(tx: Tx, source_id: str, version: int, prepared: Prepared, at: int) -> None:
    document = prepared.document
    tx.run(
        "insert_source_version",
        source_id=source_id,
        version=version,
        hash=prepared.hash,
        text=document.text,
        marks=json.dumps([mark.model_dump() for mark in document.marks]),
        language=prepared.language,
        warnings=json.dumps(document.warnings),
        characters=len(document.text),
        passages=len(prepared.passages),
        at=at,
    )


def put_passages(
    tx: Tx,
    index: Index,
    notebook_id: str,
    source_id: str,
    version: int,
    prepared: Prepared,
    passages: Sequence[CutPassage],
    old: dict[str, int],
) -> None:
    """Puts passages into the index, with the vectors of those that were there before in the same words."""
    numbers = insert_passages(tx, notebook_id, source_id, version, passages)
    same = [(number, old[one.hash]) for number, one in zip(numbers, passages, strict=True) if one.hash in old]
    if same:
        tx.run("keep_vectors", same=json.dumps(same))
    words = (passage.words for passage in passages)
    index.add(
        tx, notebook_id, [(number, prepared.title_words, own) for number, own in zip(numbers, words, strict=True)]
    )


def insert_passages(
    tx: Tx, notebook_id: str, source_id: str, version: int, passages: Sequence[CutPassage]
) -> list[int]:
    """The numbers that the passages got, in their order."""
    numbers: list[int] = []
    for start in range(0, len(passages), BATCH):
        values = [
            (passage.start, passage.end, passage.place.model_dump_json(exclude_none=True), passage.text, passage.hash)
            for passage in passages[start : start + BATCH]
        ]
        rows = tx.all(
            "insert_passages",
            notebook_id=notebook_id,
            source_id=source_id,
            version=version,
            passages=json.dumps(values, ensure_ascii=False),
        )
        # A database returns them in any order.
        numbers += sorted(_numbers(rows))
    return numbers


def index_again(tx: Tx, index: Index) -> None:
    """Gives full text to notebooks whose passages have none that is counted, as in early stores."""
    for notebook in tx.all("uncounted_notebooks"):
        from quire.text.words import tokens

        of = {"notebook_id": notebook["notebook_id"], "limit": BATCH}
        index.drop(tx, of["notebook_id"])
        after = 0
        while rows := tx.all("passages_to_index", **of, after=after):
            after = rows[-1]["seq"]
            cut = [[" ".join(tokens(row[part], row["language"])) for part in ("title", "text")] for row in rows]
            index.add(tx, of["notebook_id"], [(row["seq"], *words) for row, words in zip(rows, cut, strict=True)])


def _hide(tx: Tx, source_id: str, version: int, hash: str | None = None) -> None:
    tx.run("hide_version", source_id=source_id, version=version, hash=hash)


def _count(tx: Tx, source_id: str, version: int) -> int:
    row = tx.one("count_passages_of_version", source_id=source_id, version=version)
    return int(row["total"]) if row else 0


def _by_hash(tx: Tx, source_id: str, version: int) -> dict[str, int]:
    """The numbers of a version's passages, by the hash of their words."""
    return {row["hash"]: row["seq"] for row in tx.all("passages_of_version", source_id=source_id, version=version)}


def _numbers(rows: Sequence[Row]) -> list[int]:
    return [row["seq"] for row in rows]
