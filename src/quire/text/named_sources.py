"""Named sources: those that a question means by words of their titles, by what they are, or by who wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quire.ports.search import SourceHead
from quire.text.blocks import ENDED
from quire.text.document_kinds import document_kind
from quire.text.words import language_of, query_tokens, tokens

WORD = re.compile(r"[^\W_]+")
ADDRESSES = frozenset({"mr", "mrs", "ms", "dr", "prof", "herr", "frau"})
# What kinds of documents people mean by a word for one.
MEANT = {
    "agreement": {"agreement", "contract"},
    "contract": {"agreement", "contract"},
    "invoice": {"invoice", "estimate"},
    "estimate": {"estimate", "invoice"},
    "offer": {"estimate"},
    "manual": {"manual", "guide"},
    "mail": {"message"},
    "email": {"message"},
    "message": {"message"},
}
# A source says in its first lines, and in its last ones, who wrote it.
LINES, LINE, LAST = 2, 120, 160
# What a word counts that stands in the title or in the first lines, tells the kind, is a name in the text, or stands in
# the file's name.
IN_TITLE, IN_OPENING, OF_KIND, IN_TEXT, IN_FILE = 1.0, 0.9, 0.8, 0.7, 0.6
# Of several that are meant none is much worse called so than the best.
NEARLY = 0.75
# Words before a name and behind it, by which it is known who writes to whom.
FROM = frozenset({"of", "from", "by", "von", "de", "par", "от", "di", "van"})
TO = frozenset({"to", "dear", "an", "à", "para", "liebe", "lieber", "cher", "chère", "querida", "querido", "aan"})
BEFORE, BEHIND = 3, 2


@dataclass(frozen=True)
class _Fit:
    """Which words of a name a source goes by, how well, and how much of its title they are. `sure` says that its kind
    or a person in its text is among them."""

    head: SourceHead
    words: frozenset[str]
    worth: float
    title: float
    sure: bool


def named(
    heads: Sequence[SourceHead], name: str, begun: Mapping[str, str] | None = None, reader: str = ""
) -> list[SourceHead]:
    """The sources that a name means; none where most of its words are no words for any.

    `begun` is how they begin, `reader` whom they are to have been written to.
    """
    exact = [head for head in heads if head.title.casefold() == name.casefold()]
    if exact:
        return exact
    language = language_of(name) or "en"
    spelt = [word for word in WORD.findall(name) if word.casefold() not in ADDRESSES]
    words = frozenset(query_tokens(" ".join(spelt), [language]))
    if not words:
        return []
    fits = [_fit(head, words, spelt, (begun or {}).get(head.id, ""), language) for head in heads]
    fits = [fit for fit in fits if _means(fit, words)]
    if not fits:
        return []
    most = max(fits, key=lambda fit: (len(fit.words), fit.worth))
    fits = [fit for fit in fits if len(fit.words) == len(most.words)]
    several = _says_several(spelt, most.words, language)
    fits = [fit for fit in fits if fit.worth >= (NEARLY if several else 1.0) * most.worth]
    # What most titles have in common is what all are about.
    common = 2 * len(fits) > len(heads) and not several and not any(map(_kinds, spelt))
    own = _written_by(fits, name, begun or {}, frozenset(tokens(reader, language)), language)
    return list(heads) if common and 1 < len(own) == len(fits) else own


def _fit(head: SourceHead, words: frozenset[str], spelt: Sequence[str], begun: str, language: str) -> _Fit:
    title = frozenset(tokens(head.title.replace("_", " "), language))
    file = frozenset(tokens((head.file_name or "").replace("_", " "), language))
    lines = [line[:LINE] for line in begun.splitlines() if line.strip()][:LINES]
    lines = [line for line in lines if not ENDED.search(line)]
    opening = frozenset(tokens(" ".join(lines), language))
    kind = document_kind([head.title, *lines], head.kind)
    names = frozenset(
        token
        for word in WORD.findall(begun)
        if word[0].isupper() and (word in spelt or word in begun[-LAST:])
        for token in tokens(word, language)
    )
    of_kind = frozenset(token for word in spelt if kind in _kinds(word) for token in tokens(word, language))
    worth, found = 0.0, set[str]()
    for word in words:
        counted = (
            IN_TITLE * (word in title),
            IN_OPENING * (word in opening),
            OF_KIND * (word in of_kind),
            IN_TEXT * (word in names),
            IN_FILE * (word in file),
        )
        if best := max(counted):
            worth += best
            found.add(word)
    said = frozenset(tokens(head.title, language))
    share = len(said & words) / len(said) if said else 0.0
    sure = found & (of_kind | (names - title - opening))
    return _Fit(head, frozenset(found), worth, share, bool(sure))


def _means(fit: _Fit, words: frozenset[str]) -> bool:
    """Whether most of a name stands for a source: a thing that is only spoken of there has other words, too."""
    if not fit.words:
        return False
    half = 2 * len(fit.words) - len(words)
    return half > 0 or (half == 0 and (fit.sure or 2 * fit.title >= 1)) or (len(fit.words) > 1 and 2 * fit.title >= 1)


def _says_several(spelt: Sequence[str], words: frozenset[str], language: str) -> bool:
    """Whether one of the words is in the plural."""
    return any(
        word.casefold().endswith("s") and cut[:1] and cut[0] in words and not cut[0].endswith("s")
        for word in spelt
        if (cut := tokens(word, language))
    )


def _written_by(
    fits: Sequence[_Fit], name: str, begun: Mapping[str, str], reader: frozenset[str], language: str
) -> list[SourceHead]:
    """Of sources that all have a person's name those that the person wrote, or got where the question says so."""
    heads = [fit.head for fit in fits]
    if len(heads) < 2:
        return heads
    for person in WORD.findall(name):
        cut = tokens(person, language)
        if not cut or not all(cut[0] in fit.words for fit in fits):
            continue
        wanted = -1 if cut[0] in reader else 1
        parts = [_part(f"{head.title}\n{_ends(begun.get(head.id, ''))}", cut[0], language) for head in heads]
        own = [head for head, part in zip(heads, parts, strict=True) if part == wanted]
        if own and -wanted in parts:
            return own
    return heads


def _part(text: str, person: str, language: str) -> int:
    """1 where a text says that somebody wrote it, -1 where it was written to them, by what is said first; else 0."""
    words = WORD.findall(text)
    for at, word in enumerate(words):
        if person not in tokens(word, language):
            continue
        if any(one.casefold() in TO for one in words[at + 1 : at + 1 + BEHIND]):
            return 1
        for before in reversed(words[max(0, at - BEFORE) : at]):
            if before.casefold() in FROM:
                return 1
            if before.casefold() in TO:
                return -1
    return 1 if person in tokens(text[-LAST:], language) else 0


def _ends(text: str) -> str:
    """The first and the last lines of a text."""
    return f"{text[: LINES * LINE]}\n{text.rstrip()[-LAST:]}"


def _kinds(word: str) -> set[str]:
    """The kinds of documents that a word stands for, in the singular or the plural."""
    for written in (word.casefold(), word.casefold().removesuffix("s")):
        kind = document_kind([written], "none")
        known = MEANT.get(written) or MEANT.get(kind)
        if known or kind != "document":
            return known or {kind}
    return set()
