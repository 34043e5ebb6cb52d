"""Questions for documents: which of the sources speak of something, and of what they are to speak."""

from __future__ import annotations

import re

from quire.text.words import language_of

# What sources are called: any one of them, and what is one of them only where several are asked about.
_ANY = (
    r"(?:documents?|docs?|sources?|files?|papers?|texts?|pdfs?|uploads?|notes?|letters?|e?-?mails?|transcripts?|items?)"
)
_SEVERAL = (
    r"(?:articles|reports|books|pages|studies|essays|contracts|minutes|manuals|chapters|posts|entries|interviews"
    r"|recordings|handouts|leaflets|policies|memos|materials|chapter files|ones?)"
)
_CALLED = rf"(?:{_ANY}|{_SEVERAL})"
_OF_THEM = (
    r"(?:of (?:the|these|those|my|our|all)(?: \w+){0,2}?"
    rf" (?:{_CALLED}|article|report|book|study|essay|contract|manual)s?|of (?:them|these|those))"
)
# How it is said that one speaks of something.
_SPEAKS = (
    r"(?:mention\w*|mentoined|sa(?:y|ys|id)|talk\w*|discuss\w*|contains?|cover\w*|speaks?|deal\w*|describ\w*|refer\w*"
    r"|explains?|tells?|cites?|includes?|names?|touch\w*|br(?:ing|ings|ought) (?:\w+ ){0,4}?up|com(?:e|es|ing) up"
    r"|crops? up|turns? up|go(?:es)? into|looks? at|concern\w*|devoted|hints?|investigat\w+|examin\w+|address(?:es)?"
    r"|treat\w*|records? a|features?|(?:is|are|be) (?:all )?about(?= \w)|occurs?|appears?|is used|is there"
    r"|ha(?:s|ve) (?:anything|something|some|a (?:bit|section|part|passage|word)|the bit|info\w*)|anything|something"
    r"|should i (?:open|consult|read|look)|would i (?:look|read|find)"
    r"|(?:can|do|could|should) i (?:find|read|learn|look))"
)
_WHICH = r"(?:which|what|wich|how many)"
_LITTLE = r"(?:,? [\w/]+,?){0,4}?"
_ABOUT = (
    r"(?:about|on|covering|dealing with|with|regarding|concerning|discussing|mentioning|containing|concerned with|w/"
    rf"|(?:that|which|where|in which)(?: [\w-]+){{0,4}}? {_SPEAKS})"
)
_IS_THERE = (
    r"(?:is there|are there|do (?:we|i|you) (?:have|own)|have (?:we|i)|got"
    r"|does the \w+ (?:hold|include|contain)|do)"
)
_FIND = (
    r"(?:list|name|find|enumerate|identify|point out|show|give|indicate|search|check|look through|go through|i need)"
)
_DOKUMENT = r"(?:dokumente?n?|quellen?|dateien?|texten?|artikeln?|b(?:uch|üchern?)|briefen?|unterlagen|notizen)"
_FICHIER = r"(?:documents?|docs?|sources?|fichiers?|textes?|articles?|papiers?|lettres?|notes?)"
_ARCHIVO = r"(?:documentos?|fuentes?|archivos?|textos?|artículos?|papeles?|cartas?|apuntes|notas?)"
ASKED = re.compile(
    "|".join(
        f"(?:{pattern})"
        for pattern in (
            rf"\b{_WHICH}\b(?!,? (?:these|this|those|all|the|my|do|does)\b)(?:,? if any,?)?"
            rf" (?:{_OF_THEM}|(?:\w+ ){{0,2}}?{_CALLED})\b{_LITTLE} {_SPEAKS}(?!\w)",
            rf"\bin (?:how many and )?{_WHICH} (?:{_OF_THEM}|(?:\w+ ){{0,2}}?{_CALLED})"
            r" (?:is|are|was|were|do|does|did|can|could|would|should|will|the|it|there|they)\b",
            r"\bwhere (?:is|are|was|were) (?P<topic>.{1,80}?) (?:mentioned|discussed|described|talked about)\b",
            r"\bwhere (?:can|could|do|does|did|should|would|might) (?:i|we|you|one|it|they|somebody|people)"
            r" (?:\w+ )?(?:(?:read|learn|hear|talk|speak|write|look|find out|find|see|say|tell)(?: me| us| you)?"
            r" (?:about|(?:anything|something|stuff|info\w*|details?|more|passages?) (?:about|on|regarding|concerning))"
            r"|read up on|mention|discuss)\b",
            rf"(?:[:,;.?!–-]|^)\s*(?:and |in |just |tell me )*(?:{_WHICH}|name the|list the|list)"
            rf"(?: of| the| these| my| file)* {_CALLED}(?: are they| is it| names)?\W*$",
            rf"\S \bin (?:which|what)(?: of (?:the|these|my))?(?: \w+)? {_CALLED}\W*$",
            rf"^\W*(?:\w+, )?{_IS_THERE}\b(?: any| a| an| some| one| more than one| of| these| the| my| those){{1,4}}"
            rf" (?:\w+ )?{_ANY}\b(?: \w+){{0,2}}? (?:{_ABOUT}|{_SPEAKS})(?!\w)",
            r"\b(?:mentioned|discussed|covered|described|brought up|talked about|found)"
            r" (?:in|by) (?:one|any|some) of (?:these|the|my|those)\b",
            rf"^\W*(?:anything|something|stuff|info\w*) (?:in|among) (?:the|these|my|our) {_CALLED} {_ABOUT}(?!\w)",
            rf"^\W*(?:(?:please|kindly|can you|could you|would you|ok|hi|hey)\W+)*{_FIND}\b"
            rf"(?: [\w']+){{0,8}}? {_CALLED} {_ABOUT}(?!\w)",
            rf"^\W*(?:all |the )?{_ANY} {_ABOUT}(?!\w)",
            rf"^\W*where (?:in|among) (?:the|these|my|our) {_CALLED}\b",
            rf"\bwelche[nmr]?(?: (?:der|dieser|von))?(?: \w+)? {_DOKUMENT}\b",
            rf"\b(?:gibt es|habe ich|haben wir)\b.{{0,40}}\b{_DOKUMENT} (?:über|zu|zum|zur|mit)\b",
            rf"\b(?:quels?|quelles?|lesquels?|lesquelles?)(?: des| de ces)? {_FICHIER}\b",
            rf"\b(?:qué|cuál|cuáles)(?: de (?:los|las|estos|estas|mis))? {_ARCHIVO}\b",
            rf"\bhay alg[uú]n\w* {_ARCHIVO} (?:sobre|de)\b|\b(?:enumera|lista) (?:las|los) {_ARCHIVO} que\b",
            r"\b(?:какие|каких|какой|каком|какая)(?: из)? (?:документ|источник|файл|текст|стат|письм|материал)\w*",
            r"\b(?:найди|перечисли|покажи) (?:файлы|документы|тексты|источники),? (?:в которых|где|которые|о|про)\b",
            r"哪[些个一](?:文档|文件|资料|来源|文章|论文|笔记)|哪(?:[份篇]|几[份篇个])(?:文档|文件|资料|论文|文章|笔记)",
            r"(?:列出|找出).{0,6}(?:涉及|提到|关于|谈到).{1,40}的(?:资料|文档|文件|文章)",
        )
    ),
    re.IGNORECASE,
)
# How it is said that a document speaks of something, where the question's form does not tell it already.
SPEAKING = re.compile(
    r"^\W*(?:erwähn\w+|nenn\w+|behandel\w+|handeln|sprechen|enthalten|geht es um|steht etwas (?:über|zu)|kommt|kommen"
    r"|(?:wird|werden|ist|sind)|von|über|zum|zur|zu|um"
    r"|mentionn\w+|parlent|traitent|contiennent|évoquent|abordent|(?:on )?parle|de|du|des"
    r"|mencionan|hablan|tratan|contienen|abordan|habla|aparecen?|sale|se|que|sobre"
    r"|упомина\w+|говор\w+|рассказыва\w+|содерж\w+|касаются|обсуждается|речь идёт|о|об|про)(?=\W|$)"
    r"|^(?:提到|谈到|谈及|说到|提及|包含|涉及|讲到|讨论|关于|了|过)",
    re.IGNORECASE,
)
# Another document may have the name without it, or in another language.
HONORIFIC = re.compile(
    r"\b(?:mrs?|ms|dr|prof|herrn?|frau|mme|monsieur|madame|señora?|sra?)\b\.? (?=[^\W\d_])", re.IGNORECASE
)
QUOTED = re.compile(r"[“\"„«「『]\s?([^”\"“»」』]{1,200}?)\s?[”\"“»」』]")
# Words that ask, that speak of documents, and that join: none of them is a topic.
_ASKING = (
    "a about abt across address addressed addresses again all also am among an and any anything anywhere appear"
    " appears are article articles as ask asked at attached be before bit book books both bout bring brings"
    " brought but by called can chapter chapters check cite cites come comes concern concerned concerning"
    " concerns consult contain contained containing contains contract contracts could cover covered covering"
    " covers crop crops deal dealing deals dealt depth describe described describes detail details devote devoted"
    " did discuss discussed discusses discussing discussion do doc docs document documents does e-mail e-mails"
    " else email emails entries enumerate essay essays even ever everything examine examined examines examining"
    " explain explained explains explore explored explores feature features file files find for found from get"
    " give go goes got had handout handouts has have hello here hey hi hint hints hold how i identify if in"
    " include included includes indicate info interview interviews into investigate investigates is issue it item"
    " items its just kindly know leaflet leaflets learn letter letters like list look looking looks mail mails"
    " make makes manual manuals many material materials matter me mean memo memos mention mentioned mentioning"
    " mentions mentoined minute minutes more most much my name named names need note notebook notes occur occurs"
    " of ok on one ones open or our out own page pages paper papers part passage pdf pdfs pick play plays please"
    " point policies post posts pull raise raises read reading record recordings records refer reference"
    " references referred refers regard regarding relate relates relating relevant remember report reports role"
    " said say saying says search section see should show so some something somewhere sort source sources speak"
    " speaks studies study stuff subject take taken takes talk talked talking talks tell tells text texts than"
    " that the them themselves there these they this those through title titles to topic topics touch touched"
    " touches transcript transcripts treat treated treats turn turns up upload uploads upon use used w/ want was"
    " we were what where which who wich will with word would you your"
)
ASKING = frozenset(_ASKING.split())
# Between two words of a topic these belong to it: "the Treaty of Westphalia".
JOINING = frozenset(("a", "an", "the", "of", "for", "in", "on", "and", "or", "to", "at", "by", "with", "from"))
# What speaks of all that there is, and of what is said as such.
ALL_OF_IT = re.compile(
    r"\b(?:the|this|my|our|whole|entire) (?:collection|folder|binder|pile|pack|archive|notebook|dossier)\b"
    r"|\binfo(?:rmation)? (?:on|about)\b|\bthe (?:subject|topic|question|matter|issue) of\b",
    re.IGNORECASE,
)
EITHER = re.compile(r",? (?:or|oder|ou|или) ")
# "How cold the fridges are": the fridges.
HOW = re.compile(r"\bhow (?:\w+ly )?\w+ (?=(?:the|a|an|my|our|your|their|his|her|its|these|those)\b)", re.IGNORECASE)
# Who wants the names of documents alone.
NAMES_ONLY = re.compile(
    r"\b(?:names?|titles?|file ?names?)(?: of (?:the|these) \w+)?,? (?:only|will do|is enough|are enough|suffices?)\b"
    r"|\b(?:just|only|simply)(?: give| tell)?(?: me)?(?: the| their)? (?:names?|titles?|file ?names?)\b"
    r"|\b(?:just|only|simply) (?:name|list) (?:the|them|these)\b|\bnur (?:die )?(?:namen|titel)\b",
    re.IGNORECASE,
)
# What is done with a thing is often said by another word, or by none: "paying in cash", "watching television".
DOING = re.compile(
    r"(?:[a-z]{3,20}ing(?: (?:up|off|out|back|away))? (?:(?:in|by|with|for|on|to|at|from) )?"
    r"(?:the|an?|my|our|your|their) "
    r"|[a-z]{3,20}ing (?:in|by|with|for|on|to|at|from) "
    r"|(?:watch|keep|hav|us|gett|mak|do|tak|buy|sell|pay|bring|own|hold|giv|choos|repair|replac|cancell?|wear|eat|order"
    r"|carry|see|rid|hir|rent)ing )(?=\w)"
)
COUNT = re.compile(r"\d+|two|three|four|five|six|seven|eight|nine|ten|dozen", re.IGNORECASE)
TOKEN = re.compile(r"(?:[^\s,;:?!()\"“”–—-]|(?<=\w)-(?=\w))+|[,;:?!–—-]")
ENDS, PARTING = ".'’", frozenset(",;:?!–—-")


