"""Reports: sections of statements, each with what it rests on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.grounding import Statement

ReportForm = Literal["briefing_doc", "study_guide", "blog_post", "custom"]
BlockForm = Literal["paragraph", "bullets", "quotes", "terms", "questions", "table"]


class ReportOptions(BaseModel):
    """A briefing document, a study guide, a blog post, or what the instructions ask for."""

    model_config = ConfigDict(extra="forbid")

    format: ReportForm = "briefing_doc"


class ReportItem(BaseModel):
    """A statement; of a term or a question `label` is the term or the question."""

    statement: Statement
    label: str = ""


class ReportBlock(BaseModel):
    """Statements that are shown alike. A table has its heads in `heads` and a statement a row, its cells in `rows`."""

    form: BlockForm
    items: list[ReportItem] = []
    heads: list[str] = []
    rows: list[list[str]] = []


class ReportSection(BaseModel):
    heading: str
    level: Annotated[int, Field(ge=1, le=6)] = 2
    blocks: list[ReportBlock] = []


class Report(BaseModel):
    """`remark` says what a reader should know of the whole, such as the language of what is quoted."""

    title: str
    subtitle: str = ""
    language: str = "en"
    sections: list[ReportSection] = []
    sources: list[str] = []
    sources_heading: str = "Sources"
    remark: str = ""
