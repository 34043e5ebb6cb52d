"""Notebooks on their way from one library to another: what came over, as what, and what could not."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

ThingKind = Literal["notebook", "chat settings", "source", "note", "label", "conversation", "artifact"]
MovedAs = Literal["itself", "file", "address", "text", "note", "files on disk", "nothing"]
Pages = Literal["address", "text"]


class Moved(BaseModel):
    """One thing: as what it came over, which thing it is there, and what of it was lost on the way.

    In a dry run `moved_as` is what would be tried first.
    """

    model_config = ConfigDict(frozen=True)

    kind: ThingKind
    id: str
    title: str
    moved_as: MovedAs
    new_id: str | None = None
    lost: str = ""


class TransferReport(BaseModel):
    """`before` counts the things that an earlier run had moved; `files` is the folder that files were saved in."""

    origin: str
    target: str
    notebook_id: str
    title: str
    new_id: str | None = None
    dry_run: bool = False
    before: int = 0
    moved: list[Moved] = []
    not_moved: list[Moved] = []
    files: str | None = None

    @property
    def lossy(self) -> list[Moved]:
        """What came over, though not all of it."""
        return [one for one in self.moved if one.lost]