def asks_for_documents(question: str) -> bool:
    return ASKED.search(question) is not None


def topic_of(question: str) -> str:
    """What documents are to speak of."""
    found = ASKED.search(question)
    if found and found["topic"]:
        return HONORIFIC.sub("", found["topic"].strip())
    quoted = QUOTED.search(question)
    if quoted:
        return quoted[1]
    if found and language_of(question) not in (None, "en"):
        rest = question[found.end() :] if found.end() < len(question) - 1 else question[: found.start()]
        while said := SPEAKING.match(rest):
            rest = rest[said.end() :]
        return HONORIFIC.sub("", rest.strip(" ?!.:,¿¡。？"))
    return HONORIFIC.sub("", _longest(NAMES_ONLY.sub(" . ", HOW.sub(" ", question))))


def topics_of(question: str) -> list[str]:
    """What documents are to speak of, and what may be said of it where none has all of its words."""
    topic = topic_of(question)
    doing = DOING.match(topic)
    return [one for one in (topic, topic[doing.end() :] if doing else "") if one]


def either(topic: str) -> list[str]:
    """The two things that a topic names, "wasps or hornets", where neither takes a word from the other; else itself."""
    parts = EITHER.split(topic)
    return parts if len({len(part.split()) for part in parts}) == 1 else [topic]


def wants_names_only(question: str) -> bool:
    return NAMES_ONLY.search(question) is not None


def _longest(question: str) -> str:
    """The longest run of words none of which asks; of equal ones the last."""
    runs: list[list[str]] = [[]]
    joints: list[str] = []
    for written in TOKEN.findall(ALL_OF_IT.sub(" in ", question)):
        word = written.rstrip(".").strip(ENDS)
        plain = word.casefold().replace("’", "'")
        if not word or word in PARTING:
            runs.append([])
            joints = []
        elif plain in JOINING and runs[-1]:
            joints.append(word)
        elif plain in ASKING or plain in JOINING:
            runs.append([])
            joints = []
        else:
            runs[-1] += [*joints, word]
            joints = []
            if written.endswith(".") and len(word) > 2:
                runs.append([])
    told = [run for run in runs if run and not all(COUNT.fullmatch(word) for word in run)]
    longest: list[str] = max(reversed(told), key=len) if told else []
    return " ".join(longest)
