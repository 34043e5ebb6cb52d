"""Claims that put together what a text says of different things, each in a clause of its own.

"Walnut trees are forbidden; pear trees need consent" has all the words of "Walnut trees need consent".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from quire.text import grammar_words as grammar
from quire.text.alignment import Alignment
from quire.text.meanings import rivals
from quire.text.statements import Statement, Word

# So much of what a claim says of its subject must stand in one clause before another subject of that clause counts.
MOSTLY = 0.6
# Without knowing its verbs, so many words of a claim are taken for its subject.
OPENING = 2
LOOKED_AT = 40
THAN = frozenset(["than", "als"])


class Clauses:
    def __init__(self, own: Statement, other: Statement, aligned: Alignment) -> None:
        self._own, self._other, self._found = own, other, aligned.found
        self._places = {at: {one.other.at for one in found if not one.opposite} for at, found in aligned.found.items()}
        self._matched = set().union(*self._places.values()) if self._places else set()
        self._parts = _parts(other.words)
        self._part_of = {word.at: number for number, part in enumerate(self._parts) for word in part}
        self._sentence = {word.at: word.sentence for word in other.words}
        self._subject: list[Word] = []
        self._rest: list[Word] = []

    def _halves(self, words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
        """The words that a clause of the claim begins with, up to its verb, and its others."""
        content = [word for word in words if word.content][:LOOKED_AT]
        if words[0].low in grammar.PREPOSITIONS.get(self._own.language, grammar.NOTHING):
            return [], content
        verb = next((word.at for word in words if word.verb or word.low in grammar.AUXILIARIES), None)
        if verb is None:
            opening = 1 if self._own.language == "en" else OPENING
            verb = content[opening].at if len(content) > opening else None
        if verb is None:
            return [], content
        denied = grammar.NEGATIONS.get(self._own.language, grammar.NOTHING)
        subject = [word for word in content if word.at < verb and word.measure is None and word.low not in denied]
        return subject, [word for word in content if word.at >= verb]

    def fault(self) -> Literal["comparison", "role", "number"] | None:
        for _, words in groupby(self._own.words[: 2 * LOOKED_AT], key=lambda word: word.clause):
            self._subject, self._rest = self._halves(list(words))
            if self.turned():
                return "comparison"
            if self.mixed():
                return "role"
            if self.exchanged():
                return "number"
        return None

    def mixed(self) -> bool:
        """Whether what the claim says of its subject is said of another one in the text."""
        if not self._subject or not self._rest:
            return False
        if self._borrowed():
            return True
        verb = next((word for word in self._rest if word.verb), None)
        done = {self._part_of[one.other.at] for one in self._found[verb.at]} if verb else set()
        if len(done) == 1 and not self._is_gapped(done) and self._is_of_another(*done):
            return True
        held = [self._held(number) for number in range(len(self._parts))]
        most = max(held, default=0)
        if most < MOSTLY * len(self._rest):
            return False
        best = [number for number, count in enumerate(held) if count == most]
        return all(self._is_of_another(number) and not self._is_gapped({number}) for number in best)

    def _is_gapped(self, done: set[int]) -> bool:
        """Whether the subject stands where the verb is left out, beside what the claim says of it.

        "And hedges between neighbours to 1.80 metres."
        """
        there = [{self._part_of[at] for at in self._places[word.at]} for word in self._subject]
        told = [{self._part_of[at] for at in self._places[word.at]} for word in self._rest]
        gaps = {part for parts in there if not parts & done for part in parts if not self._has_verb(part)}
        return any(gaps & parts and not parts & done for parts in told)

    def _has_verb(self, number: int) -> bool:
        part = self._parts[number]
        named = {at for word in self._subject for at in self._places[word.at]}
        acts = any(_acts(word) for word in part if word.at not in named)
        return acts or (part[0].low in grammar.JOINS and _is_third_person(part[1:]))

    def _borrowed(self) -> bool:
        """Whether the claim takes its end from a clause that leaves out the verb and speaks of another one.

        "The sales return is filed every quarter, the income return once a year."
        """
        for word in self._rest:
            there = {self._part_of[at] for at in self._places[word.at]}
            if word.verb or len(there) != 1:
                continue
            (number,) = there
            part = self._parts[number]
            if self._has_verb(number) or not any(one.sentence == part[0].sentence for one in self._verbs()):
                continue
            place = min(self._places[word.at])
            before = [one for one in part if one.at < place and one.content and not one.measure]
            missing = [one for one in self._subject if not self._places[one.at] & {other.at for other in part}]
            if missing and any(one.at not in self._matched and not one.role for one in before):
                return True
        return False

    def _verbs(self) -> list[Word]:
        """The verbs of the text that the claim's own are found in."""
        found = {at for word in self._rest if word.verb for at in self._places[word.at]}
        return [word for word in self._other.words if word.at in found]

    def turned(self) -> bool:
        """Whether the text compares the other way round: there the one that the claim names behind `than` is ahead."""
        than = next((word.at for word in self._own.words if word.low in THAN), None)
        if than is None:
            return False
        compared = [word for word in self._rest if word.at < than][-1:]
        against = [word for word in self._rest if word.at > than and word.measure is None]
        for word in compared:
            for at in self._places[word.at]:
                part = [one.at for one in self._parts[self._part_of[at]]]
                before = {place for place in part if place < at}
                first = any(self._places[one.at] & before for one in against)
                named = any(self._places[one.at] & set(part) for one in self._subject)
                if first and not named and self._subject:
                    return True
        return False

    def _held(self, number: int) -> int:
        return sum(any(self._part_of[at] == number for at in self._places[word.at]) for word in self._rest)

    def _is_of_another(self, number: int) -> bool:
        part = self._parts[number]
        told = {at for word in self._rest for at in self._places[word.at]}
        begins = next((word.at for word in part if word.at in told), part[-1].at + 1)
        opens = part[0].low in grammar.JOINS and _is_third_person(part[1:])
        before = [word for word in part[2 if opens else 0 :] if word.at < begins]
        whole = [word for word in self._other.words if word.sentence == part[0].sentence and word.at < begins]
        if not any(word.content for word in before):
            # `the red team won and left`: who does the second stands before it in the sentence.
            before = whole
        if any(
            word.low in grammar.PRONOUNS and not word.content for word in before if word.low not in grammar.DEFINITE
        ):
            return False
        around = {word.at for word in (*(before if self._own.language == "en" else whole), *part)}
        missing = [word for word in self._subject if not self._places[word.at] & around]
        others = [word for word in before if word.content and not word.measure and word.at not in self._matched]
        others = [word for word in others if not word.verb or word is part[0]]
        if not missing or not others or self._is_told_again(before, others, missing):
            return False
        elsewhere = all(self._places[word.at] for word in missing)
        return elsewhere or (len(missing) == len(self._subject) and self._own.language == "en")

    def _is_told_again(self, before: Sequence[Word], others: Sequence[Word], missing: Sequence[Word]) -> bool:
        """Whether a later sentence may speak of the same by another noun: `the structure`."""
        nouns = [word for word in before if word.content]
        definite = len(nouns) == 1 and not nouns[0].name and any(word.low in grammar.DEFINITE for word in before)
        sentences = {self._sentence[at] for word in missing for at in self._places[word.at]}
        return definite and others[0].sentence not in sentences

    def exchanged(self) -> bool:
        """Whether a day or a number is taken from another clause, where this one has its own."""
        return self._is_one_exchanged(self._own.content[:LOOKED_AT]) or self._is_one_exchanged(self._rest)

    def _is_one_exchanged(self, given: Sequence[Word]) -> bool:
        words = [word for word in given if self._places[word.at]]
        if len(words) < OPENING + 1:
            return False
        counts = [
            sum(any(self._part_of[at] == number for at in self._places[word.at]) for word in words)
            for number in range(len(self._parts))
        ]
        most = max(counts)
        best = [number for number, count in enumerate(counts) if count == most]
        if len(best) > 1 or most < max(len(words) - 1, OPENING):
            return False
        return any(self._is_exchanged(word, best[0]) for word in words)

    def _is_exchanged(self, word: Word, number: int) -> bool:
        there = {self._part_of[at] for at in self._places[word.at]}
        if number in there or (word.measure is None and not word.role):
            return False
        # What leaves out what both halves share has nothing of its own but its numbers: `and 95 in 2024`.
        full = all(
            any(one.content and not one.measure and one.at not in self._matched for one in self._parts[part])
            for part in there
        )
        return full and any(
            _alike(word, one, self._own.language) for one in self._parts[number] if one.at not in self._matched
        )


