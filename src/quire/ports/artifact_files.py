"""Files of artifacts: made of typed content, and opened again to see that they are whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

# How much of the work is done, from 0 to 1. It raises where the work was cancelled.
Progress = Callable[[float], None]


@dataclass(frozen=True)
class FormatFacts:
    """A format that a kind of artifact comes in; `missing` is the extra that it needs and that is not here, if any.

    One that is made when `asked` for is cheap to make, or seldom wanted.
    """

    name: str
    media_type: str
    missing: str = ""
    when_asked: bool = False


class ArtifactFiles(Protocol):
    """Makes the files of all kinds. Synchronous: it is called on a thread."""

    def formats(self, kind: str) -> list[FormatFacts]:
        """The main one first."""
        ...

    def make(self, kind: str, format: str, content: Any, path: Path, progress: Progress) -> None:
        """Writes a file of a kind's content, and raises where it is not whole when it is opened again."""
        ...

    def remarks(self, kind: str, content: Any) -> list[str]:
        """What people should know of the files, such as that letters are missing in them."""
        ...
