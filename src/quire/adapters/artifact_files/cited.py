"""How a statement's sources are shown: by their numbers in the list at the end."""

from __future__ import annotations

from collections.abc import Iterable

from quire.domain.grounding import Grounds, Statement
from quire.domain.reports import Report


class Numbers:
    """The numbers of sources, in the order in which they are first cited."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.titles: dict[str, str] = {}
        for statement in statements:
            for grounds in statement.grounds:
                self.titles.setdefault(grounds.source_id, grounds.source_title)
        self._numbers = {id: number for number, id in enumerate(self.titles, 1)}

    def marks(self, statement: Statement) -> list[str]:
        """`1`, or `1, p. 7` where the source has pages."""
        return list(dict.fromkeys(self._mark(grounds) for grounds in statement.grounds))

    def shown(self, statement: Statement) -> str:
        return "".join(f"[{mark}]" for mark in self.marks(statement))

    def _mark(self, grounds: Grounds) -> str:
        number = str(self._numbers[grounds.source_id])
        return f"{number}, p. {grounds.place.page}" if grounds.place.page else number

    def sources(self) -> list[str]:
        return list(self.titles.values())


def numbers_of(report: Report) -> Numbers:
    return Numbers(item.statement for section in report.sections for block in section.blocks for item in block.items)


def ended(text: str) -> str:
    """A sentence with its end, so that several make a paragraph."""
    return text if text.endswith((".", "!", "?", "…", "。", "！", "？", ".”", '."', ".)", "!”", "?”")) else f"{text}."
