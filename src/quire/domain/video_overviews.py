"""Video overviews: scenes that are seen and narrated, as a script that can be read and changed before it is filmed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from quire.domain.audio import AudioScript, Said, ScriptChapter, Turn
from quire.domain.grounding import Grounds, Statement
from quire.domain.infographics import Block, block_grounds

VideoForm = Literal["explainer", "brief", "cinematic", "short"]
VideoLook = Literal["classic", "whiteboard", "heritage", "paper_craft", "watercolor", "anime", "retro_print", "kawaii"]
AUTO, CUSTOM = "auto", "custom"
LOOKS: tuple[VideoLook, ...] = get_args(VideoLook)
LONGEST_WISH = 2_000
MOST_SCENES, MOST_LINES, MOST_LINES_IN_ALL = 100, 40, 400
# About three quarters of an hour.
MOST_LETTERS = 40_000


def style_named(given: str) -> str:
    """One of the names, or `custom: ` with what is wished; a wish of several words needs no `custom`."""
    name = given.strip().casefold().replace("-", "_").replace(" ", "_")
    if name in (AUTO, CUSTOM, *LOOKS):
        return name
    before, colon, wish = given.partition(":")
    if colon and before.strip().casefold() == CUSTOM:
        wish = " ".join(wish.split())
        return wished_style(wish) if wish else CUSTOM
    if len(given.split()) > 1:
        return wished_style(" ".join(given.split()))
    names = ", ".join((AUTO, *LOOKS))
    raise PydanticCustomError("style", "It is one of {names}, or a wish: `custom: dark blue, serif`", {"names": names})


def wished_style(wish: str) -> str:
    """A style of one's own, by what is wished."""
    return f"{CUSTOM}: {wish}"


def wish_of(style: str) -> str:
    """What a style of one's own wishes, in words; empty for all others."""
    before, _, wish = style.partition(":")
    return wish.strip() if before.strip().casefold() == CUSTOM else ""


VideoStyle = Annotated[str, Field(max_length=LONGEST_WISH, examples=[AUTO, *LOOKS]), AfterValidator(style_named)]


class VideoOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: VideoForm = "explainer"
    style: VideoStyle = AUTO


class Line(BaseModel):
    """What the narrator says at a time: `link` leads over and claims nothing, `statement` is what a source says.

    `language` is that of the line, where it is not the video's.
    """

    model_config = ConfigDict(frozen=True)

    link: Said = ""
    statement: Statement | None = None
    language: str = ""

    @property
    def letters(self) -> int:
        return len(self.link) + len(self.statement.text if self.statement else "")


class VideoScene(BaseModel):
    """What is seen while its lines are said. A list that has as many items as there are lines appears item by item."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["opening", "telling", "closing"] = "telling"
    chapter: Said = ""
    title: Said
    subtitle: Said = ""
    block: Block | None = None
    lines: Annotated[list[Line], Field(max_length=MOST_LINES)] = []

    def grounds(self) -> Iterator[Grounds]:
        """What it shows and says rests on these, in its order."""
        yield from block_grounds(self.block) if self.block else ()
        for line in self.lines:
            yield from line.statement.grounds if line.statement else ()


class VideoOverview(BaseModel):
    """`language` is that of titles and labels, `spoken` that of what is said; `remark` is what people should know."""

    title: Said
    language: str = "en"
    spoken: str = "en"
    form: VideoForm = "explainer"
    style: VideoStyle = AUTO
    scenes: Annotated[list[VideoScene], Field(min_length=1, max_length=MOST_SCENES)]
    sources: list[str] = []
    sources_heading: Said = "Sources"
    narrator: Said = "Narrator"
    remark: str = ""

    @model_validator(mode="after")
    def can_be_watched(self) -> VideoOverview:
        lines = [line for scene in self.scenes for line in scene.lines]
        if len(lines) > MOST_LINES_IN_ALL:
            raise PydanticCustomError("lines", "A video has at most {most} lines", {"most": MOST_LINES_IN_ALL})
        if sum(line.letters for line in lines) > MOST_LETTERS:
            raise PydanticCustomError("letters", "A video says at most {most} letters", {"most": MOST_LETTERS})
        return self

    @property
    def wish(self) -> str:
        """What was wished of its look, in words."""
        return wish_of(self.style)

    def script(self) -> AudioScript:
        """What is said, a chapter for each scene; one without lines tells its title."""
        return AudioScript(
            title=self.title,
            language=self.language,
            spoken=self.spoken,
            hosts=[self.narrator, self.narrator],
            chapters=[ScriptChapter(title=scene.title, turns=list(_turns(scene))) for scene in self.scenes],
            sources=self.sources,
            sources_heading=self.sources_heading,
            remark=self.remark,
        )


def _turns(scene: VideoScene) -> Iterator[Turn]:
    for line in scene.lines or [Line(link=scene.title)]:
        told = [line.statement] if line.statement else []
        yield Turn(link=line.link, statements=told, language=line.language)
