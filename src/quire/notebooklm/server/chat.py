"""Questions and conversations, as NotebookLM's clients ask for them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from typing import Any

from quire.api.library import Library
from quire.domain import chat as ours
from quire.domain.errors import InvalidInput, NotFound, Unsupported
from quire.notebooklm.codes import ChatGoal, ChatLength, SessionState, TurnRole
from quire.notebooklm.documents import (
    ANSWER_MARK,
    Annotation,
    Block,
    Citation,
    Document,
    Paragraph,
    Run,
    plain_document,
    utf16_length,
    utf16_offsets,
)
from quire.notebooklm.marks import unmarked
from quire.notebooklm.methods.chat import Session, Turn, TurnAnswer
from quire.notebooklm.methods.notebooks import ChatSettings, Guide, NextStep, Suggestion, Topic
from quire.notebooklm.server.sources import SourcePlace, notebook_of, utf16_places
from quire.notebooklm.server.wire_call import Handler, WireCall
from quire.notebooklm.stream import Chunk, TurnKey

GOALS: dict[ChatGoal, ours.Goal] = {
    ChatGoal.DEFAULT: "default",
    ChatGoal.CUSTOM: "custom",
    ChatGoal.LEARNING_GUIDE: "learning_guide",
}
LENGTHS: dict[ChatLength, ours.Length] = {
    ChatLength.DEFAULT: "default",
    ChatLength.LONGER: "longer",
    ChatLength.SHORTER: "shorter",
}
QUESTION_KIND = 9
# A UUID but its last three digits, which number the citations.
CHUNK_OF_ANSWER = 33
OURS = uuid.UUID("7d9a6c0e-3f1b-4a3e-9f53-6a2f0f6f9b11")


async def streamed(call: WireCall, names: Mapping[str, Any]) -> AsyncIterator[Chunk]:
    """The answer to a question as it grows, the last chunk with all that belongs to it."""
    library = call.library
    given = names.get("conversation_id")
    conversation = await known_conversation(library, given)
    notebook_id = await asked_notebook(call, names, conversation)
    conversation_id = conversation.id if conversation else await adopted(library, notebook_id, given)
    chosen = list(names.get("source_ids") or ()) or None
    turn = TurnKey(conversation_id, str(uuid.uuid4()), 1)
    events = library.chat.ask_stream(notebook_id, names["question"], chosen, conversation_id)
    if conversation_id:
        events = call.answering.parts(conversation_id, events)
    async with aclosing(events) as parts:  # type: ignore[type-var]
        async for part in parts:
            if isinstance(part, ours.Answer):
                yield await final_chunk(library, part)
            else:
                document = plain_document(part.text)
                document.mark = ANSWER_MARK
                yield Chunk(part.text, turn, document)


async def known_conversation(library: Library, id: str | None) -> ours.Conversation | None:
    """A conversation that is there already."""
    if not id:
        return None
    try:
        return await library.chat.get_conversation(id)
    except NotFound:
        return None


async def adopted(library: Library, notebook_id: str, id: str | None) -> str | None:
    """The id that a client made up for a conversation that begins; None where it cannot be had."""
    if not id:
        return None
    try:
        return (await library.chat.open_conversation(notebook_id, id)).id
    except (NotFound, InvalidInput):
        return None


async def asked_notebook(call: WireCall, names: Mapping[str, Any], conversation: ours.Conversation | None) -> str:
    """Named with the question, by the page, by the conversation, or by the sources that it is put to."""
    named = names.get("notebook_id") or call.page_notebook()
    if named:
        return str(named)
    if conversation:
        return conversation.notebook_id
    found = await notebook_of(call.library, names.get("source_ids") or ())
    if found is None:
        raise InvalidInput("The question does not say which notebook it is put to.")
    return found


async def final_chunk(library: Library, answer: ours.Answer) -> Chunk:
    document = document_of(answer, await utf16_places(library, cited_places(answer)))
    further = tuple(answer.follow_up_questions)
    return Chunk(
        text=answer.text,
        turn=TurnKey(answer.conversation_id, answer.id, 1),
        document=document,
        follow_ups=further,
        final=True,
        next_steps=tuple(NextStep(question, QUESTION_KIND) for question in further),
    )


def cited_places(answer: ours.Answer) -> list[SourcePlace]:
    """Where the excerpts of an answer's citations begin."""
    return [(citation.source_id, citation.version, citation.start) for citation in answer.citations]


def document_of(answer: ours.Answer, starts: Mapping[SourcePlace, int]) -> Document:
    """The answer without its marks, what each part of it rests on, and where that stands."""
    clean, places = unmarked(answer.text)
    offsets = utf16_offsets(clean)
    citations, annotations = [], []
    for citation, place in zip(answer.citations, cited_places(answer), strict=True):
        chunk_id = chunk_id_of(answer, citation)
        start = starts[place]
        end = start + utf16_length(citation.excerpt)
        run = Run(start, end, citation.excerpt)
        citations.append(
            Citation(
                chunk_id=chunk_id,
                score=1.0 if citation.verified else 0.0,
                start=start,
                end=end,
                blocks=(Block(start, end, Paragraph(runs=(run,), style=1)),),
                source_id=citation.source_id,
                passage_id=str(uuid.uuid5(OURS, f"{citation.source_id} {citation.passage_id}")),
            )
        )
        first, last = (offsets[places[min(place, len(answer.text))]] for place in _span(citation))
        annotations.append(Annotation(chunk_id, first, last))
    blocks = _blocks(clean)
    return Document(blocks, tuple(annotations), tuple(citations), ANSWER_MARK)


