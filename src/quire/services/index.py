"""The port to full text: words in, passages out, a notebook at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from quire.services.ports import Tx


@dataclass(frozen=True)
class WordHit:
    """A passage that has some of the words: how well they fit, and how well pairs of them do."""

    seq: int
    score: float
    pairs: float


class Index(Protocol):
    """Words are already cut and stemmed; the index only counts them."""

    def add(self, tx: Tx, notebook_id: str, rows: Sequence[tuple[int, str, str]]) -> None:
        """Adds passages: number, words of the title, words of the text."""
        ...

    def remove(self, tx: Tx, notebook_id: str, seqs: Sequence[int]) -> None: ...

    def drop(self, tx: Tx, notebook_id: str) -> None:
        """Forgets a notebook altogether."""
        ...

    def match(
        self, tx: Tx, notebook_id: str, words: Sequence[str], *, sources: Sequence[str] | None, limit: int
    ) -> list[WordHit]:
        """Passages with any of the words, best first."""
        ...

    def frequencies(self, tx: Tx, notebook_id: str, words: Sequence[str]) -> tuple[dict[str, int], int]:
        """In how many passages each word stands, and how many there are."""
        ...


class Vectors(Protocol):
    """Vectors of passages, a notebook and a model at a time. Arrays are numpy's, float32, of length one."""

    def stored(self, vector: Any) -> Any:
        """A vector as the store keeps it."""
        ...

    def nearest(
        self, tx: Tx, notebook_id: str, model: str, vector: Any, *, sources: Sequence[str] | None, limit: int
    ) -> dict[int, float]:
        """The passages nearest in meaning, with their cosine."""
        ...


class Embedder(Protocol):
    """Texts into vectors. Synchronous: it is called on a thread."""

    name: str
    dimensions: int
    languages: frozenset[str] | None
    weight: float
    calibrated: bool

    def embed(self, texts: list[str], kind: Literal["query", "passage"]) -> Any: ...

    def check(self) -> str:
        """Its name, or an error that says what is missing."""
        ...
