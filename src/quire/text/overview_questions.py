"""What a question for an overview wants: of what, and how much of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from quire.text.languages import LANGUAGES
from quire.text.words import language_of

Depth = Literal["kind", "content", "topics"]

QUOTES = ' “”"„«»「」『』'
QUOTED = re.compile(r"[“\"„«「『]\s?([^”\"“»」』]{1,200}?)\s?[”\"“»」』]")
TOPICS = re.compile(
    r"\b(?:topics?|themes?|subjects?|themen|thema|thèmes?|sujets?|temas?|тем[аыу])\b|主题|主題|话题", re.IGNORECASE
)
CONTENT = re.compile(
    r"\bsummar\w+|\btl;?dr\b|\bgist\b|\bsum (?:\w+ ){0,3}up\b|\bshort version\b|\bnutshell\b|\brecap\b|\bbriefly\b"
    r"|\b(?:main|key|most important) (?:points?|ideas?|takeaways?|findings?)\b"
    r"|\bzusammen\w*|\bwichtigste\w*|\brésum\w+|\bresum\w+|\bprincipales?\b|\bрезюм\w+|\bкратко\w*|\bглавн\w+"
    r"|总结|總結|概括|摘要|要点",
    re.IGNORECASE,
)
# "What does the lease say about pets?"
SAYS = re.compile(
    r"^\W*what (?:do|does|did) (?P<source>.{1,160}?) (?:say|tell|state|write) (?:us |me )?(?:about|on|of|regarding)"
    r" (?P<topic>.{1,160}?)\W*$"
    r"|^\W*was (?:steht|sagt|sagen)(?: in)? (?P<source_de>.{1,160}?) (?:zu|über|zum thema) (?P<topic_de>.{1,160}?)\W*$"
    r"|^\W*que (?:dit|disent) (?P<source_fr>.{1,160}?) (?:sur|de|à propos de) (?P<topic_fr>.{1,160}?)\W*$"
    r"|^\W*qué dicen? (?P<source_es>.{1,160}?) (?:sobre|de|acerca de) (?P<topic_es>.{1,160}?)\W*$"
    r"|^\W*что (?:говорится в|говорят|сказано в|говорит) (?P<source_ru>.{1,160}?) (?:о|об|про)"
    r" (?P<topic_ru>.{1,160}?)\W*$"
    r"|^\W*(?P<source_zh>.{1,100}?)(?:对|关于|对于)(?P<topic_zh>.{1,100}?)(?:有什么说明|怎么说|说了什么|有何说明)\W*$",
    re.IGNORECASE,
)
# Words for sources as such, and for all that there is.
SOURCES = re.compile(
    r"\b(?:notebooks?|sources?|documents?|files?|papers?|texts?|pages?|pdfs?|collections?|materials?|contents?|here"
    r"|everything"
    r"|notizb(?:uch|uchs|üchern?)|quellen?|dokumente?n?|dateien?|unterlagen|sammlung|hier|carnet|fichiers?|ici"
    r"|cuaderno|fuentes?|documentos?|archivos?|aquí|блокнот\w*|источник\w*|документ\w*|файл\w*|здесь)\b"
    r"|笔记本|资料|文档|文件|这里",
    re.IGNORECASE,
)
# Words of such questions that name nothing: what is asked, and sources as such.
_ASKING = (
    "summarise summarize summary summaries overview tldr gist main key important points point ideas idea topics topic"
    " themes theme takeaways takeaway findings finding about please give write make tell show short brief quick whole"
    " entire notebook notebooks source sources document documents text texts article articles file files page pages"
    " content contents everything all specify say says describe cover covers contain contains covered kind kinds deal"
    " deals two three four five six both each several different sentence sentences words few list briefly shortly"
    " quickly papers notes mails information pdf pdfs find found know learn read see look get got hold holds held"
    " introduce introduction explain outline sketch recap sum subject subjects material materials collection"
    " collections matter matters most things thing stuff inside basically generally roughly together deals dealing"
    " treat treats talk talks speak speaks discuss discusses tells present there"
    " fasse fass zusammen zusammenfassung zusammenfassen überblick worum geht wovon handelt handeln gib bitte kurze"
    " kurz kurzen kurzer wichtigsten wichtigste punkte themen thema notizbuch notizbuchs quelle quellen dokument"
    " dokumente dokumenten datei dateien texte inhalt inhalte beiden alle ganzen gibt"
    " steht enthält enthalten erstelle mache drin darin finde finden findet erfahre lesen unterlagen sammlung"
    " erzähl beschreibe beschreib erkläre"
    " résume résumez résumer résumé parle parlent traite traitent agit quoi donne donner moi bref brève aperçu ensemble"
    " vue principaux principales points sujets thèmes carnet source document fichier fichiers contenu"
    " contient contiennent trouve décris quels deux court"
    " resume resumen resumir resúmeme trata tratan habla hablan va dame haz breve visión general principales temas"
    " puntos ideas cuaderno fuente fuentes documento documentos archivo archivos contenido"
    " contiene contienen encuentro describe cuáles dos"
    " резюмируй резюме обзор краткое кратко содержание чём чем главные основные темы идеи блокнот блокноте блокнота"
    " источник источники источников документ документы документов документах файл файлы дай сделай расскажи говорится"
    " речь идёт пожалуйста"
)
ASKING = frozenset(_ASKING.split())
# Words beside a source's name that tell how much is wanted of it, or that something is said or goes on there.
_BESIDE = (
    "whats whos been being going happened happening happens version telling told saying said says write writes written"
    " wrote writing discussed discussing discussion talked talking rundown run-down roughly broadly overall actually"
    " really again pls plz thx thanks cheers u lot folks people everybody everyone bit word minute nutshell essence"
    " rough crash fast quickest mainly"
)
BESIDE = ASKING | frozenset(_BESIDE.split())
# Where nothing else is named these are a source: "What does the article say?".
ONE_OF_A_KIND = re.compile(
    r"\b(?:the|this|that|my|our|his|her|their) (?P<kind>articles?|paper|e?-?mails?|notes?|studies|study)\b",
    re.IGNORECASE,
)
_KIND = (
    r"(?:letters?|e?-?mails?|messages?|notes?|memos?|posts?|articles?|reports?|leaflet|brochure|chats?|threads?"
    r"|forum|minutes|meetings?|call|session|speech|interview|review|statement|contract|agreement|paper|talk|lecture"
    r"|diary|log|logbook|newsletter|circular|handbook|manual|transcript|conversation|amendment|essay|blog)"
)
_WHOSE = r"(?:his|her|their|its|the|that|this|my|our|\w+['’]s?)"
_IN_ONE = rf"(?:in|inside|at|on|during) {_WHOSE}(?: [\w'’-]+){{0,5}}? {_KIND}(?: (?:to|from|by|of) [\w'’. -]{{1,40}})?"
_BRIEF = (
    r"(?:briefly|shortly|roughly|broadly|quickly|basically|overall|in (?:short|brief|essence|outline|a nutshell)"
    r"|in (?:a|one|two|three) (?:few )?(?:words?|sentences?|lines?)(?: or two)?|more or less|short version"
    r"|(?:just )?the (?:main points|gist|short version|essentials)|for short)"
)
_END = rf"(?:,? (?:on \d[\w ]{{1,20}}|of \d[\w ]{{1,20}}|{_BRIEF}|please|pls|then|again|exactly|at all))*\W*$"
_SAYS = r"(?:say|says|said|saying|tell|tells|telling|told|write|writes|wrote|written|writing|report|reports|on about)"
_TO = r"(?: (?:me|us|him|her|them|you|to \w+))?"
# What a source tells, of nothing in particular: "What is she telling him in her letter?".
TOLD_THERE = re.compile(
    rf"^\W*(?:{_BRIEF}[,:]? )?(?:so |and |ok |hi )?what"
    r"(?:['’]?s|['’]?re| is| are| was| were| has| have| did| do| does)?"
    rf" (?:.{{1,80}}? {_SAYS}{_TO}|(?:(?:been|all|everything) )?(?:going on|happening|happened|discussed|talked about"
    rf"|said|written)|happened|.{{1,60}}? (?:talk|chat|discuss)(?:ed|ing)?(?: about)?)"
    rf" (?:{_IN_ONE}{_END}|(?:in|at|on|during) {_WHOSE} .{{1,60}}?,? {_BRIEF}\W*$)"
    rf"|^\W*(?:so |and |ok |hi )?what(?:['’]?s| is) {_IN_ONE}{_END}"
    rf"|^\W*what(?:['’]?s| is) in .{{1,60}}?,? {_BRIEF}\W*$"
    rf"|^\W*{_BRIEF}[,:]? what (?:did|do|does|has|have|is|are) .{{1,80}}? {_SAYS}{_TO}\W*$"
    rf"|^\W*what (?:did|do|does|has|have|is|are) .{{1,80}}? {_SAYS}{_TO}(?: in \d{{4}})?,? {_BRIEF}\W*$",
    re.IGNORECASE,
)
# In what many say things in, what one of them says is no overview.
ONE_OF_MANY = re.compile(
    r"\b[Ww]hat (?:did|does|do|has|have|is|was) (?:(?:[Mm]rs?|[Mm]s|[Dd]r)\.? )?[A-Z]\w+(?: [A-Z]\w+)? .{1,120}"
    r"\b(?:chats?|threads?|forum|minutes|meetings?|call|session|conversation|mails|e-mails|messages)\b"
)
# "The letter to Jonas".
WRITTEN_TO = re.compile(
    r"\b(?:letters?|e?-?mails?|notes?|messages?|reply|replies|answers?) to (?P<reader>[\w'’.-]+(?: [A-Z][\w'’-]+)?)"
)
# Who asks by so few words, none of them a small one, names a thing.
KEYWORDS = 4
ASKING_ZH = re.compile(
    r"请|给我|总结|總結|概述|概括|摘要|主要|内容|主题|要点|一下|这个|这些|该|本|笔记本|资料|文档|文件|来源|讲了?(?:的是)?|是|什么|关于"
    r"|的|了|吗|有|哪些|简短|所有|全部|介绍|两[份个]|三[份个]|都"
)
THESE = re.compile(
    r"\b(?:this|these|those|my|our|here|all|everything|dies\w*|meine\w*|unsere\w*|hier|ces?|cette|cet|mes|nos|ici|est[aeo]s?"
    r"|mis|nuestr\w+|aquí|эт\w+|мо\w{1,2}|наш\w*|здесь)\b|[这此本]",
    re.IGNORECASE,
)
ALL_OF_THEM = re.compile(r"\b(?:these|those|all|everything|here|notebook)\b", re.IGNORECASE)
# What leads to the wish: "I am new here, could you tell me what these papers are about?".
LED_TO = re.compile(
    r"^.{0,200}?\b(?:(?:could|can|would|will) (?:you|someone|somebody) (?:please |kindly |just )?"
    r"(?:tell|explain|show|say|give)|(?:können|könnten|kannst) (?:sie|du) (?:mir|uns)"
    r"|(?:pourriez|peux|pouvez)-(?:vous|tu)|puedes? (?:decirme|explicarme))\b",
    re.IGNORECASE,
)
SPOKEN = ("en", "de", "fr", "es", "ru")
# The languages in which what such a question names is told from its other words.
NAMED_IN = frozenset({*SPOKEN, "zh"})
ELIDED = re.compile(r"\b[dlnsc]['’]|['’]s\b", re.IGNORECASE)
WORD = re.compile(r"[\w'’-]+")


@dataclass(frozen=True)
class OverviewWish:
    """`name` is what is to be told of, a source or a subject; all sources where it is empty.

    `topic` is what of it, where the question says so. `of_these` says that the question points at the sources: a name
    that is no source's is then a word for all of them, unless the question is hardly more than that, `keywords`.
    Where it names nothing but a `kind`, that may be one source's. `reader` is whom a source is written to.
    """

    name: str
    topic: str
    depth: Depth
    of_these: bool = False
    keywords: bool = False
    kind: str = ""
    reader: str = ""


def overview_wish(question: str) -> OverviewWish:
    """What of the sources a question wants an overview of."""
    depth: Depth = "topics" if TOPICS.search(question) else "content" if CONTENT.search(question) else "kind"
    says = SAYS.match(question)
    if says is not None:
        source, topic = (group for group in says.groups() if group is not None)
        bare = source.strip(QUOTES)
        return OverviewWish(_without_asking(source) if bare == source else bare, topic.strip(QUOTES), depth)
    quoted = QUOTED.search(question)
    if quoted:
        return OverviewWish(quoted[1], "", depth)
    wish = LED_TO.sub("", question)
    name = _without_asking(wish, BESIDE)
    one = ONE_OF_A_KIND.search(wish)
    kind = one["kind"] if one and not name else ""
    to = WRITTEN_TO.search(wish)
    return OverviewWish(
        name, "", depth, THESE.search(wish) is not None, _is_keywords(question), kind, to["reader"] if to else ""
    )


def _is_keywords(question: str) -> bool:
    words = [word.casefold() for word in WORD.findall(question)]
    return len(words) <= KEYWORDS and common_words().isdisjoint(words)


def names_only_sources(question: str) -> bool:
    """Whether a question asks for nothing but what sources tell: it names them, or all that is there, and nothing
    besides, or what is said in one of them."""
    if TOLD_THERE.match(question) and not ONE_OF_MANY.search(question):
        return True
    return SOURCES.search(question) is not None and not _without_asking(question)


def asks_what_is_said(question: str) -> bool:
    """Whether a question asks what a source says about something."""
    return SAYS.match(question) is not None


def _without_asking(question: str, asking: frozenset[str] = ASKING) -> str:
    if language_of(question) == "zh":
        return ASKING_ZH.sub(" ", question).strip(" ？?。！，")
    words = (word for word in WORD.findall(ELIDED.sub("", question)) if word.casefold() not in asking)
    return " ".join(word for word in words if word.casefold() not in common_words())


@cache
def common_words() -> frozenset[str]:
    """Of all languages that such questions are known in: a short question seldom tells its own."""
    return frozenset[str]().union(*(LANGUAGES[language].function_words for language in SPOKEN))
