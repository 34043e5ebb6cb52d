"""Questions: the words that they have of their own, and what sentences say of what they ask for."""

from __future__ import annotations

import re
from typing import Literal

CAPITAL = re.compile(r"(?<=[\w,;)\"”»] )[\"“«(]?([^\W\d_][\w'’-]*)")
WORD = re.compile(r"\w+")
NEGATION = re.compile(
    r"\b(?:not|never|no|nor|none|nobody|nothing|neither|without|cannot|least|except|unable|fail\w*|refus\w*|lack\w*"
    r"|prevent\w*|avoid\w*"
    r"|nicht|kein\w*|nie|niemals|ohne|jamais|sans|pas|nunca|jamás|não|non|mai|senza|niet|geen|не|ни|без|никогда"
    r"|ні)\b|n['’]t\b",
    re.IGNORECASE,
)
# What a question asks for is denied by these alone: "without" and "least" belong to what it speaks of.
DENIES = re.compile(
    r"\b(?:not|never|no|nor|none|nobody|nothing|neither|cannot|nicht|kein\w*|nie|niemals|jamais|pas|nunca|jamás|não"
    r"|non|niet"
    r"|geen|не|ни|никогда|нельзя)\b|n['’]t\b|不(?:能|得|可|应|要|该|允许|准|会|是)|没有",
    re.IGNORECASE,
)
FORBIDS = re.compile(
    r"\b(?:forb\w+|prohibit\w*|ban(?:s|ned)?|allerg\w+|instead|exclud\w+|harm\w*|danger\w*|hinder\w*"
    r"|keeps? \w+ \w+ from"
    r"|clos(?:ed|ure)|cancel\w*|exempt\w*|exclusive|excused|suspend\w*|unavailable|impossible|abolish\w*|stop(?:s|ped)?"
    r"|apart from|other than|unless|must pay|at (?:your|their|his|her|one['’]s) own|separate\w*|extra"
    r"|gesperrt|geschlossen|ausgenommen|ausgeschlossen|außer|untauglich|fermée?s?|sauf|exclue?s?|excepto|cerrad[oa]s?"
    r"|кроме|закрыт\w*"
    r"|rather than|only|illegal|unsuitable|unsafe|verbot\w*|untersag\w*|interdit\w*|défendu\w*|prohib\w+"
    r"|запрещ\w+|нельзя)\b|禁止|不得|不要",
    re.IGNORECASE,
)
# "Which costs are excluded?" asks what does not hold without a word that denies.
EXCLUDES = re.compile(
    r"\b(?:exclu\w+|exempt\w*|exceptions?|forbidden|prohibited|banned|off[- ]limits|ausgeschlossen\w*|ausgenommen"
    r"|verboten\w*|untersagt|exclue?s?|interdite?s?|prohibid[oa]s?|excluid[oa]s?|запрещен\w*|исключен\w*)\b|禁止",
    re.IGNORECASE,
)
# "What is X", and sentences that say what something is.
MEANING = re.compile(
    r"^\W*(?:(?:what|who)(?:['’]s| is| are| was| were)\b|define\b|was (?:ist|sind)\b|wer (?:ist|war|sind|waren)\b"
    r"|qu['’]est-ce|qui (?:est|était)\b|qué (?:es|son)\b|quién (?:es|fue)\b|(?:che )?cos['’]è|chi (?:è|era)\b"
    r"|o que (?:é|são)\b|quem (?:é|foi)\b|wat (?:is|zijn)\b|wie (?:is|was)\b|что такое\b|кто так(?:ой|ая|ие)\b)"
    r"|是什么|是什麼|是谁|是誰|什么是|什麼是|とは|は何|무엇",
    re.IGNORECASE,
)
COPULA = re.compile(
    r"\b(?:is|are|was|were|means?|refers?|denotes?|ist|sind|war|waren|bezeichnet|est|sont|était|désigne|es|son|era|fue"
    r"|è|sono|é|são|foi|zijn|jest|był|это|является|являются|был|была|были)\b| [—–] |是|とは|は|란|은|는",
    re.IGNORECASE,
)
KIND = re.compile(r"\s+(?:an?|the|one|any|eine?|der|die|das|une?|l[ae]|una|uno|el|il|uma?|een|het)\b", re.IGNORECASE)
# "is used", "is also found", "was born" tell what happens with a thing, not what it is.
DONE = re.compile(
    r"\s+(?:not|also|often|usually|sometimes|generally|still|now|then|never|always|only|\w+(?:ed|ing)|found|made"
    r"|built|born|kept"
    r"|known|given|held|taken|seen|done|sold|sent|paid|put|set|wird|auch|verwendet|gefunden|utilisée?s?|aussi"
    r"|también|usad[oa]s?"
    r"|также|используется)\b",
    re.IGNORECASE,
)
# What a question wants counted, chosen or told of a thing: "how many stamps", "which colour", "the weight of".
_ASIDE = (
    r"(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|ist|sind|hat|haben"
    r"|est|sont)"
)
# Words behind "who" and "who is" that are neither what somebody does nor what somebody is.
_NO_ROLE = (
    r"(?:besides|along|apart|upon|among|amongst|with|without|in|on|at|from|after|before|during|until|since"
    r"|one|two|three|some|any|all|most|many|both|each)"
)
ASKED_FOR = re.compile(
    rf"\b(?:how many|how much|which|what|wie ?viele?|welche[rsnm]?|combien de|quels?|quelles?|cu[aá]nt[oa]s|qué)"
    rf"(?: (?:other|more|kinds? of|types? of|sorts? of))? (?!{_ASIDE}\b|of\b"
    rf"|the\b)(?P<first>[\w'’-]+(?: (?!{_ASIDE}\b)[\w'’-]+)?)"
    rf" (?:{_ASIDE}|of|in|for|to|on|per|gibt|braucht|darf|kann|muss|a|y a|hay|tiene|goes"
    rf"|comes|works?|fits?|belongs?|needs?|makes?|costs?|runs?|helps?)\b"
    rf"|\bwhat(?:['’]s| is| are| was| were) (?:the |its |his |her |their |my |our "
    rf"|your )?(?P<second>[\w-]+(?: [\w-]+)?) (?:of|for|in|on)\b"
    r"|\bhow much (?:is|are|was|were) (?:the |my |our |your |an? )?(?P<fifth>[\w-]+(?: [\w-]+)?)(?: (?:of|for|in|on"
    r"|per)\b|\W*$)"
    rf"|\bwho (?:(?:else|first|also|\w+ly) )?+(?!{_ASIDE}\b|{_NO_ROLE}\b)(?P<fourth>[\w-]+) \w"
    rf"|\bwho(?:['’]s| is| are| was| were) (?:the |its |their |our |my |your )?+(?!{_NO_ROLE}\b)"
    r"(?P<sixth>[\w-]+(?: [\w-]+)?)"
    r" (?:of|for|in|at)\b"
    r"|\bwh(?:at|o)(?:['’]s| is| are| was| were) (?:[\w-]+ ){0,3}[\w-]+['’]s (?P<third>[\w-]+(?: [\w-]+)?)\W*$",
    re.IGNORECASE,
)
Meaning = Literal["kind", "is", "done"]
BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]")
ARTICLE = re.compile(r"^(?:an?|the|eine?n?|der|die|das|une?|l[ae]s?|l['’]|una?|el|los|las)\s+", re.IGNORECASE)
NUMBERED = re.compile(r"^\s*(?:[-*+•]|\(?\d{1,3}[.)])\s+")
MARKS = re.compile(r"[*_`\"“”„«»]")
CALLED = re.compile(
    r"(?:\b(?:called|named|termed|dubbed|nicknamed|known as|referred to as|or|i\.e\.,?|namely|genannt|heißt|heißen"
    r"|als|appelée?s?|nommée?s?"
    r"|llamad[oa]s?|se llama|называ\w+ся|называют)|叫做?|称为)\s*(?:(?:an?|the|eine?n?|der|die|das|une?|l[ae]s?"
    r"|una?|el)\s*)?$"
)
LABELLED = re.compile(
    r"s?\s*(?:[:—–=]|- |means?\b|refers?\b|stands? for\b|denotes?\b|bedeutet\b|signifie\b|significa\b|означает)"
)
APPOSITION = re.compile(r",\s(?:an?|the|who|which is|which are|eine?|der|die|das|une?|qui|una?|que)\b|\s?\(")


