"""Statements: a sentence or a few, as words with what decides their meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from quire.text import grammar_words as grammar
from quire.text.languages import IRREGULAR
from quire.text.meanings import key_of
from quire.text.measures import COUNTS, DOUBTFUL, HALVES, MONTHS, SCALES, SYMBOLS, UNITS, Measure, value_of, word_value
from quire.text.sentences import ABBREVIATED

# Of a longer statement no more is read.
MOST_WORDS = 400
TOKEN = re.compile(
    r"(?P<iso>(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-]))"
    r"|(?P<dotted>(?<![\d./])\d{1,2}[./]\d{1,2}[./]\d{4}(?![\d]))"
    r"|(?P<time>(?<!\d)\d{1,2}:\d{2}(?!\d))"
    r"|(?P<number>(?<!\d)\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}+(?!\d)|\d++(?:[.,]\d++)*+)"
    r"|(?P<unit>[%€$£¥₽]|°[CF]?(?!\w)|(?:k?m/s|km/h)(?!\w))"
    r"|(?P<word>[^\W\d_]++(?:['’‐‑-][^\W\d_]++)*+)"
    r"|(?P<stop>[.!?…;:,()\[\]–—]++|\s-(?=\s))"
)
# Where every noun has a capital, these tell a name.
TITLES = frozenset({"frau", "herr", "herrn", "dr", "prof", "professor", "professorin"})
PHRASES = (
    (re.compile(r"\bquarter of an hour\b", re.IGNORECASE), "15 minutes"),
    (re.compile(r"\bhalf an hour\b", re.IGNORECASE), "30 minutes"),
    (re.compile(r"\bper cent\b|\bpour cent\b|\bpor ciento\b", re.IGNORECASE), "percent"),
    (re.compile(r"\bno (?:one|body)\b", re.IGNORECASE), "nobody"),
    (re.compile(r"\bno longer\b", re.IGNORECASE), "not"),
    (re.compile(r"\b(?:no more than|not more than|up to|at most|maximum of)\b", re.IGNORECASE), "atmost"),
    (re.compile(r"\b(?:no (?:less|fewer) than|at least|minimum of)\b", re.IGNORECASE), "atleast"),
    (re.compile(r"\b(?:fails?|failed|failing|unable) to\b", re.IGNORECASE), "not"),
    (re.compile(r"\b(?:free of charge|for free|costs? nothing)\b", re.IGNORECASE), "free"),
    (re.compile(r"\b(?:step|steps|stepped|stepping) down\b", re.IGNORECASE), "resigned"),
    (re.compile(r"\b(?:take|takes|took|taking|taken) over from\b", re.IGNORECASE), "succeeded"),
    (re.compile(r"\bset(?:s|ting)? up\b", re.IGNORECASE), "established"),
    (re.compile(r"\b(?:come|comes|came) out\b", re.IGNORECASE), "published"),
    (re.compile(r"\b(?:lose|loses|lost|losing) (?=electricity|power|access|contact)", re.IGNORECASE), "left without "),
    (re.compile(r"\b(?:turn|turns|turned|switch|switches|switched|turning|switching) off\b", re.IGNORECASE), "disable"),
    (re.compile(r"\b(?:turn|turns|turned|switch|switches|switched|turning|switching) on\b", re.IGNORECASE), "enable"),
    (re.compile(r"\bin a row\b", re.IGNORECASE), "consecutive"),
    (re.compile(r"\bfor an? (?=(?:minute|hour|day|week|month|year)\b)", re.IGNORECASE), "for one "),
    (re.compile(r"\bout of\b", re.IGNORECASE), "of"),
    (re.compile(r"\bn['’]t\b", re.IGNORECASE), " not"),
    (re.compile(r"n['’]t\b", re.IGNORECASE), " not"),
    (re.compile(r"\bcannot\b", re.IGNORECASE), "can not"),
)


@dataclass(frozen=True)
class Word:
    """`role` is the preposition that leads to it; `negated` and `hedged` say what its clause makes of it."""

    key: str
    low: str
    at: int
    sentence: int
    clause: int
    content: bool
    name: bool = False
    measure: Measure | None = None
    bound: str = ""
    role: str = ""
    negated: bool = False
    focus: bool = False
    verb: bool = False
    passive: bool = False


@dataclass(frozen=True)
class Statement:
    language: str
    words: tuple[Word, ...] = ()
    clauses: dict[int, frozenset[str]] = field(default_factory=dict)

    @property
    def content(self) -> list[Word]:
        return [word for word in self.words if word.content]


@lru_cache(512)
def statement(text: str, language: str) -> Statement:
    words = _measured(list(_words(text, language)), language)[:MOST_WORDS]
    words = _with_roles(_negated(words, language), language)
    clauses: dict[int, set[str]] = {}
    for word in words:
        lows = clauses.setdefault(word.clause, set())
        # The month of May is no doubt.
        if word.measure is None or not word.measure.month:
            lows.add(word.low)
    return Statement(language, tuple(words), {clause: frozenset(lows) for clause, lows in clauses.items()})


def naming_alike(one: Statement, other: Statement) -> tuple[Statement, Statement]:
    """Both, with a name that opens a sentence taken for one where it is one elsewhere."""
    names = {word.key for word in (*one.words, *other.words) if word.name}

    def known(found: Statement) -> Statement:
        if all(word.name or word.key not in names for word in found.words):
            return found
        words = (replace(word, name=True, verb=False) if word.key in names else word for word in found.words)
        return replace(found, words=tuple(words))

    return known(one), known(other)


def _words(text: str, language: str) -> Iterator[Word]:
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    if language == "en":
        for pattern, plain in PHRASES:
            text = pattern.sub(plain, text)
    at = sentence = clause = 0
    first, before = True, ""
    breaks = grammar.BREAKS.get(language, grammar.NOTHING)
    for found in TOKEN.finditer(text):
        kind, said = found.lastgroup or "", found.group()
        if at > MOST_WORDS + 100:
            return
        if kind == "stop" and said == "." and before in ABBREVIATED:
            continue
        if kind == "stop":
            clause += 1
            ends = (
                any(stop in said for stop in ".!?…") and not text[found.end() : found.end() + 2].strip()[:1].islower()
            )
            sentence += ends
            first = first or ends
            continue
        if kind == "word":
            for part in _parts(said, language):
                low = part.casefold()
                clause += low in breaks
                key = key_of(part, language)
                content = low not in _function_words(language) and len(key) > 0
                name = content and part[0].isupper() and not first and (language != "de" or before in TITLES)
                yield Word(key, low, at, sentence, clause, content, name or (len(part) > 1 and part.isupper()))
                at += 1
                first, before = False, low
            continue
        yield Word(f"#{said}", said, at, sentence, clause, kind != "unit", measure=_measure(kind, said))
        at += 1
        first = False


def _parts(word: str, language: str) -> list[str]:
    """`l'entrée` is two words, `Anna's` is one, `twenty-one` too."""
    if "'" in word:
        head, _, tail = word.partition("'")
        if language in ("fr", "it"):
            return [head, *_parts(tail, language)] if tail else [head]
        return [head] if tail.casefold() in ("s", "re", "ve", "ll", "d", "m", "") else [word]
    if "-" in word and word_value(word.casefold(), language) is None and len(word) <= 40:
        return [part for part in word.split("-") if part] or [word]
    return [word]


@lru_cache(50)
def _function_words(language: str) -> frozenset[str]:
    from quire.text.languages import LANGUAGES

    return LANGUAGES[language].function_words if language in LANGUAGES else frozenset()


def _measure(kind: str, said: str) -> Measure | None:
    if kind == "iso":
        return Measure(None, "", int(said[:4]), int(said[5:7]), int(said[8:]))
    if kind == "dotted":
        day, month, year = (int(part) for part in re.split("[./]", said))
        return Measure(None, "", year, month, day)
    if kind == "time":
        return Measure(said.zfill(5))
    return Measure(value_of(said)) if kind == "number" else None


def _measured(words: list[Word], language: str) -> list[Word]:
    """Numbers in words, scales, units and days are put together, each into one word."""
    made: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        value = word.measure.value if word.measure else word_value(word.low, language)
        if value is None and word.low == "one" and at < len(words) and words[at].low in UNITS:
            value = 1.0
        if word.low in HALVES:
            made.append(replace(word, key="#half", measure=Measure(50.0, "percent"), content=True))
            continue
        month = MONTHS.get(word.low) if word.measure is None else None
        sure = word.low not in DOUBTFUL or (language == "en" and word.name and word.low not in ("mars", "mai", "mar"))
        led = word.low in ("may", "march") and bool(made) and made[-1].low in grammar.LEADING_TO_MONTHS
        if month and (sure or led or _beside_number(words, at)):
            at, day = _day(words, at, month, made)
            made.append(replace(word, key=f"#{day}", measure=day, content=True, name=False))
            continue
        if value is None or (word.measure and word.measure.month):
            made.append(word)
            continue
        while at < len(words) and words[at].low in SCALES and not isinstance(value, str):
            value *= SCALES[words[at].low]
            at += 1
        unit = ""
        if made and made[-1].low in SYMBOLS | {"usd", "eur", "gbp", "chf"}:
            unit = made.pop().low
        elif at < len(words) and words[at].low in UNITS and words[at].clause == word.clause:
            unit = words[at].low
            at += 1
            if unit in ("°", "degrees", "degree") and at < len(words) and words[at].low in ("celsius", "fahrenheit"):
                unit = words[at].low
                at += 1
            elif UNITS[unit] == ("length", 1.0) and [one.low for one in words[at : at + 2]] == ["per", "second"]:
                unit, at = "m/s", at + 2
            elif UNITS[unit] == ("length", 1000.0) and [one.low for one in words[at : at + 2]] == ["per", "second"]:
                unit, at = "km/s", at + 2
        bound = _bound(made)
        made.append(replace(word, key=f"#{value}", measure=Measure(value, unit), content=True, name=False, bound=bound))
    return made


def _beside_number(words: list[Word], at: int) -> bool:
    """Whether a number stands right before or behind the month before `at`: `3rd of May`, not `two guests may`."""
    before = [word for word in words[max(0, at - 3) : at - 1] if word.low not in ("of", "de")][-1:]
    return any(word.measure is not None or word.low in COUNTS for word in [*before, *words[at : at + 1]])


def _day(words: list[Word], at: int, month: int, made: list[Word]) -> tuple[int, Measure]:
    """The day whose month stands before `at`, with what belongs to it on both sides."""
    day = year = None
    while made and made[-1].low in ("of", "de"):
        made.pop()
    if made and _between(made[-1].measure, 1, 31):
        day = int(made.pop().measure.value)  # type: ignore[union-attr, arg-type]
    elif at < len(words) and _between(words[at].measure, 1, 31):
        day = int(words[at].measure.value)  # type: ignore[union-attr, arg-type]
        at += 1
    while at < len(words) and words[at].low == "de":
        at += 1
    if at < len(words) and _between(words[at].measure, 1000, 2199):
        year = int(words[at].measure.value)  # type: ignore[union-attr, arg-type]
        at += 1
    return at, Measure(None, "", year, month, day)


def _between(measure: Measure | None, low: int, high: int) -> bool:
    return (
        measure is not None and isinstance(measure.value, float) and low <= measure.value <= high and not measure.unit
    )


def _bound(before: list[Word]) -> str:
    """Whether the number that follows is a least (`>`), a most (`<`) or just that."""
    near = [word.low for word in before[-2:]]
    if not near:
        return ""
    last, both = near[-1], " ".join(near)
    if (
        last == "atleast"
        or last in grammar.MORE | {"mindestens"}
        or both
        in (
            "more than",
            "older than",
            "mehr als",
            "plus de",
            "más de",
            "longer than",
            "greater than",
            "por encima",
        )
    ):
        return ">"
    if last in ("atmost", "under", "below", "höchstens", "bis", "до", "hasta", "unter") or both in (
        "less than",
        "fewer than",
        "younger than",
        "weniger als",
        "moins de",
        "menos de",
        "shorter than",
        "smaller than",
    ):
        return "<"
    return ""


def _negated(words: list[Word], language: str) -> list[Word]:
    cues = grammar.NEGATIONS.get(language, grammar.NEGATIONS["en"])
    made = list(words)
    for at, word in enumerate(words):
        following = words[at + 1].low if at + 1 < len(words) else ""
        if word.low not in cues or following in grammar.NOT_NEGATING:
            continue
        alone = word.low in grammar.WITHOUT
        focused = False
        for place in range(at + 1, len(words)):
            if words[place].clause != word.clause or (focused and alone):
                break
            if words[place].content:
                turned = not made[place].negated if alone else True
                made[place] = replace(made[place], negated=turned, focus=made[place].focus or not focused)
                focused = True
        before = range(at - 1, -1, -1) if language in grammar.NEGATED_WHOLE and not alone else range(0)
        for place in before:
            if words[place].clause != word.clause:
                break
            if words[place].content:
                made[place] = replace(made[place], negated=True, focus=made[place].focus or not focused)
                focused = True
        last = next((back for back in range(at - 1, -1, -1) if words[back].content), None)
        if not focused and not alone and last is not None and words[last].clause == word.clause:
            made[last] = replace(made[last], negated=True, focus=True)
    return made


def _with_roles(words: list[Word], language: str) -> list[Word]:
    prepositions = grammar.PREPOSITIONS.get(language, grammar.NOTHING)
    articles = grammar.ARTICLES.get(language, grammar.NOTHING)
    passives = grammar.PASSIVES.get(language, grammar.NOTHING)
    made: list[Word] = []
    role, noun = "", False
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        following = words[at + 1] if at + 1 < len(words) else None
        if before is None or before.clause != word.clause:
            role, noun = "", False
        if word.low in prepositions and not word.measure:
            role, noun = word.low, True
        elif word.low in articles:
            role, noun = (role if before and before.low == role else ""), True
        elif word.low in grammar.AUXILIARIES or word.low in grammar.JOINS:
            role, noun = "", False
        verb = word.content and not word.measure and not word.name and _is_verb(word, before, following, noun, language)
        if verb:
            role = ""
        recent = {one.low for one in words[max(0, at - 3) : at] if one.clause == word.clause}
        made.append(replace(word, role=role, verb=verb, passive=(verb or language != "en") and bool(recent & passives)))
        if verb:
            noun = False
    return _with_a_verb(made) if language == "en" else made


def _with_a_verb(words: list[Word]) -> list[Word]:
    """In a clause without a verb the first word in -s behind a noun is one: `her brother teaches chemistry`."""
    done = {word.clause for word in words if word.verb or word.low in grammar.AUXILIARIES}
    made = list(words)
    for at in range(1, len(words)):
        word, before = words[at], words[at - 1]
        if word.clause in done or not (word.content and before.content and before.clause == word.clause):
            continue
        if (
            word.low.endswith("s")
            and not word.low.endswith(("ss", "us", "is"))
            and not (word.measure or before.measure)
        ):
            done.add(word.clause)
            made[at] = replace(word, verb=True, role="")
    return made


def _is_verb(word: Word, before: Word | None, following: Word | None, noun: bool, language: str) -> bool:
    """Whether an English word is used as a verb, as far as its form and its neighbours tell."""
    low = word.low
    if language != "en":
        endings = grammar.PAST_ENDINGS.get(language, ())
        return bool(endings) and low.endswith(endings) and before is not None and not noun_only(before, language)
    if before is not None and before.low in PLAIN:
        return low.endswith(("ed", "en", "ing", "t", "n")) and not low.endswith("est")
    if before is not None and before.low in grammar.AUXILIARIES:
        return before.low != "that" and not low.endswith("ly")
    past = low.endswith("ed") or IRREGULAR.get(low, "big") not in grammar.NO_VERBS
    if before is None or not before.content:
        joined = before is not None and (before.low in grammar.JOINS or before.low in grammar.ADVERBS)
        return not noun and (low.endswith("ed") or (joined and past))
    ends = following is None or not following.content or following.measure is not None or following.name
    if low.endswith("ed"):
        return True
    past = past or low in ("cut", "put", "set", "hit", "let")
    return (past or (low.endswith("s") and not low.endswith(("ss", "us", "is")) and not noun)) and ends


def noun_only(before: Word, language: str) -> bool:
    """Whether what follows can only be a noun."""
    return before.low in grammar.ARTICLES.get(language, grammar.NOTHING)


PLAIN = frozenset(["is", "are", "was", "were", "be", "been", "being", "am"])
