"""Restated: a question that goes on from another, asked so that it can be understood alone."""

from __future__ import annotations

import re

from quire.text.asked import Asked

# What a fragment begins with: "And", "But what about".
LEADS = re.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|und|aber|oder|et|mais|y|pero|e|а|и|но)\b\W*)?"
    r"(?P<about>(?:what|how) about\b|was ist mit\b|wie ist es mit\b|qu['’]en est-il d[eu]\b|¿?qué (?:tal|hay)\b"
    r"|как насчёт\b)?",
    re.IGNORECASE,
)
# What else holds when: "What about when it rains?"
CONDITION = re.compile(r"\W*(?:when|if|while|wenn|falls|quand|si|cuando|если|когда)\b", re.IGNORECASE)
JOINTS = (
    r"for|in|on|at|with|from|by|along|during|over|without|für|bei|auf|an|am|im|mit|von|ohne|pour|en|le|para|con"
    r"|sin|в|на|по|для"
)
ARTICLES = r"the|a|an|die|der|das|den|dem|la|le|les|el|los|las"
# What is told apart by a number or a letter.
COUNTED = re.compile(r"\b([^\W\d_]{3,}) (\d{1,4}|[A-HJ-Z])\b")
# Words of which one may stand for another: "on Monday" and "on Sunday".
ALIKE = tuple(
    re.compile(rf"(?<![\w.,:/-])(?:{words})(?![\w:/-]|[.,]\d)", re.IGNORECASE)
    for words in (
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:mornings?|afternoons?|evenings?|nights?))?"
        r"|week(?:day|end)s?"
        r"|(?:public |bank |school )?holidays?|today|tomorrow|yesterday|tonight|(?:the )?day before"
        r"|(?:mon|diens|donners|frei|sams|sonn|feier|werk)tags?|mittwochs?|sonnabends?|wochenenden?|heute|morgen"
        r"|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|demain|jours fériés|week-ends?"
        r"|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|festivos|fin(?:es)? de semana"
        r"|понедельник\w*|вторник\w*|сред[уаы]|четверг\w*|пятниц\w+|суббот\w+|воскресень\w+|выходны\w+",
        r"january|february|march|april|may|june|july|august|september|october|november|december"
        r"|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre"
        r"|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
        r"|diciembre",
        r"spring|summer|autumn|fall|winter|frühling|frühjahr|sommer|herbst|printemps|été|automne|hiver|primavera"
        r"|verano|otoño|invierno",
        r"(?:1[0-9]|20)\d\d",
        r"breakfast|lunch|dinner|supper|frühstück|mittagessen|abendessen|petit déjeuner|déjeuner|dîner|desayuno"
        r"|almuerzo|comida|cena",
        r"mornings?|afternoons?|evenings?|nights?|noon|midday|vormittags?|nachmittags?|abends?|nachts",
        r"(?:last|this|next) (?:week|month|year|season|term|summer|winter)",
        r"(?:adult|child|children|kid|student|pensioner|senior|toddler|bab(?:y|ie)|infant|teenager)s?"
        r"|erwachsenen?|kindern?|studierenden?|adultes?|enfants?|adultos?|niños?",
        r"[A-Z]{1,3}-?\d{1,4}",
    )
)
# What a question ends with: a word that joins, and a few behind it of which none joins more.
ENDING = re.compile(
    r" (for|in|on|at|with|from|by|of|without|für|bei|mit|von|pour|para|con)"
    r"(?: (?!(?:for|in|on|at|with|from|by|without|to|of|and|or|für|bei|mit|von|de|pour|para|con)\b)[^\s?]++){1,4}\W*+$",
    re.IGNORECASE,
)
NAMED = re.compile(rf"(?P<joint>(?:{JOINTS}) )?(?P<article>(?:{ARTICLES}) )?(?P<name>.+)", re.IGNORECASE)
# What asks which of two things, and names neither.
WHICH = re.compile(
    r"\bwhich (?:one|of (?:them|the two|these|those|both)|is|was|has|had|does|did|takes?|costs?)\b"
    r"|\bwho(?:se)? of (?:them|the two)\b",
    re.IGNORECASE,
)
OR = re.compile(r" or ", re.IGNORECASE)
FIRST = re.compile(r"\bthe (?:former|first(?: one|(?=\W*$)))\b", re.IGNORECASE)
SECOND = re.compile(r"\bthe (?:latter|(?:second|other)(?: one|(?=\W*$)))\b", re.IGNORECASE)
JOINED = re.compile(rf"^(?:(?:the )?one )?(?:{JOINTS}) ", re.IGNORECASE)
# What the things are of which one is asked for: "Which oven is cheaper".
OF_KIND = re.compile(
    r"\bwhich ((?!one\b|of\b|is\b|was\b|are\b|were\b|has\b|had\b|does\b|did\b)[^\W\d_]{3,})\b", re.IGNORECASE
)
ONE = re.compile(r"(?<=\bwhich )one\b", re.IGNORECASE)


