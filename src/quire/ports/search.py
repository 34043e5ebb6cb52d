"""The ports to search: words or a vector in, passages out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from quire.ports.store import Tx

if TYPE_CHECKING:
    from quire.domain.documents import Mark
    from quire.domain.passages import Passage


@dataclass(frozen=True, slots=True)
class WordHit:
    """A passage that has some of the words: how well they fit, and how well pairs of them do."""

    seq: int
    score: float
    pairs: float


@dataclass(frozen=True, slots=True)
class SourceHead:
    """What a source is called, and what it came as."""

    id: str
    title: str
    kind: str
    file_name: str | None


class Passages(Protocol):
    """The passages of sources, as they are kept."""

    def by_number(self, tx: Tx, numbers: Sequence[int]) -> dict[int, Passage]:
        """Those that are there, by number."""
        ...

    def titles(self, tx: Tx, notebook_id: str, *, limit: int) -> dict[str, str]:
        """The titles of the sources that have passages, by id, in the order they were added."""
        ...

    def heads(self, tx: Tx, notebook_id: str, *, limit: int) -> list[SourceHead]:
        """The sources that have passages, in the order they were added."""
        ...

    def first_of(self, tx: Tx, source_ids: Sequence[str], *, each: int) -> list[Passage]:
        """The first few passages of each source, in the order of the sources."""
        ...

    def text(self, tx: Tx, source_id: str, version: int) -> str | None:
        """The whole text of a version; None where it is gone."""
        ...

    def marks(self, tx: Tx, source_id: str, version: int) -> list[Mark]:
        """Where pages, headings and the like begin in a version's text; none where the version is gone."""
        ...


class Index(Protocol):
    """Full text. Words are already cut and stemmed; the index only counts them.

    A word weighs by how rare it is in what is searched: the notebook, or all those that are asked for.
    """

    def add(self, tx: Tx, notebook_id: str, rows: Sequence[tuple[int, str, str]]) -> None:
        """Adds passages that are not in it: number, words of the title, words of the text."""
        ...

    def remove(self, tx: Tx, notebook_id: str, seqs: Sequence[int]) -> None:
        """Forgets passages; those that are not in it are passed over."""
        ...

    def drop(self, tx: Tx, notebook_id: str) -> None:
        """Forgets a notebook altogether."""
        ...

    def match(
        self,
        tx: Tx,
        notebook_id: str,
        words: Sequence[str],
        *,
        sources: Sequence[str] | None,
        limit: int,
        also: Sequence[int] = (),
    ) -> list[WordHit]:
        """The best passages of a notebook with any of the words, and those of `also` that have any, best first.

        A word that is given again counts again. The caller sees to it that `also` is of the notebook and the sources.
        """
        ...

    def match_across(
        self, tx: Tx, notebook_ids: Sequence[str], words: Sequence[str], *, limit: int, also: Sequence[int] = ()
    ) -> list[WordHit]:
        """The same in several notebooks, and in no other."""
        ...

    def languages(self, tx: Tx, notebook_ids: Sequence[str]) -> list[str]:
        """The languages of the sources that can be found, each once."""
        ...

    def frequencies(self, tx: Tx, notebook_id: str, words: Sequence[str]) -> tuple[dict[str, int], int]:
        """In how many passages each word stands, and how many there are."""
        ...


class Vectors(Protocol):
    """Vectors of passages, a notebook and a model at a time. Arrays are numpy's, float32, of length one.

    They go with their passages. Whoever adds draws a new generation for the notebook in the same transaction.
    """

    def add(self, tx: Tx, model: str, rows: Sequence[tuple[int, Any]]) -> None:
        """Adds vectors of passages by number; those of passages that are gone or have one are passed over."""
        ...

    def nearest(
        self, tx: Tx, notebook_id: str, model: str, vector: Any, *, sources: Sequence[str] | None, limit: int
    ) -> dict[int, float]:
        """The passages of a notebook nearest in meaning, with their cosine."""
        ...

    def nearest_across(
        self, tx: Tx, notebook_ids: Sequence[str], model: str, vector: Any, *, limit: int
    ) -> dict[int, float]:
        """The same in several notebooks, and in no other."""
        ...

    def of_sources(self, tx: Tx, notebook_id: str, model: str) -> dict[str, Any]:
        """Of each source of a notebook that has vectors, their mean, of length one."""
        ...

    def likeness(self, vectors: Sequence[Any], *, limit: int) -> tuple[list[dict[int, float]], float]:
        """Of each vector the nearest others by number, with their cosine; and the cosine of any two, on average."""
        ...

    def of(self, tx: Tx, model: str, seqs: Sequence[int]) -> dict[int, Any]:
        """The vectors of these passages, as far as they have one of the model."""
        ...


class AnswerJudge(Protocol):
    """Tells how surely texts answer a question. Synchronous: it is called on a thread."""

    name: str
    languages: frozenset[str]

    def judge(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float]:
        """One number for each text, which comes with what stands around it: above zero it rather answers."""
        ...

    def check(self) -> str:
        """Its name, or an error that says what is missing."""
        ...


class PassageJudge(Protocol):
    """Tells how surely the sentences of passages answer a question. Synchronous: it is called on a thread."""

    name: str
    languages: frozenset[str]

    def judge(self, question: str, passages: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        """One number for each sentence of each passage, which comes with what stands over it."""
        ...

    def check(self) -> str:
        """Its name, or an error that says what is missing."""
        ...


Wish = Literal["overview", "documents"]


class QuestionKinds(Protocol):
    """Tells what a question wants where its words alone do not. Synchronous: it is called on a thread."""

    def wish(self, question: str) -> Wish | None:
        """An overview of all sources, or the documents that speak of something; None where it wants neither."""
        ...


class Glossary(Protocol):
    """English words for those of other languages. Synchronous: it is called on a thread."""

    def told(self, word: str, language: str) -> str | None:
        """The English for a word of a language, in small letters, as a dictionary has it; None where none has."""
        ...

    def words_for(self, english: str, language: str) -> Sequence[str]:
        """Words of a language for an English one, as a dictionary has them."""
        ...

    def english(self, words: Sequence[str], likely: Sequence[str] = ()) -> list[tuple[str, float]]:
        """For each word the nearest English one, and how near it is; of the `likely` ones rather than of others."""
        ...

    def is_english(self, words: Sequence[str]) -> bool:
        """Whether all of these are common English words."""
        ...


class Embedder(Protocol):
    """Texts into vectors. Synchronous: it is called on a thread. A `local` one asks nobody else."""

    name: str
    dimensions: int
    languages: frozenset[str] | None
    weight: float
    calibrated: bool
    local: bool

    def embed(self, texts: list[str], kind: Literal["query", "passage"]) -> Any: ...

    def check(self) -> str:
        """Its name, or an error that says what is missing."""
        ...
