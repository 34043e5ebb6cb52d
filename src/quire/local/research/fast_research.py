"""Fast research: all finders are asked at once, and what they know is ranked and described."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from quire.domain.research import Finding
from quire.local.job_run import Finished, Run
from quire.local.research.research_rows import put_findings, put_step, research_row
from quire.local.research.searching import Searched, Searching
from quire.local.workers import job
from quire.ports.store import Tx

if TYPE_CHECKING:
    from quire.text.found_pages import RankedPage

MOST = 10
NAMED = 3


class FastResearch:
    def __init__(self, searching: Searching) -> None:
        self._searching = searching

    @job("fast_research")
    async def run_fast(self, run: Run) -> Finished:
        id = run.payload["research_id"]
        row = await run.read(lambda tx: research_row(tx, id))
        if row["state"] != "in_progress":
            return Finished({"research_id": id, "found": row["found"]})
        await run.advance(0, None, "searching", None)
        searched = await self._searching.search(row["query"], row["source"], MOST)

        def work(tx: Tx) -> None:
            put_step(tx, run, id, "searched", told(row["query"], searched))
            settle(tx, id, searched, run.now())
            run.event(tx, "research.updated", id)

        await run.advance(1, 1, "searching", "searched", work)
        return Finished({"research_id": id, "found": len(searched.pages)})


def told(query: str, searched: Searched) -> str:
    names = [page.found.title for page in searched.pages[:NAMED]]
    known = f": {'; '.join(names)}" if names else ""
    return f"Searched for '{query}', found {len(searched.pages)}{known}."


def settle(tx: Tx, id: str, searched: Searched, at: int) -> None:
    """Writes down what a search came to. A run that was cancelled meanwhile stays so."""
    state = "completed" if searched.pages else "failed" if searched.failed else "no_results"
    how = {"reason": searched.reason, "summary": summary(searched.pages), "warnings": json.dumps(searched.warnings)}
    if tx.run("end_research", id=id, state=state, at=at, **how):
        put_findings(tx, id, [finding(number, page) for number, page in enumerate(searched.pages, 1)])


def finding(number: int, page: RankedPage, describe: Callable[[RankedPage], str] | None = None) -> Finding:
    found = page.found
    return Finding(
        number=number,
        kind="page" if found.file is None else "file",
        title=found.title,
        url=found.url,
        file=found.file,
        description=describe(page) if describe else page.description,
        finder=found.finder,
    )


def summary(pages: Sequence[RankedPage]) -> str:
    """What was found, in a sentence."""
    if not pages:
        return ""
    finders = list(dict.fromkeys(page.found.finder for page in pages))
    what = "file" if pages[0].found.file is not None else "page"
    plural = f"{len(pages)} {what}s" if len(pages) > 1 else f"One {what}"
    return f"{plural} by {', '.join(finders)}. Best: {'; '.join(page.found.title for page in pages[:NAMED])}."
