"""Refusals: what to say where the sources hold no answer, and what they do speak of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from quire.text.section_names import NUMBERING
from quire.text.telling_words import ABOUT_ITSELF, EMPTY_HEADING
from quire.text.words import language_of, query_tokens, tokens

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
        counts[NUMBERING.sub("", heading.rpartition(" > ")[2], count=1).strip(" #:")] += HEADING_WEIGHT
    for text in texts:
        counts.update(NAME.findall(text))
    found: list[str] = []
    for topic, _ in counts.most_common():
        words = set(tokens(topic, language))
        if len(topic) < SHORTEST or len(topic) > 60 or not words or topic[0].isdigit() or words & known:
            continue
        if EMPTY_HEADING.match(topic) or ABOUT_ITSELF.match(topic):
            continue
        known |= words
        found.append(topic)
        if len(found) == limit:
            break
    return found


def refusal(question: str, texts: Sequence[str], headings: Sequence[str] = ()) -> str:
    """A plain word that there is no answer, and what there is instead."""
    plain, instead = REFUSALS.get(language_of(question) or "en", REFUSALS["en"])
    found = topics(question, texts, headings)
    return f"{plain} {instead.format(', '.join(found))}" if found else plain
