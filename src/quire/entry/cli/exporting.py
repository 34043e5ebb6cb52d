"""`quire notebook export`: a file, or a folder of plain Markdown."""

from __future__ import annotations

import asyncio
import io
import re
import secrets
import shutil
import zipfile
from pathlib import Path
from typing import Any

import click

from quire.domain.errors import Conflict, InvalidInput
from quire.domain.files import Download
from quire.entry.cli.commands import CapabilityCommand, Flags, NounCommands
from quire.entry.cli.saving import Target, named

NAMES = re.compile(r"index\.md|(?:notes|sources|conversations)/[^/\\\0]{1,255}\.md")


class NotebookCommands(NounCommands):
    """The commands about notebooks, one of which can make a folder."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        capability = self.verbs.get(cmd_name)
        if capability is not None and capability.tool == "export_notebook":
            return ExportCommand(capability)
        return super().get_command(ctx, cmd_name)


class ExportCommand(CapabilityCommand):
    def target(self, given: dict[str, Any], flags: Flags, context: click.Context) -> Target | None:
        output = given["output"]
        if given.get("format") == "markdown" and output not in (None, "-") and not output.endswith(".zip"):
            folder = Folder(output, given["force"])
            folder.check()
            return folder
        return super().target(given, flags, context)


class Folder(Target):
    """What `--output` names where the files are to lie in it, and not in a ZIP."""

    def __init__(self, output: str, force: bool) -> None:
        super().__init__(output, force)
        self._folder = Path(output)
        self._over = force

    def check(self) -> None:
        with named(self._folder):
            if self._folder.exists() and not self._folder.is_dir():
                raise Conflict(f"'{self._folder}' is a file.", hint="-o names the folder that gets the Markdown.")
            if self._folder.is_dir() and any(self._folder.iterdir()) and not self._over:
                raise Conflict(f"'{self._folder}' is not empty.", hint="--force writes into it; -o names another.")

    async def save(self, file: Download) -> Path | None:
        """All files come together, beside the folder, which they then become; into one that is there, one by one."""
        self.check()
        part = self._folder.with_name(f".{self._folder.name}.{secrets.token_hex(4)}.part")
        try:
            with named(self._folder):
                await asyncio.to_thread(_unpack, await file.read(), part)
                if self._folder.exists():
                    await asyncio.to_thread(shutil.copytree, part, self._folder, dirs_exist_ok=True)
                else:
                    part.rename(self._folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return self._folder


def _unpack(data: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if not NAMES.fullmatch(name):
                raise InvalidInput("The ZIP holds a file that does not belong in it.")
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
