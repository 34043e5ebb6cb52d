"""Contract 1: the schemas of what its tools answer."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}
PERHAPS: Schema = {"type": ["string", "null"]}


def one_of(*values: str | None) -> Schema:
    kinds = ["string", "null"] if None in values else "string"
    return {"type": kinds, "enum": list(values)}


def record(required: str, **properties: Schema) -> Schema:
    """An object; `required` names fields with spaces between them. More fields than these may come."""
    return {"type": "object", "properties": properties, "required": required.split()}


def many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


NEXT = {"truncated": TRUTH, "cursor": PERHAPS}

HEALTH = record(
    "status authenticated latency_ms browser_ok",
    status=one_of("healthy", "degraded", "unhealthy"),
    authenticated=TRUTH,
    latency_ms=NUMBER,
    browser_ok=TRUTH,
    error=PERHAPS,
)
NOTEBOOKS = record(
    "notebooks total",
    notebooks=many(record("id name", id=STRING, name=STRING, source_count=NUMBER, updated_at=PERHAPS)),
    total=NUMBER,
    **NEXT,
)
NOTEBOOK = record(
    "id name source_count",
    id=STRING,
    name=STRING,
    source_count=NUMBER,
    created_at=PERHAPS,
    updated_at=PERHAPS,
    description=PERHAPS,
)
SOURCES = record(
    "sources total",
    sources=many(
        record(
            "id title type",
            id=STRING,
            title=STRING,
            type=one_of("url", "text", "pdf", "gdoc", "gslides", "youtube", "audio", "unknown"),
            url=PERHAPS,
            added_at=PERHAPS,
            kind=STRING,
            state=one_of("processing", "ready", "failed"),
            error=PERHAPS,
        )
    ),
    total=NUMBER,
    **NEXT,
)
ADDED = record(
    "success title processing_status",
    success=TRUTH,
    source_id=PERHAPS,
    title=STRING,
    processing_status=one_of("complete", "processing", "failed"),
    message=PERHAPS,
)
ANSWER = record(
    "answer",
    answer=STRING,
    citations=many(
        record(
            "source_id source_title",
            source_id=STRING,
            source_title=STRING,
            excerpt=PERHAPS,
            number=NUMBER,
            start=NUMBER,
            end=NUMBER,
            page=STRING,
            slide=STRING,
            sheet=STRING,
            heading=STRING,
            time=STRING,
            verified=TRUTH,
        )
    ),
    confidence=one_of("high", "medium", "low", None),
    follow_up_questions=many(STRING),
    grounded=TRUTH,
    unsupported={"type": "array"},
    conversation_id=STRING,
    answer_id=STRING,
    warnings=many(STRING),
)
