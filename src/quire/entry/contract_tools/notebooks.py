"""Contract 1: six tools over notebooks that answer in JSON, with error codes of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from quire.api.library import Library
from quire.domain.chat import QUESTION_LIMIT, Answer, NearbyPassage
from quire.domain.errors import (
    Conflict,
    InvalidInput,
    LimitReached,
    NotAllowed,
    NotFound,
    NotReady,
    NotSignedIn,
    QuireError,
    TimedOut,
    TooLarge,
    Unsupported,
    Upstream,
    WireDrift,
)
from quire.domain.health import HealthReport
from quire.domain.labels import LabelIds
from quire.domain.notebooks import Notebook
from quire.domain.pages import Page
from quire.domain.source_kinds import known
from quire.domain.sources import TEXT_LIMIT, URL_LIMIT, AddedSource, Source
from quire.entry.contract_tools import notebook_schemas as schemas
from quire.entry.contract_tools.contract import Contract
from quire.entry.contract_tools.contract_tool import ContractTool, Input, Result, Strict

REASONS = {
    "invalid_url": "INVALID_URL",
    "unreachable": "INVALID_URL",
    "unsupported_url": "UNSUPPORTED_URL",
    "no_sources": "NO_SOURCES",
    "processing_failed": "PROCESSING_FAILED",
    "damaged": "PARSE_ERROR",
}
CODES: list[tuple[type[QuireError], str]] = [
    (NotFound, "NOT_FOUND"),
    (TooLarge, "CONTENT_TOO_LARGE"),
    (InvalidInput, "INVALID_ARGUMENT"),
    (LimitReached, "RATE_LIMITED"),
    (TimedOut, "TIMEOUT"),
    (NotReady, "TIMEOUT"),
    (NotSignedIn, "AUTH_REQUIRED"),
    (NotAllowed, "NOT_ALLOWED"),
    (WireDrift, "PARSE_ERROR"),
    (Upstream, "NETWORK_ERROR"),
    (Unsupported, "UNSUPPORTED"),
    (Conflict, "CONFLICT"),
]
# What is too long in other arguments than these is no content.
LENGTHS = {"text": "CONTENT_TOO_LARGE", "question": "QUESTION_TOO_LONG", "url": "INVALID_URL"}
RECOVERABLE = {"TIMEOUT", "RATE_LIMITED", "NETWORK_ERROR", "AUTH_REQUIRED", "NO_SOURCES"}
OURS = ("reason", "noun")


class NotebookContract(Contract):
    """An error is `{"error": {code, message, details, recoverable}}`."""

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        code = code_of(error)
        message = error.message + (f" {error.hint}" if error.hint else "")
        details = {name: value for name, value in error.details.items() if name not in OURS}
        if isinstance(error, LimitReached) and "retry_after" in details:
            wait = details.pop("retry_after")
            message = f"Rate limit exceeded. Please wait {wait} seconds."
            details = {"retry_after_seconds": wait, **details}
        recoverable = code in RECOVERABLE or error.retriable
        body = {"error": {"code": code, "message": message, "details": details, "recoverable": recoverable}}
        return json.dumps(body, ensure_ascii=False), body


class JsonTool(ContractTool[Input, Result]):
    """The text is the result as JSON."""

    def answer(self, result: Result, input: Input) -> tuple[str, dict[str, Any]]:
        data = self.fields(result, input)
        return json.dumps(data, ensure_ascii=False), data

    def fields(self, result: Result, input: Input) -> dict[str, Any]:
        raise TypeError("a contract tool says what it answers")


def code_of(error: QuireError) -> str:
    """The contract's word for an error."""
    if error.details.get("reason") in REASONS:
        return REASONS[error.details["reason"]]
    if isinstance(error, TooLarge) and "field" in error.details and "limit" not in error.details:
        return LENGTHS.get(error.details["field"], "INVALID_ARGUMENT")
    return next((code for kind, code in CODES if isinstance(error, kind)), "INTERNAL_ERROR")


class NoInput(Strict):
    pass


# What an engine elsewhere failed with, as the contract calls it here.
FAILED_WITH = {
    "not_signed_in": "SESSION_EXPIRED",
    "upstream": "NETWORK_ERROR",
    "wire_drift": "PARSE_ERROR",
    "timed_out": "TIMEOUT",
    "limit_reached": "RATE_LIMITED",
}


def _with_code(result: HealthReport) -> str | None:
    """Why it is not healthy, after the contract's code where an engine elsewhere is the reason."""
    code = next((FAILED_WITH[part] for part in result.parts.values() if part in FAILED_WITH), None)
    return f"{code}: {result.error}" if code and result.error else result.error


