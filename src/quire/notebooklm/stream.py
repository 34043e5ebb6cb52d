"""The stream of an answer in the chat.

Each frame holds all that was said so far. First come thoughts, then the growing answer; the last one is marked
final and brings questions to go on with. Places in the text count UTF-16 code units and leave `[1]` marks out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from quire.domain.errors import InvalidInput, LimitReached, QuireError, Upstream, WireDrift
from quire.notebooklm.documents import ANSWER_MARK, DOCUMENT, THOUGHT_MARK, Annotation, Citation, Document
from quire.notebooklm.envelope import (
    ANSWER,
    FAILURE,
    StatusLine,
    compact,
    failure_of,
    form,
    lines,
    parsed,
    result_of,
    status_line,
    status_on_wire,
)
from quire.notebooklm.kinds import boolean, integer, text
from quire.notebooklm.methods.chat import ASK
from quire.notebooklm.methods.method import drifted
from quire.notebooklm.methods.notebooks import NEXT_STEP, NextStep
from quire.notebooklm.statuses import error_of
from quire.notebooklm.wire import At, Drift, Each, Part, Record, Slot

METHOD = "GenerateFreeFormStreamed"
CHAT_PATH = (
    f"/_/LabsTailwindUi/data/google.internal.labs.tailwind.orchestration.v1.LabsTailwindOrchestrationService/{METHOD}"
)


@dataclass(slots=True)
class TurnKey:
    """What a turn is known by. The session is not the conversation."""

    session_id: str | None = None
    turn_id: str | None = None
    code: int | None = None


@dataclass(slots=True)
class Chunk:
    """All that was said so far."""

    text: str | None = None
    turn: TurnKey | None = None
    document: Document | None = None
    follow_ups: tuple[str, ...] = ()
    final: bool = False
    next_steps: tuple[NextStep, ...] = ()
    empty_reason: int | None = None

    @property
    def is_answer(self) -> bool:
        """Whether it is part of the answer, not a thought."""
        return bool(self.document and self.document.mark == ANSWER_MARK)

    @property
    def is_thought(self) -> bool:
        return bool(self.document and self.document.mark == THOUGHT_MARK)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return self.document.citations if self.document else ()

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        return self.document.annotations if self.document else ()


TURN_KEY = Record(
    TurnKey,
    At(
        {
            0: Slot("session_id", text, loose=True),
            1: Slot("turn_id", text, loose=True),
            2: Slot("code", integer, loose=True),
        }
    ),
)
CHUNK = Record(
    Chunk,
    At(
        {
            0: At(
                {
                    0: Slot("text", text),
                    2: Part("turn", TURN_KEY, loose=True),
                    3: Slot("empty_reason", integer, loose=True),
                    4: Part("document", DOCUMENT),
                }
            ),
            3: At({0: Each("follow_ups", Slot("", text, needed=True), loose=True)}, loose=True),
            4: Slot("final", boolean),
            5: At({0: Each("next_steps", NEXT_STEP, loose=True)}, loose=True),
        }
    ),
)


@dataclass(slots=True)
class _Said:
    """What was found in a stream besides its chunks."""

    results: list[str] = field(default_factory=list)
    refusal: StatusLine | None = None
    ended: bool = False


def _said(body: str) -> _Said:
    said = _Said()
    for item in lines(body):
        if item[0] == ANSWER:
            result = item[2] if len(item) > 2 else None
            if result is not None:
                if not isinstance(result, str):
                    raise WireDrift(f"{METHOD} $: the result is no text.", method=METHOD, path="$")
                said.results.append(result)
            else:
                said.refusal = status_line(item[5] if len(item) > 5 else None) or said.refusal
        elif item[0] == FAILURE:
            said.refusal = failure_of(item)
        elif item[0] == "e":
            said.ended = True
    return said


def chunk_of(result: Any) -> Chunk:
    """One chunk, from the JSON inside its item."""
    try:
        found: Chunk = CHUNK.value(result)
    except Drift as drift:
        raise drifted(METHOD, METHOD, drift, "answer") from None
    return found


def chunks(body: str) -> Iterator[Chunk]:
    """Every chunk of a stream, heartbeats left out."""
    for result in _said(body).results:
        value = result_of(METHOD, result)
        if value:
            yield chunk_of(value)


def answer_in(body: str) -> Chunk:
    """The answer that a whole stream ends with.

    It is read from the end, back to the chunk that is marked final and an answer; without one, the latest counts.
    """
    said = _said(body)
    best: Chunk | None = None
    for result in reversed(said.results):
        value = result_of(METHOD, result)
        if not value:
            continue
        chunk = chunk_of(value)
        if chunk.is_answer and chunk.final:
            return chunk
        if best is None or (chunk.is_answer and not best.is_answer):
            best = chunk
    if best is not None:
        return best
    raise _without_answer(said)


class Listening:
    """Reads a stream as it comes, and knows at its end what the answer is."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._said = _Said()
        self._best: Chunk | None = None

    def hear(self, piece: bytes) -> Iterator[Chunk]:
        """The chunks that are whole with this piece, thoughts included; heartbeats are left out."""
        self._pieces.append(piece)
        if b"\n" not in piece:
            return
        *whole, rest = b"".join(self._pieces).split(b"\n")
        self._pieces = [rest]
        for line in whole:
            yield from self._line(line)

    def end(self) -> Chunk:
        """The answer: the last chunk that is one, marked final where any is."""
        for _ in self._line(b"".join(self._pieces)):
            pass
        if self._best is not None:
            return self._best
        raise _without_answer(self._said)

    def _line(self, line: bytes) -> Iterator[Chunk]:
        try:
            said = _said(line.decode())
        except (WireDrift, UnicodeDecodeError):
            return
        self._said.refusal = said.refusal or self._said.refusal
        self._said.ended = said.ended or self._said.ended
        self._said.results = said.results or self._said.results
        for result in said.results:
            value = result_of(METHOD, result)
            if value:
                chunk = chunk_of(value)
                if self._best is None or _rank(chunk) >= _rank(self._best):
                    self._best = chunk
                yield chunk


