"""The report of a deep run: sections by question, of nothing but what pages that were read say, each with its page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from quire.domain.chat import Answer
from quire.text.prompt import BARE_LINK, NAMED_LINK
from quire.text.quotes import quoted
from quire.text.words import language_code, language_of

SUMMARY = 3
# So many claims of a section may come from beside what answers its question.
CLAIMS = 5
LEADING = re.compile(r"\A(?:[#>|*+\s-]|\d{1,3}[.)]\s)+")
TAG = re.compile(r"<(?=[a-zA-Z/!?])")
BRACKETS = str.maketrans({"[": "(", "]": ")", "\n": " "})


# A span of a source's text.
Told = tuple[str, int, int]


@dataclass(frozen=True)
class ReadPage:
    """A page whose text is a source of the run's own; the address, or the path of a file."""

    source_id: str
    title: str
    address: str


class CitedClaim(NamedTuple):
    """A sentence, or a list, and the sources that say it."""

    text: str
    source_ids: tuple[str, ...]


class Section(NamedTuple):
    """What was found on a question; where that was told before, it is `answered` and has no claims of its own."""

    question: str
    claims: tuple[CitedClaim, ...]
    prose: bool
    answered: bool


class Report(NamedTuple):
    """`cited` are the sources in the order of their numbers."""

    markdown: str
    summary: str
    cited: tuple[str, ...]


class Frame(NamedTuple):
    """What the report says in its own words."""

    unanswered: str
    sources: str
    made: str


FRAMES = {
    "en": Frame("What the pages do not tell", "Sources", "Made of {read} pages that were read, of {found} found."),
    "de": Frame("Was die Seiten nicht sagen", "Quellen", "Aus {read} gelesenen von {found} gefundenen Seiten."),
    "fr": Frame("Ce que les pages ne disent pas", "Sources", "À partir de {read} pages lues, sur {found} trouvées."),
    "es": Frame("Lo que las páginas no dicen", "Fuentes", "Hecho de {read} páginas leídas, de {found} encontradas."),
    "ru": Frame("О чём страницы не говорят", "Источники", "Прочитано страниц: {read}, найдено: {found}."),
    "zh": Frame("页面未提及的内容", "来源", "根据已阅读的 {read} 个页面（共找到 {found} 个）编写。"),
}


def section_of(answer: Answer, told: set[Told]) -> Section:
    """The claims of an answer that were checked; what an earlier section has told is left out, and added to `told`."""
    by_span: dict[tuple[int, int], list[str]] = {}
    for citation in answer.citations:
        if citation.verified and _is_new(told, citation.source_id, citation.start, citation.end):
            by_span.setdefault((citation.answer_start, citation.answer_end), []).append(citation.source_id)
    claims = [
        CitedClaim(shown(answer.text[start:end]), tuple(dict.fromkeys(sources)))
        for (start, end), sources in by_span.items()
    ]
    told.update((one.source_id, one.start, one.end) for one in answer.citations if one.verified)
    answered = any(citation.verified for citation in answer.citations)
    prose = answer.maker != "extractive"
    return Section(answer.question, tuple(claim for claim in claims if claim.text), prose, answered)


def _with_more(section: Section, answer: Answer, told: set[Told]) -> Section:
    """A section of quotes with what was found beside them, as far as nothing has told it."""
    if section.prose or not section.claims:
        return section
    more: list[CitedClaim] = []
    for near in answer.more:
        if _is_new(told, near.source_id, near.start, near.end) and len(section.claims) + len(more) < CLAIMS:
            told.add((near.source_id, near.start, near.end))
            more.append(CitedClaim(shown(quoted(near.excerpt)), (near.source_id,)))
    return section._replace(claims=(*section.claims, *(claim for claim in more if claim.text)))


def _sections(answers: Sequence[Answer]) -> list[Section]:
    """A section for each answer. What asks for more than one thing takes what the others have left."""
    told: set[Told] = set()
    narrow_first = [*range(1, len(answers)), 0] if answers else []
    found = {at: section_of(answers[at], told) for at in narrow_first}
    return [_with_more(found[at], answers[at], told) for at in range(len(answers))]


def report_of(
    query: str, answers: Sequence[Answer], pages: Mapping[str, ReadPage], *, read: int, found: int
) -> Report | None:
    """The report, or None where no page says anything. The first answer is to the query itself, and sums it up."""
    first = section_of(answers[0], set())
    sections = _sections(answers[1:])
    full = [section for section in sections if section.claims] or [first]
    if not first.claims and not full[0].claims:
        return None
    frame = FRAMES.get(language_code(language_of(query)) or "en", FRAMES["en"])
    numbers: dict[str, int] = {}

    def cited(claim: CitedClaim) -> str:
        marks = "".join(f"[{numbers.setdefault(id, len(numbers) + 1)}]" for id in claim.source_ids)
        return f"{claim.text}\n{marks}" if "\n" in claim.text else f"{claim.text} {marks}"

    brief = [claim for claim in (first.claims or full[0].claims) if "\n" not in claim.text][:SUMMARY]
    parts = [f"# {heading(query)}", *filter(None, [" ".join(map(cited, brief))])]
    for section in full:
        claims = [cited(claim) for claim in section.claims]
        body = " ".join(claims) if section.prose else "\n".join(map(_item, claims))
        parts += [f"## {heading(section.question)}", body]
    unanswered = [section.question for section in sections if not section.answered]
    if unanswered:
        parts += [f"## {frame.unanswered}", "\n".join(_item(heading(question)) for question in unanswered)]
    listed = [_entry(number, pages[id]) for id, number in numbers.items()]
    parts += [f"## {frame.sources}", "\n".join(listed), f"*{frame.made.format(read=read, found=found)}*"]
    return Report("\n\n".join(parts) + "\n", " ".join(claim.text for claim in brief), tuple(numbers))


def _item(text: str) -> str:
    return "- " + text.replace("\n", "\n  ")


def shown(text: str) -> str:
    """A claim as it stands in a report: no links, no marks of Markdown that would make something else of it."""
    text = NAMED_LINK.sub(lambda found: found[1], text)
    text = BARE_LINK.sub(lambda found: "" if found[0].lower().startswith(("javascript:", "data:")) else found[0], text)
    if "\n" not in text:
        text = LEADING.sub("", text)
    return TAG.sub("\\\\<", text).strip()


def heading(text: str) -> str:
    return TAG.sub("\\\\<", " ".join(text.split())).lstrip("#> ")


def _entry(number: int, page: ReadPage) -> str:
    title = TAG.sub("\\\\<", " ".join(page.title.translate(BRACKETS).split()))
    if "://" not in page.address:
        return f"{number}. {title} ({page.address})"
    address = page.address.replace("(", "%28").replace(")", "%29").replace(" ", "%20").replace("<", "%3C")
    return f"{number}. [{title}]({address})"


def _is_new(told: set[Told], source: str, start: int, end: int) -> bool:
    return not any(one == source and start < last and first < end for one, first, last in told)
