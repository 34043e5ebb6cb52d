"""The maker that needs no model: the sources' own words, in the form that fits what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from quire.domain.errors import QuireError
from quire.domain.passages import PassageHit
from quire.text.asked import Asked, asked_of
from quire.text.check_citations import Draft
from quire.text.forms import Form
from quire.text.forms.another_language import in_another_language
from quire.text.forms.comparison import comparison
from quire.text.forms.documents import documents
from quire.text.forms.extremes import extremes
from quire.text.forms.faq import faq
from quire.text.forms.judged import verdict_on
from quire.text.forms.letter_heads import letter_heads
from quire.text.forms.lists import lists
from quire.text.forms.overview import overview
from quire.text.forms.parts import joined
from quire.text.forms.rows import rows
from quire.text.forms.section import section
from quire.text.forms.sentences import refused, sentences
from quire.text.forms.steps import steps
from quire.text.forms.whole_lists import with_whole_lists
from quire.text.makers import Told, WritingTask
from quire.text.narrowing import narrowed
from quire.text.wording import source_language

# The first form that applies writes. A line each, the more special before the more general.
FORMS: tuple[Form, ...] = (
    overview,
    section,
    documents,
    letter_heads,
    extremes,
    faq,
    steps,
    rows,
    lists,
    comparison,
)

# Forms that go by the question's words: what they quote is read by a judge, and gives way to sentences that are judged
# so much more to answer. What is judged to be so far from an answer is none, where no sentence is one either.
READ: tuple[Form, ...] = (letter_heads, extremes, faq, steps, rows, lists)
FAR, NONE = 4.0, -4.0


class ExtractiveMaker:
    name = "extractive"

    async def write(self, task: WritingTask) -> AsyncIterator[str | Draft]:
        asked = task.asked or asked_of(task.question)
        try:
            draft = await asyncio.to_thread(written, task, asked)
        except QuireError as error:
            draft = await asyncio.to_thread(written, _by_words_alone(task), asked)
            draft = replace(draft, warnings=(f"{error.message} Sentences were chosen by their words alone.",))
        yield draft


def _by_words_alone(task: WritingTask) -> WritingTask:
    return replace(task, similarity=None, judge=None, parts=[_by_words_alone(part) for part in task.parts])


def written(task: WritingTask, asked: Asked) -> Draft:
    """What the sources say in the question's own language, or in others where those are more likely to answer."""
    # Names are the same in all languages.
    plain = asked.kind == "documents" and task.across is not None and not task.parts and not asked.about
    if plain and (found := documents(task, asked)) is not None:
        return found
    across = task.across
    if across is None or task.intros is not None:
        return _in_own_language(task, asked)
    own = any(not across.is_foreign(hit.passage) for hit in task.hits)
    draft = _in_own_language(task, asked) if own else None
    # Words and structure say little across languages, and what is said of the language is said once.
    foreign = in_another_language(task, asked, draft)
    if foreign is None:
        return draft or _in_own_language(task, asked)
    if draft is None:
        return foreign
    hits = [*task.hits, *draft.added]
    languages = [hits[claim.passage].passage.language or "" for claim in draft.claims]
    others = [one for one in languages if one not in ("", across.language)]
    if not foreign.refused and (draft.refused or others or draft.support < foreign.support):
        return foreign
    said = source_language(others, task.language or across.language) if others else ""
    return replace(draft, text="\n\n".join(filter(None, [draft.text, said])))


def _in_own_language(task: WritingTask, asked: Asked) -> Draft:
    """The draft of the first form that applies, else plain sentences; of a question of several, that of all parts."""
    if task.parts:
        draft = _of_parts(task, asked)
        return refused(task, draft.support) if draft.refused else draft
    for form in FORMS:
        found = form(task, asked)
        if found is not None and not (asked.instead and repeats(found, task)):
            found = _or_sentences(found, form, task, asked)
            break
    else:
        found = with_whole_lists(sentences(task, asked), task)
    if asked.about:
        # What a question takes from those before it is guessed.
        found = replace(found, sure=False)
    return narrowed(found, task, asked) if repeats(found, task) else found


def _or_sentences(draft: Draft, form: Form, task: WritingTask, asked: Asked) -> Draft:
    """A draft, or the sentences that a judge takes for an answer where it does not take the draft for one."""
    verdict = verdict_on(draft, task, asked) if form in READ else None
    if verdict is None or verdict >= 0:
        return draft
    plain = sentences(task, asked)
    # What something is, a label tells better than a judge.
    if plain.refused and verdict <= NONE and asked.kind != "definition":
        return plain
    other = verdict_on(plain, task, asked)
    return with_whole_lists(plain, task) if other is not None and other >= verdict + FAR else draft


def _of_parts(task: WritingTask, asked: Asked) -> Draft:
    """The answers to all parts. A part that goes on from another wants to know something else."""
    drafts: list[tuple[Draft, Sequence[PassageHit]]] = []
    shown: list[Told] = []
    for part, own in zip(task.parts, asked.parts, strict=True):
        draft = _in_own_language(replace(part, told=shown if own.instead else (), shown=shown), own)
        hits = [*part.hits, *draft.added]
        shown += [(hits[claim.passage].passage.source_id, claim.start, claim.end) for claim in draft.claims]
        drafts.append((draft, part.hits))
    return joined(task.hits, asked.parts, drafts, task.language)


def repeats(draft: Draft, task: WritingTask) -> bool:
    """Whether a draft says no more than the last answer did, where the question goes on from that."""
    hits = [*task.hits, *draft.added]
    return bool(task.told and draft.claims) and all(
        any(
            hits[claim.passage].passage.source_id == source and start <= claim.start and claim.end <= end
            for source, start, end in task.told
        )
        for claim in draft.claims
    )
