"""How calls and answers are wrapped: batchexecute's form and frames, and their statuses.

An answer is `)]}'`, then frames: a count on a line of its own and a line of JSON, a list of items. An item
`["wrb.fr", id, "result as JSON", null, null, status, "generic"]` answers a method; several may come for one id,
and the last that holds a result counts. `["er", id, code]` is a failure, of all calls where it names none; in the
place of the code may be words. `di`, `af.httprm` and `e` are book-keeping.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote

from pydantic_core import from_json

from quire.domain.errors import InvalidInput, TooLarge, WireDrift
from quire.domain.hygiene import NUL_IN_JSON

PREFIX = ")]}'"
ANSWER, FAILURE = "wrb.fr", "er"
DISPLAYABLE = "UserDisplayableError"
MOST_BYTES = 50 * 2**20
MOST_MALFORMED = 0.1


@dataclass(frozen=True, slots=True)
class StatusLine:
    """A status as the wire has it: google.rpc's code, perhaps a message, perhaps a reason that users may see."""

    code: int
    message: str | None = None
    displayable: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What came for one method: its result, or why there is none. `found`: there was an item for it at all."""

    result: Any = None
    status: StatusLine | None = None
    found: bool = False


@dataclass(frozen=True, slots=True)
class RpcRequest:
    """What a client sends: a method and its parameters."""

    rpc_id: str
    params: Any
    token: str | None = None


ESCAPES = re.compile(r"(\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w)|\\u[dD][89a-fA-F]\w\w")


def parsed(text: str | bytes) -> Any:
    """JSON, at most 200 levels deep. Half a surrogate pair, which some senders let pass, becomes U+FFFD."""
    try:
        return from_json(text)
    except ValueError:
        whole = text if isinstance(text, str) else text.decode()
        if "\\u" not in whole:
            raise
        return from_json(ESCAPES.sub(lambda match: match[1] or "\\ufffd", whole))


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines(body: str) -> Iterator[list[Any]]:
    """The items of an answer. Counts are not trusted, and a few broken lines are passed over."""
    if body.startswith(PREFIX):
        body = body[len(PREFIX) :]
    good = bad = 0
    for line in body.split("\n"):
        line = line.strip()
        if not line or line.isdigit():
            continue
        try:
            items = parsed(line)
        except ValueError:
            bad += 1
            continue
        if not isinstance(items, list):
            bad += 1
            continue
        good += 1
        for item in items:
            if isinstance(item, list) and item:
                yield item
    if bad and bad > MOST_MALFORMED * (good + bad):
        raise WireDrift(f"The answer is not in frames: {bad} of {good + bad} lines are broken.", path="$")


def reply_to(rpc_id: str, body: str) -> Reply:
    """What an answer says to one method."""
    reply = Reply()
    for item in lines(body):
        if len(item) < 2 or (item[1] != rpc_id and (item[0] != FAILURE or item[1] is not None)):
            continue
        if item[0] == ANSWER:
            status = status_line(item[5] if len(item) > 5 else None)
            result = item[2] if len(item) > 2 else None
            if result is not None:
                reply = Reply(result_of(rpc_id, result), status, True)
            elif reply.result is None:
                reply = Reply(None, status or reply.status, True)
        elif item[0] == FAILURE and reply.result is None:
            reply = Reply(None, failure_of(item), True)
    return reply


def failure_of(item: list[Any]) -> StatusLine:
    """The code of a failure: beside the id, or as HTTP's own further on; words may stand in its place."""
    codes = (code for code in (*item[2:3], *item[5:6]) if type(code) is int)
    words = item[2] if len(item) > 2 and isinstance(item[2], str) else None
    return StatusLine(next(codes, -1), words)


def result_of(rpc_id: str, result: Any) -> Any:
    """The result inside an item; it is JSON in a text. NUL, which nothing of ours can hold, becomes U+FFFD."""
    if not isinstance(result, str):
        raise WireDrift(f"{rpc_id} $: the result is no text.", method=rpc_id, path="$")
    if not result:
        return None
    try:
        return parsed(NUL_IN_JSON.sub(r"\1\\ufffd", result))
    except ValueError:
        raise WireDrift(f"{rpc_id} $: the result is no JSON.", method=rpc_id, path="$") from None


def status_line(raw: Any) -> StatusLine | None:
    if not isinstance(raw, list) or not raw or type(raw[0]) is not int:
        return None
    message = raw[1] if len(raw) > 1 and isinstance(raw[1], str) else None
    details = raw[2] if len(raw) > 2 and isinstance(raw[2], list) else []
    kinds = (detail[0] for detail in details if isinstance(detail, list) and detail)
    return StatusLine(raw[0], message, any(isinstance(kind, str) and kind.endswith(DISPLAYABLE) for kind in kinds))


def framed(batches: Iterable[list[Any]]) -> Iterator[str]:
    """Items as the frames of an answer, one frame a batch; counts are characters of the frame with its line ends."""
    yield PREFIX + "\n\n"
    for items in batches:
        frame = compact(items)
        yield f"{len(frame) + 2}\n{frame}\n"


def answer_body(rpc_id: str, result: Any, status: StatusLine | None = None, *, firm: bool = False) -> str:
    """A whole answer to one call.

    Some clients take no result for success, whatever the status beside it; a failure that is `firm` they cannot.
    """
    inner = None if status else compact(result)
    items: list[list[Any]] = [[ANSWER, rpc_id, inner, None, None, status_on_wire(status), "generic"]]
    if status and firm:
        items.append([FAILURE, rpc_id, status.message, None, None, status.code, "generic"])
    first = "".join(framed([[*items, ["di", 1], ["af.httprm", 1, "0", 1]]]))
    return "".join([first, *list(framed([[["e", 4, None, None, len(first)]]]))[1:]])


def status_on_wire(status: StatusLine | None) -> list[Any] | None:
    """Google's status. One client shows its users the message, another the kind of the first detail."""
    if status is None:
        return None
    if status.displayable:
        kind = f"type.googleapis.com/google.internal.labs.tailwind.orchestration.v1.{DISPLAYABLE}"
        return [status.code, status.message, [[kind, [status.message] if status.message else []]]]
    return [status.code, status.message, [[status.message.rstrip(".")]]] if status.message else [status.code]


def call_body(rpc_id: str, params: Any, token: str) -> str:
    """The form of one call, as a client sends it."""
    request = compact([[[rpc_id, compact(params), None, "generic"]]])
    return f"f.req={quote(request, safe='')}&at={quote(token, safe='')}&"


def form(body: bytes | str, most: int = MOST_BYTES) -> dict[str, str]:
    """The fields of a form, each once."""
    if len(body) > most:
        raise TooLarge("The request is too large.")
    try:
        text = body if isinstance(body, str) else body.decode()
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=16)
    except ValueError:
        raise InvalidInput("The request is no form.") from None
    return dict(fields)


def request_of(body: bytes | str) -> RpcRequest:
    """The one call in a form."""
    fields = form(body)
    try:
        request = parsed(fields["f.req"])
        ((envelope,),) = request
        rpc_id, params = envelope[0], envelope[1]
        if not isinstance(rpc_id, str) or not isinstance(params, str):
            raise TypeError
        return RpcRequest(rpc_id, parsed(params) if params else None, fields.get("at"))
    except (KeyError, ValueError, TypeError, IndexError):
        raise InvalidInput("f.req does not hold one call.") from None
