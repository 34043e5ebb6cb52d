"""What Quire says in its own words, in the languages that it says them in.

All else that stands in an answer is quoted from sources, or written by a model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from quire.text.words import language_code


class Wording(NamedTuple):
    """The sentences of one language; `{}` is where a topic, a part of a question or languages come."""

    no_answer: str
    speak_of: str
    unsupported: str
    part_missing: str
    source_language: str
    and_: str


WORDINGS: dict[str, Wording] = {
    "en": Wording(
        no_answer="The sources of this notebook do not hold an answer to that.",
        speak_of="They do speak of {}.",
        unsupported="(not supported by the sources)",
        part_missing="The sources do not say: {}",
        source_language="(The source is in {}.)",
        and_=" and ",
    ),
    "de": Wording(
        "Die Quellen dieses Notizbuchs enthalten darauf keine Antwort.",
        "Sie handeln unter anderem von {}.",
        "(von den Quellen nicht belegt)",
        "Dazu sagen die Quellen nichts: {}",
        "(Die Quelle ist auf {}.)",
        " und ",
    ),
    "fr": Wording(
        "Les sources de ce carnet ne contiennent pas de réponse à cela.",
        "Elles parlent notamment de {}.",
        "(non confirmé par les sources)",
        "Les sources ne le disent pas : {}",
        "(La source est en {}.)",
        " et ",
    ),
    "es": Wording(
        "Las fuentes de este cuaderno no contienen una respuesta a eso.",
        "Sí hablan de {}.",
        "(no respaldado por las fuentes)",
        "Las fuentes no lo dicen: {}",
        "(La fuente está en {}.)",
        " y ",
    ),
    "pt": Wording(
        "As fontes deste caderno não contêm uma resposta a isso.",
        "Falam, porém, de {}.",
        "(não apoiado pelas fontes)",
        "As fontes não o dizem: {}",
        "(A fonte está em {}.)",
        " e ",
    ),
    "it": Wording(
        "Le fonti di questo quaderno non contengono una risposta.",
        "Parlano invece di {}.",
        "(non confermato dalle fonti)",
        "Le fonti non lo dicono: {}",
        "(La fonte è in {}.)",
        " e ",
    ),
    "nl": Wording(
        "De bronnen van dit notitieboek bevatten daar geen antwoord op.",
        "Ze gaan wel over {}.",
        "(niet gestaafd door de bronnen)",
        "De bronnen zeggen dit niet: {}",
        "(De bron is in het {}.)",
        " en ",
    ),
    "ru": Wording(
        "В источниках этого блокнота нет ответа на этот вопрос.",
        "В них говорится о: {}.",
        "(не подтверждается источниками)",
        "В источниках об этом не сказано: {}",
        "(Язык источника: {}.)",
        ", ",
    ),
    "zh": Wording(
        "此笔记本的资料中没有这个问题的答案。",
        "其中谈到：{}。",
        "（资料未证实）",
        "资料中没有说明：{}",
        "（资料原文为{}。）",
        "和",
    ),
    "ja": Wording(
        "このノートブックの資料には、その答えがありません。",
        "資料は次のことを扱っています：{}。",
        "（資料に裏付けなし）",
        "資料には次のことが書かれていません：{}",
        "（資料は{}で書かれています。）",
        "と",
    ),
}

CODES = "ar cs da de el en es fi fr he hi hu it ja ko nl no pl pt ro ru sv th tr uk vi zh"


def _names(words: str) -> dict[str, str]:
    return dict(zip(CODES.split(), words.split(), strict=True))


LANGUAGE_NAMES: dict[str, dict[str, str]] = {
    "en": _names(
        "Arabic Czech Danish German Greek English Spanish Finnish French Hebrew Hindi Hungarian Italian Japanese Korean"
        " Dutch Norwegian Polish Portuguese Romanian Russian Swedish Thai Turkish Ukrainian Vietnamese Chinese"
    ),
    "de": _names(
        "Arabisch Tschechisch Dänisch Deutsch Griechisch Englisch Spanisch Finnisch Französisch Hebräisch Hindi"
        " Ungarisch Italienisch Japanisch Koreanisch Niederländisch Norwegisch Polnisch Portugiesisch Rumänisch"
        " Russisch Schwedisch Thailändisch Türkisch Ukrainisch Vietnamesisch Chinesisch"
    ),
    "fr": _names(
        "arabe tchèque danois allemand grec anglais espagnol finnois français hébreu hindi hongrois italien japonais"
        " coréen néerlandais norvégien polonais portugais roumain russe suédois thaï turc ukrainien vietnamien chinois"
    ),
    "es": _names(
        "árabe checo danés alemán griego inglés español finés francés hebreo hindi húngaro italiano japonés coreano"
        " neerlandés noruego polaco portugués rumano ruso sueco tailandés turco ucraniano vietnamita chino"
    ),
    "pt": _names(
        "árabe checo dinamarquês alemão grego inglês espanhol finlandês francês hebraico hindi húngaro italiano japonês"
        " coreano neerlandês norueguês polaco português romeno russo sueco tailandês turco ucraniano vietnamita chinês"
    ),
    "it": _names(
        "arabo ceco danese tedesco greco inglese spagnolo finlandese francese ebraico hindi ungherese italiano"
        " giapponese coreano olandese norvegese polacco portoghese rumeno russo svedese tailandese turco ucraino"
        " vietnamita cinese"
    ),
    "nl": _names(
        "Arabisch Tsjechisch Deens Duits Grieks Engels Spaans Fins Frans Hebreeuws Hindi Hongaars Italiaans Japans"
        " Koreaans Nederlands Noors Pools Portugees Roemeens Russisch Zweeds Thais Turks Oekraïens Vietnamees Chinees"
    ),
    "ru": _names(
        "арабский чешский датский немецкий греческий английский испанский финский французский иврит хинди венгерский"
        " итальянский японский корейский нидерландский норвежский польский португальский румынский русский шведский"
        " тайский турецкий украинский вьетнамский китайский"
    ),
    "zh": _names(
        "阿拉伯语 捷克语 丹麦语 德语 希腊语 英语 西班牙语 芬兰语 法语 希伯来语 印地语 匈牙利语 意大利语 日语 韩语"
        " 荷兰语 挪威语 波兰语 葡萄牙语 罗马尼亚语 俄语 瑞典语 泰语 土耳其语 乌克兰语 越南语 中文"
    ),
    "ja": _names(
        "アラビア語 チェコ語 デンマーク語 ドイツ語 ギリシャ語 英語 スペイン語 フィンランド語 フランス語 ヘブライ語"
        " ヒンディー語 ハンガリー語 イタリア語 日本語 韓国語 オランダ語 ノルウェー語 ポーランド語 ポルトガル語"
        " ルーマニア語 ロシア語 スウェーデン語 タイ語 トルコ語 ウクライナ語 ベトナム語 中国語"
    ),
}


def wording(language: str | None) -> Wording:
    """The sentences of a language; English where it has none."""
    return WORDINGS.get(language_code(language) or "en", WORDINGS["en"])


def source_language(languages: Iterable[str], reader: str | None) -> str:
    """That what is quoted is in these languages, said in the reader's; nothing where a language has no name there."""
    said = language_code(reader) or "en"
    names = LANGUAGE_NAMES.get(said, LANGUAGE_NAMES["en"])
    known = [names[code] for code in dict.fromkeys(languages) if code in names]
    words = wording(said)
    return words.source_language.format(words.and_.join(known)) if known else ""
