"""Refusals: what to say where the sources hold no answer, and what they do speak of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from quire.text.section_names import NUMBERING
from quire.text.telling_words import ABOUT_ITSELF, EMPTY_HEADING
from quire.text.wanted import TIME
from quire.text.wording import wording
from quire.text.words import language_of, query_tokens, tokens

_CAPITAL = r"[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ][\w'’-]+"
NAME = re.compile(rf"(?<=[\w,;] ){_CAPITAL}(?: (?:of |the |de |la |von |der |des )?{_CAPITAL}){{0,3}}")
SHORTEST = 4
# A heading says what is under it; so many mentions of a name weigh as much.
HEADING_WEIGHT = 3


def topics(question: str, texts: Sequence[str], headings: Sequence[str] = (), limit: int = 3) -> list[str]:
    """What the texts speak of and the question does not: their headings, and names that recur in them."""
    language = language_of(" ".join(texts)[:2_000])
    known = set(query_tokens(question, [language]))
    counts: Counter[str] = Counter()
    for heading in dict.fromkeys(headings):
        counts[NUMBERING.sub("", heading.rpartition(" > ")[2], count=1).strip(" #:")] += HEADING_WEIGHT
    for text in texts:
        counts.update(NAME.findall(text))
    found: list[str] = []
    for topic, _ in counts.most_common():
        words = set(tokens(topic, language))
        if len(topic) < SHORTEST or len(topic) > 60 or not words or topic[0].isdigit() or words & known:
            continue
        if EMPTY_HEADING.match(topic) or ABOUT_ITSELF.match(topic) or TIME.fullmatch(topic):
            continue
        known |= words
        found.append(topic)
        if len(found) == limit:
            break
    return found


def refusal(question: str, texts: Sequence[str], headings: Sequence[str] = (), language: str | None = None) -> str:
    """A plain word that there is no answer, and what there is instead."""
    said = wording(language or language_of(question))
    found = topics(question, texts, headings)
    return f"{said.no_answer} {said.speak_of.format(', '.join(found))}" if found else said.no_answer
