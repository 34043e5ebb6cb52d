"""How well Quire answers: `python benchmarks/answers.py DIR [--json FILE] [--no-embedder] [--questions N]`.

Each article (`title`) becomes a notebook, each of its paragraphs a source. Every question is put to its own notebook
and, where it can be answered, to another one too, which should refuse it. No language model takes part.

first, three         the answer's span lies in the first cited range; in one of the first three of those cited and then
                     those offered as `more`; a refusal has none
integrity            cited excerpts that stand word for word at their offsets in the source, and are marked verified
cited_chars          characters cited by an answer, on average
answer_rate          answerable questions that are answered
refusal_rate         questions to another notebook that are refused
auroc_unanswerable   how well `support` tells answerable questions from the set's own unanswerable ones
auroc_other          the same for questions to another notebook
"""

from __future__ import annotations

import asyncio
import random
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import sets
from quire.api.library import Library
from quire.domain.chat import Answer, Citation, NearbyPassage

SEED = 3


class Shelf:
    """The set's articles as notebooks."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._notebooks: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._sources: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    async def fill(self, texts: Sequence[sets.Text]) -> None:
        for text in texts:
            if text.title not in self._notebooks:
                self._notebooks[text.title] = (await self._library.notebooks.create(text.title or "Untitled")).id
            notebook = self._notebooks[text.title]
            source = await self._library.sources.add(notebook, "text", text=text.text, title=text.title or None)
            whole = await self._library.sources.get_fulltext(notebook, source.id, limit=1_000_000)
            self._titles[text.id] = text.title
            self._sources[text.id] = source.id
            self._texts[source.id] = whole.text

    async def ask(self, question: sets.Question, *, elsewhere: int = 0) -> Answer:
        """The answer of its own notebook, or of the one so many places further."""
        names = sorted(self._notebooks)
        at = (names.index(self._titles[question.text_id]) + elsewhere) % len(names)
        return await self._library.chat.ask(self._notebooks[names[at]], question.text)

    @property
    def others(self) -> int:
        return len(self._notebooks) - 1

    def holds(
        self, shown: Sequence[Citation] | Sequence[NearbyPassage], question: sets.Question, text: str
    ) -> list[bool]:
        """For each of them whether an expected span lies in it; offsets are those of the text as Quire keeps it."""
        source = self._sources[question.text_id]
        spans = question.answers
        if self._texts[source] != text:
            spans = tuple(
                (at, at + end - start)
                for start, end in spans
                if (at := self._texts[source].find(text[start:end], max(0, start - 20))) >= 0
            )
        return [
            citation.source_id == source and any(citation.start <= a and b <= citation.end for a, b in spans)
            for citation in shown
        ]

    def sound(self, answer: Answer) -> list[bool]:
        return [
            citation.verified and self._texts[citation.source_id][citation.start : citation.end] == citation.excerpt
            for citation in answer.citations
        ]


async def measured(
    texts: Sequence[sets.Text], questions: Sequence[sets.Question], *, embedder: bool
) -> dict[str, float | int | None]:
    by_id = {text.id: text.text for text in texts}
    seen: dict[str, list[float]] = defaultdict(list)
    supports: dict[str, list[float]] = defaultdict(list)
    async with sets.library(embedder=embedder) as library:
        shelf = Shelf(library)
        await shelf.fill(texts)
        for number, question in enumerate(questions):
            answer = await shelf.ask(question)
            seen["integrity"] += shelf.sound(answer)
            if not question.answers:
                supports["unanswerable"].append(answer.support)
                continue
            text = by_id[question.text_id]
            held = shelf.holds(answer.citations, question, text)
            held += shelf.holds(answer.more, question, text)
            seen["first"].append(any(held[:1]) and bool(answer.citations))
            seen["three"].append(any(held[:3]))
            seen["answer_rate"].append(answer.grounded)
            supports["answerable"].append(answer.support)
            if answer.citations:
                seen["cited_chars"].append(sum(len(citation.excerpt) for citation in answer.citations))
            if shelf.others:
                other = await shelf.ask(question, elsewhere=1 + number % shelf.others)
                seen["integrity"] += shelf.sound(other)
                seen["refusal_rate"].append(not other.grounded)
                supports["other"].append(other.support)
    keys = ("first", "three", "integrity", "cited_chars", "answer_rate", "refusal_rate")
    return {
        **{key: round(sum(seen[key]) / len(seen[key]), 4) if seen[key] else None for key in keys},
        "auroc_unanswerable": auroc(supports["answerable"], supports["unanswerable"]),
        "auroc_other": auroc(supports["answerable"], supports["other"]),
        "answerable": len(supports["answerable"]),
        "unanswerable": len(supports["unanswerable"]),
    }


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float | None:
    """How often one of the first is above one of the second; equals count half."""
    if not higher or not lower:
        return None
    ordered = sorted(lower)
    above = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in higher) / 2
    return round(above / (len(higher) * len(lower)), 4)


def main() -> None:
    parser = sets.parser(__doc__)
    parser.add_argument(
        "--questions", type=int, metavar="N", help="only so many of the questions, drawn by a fixed seed"
    )
    options = parser.parse_args()
    questions = sets.questions(options.folder)
    if options.questions and options.questions < len(questions):
        questions = random.Random(SEED).sample(questions, options.questions)
    texts = sets.corpus(options.folder)
    figures: dict[str, Any] = asyncio.run(measured(texts, questions, embedder=not options.no_embedder))
    sets.tell(figures | {"embedder": not options.no_embedder}, options.json)


if __name__ == "__main__":
    main()
