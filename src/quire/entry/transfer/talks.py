"""Conversations on the move: turn by turn where the other library keeps what was asked elsewhere, else as a note."""

from __future__ import annotations

import uuid

from quire.api.library import Library
from quire.domain.chat import Answer, Conversation, Turn
from quire.domain.errors import Unsupported
from quire.domain.notebook_file.readable import conversation_as_markdown
from quire.domain.notes import CONTENT_LIMIT
from quire.domain.transfers import Moved
from quire.entry.transfer.contents import answers, every, turns_of
from quire.entry.transfer.steps import Facts, Steps

AS_NOTE = "The other library keeps no conversations of others: what was said is a note there."
UNCITED = "Some of what it cites was not moved."
SHORTENED = " It is too long for one; the end is left out."
LONGEST_TITLE = 200


class ConversationTransfer:
    def __init__(self, origin: Library, target: Library, steps: Steps) -> None:
        self._origin = origin
        self._target = target
        self._steps = steps

    def planned(self, conversation: Conversation) -> Moved:
        keeps = hasattr(self._target.chat.done_by, "keep_turn")
        title = conversation.question or "Conversation"
        return Moved(
            kind="conversation",
            id=conversation.id,
            title=title[:LONGEST_TITLE],
            moved_as="itself" if keeps else "note",
            lost="" if keeps else AS_NOTE,
        )

    async def move(self, notebook_id: str, conversation: Conversation) -> Moved:
        """Ids of turns follow from those here, so that the same one is never kept twice."""
        told = await turns_of(self._origin, conversation.id)
        title = f"Conversation: {conversation.question or 'untitled'}"[:LONGEST_TITLE]
        new_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"quire:{notebook_id}:{conversation.id}"))

        async def make() -> Facts:
            try:
                for turn in told:
                    await self._keep(notebook_id, new_id, turn)
                whole = all(len(self._cited(one)) == len(one.citations) for one in answers(told))
                return {"id": new_id, "how": "itself", "lost": "" if whole else UNCITED}
            except Unsupported:
                content = conversation_as_markdown(answers(told), {})
                lost = AS_NOTE + (SHORTENED if len(content) > CONTENT_LIMIT else "")
                note = await self._target.notes.create(notebook_id, title, content[:CONTENT_LIMIT])
                return {"id": note.id, "how": "note", "lost": lost}

        async def find() -> Facts | None:
            known = self._steps.ledger.ids("note") | self._steps.ledger.ids("conversation")
            known |= self._steps.ledger.ids("artifact")
            async for note in every(self._target.notes.list, notebook_id):
                if note.title == title and note.id not in known:
                    content = conversation_as_markdown(answers(told), {})[:CONTENT_LIMIT]
                    await self._target.notes.update(notebook_id, note.id, content=content)
                    return {"id": note.id, "how": "note", "lost": AS_NOTE}
            return None

        facts = await self._steps.once(f"conversation/{conversation.id}", make, find)
        came = {"moved_as": facts["how"], "new_id": facts["id"], "lost": facts["lost"]}
        return self.planned(conversation).model_copy(update=came)

    async def _keep(self, notebook_id: str, conversation_id: str, turn: Turn) -> None:
        kept = turn.answer.model_copy(
            update={
                "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"quire:{conversation_id}:{turn.answer.id}")),
                "conversation_id": conversation_id,
                "citations": self._cited(turn.answer),
                "more": [],
            }
        )
        moved = Turn(answer=kept, asked_at=turn.asked_at)
        await self._target.chat.keep_turn(notebook_id, moved.model_dump_json())

    def _cited(self, answer: Answer) -> list[object]:
        """What is cited, by the ids of the sources there."""
        done = self._steps.ledger.done
        moved = [(one, done.get(f"source/{one.source_id}", {}).get("id")) for one in answer.citations]
        return [one.model_copy(update={"source_id": id}) for one, id in moved if id]
