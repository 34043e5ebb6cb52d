"""Answers and sources as people like to read them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from quire.domain.across import LibraryAnswer, LibraryCitation
from quire.domain.chat import Answer, AnswerPart, Citation, NearbyPassage
from quire.domain.documents import Place
from quire.domain.notebooks import NotebookSummary
from quire.domain.sources import AddedSource, Source, SourceGuide, SourceText
from quire.entry.terminal import clean, facts, when

if TYPE_CHECKING:
    from rich.live import Live

LONG = 300
MARK = re.compile(r"\[\d+\]")
STATES = {"ready": "green", "failed": "red", "processing": "cyan"}
CONFIDENCES = {"high": "green", "medium": "yellow", "low": "red"}


def show_answer(out: Console, answer: Answer, *, go_on: bool = False, more: bool = False) -> None:
    """The text, below it what each number in it stands for, what else was found where asked, where one might go on."""
    out.print(marked(answer.text))
    if answer.citations:
        out.print()
        show_citations(out, answer)
    if more and answer.more:
        out.print()
        out.print(Text("More passages", style="dim"))
        for passage in answer.more:
            out.print(Text.assemble("    ", heading(passage)))
            out.print(Padding(Text(f"“{shortened(passage.excerpt)}”", style="dim"), (0, 0, 0, 4), expand=False))
    for part in answer.unsupported:
        out.print()
        out.print(Text(f"“{shortened(part.text)}” {part.why}", style="yellow"))
    for warning in answer.warnings:
        out.print()
        out.print(Text(clean(warning), style="yellow"))
    out.print()
    if answer.confidence is not None:
        out.print(Text.assemble(("Confidence: ", "dim"), (answer.confidence, CONFIDENCES[answer.confidence])))
    for question in answer.follow_up_questions:
        out.print(Text.assemble(("You might ask: ", "dim"), clean(question)))
    if go_on:
        out.print(Text(f"To keep it: quire chat save {answer.id[:8]}", style="dim"), soft_wrap=True)
        everywhere = "--all " if isinstance(answer, LibraryAnswer) else ""
        out.print(Text(f"To ask on: quire ask {everywhere}-c 'QUESTION'", style="dim"), soft_wrap=True)


def show_citations(out: Console, answer: Answer) -> None:
    """What each number stands for. A quote is printed once: not where the answer holds it, nor twice below it."""
    said = one_line(MARK.sub("", answer.text))
    shown: set[str] = set()

    def told(citation: Citation) -> tuple[str, Text]:
        line = one_line(citation.excerpt)
        quote = "" if line in said or line in shown else shortened(line)
        shown.add(line)
        return quote, heading(citation)

    for (quote, place), same in groupby([(one.number, *told(one)) for one in answer.citations], itemgetter(1, 2)):
        numbers = "".join(f"[{number}] " for number, _, _ in same)
        out.print(Text.assemble((numbers, "bold cyan"), place))
        if quote:
            out.print(Padding(Text(f"“{quote}”", style="dim"), (0, 0, 0, 4), expand=False))


def marked(text: str) -> Text:
    shown = Text(clean(text))
    shown.highlight_regex(MARK, "bold cyan")
    return shown


def heading(citation: Citation | NearbyPassage) -> Text:
    """`Title, page 7, Methods`; a citation that could not be checked says so."""
    title = one_line(citation.source_title)
    if isinstance(citation, LibraryCitation) and citation.notebook_title:
        title = f"{one_line(citation.notebook_title)} / {title}"
    shown = Text(title, style="bold")
    if (where := place(citation.place)) and where != title:
        shown.append(f", {where}")
    if isinstance(citation, Citation) and not citation.verified:
        shown.append("  not verified", "red")
    return shown


def place(where: Place) -> str:
    """Where something stands, as one would say it."""
    parts = [f"page {where.page}" if where.page else "", f"slide {where.slide}" if where.slide else ""]
    parts += [f"sheet {where.sheet}" if where.sheet else "", f"at {where.time}" if where.time else ""]
    return one_line(", ".join(filter(None, [*parts, where.heading])))


def shortened(text: str) -> str:
    """A text on one line, cut between words where it is long."""
    line = one_line(text)
    return line if len(line) <= LONG else line[:LONG].rsplit(" ", 1)[0] + " …"


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def show_source(out: Console, source: Source) -> None:
    facts(
        out,
        {
            "Title": Text(one_line(source.title), style="bold"),
            "Id": Text(source.id, style="cyan"),
            "Kind": source.kind,
            "State": state(source),
            "Why": source.error,
            "Address": source.url,
            "File": source.file_name,
            "Characters": f"{source.characters:,}" if source.characters else None,
            "Passages": f"{source.passages:,}" if source.passages else None,
            "Language": source.language,
            "Warnings": "\n".join(source.warnings) or None,
            "Added": when(source.created_at),
        },
    )


def state(source: Source) -> Text:
    known = isinstance(source, AddedSource) and not source.added
    return Text(f"{source.state}, there already" if known else source.state, style=STATES[source.state])


def show_text(out: Console, text: SourceText) -> None:
    """The text and nothing else, as it may go into a pipe."""
    out.print(Text(clean(text.text)), soft_wrap=True)


def show_guide(out: Console, guide: SourceGuide) -> None:
    out.print(Text(one_line(guide.title), style="bold"), soft_wrap=True)
    out.print()
    out.print(Text(clean(guide.summary)))
    if guide.keywords:
        out.print()
        out.print(Text.assemble(("Keywords: ", "dim"), clean(", ".join(guide.keywords))))


def show_summary(out: Console, summary: NotebookSummary) -> None:
    out.print(Text(clean(summary.summary)))
    if summary.topics:
        out.print()
        out.print(Text.assemble(("Topics: ", "dim"), clean(", ".join(summary.topics))))
    for question in summary.questions:
        out.print(Text.assemble(("You might ask: ", "dim"), clean(question)))


class Growing:
    """An answer while it is being written, where there is a terminal to see it on; gone when it is whole.

    Of one that is longer than the terminal the end is shown: what has scrolled away could not be taken back.
    """

    def __init__(self, out: Console) -> None:
        self._out = out
        self._live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    async def until_whole(self, events: AsyncIterator[AnswerPart | Answer]) -> Answer:
        """Shows each part, and gives the answer that they end with."""
        async for event in events:
            if isinstance(event, Answer):
                return event
            self._show(event.text)
        raise RuntimeError("the stream ended without an answer")

    def _show(self, text: str) -> None:
        if not self._out.is_terminal:
            return
        if self._live is None:
            from rich.live import Live

            self._live = Live(console=self._out, transient=True)
            self._live.start()
        lines = marked(text).wrap(self._out, self._out.width)
        self._live.update(Text("\n").join(lines[-max(1, self._out.height - 2) :]))