class HealthCheck(JsonTool[NoInput, HealthReport]):
    tool = "health_check"
    description = "Check that Quire works and that you are signed in."
    input = NoInput
    output_schema = schemas.HEALTH
    seconds = (30, 60)

    def call(self, library: Library, input: NoInput) -> partial[Any]:
        return partial(library.health.check)

    def fields(self, result: HealthReport, input: NoInput) -> dict[str, Any]:
        return {
            "status": result.status,
            "authenticated": result.authenticated,
            "latency_ms": result.latency_ms,
            "browser_ok": result.browser_ok,
            "error": _with_code(result),
        }


Cursor = Annotated[str, Field(description="Goes on where the answer that gave it ended.")]


class ListNotebooksInput(Strict):
    limit: Annotated[int, Field(ge=1, le=100, description="Maximum number of notebooks to return.")] = 50
    cursor: Cursor | None = None


class ListNotebooks(JsonTool[ListNotebooksInput, Page[Notebook]]):
    tool = "list_notebooks"
    description = "List your notebooks."
    input = ListNotebooksInput
    output_schema = schemas.NOTEBOOKS
    seconds = (30, 60)

    def call(self, library: Library, input: ListNotebooksInput) -> partial[Any]:
        return partial(library.notebooks.list, limit=input.limit, cursor=input.cursor)

    def fields(self, result: Page[Notebook], input: ListNotebooksInput) -> dict[str, Any]:
        notebooks = [
            {
                "id": notebook.id,
                "name": notebook.title,
                "source_count": notebook.source_count,
                "updated_at": instant(notebook.updated_at),
            }
            for notebook in result
        ]
        return {"notebooks": notebooks, "total": result.total} | further(result)


class NotebookInput(Strict):
    notebook_id: Annotated[str, Field(description="The notebook's id, from list_notebooks.")]


class GetNotebook(JsonTool[NotebookInput, Notebook]):
    tool = "get_notebook"
    description = "Get one notebook."
    input = NotebookInput
    output_schema = schemas.NOTEBOOK
    seconds = (30, 60)

    def call(self, library: Library, input: NotebookInput) -> partial[Any]:
        return partial(library.notebooks.get, input.notebook_id)

    def fields(self, result: Notebook, input: NotebookInput) -> dict[str, Any]:
        return {
            "id": result.id,
            "name": result.title,
            "source_count": result.source_count,
            "created_at": instant(result.created_at),
            "updated_at": instant(result.updated_at),
            "description": result.description,
        }


class ListSourcesInput(NotebookInput):
    cursor: Cursor | None = None


class ListSources(JsonTool[ListSourcesInput, Page[Source]]):
    tool = "list_sources"
    description = "List the sources of a notebook, with the state of each."
    input = ListSourcesInput
    output_schema = schemas.SOURCES
    seconds = (30, 60)

    def call(self, library: Library, input: ListSourcesInput) -> partial[Any]:
        return partial(library.sources.list, input.notebook_id, cursor=input.cursor)

    def fields(self, result: Page[Source], input: ListSourcesInput) -> dict[str, Any]:
        sources = [
            {
                "id": source.id,
                "title": source.title,
                "type": known(source.kind).listed_as or ("url" if source.url else "unknown"),
                "kind": source.kind,
                "url": source.url,
                "added_at": instant(source.created_at),
                "state": source.state,
                "error": source.error,
            }
            for source in result
        ]
        return {"sources": sources, "total": result.total} | further(result)


class AddSourceInput(Strict):
    notebook_id: Annotated[str, Field(description="The notebook to add to.")]
    source_type: Annotated[Literal["url", "text"], Field(description="What is added.")]
    url: (
        Annotated[
            str,
            Field(
                max_length=URL_LIMIT, description="The page's address, for url.", json_schema_extra={"format": "uri"}
            ),
        ]
        | None
    ) = None
    text: (
        Annotated[str, Field(description="Text or Markdown, for text.", json_schema_extra={"maxLength": TEXT_LIMIT})]
        | None
    ) = None
    title: Annotated[str, Field(max_length=200, description="A title for the source.")] | None = None


