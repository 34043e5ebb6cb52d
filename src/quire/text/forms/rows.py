"""Rows: a value out of a table, or of a labelled line, with what it is called; all that fit, told apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quire.domain.documents import Document
from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.forms.question_words import LIGHTEST, QuestionWords
from quire.text.makers import WritingTask
from quire.text.question_tables import Wanted
from quire.text.questions import asked_for
from quire.text.quotes import quoted
from quire.text.structure.lines import labelled, short_line, titled
from quire.text.structure.parts import Field, Part, Row, Table
from quire.text.structure.views import SourceView
from quire.text.value_types import Quantity, can_answer, is_of_type, label_fits, type_words
from quire.text.wanted import EXACT, STRICT
from quire.text.words import tokens

KINDS = frozenset({"fact", "list", "yes-no", "definition", "steps"})
# So much of a question must be found around a value, and so much of a label in the question.
LEAST_SHARE, LEAST_LABEL = 0.6, 0.5
LEAST_WHOLE, LEAST_PLAINLY, LEAST_KEY = 0.85, 0.5, 0.55
# A value around which less of the question is found is less sure.
SURE_SHARE = 0.8
# What a word of the question before counts.
EARLIER = 0.3
# Several rows that fit alike are all told up to this number; more only where a list is asked for.
TOLD, LISTED = 3, 40
TYPED_BONUS = 0.05
# So much of a word's stem stands in all its forms.
BEGINNING = 3
NAMED_SUPPORT, TYPED_SUPPORT = 0.95, 0.85
# Things one after the other.
# What columns are called that tell what to do.
ACTION = re.compile(
    r"\bwhat to do\b|\b(?:actions?|remed(?:y|ies)|solutions?|fix|measures?|steps?|response|maßnahmen?|abhilfe|was tun"
    r"|lösung|que faire|remède|mesures?|qué hacer|acción|solución|medidas?|что делать|решение|действи[ея]|меры)\b"
    r"|措施|处理|解决|对策",
    re.IGNORECASE,
)
ENUMERATION = re.compile(r"[^,;、]{2}[,;、]\s?[^,;、]{2}|\w (?:and|or|und|oder|et|ou|y|o|и|или) \w|[和或与]")
PLACES = {
    "en": ("page", "slide", "sheet"),
    "de": ("Seite", "Folie", "Blatt"),
    "fr": ("page", "diapositive", "feuille"),
    "es": ("página", "diapositiva", "hoja"),
    "ru": ("стр.", "слайд", "лист"),
    "zh": ("页", "幻灯片", "工作表"),
}


@dataclass(frozen=True)
class Fact:
    """A value with its label; `key` names the row. `share` of the question is found around it, `named` says how far
    the label is in the question, `keyed` how far the key is."""

    view: SourceView
    start: int
    end: int
    key: str
    label: str
    value: str
    share: float
    named: float
    keyed: float
    shown: str

    @property
    def rank(self) -> tuple[float, float, float]:
        return round(self.share, 3), round(self.keyed, 2), round(self.named, 2)


def rows(task: WritingTask, asked: Asked) -> Draft | None:
    """The value that a question names by its row and column, where a table or a labelled line has it."""
    if asked.kind not in KINDS or asked.parts or asked.wanted == "reason":
        return None
    facts = [fact for view in task.views for fact in _facts(view, QuestionWords(task, asked, view.language), asked)]
    if not facts:
        return None
    best = max(fact.rank for fact in facts)
    found = list({(fact.view.passage.source_id, fact.start): fact for fact in facts if fact.rank == best}.values())
    told = _without_repetitions(found)
    if len(told) > (LISTED if asked.kind == "list" else TOLD):
        return None
    sure = best[0] >= SURE_SHARE
    support = (NAMED_SUPPORT if best[2] else TYPED_SUPPORT) * (0.6 + 0.4 * best[0]) - 0.1 * (len(told) > 1)
    return replace(cited(task, _quotes(task, asked, told), support), sure=sure)


def _without_repetitions(facts: Sequence[Fact]) -> list[Fact]:
    return list({fact.shown.casefold(): fact for fact in reversed(facts)}.values())[::-1]


def _quotes(task: WritingTask, asked: Asked, facts: Sequence[Fact]) -> list[Quote]:
    if len(facts) == 1 or asked.kind == "list":
        return [Quote(fact.view, fact.start, fact.end, fact.shown) for fact in facts]
    places = [_place(task, asked, fact) for fact in facts]
    if len({fact.view.title for fact in facts}) > 1:
        places = [", ".join(filter(None, (fact.view.title, place))) for fact, place in zip(facts, places, strict=True)]
    apart = len(set(places)) > 1
    return [
        Quote(fact.view, fact.start, fact.end, f"{fact.shown} ({place})" if apart and place else fact.shown)
        for fact, place in zip(facts, places, strict=True)
    ]


def _place(task: WritingTask, asked: Asked, fact: Fact) -> str:
    """Where in its source a fact stands: on a page, a slide or a sheet, else under a heading."""
    passage = fact.view.passage
    place = passage.place
    if task.reader is not None and (marks := task.reader.marks(passage)):
        place = Document(text="", marks=marks).place(passage.start + fact.start)
    page, slide, sheet = PLACES.get(asked.language or "en", PLACES["en"])
    for word, label in ((page, place.page), (slide, place.slide), (sheet, place.sheet)):
        if label:
            return f"{word} {label}"
    return place.heading or ""


def _facts(view: SourceView, words: QuestionWords, asked: Asked) -> Iterator[Fact]:
    parts = view.parts
    for part in parts:
        if isinstance(part, Table) and part.head is not None:
            yield from _TableFacts(view, part, part.head, words, asked).found()
    for group in _records(parts):
        yield from _labelled_facts(view, group, words, asked)
    if asked.kind == "definition":
        yield from _roles(view, words)


def _records(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Parts that tell of one thing: a table, and what stands under one heading."""
    group: list[Part] = []
    for part in parts:
        if isinstance(part, Table):
            yield [part]
        else:
            if group and group[-1].section is not part.section:
                yield group
                group = []
            group.append(part)
    if group:
        yield group


