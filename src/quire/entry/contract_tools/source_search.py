"""Searching sources, in few words: a model reads every hit, so each says what it must and no more."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from quire.api.library import Library
from quire.domain.labels import LabelIds
from quire.domain.pages import Page
from quire.domain.passages import PassageHit
from quire.entry.contract_tools.notebook_schemas import NUMBER, STRING, many, record
from quire.entry.contract_tools.notebooks import JsonTool, NotebookInput

# Scores are relative to the best hit of the search. One of this much has words of the query in it.
HAS_WORDS = 0.5
LEAST_SCORE = 0.05
# What is less alike than this, and has none of the words, is there only because something had to be last.
LEAST_SIMILARITY = 0.1


class SearchSourcesInput(NotebookInput):
    query: Annotated[str, Field(min_length=1, max_length=10_000)]
    source_ids: Annotated[list[str], Field(max_length=1_000, description="Only in these sources.")] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    label_ids: LabelIds | None = None


class SearchSources(JsonTool[SearchSourcesInput, Page[PassageHit]]):
    tool = "search_sources"
    description = "Find passages of a notebook's sources by words and by meaning."
    input = SearchSourcesInput
    output_schema = record(
        "passages",
        passages=many(
            record(
                "source_id source_title text score",
                source_id=STRING,
                source_title=STRING,
                text=STRING,
                score={"type": "number"},
                start=NUMBER,
                end=NUMBER,
                page=STRING,
                slide=STRING,
                sheet=STRING,
                heading=STRING,
                time=STRING,
            )
        ),
    )

    def call(self, library: Library, input: SearchSourcesInput) -> partial[Any]:
        return partial(
            library.sources.search,
            input.notebook_id,
            input.query,
            source_ids=input.source_ids,
            limit=input.limit,
            label_ids=input.label_ids,
        )

    def fields(self, result: Page[PassageHit], input: SearchSourcesInput) -> dict[str, Any]:
        return {"passages": [told(hit) for hit in result if fits(hit)]}


def fits(hit: PassageHit) -> bool:
    if hit.similarity is None or hit.score >= HAS_WORDS:
        return True
    return hit.score >= LEAST_SCORE and hit.similarity >= LEAST_SIMILARITY


def told(hit: PassageHit) -> dict[str, Any]:
    passage = hit.passage
    return {
        "source_id": passage.source_id,
        "source_title": passage.source_title,
        "text": passage.text,
        "score": round(hit.score, 2),
        "start": passage.start,
        "end": passage.end,
        **passage.place.model_dump(exclude_none=True),
    }
