"""The guard around every capability: arguments, rates, deadlines, masks, and the role that must have been checked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import pytest
from trials import on_one_store

from quire.adapters.machine import SystemClock
from quire.api.capability import capability
from quire.api.context import Context, InputNeeded
from quire.api.library import Library
from quire.api.noun import Noun
from quire.api.rates import Rate, Rates
from quire.domain.errors import InvalidInput, LimitReached, NotFound, QuireError, TimedOut, TooLarge, Unsupported
from quire.domain.notebooks import NotebookId
from quire.entry.bootstrap import make_parts
from quire.entry.settings import load
from quire.local.engine import LocalEngine
from quire.local.scope import Scope
from variants import with_parts

pytestmark = pytest.mark.anyio


class Odd(Noun):
    """Capabilities that do what one should not, or what only few do."""

    noun = "odd"
    toolset = "odd"

    @capability("skip_check", "read", of=("notebook", "notebook_id"))
    async def skip(self, notebook_id: NotebookId | None = None) -> str:
        """Answer without asking the store."""

    @capability("skip_stream", "read", of=("notebook", "notebook_id"))
    def skip_stream(self, notebook_id: NotebookId | None = None) -> AsyncIterator[str]:
        """Tell without asking the store."""

    @capability("break_down", "read")
    async def break_down(self) -> str:
        """Raise what nobody knows."""

    @capability("ask_model", "read")
    async def ask(self) -> str:
        """Ask the caller's model."""

    @capability("be_slow", "read", timeout=0.05)
    async def be_slow(self) -> str:
        """Never end."""

    @capability("drip", "read", timeout=0.05)
    def drip(self) -> AsyncIterator[int]:
        """Say one thing and no more."""

    @capability("count_calls", "read", rate=Rate(2, 60))
    async def count(self) -> int:
        """Be called twice a minute."""

    @capability("do_nothing", "read")
    async def nothing(self) -> int:
        """Be declared, and done by nobody."""


class DoneOddly:
    async def skip(self, scope: Scope) -> str:
        return "a secret"

    async def skip_stream(self, scope: Scope) -> AsyncIterator[str]:
        yield "a secret"

    async def break_down(self, scope: Scope) -> str:
        raise ZeroDivisionError("the secret of the inside")

    async def ask(self, scope: Scope) -> str:
        raise InputNeeded({"question": "What now?"})

    async def be_slow(self, scope: Scope) -> str:
        await asyncio.Event().wait()
        return ""

    async def drip(self, scope: Scope) -> AsyncIterator[int]:
        yield 1
        await asyncio.Event().wait()

    async def count(self, scope: Scope) -> int:
        return 1


class OddEngine(LocalEngine):
    nouns: ClassVar[Mapping[str, type]] = {**LocalEngine.nouns, "odd": DoneOddly}

    def _made(self) -> dict[str, Any]:
        return {**super()._made(), "odd": DoneOddly()}


class OddLibrary(Library):
    nouns: ClassVar[Mapping[str, type[Noun]]] = {**Library.nouns, "odd": Odd}

    @cached_property
    def odd(self) -> Odd:
        return self._noun("odd", Odd)


@pytest.fixture
async def odd() -> AsyncIterator[OddLibrary]:
    async with OddLibrary(OddEngine(make_parts(load({"store": "memory"}, {}), SystemClock()))) as library:
        yield library


async def test_what_the_engine_does_not_have_is_neither_offered_nor_done(odd: OddLibrary) -> None:
    assert "count_calls" in {one.tool for one in odd.capabilities}
    assert "do_nothing" not in {one.tool for one in odd.capabilities}
    with pytest.raises(Unsupported, match="do_nothing is not there with the engine 'local'"):
        await odd.odd.nothing()


@on_one_store
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"title": 5}, "title: must be a string."),
        ({"title": b"bytes"}, "title: must be a string."),
        ({"title": ["a"]}, "title: must be a string."),
        ({"titel": "a"}, "titel: is not an argument of this call."),
        ({"content": "a\0b"}, "content: must not contain NUL characters."),
        ({"title": "\ud800"}, "title: is not valid Unicode text."),
        ({"content": "\udfff"}, "content: is not valid Unicode text."),
        ({"notebook_id": 7}, "notebook_id: must be a string."),
        ({"a\ud800": "b"}, "unicode"),
    ],
)
async def test_wrong_arguments_are_named_and_nothing_is_done(
    library: Library, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        await library.notes.create(**arguments)
    assert message in caught.value.message
    caught.value.message.encode()
    assert (await library.notes.list()).total == 0


@on_one_store
@pytest.mark.parametrize(
    "arguments",
    [{"limit": "5"}, {"limit": 5.0}, {"limit": True}, {"limit": 0}, {"limit": 1001}, {"cursor": 5}],
)
async def test_numbers_are_not_guessed(library: Library, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(arguments))):
        await library.notes.list(**arguments)


