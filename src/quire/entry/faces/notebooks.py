"""Contract 1: six tools over notebooks that answer in JSON, with error codes of their own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.chat import QUESTION_LIMIT, Answer
from quire.domain.errors import (
    Conflict,
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
from quire.domain.health import Health
from quire.domain.notebooks import Notebook
from quire.domain.pages import Page
from quire.domain.sources import TEXT_LIMIT, Source
from quire.entry.faces.face import Face, Input, Result
from quire.services.library import Library

TYPES = {"url": "url", "youtube": "youtube", "text": "text", "pdf": "pdf", "audio": "audio"}
REASONS = {"invalid_url": "INVALID_URL", "unreachable": "INVALID_URL", "unsupported_url": "UNSUPPORTED_URL"}
CODES: list[tuple[type[QuireError], str]] = [
    (NotFound, "NOT_FOUND"),
    (TooLarge, "CONTENT_TOO_LARGE"),
    (InvalidInput, "INVALID_ARGUMENT"),
    (LimitReached, "RATE_LIMITED"),
    (TimedOut, "TIMEOUT"),
    (NotSignedIn, "AUTH_REQUIRED"),
    (NotAllowed, "AUTH_REQUIRED"),
    (WireDrift, "PARSE_ERROR"),
    (Upstream, "NETWORK_ERROR"),
    (Conflict, "CONFLICT"),
]
RECOVERABLE = {"TIMEOUT", "RATE_LIMITED", "NETWORK_ERROR", "AUTH_REQUIRED", "NO_SOURCES", "PROCESSING_FAILED"}


class JsonFace(Face[Input, Result]):
    """The text is the result as JSON; an error is `{"error": {code, message, details, recoverable}}`."""

    def text(self, result: Result, input: Input) -> str:
        return json.dumps(self.structured(result), ensure_ascii=False)

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        code = code_of(error)
        details = {name: value for name, value in error.details.items() if name not in ("reason", "noun")}
        if isinstance(error, LimitReached):
            details = {
                "retry_after_seconds": error.details.get("retry_after"),
                "limit": error.details.get("limit"),
                "window": error.details.get("window"),
            }
        body = {
            "error": {
                "code": code,
                "message": error.message + (f" {error.hint}" if error.hint else ""),
                "details": details,
                "recoverable": code in RECOVERABLE,
            }
        }
        return json.dumps(body, ensure_ascii=False), body


def code_of(error: QuireError) -> str:
    """The contract's word for an error."""
    if error.details.get("reason") in REASONS:
        return REASONS[error.details["reason"]]
    if error.details.get("reason") == "no_sources":
        return "NO_SOURCES"
    if error.details.get("reason") == "processing_failed":
        return "PROCESSING_FAILED"
    if isinstance(error, TooLarge) and error.details.get("field") == "question":
        return "QUESTION_TOO_LONG"
    return next((code for kind, code in CODES if isinstance(error, kind)), "INTERNAL_ERROR")


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", hide_input_in_errors=True)


class NoInput(Strict):
    pass


class HealthCheck(JsonFace[NoInput, Health]):
    tool = "health_check"
    description = "Check that Quire works and that you are signed in."
    input = NoInput

    async def call(self, library: Library, input: NoInput) -> Health:
        return await library.health.check()

    def structured(self, result: Health) -> dict[str, Any]:
        return {
            "status": result.status,
            "authenticated": result.authenticated,
            "latency_ms": result.latency_ms,
            "browser_ok": result.browser_ok,
            "error": result.error,
        }


class ListNotebooksInput(Strict):
    limit: Annotated[int, Field(ge=1, le=100, description="Maximum number of notebooks to return.")] = 50


class ListNotebooks(JsonFace[ListNotebooksInput, Page[Notebook]]):
    tool = "list_notebooks"
    description = "List your notebooks."
    input = ListNotebooksInput

    async def call(self, library: Library, input: ListNotebooksInput) -> Page[Notebook]:
        return await library.notebooks.list(limit=input.limit)

    def structured(self, result: Page[Notebook]) -> dict[str, Any]:
        notebooks = [
            {
                "id": notebook.id,
                "name": notebook.title,
                "source_count": notebook.source_count,
                "updated_at": instant(notebook.updated_at),
            }
            for notebook in result
        ]
        return {"notebooks": notebooks, "total": result.total}


class NotebookInput(Strict):
    notebook_id: Annotated[str, Field(max_length=200, description="The notebook's id, from list_notebooks.")]


