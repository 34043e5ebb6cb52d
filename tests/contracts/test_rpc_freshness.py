"""Contract 5: whether a source is still what it came from, as a client of NotebookLM asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contracts.rows import proves
from quire.api.library import Library
from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.server import result_of
from quire.notebooklm.server.wire_call import WireCall

pytestmark = pytest.mark.anyio


async def called(library: Library, name: str, source_id: str) -> Any:
    method = BY_NAME[name]
    request = RpcRequest(method.id, method.encode_request({"source_id": source_id}))
    return await result_of(WireCall(library), request)


@proves("C5-REF-04")
async def test_a_file_that_changes_is_stale_until_it_is_refreshed(tmp_path: Path) -> None:
    file = tmp_path / "bees.md"
    file.write_text("Bees make honey.")
    async with build(load({"home": tmp_path / "home", "store": "memory", "embedder": "none"}, {})) as library:
        source = await library.sources.add_file(None, Upload.of(file))
        assert await called(library, "CHECK_SOURCE_FRESHNESS", source.id) == [[None, True, [source.id]]]
        file.write_text("Bees make wax.")
        assert await called(library, "CHECK_SOURCE_FRESHNESS", source.id) == [[None, False, [source.id]]]
        await called(library, "REFRESH_SOURCE", source.id)
        await library.sources.wait(None, source.id)
        assert await called(library, "CHECK_SOURCE_FRESHNESS", source.id) == [[None, True, [source.id]]]
        assert (await library.sources.get_fulltext(None, source.id)).text == "Bees make wax."
