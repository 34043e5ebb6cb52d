"""What kernels say, which is believed no more than what cells do: text that can be kept, not too deep, or nothing."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from quire.domain.cells import Output, shortened
from quire.ports.cells import Cleared, Updated

# The size of one message. What a notebook keeps of an output is many times less.
MOST_MESSAGE = 4 * 1024 * 1024
MOST_DEPTH = 50
MOST_NAME = 200
# From here on reading a message takes longer than the event loop should wait.
LARGE = 64 * 1024
UNREADABLE = "Some of what it put out could not be read; that is lost."
TOO_MUCH = "It put out more at once than can be taken in; that is lost."

Read = TypeVar("Read")


class Unreadable(Exception):
    """Not what a kernel says."""


async def understood(size: int, read: Callable[[], Read]) -> Read:
    """What `read` makes of a message, off the event loop where that takes long."""
    return await asyncio.to_thread(understand, read) if size > LARGE else understand(read)


def understand(read: Callable[[], Read]) -> Read:
    try:
        return read()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Unreadable(UNREADABLE) from None


def parsed(raw: bytes) -> dict[str, Any]:
    value = json.loads(raw)
    if not isinstance(value, dict):
        raise TypeError("not an object")
    kept: dict[str, Any] = kept_part(value)
    return kept


def kept_part(value: Any, depth: int = 0) -> Any:
    """The value without what no JSON, database or page can hold: half characters, numbers that are none."""
    if depth > MOST_DEPTH:
        raise ValueError("too deep")
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list):
        return [kept_part(one, depth + 1) for one in value]
    if isinstance(value, dict):
        return {kept_part(name): kept_part(one, depth + 1) for name, one in value.items()}
    return value


def jupyter_output(kind: str, content: Mapping[str, Any]) -> Output | Updated | Cleared | None:
    """What a message on Jupyter's output channel puts out or changes, if it does, as far as a cell keeps it."""
    if kind == "clear_output":
        return Cleared(content["wait"] is True)
    if kind == "stream":
        output = stream(content)
    elif kind == "error":
        names = {"error_name": content["ename"][:MOST_NAME], "error_value": content["evalue"]}
        output = Output(kind="error", traceback=content["traceback"], **names)
    elif kind == "execute_result":
        count = content["execution_count"]
        output = Output(kind="result", data=content["data"], metadata=content["metadata"], execution_count=count)
    elif kind in ("display_data", "update_display_data"):
        shown = {"data": content["data"], "metadata": content["metadata"], "display_id": display_id(content)}
        output = Output(kind="display", **shown)
    else:
        return None
    kept = shortened([output])[0]
    if kind == "update_display_data":
        return Updated(kept) if kept.display_id else None
    return kept


def display_id(content: Mapping[str, Any]) -> str | None:
    """What a display is called, if that is a name."""
    transient = content.get("transient")
    id = transient.get("display_id") if isinstance(transient, dict) else None
    return id if isinstance(id, str) and 0 < len(id) <= MOST_NAME else None


def stream(content: Mapping[str, Any]) -> Output:
    return Output(kind="stream", name="stderr" if content["name"] == "stderr" else "stdout", text=content["text"])


def node_output(message: Mapping[str, Any]) -> Output:
    if message["kind"] == "stream":
        output = stream(message)
    elif message["kind"] == "error":
        names = {"error_name": message["name"][:MOST_NAME], "error_value": message["value"]}
        output = Output(kind="error", traceback=message["trace"], **names)
    else:
        output = Output(kind="result", data={"text/plain": message["text"]}, execution_count=message["count"])
    return shortened([output])[0]
