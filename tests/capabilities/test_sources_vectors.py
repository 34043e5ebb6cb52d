"""Vectors of passages that were added before there was an embedder for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.adapters.model_files import ModelFolder
from quire.entry.bootstrap import build
from quire.entry.settings import load

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not ModelFolder().runs("minilm"), reason="the model minilm is not here"),
]


async def test_sources_get_their_vectors_when_an_embedder_comes_later(tmp_path: Path, shared_store: str) -> None:
    where = {"home": tmp_path / "home", "store": shared_store}
    async with build(load({**where, "embedder": "none"}, {})) as library:
        notebook = await library.notebooks.create("Animals")
        english = await library.sources.add(notebook.id, "text", text="The feline slept on the warm windowsill.")
        await library.sources.add(notebook.id, "text", text="Кошка спала на тёплом подоконнике весь день.")
        assert await library.engine.source_vectors.mend() == 0
    async with build(load({**where, "embedder": "minilm"}, {})) as library:
        assert await library.engine.source_vectors.mend() == (2 if ModelFolder().runs("multilingual") else 1)
        assert await library.engine.source_vectors.mend() == 0
        while await library.engine.workers.take():
            pass
        # A notebook with vectors for other languages has them for all its sources.
        assert await library.engine.source_vectors.mend() == int(ModelFolder().runs("multilingual"))
        while await library.engine.workers.take():
            pass
        assert await library.engine.source_vectors.mend() == 0
        (hit, *_) = await library.sources.search(notebook.id, "cat")
        assert hit.passage.source_id == english.id
        assert hit.similarity is not None
