"""Mind maps: a tree of topics, each with a passage that speaks of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from quire.domain.artifacts import ArtifactState
from quire.domain.grounding import Statement

MindMapForm = Literal["interactive", "note"]


class MindMapOptions(BaseModel):
    model_config = ConfigDict(extra="forbid")


class MindMapNode(BaseModel):
    name: str
    children: list[MindMapNode] = []
    statement: Statement | None = None

    def walk(self, depth: int = 0) -> Iterator[tuple[int, MindMapNode]]:
        yield depth, self
        for child in self.children:
            yield from child.walk(depth + 1)

    def plain(self) -> dict[str, Any]:
        """Names and children, as other programs know mind maps."""
        return {"name": self.name, "children": [child.plain() for child in self.children]}


class MindMap(BaseModel):
    title: str
    language: str = "en"
    root: MindMapNode
    words: dict[str, str] = {}
    sources: list[str] = []
    remark: str = ""


class KeptMindMap(BaseModel):
    """A mind map by its name: an interactive artifact, or a note that holds its tree."""

    model_config = ConfigDict(frozen=True)

    id: str
    title: str
    kind: MindMapForm
    state: ArtifactState = "ready"


def is_tree(content: str) -> bool:
    """Whether a note's text is a mind map: an object with a name and children."""
    if not content.lstrip().startswith("{") or '"children"' not in content:
        return False
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and isinstance(found.get("name"), str) and isinstance(found.get("children"), list)
