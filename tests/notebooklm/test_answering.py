"""Answers that are given up while they are made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from quire.domain.errors import Conflict
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.notebooklm.codes import SessionState
from quire.notebooklm.methods.chat import Session
from quire.notebooklm.server.answering import Answering
from quire.notebooklm.server.chat import give_up, session
from quire.notebooklm.server.wire_call import WireCall

pytestmark = pytest.mark.anyio


class Endless:
    def __init__(self) -> None:
        self.closed = False

    async def words(self) -> AsyncIterator[str]:
        try:
            yield "The"
            yield "pear"
            await asyncio.Event().wait()
        finally:
            self.closed = True


async def test_an_answer_is_busy_until_its_own_caller_gives_it_up(tmp_path: Path) -> None:
    async with build(load({"home": tmp_path, "embedder": "none"}, {})) as library:
        mine = (await library.chat.open_conversation((await library.notebooks.create("Pears")).id)).id
        call = WireCall(library)
        names = {"conversation_id": mine}
        endless, heard = Endless(), []

        async def hear() -> None:
            async for word in call.answering.parts(mine, endless.words()):
                heard.append(word)
                if word == "pear":
                    await give_up(call, {"conversation_id": "another"})
                    assert await session(call, names) == Session(mine, SessionState.BUSY)
                    await give_up(call, names)

        with pytest.raises(Conflict, match="given up"):
            await hear()
        assert (heard, endless.closed) == (["The", "pear"], True)
        assert await session(call, names) == Session(None, SessionState.IDLE)
        # What is made in a conversation that is not the caller's is not told of.
        answering = call.answering.parts("another", Endless().words())
        assert await anext(answering) == "The"
        assert await session(call, {"conversation_id": "another"}) == Session(None, SessionState.IDLE)
        await answering.aclose()  # type: ignore[attr-defined]
        assert not call.answering.busy("another")


async def test_all_of_an_answer_comes_and_so_does_what_goes_wrong() -> None:
    async def failing() -> AsyncIterator[int]:
        for number in range(5):
            yield number
        raise LookupError("at the end")

    heard = []

    async def hear() -> None:
        async for number in Answering().parts("a", failing()):
            heard.append(number)

    with pytest.raises(LookupError, match="at the end"):
        await hear()
    assert heard == list(range(5))
