"""Artifacts as they are asked for at Google: what was chosen, in the places that the wire has for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeVar

from quire.domain.artifacts import ArtifactForm, ArtifactKind
from quire.domain.errors import InvalidInput
from quire.domain.video_overviews import AUTO, wish_of
from quire.notebooklm import codes
from quire.notebooklm.methods import studio as wire
from quire.notebooklm.report_forms import FORMS, prompt_of

Code = TypeVar("Code", bound=IntEnum)
SLIDES = {"detailed_deck": codes.SlideFormat.DETAILED, "presenter_slides": codes.SlideFormat.PRESENTER}


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants made. `options` are those that were named."""

    kind: ArtifactKind
    source_ids: Sequence[str]
    instructions: str
    language: str | None
    options: Mapping[str, str] = field(default_factory=dict)


def asked(wish: Wish) -> wire.Artifact:
    """The row that asks for it. What was not chosen is sent as NotebookLM's own page sends it."""
    own, write = WRITERS[wish.kind]
    for name in wish.options:
        if name not in own:
            known = ", ".join(own) or "none"
            raise InvalidInput(f"{name}: this kind has no such option; it has: {known}.", field=name)
    row = wire.Artifact(source_ids=tuple(wish.source_ids))
    write(wish, row)
    return row


def _code(wish: Wish, name: str, table: type[Code], usual: Code) -> Code:
    given = wish.options.get(name)
    if given is None:
        return usual
    found = table.__members__.get(given.upper())
    if found is None or found.value < 0:
        known = ", ".join(member.name.lower() for member in table if member.value >= 0)
        raise InvalidInput(f"{name}: must be one of {known}.", field=name)
    return found


def _report(wish: Wish, row: wire.Artifact) -> None:
    form = wish.options.get("format", "briefing_doc")
    if form not in FORMS:
        raise InvalidInput(f"format: must be one of {', '.join(FORMS)}.", field="format")
    chosen: ArtifactForm = next(one for one in FORMS if one == form)
    row.kind = codes.ArtifactKind.REPORT
    row.report = wire.Report(
        title=FORMS[chosen].title,
        description=FORMS[chosen].description,
        source_ids=row.source_ids,
        language=wish.language,
        prompt=prompt_of(chosen, wish.instructions),
    )


def _audio(wish: Wish, row: wire.Artifact) -> None:
    row.kind = codes.ArtifactKind.AUDIO
    row.audio = wire.Audio(
        instructions=wish.instructions or None,
        length=_code(wish, "length", codes.AudioLength, codes.AudioLength.DEFAULT),
        source_ids=row.source_ids,
        language=wish.language,
        format=_code(wish, "format", codes.AudioFormat, codes.AudioFormat.DEEP_DIVE),
    )


def _video(wish: Wish, row: wire.Artifact) -> None:
    """A style that has no code is told in words. Cinematic videos have none."""
    form = _code(wish, "format", codes.VideoFormat, codes.VideoFormat.EXPLAINER)
    style = wish.options.get("style", AUTO).strip()
    style = wish_of(style) or style
    known = codes.VideoStyle.__members__.get(style.upper().replace(" ", "_"))
    if known is not None and known.value <= 0:
        known = None
    if form is codes.VideoFormat.CINEMATIC and "style" in wish.options:
        raise InvalidInput("style: cinematic videos have a look of their own.", field="style")
    row.kind = codes.ArtifactKind.VIDEO
    row.video = wire.Video(
        source_ids=row.source_ids,
        language=wish.language,
        instructions=wish.instructions or None,
        format=form,
        style=None if form is codes.VideoFormat.CINEMATIC else known,
        style_prompt=None if known is not None or not style else style,
    )


def _quiz(wish: Wish, row: wire.Artifact) -> None:
    _app(row, codes.AppVariant.QUIZ, wish)
    assert row.app is not None
    row.app.quiz_quantity = _code(wish, "quantity", codes.Quantity, codes.Quantity.STANDARD)
    row.app.quiz_difficulty = _code(wish, "difficulty", codes.Difficulty, codes.Difficulty.MEDIUM)


def _flashcards(wish: Wish, row: wire.Artifact) -> None:
    _app(row, codes.AppVariant.FLASHCARDS, wish)
    assert row.app is not None
    row.app.card_quantity = _code(wish, "quantity", codes.Quantity, codes.Quantity.STANDARD)
    row.app.card_difficulty = _code(wish, "difficulty", codes.Difficulty, codes.Difficulty.MEDIUM)


def _mind_map(wish: Wish, row: wire.Artifact) -> None:
    _app(row, codes.AppVariant.MIND_MAP, wish)


def _app(row: wire.Artifact, variant: codes.AppVariant, wish: Wish) -> None:
    row.kind = codes.ArtifactKind.APP
    row.app = wire.App(variant=variant, instructions=wish.instructions or None, language=wish.language)


def _infographic(wish: Wish, row: wire.Artifact) -> None:
    row.kind = codes.ArtifactKind.INFOGRAPHIC
    row.infographic = wire.Infographic(
        instructions=wish.instructions or None,
        language=wish.language,
        orientation=_code(wish, "orientation", codes.InfographicOrientation, codes.InfographicOrientation.LANDSCAPE),
        detail=_code(wish, "detail", codes.InfographicDetail, codes.InfographicDetail.STANDARD),
        style=_code(wish, "style", codes.InfographicStyle, codes.InfographicStyle.AUTO),
    )


def _slides(wish: Wish, row: wire.Artifact) -> None:
    form = wish.options.get("format", "detailed_deck")
    if form not in SLIDES:
        raise InvalidInput(f"format: must be one of {', '.join(SLIDES)}.", field="format")
    row.kind = codes.ArtifactKind.SLIDE_DECK
    row.slides = wire.Slides(
        instructions=wish.instructions or None,
        language=wish.language,
        format=SLIDES[form],
        length=_code(wish, "length", codes.SlideLength, codes.SlideLength.DEFAULT),
    )


def _table(wish: Wish, row: wire.Artifact) -> None:
    row.kind = codes.ArtifactKind.DATA_TABLE
    row.table = wire.DataTable(instructions=wish.instructions or None, language=wish.language)


Writer = Callable[[Wish, wire.Artifact], None]
# What NotebookLM's own page asks for without a language; one is told where somebody names it.
WITHOUT_LANGUAGE = ("quiz", "flashcards", "mind_map")
WRITERS: dict[ArtifactKind, tuple[tuple[str, ...], Writer]] = {
    "report": (("format",), _report),
    "audio": (("format", "length"), _audio),
    "video": (("format", "style"), _video),
    "quiz": (("quantity", "difficulty"), _quiz),
    "flashcards": (("quantity", "difficulty"), _flashcards),
    "mind_map": ((), _mind_map),
    "infographic": (("orientation", "detail", "style"), _infographic),
    "slide_deck": (("format", "length"), _slides),
    "data_table": ((), _table),
}
