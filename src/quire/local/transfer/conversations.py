"""Conversations, as they are moved: a person's own, each question with its answer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from quire.domain.chat import Answer
from quire.domain.notebook_file.rows import ConversationRow, TurnRow
from quire.local.chat import insert_turn
from quire.local.transfer.part import Into, Part, Step, Whose, one_step, paged
from quire.ports.store import Tx


def _conversations(tx: Tx, whose: Whose) -> Iterator[ConversationRow]:
    of = {"notebook_id": whose.notebook_id, "person_id": whose.person_id}
    for row in paged(tx, "conversations_to_move", **of):
        yield ConversationRow(id=row["id"], created_at=row["created_at"], updated_at=row["updated_at"])


def _put_conversation(row: ConversationRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        mine = {"notebook_id": into.notebook_id, "person_id": into.person_id}
        tx.run("insert_moved_conversation", **mine, **row.model_dump())

    return one_step(work)


def _turns(tx: Tx, whose: Whose) -> Iterator[TurnRow]:
    of = {"notebook_id": whose.notebook_id, "person_id": whose.person_id}
    for row in paged(tx, "turns_to_move", **of):
        answer = Answer.model_validate_json(row["answer"])
        citations = [
            citation.model_copy(
                update={"passage_id": _counted(_numbers(tx, citation.source_id, citation.version), citation.passage_id)}
            )
            for citation in answer.citations
        ]
        yield TurnRow(
            id=row["id"],
            conversation_id=row["conversation_id"],
            created_at=row["created_at"],
            answer=answer.model_copy(update={"citations": citations}),
        )


def _put_turn(row: TurnRow, into: Into) -> list[Step]:
    def work(tx: Tx) -> None:
        citations = []
        for citation in row.answer.citations:
            numbers = _numbers(tx, citation.source_id, citation.version)
            counted = citation.passage_id
            number = numbers[counted - 1] if 0 < counted <= len(numbers) else 0
            citations.append(citation.model_copy(update={"passage_id": number}))
        insert_turn(tx, row.answer.model_copy(update={"citations": citations}), row.created_at)

    return one_step(work)


def conversations_with_answers(tx: Tx, whose: Whose) -> Iterator[tuple[str, list[Answer]]]:
    """The conversations in which something was asked, each with its answers in their order."""
    for row in _conversations(tx, whose):
        turns = paged(tx, "turns_of_moved", conversation_id=row.id)
        if answers := [Answer.model_validate_json(turn["answer"]) for turn in turns]:
            yield row.id, answers


def _numbers(tx: Tx, source_id: str, version: int) -> list[int]:
    return [row["seq"] for row in tx.all("passages_of_version", source_id=source_id, version=version)]


def _counted(numbers: list[int], number: int) -> int:
    """Which passage of its version it is, from 1 on; 0 where it is gone."""
    at = bisect_left(numbers, number)
    return at + 1 if at < len(numbers) and numbers[at] == number else 0


CONVERSATIONS = Part("conversations", ConversationRow, _conversations, _put_conversation, copied=False)
TURNS = Part("turns", TurnRow, _turns, _put_turn, copied=False)
