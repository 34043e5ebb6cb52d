"""Pages of a notebook: its sources, questions to them, and what an answer cites."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, Literal, get_args

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from quire.api.library import Library
from quire.domain.chat import Answer, Turn
from quire.domain.errors import NotAllowed, NotFound, NotReady, QuireError, Unsupported
from quire.domain.files import Upload
from quire.domain.notebooks import Notebook
from quire.domain.pages import Page
from quire.domain.sharing import Role
from quire.domain.sources import Source
from quire.entry.http.answers import Refused, malformed, too_many_streams
from quire.entry.http.api import MOST_STREAMS, calling
from quire.entry.http.arguments import at_most, base_name, pairs, received
from quire.entry.http.forms import form
from quire.entry.http.multipart import Multipart
from quire.entry.http.notebook_regions import NO_NOTES, NO_STUDIO, notes_of, studio_of
from quire.entry.http.notebook_views import (
    LEAD,
    WINDOW,
    answer_link,
    in_a_form,
    in_words,
    shown_citation,
    shown_source,
    shown_text,
    shown_turn,
)
from quire.entry.http.streams import SERVER_SENT, OpenStreams, StreamEvent, send_events
from quire.entry.http.templates import Templates
from quire.entry.settings import Settings

SOURCES = "/sources"
TURNS = 30
CONVERSATIONS = 8
MOST_SOURCES = 1_000
NUMBER = re.compile(r"[0-9]{1,15}")
Form = Literal["asking", "adding", "making", "noting"]
FORMS: tuple[Form, ...] = get_args(Form)


class Live(Response):
    """Events for as long as the browser listens."""

    def __init__(self, events: AsyncGenerator[StreamEvent, None], streams: OpenStreams, closing: asyncio.Event) -> None:
        super().__init__()
        self._events = events
        self._streams = streams
        self._closing = closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        person_id = scope["quire.actor"].id
        # Looked at and counted in one go, so that of many that come at once none slips in.
        if self._streams.full_for(person_id):
            raise too_many_streams()
        with self._streams.one_of(person_id):
            await send_events(self._events, SERVER_SENT, scope, receive, send, self._closing)


class NotebookPages:
    """Each form works without a script; with one, the page calls the API and stays where it is."""

    def __init__(self, library: Library, settings: Settings, rendered: Templates) -> None:
        self._library = library
        self._settings = settings
        self._rendered = rendered
        self._streams = OpenStreams(MOST_STREAMS)

    def routes(self) -> list[Route]:
        one = "/notebooks/{notebook_id}"
        answer = one + "/answers/{conversation_id}/{answer_id}"
        return [
            Route("/notebooks", self.create, methods=["POST"]),
            Route(one, self.notebook),
            Route(one + "/rename", self.rename, methods=["POST"]),
            Route(one + "/delete", self.delete, methods=["POST"]),
            Route(one + "/watch", self.watch),
            Route(one + "/ask", self.ask, methods=["POST"]),
            Route(SOURCES, self.add_source, methods=["POST"]),
            Route(one + "/sources/{source_id}", self.source),
            Route(one + "/sources/{source_id}/delete", self.delete_source, methods=["POST"]),
            Route(one + "/conversations/{conversation_id}/delete", self.forget, methods=["POST"]),
            Route(answer + "/save", self.save, methods=["POST"]),
            Route(answer + "/{number:int}", self.citation),
        ]

    async def create(self, request: Request) -> Response:
        given = await form(request)
        made = await calling(request, self._library).notebooks.create(given.get("name", ""))
        return RedirectResponse(f"/notebooks/{made.id}", 303)

    async def rename(self, request: Request) -> Response:
        given = await form(request)
        library = calling(request, self._library)
        renamed = await library.notebooks.rename(request.path_params["notebook_id"], given.get("name", ""))
        return RedirectResponse(f"/notebooks/{renamed.id}", 303)

    async def delete(self, request: Request) -> Response:
        await form(request)
        await calling(request, self._library).notebooks.delete(request.path_params["notebook_id"])
        return RedirectResponse("/", 303)

    async def notebook(self, request: Request) -> Response:
        return await self.shown(request, request.path_params["notebook_id"])

    async def watch(self, request: Request) -> Response:
        """What happens in a notebook; the page then asks for what it shows of it."""
        if request.method != "GET":
            raise Refused(405, "wrong_method", "This route takes GET.", headers={"Allow": "GET"})
        library = calling(request, self._library)
        await library.notebooks.get(request.path_params["notebook_id"])
        resumed = request.headers.get("last-event-id") or _query(request).get("after", "")
        after = int(resumed) if NUMBER.fullmatch(resumed) else await library.engine.events.last()
        changes = self._changes(library, request.path_params["notebook_id"], after)
        return Live(changes, self._streams, request.app.state.closing)

    async def ask(self, request: Request) -> Response:
        given = await form(request)
        notebook_id, question = request.path_params["notebook_id"], given.get("question", "")
        conversation = given.get("conversation") or None
        try:
            answer = await calling(request, self._library).chat.ask(notebook_id, question, conversation_id=conversation)
        except QuireError as error:
            return await self.shown(
                request, notebook_id, error, given={"question": question}, conversation=conversation
            )
        return RedirectResponse(_in_conversation(notebook_id, answer), 303)

    async def add_source(self, request: Request) -> Response:
        """A text, an address or a file; the form holds all three, and which of them is meant."""
        sent = Multipart(request.headers.get("content-type", ""), received(request))
        given = dict(await sent.fields("file"))
        notebook_id = given.get("notebook", "")
        whole = "whole" in given
        sources = calling(request, self._library).sources
        try:
            if given.get("kind") == "file":
                chunks = partial(at_most, self._settings.upload_limit, sent.chunks())
                file = Upload(base_name(sent.file_name), chunks, media_type=sent.media_type)
                await sources.add_file(notebook_id, file, wait=False, whole=whole)
            else:
                async for _ in sent.chunks():
                    pass
                if given.get("kind") == "url":
                    await sources.add(notebook_id, "url", url=given.get("url", ""), whole=whole)
                else:
                    text = given.get("text", "").replace("\r\n", "\n")
                    await sources.add(notebook_id, "text", text=text, title=given.get("title") or None)
        except QuireError as error:
            return await self.shown(request, notebook_id, error, at="adding", given=given)
        return RedirectResponse(f"/notebooks/{notebook_id}", 303)

    async def source(self, request: Request) -> Response:
        notebook_id, source_id = request.path_params["notebook_id"], request.path_params["source_id"]
        query = _query(request)
        library = calling(request, self._library)
        source = await library.sources.get(notebook_id, source_id)
        start, version = number_in(query.get("start")) or 0, number_in(query.get("version"))
        text = await library.sources.get_fulltext(notebook_id, source_id, start, WINDOW, version)
        web = source.url if source.url and source.url.startswith(("http://", "https://")) else ""
        return self._rendered(
            "source.html",
            notebook=await library.notebooks.get(notebook_id),
            title=source.title,
            url=web,
            text=shown_text(text, notebook_id),
            citation=None,
            place="",
            gone="",
        )

    async def citation(self, request: Request) -> Response:
        """The passage where it stands. Once its source is gone, the answer's own excerpt is left."""
        notebook_id, number = request.path_params["notebook_id"], request.path_params["number"]
        library = calling(request, self._library)
        answer = await self._answer(library, request)
        citation = next((one for one in answer.citations if one.number == number), None)
        if citation is None:
            raise NotFound("citation", str(number))
        excerpt = {"before": "", "marked": citation.excerpt, "after": "", "earlier": "", "later": ""}
        gone = ""
        try:
            begin = max(0, citation.start - LEAD)
            limit = WINDOW + citation.end - citation.start
            text = await library.sources.get_fulltext(notebook_id, citation.source_id, begin, limit, citation.version)
            shown = shown_text(text, notebook_id, citation.start, citation.end)
        except (NotFound, NotReady):
            shown, gone = excerpt, "The source is not here any more. This is what the answer kept of it."
        except NotAllowed:
            shown, gone = excerpt, "You may only chat with this notebook. This is what the answer shows of its source."
        return self._rendered(
            "source.html",
            notebook=await library.notebooks.get(notebook_id),
            title=citation.source_title,
            url="",
            text=shown,
            citation=shown_citation(citation, answer_link(notebook_id, answer)),
            place=in_words(citation.place),
            gone=gone,
        )

    async def delete_source(self, request: Request) -> Response:
        await form(request)
        notebook_id = request.path_params["notebook_id"]
        await calling(request, self._library).sources.delete(notebook_id, request.path_params["source_id"])
        return RedirectResponse(f"/notebooks/{notebook_id}", 303)

    async def forget(self, request: Request) -> Response:
        await form(request)
        conversation_id = request.path_params["conversation_id"]
        await calling(request, self._library).chat.delete_conversation(conversation_id)
        return RedirectResponse(f"/notebooks/{request.path_params['notebook_id']}", 303)

    async def save(self, request: Request) -> Response:
        await form(request)
        chat = calling(request, self._library).chat
        note = await chat.save_answer_as_note(request.path_params["notebook_id"], request.path_params["answer_id"])
        return RedirectResponse(f"/notes/{note.short_id}", 303)

    async def _changes(self, library: Library, notebook_id: str, after: int) -> AsyncGenerator[StreamEvent, None]:
        """Whoever is no longer a member hears nothing more; whoever may only chat, nothing of what is in it."""
        async with aclosing(library.engine.events.after(after)) as batches:  # type: ignore[type-var]
            async for batch in batches:
                ours = [event for event in batch if event.notebook_id == notebook_id]
                if ours and (await library.notebooks.get(notebook_id)).role < Role.VIEWER:
                    ours = [event for event in ours if event.kind.startswith("notebook.")]
                for event in ours:
                    yield StreamEvent("item", {"kind": event.kind, "id": event.subject_id}, str(event.seq))

    async def shown(
        self,
        request: Request,
        notebook_id: str,
        problem: QuireError | None = None,
        *,
        at: Form = "asking",
        given: Mapping[str, str] = {},
        conversation: str | None = None,
    ) -> Response:
        """The whole page; where a form of it was refused, with why, `at` that form, and with what was given there."""
        library = calling(request, self._library)
        notebook = await _opened(library, notebook_id)
        after = await library.engine.events.last()
        may_read, may_write = notebook.role >= Role.VIEWER, notebook.role >= Role.EDITOR
        query = _query(request)
        sources: Page[Source] = Page(items=[], total=0)
        made, notes = dict(NO_STUDIO), dict(NO_NOTES)
        if may_read:
            sources = await library.sources.list(notebook_id, limit=MOST_SOURCES)
            typed = given if at == "making" else {}
            made = await studio_of(library, notebook_id, query.get("artifacts"), typed, may_write=may_write)
            notes = await notes_of(library, notebook_id, query.get("notes"))
        current, turns, earlier = await self._conversation(
            library, notebook_id, conversation or query.get("conversation"), query.get("cursor")
        )
        shares = "sharing" in library.engine.nouns and not notebook.inbox
        return self._rendered(
            "notebook.html",
            problem.status if problem else 200,
            notebook=notebook,
            may_read=may_read,
            may_ask=notebook.source_count > 0,
            may_write=may_write,
            may_delete=notebook.role >= Role.OWNER and not notebook.inbox,
            shared=shares,
            welcome=await _welcome(library, notebook) if shares and not len(turns) else "",
            after=after,
            sources=[shown_source(source) for source in sources],
            total=sources.total,
            studio=made,
            notes=notes,
            conversation=current or "",
            turns=[shown_turn(notebook_id, turn.answer) for turn in reversed(turns.items)],
            older=turns.cursor or "",
            earlier=earlier,
            problems=dict.fromkeys(FORMS, "") | ({at: in_a_form(problem)} if problem else {}),
            typed={form: defaultdict(str, given if form == at else {}) for form in FORMS},
            signed_in=request.scope["quire.session"],
        )

    async def _conversation(
        self, library: Library, notebook_id: str, wanted: str | None, cursor: str | None
    ) -> tuple[str | None, Page[Turn], list[dict[str, Any]]]:
        """The one that is asked for, or the newest; `new` begins another. And the others, by their last question."""
        known = await library.chat.list_conversations(notebook_id, limit=CONVERSATIONS)
        current = wanted or (known[0].id if len(known) else None)
        if current == "new":
            current = None
        turns: Page[Turn] = Page(items=[], total=0)
        if current:
            turns = await library.chat.get_history(current, limit=TURNS, cursor=cursor)
        earlier = []
        for one in known:
            if one.id != current:
                last = await library.chat.get_history(one.id, limit=1)
                earlier += [{"id": one.id, "question": turn.answer.question, "turns": one.turns} for turn in last]
        return current, turns, earlier

    async def _answer(self, library: Library, request: Request) -> Answer:
        conversation_id, answer_id = request.path_params["conversation_id"], request.path_params["answer_id"]
        cursor = None
        while True:
            turns = await library.chat.get_history(conversation_id, limit=100, cursor=cursor)
            for turn in turns:
                if turn.answer.id == answer_id:
                    answer: Answer = turn.answer
                    return answer
            cursor = turns.cursor
            if cursor is None:
                raise NotFound("answer", answer_id)


async def _opened(library: Library, notebook_id: str) -> Notebook:
    """A link to a notebook that is shared opens it."""
    try:
        return await library.notebooks.get(notebook_id)
    except NotFound:
        with suppress(Unsupported):
            await library.sharing.open(notebook_id)
        return await library.notebooks.get(notebook_id)


async def _welcome(library: Library, notebook: Notebook) -> str:
    """What somebody is welcomed with until they have asked something."""
    return (await library.sharing.open(notebook.id)).message if notebook.role < Role.OWNER else ""


def _in_conversation(notebook_id: str, answer: Answer) -> str:
    return f"/notebooks/{notebook_id}?conversation={answer.conversation_id}#answer-{answer.id}"


def _query(request: Request) -> dict[str, str]:
    return dict(pairs(request.scope["query_string"]))


def number_in(text: str | None) -> int | None:
    """A number that one of the page's own addresses or forms holds."""
    if text is None:
        return None
    if not NUMBER.fullmatch(text):
        raise malformed("This address is not one of this page's.")
    return int(text)
