"""One slide made anew by a wish: simple wishes by rules, all others by a language model."""

from __future__ import annotations

import re

from quire.domain.decks import BulletSlide, ColumnSlide, Deck, QuoteSlide, Slide, TableSlide
from quire.domain.errors import InvalidInput, Unsupported, Upstream
from quire.domain.grounding import Statement
from quire.studio.shortening import shorter
from quire.studio.slide_decks import DeckOutline, rewritten
from quire.studio.writer import Writer

TITLE = re.compile(
    r"(?:change|set|make|rename|call)?\s{0,3}(?:the |its )?(?:slide )?(?:title|heading|titel|überschrift|titre|título)"
    r"\s{0,3}(?:to|:|=|in|auf|en|a|be|zu)\s{0,3}[\"“'„«]?(?P<title>[^\"”'“»\n]{1,200})[\"”'“»]?\s{0,3}\.?\s*",
    re.IGNORECASE,
)
SHORTER = re.compile(
    r"\b(?:short(?:er|en)?|fewer|less|concise|condense|trim|simplif\w{1,4}|kürzer|weniger|knapper|plus court|moins"
    r"|más corto|menos)\b",
    re.IGNORECASE,
)
LONGER = re.compile(
    r"\b(?:longer|more|add|expand|further|detail(?:s|ed)?|länger|mehr|ausführlich\w{0,3}|plus long|davantage|más)\b",
    re.IGNORECASE,
)
OTHER = re.compile(
    r"\b(?:other|another|different|else|replace|swap|ander\w{1,3}|ersetze\w{0,2}|autres?|remplace\w{0,2}|otr[oa]s?)\b",
    re.IGNORECASE,
)
NEEDS_MODEL = (
    "Without a language model a slide can be made shorter or longer, say something else, or get another title."
)
HINT = "Name a model (`quire config set model …`), or ask for: shorter, longer, other sentences, or title: …"
MORE, FEWEST = 2, 1


async def revised(deck: Deck, outline: DeckOutline | None, index: int, wish: str, writer: Writer | None) -> Deck:
    if index >= len(deck.slides):
        raise InvalidInput(f"slide_index: the deck has {len(deck.slides)} slides, from 0 on.", field="slide_index")
    slide = deck.slides[index]
    spare = _spare(deck, outline, slide)
    made: Slide | None = None
    if writer is not None and isinstance(slide, BulletSlide):
        given = slide.model_copy(update={"notes": [*slide.notes, *spare]})
        written = await rewritten(given, wish, deck.title, deck, "", writer)
        if written is not None:
            made = written
    if made is None:
        made = by_rule(slide, wish, spare)
    if made is None and writer is not None:
        raise Upstream("The language model wrote nothing for the slide that the sources bear out.")
    if made is None:
        raise Unsupported(NEEDS_MODEL, hint=HINT)
    slides: list[Slide] = [*deck.slides[:index], made, *deck.slides[index + 1 :]]
    return deck.model_copy(update={"slides": slides})


def by_rule(slide: Slide, wish: str, spare: list[Statement]) -> Slide | None:
    """The slide after a simple wish; None where the wish is none of these, or cannot be met on it."""
    named = TITLE.fullmatch(wish.strip())
    if named is not None:
        return slide.model_copy(update={"title": named["title"].strip(" .")})
    if SHORTER.search(wish):
        return _shorter(slide)
    if not isinstance(slide, BulletSlide) or not spare:
        return None
    if OTHER.search(wish):
        count = max(FEWEST, min(len(slide.bullets), len(spare)))
        return _with(slide, spare[:count])
    if LONGER.search(wish):
        return _with(slide, [*slide.bullets, *spare[:MORE]])
    return None


def _with(slide: BulletSlide, bullets: list[Statement]) -> BulletSlide:
    """What is no longer shown goes to the notes."""
    shown = {one.text for one in bullets}
    notes = {one.text: one for one in (*slide.bullets, *slide.notes) if one.text not in shown}
    return slide.model_copy(update={"bullets": bullets, "notes": list(notes.values())})


def _shorter(slide: Slide) -> Slide | None:
    match slide:
        case BulletSlide():
            kept = slide.bullets[: max(FEWEST, len(slide.bullets) * 2 // 3)]
            made = _with(slide, [shorter(one, 80) for one in kept])
            return made if made.bullets != slide.bullets else None
        case ColumnSlide():
            columns = {
                name: column.model_copy(update={"bullets": column.bullets[: max(FEWEST, len(column.bullets) // 2)]})
                for name, column in (("left", slide.left), ("right", slide.right))
            }
            return slide.model_copy(update=columns)
        case QuoteSlide():
            quote = shorter(slide.quote, 80)
            return slide.model_copy(update={"quote": quote}) if quote != slide.quote else None
        case TableSlide() if len(slide.table.rows) > MORE:
            rows = slide.table.rows[: max(MORE, len(slide.table.rows) // 2)]
            return slide.model_copy(update={"table": slide.table.model_copy(update={"rows": rows})})
        case _:
            return None


def _spare(deck: Deck, outline: DeckOutline | None, slide: Slide) -> list[Statement]:
    """What else could be said on a slide: its notes, then what its part of the outline has left; nothing that the deck
    says elsewhere."""
    if not isinstance(slide, BulletSlide):
        return []
    said = {one.text for other in deck.slides if isinstance(other, BulletSlide) for one in other.bullets}
    said |= {grounds.excerpt for one in slide.bullets for grounds in one.grounds}
    parts = [part for chapter in (outline.chapters if outline else []) for part in chapter.parts]
    shown = {(grounds.source_id, grounds.start) for one in slide.bullets for grounds in one.grounds}
    own = [
        part
        for part in parts
        if shown & {(grounds.source_id, grounds.start) for one in part.statements for grounds in one.grounds}
    ]
    found = {one.text: one for one in slide.notes if one.grounds}
    found |= {one.text: one for part in own for one in (*part.spare, *part.statements)}
    return [
        one
        for text, one in found.items()
        if text not in said and (one.grounds[0].source_id, one.grounds[0].start) not in shown
    ]
