"""The table of methods: all that NotebookLM's web client can ask for."""

from __future__ import annotations

from quire.notebooklm.methods import artifacts, chat, labels, notebooks, notes, research, settings, sharing, sources
from quire.notebooklm.methods.method import Method

METHODS: dict[str, Method] = {
    method.id: method
    for noun in (notebooks, sources, labels, chat, notes, artifacts, research, sharing, settings)
    for method in noun.METHODS
}
BY_NAME: dict[str, Method] = {method.name: method for method in METHODS.values()}
