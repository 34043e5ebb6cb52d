"""Contract 5: labels and collections, as a client of NotebookLM changes them and as the library does, both ways."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from contracts.rows import proves
from quire.api.library import Library
from quire.domain.errors import QuireError
from quire.domain.sharing import Actor, Role
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.local.people import add_person
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.labels import COLLECTION, Label, NewLabel
from quire.notebooklm.server import result_of
from quire.notebooklm.server.wire_call import WireCall

pytestmark = pytest.mark.anyio

APPLES = "An apple tree bears apples in autumn. Apples from the orchard are pressed into cider."
CIDER = "Cider is made of apples. The orchard's apple trees were planted for cider."
SHIPS = "The harbour holds forty ships. Sailors mend the sails of each ship in the harbour."
SAILS = "A ship leaves the harbour under sails; her sailors watch the wind in the sails."


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as made:
        yield made


class Wire:
    """Calls of a client, through the templates of requests and answers."""

    def __init__(self, library: Library, notebook: str | None = None) -> None:
        self.library = library
        self.about: dict[str, Any] = {"notebook_id": notebook} if notebook else {"type": COLLECTION}

    async def result(self, called: str, /, **names: Any) -> Any:
        method = BY_NAME[called]
        request = RpcRequest(method.id, method.encode_request(self.about | names))
        return await result_of(WireCall(self.library), request)

    async def call(self, called: str, /, **names: Any) -> Any:
        return BY_NAME[called].decode_response(await self.result(called, **names))


async def notebook_of(library: Library, *texts: str) -> tuple[str, list[str]]:
    notebook = (await library.notebooks.create("Topics")).id
    return notebook, [(await library.sources.add_text(notebook, "", text)).id for text in texts]


@proves("C5-LBL-01", "C5-LBL-02", "C5-LBL-05", "C5-LBL-07", "C5-LBL-08")
async def test_labels_are_changed_on_the_wire_and_in_the_library_alike(library: Library) -> None:
    notebook, (apples, ships) = await notebook_of(library, APPLES, SHIPS)
    wire = Wire(library, notebook)
    assert await wire.result("CREATE_LABEL", labels=(NewLabel("", ""),)) == [
        None,
        [["New Label", None, (await library.labels.list(notebook))[0].id, ""]],
    ]
    (made,) = await library.labels.list(notebook)
    assert (made.name, made.emoji, made.source_ids) == ("New Label", None, [])
    assert await wire.result("UPDATE_LABEL", label_id=made.id, name="Fruit", emoji="🍎") == []
    await wire.call("UPDATE_LABEL", label_id=made.id, add_sources=(apples,))
    assert await wire.result("LIST_LABELS") == [[["Fruit", [[apples]], made.id, "🍎"]]]
    await library.labels.add_sources(notebook, made.id, [ships])
    await library.labels.rename(notebook, made.id, "Things")
    assert await wire.call("LIST_LABELS") == (Label(made.id, "Things", (apples, ships), "🍎"),)
    await wire.call("UPDATE_LABEL", label_id=made.id, remove_sources=(apples,))
    await wire.call("UPDATE_LABEL", label_id=made.id, emoji="")
    label = await library.labels.get(notebook, made.id)
    assert (label.name, label.emoji, label.source_ids) == ("Things", None, [ships])
    other = await library.labels.create(notebook, "Other")
    await library.labels.add_sources(notebook, other.id, [ships])
    assert await wire.result("DELETE_LABEL", label_ids=(made.id, other.id)) == []
    assert (await library.labels.list(notebook)).items == []
    assert (await library.sources.list(notebook)).total == 2


@proves("C5-LBL-03", "C5-LBL-09")
async def test_topics_are_sorted_anew_kept_or_only_looked_at_by_the_scope(library: Library) -> None:
    notebook, ids = await notebook_of(library, APPLES, SHIPS, CIDER, SAILS)
    wire = Wire(library, notebook)
    topics = {frozenset(ids[::2]), frozenset(ids[1::2])}
    listed = await wire.call("CREATE_LABEL", scope=[])
    assert {frozenset(label.members) for label in listed} == topics
    assert await wire.call("CREATE_LABEL", scope=[]) == listed
    assert await wire.call("CREATE_LABEL", scope=[True]) == listed
    await wire.call("DELETE_LABEL", label_ids=(listed[0].id,))
    assert await wire.call("CREATE_LABEL", scope=[]) == listed[1:]
    again = await wire.call("CREATE_LABEL", scope=[0])
    assert {frozenset(label.members) for label in again} == topics
    assert listed[1] in again
    assert await wire.call("CREATE_LABEL", scope=[1]) == again


@proves("C5-LBL-03")
async def test_labels_by_hand_are_listed_as_they_are_by_whoever_only_looks(library: Library) -> None:
    notebook, _ = await notebook_of(library, APPLES, SHIPS, CIDER, SAILS)
    mine = await library.labels.create(notebook, "Mine")
    assert [label.id for label in await Wire(library, notebook).call("CREATE_LABEL", scope=[])] == [mine.id]
    await library.labels.delete(notebook, [mine.id])

    def join(tx: Any) -> None:
        add_person(tx, "guest", "A guest", None, 0)
        tx.run("insert_member", notebook_id=notebook, person_id="guest", role=int(Role.VIEWER))

    await library.engine.system.write(join)
    reader = Wire(library.as_actor(Actor(id="guest")), notebook)
    assert await reader.call("CREATE_LABEL", scope=[]) == ()
    with pytest.raises(QuireError, match="role editor"):
        await reader.call("CREATE_LABEL", scope=[True])


@proves("C5-LBL-10")
async def test_collections_are_labels_without_a_notebook(library: Library) -> None:
    one, two = [(await library.notebooks.create(title)).id for title in ("One", "Two")]
    wire = Wire(library)
    assert await wire.call("LIST_LABELS") == ()
    await wire.call("CREATE_LABEL", labels=(NewLabel("Garden"),))
    (made,) = await library.collections.list()
    assert (made.name, made.notebook_ids) == ("Garden", [])
    assert await wire.result("LIST_LABELS") == [None, [["Garden", None, made.id, ""]]]
    await wire.call("UPDATE_LABEL", label_id=made.id, add_notebooks=(two,))
    await library.collections.add_notebooks(made.id, [one])
    await wire.call("UPDATE_LABEL", label_id=made.id, name="Yard", emoji="🌳")
    assert await wire.result("LIST_LABELS") == [None, [["Yard", [one, two], made.id, "🌳"]]]
    await wire.call("UPDATE_LABEL", label_id=made.id, remove_notebooks=(one,))
    assert (await library.collections.get(made.id)).notebook_ids == [two]
    await wire.call("DELETE_LABEL", label_ids=(made.id,))
    assert (await library.collections.list()).items == []
    assert {notebook.title for notebook in await library.notebooks.list()} >= {"One", "Two"}
