"""Makes a small home with what this version of Quire can keep, as a fixture: `python tests/homes/make_home.py NAME`.

Made once for every schema, by the version that brought it, and never again.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

import quire

TEXT = "Photosynthesis makes sugar. Leaves are green because of chlorophyll.\n\nRoots drink water from the soil."


def fill(home: Path) -> None:
    with quire.open_sync(home, embedder="none") as library:
        notebook = library.notebooks.create("Plants")
        library.notes.create(notebook.id, "Shopping", "Milk and bread")
        library.sources.add_text(notebook.id, "Photosynthesis", TEXT)
        library.chat.ask(notebook.id, "Why are leaves green?")
        library.books.create("my-book", "My book")
        for word in ("Old", "New"):
            library.books.write_content("my-book", "lessons/one.md", f"# One\n\n{word} words.\n")
        library.books.add_to_notebook("my-book", notebook.id)


def pack(home: Path, target: Path) -> None:
    """Without what can be made again, and without the secret: it is for tests alone."""
    with closing(sqlite3.connect(home / "quire.db")) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted([home / "quire.db", *(home / "shelf").rglob("*")]):
            if file.is_file():
                archive.write(file, file.relative_to(home))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder))
        pack(Path(folder), Path(__file__).with_name(f"{sys.argv[1]}.zip"))
