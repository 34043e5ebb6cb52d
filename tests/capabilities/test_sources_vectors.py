"""Vectors of passages that were added before there was an embedder for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopback import loopback, page
from quire import Library
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


async def test_after_a_change_of_the_embedder_answers_stay_and_all_is_embedded_anew(
    tmp_path: Path, shared_store: str
) -> None:
    """From this machine's embedder to one at an address, and back."""
    where = {"home": tmp_path / "home", "store": shared_store}
    question = "How old can a tortoise get?"
    async with build(load({**where, "embedder": "minilm"}, {})) as library:
        notebook = await library.notebooks.create("Animals")
        for text in ("A tortoise can become 150 years old.", "The feline slept on the warm windowsill."):
            await library.sources.add(notebook.id, "text", text=text)
        before = await library.chat.ask(notebook.id, question)
        assert await vectors(library) == ("ok", "2 of 2 passages have theirs, by minilm-l6-int8")
    async with loopback() as server:
        answered = {"data": [{"index": 0, "embedding": [1.0, 0.5]}]}
        server.paths["/v1/embeddings"] = page(json.dumps(answered).encode(), media_type="application/json")
        other = {"embedder": "nomic", "embedder_url": server.url("/v1")}
        async with build(load({**where, **other}, {})) as library:
            # Nothing is embedded yet, then the first source of two is, then both.
            assert await library.engine.source_vectors.mend() == 2
            for made in (0, 1, 2):
                answer = await library.chat.ask(notebook.id, question)
                assert (answer.text, answer.warnings) == (before.text, [])
                state, detail = await vectors(library)
                assert (state, detail.startswith(f"{made} of 2 ")) == ("ok" if made == 2 else "note", True)
                assert await library.engine.workers.take() == (made < 2)
            jobs = [job for job in (await library.jobs.list(notebook.id)).items if job.kind == "embed_source"]
            assert [(job.state, job.done, job.total) for job in jobs[:2]] == [("done", 1, 1)] * 2
    async with build(load({**where, "embedder": "minilm"}, {})) as library:
        # What was made before is still there.
        assert await library.engine.source_vectors.mend() == 0
        assert (await library.chat.ask(notebook.id, question)).text == before.text


async def vectors(library: Library) -> tuple[str, str]:
    """What `quire doctor` tells of them."""
    (check,) = [one for one in await library.engine.examine() if one.name == "vectors"]
    return check.state, check.detail.partition(" and use-")[0].rstrip(".")
