"""Overviews: what each source is, in its own words, and how many there are of which kind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from quire.domain.documents import Mark
from quire.domain.passages import Passage
from quire.text.asked import Asked
from quire.text.blocks import ENDED
from quire.text.check_citations import Claim, Draft
from quire.text.document_kinds import counted, document_kind
from quire.text.forms.overview_words import MORE, SECTIONS
from quire.text.makers import WritingTask
from quire.text.openings import Span
from quire.text.source_intros import SourceIntros
from quire.text.told_sources import ToldSource
from quire.text.words import language_code

# So many sentences are told of each source; of each of a few that the question names; of one, and of one that is long.
SENTENCES = {"shorter": (1, 1), "default": (2, 2), "longer": (4, 4)}
NAMED = {"shorter": (2, 2), "default": (4, 4), "longer": (7, 7)}
ALONE = {"shorter": (3, 5), "default": (8, 12), "longer": (12, 20)}
# Of more sources than these each is told in one sentence.
FEW = 4
# Up to so many, each with its heading beside the sentence that tells what it is.
HEADED = 8
# How sure an overview is where every source says itself what it is, and where none does.
SURE, UNSURE = 0.9, 0.6
SECTIONS_SHOWN = 8


def overview(task: WritingTask, asked: Asked) -> Draft | None:
    spoken = language_code(task.language) or asked.language or "en"
    return None if task.intros is None else _Overview(task, task.intros, spoken).draft()


class _Overview:
    def __init__(self, task: WritingTask, intros: SourceIntros, language: str) -> None:
        self._task, self._intros, self._language = task, intros, language
        self._text = ""
        self._claims: list[Claim] = []
        self._places: dict[str, list[int]] = {}
        for at, hit in enumerate(task.hits):
            self._places.setdefault(hit.passage.source_id, []).append(at)
        self._told = {
            head.id: self._source(head.kind, [task.hits[at].passage for at in self._places[head.id]])
            for head in intros.heads
            if head.id in self._places
        }

    def draft(self) -> Draft:
        alone = len(self._told) == 1
        if not alone and not self._intros.named:
            heads = self._intros.heads
            # Of sources that are not opened only the title is known; all are told by the same.
            kinds = [
                document_kind([head.title], head.kind) if self._intros.left else self._told[head.id].kind
                for head in heads
            ]
            self._text = counted(kinds, self._language)
        for id, source in self._told.items():
            self._tell(source, self._places[id], alone=alone)
        if self._intros.left:
            self._text += "\n\n" + MORE.get(self._language, MORE["en"]).format(self._intros.left)
        sure = sum(source.sure for source in self._told.values()) / len(self._told)
        return Draft(self._text, tuple(self._claims), support=UNSURE + (SURE - UNSURE) * sure)

    def _source(self, kind: str, passages: Sequence[Passage]) -> ToldSource:
        first = passages[0]
        texts = [passage.text for passage in passages]
        return ToldSource(first.source_title, texts, first.language, kind, partial(self._marks, first))

    def _marks(self, passage: Passage) -> Sequence[Mark]:
        return self._task.reader.marks(passage) if self._task.reader else ()

    def _tell(self, source: ToldSource, places: Sequence[int], *, alone: bool) -> None:
        """One source: what it is called, what tells of it, and what its sections are where those tell more."""
        depth, title = self._intros.wish.depth, source.opening.title
        deep = (depth == "content" and len(self._told) <= FEW) or (alone and self._intros.named)
        named = self._intros.named and len(self._told) <= FEW
        lengths = ALONE if alone else NAMED if named else SENTENCES
        spans = source.spans(*lengths[self._task.configuration.length]) if deep else source.spans(0)
        self._text += "\n\n" if self._text else ""
        begin = len(self._text)
        self._text += source.title
        if title in spans[:-1] and len(self._told) > HEADED:
            spans.remove(title)
        if title is not None and title in spans and not source.adds_title:
            spans.remove(title)
            self._claim(begin, places, title)
        self._text += ":" if spans else ""
        for span in spans:
            self._set_off()
            self._text += " "
            begin = len(self._text)
            self._text += source.shown(span)
            self._claim(begin, places, span)
        if (alone or depth == "topics" or not source.sure) and not source.tabular and len(source.sections) > 1:
            self._list(source.sections)

    def _list(self, sections: Sequence[str]) -> None:
        shown = ", ".join(sections[:SECTIONS_SHOWN]) + (", …" if len(sections) > SECTIONS_SHOWN else "")
        listed = SECTIONS.get(self._language, SECTIONS["en"]).format(shown)
        self._set_off()
        self._text += f" {listed[:-1] if ENDED.search(shown) else listed}"

    def _set_off(self) -> None:
        """A full stop behind what was cited last, where it has none of its own."""
        if self._text.endswith("]") and not ENDED.search(self._text[: self._claims[-1].answer_end]):
            self._text += "."

    def _claim(self, begin: int, places: Sequence[int], span: Span) -> None:
        """What stands in the answer from `begin` on rests on a span."""
        passage = self._task.hits[places[span.at]].passage
        start, end = passage.start + span.start, passage.start + span.end
        self._claims.append(Claim(begin, len(self._text), places[span.at], start, end, verified=True))
        self._text += f" [{len(self._claims)}]"
