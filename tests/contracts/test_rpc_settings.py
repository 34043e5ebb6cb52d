"""Contract 5: the settings of a person, on the wire and in the library alike."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from contracts.rows import proves
from quire.api.library import Library
from quire.domain.errors import InvalidInput
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.notebooklm.envelope import RpcRequest
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.server import result_of
from quire.notebooklm.server.wire_call import WireCall

pytestmark = pytest.mark.anyio


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "store": "memory", "embedder": "none"}, {})) as made:
        yield made


async def result(library: Library, called: str, /, **names: Any) -> Any:
    method = BY_NAME[called]
    return await result_of(WireCall(library), RpcRequest(method.id, method.encode_request(names)))


@proves("C5-SET-05", "C5-SET-06")
async def test_the_language_is_one_on_the_wire_and_in_the_library(library: Library) -> None:
    empty = await result(library, "GET_USER_SETTINGS")
    assert empty == [[None, [None, None, None, 500_000], [None, None, None, None, [""]]]]
    changed = await result(library, "SET_USER_SETTINGS", language="ja")
    assert changed[2][4] == ["ja"]
    assert (await library.settings.get_output_language()).name == "日本語"
    await library.settings.set_output_language("pt_BR")
    assert (await result(library, "GET_USER_SETTINGS"))[0][2][4] == ["pt_BR"]
    with pytest.raises(InvalidInput):
        await result(library, "SET_USER_SETTINGS", language="nowhere")


@proves("C5-SET-07")
async def test_nothing_is_metered(library: Library) -> None:
    account = BY_NAME["GET_ACCOUNT"].decode_response(await result(library, "GET_ACCOUNT"))
    assert account.metered is False
    quota = BY_NAME["LIST_QUOTA_SUMMARY"].decode_response(await result(library, "LIST_QUOTA_SUMMARY"))
    assert [(one.window, one.used_percent, one.left_percent) for one in quota.windows] == [(1, 0, 100), (2, 0, 100)]
