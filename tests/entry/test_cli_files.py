"""Where the command line puts a file that was made."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from quire.domain.files import Download, Upload
from quire.entry.cli import main
from quire.entry.cli.saving import Target, bare_name


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a home beside it that holds one note."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert main(["--home", str(tmp_path / "home"), "note", "add", "Title", "Text"]) == 0
    return folder


def export(here: Path, *arguments: str) -> int:
    return main(["--home", str(here.parent / "home"), "note", "export", *arguments])


def test_an_export_is_saved_under_its_own_name_in_the_current_folder(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(here) == 0
    assert "# Title" in (here / "notes.md").read_text()
    assert "Saved notes.md" in capsys.readouterr().out
    assert [path.name for path in here.iterdir()] == ["notes.md"]


def test_a_named_file_is_not_overwritten_unless_forced(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.md").write_text("mine")
    capsys.readouterr()
    assert export(here, "-o", "mine.md") == 5
    assert (here / "mine.md").read_text() == "mine"
    ended = capsys.readouterr()
    assert ended.out == ""
    assert "--force" in ended.err
    assert export(here, "-o", "mine.md", "--force") == 0
    assert "# Title" in (here / "mine.md").read_text()


def test_a_refused_file_costs_no_work_where_its_name_is_known_beforehand(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.md").write_text("mine")
    export(here, "-o", "mine.md")
    export(here, "-o", "no/such/folder/mine.md")
    capsys.readouterr()
    assert main(["--home", str(here.parent / "home"), "job", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0


def test_a_file_whose_name_is_taken_can_still_be_fetched_from_its_job(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "notes.md").write_text("mine")
    capsys.readouterr()
    assert export(here) == 5
    hint = capsys.readouterr().err.splitlines()[-1]
    assert (here / "notes.md").read_text() == "mine"
    words = hint.split("quire ")[1].split()
    job_id = words[words.index("file") + 1]
    assert main(["--home", str(here.parent / "home"), "job", "file", job_id, "-o", "other.md"]) == 0
    assert "# Title" in (here / "other.md").read_text()


def test_a_folder_takes_the_file_under_its_own_name(here: Path) -> None:
    (here / "folder").mkdir()
    assert export(here, "--output", "folder") == 0
    assert "# Title" in (here / "folder/notes.md").read_text()


def test_a_dash_writes_the_file_and_nothing_else_to_stdout(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert export(here, "-o", "-") == 0
    assert capsysbinary.readouterr().out.endswith(b"<!-- quire notes -->\n# Title\n\nText\n\n")
    assert list(here.iterdir()) == []


def test_a_file_and_json_cannot_both_have_stdout(here: Path) -> None:
    assert export(here, "-o", "-", "--json") == 2
    assert export(here, "-o", "mine.md", "--no-wait") == 2


def test_a_file_that_cannot_be_written_is_an_error_with_its_name(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "x" * 300
    assert export(here, "-o", name) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_nothing_is_left_behind_when_saving_fails(tmp_path: Path) -> None:
    async def broken() -> None:
        async def chunks():  # type: ignore[no-untyped-def]
            yield b"the beginning"
            raise OSError(5, "Input/output error")

        facts = Download(name="a.md", media_type="text/plain", size=100, sha256="0" * 64)
        await Target(str(tmp_path / "a.md"), force=True).save(facts.opened_from(lambda start: chunks()))

    with pytest.raises(Exception, match="cannot be written"):
        asyncio.run(broken())
    assert list(tmp_path.iterdir()) == []


def test_whoever_makes_the_file_meanwhile_keeps_it(tmp_path: Path) -> None:
    target = Target(str(tmp_path / "a.md"), force=False)
    target.check()

    async def late() -> None:
        async def chunks():  # type: ignore[no-untyped-def]
            (tmp_path / "a.md").write_text("theirs")
            yield b"ours"

        facts = Download(name="a.md", media_type="text/plain", size=4, sha256="0" * 64)
        await target.save(facts.opened_from(lambda start: chunks()))

    with pytest.raises(Exception, match="exists already"):
        asyncio.run(late())
    assert (tmp_path / "a.md").read_text() == "theirs"
    assert os.listdir(tmp_path) == ["a.md"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("notes.md", "notes.md"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        (".bashrc", "bashrc"),
        ("a\x1b[31m\nb.md", "a[31mb.md"),
        ("..", "quire-file"),
        ("", "quire-file"),
    ],
)
def test_a_files_name_cannot_lead_elsewhere(given: str, kept: str) -> None:
    assert bare_name(given) == kept


def test_an_upload_keeps_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"# One\r\n")

    async def read() -> bytes:
        return b"".join([chunk async for chunk in Upload.of(tmp_path / "a.md").chunks()])

    assert asyncio.run(read()) == b"# One\r\n"