def chunk_id_of(answer: ours.Answer, citation: ours.Citation) -> str:
    """A citation's own id, which begins as that of its answer: by it a client says which answer it saves."""
    return f"{answer.id[:CHUNK_OF_ANSWER]}{citation.number:03x}"


async def answer_with(library: Library, notebook_id: str, chunk_ids: Iterable[str | None], words: str) -> str | None:
    """The id of the caller's answer that has one of these citations and says just these words."""
    chunk_id = next((id for id in chunk_ids if id), "")
    try:
        answer = await library.chat.get_answer(notebook_id, chunk_id[:CHUNK_OF_ANSWER])
    except (NotFound, InvalidInput, Unsupported):
        return None
    return answer.id if unmarked(answer.text)[0].split() == unmarked(words)[0].split() else None


def _span(citation: ours.Citation) -> tuple[int, int]:
    return citation.answer_start, max(citation.answer_start, citation.answer_end)


def _blocks(clean: str) -> tuple[Block, ...]:
    """A paragraph for each line, its line end with it, so that places run on without gaps."""
    blocks = []
    at = 0
    for line in clean.splitlines(keepends=True):
        end = at + utf16_length(line)
        blocks.append(Block(at, end, Paragraph(runs=(Run(at, end, line),), style=1)))
        at = end
    return tuple(blocks)


async def last_conversation(call: WireCall, names: Mapping[str, Any]) -> tuple[str, ...]:
    """Always one: clients put the first question of a notebook to it too."""
    return ((await call.library.chat.open_conversation(call.notebook(names))).id,)


async def turns(call: WireCall, names: Mapping[str, Any]) -> tuple[Turn, ...]:
    """Newest first, each answer before its question. A conversation that is not there has none."""
    limit = max(1, min(int(names.get("limit") or 20), 1_000))
    try:
        page = await call.library.chat.get_history(names["conversation_id"], limit=limit)
    except NotFound:
        return ()
    starts = await utf16_places(call.library, [place for turn in page.items for place in cited_places(turn.answer)])
    rows: list[Turn] = []
    for turn in page.items:
        answer = turn.answer
        said = TurnAnswer(answer.text, document_of(answer, starts))
        rows.append(Turn(answer.id, turn.asked_at, TurnRole.ANSWER, None, (said,)))
        rows.append(Turn(str(uuid.uuid5(OURS, answer.id)), turn.asked_at, TurnRole.QUESTION, answer.question))
    return tuple(rows)


async def delete_conversation(call: WireCall, names: Mapping[str, Any]) -> None:
    await call.library.chat.delete_conversation(names["conversation_id"])


async def session(call: WireCall, names: Mapping[str, Any]) -> Session:
    """Whether an answer is being made in one of the caller's conversations; in any other, none is."""
    id = names["conversation_id"]
    if await known_conversation(call.library, id) is None or not call.answering.busy(id):
        return Session(None, SessionState.IDLE)
    return Session(id, SessionState.BUSY)


async def give_up(call: WireCall, names: Mapping[str, Any]) -> None:
    """Ends the answer that is being made in one of the caller's conversations, if one is; nothing is kept of it."""
    id = names["conversation_id"]
    if await known_conversation(call.library, id) is not None:
        call.answering.give_up(id)


async def configure(library: Library, notebook_id: str, chat: ChatSettings) -> None:
    """A goal or length that is left out, or not known here, is the default."""
    goal = GOALS.get(chat.goal or ChatGoal.DEFAULT)
    length = LENGTHS.get(chat.length or ChatLength.DEFAULT)
    if goal is None or length is None:
        raise InvalidInput("This goal or length of the chat is not known.")
    await library.chat.configure(notebook_id, goal=goal, instructions=chat.prompt or "", length=length)


async def conversation_of(library: Library, notebook_id: str) -> tuple[str, ...]:
    """The conversation of a notebook that was just made; none with an engine that keeps none."""
    try:
        return ((await library.chat.open_conversation(notebook_id)).id,)
    except Unsupported:
        return ()


async def settings_of(library: Library, notebook_id: str) -> ChatSettings | None:
    """How a notebook's chat answers; None with an engine that has no such settings."""
    try:
        kept = await library.chat.get_configuration(notebook_id)
    except Unsupported:
        return None
    goal = next(code for code, name in GOALS.items() if name == kept.goal)
    length = next(code for code, name in LENGTHS.items() if name == kept.length)
    return ChatSettings(goal, kept.instructions or None, length)


async def summarize(call: WireCall, names: Mapping[str, Any]) -> Guide:
    found = await call.library.notebooks.get_summary(call.notebook(names))
    topics = tuple(Topic(question, question) for question in found.questions)
    return Guide(found.summary, topics, tuple(NextStep(question, QUESTION_KIND) for question in found.questions))


async def suggest_prompts(call: WireCall, names: Mapping[str, Any]) -> tuple[Suggestion, ...]:
    found = await call.library.notebooks.get_summary(call.notebook(names))
    return tuple(Suggestion(question, question) for question in found.questions)


async def next_steps(call: WireCall, names: Mapping[str, Any]) -> tuple[NextStep, ...]:
    found = await call.library.notebooks.get_summary(call.notebook(names))
    return tuple(NextStep(question, QUESTION_KIND) for question in found.questions)


HANDLERS: dict[str, Handler] = {
    "GET_LAST_CONVERSATION_ID": last_conversation,
    "GET_CONVERSATION_TURNS": turns,
    "DELETE_CONVERSATION": delete_conversation,
    "GET_CHAT_SESSION_STATUS": session,
    "CANCEL_GENERATION": give_up,
    "SUMMARIZE": summarize,
    "SUGGEST_PROMPTS": suggest_prompts,
    "SUGGEST_NEXT_STEPS": next_steps,
}
