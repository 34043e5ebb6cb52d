"""The maker that needs no model: the sources' own words, in the form that fits what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from quire.domain.errors import QuireError
from quire.text.asked import Asked, asked_of
from quire.text.check_citations import Draft
from quire.text.forms import Form
from quire.text.forms.another_language import in_another_language
from quire.text.forms.overview import overview
from quire.text.forms.sentences import sentences
from quire.text.makers import WritingTask

# The first form that applies writes. A line each, the more special before the more general.
FORMS: tuple[Form, ...] = (overview, in_another_language)


class ExtractiveMaker:
    name = "extractive"

    async def write(self, task: WritingTask) -> AsyncIterator[str | Draft]:
        asked = task.asked or asked_of(task.question)
        try:
            draft = await asyncio.to_thread(written, task, asked)
        except QuireError as error:
            draft = await asyncio.to_thread(written, replace(task, similarity=None), asked)
            draft = replace(draft, warnings=(f"{error.message} Sentences were chosen by their words alone.",))
        yield draft


def written(task: WritingTask, asked: Asked) -> Draft:
    """The draft of the first form that applies, else plain sentences."""
    for form in FORMS:
        draft = form(task, asked)
        if draft is not None:
            return draft
    return sentences(task, asked)
