"""What kernels say: bounded, and believed only where it makes sense."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quire.adapters.cells import node_kernel, python_kernel
from quire.adapters.cells.messages import MOST_DEPTH, Unreadable, understand, understood
from quire.adapters.cells.zmtp import COMMAND, GREETING, MORE, Channel, framed
from quire.domain.cells import OUTPUT_LIMIT, Output, size_of
from quire.ports.cells import Cleared, Ended, Updated

pytestmark = pytest.mark.anyio


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def jupyter(content: str, kind: str = "display_data") -> list[bytes]:
    parts = [json.dumps({"msg_type": kind}), json.dumps({"msg_id": "m"}), "{}", content]
    return [b"topic", python_kernel.BEFORE, b"signature", *[part.encode() for part in parts]]


DISPLAYS = {
    "deep": f'{{"data": {{"application/json": {nested(900)}}}, "metadata": {{}}}}',
    "deeper": f'{{"data": {{"application/json": {nested(200_000)}}}, "metadata": {{}}}}',
    "no data": "{}",
    "data of another kind": '{"data": [], "metadata": {}}',
    "not an object": "[]",
    "not JSON": "{",
    "a number without end": f'{{"data": {{"a": {"9" * 5000}}}, "metadata": {{}}}}',
}
LINES = {
    "deep": f'{{"kind": {nested(900)}}}',
    "deeper": nested(200_000),
    "a wrong text": '{"kind": "stream", "name": "stdout", "text": {}}',
    "a trace that is none": '{"kind": "error", "name": "E", "value": "v", "trace": "x"}',
    "no count": '{"kind": "ended", "status": "ok"}',
    "not UTF-8": "\udcff",
}


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_message_of_jupyters_that_makes_no_sense_is_unreadable(name: str) -> None:
    with pytest.raises(Unreadable):
        understand(lambda: python_kernel.said(jupyter(DISPLAYS[name])))


@pytest.mark.parametrize("frames", [[], [b"x"] * 5, [python_kernel.BEFORE], [python_kernel.BEFORE, *[b"{}"] * 3]])
def test_frames_that_are_no_message_are_unreadable(frames: list[bytes]) -> None:
    with pytest.raises(Unreadable):
        understand(lambda: python_kernel.said(frames))


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_nodes_that_makes_no_sense_is_unreadable(name: str) -> None:
    with pytest.raises(Unreadable):
        understand(lambda: node_kernel.said(LINES[name].encode("utf-8", "surrogateescape")))


def test_what_can_be_kept_is_kept_in_a_form_that_can() -> None:
    data = {"text/plain": "half \ud800", "application/json": json.loads(nested(MOST_DEPTH - 3)), "n": float("nan")}
    message = python_kernel.said(jupyter(json.dumps({"data": data, "metadata": {}})))
    assert message.output is not None
    assert (message.output.data["text/plain"], message.output.data["n"]) == ("half ?", "nan")
    message.output.model_dump_json()
    ended = node_kernel.said(b'{"kind": "ended", "status": "ok", "count": 3}')
    assert ended == Ended("ok", 3)


@pytest.mark.parametrize("part", ["data", "metadata"])
async def test_an_output_is_held_no_larger_than_a_cell_keeps_it(part: str) -> None:
    content: dict[str, Any] = {"data": {}, "metadata": {}} | {part: {"text/plain": ["x" * 100] * 20_000}}
    frames = jupyter(json.dumps(content))
    message = await understood(sum(map(len, frames)), lambda: python_kernel.said(frames))
    assert message.output is not None
    assert size_of(message.output) < 2 * OUTPUT_LIMIT


@pytest.mark.parametrize("transient", ["{}", "[]", "3", "null", '{"display_id": 3}', '{"display_id": ""}', "LONG"])
def test_a_display_whose_id_is_none_is_shown_and_never_updated(transient: str) -> None:
    given = transient.replace("LONG", json.dumps({"display_id": "x" * 201}))
    content = f'{{"data": {{"text/plain": "x"}}, "metadata": {{}}, "transient": {given}}}'
    shown = python_kernel.said(jupyter(content)).output
    assert isinstance(shown, Output)
    assert shown.display_id is None
    assert python_kernel.said(jupyter(content, "update_display_data")).output is None


def test_clearing_and_updating_are_told_apart_from_outputs() -> None:
    content = '{"data": {"text/plain": "x"}, "metadata": {}, "transient": {"display_id": "d"}}'
    updated = python_kernel.said(jupyter(content, "update_display_data")).output
    assert isinstance(updated, Updated)
    assert updated.output.display_id == "d"
    assert python_kernel.said(jupyter('{"wait": true}', "clear_output")).output == Cleared(True)
    assert python_kernel.said(jupyter('{"wait": 1}', "clear_output")).output == Cleared(False)
    with pytest.raises(Unreadable):
        understand(lambda: python_kernel.said(jupyter("{}", "clear_output")))


async def peer(tmp_path: Path, talk: Callable[[asyncio.StreamWriter], None]) -> tuple[asyncio.Server, Path]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(GREETING + framed(COMMAND, b"\x05READY"))
        await reader.readexactly(len(GREETING))
        talk(writer)
        await writer.drain()
        writer.close()

    path = tmp_path / "socket"
    return await asyncio.start_unix_server(serve, str(path)), path


async def test_of_a_message_that_is_too_large_nothing_is_kept_and_the_next_one_is_heard(tmp_path: Path) -> None:
    def talk(writer: asyncio.StreamWriter) -> None:
        writer.write(framed(0, bytes(2_000)))
        for _ in range(300):
            writer.write(framed(MORE, bytes(900)))
        writer.write(framed(0, b"end"))
        for _ in range(200):
            writer.write(framed(MORE, b""))
        writer.write(framed(0, b""))
        writer.write(framed(MORE, b"a") + framed(0, b"b" * 300))

    server, path = await peer(tmp_path, talk)
    channel = await Channel.connect(path, "SUB", 1_000)
    assert [await channel.receive() for _ in range(3)] == [None, None, None]
    assert await channel.receive() == [b"a", b"b" * 300]
    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
        await channel.receive()
    channel.close()
    server.close()
    await server.wait_closed()


async def test_what_is_no_peer_is_refused(tmp_path: Path) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request".ljust(64))
        await writer.drain()
        writer.close()

    path = tmp_path / "socket"
    server = await asyncio.start_unix_server(serve, str(path))
    with pytest.raises(ConnectionError):
        await Channel.connect(path, "DEALER", 1_000)
    server.close()
    await server.wait_closed()


async def test_a_line_that_is_too_long_is_dropped_and_the_next_one_is_heard() -> None:
    reader = asyncio.StreamReader(limit=1_000)
    kernel = node_kernel.NodeKernel(None, reader, None)  # type: ignore[arg-type]
    reader.feed_data(b"x" * 10_000 + b"\n" + b'{"kind": "ended", "status": "failed", "count": 1}\n')
    with pytest.raises(Unreadable):
        await kernel._message()
    assert await kernel._message() == Ended("failed", 1)
    reader.feed_eof()
    with pytest.raises(ConnectionError):
        await kernel._message()
