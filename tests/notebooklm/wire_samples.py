"""A sample request and a sample answer of every method, as the wire has them: made up, in recorded layouts."""

from __future__ import annotations

from typing import Any

N, S, T, A, C = "notebook-1", "source-1", "source-2", "artifact-1", "conversation-1"
AT = [1768312223, 690769000]
INNER: list[Any] = [1, *[None] * 9, [1]]
OPTIONS: list[Any] = [2, None, None, INNER]
STUDIO: list[Any] = [*OPTIONS, [[1, 4, 8, 2, 3, 6]]]
META: list[Any] = [1, False, True, None, None, AT, 1, False, AT, None, None, None, False]


def source(id: str = S, state: int = 2) -> list[Any]:
    meta = [None, 120, AT, ["revision", AT], 5, None, 1, ["https://a.example/page"], 640]
    return [[id], "A page", meta, [None, state]]


def notebook(sources: Any = None) -> list[Any]:
    row: list[Any] = ["A title", sources, N, "🍎", None, META]
    return [*row, None, [[2, "Be brief"], [5]], [False], [True, True, True], [6, 500, 300, 500000]]


def artifact(kind: int = 2, state: int = 3, place: int | None = None, content: Any = None) -> list[Any]:
    row: list[Any] = [A, "An artifact", kind, [[[S]]], state, *[None] * 17]
    row[10], row[15], row[21] = AT, AT, "etag"
    if place is not None:
        row[place] = content
    return row


BLOCKS = [
    [0, 5, [[[0, 5, ["Apple", [True]]]], [None, 4]]],
    [5, 12, [[[5, 12, ["A fruit"]]], [None, 1], None, [None, None, 1]]],
    [12, 16, None, None, [1, 2, [[12, 16, [[12, 14, [[12, 14, [[[12, 14, ["ab"]]]]]]], [14, 16, []]]]]]],
]
NOTE = ["note-1", "Words", [1, "user", AT], None, "A note"]
FINDING = ["https://a.example", "A", "why", 1, None, "https://a.example/icon", None, None, 2]
MEDIA = [["https://lh3.googleusercontent.com/a", 1, "audio/mp4"], ["https://lh3.googleusercontent.com/b", 2, "x/y"]]
AUDIO = [None, ["focus", 2, None, [[S]], "en", None, 1], None, None, None, MEDIA, [61, 500000000]]
VIDEO = [None, None, [[[S]], "en", "focus", None, 1, 2], None, MEDIA, [61, 500000000]]
APP = ["<html>", [2, None, "focus", "en", None, None, None, [2, 2]]]
PICTURE = ["https://lh3.googleusercontent.com/p", 1600, 900]
TABLE = [[[[[0, 4, None, None, [1, 1, [[0, 4, [[0, 4, [[0, 4, [[[0, 4, ["cell"]]]]]]]]]]]]]]], ["focus", "en"]]
ARTIFACTS = [
    artifact(1, 3, 6, AUDIO),
    artifact(2, 3, 7, ["# Words", ["Study Guide", "short", None, [[S]], "en", "Write", None, True]]),
    artifact(3, 3, 8, VIDEO),
    artifact(4, 3, 9, APP),
    artifact(7, 3, 14, [["focus", "en", None, 1, 2, 3], None, [["T", PICTURE, "alt", "text"]]]),
    artifact(8, 3, 16, [["focus", "en", 1, 1], None, [[PICTURE, "alt", "text"]], "https://x/pdf", "https://x/pptx"]),
    artifact(9, 3, 18, TABLE),
]
SETTINGS = [None, [6, 500, 300, 500000, 2], [True, None, None, True, ["fr"]], [[1]], [True, 1, 3, 2]]
RUN_INFO = [N, ["apples", 1], 5, [[FINDING, [None, "Report", None, 5, None, None, ["# Words", 3]]], "In short."], 2]
BOOK = ["book-1", 1, "A book", "<p>", "https://cover", True, 2, ["Ann"], 1.0, AT]

