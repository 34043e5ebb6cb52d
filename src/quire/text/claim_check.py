"""Whether a text bears out what a claim says: its words, and what is made of them.

Every word of the claim is looked for in the text, by its stem or by one of the same meaning, in the place where its
neighbours stand too. Then both are compared: numbers with their units, days, names, what is denied, opposites, who does
what to whom, how many and how surely. No model takes part; a claim takes about a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from quire.text import grammar_words as grammar
from quire.text.alignment import NEAR, Alignment, Match
from quire.text.claim_clauses import Clauses, comparable, leads
from quire.text.claim_contrasts import Contrasts
from quire.text.meanings import converse, meanings_in, relation, rivals
from quire.text.measures import SPOKEN_UNITS
from quire.text.statements import Statement, Word, naming_alike, statement
from quire.text.unspaced_claims import unspaced_fault
from quire.text.words import RUN, language_of

Fault = Literal[
    "words", "number", "date", "name", "negation", "opposite", "role", "comparison", "quantity", "certainty", "length"
]
CLEARLY = 1.2
# So much of a claim's words, and of those of each of its clauses, must be there.
LEAST = 0.75
LEAST_CLAUSE = 0.5
# Numbers are compared in pairs, each by its neighbours: no sentence of so many words is worth the time.
LONGEST_CLAIM = 120


def fault_of(claim: str, text: str, context: str = "") -> Fault | None:
    """What is wrong with a claim about a text, or None where the text bears it out.

    Words of the `context` (a title, a heading) may be used without standing in the text.
    """
    if claim.strip() == text.strip():
        return None
    if RUN.search(claim) and RUN.search(text):
        return unspaced_fault(claim, text)
    language = language_of(text) or "en"
    own, other = naming_alike(statement(claim, language), statement(text, language))
    if len(own.words) > LONGEST_CLAIM:
        return "length"
    return _Comparison(own, other, statement(context, language)).fault()


class _Comparison:
    def __init__(self, own: Statement, other: Statement, context: Statement) -> None:
        self._own = own
        self._other = other
        self._language = own.language
        self._known = meanings_in(own.language)
        self._context = {word.key for word in context.words}
        self._held = {word.key for word in other.words}
        self._aligned = Alignment(own, other)
        self._found, self._matches = self._aligned.found, self._aligned.matches

    def fault(self) -> Fault | None:
        checks = (
            self._measures,
            self._words,
            self._markers,
            self._polarity,
            self._roles,
            self._directions,
            self._contrasts,
            self._clauses,
            self._places_of_numbers,
            self._quantifiers,
            self._certainty,
        )
        return next((fault for check in checks if (fault := check())), None)

    def _sentence(self, words: Sequence[Match]) -> set[str]:
        """All words of the sentences that these matches stand in."""
        sentences = {match.other.sentence for match in words}
        return {word.low for word in self._other.words if word.sentence in sentences}

    def _measures(self) -> Fault | None:
        for word in self._own.content:
            if word.measure is None:
                continue
            match = self._matches[word.at]
            if match is None:
                return "date" if word.measure.month else "number"
            bounds = {one.other.bound for one in self._found[word.at]}
            if word.bound and bounds and word.bound not in bounds and bounds != {""}:
                return "comparison"
        return None

    def _words(self) -> Fault | None:
        missing, counted = 0, 0
        clauses: dict[int, list[bool]] = {}
        for word in self._own.content:
            there = self._matches[word.at] is not None or word.key in self._context
            if not there and word.low in SPOKEN_UNITS:
                return "number"
            if not there and (word.name or self._opens(word)):
                return "name"
            if not there and any(rivals(word.key, key, self._language) for key in self._held):
                return "opposite"
            if not there and word.key in self._known.light:
                continue
            counted += 1
            missing += not there
            clauses.setdefault(word.clause, []).append(there)
        if not counted:
            return None if any(self._matches.values()) else "words"
        if (counted - missing) / counted < LEAST:
            return "words"
        short = any(sum(there) / len(there) < LEAST_CLAUSE for there in clauses.values())
        return "words" if short else None

    def _opens(self, word: Word) -> bool:
        """Whether a sentence begins with the word and says what it does or is."""
        if word.at or word.key in self._known.light or len(self._own.words) < NEAR:
            return False
        following = self._own.words[1]
        return following.verb or following.low in grammar.AUXILIARIES

    def _markers(self) -> Fault | None:
        """Small words of which one excludes the other: before and after, for and against."""
        held = self._sentence([match for match in self._matches.values() if match])
        said = {word.low for word in self._own.words}
        for word in self._own.words:
            if word.content or word.measure:
                continue
            others = self._known.others.get(word.key, set())
            against = {low for low in held if self._known.groups.get(low, set()) & others}
            for low in against - said:
                own = self._known.groups.get(word.key, set())
                there = any(self._known.groups.get(one, set()) & own for one in held)
                if there or (low in ("on", "off") and not self._switches(word.low)):
                    continue
                if not (converse(word.key, low, self._language) and self._flipped_at(word)):
                    return "opposite"
        return None

    def _switches(self, low: str) -> bool:
        return low in ("on", "off") and any(word.low in grammar.SWITCHES for word in self._own.words)

    def _polarity(self) -> Fault | None:
        clauses: dict[int, list[int]] = {}
        for match in self._matches.values():
            if match is None:
                continue
            own, other = match.own, match.other
            if match.opposite and own.negated == other.negated:
                if converse(own.key, other.key, self._language) and self._flipped_at(own):
                    continue
                return "opposite"
            if leads(self._own, own.clause):
                continue
            if own.negated or other.negated or match.opposite:
                agrees = (own.negated == other.negated) != match.opposite
                weight = 3 if own.focus or other.focus else 1
                clauses.setdefault(own.clause, []).append(weight if agrees else -weight)
        return "negation" if any(sum(votes) < 0 for votes in clauses.values()) else None

    def _sides(self, words: Sequence[Word], pivot: Word) -> tuple[set[int], set[int]]:
        """Who does and to whom it is done, as places; turned round in the passive voice."""
        agents = grammar.AGENTS.get(self._language, grammar.NOTHING)
        left: list[Word] = []
        for word in reversed([word for word in words if word.at < pivot.at and word.sentence == pivot.sentence]):
            if word.clause != pivot.clause or (word.verb and left):
                break
            left.append(word)
        if left and any(word.verb for word in words if word.at < left[-1].at and word.clause == pivot.clause):
            joint = next((at for at, word in enumerate(left) if word.low in grammar.JOINS), None)
            left = left[:joint] if joint is not None else left
            if joint is not None and not any(word.content for word in left):
                # `he came and saw`: who does the second is who does the first.
                first = next(word for word in words if word.verb and word.clause == pivot.clause)
                left = [word for word in words if word.clause == pivot.clause and word.at < first.at]
        if left and left[-1].low in grammar.RELATIVE and not any(word.content for word in left):
            # `lent it to Anna, who returned it`
            left = [word for word in words if word.at < left[-1].at and word.content][-1:]
            left = [replace(word, role="") for word in left]
        right = [word for word in words if word.at > pivot.at and word.clause == pivot.clause]
        until = next((at for at, word in enumerate(right) if word.verb), len(right))
        right = right[:until]
        before = {word.at for word in left if word.content and word.role in OWN and not word.verb}
        after = {word.at for word in right if word.content and (not word.role or word.role in grammar.REACHING)}
        doers = {word.at for word in right if word.content and word.role in agents}
        if doers:
            behind = [word for word in right if word.content and word.at > min(doers)]
            doers |= {word.at for word in behind if word.role == "of" or (word.name and not word.role)}
        if doers and pivot.passive:
            return doers, before
        return (set(), before) if pivot.passive else (before, after - doers)

    def _roles(self) -> Fault | None:
        for match in self._matches.values():
            if match is None or match.own.measure or match.own.name or match.opposite:
                continue
            if match.own.verb and (match.other.verb or self._language != "en") and self._wrong_side(match):
                return "role"
            if self._flipped_at(match.own):
                return "role"
        return None

    def _wrong_side(self, match: Match) -> bool:
        """Whether another one does it, or it is done to another one, than the text says."""
        own, other = self._sides(self._own.words, match.own), self._sides(self._other.words, match.other)
        for mine, theirs in zip(own, other, strict=True):
            if not mine or not theirs:
                continue
            for fits in (_is_name, _is_number, _is_thing):
                said = [at for at in mine if fits(self._at(at))]
                held = [word for word in self._other.words if word.at in theirs and fits(word)]
                places = {at: {one.other.at for one in self._found[at]} for at in said}
                if not said or not held or any(self._elliptic(match, places[at]) for at in said):
                    continue
                if not set().union(*places.values()) & theirs:
                    return not all(places[at] & self._within_subject(match.other) for at in said)
                missing = [self._at(at) for at in said if not places[at] & theirs]
                if any(self._excludes(word, one) for word in missing for one in held):
                    return True
        return False

    def _within_subject(self, verb: Word) -> set[int]:
        """Words before a verb that say where its subject is: `patients in the first group slept`."""
        before = [word for word in self._other.words if word.clause == verb.clause and word.at < verb.at]
        return {word.at for word in before if word.role == "in"}

    def _excludes(self, word: Word, other: Word) -> bool:
        return rivals(word.key, other.key, self._language) or (
            relation(word.key, other.key, self._language) == "opposite" and word.negated == other.negated
        )

    def _elliptic(self, match: Match, places: set[int]) -> bool:
        """Whether one of these stands in the verb's sentence, in a clause without a verb: `iron at 660 °C`."""
        words = self._other.words
        clauses = {word.clause for word in words if word.at in places and word.sentence == match.other.sentence}
        held = [[word for word in words if word.clause == clause] for clause in clauses]
        return any(any(one.measure for one in said) and not any(one.verb for one in said) for said in held)

    def _at(self, at: int) -> Word:
        return next(word for word in self._own.words if word.at == at)

    def _flipped_at(self, pivot: Word) -> bool:
        """Whether those before the word stand behind it in the text, and those behind it before."""
        match = self._matches.get(pivot.at) or next(iter(self._marker_matches(pivot)), None)
        if match is None:
            return False
        before, after = self._sides(self._own.words, match.own)
        doers, done = self._sides(self._other.words, match.other)
        if self._language == "ru":
            return False
        there = {at: {one.other.at for one in self._found.get(at, ())} for at in before | after}
        left = [at for at in before if there[at]]
        right = [at for at in after if there[at]]
        crossed = any(there[at] & done and not there[at] & doers for at in left)
        return crossed and any(there[at] & doers and not there[at] & done for at in right)

    def _marker_matches(self, pivot: Word) -> list[Match]:
        others = self._known.others.get(pivot.key, set())
        return [
            Match(pivot, word, opposite=True)
            for word in self._other.words
            if self._known.groups.get(word.key, set()) & others
        ]

    def _directions(self) -> Fault | None:
        """From here to there is not from there to here."""
        turned = 0
        for match in self._matches.values():
            if match is None:
                continue
            pair = (match.own.role, match.other.role)
            if pair[0] != pair[1] and pair in TURNED:
                turned += 1
            if match.own.name and match.own.role in grammar.REACHED and self._another_reached(match):
                return "role"
        return "role" if turned > 1 else None

    def _contrasts(self) -> Fault | None:
        contrasts = Contrasts(self._own, self._other, self._aligned)
        return "opposite" if contrasts.crossed() else "role" if contrasts.gapped() else None

    def _clauses(self) -> Fault | None:
        return Clauses(self._own, self._other, self._aligned).fault()

    def _another_reached(self, match: Match) -> bool:
        """Whether the text names another one behind the same verb and preposition."""
        verb = _governing(self._own.words, match.own)
        other = self._matches.get(verb.at) if verb else None
        if other is None or other.opposite:
            return False
        held = [
            word.at
            for word in self._other.words
            if word.name and word.role == match.own.role and _governing(self._other.words, word) is other.other
        ]
        return bool(held) and not {one.other.at for one in self._found[match.own.at]} & set(held)

    def _places_of_numbers(self) -> Fault | None:
        """A number of the text belongs to what stands beside it."""
        said = {match.other.at for match in self._matches.values() if match}
        for word in self._own.content:
            match = self._matches[word.at]
            if word.measure is None or match is None:
                continue
            own = self._aligned.nearness(word, match.other)
            for other in self._other.words:
                if other.measure is None or other.at in said or not comparable(match.other, other):
                    continue
                if other.sentence != match.other.sentence and not self._within(other.sentence):
                    continue
                nearer = self._aligned.nearness(word, other) > CLEARLY * own
                if nearer or self._governs_another(word, match.other, other):
                    return "date" if word.measure.month else "number"
        return None

    def _within(self, sentence: int) -> bool:
        """Whether all that a claim says beside its numbers stands in one sentence of the text."""
        words = [word for word in self._own.content if word.measure is None]
        return all(any(one.other.sentence == sentence for one in self._found[word.at]) for word in words)

    def _governs_another(self, word: Word, place: Word, other: Word) -> bool:
        """Whether the claim's verb stands with the `other` number in the text, and another verb with this one."""
        verb = _governing(self._own.words, word)
        match = self._matches.get(verb.at) if verb else None
        if match is None or match.opposite:
            return False
        return _governing(self._other.words, other) is match.other and _governing(self._other.words, place) not in (
            None,
            match.other,
        )

    def _quantifiers(self) -> Fault | None:
        classes = {
            word: name for name, words in grammar.QUANTIFIERS.get(self._language, {}).items() for word in words.split()
        }
        matches = [match for match in self._matches.values() if match]
        held = self._sentence(matches)
        said = {word.low for word in self._own.words}
        own = {classes[low] for low in said if low in classes}
        other = {classes[low] for low in held if low in classes}
        if own and other and not own & other:
            return "quantity"
        if "all" in own and "all" not in other and any(word.measure for word in self._counted(matches)):
            return "quantity"
        if said & grammar.ONLY and not held & (grammar.ONLY | grammar.EXCEPTED):
            return "quantity"
        if own & {"all"} and held & grammar.ONLY and not said & grammar.ONLY:
            return "quantity"
        return None

    def _counted(self, matches: Sequence[Match]) -> list[Word]:
        """Numbers that stand right before the words that are found."""
        places = {match.other.at for match in matches}
        return [word for word in self._other.words if word.measure and word.at + 1 in places and not word.measure.month]

    def _certainty(self) -> Fault | None:
        hedges = grammar.HEDGES.get(self._language, grammar.NOTHING)
        duties = grammar.DUTIES.get(self._language, grammar.NOTHING)
        leaves = grammar.LEAVES.get(self._language, grammar.NOTHING)
        said = {word.low for word in self._own.words}
        verbs = [match for match in self._matches.values() if match and match.other.verb]
        for match in verbs or [match for match in self._matches.values() if match]:
            held = self._other.clauses[match.other.clause]
            if match.own.verb and held & hedges and not said & (hedges | grammar.UNSURE | grammar.ONLY):
                return "certainty"
            if match.own.negated or match.other.negated or not match.other.verb:
                continue
            mine = self._own.clauses[match.own.clause]
            if held & duties and mine & leaves and not mine & duties and not held & leaves:
                return "certainty"
        return None


# What belongs to the noun before it.
OWN = frozenset({"", "of"})
TURNED = frozenset({("from", "to"), ("to", "from"), ("de", "à"), ("à", "de"), ("von", "nach"), ("nach", "von")})


def _governing(words: Sequence[Word], number: Word) -> Word | None:
    """The verb that a number stands with: the last before it in its clause, else the first behind it."""
    verbs = [word for word in words if word.verb and word.clause == number.clause]
    return next((word for word in reversed(verbs) if word.at < number.at), verbs[0] if verbs else None)


def _is_name(word: Word) -> bool:
    return word.name


def _is_number(word: Word) -> bool:
    return word.measure is not None and not word.measure.month


def _is_thing(word: Word) -> bool:
    return word.measure is None