def own_words(question: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in WORD.findall(question))


def asked_for(question: str) -> str:
    """The words by which a question names what it wants to know of something; empty where that cannot be told."""
    found = ASKED_FOR.search(question)
    return next((group for group in found.groups() if group), "") if found else ""


def names(question: str) -> str:
    """The words that a question writes with a capital, but for its first."""
    return " ".join(word for word in CAPITAL.findall(question) if word[0].isupper())


def negated(text: str) -> bool:
    return NEGATION.search(text) is not None


def asks_what_is_not(question: str) -> bool:
    return DENIES.search(question) is not None or EXCLUDES.search(question) is not None


def denies(text: str) -> bool:
    """Whether a text denies, forbids or warns of something."""
    return negated(text) or FORBIDS.search(text) is not None


def asks_meaning(question: str) -> bool:
    """Whether a question asks what or who something is."""
    return MEANING.search(question) is not None


def meaning_of(sentence: str) -> tuple[str, Meaning]:
    """What a sentence says something of: that it is one of a "kind", that it "is" so, or what is "done" with it.

    Brackets do not count.
    """
    opening = BRACKETED.sub(" ", sentence[:300])
    copula = COPULA.search(opening)
    if copula is None:
        return "", "done"
    said: Meaning = (
        "kind" if KIND.match(opening, copula.end()) else "done" if DONE.match(opening, copula.end()) else "is"
    )
    return opening[: copula.start()], said


def named_as(sentence: str, thing: str) -> float:
    """How far a sentence gives something a name: "is called a drake", "a pecten, the comb", "Pecten: …"."""
    name = ARTICLE.sub("", thing).strip("\"'“”‘’ ?.!").casefold()
    text = " ".join(MARKS.sub("", NUMBERED.sub("", sentence)).casefold().split())
    at = text.find(name) if name else -1
    while at >= 0:
        before, after = text[max(0, at - 40) : at], text[at + len(name) :]
        if CALLED.search(before) or (at <= 2 and LABELLED.match(after)):
            return 1.0
        if APPOSITION.match(after):
            return 0.7
        at = text.find(name, at + len(name))
    return 0.0
