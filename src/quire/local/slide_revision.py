"""One slide of a kept deck, or one scene of a kept video, made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire.domain.errors import Conflict, InvalidInput
from quire.ports.models import Model
from quire.ports.store import Row

if TYPE_CHECKING:
    from quire.studio.writer import Writer


async def revised_content(row: Row, index: int, prompt: str, model: Model | None) -> str:
    """The content of a row, as JSON, with one of its slides or scenes changed by a wish."""
    from quire.studio.writer import Writer

    if row["kind"] not in ("slide_deck", "video"):
        raise Conflict("Only slide decks and videos have slides to revise.", reason="kind")
    if not prompt.strip():
        raise InvalidInput("prompt: say what to change.", field="prompt")
    writer = Writer(model) if model else None
    return await (_scene if row["kind"] == "video" else _slide)(row, index, prompt, writer)


async def _slide(row: Row, index: int, prompt: str, writer: Writer | None) -> str:
    from quire.domain.decks import Deck
    from quire.studio.revising import revised
    from quire.studio.slide_decks import DeckOutline

    deck = Deck.model_validate_json(row["content"])
    outline = DeckOutline.model_validate_json(row["outline"]) if row["outline"] else None
    return (await revised(deck, outline, index, prompt, writer)).model_dump_json()


async def _scene(row: Row, index: int, prompt: str, writer: Writer | None) -> str:
    from quire.domain.video_overviews import VideoOverview
    from quire.studio.scene_revising import revised_scene
    from quire.studio.video_scripts import VideoOutline

    video = VideoOverview.model_validate_json(row["content"])
    outline = VideoOutline.model_validate_json(row["outline"]) if row["outline"] else None
    return (await revised_scene(video, outline, index, prompt, writer)).model_dump_json()
