"""Sentences that answer a question which can be made of them by rule, by language.

`{x}` is what a sentence speaks of, `{v}` its verb, `{r}` the rest. A rule stands here only where its question comes out
in good grammar whatever `{x}` is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

QuestionForm = Literal[
    "faq", "definition", "amount", "time", "place", "reason", "steps", "parts", "case", "row", "section"
]


class Rule(NamedTuple):
    """A pattern over the beginning of a sentence, and the question that the sentence answers."""

    written: str
    question: str
    form: QuestionForm

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a text of the language is first read: all of them take longer than a client waits gladly."""
        return _compiled(self.written)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_WORD = r"[\w'’&./%-]+"
_X = rf"(?P<x>{_WORD}(?: {_WORD}){{0,6}}?)"
_MONEY = r"(?:[€$£¥]\s?\d|\d[\d.,]*+\s?(?:€|\$|£|euros?|dollars?|pounds?|cents?|francs?|EUR|USD|GBP|CHF))"
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|märz|april|mai|juni|juli|august|oktober"
    r"|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo"
    r"|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
)
_WHEN = rf"[^.;]{{0,60}}?(?:\b[12]\d{{3}}\b|\b\d{{1,2}}[:.]\d\d\b|\b\d{{1,2}}\.? {_MONTH}|\b{_MONTH}\w* \d)"
_MADE = (
    r"built|founded|established|opened|published|invented|discovered|created|introduced|signed|written|completed"
    r"|designed|born|released|launched|adopted|elected|destroyed|formed|bought|sold|finished|held|made|renovated|abolished"
)
_SPAN = (
    r"(?:about |around |at least |at most |up to |only )?(?:\d[\d.,]*+|an?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|twelve)"
)
_TIME_UNIT = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|min|h)\b"


