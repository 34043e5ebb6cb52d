"""The table of methods: each is written, read and written again without loss, and drift is told with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_samples import SAMPLES, notebook, source

from quire.domain.errors import WireDrift
from quire.notebooklm.codes import ArtifactKind, ChatGoal, Permission, SourceKind, SourceState
from quire.notebooklm.methods import BY_NAME, METHODS
from quire.notebooklm.methods.method import Method, Repeat

NAMES = sorted(SAMPLES)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=30,
)


def test_every_method_has_a_sample() -> None:
    assert set(SAMPLES) == set(BY_NAME)


@pytest.mark.parametrize("name", NAMES)
def test_a_request_survives_being_read_and_written(name: str) -> None:
    method, (params, _) = BY_NAME[name], SAMPLES[name]
    names = method.decode_request(params)
    written = method.encode_request(names)
    assert method.decode_request(written) == names
    assert method.encode_request(method.decode_request(written)) == written
    assert written == params


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_survives_being_read_and_written(name: str) -> None:
    method, (_, result) = BY_NAME[name], SAMPLES[name]
    meaning = method.decode_response(result)
    written = method.encode_response(meaning)
    assert method.decode_response(written) == meaning
    assert method.encode_response(method.decode_response(written)) == written
    assert json.loads(json.dumps(written)) == written
    if meaning is None:
        assert list(method.unread(result)) == []


def test_a_notebook_is_read_with_all_its_parts() -> None:
    found = BY_NAME["GET_NOTEBOOK"].decode_response([notebook([source()])])
    assert (found.id, found.title, found.emoji, found.role) == ("notebook-1", "A title", "🍎", Permission.OWNER)
    assert found.created_at.isoformat() == "2026-01-13T13:50:23.690769+00:00"
    assert (found.chat.goal, found.chat.prompt) == (ChatGoal.CUSTOM, "Be brief")
    (page,) = found.sources
    assert (page.kind, page.state, page.url) == (SourceKind.WEB_PAGE, SourceState.READY, "https://a.example/page")
    assert (page.words, page.characters, page.revision) == (120, 640, "revision")


def test_artifacts_are_read_with_what_they_hold() -> None:
    rows = BY_NAME["LIST_ARTIFACTS"].decode_response(SAMPLES["LIST_ARTIFACTS"][1])
    audio, report, video, app, infographic, slides, table = rows
    assert (audio.audio.url, audio.audio.seconds) == ("https://lh3.googleusercontent.com/a", 61.5)
    assert (report.report.markdown, report.report.prompt) == ("# Words", "Write")
    assert video.video.seconds == 61.5
    assert app.app.html == "<html>"
    assert infographic.infographic.pictures[0].url == "https://lh3.googleusercontent.com/p"
    assert (slides.slides.pdf_url, slides.slides.slides[0].alt) == ("https://x/pdf", "alt")
    assert table.table.rows == [["cell"]]
    assert {row.kind for row in rows} == {ArtifactKind(code) for code in (1, 2, 3, 4, 7, 8, 9)}


@pytest.mark.parametrize(
    ("name", "result", "path"),
    [
        ("GET_NOTEBOOK", [notebook([source(id=7)])], "$[0][1][0][0][0]"),  # type: ignore[arg-type]
        ("GET_NOTEBOOK", [notebook("sources")], "$[0][1]"),
        ("GET_NOTEBOOK", [["A title", None, None]], "$[0][2]"),
        ("GET_NOTEBOOK", [[1, None, "n"]], "$[0][0]"),
        ("GET_NOTEBOOK", "text", "$"),
        ("LIST_NOTEBOOKS", [["row"]], "$[0][0]"),
        ("LIST_ARTIFACTS", [[["a", "T", 2, None, "ready"]]], "$[0][0][4]"),
        ("GET_NOTES_AND_MIND_MAPS", [[[1, None, 2]]], "$[0][0][0]"),
        ("GET_SHARE_STATUS", [[["a@b.example", "owner"]]], "$[0][0][1]"),
        ("POLL_RESEARCH", [[["r", ["n", ["q", 1], 1, None, None]]]], "$[0][0][1][4]"),
        ("GET_USER_SETTINGS", [[None, [6, "many"]]], "$[0][1][1]"),
        ("EXPORT_ARTIFACT", [None], "$[0]"),
    ],
)
def test_a_wrong_shape_is_drift_that_names_method_and_place(name: str, result: Any, path: str) -> None:
    method = BY_NAME[name]
    with pytest.raises(WireDrift) as caught:
        method.decode_response(result)
    assert caught.value.details["path"] == path
    assert caught.value.details["method"] == method.id
    assert caught.value.message.startswith(f"{method.id} {path}: expected ")


def test_drift_never_shows_what_was_found() -> None:
    with pytest.raises(WireDrift) as caught:
        BY_NAME["GET_NOTEBOOK"].decode_response([["T", None, {"secret": "hidden"}]])
    assert "hidden" not in str(caught.value.body())


def test_what_is_not_read_is_listed_once_for_all_rows() -> None:
    row = source()
    row[2][6] = 3
    found = list(dict.fromkeys(BY_NAME["GET_NOTEBOOK"].unread([notebook([row, row])])))
    assert "$[0][1][*][2][6]: an integer" in found


@settings(max_examples=300, deadline=None)
@given(method=st.sampled_from(list(METHODS.values())), value=JSON)
def test_anything_at_all_is_read_or_is_drift(method: Method, value: Any) -> None:
    places = [drift_of(method.decode_response, value), drift_of(method.decode_request, value)]
    if places[0] is None:
        places.extend(method.unread(value))
    assert all(place is None or place.startswith("$") for place in places)


def drift_of(read: Callable[[Any], Any], value: Any) -> str | None:
    """Where a value does not fit; None where it does."""
    try:
        read(value)
    except WireDrift as drift:
        return str(drift.details["path"])
    return None


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_sample_with_one_place_changed_is_read_or_is_drift(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(NAMES))
    result = json.loads(json.dumps(SAMPLES[name][1]))
    spot, places = result, []
    while isinstance(spot, list) and spot and (not places or data.draw(st.integers(0, 3))):
        places.append((spot, data.draw(st.integers(0, len(spot) - 1))))
        spot = spot[places[-1][1]]
    if places:
        holder, index = places[-1]
        holder[index] = data.draw(JSON)
    method = BY_NAME[name]
    place = drift_of(method.decode_response, result)
    if place is None:
        written = method.encode_response(method.decode_response(result))
        assert method.encode_response(method.decode_response(written)) == written
    else:
        assert place.startswith("$")


def test_a_mind_map_that_was_not_made_is_written_as_an_answer_without_one() -> None:
    method = BY_NAME["GENERATE_MIND_MAP"]
    assert method.decode_response(method.encode_response(None)) is None


def test_what_makes_something_anew_is_known_not_to_be_repeated() -> None:
    made = {method.name for method in METHODS.values() if method.repeat is Repeat.TWICE}
    assert {"CREATE_NOTEBOOK", "ADD_SOURCE", "CREATE_NOTE", "CREATE_ARTIFACT", "START_FAST_RESEARCH"} <= made
    read = {method.name for method in METHODS.values() if method.repeat is Repeat.READ}
    assert {"LIST_NOTEBOOKS", "GET_NOTEBOOK", "LIST_ARTIFACTS", "GET_SHARE_STATUS", "POLL_RESEARCH"} <= read
    assert not made & read