def spelled_out(earlier: str, fragment: str) -> str:
    """The last question, asked of what the fragment names: "When is it open on Monday?" and "And on Sunday?"; empty
    where it cannot be told what that takes the place of."""
    fragment = LEADS.sub("", fragment, count=1).strip(" ,.?!¿？")
    named = NAMED.fullmatch(fragment)
    if not named:
        return ""
    return _counted(earlier, named["name"]) or _alike(earlier, named) or _ended(earlier, fragment)


def _counted(earlier: str, name: str) -> str:
    """ "On stage 3" takes the place of "along stage 2": what both count is the same."""
    counted = COUNTED.fullmatch(name)
    same = [one for one in COUNTED.finditer(earlier) if counted and one[1].casefold() == counted[1].casefold()]
    if counted is None or len(same) != 1 or same[0][2] == counted[2]:
        return ""
    return f"{earlier[: same[0].start()]}{counted[1]} {counted[2]}{earlier[same[0].end() :]}"


def _alike(earlier: str, named: re.Match[str]) -> str:
    """ "On weekdays" takes the place of "Sundays", wherever that stands."""
    for words in ALIKE:
        if not words.fullmatch(named["name"]):
            continue
        same = list(words.finditer(earlier))
        if len(same) != 1 or same[0].group().casefold() == named["name"].casefold():
            return ""
        before, behind = earlier[: same[0].start()], earlier[same[0].end() :]
        joint = named["joint"] if not before.strip() else ""
        return f"{before}{joint or ''}{named['name']}{behind}"
    return ""


def _ended(earlier: str, fragment: str) -> str:
    ending, begins = ENDING.search(earlier), ENDING.match(f" {fragment}")
    if ending and begins and ending[1].casefold() == begins[1].casefold():
        return f"{earlier[: ending.start()]} {fragment}?"
    return ""


def of_both(earlier: Asked, question: str) -> tuple[str, str] | None:
    """A question which of two things, in words of its own, and with those that the last one asked about: "And which one
    is quicker?"; none where it is none."""
    if not WHICH.search(question) or len(earlier.things) != 2 or OR.search(question):
        return None
    if any(one in question for one in earlier.things):
        return None
    one, other = (JOINED.sub("", thing) for thing in earlier.things)
    kind = OF_KIND.search(earlier.question)
    own = LEADS.sub("", question, count=1).strip(" ?")
    own = ONE.sub(kind[1], own, count=1) if kind else own
    return f"{own}?", f"{own}: {one} or {other}?"


def with_one(earlier: Asked, question: str) -> str:
    """A question about the first or the second of two things, with that one's name; empty where it is none."""
    if len(earlier.things) != 2:
        return ""
    for words, thing in zip((FIRST, SECOND), earlier.things, strict=True):
        if found := words.search(question):
            return f"{question[: found.start()]}{JOINED.sub('', thing)}{question[found.end() :]}"
    return ""
