"""Chat: ask a notebook, and what was asked before."""

from __future__ import annotations

import builtins
import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from quire import text as text_engine
from quire.api.engine import Subject
from quire.domain.across import LibraryAnswer
from quire.domain.chat import Answer, AnswerPart, ChatConfiguration, Conversation, Goal, Length, Turn, asked_question
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.notes import Note
from quire.domain.pages import Page, page, position
from quire.domain.sharing import Role
from quire.local.across import answer_across, chosen_notebooks, searching_across
from quire.local.check_role import check_role
from quire.local.kept_turns import cited_here, microseconds, same_turn, turn_in
from quire.local.label_rows import with_labelled
from quire.local.notes import insert as insert_note
from quire.local.notes import note_of, retitled
from quire.local.own_turn import own_turn
from quire.local.person_settings import language_for
from quire.local.scope import Scope
from quire.local.search import Search
from quire.local.source_vectors import SourceVectors
from quire.local.timestamps import moment
from quire.local.wait_for_sources import SourcesAwaited
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text.makers import ModelMaker

HISTORY = 3
REMEMBERED = 100
# Fewer would not tell one answer from all others.
FEWEST_OF_ID = 32


class LocalChat:
    def __init__(
        self, search: Search, awaited: SourcesAwaited, vectors: SourceVectors, model: ModelMaker | None
    ) -> None:
        self._search = search
        self._awaited = awaited
        self._vectors = vectors
        self._model = model

    async def ask(
        self,
        scope: Scope,
        question: str,
        source_ids: list[str] | None,
        conversation_id: str | None,
        label_ids: list[str] | None,
    ) -> AsyncIterator[AnswerPart | Answer]:
        """Nothing is written before the answer is there: a call that asks its client's model is made again."""
        question = asked_question(question)
        source_ids = await with_labelled(scope, source_ids, label_ids)
        sources = await self._awaited.ready(scope, source_ids)
        behind = await self._vectors.ready_for(scope, sources.notebook_id, question)
        request = await self._request(scope, question, [sources.notebook_id], conversation_id)
        warnings = sources.warnings + behind
        request = replace(request, source_ids=source_ids, nothing_found=sources.nothing_found, warnings=warnings)
        async with aclosing(self._written(scope, self._search(scope), request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Answer):
                    piece = await _as_allowed(scope, sources.notebook_id, piece)
                    await _remember(scope, piece, conversation_id)
                yield piece

    async def ask_across(
        self,
        scope: Scope,
        question: str,
        notebook_ids: builtins.list[str] | None,
        conversation_id: str | None,
    ) -> AsyncIterator[AnswerPart | LibraryAnswer]:
        question, scope = asked_question(question), scope.in_inbox()
        chosen = await chosen_notebooks(scope, notebook_ids)
        request = await self._request(scope, question, chosen.ids, conversation_id)
        ports = searching_across(self._search, scope, chosen)
        request = replace(request, warnings=chosen.warnings)
        async with aclosing(self._written(scope, ports, request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Answer):
                    answer = await answer_across(scope, chosen, piece)
                    await _remember(scope, answer, conversation_id)
                    yield answer
                else:
                    yield piece

    async def _request(
        self, scope: Scope, question: str, notebook_ids: builtins.list[str], conversation_id: str | None
    ) -> text_engine.AnswerRequest:
        history, told, configuration = await _history(scope, conversation_id)
        return text_engine.AnswerRequest(
            question=question,
            notebook_ids=notebook_ids,
            conversation_id=conversation_id or ("" if scope.context.read_only else str(uuid.uuid4())),
            source_ids=None,
            history=history,
            configuration=configuration,
            told=told,
            asked=await _asked(scope, conversation_id) if conversation_id else [],
            language=await scope.look_up(lambda tx: language_for(tx, scope.actor_id)),
        )

    async def _written(
        self, scope: Scope, ports: text_engine.SearchPorts, request: text_engine.AnswerRequest
    ) -> AsyncGenerator[AnswerPart | Answer, None]:
        context = scope.context
        makers = text_engine.Makers(self._model, context.sampler, text_engine.ExtractiveMaker(), context.deadline)
        async with aclosing(text_engine.write_answer(ports, makers, request)) as pieces:
            async for piece in pieces:
                yield piece if isinstance(piece, Answer) else AnswerPart(text=piece)

    async def list_conversations(self, scope: Scope, limit: int, cursor: str | None) -> Page[Conversation]:
        def work(tx: Tx) -> Page[Conversation]:
            where = {"notebook_id": scope.notebook_id, "person_id": scope.actor_id}
            rows = tx.all("conversations_of", before=position(cursor), limit=limit + 1, **where)
            return page(rows, limit, tx.count("count_conversations", **where), conversation_of)

        return await scope.read(work)

    async def get_conversation(self, scope: Scope, conversation_id: str) -> Conversation:
        return await scope.look_up(lambda tx: _conversation(tx, conversation_id))

    async def open_conversation(self, scope: Scope, conversation_id: str | None) -> Conversation:
        def known(tx: Tx) -> Conversation | None:
            if conversation_id is None:
                row = tx.one("last_conversation", notebook_id=scope.notebook_id, person_id=scope.actor_id)
            else:
                row = tx.one("conversation_by_id", id=conversation_id)
            return None if row is None else conversation_of(_mine(row, scope, conversation_id))

        def work(tx: Tx) -> Conversation:
            id = conversation_id or str(uuid.uuid4())
            mine = {"notebook_id": scope.notebook_id, "person_id": scope.actor_id}
            tx.run("insert_conversation", id=id, at=scope.now(), **mine)
            return conversation_of(_mine(tx.one("conversation_by_id", id=id), scope, id))

        there = await scope.read(known)
        return await scope.write(work) if there is None else there

    async def keep_turn(self, scope: Scope, turn: str) -> Turn:
        given = turn_in(turn)
        answer, conversation_id, at = given.answer, given.answer.conversation_id, microseconds(given.asked_at)

        def work(tx: Tx) -> Turn:
            mine = {"notebook_id": scope.notebook_id, "person_id": scope.actor_id}
            tx.run("insert_conversation", id=conversation_id, at=at, **mine)
            _mine(tx.one("conversation_by_id", id=conversation_id), scope, conversation_id)
            row = tx.one("turn_by_id", id=answer.id)
            there = same_turn(turn_of(row) if row else None, conversation_id)
            if there is None:
                kept = cited_here(tx, scope, answer)
                tx.run("touch_conversation", id=conversation_id, at=at)
                insert_turn(tx, kept, at)
                scope.event(tx, "conversation.updated", conversation_id)
                there = Turn(answer=kept, asked_at=moment(at))
            return there

        return await scope.write(work)

    async def get_history(self, scope: Scope, conversation_id: str, limit: int, cursor: str | None) -> Page[Turn]:
        def work(tx: Tx) -> Page[Turn]:
            where = {"conversation_id": conversation_id}
            rows = tx.all("turns_of", before=position(cursor), limit=limit + 1, **where)
            return page(rows, limit, tx.count("count_turns", **where), turn_of)

        return await scope.read(work)

    async def delete_conversation(self, scope: Scope, conversation_id: str) -> Conversation:
        def work(tx: Tx) -> Conversation:
            conversation = _conversation(tx, conversation_id)
            tx.run("delete_conversation", id=conversation_id)
            scope.event(tx, "conversation.deleted", conversation_id)
            return conversation

        return await scope.write(work)

    async def configure(self, scope: Scope, goal: Goal, instructions: str, length: Length) -> ChatConfiguration:
        made = ChatConfiguration(goal=goal, instructions=instructions, length=length)

        def work(tx: Tx) -> ChatConfiguration:
            tx.run("configure_chat", notebook_id=scope.notebook_id, **made.model_dump())
            scope.event(tx, "notebook.updated", scope.notebook_id)
            return made

        return await scope.write(work)

    async def get_configuration(self, scope: Scope) -> ChatConfiguration:
        return await scope.look_up(lambda tx: configuration_of(tx, scope.notebook_id))

    async def get_answer(self, scope: Scope, beginning: str) -> Answer:
        def work(tx: Tx) -> Answer:
            where = {"notebook_id": scope.notebook_id, "person_id": scope.actor_id}
            row = tx.one("own_turn_beginning", beginning=beginning, length=len(beginning), **where)
            if row is None or len(beginning) < FEWEST_OF_ID:
                raise NotFound("answer", beginning)
            return turn_of(row).answer

        return await scope.read(work)

    async def save_answer_as_note(self, scope: Scope, answer_id: str, title: str | None) -> Note:
        def work(tx: Tx) -> Note:
            answer = turn_of(own_turn(tx, scope, answer_id)).answer
            name = (title or "").strip()
            tx.one("lock_notebook", id=scope.notebook_id)
            there = tx.one("note_of_answer", answer_id=answer_id)
            if there is not None:
                return retitled(tx, scope, note_of(there), name)
            content = text_engine.as_note(answer)
            note = insert_note(
                tx, scope.notebook_id, str(uuid.uuid4()), name or answer.question[:200], content, scope.now()
            )
            tx.run("set_note_answer", id=note.id, answer_id=answer_id)
            scope.event(tx, "note.created", note.id)
            return note

        return await scope.write(work)


async def _remember(scope: Scope, answer: Answer, conversation_id: str | None) -> None:
    if not scope.context.read_only:
        await scope.write(partial(_keep, scope=scope, answer=answer, fresh=conversation_id is None))


def _conversation(tx: Tx, id: str) -> Conversation:
    row = tx.one("conversation_by_id", id=id)
    if row is None:
        raise NotFound("conversation", id)
    return conversation_of(row)


def _mine(row: Row | None, scope: Scope, id: str | None) -> Row:
    """A conversation of the caller's in this notebook; any other is not there."""
    if row is None or row["notebook_id"] != scope.notebook_id or row["person_id"] != scope.actor_id:
        raise NotFound("conversation", id or "")
    return row


async def _history(
    scope: Scope, conversation_id: str | None
) -> tuple[builtins.list[tuple[str, str]], builtins.list[tuple[str, int, int]], ChatConfiguration]:
    """The last questions and answers of a conversation, what the last one cited, and how the chat answers."""

    def work(
        tx: Tx,
    ) -> tuple[builtins.list[tuple[str, str]], builtins.list[tuple[str, int, int]], ChatConfiguration]:
        configuration = configuration_of(tx, scope.notebook_id)
        if conversation_id is None:
            return [], [], configuration
        _mine(tx.one("conversation_by_id", id=conversation_id), scope, conversation_id)
        turns = tx.all("turns_of", conversation_id=conversation_id, before=position(None), limit=HISTORY)
        answers = [(turn["question"], json.loads(turn["answer"])) for turn in reversed(turns)]
        cited = answers[-1][1]["citations"] if answers else []
        told = [(citation["source_id"], citation["start"], citation["end"]) for citation in cited]
        return [(question, answer["text"]) for question, answer in answers], told, configuration

    return await scope.read(work)


async def _asked(scope: Scope, conversation_id: str) -> builtins.list[str]:
    """What was asked in a conversation, the last first: it is not suggested again."""
    rows = await scope.read(lambda tx: tx.all("questions_of", conversation_id=conversation_id, limit=REMEMBERED))
    return [row["question"] for row in rows]


def _keep(tx: Tx, scope: Scope, answer: Answer, *, fresh: bool) -> None:
    at = scope.now()
    if fresh:
        mine = {"notebook_id": scope.notebook_id, "person_id": scope.actor_id}
        tx.run("insert_conversation", id=answer.conversation_id, at=at, **mine)
    else:
        tx.run("touch_conversation", id=answer.conversation_id, at=at)
    insert_turn(tx, answer, at)
    scope.event(tx, "conversation.updated", answer.conversation_id)


def insert_turn(tx: Tx, answer: Answer, at: int) -> None:
    """Keeps an answer, and the versions that it cites for as long as it is kept."""
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
        question=row["question"] or "",
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def turn_of(row: Row) -> Turn:
    return Turn(answer=Answer.model_validate_json(row["answer"]), asked_at=moment(row["created_at"]))


async def _as_allowed(scope: Scope, notebook_id: str, answer: Answer) -> Answer:
    """Who may only chat reads of the sources what an answer cites, and no passages beside it."""

    def reads(tx: Tx) -> bool:
        try:
            check_role(tx, scope.actor_id, Subject("notebook", notebook_id), Role.VIEWER)
        except NotAllowed:
            return False
        return True

    return answer if not answer.more or await scope.look_up(reads) else answer.model_copy(update={"more": []})
