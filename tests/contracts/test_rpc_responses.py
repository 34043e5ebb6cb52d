"""Contract 5: what each method answers, as objects of ours; and back, as a server writes it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from contracts.rows import proves
from quire.domain.output_languages import LANGUAGES
from quire.notebooklm.codes import (
    Access,
    AppVariant,
    ArtifactKind,
    ArtifactState,
    AudienceLevel,
    ChatGoal,
    ChatLength,
    DiscoveryMode,
    NoteKind,
    Permission,
    ResearchSource,
    ResearchState,
    SourceKind,
    SourceState,
    TurnRole,
    ViewLevel,
)
from quire.notebooklm.documents import Annotation, Block, Citation, Document, Paragraph, Run
from quire.notebooklm.kinds import unknown_codes
from quire.notebooklm.methods import BY_NAME, METHODS
from quire.notebooklm.methods.artifacts import ReportIdea
from quire.notebooklm.methods.chat import Turn, TurnAnswer
from quire.notebooklm.methods.labels import Label
from quire.notebooklm.methods.method import Timing
from quire.notebooklm.methods.notebooks import Guide, NextStep, Suggestion, Topic
from quire.notebooklm.methods.notes import Note, Notes
from quire.notebooklm.methods.research import Finding, Imported, Started
from quire.notebooklm.methods.research import Run as ResearchRun
from quire.notebooklm.methods.settings import UserSettings
from quire.notebooklm.methods.sharing import Person, ShareStatus
from quire.notebooklm.methods.source_rows import Freshness, Source
from quire.notebooklm.methods.studio import App, Artifact
from quire.notebooklm.stream import CHAT_PATH
from quire.notebooklm.upload import FINALIZE, OFFSET, Announced, announced_in, start_body, start_headers, upload_id

N, S = "notebook-1", "source-1"
AT, WIRE_AT = datetime(2026, 6, 15, 12, 30, 0, 250_000, UTC), [1781526600, 250_000_000]
NONE = [None]


@dataclass
class Case:
    """An answer on the wire and what it means. `written` is how we write it, where that is shorter."""

    row: str
    method: str
    wire: Any
    meaning: Any
    written: Any = None
    others: list[Any] = field(default_factory=list)


PASSAGE = Citation("chunk", None, 5, 17, (Block(0, 5, Paragraph((Run(0, 5, "Apple"),), 1)),), S, "passage")
GROUP = [[0, 5, [[[0, 5, ["Apple"]]], [None, 1]]]]
DESCRIPTOR = [None, None, None, [[None, 5, 17]], [GROUP], [[["passage"], S]], ["chunk"]]
RICH = [[GROUP, [[["chunk"], [None, 0, 5]]]], None, None, [[["chunk"], DESCRIPTOR]], 1]
SAVED = Document(PASSAGE.blocks, (Annotation("chunk", 0, 5),), (PASSAGE,), 1)
TREE = '{"name": "Root", "children": [{"name": "Leaf"}]}'

CASES = [
    Case("C5-NB-05", "REMOVE_RECENTLY_VIEWED", None, None, []),
    Case(
        "C5-LBL-01",
        "LIST_LABELS",
        [[["Food", [["s1"], ["s2"]], "l1", "🍎"], ["New Label", None, "l2", ""]]],
        (Label("l1", "Food", ("s1", "s2"), "🍎"), Label("l2", "New Label", (), "")),
    ),
    Case(
        "C5-LBL-02",
        "CREATE_LABEL",
        [None, [["New Label", None, "l2", ""]]],
        (Label("l2", "New Label", (), ""),),
    ),
    Case("C5-LBL-02", "LIST_LABELS", [[]], (), [[]]),
    Case("C5-LBL-02", "UPDATE_LABEL", [], None),
    Case("C5-LBL-02", "DELETE_LABEL", [], None),
    Case("C5-CHAT-05", "GET_LAST_CONVERSATION_ID", [[["c1"]]], ("c1",)),
    Case(
        "C5-CHAT-07",
        "GET_CONVERSATION_TURNS",
        [[["t2", WIRE_AT, 2, None, [["Because."]]], ["t1", WIRE_AT, 1, "Why?"]]],
        (Turn("t2", AT, TurnRole.ANSWER, None, (TurnAnswer("Because."),)), Turn("t1", AT, TurnRole.QUESTION, "Why?")),
    ),
    Case("C5-CHAT-08", "DELETE_CONVERSATION", [], None),
    Case("C5-CHAT-09", "SUGGEST_PROMPTS", [[["T", "Do it"]]], (Suggestion("T", "Do it"),)),
    Case("C5-CHAT-09", "SUGGEST_PROMPTS", [], (), [], [None]),
    Case(
        "C5-ART-02",
        "CREATE_ARTIFACT",
        [["a1", "A map", 4, None, 1, *NONE * 14, 1]],
        Artifact("a1", "A map", ArtifactKind.APP, (), ArtifactState.PENDING),
        [["a1", "A map", 4, None, 1]],
    ),
    Case(
        "C5-ART-16",
        "LIST_ARTIFACTS",
        [[[str(code), "T", 2, None, code] for code in range(1, 5)]],
        tuple(
            Artifact(str(int(state)), "T", ArtifactKind.REPORT, (), state)
            for state in (ArtifactState.PENDING, ArtifactState.IN_PROGRESS, ArtifactState.READY, ArtifactState.FAILED)
        ),
    ),
    Case(
        "C5-ART-13",
        "GENERATE_MIND_MAP",
        [[TREE]],
        TREE,
    ),
    Case(
        "C5-NOTE-05",
        "CREATE_NOTE",
        ["n1", "Apple [1]", [2, "user", WIRE_AT], [DESCRIPTOR], "Title", RICH],
        Note("n1", "Apple [1]", "Title", NoteKind.GENERATED, "user", AT, passages=(PASSAGE,), document=SAVED),
        [["n1", "Apple [1]", [2, "user", WIRE_AT], [DESCRIPTOR], "Title", RICH]],
    ),
    Case(
        "C5-NOTE-09",
        "GET_NOTES_AND_MIND_MAPS",
        [[["n1", ["n1", "Words", [1, "user", WIRE_AT], None, "T"]]], WIRE_AT],
        Notes((Note("n1", "Words", "T", NoteKind.WRITTEN, "user", AT),), AT),
    ),
    Case(
        "C5-NOTE-11",
        "GET_NOTES_AND_MIND_MAPS",
        [[["n1", None, 2]], WIRE_AT],
        Notes((Note("n1", deleted=True),), AT),
    ),
    Case("C5-NOTE-07", "DELETE_NOTE", [], None),
    Case(
        "C5-SUM-02",
        "SUMMARIZE",
        [[["All of it."], [[["Why?", "Explain why."]]], None, None, None, [[["Why?", 9]]]]],
        Guide("All of it.", (Topic("Why?", "Explain why."),), (NextStep("Why?", 9),)),
    ),
    Case(
        "C5-SHARE-02",
        "GET_SHARE_STATUS",
        [[["a@b.example", 1, [], ["Ann", "https://pic.example"]]], [True], 1000],
        ShareStatus((Person("a@b.example", Permission.OWNER, "Ann", "https://pic.example"),), True, 1000),
    ),
    Case(
        "C5-SHARE-02",
        "GET_SHARE_STATUS",
        [[["a@b.example", 3, []]], None, 1000],
        ShareStatus((Person("a@b.example", Permission.VIEWER),), None, 1000),
    ),
    Case("C5-SHARE-03", "SHARE_NOTEBOOK", [], None),
    Case("C5-REF-03", "CHECK_SOURCE_FRESHNESS", [], Freshness(True), [[None, True]]),
    Case("C5-REF-03", "CHECK_SOURCE_FRESHNESS", [[None, False, [S]]], Freshness(False, S)),
    Case("C5-REF-03", "CHECK_SOURCE_FRESHNESS", False, Freshness(False), [[None, False]]),
    Case("C5-REF-01", "REFRESH_SOURCE", [[[S], "T"]], Source(S, "T")),
    Case("C5-REF-01", "REFRESH_SOURCE", [[S], "T"], Source(S, "T"), [[[S], "T"]]),
    Case("C5-RES-04", "START_FAST_RESEARCH", ["r1"], Started("r1")),
    Case("C5-RES-04", "START_DEEP_RESEARCH", ["session", "report"], Started("session", "report")),
    Case(
        "C5-RES-06",
        "POLL_RESEARCH",
        [
            [
                [
                    "r1",
                    [N, ["apples", 1], 1, [[["https://a.example", "A", "about apples", 1]], "In short."], 2],
                    WIRE_AT,
                    WIRE_AT,
                ]
            ]
        ],
        (
            ResearchRun(
                "r1",
                N,
                "apples",
                ResearchSource.WEB,
                DiscoveryMode.FAST,
                (Finding("https://a.example", "A", "about apples", 1),),
                "In short.",
                ResearchState.DONE,
                AT,
                AT,
            ),
        ),
        [
            [
                [
                    "r1",
                    [N, ["apples", 1], 1, [[["https://a.example", "A", "about apples", 1]], "In short."], 2],
                    WIRE_AT,
                    WIRE_AT,
                    None,
                ]
            ]
        ],
    ),
    Case("C5-RES-08", "IMPORT_RESEARCH", [[[[S], "A"]]], (Imported(S, "A"),)),
    Case("C5-RES-09", "CANCEL_RESEARCH", [], None),
    Case(
        "C5-SET-02",
        "GET_USER_SETTINGS",
        [[None, [6, 500, 300, 500000], [True, None, None, True, ["ja"]], [[1]], [True, 1, 3, 2]]],
        UserSettings("ja", 500, 300, 500000),
        [[None, [None, 500, 300, 500000], [*NONE * 4, ["ja"]]]],
    ),
    Case(
        "C5-SET-03",
        "SET_USER_SETTINGS",
        [None, [6, 500, 300, 500000], [True, None, None, True, ["ja"]]],
        UserSettings("ja", 500, 300, 500000),
        [None, [None, 500, 300, 500000], [*NONE * 4, ["ja"]]],
    ),
    Case("C5-MAN-02", "EXPORT_ARTIFACT", ["https://docs.example/d"], "https://docs.example/d"),
    Case(
        "C5-MAN-04",
        "RETRY_ARTIFACT",
        [["a1", "T", 1, None, 1]],
        Artifact("a1", "T", ArtifactKind.AUDIO, (), ArtifactState.PENDING),
    ),
    Case(
        "C5-MAN-06",
        "GET_INTERACTIVE_HTML",
        [["a1", "T", 4, None, 3, *NONE * 4, ["<html>", [2]]]],
        Artifact("a1", "T", ArtifactKind.APP, (), ArtifactState.READY, app=App("<html>", AppVariant.QUIZ)),
    ),
    Case(
        "C5-MAN-06",
        "GET_INTERACTIVE_HTML",
        [["a1", "T", 4, None, 3, *NONE * 4, [None, [4], None, TREE]]],
        Artifact("a1", "T", ArtifactKind.APP, (), ArtifactState.READY, app=App(None, AppVariant.MIND_MAP, tree=TREE)),
    ),
    Case(
        "C5-MAN-07",
        "GET_SUGGESTED_REPORTS",
        [[["Paper", "Academic", None, None, "Write a paper", 2]]],
        (ReportIdea("Paper", "Academic", "Write a paper", AudienceLevel.INTERMEDIATE),),
    ),
]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.row} {case.method}", marks=proves(case.row)) for case in CASES]
)
def test_an_answer_is_read_as_the_contract_says_and_written_back(case: Case) -> None:
    method = BY_NAME[case.method]
    for wire in (case.wire, *case.others):
        assert method.decode_response(wire) == case.meaning
    written = method.encode_response(case.meaning)
    assert written == (case.wire if case.written is None else case.written)
    assert method.decode_response(written) == case.meaning


@proves("C5-RPC-01")
def test_all_methods_of_the_contract_and_the_newer_ones_are_known_by_id_and_name() -> None:
    newer = {"te3DCe", "ASU5Oe", "X1snv", "QsNTEd", "R27wvc", "mKDdke", "sqTeoe", "Es3dTe", "oXwmh", "XgrPMd"}
    newer |= {"OcvKNc", "mVtEUb", "SatQRc", "EylDcb"}
    assert len(METHODS) - len(newer) == 47
    assert newer <= set(METHODS)
    assert len(BY_NAME) == len(METHODS)
    assert (METHODS["wXbhsf"].name, METHODS["R7cb6c"].name) == ("LIST_NOTEBOOKS", "CREATE_ARTIFACT")


@proves("C5-CODE-01")
def test_kinds_of_artifacts_have_their_codes() -> None:
    assert {kind.name: int(kind) for kind in ArtifactKind if kind > 0} == {
        "AUDIO": 1, "REPORT": 2, "VIDEO": 3, "APP": 4, "MIND_MAP": 5,
        "INFOGRAPHIC": 7, "SLIDE_DECK": 8, "DATA_TABLE": 9, "FILE": 10,
    }  # fmt: skip
    assert (AppVariant.FLASHCARDS, AppVariant.QUIZ, AppVariant.MIND_MAP) == (1, 2, 4)


@proves("C5-CODE-02")
def test_kinds_of_sources_have_their_codes_and_files_of_drive_are_told_by_their_media_type() -> None:
    named = {1: "GOOGLE_DOC", 2: "GOOGLE_SLIDES", 3: "PDF", 4: "TEXT", 5: "WEB_PAGE", 8: "MARKDOWN", 9: "YOUTUBE"}
    named |= {10: "MEDIA", 11: "DOCX", 13: "IMAGE", 16: "CSV", 17: "EPUB"}
    assert {code: SourceKind(code).name for code in named} == named
    row = [[S], "T", [*NONE * 4, 14, *NONE * 4, ["file", 1, "application/vnd.google-apps.spreadsheet", ""]]]
    (sheet,) = BY_NAME["ADD_SOURCE"].decode_response([[row]])
    assert (sheet.kind, sheet.what) == (SourceKind.DRIVE_FILE, SourceKind.SHEET)
    pdf = Source(S, kind=SourceKind.DRIVE_FILE, media_type="application/pdf")
    assert pdf.what is SourceKind.PDF


@proves("C5-CODE-03")
def test_an_unknown_code_is_shown_as_unknown_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    unknown_codes.seen.clear()
    row = [[S], "T", [*NONE * 4, 99], [None, 2]]
    with caplog.at_level(logging.WARNING, logger="quire.notebooklm"):
        (first,) = BY_NAME["ADD_SOURCE"].decode_response([[row]])
        BY_NAME["ADD_SOURCE"].decode_response([[row]])
    assert (first.kind, first.state) == (SourceKind.UNKNOWN, SourceState.READY)
    assert len(caplog.records) == 1


@proves("C5-SRC-06")
def test_an_upload_is_announced_with_its_headers_and_ids() -> None:
    announced = Announced(N, "a.pdf", S, 12, "application/pdf")
    assert start_headers(announced) == {
        "x-goog-upload-command": "start",
        "x-goog-upload-protocol": "resumable",
        "x-goog-upload-header-content-length": "12",
        "x-goog-upload-header-content-type": "application/pdf",
    }
    assert start_body(announced) == f'{{"PROJECT_ID":"{N}","SOURCE_NAME":"a.pdf","SOURCE_ID":"{S}"}}'
    assert announced_in(start_body(announced), start_headers(announced)) == announced


@proves("C5-SRC-07")
def test_bytes_go_to_the_address_that_came_back_in_one_piece() -> None:
    address = "https://notebooklm.google.com/upload/_/?authuser=0&upload_id=u1"
    assert upload_id(address, ("notebooklm.google.com",)) == "u1"
    assert (FINALIZE, OFFSET) == ("upload, finalize", "x-goog-upload-offset")


@proves("C5-CHAT-01")
def test_questions_go_to_an_address_of_their_own() -> None:
    assert CHAT_PATH == (
        "/_/LabsTailwindUi/data/google.internal.labs.tailwind.orchestration.v1"
        ".LabsTailwindOrchestrationService/GenerateFreeFormStreamed"
    )


@proves("C5-CHAT-04")
def test_goals_and_lengths_have_their_codes() -> None:
    assert [int(goal) for goal in (ChatGoal.DEFAULT, ChatGoal.CUSTOM, ChatGoal.LEARNING_GUIDE)] == [1, 2, 3]
    assert [int(length) for length in (ChatLength.DEFAULT, ChatLength.LONGER, ChatLength.SHORTER)] == [1, 4, 5]


@proves("C5-NOTE-03", "C5-NOTE-04")
def test_a_note_saved_from_the_chat_keeps_its_passages_and_anchors() -> None:
    note = BY_NAME["CREATE_NOTE"].decode_response(["n1", "Apple [1]", [2, "user"], [DESCRIPTOR], "T", RICH])
    (passage,) = note.passages
    assert (passage.start, passage.end, passage.text) == (5, 17, "Apple")
    assert (passage.passage_id, passage.source_id, passage.chunk_id) == ("passage", S, "chunk")
    assert note.document.text == "Apple"
    assert note.document.annotations == (Annotation("chunk", 0, 5),)
    assert note.document.citations == (passage,)


@proves("C5-NOTE-10")
def test_a_note_whose_content_is_json_with_children_is_a_mind_map() -> None:
    assert Note("n", TREE).tree == {"name": "Root", "children": [{"name": "Leaf"}]}
    assert [Note("n", content).tree for content in ("Words", '{"a": 1}', "{broken", None)] == [None] * 4


@proves("C5-SHARE-07")
def test_permissions_and_access_have_their_codes() -> None:
    names = (Permission.OWNER, Permission.EDITOR, Permission.VIEWER, Permission.REMOVE)
    assert [int(permission) for permission in names] == [1, 2, 3, 4]
    assert (Access.RESTRICTED, Access.LINK, ViewLevel.FULL, ViewLevel.CHAT_ONLY) == (0, 1, 0, 1)


@proves("C5-RES-01")
def test_where_to_look_has_its_codes() -> None:
    assert (ResearchSource.WEB, ResearchSource.DRIVE) == (1, 2)


@proves("C5-RES-06")
@pytest.mark.parametrize(("code", "state"), [(1, "RUNNING"), (2, "DONE"), (3, "NO_RESULTS"), (4, "CANCELLED")])
def test_states_of_a_run_are_named(code: int, state: str) -> None:
    (run,) = BY_NAME["POLL_RESEARCH"].decode_response([[["r", [N, ["q", 1], 1, None, code]]]])
    assert run.state.name == state


@proves("C5-RES-05")
def test_all_runs_of_the_notebook_come_wrapped_or_not() -> None:
    rows = [[id, [N, ["q", 1], 1, None, 1]] for id in ("r1", "r2")]
    for answer in ([rows], rows):
        assert [run.id for run in BY_NAME["POLL_RESEARCH"].decode_response(answer)] == ["r1", "r2"]


@proves("C5-RES-07")
@pytest.mark.parametrize(
    ("finding", "title", "report"),
    [
        ([None, "T", None, 5, None, None, ["# Words", 3]], "T", "# Words"),
        ([None, ["T", "# Words"], None, 5], "T", "# Words"),
        ([None, "T", None, 5, None, None, ["# One ", "two"]], "T", "# One two"),
        (["https://a.example", "T", "hint", 1], "T", None),
    ],
)
def test_a_finding_is_a_page_or_a_report_in_any_of_its_layouts(finding: Any, title: str, report: str | None) -> None:
    (run,) = BY_NAME["POLL_RESEARCH"].decode_response([[["r", [N, ["q", 1], 5, [[finding], None], 2]]]])
    assert (run.findings[0].title, run.report) == (title, report)


@proves("C5-SET-04")
def test_languages_have_their_codes_and_names() -> None:
    assert {"en": "English", "ja": "日本語", "pt_BR": "Português (Brasil)"}.items() <= LANGUAGES.items()
    assert len(LANGUAGES) == 81
    assert {"zh_Hans", "zh_Hant", "ko", "es", "fr", "de"} <= set(LANGUAGES)


@proves("C5-TIME-01")
def test_quick_and_processing_methods_have_their_time() -> None:
    quick = ["LIST_NOTEBOOKS", "CREATE_NOTEBOOK", "RENAME_NOTEBOOK", "DELETE_NOTEBOOK", "GET_NOTEBOOK", "UPDATE_SOURCE"]
    quick += ["DELETE_SOURCE", "CREATE_NOTE", "UPDATE_NOTE", "DELETE_NOTE", "LIST_ARTIFACTS"]
    assert {BY_NAME[name].timing for name in quick} == {Timing.QUICK}
    assert {BY_NAME[name].timing for name in ("ADD_SOURCE", "ADD_SOURCE_FILE", "GENERATE_MIND_MAP")} == {
        Timing.PROCESSING
    }


@proves("C5-TIME-02")
def test_generation_has_minutes_and_deep_research_many() -> None:
    assert BY_NAME["CREATE_ARTIFACT"].timing is Timing.GENERATION
    assert BY_NAME["START_DEEP_RESEARCH"].timing is Timing.LONG
    times = [timing.value for timing in (Timing.QUICK, Timing.PROCESSING, Timing.GENERATION, Timing.LONG)]
    assert times == sorted(times)
    assert BY_NAME["CREATE_ARTIFACT"].timeout == 600.0
