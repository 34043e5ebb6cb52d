"""Drift tools: what recorded traffic means, and what in it we do not read.

A recording is a JSON list of interactions: `method`, `path`, `rpcids`, `source_path`, `request_body`, `status`,
`response_body`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from quire.domain.errors import InvalidInput, NotFound, QuireError, WireDrift
from quire.notebooklm import stream, upload
from quire.notebooklm.envelope import parsed, reply_to, request_of
from quire.notebooklm.methods import BY_NAME, METHODS
from quire.notebooklm.methods.method import Method
from quire.notebooklm.statuses import name_of

BATCH_PATH = "/_/LabsTailwindUi/data/batchexecute"
ROTATE_PATH = "/RotateCookies"
MOST_LISTED = 50


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one interaction was understood. `meaning` is what it decodes to."""

    file: str
    index: int
    rpc_id: str
    ok: bool
    error: str | None = None
    status: str | None = None
    request: Any = None
    meaning: Any = None
    unread: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """For programs; `error` is there only where there is one."""
        row: dict[str, Any] = {"file": self.file, "index": self.index, "rpc_id": self.rpc_id, "ok": self.ok}
        return row | {"error": self.error} if self.error else row


def method_named(name: str) -> Method:
    """A method by its id or its name."""
    found = METHODS.get(name) or BY_NAME.get(name.upper())
    if found is None:
        raise NotFound("method", name, hint="Give its id, such as rLM1Ne, or its name, such as GET_NOTEBOOK.")
    return found


def decode(name: str, body: str) -> Outcome:
    """What a recorded response means: a whole answer in frames, or the bare JSON of its result."""
    if name == stream.METHOD:
        return Outcome("", 0, name, True, meaning=plain(stream.answer_in(body)))
    method = method_named(name)
    if body.lstrip().startswith(")]}'"):
        return _answered(method, body, "", 0)
    try:
        result = parsed(body)
    except ValueError:
        raise InvalidInput("This is neither an answer in frames nor JSON.") from None
    meaning = method.decode_response(result)
    return Outcome("", 0, method.id, True, meaning=plain(meaning), unread=_unread(method, result))


def replay(folder: Path) -> Iterator[Outcome]:
    """Every interaction of every recording in a folder."""
    files = sorted(folder.rglob("*.json"))
    if not files:
        raise InvalidInput(f"There are no recordings (*.json) in {folder}.")
    for file in files:
        yield from _replay_file(file, str(file.relative_to(folder)))


def _replay_file(file: Path, name: str) -> Iterator[Outcome]:
    try:
        interactions = parsed(file.read_bytes())
    except ValueError:
        yield Outcome(name, 0, "", False, "This file is not JSON.")
        return
    if not isinstance(interactions, list):
        yield Outcome(name, 0, "", False, "This file does not hold a list of interactions.")
        return
    for index, interaction in enumerate(interactions):
        rpc_id = ""
        try:
            if not isinstance(interaction, dict):
                raise InvalidInput("This is no interaction.")
            rpc_id = method_or_word(interaction)
            yield _interaction(rpc_id, interaction, name, index)
        except QuireError as error:
            yield Outcome(name, index, rpc_id, False, error.message)


def method_or_word(interaction: dict[str, Any]) -> str:
    """What an interaction is: a method's id, or a word for what is not a method."""
    path = str(interaction.get("path") or "")
    address = urlsplit(path)
    if address.path.endswith("/batchexecute"):
        given = interaction.get("rpcids") or parse_qs(address.query).get("rpcids", [""])[0]
        return str(given)
    if stream.METHOD in address.path:
        return stream.METHOD
    if upload.UPLOAD_PATH in address.path:
        return "upload"
    if address.path.endswith(ROTATE_PATH):
        return "rotate"
    if str(interaction.get("method") or "GET").upper() in ("GET", "HEAD", "OPTIONS"):
        return "page"
    return "unknown"


def _interaction(rpc_id: str, interaction: dict[str, Any], file: str, index: int) -> Outcome:
    sent = _text(interaction.get("request_body"))
    came = _text(interaction.get("response_body"))
    status = interaction.get("status")
    if isinstance(status, int) and status >= 300 and rpc_id != "unknown":
        return Outcome(file, index, rpc_id, True, status=f"HTTP {status}")
    if rpc_id in ("page", "rotate"):
        return Outcome(file, index, rpc_id, True)
    if rpc_id == "upload":
        announced = upload.announced_in(sent) if sent.lstrip().startswith('{"PROJECT_ID"') else None
        return Outcome(file, index, rpc_id, True, meaning=plain(announced) if announced else came or None)
    if rpc_id == stream.METHOD:
        return _streamed(sent, came, file, index)
    call = request_of(sent) if sent else None
    rpc_id = rpc_id or (call.rpc_id if call else "")
    method = METHODS.get(rpc_id)
    if method is None:
        raise WireDrift(f"{rpc_id or 'This call'} is not a method that we know.", method=rpc_id, path="$")
    if call and call.rpc_id != rpc_id:
        raise WireDrift(f"The address says {rpc_id}, the call says {call.rpc_id}.", method=rpc_id, path="$")
    request = method.decode_request(call.params) if call else None
    answered = _answered(method, came, file, index)
    return Outcome(file, index, rpc_id, True, None, answered.status, plain(request), answered.meaning, answered.unread)


def _answered(method: Method, body: str, file: str, index: int) -> Outcome:
    reply = reply_to(method.id, body)
    if not reply.found:
        raise WireDrift(f"{method.id} $: no frame answers {method.name}.", method=method.id, path="$")
    status = name_of(reply.status.code) if reply.status else None
    if reply.result is None:
        return Outcome(file, index, method.id, True, status=status)
    meaning = method.decode_response(reply.result)
    return Outcome(file, index, method.id, True, None, status, None, plain(meaning), _unread(method, reply.result))


def _streamed(sent: str, came: str, file: str, index: int) -> Outcome:
    asked, _ = stream.ask_of(sent)
    said = list(stream.chunks(came))
    if not said:
        try:
            stream.answer_in(came)
        except WireDrift:
            raise
        except QuireError as error:
            return Outcome(file, index, stream.METHOD, True, status=error.code, request=plain(asked))
    answer, unread = stream.answer_in(came), list(dict.fromkeys(stream.unread_in(came)))[:MOST_LISTED]
    return Outcome(file, index, stream.METHOD, True, request=plain(asked), meaning=plain(answer), unread=unread)


def _unread(method: Method, result: Any) -> list[str]:
    """Each place once: rows of a list are alike."""
    return list(dict.fromkeys(method.unread(result)))[:MOST_LISTED]


def _text(body: Any) -> str:
    if body is None:
        return ""
    return body if isinstance(body, str) else str(body)


def plain(value: Any) -> Any:
    """What was decoded, as JSON data without what is empty."""
    if is_dataclass(value) and not isinstance(value, type):
        return {key: plain(item) for key, item in _fields(value).items() if item not in (None, (), "")}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, datetime):
        return value.isoformat()
    return value


def _fields(value: Any) -> dict[str, Any]:
    return {each.name: getattr(value, each.name) for each in fields(value)}