RULES: dict[str, tuple[Rule, ...]] = {
    "en": (
        Rule(rf"{_X} (?P<v>is|are|was|were) (?:about |now |currently |only )?{_MONEY}", "How much {v} {x}?", "amount"),
        Rule(rf"{_X} costs {_SPAN}", "How much does {x} cost?", "amount"),
        Rule(rf"{_X} cost {_SPAN}", "How much do {x} cost?", "amount"),
        Rule(rf"{_X} weighs {_SPAN}", "How much does {x} weigh?", "amount"),
        Rule(rf"{_X} lasts (?:for )?{_SPAN} {_TIME_UNIT}", "How long does {x} last?", "time"),
        Rule(rf"{_X} takes {_SPAN} {_TIME_UNIT}", "How long does {x} take?", "time"),
        Rule(
            rf"{_X} (?P<v>is|are|was|were) {_SPAN} [\w ]{{1,20}}? (?P<r>long|wide|high|tall|deep|old)\b",
            "How {r} {v} {x}?",
            "amount",
        ),
        Rule(
            rf"{_X} (?P<v>begin|start|end|open|close|expire|finish)(?:s|es) (?:on|at|in|from|after) {_WHEN}",
            "When does {x} {v}?",
            "time",
        ),
        Rule(rf"{_X} takes place (?:on|at|in|from) {_WHEN}", "When does {x} take place?", "time"),
        Rule(rf"{_X} (?P<v>was|were) (?P<r>{_MADE}) {_WHEN}", "When {v} {x} {r}?", "time"),
        Rule(
            rf"{_X} (?P<v>is|are) (?P<r>located|situated|found|kept|stored) (?:in|on|at|near|between|under)\b",
            "Where {v} {x} {r}?",
            "place",
        ),
        Rule(
            rf"{_X} (?P<v>is|are|was|were|can|must|should|may|cannot|has been|have been)"
            rf" (?P<r>{_WORD}(?: {_WORD}){{0,7}}?),? because\b",
            "Why {v} {x} {r}?",
            "reason",
        ),
        Rule(
            r"To (?P<x>(?!(?:be|do|date|this|that|some|sum|conclude|begin|make|get|which|whom|the|it|avoid|help"
            r"|date|make"
            rf" sure|all|our|my|his|her)\b)[a-z-]+ {_WORD}(?: {_WORD}){{0,5}}?), (?:first )?[a-z]",
            "How do I {x}?",
            "steps",
        ),
        Rule(
            rf"(?P<v>When|If) (?P<x>the {_WORD}(?: {_WORD}){{1,6}}?), (?:the|an?|no|all|there)\b",
            "What happens {v} {x}?",
            "case",
        ),
        Rule(rf"{_X} consists of\b", "What does {x} consist of?", "parts"),
        Rule(rf"{_X} (?P<v>include|contain|comprise)s\b", "What does {x} {v}?", "parts"),
        Rule(rf"{_X} (?P<v>include|contain|comprise)\b", "What do {x} {v}?", "parts"),
        Rule(
            rf"[^.;:]{{3,80}}? (?:is|are) called (?P<x>an? {_WORD}(?: [a-z-]+)?)(?= and\b|,|\.)",
            "What is {x}?",
            "definition",
        ),
        Rule(rf"{_X} (?P<v>is|was|are|were) (?:an?|the|one of) (?P<r>{_WORD} .{{12,}})", "What {v} {x}?", "definition"),
        Rule(rf"{_X} (?:refers to|means|denotes|stands for) .{{12,}}", "What is {x}?", "definition"),
    ),
    "de": (
        Rule(rf"{_X} beträgt (?:etwa |rund |maximal |mindestens )?\d", "Wie hoch ist {x}?", "amount"),
        Rule(rf"{_X} betragen (?:etwa |rund |maximal |mindestens )?\d", "Wie hoch sind {x}?", "amount"),
        Rule(rf"{_X} (?P<v>kostet|kosten) (?:etwa |rund |nur )?(?:\d|ein)", "Wie viel {v} {x}?", "amount"),
        Rule(
            rf"{_X} (?P<v>dauert|dauern|gilt) (?:etwa |rund |bis zu )?(?:\d|ein|zwei|drei|vier|fünf)",
            "Wie lange {v} {x}?",
            "time",
        ),
        Rule(
            rf"{_X} (?P<v>beginnt|beginnen|endet|enden|startet) (?:am|um|im|ab|mit dem) {_WHEN}",
            "Wann {v} {x}?",
            "time",
        ),
        Rule(rf"{_X} findet (?:am|im|vom) {_WHEN}", "Wann findet {x} statt?", "time"),
        Rule(
            rf"{_X} (?P<v>wurde|wurden) {_WHEN}[^.;,]{{0,60}}? (?P<r>gegründet|gebaut|eröffnet|erbaut"
            rf"|veröffentlicht|entdeckt"
            r"|erfunden|eingeführt|errichtet|geboren|unterzeichnet)\b",
            "Wann {v} {x} {r}?",
            "time",
        ),
        Rule(
            rf"{_X} (?P<v>liegt|liegen|befindet sich|befinden sich) (?:in|im|an|am|auf|bei|unter|zwischen)\b",
            "Wo {v} {x}?",
            "place",
        ),
        Rule(rf"{_X} (?P<v>besteht|bestehen) aus\b", "Woraus {v} {x}?", "parts"),
        Rule(rf"{_X} (?P<v>enthält|enthalten|umfasst|umfassen)\b", "Was {v} {x}?", "parts"),
        Rule(
            rf"Um (?P<x>(?:den|die|das|ein|eine|einen) {_WORD}(?: {_WORD}){{0,3}}?) zu (?P<v>[a-zäöüß]+en), ",
            "Wie kann ich {x} {v}?",
            "steps",
        ),
        Rule(
            rf"{_X} (?P<v>ist|sind) (?:ein|eine|einer|eines|der|die|das) (?P<r>.{{12,}})", "Was {v} {x}?", "definition"
        ),
        Rule(rf"{_X} bezeichnet .{{12,}}", "Was bezeichnet {x}?", "definition"),
    ),
    "fr": (
        Rule(rf"{_X} (?P<v>coûte|coûtent) (?:environ )?\d", "Combien {v} {x} ?", "amount"),
        Rule(rf"{_X} (?P<v>s['’]élève|s['’]élèvent) à (?:environ )?\d", "À combien {v} {x} ?", "amount"),
        Rule(
            rf"{_X} (?P<v>dure|durent) (?:environ )?(?:\d|un|deux|trois|quatre|cinq|six)",
            "Combien de temps {v} {x} ?",
            "time",
        ),
        Rule(
            rf"{_X} (?P<v>commence|commencent|se termine|se terminent) (?:le|à|en|au) {_WHEN}",
            "Quand {v} {x} ?",
            "time",
        ),
        Rule(rf"{_X} (?P<v>a|ont) lieu (?:le|à|en|au|du) {_WHEN}", "Quand {v} lieu {x} ?", "time"),
        Rule(
            rf"{_X} (?P<v>se trouve|se trouvent|est situé|est située|sont situés|sont situées) (?:à|en|dans|sur|au"
            rf"|près)\b",
            "Où {v} {x} ?",
            "place",
        ),
        Rule(rf"{_X} (?P<v>comprend|comprennent|contient|contiennent)\b", "Que {v} {x} ?", "parts"),
        Rule(rf"Pour (?P<x>[a-zà-ÿ]+(?:er|ir|re) {_WORD}(?: {_WORD}){{0,5}}?), ", "Comment {x} ?", "steps"),
        Rule(
            rf"{_X} (?:est|sont) (?:un|une|le|la|l['’]|les|des)\b(?P<r>.{{12,}})", "Qu’est-ce que {x} ?", "definition"
        ),
    ),
    "es": (
        Rule(rf"{_X} (?P<v>cuesta|cuestan) (?:unos )?\d", "¿Cuánto {v} {x}?", "amount"),
        Rule(
            rf"{_X} (?P<v>dura|duran) (?:unos |unas )?(?:\d|un|dos|tres|cuatro|cinco|seis)", "¿Cuánto {v} {x}?", "time"
        ),
        Rule(
            rf"{_X} (?P<v>empieza|empiezan|comienza|comienzan|termina|terminan) (?:el|a|en) {_WHEN}",
            "¿Cuándo {v} {x}?",
            "time",
        ),
        Rule(
            rf"{_X} (?P<v>fue|fueron) (?P<r>fundad[oa]s?|construid[oa]s?|publicad[oa]s?|inaugurad[oa]s?"
            rf"|cread[oa]s?) {_WHEN}",
            "¿Cuándo {v} {r} {x}?",
            "time",
        ),
        Rule(
            rf"{_X} (?P<v>está|están|se encuentra|se encuentran) (?:situad\w+ |ubicad\w+ )?(?:en|entre|cerca)\b",
            "¿Dónde {v} {x}?",
            "place",
        ),
        Rule(rf"{_X} (?P<v>incluye|incluyen|contiene|contienen|comprende|comprenden)\b", "¿Qué {v} {x}?", "parts"),
        Rule(rf"Para (?P<x>[a-zà-ÿ]+(?:ar|er|ir) {_WORD}(?: {_WORD}){{0,5}}?), ", "¿Cómo {x}?", "steps"),
        Rule(rf"{_X} (?P<v>es|son) (?:una?|el|la|los|las|unos|unas) (?P<r>.{{12,}})", "¿Qué {v} {x}?", "definition"),
    ),
    "ru": (
        Rule(rf"{_X} (?P<v>стоит|стоят|составляет|составляют) (?:около |примерно )?\d", "Сколько {v} {x}?", "amount"),
        Rule(
            rf"{_X} (?P<v>длится|длятся|продолжается) (?:около |примерно )?(?:\d|один|два|две|три|четыре)",
            "Сколько {v} {x}?",
            "time",
        ),
        Rule(
            rf"{_X} (?P<v>начинается|начинаются|заканчивается|открывается) [^.;]{{0,30}}?\d", "Когда {v} {x}?", "time"
        ),
        Rule(
            rf"{_X} (?P<v>был|была|было|были) (?P<r>основан\w*|построен\w*|открыт\w*|создан\w*|опубликован\w*)"
            rf" [^.;]{{0,40}}?\d",
            "Когда {v} {r} {x}?",
            "time",
        ),
        Rule(rf"{_X} (?P<v>находится|находятся|расположен\w*) (?:в|на|у|под|между)\b", "Где {v} {x}?", "place"),
        Rule(rf"{_X} (?P<v>включает|включают|содержит|содержат)\b", "Что {v} {x}?", "parts"),
        Rule(rf"Чтобы (?P<x>[а-яё]+(?:ть|ти|чь)(?:ся)? {_WORD}(?: {_WORD}){{0,5}}?), ", "Как {x}?", "steps"),
        Rule(rf"{_X} (?:[—–-] это|[—–]) (?P<r>.{{12,}})", "Что такое {x}?", "definition"),
    ),
    "zh": (
        Rule(
            r"(?P<x>[^，。；：、,]{2,14}?)(?:成立|创立|建立|始建|建成|创办|诞生)于[^，。]{0,12}\d",
            "{x}是什么时候成立的？",
            "time",
        ),
        Rule(
            r"(?P<x>[^，。；：、,]{2,14}?)于[^，。]{0,12}\d[^，。]{0,8}(?P<v>成立|建成|开业|出版|发布|举行)",
            "{x}是什么时候{v}的？",
            "time",
        ),
        Rule(r"(?P<x>[^，。；：、,]{2,14}?)为(?:人民币)?\d[\d,.]*元", "{x}是多少？", "amount"),
        Rule(r"(?P<x>[^，。；：、,]{2,14}?)位于", "{x}位于哪里？", "place"),
        Rule(r"(?P<x>[^，。；：、,]{2,14}?)包括", "{x}包括什么？", "parts"),
        Rule(r"(?P<x>[^，。；：、,]{2,14}?)是(?:一[种个项类座部家位名]|指)(?P<r>.{6,})", "什么是{x}？", "definition"),
    ),
}
# What a sentence cannot speak of where its question stands alone: it points back, or opens a clause.
NOT_A_SUBJECT = re.compile(
    r"(?:it|its|they|their|them|he|she|his|her|him|we|our|us|i|my|you|your|this|these|that|those|there|here|which|who|what"
    r"|when|where|while|if|although|because|since|as|after|before|in|on|at|by|for|from|with|to|of|but|and|or|so|some|many"
    r"|most|all|both|each|other|others|another|one|such|no|not|only|also|however|then|thus|note|please|even|just|once|more"
    r"|another|first|second|third|next|finally|today|now|nothing|something|everything|either|neither|let|yes|two|three|four"
    r"|er|sie|es|wir|ich|ihr|ihre|sein|seine|dies|diese|dieser|dieses|das ist|dort|hier|wenn|als|weil|da|aber|und"
    r"|oder|in|im"
    r"|am|auf|bei|mit|nach|von|zu|für|alle|viele|einige|beide|man|dabei|dazu|dafür|dann|il|elle|ils|elles|nous|vous|je|on|ce"
    r"|cet|cette|ces|cela|c['’]est|son|sa|ses|leur|leurs|mais|et|ou|dans|en|sur|pour|avec|si|quand|él|ella|ellos|ellas|nosotros|yo"
    r"|este|esta|estos|estas|esto|eso|su|sus|pero|y|o|en|con|para|si|cuando|он|она|оно|они|мы|я|вы|это|этот|эта|эти|его|её"
    r"|их|но|и|или|в|на|с|для|если|когда|тот|та|те|там|здесь)\b|[这那它他她我你其此该本]",
    re.IGNORECASE,
)
# Words within it that make it more than one thing, or a clause.
NOT_IN_A_SUBJECT = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|which|that|who|whom|whose|because|if|when|while|but|will|would|can|could"
    r"|may|might|must|should|do|does|did|not|one|ones|ist|sind|war|wird|werden|dass|weil|wenn|nicht|est|sont|qui|que|ne|pas|es|son"
    r"|fue|no|который|которая|что|не|как)\b",
    re.IGNORECASE,
)
# Of a person one asks who they are.
PERSON = re.compile(
    r"\b(?:man|woman|person|king|queen|president|author|writer|poet|painter|artist|scientist|engineer|leader|chief|chair"
    r"|chairman|chairwoman|director|manager|founder|politician|singer|composer|actor|actress|player|teacher|professor"
    r"|physician|doctor|lawyer|philosopher|explorer|general|officer|soldier|emperor|prince|princess|duke|bishop|pope|saint"
    r"|treasurer|secretary|landlord|landlady|tenant|son|daughter|mother|father|brother|sister|wife|husband|viking|mayor"
    r"|minister|judge|historian|mathematician|physicist|chemist|biologist|economist|miller|captain|nurse|farmer|merchant"
    r"|coach|trainer|editor|journalist|photographer|architect|designer|developer|owner|nobleman|knight|monk|priest|novelist"
    r"|politiker\w*|maler\w*|dichter\w*|schriftsteller\w*|könig\w*|kaiser\w*|komponist\w*|physiker\w*|wissenschaftler\w*"
    r"|écrivain\w*|peintre|roi|reine|poète|homme|femme|escritor\w*|pintor\w*|rey|reina|poeta|писатель\w*|поэт\w*|король"
    r"|художник\w*|учёный|ученый|император\w*)\b|[位名]",
    re.IGNORECASE,
)
NAME = re.compile(r"(?:[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’.-]+)(?: (?:von|van|de|of|the|da|di|du|la|le|[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’.-]*))*$")
WHO: dict[str, dict[str, str]] = {
    "en": {"is": "Who is {x}?", "was": "Who was {x}?", "are": "Who are {x}?", "were": "Who were {x}?"},
    "de": {"ist": "Wer ist {x}?", "war": "Wer war {x}?"},
    "es": {"es": "¿Quién es {x}?"},
}
# Columns that hold one thing of what their row is about, in a word that goes with "the ... of".
COLUMN = re.compile(
    r"(?:[a-z]+ ){0,2}?(?:temperature|duration|price|cost|weight|size|colou?r|length|width|height|depth|speed"
    r"|capacity|voltage|power|rate"
    r"|fee|deadline|date|status|type|version|meaning|purpose|value|amount|total|quantity|energy|address|location|role|unit"
    r"|description|population|area|capital|frequency|dose|dosage|age|category|class|title|position|language|country|city"
    r"|phone|telephone|e-?mail|website|company|department|brand|model|material|origin|distance|pressure|volume|density"
    r"|symbol|formula|default|limit|minimum|maximum|average|score|grade|budget|salary|rent|period|term|room|format|number"
    r"|code|name|function|effect|cause|remedy|solution|result|condition|priority|severity|risk|impact|name|range"
    r"|level)(?: \(?(?:in )?[a-z€$£%°]{1,4}\)?)?$",
    re.IGNORECASE,
)
RESPONSIBLE = re.compile(
    r"(?:who|responsible|owner|assignee|assigned to|in charge|contact|person|lead)$", re.IGNORECASE
)
ROW_QUESTIONS: dict[str, str] = {
    "en": "What does the table give as “{column}” for {row}?",
    "de": "Was steht in der Tabelle bei „{row}“ unter „{column}“?",
    "fr": "Que donne le tableau pour « {row} » sous « {column} » ?",
    "es": "¿Qué indica la tabla en «{column}» para «{row}»?",
    "ru": "Что указано в таблице для «{row}» в столбце «{column}»?",
    "zh": "表中“{row}”的“{column}”是什么？",
}
# Names of columns that ask rather than name.
NO_COLUMN = re.compile(r"(?:what|which|how|when|where|why|was|wie|wann|quoi|quand|qué|что)\b", re.IGNORECASE)
# How a question begins.
QUESTION_WORD = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|will|has|have"
    r"|wer|wem|wen|welche\w*|wann|wo|warum|wie|ist|sind|kann|können|darf|dürfen|muss|müssen|gibt|hat|haben|soll"
    r"|qui|que|quoi|quels?|quelles?|quand|où|pourquoi|comment|combien|est-ce|peut-on|puis-je|dois-je|y"
    r"|quién\w*|qué|cuál\w*|cuándo|dónde|por|cómo|cuánt\w+|puedo|es|hay|кто|что|как\w*|когда|где|почему|сколько|можно|нужно"
    r"|есть|зачем|чем)\b|.*(?:什么|谁|哪|为什么|怎么|如何|多少|几|是否|吗)",
    re.IGNORECASE,
)
HOW_TO = re.compile(r"how to (?P<x>[a-z]+ .{3,60})$", re.IGNORECASE)
COLUMN_OF = "What is the {column} of {row}?"
RESPONSIBLE_FOR = "Who is responsible for {row}?"
SECTION_QUESTIONS: dict[str, str] = {
    "en": "What does “{title}” say about {heading}?",
    "de": "Was steht in „{title}“ zu „{heading}“?",
    "fr": "Que dit « {title} » sur « {heading} » ?",
    "es": "¿Qué dice «{title}» sobre «{heading}»?",
    "ru": "Что говорится в «{title}» о «{heading}»?",
    "zh": "“{title}”对“{heading}”有什么说明？",
}
ABOUT_QUESTIONS: dict[str, str] = {
    "en": "What is “{title}” about?",
    "de": "Worum geht es in „{title}“?",
    "fr": "De quoi parle « {title} » ?",
    "es": "¿De qué trata «{title}»?",
    "ru": "О чём «{title}»?",
    "zh": "“{title}”讲了什么？",
}
SUMMARY_QUESTIONS: dict[str, str] = {
    "en": "Can you summarise “{title}”?",
    "de": "Kannst du „{title}“ zusammenfassen?",
    "fr": "Peux-tu résumer « {title} » ?",
    "es": "¿Puedes resumir «{title}»?",
    "ru": "Каково краткое содержание «{title}»?",
    "zh": "能总结一下“{title}”吗？",
}
WHOLE_QUESTIONS: dict[str, str] = {
    "en": "What is this notebook about?",
    "de": "Worum geht es in diesem Notizbuch?",
    "fr": "De quoi parle ce carnet ?",
    "es": "¿De qué trata este cuaderno?",
    "ru": "О чём этот блокнот?",
    "zh": "这个笔记本讲了什么？",
}