class _TableFacts:
    """The facts of a table with a head."""

    def __init__(self, view: SourceView, table: Table, head: Row, words: QuestionWords, asked: Asked) -> None:
        self._view, self._table, self._words, self._asked = view, table, words, asked
        self._wanted: Wanted = "thing" if asked.kind == "steps" else asked.wanted
        self._quantity = Quantity(asked.question)
        self._heads = [view.said(cell) for cell in head.cells]
        self._around = words.among(view.context(table), meant=True)
        heads = [tokens(label, view.language) for label in self._heads]
        self._in_head = [words.among(found, meant=True) for found in heads]
        self._named = [_precision(words, found) for found in heads]

    def found(self) -> Iterator[Fact]:
        beginnings = {word[:BEGINNING] for word in self._words.words}
        for row in self._table.rows:
            said = self._view.text[row.start : row.end].casefold()
            if any(beginning in said for beginning in beginnings):
                yield from self._row(row)

    def _row(self, row: Row) -> Iterator[Fact]:
        view, words = self._view, self._words
        cells = [view.said(cell) for cell in row.cells]
        found = [words.among(tokens(cell, view.language)) for cell in cells]
        keys = [column for column, has in enumerate(found) if has]
        inside = frozenset[str]().union(*found)
        if not keys or not (inside & frozenset(words.own) or self._own_is_label()):
            return
        column, typed = self._column(cells, keys)
        # Who or what something is, is no value of a row that has more in its name.
        if column is None or (typed and self._asked.kind == "definition"):
            yield from self._whole(row, cells, found)
            return
        entity = frozenset[str]().union(*(has for at, has in enumerate(found) if at != column))
        if not entity:
            return
        matched = entity | self._in_head[column] | self._around | frozenset[str]().union(*self._in_head)
        if words.named - matched:
            return
        key = self._key(cells, found, column)
        precision = _precision(words, tokens(key, view.language))
        keyed = sum(words.weights.get(word, EARLIER) for word in entity) * precision
        label = self._head(column)
        if typed and precision < LEAST_KEY:
            return
        if typed:
            asking = [*tokens(" ".join(self._quantity.words), view.language), *type_words(self._wanted, view.language)]
            matched |= words.among(asking)
        share = min(1.0, words.share(matched) + (TYPED_BONUS if typed else 0.0))
        if share < (LEAST_PLAINLY if precision == 1.0 and (label or typed) else LEAST_SHARE):
            return
        named = 0.0 if typed else self._named[column]
        shown = cells[column] if self._asked.kind == "list" else f"{key}: {label} {cells[column]}".replace(":  ", ": ")
        yield Fact(view, row.start, row.end, key, label, cells[column], share, named, keyed, shown)

    def _whole(self, row: Row, cells: Sequence[str], found: Sequence[frozenset[str]]) -> Iterator[Fact]:
        """All of a row whose name is all that the question names, where it does not ask for a thing of some type."""
        view, words = self._view, self._words
        key = next((at for at, cell in enumerate(cells) if cell), 0)
        named = _precision(words, tokens(cells[key], view.language))
        matched = found[key] | self._around | self._in_head[key]
        if self._wanted != "thing" or self._asked.kind == "list" or named < 1.0 or not found[key]:
            return
        if words.share(matched) < LEAST_WHOLE or words.named - matched:
            return
        others = [f"{self._head(at)} {cell}".strip() for at, cell in enumerate(cells) if cell and at != key]
        shown = f"{cells[key]}: {'; '.join(others)}"
        yield Fact(view, row.start, row.end, cells[key], "", "", words.share(matched), 0.0, 1.0, shown)

    def _key(self, cells: Sequence[str], found: Sequence[frozenset[str]], column: int) -> str:
        """The cells that name the row: each has a word of the question that those before it have not."""
        seen: frozenset[str] = frozenset()
        named = []
        for at, has in enumerate(found):
            if at != column and has - seen:
                named.append(cells[at])
                seen |= has
        return " ".join(named)

    def _head(self, column: int) -> str:
        return self._heads[column] if column < len(self._heads) else ""

    def _own_is_label(self) -> bool:
        """Whether all that the question itself says is which column it means: the row was named before."""
        return self._words.heavy <= frozenset[str]().union(*self._in_head) | self._around

    def _column(self, cells: Sequence[str], keys: Sequence[int]) -> tuple[int | None, bool]:
        """The column that is asked for, and whether it was only told by the type of what is wanted."""
        wanted, language = self._wanted, self._view.language
        others = [at for at in range(min(len(cells), len(self._heads))) if cells[at] and at not in keys]
        named = [
            at
            for at in (others or keys)
            if self._named[at] >= LEAST_LABEL
            and (self._named[at] == 1.0 or self._words.telling(self._in_head[at]))
            and can_answer(wanted, self._heads[at], cells[at], language)
        ]
        if named or self._asked.kind == "list":
            if not named:
                return None, False
            own = frozenset(self._words.own)
            return max(named, key=lambda at: (len(self._in_head[at] & own), self._named[at], -at)), False
        if self._asked.kind == "steps":
            typed = [at for at in others if ACTION.search(self._heads[at])]
            return (typed[0], True) if len(typed) == 1 else (None, False)
        if self._quantity:
            typed = [at for at in others if self._quantity.named_by(self._heads[at], language)]
            typed = typed or [at for at in others if self._quantity.measured_in(f"{self._heads[at]} {cells[at]}")]
            typed = [at for at in typed if any(letter.isdigit() for letter in cells[at])]
            if typed or wanted == "number":
                return (typed[0], True) if len(typed) == 1 else (None, False)
        fitting = [at for at in others if label_fits(wanted, self._heads[at], language)]
        fitting = [at for at in fitting if wanted not in EXACT or any(letter.isdigit() for letter in cells[at])]
        typed = fitting or [at for at in others if wanted != "thing" and is_of_type(wanted, cells[at])]
        return (typed[0], True) if len(typed) == 1 else (None, False)


