"""Sources, uploads and the chat over NotebookLM's protocol."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest

from pages import serving_pages
from quire.domain.errors import LimitReached, QuireError
from quire.domain.files import Upload
from quire.domain.sharing import Actor
from quire.local.people import add_person
from quire.notebooklm.codes import ChatGoal, ChatLength, NoteKind, SourceKind, SourceState, TurnRole
from quire.notebooklm.envelope import reply_to
from quire.notebooklm.marks import unmarked
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.notebooks import ChatSettings
from quire.notebooklm.methods.source_rows import DriveFile, NewSource, PastedText
from quire.notebooklm.server.sources import document_of
from quire.notebooklm.stream import CHAT_PATH, Chunk, answer_in, ask_body
from quire.notebooklm.upload import Announced, start_body, start_headers
from quire.ports.machine import Purpose
from serving import until
from through_proxy import APP, Proxied, Speaker, proxied

APPLES = "🍎 first.\n\nA standard apple tree reaches a height of two to four and a half metres. It blooms in spring."
PEARS = "Pears ripen off the tree. A pear tree can live for a hundred years."
PAGE = "<!doctype html><title>Plums</title><article><p>Plums are drupes with one hard stone inside.</p></article>"


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    with serving_pages() as pages:
        yield pages.put("/plums.html", PAGE)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    with proxied(tmp_path_factory.mktemp("home"), fetch_allow="127.0.0.1", upload_limit=100_000) as made:
        yield made


@pytest.fixture
def client(place: Proxied) -> Speaker:
    return place.speaker()


@pytest.fixture
def notebook(client: Speaker) -> str:
    made: str = client.call("CREATE_NOTEBOOK", title="Orchard").id
    return made


def paste(client: Speaker, notebook: str, title: str, content: str) -> str:
    entry = NewSource(pasted=PastedText(title, content), text_code=2)
    (source,) = client.call("ADD_SOURCE", notebook_id=notebook, sources=(entry,))
    return str(source.id)


def ask(client: Speaker, *, page: str = "/", token: str | None = None, **names: Any) -> httpx.Response:
    body = ask_body(names, client.token if token is None else token)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return client.http.post(CHAT_PATH, params={"source-path": page}, content=body, headers=headers)


def answered(client: Speaker, **names: Any) -> Chunk:
    response = ask(client, **names)
    assert response.status_code == 200
    return answer_in(response.text)


def test_a_pasted_text_is_added_listed_renamed_and_deleted(client: Speaker, notebook: str) -> None:
    source = paste(client, notebook, "Pears", PEARS)
    (row,) = client.call("GET_NOTEBOOK", notebook_id=notebook).sources
    assert (row.id, row.title, row.kind, row.state) == (source, "Pears", SourceKind.TEXT, SourceState.READY)
    assert row.characters == len(PEARS)
    page = f"/notebook/{notebook}"
    client.call("UPDATE_SOURCE", page, source_id=source, title="Pyrus")
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).sources[0].title == "Pyrus"
    (listed,) = [row for row in client.call("LIST_NOTEBOOKS") if row.id == notebook]
    assert len(listed.sources) == 1
    client.call("DELETE_SOURCE", page, source_ids=(source,))
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).sources == ()


def test_the_notebook_of_the_page_must_be_the_sources_own(client: Speaker, notebook: str) -> None:
    source = paste(client, notebook, "Pears", PEARS)
    other = client.call("CREATE_NOTEBOOK", title="Other").id
    assert client.status("DELETE_SOURCE", f"/notebook/{other}", source_ids=(source,)) == 5
    assert client.status("GET_SOURCE", f"/notebook/{other}", source_id=source, format=2) == 5
    assert client.call("GET_SOURCE", source_id=source, format=2).source.id == source


def test_a_page_is_fetched_and_of_several_those_that_fail_are_left_out(
    client: Speaker, notebook: str, page: str
) -> None:
    good, bad = NewSource(url=page), NewSource(url="http://10.1.2.3/")
    (source,) = client.call("ADD_SOURCE", notebook_id=notebook, sources=(good,))
    assert (source.kind, source.page_url) == (SourceKind.WEB_PAGE, page)
    assert len(client.call("ADD_SOURCE", notebook_id=notebook, sources=(good, bad))) == 1
    assert client.status("ADD_SOURCE", notebook_id=notebook, sources=(bad,)) == 3


def test_what_only_google_has_is_unimplemented(client: Speaker, notebook: str) -> None:
    entry = NewSource(drive=DriveFile("file", "application/pdf", "T"))
    assert client.status("ADD_SOURCE", notebook_id=notebook, sources=(entry,)) == 12
    assert client.status("ADD_SOURCE", notebook_id=notebook, sources=(NewSource(),)) == 3


def test_a_text_is_read_as_a_document_whose_places_are_those_of_citations(client: Speaker, notebook: str) -> None:
    source = paste(client, notebook, "Apples", APPLES)
    found = client.call("GET_SOURCE", source_id=source, format=3)
    wire = APPLES.encode("utf-16-le")
    for block in found.document.blocks:
        assert wire[block.start * 2 : block.end * 2].decode("utf-16-le") == block.text
    assert found.html == "".join(f"<p>{line}</p>" for line in APPLES.split("\n") if line)
    assert client.call("GET_SOURCE", source_id=source, format=2).html is None


def test_guides_and_passages_come_from_the_sources(client: Speaker, notebook: str) -> None:
    source = paste(client, notebook, "Apples", APPLES)
    paste(client, notebook, "Pears", PEARS)
    assert "apple tree" in client.call("GET_SOURCE_GUIDE", source_id=source).summary
    assert "tree" in client.call("SUMMARIZE", notebook_id=notebook).summary
    found = client.call("RETRIEVE_RELEVANT_CHUNKS", notebook_id=notebook, query="apple height", source_ids=(source,))
    assert [group.source_id for group in found] == [source]
    passage = found[0].passages[0]
    wire = APPLES.encode("utf-16-le")
    assert passage.rank == 1
    assert wire[passage.start * 2 : passage.end * 2].decode("utf-16-le") == passage.text
    assert all(step.question for step in client.call("SUGGEST_NEXT_STEPS", notebook_id=notebook))


def test_an_answer_is_streamed_with_citations_that_stand_where_they_say(client: Speaker, notebook: str) -> None:
    source = paste(client, notebook, "Apples", APPLES)
    answer = answered(client, notebook_id=notebook, question="How tall is a standard apple tree?")
    assert answer.final
    assert "two to four and a half metres. [1]" in (answer.text or "")
    citation, mark = answer.citations[0], answer.annotations[0]
    assert (citation.source_id, mark.chunk_id) == (source, citation.chunk_id)
    wire = APPLES.encode("utf-16-le")
    assert citation.start is not None
    assert citation.end is not None
    assert wire[citation.start * 2 : citation.end * 2].decode("utf-16-le") == citation.text
    assert answer.document is not None
    said = answer.document.text.encode("utf-16-le")
    assert "half metres" in said[mark.start * 2 : mark.end * 2].decode("utf-16-le")
    assert "[1]" not in answer.document.text


def test_an_answer_that_is_saved_as_a_note_keeps_its_passages_until_it_is_written_anew(
    place: Proxied, client: Speaker, notebook: str
) -> None:
    source = paste(client, notebook, "Apples", APPLES)
    answer = answered(client, notebook_id=notebook, question="How tall is a standard apple tree?")
    assert answer.document is not None
    words, passages = answer.document.text, answer.citations
    saved = {"content": words, "mode": NoteKind.GENERATED, "passages": passages, "document": answer.document}
    first = client.call("CREATE_NOTE", notebook_id=notebook, title="Kept at first", **saved)
    made = client.call("CREATE_NOTE", notebook_id=notebook, title="Kept", **saved)
    assert made.id == first.id
    listed = {note.id: note for note in client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes}
    for note in (made, listed[made.id]):
        assert (note.title, note.content, note.kind) == ("Kept", words, NoteKind.GENERATED)
        assert [passage.source_id for passage in note.passages] == [source] * len(passages)
        assert [passage.text for passage in note.passages] == [passage.text for passage in passages]
        assert note.document is not None
        assert note.document.text == words
    client.call("UPDATE_NOTE", notebook_id=notebook, note_id=made.id, content=words, title="Renamed")
    (kept,) = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
    assert (kept.title, kept.passages) == ("Renamed", listed[made.id].passages)
    client.call("UPDATE_NOTE", notebook_id=notebook, note_id=made.id, content="Other words", title="")
    (kept,) = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
    assert (kept.content, kept.kind, kept.passages) == ("Other words", NoteKind.WRITTEN, ())
    client.call("DELETE_NOTE", notebook_id=notebook, note_ids=(made.id,))
    assert place.server.run(place.server.library.engine.system.write(lambda tx: tx.run("release_note_blobs"))) == 0
    assert client.call("CREATE_NOTE", notebook_id=notebook, title="Kept", **saved).id != made.id


def test_a_pasted_text_is_added_to_and_keeps_its_citations(client: Speaker, place: Proxied, notebook: str) -> None:
    source = paste(client, notebook, "Pears", PEARS)
    assert client.call("APPEND_SOURCE", source_id=source, header="Unseen", body="Quinces are yellow.").id == source
    library = place.server.library
    text = place.server.run(library.sources.get_fulltext(notebook, source))
    assert (text.text, text.version) == (f"{PEARS}\n\nQuinces are yellow.", 2)
    assert "yellow" in answered(client, notebook_id=notebook, question="Which colour are quinces?").text
    assert paste(client, notebook, "Pears", PEARS) != source
    file = place.server.run(library.sources.add_file(notebook, Upload.of("Apples are round.", "a.txt")))
    for id, body, why in ((file.id, "More", "pasted"), (source, " ", "empty"), (source, "x" * 500_000, "longer")):
        status = client.reply("APPEND_SOURCE", source_id=id, header="", body=body).status
        assert status is not None
        assert why in (status.message or "")


def test_pages_are_queued_and_read_after_the_answer(place: Proxied, client: Speaker, notebook: str) -> None:
    with serving_pages() as pages:
        url = pages.put("/held.html", PAGE)
        let_go = pages.hold("/held.html")
        made = client.call("ADD_SOURCES_ASYNC", notebook_id=notebook, sources=(NewSource(url=url),))
        (queued,) = made.queued
        assert (queued.source.page_url, queued.source.state, queued.status) == (url, SourceState.PROCESSING, 0)
        let_go.set()
        read = place.server.run(place.server.library.sources.wait(notebook, queued.source.id, seconds=60))
        assert (read.state, read.error) == ("ready", None)


@pytest.mark.parametrize("marks", ["", " [1]"])
def test_an_answer_is_one_note_whether_the_page_or_a_client_saves_it(
    place: Proxied, client: Speaker, notebook: str, marks: str
) -> None:
    paste(client, notebook, "Apples", APPLES)
    server = place.server
    for first in ("page", "client"):
        answer = answered(client, notebook_id=notebook, question="How tall is a standard apple tree?")
        assert answer.document is not None
        assert answer.turn is not None
        assert answer.turn.turn_id is not None
        words = answer.document.text
        saved = {"mode": NoteKind.GENERATED, "passages": answer.citations, "document": answer.document}
        page = partial(server.library.chat.save_answer_as_note, notebook, answer.turn.turn_id)
        kept = server.run(page()).id if first == "page" else ""
        made = client.call("CREATE_NOTE", notebook_id=notebook, title="Kept", content=words + marks, **saved)
        again = server.run(page("Kept by the page"))
        assert {made.id, again.id} == {kept or made.id}
        other = client.call("CREATE_NOTE", notebook_id=notebook, title="Cut", content=words[:20], **saved)
        assert other.id != made.id
        notes = client.call("GET_NOTES_AND_MIND_MAPS", notebook_id=notebook).notes
        assert {note.title for note in notes if not note.deleted} == {"Cut", "Kept by the page"}
        client.call("DELETE_NOTE", notebook_id=notebook, note_ids=(made.id, other.id))


def test_a_conversation_goes_on_is_listed_and_deleted(client: Speaker, notebook: str) -> None:
    paste(client, notebook, "Apples", APPLES)
    (talk,) = client.call("GET_LAST_CONVERSATION_ID", notebook_id=notebook)
    assert client.call("GET_CONVERSATION_TURNS", conversation_id=talk) == ()
    question = "How tall is a standard apple tree?"
    first = answered(client, notebook_id=notebook, question=question, conversation_id=talk)
    assert first.turn is not None
    assert first.turn.session_id == talk
    again = answered(client, notebook_id=notebook, question="When does it bloom?", conversation_id=talk)
    assert again.turn is not None
    assert again.turn.session_id == talk
    assert client.call("GET_LAST_CONVERSATION_ID", notebook_id=notebook) == (talk,)
    turns = client.call("GET_CONVERSATION_TURNS", conversation_id=talk)
    assert [turn.role for turn in turns] == [TurnRole.ANSWER, TurnRole.QUESTION] * 2
    assert turns[1].question == "When does it bloom?"
    assert turns[2].answer == first.text
    client.call("DELETE_CONVERSATION", f"/notebook/{notebook}", conversation_id=talk)
    assert client.call("GET_CONVERSATION_TURNS", conversation_id=talk) == ()
    assert client.status("DELETE_CONVERSATION", conversation_id=talk) == 5
    (other,) = client.call("GET_LAST_CONVERSATION_ID", notebook_id=notebook)
    assert other != talk


def test_a_notebook_has_a_conversation_from_its_creation(client: Speaker) -> None:
    made = client.call("CREATE_NOTEBOOK", title="Fresh")
    assert len(made.conversation_ids) == 1
    for _ in range(2):
        assert client.call("GET_LAST_CONVERSATION_ID", notebook_id=made.id) == made.conversation_ids
    assert client.status("GET_LAST_CONVERSATION_ID", notebook_id="missing") == 5


def test_an_id_that_a_client_made_up_is_kept_unless_it_is_somebody_elses(place: Proxied, client: Speaker) -> None:
    library = place.server.library

    async def others() -> str:
        at = library.engine.parts.clock.now()
        await library.engine.system.write(lambda tx: add_person(tx, "ann", "Ann", None, at))
        ann = library.as_actor(Actor(id="ann", name="Ann"))
        return (await ann.chat.open_conversation((await ann.notebooks.create("Theirs")).id)).id

    theirs = place.server.run(others())
    notebook = client.call("CREATE_NOTEBOOK", title="Mine").id
    paste(client, notebook, "Apples", APPLES)
    question = "How tall is a standard apple tree?"
    for given, kept in ((str(uuid.uuid4()), True), (str(uuid.uuid4()).upper(), True), (theirs, False), ("x", False)):
        told = answered(client, notebook_id=notebook, question=question, conversation_id=given)
        assert told.turn is not None
        assert (told.turn.session_id == given) is kept
        assert len(client.call("GET_CONVERSATION_TURNS", conversation_id=told.turn.session_id)) == 2
    assert place.server.run(library.chat.list_conversations(notebook)).total == 4


def test_a_refreshed_source_is_told_wrapped_as_after_every_change(client: Speaker, notebook: str, page: str) -> None:
    """nlm counts what it refreshed by the row inside the list."""
    source = client.call("ADD_SOURCE", notebook_id=notebook, sources=(NewSource(url=page),))[0].id
    method = BY_NAME["REFRESH_SOURCE"]
    answer = client.post(method.id, method.encode_request({"source_id": source}), f"/notebook/{notebook}")
    row = reply_to(method.id, answer.text).result[0]
    assert row[0] == [source]
    assert len(row) > 3


def test_the_notebook_is_found_by_the_page_the_conversation_or_the_sources(client: Speaker, notebook: str) -> None:
    source = paste(client, notebook, "Apples", APPLES)
    question = "How tall is a standard apple tree?"
    made_up = str(uuid.uuid4())
    first = answered(client, question=question, source_ids=(source,), conversation_id=made_up)
    assert first.turn is not None
    assert first.turn.session_id == made_up
    by_talk = answered(client, question=question, conversation_id=first.turn.session_id)
    assert by_talk.text
    assert answer_in(ask(client, page=f"/notebook/{notebook}", question=question).text).text
    with pytest.raises(QuireError, match="which notebook"):
        answered(client, question=question)
    with pytest.raises(QuireError):
        answered(client, question=question, notebook_id="missing")


def test_only_the_chosen_sources_are_asked(client: Speaker, notebook: str) -> None:
    paste(client, notebook, "Apples", APPLES)
    pears = paste(client, notebook, "Pears", PEARS)
    answer = answered(client, notebook_id=notebook, question="How long can a tree live?", source_ids=(pears,))
    assert {citation.source_id for citation in answer.citations} == {pears}


def test_questions_that_cannot_be_put_are_refused(client: Speaker, notebook: str) -> None:
    assert ask(client, notebook_id=notebook, question="Why?", token="wrong").status_code == 400
    assert client.http.post(CHAT_PATH, content=b"f.req=nonsense").status_code == 400
    with pytest.raises(QuireError):
        answered(client, notebook_id=notebook, question="x" * 20_000)
    with pytest.raises(QuireError):
        answered(client, notebook_id=notebook, question="Is there anything?")


def test_chat_settings_are_kept_and_told(client: Speaker, notebook: str) -> None:
    wanted = ChatSettings(ChatGoal.CUSTOM, "Be brief", ChatLength.SHORTER)
    client.call("RENAME_NOTEBOOK", notebook_id=notebook, chat=wanted)
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).chat == wanted
    client.call("RENAME_NOTEBOOK", notebook_id=notebook, chat=ChatSettings(ChatGoal.LEARNING_GUIDE))
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).chat.goal is ChatGoal.LEARNING_GUIDE


def announce(client: Speaker, announced: Announced) -> httpx.Response:
    return client.http.post("/upload/_/", content=start_body(announced), headers=start_headers(announced))


def send(client: Speaker, url: str, content: Any, **headers: str) -> httpx.Response:
    chosen = {"x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0"} | headers
    return client.http.post(url, content=content, headers=chosen)


def test_a_file_is_registered_announced_sent_and_read_under_its_id(client: Speaker, notebook: str) -> None:
    (registered,) = client.call("ADD_SOURCE_FILE", notebook_id=notebook, names=("apples.md",))
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).sources == ()
    started = announce(client, Announced(notebook, "apples.md", registered.id, 10, "text/markdown"))
    url = started.headers["x-goog-upload-url"]
    assert url.startswith(f"{APP}/upload/_/?authuser=0&upload_id=")
    sent = send(client, url, iter([b"# Apples\n\n", APPLES.encode()]))
    assert (sent.status_code, sent.headers["x-goog-upload-status"]) == (200, "final")

    def ready() -> bool:
        rows = client.call("GET_NOTEBOOK", notebook_id=notebook).sources
        return [(row.id, row.state) for row in rows] == [(registered.id, SourceState.READY)]

    until(ready)
    assert send(client, url, b"again").status_code == 409
    assert send(client, url, b"x", **{"x-goog-upload-command": "cancel"}).status_code == 200


def test_the_same_again_is_the_source_that_is_there_and_a_file_has_the_id_that_was_announced(
    client: Speaker, notebook: str, page: str
) -> None:
    """A client that sends a file waits for the id that it announced, so there the same bytes are another source."""
    assert paste(client, notebook, "Apples", APPLES) == paste(client, notebook, "Apples again", APPLES)
    pages = [client.call("ADD_SOURCE", notebook_id=notebook, sources=(NewSource(url=page),))[0].id for _ in range(2)]
    assert pages[0] == pages[1]
    names = ("pears.md", "pears.md")
    ids = [row.id for row in client.call("ADD_SOURCE_FILE", notebook_id=notebook, names=names)]
    for id in (*ids, ids[0]):
        url = announce(client, Announced(notebook, "pears.md", id)).headers["x-goog-upload-url"]
        assert send(client, url, PEARS.encode()).status_code == 200
    rows = client.call("GET_NOTEBOOK", notebook_id=notebook).sources
    assert len(rows) == 4
    assert {*ids, pages[0]} < {row.id for row in rows}


def test_uploads_that_are_wrong_are_refused(place: Proxied, client: Speaker, notebook: str) -> None:
    id = str(uuid.uuid4())
    assert announce(client, Announced("missing", "a.md", id, 1)).status_code == 404
    assert announce(client, Announced(notebook, "a.md", id, 200_000)).status_code == 413
    assert client.http.post("/upload/_/", content=b"{}", headers={"x-goog-upload-command": "start"}).status_code == 400
    url = announce(client, Announced(notebook, "a.md", id, 1)).headers["x-goog-upload-url"]
    assert send(client, f"{APP}/upload/_/?upload_id=forged", b"x").status_code == 400
    other = place.server.library.engine.signer.sign(Purpose.WIRE_SESSION, {}, 60)
    assert send(client, f"{APP}/upload/_/?upload_id={other}", b"x").status_code == 400
    assert send(client, url, b"x", **{"x-goog-upload-offset": "5"}).status_code == 400
    assert send(client, url, b"x" * 150_000).status_code == 413
    assert send(client, url, b"").status_code in (400, 422)
    bad = announce(client, Announced(notebook, "a.md", "not-a-uuid", 1)).headers["x-goog-upload-url"]
    assert send(client, bad, b"x").status_code == 400
    with place.client(session=None) as stranger:
        assert stranger.post(url, content=b"x").status_code == 401
    assert client.call("GET_NOTEBOOK", notebook_id=notebook).sources == ()


def test_marks_are_taken_out_and_every_place_is_known_afterwards() -> None:
    text = "One [1]. Two[2] three"
    clean, places = unmarked(text)
    assert clean == "One. Two three"
    assert len(places) == len(text) + 1
    assert (places[0], places[text.index(".")], places[text.index("Two")]) == (0, 3, 5)
    assert places[-1] == len(clean)


def test_blank_lines_leave_gaps_in_a_document() -> None:
    assert [(block.start, block.end) for block in document_of("ab\n\n🍎").blocks] == [(0, 2), (4, 6)]


def test_a_limit_is_told_so_that_clients_take_it_for_one() -> None:
    from quire.notebooklm.envelope import answer_body
    from quire.notebooklm.statuses import error_of, status_of

    reply = reply_to("id", answer_body("id", None, status_of(LimitReached())))
    assert reply.status is not None
    assert isinstance(error_of(reply.status, "id"), LimitReached)
