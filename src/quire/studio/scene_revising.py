"""One scene of a video made anew by a wish: simple wishes by rules, all others by a language model."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.errors import InvalidInput, Unsupported, Upstream
from quire.domain.infographics import ListBlock, QuoteBlock
from quire.domain.video_overviews import Line, VideoOverview, VideoScene
from quire.studio.revising import FEWEST, HINT, LONGER, MORE, OTHER, SHORTER, TITLE
from quire.studio.shortening import shorter
from quire.studio.video_scripts import VideoOutline, block_of, rewritten
from quire.studio.writer import Writer

NEEDS_MODEL = (
    "Without a language model a scene can be made shorter or longer, say something else, or get another title."
)
SHORT = 110


async def revised_scene(
    video: VideoOverview, outline: VideoOutline | None, index: int, wish: str, writer: Writer | None
) -> VideoOverview:
    if index >= len(video.scenes):
        raise InvalidInput(f"slide_index: the video has {len(video.scenes)} scenes, from 0 on.", field="slide_index")
    scene = video.scenes[index]
    spare = _spare(video, outline, scene)
    made: VideoScene | None = None
    if writer is not None and isinstance(scene.block, ListBlock | QuoteBlock):
        made = await rewritten(scene, wish, video.title, video.spoken, "", writer, spare)
    made = made or _by_rule(scene, wish, spare)
    if made is None and writer is not None:
        raise Upstream("The language model wrote nothing for the scene that the sources bear out.")
    if made is None:
        raise Unsupported(NEEDS_MODEL, hint=HINT)
    return video.model_copy(update={"scenes": [*video.scenes[:index], made, *video.scenes[index + 1 :]]})


def _by_rule(scene: VideoScene, wish: str, spare: Sequence[Line]) -> VideoScene | None:
    """The scene after a simple wish; None where the wish is none of these, or cannot be met on it."""
    named = TITLE.fullmatch(wish.strip())
    if named is not None:
        return scene.model_copy(update={"title": named["title"].strip(" .")})
    if not isinstance(scene.block, ListBlock | QuoteBlock):
        return None
    if SHORTER.search(wish):
        kept = scene.lines[: max(FEWEST, len(scene.lines) * 2 // 3)]
        lines = [
            line.model_copy(update={"statement": shorter(line.statement, SHORT)}) if line.statement else line
            for line in kept
        ]
        return _with(scene, lines) if lines != scene.lines else None
    if OTHER.search(wish) and spare:
        return _with(scene, spare[: max(FEWEST, len(scene.lines))])
    if LONGER.search(wish) and spare:
        return _with(scene, [*scene.lines, *spare[:MORE]])
    return None


def _with(scene: VideoScene, lines: Sequence[Line]) -> VideoScene:
    """What led over to the scene still does."""
    link = scene.lines[0].link if scene.lines else ""
    kept = [lines[0].model_copy(update={"link": link}), *lines[1:]]
    return scene.model_copy(update={"lines": kept, "block": block_of(kept)})


def _spare(video: VideoOverview, outline: VideoOutline | None, scene: VideoScene) -> list[Line]:
    """What its part of the outline has left, and the video says nowhere."""
    said = {line.statement.text for one in video.scenes for line in one.lines if line.statement}
    shown = {(grounds.source_id, grounds.start) for grounds in scene.grounds()}
    parts = [part for chapter in (outline.chapters if outline else []) for part in chapter.scenes]
    own = [
        part
        for part in parts
        if shown
        & {(one.source_id, one.start) for line in part.lines if line.statement for one in line.statement.grounds}
    ]
    found = {line.statement.text: line for part in own for line in (*part.spare, *part.lines) if line.statement}
    return [line for text, line in found.items() if text not in said]
