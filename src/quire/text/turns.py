"""Turns: a question that makes sense only with those before it, and what it takes from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from quire.text.asked import ASKING, ASKS_ITSELF, Asked, asked_of
from quire.text.overview_questions import common_words
from quire.text.questions import own_words
from quire.text.restated import CONDITION, LEADS, of_both, spelled_out, with_one
from quire.text.words import language_of, query_tokens

# A question with fewer words of its own says what it asks for, not of what.
OWN_WORDS = 2
GOES_ON = re.compile(
    r"^\W*(?:and|but|or|so|then|also|what about|how about|und|aber|oder|et|mais|y|pero|e|а|и|но)\b|^\W*(?:那|还有|而)",
    re.IGNORECASE,
)
LEADS_ON = re.compile(
    r"^\W*(?:and|but|or|so(?! (?:far|much|many|that|long)\b)|und|aber|oder|et|mais|y|pero|e|а|и|но)[\s,]++",
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
    # The "and" that leads on joins no two things that are asked for.
    asked = replace(asked, question=LEADS_ON.sub("", asked.question, count=1) or asked.question)
    about = f"{earlier.about} {_subject(earlier)}".strip()
    instead = fragment or COMES_NEXT.search(asked.question) is not None
    if fragment:
        about = _without_replaced(about, asked.question)
        named = asked.wanted != "thing" and not _condition(asked.question)
        wanted = asked.wanted if named else earlier.wanted
        asked = replace(asked, kind=earlier.kind, wanted=wanted, negated=earlier.negated, things=())
    last = f"{earlier.question} {earlier.about}".strip()
    asked = replace(asked, about=about, before=last, query=f"{about} {asked.question}", instead=instead)
    whole = spelled_out(earlier.question, asked.question) if fragment else ""
    if whole:
        return _in_full(asked, whole, earlier)
    if both := of_both(earlier, asked.question):
        own, of_things = both
        # What is said of one of two things seldom names it.
        return replace(_in_full(asked, of_things, earlier), whole=own)
    return replace(asked, whole=with_one(earlier, asked.question))


def _in_full(asked: Asked, whole: str, earlier: Asked) -> Asked:
    """What is asked, by the question in full. That goes on, too, from what the last one went on from.

    It says itself what it wants another answer for, so what was told may be told again: a row has all days."""
    full = in_turns(whole, [])
    plain = not earlier.about or earlier.whole
    return replace(
        full,
        parts=full.parts if plain else (),
        about=asked.about,
        before="" if plain else earlier.before,
        whole=whole if plain else "",
        query=whole if plain else f"{earlier.about} {whole}",
    )


def _fragment(asked: Asked) -> bool:
    """Whether a question only names another thing to ask the last one of: "And for the second floor?"."""
    question = LEADS.sub("", asked.question, count=1).strip()
    asks = not _condition(asked.question) and (ASKING.match(question) or ASKS_ITSELF.match(question))
    return not asks and asked.kind in ("fact", "definition", "list") and len(question.split()) <= 6


def _condition(question: str) -> bool:
    """Whether a question only says when else something is asked: "What about when it rains?"."""
    lead = LEADS.match(question)
    return bool(lead and lead["about"] and CONDITION.match(question, lead.end()))


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
