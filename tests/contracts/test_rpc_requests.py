"""Contract 5: what each method is asked with. Each request is written, read back, and understood in older forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from contracts.rows import proves
from quire.notebooklm.codes import (
    Access,
    AppVariant,
    ArtifactKind,
    AudioFormat,
    AudioLength,
    ChatGoal,
    ChatLength,
    Difficulty,
    ExportKind,
    InfographicDetail,
    InfographicOrientation,
    InfographicStyle,
    NoteKind,
    Permission,
    Quantity,
    ResearchSource,
    SlideFormat,
    SlideLength,
    VideoFormat,
    VideoStyle,
    ViewLevel,
)
from quire.notebooklm.documents import Annotation, Block, Citation, Document, Paragraph, Run
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.labels import NewLabel, covers_all
from quire.notebooklm.methods.method import OPTIONS as FULL
from quire.notebooklm.methods.notebooks import ChatSettings
from quire.notebooklm.methods.research import Chosen, Link, Report
from quire.notebooklm.methods.sharing import Grant, Share
from quire.notebooklm.methods.source_rows import DriveFile, NewSource, PastedText
from quire.notebooklm.methods.studio import App, Artifact, Audio, DataTable, Infographic, Slides, Video
from quire.notebooklm.methods.studio import Report as ReportOptions

N, S, T = "notebook-1", "source-1", "source-2"
INNER = [1, None, None, None, None, None, None, None, None, None, [1]]
OPTIONS = [2, None, None, INNER]
STUDIO = [2, None, None, INNER, [[1, 4, 8, 2, 3, 6]]]
NONE = [None]


@dataclass
class Case:
    """A request: its names, how it is written, and other forms that must read alike."""

    row: str
    method: str
    names: dict[str, Any]
    written: Any
    others: list[Any] = field(default_factory=list)

    @property
    def id(self) -> str:
        return f"{self.row} {self.method}"


def spec(place: int, value: Any, *, code: int | None = None) -> list[Any]:
    """An entry of ADD_SOURCE: 11 places."""
    entry: list[Any] = [None] * 10 + [1]
    entry[place] = value
    if code:
        entry[3] = code
    return entry


def wanted(kind: int, place: int, config: Any) -> list[Any]:
    row: list[Any] = [None] * (place + 1)
    row[2], row[3], row[place] = kind, [[[S]], [[T]]], config
    return row


def making(row: str, artifact: Artifact, config: Any, place: int) -> Case:
    assert artifact.kind is not None
    sent = wanted(int(artifact.kind), place, config)
    return Case(row, "CREATE_ARTIFACT", {"notebook_id": N, "artifact": artifact}, [STUDIO, N, sent], [[[2], N, sent]])


def one(kind: ArtifactKind, **parts: Any) -> Artifact:
    return Artifact(kind=kind, source_ids=(S, T), **parts)


IDS = [[S], [T]]
PASSAGE = Citation(
    chunk_id="chunk",
    start=5,
    end=17,
    blocks=(Block(0, 12, Paragraph(runs=(Run(0, 12, "Apples are ."),), style=1)),),
    source_id=S,
    passage_id="passage",
)
GROUP = [[0, 12, [[[0, 12, ["Apples are ."]]], [None, 1]]]]
DESCRIPTOR = [None, None, None, [[None, 5, 17]], [GROUP], [[["passage"], S]], ["chunk"]]
SAVED = Document(blocks=PASSAGE.blocks, annotations=(Annotation("chunk", 0, 12),), citations=(PASSAGE,), mark=1)
RICH = [[GROUP, [[["chunk"], [None, 0, 12]]]], None, None, [[["chunk"], DESCRIPTOR]], 1]

CASES = [
    Case(
        "C5-NB-01",
        "LIST_NOTEBOOKS",
        {},
        [None, 1, None, OPTIONS],
        [[None, 1, None, [2]], [None, 1, None, OPTIONS, None, [[None, None, []], [[]], [None, []]]]],
    ),
    Case(
        "C5-NB-02",
        "CREATE_NOTEBOOK",
        {"title": "A title"},
        ["A title", None, None, OPTIONS],
        [["A title", None, None, [2], [1]]],
    ),
    Case("C5-NB-03", "DELETE_NOTEBOOK", {"notebook_id": N}, [[N], [2]]),
    Case(
        "C5-NB-04",
        "GET_NOTEBOOK",
        {"notebook_id": N},
        [N, None, OPTIONS, None, 0],
        [[N, None, [2], None, 0], [N, None, OPTIONS, None, 1, [[None, None, []]]]],
    ),
    Case("C5-NB-05", "REMOVE_RECENTLY_VIEWED", {"notebook_id": N}, [N]),
    Case(
        "C5-SRC-01",
        "ADD_SOURCE",
        {"sources": (NewSource(url="https://a.example", mode=1),), "notebook_id": N},
        [[spec(2, ["https://a.example"])], N, OPTIONS],
        [[[spec(2, ["https://a.example"])], N, [2], None, None]],
    ),
    Case(
        "C5-SRC-02",
        "ADD_SOURCE",
        {"sources": (NewSource(pasted=PastedText("T", "Words"), text_code=2, mode=1),), "notebook_id": N},
        [[spec(1, ["T", "Words"], code=2)], N, OPTIONS],
    ),
    Case(
        "C5-SRC-03",
        "ADD_SOURCE",
        {"sources": (NewSource(video_url="https://youtu.be/x", mode=1),), "notebook_id": N},
        [[spec(7, ["https://youtu.be/x"])], N, OPTIONS],
    ),
    Case(
        "C5-SRC-04",
        "ADD_SOURCE",
        {"sources": (NewSource(drive=DriveFile("file", "application/pdf", "T"), mode=1),), "notebook_id": N},
        [[spec(0, ["file", "application/pdf", 1, "T"])], N, OPTIONS],
        [
            [[spec(0, ["file", "application/pdf", 1, "T"])], N, [2], INNER],
            [[[spec(0, ["file", "application/pdf", 1, "T"])]], N, [2], INNER],
        ],
    ),
    Case(
        "C5-SRC-05",
        "ADD_SOURCE_FILE",
        {"names": ("a.pdf",), "notebook_id": N},
        [[["a.pdf"]], N, OPTIONS],
        [[[["a.pdf"]], N, [2], INNER]],
    ),
    Case("C5-SRC-08", "DELETE_SOURCE", {"source_ids": (S,)}, [[[S]]]),
    Case("C5-SRC-09", "UPDATE_SOURCE", {"source_id": S, "title": "New"}, [None, [S], [[["New"]]]]),
    Case("C5-SRC-10", "GET_SOURCE_GUIDE", {"source_id": S}, [[[[S]]]]),
    Case("C5-SRC-11", "GET_SOURCE", {"source_id": S, "format": 2}, [[S], [2], [2]]),
    Case("C5-SRC-11", "GET_SOURCE", {"source_id": S, "format": 3}, [[S], [3], [3]]),
    Case("C5-LBL-03", "CREATE_LABEL", {"notebook_id": N, "scope": []}, [OPTIONS, N, None, None, []]),
    Case("C5-LBL-03", "CREATE_LABEL", {"notebook_id": N, "scope": [0]}, [OPTIONS, N, None, None, [0]]),
    Case(
        "C5-LBL-03",
        "CREATE_LABEL",
        {"notebook_id": N, "labels": (NewLabel("New Label", ""),)},
        [OPTIONS, N, None, None, None, [["New Label", ""]]],
    ),
    Case("C5-LBL-04", "LIST_LABELS", {"notebook_id": N}, [OPTIONS, N]),
    Case("C5-LBL-05", "UPDATE_LABEL", {"notebook_id": N, "label_id": "l", "name": "x"}, [OPTIONS, N, "l", [[["x"]]]]),
    Case(
        "C5-LBL-05",
        "UPDATE_LABEL",
        {"notebook_id": N, "label_id": "l", "emoji": "🌱"},
        [OPTIONS, N, "l", [[[None, "🌱"]]]],
    ),
    Case(
        "C5-LBL-05",
        "UPDATE_LABEL",
        {"notebook_id": N, "label_id": "l", "add_sources": (S,)},
        [OPTIONS, N, "l", [[None, [[S]]]]],
    ),
    Case(
        "C5-LBL-05",
        "UPDATE_LABEL",
        {"notebook_id": N, "label_id": "l", "remove_sources": (S,)},
        [OPTIONS, N, "l", [[None, None, [[S]]]]],
    ),
    Case("C5-LBL-06", "DELETE_LABEL", {"notebook_id": N, "label_ids": ("l", "m")}, [OPTIONS, N, ["l", "m"]]),
    Case(
        "C5-CHAT-02",
        "RENAME_NOTEBOOK",
        {"notebook_id": N, "title": "New"},
        [N, [[None, None, None, [None, "New"]]]],
    ),
    Case(
        "C5-CHAT-03",
        "RENAME_NOTEBOOK",
        {"notebook_id": N, "chat": ChatSettings(ChatGoal.CUSTOM, "Be brief", ChatLength.SHORTER)},
        [N, [[None] * 7 + [[[2, "Be brief"], [5]]]]],
    ),
    Case(
        "C5-CHAT-03",
        "RENAME_NOTEBOOK",
        {"notebook_id": N, "chat": ChatSettings(ChatGoal.DEFAULT, None, ChatLength.LONGER)},
        [N, [[None] * 7 + [[[1], [4]]]]],
    ),
    Case(
        "C5-CHAT-05",
        "GET_LAST_CONVERSATION_ID",
        {"notebook_id": N, "limit": 1},
        [OPTIONS, None, N, 1],
        [[[], None, N, 1]],
    ),
    Case(
        "C5-CHAT-06",
        "GET_CONVERSATION_TURNS",
        {"conversation_id": "c", "limit": 20},
        [OPTIONS, None, None, "c", 20],
        [[[], None, None, "c", 20]],
    ),
    Case("C5-CHAT-08", "DELETE_CONVERSATION", {"conversation_id": "c"}, [[], "c", None, 1]),
    Case(
        "C5-CHAT-09",
        "SUGGEST_PROMPTS",
        {"notebook_id": N, "source_ids": (S, T), "mode": 4, "query": "steer"},
        [OPTIONS, N, IDS, 4, None, "steer"],
    ),
    making(
        "C5-ART-03",
        one(
            ArtifactKind.AUDIO,
            audio=Audio("focus", AudioLength.SHORT, (S, T), "en", AudioFormat.DEBATE),
        ),
        [None, ["focus", 1, None, IDS, "en", None, 4]],
        6,
    ),
    making(
        "C5-ART-04",
        one(ArtifactKind.VIDEO, video=Video((S, T), "en", "focus", VideoFormat.BRIEF, VideoStyle.ANIME)),
        [None, None, [IDS, "en", "focus", None, 2, 7]],
        8,
    ),
    making(
        "C5-ART-05",
        one(ArtifactKind.VIDEO, video=Video((S, T), "en", "focus", VideoFormat.BRIEF, style_prompt="ink")),
        [None, None, [IDS, "en", "focus", None, 2, None, "ink"]],
        8,
    ),
    making(
        "C5-ART-06",
        one(ArtifactKind.VIDEO, video=Video((S, T), "en", "focus", VideoFormat.CINEMATIC)),
        [None, None, [IDS, "en", "focus", None, 3]],
        8,
    ),
    making(
        "C5-ART-07",
        one(ArtifactKind.REPORT, report=ReportOptions(None, "Study Guide", "short", (S, T), "en", "Write it")),
        [None, ["Study Guide", "short", None, IDS, "en", "Write it", None, True]],
        7,
    ),
    making(
        "C5-ART-08",
        one(
            ArtifactKind.APP,
            app=App(None, AppVariant.QUIZ, "focus", quiz_quantity=Quantity.FEWER, quiz_difficulty=Difficulty.HARD),
        ),
        [None, [2, None, "focus", None, None, None, None, [1, 3]]],
        9,
    ),
    making(
        "C5-ART-09",
        one(
            ArtifactKind.APP,
            app=App(None, AppVariant.FLASHCARDS, "focus", card_quantity=Quantity.MORE, card_difficulty=Difficulty.EASY),
        ),
        [None, [1, None, "focus", None, None, None, [3, 1]]],
        9,
    ),
    making(
        "C5-ART-10",
        one(
            ArtifactKind.INFOGRAPHIC,
            infographic=Infographic(
                "focus", "en", InfographicOrientation.SQUARE, InfographicDetail.CONCISE, InfographicStyle.CLAY
            ),
        ),
        [["focus", "en", None, 3, 1, 8]],
        14,
    ),
    making(
        "C5-ART-11",
        one(ArtifactKind.SLIDE_DECK, slides=Slides("focus", "en", SlideFormat.PRESENTER, SlideLength.SHORT)),
        [["focus", "en", 2, 2]],
        16,
    ),
    making(
        "C5-ART-12",
        one(ArtifactKind.DATA_TABLE, table=DataTable("focus", "en")),
        [None, ["focus", "en"]],
        18,
    ),
    Case(
        "C5-ART-13",
        "GENERATE_MIND_MAP",
        {"source_ids": (S, T), "command": "interactive_mindmap", "instructions": "focus", "language": "en"},
        [
            [[[S]], [[T]]],
            *NONE * 4,
            ["interactive_mindmap", [["[CONTEXT]", "focus"]], "en"],
            None,
            [2, None, [1]],
        ],
    ),
    making("C5-ART-14", one(ArtifactKind.APP, app=App(variant=AppVariant.MIND_MAP)), [None, [4]], 9),
    making(
        "C5-ART-14",
        one(ArtifactKind.APP, app=App(variant=AppVariant.MIND_MAP, instructions="focus")),
        [None, [4, None, "focus"]],
        9,
    ),
    Case(
        "C5-ART-15",
        "LIST_ARTIFACTS",
        {"notebook_id": N, "filter": 'NOT artifact.status = "ARTIFACT_STATUS_SUGGESTED"'},
        [STUDIO, N, 'NOT artifact.status = "ARTIFACT_STATUS_SUGGESTED"'],
        [[[2], N, 'NOT artifact.status = "ARTIFACT_STATUS_SUGGESTED"']],
    ),
    Case(
        "C5-NOTE-01",
        "CREATE_NOTE",
        {"notebook_id": N, "content": "", "mode": NoteKind.WRITTEN, "title": "New Note"},
        [N, "", [1], None, "New Note"],
    ),
    Case(
        "C5-NOTE-02",
        "CREATE_NOTE",
        {
            "notebook_id": N,
            "content": "Apples are [1].",
            "mode": NoteKind.GENERATED,
            "passages": (PASSAGE,),
            "title": "Saved",
            "document": SAVED,
            "trailer": 2,
        },
        [N, "Apples are [1].", [2], [DESCRIPTOR], "Saved", RICH, [2]],
    ),
    Case(
        "C5-NOTE-06",
        "UPDATE_NOTE",
        {"notebook_id": N, "note_id": "n", "content": "Words", "title": "T"},
        [N, "n", [[["Words", "T", [], 0]]]],
    ),
    Case("C5-NOTE-07", "DELETE_NOTE", {"notebook_id": N, "note_ids": ("n",)}, [N, None, ["n"]]),
    Case("C5-NOTE-08", "GET_NOTES_AND_MIND_MAPS", {"notebook_id": N}, [N, None, None, OPTIONS], [[N]]),
    Case("C5-SUM-01", "SUMMARIZE", {"notebook_id": N}, [N, OPTIONS], [[N, [2]]]),
    Case("C5-SHARE-01", "GET_SHARE_STATUS", {"notebook_id": N}, [N, [2]], [[N, OPTIONS]]),
    Case(
        "C5-SHARE-03",
        "SHARE_NOTEBOOK",
        {"shares": (Share(N, access=Access.LINK, flag=1, message=""),), "notify": 1},
        [[[N, None, [1], [1, ""]]], 1, None, [2]],
    ),
    Case(
        "C5-SHARE-04",
        "SHARE_NOTEBOOK",
        {"shares": (Share(N, (Grant("a@b.example", Permission.EDITOR),), flag=0, message="Hello"),), "notify": 1},
        [[[N, [["a@b.example", None, 2]], None, [0, "Hello"]]], 1, None, [2]],
    ),
    Case(
        "C5-SHARE-05",
        "SHARE_NOTEBOOK",
        {"shares": (Share(N, (Grant("a@b.example", Permission.REMOVE),), flag=0, message=""),), "notify": 0},
        [[[N, [["a@b.example", None, 4]], None, [0, ""]]], 0, None, [2]],
    ),
    Case(
        "C5-SHARE-06",
        "RENAME_NOTEBOOK",
        {"notebook_id": N, "view_level": ViewLevel.CHAT_ONLY},
        [N, [[None] * 8 + [[[1]]]]],
    ),
    Case(
        "C5-SHARE-06",
        "RENAME_NOTEBOOK",
        {"notebook_id": N, "view_level": ViewLevel.FULL},
        [N, [[None] * 8 + [[[0]]]]],
    ),
    Case("C5-REF-01", "REFRESH_SOURCE", {"source_id": S}, [None, [S], [2]]),
    Case("C5-REF-02", "CHECK_SOURCE_FRESHNESS", {"source_id": S}, [None, [S], [2]]),
    Case(
        "C5-RES-02",
        "START_FAST_RESEARCH",
        {"query": "q", "source": ResearchSource.DRIVE, "notebook_id": N},
        [["q", 2], None, 1, N],
    ),
    Case(
        "C5-RES-03",
        "START_DEEP_RESEARCH",
        {"query": "q", "source": ResearchSource.WEB, "notebook_id": N},
        [None, [1], ["q", 1], 5, N],
    ),
    Case("C5-RES-05", "POLL_RESEARCH", {"notebook_id": N}, [None, None, N]),
    Case(
        "C5-RES-08",
        "IMPORT_RESEARCH",
        {
            "run_id": "r",
            "notebook_id": N,
            "entries": (
                Chosen(report=Report("Title", "# Words")),
                Chosen(link=Link("https://a.example", "A")),
            ),
        },
        [
            None,
            [1],
            "r",
            N,
            [
                [None, ["Title", "# Words"], None, 3, *NONE * 6, 3],
                [None, None, ["https://a.example", "A"], *NONE * 7, 2],
            ],
        ],
    ),
    Case("C5-RES-09", "CANCEL_RESEARCH", {"run_id": "r"}, [None, None, "r"]),
    Case("C5-SET-01", "GET_USER_SETTINGS", {}, [OPTIONS], [[None, INNER]]),
    Case("C5-SET-03", "SET_USER_SETTINGS", {"language": "ja"}, [[[None, [[*NONE * 4, ["ja"]]]]]]),
    Case("C5-MAN-01", "RENAME_ARTIFACT", {"artifact_id": "a", "title": "New"}, [["a", "New"], [["title"]]]),
    Case(
        "C5-MAN-02",
        "EXPORT_ARTIFACT",
        {"artifact_id": "a", "title": "T", "kind": ExportKind.SHEETS},
        [None, "a", None, "T", 2],
    ),
    Case(
        "C5-MAN-03",
        "REVISE_SLIDE",
        {"artifact_id": "a", "slide": 0, "prompt": "bolder"},
        [[2], "a", [[[0, "bolder"]]]],
    ),
    Case("C5-MAN-04", "RETRY_ARTIFACT", {"artifact_id": "a"}, [STUDIO, "a"]),
    Case("C5-MAN-05", "SHARE_ARTIFACT", {"public": Access.LINK, "notebook_id": N}, [[1], N]),
    Case(
        "C5-MAN-05",
        "SHARE_ARTIFACT",
        {"public": Access.RESTRICTED, "notebook_id": N, "artifact_id": "a"},
        [[0], N, "a"],
    ),
    Case("C5-MAN-06", "GET_INTERACTIVE_HTML", {"artifact_id": "a"}, ["a"]),
    Case("C5-MAN-07", "GET_SUGGESTED_REPORTS", {"notebook_id": N}, [[2], N]),
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id, marks=proves(case.row)) for case in CASES])
def test_a_request_is_written_as_the_contract_has_it_and_read_back(case: Case) -> None:
    method = BY_NAME[case.method]
    assert method.encode_request(case.names) == case.written
    for form in (case.written, *case.others):
        assert method.decode_request(form) == case.names


@proves("C5-ART-01", "C5-NEST-02", "C5-NEST-05")
def test_an_artifact_is_asked_for_with_the_full_block_and_its_sources_in_two_nestings() -> None:
    audio = Audio("focus", AudioLength.LONG, (S, T), "en", AudioFormat.DEEP_DIVE)
    written = BY_NAME["CREATE_ARTIFACT"].encode_request(
        {"notebook_id": N, "artifact": one(ArtifactKind.AUDIO, audio=audio)}
    )
    assert written[0] == STUDIO
    assert written[2][3] == [[[S]], [[T]]]
    assert written[2][6][1][3] == [[S], [T]]


@pytest.mark.parametrize(
    ("name", "place", "depth"),
    [
        pytest.param("UPDATE_SOURCE", 1, 1, marks=proves("C5-NEST-01")),
        pytest.param("DELETE_SOURCE", None, 3, marks=proves("C5-NEST-03")),
        pytest.param("GET_SOURCE_GUIDE", None, 4, marks=proves("C5-NEST-04")),
    ],
)
def test_ids_of_sources_are_nested_as_deep_as_the_contract_says(name: str, place: int | None, depth: int) -> None:
    value = BY_NAME[name].encode_request({"source_id": S, "source_ids": (S,), "title": "t"})
    value = value if place is None else value[place]
    for _ in range(depth):
        (value,) = value
    assert value == S


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param("DELETE_SOURCE", f"/notebook/{N}", marks=proves("C5-SRC-08")),
        pytest.param("DELETE_CONVERSATION", f"/notebook/{N}", marks=proves("C5-CHAT-08")),
        pytest.param("GET_SOURCE", f"/notebook/{N}", marks=proves("C5-SRC-11")),
        pytest.param("RENAME_ARTIFACT", f"/notebook/{N}", marks=proves("C5-MAN-01")),
        pytest.param("CANCEL_RESEARCH", f"/notebook/{N}", marks=proves("C5-RES-09")),
        pytest.param("LIST_NOTEBOOKS", "/", marks=proves("C5-NB-01")),
        pytest.param("GET_USER_SETTINGS", "/", marks=proves("C5-SET-01")),
        pytest.param("REMOVE_RECENTLY_VIEWED", "/", marks=proves("C5-NB-05")),
    ],
)
def test_the_path_of_the_page_names_the_notebook_where_the_contract_wants_it(name: str, path: str) -> None:
    assert BY_NAME[name].source_path({"notebook_id": N}) == path


@proves("C5-LBL-03")
def test_all_known_scopes_of_sorting_are_told_apart() -> None:
    assert [covers_all(scope) for scope in ([], [True], [1], None)] == [True] * 4
    assert [covers_all(scope) for scope in ([0], [False])] == [False] * 2


@proves("C5-NB-02")
def test_the_options_block_is_the_one_of_the_contract() -> None:
    assert FULL == OPTIONS
