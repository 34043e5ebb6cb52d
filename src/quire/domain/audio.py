"""Audio overviews: what hosts say of sources, as a script that can be read and changed before it is spoken."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from quire.domain.artifacts import Length
from quire.domain.grounding import Statement

AudioForm = Literal["deep_dive", "brief", "critique", "debate"]
LONGEST_SAID = 2_000
MOST_TURNS, MOST_CHAPTERS, MOST_STATEMENTS = 200, 100, 40

Said = Annotated[str, Field(max_length=LONGEST_SAID)]


class AudioOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: AudioForm = "deep_dive"
    length: Length = "default"


class Turn(BaseModel):
    """What one host says at a time: `link` leads over, `statements` are what sources say, `question` asks the other.

    Links and questions claim nothing. `language` is that of the turn, where it is not the script's.
    """

    model_config = ConfigDict(frozen=True)

    host: Annotated[int, Field(ge=1, le=2)] = 1
    link: Said = ""
    statements: Annotated[list[Statement], Field(max_length=MOST_STATEMENTS)] = []
    question: Said = ""
    language: str = ""


class ScriptChapter(BaseModel):
    title: Said
    turns: Annotated[list[Turn], Field(max_length=MOST_TURNS)] = []


class AudioScript(BaseModel):
    """`language` is that of titles and labels, `spoken` that of what is said."""

    title: Said
    language: str = "en"
    spoken: str = "en"
    hosts: Annotated[list[Said], Field(min_length=2, max_length=2)] = ["Host 1", "Host 2"]
    chapters: Annotated[list[ScriptChapter], Field(max_length=MOST_CHAPTERS)] = []
    sources: list[str] = []
    sources_heading: str = "Sources"
    remark: str = ""
