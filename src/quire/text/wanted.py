"""Wanted: whether a text has the type of thing that a question wants, beyond the question's own words."""

from __future__ import annotations

import re

from quire.text.languages import LANGUAGES
from quire.text.question_tables import Wanted
from quire.text.sentences import STAMP

_NUMBERS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen"
    r"|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?|billions?"
    r"|half|third|quarter|once|twice|thrice|none|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig"
    r"|hundert"
    r"|tausend|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|cent|mille|dos|tres|cuatro|cinco|siete|ocho"
    r"|nueve|diez|once|doce|veinte|cien|mil|due|tre|quattro|cinque|два|две|двух|три|трёх|трех|четыре|пять|шесть|семь"
    r"|восемь|девять|десять|двадцать|сто"
)
NUMBER = re.compile(
    rf"(?<![A-Za-z_\d])\d+|\b(?:ein|zwei|drei|vier|fünf|zehn|mehr)mal\b|\b(?:{_NUMBERS})\b|[一二三四五六七八九十百千万亿两]+",
    re.IGNORECASE,
)
TIME = re.compile(
    r"\b[12]\d{3}s?\b|\b\d{1,2}(?:st|nd|rd|th)\b|(?<!\d)\d++\s*+[年月日]|世纪|世紀|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b"
    r"|\b\d{1,2}[:.]\d{2}\b|\b\d{1,2} ?(?:a\.?m\.?|p\.?m\.?|o['’]clock|uhr)\b|\b(?:noon|midnight|midday|daily|weekly"
    r"|monthly"
    r"|annually|yearly|weekdays?|weekends?|today|tomorrow|yesterday|easter|christmas)\b"
    r"|\b(?:first|second|third|fourth|fifth|last|next|every|each) (?:\w+ )?(?:day|week|month|quarter|year)s?\b"
    r"|\b(?:in|during|until|till|every|each|from|by|since|late|early|mid)[ -](?:the |early |late )?(?:spring|summer"
    r"|autumn|winter)\b"
    r"|\b(?-i:May|March)\b|\b(?:centur(?:y|ies)|decades?|january|february|april|june|july|august|september|october"
    r"|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jahrhundert|siècle|siglo"
    r"|secolo"
    r"|século|век[аеу]?|год[ауе]?|январ|феврал|март|апрел|ма[яй]|июн|июл|август|сентябр|октябр|ноябр|декабр)"
    r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|juni|juli|oktober|dezember"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|avril|juin|juillet|août|septembre|octobre"
    r"|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio"
    r"|julio"
    r"|agosto|septiembre|octubre|noviembre|diciembre)\b",
    re.IGNORECASE,
)
_MONTHS = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic"
    r"|янв|фев|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\w*\.?"
)
# A day or a year: its numbers count nothing.
DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?{_MONTHS}(?:,? [12]\d{{3}})?\b"
    rf"|\b{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?(?:,? [12]\d{{3}})?\b"
    r"|\b[12]\d{3}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}:\d\d\b"
    r"|\b(?:in|since|until|by|from|of|after|before|around|about|year|seit|bis|ab|im jahr|en|depuis|desde|в|с|до)"
    r" [12]\d{3}\b(?! [a-z])",
    re.IGNORECASE,
)
# Days and weeks tell when only as a rule does: "on the third working day", "within two weeks".
DAYS = re.compile(
    r"\b(?:days?|weeks?|months?|years?|hours?|minutes?|mornings?|evenings?|afternoons?"
    r"|nights?|(?:as )?soon as"
    r"|before|after"
    r"|until|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|vor|nach|jours?|semaines?|mois|ans?|días?|semanas?|meses|años?"
    r"|дн\w+|недел\w+|месяц\w*)\b|[天周]|小时|月",
    re.IGNORECASE,
)
_UNITS = (
    r"s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|nights?|weeks?|fortnights?|months?|years?|decades?"
    r"|centur(?:y|ies)"
    r"|sekunden?|minuten?|stunden?|std|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois"
    r"|ans?|années?"
    r"|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?|секунд\w*|минут\w*|час\w*|дн\w+|день|недел\w+"
    r"|месяц\w*|год\w*|лет"
)
DURATION = re.compile(
    rf"(?:\d|\b(?:{_NUMBERS}|an?|several|few|eine?n?r?|une?"
    rf"|un[ao]?)\b)[\s-]*+(?:(?!\d)\w++[\s-]++){{0,2}}?(?:{_UNITS})\b"
    r"|\d\s*+(?:秒|分钟|小时|天|周|个月|年)|\b(?:overnight|permanently|indefinitely|forever|lifelong|lifetime)\b",
    re.IGNORECASE,
)
WITHIN = re.compile(
    r"\b(?:within|no later than|innerhalb|binnen|spätestens|dans un délai|sous|en un plazo|в течение)\b", re.I
)
_CURRENCIES = (
    r"euros?|eur|usd|dollars?|pounds?|gbp|pence|cents?|chf|francs?|franken|yen|yuan|rmb|rupees?|kronor|kroner"
    r"|rubles?|roubles?"
    r"|рубл\w*|руб|евро|доллар\w*"
)
MONEY = re.compile(
    rf"[$€£¥₽₹]\s?\d|\d\s?(?:[$€£¥₽₹元块]|(?:(?:thousand|million|billion|k|m|bn|mio|mrd)\.? )?(?:{_CURRENCIES})\b)"
    r"|\b(?:free of charge|(?:is|are|for) free|no charge|at no cost|without charge|kostenlos|gratis|gratuit\w*"
    r"|бесплатн\w*)\b|免费",
    re.IGNORECASE,
)
# A number beside such a word is one of money, though its currency stands elsewhere.
PRICED = re.compile(
    r"\b(?:costs?|prices?|priced|fees?|rent|fares?|deposit|total|subtotal|budget|planned|spent|paid|pay|bill|amount"
    r"|charges?"
    r"|salary|wage|rate|eur|usd|gbp|chf|balance|invoice|tax|kosten|preis|miete|gebühr|betrag|summe|prix|coût|montant"
    r"|precio|coste"
    r"|importe"
    r"|цена|стоимость|сумма)\b|价格|费用|金额",
    re.IGNORECASE,
)
# Words within a sentence, or its first where the second has a capital too.
NAME = re.compile(
    r"(?:(?<=[^\s.!?…:(\"“«])[\s(\"“«]++|^(?=[^\W\d_][\w'’-]*\s+[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ]))([^\W\d_a-zа-яё][\w'’-]+)"
)
# DNA and UPS are nobody's names.
SHORTENED = re.compile(r"[A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ\d-]{1,5}s?")
# Who is meant does not stand behind such a word: "begins at Wairasa".
LOCATED = re.compile(
    r"\b(?:at|in|near|into|around|on|im|am|bei|dans|à|en|в|на) "
    r"(?:the |der |dem |la |le )?(?:[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ][\w'’-]+ ?)+"
)
OPENING = re.compile(r"\W*([A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ][\w'’-]+)")
ROLE = re.compile(
    r"\b(?:land(?:lord|lady)|tenants?|owners?|chair(?:man|woman|person)?|treasurer|secretary|presidents?|managers?"
    r"|directors?|committee|board|members?|parents?|staff|teams?|teachers?|students?|pupils?|doctors?|physicians?"
    r"|patients?"
    r"|nurses?|employers?|employees?|workers?|customers?|clients?|users?|visitors?|guests?|council|company|police"
    r"|government|king|queen|captain|authors?|editors?|anyone|everyone|nobody|people|persons?|children|adults?"
    r"|volunteers?|caretaker|contractors?|suppliers?|sellers?|buyers?|applicants?|participants?|players?"
    r"|administrators?"
    r"|operators?|engineers?|supervisors?|coach|drivers?|pilots?|judges?|mayor|ministers?|bishops?|pope|emperor|prince"
    r"|princess|duke|scientists?|researchers?|residents?|inhabitants?|citizens?|soldiers?|farmers?|mother|father|sister"
    r"|brother|wife|husband|vermieter\w*|mieter\w*|eigentümer\w*|vorstand|leiter\w*|kunden?|mitglieder|lehrer\w*|arzt"
    r"|ärztin|propriétaire|locataires?|directeur|directrice|clients?|membres?|dueño|propietario|inquilinos?|director\w*"
    r"|socios?|владел\w+|директор\w*|председател\w*|учител\w*|врач\w*)\b",
    re.IGNORECASE,
)
WHERE = re.compile(
    r"\b(?:in|at|on|near|under|behind|above|below|between|from|to|into|next to|opposite|inside|outside|im|am|bei|auf"
    r"|unter"
    r"|hinter|neben|aus|dans|à|chez|sur|sous|en|sobre|bajo|junto|в|на|под|над|возле|около|из)\b|[在里内]",
    re.IGNORECASE,
)
WHY = re.compile(
    r"\b(?:because|since|due to|owing to|thanks to|so that|therefore|thus|hence|in order to|to (?:avoid|prevent"
    r"|allow|ensure"
    r"|protect|save|keep|make)|as a result|caused? by|leads? to|reasons?|otherwise|weil|da|denn|deshalb|daher|damit"
    r"|wegen|um|parce que"
    r"|car|puisque|afin|pour|grâce à|à cause|porque|ya que|debido|por eso|para|потому|поэтому|из-за|так как|чтобы)\b"
    r"|因为|由于|所以|以免|以便",
    re.IGNORECASE,
)
# What rules are made of.
RULE = re.compile(
    r"\b(?:may|must|can(?:not)?|allow\w*|permit\w*|permission|consent|forb\w+|prohibit\w*|ban(?:s|ned)?|not|no"
    r"|nobody|never"
    r"|nothing|none|only|needs?|needed|required?|requires|ha(?:s|ve) to|free to|possible|impossible|should|shall"
    r"|unless|except"
    r"|without|welcome|entitled|available|n['’]t|darf|dürfen|muss|müssen|kann|können|erlaubt\w*|verboten|untersagt"
    r"|gestattet|nicht"
    r"|kein\w*|nur|niemand|soll\w*|peut|peuvent|doit|doivent|permis|interdit\w*|autorisé\w*|ne|pas|jamais|seul\w*"
    r"|uniquement"
    r"|puede\w*|debe\w*|permitid\w*|prohibid\w*|no|nunca|sólo|solo|solamente|можно|нельзя|должн\w*|разреш\w*"
    r"|запрещ\w*|не|только)\b"
    r"|[可能必须不禁得]",
    re.IGNORECASE,
)
ORIGIN = re.compile(
    r"\b(?:(?:re)?named|called|names?d? (?:after|for|from)|derive[sd]?|derivation|comes? from|came from|origin\w*"
    r"|stems? from|meaning"
    r"|after the|nach|benannt|stammt|heißt|nommée?|vient|tire|dérive|llamad\w+|viene|proviene|назван\w*"
    r"|происход\w+)\b|得名|来自|源于",
    re.IGNORECASE,
)
# How one is reached: a long number, an address of mail or web.
CONTACT = re.compile(
    r"\+?\(?\d[\d ()/.-]{4,30}\d|\w@\w|\b(?:https?://|www\.)\w|\b[\w-]{1,63}\.(?:com|org|net|de|fr|io|example)\b"
)
STEM = 4
# What numbers an item of a list or a clause is no number in it.
MARK = re.compile(
    r"^\s*+\d{1,3}(?:\.\d{1,3})++\.?\s(?=(?-i:[A-ZÀ-ÖØ-ÞА-ЯЁ]))"
    r"|^\s*\(?(?:\d{1,3}|[a-z])[.)]\s|^\s*[-*+•]\s(?:\[[ x]\]\s)?",
    re.IGNORECASE,
)
CASED = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
# A text without such a thing does not answer: dates and sums have forms of their own.
EXACT: frozenset[Wanted] = frozenset({"date", "duration", "money", "count", "number"})
STRICT: frozenset[Wanted] = EXACT | {"person", "contact"}
# These are told by signs that other sentences have too, or lack though they answer.
LOOSE: frozenset[Wanted] = frozenset({"reason", "place", "name"})


