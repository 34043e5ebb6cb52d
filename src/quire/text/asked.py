"""Asked: what a question asks, of what, and in how many parts. Worked out by rules from the question alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from quire.text.compared import compared, compares
from quire.text.document_questions import asks_for_documents
from quire.text.overview_questions import names_only_sources
from quire.text.question_tables import (
    BOUND,
    COMPARISON,
    DEFINITION,
    LIST,
    NAMED_TYPES,
    OVERVIEW,
    PERMISSION,
    STEPS,
    WANTED,
    YES_NO,
    Kind,
    Wanted,
)
from quire.text.questions import asks_what_is_not
from quire.text.words import language_of

# A question is told by its beginning; what is longer is a text with a question in it.
LONGEST = 1_000
# "What is a harbour master?" asks what it is, "What is the rent of the flat on the second floor?" something of it.
SUBJECT_WORDS = 5
# Who asks by keywords writes no more of them.
KEYWORDS = 8
# What asks more than so many things at once is no question of parts.
PARTS = 4
QUESTION_WORDS = (
    r"who|whom|whose|what|which|when|where|why|whats|whos|wheres|whens|hows"
    r"|how(?: (?:long|much|many|big|large|old|often|far|high|tall|deep|fast))?"
    r"|wer|wem|wen|was|welche[rsnm]?|wann|wo|warum|wie|wieviel"
    r"|qui|que|quoi|quels?|quelles?|quand|où|pourquoi|comment|combien"
    r"|quién|quiénes|qué|cuál|cuáles|cuándo|dónde|por qué|cómo|cuánt[oa]s?"
    r"|кто|что|как(?:ой|ая|ие|ое|им)?|когда|где|почему|сколько|чем"
)
AUXILIARIES = r"is|are|was|were|do|does|did|can|could|may|must|should|will|has|have|darf|dürfen|kann|muss|ist|sind|hat"
AND = r"and(?: also)?|und|et|y|и"
# A second question behind the first: ", and when must it be paid", "？什么时候".
SECOND = re.compile(
    rf"(?: ?[,;] ?| )(?:(?:{AND}) )(?=(?:(?:in|for|by|to|on|at|with|from|until|since|à|de|en|für|mit|bis|in) )?"
    rf"(?:{QUESTION_WORDS})\b|(?:{AUXILIARIES}) \w+ )"
    r"|\? (?=\w[^?]*\?)|[？，,] ?(?:以及|而且|还有|并且)?(?=(?:什么|谁|哪|为什么|怎么|如何|多少|几|是否|能))",
    re.IGNORECASE,
)
# Who asks by keywords writes two of them so: "invoice 118 total + due date".
PLUS = re.compile(r"(?<=\w) \+ (?=\w)")
# "What are the VIN and the colour of the car": two things are asked of one.
TWO_OF_ONE = re.compile(
    r"^(?P<ask>\W*(?:what|which)(?:['’]s| is| are| was| were)(?: the)?) (?P<one>[\w' -]{1,40}?),? and"
    r" (?:the |its |their |his |her )(?P<other>[\w' -]{1,40}?) (?P<of>(?:of|for|in|on) .{1,200})$",
    re.IGNORECASE,
)
# "When and where did she die?": two things are asked of the same.
BOTH_WORDS = re.compile(
    rf"^\W*(?P<one>{QUESTION_WORDS}),? (?:{AND}|or|oder|ou|o) (?P<other>{QUESTION_WORDS})"
    rf" (?P<rest>(?!(?:{QUESTION_WORDS})\b).{{3,}})$",
    re.IGNORECASE,
)
ASKING = re.compile(
    rf"^\W*(?:(?:{AND}|but|so)\s+)?(?:please\s+)?(?:(?:{QUESTION_WORDS}|{AUXILIARIES})\b(?:['’]s|n['’]t)?\s*)+",
    re.IGNORECASE,
)


ASKS = re.compile(rf"^\W*(?:(?:{AND}|but|so)\s+)?(?:{QUESTION_WORDS})\b", re.IGNORECASE)
# The first of two questions is one by itself, however it begins.
ASKS_ITSELF = re.compile(
    rf"^\W*(?:(?:{AND}|but|so|please|in|for|by|to|on|at|with|from|until|since)\s+)?(?:{QUESTION_WORDS}|{AUXILIARIES})\b"
    r"|[^a-zA-Z]*[什谁哪为怎如多几是能]",
    re.IGNORECASE,
)
# What a question begins with before it asks: "Under the new contract, what is ...".
LEAD = re.compile(r"^\W*(?:[^,?]{3,80}, |[^:?]{3,120}: )(?=\w)")
# A name by itself asks what it is.
NAMED = re.compile(
    rf"(?!.*[\u3040-\u9fff\uac00-\ud7af])(?!(?:{AUXILIARIES}|{AND}|but|for|if)\b)(?!.*\b(?:{QUESTION_WORDS})\b)"
    r"([\w'’-]+(?: [\w'’-]+){0,2}) ?[?？]",
    re.IGNORECASE,
)


MEANS = re.compile(r"\b(?:means?|stands? for|define|bedeutet)\b", re.IGNORECASE)
# What only leads to a question: "Hi, could you please tell me where ...".
_ASKED_IN = r"(?=(?:about )?(?:who|whom|whose|what|which|when|where|why|how|if|whether)\b)"
FRAME = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hallo|guten tag|bonjour|hola|ok(?:ay)?|sorry|thanks|please|bitte)(?: all)?[,.!]*\s+)*"
    r"(?:(?:could|can|would|will) you (?:please |kindly |maybe )?"
    r"(?:tell|explain|show|look up|say|find out|check|remind|let)"
    rf"(?: (?:to |for )?(?:me|us))?(?: know| again)?,? {_ASKED_IN}"
    rf"|(?:do|would) you (?:happen to )?know,? {_ASKED_IN}"
    r"|(?:(?:i(?:['’]d| would) like|i(?:['’]m| am) trying|i (?:want|need)) to (?:know|find out|understand)|i wonder"
    rf"|i was wondering|(?:please )?(?:tell|remind) me|any idea|no idea),? {_ASKED_IN}"
    r"|(?:können|könnten|kannst|könntest) (?:sie|du) mir (?:bitte )?(?:sagen|erklären),? "
    r"|(?:weißt du|wissen sie),? |ich (?:möchte|würde gern\w*|will) wissen,? )?",
    re.IGNORECASE,
)
# Words that say nothing of what is asked: "What does it actually mean?".
FILLER = re.compile(
    r"(?<=\w) (?:actually|really|exactly|basically|even|precisely|please|eigentlich|genau|denn|überhaupt"
    r"|exactement|exactamente)"
    r"(?= \w|\W*$)",
    re.IGNORECASE,
)
TIME_OR_PLACE = re.compile(r"\b(?:when|where|wann|wo|quand|où|cuándo|dónde|когда|где)\b", re.IGNORECASE)
OPENS_NAMED = re.compile(r"\W*(?:what|was|quel(?:le)?s?|cuál(?:es)?)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """What is asked. `wanted` is the type of thing that answers, `subject` the question without the words that ask.

    A question of several has them as `parts`, each a question of its own; one that compares has what it compares as
    `things`. `negated` says that what does not hold is asked for. `query` is what to look for: the
    question and, where it goes on from others, what it is `about`; `before` is the one that it goes on from then, and
    `instead` says that it wants another answer than those had, of another thing or of what comes next; `whole` is the
    question in full where it only names another thing and that can be told.
    """

    question: str
    kind: Kind
    wanted: Wanted
    subject: str
    language: str | None
    negated: bool = False
    parts: tuple[Asked, ...] = ()
    things: tuple[str, ...] = ()
    query: str = ""
    about: str = ""
    before: str = ""
    whole: str = ""
    instead: bool = False


@lru_cache(256)
def asked_of(question: str) -> Asked:
    """What a question asks."""
    question = " ".join(question[:LONGEST].split())
    question = FILLER.sub("", FRAME.sub("", question)) or question
    asked = _single(question)
    if asked.kind in ("overview", "documents"):
        return asked
    parts = tuple(_single(part) for part in _parts(question, asked))
    return replace(asked, parts=parts) if 1 < len(parts) <= PARTS else asked


def _single(question: str) -> Asked:
    kind = _kind(question)
    wanted = _wanted(question, kind)
    if kind == "comparison" and wanted in ("date", "person", "place", "name") and not TIME_OR_PLACE.search(question):
        # "Which day is longer, A or B?" wants no day.
        wanted = "thing"
    # Why one thing is more so than another asks for no more than one of them.
    things = compared(question) if kind == "comparison" and wanted != "reason" else None
    return Asked(
        question,
        kind,
        wanted,
        ASKING.sub("", question).strip(" ?!.¿¡？。") or question,
        language_of(question),
        asks_what_is_not(question),
        query=question,
        things=(things.one, things.other) if things else (),
    )


def _wanted(question: str, kind: Kind) -> Wanted:
    """What the first asking words ask for: "When did they decide who pays?" wants a date."""
    if kind == "yes-no":
        return "permission" if PERMISSION.search(question) else "thing"
    found = [(match.start(), wanted) for wanted, pattern in WANTED if (match := pattern.search(question))]
    if found:
        return min(found, key=lambda one: one[0])[1]
    if kind == "list":
        return "thing"
    # A longer question that begins with none of the words that ask tells something.
    named = (not ASKS_ITSELF.match(question) and len(question.split()) <= KEYWORDS) or OPENS_NAMED.match(question)
    return next((wanted for wanted, pattern in NAMED_TYPES if pattern.search(question)), "thing") if named else "thing"


def _kind(question: str) -> Kind:
    if names_only_sources(question) and _wanted(question, "fact") in ("thing", "manner"):
        return "overview"
    if asks_for_documents(question):
        return "documents"
    if OVERVIEW.search(question) and _wanted(question, "fact") in ("thing", "manner", "reason"):
        return "overview"
    if COMPARISON.search(question) or compares(question):
        return "comparison"
    if STEPS.search(question):
        return "steps"
    if defined(question):
        return "definition"
    if LIST.search(question):
        return "list"
    if NAMED.fullmatch(question) and not PERMISSION.search(question):
        return "definition"
    if YES_NO.search(question) or (PERMISSION.search(question) and not ASKS.match(question)):
        return "yes-no"
    return "fact"


def defined(question: str) -> str:
    """What a question wants to know the meaning of, or who it is; empty where it asks something else."""
    found = DEFINITION.search(question) or (not PERMISSION.search(question) and NAMED.fullmatch(question)) or None
    if found is None:
        return ""
    subject = next(group for group in found.groups() if group is not None).strip()
    bound = BOUND.search(subject) and not MEANS.search(question)
    return "" if bound or len(subject.split()) > SUBJECT_WORDS else subject


def _parts(question: str, asked: Asked) -> list[str]:
    """The questions of one that asks several; itself where it asks one."""
    if asked.kind == "comparison":
        return [question]
    if both := BOTH_WORDS.match(question):
        return [f"{both[name]} {both['rest']}" for name in ("one", "other")]
    cuts = SECOND.split(question)
    parts = [part.strip() for part in cuts if part and part.strip(" ?!.,;")]
    if len(parts) > 1 and ASKS_ITSELF.match(LEAD.sub("", parts[0])):
        return parts
    if len(question.split()) <= KEYWORDS and PLUS.search(question) and not ASKS_ITSELF.match(question):
        return PLUS.split(question)
    two = TWO_OF_ONE.match(question)
    return [f"{two['ask']} {two[name]} {two['of']}" for name in ("one", "other")] if two else [question]
