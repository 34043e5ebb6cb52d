"""Forms that are read by a judge: a table's row or a list may fit the question's words and yet not answer it."""

from __future__ import annotations

from quire.text.asked import Asked
from quire.text.check_citations import Draft
from quire.text.forms.sentences import scored
from quire.text.judging import put_to_judge, to_judge
from quire.text.makers import WritingTask

# So many quotes of a draft are read, and all of them together where they are no longer than this.
READ, TOGETHER = 4, 900


def verdict_on(draft: Draft, task: WritingTask, asked: Asked) -> float | None:
    """How surely what a draft quotes answers the question; None where no judge can tell."""
    if task.judge is None or draft.refused or not draft.claims:
        return None
    # What was added is the quote alone: nothing around it tells what it is about.
    if any(claim.passage >= len(task.hits) for claim in draft.claims):
        return None
    passages = scored(task.hits)
    starts = [hit.passage.start for hit in task.hits]
    spans = [
        (claim.passage, claim.start - starts[claim.passage], claim.end - starts[claim.passage])
        for claim in draft.claims
    ]
    shown = spans[:READ]
    own = [span for span in spans if span[0] == spans[0][0]]
    start, end = min(span[1] for span in own), max(span[2] for span in own)
    if len(own) > 1 and end - start <= TOGETHER:
        shown.append((spans[0][0], start, end))
    texts = [to_judge(passages[at], max(0, begin), end) for at, begin, end in shown]
    verdicts = task.judge(put_to_judge(asked), asked.language, texts)
    return max((one for one in verdicts if one is not None), default=None)
