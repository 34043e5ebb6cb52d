"""Templates for positional arrays: one description reads and writes them.

NotebookLM sends protobuf messages as nested lists without names. A template gives the places names:

    SOURCE = Record(Source, [[Slot("id", text, needed=True)], Slot("title", text), At({1: Slot("words", integer)})])
    SOURCE.value([["s1"], "A title", [None, 120]])     # Source(id="s1", title="A title", words=120)
    SOURCE.wire(Source(id="s1", title="A title", words=120))  # and back

- a plain list has fixed places, `At` has sparse ones (written up to the last that is filled);
- `Slot` is a named place, `Part` a named record, `Each` a named list of rows, `Maybe` a tail that is left out
  when empty, `Either` several layouts of the same thing (the first is written), `Mark` a constant that must match;
- `Known` is a place that is left alone;
- anything else is a constant that is written and never compared: option blocks come in many versions.

Reading is strict where something has a meaning: a wrong type, or a needed place that is empty, is drift. It is
tolerant of all else: short rows, more places than known, empty messages. A slot or list that is `loose` holds what
is good to know but carries nothing; there a wrong shape is passed over. `unread` lists what a template did not use.
"""

from __future__ import annotations

from quire.notebooklm.wire.lists import At, Listed, Maybe, node
from quire.notebooklm.wire.nodes import Constant, Drift, Get, Kind, Known, Mark, Node, Slot, json_type
from quire.notebooklm.wire.rows import Done, Each, Either, Nothing, Part, Record, Sole

__all__ = [
    "At",
    "Constant",
    "Done",
    "Drift",
    "Each",
    "Either",
    "Get",
    "Kind",
    "Known",
    "Listed",
    "Mark",
    "Maybe",
    "Node",
    "Nothing",
    "Part",
    "Record",
    "Slot",
    "Sole",
    "json_type",
    "node",
]