class AddSource(JsonTool[AddSourceInput, AddedSource]):
    tool = "add_source"
    description = "Add a web page or a text to a notebook."
    input = AddSourceInput
    output_schema = schemas.ADDED
    seconds = (60, 120)

    def reshaped(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        return refuse_long(given, "text", TEXT_LIMIT, "Split it into several sources.")

    def call(self, library: Library, input: AddSourceInput) -> partial[Any]:
        return partial(
            library.sources.add, input.notebook_id, input.source_type, url=input.url, text=input.text, title=input.title
        )

    def fields(self, result: AddedSource, input: AddSourceInput) -> dict[str, Any]:
        if result.state == "failed":
            raise InvalidInput(
                f"The source was added, but could not be read: {result.error}",
                reason="processing_failed",
                source_id=result.id,
            )
        reading = result.state == "processing"
        said = "Source added." if result.added else "The notebook has this source already."
        if reading:
            message: str | None = f"{said} It is still being read."
        else:
            message = " ".join(result.warnings if result.added else [said, *result.warnings]) or None
        return {
            "success": True,
            "source_id": result.id,
            "title": result.title,
            "processing_status": "processing" if reading else "complete",
            "message": message,
        }


class AskInput(Strict):
    notebook_id: Annotated[str, Field(description="The notebook to ask.")]
    question: Annotated[
        str, Field(min_length=1, description="The question.", json_schema_extra={"maxLength": QUESTION_LIMIT})
    ]
    include_citations: Annotated[bool, Field(description="Say what it rests on.")] = True
    include_more: Annotated[bool, Field(description="And what is near.")] = False
    conversation_id: Annotated[str, Field(description="Goes on with it.")] | None = None
    label_ids: LabelIds | None = None


class Ask(JsonTool[AskInput, Answer]):
    tool = "ask"
    description = "Ask a notebook's sources; the answer cites them."
    input = AskInput
    output_schema = schemas.ANSWER
    seconds = (90, 180)

    def reshaped(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        return refuse_long(given, "question", QUESTION_LIMIT, "Shorten it.")

    def call(self, library: Library, input: AskInput) -> partial[Any]:
        return partial(
            library.chat.ask,
            input.notebook_id,
            input.question,
            conversation_id=input.conversation_id,
            label_ids=input.label_ids,
        )

    def fields(self, answer: Answer, input: AskInput) -> dict[str, Any]:
        cited = input.include_citations
        citations = [
            {
                "number": citation.number,
                "source_id": citation.source_id,
                "source_title": citation.source_title,
                "excerpt": citation.excerpt,
                "start": citation.start,
                "end": citation.end,
                **citation.place.model_dump(exclude_none=True),
                "verified": citation.verified,
            }
            for citation in answer.citations
        ]
        unsupported = [{"text": part.text, "why": part.why} for part in answer.unsupported]
        return {
            "answer": answer.text if cited else unmarked(answer),
            "citations": citations if cited else [],
            "confidence": answer.confidence,
            "follow_up_questions": answer.follow_up_questions,
            "grounded": answer.grounded,
            **({"unsupported": unsupported} if unsupported else {}),
            **({"more": [_nearby(one) for one in answer.more]} if input.include_more else {}),
            # An answer that was not kept can neither be saved nor gone on from.
            **({"conversation_id": answer.conversation_id, "answer_id": answer.id} if answer.conversation_id else {}),
            **({"warnings": answer.warnings} if answer.warnings else {}),
        }


NOTEBOOK_TOOLS: tuple[ContractTool[Any, Any], ...] = (
    HealthCheck(),
    ListNotebooks(),
    GetNotebook(),
    ListSources(),
    AddSource(),
    Ask(),
)

MARKS = re.compile(r"\s*(?:\[\d+\])+")


def _nearby(passage: NearbyPassage) -> dict[str, Any]:
    return {
        "source_id": passage.source_id,
        "source_title": passage.source_title,
        "excerpt": passage.excerpt,
        **passage.place.model_dump(exclude_none=True),
    }


def unmarked(answer: Answer) -> str:
    """An answer's text without the numbers of its citations."""
    text = answer.text
    for end in sorted({citation.answer_end for citation in answer.citations}, reverse=True):
        if marks := MARKS.match(text, end):
            text = text[:end] + text[marks.end() :]
    return text


def refuse_long(given: Mapping[str, Any], name: str, limit: int, hint: str) -> Mapping[str, Any]:
    """The contract has a code of its own for what is too long; it comes before any other complaint."""
    value = given.get(name)
    if isinstance(value, str) and len(value) > limit:
        raise TooLarge(f"{name}: is longer than {limit:,} characters.", hint=hint, field=name)
    return given


def further(page: Page[Any]) -> dict[str, Any]:
    """How to go on, where there is more."""
    return {"truncated": True, "cursor": page.cursor} if page.truncated else {}


def instant(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}Z"
