"""Which questions an answer suggests: made of what was found, and tried on it before they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from quire.domain.errors import QuireError
from quire.domain.passages import PassageHit
from quire.text.check_citations import Draft
from quire.text.extractive_maker import written
from quire.text.judging import Shown
from quire.text.makers import WritingTask
from quire.text.suggestions import LIMIT, Overviewed, Suggestion, about_questions, suggestions
from quire.text.turns import in_turns
from quire.text.words import language_code, query_tokens

# With the passage that a question was made of so many others are looked at: one of them might seem to answer better.
OTHERS = 2
# So sure must an answer be by words: by meaning it may be less, and must not be refused then.
SURE = 0.6
# What a judge must say at least.
HELD = 0.5
# Where little was found, so many sources are opened, each so far.
SOURCES, EACH = 4, 2


def suggested(task: WritingTask, draft: Draft, hits: Sequence[PassageHit], before: Sequence[str] = ()) -> list[str]:
    """Questions to go on with: in several forms, from several sources, and not what was asked `before` or told."""
    cited = list(dict.fromkeys(claim.passage for claim in draft.claims))
    near = [hits[at] for at in [*cited, *(at for at in range(len(hits)) if at not in cited)]]
    told = [(hits[claim.passage].passage.source_id, claim.start, claim.end) for claim in draft.claims]
    asked = [*before, task.question]
    if task.intros is not None:
        near = _in_turn(near)
    found = suggestions(
        [hit.passage for hit in near], told, asked, lambda one: _answered(task, one, near) and _holds(task, one)
    )
    if len(found) < LIMIT and task.intros is None:
        opened = _opened(task, near)
        found += suggestions(
            [hit.passage for hit in opened],
            told,
            [*asked, *found],
            lambda one: _answered(task, one, opened) and _holds(task, one),
        )[: LIMIT - len(found)]
        near = [*near, *opened]
    if len(found) < LIMIT:
        told_of: Overviewed = "none" if task.intros is None else "one" if len(task.intros.heads) == 1 else "several"
        always = about_questions([hit.passage for hit in near], [*asked, *found], told_of)
        found += [question for question, _ in zip(always, range(LIMIT - len(found)), strict=False)]
    return found


def _in_turn(hits: Sequence[PassageHit]) -> list[PassageHit]:
    """The first of each source, then the second of each, and so on."""
    counts: Counter[str] = Counter()
    turns = []
    for hit in hits:
        turns.append(counts[hit.passage.source_id])
        counts[hit.passage.source_id] += 1
    return [hit for _, hit in sorted(zip(turns, hits, strict=True), key=lambda pair: pair[0])]


def _opened(task: WritingTask, near: Sequence[PassageHit]) -> list[PassageHit]:
    """How sources begin of which nothing was found."""
    if task.reader is None:
        return []
    known = {hit.passage.source_id for hit in near}
    others = [id for id in task.reader.titles() if id not in known][:SOURCES]
    return [PassageHit(passage=passage, score=1.0) for passage in task.reader.openings(others, EACH)] if others else []


def _holds(task: WritingTask, one: Suggestion) -> bool:
    """Whether a judge takes what a question was made of for its answer, where there is one."""
    passage = one.passage
    if task.judge is None or language_code(passage.language) not in ("en", None):
        return True
    told = Shown(
        passage.text[one.made.start : one.made.end], f"{passage.source_title}. {(passage.place.heading or '')}"
    )
    try:
        (verdict,) = task.judge(one.question, passage.language, [told])
        return verdict is None or verdict >= HELD
    except QuireError:
        # The answer says so already; a question is no reason to lose it.
        return True


def _answered(task: WritingTask, one: Suggestion, near: Sequence[PassageHit]) -> bool:
    """Whether a question is answered from where it was made, by its words and form alone."""
    asked = in_turns(one.question, [*(question for question, _ in task.history), task.question])
    if asked.parts or asked.about:
        return False
    own = [hit for hit in near if hit.passage.id == one.passage.id]
    others = [hit for hit in near if hit.passage.id != one.passage.id][:OTHERS]
    words = query_tokens(one.question, [one.passage.language])
    counts, total = task.reader.frequencies(words) if task.reader else ({}, task.total)
    trial = replace(
        task,
        question=one.question,
        hits=[hit.model_copy(update={"score": 1.0}) for hit in own] + others,
        history=(),
        frequencies=counts,
        total=total,
        similarity=None,
        judge=None,
        intros=None,
        asked=asked,
        parts=(),
        told=(),
        shown=(),
        across=None,
    )
    draft = written(trial, asked)
    source, start, end = one.span
    return (
        not draft.refused
        and draft.support >= SURE
        and any(
            trial.hits[claim.passage].passage.source_id == source and claim.start < end and start < claim.end
            for claim in draft.claims
            if claim.passage < len(trial.hits)
        )
    )
