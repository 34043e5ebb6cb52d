"""A form read part by part as it arrives, so that its file is never held whole."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from quire.domain.errors import InvalidInput, TooLarge
from quire.entry.http.answers import malformed

FIELD_LIMIT = 1024 * 1024
MOST_FIELDS = 100

Event = tuple[str, bytes]


class Multipart:
    """`fields` reads up to the file, `chunks` reads the file, which must be the last part."""

    def __init__(self, content_type: str, body: AsyncIterator[bytes]) -> None:
        _, options = parse_options_header(content_type)
        if not options.get(b"boundary"):
            raise malformed("The form names no boundary.")
        self.file_name = ""
        self.media_type: str | None = None
        self._body = body
        self._heard: deque[Event] = deque()
        self._header = b""
        self._value = b""
        try:
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_part_begin": lambda: self._hear("part"),
                    "on_header_field": self._on_header,
                    "on_header_value": self._on_value,
                    "on_header_end": self._on_header_end,
                    "on_headers_finished": lambda: self._hear("begin"),
                    "on_part_data": lambda data, start, end: self._hear("data", data[start:end]),
                    "on_part_end": lambda: self._hear("end"),
                    "on_end": lambda: self._hear("done"),
                },
            )
        except FormParserError:
            raise malformed("The form's boundary is not valid.") from None

    async def fields(self, file_field: str) -> list[tuple[str, str]]:
        """The fields before the file, each with its text."""
        found: list[tuple[str, str]] = []
        name, value = "", bytearray()
        while True:
            kind, data = await self._next()
            if kind == "disposition":
                _, options = parse_options_header(data.decode("latin-1"))
                name = _text(options.get(b"name", b""))
                self.file_name = _text(options.get(b"filename", b""))
            elif kind == "part":
                self.media_type = None
            elif kind == "type":
                self.media_type = data.decode("latin-1")
            elif kind == "begin" and name == file_field:
                return found
            elif kind == "data":
                value += data
                if len(value) > FIELD_LIMIT:
                    raise TooLarge(f"{name[:80]}: is larger than {FIELD_LIMIT:,} bytes.")
            elif kind == "end":
                found.append((name, _text(bytes(value))))
                name, value = "", bytearray()
                if len(found) > MOST_FIELDS:
                    raise malformed(f"The form has more than {MOST_FIELDS} fields.")
            elif kind == "done":
                raise malformed(f"The form has no part '{file_field}'.")

    async def chunks(self) -> AsyncIterator[bytes]:
        """The file. A form that ends before its last boundary is refused, never taken for a shorter file."""
        while True:
            kind, data = await self._next()
            if kind == "data":
                yield data
            elif kind == "part":
                raise InvalidInput("The file must be the last part of the form.")
            elif kind == "done":
                return

    async def _next(self) -> Event:
        while not self._heard:
            chunk = await anext(self._body, None)
            if chunk is None:
                raise InvalidInput("The form ends before its last boundary.")
            try:
                self._parser.write(chunk)
            except FormParserError:
                raise InvalidInput("The form is not valid multipart data.") from None
        return self._heard.popleft()

    def _hear(self, kind: str, data: bytes = b"") -> None:
        self._heard.append((kind, data))

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._hear("disposition", self._value)
        elif self._header.lower() == b"content-type":
            self._hear("type", self._value)
        self._header = self._value = b""


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise malformed("The form is not valid UTF-8.") from None
