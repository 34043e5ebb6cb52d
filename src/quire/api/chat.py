"""Chat: ask a notebook, and what was asked before."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from quire.api.capability import capability, events_of
from quire.api.noun import Noun
from quire.domain.across import LibraryAnswer, NotebookIds
from quire.domain.chat import (
    Answer,
    AnswerPart,
    ChatConfiguration,
    Conversation,
    ConversationId,
    Goal,
    Length,
    NewConversationId,
    Turn,
)
from quire.domain.labels import LabelIds
from quire.domain.notebooks import InNotebook, NotebookId
from quire.domain.notes import Note
from quire.domain.pages import Page
from quire.domain.sharing import Role

Question = Annotated[str, Field(min_length=1, description="What to ask.", examples=["Who makes honey?"])]
SourceIds = Annotated[list[str], Field(max_length=1_000, description="Ask only these sources.")]

A_TURN = """{"asked_at": "2026-01-01T00:00:00Z", "answer": {"id": "00000000-0000-4000-8000-000000000001",
"conversation_id": "00000000-0000-4000-8000-000000000002", "question": "Who makes honey?", "text": "Bees.",
"citations": [], "confidence": null, "follow_up_questions": [], "grounded": false, "maker": "elsewhere"}}"""


class Chat(Noun):
    """Questions to a notebook, and what was answered before."""

    noun = "chat"
    toolset = "notebooks"

    @capability(
        "ask", "write", of=("notebook", "notebook_id"), needs=Role.CHAT_ONLY, timeout=180, listed=True, remembers=True
    )
    async def ask(
        self,
        notebook_id: NotebookId | None,
        question: Question,
        source_ids: SourceIds | None = None,
        conversation_id: Annotated[str, Field(description="Goes on with this conversation.")] | None = None,
        label_ids: LabelIds | None = None,
    ) -> Answer:
        """Ask a notebook's sources. The answer cites them, and every citation is checked."""

    ask_stream = events_of(ask, AnswerPart)

    @capability(
        "ask_across",
        "write",
        needs=Role.VIEWER,
        timeout=180,
        remembers=True,
        verb="ask-across",
        toolset="across",
    )
    async def ask_across(
        self,
        question: Question,
        notebook_ids: NotebookIds | None = None,
        conversation_id: Annotated[str, Field(description="Goes on with this conversation.")] | None = None,
    ) -> LibraryAnswer:
        """Ask the sources of several notebooks, or of all that you may read. Each citation names its notebook.

        The conversation is kept in your inbox.
        """

    ask_across_stream = events_of(ask_across, AnswerPart)

    @capability(
        "list_conversations", "read", of=("notebook", "notebook_id"), needs=Role.CHAT_ONLY, verb="conversations"
    )
    async def list_conversations(
        self,
        notebook_id: NotebookId | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """List your conversations with a notebook, newest first."""

    @capability(
        "get_conversation", "read", of=("conversation", "conversation_id"), needs=Role.CHAT_ONLY, published=False
    )
    async def get_conversation(self, conversation_id: ConversationId) -> Conversation:
        """One of your conversations, with the notebook that it is held with."""

    @capability("open_conversation", "write", of=("notebook", "notebook_id"), needs=Role.CHAT_ONLY, published=False)
    async def open_conversation(
        self, notebook_id: NotebookId | None, conversation_id: NewConversationId | None = None
    ) -> Conversation:
        """Your conversation of this id, begun if it is not there; your last one with the notebook without an id."""

    @capability("keep_turn", "write", of=("notebook", "notebook_id"), needs=Role.CHAT_ONLY, published=False)
    async def keep_turn(
        self,
        notebook_id: NotebookId | None,
        turn: Annotated[
            str,
            Field(max_length=8_000_000, description="JSON, as get_history gives it; ids are UUIDs.", examples=[A_TURN]),
        ],
    ) -> Turn:
        """Keep a turn of a conversation that was held elsewhere; the conversation is begun if it is not there.

        The same answer again is not kept twice. A citation stays checked where its excerpt stands in the source.
        """

    @capability("get_history", "read", of=("conversation", "conversation_id"), needs=Role.CHAT_ONLY, verb="history")
    async def get_history(
        self,
        conversation_id: ConversationId,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
        cursor: str | None = None,
    ) -> Page[Turn]:
        """The questions and answers of a conversation, newest first."""

    @capability(
        "delete_conversation", "destroy", of=("conversation", "conversation_id"), needs=Role.CHAT_ONLY, verb="forget"
    )
    async def delete_conversation(self, conversation_id: ConversationId) -> Conversation:
        """Delete a conversation with all in it."""

    @capability("configure_chat", "write", of=("notebook", "notebook_id"), idempotent=True, verb="configure")
    async def configure(
        self,
        notebook_id: NotebookId | None = None,
        goal: Goal = "default",
        instructions: Annotated[str, Field(max_length=10_000)] = "",
        length: Length = "default",
    ) -> ChatConfiguration:
        """Say how a notebook's chat answers: as a teacher, by your own instructions, at length or shortly."""

    @capability("get_chat_configuration", "read", of=("notebook", "notebook_id"), verb="configuration")
    async def get_configuration(self, notebook_id: NotebookId | None = None) -> ChatConfiguration:
        """How a notebook's chat answers."""

    @capability("get_answer", "read", of=("notebook", "notebook_id"), needs=Role.CHAT_ONLY, published=False)
    async def get_answer(
        self,
        notebook_id: NotebookId | None,
        beginning: Annotated[str, Field(description="How the answer's id begins, but for four characters at most.")],
    ) -> Answer:
        """An answer that you got from a notebook."""

    @capability("save_answer", "write", of=("answer", "answer_id"), verb="save", listed=True)
    async def save_answer_as_note(
        self,
        notebook_id: InNotebook | None,
        answer_id: Annotated[str, Field(description="The answer's id.")],
        title: Annotated[str, Field(max_length=1_000)] | None = None,
    ) -> Note:
        """Keep an answer as a note with its citations. Kept again, it is the same note.

        That gets the title given last.
        """
