"""Books from the command line: a folder comes in, is searched, and goes out again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

FILES = {
    "lessons/part-1/one.md": b"# One\r\nOpenDAL\n",
    "chapters/chapter-01/.summary.md": b"A summary\n",
    "assets/images/dot.png": b"\x89PNG\r\n\x1a\n" + bytes(50),
}


def quire(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "quire", *arguments, "--home", str(home)],
        capture_output=True,
        text=True,
        timeout=120,
        env=dict(os.environ),
    )


def folder(tmp_path: Path, files: dict[str, bytes]) -> Path:
    root = tmp_path / "My-Folder"
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def test_a_folder_is_imported_searched_and_exported(tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = quire(home, "book", "import", str(folder(tmp_path, FILES)))
    assert (done.returncode, done.stdout) == (0, "3 files are in my-folder.\n"), done.stderr
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
    assert "with space.md" in again.stderr
