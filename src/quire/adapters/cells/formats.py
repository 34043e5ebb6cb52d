"""Every format of scratch notebooks, by name; files and folders too."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json as parse_json

from quire.adapters.cells import ipynb, srcmd
from quire.domain.cells import Sheet
from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.scratch import JSON_FACTS

FILE_LIMIT = 32 * 1024 * 1024
FOLDER_FILES = 500


class CellFormats:
    """srcmd, ipynb and JSON, both ways."""

    def decode(self, format: str, text: str, files: Mapping[str, str] | None = None) -> Sheet:
        if format == "srcmd":
            return srcmd.decode(text, files)
        return {"ipynb": ipynb.decode, "json": from_json}[format](text)

    def encode(self, format: str, sheet: Sheet, *, lenient: bool = False) -> str:
        if format == "srcmd":
            return srcmd.encode(sheet, lenient=lenient)
        return {"ipynb": ipynb.encode, "json": to_json}[format](sheet)

    def read(self, format: str, path: str) -> Sheet:
        """A notebook from a file; srcmd also from a folder with README.md, package.json and src/."""
        place = Path(path).expanduser()
        if format == "srcmd" and place.is_dir():
            files = folder_files(place)
            if "README.md" not in files:
                raise InvalidInput("path: the folder has no README.md.", field="path")
            sheet = srcmd.decode(files["README.md"], files)
            return with_tsconfig(sheet, files)
        return self.decode(format, read_text(place))

    def folder(self, sheet: Sheet) -> dict[str, str]:
        """The files of the folder form, by their paths in it."""
        files = {"README.md": srcmd.encode(sheet, linked=True)}
        for number, cell in enumerate(srcmd.ordered(sheet.cells)):
            if cell.type == "package.json":
                files["package.json"] = cell.source
            elif cell.type == "code" and not cell.linked:
                files[f"src/{srcmd.code_name(number, cell)}"] = cell.source
        if sheet.tsconfig is not None:
            files["tsconfig.json"] = json.dumps(sheet.tsconfig, indent=2, ensure_ascii=False) + "\n"
        return files


def from_json(text: str) -> Sheet:
    """A sheet, or a whole notebook as its resource gives it."""
    try:
        given = parse_json(text)
        if isinstance(given, dict):
            given = {name: value for name, value in given.items() if name not in JSON_FACTS}
        return Sheet.model_validate(given)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"])) or "text"
        raise InvalidInput(f"This is not a notebook in our JSON: {where}: {problem['msg']}.") from None
    except ValueError as error:
        raise InvalidInput(f"This is not JSON: {error}.") from None


def to_json(sheet: Sheet) -> str:
    return sheet.model_dump_json(indent=2, exclude_defaults=True, exclude={"warnings"}) + "\n"


def with_tsconfig(sheet: Sheet, files: Mapping[str, str]) -> Sheet:
    if "tsconfig.json" not in files or sheet.language != "typescript":
        return sheet
    try:
        config = json.loads(files["tsconfig.json"])
    except (json.JSONDecodeError, RecursionError):
        return sheet.model_copy(update={"warnings": [*sheet.warnings, "tsconfig.json is not JSON; it was left out."]})
    return sheet.model_copy(update={"tsconfig": config}) if isinstance(config, dict) else sheet


def folder_files(place: Path) -> dict[str, str]:
    """What the folder form is made of; links are not followed."""
    files: dict[str, str] = {}
    for path in sorted([*place.iterdir(), *(place / "src").glob("*")]):
        if len(files) >= FOLDER_FILES:
            raise TooLarge(f"path: the folder has more than {FOLDER_FILES} files.", field="path")
        name = path.relative_to(place).as_posix()
        wanted = name in ("README.md", "package.json", "tsconfig.json") or name.startswith("src/")
        if wanted and not path.is_symlink() and not path.parent.is_symlink() and path.is_file():
            files[name] = read_text(path)
    return files


def read_text(path: Path) -> str:
    try:
        # A pipe with nobody at its other end would never open.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with open(file, "rb") as opened:
            facts = os.fstat(file)
            if not stat.S_ISREG(facts.st_mode):
                raise InvalidInput("path: is not a file.", field="path")
            if facts.st_size > FILE_LIMIT:
                raise TooLarge(f"path: the file is larger than {FILE_LIMIT:,} bytes.", field="path")
            text = opened.read(FILE_LIMIT + 1).decode("utf-8")
    except OSError:
        raise InvalidInput("path: there is no file at that path that can be read.", field="path") from None
    except UnicodeDecodeError:
        raise InvalidInput("path: the file is not UTF-8 text.", field="path") from None
    if "\0" in text:
        raise InvalidInput("path: the file is not text.", field="path")
    return text
