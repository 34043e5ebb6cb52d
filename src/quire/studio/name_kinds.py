"""Of what kind a name is, by its own words and those around it: a person, a place, a body of people or a thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal

NameKind = Literal["person", "place", "body", "adjective", "thing"]

PLACE = re.compile(
    r"\b(?:Ocean|Sea|River|Lake|Mount|Mountains?|Islands?|Isle|Bay|Valley|Park|Street|Road|City|Coast|Desert|Strait|Cape"
    r"|Forest|Hills?|Bridge|Harbou?r|Palace|Castle|Square|Kingdom|Republic|States|County|Province|Peninsula|Gulf)\b"
)
BODY = re.compile(
    r"\b(?:University|Institute|Company|Corporation|Inc|Ltd|GmbH|AG|Agency|Ministry|Museum|Academy|College|School|Society"
    r"|Association|Committee|Council|Bank|Cent(?:er|re)|Laborator(?:y|ies)|Department|Union|Foundation|Press|Group|Party"
    r"|Club|Church|Court|Parliament|Army|Navy|Universität|Université|Universidad|Institut)\b"
)
TITLE = re.compile(r"(?:Mr|Mrs|Ms|Dr|Prof|Sir|Lady|Lord|King|Queen|President|Professor|Captain|Saint|Pope)\.? ")
# What people do, and what is done by them.
DOES = re.compile(
    r"[’']?\s(?:was born|said|says|wrote|writes|invented|discovered|designed|founded|painted|composed|died|stepped"
    r"|joined|carried|won|argued|described|proposed|stayed|developed|published|married|lived|taught|studied|walked)\b"
)
DONE_BY = re.compile(r"\b(?:by|under|born|named after|with) $")
AT = re.compile(r"\b(?:in|near|throughout|across|off|outside|into|towards?) (?:the )?$")
TOWARDS = re.compile(r"\b(?:from|to|at|around) (?:the )?$")
ADJECTIVE = re.compile(r"(?:an|ish|ese|ic|ean)$")
FOLLOWED = re.compile(r" [a-z]{3,}")
TWO_WORDS = re.compile(r"[^\W\d_][\w’'-]+(?: (?:[A-Z]\.|de|von|van|der|da|du|la))* [^\W\d_][\w’'-]+$")
# So sure is one sentence by what it says around a name.
SURE, PERHAPS = 3, 1


def name_kinds(found: Iterable[tuple[str, str, str]]) -> dict[str, NameKind]:
    """The kind of each name, by all the places where it stands: the name, and the text before and after it."""
    votes: dict[str, Counter[NameKind]] = {}
    for name, before, after in found:
        mine = votes.setdefault(name, Counter())
        mine["thing"] += 0
        if PLACE.search(name):
            mine["place"] += 9
        if BODY.search(name):
            mine["body"] += 9
        if TITLE.match(name) or TITLE.fullmatch(before[-12:].lstrip()[-12:]):
            mine["person"] += 9
        people = TWO_WORDS.match(name) is not None
        if DOES.match(after):
            mine["person"] += SURE if people else PERHAPS
        if people and DONE_BY.search(before):
            mine["person"] += SURE
        if AT.search(before):
            mine["place"] += SURE
        elif TOWARDS.search(before):
            mine["place"] += PERHAPS
        if ADJECTIVE.search(name) and FOLLOWED.match(after):
            mine["adjective"] += SURE
    return {name: mine.most_common(1)[0][0] for name, mine in votes.items()}