def _precision(words: QuestionWords, found: Sequence[str], asking: frozenset[str] = frozenset()) -> float:
    """How much of a label or a key is in the question, or only says what type of thing it is, as the question does."""
    asked = frozenset(words.words)
    named = [word for word in found if words.has(asked, word, meant=True)]
    typed = [word for word in found if word in asking and word not in named]
    return (len(named) + len(typed)) / len(found) if named else 0.0


def _labelled_facts(view: SourceView, group: Sequence[Part], words: QuestionWords, asked: Asked) -> Iterator[Fact]:
    """Values whose label the question names, where all else that it names stands in the same record."""
    record: frozenset[str] | None = None
    focus = tokens(asked_for(asked.question), view.language) if asked.wanted not in STRICT else []
    for part in group:
        titled_ones = titled(view.text, part) if asked.kind == "list" else ()
        asking = type_words(asked.wanted, view.language)
        for field in [*labelled(view.text, part), *titled_ones, *_short(view, part, words, asking)]:
            label, value = view.said(field.label), view.said(field.value)
            if asked.kind == "list" and not ENUMERATION.search(value):
                continue
            found = tokens(label, view.language)
            named = _precision(words, found, asking)
            if named < LEAST_LABEL or not can_answer(asked.wanted, label, value, view.language):
                continue
            if record is None:
                text = "\n".join(view.text[one.start : one.end] for one in group)
                record = words.among([*tokens(text, view.language), *view.context(part)])
            in_label = words.among(found, meant=True)
            if named < 1.0 and not words.telling(in_label):
                continue
            matched = in_label | record | words.among(view.context(part), meant=True)
            if focus and not any(
                words.has([*found, *tokens(value, view.language)], word, meant=True) for word in focus
            ):
                continue
            if asked.kind == "list" and words.heads[0] not in in_label:
                continue
            if words.named - matched or not (
                in_label & frozenset(words.own) or (words.heavy and words.heavy <= record & words.named)
            ):
                continue
            share = words.share(matched | words.among(asking))
            if share < LEAST_SHARE:
                continue
            yield Fact(
                view,
                field.start,
                field.end,
                "",
                label,
                value,
                share,
                named * len(in_label),
                sum(words.weights.get(word, EARLIER) for word in matched),
                _readable(view, part, field),
            )


