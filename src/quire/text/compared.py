"""Compared: the two things that a question compares, by its words alone."""

from __future__ import annotations

import re
from typing import NamedTuple

ANSWERS = r"who|whose|whos|who['’]s|what|whats|what['’]s|which|when|where|how|is|are|do|does|did|can|should"
BEFORE_NAMES = r"at|in|with|for|from|on|by|as|under|per|during|before|after|to|of|according to|through|via"
# "after", "number" and the like compare nothing.
MORE = (
    r"(?:more|less|fewer|better|worse"
    r"|(?!(?:after|either|ever|never|number|offer|order|other|over|paper|rather|together|under|water|whether)\b)"
    r"\w{2,}er)"
)
OR = r"(?:or|oder|ou|o|или)"
MORE_ELSEWHERE = r"(?:\w{3,}er|mehr|plus|moins|mieux|más|menos|mejor|peor|больше|меньше|лучше|\w{3,}ее)"
ASKS_ELSEWHERE = (
    r"(?:was|wer|welche[rsnm]?|wo|qui|quel(?:le)?s?|qu['’]est-ce|qué|quién|cuál(?:es)?|что|кто|как(?:ой|ая|ое|ие))"
)
# What a question says of both things where it names them first.
OF_EACH = (
    r"\b(?:each|both|either|which|whichever|whos|who['’]s|whose|differ\w*|the one\b.{1,40}\bthe other|compared?"
    rf"|{MORE})\b"
)


class Compared(NamedTuple):
    """Two things, and where the question names them: from `start` to `end`, with the word between."""

    one: str
    other: str
    start: int
    end: int


# What compares by its form, whatever else a question says.
FORMS = (
    # "pay, me or the landlord, whose is more", "A and B: how many has each"
    re.compile(
        rf"^\W*(?:[^,:?]{{1,60}}[,:] )?(?!(?:{ANSWERS}|i|we|you|if|my|there)\b)(?P<one>[^,:;?]{{1,60}}?)"
        rf" (?:or|vs\.?|versus|and|against|/) (?P<other>[^,:;?]{{1,60}}?)(?:[,:;.]| [-–—])+ (?=(?:{ANSWERS})\b)"
        rf"(?=.{{0,120}}?{OF_EACH})",
        re.IGNORECASE,
    ),
    # "How much do I set aside for A and how much for B"
    re.compile(
        rf"\b(?P<ask>how (?:much|many|long|far|often)|when|where|what|which \w+)\b [^?]{{2,80}}? (?P<by>{BEFORE_NAMES})"
        rf" (?P<one>[^,?]{{1,60}}?),? and (?P=ask) (?P=by) (?P<other>[^,:;?]{{1,60}}?)(?=\W*$|[,:;?]| [-–—] )",
        re.IGNORECASE,
    ),
    # "Did he earn more at the mill or with the farmer?"
    re.compile(
        rf"^\W*(?:is|are|was|were|do|does|did|has|have|had|will|would)\b[^?,]{{1,80}}?\b{MORE}(?: [\w'’-]+){{0,2}}?"
        rf" (?P<one>(?:{BEFORE_NAMES}) [^?,:]{{1,60}}?),? or (?P<other>(?:{BEFORE_NAMES}) [^?,:]{{1,60}}?)\W*$",
        re.IGNORECASE,
    ),
    # "Is it A or B that lasts longer?"
    re.compile(
        rf"^\W*(?:is|was|are|were) (?:it|they) (?P<one>[^?,:]{{1,60}}?) or (?P<other>[^?,:]{{1,60}}?)"
        rf" (?:that|which|who)\b(?=.{{1,80}}\b{MORE}\b)",
        re.IGNORECASE,
    ),
    # "Is A or B better for him?"
    re.compile(
        rf"^\W*(?:is|are|was|were|do|does|did|will|would) (?P<one>[^?,:]{{1,60}}?) or (?P<other>[^?,:]{{1,60}})"
        rf" {MORE}\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b{ASKS_ELSEWHERE}\b[^?,:]{{0,60}}\b{MORE_ELSEWHERE}\b[^?,:]{{0,60}}[,:] (?P<one>[^?,:]{{1,60}}?) {OR}"
        rf" (?P<other>[^?,:]{{1,60}}?)\W*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^\W*(?:ist|sind|war|waren|est-ce que|¿?es|¿?son) (?P<one>[^?,:]{{1,60}}?) {OR} (?P<other>[^?,:]{{1,60}}?)"
        rf" {MORE_ELSEWHERE}\W*$",
        re.IGNORECASE,
    ),
)
# Two things in a question that its words tell to compare.
THINGS = (
    re.compile(r"\bbetween (?P<one>.{1,80}?) and (?P<other>.{1,80}?)\W*$", re.IGNORECASE),
    re.compile(
        r"\bhow (?:do|does|did) (?P<one>.{1,80}?) (?:compare (?:with|to)|differ from) (?P<other>.{1,80}?)\W*$",
        re.IGNORECASE,
    ),
    re.compile(r"\bcompare (?P<one>.{1,80}?) (?:and|with|to|against) (?P<other>.{1,80}?)\W*$", re.IGNORECASE),
    re.compile(
        r"\b(?:do|does|did|are|is|have|has) (?P<one>[^?]{1,80}?) and (?P<other>[^?]{1,80}?)"
        r" (?:differ|compare|(?:have )?in common)",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?P<one>(?:19|20)\d\d) (?:against|versus|vs\.?|or|and) (?P<other>(?:19|20)\d\d)\b", re.IGNORECASE),
    re.compile(r"(?P<one>[\w'’ -]{1,60}?) (?:vs\.?|versus) (?P<other>[\w'’ -]{1,60}?)\W*$", re.IGNORECASE),
    re.compile(
        r"\bhow (?:is|are|was|were) (?P<one>.{1,80}?) (?:different from|different to|unlike) (?P<other>.{1,80}?)\W*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<one>[\w'’ -]{1,60}?),? (?:as )?compared (?:with|to) (?P<other>[\w'’ -]{1,60}?)\W*$", re.IGNORECASE
    ),
    re.compile(r"[,:] (?P<one>[^,:?]{1,60}?),? or (?P<other>[^,:?]{1,60}?)\W*$", re.IGNORECASE),
    re.compile(
        r"\b(?:is|are|was|were|does|do|did|has|have) (?P<one>.{1,60}?) \w+ (?:often )?than (?P<other>.{1,60}?)\W*$",
        re.IGNORECASE,
    ),
    re.compile(r"\bzwischen (?P<one>.{1,80}?) und (?P<other>.{1,80}?)\W*$", re.IGNORECASE),
    re.compile(r"\bentre (?P<one>.{1,80}?) (?:et|y) (?P<other>.{1,80}?)\W*$", re.IGNORECASE),
    re.compile(r"\bмежду (?P<one>.{1,80}?) и (?P<other>.{1,80}?)\W*$", re.IGNORECASE),
    re.compile(r"(?P<one>[^，。？]{1,30}?)[和与跟](?P<other>[^，。？]{1,30}?)(?:之间)?(?:的|有)", re.IGNORECASE),
)
# What stands behind a name and is none of it: "our rating better or", "the ride much".
BEHIND = re.compile(rf"(?: (?:much|far|any|a lot|a bit|more|less|better|worse|{MORE} or)){{1,4}}$", re.IGNORECASE)
BY = re.compile(rf"({BEFORE_NAMES}) ", re.IGNORECASE)
# What stands for a noun that the first name has: "the new hours and the old ones".
ONE = re.compile(r"\bones?\b", re.IGNORECASE)
OPENS_NAME = re.compile(rf"^|\b(?:the|an?|our|my|his|her|their|your|{BEFORE_NAMES}) ", re.IGNORECASE)
SHORT = 2


