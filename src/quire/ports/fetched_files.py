"""Where files from elsewhere are put while somebody reads them."""

from __future__ import annotations

from typing import Any, Protocol

from quire.domain.files import Download, Upload


class FetchedFiles(Protocol):
    async def put(self, upload: Upload, limit: int) -> tuple[str, int]:
        """Stores a file for a day: its hash and its size. More than `limit` bytes raise TooLarge."""
        ...

    def download(self, facts: dict[str, Any], *, local: bool) -> Download:
        """The stored file of a `name`, `media_type`, `size` and `sha256`."""
        ...