def offers(text: str, wanted: Wanted, known: frozenset[str], around: str = "") -> float:
    """1 where a text has such a thing beyond the question's own words, 0 where it has none, else something between.

    `around` is what stands over the text, a table's head say: it may name what the text's numbers are.
    """
    text = MARK.sub("", text)
    if stamp := STAMP.match(text):
        # When something was written is seldom when it is.
        text = text[stamp.end() :]
        if wanted == "date" and not _new(TIME, text, known):
            return 0.5
    if wanted in ("count", "number"):
        return float(_new(NUMBER, DAY.sub(" ", text), known))
    if wanted == "date":
        if _new(TIME, text, known) or (WITHIN.search(text) and DURATION.search(text)):
            return 1.0
        return 0.5 if DAYS.search(text) else 0.0
    if wanted == "duration":
        return float(DURATION.search(text) is not None)
    if wanted == "money":
        if MONEY.search(text):
            return 1.0
        return 0.5 if _new(NUMBER, text, known) and PRICED.search(f"{text} {around}") else 0.0
    if wanted == "contact":
        return float(CONTACT.search(STAMP.sub("", DAY.sub(" ", text), count=1)) is not None)
    if wanted == "permission":
        return 1.0 if RULE.search(text) else 0.5
    if wanted == "origin":
        return 1.0 if ORIGIN.search(text) else 0.0
    if wanted == "reason":
        return 1.0 if WHY.search(text) else 0.5
    if wanted in ("person", "place", "name") and CASED.search(text):
        plain = TIME.sub(lambda found: found.group().casefold(), text)
        if wanted == "person":
            plain = LOCATED.sub(" ", plain)
        names = [name for name in NAME.findall(plain) if name[0].isupper() and name.casefold() not in known]
        if any(wanted != "person" or not SHORTENED.fullmatch(name) for name in names):
            return 1.0
        if wanted == "person":
            opening = OPENING.match(text)
            fresh = opening is not None and opening[1].casefold() not in known and not _common(opening[1])
            return 0.5 if fresh or _other(ROLE, text, known) else 0.0
        return 0.5 if wanted == "name" or WHERE.search(text) else 0.0
    return 0.5


def _new(pattern: re.Pattern[str], text: str, known: frozenset[str]) -> bool:
    return any(match.group().casefold() not in known for match in pattern.finditer(text))


def _other(pattern: re.Pattern[str], text: str, known: frozenset[str]) -> bool:
    """The same, but that a known word's other forms are known too: who owns a house is not told by "the owner"."""
    beginnings = {word[:STEM] for word in known if len(word) >= STEM}
    return any(match.group().casefold()[:STEM] not in beginnings for match in pattern.finditer(text))


def _common(word: str) -> bool:
    """Whether a sentence's first word is an everyday one rather than a name."""
    return any(word.casefold() in language.function_words for language in LANGUAGES.values())
