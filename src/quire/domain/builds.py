"""Builds: what a book is, told by one hash, and what has changed since another."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from quire.domain.books import HASH, Fact
from quire.domain.errors import InvalidInput
from quire.domain.pages import Page

ManifestHash = Annotated[
    str,
    Field(
        description="The manifest hash of what you have, as a plan or an archive told it.",
        json_schema_extra={"pattern": "^[0-9a-fA-F]{64}$"},
    ),
]


class FileChange(Fact):
    """A file that is to be built again, or taken away."""

    path: str
    change: Literal["added", "modified", "deleted"]
    file_hash: str | None
    file_size: int | None


class BuildPlan(Page[FileChange]):
    """What leads from one state of a book to the next. `full`: the one that you have is not known, so take all."""

    book_id: str
    status: Literal["unchanged", "changed", "full"]
    manifest_hash: str
    since: str | None


def manifest_hash(files: Mapping[str, str]) -> str:
    """The SHA-256 of what sha256sum prints for a book's files, in the order of their paths."""
    told = "".join(f"{files[path]}  {path}\n" for path in sorted(files))
    return hashlib.sha256(told.encode()).hexdigest()


def check_manifest_hash(given: str | None, field: str = "manifest_hash") -> str | None:
    if given is not None and not HASH.fullmatch(given):
        raise InvalidInput(f"{field}: must be a SHA-256 in 64 hexadecimal digits.", field=field)
    return None if given is None else given.lower()
