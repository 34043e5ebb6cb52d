"""Question words: which of them a text has, and how much of the question that is."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from quire.text.asked import Asked
from quire.text.candidates import Terms, light
from quire.text.makers import WritingTask
from quire.text.meanings import relation
from quire.text.questions import names
from quire.text.words import language_code, query_tokens, tokens

# Two words with this beginning in common and endings no longer than this are forms of one: serve, server.
BEGINNING, ENDING = 4, 3
# In what has a form, a word that is nowhere in the sources is as likely another word for what is there as something
# that is not; so rarity counts little.
LIGHTEST, HEAVIEST = 0.3, 1.6


# What heads of columns and labels shorten, as stems.
SHORTENED = {
    "temp": "temperatur",
    "tel": "telephon",
    "qti": "quantiti",
    "amt": "amount",
    "avg": "averag",
    "max": "maximum",
    "min": "minimum",
    "ref": "refer",
    "dept": "depart",
    "addr": "address",
    "wt": "weight",
    "nr": "number",
    "pop": "popul",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "thu": "thursday",
    "thur": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "sun": "sunday",
    "jan": "januari",
    "feb": "februari",
    "mar": "march",
    "apr": "april",
    "jun": "june",
    "jul": "juli",
    "aug": "august",
    "sep": "septemb",
    "sept": "septemb",
    "oct": "octob",
    "nov": "novemb",
    "dec": "decemb",
}


class QuestionWords:
    """The words of a question against texts in a language: its own, with their weights, and those of the turn before.

    `named` are those that name something, by a capital or a number.
    """

    def __init__(self, task: WritingTask, asked: Asked, language: str | None) -> None:
        self.language = language_code(language) or "en"
        terms = Terms(asked.question, language, task.frequencies, task.total)
        asking = light() if self.language == "en" else frozenset[str]()
        known = {word: min(HEAVIEST, weight) for word, weight in terms.weights.items() if task.frequencies.get(word)}
        self.weights = {word: LIGHTEST if word in asking else max(1.0, known.get(word, 1.0)) for word in terms.words}
        self.own = terms.words
        self.earlier = [
            word for word in (query_tokens(asked.about, [language]) if asked.about else ()) if word not in terms.weights
        ]
        # German writes every noun with a capital.
        capitals = set() if asked.language == "de" else set(tokens(names(asked.question), language))
        self.named = frozenset(
            word for word in terms.words if word in capitals or any(letter.isdigit() for letter in word)
        )

    @property
    def heavy(self) -> frozenset[str]:
        """Its own words that tell rather than ask."""
        return frozenset(word for word in self.own if self.weights[word] > LIGHTEST)

    @property
    def heads(self) -> list[str]:
        """The first words that say something: what a question for a list wants listed."""
        telling = [word for word in self.own if self.weights[word] > LIGHTEST]
        return (telling or self.own)[:2]

    @property
    def words(self) -> list[str]:
        return [*self.own, *self.earlier]

    def telling(self, matched: Collection[str]) -> bool:
        """Whether what is matched says something, and is not a part of a name only."""
        return any(self.weights.get(word, 1.0) > LIGHTEST and word not in self.named for word in matched)

    def among(self, found: Iterable[str], *, meant: bool = False) -> frozenset[str]:
        """The question's words that are among those found, in any form, or where it is `meant` by another word."""
        known = frozenset(found)
        return frozenset(word for word in self.words if self.has(known, word, meant=meant))

    def has(self, known: Collection[str], word: str, *, meant: bool = False) -> bool:
        return word in known or any(alike(word, other, self.language, meant=meant) for other in known)

    def share(self, matched: Collection[str]) -> float:
        """How much of the question's own words are matched."""
        whole = sum(self.weights.values()) or 1.0
        return sum(weight for word, weight in self.weights.items() if word in matched) / whole


@lru_cache(50_000)
def alike(one: str, other: str, language: str, *, meant: bool = False) -> bool:
    """Whether two words are forms of one, or can stand for each other."""
    if one == other:
        return True
    if one[:BEGINNING] == other[:BEGINNING] and one.isalpha() and other.isalpha() and len(one) >= BEGINNING:
        same = BEGINNING
        while same < min(len(one), len(other)) and one[same] == other[same]:
            same += 1
        if max(len(one), len(other)) - same <= ENDING and same >= max(len(one), len(other)) / 2:
            return True
    if not meant:
        return False
    return relation(one, other, language) == "same" or SHORTENED.get(one) == other or SHORTENED.get(other) == one
