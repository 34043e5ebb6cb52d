"""Frames, statuses and forms, from both ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.errors import (
    Conflict,
    InvalidInput,
    LimitReached,
    NotAllowed,
    NotFound,
    NotReady,
    NotSignedIn,
    QuireError,
    TimedOut,
    TooLarge,
    Unsupported,
    Upstream,
    WireDrift,
)
from quire.notebooklm.envelope import (
    StatusLine,
    answer_body,
    call_body,
    form,
    framed,
    lines,
    parsed,
    reply_to,
    request_of,
)
from quire.notebooklm.statuses import error_of, status_of

VALUES = st.recursive(
    st.none() | st.integers(-(2**53), 2**53) | st.text(), lambda inner: st.lists(inner, max_size=4), max_leaves=12
)


def answer(*items: Any) -> str:
    return "".join(framed([list(items)]))


@settings(max_examples=100, deadline=None)
@given(result=VALUES)
def test_an_answer_is_read_as_it_was_written(result: Any) -> None:
    reply = reply_to("rLM1Ne", answer_body("rLM1Ne", result))
    assert (reply.result, reply.status, reply.found) == (result, None, True)


@settings(max_examples=100, deadline=None)
@given(params=VALUES, token=st.text())
def test_a_call_is_read_as_it_was_written(params: Any, token: str) -> None:
    call = request_of(call_body("rLM1Ne", params, token).encode())
    assert (call.rpc_id, call.params, call.token) == ("rLM1Ne", params, token)


def test_counts_are_not_trusted_and_may_be_missing() -> None:
    frame = json.dumps([["wrb.fr", "id", "[1]", None, None, None, "generic"]])
    for body in (f")]}}'\n\n7\n{frame}\n", f")]}}'\n{frame}\n", frame, f"99999\r\n{frame}\r\n"):
        assert reply_to("id", body).result == [1]


def test_the_last_frame_with_a_result_counts() -> None:
    items = [["wrb.fr", "id", "[1]"], ["wrb.fr", "id", "[2]"], ["wrb.fr", "id", None], ["wrb.fr", "other", "[3]"]]
    assert reply_to("id", answer(*items)).result == [2]


def test_bookkeeping_is_passed_over_and_a_missing_answer_is_told() -> None:
    body = answer(["di", 1], ["af.httprm", 1, "x", 1], ["e", 4, None, None, 9])
    assert reply_to("id", body).found is False


def test_a_line_in_a_text_does_not_end_a_frame() -> None:
    text = "one\u2028two\u0085three\nfour"
    assert reply_to("id", answer_body("id", [text])).result == [text]


def test_a_few_broken_lines_are_passed_over_and_many_are_drift() -> None:
    good = json.dumps([["wrb.fr", "id", "[1]"]])
    assert reply_to("id", "\n".join([good] * 20 + ["broken"])).result == [1]
    with pytest.raises(WireDrift):
        list(lines("\n".join([good, "broken", "<html>"])))


def test_a_result_that_is_no_json_is_drift() -> None:
    for result in ("{", ["list"]):
        with pytest.raises(WireDrift):
            reply_to("id", answer(["wrb.fr", "id", result]))


def test_half_a_surrogate_pair_is_replaced_and_whole_pairs_and_escapes_stay() -> None:
    assert parsed('["\\ud83d", "\\ud83c\\udf4e", "\\\\ud83d"]') == ["\ufffd", "🍎", "\\ud83d"]


def test_deep_nesting_is_refused_and_does_not_end_the_process() -> None:
    with pytest.raises(ValueError):
        parsed("[" * 100_000)
    with pytest.raises(ValueError):
        parsed("[" * 5_000 + "]" * 5_000)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ([3], InvalidInput),
        ([4], TimedOut),
        ([5], NotFound),
        ([7], NotAllowed),
        ([8], LimitReached),
        ([9], NotReady),
        ([12], Unsupported),
        ([13], Upstream),
        ([14, "try later"], Upstream),
        ([16], NotSignedIn),
        ([99], Upstream),
        ([8, None, [["type.googleapis.com/google.UserDisplayableError", []]]], LimitReached),
        ([13, None, [["type.googleapis.com/google.UserDisplayableError", []]]], LimitReached),
    ],
)
def test_a_status_becomes_an_error(status: Any, kind: type[QuireError]) -> None:
    reply = reply_to("id", answer(["wrb.fr", "id", None, None, None, status, "generic"]))
    assert reply.status is not None
    assert type(error_of(reply.status, "id", "notebook", "n")) is kind


def test_a_message_in_a_status_is_kept() -> None:
    reply = reply_to("id", answer(["wrb.fr", "id", None, None, None, [9, "Not yet."], "generic"]))
    assert reply.status is not None
    assert error_of(reply.status, "id").message == "Not yet."


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (["er", "id", 401], NotSignedIn),
        (["er", "id", 429], LimitReached),
        (["er", "id", 500], Upstream),
        (["er", "id", None], Upstream),
        (["er", None, None, None, None, 400, None, None, None, 3], InvalidInput),
    ],
)
def test_a_failure_item_becomes_an_error(item: list[Any], kind: type[QuireError]) -> None:
    reply = reply_to("id", answer(item))
    assert reply.status is not None
    assert type(error_of(reply.status, "id")) is kind


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput(), 3),
        (TooLarge(), 3),
        (NotFound("note", "n"), 5),
        (Conflict(), 9),
        (NotReady(), 9),
        (NotSignedIn(), 16),
        (NotAllowed(), 7),
        (LimitReached(), 8),
        (TimedOut(), 4),
        (Unsupported(), 12),
        (Upstream(), 14),
        (QuireError(), 13),
    ],
)
def test_an_error_becomes_a_status_and_is_told_as_such(error: QuireError, code: int) -> None:
    status = status_of(error)
    assert status.code == code
    reply = reply_to("id", answer_body("id", None, status))
    assert reply.status == StatusLine(code, error.message, isinstance(error, LimitReached))
    assert reply.result is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"at=x",
        b"f.req=",
        b"f.req=%5B%5D",
        b"f.req=%5B%5B%5B1%2C%22%5B%5D%22%5D%5D%5D",
        b"f.req=%5B%5B%5B%22id%22%2C%22%7Bbroken%22%5D%5D%5D",
        b"f.req=%5B%5B%5B%22id%22%5D%5D%5D",
        b"f.req=%5B%5B%5B%22a%22%2C%22%5B%5D%22%5D%2C%5B%22b%22%2C%22%5B%5D%22%5D%5D%5D",
        b"f.req=7",
        b"\xff\xfe",
        b"&".join([b"a=b"] * 40),
        b"f.req=" + b"[" * 10_000,
    ],
)
def test_a_malformed_call_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInput):
        request_of(body)


def test_a_form_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLarge):
        form(b"a" * 101, most=100)
