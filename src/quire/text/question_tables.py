"""Question tables: the words by which questions tell what they ask, by language.

The first pattern that fits tells the kind; what is wanted is told by the words that come first in the question. They
are meant for questions of at most a thousand characters.
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["fact", "definition", "list", "steps", "comparison", "yes-no", "overview", "documents"]
Wanted = Literal[
    "person",
    "date",
    "duration",
    "money",
    "count",
    "number",
    "place",
    "reason",
    "manner",
    "name",
    "permission",
    "origin",
    "contact",
    "thing",
]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_DOCUMENT = r"(?:documents?|sources?|files?|papers?|articles?|texts?|books?|reports?|pages?|pdfs?)"

# What all sources, or one, are about.
OVERVIEW = _any(
    # "The summary fee" is a fee.
    r"\bsummari\w+|\bsummary\b(?! (?:fee|report|hearing|judgment|dismissal|page|table|sheet|box|line|email|course)\b)",
    r"\boverview\b(?! (?:lecture|course|page|map|table|slide)\b)|\btl;?dr\b|\bgist\b|\bsum (?:\w+ ){0,3}up\b",
    r"\brecap\b|\bbig picture\b|\bshort version\b",
    r"\brun-?down\b|\bin a nutshell\b|\bcatch me up\b|\bup to speed\b",
    r"\bwhat (?:kinds?|sorts?) of (?:stuff|things|texts?"
    r"|documents?|files?|papers?|materials?)\b.{0,40}\b(?:here|folder|notebook|collection)\b",
    r"^\W*(?:please )?brief me\b|\bwhat(?:['’]s| is) all (?:of )?this\W*$",
    r"\b(?:main|key|most important) (?:points?|ideas?|topics?|themes?|takeaways?|findings?)\b",
    r"\bwhat(?:['’]s| is| are) (?:this|these|it|they|(?:the|these|this|my) \w+) (?:all )?about\b",
    r"^\W*what(?:['’]?s| is| are) .{1,160} about\W*$",
    r"\bwhat (?:this|these|those|all|the|my)(?: \w+){0,3} (?:is|are|was|were) (?:all )?about\b",
    rf"\bwhat (?:do|does|did) (?:this|these|those|the|my|both|all)(?: (?:\w+|of|the|these)){{0,3}} {_DOCUMENT}"
    r" (?:specify|say|describe|cover|contain|tell|deal with|define|discuss|explain|treat|speak of)\b(?: us)?\W*$",
    rf"\bwhat (?:is|are) (?:in )?(?:this|these|those|my|all)(?: \w+)? (?:notebook|{_DOCUMENT})\W*$",
    rf"\bwhat(?: kinds? of)? {_DOCUMENT} (?:are|do) (?:these|there|here|i have|we have)\b",
    r"\bwhat(?:['’]s| is) in (?:here|this notebook|the notebook)\b|\bwhat(?:['’]s| is) all (?:this|that"
    r"|of this) about\b",
    r"\b(?:which|what) (?:topics?|subjects?|themes?) (?:are|is|do|does)\b.{0,40}\b(?:covered?|treated|here"
    r"|documents?|sources?|notebook)\b",
    r"\bzusammenfass\w*|\bfasse?\b.{0,200}?\bzusammen\b|\bworum geht|\büberblick\b|\bwovon handel\w+",
    r"\brésum\w+|\bde quoi (?:s['’]agit|parle|traite)|\bvue d['’]ensemble\b",
    r"\bresum(?:en|ir|idos?|ida|eme|ímelo)\b|\bde qué (?:trata|va|tratan|habla)|\bdo que (?:se )?trata|\briassu[mn]\w+"
    r"|\bdi (?:che )?cosa (?:parla"
    r"|tratta)",
    r"\bsamenvat\w*|\bwaar gaa[nt]\b.{0,200}?\bover\b|\bwaar\b.{0,60}?\bover gaa[nt]\b"
    r"|\bрезюм\w+|\bо ч[её]м\b|\bкраткое содержание|\bобзор\b",
    r"总结|總結|概述|概括|摘要|主要内容|讲[了的]?(?:是)?什么|関する概要|要約|概要|요약",
)

COMPARISON = _any(
    r"\bcompar\w+|\bdiffer(?:s|ence|ences|ent)?\b|\bversus\b|\bvs\b|\b(?:have|has) in common\b|\bsimilarit\w+"
    r"|\bdistinguish\w*|\bchanged? between\b",
    r"\b(?:which|who|what)\b.{0,60}\b(?:\w{2,}er|more|less|better|worse)\b.{0,80}[,:]? \w+.{0,60} or \w+",
    r"\b(?:is|are|was|were|does|do|did)\b.{1,80}\b(?:\w{2,}er|more|less|better|worse)\b.{0,40}\bthan\b",
    r"\bunterschied\w*|\bunterscheide\w*|\bverglichen\b|\bvergleich\w*|\bgegenüber\b.{0,40}\bteurer\b",
    r"\bdifférence\w*|\bcompar\w+|\bdiferenci\w+|\bdistingu\w+",
    r"\bразниц\w+|\bотлича\w+|\bразлич\w+|\bсравн\w+",
    r"区别|區別|差别|差別|不同|比较|比較|相比",
)

STEPS = _any(
    r"\bhow (?:to\b|(?:do|can|should|would|could|must) (?:i|you|we|one|someone|an?|the|people|users?|clients?"
    r"|tenants?)\b)",
    r"^\W*how (?:i|you|we|one) (?!many|much|long|often)\w+|\bwhat (?:am i|are we|is one) (?:supposed|meant) to do\b"
    r"|\bstep by step\b|\b(?:walk|take|guide|talk|lead) (?:me|us) through\b|\bwhat do (?:i|we|you) have to do\b",
    r"\bsteps\b|\binstructions (?:for|to|on)\b|\bprocedure\b|\bwhat (?:do|should|must) (?:i|you|we|one) do\b",
    r"\bwie (?:kann|kannst|können|mache|macht|muss|soll|sollte|geht|bekomme|wird|werden) (?:ich|man|wir|sie|du|das"
    r"|der|die|ein)\b",
    r"\bcomment (?:faire|puis|peut|peut-on|dois|doit|est-ce)|\bcómo (?:puedo|se|hago|hacer|debo|puede)\b|\bpasos\b"
    r"|\bétapes\b",
    r"\bcome (?:posso|si|faccio|fare)\b|\bcomo (?:posso|se|fazer)\b|\bhoe (?:kan|moet|maak)\b|\bschritte\b",
    r"\bкак (?:сделать|мне|можно|нужно|надо|\w+ть)\b|\bшаги\b|如何|怎么|怎樣|怎样|步骤",
)

_PLURAL = (
    r"(?!(?:is|was|does|has|this|us|process|status|address|class|gas|bus|basis|access|business|analysis|always)\b)"
    r"\w{2,}s"
)
LIST = _any(
    r"^\W*(?:please )?(?:list|enumerate|name)\b|\bgive me (?:a|the) (?:full |whole |complete )?list\b|\blist (?:all"
    r"|of)\b",
    rf"\b(?:which|what)(?: (?:are|were))?(?: all)?(?: of)?(?: (?:the|your|my|our|these|those))?(?: (?:\w+"
    rf"|\w+-\w+)){{0,2}} {_PLURAL}\b"
    r" (?:are|were|do|did|does|can|could|must|should|shall|will|would|have|had|has|may|might|is|was|exist|belong"
    r"|need|apply|of"
    r"|for|in|on|to|that|which|came|come|won|don|aren|weren|can|go|get|got|went|count|make|made|take|took|cost|mean|require|cause|lead|tell|show|say)\b",
    r"[.?!,;] (?:please )?(?:all|every (?:single )?one|each) of (?:them|these|those|it)\b(?:,? please)?"
    r"|\b(?:full|complete|whole) list\b|\ball the things\b",
    r"\b(?:which|what) (?:people|children|men|women|equipment|data|things|items|kinds|types|options|values)\b",
    rf"\bwhat are (?:all )?(?:the|some|its|their|his|her|your|our)(?: \w+){{0,2}} {_PLURAL}\b",
    r"\bwhat (?:must|should|may|can|shall|do|did|does) (?:not |never )?(?:i|you|we|one|they)\b.{0,80}\b"
    r"(?:bring|pack|need|forget|order|buy|avoid|wear|take|include|contain|eat|check)\b",
    r"\bwhat (?:does|do|did) .{1,60}\b(?:include|contain|consist of|comprise)\b",
    r"\bnenne?n?\b|\bliste\b|\bwelche (?:\w+ )?\w+(?:en|er|e|n|s)\b (?:gibt|sind|hat|haben|brauch\w*|muss|müssen"
    r"|kann|soll\w*|werden)",
    r"\b(?:quels|quelles) (?:sont|\w+s)\b|\bénum[eé]r\w+|\b(?:cuáles|qué) (?:son|\w+s)\b|\benumer\w+",
    r"\bперечисл\w+|\bназов\w+|\bкакие\b|列出|列举|哪些|有哪几",
)

DEFINITION = re.compile(
    r"^\W*(?:and |so |und |et |y )?(?:(?:what|who)(?:['’]s| is| are| was| were) (?!in |on |at |for |of |to |from "
    r"|with )"
    r"(?P<en>[^,;:]{1,80}?)\W*$"
    r"|(?:define|explain what)\b (?P<en2>[^,;:]{1,80}?)(?: (?:is|are|means?))?\W*$"
    r"|what (?:does|do) (?P<en3>[^,;:]{1,60}?) (?:mean|stand for)\W*$|what is meant by (?P<en4>[^,;:]{1,60}?)\W*$"
    r"|(?:was|wer) (?:ist|sind|war|waren|bedeutet|heißt) (?P<de>[^,;:]{1,80}?)\W*$"
    r"|(?:qu['’]est[- ]ce qu(?:e|['’])(?: c['’]est que)? ?|qui (?:est|était|sont|étaient) )(?P<fr>[^,;:]{1,80}?)\W*$"
    r"|¿?(?:qué|quién|quiénes) (?:es|son|fue|fueron|significa|era) (?P<es>[^,;:]{1,80}?)\W*$"
    r"|(?:что такое|кто так(?:ой|ая|ие)|что значит|что означает) (?P<ru>[^,;:]{1,80}?)\W*$"
    r"|(?:什么是|什麼是|谁是|誰是)(?P<zh>[^，。]{1,30}?)\W*$|(?P<zh2>[^，。]{1,30}?)(?:是什么|是什麼|是谁|是誰|是什么意思)\W*$)",
    re.IGNORECASE,
)
# What follows a definition's subject: then something of it is asked, not what it is.
BOUND = re.compile(
    r"\b(?:of|for|in|on|at|from|with|by|to|between|during|after|before|than|when|if|per|against|about|without|under|behind|beside|gegen|ohne|contre|sans|de|du|des|del|von|vom|für|im"
    r"|der|des"
    r"|allowed|required|called|used|made|included|due|necessary|needed|responsible)\b|['’]s\b",
    re.IGNORECASE,
)

YES_NO = _any(
    r"^\W*(?:and |but |so )?(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have"
    r"|had|am)(?:n['’]t)?\s",
    r"^\W*(?:und |aber )?(?:ist|sind|war|waren|darf|dürfen|kann|können|muss|müssen|soll|sollte|wird|werden|hat|haben"
    r"|gibt)\s",
    r"^\W*(?:et |mais )?(?:est-ce qu|(?:est|sont|peut|peuvent|doit|a|ont|faut|y a)-(?:t-)?(?:il|elle|on|ils|elles"
    r"|ce)\b)",
    r"^\W*(?:y |pero )?(?:es|son|está|están|puede|pueden|puedo|debe|hay|tiene|se puede)\s",
    r"\w\s+ли\b|^\W*(?:можно|нужно|есть) |吗\W*$|是否|能不能|可不可以|是不是",
)

# Whether one may or must do something; it may come behind what is told first: "I lost my key, may I have another?".
PERMISSION = _any(
    r"(?:^|[,;:.!?] )\W*(?:and |but |so |then |or )?(?:can|could|may|might|must|should|shall) (?:i|we|you|one|people"
    r"|someone"
    r"|anyone|anybody|it|they|he|she|my|our|a|an|the|this|these|[A-Z]\w+)\b",
    r"(?:^|[,;:.!?] )\W*(?:and |but |so )?(?:am i|are we|are you|is it|is one|are \w+|is \w+|are the \w+"
    r"|is the \w+) (?:still |even |also )?"
    r"(?:allowed|permitted|forbidden|prohibited|ok|okay|fine|possible|necessary|required|supposed)\b",
    r"(?:^|[,;:.!?] )\W*(?:and |but |so )?do (?:i|we|you|they) (?:still |really )?(?:have|need) to\b",
    r"(?:^|[,;:.!?] )\W*(?:und |aber )?(?:darf|dürfen|kann|können|muss|müssen|soll|sollte|sollen) (?:ich|man|wir|sie"
    r"|er|es|jemand|der"
    r"|die|das|ein|eine|mein\w*)\b",
    r"\b(?:peut|puis|pouvons|peuvent|doit|dois|devons|faut)-(?:t-)?(?:on|je|nous|ils|elles|il|elle)\b|\best-(?:ce"
    r"|il) (?:permis|interdit"
    r"|possible|autorisé|obligatoire)\b|\best-ce qu(?:e (?:je|nous)|['’]on|['’]il) (?:peu[xt]|pouvons|doi[st]|devons"
    r"|faut)\b",
    r"(?:^|[,;:.!?] )\W*(?:se puede|puedo|podemos|puede|debo|debemos|hay que|es (?:posible|obligatorio|necesario))\b"
    r"|\bестá permitido\b",
    r"\b(?:можно|нельзя|нужно|надо|должен|обязан\w*)\b.{0,60}\?|(?:可以|能|必须|允许|需要).{0,30}吗",
)

WANTED: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "origin",
        _any(
            r"\bwhere (?:does|do|did) .{0,40}?\b(?:names?|words?|terms?)\b.{0,40}\bcome from\b",
            r"\b(?:origin|etymology) of .{0,40}?\b(?:name|word|term)\b|\b(?:named|called) after\b|\bwhy (?:is|was"
            r"|are) .{1,60} (?:named|called)\b",
            r"\bwoher (?:kommt|stammt) .{0,30}\bname|\bd['’]où vient .{0,30}\bnom\b"
            r"|\bde dónde viene .{0,30}\bnombre\b|\bоткуда .{0,30}назван",
        ),
    ),
    (
        "reason",
        _any(
            r"\bwhy\b|\bfor what reason\b|\bwhat (?:is|was|were|are) the reasons?\b|\bhow come\b|\bwhat (?:caused"
            r"|made)\b",
            r"\bwarum\b|\bweshalb\b|\bwieso\b|\bpourquoi\b|\bpor qué\b|\bпочему\b|\bзачем\b|为什么|為什麼|为何",
        ),
    ),
    (
        "contact",
        _any(
            r"\b(?:what|which) (?:\w+ )?number\b.{0,40}\b(?:ring|call|dial|reach|phone)\b",
            r"\bwhat (?:is|are) .{0,60}\b(?:phone|telephone|mobile|cell)(?: numbers?)?\b",
            r"\bwhat (?:is|are) .{0,60}\be-?mail(?: address(?:es)?)?\b",
            r"\bunter welcher nummer\b|\bwie lautet .{0,40}(?:telefonnummer|e-?mail)",
        ),
    ),
    (
        "manner",
        _any(r"\bhow (?:did|do|does|was|were|is|are|can|could|should|has|have)\b|\bwie (?:wurde|hat|haben|kann|ist)\b"),
    ),
    (
        "duration",
        _any(
            r"\bhow long (?!(?:is|are|was|were)\b)",
            r"\bfor how (?:long|many (?:years|months|weeks|days|hours|minutes))\b",
            r"\bwie lange\b|\bcombien de temps\b|\bcu[aá]nto (?:tiempo|dura|tarda)\b|\bкак долго\b"
            r"|\bсколько времени\b|多久|多长时间",
        ),
    ),
    (
        "date",
        _any(
            r"(?:^|[,;:.?!] ?|\b(?:and|or|but|so|until|since|by|from|say|says|tell me|know|exactly|about|just) )\W*"
            r"when(?:['’]s)?\b|\b(?:what|which) (?:year|date|day|month|decade|century|time|weekday)\b|\buntil when\b"
            r"|\bby when\b",
            r"\bwann\b|\bquand\b|\bcu[aá]ndo\b|\bquando\b|\bwanneer\b|\bnär\b|\bhvornår\b|\bmilloin\b|\bkiedy\b"
            r"|\bkdy\b",
            r"\bwelche[mnsr]? (?:jahr|tag|datum|monat)|\b(?:quelle|quel) (?:année|date|jour|mois)|\bqué (?:año|fecha"
            r"|día|mes)\b",
            r"\bкогда\b|\bв каком году\b|\bкакого числа\b|什么时候|何时|哪[一]?年|哪[一]?天|什麼時候|いつ|何年|언제",
        ),
    ),
    (
        "money",
        _any(
            r"\bhow much (?:is|are|was|were)\b|^\W*(?:the )?(?:price|cost|fee)s? (?:of|for)\b",
            r"\bhow much (?:does|do|did|is|are|was|were|will|would|must|has|have|can|should|money)\b.{0,80}?"
            r"\b(?:costs?|pay|paid|charged?|rent|fee|price|fare|deposit|bill|fine|salary|spent|spend|earn|budget"
            r"|owed?|refund)\b",
            r"\bwhat (?:does|do|did|will|would) .{1,60}\bcosts?\b",
            r"\bwhat (?:is|was|are|were) (?:(?!not\b|in\b|with\b|about\b|included\b|covered\b|part\b)[\w'’-]+ ){0,5}?"
            r"(?:price|cost|fee|rent|fare|deposit|salary|(?:grand |sub)?total|bill|budget|fine)\b",
            r"\bhow (?:expensive|cheap)\b|\bwie teuer\b|\bwas kostet\b|\bwie viel kostet\b|\bwie hoch (?:ist|sind"
            r"|war) (?:die|der|das) "
            r"\w*(?:kaution|miete|preis|gebühr|kosten|beitrag|rechnung|betrag|summe)\w*",
            r"\bcombien (?:coûte|coûtent|ça coûte|faut-il payer)|\bcu[aá]nto (?:cuesta|cuestan|vale|costó)"
            r"|\bсколько стоит\b|多少钱|多少錢",
        ),
    ),
    (
        "count",
        _any(
            r"\bhow (?:many|often)\b|\bwhat (?:number|population)\b|\bwie ?viele\b|\bwie oft\b|\bcu[aá]nt[oa]s\b"
            r"|\bcombien de\b",
            r"\bhoeveel\b|\bhur många\b|\bhvor mange\b|\bhány\b|\bсколько\b"
            r"|几[个名次年人种]|多少(?:个|人|次|名|种)|幾|何人|何個|いくつ",
        ),
    ),
    (
        "number",
        _any(
            r"\bhow (?:much|old|far|large|big|tall|high|deep|fast|heavy|wide|long|thick|hot|cold|warm|strong|loud"
            r"|short|small)\b",
            r"\b(?:what|which) (?:percent|percentage|amount|fraction|proportion|age|temperature|size|weight|height"
            r"|speed|length"
            r"|width|depth|voltage|power|capacity|rate|ratio|score|dose|version|value|distance)\b",
            r"\bwhat (?:is|was|are|were) (?:the |its |their )?(?:\w+ ){0,2}(?:percentage|temperature|size|weight"
            r"|height|speed|length|width"
            r"|depth|voltage|capacity|rate|age|distance|population|number|limit|maximum|minimum|average)\b",
            r"\bwie ?(?:viel|hoch|groß|alt|weit|tief|schnell|schwer|breit|lang|warm|heiß)\b|\bcombien\b"
            r"|\bquel(?:le)? (?:âge|taille"
            r"|poids|température|distance|vitesse)|\bcu[aá]nt[oa]\b|\bqué (?:edad|tamaño|peso|temperatura|distancia)"
            r"|\bquant[oiae]s?\b",
            r"\bкак(?:ой|ая|ова?|ую|ое) (?:длина|высота|температур\w*|вес|возраст|размер|скорость)"
            r"|多少|多[高大长長重远遠深快]"
            r"|كم|कितन|몇|얼마",
        ),
    ),
    (
        "person",
        _any(
            r"\bwho(?:m|se)?\b|\b(?:what|which) (?:person|author|artist|king|queen|president|captain|scientist"
            r"|member|player|team|party)\b",
            r"\bwer\b|\bwem\b|\bwen\b|\bwessen\b|\bqui\b(?! (?:est|sont) (?:le|la) \w+ de)|\bqui[eé]n(?:es)?\b"
            r"|\bchi\b|\bquem\b|\bvem\b|\bhvem\b|\bkto\b",
            r"\bкто\b|\bкого\b|\bкем\b|\bкому\b|谁|誰|哪位|누구",
        ),
    ),
    (
        "place",
        _any(
            r"\bwhere\b|\b(?:what|which) (?:country|city|place|region|state|town|island|river|street|room|address"
            r"|county|continent|floor|village)\b",
            r"\bwo(?:hin|her)?\b|\bwelche[mnrs]? (?:land|stadt|ort|straße|raum)|\boù\b|\bquel(?:le)? (?:pays|ville"
            r"|lieu|endroit)|\bd[oó]nde\b",
            r"\bqué (?:país|ciudad|lugar)|\bdove\b|\bonde\b|\bwaar\b(?!.{0,200}?\bover\b)"
            r"|\bгде\b|\bкуда\b|\bоткуда\b|\bкак(?:ой"
            r"|ом) (?:стран|город)\w*|哪里|哪裡|哪儿|在哪|何处",
        ),
    ),
    (
        "name",
        _any(
            r"\bwhat (?:is|was|are|were) (?:the |its |his |her |their )?(?:\w+ ){0,2}names?\b|\bwhat (?:is"
            r"|was) .{1,60} called\b",
            r"\bwhich (?:company|band|club|firm|school|university|organi[sz]ation|language|ship|team|model|brand"
            r"|bank|newspaper)\b",
            r"\bwie heißt\b|\bcomment s['’]appelle|\bcómo se llama|\bкак называется\b|叫什么",
        ),
    ),
)

# What a thing is asked for by its name: "the price of a day ticket", "hourly rate of Jens".
_NAMED: tuple[tuple[Wanted, str], ...] = (
    (
        "contact",
        r"(?:(?:tele)?phone|mobile|cell|fax)(?: numbers?)?|e-?mail(?: address(?:es)?)?|website|web address|url|homepage"
        r"|telefon(?:nummer)?|handynummer|numéro de téléphone|(?:número de )?teléfono|correo(?: electrónico)?"
        r"|телефон\w*|电话(?:号码)?|邮箱",
    ),
    (
        "money",
        r"prices?|costs?|fees?|rent|fares?|deposit|salary|wages?|hourly rate|day rate|budget|surcharge|fine|penalty"
        r"|refund|entrance fee|admission|preis|kosten|gebühr|miete|kaution|gehalt|prix|coût|frais|loyer|tarif|precio"
        r"|coste?|tarifa|alquiler|цена|стоимость|плата|价格|费用",
    ),
    (
        "date",
        r"dates?|deadline|due date|birthday|opening (?:hours|times)|departure(?: times?)?|arrival(?: times?)?"
        r"|closing time|datum|termin|frist|öffnungszeiten|échéance|horaires|fecha|plazo|horario|дата|срок|日期|时间",
    ),
    ("duration", r"durations?|running time|validity(?: period)?|notice period|dauer|laufzeit|durée|duración|期限"),
    (
        "number",
        r"temperature|weight|height|width|depth|speed|mileage|voltage|capacity|percentage|population|age|size|gewicht"
        r"|höhe|breite|tiefe|länge|temperatur|hauteur|longueur|largeur|profondeur|poids|température|vitesse|peso|altura"
        r"|вес|высота|температура",
    ),
)
_BEHIND = (
    r"(?=\W*$| (?:of|for|in|on|at|to|per|by|from|with|without|during|after|before|until|when|if|this|these|that|today"
    r"|tomorrow|now|and|or|für|von|der|des|im|in|pro|de|du|des|del|para|por|pour|à|en)\b)"
)
_BEFORE = r"(?!(?:not|of|in|for|with|by|about|part|included)\b)[\w'’.-]+"
_OPENS = r"(?:what(?:['’]s| is| are| was| were)|was (?:ist|sind)|quel(?:le)?s? (?:est|sont)|cuál(?:es)? (?:es|son))"
NAMED_TYPES: tuple[tuple[Wanted, re.Pattern[str]], ...] = tuple(
    (
        wanted,
        re.compile(
            rf"^\W*(?:the |my |our |your )?(?:{names})\b|^\W*{_OPENS} (?:{_BEFORE} ){{0,6}}?(?:{names}){_BEHIND}"
            rf"|^\W*(?!{_OPENS})(?:{_BEFORE} ){{1,5}}?(?:{names}){_BEHIND}",
            re.IGNORECASE,
        ),
    )
    for wanted, names in _NAMED
)
