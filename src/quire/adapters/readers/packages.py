"""Office Open XML packages: parts in a zip file, tied together by relationships."""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from quire.adapters.readers.archives import Archive, resolved
from quire.adapters.readers.failures import damaged
from quire.adapters.readers.markup import Element, child, parse_xml


class Relation(NamedTuple):
    """`kind` is the last word of the relationship's type, the same in the strict and the transitional form."""

    kind: str
    target: str
    external: bool


class Package:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._relations: dict[str, dict[str, Relation]] = {}

    @property
    def main(self) -> str:
        """The name of the part that is the document itself."""
        found = self.first("", "officeDocument")
        if found is None:
            raise damaged(self.archive.what)
        return found

    @property
    def title(self) -> str | None:
        properties = self.tree(self.first("", "core-properties"))
        title = child(properties, "title")
        return None if title is None else title.text

    def tree(self, part: str | None) -> Element | None:
        """A part's root element; None where there is no such part."""
        data = self.archive.get(part) if part else None
        return parse_xml(data) if data is not None else None

    def relations(self, part: str) -> dict[str, Relation]:
        """What a part refers to, by id; an empty name stands for the package."""
        if part not in self._relations:
            folder, name = posixpath.split(part)
            root = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
            found = {}
            for element in root if root is not None else ():
                external = element.get("TargetMode") == "External"
                target = element.get("Target") or ""
                found[element.get("Id") or ""] = Relation(
                    (element.get("Type") or "").rpartition("/")[2],
                    target if external else resolved(part, target),
                    external,
                )
            self._relations[part] = found
        return self._relations[part]

    def all(self, part: str, kind: str) -> list[str]:
        """The parts of a kind that a part refers to."""
        return [found.target for found in self.relations(part).values() if found.kind == kind and not found.external]

    def first(self, part: str, kind: str) -> str | None:
        return next(iter(self.all(part, kind)), None)
