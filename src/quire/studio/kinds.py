"""The kinds of artifacts that can be made: a row a kind."""

from __future__ import annotations

from importlib import import_module

from quire.domain.artifacts import ArtifactKind
from quire.studio.kind import Kind

KINDS: dict[ArtifactKind, str] = {
    "report": "reports:ReportKind",
    "quiz": "quizzes:QuizKind",
    "flashcards": "flashcards:FlashcardKind",
    "mind_map": "mind_maps:MindMapKind",
    "data_table": "data_tables:DataTableKind",
    "slide_deck": "slide_decks:DeckKind",
    "infographic": "infographics:InfographicKind",
    "audio": "audio_scripts:AudioKind",
    "video": "video_scripts:VideoKind",
}


def kind_of(name: ArtifactKind) -> Kind:
    module, _, made = KINDS[name].partition(":")
    kind: Kind = getattr(import_module(f"quire.studio.{module}"), made)()
    return kind
