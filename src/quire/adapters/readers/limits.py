"""How much a reader may take before it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from quire.domain.source_kinds import Kind

MIB = 1024 * 1024


class Limits(NamedTuple):
    """What one file may cost.

    `seconds` is how long a reader may take. The `heavy_` ones replace theirs where text is recognised in pictures or
    speech: `heavy_seconds` is the longest such a reader may be silent (it tells of each page, and of each sentence),
    `long_seconds` bounds it in all.
    """

    seconds: float = 120
    heavy_seconds: float = 600
    long_seconds: float = 4 * 3600
    memory: int = 1024 * MIB
    heavy_memory: int = 4096 * MIB
    text_chars: int = 20_000_000
    pages: int = 5_000
    expanded_bytes: int = 500 * MIB
    ratio: int = 200
    entries: int = 20_000

    def largest(self, kind: Kind) -> int | None:
        """How many bytes a file of a kind may have; recordings are bounded by time instead."""
        if kind.heavy:
            return None
        return 4 * self.text_chars if kind.textual else self.expanded_bytes


LIMITS = Limits()
