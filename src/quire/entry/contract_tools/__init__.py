"""What the contracts fix: a contract for a toolset, and the tools that are more than their capability."""

from __future__ import annotations

from typing import Any

from quire.api.capability import Capability
from quire.entry.contract_tools.books import BookContract
from quire.entry.contract_tools.contract import Contract
from quire.entry.contract_tools.contract_tool import ContractTool
from quire.entry.contract_tools.notebooks import NOTEBOOK_TOOLS, NotebookContract
from quire.entry.contract_tools.notes import NOTE_TOOLS, NoteContract
from quire.entry.contract_tools.scratch import ScratchContract
from quire.entry.contract_tools.source_search import SearchSources

BOOKS = BookContract()
CONTRACTS: dict[str, Contract] = {
    "notebooks": NotebookContract(),
    "notes": NoteContract(),
    "books": BOOKS,
    "books_more": BOOKS,
    "scratch": ScratchContract(),
}
CONTRACT_TOOLS: dict[str, ContractTool[Any, Any]] = {
    one.tool: one for one in (*NOTEBOOK_TOOLS, SearchSources(), *NOTE_TOOLS)
}
OWN = Contract()


def contract_of(capability: Capability) -> Contract:
    """What is said of all tools of its toolset."""
    return CONTRACTS.get(capability.toolset, OWN)
