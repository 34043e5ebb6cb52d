"""The languages of notebooks, kept by generation: a search asks for them each time, and they hardly ever change."""

from __future__ import annotations

import json
from collections.abc import Sequence

from quire.ports.store import Tx

REMEMBERED = 10_000


class NotebookLanguages:
    def __init__(self) -> None:
        self._known: dict[str, tuple[int, tuple[str, ...]]] = {}

    def of(self, tx: Tx, notebook_ids: Sequence[str]) -> list[str]:
        """The languages of the sources that can be searched, each once."""
        if len(notebook_ids) == 1:
            row = tx.one("generation_of", notebook_id=notebook_ids[0])
            numbers = {} if row is None else {notebook_ids[0]: row["number"]}
        else:
            rows = tx.all("generations_of", notebook_ids=json.dumps(list(notebook_ids)))
            numbers = {row["notebook_id"]: row["number"] for row in rows}
        spoken: dict[str, None] = {}
        for notebook_id, number in numbers.items():
            known = self._known.get(notebook_id)
            if known is None or known[0] != number:
                rows = tx.all("languages_of", notebook_id=notebook_id)
                known = (number, tuple(sorted(row["language"] for row in rows)))
                if len(self._known) >= REMEMBERED:
                    self._known.clear()
                self._known[notebook_id] = known
            spoken.update(dict.fromkeys(known[1]))
        return list(spoken)
