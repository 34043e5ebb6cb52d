"""Questions to notebooks at Google, and what was asked before."""

from __future__ import annotations

import builtins
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any

from quire.domain.chat import (
    Answer,
    AnswerPart,
    ChatConfiguration,
    Citation,
    Conversation,
    Goal,
    Length,
    Turn,
    asked_question,
)
from quire.domain.documents import Place
from quire.domain.errors import NotFound, Unsupported
from quire.domain.notes import Note
from quire.domain.pages import Page
from quire.notebooklm.codes import NoteKind, TurnRole
from quire.notebooklm.documents import Document, utf16_offsets
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.rows import BEGINNING, GOALS, LENGTHS, configuration_of, note_of
from quire.notebooklm.engine.scope import MOST_TURNS, GoogleScope, Whereabouts
from quire.notebooklm.engine.sources import GoogleSources
from quire.notebooklm.marks import unmarked
from quire.notebooklm.methods import chat as wire
from quire.notebooklm.methods.notebooks import ChatSettings
from quire.notebooklm.stream import Chunk

KEPT_ANSWERS = 200
SAVED_TRAILER = 2


class GoogleChat:
    def __init__(
        self, caller: Caller, whereabouts: Whereabouts, notebooks: GoogleNotebooks, sources: GoogleSources
    ) -> None:
        self._caller = caller
        self._whereabouts = whereabouts
        self._notebooks = notebooks
        self._sources = sources
        # Those of this process; older ones are looked for in a notebook's last conversation.
        self._answers: OrderedDict[str, tuple[str, Answer, Chunk]] = OrderedDict()

    async def ask(
        self,
        scope: GoogleScope,
        question: str,
        source_ids: builtins.list[str] | None,
        conversation_id: str | None,
        label_ids: builtins.list[str] | None,
    ) -> AsyncIterator[AnswerPart | Answer]:
        if scope.context.read_only:
            raise Unsupported("NotebookLM remembers what it is asked, so whoever changes nothing cannot ask it.")
        question, notebook_id = asked_question(question), await scope.notebook_id()
        row = await self._notebooks.row(notebook_id)
        titles = {source.id: source.title or "" for source in row.sources}
        chosen = await self._sources.chosen(notebook_id, source_ids, label_ids)
        asked = builtins.list(titles) if chosen is None else chosen
        for source_id in asked:
            if source_id not in titles:
                raise NotFound("source", source_id)
        if conversation_id is None:
            found = await self._last(notebook_id)
            conversation_id = found[0] if found else str(uuid.uuid4())
            self._whereabouts.tell("conversation", conversation_id, notebook_id)
        turns = await self._held(notebook_id, conversation_id, MOST_TURNS)
        names = {
            "source_ids": asked,
            "question": question,
            "history": history_of(turns),
            "conversation_id": conversation_id,
            "notebook_id": notebook_id,
        }
        last: Chunk | None = None
        said = ""
        async with aclosing(self._caller.chunks(names)) as chunks:  # type: ignore[type-var]
            async for chunk in chunks:
                last = chunk
                if chunk.is_answer and chunk.text and chunk.text != said:
                    said = chunk.text
                    yield AnswerPart(text=said)
        assert last is not None
        id = last.turn.turn_id if last.turn is not None and last.turn.turn_id else str(uuid.uuid4())
        answer = answer_of(last, id, conversation_id, question, titles)
        self._keep(notebook_id, answer, last)
        yield answer

    async def list_conversations(self, scope: GoogleScope, limit: int, cursor: str | None) -> Page[Conversation]:
        """NotebookLM tells of the last one only."""
        notebook_id = await scope.notebook_id()
        told = []
        for id in await self._last(notebook_id):
            turns = await self._turns(notebook_id, id, MOST_TURNS)
            if turns:
                told.append(conversation_of(turns, id, notebook_id))
        return Page(items=told[:limit], total=len(told))

    async def get_conversation(self, scope: GoogleScope, conversation_id: str) -> Conversation:
        return await self._conversation(await scope.notebook_id(), conversation_id)

    async def open_conversation(self, scope: GoogleScope, conversation_id: str | None) -> Conversation:
        notebook_id = await scope.notebook_id()
        if conversation_id is None:
            found = await self._last(notebook_id)
            conversation_id = found[0] if found else str(uuid.uuid4())
        self._whereabouts.tell("conversation", conversation_id, notebook_id)
        return await self._conversation(notebook_id, conversation_id)

    async def get_history(self, scope: GoogleScope, conversation_id: str, limit: int, cursor: str | None) -> Page[Turn]:
        notebook_id = await scope.notebook_id()
        row = await self._notebooks.row(notebook_id)
        titles = {source.id: source.title or "" for source in row.sources}
        turns = pairs(await self._held(notebook_id, conversation_id, 2 * limit), conversation_id, titles)
        return Page(items=turns[:limit], total=len(turns))

    async def delete_conversation(self, scope: GoogleScope, conversation_id: str) -> Conversation:
        notebook_id = await scope.notebook_id()
        conversation = await self._conversation(notebook_id, conversation_id)
        await self._caller.call(
            "DELETE_CONVERSATION",
            about=("conversation", conversation_id),
            notebook_id=notebook_id,
            conversation_id=conversation_id,
        )
        self._whereabouts.forget("conversation", conversation_id)
        gone = [id for id, (_, answer, _) in self._answers.items() if answer.conversation_id == conversation_id]
        for id in gone:
            del self._answers[id]
        return conversation

    async def configure(self, scope: GoogleScope, goal: Goal, instructions: str, length: Length) -> ChatConfiguration:
        notebook_id = await scope.notebook_id()
        wanted = ChatSettings(
            next(code for code, name in GOALS.items() if name == goal),
            instructions or None,
            next(code for code, name in LENGTHS.items() if name == length),
        )
        await self._caller.call(
            "RENAME_NOTEBOOK", about=("notebook", notebook_id), notebook_id=notebook_id, chat=wanted
        )
        return configuration_of((await self._notebooks.row(notebook_id)).chat or wanted)

    async def get_configuration(self, scope: GoogleScope) -> ChatConfiguration:
        return configuration_of((await self._notebooks.row(await scope.notebook_id())).chat)

    async def get_answer(self, scope: GoogleScope, beginning: str) -> Answer:
        return (await self._found(await scope.notebook_id(), beginning))[0]

    async def save_answer_as_note(self, scope: GoogleScope, answer_id: str, title: str | None) -> Note:
        notebook_id = await scope.notebook_id()
        answer, chunk = await self._found(notebook_id, answer_id)
        row = await self._caller.call(
            "CREATE_NOTE",
            about=("notebook", notebook_id),
            notebook_id=notebook_id,
            content=answer.text,
            mode=NoteKind.GENERATED,
            passages=chunk.citations,
            title=title or answer.question[:100],
            document=chunk.document,
            trailer=SAVED_TRAILER,
        )
        self._whereabouts.tell("note", row.id, notebook_id)
        return note_of(row, notebook_id)

    async def _found(self, notebook_id: str, beginning: str) -> tuple[Answer, Chunk]:
        """An answer of a notebook, by how its id begins."""
        for id, (where, answer, chunk) in reversed(self._answers.items()):
            if where == notebook_id and id.startswith(beginning):
                return answer, chunk
        row = await self._notebooks.row(notebook_id)
        titles = {source.id: source.title or "" for source in row.sources}
        for conversation_id in await self._last(notebook_id):
            rows = await self._turns(notebook_id, conversation_id, MOST_TURNS)
            said = {one.id: one.answers[0] for one in rows if one.role is TurnRole.ANSWER and one.answers}
            for turn in pairs(rows, conversation_id, titles):
                if turn.answer.id.startswith(beginning) and turn.answer.id in said:
                    kept = said[turn.answer.id]
                    return turn.answer, Chunk(text=kept.text, document=kept.document, final=True)
        raise NotFound("answer", beginning, hint="NotebookLM tells of a notebook's last conversation only: ask again.")

    def _keep(self, notebook_id: str, answer: Answer, chunk: Chunk) -> None:
        self._answers[answer.id] = (notebook_id, answer, chunk)
        self._whereabouts.tell("answer", answer.id, notebook_id)
        while len(self._answers) > KEPT_ANSWERS:
            self._answers.popitem(last=False)

    async def _last(self, notebook_id: str) -> tuple[str, ...]:
        found: tuple[str, ...] = await self._caller.call(
            "GET_LAST_CONVERSATION_ID", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        return found

    async def _turns(self, notebook_id: str, conversation_id: str, limit: int) -> tuple[wire.Turn, ...]:
        found: tuple[wire.Turn, ...] = await self._caller.call(
            "GET_CONVERSATION_TURNS",
            about=("conversation", conversation_id),
            notebook_id=notebook_id,
            conversation_id=conversation_id,
            limit=limit,
        )
        return found

    async def _held(self, notebook_id: str, conversation_id: str, limit: int) -> tuple[wire.Turn, ...]:
        """The turns of a conversation. NotebookLM tells none of one that is not there, or is another notebook's."""
        known = self._whereabouts.notebook_of("conversation", conversation_id)
        turns = await self._turns(notebook_id, conversation_id, limit) if known in (None, notebook_id) else ()
        if not turns and known != notebook_id:
            raise NotFound("conversation", conversation_id)
        return turns

    async def _conversation(self, notebook_id: str, conversation_id: str) -> Conversation:
        return conversation_of(await self._held(notebook_id, conversation_id, MOST_TURNS), conversation_id, notebook_id)


def conversation_of(rows: Sequence[wire.Turn], conversation_id: str, notebook_id: str) -> Conversation:
    asked = [row for row in rows if row.role is TurnRole.QUESTION]
    times = [row.at for row in rows if row.at] or [BEGINNING]
    return Conversation(
        id=conversation_id,
        notebook_id=notebook_id,
        turns=len(asked),
        question=(asked[-1].question or "") if asked else "",
        created_at=min(times),
        updated_at=max(times),
    )


def history_of(turns: Sequence[wire.Turn]) -> builtins.list[Any] | None:
    """What was said before, as a client tells it again: each answer before its question, the oldest pair first."""
    told: builtins.list[Any] = []
    for turn in pairs(turns, "", {})[::-1]:
        told += [[turn.answer.text, None, 2], [turn.answer.question, None, 1]]
    return told or None


def pairs(rows: Sequence[wire.Turn], conversation_id: str, titles: dict[str, str]) -> builtins.list[Turn]:
    """Questions with their answers, newest first; an answer stands before its question."""
    found: builtins.list[Turn] = []
    answer: wire.Turn | None = None
    for row in rows:
        if row.role is TurnRole.ANSWER:
            answer = row
        elif row.role is TurnRole.QUESTION:
            said = answer.answers[0] if answer is not None and answer.answers else wire.TurnAnswer()
            chunk = Chunk(text=said.text, document=said.document, final=True)
            id = (answer.id if answer else row.id) or str(uuid.uuid4())
            made = answer_of(chunk, id, conversation_id, row.question or "", titles)
            found.append(Turn(answer=made, asked_at=row.at or datetime.fromtimestamp(0, UTC)))
            answer = None
    return found


def answer_of(chunk: Chunk, id: str, conversation_id: str, question: str, titles: dict[str, str]) -> Answer:
    """NotebookLM's answer. It does not say how sure it is, and its excerpts are not looked up here."""
    text = chunk.text or ""
    citations = citations_of(text, chunk.document, titles)
    further = [step.question for step in chunk.next_steps] or builtins.list(chunk.follow_ups)
    return Answer(
        id=id,
        conversation_id=conversation_id,
        question=question,
        text=text,
        citations=citations,
        confidence=None,
        support=0.0,
        follow_up_questions=further,
        grounded=bool(citations),
        maker="notebooklm",
    )


def citations_of(text: str, document: Document | None, titles: dict[str, str]) -> builtins.list[Citation]:
    if document is None:
        return []
    clean, places = unmarked(text)
    back = {place: at for at, place in reversed(builtins.list(enumerate(places)))}
    offsets = {offset: at for at, offset in enumerate(utf16_offsets(clean))}
    spans: dict[str, tuple[int, int]] = {}
    for mark in document.annotations:
        first, last = offsets.get(mark.start), offsets.get(mark.end)
        if first is not None and last is not None and mark.chunk_id not in spans:
            spans[mark.chunk_id] = (back.get(first, 0), back.get(last, len(text)))
    found = []
    for number, cited in enumerate(document.citations, 1):
        start, end = spans.get(cited.chunk_id or "", (0, 0))
        found.append(
            Citation(
                number=number,
                source_id=cited.source_id or "",
                source_title=titles.get(cited.source_id or "", ""),
                version=1,
                passage_id=number,
                start=cited.start or 0,
                end=cited.end or 0,
                excerpt=cited.text,
                place=Place(),
                answer_start=start,
                answer_end=end,
                verified=False,
            )
        )
    return found
