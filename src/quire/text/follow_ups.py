"""Follow-ups: what else the sources can be asked, and what to say where they hold no answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from quire.text.words import language_of, query_tokens, tokens

FOLLOW_UPS: dict[str, str] = {
    "en": "What do the sources say about {}?",
    "de": "Was sagen die Quellen über {}?",
    "fr": "Que disent les sources sur {} ?",
    "es": "¿Qué dicen las fuentes sobre {}?",
    "pt": "O que dizem as fontes sobre {}?",
    "it": "Che cosa dicono le fonti su {}?",
    "nl": "Wat zeggen de bronnen over {}?",
    "ru": "Что говорят источники о «{}»?",
    "zh": "这些资料对“{}”有什么说明？",
    "ja": "資料は「{}」について何と述べていますか？",
}
REFUSALS: dict[str, tuple[str, str]] = {
    "en": ("The sources of this notebook do not hold an answer to that.", "They do speak of {}."),
    "de": ("Die Quellen dieses Notizbuchs enthalten darauf keine Antwort.", "Sie handeln unter anderem von {}."),
    "fr": ("Les sources de ce carnet ne contiennent pas de réponse à cela.", "Elles parlent notamment de {}."),
    "es": ("Las fuentes de este cuaderno no contienen una respuesta a eso.", "Sí hablan de {}."),
    "pt": ("As fontes deste caderno não contêm uma resposta a isso.", "Falam, porém, de {}."),
    "it": ("Le fonti di questo quaderno non contengono una risposta.", "Parlano invece di {}."),
    "nl": ("De bronnen van dit notitieboek bevatten daar geen antwoord op.", "Ze gaan wel over {}."),
    "ru": ("В источниках этого блокнота нет ответа на этот вопрос.", "В них говорится о: {}."),
    "zh": ("此笔记本的资料中没有这个问题的答案。", "其中谈到：{}。"),
    "ja": ("このノートブックの資料には、その答えがありません。", "資料は次のことを扱っています：{}。"),
}
_CAPITAL = r"[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ][\w'’-]+"
NAME = re.compile(rf"(?<=[\w,;] ){_CAPITAL}(?: (?:of |the |de |la |von |der |des )?{_CAPITAL}){{0,3}}")
SHORTEST = 4
# A heading says what is under it; so many mentions of a name weigh as much.
HEADING_WEIGHT = 3


def topics(question: str, texts: Sequence[str], headings: Sequence[str] = (), limit: int = 3) -> list[str]:
    """What the texts speak of and the question does not: their headings, and names that recur in them."""
    language = language_of(" ".join(texts)[:2_000])
    known = set(query_tokens(question, [language]))
    counts: Counter[str] = Counter()
    for heading in dict.fromkeys(headings):
        counts[heading.rpartition(" > ")[2].strip(" #:")] += HEADING_WEIGHT
    for text in texts:
        counts.update(NAME.findall(text))
    found: list[str] = []
    for topic, _ in counts.most_common():
        words = set(tokens(topic, language))
        if len(topic) < SHORTEST or len(topic) > 60 or not words or topic[0].isdigit() or words & known:
            continue
        known |= words
        found.append(topic)
        if len(found) == limit:
            break
    return found


def follow_up_questions(question: str, texts: Sequence[str], headings: Sequence[str] = (), limit: int = 3) -> list[str]:
    """Questions that the texts can answer, in the question's language."""
    template = FOLLOW_UPS.get(language_of(question) or "en")
    return [template.format(topic) for topic in topics(question, texts, headings, limit)] if template else []


def refusal(question: str, texts: Sequence[str], headings: Sequence[str] = ()) -> str:
    """A plain word that there is no answer, and what there is instead."""
    plain, instead = REFUSALS.get(language_of(question) or "en", REFUSALS["en"])
    found = topics(question, texts, headings)
    return f"{plain} {instead.format(', '.join(found))}" if found else plain
