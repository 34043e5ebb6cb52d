"""Answers and sources as people like to read them."""

from __future__ import annotations

import re
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from quire.domain.chat import Answer, AnswerPart, Citation
from quire.domain.documents import Place
from quire.domain.sources import AddedSource, Source, SourceGuide, SourceText
from quire.entry.terminal import clean, facts, when

if TYPE_CHECKING:
    from rich.live import Live

LONG = 300
MARK = re.compile(r"\[\d+\]")
STATES = {"ready": "green", "failed": "red", "processing": "cyan"}
CONFIDENCES = {"high": "green", "medium": "yellow", "low": "red"}


def show_answer(out: Console, answer: Answer) -> None:
    """The text, below it what each number in it stands for, and where one might go on."""
    out.print(marked(answer.text))
    for citation in answer.citations:
        out.print()
        out.print(heading(citation))
        out.print(Padding(Text(f"“{shortened(citation.excerpt)}”", style="dim"), (0, 0, 0, 4), expand=False))
    for warning in answer.warnings:
        out.print()
        out.print(Text(clean(warning), style="yellow"))
    out.print()
    out.print(Text.assemble(("Confidence: ", "dim"), (answer.confidence, CONFIDENCES[answer.confidence])))
    for question in answer.follow_up_questions:
        out.print(Text.assemble(("You might ask: ", "dim"), clean(question)))
    out.print(Text(f"Go on with: --conversation {answer.conversation_id}", style="dim"), soft_wrap=True)


def marked(text: str) -> Text:
    shown = Text(clean(text))
    shown.highlight_regex(MARK, "bold cyan")
    return shown


def heading(citation: Citation) -> Text:
    """`[1] Title, page 7, Methods`; a citation that could not be checked says so."""
    shown = Text.assemble((f"[{citation.number}] ", "bold cyan"), (one_line(citation.source_title), "bold"))
    if where := place(citation.place):
        shown.append(f", {where}")
    if not citation.verified:
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


class Growing:
    """An answer while it is being written, where there is a terminal to see it on; gone when it is whole."""

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

    def show(self, event: AnswerPart | Answer) -> None:
        if isinstance(event, Answer):
            if self._live:
                self._live.stop()
            show_answer(self._out, event)
        elif self._out.is_terminal:
            if self._live is None:
                from rich.live import Live

                self._live = Live(console=self._out, transient=True, vertical_overflow="visible")
                self._live.start()
            self._live.update(marked(event.text))