def _alike(one: Word, other: Word, language: str) -> bool:
    if one.measure is None and other.measure is None:
        return rivals(one.key, other.key, language)
    return comparable(one, other)


def comparable(one: Word, other: Word) -> bool:
    """Whether both are days, or both numbers with a unit, or both numbers without."""
    if one.measure is None or other.measure is None:
        return False
    if bool(one.measure.month) != bool(other.measure.month):
        return False
    return bool(one.measure.unit) == bool(other.measure.unit)


def _parts(words: Sequence[Word]) -> list[list[Word]]:
    """Clauses, cut once more at an `and` that has something like a verb on both sides."""
    joins, numbered = 0, []
    acts = {word.at for word in words if _acts(word)}
    clauses = {clause: list(part) for clause, part in groupby(words, key=lambda word: word.clause)}
    for word in words:
        if word.low in grammar.JOINS:
            clause = clauses[word.clause]
            behind = [one for one in clause if one.at > word.at]
            new = any(one.at in acts or one.measure for one in behind) or _is_third_person(behind)
            joins += new and any(one.at in acts for one in clause if one.at < word.at)
        numbered.append(((word.clause, joins), word))
    return [[word for _, word in part] for _, part in groupby(numbered, key=lambda pair: pair[0])]


def _acts(word: Word) -> bool:
    return word.measure is None and (word.verb or (word.low in grammar.AUXILIARIES and word.low != "to"))


def _is_third_person(words: Sequence[Word]) -> bool:
    """Whether the first word ends as verbs do and no preposition follows, as it would follow a noun."""
    if len(words) < OPENING or not words[0].content:
        return False
    low = words[0].low
    return low.endswith("s") and not low.endswith("ss") and words[1].low not in grammar.PREPOSITIONS["en"]


def leads(own: Statement, clause: int) -> bool:
    """Whether a clause of a claim does no more than lead to the next: `In pregnancy, it is not given`."""
    words = [word for word in own.words if word.clause == clause]
    prepositions = grammar.PREPOSITIONS.get(own.language, grammar.NOTHING)
    last = clause == own.words[-1].clause
    return not last and words[0].low in prepositions and not any(word.verb or word.negated for word in words)
