"""Words: what a text is searched by, in any language.

A token holds letters, marks and digits only, case-folded and stemmed, so an index has nothing left
to do but split at spaces. Chinese, Japanese, Korean, Thai and their like become short overlapping
pieces, since no spaces tell their words apart.
"""

from __future__ import annotations

import re
import sys
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from quire.text.languages import (
    IRREGULAR,
    LANGUAGES,
    OTHER_STEM_LENGTH,
    QUESTION_PHRASES,
    SCRIPTS,
    STEM_LENGTHS,
    UNSPACED,
)

REMEMBERED = 100_000
LONGEST_REMEMBERED = 40
# Sentences, cells and labels up to this length are remembered with their tokens: an answer's forms and suggestions look
# at the same ones again and again.
SHORT, SHORT_REMEMBERED = 400, 4_096
# What is longer is no word (a key, a picture in letters): so much of it stands for it.
LONGEST = 64
SAMPLE = 4_000
FEW_SPOKEN = 6
COMMON = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "ru"})
# What tells a language where its function words do not: in English the subject comes behind "was", not a verb.
MARKS = (("es", re.compile("¿")), ("de", re.compile(r"^\W*Was [a-zäöüß]{2,}(?:en|t) (?!\w+ed\b)\w+(?: \w+)?\W*$")))
# Without a stemmer, so many characters of a word stand for it.
PREFIX = 5

INVISIBLE = re.compile("[\u00ad\u200d\u200e\u200f\u2060\ufeff]")
JOINT = re.compile(r"['\-‐‑_]+")
GROUPED = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:[.,]\d+)?")
NUMBER = re.compile(r"[vV]?\d+(?:[.,]\d+)+")
CODE = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]+)+")
HUMP = re.compile(r"[A-Z]?[a-z0-9]+")
CONTRACTED = re.compile(r"(?:n't|'(?:s|re|ve|ll|d|m))$")
ELIDING = {"fr", "it", "ca"}
FOLDED = str.maketrans({"ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ё": "е"})

SCRIPT = re.compile("|".join(f"(?P<{name}>[{characters}]+)" for name, (characters, _) in SCRIPTS.items()))
RUN = re.compile("|".join(f"(?P<{name}>[{SCRIPTS[name][0]}]+)" for name in UNSPACED))
SCRIPT_LANGUAGES: dict[str, frozenset[str]] = {
    name: frozenset({language} if language else ()) for name, (_, language) in SCRIPTS.items()
} | {
    "cyrillic": frozenset({"ru", "uk", "bg"}),
    "arabic": frozenset({"ar", "fa"}),
}
SCRIPT_LANGUAGES["latin"] = frozenset(LANGUAGES) - frozenset[str]().union(*SCRIPT_LANGUAGES.values())
KNOWN = frozenset[str]().union(*SCRIPT_LANGUAGES.values())
SAME = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "cmn": "zh", "yue": "zh"}


def tokens(text: str, language: str | None = None) -> list[str]:
    """The tokens of a text in reading order, without function words."""
    return list(_short_tokens(text, language)) if len(text) <= SHORT else _tokens(text, language)


@lru_cache(SHORT_REMEMBERED)
def _short_tokens(text: str, language: str | None) -> tuple[str, ...]:
    return tuple(_tokens(text, language))


def _tokens(text: str, language: str | None) -> list[str]:
    language = language_code(language)
    known = _remembered(language)
    found: list[str] = []
    for word in _words(text):
        cut = known.get(word)
        if cut is None:
            cut = _cut(word, language, None)
            if len(word) <= LONGEST_REMEMBERED and not RUN.search(word):
                if len(known) >= REMEMBERED:
                    known.clear()
                known[word] = cut
        found += cut
    return found


def query_tokens(text: str, languages: Iterable[str | None]) -> list[str]:
    """The tokens of a query against texts in these languages, each once, in reading order."""
    return list(dict.fromkeys(repeating_query_tokens(text, languages)))


def repeating_query_tokens(text: str, languages: Iterable[str | None]) -> list[str]:
    """The tokens of a query against texts in these languages, as often as they stand there, in reading order.

    Function words go by the query's own language; what is left is stemmed as each language would.
    A query of nothing but function words keeps them.
    """
    wanted = tuple(dict.fromkeys(language_code(language) for language in languages)) or (None,)
    return list(_short_query(text, wanted)) if len(text) <= SHORT else _query(text, wanted)


