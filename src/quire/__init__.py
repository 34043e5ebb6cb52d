"""Quire: an open notebook for people and their agents.

What is listed in `__all__` is the public API. It is imported when first used, so that
`import quire` costs nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "Actor",
    "AddedSource",
    "Answer",
    "AnswerPart",
    "Artifact",
    "ArtifactContent",
    "ArtifactLink",
    "Asset",
    "AssetUploaded",
    "AuditEntry",
    "AuditVerdict",
    "Book",
    "BookArchive",
    "BookList",
    "Budget",
    "BuildPlan",
    "CallLimit",
    "Cell",
    "CellChange",
    "CellCleared",
    "CellOutput",
    "ChatConfiguration",
    "Citation",
    "Collection",
    "Conflict",
    "Content",
    "ContentDeleted",
    "ContentDiff",
    "ContentEdited",
    "ContentMoved",
    "ContentVersion",
    "ContentWritten",
    "Conversation",
    "CopiedSource",
    "Download",
    "Execution",
    "Exported",
    "FileChange",
    "Finding",
    "Freshness",
    "HealthReport",
    "InvalidInput",
    "Job",
    "KeptMindMap",
    "Label",
    "Library",
    "LibraryAnswer",
    "LibraryCitation",
    "LibraryHit",
    "LibraryHits",
    "LimitReached",
    "Limits",
    "LineFound",
    "LinesFound",
    "ListedResearch",
    "Moved",
    "NewToken",
    "NotAllowed",
    "NotFound",
    "NotReady",
    "NotSignedIn",
    "Note",
    "NoteChange",
    "NoteHit",
    "Notebook",
    "NotebookSummary",
    "OpenedNotebook",
    "OutputLanguage",
    "Overlay",
    "OverlayWritten",
    "Page",
    "Passage",
    "PassageHit",
    "PathsFound",
    "Person",
    "Place",
    "QuireError",
    "RecentNotebook",
    "RefreshedSource",
    "RemovedPerson",
    "ResearchRun",
    "ResearchStep",
    "Role",
    "Saved",
    "Scanned",
    "ScratchNotebook",
    "ScratchRun",
    "ShareStatus",
    "SharedUser",
    "SharingEntry",
    "Source",
    "SourceGuide",
    "SourceText",
    "SuggestedReport",
    "Summary",
    "SummaryWritten",
    "SyncLibrary",
    "TimedOut",
    "Token",
    "TooLarge",
    "TransferReport",
    "Transformation",
    "TransformedNote",
    "Turn",
    "Unsupported",
    "Upload",
    "Upstream",
    "Usage",
    "Watched",
    "WireDrift",
    "__version__",
    "open",
    "open_sync",
    "transfer",
]

if TYPE_CHECKING:
    from quire.api.library import Library
    from quire.domain.across import LibraryAnswer, LibraryCitation, LibraryHit, LibraryHits
    from quire.domain.archives import BookArchive
    from quire.domain.artifacts import Artifact, ArtifactContent, ArtifactLink, SuggestedReport
    from quire.domain.assets import Asset, AssetUploaded
    from quire.domain.books import (
        AuditEntry,
        AuditVerdict,
        Book,
        BookList,
        Content,
        ContentDeleted,
        ContentDiff,
        ContentEdited,
        ContentMoved,
        ContentVersion,
        ContentWritten,
        Summary,
        SummaryWritten,
    )
    from quire.domain.builds import BuildPlan, FileChange
    from quire.domain.cells import Cell
    from quire.domain.chat import Answer, AnswerPart, ChatConfiguration, Citation, Conversation, Turn
    from quire.domain.documents import Place
    from quire.domain.errors import (
        Conflict,
        InvalidInput,
        LimitReached,
        NotAllowed,
        NotFound,
        NotReady,
        NotSignedIn,
        QuireError,
        TimedOut,
        TooLarge,
        Unsupported,
        Upstream,
        WireDrift,
    )
    from quire.domain.files import Download, Upload
    from quire.domain.health import HealthReport
    from quire.domain.jobs import Job
    from quire.domain.labels import Collection, Label
    from quire.domain.mind_maps import KeptMindMap
    from quire.domain.notebooks import Notebook, NotebookSummary, RecentNotebook
    from quire.domain.notes import Note, NoteChange, NoteHit, Watched
    from quire.domain.overlays import Overlay, OverlayWritten
    from quire.domain.pages import Page
    from quire.domain.passages import Passage, PassageHit
    from quire.domain.person_settings import CallLimit, Limits, OutputLanguage, Usage
    from quire.domain.research import Budget, Finding, ListedResearch, ResearchRun, ResearchStep
    from quire.domain.scratch import (
        CellChange,
        CellCleared,
        CellOutput,
        Execution,
        Exported,
        Saved,
        ScratchNotebook,
        ScratchRun,
    )
    from quire.domain.searching import LineFound, LinesFound, PathsFound, Scanned
    from quire.domain.sharing import (
        Actor,
        NewToken,
        OpenedNotebook,
        Person,
        RemovedPerson,
        Role,
        SharedUser,
        ShareStatus,
        SharingEntry,
        Token,
    )
    from quire.domain.sources import (
        AddedSource,
        CopiedSource,
        Freshness,
        RefreshedSource,
        Source,
        SourceGuide,
        SourceText,
    )
    from quire.domain.transfers import Moved, TransferReport
    from quire.domain.transformations import Transformation, TransformedNote
    from quire.entry.sync import SyncLibrary
    from quire.entry.transfer.transfer import transfer

_HOMES = {
    "Actor": "domain.sharing",
    "AddedSource": "domain.sources",
    "Answer": "domain.chat",
    "AnswerPart": "domain.chat",
    "Artifact": "domain.artifacts",
    "ArtifactContent": "domain.artifacts",
    "ArtifactLink": "domain.artifacts",
    "Asset": "domain.assets",
    "AssetUploaded": "domain.assets",
    "AuditEntry": "domain.books",
    "AuditVerdict": "domain.books",
    "Book": "domain.books",
    "BookArchive": "domain.archives",
    "BookList": "domain.books",
    "Budget": "domain.research",
    "BuildPlan": "domain.builds",
    "CallLimit": "domain.person_settings",
    "Cell": "domain.cells",
    "CellChange": "domain.scratch",
    "CellCleared": "domain.scratch",
    "CellOutput": "domain.scratch",
    "ChatConfiguration": "domain.chat",
    "Citation": "domain.chat",
    "Collection": "domain.labels",
    "Content": "domain.books",
    "ContentDeleted": "domain.books",
    "ContentDiff": "domain.books",
    "ContentEdited": "domain.books",
    "ContentMoved": "domain.books",
    "ContentVersion": "domain.books",
    "ContentWritten": "domain.books",
    "Conversation": "domain.chat",
    "CopiedSource": "domain.sources",
    "Download": "domain.files",
    "Execution": "domain.scratch",
    "Exported": "domain.scratch",
    "FileChange": "domain.builds",
    "Freshness": "domain.sources",
    "Finding": "domain.research",
    "HealthReport": "domain.health",
    "Job": "domain.jobs",
    "KeptMindMap": "domain.mind_maps",
    "Label": "domain.labels",
    "Library": "api.library",
    "LibraryAnswer": "domain.across",
    "LibraryCitation": "domain.across",
    "LibraryHit": "domain.across",
    "LibraryHits": "domain.across",
    "Limits": "domain.person_settings",
    "LineFound": "domain.searching",
    "LinesFound": "domain.searching",
    "ListedResearch": "domain.research",
    "Moved": "domain.transfers",
    "NewToken": "domain.sharing",
    "Note": "domain.notes",
    "NoteChange": "domain.notes",
    "NoteHit": "domain.notes",
    "Notebook": "domain.notebooks",
    "NotebookSummary": "domain.notebooks",
    "OpenedNotebook": "domain.sharing",
    "OutputLanguage": "domain.person_settings",
    "Overlay": "domain.overlays",
    "OverlayWritten": "domain.overlays",
    "Page": "domain.pages",
    "Passage": "domain.passages",
    "PassageHit": "domain.passages",
    "PathsFound": "domain.searching",
    "Person": "domain.sharing",
    "Place": "domain.documents",
    "RefreshedSource": "domain.sources",
    "RecentNotebook": "domain.notebooks",
    "RemovedPerson": "domain.sharing",
    "ResearchRun": "domain.research",
    "ResearchStep": "domain.research",
    "Role": "domain.sharing",
    "Saved": "domain.scratch",
    "Scanned": "domain.searching",
    "ScratchNotebook": "domain.scratch",
    "ScratchRun": "domain.scratch",
    "ShareStatus": "domain.sharing",
    "SharedUser": "domain.sharing",
    "SharingEntry": "domain.sharing",
    "Source": "domain.sources",
    "SourceGuide": "domain.sources",
    "SourceText": "domain.sources",
    "SuggestedReport": "domain.artifacts",
    "Summary": "domain.books",
    "SummaryWritten": "domain.books",
    "SyncLibrary": "entry.sync",
    "Token": "domain.sharing",
    "TransferReport": "domain.transfers",
    "Transformation": "domain.transformations",
    "TransformedNote": "domain.transformations",
    "Turn": "domain.chat",
    "Upload": "domain.files",
    "Usage": "domain.person_settings",
    "Watched": "domain.notes",
    "transfer": "entry.transfer.transfer",
}


class _Opening:
    """What `open` returns: awaitable, and an async context manager that closes at its end."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._library: Library | None = None

    async def _open(self) -> Library:
        from quire.entry.bootstrap import build
        from quire.entry.settings import load

        self._library = build(load(self._settings))
        return self._library

    def __await__(self) -> Generator[Any, None, Library]:
        return self._open().__await__()

    async def __aenter__(self) -> Library:
        return await self._open()

    async def __aexit__(self, *exception: object) -> None:
        if self._library:
            await self._library.close()


def open(home: str | Path | None = None, store: str | None = None, **settings: Any) -> _Opening:
    """Open the library at `home` (default: QUIRE_HOME or ~/.quire) as its local owner.

    `async with quire.open() as library:` or `library = await quire.open()`.
    `store` is a PostgreSQL URL or "memory"; other settings as in quire.toml.
    """
    return _Opening({"home": home, "store": store, **settings})


def open_sync(home: str | Path | None = None, store: str | None = None, **settings: Any) -> SyncLibrary:
    """The same for code without `await`; works inside Jupyter too."""
    from quire.entry.sync import SyncLibrary

    return SyncLibrary({"home": home, "store": store, **settings})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'quire' has no attribute {name!r}")
    return getattr(import_module(f"quire.{_HOMES.get(name, 'domain.errors')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
