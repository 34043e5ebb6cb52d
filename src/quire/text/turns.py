"""Turns: a question that makes sense only with those before it, and what it takes from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from quire.text.asked import ASKING, ASKS_ITSELF, Asked, asked_of
from quire.text.overview_questions import common_words
from quire.text.questions import own_words
from quire.text.words import language_of, query_tokens

# A question with fewer words of its own says what it asks for, not of what.
OWN_WORDS = 2
GOES_ON = re.compile(
    r"^\W*(?:and|but|or|so|then|also|what about|how about|und|aber|oder|et|mais|y|pero|e|а|и|но)\b|^\W*(?:那|还有|而)",
    re.IGNORECASE,
)
POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs|that|this|those|these|he|him|his|she|her|hers|ones?|there|then|the same"
    r"|the other"
    r"|the latter|the former|later|each|es|sie|er|ihn|ihm|ihr|ihre[rsnm]?|deren|dessen|diese[rsnm]?|dies|das|dort"
    r"|dann|il|elle|ils|elles"
    r"|lui|leur|son|sa|ses|cela|ça|celui|celle|y|en|eso|esto|ese|esa|él|ella|ellos|ellas|su|sus|lo|allí|он|она|оно"
    r"|они|его"
    r"|её|ее|их|ему|ей|им|этот|эта|это|эти|там|тогда)\b|[它他她]们?|这|那",
    re.IGNORECASE,
)
# "that" and "this" before a noun or a clause point at what stands in the question itself.
POINTS_ON = re.compile(
    r"\b(?:this|these|the) (?:notebook|sources?|documents?|files?|papers?|texts?|pages?)\b|\b(?:there (?:is|are|was"
    r"|were|any)"
    r"|(?:is|are|was|were) there|so that|say that|says that|mentioned that|it (?:is|was)? ?(?:possible|allowed"
    r"|necessary)"
    r"|is it (?:possible|allowed|necessary|true|safe|ok)|each \w+|one of|that (?:is|are|was|were|can|has|have))\b",
    re.IGNORECASE,
)
COMES_NEXT = re.compile(
    r"\b(?:later|then|afterwards?|after that|next|otherwise|else|instead|others?|danach|später|sonst|ensuite|après"
    r"|sinon"
    r"|luego|después|потом|затем|иначе)\b|然后|之后|否则|其他",
    re.IGNORECASE,
)
JOINT = re.compile(
    r"^\W*(?:and |but |und |et |y |а |и )*(if|when|for|in|on|at|with|from|to|by|of|without|wenn|für|bei|mit|von|pour"
    r"|si|de|para|con)\b",
    re.IGNORECASE,
)
# What is told apart by a number or a letter; alone, or behind a word that joins it.
COUNTED = re.compile(r"\b([^\W\d_]{3,}) (\d{1,4}|[A-HJ-Z])\b")
COUNTED_ALONE = re.compile(
    r"(?:(?:for|in|on|at|with|from|by|along|during|für|bei|auf|mit|von|pour|para|con) )?"
    r"(?:(?:the|die|der|das|la|le|el) )?" + COUNTED.pattern,
    re.IGNORECASE,
)
# What a question ends with: a word that joins, and a few behind it of which none joins more.
ENDING = re.compile(
    r" (for|in|on|at|with|from|by|without|für|bei|mit|von|pour|para|con)"
    r"(?: (?!(?:for|in|on|at|with|from|by|without|to|of|and|or|für|bei|mit|von|de|pour|para|con)\b)[^\s?]++){1,4}\W*+$",
    re.IGNORECASE,
)


def in_turns(question: str, before: Sequence[str], *, goes_on: bool = False) -> Asked:
    """What a question asks after those before it, the last of which came last.

    One that goes on from them keeps its own words apart: `about` is what it takes from them. Where `goes_on` is said,
    any does, though its words do not tell: "How much were the two offers?".
    """
    asked = asked_of(question)
    if asked.parts:
        parts = [in_turns(asked.parts[0].question, before)]
        parts += [in_turns(part.question, [*before, asked.parts[0].question]) for part in asked.parts[1:]]
        asked = replace(asked, parts=tuple(parts))
    if not before or asked.kind in ("overview", "documents"):
        return asked
    earlier = in_turns(before[-1], before[:-1])
    fragment = _fragment(asked)
    tells = fragment or GOES_ON.search(asked.question) or _points_back(asked.question) or _says_little(asked)
    if not (goes_on or tells):
        return asked
    about = f"{earlier.about} {_subject(earlier)}".strip()
    if fragment:
        about = _without_replaced(about, asked.question)
        wanted = earlier.wanted if asked.wanted == "thing" else asked.wanted
        asked = replace(asked, kind=earlier.kind, wanted=wanted, negated=earlier.negated, things=())
    instead = fragment or COMES_NEXT.search(asked.question) is not None
    last = f"{earlier.question} {earlier.about}".strip()
    whole = _spelled_out(earlier.whole or earlier.question, asked.question) if fragment else ""
    return replace(asked, about=about, before=last, whole=whole, query=f"{about} {asked.question}", instead=instead)


def _fragment(asked: Asked) -> bool:
    """Whether a question only names another thing to ask the last one of: "And for the second floor?"."""
    question = GOES_ON.sub("", asked.question, count=1).strip()
    asks = ASKING.match(question) or ASKS_ITSELF.match(question)
    return not asks and asked.kind in ("fact", "definition", "list") and len(question.split()) <= 6


def _spelled_out(earlier: str, fragment: str) -> str:
    """The last question, asked of what the fragment names: "When is it open on Monday?" and "And on Sunday?"; empty
    where it cannot be told what that takes the place of."""
    named = GOES_ON.sub("", fragment, count=1).strip(" ,.?!")
    # "On stage 3" takes the place of "along stage 2": what both count is the same.
    if counted := COUNTED_ALONE.fullmatch(named):
        same = [one for one in COUNTED.finditer(earlier) if one[1].casefold() == counted[1].casefold()]
        if len(same) == 1 and same[0][2] != counted[2]:
            return f"{earlier[: same[0].start()]}{counted[1]} {counted[2]}{earlier[same[0].end() :]}"
    ending = ENDING.search(earlier)
    begins = ENDING.match(f" {named}")
    if ending and begins and ending[1].casefold() == begins[1].casefold():
        return f"{earlier[: ending.start()]} {named}?"
    return ""


def _without_replaced(about: str, fragment: str) -> str:
    """What was asked before without what the fragment puts in its place, where that can be told."""
    joint = JOINT.match(fragment)
    at = about.lower().rfind(f" {joint[1].lower()} ") if joint else -1
    if at >= 0:
        return about[:at]
    return about if len(query_tokens(about, [language_of(about)])) >= OWN_WORDS else ""


def _points_back(question: str) -> bool:
    return POINTS_BACK.search(POINTS_ON.sub(" ", question)) is not None


def _says_little(asked: Asked) -> bool:
    """Whether a question has few words of its own. So few seldom tell their language, so all of them are tried."""
    own = query_tokens(asked.question, [language_of(asked.question)])
    telling = own_words(asked.question) - common_words()
    return min(len(own), len(telling)) < OWN_WORDS and asked.kind != "definition"


def _subject(asked: Asked) -> str:
    """The words of a question that say of what it asks."""
    return asked.subject if own_words(asked.subject) else asked.question
