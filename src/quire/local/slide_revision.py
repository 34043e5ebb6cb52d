"""One slide of a kept deck, made anew."""

from __future__ import annotations

from quire.domain.errors import Conflict, InvalidInput
from quire.ports.models import Model
from quire.ports.store import Row


async def revised_deck(row: Row, slide_index: int, prompt: str, model: Model | None) -> str:
    """The content of a deck's row, as JSON, with one of its slides changed by a wish."""
    from quire.domain.decks import Deck
    from quire.studio.revising import revised
    from quire.studio.slide_decks import DeckOutline
    from quire.studio.writer import Writer

    if row["kind"] != "slide_deck":
        raise Conflict("Only slide decks have slides to revise.", reason="kind")
    if not prompt.strip():
        raise InvalidInput("prompt: say what to change.", field="prompt")
    deck = Deck.model_validate_json(row["content"])
    outline = DeckOutline.model_validate_json(row["outline"]) if row["outline"] else None
    made = await revised(deck, outline, slide_index, prompt, Writer(model) if model else None)
    return made.model_dump_json()
