"""Topic words: what a topic may be called in texts of its own language and of another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from quire.ports.search import Glossary
from quire.text.forms.question_words import QuestionWords, alike
from quire.text.makers import WritingTask
from quire.text.overview_questions import common_words
from quire.text.words import tokens

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
ENGLISH = "en"
# Two words that differ earlier are not forms of one, however alike they are: fridge and Friday.
BEGINNING = 5


class OwnWords(QuestionWords):
    """The words of a topic in its own language, in any form."""

    def has(self, known: Collection[str], word: str, *, meant: bool = False) -> bool:
        return word in known or any(
            _differ_late(word, other) and alike(word, other, self.language, meant=meant) for other in known
        )


def _differ_late(one: str, other: str) -> bool:
    short = min(len(one), len(other))
    return one[: max(BEGINNING, short - 1)] == other[: max(BEGINNING, short - 1)] or one[:short] == other[:short]


class TopicWords:
    """The words of a topic, each with what stands for it in texts of a language."""

    def __init__(self, meant: dict[str, frozenset[str]]) -> None:
        self._meant = meant
        self.own = list(meant)

    def among(self, found: Iterable[str]) -> frozenset[str]:
        """The words that are said by what is found."""
        known = frozenset(found)
        return frozenset(word for word, said in self._meant.items() if not known.isdisjoint(said))

    def share(self, matched: Collection[str]) -> float:
        return sum(word in matched for word in self.own) / (len(self.own) or 1)


def topic_in(topic: str, own: str, other: str, task: WritingTask) -> TopicWords:
    """The words of a topic that is told in one language, in another."""
    glossary = task.reader.ports.glossary if task.reader is not None else None
    words = [word for word in WORD.findall(topic) if word.casefold() not in common_words()] or WORD.findall(topic)
    return TopicWords({word: _meant(glossary, word, own, other) for word in words})


def _meant(glossary: Glossary | None, word: str, own: str, other: str) -> frozenset[str]:
    """What stands for a word: itself, for it may be a name, and what dictionaries have for it, by its English."""
    small = word.casefold()
    english = small if own == ENGLISH else glossary.told(small, own) if glossary is not None else None
    if english is None or glossary is None:
        said: list[str] = []
    elif other == ENGLISH:
        said = [english]
    else:
        said = [found for one in english.split() for found in glossary.words_for(one, other)]
    return frozenset(tokens(word, own)).union(*(tokens(one, other) for one in (word, *said)))
