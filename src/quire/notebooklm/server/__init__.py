"""NotebookLM's methods, answered by a library on whichever engine.

A method for which there is no capability yet is answered as unimplemented, so that no client takes it for done.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

from quire.domain.errors import InvalidInput, LimitReached, NotFound, NotSignedIn, QuireError, Unsupported, WireDrift
from quire.notebooklm.envelope import RpcRequest, StatusLine, answer_body, framed
from quire.notebooklm.methods import METHODS
from quire.notebooklm.methods.method import Method
from quire.notebooklm.server import artifacts, chat, labels, notebooks, notes, research, settings, sharing, sources
from quire.notebooklm.server.wire_call import Handler, WireCall
from quire.notebooklm.statuses import status_of
from quire.notebooklm.stream import METHOD, chunk_item, refusal_item

log = logging.getLogger("quire.notebooklm.server")

HANDLERS: dict[str, Handler] = {
    **notebooks.HANDLERS,
    **sources.HANDLERS,
    **labels.HANDLERS,
    **research.HANDLERS,
    **chat.HANDLERS,
    **notes.HANDLERS,
    **artifacts.HANDLERS,
    **settings.HANDLERS,
    **sharing.HANDLERS,
}


# notebooklm-py takes these for done, or for empty, when there is a status in the place of a result.
TAKEN_FOR_DONE = {"DELETE_SOURCE", "GET_SOURCE", "GET_SOURCE_GUIDE", "SUGGEST_PROMPTS", "REMOVE_RECENTLY_VIEWED"}


async def answer(call: WireCall, request: RpcRequest) -> str:
    """The answer to one request, in frames; what goes wrong is told by its status.

    A limit that says when to come back is raised instead: HTTP has a way to say so, which clients wait by.
    """
    try:
        return answer_body(request.rpc_id, await result_of(call, request))
    except QuireError as error:
        if isinstance(error, LimitReached) and "retry_after" in error.details:
            raise
        firm = must_be_heard(error, METHODS.get(request.rpc_id))
        return answer_body(request.rpc_id, None, logged_status(error, request.rpc_id), firm=firm)


async def answer_stream(call: WireCall, asked: Mapping[str, Any]) -> AsyncIterator[str]:
    """The frames of an answer in the chat; what goes wrong is a frame too, even after the first words."""
    count = 0
    for piece in framed([]):
        yield piece
    try:
        async for chunk in chat.streamed(call, asked):
            count += 1
            yield frame(chunk_item(chunk))
    except QuireError as error:
        yield frame(refusal_item(logged_status(error, METHOD)))
    yield frame(["di", count], ["af.httprm", count, "0", 1])
    yield frame(["e", count + 2, None, None, 0])


def frame(*items: list[Any]) -> str:
    return "".join(list(framed([list(items)]))[1:])


async def result_of(call: WireCall, request: RpcRequest) -> object:
    method = METHODS.get(request.rpc_id)
    if method is None:
        raise Unsupported(f"The method {request.rpc_id[:40]} is not supported by Quire.")
    handler = HANDLERS.get(method.name)
    if handler is None:
        raise Unsupported(f"{method.name} is not supported by Quire yet.")
    try:
        names = method.decode_request(request.params)
    except WireDrift as drift:
        raise InvalidInput(f"The parameters do not fit: {drift.message}") from None
    return method.encode_response(await handler(call, names))


def must_be_heard(error: QuireError, method: Method | None) -> bool:
    """Whether a failure is told so that no client takes it for success; that something is not found, all understand."""
    if isinstance(error, Unsupported):
        return True
    return method is not None and method.name in TAKEN_FOR_DONE and not isinstance(error, NotFound | NotSignedIn)


def logged_status(error: QuireError, rpc_id: str) -> StatusLine:
    status = status_of(error)
    log.info("answered with a status", extra={"rpc_id": rpc_id, "status_code": status.code, "error_code": error.code})
    return status


__all__ = ["HANDLERS", "WireCall", "answer", "answer_stream"]
