"""Books from the command line: a folder comes in, is searched, and goes out again."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

from command_line import quire_here

from warm_start import warm_python

FILES = {
    "lessons/part-1/one.md": b"# One\r\nOpenDAL\n",
    "chapters/chapter-01/.summary.md": b"A summary\n",
    "assets/images/dot.png": b"\x89PNG\r\n\x1a\n" + bytes(50),
}


def quire(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = quire_here(home, *arguments)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def folder(tmp_path: Path, files: dict[str, bytes]) -> Path:
    root = tmp_path / "My-Folder"
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def test_a_folder_is_imported_searched_and_exported(tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = quire(home, "book", "import", str(folder(tmp_path, FILES)))
    assert (done.returncode, done.stdout) == (0, "3 files came into my-folder.\n"), done.stderr
    assert (
        quire(home, "book", "grep", "my-folder", "Open").stdout == "books/my-folder/lessons/part-1/one.md:2:OpenDAL\n"
    )
    listed = quire(home, "book", "glob", "my-folder", "**/*.md").stdout.splitlines()
    assert listed == ["books/my-folder/chapters/chapter-01/.summary.md", "books/my-folder/lessons/part-1/one.md"]
    target = tmp_path / "out.zip"
    assert quire(home, "book", "export", "my-folder", "-o", str(target)).returncode == 0
    with zipfile.ZipFile(target) as archive:
        assert {path: archive.read(path) for path in FILES} == FILES


def test_what_cannot_be_in_a_book_is_left_out_and_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    source = folder(tmp_path, {"ok.md": b"fine", "with space.md": b"x", "binary.md": b"\xff\xfe"})
    (source / "link.md").symlink_to(source / "ok.md")
    done = quire(home, "book", "import", str(source), "--book-id", "other", "--json")
    assert done.returncode == 2
    result = json.loads(done.stdout)
    assert (result["book_id"], result["imported"], sorted(result["refused"])) == (
        "other",
        1,
        ["binary.md", "with space.md"],
    )
    again = quire(home, "book", "import", str(source), "--book-id", "other")
    assert again.returncode == 2
    assert again.stdout == "0 files came into other, 1 were there already.\n"
    assert "with space.md" in again.stderr


def test_only_what_has_changed_is_imported_again(tmp_path: Path) -> None:
    home, source = tmp_path / "home", folder(tmp_path, FILES)
    (source / ".git").mkdir()
    (source / ".git/config").write_text("not for a book")
    assert quire(home, "book", "import", str(source)).returncode == 0
    (source / "lessons/part-1/one.md").write_bytes(b"another text")
    (source / "lessons/large.md").write_bytes(b"x" * (1024 * 1024 + 1))
    done = quire(home, "book", "import", str(source), "--json")
    result = json.loads(done.stdout)
    assert (result["imported"], result["unchanged"]) == (1, 2)
    assert result["refused"] == {"lessons/large.md": "It has more than 1,048,576 bytes, and is not in assets."}
    history = json.loads(quire(home, "book", "history", "my-folder", "lessons/part-1/one.md", "--json").stdout)
    assert history["total"] == 2


def test_a_file_is_read_byte_for_byte_and_a_diff_can_be_piped(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert quire(home, "book", "import", str(folder(tmp_path, FILES))).returncode == 0
    read = subprocess.run(
        [*warm_python(), "-m", "quire", "book", "read", "my-folder", "lessons/part-1/one.md", "--home", str(home)],
        capture_output=True, timeout=120,
    )  # fmt: skip
    assert read.stdout == FILES["lessons/part-1/one.md"]
    assert quire(home, "book", "edit", "my-folder", "lessons/part-1/one.md", "append", "more").returncode == 0
    diff = quire(home, "book", "diff", "my-folder", "lessons/part-1/one.md", "1").stdout
    assert diff.startswith("--- books/my-folder/lessons/part-1/one.md (revision 1)\n+++ ")
    assert "\n+more\n" in diff
    assert quire(home, "book", "list-assets", "my-folder").stdout.split()[-5:-2] == ["bytes", "image/png", "owner"]
    assert quire(home, "book", "list-overlays", "my-folder").stdout == "No overlays.\n"
