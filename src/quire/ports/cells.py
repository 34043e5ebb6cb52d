"""What scratch notebooks need: formats of others, kernels that run cells, and a place for exports."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from quire.domain.cells import Output, Sheet


Ending = Literal["ok", "failed", "timed_out", "interrupted", "died"]


class Formats(Protocol):
    """Notebooks in the formats of others; every call blocks."""

    def decode(self, format: str, text: str, files: Mapping[str, str] | None = None) -> Sheet: ...

    def encode(self, format: str, sheet: Sheet, *, lenient: bool = False) -> str:
        """InvalidInput where the format has no form for something; `lenient` finds one that reads back the same."""
        ...

    def read(self, format: str, path: str) -> Sheet:
        """A notebook from a file or folder of this machine."""
        ...

    def folder(self, sheet: Sheet) -> dict[str, str]:
        """The files of srcmd's folder form by their paths."""
        ...


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    status: Ending
    execution_count: int | None = None
    message: str = ""


@dataclass(frozen=True)
class Updated:
    """An output in the place of those that have its display id."""

    output: Output


@dataclass(frozen=True)
class Cleared:
    """What was put out so far is taken back: at once, or when something else comes."""

    wait: bool


@dataclass(frozen=True)
class Work:
    """One cell to be run. `files` are what other cells hold, by name, for code that imports them."""

    notebook_id: str
    language: str
    source: str
    filename: str
    timeout: float
    files: Mapping[str, str] = field(default_factory=dict)


class Kernels(Protocol):
    """What runs cells: a kernel for each notebook and language, in a sandbox, until it is stopped."""

    def run(self, work: Work) -> AsyncIterator[Output | Updated | Cleared | Ended]:
        """Outputs as they come, then how it ended. One run of a notebook at a time; the next one waits.
        A run that is given up is interrupted."""
        ...

    async def interrupt(self, notebook_id: str) -> bool:
        """Stops what a notebook is running, and keeps its state where that can be done."""
        ...

    async def stop(self, notebook_id: str) -> bool:
        """Ends a notebook's kernels with all that they started; their state and files are gone."""
        ...

    def alive(self) -> set[str]:
        """The notebooks that have a kernel here."""
        ...

    async def sweep(self) -> None:
        """Ends and removes what servers have left that were killed."""
        ...

    def check(self) -> str:
        """How cells are kept apart from everything else; Unsupported where they cannot be."""
        ...

    async def close(self) -> None: ...


class Exports(Protocol):
    """Files of exported notebooks, in a folder for each session; every call blocks."""

    def write(self, session_id: str, files: Mapping[str, str]) -> str | None:
        """Puts files in their place, and returns where the session's folder is on this machine."""
        ...

    def read(self, session_id: str, path: str) -> str | None: ...

    def list(self, session_id: str) -> builtins.list[str]: ...

    def remove(self, session_id: str) -> None: ...

    def sessions(self) -> builtins.list[str]: ...
