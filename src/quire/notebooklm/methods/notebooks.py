"""Notebooks on the wire: rows, guides and suggestions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from quire.notebooklm.codes import ChatGoal, ChatLength, Permission, ViewLevel
from quire.notebooklm.kinds import boolean, code, integer, moment, text
from quire.notebooklm.methods.method import HOME, OPTIONS, Method, Repeat, Timing
from quire.notebooklm.methods.source_rows import SOURCE, Source
from quire.notebooklm.wire import At, Done, Each, Either, Maybe, Node, Nothing, Part, Record, Slot, Sole


@dataclass(slots=True)
class ChatSettings:
    goal: ChatGoal | None = None
    prompt: str | None = None
    length: ChatLength | None = None


@dataclass(slots=True)
class Notebook:
    id: str
    title: str = ""
    emoji: str | None = None
    role: Permission | None = None
    shared: bool | None = None
    viewed_at: datetime | None = None
    created_at: datetime | None = None
    sources: tuple[Source, ...] = ()
    chat: ChatSettings | None = None
    features: tuple[bool, ...] = ()
    limits: tuple[int, ...] = ()
    conversation_ids: tuple[str, ...] = ()


@dataclass(slots=True)
class Topic:
    """A question that the guide suggests, and the prompt behind it."""

    question: str
    prompt: str | None = None


@dataclass(slots=True)
class NextStep:
    question: str
    kind: int | None = None


@dataclass(slots=True)
class Guide:
    summary: str = ""
    topics: tuple[Topic, ...] = ()
    next_steps: tuple[NextStep, ...] = ()


@dataclass(slots=True)
class Suggestion:
    """A prompt that is ready to be sent."""

    title: str
    prompt: str


NOTEBOOK_ID = Slot("notebook_id", text, needed=True)
CHAT = Record(
    ChatSettings,
    At(
        {
            0: At({0: Slot("goal", code(ChatGoal)), 1: Slot("prompt", text)}),
            1: At({0: Slot("length", code(ChatLength))}),
        }
    ),
)


def notebook_row(sources: Node) -> Record:
    return Record(
        Notebook,
        At(
            {
                0: Slot("title", text),
                1: sources,
                2: Slot("id", text, needed=True),
                3: Slot("emoji", text),
                5: At(
                    {
                        0: Slot("role", code(Permission)),
                        1: Slot("shared", boolean, loose=True),
                        5: Slot("viewed_at", moment, loose=True),
                        8: Slot("created_at", moment, loose=True),
                    }
                ),
                7: Part("chat", CHAT, loose=True),
                9: Each("features", Slot("", boolean), loose=True),
                10: Each("limits", Slot("", integer), loose=True),
                11: Each("conversation_ids", [Slot("", text, needed=True)], loose=True),
            }
        ),
    )


ROW = notebook_row(Each("sources", SOURCE))
LISTED = notebook_row(Each("sources", SOURCE, loose=True))
BARE: Node = Either(Sole(Part("", ROW, needed=True)), Sole([Part("", ROW, needed=True)]), Nothing())
NEXT_STEP = Record(NextStep, [Slot("question", text, needed=True), Slot("kind", integer, loose=True)])

METHODS = (
    Method(
        "wXbhsf",
        "LIST_NOTEBOOKS",
        Record(dict, [None, 1, None, OPTIONS]),
        Sole([Each("", LISTED)], ()),
        HOME,
    ),
    Method(
        "CCqFvf",
        "CREATE_NOTEBOOK",
        Record(dict, [Slot("title", text), None, None, OPTIONS]),
        Either(Sole(Part("", ROW, needed=True)), Sole([Part("", ROW, needed=True)])),
        HOME,
        Repeat.TWICE,
    ),
    Method(
        "te3DCe",
        "COPY_NOTEBOOK",
        Record(dict, [OPTIONS, NOTEBOOK_ID, Slot("title", text)]),
        Either(Sole(Part("", ROW, needed=True)), Sole([Part("", ROW, needed=True)])),
        HOME,
        Repeat.TWICE,
        Timing.PROCESSING,
    ),
    Method(
        "rLM1Ne",
        "GET_NOTEBOOK",
        Record(dict, [NOTEBOOK_ID, None, OPTIONS, None, 0]),
        Sole([Part("", ROW, needed=True)]),
    ),
    Method(
        "s0tc2d",
        "RENAME_NOTEBOOK",
        # One method for all that can be changed: title and emoji, chat settings, what viewers may see.
        Record(
            dict,
            [
                NOTEBOOK_ID,
                [
                    At(
                        {
                            3: [None, Slot("title", text), Maybe(Slot("emoji", text))],
                            7: Part("chat", CHAT),
                            8: [[Slot("view_level", code(ViewLevel))]],
                        }
                    )
                ],
            ],
        ),
        BARE,
        repeat=Repeat.SAME,
    ),
    Method(
        "WWINqb",
        "DELETE_NOTEBOOK",
        Record(dict, [[NOTEBOOK_ID], [2]]),
        Done(),
        HOME,
        Repeat.SAME,
    ),
    Method("fejl7e", "REMOVE_RECENTLY_VIEWED", Record(dict, [NOTEBOOK_ID]), Done(), HOME, Repeat.SAME),
    Method(
        "VfAZjd",
        "SUMMARIZE",
        Record(dict, [NOTEBOOK_ID, OPTIONS]),
        Record(
            Guide,
            At(
                {
                    0: At(
                        {
                            0: At({0: Slot("summary", text)}),
                            1: At(
                                {
                                    0: Each(
                                        "topics",
                                        Record(Topic, [Slot("question", text, needed=True), Slot("prompt", text)]),
                                    )
                                }
                            ),
                            5: At({0: Each("next_steps", NEXT_STEP, loose=True)}, loose=True),
                        }
                    )
                }
            ),
        ),
        timing=Timing.PROCESSING,
    ),
    Method(
        "otmP3b",
        "SUGGEST_PROMPTS",
        Record(
            dict,
            [
                OPTIONS,
                NOTEBOOK_ID,
                Each("source_ids", [Slot("", text, needed=True)], needed=True),
                Slot("mode", integer, needed=True),
                None,
                Slot("query", text),
            ],
        ),
        Sole([Each("", Record(Suggestion, [Slot("title", text, needed=True), Slot("prompt", text, needed=True)]))], ()),
        timing=Timing.PROCESSING,
    ),
    Method(
        "OcvKNc",
        "SUGGEST_NEXT_STEPS",
        Record(dict, [None, NOTEBOOK_ID, Maybe(Each("source_ids", [[Slot("", text, needed=True)]]))]),
        Sole([Each("", NEXT_STEP)], ()),
        timing=Timing.PROCESSING,
    ),
)
