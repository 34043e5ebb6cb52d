"""What a judge of answers is shown of a sentence: itself, and what stands around it that says what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from quire.ports.search import AnswerJudge, Glossary, PassageJudge
from quire.text.asked import Asked
from quire.text.blocks import ORNAMENT, TextBlock, blocks, columns_over
from quire.text.candidates import ASKS, ScoredPassage
from quire.text.glosses import Glosser, glossed_languages
from quire.text.words import language_code, language_of

TITLE, HEADING, HEAD, COLUMNS, BEFORE = 60, 60, 120, 160, 160
MOST_LIKELY = 400
# What is said of a sentence alone and where it stands count so much. Among many sentences of many passages the best
# seems to answer more often than it does: so much is taken from what is said where they stand.
ALONE, IN_PASSAGE, EAGER = 0.35, 0.65, 0.3


class Page(NamedTuple):
    """What a judge of passages reads: all sentences of a passage, and what stands over it."""

    head: str
    sentences: tuple[str, ...]


class Shown(NamedTuple):
    """A sentence, a row or a list with what stands over and before it, and their language; and where it stands: the
    sentences `first` to `last` of a page."""

    text: str
    around: str
    language: str | None = None
    page: Page | None = None
    first: int = 0
    last: int = 0


# How surely each of some texts answers a question in a language: above zero, it rather does; None where it cannot be
# read.
Judge = Callable[[str, str | None, Sequence[Shown]], Sequence[float | None]]

# Texts, each with its language, in English words.
InEnglish = Callable[[Sequence[tuple[str, str | None]]], list[str]]

ENGLISH = "en"
PLAIN_WORD = re.compile(r"[a-z]{3,}")


class Judging:
    """A judge that reads English, and other languages by English words for theirs. What it has read it remembers.

    Where there is a judge of passages, too, what it says counts beside."""

    def __init__(
        self, judge: AnswerJudge, glossary: Glossary | None = None, passage_judge: PassageJudge | None = None
    ) -> None:
        self._judge, self._glossary = judge, glossary
        self._read = frozenset({ENGLISH}) | (frozenset() if glossary is None else glossed_languages())
        self._known: dict[tuple[str, str, Shown], float] = {}
        self._in_passages = None if passage_judge is None else InPassages(passage_judge)

    def __call__(self, question: str, language: str | None, texts: Sequence[Shown]) -> list[float | None]:
        asked_in, readable = self._readable(question, language, texts)
        fresh = [one for one in readable if (question, asked_in, one) not in self._known]
        if fresh:
            said, in_english = self._in_english(question, asked_in, fresh)
            read = in_english([(part, one.language) for one in fresh for part in (one.text, one.around)])
            verdicts = self._judge.judge(said, list(zip(read[::2], read[1::2], strict=True)))
            if self._in_passages:
                standing = self._in_passages.scores((question, asked_in), said, fresh, in_english)
                verdicts = [
                    verdict if score is None else ALONE * verdict + score
                    for verdict, score in zip(verdicts, standing, strict=True)
                ]
            self._known.update(zip(((question, asked_in, one) for one in fresh), verdicts, strict=True))
        return [self._known.get((question, asked_in, one)) for one in texts]

    def skim(self, question: str, language: str | None, texts: Sequence[Shown]) -> list[float | None]:
        """What the judge of passages alone adds to the verdicts on some texts: passages are read once, whole, so that
        many sentences cost little more than a few."""
        asked_in, readable = self._readable(question, language, texts)
        if self._in_passages is None or not readable:
            return [None] * len(texts)
        said, in_english = self._in_english(question, asked_in, readable)
        scores = self._in_passages.scores((question, asked_in), said, readable, in_english)
        known = dict(zip(readable, scores, strict=True))
        return [known.get(one) for one in texts]

    def _readable(self, question: str, language: str | None, texts: Sequence[Shown]) -> tuple[str, list[Shown]]:
        """The language of a question, and those of some texts, each once, that can be read with it."""
        asked_in = language_code(language) or self._likeliest(question, texts)
        if asked_in not in self._read:
            return asked_in, []
        return asked_in, [one for one in dict.fromkeys(texts) if (language_code(one.language) or ENGLISH) in self._read]

    def _likeliest(self, question: str, texts: Sequence[Shown]) -> str:
        """The language of few words, which tell none: one that the texts are in, English before others."""
        languages = {language_code(one.language) or ENGLISH for one in texts}
        told = language_of(question, languages)
        return told or (ENGLISH if ENGLISH in languages or not languages else min(languages))

    def _in_english(self, question: str, language: str, texts: Sequence[Shown]) -> tuple[str, InEnglish]:
        """A question to some texts in English words, and how those are told in English words."""
        if self._glossary is None:
            return question, _as_they_are
        asking = None
        if language != ENGLISH:
            spoken = " ".join(f"{one.text} {one.around}" for one in texts if not _is_foreign(one.language))
            asking = Glosser(self._glossary, _likely(spoken))
            (question,) = asking.glossed([(question, language)])
        glosser = Glosser(self._glossary, _likely(question), asking)

        def in_english(parts: Sequence[tuple[str, str | None]]) -> list[str]:
            glossed = iter(glosser.glossed([part for part in parts if _is_foreign(part[1])]))
            return [next(glossed) if _is_foreign(own) else text for text, own in parts]

        return question, in_english


def _is_foreign(language: str | None) -> bool:
    return (language_code(language) or ENGLISH) != ENGLISH


def _as_they_are(parts: Sequence[tuple[str, str | None]]) -> list[str]:
    return [text for text, _ in parts]


class InPassages:
    """What a judge of passages says of sentences where they stand. A passage is read once for a question."""

    def __init__(self, judge: PassageJudge) -> None:
        self._judge = judge
        self._known: dict[tuple[tuple[str, str], Page, str | None], list[float]] = {}

    def scores(
        self, asked: tuple[str, str], question: str, texts: Sequence[Shown], in_english: InEnglish
    ) -> list[float | None]:
        """What is said of each text, as it counts; None of what stands in no passage. `asked` tells questions apart,
        `question` is read."""
        fresh = [
            (one.page, one.language) for one in texts if one.page and (asked, one.page, one.language) not in self._known
        ]
        fresh = list(dict.fromkeys(fresh))
        if fresh:
            read = [
                (head, sentences)
                for page, language in fresh
                for head, *sentences in [in_english([(part, language) for part in (page.head, *page.sentences)])]
            ]
            found = self._judge.judge(question, read)
            self._known.update(zip(((asked, *one) for one in fresh), found, strict=True))
        return [
            IN_PASSAGE * (max(self._known[asked, one.page, one.language][one.first : one.last + 1]) - EAGER)
            if one.page
            else None
            for one in texts
        ]


def _likely(text: str) -> list[str]:
    return list(dict.fromkeys(PLAIN_WORD.findall(text.casefold())))[:MOST_LIKELY]


def put_to_judge(asked: Asked) -> str:
    """A question as a judge is asked it: in full, or one that goes on from another with that behind it."""
    return asked.whole or f"{asked.question} {asked.before}".strip()


def verdicts_on(texts: Sequence[Shown], asked: Asked, judge: Judge, language: str | None = None) -> list[float | None]:
    """What a judge says of some texts, asked in a language.

    What a question goes on from is guessed, and may mislead: it is read alone, too, and the better verdict counts.
    """
    put = dict.fromkeys((asked.question, put_to_judge(asked)))
    verdicts = [judge(question, language or asked.language, texts) for question in put]
    return [
        None if None in said else max(one for one in said if one is not None) for said in zip(*verdicts, strict=True)
    ]


def to_judge(passage: ScoredPassage, start: int, end: int) -> Shown:
    """A part of a passage as a judge is shown it."""
    text = passage.text
    found = blocks(text, passage.language)
    place = next((at for at, block in enumerate(found) if block.end > start), None)
    over, before = "", ""
    if place is not None:
        block = found[place]
        if block.head is not None:
            over = text[found[block.head].start : found[block.head].end]
            over = "" if ORNAMENT.match(over) else over
        if place and (block.paragraph == found[place - 1].paragraph or ASKS.search(text[: found[place - 1].end])):
            before = text[found[place - 1].start : found[place - 1].end]
    heading = passage.heading.rpartition(" > ")[2]
    first, last = _sentences_of(found, start, end)
    sentences = tuple(text[one.start : one.end] for one in found)
    page = Page(head_of(passage.title, passage.heading), sentences) if found else None
    around = [
        passage.title[:TITLE],
        heading[:HEADING] if heading.strip("# ") != over.strip("# ") else "",
        over.lstrip("# ")[-HEAD:],
        columns_over(text, start)[:COLUMNS],
        before[-BEFORE:] if before != over else "",
    ]
    return Shown(text[start:end], ". ".join(part for part in around if part), passage.language, page, first, last)


def _sentences_of(found: Sequence[TextBlock], start: int, end: int) -> tuple[int, int]:
    """The first and the last of a passage's sentences that a part of it has."""
    within = [at for at, block in enumerate(found) if block.end > start and block.start < end]
    return (within[0], within[-1]) if within else (0, 0)


def head_of(title: str, heading: str) -> str:
    """What stands over a passage: its document's title, and the last of its headings."""
    last = heading.rpartition(" > ")[2].strip("# ")
    return f"{title}. {last}" if last and last != title else title
