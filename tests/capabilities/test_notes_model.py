"""Notes against a model of them: a list in memory that does the same."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from quire.api.library import Library
from quire.domain.errors import Conflict, NotFound
from quire.domain.notes import Note
from quire.entry.bootstrap import build
from quire.entry.settings import load

WORDS = st.text(st.sampled_from("aAßSsİi%_.\N{CAT}é "), min_size=1, max_size=6)
TITLES = WORDS.filter(lambda title: title.strip())


@dataclass
class Known:
    """What the model knows of a note."""

    title: str
    content: str
    revision: int = 1
    updated: bool = False

    def change(self, title: str, content: str) -> None:
        self.revision += (title, content) != (self.title, self.content)
        self.title, self.content, self.updated = title, content, True


class NotesModel(RuleBasedStateMachine):
    """Rules call the library and the model alike; the invariants compare what both would show."""

    notes = Bundle("notes")
    gone = Bundle("gone")

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self.runner = asyncio.Runner()
        self.library = self.opened()
        self.known: dict[str, Known] = {}

    def opened(self) -> Library:
        return build(load({"home": self.home}, {}))

    def teardown(self) -> None:
        self.runner.run(self.library.close())
        self.runner.close()
        shutil.rmtree(self.home)

    def agrees(self, note: Note) -> None:
        known = self.known[note.id]
        assert (note.title, note.content, note.revision) == (known.title, known.content, known.revision)
        assert (note.updated_at is not None) == known.updated

    @rule(target=notes, title=TITLES, content=WORDS)
    def create(self, title: str, content: str) -> str:
        note = self.runner.run(self.library.notes.create(None, title, content))
        assert note.id not in self.known
        self.known[note.id] = Known(title.strip(), content)
        self.agrees(note)
        return note.id

    @rule(target=notes, drafts=st.lists(st.tuples(TITLES, WORDS), min_size=2, max_size=5))
    def create_at_once(self, drafts: list[tuple[str, str]]) -> object:
        async def main() -> list[Note]:
            return await asyncio.gather(*[self.library.notes.create(None, *draft) for draft in drafts])

        made = self.runner.run(main())
        listed = [note.id for note in self.runner.run(self.library.notes.list(limit=len(drafts)))]
        for note in sorted(made, key=lambda note: -listed.index(note.id)):
            self.known[note.id] = Known(note.title, note.content)
        assert sorted((note.title, note.content) for note in made) == sorted((t.strip(), c) for t, c in drafts)
        return multiple(*[note.id for note in made])

    @rule(id=notes, short=st.booleans())
    def get(self, id: str, short: bool) -> None:
        self.agrees(self.runner.run(self.library.notes.get(None, id[:8] if short else id)))

    @rule(id=notes, title=st.none() | TITLES, content=WORDS)
    def update(self, id: str, title: str | None, content: str) -> None:
        note = self.runner.run(self.library.notes.update(None, id, content, title))
        known = self.known[id]
        known.change(known.title if title is None else title.strip(), content)
        self.agrees(note)

    @rule(id=notes, revision=st.integers(1, 4))
    def update_at_revision(self, id: str, revision: int) -> None:
        known = self.known[id]
        try:
            self.runner.run(self.library.notes.update(None, id, "won", revision=revision))
        except Conflict:
            assert revision != known.revision
        else:
            assert revision == known.revision
            known.change(known.title, "won")

    @rule(target=gone, id=consumes(notes))
    def delete(self, id: str) -> str:
        self.agrees(self.runner.run(self.library.notes.delete(None, id)))
        del self.known[id]
        return id

    @rule(id=gone)
    def miss(self, id: str) -> None:
        for call in (self.library.notes.get, self.library.notes.delete):
            with pytest.raises(NotFound):
                self.runner.run(call(None, id))

    @rule(query=WORDS)
    def search(self, query: str) -> None:
        folded = query.casefold()
        expected = [
            id
            for id, known in reversed(self.known.items())
            if folded in known.title.casefold() or folded in known.content.casefold()
        ]
        page = self.runner.run(self.library.notes.search(None, query))
        assert [hit.note.id for hit in page] == expected
        assert page.total == len(expected)

    @rule(limit=st.integers(1, 4))
    def list_in_pages(self, limit: int) -> None:
        seen: list[str] = []
        cursor = None
        while True:
            page = self.runner.run(self.library.notes.list(None, limit, cursor))
            seen += [note.id for note in page]
            assert page.total == len(self.known)
            assert page.truncated == (len(seen) < len(self.known))
            cursor = page.cursor
            if cursor is None:
                break
        assert seen == list(reversed(self.known))

    @rule()
    def close_and_open_again(self) -> None:
        self.runner.run(self.library.close())
        self.library = self.opened()

    @invariant()
    def the_newest_is_first(self) -> None:
        page = self.runner.run(self.library.notes.list(limit=1))
        assert [note.id for note in page] == list(reversed(self.known))[:1]


NotesModel.TestCase.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
test_notes_do_what_their_model_does = NotesModel.TestCase
