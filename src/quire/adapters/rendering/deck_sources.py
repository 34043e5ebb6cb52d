"""The sources of a deck: their numbers, and how they are listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quire.domain.grounding import Grounds, Statement

MOST_LISTED = 24


@dataclass
class Sources:
    """The sources of a deck by number, in the order in which they come."""

    numbers: dict[str, int] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)

    def number(self, grounds: Grounds) -> int:
        number = self.numbers.setdefault(grounds.source_id, len(self.numbers) + 1)
        self.titles.setdefault(number, grounds.source_title)
        return number

    def listed(self, titles: Sequence[str]) -> list[str]:
        """Those that are cited, by their numbers, then the others of these titles; of very many the first."""
        cited = [f"[{number}] {self.titles[number]}" for number in sorted(self.titles)]
        lines = [*cited, *(title for title in titles if title not in self.titles.values())]
        return [*lines[:MOST_LISTED], f"… +{len(lines) - MOST_LISTED}"] if len(lines) > MOST_LISTED else lines

    def mark(self, statement: Statement) -> str:
        numbers = dict.fromkeys(self.number(grounds) for grounds in statement.grounds)
        return f"[{', '.join(map(str, numbers))}]" if numbers else ""