def _roles(view: SourceView, words: QuestionWords) -> Iterator[Fact]:
    """Labels of just what a question wants to know the meaning of: what someone is, where a form names them."""
    own = frozenset(words.own)
    for part in view.parts:
        for field in labelled(view.text, part):
            value = tokens(view.said(field.value), view.language)
            if value and len(value) <= len(own) and own <= words.among(value) and len(value) == len(set(value)):
                label, shown = view.said(field.label), _readable(view, part, field)
                yield Fact(view, field.start, field.end, "", label, view.said(field.value), 1.0, 0.0, 1.0, shown)


def _readable(view: SourceView, part: Part, field: Field) -> str:
    if isinstance(part, Table):
        value = " ".join(piece.strip() for piece in view.said(field.value).split("|") if piece.strip(" :"))
        return f"{view.said(field.label)} {value}"
    title = "\n" in view.text[field.label[1] : field.value[0]]
    return quoted(view.said(field.value) if title else view.text[field.start : field.end])


def _all_in(words: QuestionWords, asked: frozenset[str], label: Sequence[str], asking: frozenset[str]) -> bool:
    heavy = [word for word in asked if words.weights.get(word, EARLIER) > LIGHTEST]
    return any(words.has(heavy, word) for word in label) and all(
        word in asking or words.has(asked, word, meant=True) for word in label
    )


def _short(view: SourceView, part: Part, words: QuestionWords, asking: frozenset[str]) -> Iterator[Field]:
    """A short line whose first words the question has, and not only to name the source, and whose others it has not."""
    said = view.text[part.start : part.end]
    if ":" in said or not short_line(view.text, part):
        return
    pieces = said.split(" ")
    asked = frozenset(words.words) - words.among(tokens(view.title, view.language))
    for cut in range(len(pieces) - 1, 0, -1):
        label = tokens(" ".join(pieces[:cut]), view.language)
        if label and _all_in(words, asked, label, asking):
            at = part.start + len(" ".join(pieces[:cut]))
            rest = tokens(" ".join(pieces[cut:]), view.language)
            if rest and not any(words.has(words.words, word) for word in rest):
                yield Field(part.start, part.end, (part.start, at), (at + 1, part.end))
            return
