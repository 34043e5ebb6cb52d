"""NotebookLM's methods, answered by a local library.

A method whose service does not exist yet is answered as unimplemented; nothing is made up.
"""

from __future__ import annotations

import logging

from quire.domain.errors import InvalidInput, QuireError, Unsupported, WireDrift
from quire.notebooklm.envelope import Call, StatusLine, answer_body
from quire.notebooklm.methods import METHODS
from quire.notebooklm.server import notebooks, notes
from quire.notebooklm.server.desk import Desk, Handler
from quire.notebooklm.statuses import status_of

log = logging.getLogger("quire.notebooklm.server")

HANDLERS: dict[str, Handler] = {**notebooks.HANDLERS, **notes.HANDLERS}


async def answer(desk: Desk, call: Call) -> str:
    """The answer to one call, in frames; what goes wrong is told by its status."""
    try:
        return answer_body(call.rpc_id, await result_of(desk, call))
    except QuireError as error:
        return answer_body(call.rpc_id, None, told(error, call.rpc_id))


async def result_of(desk: Desk, call: Call) -> object:
    method = METHODS.get(call.rpc_id)
    if method is None:
        raise Unsupported("This method is not known here.")
    handler = HANDLERS.get(method.name)
    if handler is None:
        raise Unsupported(f"{method.name} is not available here yet.")
    try:
        names = method.decode_request(call.params)
    except WireDrift as drift:
        raise InvalidInput(f"The parameters do not fit: {drift.message}") from None
    return method.encode_response(await handler(desk, names))


def told(error: QuireError, rpc_id: str) -> StatusLine:
    status = status_of(error)
    log.info("answered with a status", extra={"rpc_id": rpc_id, "status_code": status.code, "error_code": error.code})
    return status


__all__ = ["HANDLERS", "Desk", "answer", "told"]
