"""Overviews: what each source is, in its own words, and how many there are of which kind."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.passages import Passage
from quire.text.asked import Asked
from quire.text.blocks import ENDED
from quire.text.check_citations import Claim, Draft
from quire.text.document_kinds import counted, document_kind
from quire.text.forms.overview_words import MORE, SECTIONS
from quire.text.headings import plain
from quire.text.key_sentences import key_sentences
from quire.text.makers import WritingTask
from quire.text.openings import Opening, Span, cells, is_telling, opening_of, plain_line
from quire.text.quotes import quoted
from quire.text.section_names import section_names
from quire.text.source_intros import SourceIntros

SENTENCES = {"shorter": 1, "default": 2, "longer": 4}
ALONE = {"shorter": 2, "default": 4, "longer": 8}
# Of more sources than these each is told in one sentence.
FEW = 4
# How sure an overview is where every source says itself what it is, and where none does.
SURE, UNSURE = 0.9, 0.6
SECTIONS_SHOWN = 8
# A key sentence is no longer than this; so many more are looked at for some that are fit.
LONGEST, MORE_SENTENCES = 260, 6


def overview(task: WritingTask, asked: Asked) -> Draft | None:
    if task.intros is None:
        return None
    return _Overview(task, task.intros, asked.language).draft()


class _Overview:
    def __init__(self, task: WritingTask, intros: SourceIntros, language: str | None) -> None:
        self._task, self._intros, self._language = task, intros, language or "en"
        self._text = ""
        self._claims: list[Claim] = []
        self._by_source: dict[str, list[int]] = {}
        for at, hit in enumerate(task.hits):
            self._by_source.setdefault(hit.passage.source_id, []).append(at)
        self._openings = {
            id: opening_of(
                [task.hits[at].passage.text for at in places],
                self._passage(places).source_title,
                self._passage(places).language,
            )
            for id, places in self._by_source.items()
        }
        self._files = {head.id: document_kind((), head.kind) for head in intros.heads}
        self._sections = {id: self._sections_of(places) for id, places in self._by_source.items()}

    def draft(self) -> Draft:
        alone = len(self._by_source) == 1
        if not alone and not self._intros.named:
            self._text = counted(self._kinds(), self._language)
        for id, places in self._by_source.items():
            self._tell(id, places, alone=alone)
        if self._intros.left:
            more = MORE.get(self._language, MORE["en"])
            self._text += "\n\n" + more.format(self._intros.left)
        sure = sum(self._openings[id].sure or self._tabular(id) for id in self._openings) / len(self._openings)
        return Draft(self._text, tuple(self._claims), support=UNSURE + (SURE - UNSURE) * sure)

    def _passage(self, places: Sequence[int]) -> Passage:
        return self._task.hits[places[0]].passage

    def _kinds(self) -> list[str]:
        found = []
        for head in self._intros.heads:
            opening, places = self._openings.get(head.id), self._by_source.get(head.id, ())
            titles = [head.title]
            if opening is not None and opening.title is not None:
                titles.append(plain_line(self._written(places, opening.title)))
            found.append(document_kind(titles, head.kind, self._sections.get(head.id, ())))
        return found

    def _sections_of(self, places: Sequence[int]) -> list[str]:
        if self._task.reader is None:
            return []
        passage = self._passage(places)
        own = self._openings[passage.source_id].title
        titles = [passage.source_title, *([plain_line(self._written(places, own))] if own else [])]
        return section_names(self._task.reader.marks(passage), titles)

    def _written(self, places: Sequence[int], span: Span) -> str:
        return self._task.hits[places[span.at]].passage.text[span.start : span.end]

    def _tell(self, id: str, places: Sequence[int], *, alone: bool) -> None:
        """One source: what it is called, what tells of it, and what its sections are where those tell more."""
        opening, sections = self._openings[id], self._sections[id]
        title = " ".join(self._passage(places).source_title.split())
        spans = self._spans(id, places, alone=alone)
        self._text += "\n\n" if self._text else ""
        begin = len(self._text)
        self._text += title
        if opening.title is not None and opening.title in spans and not self._adds(places, opening):
            spans.remove(opening.title)
            self._claim(begin, places, opening.title)
        self._text += ":" if spans else ""
        for span in spans:
            self._quote(places, span)
        listed = len(sections) > 1 and (alone or self._intros.wish.depth == "topics" or not opening.sure)
        if listed and not self._tabular(id):
            shown = ", ".join(sections[:SECTIONS_SHOWN]) + (", …" if len(sections) > SECTIONS_SHOWN else "")
            self._set_off()
            listed_as = SECTIONS.get(self._language, SECTIONS["en"]).format(shown)
            self._text += f" {listed_as[:-1] if ENDED.search(shown) else listed_as}"

    def _tabular(self, id: str) -> bool:
        opening = self._openings[id]
        return bool(opening.rows) and (opening.tabular or self._files[id] == "table") and not opening.sure

    def _spans(self, id: str, places: Sequence[int], *, alone: bool) -> list[Span]:
        opening, sections = self._openings[id], self._sections[id]
        if self._tabular(id):
            return list(opening.rows)
        spans: list[Span] = []
        if opening.title is not None and (not opening.sure or self._adds(places, opening)):
            spans.append(opening.title)
        deep = self._intros.wish.depth == "content" and (alone or len(self._by_source) <= FEW)
        if opening.telling and (opening.sure or deep or not (spans and len(sections) > 1)):
            spans.append(opening.telling[0])
        if deep:
            limit = (ALONE if alone else SENTENCES)[self._task.configuration.length]
            spans += self._key_sentences(places, spans, limit - 1)
        return spans or list(opening.rows) or ([opening.first] if opening.first else [])

    def _adds(self, places: Sequence[int], opening: Opening) -> bool:
        """Whether the heading that a source has for itself says more than the title that it has here."""
        assert opening.title is not None
        heading = plain_line(self._written(places, opening.title)).casefold()
        return heading not in self._passage(places).source_title.casefold()

    def _key_sentences(self, places: Sequence[int], told: Sequence[Span], limit: int) -> list[Span]:
        passages = [self._task.hits[at].passage for at in places]
        found = key_sentences([passage.text for passage in passages], passages[0].language, limit + MORE_SENTENCES)
        fit = [Span(*one) for one in found if is_telling(self._written(places, Span(*one)))]
        return [one for one in fit if one not in told and one.end - one.start <= LONGEST][: max(0, limit)]

    def _quote(self, places: Sequence[int], span: Span) -> None:
        written = self._written(places, span)
        quote = " | ".join(filter(None, cells(written))) if written.startswith("|") else plain(quoted(written))
        self._set_off()
        self._text += " "
        begin = len(self._text)
        self._text += plain_line(quote) if written.startswith("#") else quote
        self._claim(begin, places, span)

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
