"""The tools that a client is offered; built when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import Any

import mcp_types as types

from quire.api.capability import Capability
from quire.domain.errors import InvalidInput
from quire.entry.mcp.selection import ALL, Selection
from quire.entry.mcp.tools import CapabilityTool, Tool


class Toolbox:
    def __init__(self, selection: Selection, tools: Callable[[], Iterable[Tool]]) -> None:
        self._selection = selection
        self._tools = tools

    @property
    def read_only(self) -> bool:
        return self._selection.read_only

    @cached_property
    def _known(self) -> list[Tool]:
        return list(self._tools())

    @cached_property
    def _offered(self) -> dict[str, Tool]:
        return {
            tool.name: tool
            for tool in self._known
            if self._selection.offers(tool.name, tool.toolset, tool.listed, tool.reads_only)
        }

    @property
    def names(self) -> Collection[str]:
        """What the tools that are offered are called."""
        return self._offered.keys()

    @cached_property
    def _by_any_name(self) -> dict[str, Tool]:
        aliases = {alias: tool for tool in self._offered.values() for alias in tool.aliases}
        return aliases | self._offered

    @cached_property
    def declarations(self) -> list[types.Tool]:
        return [tool.declaration(self.read_only) for tool in self._offered.values()]

    def check(self) -> None:
        """Refuses a selection that names a tool or a toolset which does not exist, so that a typo is not silence."""
        if self._selection.toolsets:
            toolsets = list(dict.fromkeys(tool.toolset for tool in self._known))
            if unknown := sorted(self._selection.toolsets.difference(toolsets, {ALL})):
                raise InvalidInput(
                    f"There is no toolset '{unknown[0]}'.", hint=f"Toolsets: {', '.join(toolsets)}, {ALL}."
                )
        named = self._selection.tools | self._selection.excluded
        names = [tool.name for tool in self._known] if named else []
        if unknown := sorted(named.difference(names)):
            raise InvalidInput(f"There is no tool '{unknown[0]}'.", hint=f"Tools: {', '.join(names)}.")

    def find(self, name: str) -> Tool | None:
        """A tool by its name or an alias of it."""
        return self._by_any_name.get(name)

    def is_short_call(self, name: str) -> bool:
        """Whether a tool's calls are over so soon that nobody ends one early."""
        tool = self.find(name)
        return tool is not None and tool.is_short

    def schema(self, name: str) -> dict[str, Any] | None:
        """The input schema of a tool; the SDK asks for it with every call over HTTP."""
        tool = self.find(name)
        return None if tool is None else self._schemas[tool.name]

    @cached_property
    def _schemas(self) -> dict[str, dict[str, Any]]:
        return {tool.name: tool.input_schema for tool in self.declarations}


def all_tools(capabilities: Iterable[Capability], timeout: float = 0) -> Iterable[Tool]:
    """Every tool there is: a contract's own where it has one, else the capability itself."""
    from quire.entry.contract_tools import CONTRACT_TOOLS, contract_of

    for capability in capabilities:
        yield CapabilityTool(capability, contract_of(capability), CONTRACT_TOOLS.get(capability.tool), timeout)
