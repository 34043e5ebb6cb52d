"""What documents are, as a person would call them: by the words of their titles, else by their files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from quire.text.document_kind_names import GLUE, NAMES, SAID_BY
from quire.text.document_kind_words import FILE_KINDS, SECTION_KINDS, WORDS

LONGEST = 300
SEGMENT = re.compile(r"[:;|,()–—/]| - ")
WORD = re.compile(r"[\w'’-]+")
# The last word of an English or German title says what it is; or the one before these.
AFTER_HEAD = re.compile(
    r"(?:of|for|between|from|on|no|nr|number|about|with|version|vom|von|für|zwischen|über|der|des|zum|zur|und|v?\d.*)$"
)
# In these the first word says it.
HEAD_FIRST = ("fr", "es", "ru")
HEAD_LAST = ("en", "de")
COMPOUND = 5


def document_kind(titles: Iterable[str], file_kind: str, sections: Sequence[str] = ()) -> str:
    """The kind of a document: what one of its titles says that it is, the first before others, else what its sections
    do, else its file's."""
    for title in titles:
        for segment in SEGMENT.split(title[:LONGEST].casefold()):
            found = _named(segment.strip())
            if found:
                return found
    for section in sections:
        if section.casefold() in SECTION_KINDS:
            return SECTION_KINDS[section.casefold()]
    return FILE_KINDS.get(file_kind, "document")


def _named(segment: str) -> str | None:
    dense = next((kind for word, kind in WORDS["zh"].items() if segment.endswith(word)), None)
    words = WORD.findall(segment)
    if dense or not words:
        return dense
    for length in (2, 1):
        for language in HEAD_FIRST:
            if " ".join(words[:length]) in WORDS[language]:
                return WORDS[language][" ".join(words[:length])]
        for end in range(length, len(words) + 1):
            if end == len(words) or AFTER_HEAD.match(words[end]):
                kind = _head(words[end - length : end])
                if kind:
                    return kind
    return None


def _head(words: Sequence[str]) -> str | None:
    name = " ".join(words)
    for language in HEAD_LAST:
        if name in WORDS[language]:
            return WORDS[language][name]
    return next((kind for word, kind in WORDS["de"].items() if len(word) >= COMPOUND and name.endswith(word)), None)


def counted(kinds: Iterable[str], language: str | None) -> str:
    """How many documents there are, and of which kinds: `3 sources: a manual, an agreement and a recipe.`"""
    language = language if language in NAMES else "en"
    counts = Counter(kinds)
    names = [
        NAMES[language][kind][0] if count == 1 else NAMES[language][kind][1].format(count)
        for kind, count in counts.most_common()
    ]
    comma, last = GLUE[language]
    listed = last.join(filter(None, (comma.join(names[:-1]), *names[-1:])))
    return SAID_BY[language][counts.total() > 1].format(counts.total(), listed)
