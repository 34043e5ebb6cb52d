"""Reports that fit a notebook: made of its topics and of what its sources are."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.artifacts import SuggestedReport
from quire.domain.notebooks import NotebookSummary

MOST = 4


def suggested_reports(summary: NotebookSummary, titles: Sequence[str]) -> list[SuggestedReport]:
    """One for each of the main topics and, where there are several sources, one that compares them."""
    found = []
    if len(titles) > 1:
        found.append(
            SuggestedReport(
                title="What the sources have in common",
                description=f"A report that brings together what {len(titles)} sources say, and where they differ.",
                prompt="Bring together what the sources say about the same things, and say where they differ.",
            )
        )
    for topic in summary.topics:
        name = topic[:1].upper() + topic[1:]
        found.append(
            SuggestedReport(
                title=f"{name}: what the sources say",
                description=f"A report about {topic}, from all passages that speak of it.",
                prompt=f"Write a report about {topic}: what it is, what matters about it, figures and examples.",
            )
        )
    for question in summary.questions[: MOST - min(MOST, len(found))]:
        found.append(SuggestedReport(title=question, description=f"A report that answers: {question}", prompt=question))
    return found[:MOST]
