"""A folder as a storage of books: whatever a path is made of, nothing outside the root is read or changed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quire.adapters.book_storage.folder import FolderStorage
from quire.domain.books import RESERVED, check_path, stored
from quire.domain.errors import QuireError

SECRET = b"nobody may see this"
BOOK = "my-book"

# Names that lead somewhere in the trap below, and pieces that might be taken for something else.
NAMES = ["a.md", "folder", "link.md", "out", "loop", "up", "deep", "new.md", "pipe", "abs", "hard"]
PIECES = [
    ".", "..", "...", "/", "//", "\\", "%2e", "%2f", "%5c", "%00", "\0", "\n", " ", "~", "$HOME", ":", "C:", "*", "?",
    "．", "／", "＼", "\u2024", "\u2025", "\u2044", "\u2215", "\u29f8", "\u202e", "\u200b", "\ufeff", "e\u0301", "é",
    "с", "\ud800", "book.yaml", "BOOK.YAML", "registry.yaml", "archives", ".quire", ".audit", "audit", "con", "nul",
]  # fmt: skip
SEGMENTS = st.one_of(st.sampled_from(NAMES), st.sampled_from(PIECES), st.text(max_size=8))
PATHS = st.one_of(
    st.lists(SEGMENTS, min_size=1, max_size=6).map("/".join),
    st.lists(SEGMENTS, min_size=1, max_size=6).map("".join),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join),
    st.text(max_size=40),
    st.lists(SEGMENTS, min_size=1, max_size=4).map(lambda parts: "../" * 5 + "/".join(parts)),
    st.integers(250, 260).map("a".__mul__),
)


@contextmanager
def trap() -> Iterator[tuple[FolderStorage, Path, Path]]:
    """A root with a book full of links, and a folder beside it that must stay as it is."""
    # In memory where that is possible: every step is synced.
    memory = Path("/dev/shm")
    top = Path(tempfile.mkdtemp(dir=memory if os.access(memory, os.W_OK) else None))
    try:
        outside = top / "outside"
        root = top / "root"
        book = root / "books" / BOOK
        (outside / "deep").mkdir(parents=True)
        (book / "folder").mkdir(parents=True)
        for path in (outside / "a.md", outside / "deep" / "a.md", top / "a.md"):
            path.write_bytes(SECRET)
        (book / "a.md").write_bytes(b"ours")
        (book / "folder" / "a.md").write_bytes(b"ours")
        (book / "link.md").symlink_to(outside / "a.md")
        (book / "out").symlink_to(outside)
        (book / "up").symlink_to("../../..")
        (book / "loop").symlink_to("loop")
        (book / "abs").symlink_to("/")
        (book / "folder" / "out").symlink_to("../../../../outside")
        (book / "folder" / "link.md").symlink_to("../../../../outside/a.md")
        os.mkfifo(book / "pipe")
        yield FolderStorage("fs", root), root, outside
    finally:
        shutil.rmtree(top)


def beyond(root: Path) -> dict[str, bytes | str]:
    """All that lies beside the root."""
    return {
        str(path): path.read_bytes() if path.is_file() else "folder"
        for path in sorted(root.parent.rglob("*"))
        if root not in (path, *path.parents)
    }


def use(storage: FolderStorage, key: str, other: str) -> list[bytes]:
    """Does all that a storage can do with a key; returns what could be read."""
    read: list[bytes] = []
    steps = [
        lambda: storage.look(key),
        lambda: read.append((storage.read(key) or (b"",))[0]),
        lambda: read.extend(storage.chunks(key)),
        lambda: [key for key, _ in storage.walk(key)],
        lambda: storage.place(storage.stage(BOOK, b"written"), key, "0" * 64),
        lambda: read.append((storage.read(key) or (b"",))[0]),
        lambda: storage.move(key, other),
        lambda: storage.move(other, key),
        lambda: storage.remove(key, "1" * 64),
        lambda: read.append(storage.version(BOOK, "0" * 64) or b""),
        lambda: read.append(storage.version(BOOK, "1" * 64) or b""),
    ]
    for step in steps:
        with suppress(QuireError, ValueError, UnicodeError):
            step()
    return read


def no_path_leaves_the_root(path: str) -> None:
    """First as a door would, then with a key that nobody has checked."""
    with trap() as (storage, root, _):
        before = beyond(root)
        keys = [stored(BOOK, path), path, unquote(path), f"books/{path}"]
        for key in keys:
            assert SECRET not in b"".join(use(storage, key, f"books/{BOOK}/moved.md"))
            assert SECRET not in b"".join(use(storage, f"books/{BOOK}/a.md", key))
        assert beyond(root) == before
        for found in root.rglob("*"):
            if found.is_file() and not found.is_symlink():
                assert SECRET not in found.read_bytes()


@settings(max_examples=100, deadline=None)
@given(PATHS)
@example("out/a.md")
@example("link.md")
@example("folder/out/deep/new.md")
@example("up/outside/a.md")
@example("abs/etc/passwd")
@example("../../../outside/a.md")
@example("..%2f..%2foutside/a.md")
@example("..%00")
@example("a.md\0.png")
def test_no_path_leaves_the_root(path: str) -> None:
    no_path_leaves_the_root(path)


@pytest.mark.long
@settings(max_examples=3_000, deadline=None)
@given(PATHS)
def test_none_of_thousands_of_paths_leaves_the_root(path: str) -> None:
    no_path_leaves_the_root(path)


@settings(max_examples=400, deadline=None)
@given(PATHS)
def test_a_path_that_passes_is_plain(path: str) -> None:
    try:
        checked = check_path(path, writing=True)
    except QuireError:
        return
    assert checked == path
    assert path.isascii()
    assert 1 <= len(path) <= 255
    assert os.path.normpath(path) == path
    assert not os.path.isabs(path)
    assert unquote(path) == path
    assert path.split("/")[0].lower() not in RESERVED


def test_a_link_in_place_of_the_book_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(SECRET)
    (tmp_path / "root/books").mkdir(parents=True)
    (tmp_path / "root/books" / BOOK).symlink_to(outside)
    storage = FolderStorage("fs", tmp_path / "root")
    assert SECRET not in b"".join(use(storage, f"books/{BOOK}/a.md", f"books/{BOOK}/b.md"))
    assert [path.name for path in outside.iterdir()] == ["a.md"]
    assert list(storage.walk("books")) == []


def test_the_root_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "root").symlink_to(tmp_path / "real")
    storage = FolderStorage("fs", tmp_path / "root")
    storage.place(storage.stage(BOOK, b"x"), f"books/{BOOK}/a.md", None)
    assert (tmp_path / "real/books" / BOOK / "a.md").read_bytes() == b"x"


def test_a_name_exchanged_for_a_link_in_between_is_not_followed(tmp_path: Path) -> None:
    """Many times over, while another thread turns a folder into a link and back."""
    import threading

    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(SECRET)
    book = tmp_path / "root/books" / BOOK
    (book / "real").mkdir(parents=True)
    (book / "real/a.md").write_bytes(b"ours")
    done = threading.Event()

    (book / "link").symlink_to(outside)

    def exchange() -> None:
        while not done.is_set():
            for name in ("real", "link"):
                os.rename(book / name, book / "now")
                os.rename(book / "now", book / name)

    seen = 0
    thread = threading.Thread(target=exchange)
    thread.start()
    storage = FolderStorage("fs", tmp_path / "root")
    try:
        for _ in range(2_000):
            with suppress(QuireError):
                found = storage.read(f"books/{BOOK}/now/a.md")
                assert found is None or found[0] == b"ours"
                seen += found is not None
            with suppress(QuireError):
                assert SECRET not in b"".join(storage.chunks(f"books/{BOOK}/now/a.md"))
    finally:
        done.set()
        thread.join()
    assert [path.name for path in outside.iterdir()] == ["a.md"]
    assert (outside / "a.md").read_bytes() == SECRET
    assert seen


def test_what_is_replaced_is_kept_without_a_copy(tmp_path: Path) -> None:
    storage = FolderStorage("fs", tmp_path)
    key = f"books/{BOOK}/a.md"
    storage.place(storage.stage(BOOK, b"one"), key, None)
    inode = (tmp_path / key).stat().st_ino
    storage.place(storage.stage(BOOK, b"two"), key, "ab" * 32)
    kept = tmp_path / ".quire/versions" / BOOK / ("ab" * 32)
    assert (kept.stat().st_ino, kept.stat().st_nlink) == (inode, 1)


@pytest.mark.parametrize("place", ["", "ab"])
def test_a_version_is_found_in_both_places(tmp_path: Path, place: str) -> None:
    storage = FolderStorage("fs", tmp_path)
    folder = tmp_path / ".quire/versions" / BOOK / place
    folder.mkdir(parents=True)
    (folder / ("ab" * 32)).write_bytes(b"one")
    assert storage.version(BOOK, "ab" * 32) == b"one"
    assert list(storage.versions(BOOK, 2**62)) == ["ab" * 32]
    storage.forget(BOOK, "ab" * 32)
    assert storage.version(BOOK, "ab" * 32) is None


def test_the_hash_of_what_was_put_is_known_until_someone_touches_it(tmp_path: Path) -> None:
    storage = FolderStorage("fs", tmp_path)
    key = stored(BOOK, "a.md")
    staged = storage.stage(BOOK, b"one")
    storage.place(staged, key, None)
    put = storage.look(key)
    assert put is not None
    assert put.sha256 == staged.sha256
    times = (tmp_path / key).stat()
    with (tmp_path / key).open("r+b") as file:
        file.write(b"two")
    os.utime(tmp_path / key, ns=(times.st_atime_ns, times.st_mtime_ns))
    while (tmp_path / key).stat().st_ctime_ns == times.st_ctime_ns:
        os.utime(tmp_path / key, ns=(times.st_atime_ns, times.st_mtime_ns))
    touched = storage.look(key)
    assert touched is not None
    assert (touched.mark, touched.sha256) == (put.mark, None)


@pytest.mark.parametrize("key", ["", ".", "..", "books/..", "books/./a", "books//a", "/etc/passwd", "books/a/", "../a"])
def test_a_key_that_is_none_is_refused(tmp_path: Path, key: str) -> None:
    storage = FolderStorage("fs", tmp_path)
    (tmp_path / "books").mkdir()
    staged = storage.stage(BOOK, b"x")
    for call in (lambda: storage.read(key), lambda: storage.look(key), lambda: storage.place(staged, key, None)):
        with pytest.raises(QuireError):
            call()


def test_a_root_that_is_exchanged_is_the_new_one_at_once(tmp_path: Path) -> None:
    storage, key = FolderStorage("fs", tmp_path / "root"), stored(BOOK, "a.md")
    storage.place(storage.stage(BOOK, b"old"), key, None)
    os.rename(tmp_path / "root", tmp_path / "old")
    assert storage.read(key) is None
    storage.place(storage.stage(BOOK, b"new"), key, None)
    assert (tmp_path / "root" / key).read_bytes() == b"new"
    assert (tmp_path / "old" / key).read_bytes() == b"old"
    shutil.rmtree(tmp_path / "root")
    os.symlink(tmp_path / "old", tmp_path / "root")
    found = storage.read(key)
    assert found is not None
    assert found[0] == b"old"


def test_what_was_seen_is_read_again_only_as_it_was(tmp_path: Path) -> None:
    storage, key = FolderStorage("fs", tmp_path / "root"), stored(BOOK, "a.md")
    storage.place(storage.stage(BOOK, b"old"), key, None)
    seen = storage.look(key)
    assert seen is not None
    # The first time tells it which device it is on.
    assert storage.peek(key, seen) in (None, b"old")
    assert storage.peek(key, seen) == b"old"
    file = tmp_path / "root" / key
    times = file.stat()
    file.write_bytes(b"bad")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    again = storage.look(key)
    assert again is not None
    if again.changed != seen.changed:
        assert storage.peek(key, seen) is None
    file.write_bytes(b"longer")
    assert storage.peek(key, seen) is None
