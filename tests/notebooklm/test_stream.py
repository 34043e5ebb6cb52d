"""The stream of an answer: cumulative chunks, thoughts, citations in UTF-16, refusals."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from quire.domain.errors import InvalidInput, LimitReached, Upstream, WireDrift
from quire.notebooklm.documents import (
    Annotation,
    Block,
    Citation,
    Document,
    Paragraph,
    Run,
    plain_document,
    utf16_length,
    utf16_offsets,
)
from quire.notebooklm.envelope import StatusLine, compact, framed, parsed
from quire.notebooklm.methods.notebooks import NextStep
from quire.notebooklm.stream import (
    Chunk,
    TurnKey,
    answer_in,
    ask_body,
    ask_of,
    chunk_item,
    chunks,
    refusal_item,
    unread_in,
)

KEY = TurnKey("session", "turn", 7)
END = [["di", 1], ["af.httprm", 1, "x", 1], ["e", 4, None, None, 9]]
CITATION = Citation(
    "chunk", 0.5, 10, 20, (Block(10, 20, Paragraph((Run(10, 20, "An apple. "),))),), "source", "passage"
)


def said(text: str, mark: int = 1, final: bool = False, **more: Any) -> Chunk:
    blocks = plain_document(text).blocks
    return Chunk(text, KEY, Document(blocks, mark=mark), final=final, **more)


def streamed(*items: Any) -> str:
    return "".join(framed([[item] for item in items] + [END]))


def test_an_answer_is_streamed_and_read_whole() -> None:
    document = Document(plain_document("🍎 is red.").blocks, (Annotation("chunk", 0, 10),), (CITATION,), mark=1)
    last = Chunk("🍎 is red [1].", KEY, document, ("Why?",), True, (NextStep("Why?", 9),))
    body = streamed(chunk_item(said("Thinking", 2)), chunk_item(said("🍎 is")), chunk_item(last))
    found = answer_in(body)
    assert found == last
    assert [chunk.is_thought for chunk in chunks(body)] == [True, False, False]
    assert (found.citations[0].source_id, found.citations[0].text) == ("source", "An apple. ")
    assert list(unread_in(body)) == []


def test_citations_stand_in_the_places_that_clients_read() -> None:
    document = Document(plain_document("Red.").blocks, (Annotation("chunk", 0, 4),), (CITATION,), mark=1)
    inner = parsed(chunk_item(Chunk("Red. [1]", KEY, document, (), True))[2])
    block = [10, 20, [[[10, 20, ["An apple. "]]]]]
    detail = [None, None, 0.5, [[None, 10, 20]], [[block]], [[["source"], "passage"]], ["chunk"]]
    assert inner[0][4][3] == [[["chunk"], detail]]
    assert inner[0][4][0][1] == [[["chunk"], [None, 0, 4]]]
    assert (inner[0][4][4], inner[4]) == (1, True)
    assert (inner[1], inner[2]) == ([detail], [[[None, 0, 4], [0]]])


def test_without_a_final_chunk_the_latest_answer_counts() -> None:
    body = streamed(chunk_item(said("One")), chunk_item(said("One two")), chunk_item(said("Hm", 2)))
    assert answer_in(body).text == "One two"


def test_heartbeats_are_passed_over() -> None:
    body = streamed(["wrb.fr", None, "[]"], chunk_item(said("One", final=True)), ["wrb.fr", None, "[]"])
    assert answer_in(body).text == "One"
    assert len(list(chunks(body))) == 1


def test_a_refusal_is_an_error() -> None:
    with pytest.raises(InvalidInput):
        answer_in(streamed(refusal_item(StatusLine(3))))
    with pytest.raises(LimitReached):
        answer_in(streamed(refusal_item(StatusLine(13, "Too many", True))))
    with pytest.raises(Upstream):
        answer_in(streamed(["er", None, 500]))


def test_a_stream_of_nothing_but_bookkeeping_means_that_the_quota_is_used_up() -> None:
    with pytest.raises(LimitReached):
        answer_in("".join(framed([END])))


def test_no_frames_at_all_or_a_wrong_shape_is_drift() -> None:
    for body in ("", streamed(["wrb.fr", None, '[["text",null,null,null,"doc"]]']), streamed(["wrb.fr", None, 7])):
        with pytest.raises(WireDrift):
            answer_in(body)


def test_offsets_count_utf16_code_units() -> None:
    assert (utf16_length("a🍎b"), utf16_offsets("a🍎b")) == (4, [0, 1, 3, 4])
    blocks = plain_document("🍎\n\nred").blocks
    assert [(block.start, block.end, block.text) for block in blocks] == [(0, 2, "🍎"), (2, 5, "red")]


def test_a_question_is_read_as_it_was_written() -> None:
    names = {"source_ids": ("a", "b"), "question": "Why?", "conversation_id": "c", "notebook_id": "n"}
    assert ask_of(ask_body(names, "token")) == (names, "token")


def test_the_older_question_of_five_places_is_understood() -> None:
    params = [[[["a"]]], "Why?", None, [2, None, [1]], "c"]
    body = f"f.req={quote(compact([None, compact(params)]))}&at=t&"
    assert ask_of(body) == ({"source_ids": ("a",), "question": "Why?", "conversation_id": "c"}, "t")


@pytest.mark.parametrize("body", ["", "f.req=[]", "f.req=[null,7]", 'f.req=[null,"{"]', "f.req=7"])
def test_a_malformed_question_is_refused(body: str) -> None:
    with pytest.raises(InvalidInput):
        ask_of(body)


def test_a_question_without_its_text_is_drift() -> None:
    with pytest.raises(WireDrift):
        ask_of('f.req=[null,"[[],null]"]')