@lru_cache(SHORT_REMEMBERED // 4)
def _short_query(text: str, wanted: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(_query(text, wanted))


def _query(text: str, wanted: tuple[str | None, ...]) -> list[str]:
    own = language_of(text, (*(language for language in wanted if language), "en"))
    for phrase in QUESTION_PHRASES.get(own or "", ()):
        text = text.replace(phrase, " ")
    words = _words(text)
    spoken = {own, "en"} if own and own not in SCRIPT_LANGUAGES["latin"] else {own} if own else {*wanted, "en"}
    function_words = [LANGUAGES[language].function_words for language in spoken if language in LANGUAGES]
    for dropped in (frozenset[str]().union(*function_words), frozenset[str]()):
        cut = {
            word: list(dict.fromkeys(token for language in wanted for token in _cut(word, language, dropped)))
            for word in dict.fromkeys(words)
        }
        if found := [token for word in words for token in cut[word]]:
            return found
    return []


def pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours among a query's tokens; pieces of unspaced scripts overlap already and have none."""
    return list(dict.fromkeys((a, b) for a, b in pairwise(words) if not (is_piece(a) or is_piece(b))))


def is_piece(token: str) -> bool:
    """Whether a token is a piece of an unspaced script, not a word."""
    return RUN.match(token) is not None


@lru_cache(1_000)
def language_code(language: str | None) -> str | None:
    """`pt-BR` is `pt`."""
    code = re.split("[-_]", language or "")[0].casefold()
    return SAME.get(code, code) or None


def language_of(text: str, among: Iterable[str] | None = None) -> str | None:
    """The language of a text, as a two-letter code; None where neither script nor function words tell."""
    return _language_of(text[:SAMPLE], None if among is None else frozenset(among))


def _functions(language: str | None) -> frozenset[str]:
    return LANGUAGES[language].function_words if language in LANGUAGES else frozenset()


@lru_cache(100)
def _language_of(sample: str, among: frozenset[str] | None) -> str | None:
    counts: Counter[str] = Counter()
    for match in SCRIPT.finditer(sample):
        counts[match.lastgroup or ""] += match.end() - match.start()
    if not counts:
        return None
    if counts["kana"] * 10 > counts["han"]:
        counts["kana"] += counts.pop("han", 0)
    script = max(counts, key=lambda name: counts[name] * (3 if name in UNSPACED else 1))
    default = SCRIPTS[script][1]
    possible = SCRIPT_LANGUAGES[script]
    if len(possible) == 1:
        return default
    if among is not None:
        possible &= among
    counted = Counter(
        part.casefold().partition("'")[0]
        for word in _words(sample)
        for part in (word.split("-") if "-" in word else (word,))
    )
    # A word that comes often (Los Angeles, Los Angeles ...) tells little more than one that comes twice.
    spoken = {word: count**0.5 for word, count in counted.items()}
    shared = _shared()
    told = {word: count / shared[word] for word, count in spoken.items() if word in shared}
    scores = {
        language: sum(share for word, share in told.items() if word in LANGUAGES[language].function_words)
        for language in sorted(possible)
    }
    # A question in Spanish begins with its mark.
    unlikely = frozenset({"es"}) if "?" in sample and "¿" not in sample else frozenset[str]()
    several = len(told) > 1
    best = max(
        scores,
        key=lambda one: (scores[one], one in (default, "en"), several and one in COMMON, one not in unlikely),
        default=None,
    )
    # A language whose function words hardly occur in it is only the nearest of those known here.
    enough = max(0.4, 0.04 * sum(spoken.values()))
    # One word within a keyword query does not tell a rare language; one that asks does, and a mark of one language.
    held = [at for at, word in enumerate(spoken) if word in _functions(best)]
    if best not in COMMON and len(spoken) <= FEW_SPOKEN and len(held) == 1 and held[0]:
        best = None
    if best and scores.get(best, 0) >= enough:
        return best
    marked = (language for language, mark in MARKS if language in possible and mark.search(sample))
    return next(marked, default)


@cache
def _shared() -> Counter[str]:
    """In how many languages a function word occurs."""
    return Counter(word for language in LANGUAGES.values() for word in language.function_words)


@lru_cache(50)
def _remembered(language: str | None) -> dict[str, tuple[str, ...]]:
    """Words that were cut before: texts repeat themselves, and stemming is slow."""
    return {}


@cache
def _pattern(*, ascii_only: bool) -> re.Pattern[str]:
    """Words, compounds and numbers; `U.S.` and `C++` stay whole.

    `\\w` leaves out vowel signs and accents that stand by themselves, so they are added where they can occur.
    """
    word = r"\w+"
    if not ascii_only:
        marks = {code for code in range(0x300, 0x20000) if unicodedata.category(chr(code))[0] == "M"}
        ranges = zip(
            sorted(code for code in marks if code - 1 not in marks),
            sorted(code for code in marks if code + 1 not in marks),
            strict=True,
        )
        word += rf"(?:[{''.join(f'{chr(first)}-{chr(last)}' for first, last in ranges)}]+\w*)*"
    inside = r"(?:['‐‑-]|(?<=\d)[.,](?=\d)|(?<=\b[^\W\d_])\.(?=[^\W\d_]\b))"
    return re.compile(rf"{word}(?:{inside}{word})*(?:(?<=\b[A-Za-z])(?:\+\+|#)(?!\w))?")


def _words(text: str) -> list[str]:
    if text.isascii():
        return _pattern(ascii_only=True).findall(text)
    text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).replace("’", "'")
    return _pattern(ascii_only=False).findall(text)


def _cut(word: str, language: str | None, dropped: frozenset[str] | None) -> tuple[str, ...]:
    """The tokens of one word: none for a function word, several for a compound."""
    if RUN.search(word):
        return tuple(_pieces(word, language, dropped))
    if NUMBER.fullmatch(word):
        grouped = GROUPED.fullmatch(word)
        whole = word.replace(grouped[1], "") if grouped else word.casefold()
        return (re.sub("[.,]", "point", whole)[:LONGEST],)
    if word[-1] in "+#":
        return (word[0].casefold() + ("plusplus" if word[-1] == "+" else "sharp"),)
    own = _language_by_script(word, language)
    if dropped is None:
        dropped = LANGUAGES[own].function_words if own in LANGUAGES else frozenset()
    if own == "tr":
        word = word.replace("İ", "i").replace("I", "ı")
    low = word.casefold()
    base = CONTRACTED.sub("", low) if own == "en" else low
    # In capitals it is a name: US, IT, WHO.
    if (low in dropped or base in dropped) and not (len(word) > 1 and word.isupper()):
        return ()
    if base.isalpha():
        code = HUMP.findall(word) if CODE.fullmatch(word) else ()
        return tuple(_stem(part, own) for part in (base, *(part.casefold() for part in code)))
    if "." in base:
        base = base.replace(".", "")
        return () if base in ("eg", "ie") else (base[:LONGEST],)
    if "'" in base and own not in ELIDING:
        base = base.replace("'", "")
    parts = [part for part in JOINT.split(base) if part]
    # `e-mail` is also `email`, `gpt-4o` also `gpt4o`: where a part says little by itself, the whole is kept too.
    if len(parts) > 1 and "'" not in base and any(len(part) < 3 or not part.isalpha() for part in parts):
        parts.append("".join(parts))
    return tuple(_stem(part, own) for part in parts if part not in dropped)


def _pieces(word: str, language: str | None, dropped: frozenset[str] | None) -> Iterable[str]:
    at = 0
    for run in RUN.finditer(word):
        if run.start() > at:
            yield from _cut(word[at : run.start()], language, dropped)
        at = run.end()
        text, lengths = run.group(), UNSPACED[run.lastgroup or ""]
        for length in lengths:
            yield from (text[start : start + length] for start in range(len(text) - length + 1))
        if len(text) < lengths[0]:
            yield text
    if at < len(word):
        yield from _cut(word[at:], language, dropped)


def _language_by_script(word: str, language: str | None) -> str | None:
    """The language of a word in a text: an English name in a Russian text is English."""
    match = SCRIPT.search(word)
    if match is None or not language:
        return language if match is None else SCRIPTS[match.lastgroup or ""][1] or "en"
    script = match.lastgroup or ""
    own = language in SCRIPT_LANGUAGES[script] or language not in KNOWN
    return language if own else SCRIPTS[script][1] or "en"


@lru_cache(20_000)
def _stem(word: str, language: str | None) -> str:
    if len(word) > LONGEST:
        return word[:LONGEST]
    if not word.isascii() and language in ("ar", "fa", "he"):
        word = "".join(letter for letter in word if unicodedata.category(letter)[0] != "M" and letter != "ـ")
    if language == "en":
        word = IRREGULAR.get(word, word)
    stem = _stemmer(language)(word) if not any(letter.isdigit() for letter in word) else word
    if not stem.isascii() and language != "vi":
        stem = _plain(stem)
    return sys.intern(stem or word)


def _plain(word: str) -> str:
    """Without accents on Latin and Greek letters; elsewhere marks carry the meaning."""
    kept = []
    for letter in unicodedata.normalize("NFC", word.translate(FOLDED)):
        base = unicodedata.normalize("NFD", letter)[0]
        kept.append(base if base < "\u0400" else letter)
    return "".join(kept)


@lru_cache(50)
def _stemmer(language: str | None) -> Callable[[str], str]:
    if language == "vi":
        return str
    known = LANGUAGES.get(language or "en")
    if known is None or known.stemmer is None:
        return lambda word: word[:PREFIX]
    import snowballstemmer  # type: ignore[import-untyped]

    stemmer = snowballstemmer.stemmer(known.stemmer)
    length = None if (language or "en") == "en" else STEM_LENGTHS.get(language or "", OTHER_STEM_LENGTH)
    lock = threading.Lock()

    def stem(word: str) -> str:
        # A stemmer keeps the word it works on, so two threads must not share it at a time.
        with lock:
            stemmed: str = stemmer.stemWord(word)
        return stemmed[:length]

    return stem
