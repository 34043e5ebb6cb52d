"""Chat: questions to a notebook's sources, with answers that say what they rest on."""

from __future__ import annotations

import builtins
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import Annotated

from pydantic import Field

from quire.api.capability import capability
from quire.domain.chat import (
    QUESTION_LIMIT,
    Answer,
    AnswerPart,
    ChatConfiguration,
    Conversation,
    ConversationId,
    Goal,
    Length,
    Turn,
)
from quire.domain.errors import InvalidInput, NotFound, TooLarge
from quire.domain.notebooks import NotebookId
from quire.domain.notes import Note
from quire.domain.pages import Page
from quire.domain.sharing import Role
from quire.local.notes import insert as insert_note
from quire.local.service import Service, cursor_at, moment, position
from quire.local.stored_passages import StoredPassages
from quire.local.wait_for_sources import ready
from quire.ports.store import Row, Tx
from quire.text import AnswerRequest, Makers, SearchPorts, write_answer
from quire.text.answers import as_note

HISTORY = 3

Question = Annotated[str, Field(min_length=1, description="What to ask.")]
SourceIds = Annotated[list[str], Field(max_length=1_000, description="Ask only these sources.")]


class Chat(Service):
    noun = "chat"
    toolset = "notebooks"

    @capability("ask", "write", of=("notebook", "notebook_id"), needs=Role.VIEWER, timeout=180, listed=True)
    async def ask(
        self,
        notebook_id: NotebookId | None,
        question: Question,
        source_ids: SourceIds | None = None,
        conversation_id: ConversationId | None = None,
    ) -> Answer:
        """Ask a notebook's sources. The answer cites them, and every citation is checked."""
        async with aclosing(self._answer(question, source_ids, conversation_id)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, Answer):
                    return event
        raise RuntimeError("an answer ends with itself")

    @capability("stream_answer", "write", of=("notebook", "notebook_id"), needs=Role.VIEWER, timeout=180)
    async def ask_stream(
        self,
        notebook_id: NotebookId | None,
        question: Question,
        source_ids: SourceIds | None = None,
        conversation_id: ConversationId | None = None,
    ) -> AsyncIterator[AnswerPart | Answer]:
        """Ask a notebook's sources, and see the answer as it is written."""
        async with aclosing(self._answer(question, source_ids, conversation_id)) as events:  # type: ignore[type-var]
            async for event in events:
                yield event

    @capability("list_conversations", "read", of=("notebook", "notebook_id"), verb="conversations")
    async def list_conversations(
        self,
        notebook_id: NotebookId | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """List your conversations with a notebook, newest first."""

        def work(tx: Tx) -> Page[Conversation]:
            where = {"notebook_id": self.notebook_id, "person_id": self.context.actor.id}
            rows = tx.all("conversations_of", before=position(cursor), limit=limit + 1, **where)
            total = tx.one("count_conversations", **where)
            more = len(rows) > limit
            rows = rows[:limit]
            return Page(
                items=[conversation_of(row) for row in rows],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=cursor_at(rows[-1]) if more else None,
            )

        return await self.read(work)

    @capability("get_history", "read", of=("conversation", "conversation_id"), verb="history")
    async def get_history(
        self,
        conversation_id: ConversationId,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
        cursor: str | None = None,
    ) -> Page[Turn]:
        """The questions and answers of a conversation, newest first."""

        def work(tx: Tx) -> Page[Turn]:
            before = position(cursor)
            rows = tx.all("turns_of", conversation_id=conversation_id, before=before, limit=limit + 1)
            total = tx.one("count_turns", conversation_id=conversation_id)
            more = len(rows) > limit
            rows = rows[:limit]
            return Page(
                items=[turn_of(row) for row in rows],
                total=total["total"] if total else 0,
                truncated=more,
                cursor=cursor_at(rows[-1]) if more else None,
            )

        return await self.read(work)

    @capability(
        "delete_conversation", "destroy", of=("conversation", "conversation_id"), needs=Role.VIEWER, verb="forget"
    )
    async def delete_conversation(self, conversation_id: ConversationId) -> Conversation:
        """Delete a conversation with all of its questions and answers."""

        def work(tx: Tx) -> Conversation:
            row = tx.one("conversation_by_id", id=conversation_id)
            if row is None:
                raise NotFound("conversation", conversation_id)
            tx.run("delete_conversation", id=conversation_id)
            self.event(tx, "conversation.deleted", conversation_id)
            return conversation_of(row)

        return await self.write(work)

    @capability("configure_chat", "write", of=("notebook", "notebook_id"), idempotent=True, verb="configure")
    async def configure(
        self,
        notebook_id: NotebookId | None = None,
        goal: Goal = "default",
        instructions: Annotated[str, Field(max_length=10_000)] = "",
        length: Length = "default",
    ) -> ChatConfiguration:
        """Say how a notebook's chat answers: as a teacher, by your own instructions, at length or shortly."""
        made = ChatConfiguration(goal=goal, instructions=instructions, length=length)

        def work(tx: Tx) -> ChatConfiguration:
            tx.run("configure_chat", notebook_id=self.notebook_id, **made.model_dump())
            self.event(tx, "notebook.updated", self.notebook_id)
            return made

        return await self.write(work)

    @capability("get_chat_configuration", "read", of=("notebook", "notebook_id"), verb="configuration")
    async def get_configuration(self, notebook_id: NotebookId | None = None) -> ChatConfiguration:
        """How a notebook's chat answers."""
        return await self.read(lambda tx: configuration_of(tx, self.notebook_id))

    @capability("save_answer", "write", of=("notebook", "notebook_id"), verb="save")
    async def save_answer_as_note(
        self,
        notebook_id: NotebookId | None,
        answer_id: Annotated[str, Field(max_length=200, description="The answer's id.")],
        title: Annotated[str, Field(max_length=1_000)] | None = None,
    ) -> Note:
        """Keep an answer as a note, with its citations."""

        def work(tx: Tx) -> Note:
            row = tx.one("turn_by_id", id=answer_id)
            if row is None or row["notebook_id"] != self.notebook_id or row["person_id"] != self.context.actor.id:
                raise NotFound("answer", answer_id)
            answer = turn_of(row).answer
            name = (title or "").strip() or answer.question[:200]
            note = insert_note(tx, self.notebook_id, str(uuid.uuid4()), name, as_note(answer), self.now())
            self.event(tx, "note.created", note.id)
            return note

        return await self.write(work)

    async def _answer(
        self, question: str, source_ids: builtins.list[str] | None, conversation_id: str | None
    ) -> AsyncIterator[AnswerPart | Answer]:
        """Nothing is written before the answer is there: a call that asks its client's model is made again."""
        question = question.strip()
        if not question:
            raise InvalidInput("question: must not be empty.", field="question")
        if len(question) > QUESTION_LIMIT:
            raise TooLarge(f"question: is longer than {QUESTION_LIMIT:,} characters.", field="question")
        notebook, unread = await ready(self, source_ids)
        history, configuration = await self._history(conversation_id)
        request = AnswerRequest(
            question=question,
            notebook_id=notebook,
            conversation_id=conversation_id or str(uuid.uuid4()),
            source_ids=source_ids,
            history=history,
            configuration=configuration,
            nothing_found=unread,
        )
        parts, context = self.parts, self.context
        ports = SearchPorts(self.read, StoredPassages(), parts.index, parts.vectors, parts.embedder)
        makers = Makers(parts.model_maker, context.sampler, parts.extractive_maker, context.deadline)
        async with aclosing(write_answer(ports, makers, request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Answer):
                    await self.write(partial(self._keep, answer=piece, fresh=conversation_id is None))
                    yield piece
                else:
                    yield AnswerPart(text=piece)

    async def _history(self, conversation_id: str | None) -> tuple[builtins.list[tuple[str, str]], ChatConfiguration]:
        """The last questions and answers of a conversation, and how the chat answers."""

        def work(tx: Tx) -> tuple[builtins.list[tuple[str, str]], ChatConfiguration]:
            configuration = configuration_of(tx, self.notebook_id)
            if conversation_id is None:
                return [], configuration
            row = tx.one("conversation_by_id", id=conversation_id)
            if row is None or row["notebook_id"] != self.notebook_id or row["person_id"] != self.context.actor.id:
                raise NotFound("conversation", conversation_id)
            turns = tx.all("turns_of", conversation_id=conversation_id, before=position(None), limit=HISTORY)
            history = [(turn["question"], json.loads(turn["answer"])["text"]) for turn in reversed(turns)]
            return history, configuration

        return await self.read(work)

    def _keep(self, tx: Tx, answer: Answer, *, fresh: bool) -> None:
        at = self.now()
        if fresh:
            tx.run(
                "insert_conversation",
                id=answer.conversation_id,
                notebook_id=self.notebook_id,
                person_id=self.context.actor.id,
                at=at,
            )
        else:
            tx.run("touch_conversation", id=answer.conversation_id, at=at)
        tx.run(
            "insert_turn",
            id=answer.id,
            conversation_id=answer.conversation_id,
            question=answer.question,
            answer=answer.model_dump_json(),
            at=at,
        )
        for source_id, version in {(citation.source_id, citation.version) for citation in answer.citations}:
            tx.run("insert_cited_version", turn_id=answer.id, source_id=source_id, version=version)
        self.event(tx, "conversation.updated", answer.conversation_id)


def configuration_of(tx: Tx, notebook_id: str) -> ChatConfiguration:
    row = tx.one("chat_configuration", notebook_id=notebook_id)
    if row is None:
        return ChatConfiguration()
    return ChatConfiguration(goal=row["goal"], instructions=row["instructions"], length=row["length"])


def conversation_of(row: Row) -> Conversation:
    return Conversation(
        id=row["id"],
        notebook_id=row["notebook_id"],
        turns=row["turns"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def turn_of(row: Row) -> Turn:
    return Turn(answer=Answer.model_validate_json(row["answer"]), asked_at=moment(row["created_at"]))