class GetNotebook(JsonFace[NotebookInput, Notebook]):
    tool = "get_notebook"
    description = "Get the details of a notebook."
    input = NotebookInput

    async def call(self, library: Library, input: NotebookInput) -> Notebook:
        return await library.notebooks.get(input.notebook_id)

    def structured(self, result: Notebook) -> dict[str, Any]:
        return {
            "id": result.id,
            "name": result.title,
            "source_count": result.source_count,
            "created_at": instant(result.created_at),
            "updated_at": instant(result.updated_at),
            "description": result.description,
        }


class ListSources(JsonFace[NotebookInput, Page[Source]]):
    tool = "list_sources"
    description = "List the sources of a notebook, with the state of each."
    input = NotebookInput

    async def call(self, library: Library, input: NotebookInput) -> Page[Source]:
        return await library.sources.list(input.notebook_id)

    def structured(self, result: Page[Source]) -> dict[str, Any]:
        sources = [
            {
                "id": source.id,
                "title": source.title,
                "type": TYPES.get(source.kind, "unknown"),
                "kind": source.kind,
                "url": source.url,
                "added_at": instant(source.created_at),
                "state": source.state,
                "error": source.error,
            }
            for source in result
        ]
        body: dict[str, Any] = {"sources": sources, "total": result.total}
        if result.truncated:
            body |= {"truncated": True, "cursor": result.cursor}
        return body


class AddSourceInput(Strict):
    notebook_id: Annotated[str, Field(max_length=200, description="The notebook to add to.")]
    source_type: Annotated[Literal["url", "text"], Field(description="What is added.")]
    url: Annotated[str, Field(description="The page's address, for url.", json_schema_extra={"format": "uri"})] | None = (
        None
    )
    text: (
        Annotated[str, Field(description="Text or Markdown, for text.", json_schema_extra={"maxLength": TEXT_LIMIT})]
        | None
    ) = None
    title: Annotated[str, Field(max_length=200, description="A title for the source.")] | None = None


class AddSource(JsonFace[AddSourceInput, Source]):
    tool = "add_source"
    description = "Add a web page or a text to a notebook."
    input = AddSourceInput

    async def call(self, library: Library, input: AddSourceInput) -> Source:
        source = await library.sources.add(
            input.notebook_id, input.source_type, url=input.url, text=input.text, title=input.title
        )
        if source.state == "failed":
            raise InvalidInput(
                f"The source was added, but could not be read: {source.error}",
                reason="processing_failed",
                source_id=source.id,
            )
        return source

    def structured(self, result: Source) -> dict[str, Any]:
        reading = result.state == "processing"
        message = "Source added. It is still being read." if reading else "; ".join(result.warnings) or None
        return {
            "success": True,
            "source_id": result.id,
            "title": result.title,
            "processing_status": "processing" if reading else "complete",
            "message": message,
        }


class AskInput(Strict):
    notebook_id: Annotated[str, Field(max_length=200, description="The notebook to ask.")]
    question: Annotated[
        str, Field(description="The question.", json_schema_extra={"minLength": 1, "maxLength": QUESTION_LIMIT})
    ]
    include_citations: Annotated[bool, Field(description="Whether to say what the answer rests on.")] = True
    conversation_id: Annotated[str, Field(max_length=200, description="Goes on with this conversation.")] | None = None


class Ask(JsonFace[AskInput, tuple[Answer, bool]]):
    tool = "ask"
    description = "Ask a notebook's sources; the answer cites them."
    input = AskInput

    async def call(self, library: Library, input: AskInput) -> tuple[Answer, bool]:
        answer = await library.chat.ask(
            input.notebook_id, input.question, conversation_id=input.conversation_id
        )
        return answer, input.include_citations

    def structured(self, result: tuple[Answer, bool]) -> dict[str, Any]:
        answer, cited = result
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
        return {
            "answer": answer.text,
            "citations": citations if cited else [],
            "confidence": answer.confidence,
            "follow_up_questions": answer.follow_up_questions,
            "grounded": answer.grounded,
            "conversation_id": answer.conversation_id,
            "answer_id": answer.id,
        }


NOTEBOOK_FACES: tuple[Face[Any, Any], ...] = (
    HealthCheck(),
    ListNotebooks(),
    GetNotebook(),
    ListSources(),
    AddSource(),
    Ask(),
)


def instant(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}Z"
