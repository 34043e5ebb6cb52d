"""Calls of NotebookLM's methods, each made as often as it may be.

What may be repeated is, with rests that grow or that Google asks for. What may not be is made once; where its answer is
lost, whether it was done is looked up rather than tried again, and the error says what is known: `outcome` is
"rejected" (nothing was done) or "unknown".
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any
from urllib.parse import urlencode

from quire.domain.errors import (
    InvalidInput,
    LimitReached,
    NotAllowed,
    NotFound,
    NotSignedIn,
    QuireError,
    TimedOut,
    TooLarge,
    Upstream,
    WireDrift,
)
from quire.notebooklm.codes import Status
from quire.notebooklm.engine.account import MOVED, Account, seconds_of
from quire.notebooklm.engine.profiles import HINT, Tokens
from quire.notebooklm.envelope import Reply, call_body, reply_to
from quire.notebooklm.methods import BY_NAME
from quire.notebooklm.methods.method import Method, Repeat
from quire.notebooklm.replay import BATCH_PATH
from quire.notebooklm.statuses import error_of
from quire.notebooklm.stream import CHAT_PATH, METHOD, Chunk, Listening, ask_body
from quire.ports.http import AnswerLost, Http, HttpHead, HttpRequest, NotSent

FORM = {"Content-Type": "application/x-www-form-urlencoded;charset=UTF-8"}
TRIES = 4
FIRST_REST, LONGEST_REST = 1.0, 30.0
LONGEST_ASKED_REST = 300
AT_ONCE = 8
CHAT_SECONDS = 600.0
CHAT_BYTES = 256 * 2**20
LARGE = 256 * 1024
# What Google says where it does not know itself whether something was done.
OPEN = (Upstream, TimedOut)
# What a deletion is told whose first try was done and not answered.
GONE = (Status.NOT_FOUND, 404)
# Where nothing at all would be taken for an empty list of everything.
NEVER_NULL = ("LIST_NOTEBOOKS",)

Probe = Callable[[], Awaitable[Any]]
Sleep = Callable[[float], Awaitable[None]]


class _Passing(Exception):
    """A failure that may pass; `certain` where nothing was done."""

    def __init__(self, error: QuireError, *, certain: bool, rest: float | None = None) -> None:
        self.error = error
        self.certain = certain
        self.rest = rest


class _Tries:
    """`lost` is whether one of the tries may have been done although its answer never came."""

    lost = False


class Caller:
    """`sleep` is how it rests between two tries."""

    def __init__(self, account: Account, http: Http, sleep: Sleep = asyncio.sleep) -> None:
        self._account = account
        self._http = http
        self._sleep = sleep
        self._places = asyncio.Semaphore(AT_ONCE)
        self._asked = secrets.randbelow(900_000) + 100_000

    async def call(
        self, name: str, /, *, about: tuple[str, str] = ("thing", ""), probe: Probe | None = None, **names: Any
    ) -> Any:
        """The answer of a method. `about` is what is not found where there is none.

        `probe` looks whether a call whose answer was lost was done: it gives what the answer would have been, or None.
        """
        method = BY_NAME[name]
        tries = _Tries()
        try:
            reply = await self._tried(method, method.encode_request(names), method.source_path(names), probe, tries)
            return reply if not isinstance(reply, Reply) else await self._answer(method, reply, about, probe)
        except QuireError as error:
            if tries.lost:
                _left_open(error, method)
            raise

    async def _answer(self, method: Method, reply: Reply, about: tuple[str, str], probe: Probe | None) -> Any:
        if reply.status is not None and reply.result is None:
            error = error_of(reply.status, method.id, *about)
            if method.repeat is not Repeat.READ and type(error) in OPEN:
                return await _looked_up(error, probe)
            raise _refused(error, method)
        return await self._decoded(method, reply, probe)

    async def chunks(self, names: dict[str, Any]) -> AsyncIterator[Chunk]:
        """An answer of the chat as it grows; the last one is the answer."""
        async with self._places:
            tokens = await self._account.tokens()
            for last in (False, True):
                try:
                    async with aclosing(self._asking(names, tokens)) as said:  # type: ignore[type-var]
                        async for chunk in said:
                            yield chunk
                    return
                except _TokensRefused as refused:
                    if last:
                        raise refused.error from None
                    tokens = await self._account.refreshed(tokens)

    async def _asking(self, names: dict[str, Any], tokens: Tokens) -> AsyncIterator[Chunk]:
        self._asked += 100_000
        query = {"bl": tokens.build, "hl": "en", "_reqid": self._asked, "rt": "c", "f.sid": tokens.session}
        url = f"https://{self._account.host}{CHAT_PATH}?{urlencode(query)}"
        headers = await self._account.headers(url, FORM)
        body = ask_body(names, tokens.csrf).encode()
        request = HttpRequest("POST", url, headers, body, CHAT_SECONDS, CHAT_BYTES)
        listening = Listening()
        try:
            async with self._http.stream(request) as stream:
                await self._account.took(url, stream.head)
                _check(stream.head, METHOD)
                async for piece in stream.chunks():
                    for chunk in listening.hear(piece):
                        yield chunk
        except NotSent:
            raise Upstream("NotebookLM cannot be reached.", method=METHOD, outcome="rejected") from None
        except AnswerLost:
            lost = "NotebookLM broke off in the middle of its answer."
            raise Upstream(lost, method=METHOD, outcome="unknown") from None
        except TooLarge:
            raise WireDrift(f"{METHOD} $: the answer does not end.", method=METHOD, path="$") from None
        except _Passing as passing:
            raise passing.error from None
        try:
            yield listening.end()
        except NotSignedIn as error:
            raise _TokensRefused(error) from None

    async def _tried(self, method: Method, params: Any, page: str, probe: Probe | None, tries: _Tries) -> Any:
        tokens: Tokens | None = None
        refreshed = False
        number = 1
        while True:
            tokens = tokens or await self._tokens(method)
            try:
                async with self._places:
                    reply = await self._once(method, params, page, tokens)
                if reply.status is not None and reply.status.code in (Status.UNAUTHENTICATED, 401) and not refreshed:
                    raise _TokensRefused(error_of(reply.status, method.id))
                if tries.lost and method.name.startswith("DELETE_") and reply.status and reply.status.code in GONE:
                    return Reply(None, None, True)
                return reply
            except _TokensRefused as refused:
                if refreshed:
                    raise _refused(refused.error, method) from None
                refreshed, tokens = True, await self._tokens(method, tokens)
            except (NotSignedIn, LimitReached) as error:
                raise _refused(error, method) from None
            except _Passing as passing:
                if not passing.certain and method.repeat is Repeat.TWICE:
                    return await _looked_up(passing.error, probe)
                tries.lost = tries.lost or not passing.certain
                if number == TRIES:
                    raise _refused(passing.error, method) from None
                await self._sleep(passing.rest if passing.rest is not None else rest_after(number))
                number += 1

    async def _tokens(self, method: Method, refused: Tokens | None = None) -> Tokens:
        try:
            return await (self._account.refreshed(refused) if refused else self._account.tokens())
        except QuireError as error:
            raise _refused(error, method) from None

    async def _once(self, method: Method, params: Any, page: str, tokens: Tokens) -> Reply:
        query = {"rpcids": method.id, "source-path": page, "f.sid": tokens.session, "hl": "en", "rt": "c"}
        if tokens.build:
            query["bl"] = tokens.build
        url = f"https://{self._account.host}{BATCH_PATH}?{urlencode(query)}"
        headers = await self._account.headers(url, FORM)
        body = call_body(method.id, params, tokens.csrf).encode()
        try:
            answer = await self._http.answer(HttpRequest("POST", url, headers, body, method.timeout))
        except NotSent:
            raise _Passing(Upstream("NotebookLM cannot be reached.", method=method.id), certain=True) from None
        except AnswerLost:
            lost = Upstream("The connection to NotebookLM broke off.", method=method.id)
            raise _Passing(lost, certain=False) from None
        except TooLarge:
            huge = WireDrift(f"{method.id} $: the answer is far too large.", method=method.id, path="$")
            raise _final(huge, method) from None
        await self._account.took(url, answer.head)
        _check(answer.head, method.id)
        return await self._read(method, answer.body)

    async def _read(self, method: Method, body: bytes) -> Reply:
        try:
            text = body.decode()
            large = len(text) > LARGE
            reply = await asyncio.to_thread(reply_to, method.id, text) if large else reply_to(method.id, text)
        except (WireDrift, UnicodeDecodeError) as error:
            drift = error if isinstance(error, WireDrift) else WireDrift(f"{method.id} $: no text.", path="$")
            raise _final(drift, method) from None
        if not reply.found:
            missing = WireDrift(f"{method.id} $: the answer does not speak of the call.", method=method.id, path="$")
            raise _final(missing, method)
        return reply

    async def _decoded(self, method: Method, reply: Reply, probe: Probe | None) -> Any:
        if reply.result is None and method.name in NEVER_NULL:
            raise WireDrift(f"{method.id} $: the result is null.", method=method.id, path="$")
        try:
            return method.decode_response(reply.result)
        except WireDrift as drift:
            if method.repeat is Repeat.TWICE:
                return await _looked_up(drift, probe)
            raise _left_open(drift, method) from None


class _TokensRefused(Exception):
    """Google does not take the tokens, or says so in the way it refuses much else."""

    def __init__(self, error: QuireError) -> None:
        self.error = error


def rest_after(number: int) -> float:
    """Longer from try to try, and not the same for all who wait."""
    rest: float = min(FIRST_REST * 2 ** (number - 1), LONGEST_REST)
    return rest * random.uniform(0.8, 1.2)  # noqa: S311


def _check(head: HttpHead, method: str) -> None:
    """Raises where the answer is HTTP's own rather than the method's."""
    if head.status == 200:
        return
    if head.status in MOVED:
        raise NotSignedIn("Google asks to sign in again: the session has expired.", hint=HINT)
    if head.status == 429:
        rest = seconds_of(head)
        limit = LimitReached("NotebookLM asks to wait: too many calls.", method=method, retry_after=rest)
        if rest > LONGEST_ASKED_REST:
            raise limit
        raise _Passing(limit, certain=True, rest=rest)
    if head.status in (400, 401, 403):
        kinds: dict[int, type[QuireError]] = {400: InvalidInput, 401: NotSignedIn, 403: NotAllowed}
        raise _TokensRefused(
            kinds[head.status](f"NotebookLM refused the call ({head.status}).", hint=HINT, method=method)
        )
    if head.status >= 500:
        error = Upstream(f"NotebookLM failed ({head.status}).", method=method, status=head.status)
        raise _Passing(error, certain=False)
    raise WireDrift(f"{method} $: answered with {head.status}.", method=method, path="$")


def _final(error: QuireError, method: Method) -> Exception:
    """An answer that cannot be read: what changes things may have been done, and no second try makes that clear."""
    return _Passing(error, certain=False) if method.repeat is Repeat.TWICE else _left_open(error, method)


def _refused(error: QuireError, method: Method) -> QuireError:
    if method.repeat is not Repeat.READ and not isinstance(error, NotFound):
        error.details.setdefault("outcome", "rejected")
    return error


def _left_open(error: QuireError, method: Method) -> QuireError:
    if method.repeat is not Repeat.READ:
        error.details["outcome"] = "unknown"
    return error


async def _looked_up(error: QuireError, probe: Probe | None) -> Any:
    """What a lost call came to, where that can be seen; else the error says that nobody knows."""
    found = None
    if probe is not None:
        try:
            found = await probe()
        except QuireError:
            found = None
    if found is not None:
        return found
    error.details["outcome"] = "unknown"
    error.hint = "It may have been done: look before you try again."
    raise error
