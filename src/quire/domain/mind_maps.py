"""Mind maps: a tree of topics, each with a passage that speaks of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict

from quire.domain.grounding import Statement


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
