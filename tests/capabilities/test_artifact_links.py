"""Addresses of files end with what they hang on; an edit that fails costs nothing; a title is in the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel
from trials import on_one_store

from quire.adapters.artifact_files import FileMakers
from quire.api.context import Context
from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.errors import NotAllowed, QuireError
from quire.domain.sharing import Actor
from quire.local.workers import ANYTHING
from quire.ports.artifact_files import Progress
from variants import with_parts

pytestmark = pytest.mark.anyio

FERRY = "The ferry crosses the sound in nine minutes. Two captains share the night watch on the ferry."
REFUSED = "cannot be rendered"


class Fragile(FileMakers):
    """What makes files, unless they are to say a certain thing."""

    def make(self, kind: str, format: str, content: BaseModel, path: Path, progress: Progress) -> None:
        if format == "html" and REFUSED in content.model_dump_json():
            raise QuireError("The printer is on fire.")
        super().make(kind, format, content, path, progress)


async def report(library: Library, **more: str) -> tuple[str, Artifact]:
    id = (await library.notebooks.create("Ferry")).id
    await library.sources.add(id, "text", text=FERRY, title="Ferry")
    return id, await library.artifacts.generate(id, "report", **more)  # type: ignore[arg-type]


async def read(library: Library, url: str | None) -> bytes:
    return await (await library.engine.linked((url or "").rpartition("/")[2])).read()


async def test_a_link_ends_with_its_artifact_and_leads_to_its_present_file(library: Library) -> None:
    id, made = await report(library)
    link = (await library.artifacts.share(id, made.id, "md")).url
    hour = (await library.artifacts.download(id, made.id, "md")).url
    assert await read(library, link) == await read(library, hour)
    content = (await library.artifacts.get_content(id, made.id)).content
    content["title"] = "Another title"
    await library.artifacts.edit(id, made.id, json.dumps(content))
    assert b"Another title" in await read(library, link)
    await library.artifacts.delete(id, made.id)
    for ended in (link, hour):
        with pytest.raises(NotAllowed, match="ended"):
            await read(library, ended)


async def test_a_link_ends_with_the_token_and_the_role_of_who_made_it(library: Library) -> None:
    id, made = await report(library)
    ada = await library.people.add("Ada", "ada@example.com")
    await library.sharing.add_user(id, "ada@example.com", "editor")
    tokens = [await library.people.create_token(ada.id, label=label) for label in ("phone", "desk")]
    phone, desk = (library.within(Context(actor=Actor(id=ada.id), door="http", token_id=token.id)) for token in tokens)
    of_phone = (await phone.artifacts.share(id, made.id)).url
    of_desk = (await desk.artifacts.share(id, made.id)).url
    hour = (await phone.artifacts.download(id, made.id)).url
    assert await read(library, of_phone) == await read(library, of_desk) == await read(library, hour)
    await library.people.revoke_token(tokens[0].id)
    for ended in (of_phone, hour):
        with pytest.raises(NotAllowed, match="ended"):
            await read(library, ended)
    assert await read(library, of_desk)
    await library.sharing.remove_user(id, "ada@example.com")
    with pytest.raises(NotAllowed, match="ended"):
        await read(library, of_desk)


async def test_an_exports_address_ends_with_the_token_it_was_asked_with(library: Library) -> None:
    ada = await library.people.add("Ada", "ada@example.com")
    token = await library.people.create_token(ada.id, label="desk")
    hers = library.within(Context(actor=Actor(id=ada.id), door="http", token_id=token.id))
    await hers.notes.create(title="Tide", content="At noon")
    job = await hers.notes.export()
    assert job.file is not None
    assert await read(library, job.file.url)
    await library.people.revoke_token(token.id)
    with pytest.raises(NotAllowed, match="ended"):
        await read(library, job.file.url)


@on_one_store
async def test_an_edit_that_fails_leaves_what_was_there(library: Library) -> None:
    library = with_parts(library, artifact_files=Fragile(lambda extra: True))
    id, made = await report(library)
    before = await (await library.artifacts.download(id, made.id, "md")).read()
    content = (await library.artifacts.get_content(id, made.id)).content
    with pytest.raises(QuireError, match="on fire"):
        await library.artifacts.edit(id, made.id, json.dumps(content | {"title": REFUSED}))
    after = await library.artifacts.get(id, made.id)
    assert (after.state, after.formats, after.error) == ("ready", made.formats, None)
    assert "The last edit could not be made into files" in after.warnings[-1]
    assert "on fire" in after.warnings[-1]
    assert (await library.artifacts.get_content(id, made.id)).content == content
    assert await (await library.artifacts.download(id, made.id, "md")).read() == before
    good = await library.artifacts.edit(id, made.id, json.dumps(content | {"title": "Good"}))
    assert b"Good" in await (await library.artifacts.download(id, made.id, "md")).read()
    assert good.warnings == made.warnings


@on_one_store
@pytest.mark.parametrize("kind", ["report", "quiz", "flashcards", "mind_map", "data_table"])
async def test_the_title_somebody_gave_is_in_the_files(library: Library, kind: str) -> None:
    id = (await library.notebooks.create("Ferry")).id
    text = (
        f"# Ferry\n\n{FERRY} The harbour was built in 1904 by Ada Berg.\n\n| Pier | Depth |\n| --- | --- |\n| A | 4 |\n"
    )
    await library.sources.add(id, "text", text=text, title="Ferry")
    made = await library.artifacts.generate(id, kind, title="Over the sound")  # type: ignore[arg-type]
    content = (await library.artifacts.get_content(id, made.id)).content
    assert content["title"] == "Over the sound"
    if kind != "data_table":
        assert b"Over the sound" in await (await library.artifacts.download(id, made.id, "html")).read()


@on_one_store
async def test_an_edit_that_is_cancelled_leaves_what_was_there(library: Library) -> None:
    id, made = await report(library)
    content = (await library.artifacts.get_content(id, made.id)).content
    begun = await library.artifacts.edit(id, made.id, json.dumps(content | {"title": "Other"}), wait=False)
    assert begun.state == "pending"
    assert begun.job_id is not None
    await library.jobs.cancel(begun.job_id)
    after = await library.artifacts.get(id, made.id)
    assert (after.state, after.formats, after.error) == ("ready", made.formats, None)
    assert (await library.artifacts.get_content(id, made.id)).content == content
    assert b"Other" not in await (await library.artifacts.download(id, made.id)).read()


@on_one_store
async def test_an_edited_artifact_has_no_file_of_what_it_said_before(library: Library) -> None:
    id = (await library.notebooks.create("Ferry")).id
    await library.sources.add(id, "text", text=FERRY, title="Ferry")
    made = await library.artifacts.generate(id, "infographic")
    before = await (await library.artifacts.download(id, made.id, "pdf")).read()
    content = (await library.artifacts.get_content(id, made.id)).content
    await library.artifacts.edit(id, made.id, json.dumps(content | {"title": "Over the sound"}))
    assert await (await library.artifacts.download(id, made.id, "pdf")).read() != before


@on_one_store
async def test_an_edit_cannot_bring_its_own_proof(library: Library) -> None:
    id, made = await report(library)
    content = (await library.artifacts.get_content(id, made.id)).content
    first = content["sections"][0]["blocks"][0]["items"][0]["statement"]
    first["text"] = first["grounds"][0]["excerpt"] = "The ferry sank."
    edited = await library.artifacts.edit(id, made.id, json.dumps(content))
    assert any("not borne out" in one for one in edited.warnings)
    kept = (await library.artifacts.get_content(id, made.id)).content
    assert kept["sections"][0]["blocks"][0]["items"][0]["statement"]["verified"] is False


@on_one_store
async def test_nobody_waits_for_all_that_another_has_asked_for(library: Library) -> None:
    ada = library.as_actor(await library.people.add("Ada", "ada@example.com"))
    mine = (await report(library))[0]
    hers = (await ada.notebooks.create("Hers")).id
    await ada.sources.add(hers, "text", text=FERRY, title="Ferry")
    asked = [await library.artifacts.generate(mine, "report", wait=False) for _ in range(3)]
    other = await ada.artifacts.generate(hers, "report", wait=False)
    claimed = [await library.engine.workers._claim("", ANYTHING) for _ in range(4)]
    order = [row["id"] for row in claimed if row is not None]
    assert order == [asked[0].job_id, other.job_id, asked[1].job_id, asked[2].job_id]
