"""What a judge of answers is shown of a sentence: itself, and what stands around it that says what it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from quire.ports.search import AnswerJudge, Glossary
from quire.text.asked import Asked
from quire.text.blocks import ORNAMENT, blocks, columns_over
from quire.text.candidates import ASKS, ScoredPassage
from quire.text.glosses import Glosser, glossed_languages
from quire.text.words import language_code, language_of

TITLE, HEADING, HEAD, COLUMNS, BEFORE = 60, 60, 120, 160, 160
MOST_LIKELY = 400


class Shown(NamedTuple):
    """A sentence, a row or a list with what stands over and before it, and their language."""

    text: str
    around: str
    language: str | None = None


# How surely each of some texts answers a question in a language: above zero, it rather does; None where it cannot be
# read.
Judge = Callable[[str, str | None, Sequence[Shown]], Sequence[float | None]]

ENGLISH = "en"
PLAIN_WORD = re.compile(r"[a-z]{3,}")


class Judging:
    """A judge that reads English, and other languages by English words for theirs. What it has read it remembers."""

    def __init__(self, judge: AnswerJudge, glossary: Glossary | None) -> None:
        self._judge, self._glossary = judge, glossary
        self._read = frozenset({ENGLISH}) | (frozenset() if glossary is None else glossed_languages())
        self._known: dict[tuple[str, str, Shown], float] = {}

    def __call__(self, question: str, language: str | None, texts: Sequence[Shown]) -> list[float | None]:
        asked_in = language_code(language) or self._likeliest(question, texts)
        if asked_in not in self._read:
            return [None] * len(texts)
        readable = [one for one in dict.fromkeys(texts) if (language_code(one.language) or ENGLISH) in self._read]
        fresh = [one for one in readable if (question, asked_in, one) not in self._known]
        if fresh:
            said, read = self._in_english(question, asked_in, fresh)
            verdicts = self._judge.judge(said, [(one.text, one.around) for one in read])
            self._known.update(zip(((question, asked_in, one) for one in fresh), verdicts, strict=True))
        return [self._known.get((question, asked_in, one)) for one in texts]

    def _likeliest(self, question: str, texts: Sequence[Shown]) -> str:
        """The language of few words, which tell none: one that the texts are in, English before others."""
        languages = {language_code(one.language) or ENGLISH for one in texts}
        told = language_of(question, languages)
        return told or (ENGLISH if ENGLISH in languages or not languages else min(languages))

    def _in_english(self, question: str, language: str, texts: Sequence[Shown]) -> tuple[str, Sequence[Shown]]:
        """A question and texts in English words, as far as they are in other languages."""
        foreign = [at for at, one in enumerate(texts) if (language_code(one.language) or ENGLISH) != ENGLISH]
        if self._glossary is None or (language == ENGLISH and not foreign):
            return question, texts
        if language != ENGLISH:
            spoken = " ".join(f"{one.text} {one.around}" for at, one in enumerate(texts) if at not in foreign)
            (question,) = Glosser(self._glossary, _likely(spoken)).glossed([(question, language)])
        glosser = Glosser(self._glossary, _likely(question))
        said = glosser.glossed([(part, texts[at].language) for at in foreign for part in texts[at][:2]])
        found = list(texts)
        for at, text, around in zip(foreign, said[::2], said[1::2], strict=True):
            found[at] = Shown(text, around)
        return question, found


def _likely(text: str) -> list[str]:
    return list(dict.fromkeys(PLAIN_WORD.findall(text.casefold())))[:MOST_LIKELY]


def put_to_judge(asked: Asked) -> str:
    """A question as a judge is asked it: one that goes on from another with that behind it."""
    return f"{asked.question} {asked.before}".strip()


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
    around = [
        passage.title[:TITLE],
        heading[:HEADING] if heading.strip("# ") != over.strip("# ") else "",
        over.lstrip("# ")[-HEAD:],
        columns_over(text, start)[:COLUMNS],
        before[-BEFORE:] if before != over else "",
    ]
    return Shown(text[start:end], ". ".join(part for part in around if part), passage.language)
