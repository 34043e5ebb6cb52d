"""The answerer that needs no model: the sources' own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from quire.domain.candidates import Reading
from quire.domain.extractive import answer
from quire.domain.grounding import Claim, Draft
from quire.services.answering import Asked


class ExtractiveMaker:
    name = "extractive"

    async def write(self, asked: Asked) -> AsyncIterator[str | Draft]:
        yield await asyncio.to_thread(self._draft, asked)

    def _draft(self, asked: Asked) -> Draft:
        chosen = answer(
            asked.question,
            [
                Reading(
                    hit.passage.text,
                    hit.score,
                    hit.passage.source_title,
                    hit.passage.language,
                    hit.similarity or 0.0,
                )
                for hit in asked.hits
            ],
            asked.frequencies,
            asked.passages,
            asked.similarity,
        )
        if chosen.refused:
            return Draft("", refused=True, support=chosen.confidence)
        text = ""
        claims = []
        for number, part in enumerate(chosen.parts, 1):
            passage = asked.hits[part.passage].passage
            sentence = " ".join(passage.text[part.start : part.end].split())
            begin = len(text)
            text += sentence
            claims.append(
                Claim(begin, len(text), part.passage, passage.start + part.start, passage.start + part.end, True)
            )
            text += f" [{number}]\n\n"
        return Draft(text.strip(), tuple(claims), support=chosen.confidence)
