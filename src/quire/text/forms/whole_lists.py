"""Whole lists: a list that is quoted up to the end of its passage, and goes on behind it, is told to its end."""

from __future__ import annotations

import re
from dataclasses import replace

from quire.text.check_citations import Draft
from quire.text.forms.cited import Quote, cited
from quire.text.makers import WritingTask
from quire.text.quotes import lines_of, quoted
from quire.text.structure.parts import ItemList

ITEMS = re.compile(r"^[ \t]*(?:[-*•–+]|\d{1,3}[.)])[ \t]", re.MULTILINE)
LONGEST = 4_000


def with_whole_lists(draft: Draft, task: WritingTask) -> Draft:
    """The draft, its cut lists told to their ends; as it is where none goes on, or where a short answer is wished."""
    if draft.refused or draft.added or task.configuration.length == "shorter":
        return draft
    passages = [task.hits[claim.passage].passage for claim in draft.claims]
    cut = [
        claim.end >= passage.end - len(passage.text) + len(passage.text.rstrip())
        and len(ITEMS.findall(passage.text, claim.start - passage.start, claim.end - passage.start)) > 1
        for claim, passage in zip(draft.claims, passages, strict=True)
    ]
    if not any(cut):
        return draft
    views = {view.passage.source_id: view for view in task.views}
    whole: list[Quote] = []
    goes_on = False
    for claim, passage, is_cut in zip(draft.claims, passages, cut, strict=True):
        view = views.get(passage.source_id)
        if view is None:
            return draft
        start, end = claim.start - view.passage.start, claim.end - view.passage.start
        # Where a source's text is gone its view is another passage of it.
        if start < 0 or view.text[start:end] != passage.text[claim.start - passage.start : claim.end - passage.start]:
            return draft
        lists = [part.end for part in view.parts if isinstance(part, ItemList) and part.start < end < part.end]
        last = max(lists) if is_cut and lists and max(lists) - start <= LONGEST else end
        goes_on = goes_on or last > end
        if any(one.view is view and one.start <= start and last <= one.end for one in whole):
            continue
        text = view.text[start:last]
        whole.append(Quote(view, start, last, lines_of(text) if last > end else quoted(text)))
    if not goes_on:
        return draft
    told = cited(task, whole, draft.support)
    return replace(told, more=draft.more, sure=draft.sure, warnings=draft.warnings)
