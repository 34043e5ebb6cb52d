"""What finders have found: the same pages together, ranked by how well they fit, each described in two sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from quire.domain.web_addresses import canonical, doi_of
from quire.ports.finders import Found
from quire.text.indexing import Prepared
from quire.text.sentences import sentences
from quire.text.words import language_code, language_of, query_tokens, tokens

# Titles of so many words that share so much are those of one text.
TITLE_WORDS, ALIKE = 4, 0.9
# What the words of the title count beside those of the snippet, what the finders' own order does, and what meaning.
TITLE, PLACE, MEANING = 0.35, 0.25, 0.5
SENTENCES, LONGEST = 2, 320
# How much less a page counts that does not speak of what is looked for, and which share of its words one must have.
BESIDE = 0.7
ABOUT = 0.5

# What is asked about things: it is in texts on anything.
SIDES = {
    "en": "history origin cause effect impact consequence role importance benefit advantage problem limit limitation"
    " risk mechanism working example overview introduction definition meaning type kind use method technique best"
    " future study research find evidence difference comparison",
    "de": "Geschichte Ursprung Ursache Wirkung Folge Rolle Bedeutung Vorteil Nachteil Problem Grenze Risiko Funktion"
    " Beispiel Überblick Einführung Definition Art Methode Zukunft Studie Forschung Unterschied Vergleich",
    "fr": "histoire origine cause effet impact conséquence rôle importance avantage problème limite risque mécanisme"
    " exemple aperçu introduction définition type méthode avenir étude recherche différence comparaison",
    "es": "historia origen causa efecto impacto consecuencia papel importancia ventaja problema límite riesgo mecanismo"
    " ejemplo resumen introducción definición tipo método futuro estudio investigación diferencia comparación",
}

Nearness = Callable[[str, list[str]], Sequence[float]]


@dataclass(frozen=True)
class RankedPage:
    found: Found
    score: float
    description: str


def address_of(found: Found) -> str:
    """What is the same for the same page: its DOI, its address, or its path in the folder."""
    doi = found.doi or doi_of(found.url)
    if doi:
        return f"doi:{doi}"
    return f"file:{found.file}" if found.file is not None else canonical(found.url or "")


def rank_found(
    query: str,
    answers: Sequence[Sequence[Found]],
    limit: int,
    nearness: Nearness | None = None,
    about: str = "",
) -> list[RankedPage]:
    """The pages that fit a query best, each once, whoever found them; `nearness` compares meanings, where one can.

    Where a query asks for a side of something, `about` names that thing, and what does not speak of it counts less.
    """
    pages, places = _merged(answers)
    if not pages:
        return []
    languages = [language_of(f"{page.title} {page.snippet}") for page in pages]
    words = query_tokens(query, languages)
    titles = [tokens(page.title, spoken) for page, spoken in zip(pages, languages, strict=True)]
    texts = [tokens(page.snippet, spoken) for page, spoken in zip(pages, languages, strict=True)]
    held = [{*title, *text} for title, text in zip(titles, texts, strict=True)]
    counts = Counter(word for one in held for word in one)
    # A word that all have tells less, and still something.
    weights = {word: 0.3 + math.log((len(pages) + 1) / (counts[word] + 0.5)) for word in words}
    whole = sum(weights.values()) or 1.0
    near = nearness(query, [f"{page.title}\n{page.snippet}" for page in pages]) if nearness else [0.0] * len(pages)
    ranked = []
    for at, page in enumerate(pages):
        body = sum(weights[word] for word in words if word in held[at]) / whole
        head = sum(weights[word] for word in words if word in titles[at]) / whole
        if not body and near[at] < MEANING / 2 and any(word in one for one in held for word in words):
            continue
        score = body + TITLE * head + PLACE * places[at] + MEANING * max(0.0, near[at])
        score *= 1 - BESIDE + BESIDE * _share(about, held[at], languages[at])
        ranked.append(RankedPage(page, score, described(page, words, languages[at])))
    return sorted(ranked, key=lambda one: -one.score)[:limit]


def is_about(query: str, page: Prepared) -> bool:
    """Whether a text that was read speaks of what is looked for; of one in another language that cannot be told."""
    own = language_of(query)
    if own and page.language and language_code(page.language) != own:
        return True
    held = {word for passage in page.passages for word in passage.words.split()}
    return _share(query, held, page.language) >= ABOUT


def _share(query: str, held: Collection[str], language: str | None) -> float:
    """Which share of what a query names is there; words that ask for a side of it count where it has no others."""
    words = query_tokens(query, [language]) if query else []
    own = language_code(language) or language_of(query) or "en"
    sides = set(tokens(SIDES.get(own, ""), own))
    named = [word for word in words if word not in sides] or words
    return sum(word in held for word in named) / len(named) if named else 1.0


def described(page: Found, words: Sequence[str], language: str | None) -> str:
    """Two sentences of what a finder tells of a page: those with most of the query's words, in reading order."""
    spans = sentences(page.snippet, language)
    wanted = set(words)
    scores = [len(wanted & set(tokens(page.snippet[start:end], language))) for start, end in spans]
    best = sorted(sorted(range(len(spans)), key=lambda at: (-scores[at], at))[:SENTENCES])
    text = " ".join(page.snippet[start:end] for start, end in (spans[at] for at in best))
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rpartition(" ")[0] + "…"


def _merged(answers: Sequence[Sequence[Found]]) -> tuple[list[Found], list[float]]:
    """Each page once, with the longest snippet of those who found it, and how high up it stood with all of them."""
    pages: list[Found] = []
    places: list[float] = []
    by_address: dict[str, int] = {}
    by_title: list[tuple[frozenset[str], int]] = []
    # One of each finder in turn, so that the first that tells of a page is not always the same.
    for rank, row in enumerate(zip_longest(*answers), 1):
        for found in filter(None, row):
            address = address_of(found)
            title = frozenset(tokens(found.title, language_of(found.title)))
            at = by_address.get(address, _same_title(title, by_title) if found.file is None else None)
            if at is None:
                at = len(pages)
                pages.append(found)
                places.append(0.0)
                by_title.append((title, at))
            elif len(found.snippet) > len(pages[at].snippet):
                pages[at] = replace(pages[at], snippet=found.snippet, doi=pages[at].doi or found.doi)
            by_address[address] = at
            places[at] += 1 / (rank + 2)
    top = max(places, default=1.0)
    return pages, [place / top for place in places]


def _same_title(title: frozenset[str], known: Sequence[tuple[frozenset[str], int]]) -> int | None:
    if len(title) < TITLE_WORDS:
        return None
    return next((at for other, at in known if len(title & other) >= ALIKE * len(title | other)), None)
