"""Files on their way in and out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, PrivateAttr
from pydantic_core import CoreSchema, core_schema

from quire.domain.errors import InvalidInput

CHUNK = 256 * 1024

UPLOAD_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "The file: its text, or (where the server is local) its path.",
    "properties": {
        "name": {"type": "string", "maxLength": 255},
        "text": {"type": "string"},
        "path": {"type": "string"},
    },
    "additionalProperties": False,
    "x-quire": "upload",
}


class Upload:
    """A file to be read: bytes in chunks, with a name. Read once.

    `media_type` is what its sender calls it. `path` is where the same bytes lie on this machine, if they do; `origin`
    is the file that its sender named, which may change.
    """

    def __init__(
        self,
        name: str,
        chunks: Callable[[], AsyncIterator[bytes]],
        size: int | None = None,
        media_type: str | None = None,
        path: Path | None = None,
        origin: Path | None = None,
    ) -> None:
        self.name = name
        self.chunks = chunks
        self.size = size
        self.media_type = media_type
        self.path = path
        self.origin = origin

    @classmethod
    def of(cls, content: bytes | str | Path, name: str | None = None) -> Upload:
        """An upload of a file (Path) or of the content itself (bytes or text)."""
        if isinstance(content, Path):
            path = content

            async def from_file() -> AsyncIterator[bytes]:
                with path.open("rb") as file:
                    while chunk := file.read(CHUNK):
                        yield chunk

            return cls(name or path.name, from_file, path.stat().st_size, origin=path.absolute())
        try:
            data = content.encode() if isinstance(content, str) else content
        except UnicodeEncodeError:
            raise InvalidInput("The text is not valid Unicode.") from None

        async def from_memory() -> AsyncIterator[bytes]:
            for start in range(0, len(data), CHUNK):
                yield data[start : start + CHUNK]

        return cls(name or "upload", from_memory, len(data))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.is_instance_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return dict(UPLOAD_SCHEMA)


class Download(BaseModel):
    """A file that was made. `chunks()` reads it; `url` and `path` tell where else it can be had."""

    model_config = ConfigDict(frozen=True)

    name: str
    media_type: str
    size: int
    sha256: str
    url: str | None = None
    path: str | None = None

    _open: Callable[[int], AsyncIterator[bytes]] | None = PrivateAttr(default=None)

    def opened_from(self, reader: Callable[[int], AsyncIterator[bytes]]) -> Download:
        """The same file, readable from anywhere in it."""
        self._open = reader
        return self

    def chunks(self, start: int = 0) -> AsyncIterator[bytes]:
        if self._open is None:
            raise RuntimeError("this file came without a reader")
        return self._open(start)

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks()])

    async def save(self, path: str | Path) -> Path:
        """Write it to `path`."""
        target = Path(path)
        with target.open("wb") as file:  # noqa: ASYNC230
            async for chunk in self.chunks():
                file.write(chunk)
        return target
