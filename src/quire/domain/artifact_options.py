"""What can be chosen for each kind of artifact: a row a kind."""

from __future__ import annotations

from typing import NamedTuple, get_args

from pydantic import BaseModel

from quire.domain.artifacts import ArtifactKind
from quire.domain.audio import AudioOptions
from quire.domain.data_tables import DataTableOptions
from quire.domain.decks import DeckOptions
from quire.domain.infographics import InfographicOptions
from quire.domain.mind_maps import MindMapOptions
from quire.domain.quizzes import QuizOptions
from quire.domain.reports import ReportOptions
from quire.domain.video_overviews import VideoOptions

OPTIONS: dict[ArtifactKind, type[BaseModel]] = {
    "report": ReportOptions,
    "quiz": QuizOptions,
    "flashcards": QuizOptions,
    "mind_map": MindMapOptions,
    "data_table": DataTableOptions,
    "slide_deck": DeckOptions,
    "infographic": InfographicOptions,
    "audio": AudioOptions,
    "video": VideoOptions,
}


class Choice(NamedTuple):
    """An option: the values that it has, the usual one among them; where it is `free`, other words do as well."""

    name: str
    values: tuple[str, ...]
    usual: str
    free: bool


def choices(kind: ArtifactKind) -> list[Choice]:
    """The options of a kind, as its model declares them."""
    found = []
    for name, field in OPTIONS[kind].model_fields.items():
        values = get_args(field.annotation)
        found.append(Choice(name, values or tuple(field.examples or ()), str(field.default), not values))
    return found
