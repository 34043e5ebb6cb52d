"""The text engine: finds passages, and writes answers whose citations are checked.

It has no I/O of its own: it is handed ports and models. Its door is `find_passages` (`find_across` looks into several
notebooks) and `write_answer`, with what these take. Beside the door, a document is cut and its words counted in
`indexing`, what sources are about is told by `guides`, and which of them are about the same by `labelling`. Each is
imported when first used: a client that starts a server waits for what is imported before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quire.text.across import foreign_language as foreign_language
    from quire.text.answering import AnswerRequest as AnswerRequest
    from quire.text.answering import write_answer as write_answer
    from quire.text.answers import as_note as as_note
    from quire.text.extractive_maker import ExtractiveMaker as ExtractiveMaker
    from quire.text.found_pages import address_of as address_of
    from quire.text.found_pages import is_about as is_about
    from quire.text.found_pages import rank_found as rank_found
    from quire.text.guides import guide_of as guide_of
    from quire.text.guides import notebook_summary as notebook_summary
    from quire.text.indexing import Prepared as Prepared
    from quire.text.indexing import pasted as pasted
    from quire.text.labelling import Namer as Namer
    from quire.text.labelling import Spoken as Spoken
    from quire.text.labelling import Topic as Topic
    from quire.text.labelling import find_topics as find_topics
    from quire.text.labelling import nearness as nearness
    from quire.text.labelling import spoken as spoken
    from quire.text.makers import Makers as Makers
    from quire.text.research_plan import PlannedQuestion as PlannedQuestion
    from quire.text.research_plan import goes_with as goes_with
    from quire.text.research_plan import plan_by_model as plan_by_model
    from quire.text.research_plan import plan_by_rule as plan_by_rule
    from quire.text.research_plan import searched as searched
    from quire.text.research_plan import searched_again as searched_again
    from quire.text.research_report import ReadPage as ReadPage
    from quire.text.research_report import report_of as report_of
    from quire.text.search import SearchPorts as SearchPorts
    from quire.text.search import find_across as find_across
    from quire.text.search import find_in as find_in
    from quire.text.search import find_passages as find_passages
    from quire.text.transforming import SourceToTransform as SourceToTransform
    from quire.text.transforming import made_by_model as made_by_model
    from quire.text.transforming import transformed as transformed
    from quire.text.words import language_of as language_of

_MODULES = {
    "AnswerRequest": "answering",
    "ExtractiveMaker": "extractive_maker",
    "Makers": "makers",
    "Namer": "labelling",
    "PlannedQuestion": "research_plan",
    "Prepared": "indexing",
    "ReadPage": "research_report",
    "SearchPorts": "search",
    "SourceToTransform": "transforming",
    "Spoken": "labelling",
    "Topic": "labelling",
    "address_of": "found_pages",
    "as_note": "answers",
    "find_across": "search",
    "find_in": "search",
    "find_passages": "search",
    "find_topics": "labelling",
    "foreign_language": "across",
    "goes_with": "research_plan",
    "guide_of": "guides",
    "made_by_model": "transforming",
    "is_about": "found_pages",
    "language_of": "words",
    "nearness": "labelling",
    "notebook_summary": "guides",
    "pasted": "indexing",
    "plan_by_model": "research_plan",
    "plan_by_rule": "research_plan",
    "rank_found": "found_pages",
    "report_of": "research_report",
    "searched": "research_plan",
    "searched_again": "research_plan",
    "spoken": "labelling",
    "transformed": "transforming",
    "write_answer": "answering",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
