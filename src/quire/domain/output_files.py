"""What of a cell's outputs is a file: pictures, by their media types, at addresses of their own."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quire.domain.assets import mime_type
from quire.domain.cells import Output

SVG = "image/svg+xml"
SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", SVG: "svg"}


@dataclass(frozen=True)
class OutputFile:
    """`index` is its output's place; `content` is None where it is not what its media type says."""

    index: int
    media_type: str
    content: bytes | None

    @property
    def name(self) -> str:
        return f"{self.index}.{SUFFIXES[self.media_type]}"


def files_of(outputs: Sequence[Output]) -> Iterator[OutputFile]:
    for index, output in enumerate(outputs):
        for kind, value in output.data.items():
            if kind in SUFFIXES:
                yield OutputFile(index, kind, content_of(kind, value))


def file_named(outputs: Sequence[Output], name: str) -> OutputFile | None:
    """The file of that name, if there is one."""
    index, _, suffix = name.partition(".")
    kind = next((kind for kind, known in SUFFIXES.items() if known == suffix), None)
    for place, output in enumerate(outputs):
        if str(place) == index and kind in output.data:
            return OutputFile(place, kind, content_of(kind, output.data[kind]))
    return None


def content_of(kind: str, value: object) -> bytes | None:
    """The bytes of a picture that a cell put out, if they are one."""
    text = "".join(map(str, value)) if isinstance(value, list) else value
    if not isinstance(text, str):
        return None
    if kind == SVG:
        return text.encode()
    try:
        content = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return content if mime_type("", content[:32]) == kind else None


def named(outputs: Sequence[Output], address: str | None) -> list[Output]:
    """The outputs with the size of each file, and where it is to be had, in its place."""
    made = list(outputs)
    for file in files_of(outputs):
        facts: dict[str, object] = {"size": len(file.content or b"")}
        if address and file.content is not None:
            facts["uri"] = f"{address}/outputs/{file.name}"
        data = made[file.index].data | {file.media_type: facts}
        made[file.index] = made[file.index].model_copy(update={"data": data})
    return made
