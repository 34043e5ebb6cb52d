"""Questions: what kind of thing is asked for, and whether a sentence has one to offer."""

from __future__ import annotations

import re
from typing import Literal

Asked = Literal["number", "time", "name", "other"]

_NUMBER = (
    r"\bhow (?:many|much|long|old|far|large|big|tall|high|deep|often|fast|heavy)\b"
    r"|\bwhat (?:percent|percentage|number|amount|population|fraction|proportion|age)\b"
    r"|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bquant[oiae]s?\b|\bhoeveel\b|\bhur många\b|\bhvor mange\b"
    r"|\bile\b|\bkolik\b|\bhány\b|\bkaç\b|\bberapa\b|\bсколько\b|\bскільки\b|\bколко\b|πόσ[οηαε]|\bكم\b|\bچند\b|כמה"
    r"|कितन[ेीा]|多少|几[个名次年人种]|幾|何人|何個|いくつ|いくら|몇|얼마|กี่|เท่าไ|เท่าใด|bao nhiêu"
)
_TIME = (
    r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b|\bin (?:what|which) year\b"
    r"|\bwann\b|\bquand\b|\bcu[aá]ndo\b|\bquando\b|\bwanneer\b|\bnär\b|\bhvornår\b|\bnår\b|\bmilloin\b|\bkiedy\b|\bkdy\b"
    r"|\bcând\b|\bmikor\b|\bne zaman\b|\bkapan\b|\bhangi yıl|\bwelche[mns]? jahr|\bquelle année|\bqu[eé] año|\bche anno"
    r"|\bque ano|\bкогда\b|\bв каком году\b|\bколи\b|\bкога\b|\bπότε\b|\bمتى\b|\bאימתי\b|\bמתי\b|कब"
    r"|什么时候|何时|哪[一]?年|什麼時候|いつ|何年|언제|เมื่อ(?:ใด|ไ)|khi nào"
)
_NAME = (
    r"\bwho(?:m|se)?\b|\bwhere\b"
    r"|\b(?:what|which) (?:person|country|city|place|region|state|town|island|river|company)\b"
    r"|\bwer\b|\bwem\b|\bwo\b|\bqui\b|\boù\b|\bqui[eé]n(?:es)?\b|\bd[oó]nde\b|\bchi\b|\bdove\b|\bquem\b|\bonde\b|\bwaar\b"
    r"|\bvem\b|\bvar\b|\bhvem\b|\bhvor\b|\bkuka\b|\bmissä\b|\bkto\b|\bgdzie\b|\bkdo\b|\bkde\b|\bcine\b|\bunde\b|\bkim\b"
    r"|\bnerede\b|\bsiapa\b|\bкто\b|\bкого\b|\bкем\b|\bгде\b|\bхто\b|\bде\b|\bποιος\b|\bποιοι\b|\bπού\b"
)
ASKED: tuple[tuple[Asked, re.Pattern[str]], ...] = (
    ("time", re.compile(_TIME, re.IGNORECASE)),
    ("number", re.compile(_NUMBER, re.IGNORECASE)),
    ("name", re.compile(_NAME, re.IGNORECASE)),
)

NUMBER = re.compile(
    r"\d+"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|dozens?|hundreds?"
    r"|thousands?|millions?|billions?|half|third|quarter|once|twice|none)\b"
    r"|\b(?:zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|due|tre|quattro|cinque|два|две|три|четыре|пять)\b"
    r"|[一二三四五六七八九十百千万亿两]+",
    re.IGNORECASE,
)
TIME = re.compile(
    r"\b[12]\d{3}s?\b|\b\d{1,2}(?:st|nd|rd|th)\b|\d+\s*[年月日]|世纪|世紀|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b"
    r"|\b(?:centur(?:y|ies)|decades?|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter|jahrhundert|siècle|siglo|secolo"
    r"|século|век[аеу]?|год[ауе]?|январ|феврал|март|апрел|ма[яй]|июн|июл|август|сентябр|октябр|ноябр|декабр)",
    re.IGNORECASE,
)
# Words within a sentence, or its first where the second has a capital too.
NAME = re.compile(r"(?:(?<=[^\s.!?…:])[\s(\"“«]+|^(?=[^\W\d_][\w'’-]*\s+[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ]))([^\W\d_a-zа-яё][\w'’-]+)")
CASED = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
CAPITAL = re.compile(r"(?<=[\w,;)\"”»] )[\"“«(]?([^\W\d_][\w'’-]*)")
WORD = re.compile(r"\w+")
NEGATION = re.compile(
    r"\b(?:not|never|no|nor|none|neither|without|least|except|unable|fail\w*|refus\w*|lack\w*|prevent\w*|avoid\w*"
    r"|nicht|kein\w*|nie|niemals|ohne|jamais|sans|pas|nunca|jamás|não|non|mai|senza|niet|geen|не|ни|без|никогда|ні)\b|n['’]t\b",
    re.IGNORECASE,
)


def asked(question: str) -> Asked:
    """What kind of thing a question asks for."""
    return next((kind for kind, pattern in ASKED if pattern.search(question)), "other")


def offers(sentence: str, kind: Asked, known: frozenset[str]) -> float:
    """1 where a sentence has such a thing beyond the question's own words, 0 where it has none, else a half."""
    if kind == "number":
        return float(any(match.group().casefold() not in known for match in NUMBER.finditer(sentence)))
    if kind == "time":
        return float(any(match.group().casefold() not in known for match in TIME.finditer(sentence)))
    if kind == "name" and CASED.search(sentence):
        return float(any(name[0].isupper() and name.casefold() not in known for name in NAME.findall(sentence)))
    return 0.5


def own_words(question: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in WORD.findall(question))


def names(question: str) -> str:
    """The words that a question writes with a capital, but for its first."""
    return " ".join(word for word in CAPITAL.findall(question) if word[0].isupper())


def negated(text: str) -> bool:
    return NEGATION.search(text) is not None
