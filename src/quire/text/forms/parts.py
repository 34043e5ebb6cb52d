"""The answer to a question of several: the answer to each part, or the plain word that the sources do not have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quire.domain.passages import PassageHit
from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.wording import wording

# So sure is an answer that has nothing to say to a part, at most.
PARTLY = 0.7


def joined(
    hits: Sequence[PassageHit],
    parts: Sequence[Asked],
    drafts: Sequence[tuple[Draft, Sequence[PassageHit]]],
    language: str | None = None,
) -> Draft:
    """The drafts of all parts as one; each comes with the hits that it was written from. What was said is not repeated.

    What none of the parts has is a refusal.
    """
    whole = Draft("", refused=True, support=max(draft.support for draft, _ in drafts))
    for part, (draft, own) in zip(parts, drafts, strict=True):
        if draft.refused:
            whole = replace(whole, text=_beside(whole.text, absent(part, language)))
        else:
            whole = _with(whole, _cited_among(hits, whole.added, draft, own))
    answered = [draft.support for draft, _ in drafts if not draft.refused]
    if not answered:
        return replace(whole, text="")
    sure = min(answered) if len(answered) == len(drafts) else min(PARTLY, *answered)
    return replace(whole, refused=False, support=sure, sure=all(draft.sure for draft, _ in drafts))


def _cited_among(
    hits: Sequence[PassageHit], added: Sequence[PassageHit], draft: Draft, own: Sequence[PassageHit]
) -> Draft:
    """A draft that cites passages by their numbers among all hits, those added included."""
    known = {hit.passage.id: at for at, hit in enumerate(hits)}
    more = [*added]
    places: dict[int, int] = {}
    for at in dict.fromkeys([*(claim.passage for claim in draft.claims), *(near.passage for near in draft.more)]):
        if at < len(own) and own[at].passage.id in known:
            places[at] = known[own[at].passage.id]
        else:
            places[at] = len(hits) + len(more)
            more.append([*own, *draft.added][at])
    return replace(
        draft,
        claims=tuple(replace(claim, passage=places[claim.passage]) for claim in draft.claims),
        more=tuple(replace(near, passage=places[near.passage]) for near in draft.more),
        added=tuple(more),
    )


def _with(whole: Draft, draft: Draft) -> Draft:
    """Two drafts over the same passages as one, the marks of the second counted on from the first."""
    cited = {(claim.passage, claim.start, claim.end) for claim in whole.claims}
    more = (*whole.more, *draft.more)
    said = [draft.text[claim.answer_start : claim.answer_end] for claim in draft.claims]
    if all((claim.passage, claim.start, claim.end) in cited for claim in draft.claims) and all(
        one in whole.text for one in said
    ):
        return replace(whole, refused=False, more=more, added=draft.added)
    edits = []
    for number, claim in enumerate(draft.claims, 1):
        mark = f"[{number}]"
        at = draft.text.find(mark, claim.answer_end)
        if at >= 0:
            edits.append((at, mark, f"[{number + len(whole.claims)}]"))
    text, end = "", 0
    for at, mark, other in sorted(edits):
        text += draft.text[end:at] + other
        end = at + len(mark)
    text += draft.text[end:]
    both = _beside(whole.text, text)
    begin = len(both) - len(text)

    def moved(place: int) -> int:
        return begin + place + sum(len(other) - len(mark) for at, mark, other in edits if at < place)

    claims = [
        replace(claim, answer_start=moved(claim.answer_start), answer_end=moved(claim.answer_end))
        for claim in draft.claims
    ]
    return replace(whole, text=both, claims=(*whole.claims, *claims), more=more, added=draft.added)


def _beside(one: str, other: str) -> str:
    return f"{one}\n\n{other}" if one else other


def absent(part: Asked, language: str | None) -> str:
    """The plain word that the sources have nothing to say to a part of a question."""
    question = part.question.strip().rstrip("?？.!")
    mark = "？" if part.language in ("zh", "ja") else "?"
    return wording(language or part.language).part_missing.format(question + mark)