# Method: (parameters, result).
SAMPLES: dict[str, tuple[Any, Any]] = {
    "LIST_NOTEBOOKS": ([None, 1, None, OPTIONS], [[notebook([source()]), notebook()]]),
    "CREATE_NOTEBOOK": (["A title", None, None, OPTIONS], [*notebook(), [[C]]]),
    "COPY_NOTEBOOK": ([OPTIONS, N, "A copy"], notebook()),
    "GET_NOTEBOOK": ([N, None, OPTIONS, None, 0], [notebook([source(), source(T, 1)])]),
    "RENAME_NOTEBOOK": ([N, [[None, None, None, [None, "New", "🌱"]]]], notebook()),
    "DELETE_NOTEBOOK": ([[N], [2]], []),
    "REMOVE_RECENTLY_VIEWED": ([N], []),
    "SUMMARIZE": ([N, OPTIONS], [[["Sum"], [[["Why?", "Explain"]]], None, None, None, [[["Why?", 9]]]]]),
    "SUGGEST_PROMPTS": ([OPTIONS, N, [[S]], 4, None, None], [[["T", "Do it"]]]),
    "SUGGEST_NEXT_STEPS": ([None, N, [[[S]]]], [[["Why?", 9]]]),
    "ADD_SOURCE": ([[[None, None, ["https://a.example"], *[None] * 7, 1]], N, OPTIONS], [[source(), source(T)]]),
    "ADD_SOURCES_ASYNC": (
        [[[None, None, ["https://a.example"], *[None] * 7, 1]], N, OPTIONS],
        [[source()], None, [[source(), 0]]],
    ),
    "ADD_SOURCE_FILE": (
        [[["a.pdf"]], N, OPTIONS],
        [[[[S], "a.pdf", [None, None, None, None, 0]]], None, [[[[S], "a.pdf"]]]],
    ),
    "DELETE_SOURCE": ([[[S], [T]]], []),
    "UPDATE_SOURCE": ([None, [S], [[["New"]]]], [source()]),
    "GET_SOURCE_GUIDE": ([[[[S]]]], [[[None, ["Sum"], [["apple", "fruit"]], []]]]),
    "GET_SOURCE": ([[S], [2], [2]], [source(), None, None, [[BLOCKS]], [None, "<p>Apple</p>"]]),
    "REFRESH_SOURCE": ([None, [S], [2]], source()),
    "CHECK_SOURCE_FRESHNESS": ([None, [S], [2]], [[None, False, [S]]]),
    "RETRIEVE_RELEVANT_CHUNKS": (
        [N, "apples", None, [1], [[[S], [T]]]],
        [[[S, [[[[["An apple"]]], 0, [[None, 5, 13]]]]]]],
    ),
    "APPEND_SOURCE": ([None, [S], None, [None, ["Head", "Body"]]], source()),
    "COPY_SOURCES": ([None, None, [[S]], N], [[[[S], source(T)]]]),
    "LIST_EXPERT_INTELLIGENCE_CONTENT": ([None, 1], [[BOOK]]),
    "CREATE_LABEL": ([OPTIONS, N, None, None, None, [["Food", "🍎"]]], [None, [["Food", [[S]], "label-1", "🍎"]]]),
    "LIST_LABELS": ([OPTIONS, N], [[["Food", [[S]], "label-1", ""], ["New Label", None, "label-2", ""]]]),
    "UPDATE_LABEL": ([OPTIONS, N, "label-1", [[["Fruit", "🍏"], [[S]], [[T]]]]], []),
    "DELETE_LABEL": ([OPTIONS, N, ["label-1"]], []),
    "GET_LAST_CONVERSATION_ID": ([OPTIONS, None, N, 1], [[[C]]]),
    "GET_CONVERSATION_TURNS": (
        [OPTIONS, None, None, C, 20],
        [[["turn-2", AT, 2, None, [["Because.", None, None, None, [[BLOCKS]]]]], ["turn-1", AT, 1, "Why?"]]],
    ),
    "DELETE_CONVERSATION": ([[], C, None, 1], []),
    "GET_CHAT_SESSION_STATUS": ([None, C], ["token", 2]),
    "CANCEL_GENERATION": ([None, C], []),
    "CREATE_NOTE": ([N, "", [1], None, "New Note"], [NOTE]),
    "UPDATE_NOTE": ([N, "note-1", [[["Words", "A note", [], 0]]]], [NOTE]),
    "DELETE_NOTE": ([N, None, ["note-1"]], []),
    "GET_NOTES_AND_MIND_MAPS": ([N, None, None, OPTIONS], [[["note-1", NOTE], ["note-2", None, 2]], AT]),
    "CREATE_ARTIFACT": (
        [STUDIO, N, [None, None, 1, [[[S]]], None, None, [None, ["focus", 2, None, [[S]], "en", None, 1]]]],
        [artifact(1, 1)],
    ),
    "LIST_ARTIFACTS": ([STUDIO, N, 'NOT artifact.status = "ARTIFACT_STATUS_SUGGESTED"'], [ARTIFACTS]),
    "DELETE_ARTIFACT": ([[2], A], []),
    "RENAME_ARTIFACT": ([[A, "New"], [["title"]]], artifact()),
    "EXPORT_ARTIFACT": ([None, A, None, "T", 1], ["https://docs.example/d"]),
    "REVISE_SLIDE": ([[2], A, [[[0, "bolder"]]]], [artifact(8, 2)]),
    "RETRY_ARTIFACT": ([STUDIO, A], [artifact(1, 1)]),
    "GET_INTERACTIVE_HTML": ([A], [artifact(4, 3, 9, [None, [4], None, '{"name": "Root", "children": []}'])]),
    "GET_SUGGESTED_REPORTS": ([[2], N], [[["Paper", "Academic", None, None, "Write", 2]]]),
    "GENERATE_MIND_MAP": (
        [[[[S]]], *[None] * 4, ["interactive_mindmap", [["[CONTEXT]", ""]], "en"], None, [2, None, [1]]],
        [['{"name": "Root", "children": []}']],
    ),
    "COPY_ARTIFACTS": ([OPTIONS, [A], N], [[[A, artifact()]]]),
    "GET_CUSTOMIZATION_CHOICES": (
        [OPTIONS, N],
        [
            [
                [[[1, "Deep dive", "long"]]],
                [[[1, "Explainer", None]]],
                [[[1, "Detailed", None]]],
                [[["Paper", "d", "Do"]]],
            ]
        ],
    ),
    "DISCOVER_SOURCES": ([["apples", 1], None, 1, N], [[FINDING], "In short.", ["run-1"]]),
    "START_FAST_RESEARCH": ([["apples", 1], None, 1, N], ["run-1"]),
    "START_DEEP_RESEARCH": ([None, [1], ["apples", 1], 5, N], ["session-1", "run-1"]),
    "POLL_RESEARCH": ([None, None, N], [[["run-1", RUN_INFO, AT, AT, "account"]]]),
    "IMPORT_RESEARCH": (
        [
            None,
            [1],
            "run-1",
            N,
            [[None, ["T", "# W"], None, 3, *[None] * 6, 3], [None, None, ["u", "t"], *[None] * 7, 2]],
        ],
        [[[[S], "A"]]],
    ),
    "CANCEL_RESEARCH": ([None, None, "run-1"], []),
    "SHARE_NOTEBOOK": ([[[N, [["a@b.example", None, 2]], None, [0, "Hello"]]], 1, None, [2]], []),
    "GET_SHARE_STATUS": (
        [N, [2]],
        [[["a@b.example", 1, [], ["Ann", "https://pic.example"]]], [True], 1000, True],
    ),
    "SHARE_ARTIFACT": ([[1], N, A], []),
    "GET_USER_SETTINGS": ([OPTIONS], [SETTINGS]),
    "SET_USER_SETTINGS": ([[[None, [[None, None, None, None, ["fr"]]]]]], SETTINGS),
    "GET_ACCOUNT": ([], [[None, None, None, None, [None] * 6 + [True]]]),
    "LIST_QUOTA_SUMMARY": (
        [None],
        [1, [[None, None, None, None, 1, AT, 12.5, 87.5]], None, [[3, True, 2, 1, None, 0.5]]],
    ),
}
