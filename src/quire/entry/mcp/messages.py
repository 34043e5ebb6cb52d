"""JSON-RPC messages as they come in, and the errors for what is none; the same over stdio and HTTP."""

from __future__ import annotations

import json
from contextlib import suppress

import mcp_types as types
from pydantic import ValidationError


def read(data: bytes) -> types.JSONRPCMessage | bytes | None:
    """A message, or the error to answer instead; None for a bad notification, which wants neither."""
    # Most are requests, and to try that first takes a quarter of trying all kinds.
    with suppress(ValidationError):
        return types.JSONRPCRequest.model_validate_json(data, by_name=False)
    try:
        message = types.jsonrpc_message_adapter.validate_json(data, by_name=False)
        # The SDK takes a request whose id is not valid for a notification.
        if not isinstance(message, types.JSONRPCNotification):
            return message
    except ValidationError:
        message = None
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        return error(None, types.PARSE_ERROR, "Parse error: this is not JSON.")
    if isinstance(given, list):
        return error(None, types.INVALID_REQUEST, "Batches are not supported; send one message at a time.")
    if isinstance(given, dict) and "id" not in given and "method" in given:
        return message
    id = given.get("id") if isinstance(given, dict) else None
    known = id if isinstance(id, str | int) and not isinstance(id, bool) else None
    return invalid(known)


def invalid(id: str | int | None = None) -> bytes:
    return error(id, types.INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message in valid Unicode.")


def error(id: str | int | None, code: int, message: str) -> bytes:
    """Escaped to ASCII, so that whatever came as an id goes back as it came."""
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).encode()
