"""Copies and recent notebooks, as a client of NotebookLM asks for them."""

from __future__ import annotations

from pathlib import Path

from through_proxy import proxied


def test_notebooks_and_sources_are_copied_and_recent_ones_taken_out(tmp_path: Path) -> None:
    with proxied(tmp_path) as place:
        client, library = place.speaker(), place.server.library
        notebook = client.call("CREATE_NOTEBOOK", title="Orchard").id
        source = place.server.run(library.sources.add_text(notebook, "Apples", "Apples grow on trees.")).id
        twin = client.call("COPY_NOTEBOOK", notebook_id=notebook, title="Twin")
        assert twin.title == "Twin"
        (copied,) = client.call("GET_NOTEBOOK", notebook_id=twin.id).sources
        assert (copied.title, copied.id == source) == ("Apples", False)
        (again,) = client.call("COPY_SOURCES", source_ids=(source,), notebook_id=twin.id)
        assert (again.original_id, again.source.title) == (source, "Apples")
        assert len(client.call("GET_NOTEBOOK", notebook_id=twin.id).sources) == 2
        assert client.status("COPY_NOTEBOOK", notebook_id="missing", title="Twin") == 5
        assert client.status("COPY_SOURCES", source_ids=("missing",), notebook_id=twin.id) == 5

        def viewed() -> dict[str, bool]:
            return {row.title: row.viewed_at is not None for row in client.call("LIST_NOTEBOOKS")}

        assert viewed()["Twin"]
        client.call("REMOVE_RECENTLY_VIEWED", notebook_id=twin.id)
        assert viewed() | {"Inbox": False} == {"Twin": False, "Orchard": True, "Inbox": False}
        client.call("GET_NOTEBOOK", notebook_id=twin.id)
        assert viewed()["Twin"]
