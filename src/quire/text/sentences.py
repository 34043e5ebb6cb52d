"""Sentences of a text, as exact spans, in any language.

A heading, a list item, a row of a table and a line of code count as sentences of their own. Lines
that were only wrapped are joined: a line's end is not a sentence's.
"""

from __future__ import annotations

import re
from bisect import bisect_right

Span = tuple[int, int]

STOPS = ".!?…؟۔।॥։።။៕។"
WIDE_STOPS = "。！？｡"
CLOSERS = "\"'”’»)\\]}」』）】》〉*_"
# Stops that need a space after them, stops that need none, and ends of lines. Long runs are taken at once,
# so that the time to read them grows only with their length.
BREAK = re.compile(
    rf"(?P<stop>(?<![{STOPS}])[{STOPS}]++[{CLOSERS}]*+)(?=\s)"
    rf"|(?P<wide>[{WIDE_STOPS}]++[{CLOSERS}]*+)"
    r"|(?P<line>(?<![^\S\n])[^\S\n]*+\n\s*+)"
)
# What begins a line that stands by itself: list marks, headings, quotations, rows of a table.
MARKED = re.compile(r"(?:[-*+•‣▪◦·–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|#{1,6}|>|\||```|~~~)\s?")
# A line of a form: "City tax: 1.65 EUR". It begins with a capital, for a wrapped line may have a colon too.
LABELLED = re.compile(r"(?=[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ])[\w.#/-]{1,30}(?: [\w.#/-]{1,30}){0,2}:[ \t]")
# A line of a chat or a log: "[12 Aug 2025, 09:15] Ann: morning", "09:15 Ann: morning", "2025-08-12 ERR ...".
STAMP = re.compile(
    r"\[\d[^\]\n]{3,40}\]"
    r"|\(?(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2})(?:[T,]? ?\d{1,2}:\d{2}(?::\d{2})?\S*)?"
    r"|\(?\d{1,2}:\d{2}(?::\d{2})?\)?(?= ?(?:[-–] )?[A-ZÀ-ÖØ-Þ][\w.'’-]*(?: [A-ZÀ-ÖØ-Þ][\w.'’-]*){0,2}:)"
)
# A greeting ends with a comma, but is no part of what is written.
GREETING = re.compile(
    r"(?:dear|hello|hi|good (?:morning|afternoon|evening)|lieber?|sehr geehrte[rn]?|hallo|guten (?:tag|morgen|abend)"
    r"|bonjour"
    r"|bonsoir|chère?s?|madame|monsieur|hola|buenos días|estimad[oa]s?|querid[oa]s?|здравствуйте|уважаем\w+|дорог\w+)\b"
    r"[^.:;?]{0,40}[,:]$",
    re.IGNORECASE,
)
FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
LAST_WORD = re.compile(r"[^\s(\[\"'“‘«]+$")
INITIAL = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
FIRST_WORD = re.compile(r"[\"'“‘«(\[]*([^\W\d_]+)")
WRAPPED = 45


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A full stop after these does not end a sentence ...
ABBREVIATED = _set(
    "mr mrs ms dr prof rev hon gen col lt sgt capt sen rep gov pres st mt ft messrs mme mlle mgr fr sr sra srta dra"
    " vs v e.g i.e eg ie cf viz ca approx c eds al z.b bzw ggf usw d.h u.a bspw hr dipl str vgl s.o s.u inkl evtl"
    " p.ex boul p.ej ud uds sig dott avv т.е т.к т.н т.д т.п г гг им ул см тыс млн млрд руб в вв tzn np tj m.in ww"
    " tzw inż ul bv bijv dhr mw t.ex bl.a dvs f.eks osv s k"
)
# ... after these, which may be words as well, only before a number ...
NUMBERED = _set(
    "no nos nr nrs art arts fig figs sec sect vol vols ch chap p pp pg eq eqs ref refs par est ed tab abb bd pag pág"
    " págs num núm ej es jan feb mar apr jun jul aug sep sept oct nov dec стр рис гл табл"
)
# ... and after these only where a new sentence plainly begins.
OFTEN_LAST = _set("etc inc ltd co corp jr sr u.s u.k u.n u.s.a e.u a.m p.m b.c a.d b.c.e c.e d.c ph.d")
OPENINGS = _set(
    "the a an in on at it its he she they we this these that those there when while after before although however"
    " but and if as for from with by since during his her their our some many most all both no other"
)
# Languages that write ordinal numbers with a full stop: "3. Oktober".
DOTTED_ORDINALS = frozenset({"de", "da", "no", "fi", "cs", "hu", "pl", "tr"})