@on_one_store
async def test_none_is_an_optional_argument_that_is_left_out(library: Library) -> None:
    note = await library.notes.create(None, title=None, content=None)  # type: ignore[arg-type]
    assert (note.title, note.content) == ("New Note", "")
    assert [one.id for one in await library.notes.list(limit=None, cursor=None)] == [note.id]  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="note_id: must be a string"):
        await library.notes.get(None, None)  # type: ignore[arg-type]


@on_one_store
async def test_an_unknown_id_is_not_found_however_long(library: Library) -> None:
    id = "x" * 100_000
    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: library.notebooks.get(id),
        lambda: library.notes.list(id),
        lambda: library.notes.get(id, "x"),
        lambda: library.notes.get(None, id),
        lambda: library.sources.get(None, id),
        lambda: library.chat.get_history(id),
        lambda: library.chat.save_answer_as_note(None, id),
        lambda: library.jobs.get(id),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            await call()


async def test_text_may_be_as_long_as_its_limit_and_no_longer(library: Library) -> None:
    note = await library.notes.create(title="ä" * 1_000, content="\N{CAT}" * 1_000_000)
    assert (len(note.title), len(note.content)) == (1_000, 1_000_000)
    for arguments in ({"title": "a" * 1_001}, {"content": "a" * 1_000_001}):
        with pytest.raises(TooLarge) as caught:
            await library.notes.create(**arguments)
        assert len(caught.value.message) < 200


@on_one_store
async def test_values_never_show_in_what_is_refused(library: Library) -> None:
    with pytest.raises(InvalidInput) as caught:
        await library.notes.list(limit="hunter2")  # type: ignore[arg-type]
    assert "hunter2" not in str(caught.value.body())


@on_one_store
async def test_too_many_arguments_are_refused(library: Library) -> None:
    with pytest.raises(InvalidInput, match="get_note takes at most 2 arguments"):
        await library.notes.get(None, "a", "b")  # type: ignore[call-arg]


@on_one_store
async def test_a_missing_argument_is_named(library: Library) -> None:
    with pytest.raises(InvalidInput, match="note_id: is required"):
        await library.notes.get(None)  # type: ignore[call-arg]


@on_one_store
async def test_several_mistakes_are_told_at_once(library: Library) -> None:
    with pytest.raises(InvalidInput) as caught:
        await library.notes.create(title=1, content=2, a=3, b=4)  # type: ignore[call-arg, arg-type]
    assert caught.value.message.count(":") == 3
    assert caught.value.message.endswith("and 1 more.")


async def test_what_nobody_knows_is_masked_and_logged(odd: OddLibrary, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(QuireError) as caught:
        await odd.odd.break_down()
    assert type(caught.value) is QuireError
    assert caught.value.body() == {
        "code": "internal",
        "message": f"Something went wrong inside Quire (log id {odd.context.request_id}).",
        "retriable": False,
        "log_id": odd.context.request_id,
    }
    (record,) = [record for record in caplog.records if record.name == "quire.errors"]
    assert odd.context.request_id in record.getMessage()
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ZeroDivisionError)


async def test_a_call_that_skips_the_store_is_refused(odd: OddLibrary) -> None:
    with pytest.raises(QuireError, match="log id") as caught:
        await odd.odd.skip()
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(QuireError, match="log id"):
        await anext(odd.odd.skip_stream())


async def test_a_question_to_the_callers_model_passes_untouched(odd: OddLibrary) -> None:
    with pytest.raises(InputNeeded) as caught:
        await odd.odd.ask()
    assert caught.value.requests == {"question": "What now?"}


async def test_a_call_that_takes_too_long_is_timed_out(odd: OddLibrary) -> None:
    with pytest.raises(TimedOut, match="be_slow took longer") as caught:
        await odd.odd.be_slow()
    assert caught.value.retriable


