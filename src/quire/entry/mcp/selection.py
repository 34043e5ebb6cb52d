"""Which tools a client is offered."""

from __future__ import annotations

from dataclasses import dataclass

ALL = "all"


@dataclass(frozen=True)
class Selection:
    """Without toolsets, the tools that are marked as listed; with them, all tools of theirs."""

    toolsets: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    read_only: bool = False

    @classmethod
    def of(cls, toolsets: str = "", tools: str = "", excluded: str = "", read_only: bool = False) -> Selection:
        """From names with commas; a toolbox knows whether they exist."""
        return cls(_names(toolsets), _names(tools), _names(excluded), read_only)

    @property
    def is_default(self) -> bool:
        """Whether it names no tool and no toolset, which may not exist, and leaves out none."""
        return not (self.toolsets or self.tools or self.excluded or self.read_only)

    def names(self, toolset: str) -> bool:
        """Whether all of a toolset was asked for."""
        return bool(self.toolsets & {toolset, ALL})

    def offers(self, name: str, toolset: str, listed: bool, reads_only: bool) -> bool:
        if name in self.excluded or (self.read_only and not reads_only):
            return False
        return name in self.tools or (self.names(toolset) if self.toolsets else listed)


def _names(text: str) -> frozenset[str]:
    return frozenset(filter(None, (part.strip() for part in text.split(","))))
