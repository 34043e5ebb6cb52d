"""The tree of errors."""

from __future__ import annotations

import pytest

from quire.domain import errors
from quire.domain.errors import LimitReached, NotFound, QuireError, error_from

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, QuireError)]


def made(kind: type[QuireError]) -> QuireError:
    return kind("note", "x") if issubclass(kind, NotFound) else kind(hint="Do this.", more=7)


def test_each_class_has_a_code_of_its_own_and_there_are_few() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS) <= 15
    assert all(400 <= kind.status < 600 and 0 < kind.exit_code < 64 for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_comes_back_from_its_body(kind: type[QuireError]) -> None:
    error = made(kind)
    again = error_from(error.body())
    assert type(again) is kind
    assert again.body() == error.body()
    assert str(again) == error.message


@pytest.mark.parametrize("kind", KINDS)
def test_the_docstring_is_the_message_unless_told_otherwise(kind: type[QuireError]) -> None:
    if kind is not NotFound:
        assert kind().message == kind.__doc__
        assert kind("Else.").message == "Else."


def test_a_body_of_an_unknown_code_is_an_error_all_the_same() -> None:
    error = error_from({"code": "from the future", "message": "What?", "extra": 1})
    assert (type(error), error.message, error.details) == (QuireError, "What?", {"extra": 1})


def test_a_long_id_is_cut() -> None:
    error = NotFound("note", "x" * 200)
    assert len(error.message) < 120
    assert error.details["id"].endswith("...")


def test_a_body_holds_what_a_caller_can_act_on() -> None:
    assert LimitReached("Slow down.", hint="Wait.", retry_after=3).body() == {
        "code": "limit_reached",
        "message": "Slow down.",
        "retriable": True,
        "hint": "Wait.",
        "retry_after": 3,
    }