def sentences(text: str, language: str | None = None) -> list[Span]:
    """Start and end of each sentence; every character that is not blank is in exactly one."""
    found: list[Span] = []
    start = _skip(text, 0)
    fences = code_spans(text)
    openings = [opening for opening, _ in fences]
    for match in BREAK.finditer(text):
        if match.end() <= start:
            continue
        end = match.start("line") if match.lastgroup == "line" else match.end()
        fence = bisect_right(openings, match.start()) - 1
        in_code = fence >= 0 and match.start() < fences[fence][1]
        ends = match.lastgroup == "line" if in_code else _ends(text, start, match, language)
        if ends and end > start:
            found.append((start, end))
            start = _skip(text, match.end())
    if start < len(text):
        found.append((start, len(text.rstrip())))
    return found


def code_spans(text: str) -> list[Span]:
    """Fenced blocks of code, fences included; one that is never closed ends with the text."""
    if "```" not in text and "~~~" not in text:
        return []
    fences = [match.start() for match in FENCE.finditer(text)]
    blocks = []
    for opening, closing in zip(fences[::2], [*fences[1::2], None], strict=False):
        end = len(text) if closing is None else text.find("\n", closing)
        blocks.append((opening, len(text) if end < 0 else end))
    return blocks


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _ends(text: str, start: int, match: re.Match[str], language: str | None) -> bool:
    kind = match.lastgroup
    if kind == "wide":
        return True
    if kind == "line":
        return _line_ends(text, start, match)
    following = _skip(text, match.end())
    if following >= len(text):
        return True
    stops = match.group().rstrip(CLOSERS)
    after = text[following]
    if after.islower() and not text[match.start() - 1].isspace():
        return False
    if stops != ".":
        return True
    return _stop_ends(text, start, match.start(), following, language)


def _line_ends(text: str, start: int, match: re.Match[str]) -> bool:
    if match.group().count("\n") > 1:
        return True
    line_start = text.rfind("\n", 0, match.start()) + 1
    line, following = text[max(start, line_start) : match.start()], text[match.end() : match.end() + 8]
    if MARKED.match(following) or "\t" in line or line.startswith(("|", "#")) or STAMP.match(text, match.end()):
        return True
    if LABELLED.match(text, match.end()) and line[-1:] not in ",;-":
        return True
    if GREETING.match(line):
        return True
    # A short line with a new beginning under it was not wrapped: a heading, a verse, a cell.
    short = match.start() - line_start < WRAPPED
    return short and not line.endswith((",", "-", ";")) and not following[:1].islower()


def _stop_ends(text: str, start: int, stop: int, following: int, language: str | None) -> bool:
    """Whether one full stop at `stop` ends the sentence."""
    last = LAST_WORD.search(text, max(start, stop - 24), stop)
    if last is None:
        return True
    word = last.group().casefold().rpartition("-")[2].rstrip(".")
    if word in OFTEN_LAST or (INITIAL.fullmatch(last.group()) and "." in word):
        opening = FIRST_WORD.match(text, following)
        return bool(opening and opening.group(1)[0].isupper() and opening.group(1).casefold() in OPENINGS)
    if word in ABBREVIATED or (word in NUMBERED and text[following].isdigit()):
        return False
    if INITIAL.fullmatch(last.group()) and last.group().isupper():
        return False
    if word.isdigit() and len(word) <= 3:
        # "1." at its beginning numbers the sentence or heading; "3. Oktober" goes on.
        numbers = not text[start : last.start()].strip("#>*_ \t")
        return not numbers and not (len(word) <= 2 and language in DOTTED_ORDINALS)
    return True
