"""Sources on the wire: added, read, searched, changed."""

from __future__ import annotations

from quire.notebooklm.codes import Provider
from quire.notebooklm.documents import SOURCE_DOCUMENT
from quire.notebooklm.kinds import boolean, code, integer, moment, number, text
from quire.notebooklm.methods.method import HOME, OPTIONS, Method, Repeat, Timing
from quire.notebooklm.methods.source_rows import (
    ADDED,
    CHANGED,
    NEW_SOURCE,
    ONE_ID,
    PASSAGE,
    ROW_OR_NOTHING,
    SOURCE,
    CopiedSource,
    Freshness,
    PlayBook,
    Queued,
    QueuedSources,
    SourceGuide,
    SourcePassages,
    SourceText,
)
from quire.notebooklm.wire import At, Done, Each, Either, Maybe, Nothing, Part, Record, Slot, Sole

NOTEBOOK_ID = Slot("notebook_id", text, needed=True)
SOURCE_ARGUMENT = [Slot("source_id", text, needed=True)]
METHODS = (
    Method(
        "izAoDd",
        "ADD_SOURCE",
        Record(
            dict, [Each("sources", Either(NEW_SOURCE, Sole([Part("", NEW_SOURCE)])), needed=True), NOTEBOOK_ID, OPTIONS]
        ),
        ADDED,
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "X1snv",
        "ADD_SOURCES_ASYNC",
        Record(dict, [Each("sources", NEW_SOURCE, needed=True), NOTEBOOK_ID, OPTIONS]),
        Record(
            QueuedSources,
            At(
                {
                    0: Each("sources", SOURCE),
                    2: Each("queued", Record(Queued, [Part("source", SOURCE, needed=True), Slot("status", integer)])),
                }
            ),
        ),
        repeat=Repeat.TWICE,
    ),
    Method(
        "o4cbdc",
        "ADD_SOURCE_FILE",
        Record(dict, [Each("names", [Slot("", text, needed=True)], needed=True), NOTEBOOK_ID, OPTIONS]),
        ADDED,
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "tGMBJ",
        "DELETE_SOURCE",
        Record(dict, [Each("source_ids", [ONE_ID], needed=True)]),
        Done(),
        repeat=Repeat.SAME,
    ),
    Method(
        "b7Wfje",
        "UPDATE_SOURCE",
        Record(dict, [None, SOURCE_ARGUMENT, [[[Slot("title", text)]]]]),
        CHANGED,
        repeat=Repeat.SAME,
    ),
    Method(
        "tr032e",
        "GET_SOURCE_GUIDE",
        Record(dict, [[[SOURCE_ARGUMENT]]]),
        Record(
            SourceGuide,
            At(
                {
                    0: At(
                        {
                            0: At(
                                {
                                    1: At({0: Slot("summary", text)}),
                                    2: At({0: Each("keywords", Slot("", text, needed=True), loose=True)}),
                                }
                            )
                        }
                    )
                }
            ),
        ),
        timing=Timing.PROCESSING,
    ),
    Method(
        "hizoJc",
        "GET_SOURCE",
        Record(dict, [SOURCE_ARGUMENT, [Slot("format", integer)], [Slot("format", integer)]]),
        Record(
            SourceText,
            At(
                {
                    0: Part("source", SOURCE, needed=True),
                    3: Part("document", SOURCE_DOCUMENT),
                    4: At({1: Slot("html", text, loose=True)}, loose=True),
                }
            ),
        ),
        timing=Timing.PROCESSING,
    ),
    Method(
        "FLmJqe",
        "REFRESH_SOURCE",
        Record(dict, [None, SOURCE_ARGUMENT, [2]]),
        CHANGED,
        repeat=Repeat.SAME,
        timing=Timing.PROCESSING,
    ),
    Method(
        "yR9Yof",
        "CHECK_SOURCE_FRESHNESS",
        Record(dict, [None, SOURCE_ARGUMENT, [2]]),
        Either(
            Record(Freshness, [At({1: Slot("fresh", boolean, needed=True), 2: [Slot("source_id", text)]})]),
            Record(Freshness, Slot("fresh", boolean, needed=True)),
            Record(Freshness, Nothing()),
        ),
    ),
    Method(
        "ASU5Oe",
        "RETRIEVE_RELEVANT_CHUNKS",
        Record(
            dict,
            [NOTEBOOK_ID, Slot("query", text, needed=True), None, [1], Maybe([Each("source_ids", [ONE_ID])])],
        ),
        Sole(
            [
                Each(
                    "",
                    Record(SourcePassages, At({0: Slot("source_id", text, needed=True), 1: Each("passages", PASSAGE)})),
                )
            ],
            (),
        ),
    ),
    Method(
        "QsNTEd",
        "APPEND_SOURCE",
        Record(dict, [None, SOURCE_ARGUMENT, None, [None, [Slot("header", text), Slot("body", text, needed=True)]]]),
        ROW_OR_NOTHING,
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "R27wvc",
        "COPY_SOURCES",
        Record(dict, [None, None, Each("source_ids", [ONE_ID], needed=True), NOTEBOOK_ID]),
        Sole(
            [
                Each(
                    "",
                    Record(
                        CopiedSource,
                        [
                            Either([Slot("original_id", text, needed=True)], Slot("original_id", text, needed=True)),
                            Part("source", SOURCE, needed=True),
                        ],
                    ),
                )
            ],
            (),
        ),
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "mVtEUb",
        "LIST_EXPERT_INTELLIGENCE_CONTENT",
        Record(dict, [None, Slot("provider", code(Provider), empty=1)]),
        Sole(
            [
                Each(
                    "",
                    Record(
                        PlayBook,
                        At(
                            {
                                0: Slot("content_id", text, needed=True),
                                1: Slot("provider", code(Provider), loose=True),
                                2: Slot("title", text),
                                3: Slot("description", text),
                                4: Slot("cover_url", text),
                                5: Slot("export_disabled", boolean, loose=True),
                                6: Slot("reason", integer, loose=True),
                                7: Each("authors", Slot("", text, needed=True), loose=True),
                                8: Slot("field", number, loose=True),
                                9: Slot("updated_at", moment, loose=True),
                            }
                        ),
                    ),
                )
            ],
            (),
        ),
        HOME,
    ),
)
