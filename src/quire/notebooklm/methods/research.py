"""Research on the wire: runs that look for sources, what they found, and what is taken from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from quire.notebooklm.codes import DiscoveryMode, ResearchSource, ResearchState
from quire.notebooklm.kinds import code, integer, moment, text
from quire.notebooklm.methods.method import Method, Repeat, Timing
from quire.notebooklm.wire import At, Done, Drift, Each, Either, Kind, Listed, Mark, Node, Part, Record, Slot, Sole

REPORT_KIND = 3


@dataclass(slots=True)
class Finding:
    """A source that was found, or the report that was written (`report`)."""

    url: str | None = None
    title: str | None = None
    hint: str | None = None
    kind: int | None = None
    favicon: str | None = None
    report: str | None = None
    ordinal: int | None = None


@dataclass(slots=True)
class Run:
    id: str
    notebook_id: str | None = None
    query: str = ""
    source: ResearchSource | None = None
    mode: DiscoveryMode | None = None
    findings: tuple[Finding, ...] = ()
    summary: str | None = None
    state: ResearchState | None = None
    updated_at: datetime | None = None
    created_at: datetime | None = None
    account: str | None = None

    @property
    def report(self) -> str | None:
        return next((finding.report for finding in self.findings if finding.report), None)


@dataclass(slots=True)
class Started:
    """A run that was begun: a deep one is known afterwards by its report's id."""

    id: str
    report_id: str | None = None

    @property
    def run_id(self) -> str:
        return self.report_id or self.id


@dataclass(slots=True)
class Discovered:
    findings: tuple[Finding, ...] = ()
    summary: str | None = None
    run_id: str | None = None
    error: int | None = None


@dataclass(slots=True)
class Imported:
    id: str
    title: str | None = None


@dataclass(slots=True)
class Report:
    title: str | None = None
    markdown: str | None = None


@dataclass(slots=True)
class Link:
    url: str | None = None
    title: str | None = None


@dataclass(slots=True)
class ChosenFile:
    id: str
    media_type: str | None = None
    title: str | None = None


@dataclass(slots=True)
class Chosen:
    """What is taken over into the notebook: a report, a page, or a file of Google Drive."""

    report: Report | None = None
    link: Link | None = None
    file: ChosenFile | None = None


def finding(*title: Listed | Slot, text_at: Node) -> Record:
    return Record(
        Finding,
        At(
            {
                0: Slot("url", text),
                1: title[0],
                2: Slot("hint", text, loose=True),
                3: Slot("kind", integer, loose=True),
                5: Slot("favicon", text, loose=True),
                6: text_at,
                8: Slot("ordinal", integer, loose=True),
            }
        ),
    )


def _report(value: Any) -> str:
    """The text of a report, followed by its kind; it came in several pieces once."""
    if type(value) is list and value and type(value[0]) is str:
        return "".join(piece for piece in value if type(piece) is str)
    raise Drift("the text of a report", value)


REPORT_TEXT = Slot("report", Kind("the text of a report", _report, lambda report: [report, REPORT_KIND]), loose=True)
# Reports came with their text beside the title once; the other layout is what is sent now.
FINDING: Node = Either(
    finding(Slot("title", text), text_at=REPORT_TEXT),
    finding(Listed({0: Slot("title", text), 1: Slot("report", text)}, trimmed=False), text_at=At({}, loose=True)),
)
RUN = Record(
    Run,
    [
        Slot("id", text, needed=True),
        At(
            {
                0: Slot("notebook_id", text),
                1: [Slot("query", text), Slot("source", code(ResearchSource), loose=True)],
                2: Slot("mode", code(DiscoveryMode), loose=True),
                3: At({0: Each("findings", FINDING), 1: Slot("summary", text)}),
                4: Slot("state", code(ResearchState), needed=True),
            }
        ),
        Slot("updated_at", moment, loose=True),
        Slot("created_at", moment, loose=True),
        Slot("account", text, loose=True),
    ],
)
NOTEBOOK_ID = Slot("notebook_id", text, needed=True)
QUESTION = [Slot("query", text, needed=True), Slot("source", code(ResearchSource), empty=1)]
STARTED = Record(Started, At({0: Slot("id", text, needed=True), 1: Slot("report_id", text)}))
REPORT_ENTRY = Record(
    Chosen,
    At(
        {
            1: Part("report", Record(Report, [Slot("title", text), Slot("markdown", text)]), needed=True),
            3: Mark(REPORT_KIND),
            10: REPORT_KIND,
        }
    ),
)
LINK_ENTRY = Record(
    Chosen, At({2: Part("link", Record(Link, [Slot("url", text), Slot("title", text)]), needed=True), 10: 2})
)
FILE_ENTRY = Record(
    Chosen,
    At(
        {
            0: Part(
                "file",
                Record(
                    ChosenFile,
                    [
                        Slot("id", text, needed=True),
                        Slot("media_type", text, loose=True),
                        1,
                        Slot("title", text, loose=True),
                    ],
                ),
                needed=True,
            ),
            10: 2,
        }
    ),
)
# What says nothing that is known is let pass.
OTHER_ENTRY = Record(Chosen, At({}))


class Entry(Either):
    """A report, which has a mark of its own, a file, or a page."""

    def wire(self, value: object) -> object:
        def has(name: str) -> bool:
            return bool(value.get(name) if isinstance(value, dict) else getattr(value, name, None))

        return (REPORT_ENTRY if has("report") else FILE_ENTRY if has("file") else LINK_ENTRY).wire(value)


METHODS = (
    Method(
        "Es3dTe",
        "DISCOVER_SOURCES",
        Record(dict, [QUESTION, None, Slot("mode", code(DiscoveryMode), empty=1), NOTEBOOK_ID]),
        Record(
            Discovered,
            At(
                {
                    0: Each("findings", FINDING),
                    1: Slot("summary", text),
                    2: [Slot("run_id", text)],
                    4: Slot("error", integer, loose=True),
                }
            ),
        ),
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "Ljjv0c",
        "START_FAST_RESEARCH",
        Record(dict, [QUESTION, None, 1, NOTEBOOK_ID]),
        STARTED,
        repeat=Repeat.TWICE,
    ),
    Method(
        "QA9ei",
        "START_DEEP_RESEARCH",
        Record(dict, [None, [1], QUESTION, 5, NOTEBOOK_ID]),
        STARTED,
        repeat=Repeat.TWICE,
        timing=Timing.LONG,
    ),
    Method(
        "e3bVqc",
        "POLL_RESEARCH",
        Record(dict, [None, None, NOTEBOOK_ID]),
        Either(Sole([Each("", RUN)], ()), Sole(Each("", RUN), ())),
    ),
    Method(
        "LBwxtb",
        "IMPORT_RESEARCH",
        Record(
            dict,
            [
                None,
                [1],
                Slot("run_id", text, needed=True),
                NOTEBOOK_ID,
                Each("entries", Entry(REPORT_ENTRY, FILE_ENTRY, LINK_ENTRY, OTHER_ENTRY), needed=True),
            ],
        ),
        Either(
            Sole(
                [Each("", Record(Imported, [[Slot("id", text, needed=True)], Slot("title", text)]))],
                (),
            ),
            Sole(Each("", Record(Imported, [[Slot("id", text, needed=True)], Slot("title", text)])), ()),
        ),
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "Zbrupe",
        "CANCEL_RESEARCH",
        Record(dict, [None, None, Slot("run_id", text, needed=True)]),
        Done(),
        repeat=Repeat.SAME,
    ),
)
