"""Passages of sources: put down many at a time, and read as they were."""

from __future__ import annotations

import pytest
from filled import add_notebook, add_source, index_of

from quire.domain.documents import Document, Mark
from quire.domain.passages import Passage
from quire.local.source_versions import BATCH, drop_version, put_version
from quire.local.stored_passages import StoredPassages
from quire.ports.store import Store, Tx
from quire.text.indexing import Prepared

pytestmark = pytest.mark.anyio

ODD = 'Tab\tand "quotes" and \\ and \'these\' and [1, {"a": null}], 港口 \N{CAT FACE} \u2028 \x7f :name %s'
PASSAGES = StoredPassages()


def put(tx: Tx, store: Store, document: Document, title: str, version: int = 1) -> Prepared:
    prepared = Prepared(document, title)
    put_version(tx, index_of(store), "n", title, version, prepared, 0)
    tx.run("settle_source", id=title, version=version, title=title, kind="text", at=0)
    return prepared


async def test_many_passages_have_numbers_in_their_order_and_are_read_as_they_were(store: Store) -> None:
    count = 2 * BATCH + 3
    paragraphs = [f"{number} {ODD}" for number in range(count)]
    text = "\n\n".join(paragraphs)
    marks = [Mark(offset=text.index(f"{number} Tab"), kind="page", label=str(number)) for number in range(count)]

    def work(tx: Tx) -> tuple[Prepared, list[Passage]]:
        add_notebook(tx, "n")
        add_source(tx, "n", "Log")
        prepared = put(tx, store, Document(text=text, marks=marks, language="en"), "Log")
        return prepared, PASSAGES.first_of(tx, ["Log"], each=10 * count)

    prepared, kept = await store.write(work)
    assert len(kept) == count
    assert [(one.start, one.end, one.place, one.text) for one in kept] == [
        (cut.start, cut.end, cut.place, cut.text) for cut in prepared.passages
    ]
    assert sorted(one.id for one in kept) == [one.id for one in kept]
    assert {(one.source_id, one.source_title, one.version, one.language) for one in kept} == {("Log", "Log", 1, "en")}
    assert await store.read(lambda tx: PASSAGES.marks(tx, "Log", 1)) == marks


async def test_sources_are_told_by_titles_and_first_passages_of_the_version_in_force(store: Store) -> None:
    def work(tx: Tx) -> None:
        add_notebook(tx, "n")
        for title in ("B", "A", "Empty"):
            add_source(tx, "n", title)
        for title in ("B", "A"):
            put(tx, store, Document(text=f"Old {title}."), title)
        put(tx, store, Document(text=""), "Empty")
        put(tx, store, Document(text="New A."), "A", version=2)

    await store.write(work)
    assert await store.read(lambda tx: PASSAGES.titles(tx, "n", limit=5)) == {"B": "B", "A": "A"}
    assert await store.read(lambda tx: PASSAGES.titles(tx, "n", limit=1)) == {"B": "B"}
    first = await store.read(lambda tx: PASSAGES.first_of(tx, ["A", "B", "gone"], each=2))
    assert [one.text for one in first] == ["New A.", "Old B."]
    numbers = [one.id for one in first]
    await store.write(lambda tx: drop_version(tx, index_of(store), "n", "B", 1))
    assert (await store.read(lambda tx: PASSAGES.by_number(tx, numbers))).keys() == {numbers[0]}
    assert await store.read(lambda tx: PASSAGES.marks(tx, "B", 1)) == []