# What only says that a question compares.
COMPARING = re.compile(
    r"\b(?:what|whats|how|is|are|was|were|do|does|did|the|a|an|any|main|for us|difference|differences|different|between"
    r"|in|compare[sd]?|comparison|differ|from|with|to|of|please|tell|me|explain|and|s)\b",
    re.IGNORECASE,
)
DIFFERENCE = re.compile(r"\bdifferences? between (.{0,80})$", re.IGNORECASE)
TELLING = re.compile(r"\w")


def compares(question: str) -> bool:
    """Whether a question compares by its form."""
    return any(pattern.search(question) for pattern in FORMS)


def compared(question: str) -> Compared | None:
    """What a question compares, where two things can be told."""
    found = next((match for pattern in (*FORMS, *THINGS) if (match := pattern.search(question))), None)
    if found is None:
        return None
    other = BEHIND.sub("", found["other"].strip())
    one = BEHIND.sub("", found["one"].strip())
    start = found.start("one") + found["one"].index(one) if one else 0
    begins = _name_in(one, other, keywords=not question[:start].strip(" ¿"))
    start, one = start + begins, one[begins:]
    return Compared(one, other, start, found.end("other")) if one and other else None


def _name_in(one: str, other: str, *, keywords: bool) -> int:
    """Where the first name begins: behind what is asked of both, which stands before it alone."""
    if (by := BY.match(other)) and (at := one.rfind(f" {by[1]} ")) >= 0:
        return at + 1
    if " of " in one and " of " not in other:
        return one.rindex(" of ") + len(" of ")
    words, others = one.split(), other.split()
    # Keywords: the names are as long as each other.
    if not keywords or len(words) <= len(others) or not all(map(str.islower, words[: -len(others)])):
        return 0
    return len(one) - len(" ".join(words[-len(others) :]))


def alone(question: str) -> tuple[str, str]:
    """The question about each of two things alone; itself where two cannot be told."""
    found = compared(question)
    if found is None:
        return question, question
    before, between, behind = question[: found.start], question[found.start : found.end], question[found.end :]
    other = ONE.sub(lambda _: _noun(found.one), found.other)
    than = "than" in between[len(found.one) :].split()
    if not than and not TELLING.search(COMPARING.sub("", f"{before} {behind}")):
        return f"What is {found.one}?", f"What is {other}?"
    if what := DIFFERENCE.search(before):
        return f"What is {what[1]}{found.one}?", f"What is {what[1]}{other}?"
    if than:
        # What stands behind may only say what is different: "than last time".
        return f"{before}{between[: -len(found.other)].rstrip()} otherwise{behind}", question
    return f"{before}{found.one}{behind}", f"{before}{other}{behind}"


def _noun(name: str) -> str:
    """The last words of a name, as many as another name may leave out: "the new bike shed" and "the old one"."""
    words = [word for word in OPENS_NAME.split(name)[-1].split() if not ONE.fullmatch(word)]
    return " ".join(words[-2:] if len(words) > SHORT else words[-1:])