async def test_a_deadline_of_the_caller_comes_first(odd: OddLibrary) -> None:
    soon = OddLibrary(odd.engine, replace(odd.context, deadline=asyncio.get_running_loop().time()))
    with pytest.raises(TimedOut):
        await soon.notes.list()
    with pytest.raises(TimedOut):
        await anext(soon.notes.watch())
    assert (await odd.notes.list()).total == 0


async def test_a_stream_that_falls_silent_is_timed_out(odd: OddLibrary) -> None:
    stream = odd.odd.drip()
    assert await anext(stream) == 1
    with pytest.raises(TimedOut):
        await anext(stream)


async def test_a_cancelled_call_stays_cancelled(odd: OddLibrary) -> None:
    call = asyncio.create_task(odd.odd.be_slow())
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


@on_one_store
async def test_rates_are_counted_for_each_actor_and_tool(library: Library, guest: Library) -> None:
    now = 1000.0
    rates = Rates({"add_note": Rate(2, 60), "*": Rate(5, 60)}, time=lambda: now)
    owner = with_parts(library, rates=rates)
    other = owner.within(guest.context)
    for _ in range(2):
        await owner.notes.create(title="a")
    with pytest.raises(LimitReached) as caught:
        await owner.notes.create(title="a")
    assert caught.value.details == {"retry_after": 60, "limit": 2, "window": "minute"}
    await other.notes.create(title="a")
    for _ in range(3):
        await owner.notes.list()
    with pytest.raises(LimitReached, match="Tools may be called 5 times in 60 seconds"):
        await owner.notes.list()
    now += 60
    await owner.notes.create(title="a")
    assert (await owner.notes.list()).total == 3


@on_one_store
async def test_the_window_slides_and_says_truly_when_to_come_back(library: Library) -> None:
    now = 1000.0
    limited = with_parts(library, rates=Rates({"*": Rate(2, 60)}, time=lambda: now))
    await limited.notes.list()
    now += 40
    await limited.notebooks.list()
    now += 10.5
    with pytest.raises(LimitReached) as caught:
        await limited.notes.list()
    assert caught.value.details["retry_after"] == 10
    now += 10
    await limited.notes.list()
    with pytest.raises(LimitReached) as again:
        await limited.notes.list()
    assert again.value.details["retry_after"] == 40


async def test_a_call_that_was_refused_for_its_arguments_does_not_count(odd: OddLibrary) -> None:
    library = with_parts(odd, rates=Rates({"add_note": Rate(1, 60)}))
    with pytest.raises(InvalidInput):
        await library.notes.create(title=5)  # type: ignore[arg-type]
    await library.notes.create(title="a")


async def test_declared_rates_count_where_they_are_enforced(odd: OddLibrary) -> None:
    for _ in range(5):
        await odd.odd.count()
    strict = with_parts(odd, rates=Rates(enforced=True))
    for _ in range(2):
        await strict.odd.count()
    with pytest.raises(LimitReached):
        await strict.odd.count()


async def test_calls_are_logged_without_their_values(odd: OddLibrary, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "quire.calls")
    library = odd.within(Context(request_id="r1", door="test"))
    await library.notes.create(title="hunter2", content="hunter2")
    with pytest.raises(InvalidInput):
        await library.notes.create(title=5)  # type: ignore[arg-type]
    first, second = [record for record in caplog.records if record.name == "quire.calls"]
    assert (first.tool, first.outcome, first.arguments) == ("add_note", "ok", ["content", "title"])  # type: ignore[attr-defined]
    assert (first.request, first.door, first.actor) == ("r1", "test", "owner")  # type: ignore[attr-defined]
    assert second.outcome == "invalid_input"  # type: ignore[attr-defined]
    assert "hunter2" not in str([vars(record) for record in caplog.records])


async def test_large_and_deep_arguments_cost_no_more_than_their_size(odd: OddLibrary) -> None:
    """Names are cut before they are joined; otherwise this would take as many copies of the key as it has values."""
    hostile = {"k" * 4_000_000: {str(number): number for number in range(20_000)}}
    with pytest.raises(InvalidInput):
        await odd.notes.create(None, hostile)  # type: ignore[arg-type]


async def test_a_name_that_is_not_text_is_told_in_text(odd: OddLibrary) -> None:
    with pytest.raises(InvalidInput) as refused:
        await odd.notes.create(**{"\ud800": "\0"})
    assert refused.value.message.encode()
