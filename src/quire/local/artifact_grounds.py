"""What artifacts say that was not made here, or not by Quire, held against the texts of their notebook's sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from quire.domain.grounding import Grounds, Statement
from quire.ports.store import Tx


def texts_cited(tx: Tx, notebook_id: str, content: BaseModel) -> dict[tuple[str, int], str]:
    """The texts that a content cites, as far as they are of sources of this notebook."""
    own = {row["id"] for row in tx.all("source_states", notebook_id=notebook_id)}
    found = {}
    for source_id, version in {(one.source_id, one.version) for one in all_grounds(content)}:
        row = tx.one("version_text", id=source_id, version=version) if source_id in own else None
        if row is not None:
            found[source_id, version] = row["text"]
    return found


def all_grounds(content: Any) -> Iterator[Grounds]:
    """All grounds in a content, of statements and of rows of tables."""
    for one in _values(content):
        if isinstance(one, Grounds):
            yield one


def statements(content: Any) -> Iterator[Statement]:
    """All statements of a content, however deep."""
    for one in _values(content):
        if isinstance(one, Statement):
            yield one


def _values(content: Any) -> Iterator[Any]:
    if isinstance(content, BaseModel):
        yield content
        for name in type(content).model_fields:
            yield from _values(getattr(content, name))
    elif isinstance(content, list | tuple):
        for one in content:
            yield from _values(one)
    elif isinstance(content, dict):
        for one in content.values():
            yield from _values(one)


def marked(content: BaseModel, verdicts: list[bool]) -> Any:
    """The content as JSON, each statement with its verdict, in their order."""
    told = iter(verdicts)

    def walked(value: Any) -> Any:
        if isinstance(value, dict):
            if {"text", "grounds", "verified"} <= value.keys():
                return value | {"verified": next(told)}
            return {key: walked(one) for key, one in value.items()}
        return [walked(one) for one in value] if isinstance(value, list) else value

    return walked(content.model_dump(mode="json"))
