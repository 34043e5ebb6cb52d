"""Library: the whole Python API, on one engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Self, TypeVar

from quire.api.artifacts import Artifacts
from quire.api.books import Books
from quire.api.capability import Capability, capabilities_of
from quire.api.chat import Chat
from quire.api.collections import Collections
from quire.api.context import Context
from quire.api.engine import Engine
from quire.api.health import Health
from quire.api.jobs import Jobs
from quire.api.labels import Labels
from quire.api.mind_maps import MindMaps
from quire.api.notebooks import Notebooks
from quire.api.notes import Notes
from quire.api.noun import Noun
from quire.api.people import People
from quire.api.research import ResearchRuns
from quire.api.scratch import Scratch
from quire.api.settings import Settings
from quire.api.sharing import Sharing
from quire.api.sources import Sources
from quire.api.transformations import Transformations
from quire.domain.sharing import Actor

AnyNoun = TypeVar("AnyNoun", bound=Noun)


class Library:
    """Everything one can do, on behalf of one actor. `quire.open()` makes one."""

    nouns: ClassVar[Mapping[str, type[Noun]]] = {
        "health": Health,
        "notebooks": Notebooks,
        "sources": Sources,
        "labels": Labels,
        "collections": Collections,
        "research": ResearchRuns,
        "chat": Chat,
        "notes": Notes,
        "artifacts": Artifacts,
        "mind_maps": MindMaps,
        "books": Books,
        "scratch": Scratch,
        "transformations": Transformations,
        "settings": Settings,
        "jobs": Jobs,
        "sharing": Sharing,
        "people": People,
    }

    def __init__(self, engine: Engine, context: Context | None = None) -> None:
        self.engine = engine
        self.context = context or Context()

    @cached_property
    def health(self) -> Health:
        return self._noun("health", Health)

    @cached_property
    def notebooks(self) -> Notebooks:
        return self._noun("notebooks", Notebooks)

    @cached_property
    def sources(self) -> Sources:
        return self._noun("sources", Sources)

    @cached_property
    def labels(self) -> Labels:
        return self._noun("labels", Labels)

    @cached_property
    def collections(self) -> Collections:
        return self._noun("collections", Collections)

    @cached_property
    def research(self) -> ResearchRuns:
        return self._noun("research", ResearchRuns)

    @cached_property
    def chat(self) -> Chat:
        return self._noun("chat", Chat)

    @cached_property
    def notes(self) -> Notes:
        return self._noun("notes", Notes)

    @cached_property
    def artifacts(self) -> Artifacts:
        return self._noun("artifacts", Artifacts)

    @cached_property
    def mind_maps(self) -> MindMaps:
        return self._noun("mind_maps", MindMaps)

    @cached_property
    def books(self) -> Books:
        return self._noun("books", Books)

    @cached_property
    def scratch(self) -> Scratch:
        return self._noun("scratch", Scratch)

    @cached_property
    def transformations(self) -> Transformations:
        return self._noun("transformations", Transformations)

    @cached_property
    def settings(self) -> Settings:
        return self._noun("settings", Settings)

    @cached_property
    def jobs(self) -> Jobs:
        return self._noun("jobs", Jobs)

    @cached_property
    def sharing(self) -> Sharing:
        return self._noun("sharing", Sharing)

    @cached_property
    def people(self) -> People:
        return self._noun("people", People)

    @cached_property
    def capabilities(self) -> tuple[Capability, ...]:
        """What this library's engine can do."""
        return self.offered_by(type(self.engine))

    @classmethod
    def offered_by(cls, engine: type[Engine]) -> tuple[Capability, ...]:
        """What an engine of this kind can do; known before there is one."""
        return capabilities_of(cls, engine)

    def as_actor(self, actor: Actor) -> Self:
        """The same library for someone else."""
        return self.within(replace(self.context, actor=actor))

    def within(self, context: Context) -> Self:
        """The same library in another context: a door makes one for each call."""
        return type(self)(self.engine, context)

    async def close(self) -> None:
        """Ends what runs and closes the engine; what was acknowledged is kept."""
        await self.engine.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    def _noun(self, name: str, kind: type[AnyNoun]) -> AnyNoun:
        return kind(self.engine.seat(name), self.engine.done_by(name), self.context)
