"""Conversations on the wire. The answer itself is streamed: see `stream.py`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from quire.notebooklm.codes import SessionState, TurnRole
from quire.notebooklm.documents import DOCUMENT, Document
from quire.notebooklm.kinds import anything, code, integer, moment, text
from quire.notebooklm.methods.method import OPTIONS, Method, Repeat
from quire.notebooklm.wire import At, Done, Each, Either, Node, Part, Record, Slot, Sole


@dataclass(slots=True)
class TurnAnswer:
    text: str | None = None
    document: Document | None = None


@dataclass(slots=True)
class Turn:
    """A question or an answer. The newest come first."""

    id: str | None = None
    at: datetime | None = None
    role: TurnRole | None = None
    question: str | None = None
    answers: tuple[TurnAnswer, ...] = ()

    @property
    def answer(self) -> str | None:
        return self.answers[0].text if self.answers else None


@dataclass(slots=True)
class Session:
    """Whether an answer is being made; `token` names it."""

    token: str | None = None
    state: SessionState | None = None


CONVERSATION_ID = Slot("conversation_id", text, needed=True)
TURN_ANSWER: Node = Either(
    Record(TurnAnswer, At({0: Slot("text", text), 4: Part("document", DOCUMENT, loose=True)})),
    Record(TurnAnswer, Slot("text", text)),
)
TURN = Record(
    Turn,
    At(
        {
            0: Slot("id", text, loose=True),
            1: Slot("at", moment, loose=True),
            2: Slot("role", code(TurnRole), needed=True),
            3: Slot("question", text),
            4: Each("answers", TURN_ANSWER, loose=True),
        }
    ),
)

METHODS = (
    Method(
        "hPTbtc",
        "GET_LAST_CONVERSATION_ID",
        Record(dict, [OPTIONS, None, Slot("notebook_id", text, needed=True), Slot("limit", integer, empty=1)]),
        Sole([Each("", [Slot("", text, needed=True)])], ()),
    ),
    Method(
        "khqZz",
        "GET_CONVERSATION_TURNS",
        Record(dict, [OPTIONS, None, None, CONVERSATION_ID, Slot("limit", integer, empty=20)]),
        Sole([Each("", TURN)], ()),
    ),
    Method(
        "J7Gthc",
        "DELETE_CONVERSATION",
        Record(dict, [[], CONVERSATION_ID, None, 1]),
        Done(),
        repeat=Repeat.SAME,
    ),
    Method(
        "oXwmh",
        "GET_CHAT_SESSION_STATUS",
        Record(dict, [None, CONVERSATION_ID]),
        Record(Session, [Slot("token", text), Slot("state", code(SessionState), needed=True)]),
    ),
    Method("XgrPMd", "CANCEL_GENERATION", Record(dict, [None, CONVERSATION_ID]), Done(), repeat=Repeat.SAME),
)

HISTORY = Slot("history", anything, loose=True)
ASK = Record(
    dict,
    [
        Each("source_ids", [[Slot("", text, needed=True)]], loose=True, empty=[]),
        Slot("question", text, needed=True),
        HISTORY,
        [2, None, [1], [1]],
        Slot("conversation_id", text),
        None,
        None,
        Slot("notebook_id", text),
        1,
    ],
)
"""What is asked. Older clients send the first five places and name no notebook."""
