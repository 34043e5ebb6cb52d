"""Which tools a client is offered."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.errors import InvalidInput

TOOLSETS = ("notebooks", "notes", "books", "scratch", "studio", "research", "sharing", "settings", "jobs")


@dataclass(frozen=True)
class Selection:
    """Without toolsets, the tools that are marked as listed; with them, all tools of theirs."""

    toolsets: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    read_only: bool = False

    @classmethod
    def of(cls, toolsets: str = "", tools: str = "", excluded: str = "", read_only: bool = False) -> Selection:
        """From names with commas; a toolset that does not exist is an error, so that a typo is not silence."""
        named = _names(toolsets)
        if "all" in named:
            named = frozenset(TOOLSETS)
        if unknown := sorted(named - set(TOOLSETS)):
            raise InvalidInput(f"There is no toolset '{unknown[0]}'.", hint=f"Toolsets: {', '.join(TOOLSETS)}, all.")
        return cls(named, _names(tools), _names(excluded), read_only)

    def offers(self, name: str, toolset: str, listed: bool, effect: str) -> bool:
        if name in self.excluded or (self.read_only and effect != "read"):
            return False
        return name in self.tools or (toolset in self.toolsets if self.toolsets else listed)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, (part.strip() for part in text.split(","))))
