"""What finds pages and files: search services, and a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from quire.domain.files import Upload
    from quire.domain.research import Corpus
    from quire.ports.documents import FetchedPage, Unreadable


@dataclass(frozen=True)
class Found:
    """A page by its address, or a file by its path in the folder, as a finder tells of it."""

    title: str
    url: str | None = None
    file: str | None = None
    snippet: str = ""
    doi: str | None = None
    finder: str = ""


@dataclass(frozen=True)
class Failure:
    """A finder that did not answer, why, and what to do."""

    finder: str
    reason: str
    hint: str | None = None


@dataclass(frozen=True)
class Answers:
    """What each finder found, best first, in the order of the finders; and those that failed."""

    found: tuple[tuple[Found, ...], ...] = ()
    failures: tuple[Failure, ...] = ()


class Finders(Protocol):
    """All that may be asked. What it gives out may be offered to people and fetched from."""

    def names(self, corpus: Corpus) -> tuple[str, ...]:
        """Whom a question goes to, in order."""
        ...

    async def find(self, query: str, corpus: Corpus, *, limit: int, language: str | None) -> Answers:
        """Asks all of them at once. That one fails is no error."""
        ...

    async def page(self, url: str, unreadable: Unreadable) -> FetchedPage:
        """A page to be read, within the limits that hold for pages nobody has chosen."""
        ...

    async def file(self, path: str) -> Upload:
        """A file of the folder; Unsupported where no folder is set."""
        ...
