"""Artifacts on the wire: made, listed, changed, taken out."""

from __future__ import annotations

from dataclasses import dataclass

from quire.notebooklm.codes import AudienceLevel, ExportKind
from quire.notebooklm.kinds import code, integer, text
from quire.notebooklm.methods.method import HOME, OPTIONS, STUDIO_OPTIONS, Method, Repeat, Timing
from quire.notebooklm.methods.studio import ARTIFACT, RENAMED, WANTED, Artifact
from quire.notebooklm.wire import At, Constant, Done, Each, Either, Maybe, Node, Nothing, Part, Record, Slot, Sole

NOT_SUGGESTED = 'NOT artifact.status = "ARTIFACT_STATUS_SUGGESTED"'
MIND_MAP_COMMAND = "interactive_mindmap"


@dataclass(slots=True)
class ReportIdea:
    title: str
    description: str | None = None
    prompt: str | None = None
    level: AudienceLevel | None = None


@dataclass(slots=True)
class CopiedArtifact:
    original_id: str
    artifact: Artifact


@dataclass(slots=True)
class Choice:
    code: int
    title: str = ""
    description: str | None = None


@dataclass(slots=True)
class ReportPreset:
    name: str
    description: str | None = None
    directive: str | None = None


@dataclass(slots=True)
class Choices:
    """The formats that may be chosen from."""

    audio: tuple[Choice, ...] = ()
    video: tuple[Choice, ...] = ()
    slides: tuple[Choice, ...] = ()
    reports: tuple[ReportPreset, ...] = ()


class Always(Constant):
    """Sent even where nothing else is."""

    named = True


NOTEBOOK_ID = Slot("notebook_id", text, needed=True)
ARTIFACT_ID = Slot("artifact_id", text, needed=True)
WRAPPED: Node = Either(Sole([Part("", ARTIFACT, needed=True)]), Sole(Part("", ARTIFACT, needed=True)), Nothing())
CHOICE = Record(Choice, [Slot("code", integer, needed=True), Slot("title", text), Slot("description", text)])
PRESET = Record(ReportPreset, [Slot("name", text, needed=True), Slot("description", text), Slot("directive", text)])

METHODS = (
    Method(
        "R7cb6c",
        "CREATE_ARTIFACT",
        Record(dict, [STUDIO_OPTIONS, NOTEBOOK_ID, Part("artifact", WANTED, needed=True)]),
        WRAPPED,
        repeat=Repeat.TWICE,
        timing=Timing.GENERATION,
    ),
    Method(
        "gArtLc",
        "LIST_ARTIFACTS",
        Record(dict, [STUDIO_OPTIONS, NOTEBOOK_ID, Slot("filter", text, empty=NOT_SUGGESTED)]),
        Sole([Each("", ARTIFACT)], ()),
    ),
    Method("V5N4be", "DELETE_ARTIFACT", Record(dict, [[2], ARTIFACT_ID]), Done(), repeat=Repeat.SAME),
    Method(
        "rc3d8d",
        "RENAME_ARTIFACT",
        Record(dict, [[ARTIFACT_ID, Slot("title", text)], [["title"]]]),
        Either(Sole(Part("", RENAMED, needed=True)), Sole([Part("", RENAMED, needed=True)]), Nothing()),
        repeat=Repeat.SAME,
    ),
    Method(
        "Krh3pd",
        "EXPORT_ARTIFACT",
        Record(
            dict,
            [
                None,
                Slot("artifact_id", text),
                Slot("content", text),
                Slot("title", text),
                Slot("kind", code(ExportKind), needed=True),
            ],
        ),
        Either(Sole([Slot("", text, needed=True)]), Sole([[Slot("", text, needed=True)]])),
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "KmcKPe",
        "REVISE_SLIDE",
        Record(dict, [[2], ARTIFACT_ID, [[[Slot("slide", integer, needed=True), Slot("prompt", text, needed=True)]]]]),
        WRAPPED,
        repeat=Repeat.TWICE,
        timing=Timing.GENERATION,
    ),
    Method(
        "Rytqqe",
        "RETRY_ARTIFACT",
        Record(dict, [STUDIO_OPTIONS, ARTIFACT_ID]),
        WRAPPED,
        repeat=Repeat.SAME,
        timing=Timing.GENERATION,
    ),
    Method("v9rmvd", "GET_INTERACTIVE_HTML", Record(dict, [ARTIFACT_ID]), WRAPPED, timing=Timing.PROCESSING),
    Method(
        "ciyUvf",
        "GET_SUGGESTED_REPORTS",
        Record(dict, [[2], NOTEBOOK_ID]),
        Sole(
            [
                Each(
                    "",
                    Record(
                        ReportIdea,
                        At(
                            {
                                0: Slot("title", text, needed=True),
                                1: Slot("description", text),
                                4: Slot("prompt", text),
                                5: Slot("level", code(AudienceLevel), loose=True),
                            }
                        ),
                    ),
                )
            ],
            (),
        ),
        timing=Timing.PROCESSING,
    ),
    Method(
        "yyryJe",
        "GENERATE_MIND_MAP",
        Record(
            dict,
            [
                Each("source_ids", [[Slot("", text, needed=True)]], needed=True),
                None,
                None,
                None,
                None,
                [
                    Slot("command", text, empty=MIND_MAP_COMMAND),
                    [["[CONTEXT]", Slot("instructions", text, empty="")]],
                    Slot("language", text),
                ],
                None,
                [2, None, [1]],
            ],
        ),
        Either(Sole([[Slot("", text, needed=True)]]), Sole([Slot("", text, needed=True)]), Nothing()),
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "mKDdke",
        "COPY_ARTIFACTS",
        Record(dict, [OPTIONS, Each("artifact_ids", Slot("", text, needed=True), needed=True), NOTEBOOK_ID]),
        Sole(
            [
                Each(
                    "",
                    Record(
                        CopiedArtifact,
                        [Slot("original_id", text, needed=True), Part("artifact", ARTIFACT, needed=True)],
                    ),
                )
            ],
            (),
        ),
        repeat=Repeat.TWICE,
        timing=Timing.PROCESSING,
    ),
    Method(
        "sqTeoe",
        "GET_CUSTOMIZATION_CHOICES",
        Record(dict, [Always(OPTIONS), Maybe(Slot("notebook_id", text))]),
        Record(
            Choices,
            [
                At(
                    {
                        0: [Each("audio", CHOICE)],
                        1: [Each("video", CHOICE)],
                        2: [Each("slides", CHOICE)],
                        3: [Each("reports", PRESET)],
                    }
                )
            ],
        ),
        HOME,
    ),
)
