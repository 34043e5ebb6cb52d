"""The drift tools: what recordings mean, and what in them is not understood."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from wire_samples import SAMPLES, notebook, source

from quire.domain.errors import InvalidInput, NotFound
from quire.entry.cli.program import main
from quire.notebooklm.documents import Document
from quire.notebooklm.envelope import StatusLine, answer_body, call_body, framed
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.replay import decode, replay
from quire.notebooklm.stream import CHAT_PATH, Chunk, ask_body, chunk_item

BATCH = "/_/LabsTailwindUi/data/batchexecute"


def call(name: str, result: Any = ..., **more: Any) -> dict[str, Any]:
    method, (params, sample) = BY_NAME[name], SAMPLES[name]
    body = answer_body(method.id, sample if result is ... else result)
    return {
        "method": "POST",
        "path": BATCH,
        "rpcids": method.id,
        "source_path": "/",
        "request_body": call_body(method.id, params, "SCRUBBED"),
        "status": 200,
        "response_body": body,
    } | more


def recorded(folder: Path, *interactions: Any, name: str = "one.json") -> Path:
    (folder / name).write_text(json.dumps(interactions))
    return folder


def test_every_method_is_understood_from_its_sample(tmp_path: Path) -> None:
    recorded(tmp_path, *[call(name) for name in SAMPLES])
    outcomes = list(replay(tmp_path))
    assert [outcome.error for outcome in outcomes] == [None] * len(SAMPLES)
    assert [outcome.rpc_id for outcome in outcomes] == [BY_NAME[name].id for name in SAMPLES]


def test_statuses_uploads_pages_and_streams_are_understood_too(tmp_path: Path) -> None:
    stream = "".join(framed([[chunk_item(Chunk("Yes.", document=Document(mark=1), final=True))], [["e", 1]]]))
    asked = ask_body({"question": "Why?"}, "t")
    announcement = json.dumps({"PROJECT_ID": "n", "SOURCE_NAME": "a", "SOURCE_ID": "s"})
    interactions = [
        call("GET_NOTEBOOK", response_body=answer_body("rLM1Ne", None, StatusLine(5))),
        call("CREATE_ARTIFACT", response_body=answer_body("R7cb6c", None, StatusLine(8, "Later", True))),
        call("REMOVE_RECENTLY_VIEWED", response_body=answer_body("fejl7e", None)),
        call("GET_NOTEBOOK", status=429, response_body="<html>"),
        {"method": "POST", "path": CHAT_PATH, "request_body": asked, "status": 200, "response_body": stream},
        {"method": "POST", "path": "/upload/_/", "request_body": announcement, "status": 200, "response_body": ""},
        {"method": "POST", "path": "/upload/_/", "request_body": "bytes", "status": 200, "response_body": "OK"},
        {"method": "GET", "path": "/", "request_body": None, "status": 200, "response_body": "<html>"},
        {"method": "POST", "path": "/RotateCookies", "request_body": "[]", "status": 200, "response_body": "[]"},
    ]
    outcomes = list(replay(recorded(tmp_path, *interactions)))
    assert [outcome.error for outcome in outcomes] == [None] * len(interactions)
    assert [outcome.status for outcome in outcomes][:4] == ["NOT_FOUND", "RESOURCE_EXHAUSTED", None, "HTTP 429"]
    assert outcomes[4].meaning["text"] == "Yes."
    assert outcomes[5].meaning["source_id"] == "s"


@pytest.mark.parametrize(
    ("interaction", "told"),
    [
        (call("GET_NOTEBOOK", [["T", "sources", "n"]]), "rLM1Ne $[0][1]: expected a list"),
        (call("GET_NOTEBOOK", rpcids="zzzzzz"), "zzzzzz is not a method"),
        (call("GET_NOTEBOOK", response_body=answer_body("wXbhsf", [])), "no frame answers GET_NOTEBOOK"),
        (call("GET_NOTEBOOK", request_body=call_body("wXbhsf", [], "t")), "the call says wXbhsf"),
        (call("GET_NOTEBOOK", request_body=call_body("rLM1Ne", [7], "t")), "rLM1Ne $[0]: expected text"),
        (call("GET_NOTEBOOK", request_body="nonsense"), "f.req"),
        (call("GET_NOTEBOOK", response_body="<html>\n<body>"), "not in frames"),
        ({"method": "POST", "path": "/elsewhere", "status": 200}, "is not a method"),
        ("text", "no interaction"),
    ],
)
def test_what_is_not_understood_is_told_with_its_place(tmp_path: Path, interaction: Any, told: str) -> None:
    good, bad = replay(recorded(tmp_path, call("LIST_NOTEBOOKS"), interaction))
    assert (good.ok, bad.ok, bad.index) == (True, False, 1)
    assert told in (bad.error or "")


def test_a_file_that_is_no_recording_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text("{}")
    assert [outcome.ok for outcome in replay(tmp_path)] == [False, False]


def test_a_folder_without_recordings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        list(replay(tmp_path))


def test_an_answer_is_decoded_from_frames_and_from_bare_json() -> None:
    result = [notebook([source()])]
    for text in (answer_body("rLM1Ne", result), json.dumps(result)):
        for name in ("rLM1Ne", "get_notebook"):
            assert decode(name, text).meaning["sources"][0]["kind"] == "web_page"
    with pytest.raises(NotFound):
        decode("nothing", "[]")
    with pytest.raises(InvalidInput):
        decode("rLM1Ne", "words")


def test_replaying_prints_a_line_or_a_row_for_each_interaction(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    strange = notebook([source()])
    strange[6] = "new"
    recorded(tmp_path, call("GET_NOTEBOOK", [strange]), call("LIST_NOTEBOOKS", "text"))
    assert main(["wire", "replay", str(tmp_path)]) == 9
    out = capfd.readouterr()
    assert "one.json:0 rLM1Ne ok" in out.out
    assert "unread $[0][6]: text" in out.out
    assert "one.json:1 wXbhsf wXbhsf $: expected a list, found text" in out.out
    assert "1 of 2 interactions" in out.err

    assert main(["wire", "replay", str(tmp_path), "--json"]) == 9
    first, second = json.loads(capfd.readouterr().out)
    assert first == {"file": "one.json", "index": 0, "rpc_id": "rLM1Ne", "ok": True}
    assert second["error"].startswith("wXbhsf $: expected a list")


def test_decoding_prints_what_an_answer_means(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "answer.txt"
    file.write_text(answer_body("rLM1Ne", [notebook([source()])]))
    assert main(["wire", "decode", "rLM1Ne", str(file)]) == 0
    assert '"title": "A title"' in capfd.readouterr().out
    assert main(["wire", "decode", "rLM1Ne", str(file), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["meaning"]["id"] == "notebook-1"
    file.write_text(answer_body("rLM1Ne", [["T", 7, "n"]]))
    assert main(["wire", "decode", "rLM1Ne", str(file)]) == 9
    assert "rLM1Ne $[0][1]" in capfd.readouterr().err


@pytest.mark.skipif("QUIRE_WIRE_SAMPLES" not in os.environ, reason="QUIRE_WIRE_SAMPLES names no folder of recordings")
def test_recorded_traffic_is_understood() -> None:
    outcomes = list(replay(Path(os.environ["QUIRE_WIRE_SAMPLES"])))
    assert [outcome for outcome in outcomes if not outcome.ok] == []


# What an empty notebook, account or conversation is answered with.
EMPTY = [
    "LIST_NOTEBOOKS", "SUMMARIZE", "SUGGEST_PROMPTS", "SUGGEST_NEXT_STEPS", "ADD_SOURCE", "GET_SOURCE_GUIDE",
    "CHECK_SOURCE_FRESHNESS", "RETRIEVE_RELEVANT_CHUNKS", "CREATE_LABEL", "LIST_LABELS", "GET_LAST_CONVERSATION_ID",
    "GET_CONVERSATION_TURNS", "GET_NOTES_AND_MIND_MAPS", "LIST_ARTIFACTS", "GET_SUGGESTED_REPORTS", "POLL_RESEARCH",
    "IMPORT_RESEARCH", "GET_SHARE_STATUS", "GENERATE_MIND_MAP", "UPDATE_NOTE", "RENAME_NOTEBOOK", "UPDATE_SOURCE",
]  # fmt: skip


def test_places_that_are_new_at_the_end_of_calls_and_answers_do_not_matter(tmp_path: Path) -> None:
    new = [None, 7, "new", [[]], [2, None, None, [1, None, [1]]]]
    interactions = []
    for name, (params, result) in SAMPLES.items():
        grown = result + new if isinstance(result, list) and result else result
        # Some calls have places of their own after those of their sample.
        params = [*params, *[None] * 8, *new] if isinstance(params, list) and params else params
        asked = call_body(BY_NAME[name].id, params, "t")
        interactions.append(call(name, grown, request_body=asked))
    assert [outcome.error for outcome in replay(recorded(tmp_path, *interactions))] == [None] * len(SAMPLES)


def test_empty_answers_mean_that_there_is_nothing(tmp_path: Path) -> None:
    interactions = [call(name, result) for name in EMPTY for result in ([], [None], None)]
    assert [outcome.error for outcome in replay(recorded(tmp_path, *interactions))] == [None] * len(interactions)


@pytest.mark.parametrize(
    "item",
    [
        lambda id: ["wrb.fr", id, None, None, None, [3], "generic"],
        lambda id: ["wrb.fr", id, None, None, None, [5, "Not found"], "generic"],
        lambda id: ["wrb.fr", id, None, None, None, [13, None, []], "generic"],
        lambda id: ["wrb.fr", id, None, None, None, [99], "1"],
        lambda id: ["wrb.fr", id, "", None, None, [9], "generic"],
        lambda id: ["wrb.fr", id, None],
        lambda id: ["wrb.fr", id],
        lambda id: ["er", id, 500],
        lambda id: ["er", None, None, None, None, 400, None, None, None, 3],
    ],
)
def test_every_method_may_fail_in_every_form(tmp_path: Path, item: Any) -> None:
    interactions = []
    for name in SAMPLES:
        id = BY_NAME[name].id
        body = "".join(framed([[item(id), ["di", 40], ["af.httprm", 39, "1", 20]], [["e", 4, None, None, 127]]]))
        interactions.append(call(name, response_body=body))
    outcomes = list(replay(recorded(tmp_path, *interactions)))
    assert [outcome.error for outcome in outcomes] == [None] * len(SAMPLES)
    assert {outcome.meaning for outcome in outcomes} == {None}


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.replace("\n", "\r\n"),
        lambda body: "\n".join(line for line in body.split("\n") if not line.isdigit()),
        lambda body: body.replace(")]}'\n\n", ")]}'\n"),
        lambda body: body.removeprefix(")]}'\n\n"),
        lambda body: body + "\n\n25\n" + '[["e",4,null,null,131]]',
        lambda body: body + body.removeprefix(")]}'\n\n"),
        lambda body: body + '40\n[["wrb.fr","rLM1Ne",null,null,null,null,"generic"]]\n',
    ],
)
def test_frames_may_be_counted_cut_and_ended_in_other_ways(tmp_path: Path, change: Any) -> None:
    body = change(answer_body("rLM1Ne", [notebook([source()])]))
    (outcome,) = replay(recorded(tmp_path, call("GET_NOTEBOOK", response_body=body)))
    assert (outcome.error, outcome.meaning["id"]) == (None, "notebook-1")


@pytest.mark.parametrize(
    "more",
    [
        {"request_body": None},
        {"rpcids": None, "path": BATCH + "?rpcids=wXbhsf&source-path=%2F&rt=c"},
        {"rpcids": None},
        {"path": "https://notebook.google.com" + BATCH},
        {"method": "post", "source_path": None},
        {"status": 400, "response_body": "<html>"},
        {"status": 302, "response_body": ""},
        {"extra": {"new": True}},
    ],
)
def test_an_interaction_may_be_recorded_in_other_ways(tmp_path: Path, more: dict[str, Any]) -> None:
    (outcome,) = replay(recorded(tmp_path, call("LIST_NOTEBOOKS", **more)))
    assert outcome.error is None


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("CREATE_NOTEBOOK", ["T", None, None, [2], [1, None, None, None, None, None, None, None, None, None, [1]]]),
        ("LIST_NOTEBOOKS", [None, 1, None, [2]]),
        ("LIST_NOTEBOOKS", [None, 1]),
        ("GET_NOTEBOOK", ["n"]),
        ("GET_NOTEBOOK", ["n", None, [2], None, 1]),
        ("ADD_SOURCE", [[[None, None, ["https://a.example"]]], "n", [2], None, None]),
        ("ADD_SOURCE", [[[None, ["T", "Words"], None, 2]], "n", [2], [1, None, None, None, [1]]]),
        ("ADD_SOURCE_FILE", [[["a.pdf"]], "n", [2], [1, None, None, None, [1]]]),
        ("GET_NOTES_AND_MIND_MAPS", ["n"]),
        ("LIST_ARTIFACTS", [[2], "n", 'NOT artifact.status = "ARTIFACT_STATUS_SUGGESTED"']),
        ("GET_USER_SETTINGS", [None, [1, *[None] * 9, [1]]]),
        ("SUMMARIZE", ["n", [2]]),
        ("POLL_RESEARCH", [None, None, "n"]),
    ],
)
def test_older_and_shorter_calls_are_understood(tmp_path: Path, name: str, params: Any) -> None:
    body = call_body(BY_NAME[name].id, params, "t")
    (outcome,) = replay(recorded(tmp_path, call(name, request_body=body)))
    assert outcome.error is None
