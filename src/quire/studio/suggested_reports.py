"""Reports that fit a notebook: about its largest chapters, and about what several sources have in common."""

from __future__ import annotations

from quire.domain.artifacts import SuggestedReport
from quire.studio.evidence import Chapter, Evidence
from quire.studio.labels import labels

MOST = 4
LONGEST_TITLE = 70


def suggested_reports(evidence: Evidence) -> list[SuggestedReport]:
    """In the language of most of the sources; a chapter is described by the first sentence that tells of it."""
    words = labels(evidence.language)
    found = []
    if len(evidence.sources) > 1:
        names = ", ".join(source.name for source in evidence.sources[:3])
        found.append(SuggestedReport(title=words.in_common, description=names, prompt=words.in_common_prompt))
    chapters = [part for chapter in evidence.chapters for part in (chapter, *chapter.parts)]
    named = {chapter.title.casefold(): chapter for chapter in reversed(chapters) if len(chapter.title) <= LONGEST_TITLE}
    largest = sorted(named.values(), key=lambda one: -len(one.all_points()))
    found += [_about(chapter, words.said_about, words.said_about_prompt) for chapter in largest if chapter.all_points()]
    return found[:MOST]


def _about(chapter: Chapter, title: str, prompt: str) -> SuggestedReport:
    return SuggestedReport(
        title=title.format(chapter.title),
        description=chapter.all_points()[0].text,
        prompt=prompt.format(chapter.title),
    )
