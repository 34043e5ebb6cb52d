"""What the tools of books say beside a bare array, and where files lie for a client on the same machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quire.api.library import Library
from quire.domain.files import Upload
from quire.entry.bootstrap import build, offered
from quire.entry.contract_tools import contract_of
from quire.entry.mcp.tools import Call, CapabilityTool
from quire.entry.settings import load

pytestmark = pytest.mark.anyio

BOOK = "my-book"
TOOLS = {one.tool: CapabilityTool(one, contract_of(one)) for one in offered() if one.toolset == "books"}


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with build(load({"home": tmp_path, "embedder": "none"}, {})) as library:
        await library.books.create(BOOK, "My book")
        for number in range(3):
            await library.books.write_content(BOOK, f"lessons/{number}.md", "needle\nneedle\n")
            await library.books.add_asset(BOOK, "images", Upload.of(b"%d" % number, f"{number}.png"))
        yield library


async def texts(library: Library, tool: str, **arguments: Any) -> list[str]:
    result = await TOOLS[tool].call(Call(library, None, True, None), {"book_id": BOOK, **arguments})  # type: ignore[arg-type]
    assert isinstance(result, dict)
    assert not result["isError"]
    return [block["text"] for block in result["content"]]


@pytest.mark.parametrize(
    ("tool", "arguments", "shown", "total"),
    [
        ("list_assets", {"limit": 2}, 2, 3),
        ("glob_search", {"pattern": "lessons/*.md", "limit": 2}, 2, 3),
        ("grep_search", {"pattern": "needle", "max_results": 2}, 2, 6),
    ],
)
async def test_what_was_cut_is_said_beside_the_array(
    library: Library, tool: str, arguments: dict[str, Any], shown: int, total: int
) -> None:
    array, remark = await texts(library, tool, **arguments)
    assert len(json.loads(array)) == shown
    assert remark.startswith(f"{shown} of {total} are listed. The next ones: call again with cursor '")
    cursor = remark.split("'")[1]
    most = {name: 100 for name in arguments if name != "pattern"}
    rest = await texts(library, tool, **arguments | most, cursor=cursor)
    assert len(json.loads(rest[0])) == total - shown
    assert len(rest) == 1


async def test_a_client_on_the_same_machine_is_told_the_paths_of_files(library: Library) -> None:
    far = library.within(replace(library.context, local=False))
    (text,) = await texts(library, "get_book_archive")
    assert Path(json.loads(text)["local_path"]).read_bytes()[:2] == b"PK"
    (text,) = await texts(library, "get_asset", asset_type="images", filename="1.png")
    assert Path(json.loads(text)["local_path"]).read_bytes() == b"1"
    (text,) = await texts(library, "list_assets")
    assert all(Path(asset["local_path"]).is_file() for asset in json.loads(text))
    assert Path((await library.books.download_asset(BOOK, "images", "1.png")).path or "").read_bytes() == b"1"
    assert (await far.books.get_asset(BOOK, "images", "1.png")).local_path is None
    assert (await far.books.get_book_archive(BOOK)).local_path is None
    assert (await far.books.download_asset(BOOK, "images", "1.png")).path is None
