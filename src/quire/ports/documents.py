"""Web pages and files, and how they become text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from quire.domain.documents import Document
    from quire.domain.files import Upload


ReadingProgress = Callable[[int, int | None], None]
# A file's name, its declared type and its beginning: why it cannot be read, or None.
Unreadable = Callable[[str, str, bytes], str | None]


def readable(name: str, media_type: str, head: bytes) -> str | None:
    """Whatever it is."""
    return None


@dataclass(frozen=True)
class Validators:
    """By what a server recognises a page that has not changed: ETag and Last-Modified."""

    etag: str | None = None
    last_modified: str | None = None


UNKNOWN = Validators()


@dataclass(frozen=True)
class FetchedPage:
    """What a URL led to: where it ended, and the file."""

    url: str
    media_type: str
    file: Upload
    validators: Validators = UNKNOWN


class WebPages(Protocol):
    """Pages from the web; refuses what is not public."""

    async def fetch(self, url: str, unreadable: Unreadable = readable) -> FetchedPage:
        """The page behind a URL; one whose beginning shows that it cannot be read is refused, and not read on."""
        ...

    async def fetch_changed(self, url: str, known: Validators, unreadable: Unreadable = readable) -> FetchedPage | None:
        """The same, but None where the server says that the page is the one that is known."""
        ...


class Reader(Protocol):
    """Files into text, safely."""

    def unreadable(self, name: str, media_type: str, head: bytes) -> str | None:
        """Why there is no reader for a file that begins like this, or None."""
        ...

    async def read(
        self,
        file: Upload,
        *,
        whole: bool = False,
        media_type: str | None = None,
        progress: ReadingProgress | None = None,
    ) -> tuple[Document, str]:
        """The document and its kind; what cannot be read raises with a reason.

        A file that lies on this machine is read where it is. Of a web page that is an article, that is read, or
        with `whole` all of it. `media_type` is a hint where neither content nor name
        tell the kind. `progress(done, total)` is called with pages or seconds.
        """
        ...
