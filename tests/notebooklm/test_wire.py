"""Templates: what each part reads and writes, and that both ways agree for any template."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.notebooklm.kinds import boolean, duration, integer, moment, number, text
from quire.notebooklm.wire import (
    At,
    Done,
    Drift,
    Each,
    Either,
    Known,
    Mark,
    Maybe,
    Node,
    Nothing,
    Part,
    Record,
    Slot,
    Sole,
    node,
)


@dataclass
class Thing:
    id: str
    title: str | None = None
    words: int | None = None


THING = Record(Thing, [[Slot("id", text, needed=True)], Slot("title", text), At({1: Slot("words", integer)})])


def test_a_record_is_read_and_written() -> None:
    assert THING.value([["t"], "A title", [None, 120]]) == Thing("t", "A title", 120)
    assert THING.wire(Thing("t", "A title", 120)) == [["t"], "A title", [None, 120]]


def test_short_rows_leave_names_out_and_long_ones_are_cut() -> None:
    assert THING.value([["t"]]) == Thing("t")
    assert THING.value([["t", "x"], "T", [None, 1, 2, 3], "more"]) == Thing("t", "T", 1)
    assert list(THING.unread([["t", "x"], "T", [9, 1], "more"], "$")) == [
        "$[0][1]: text",
        "$[2][0]: an integer",
        "$[3]: text",
    ]


def test_sparse_places_are_written_up_to_the_last_one_that_is_filled() -> None:
    layout = node([Slot("a", text), At({2: Slot("b", text), 5: Slot("c", text)})])
    assert layout.wire({"a": "x", "b": "y"}) == ["x", [None, None, "y"]]
    assert layout.wire({"a": "x", "c": "z"}) == ["x", [None, None, None, None, None, "z"]]
    assert layout.wire({"a": "x"}) == ["x", None]


def test_an_object_at_the_end_holds_high_places_by_number() -> None:
    layout = At({1: Slot("a", text), 100: Slot("b", text)})
    assert layout.value(["x", "y", {"101": "z"}]) == {"a": "y", "b": "z"}
    assert layout.value(["x", "y", {"name": "z"}]) == {"a": "y"}
    assert layout.value([{"99999999999": "z"}]) == {}
    assert layout.value([{"0": "z"}]) == {}


def test_a_tail_is_left_out_when_empty() -> None:
    layout = node([Slot("a", text), None, Maybe(Slot("b", text)), Maybe([Slot("c", integer)])])
    assert layout.wire({"a": "x"}) == ["x", None]
    assert layout.wire({"a": "x", "c": 1}) == ["x", None, None, [1]]
    assert layout.value(["x", None, "y"]) == {"a": "x", "b": "y"}


def test_constants_are_written_and_not_compared_but_marks_are() -> None:
    layout = node([[2, None, [1]], Slot("a", text), Mark(3)])
    assert layout.wire({"a": "x"}) == [[2, None, [1]], "x", 3]
    assert layout.value([[2], "x", 3]) == {"a": "x"}
    with pytest.raises(Drift) as caught:
        layout.value([[2], "x", 4])
    assert caught.value.place() == "$[2]"


def test_either_reads_any_layout_and_writes_the_first() -> None:
    layout = Either(
        [Slot("a", text, needed=True)], At({2: [Slot("a", text, needed=True)]}), Slot("a", text, needed=True)
    )
    assert [layout.value(value) for value in (["x"], [None, True, ["x"]], "x")] == [{"a": "x"}] * 3
    assert layout.wire({"a": "x"}) == ["x"]
    with pytest.raises(Drift):
        layout.value(7)


def test_a_loose_place_passes_over_what_does_not_fit_and_lists_it() -> None:
    layout = At(
        {0: Slot("a", integer, loose=True), 1: Each("b", Slot("", text), loose=True), 2: Part("c", THING, loose=True)}
    )
    assert layout.value(["x", ["y", 1], ["bad"]]) == {"b": ("y",)}
    assert list(layout.unread(["x", ["y", 1], ["bad"]], "$")) == [
        "$[0]: expected an integer, found text",
        "$[1][1]: expected text, found an integer",
        "$[2][0]: expected a list, found text",
    ]


def test_drift_tells_the_whole_path() -> None:
    layout = node([[Each("rows", THING)]])
    with pytest.raises(Drift) as caught:
        layout.value([[[[["t"]], [[7]]]]])
    assert (caught.value.place(), caught.value.expected) == ("$[0][0][1][0][0]", "text")


@pytest.mark.parametrize(
    ("template", "value"),
    [
        (Slot("a", text, needed=True), None),
        (node([Slot("a", text, needed=True)]), None),
        (node([Slot("a", text, needed=True)]), []),
        (Each("a", Slot("", text), needed=True), None),
        (Nothing(), [1]),
        (node([Slot("a", integer)]), [True]),
        (node([Slot("a", boolean)]), [2]),
        (node([Slot("a", number)]), ["1"]),
        (node([Slot("a", moment)]), [["x"]]),
        (node([Slot("a", moment)]), [[10**15, 0]]),
        (node([Slot("a", moment)]), [[0, 10**9]]),
        (node([Slot("a", duration)]), [[None]]),
    ],
)
def test_what_does_not_fit_is_drift(template: Node, value: Any) -> None:
    with pytest.raises(Drift):
        template.value(value)


def test_places_that_are_known_are_neither_read_nor_listed() -> None:
    layout = At({0: Slot("a", text), 1: Known()})
    assert layout.value(["x", ["again"]]) == {"a": "x"}
    assert list(layout.unread(["x", ["again"]], "$")) == []


def test_answers_without_content() -> None:
    assert (Nothing().value([]), Nothing().value(None), Done().value(["x"])) == (None, None, None)
    assert list(Done().unread(["x"], "$")) == ["$: a list"]
    assert (Nothing().wire(None), Done().wire(None)) == ([], [])
    assert Sole([Each("", Slot("", text))], ()).value(None) == ()


VALUES: dict[Any, st.SearchStrategy[Any]] = {
    text: st.text(max_size=6),
    integer: st.integers(-(2**53), 2**53),
    boolean: st.booleans(),
    moment: st.datetimes(timezones=st.just(UTC)),
}


@st.composite
def templates(draw: st.DrawFn, depth: int = 3, names: list[str] | None = None) -> tuple[Node, dict[str, Any]]:
    """A template and values for some of its names."""
    used = names if names is not None else []

    def part(depth: int) -> tuple[Any, dict[str, Any]]:
        shape = draw(st.integers(0, 5 if depth else 1))
        if shape == 0:
            return draw(st.sampled_from([None, 1, [2], [1, [None]]])), {}
        if shape == 1:
            used.append(f"n{len(used)}")
            kind = draw(st.sampled_from(list(VALUES)))
            values = {used[-1]: draw(VALUES[kind])} if draw(st.booleans()) else {}
            return Slot(used[-1], kind), values
        if shape == 2:
            used.append(f"n{len(used)}")
            rows = draw(st.lists(st.text(max_size=4), max_size=3))
            return Each(used[-1], [Slot("", text)]), {used[-1]: tuple(rows)} if rows else {}
        parts = [part(depth - 1) for _ in range(draw(st.integers(1, 3)))]
        values = {name: value for _, found in parts for name, value in found.items()}
        if shape == 3:
            return [node for node, _ in parts], values
        if shape == 4:
            places = draw(st.lists(st.integers(0, 12), min_size=len(parts), max_size=len(parts), unique=True))
            return At(dict(zip(sorted(places), (node for node, _ in parts), strict=True))), values
        used.append(f"n{len(used)}")
        inner = Record(dict, [node for node, _ in parts])
        return Part(used[-1], inner), {used[-1]: values} if values else {}

    parts = [part(depth) for _ in range(draw(st.integers(1, 4)))]
    values = {name: value for _, found in parts for name, value in found.items()}
    return Record(dict, [node for node, _ in parts]), values


@settings(max_examples=200, deadline=None)
@given(made=templates())
def test_whatever_is_written_is_read_back_and_written_the_same(made: tuple[Node, dict[str, Any]]) -> None:
    template, values = made
    written = template.wire(values)
    assert template.value(written) == values
    assert template.wire(template.value(written)) == written
    assert list(template.unread(written, "$")) == []


WIRE = st.recursive(
    st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=5), max_leaves=20
)


def filled(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ((), {})}


@settings(max_examples=200, deadline=None)
@given(made=templates(), wire=WIRE)
def test_whatever_can_be_read_can_be_written_and_read_alike(made: tuple[Node, dict[str, Any]], wire: Any) -> None:
    template, _ = made
    place = None
    values: dict[str, Any] = {}
    try:
        values = template.value(wire)
    except Drift as drift:
        place = drift.place()
    if place is None:
        assert filled(template.value(template.wire(values))) == filled(values)
    else:
        assert place.startswith("$")
