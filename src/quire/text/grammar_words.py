"""Words that carry no content of their own and yet decide what a sentence says, by language."""

from __future__ import annotations


def _by_language(**words: str) -> dict[str, frozenset[str]]:
    return {language: frozenset(given.split()) for language, given in words.items()}


def _one_set(*words: str) -> frozenset[str]:
    return frozenset(word for given in words for word in given.split())


NOTHING: frozenset[str] = frozenset()
NEGATIONS = _by_language(
    en="not no never none nobody nothing neither nor without cannot nowhere lack lacks lacked lacking n't",
    de="nicht kein keine keinen keinem keiner keines nie niemals niemand niemanden nichts ohne weder nirgends",
    fr="pas jamais aucun aucune rien sans ni nul nulle",
    es="no nunca jamás ningún ninguna ninguno nadie nada sin tampoco ni",
    ru="не нет ни никогда никто ничего без нельзя",
    it="non mai nessuno nessuna niente senza né",
    pt="não nunca nenhum nenhuma ninguém nada sem",
    nl="niet geen nooit niemand niets zonder noch",
)
# These say what is missing, and turn round nothing but the word after them.
WITHOUT = frozenset(["without", "ohne", "sans", "sin", "без", "senza", "sem", "zonder"])
# Behind these a negation means no more than a bound, or nothing.
NOT_NEGATING = frozenset({"only", "later", "earlier", "unless"})
# Where a negation stands anywhere in a clause, it turns round all of it.
NEGATED_WHOLE = frozenset({"de", "nl"})
HEDGES = _by_language(
    en="may might could would perhaps possibly probably maybe if expected planned proposed",
    de="könnte könnten vielleicht möglicherweise wahrscheinlich würde würden falls",
    fr="pourrait pourraient peut-être probablement serait",
    es="podría podrían quizás tal-vez probablemente sería",
    ru="возможно вероятно бы если",
)
UNSURE = HEDGES["en"] | frozenset(
    ["can", "will", "should", "shall", "must", "provided", "planned", "plan", "able", "when"]
)
DUTIES = _by_language(
    en="must shall has have required", de="muss müssen", fr="doit doivent faut", es="debe deben", ru="должен должны"
)
LEAVES = _by_language(
    en="may can could might optional",
    de="darf dürfen kann können",
    fr="peut peuvent",
    es="puede pueden",
    ru="может могут",
)
QUANTIFIERS: dict[str, dict[str, str]] = {
    "en": {
        "all": "all every each everyone everybody always both",
        "most": "most mostly majority",
        "some": "some several sometimes many certain part",
        "few": "few hardly",
        "none": "none nobody",
        "half": "half",
    },
    "de": {
        "all": "alle allen aller jeder jede jedes jedem immer",
        "some": "einige manche mehrere",
        "most": "meisten",
        "few": "wenige",
    },
    "fr": {"all": "tous toutes chaque toujours", "some": "certains certaines quelques plusieurs", "most": "plupart"},
    "es": {
        "all": "todos todas cada siempre",
        "some": "algunos algunas varios varias",
        "most": "mayoría",
        "few": "pocos",
    },
    "ru": {"all": "все всех каждый каждая каждое всегда", "some": "некоторые несколько", "most": "большинство"},
}
ONLY = frozenset(
    [
        "only",
        "solely",
        "exclusively",
        "nur",
        "ausschließlich",
        "seulement",
        "solo",
        "sólo",
        "solamente",
        "только",
        "лишь",
    ]
)
EXCEPTED = frozenset(["except", "unless", "but", "außer", "sauf", "excepto", "salvo", "кроме"])
BREAKS = _by_language(
    en="but that which who whom because if when while although though since until unless whereas however then so",
    de="aber dass daß weil wenn während obwohl bis sondern welche welcher welches jedoch",
    fr="mais que qui parce quand lorsque pendant bien jusque dont où",
    es="pero que quien porque cuando mientras aunque hasta",
    ru="но что который которая которое потому когда пока хотя если а",
)
JOINS = frozenset(["and", "or", "und", "oder", "et", "ou", "y", "o", "и", "или"])
RELATIVE = frozenset(["who", "which", "that"])
ADVERBS = frozenset(["then", "also", "later", "soon", "already", "still", "now", "just", "once", "finally", "often"])
PREPOSITIONS = _by_language(
    en="in on at of for from to by with into onto over under between through during before after above below since"
    " until against within without about than as per towards toward near off up out across along behind",
    de="in im an am auf aus bei mit nach von vom zu zum zur für über unter vor durch gegen ohne um bis als seit",
    fr="de du des d à au aux en dans sur sous par pour avec sans entre vers chez depuis pendant avant après que contre",
    es="de del a al en por para con sin entre sobre bajo desde hasta hacia según que contra",
    ru="в во на о об от до из с со к по за для без при под над между перед после через у против",
)
ARTICLES = _by_language(
    en="the a an this that these those his her its their our my your each every all some any no both",
    de="der die das den dem des ein eine einen einem einer eines dieser diese dieses seine ihre",
    fr="le la les l un une ce cet cette ces son sa ses leur",
    es="el la los las un una este esta estos estas su sus",
    ru="этот эта это эти",
)
AUXILIARIES = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "cannot",
        "it",
        "he",
        "she",
        "they",
        "we",
        "i",
        "you",
        "who",
        "which",
        "that",
        "to",
        "not",
        "never",
    ]
)
PASSIVES = _by_language(
    en="is are was were be been being gets got",
    de="wurde wurden wird werden worden",
    fr="été est sont fut",
    es="fue fueron sido es",
    ru="был была было были",
)
AGENTS = _by_language(en="by", de="von vom durch", fr="par", es="por", ru="")
# How the past is formed: so end verbs that have a subject before them.
PAST_ENDINGS: dict[str, tuple[str, ...]] = {
    "de": ("te", "ten"),
    "es": ("ó", "aron", "ieron"),
    "ru": ("л", "ла", "ли", "ло"),
}
MORE = frozenset(["over", "above", "exceeding", "mehr", "más", "plus", "более", "больше", "свыше"])
# English words with irregular forms that are no verbs.
NO_VERBS = _by_language(
    en="child foot goose man mouse tooth woman big early good great high large late long low old small tall young bad"
    " britain china denmark england finland france greece ireland norway poland scotland spain sweden switzerland"
    " turkey wales"
)["en"]
# What stands for one that was named before, and what says that a thing was.
PRONOUNS = _one_set(
    "i we you he she it they who which that this these those one his her its their er sie es wir ihr der die das il",
    "elle ils elles on qui ce él ella ellos ellas quien он она оно они который которая которые",
)
DEFINITE = _one_set("the this these der die das diese dieser le la les l ce cette el los las este esta")
SWITCHES = frozenset(
    ["switch", "switched", "switches", "turn", "turned", "turns", "power", "powered", "put", "is", "was", "are", "were"]
)
# What leads to those that a verb reaches, and what a verb reaches over.
REACHED = frozenset({"from", "to", "against", "von", "nach", "para"})
REACHING = frozenset({"than", "to", "from", "als", "que", "à", "a"})
# Behind these `may` and `march` are months.
LEADING_TO_MONTHS = frozenset({"in", "of", "since", "until", "till", "by", "from", "during"})
