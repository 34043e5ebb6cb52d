"""A folder of files: found by name and words, read safely, and no way out of it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from quire.adapters.finders.drive_folder import DriveFolder
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError, Unsupported
from quire.domain.files import CHUNK

pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "drive"
    (made / "reports").mkdir(parents=True)
    (made / "reports" / "Honey_2024.md").write_text("# Harvest\n\nThe hives gave forty kilos of honey.\n")
    (made / "ships.txt").write_text("The harbour holds ships.\nHoney is shipped in barrels.\n")
    (made / "photo of honey.png").write_bytes(b"\x89PNG")
    (made / ".hidden honey.txt").write_text("honey honey honey")
    (tmp_path / "outside.txt").write_text("secret honey")
    return made


async def test_files_are_found_by_their_names_and_by_their_words(folder: Path) -> None:
    found = await DriveFolder(folder).find("honey harvest", 10, "en")
    assert [one.file for one in found] == ["reports/Honey_2024.md", "photo of honey.png", "ships.txt"]
    assert "forty kilos" in found[0].snippet
    assert await DriveFolder(folder).find("zebra", 10, "en") == []


async def test_a_file_is_read_whole(folder: Path) -> None:
    upload = await DriveFolder(folder).file("reports/Honey_2024.md")
    data = b"".join([chunk async for chunk in upload.chunks()])
    assert (upload.name, data) == ("Honey_2024.md", (folder / "reports" / "Honey_2024.md").read_bytes())


async def test_no_path_leads_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    drive = DriveFolder(folder)
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder)
    for path in ("../outside.txt", "/etc/passwd", "reports/../../outside.txt", "link.txt", "up/outside.txt",
                 "loop/ships.txt", "", ".", "reports", "reports/", "x\0y", "a" * 5_000, "\udcff"):  # fmt: skip
        with pytest.raises((InvalidInput, NotFound)):
            await drive.file(path)
    found = {one.file for one in await drive.find("honey secret", 50, "en")}
    assert found == {"reports/Honey_2024.md", "photo of honey.png", "ships.txt"}


async def test_what_is_no_regular_file_is_neither_found_nor_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "honey pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "honey.sock"))
        drive = DriveFolder(folder)
        for name in ("honey pipe.txt", "honey.sock"):
            with pytest.raises(NotFound):
                await drive.file(name)
        assert not {"honey pipe.txt", "honey.sock"} & {one.file for one in await drive.find("honey", 50, "en")}


async def test_a_file_that_changes_while_it_is_read_is_refused(folder: Path) -> None:
    path = folder / "large.txt"
    path.write_bytes(b"a" * (3 * CHUNK))
    upload = await DriveFolder(folder).file("large.txt")
    chunks = upload.chunks()
    await anext(chunks)
    path.write_bytes(b"b" * (2 * CHUNK))
    with pytest.raises(Conflict, match="changed while"):
        async for _ in chunks:
            pass


async def test_a_file_that_became_a_link_after_it_was_found_is_not_followed(folder: Path, tmp_path: Path) -> None:
    drive = DriveFolder(folder)
    assert (await drive.find("harbour", 1, "en"))[0].file == "ships.txt"
    (folder / "ships.txt").unlink()
    (folder / "ships.txt").symlink_to(tmp_path / "outside.txt")
    with pytest.raises(NotFound):
        await drive.file("ships.txt")


async def test_a_folder_that_is_not_there_says_which_setting_names_it(tmp_path: Path) -> None:
    with pytest.raises(Unsupported) as caught:
        await DriveFolder(tmp_path / "none").find("honey", 5, "en")
    assert "drive" in (caught.value.hint or "")
    with pytest.raises(QuireError):
        await DriveFolder(tmp_path / "none").file("x")