def _rank(chunk: Chunk) -> int:
    return 2 if chunk.is_answer and chunk.final else 1 if chunk.is_answer else 0


def _without_answer(said: _Said) -> QuireError:
    if said.refusal is not None:
        return error_of(said.refusal, METHOD)
    if said.ended:
        return LimitReached("NotebookLM's chat gave no answer: its quota is used up.", method=METHOD)
    if said.results:
        return Upstream("NotebookLM's chat gave no answer.", method=METHOD)
    return WireDrift(f"{METHOD} $: the answer holds no frames.", method=METHOD, path="$")


def unread_in(body: str) -> Iterator[str]:
    """What the last chunk holds that we do not read; the citations stand in it twice."""
    results = _said(body).results
    if results:
        for place in CHUNK.unread(result_of(METHOD, results[-1]), "$"):
            if not place.startswith(("$[1]", "$[2]")):
                yield place


def chunk_item(chunk: Chunk) -> list[Any]:
    """The item of one chunk, as a server streams it. The citations stand twice, as they do with Google."""
    inner: list[Any] = CHUNK.wire(chunk)
    inner += [None] * (5 - len(inner))
    if chunk.citations:
        inner[1] = [cited[1] for cited in inner[0][4][3]]
        places = {citation.chunk_id: index for index, citation in enumerate(chunk.citations)}
        inner[2] = [
            [[None, mark.start, mark.end], [places[mark.chunk_id]]]
            for mark in chunk.annotations
            if mark.chunk_id in places
        ]
    inner[4] = chunk.final
    return [ANSWER, None, compact(inner)]


def refusal_item(status: StatusLine) -> list[Any]:
    return [ANSWER, None, None, None, None, status_on_wire(status), "generic"]


def ask_body(names: dict[str, Any], token: str) -> str:
    """A question, as a client sends it."""
    request = compact([None, compact(ASK.wire(names))])
    return f"f.req={quote(request, safe='')}&at={quote(token, safe='')}&"


def ask_of(body: bytes | str) -> tuple[dict[str, Any], str | None]:
    """A question as a server receives it, and the token beside it."""
    fields = form(body)
    try:
        _, params = parsed(fields["f.req"])
        asked: dict[str, Any] = ASK.value(parsed(params))
    except Drift as drift:
        raise drifted(METHOD, METHOD, drift, "question") from None
    except (KeyError, ValueError, TypeError):
        raise InvalidInput("f.req does not hold a question.") from None
    return asked, fields.get("at")
