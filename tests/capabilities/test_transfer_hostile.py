"""Notebook files that are damaged or made to harm: refused whole, with nothing written."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from test_transfer_notebooks import filled

from quire.api.library import Library
from quire.domain.errors import InvalidInput, TooLarge
from quire.domain.files import Upload

# A file is refused before the store hears of it; what could be written there is counted in all tables of one.
pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("store", ["memory"], indirect=True)]


class Forged:
    """A file taken apart, to be changed and put together again with a list that fits."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.files = {name: archive.read(name) for name in archive.namelist()}
        self.manifest: dict[str, Any] = json.loads(self.files.pop("manifest.json"))

    def rows(self, part: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.files[f"data/{part}.jsonl"].splitlines()]

    def change(self, part: str, **columns: Any) -> None:
        """Changes columns of the first row of a part."""
        first, *rest = self.rows(part)
        self.put(part, [{**first, **columns}, *rest])

    def put(self, part: str, rows: list[dict[str, Any]]) -> None:
        self.files[f"data/{part}.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        for one in self.manifest["tables"]:
            if one["name"] == part:
                one["rows"] = len(rows)

    def named(self, beginning: str) -> str:
        return next(name for name in self.files if name.startswith(beginning))

    def packed(self, *, listed: bool = True) -> bytes:
        if listed:
            self.manifest["files"] = [
                {"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                for name, data in self.files.items()
            ]
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.files.items():
                archive.writestr(name, data)
            archive.writestr("manifest.json", json.dumps(self.manifest))
        return made.getvalue()


Forge = Callable[[Forged], bytes]


def unlisted(name: str, data: bytes = b"x") -> Forge:
    def forge(file: Forged) -> bytes:
        file.files[name] = data
        return file.packed()

    return forge


def changed(part: str, **columns: Any) -> Forge:
    def forge(file: Forged) -> bytes:
        file.change(part, **columns)
        return file.packed()

    return forge


def said(**told: Any) -> Forge:
    def forge(file: Forged) -> bytes:
        file.manifest |= told
        return file.packed()

    return forge


def twice(file: Forged) -> bytes:
    made = io.BytesIO(file.packed())
    with zipfile.ZipFile(made, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("index.md", b"again")
    return made.getvalue()


def linked(file: Forged) -> bytes:
    made = io.BytesIO(file.packed())
    with zipfile.ZipFile(made, "a") as archive:
        entry = zipfile.ZipInfo("originals/" + "0" * 64)
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, b"/etc/passwd")
    return made.getvalue()


def patched(at: int, value: bytes) -> Forge:
    """Changes bytes of the first entry in the directory at the end."""

    def forge(file: Forged) -> bytes:
        data = bytearray(file.packed())
        start = data.find(b"PK\x01\x02") + at
        data[start : start + len(value)] = value
        return bytes(data)

    return forge


def truncated(file: Forged) -> bytes:
    data = file.packed()
    return data[: len(data) // 2]


def flipped(file: Forged) -> bytes:
    """One bit of a text, with the ZIP's own sum made to fit."""
    name = file.named("sources/")
    whole = file.files[name]
    listed = json.loads(json.dumps(file.manifest))
    file.files[name] = bytes([whole[0] ^ 1]) + whole[1:]
    file.manifest = listed
    return file.packed(listed=False)


def missing(beginning: str) -> Forge:
    def forge(file: Forged) -> bytes:
        del file.files[file.named(beginning)]
        return file.packed()

    return forge


def bomb(file: Forged) -> bytes:
    """An original of 300 MB of nothing."""
    data = bytes(300 * 2**20)
    file.files["originals/" + hashlib.sha256(data).hexdigest()] = data
    return file.packed()


def overlapping(file: Forged) -> bytes:
    """A directory whose entries all name the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("originals/" + "0" * 64, bytes(100_000))
        first = archive.infolist()[0]
        for number in range(1, 50):
            entry = zipfile.ZipInfo(f"originals/{number:064x}")
            entry.header_offset, entry.CRC = first.header_offset, first.CRC
            entry.file_size = entry.compress_size = first.file_size
            archive.filelist.append(entry)
            archive.NameToInfo[entry.filename] = entry
        archive._didModify = True  # type: ignore[attr-defined]
    return made.getvalue()


def many_entries(file: Forged) -> bytes:
    """The end says that there are a hundred million files."""
    data = bytearray(file.packed())
    at = data.rfind(b"PK\x05\x06")
    record = b"PK\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 10**8, 10**8, 46 * 10**8, 0)
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, at, 1)
    return bytes(data[:at]) + record + locator + bytes(data[at:])


def answered(change: Callable[[dict[str, Any]], object]) -> Forge:
    """With the first answer changed."""

    def forge(file: Forged) -> bytes:
        rows = file.rows("turns")
        change(rows[0]["answer"])
        file.put("turns", rows)
        return file.packed()

    return forge


def row_twice(part: str) -> Forge:
    def forge(file: Forged) -> bytes:
        file.put(part, file.rows(part)[:1] * 2 + file.rows(part)[1:])
        return file.packed()

    return forge


def texted(beginning: str, data: bytes) -> Forge:
    def forge(file: Forged) -> bytes:
        file.files[file.named(beginning)] = data
        return file.packed()

    return forge


def deep(file: Forged) -> bytes:
    file.files["data/labels.jsonl"] = b"[" * 100_000 + b"\n"
    return file.packed()


UNKNOWN = "00000000-0000-4000-8000-000000000000"
HOSTILE: dict[str, Forge] = {
    "no zip": lambda file: b"# Notes",
    "nothing": lambda file: b"",
    "cut off": truncated,
    "a bit that changed": flipped,
    "path up": unlisted("../../evil.md"),
    "absolute path": unlisted("/etc/passwd"),
    "drive letter": unlisted("C:\\evil.md"),
    "backslashes": unlisted("notes\\..\\..\\evil.md"),
    "NUL in a name": patched(46, b"\0"),
    "overlong name": unlisted("notes/" + "a" * 5_000 + ".md"),
    "folder": unlisted("notes/"),
    "names that differ in case": unlisted("INDEX.md"),
    "file twice": twice,
    "link": linked,
    "encrypted": patched(8, struct.pack("<H", 1)),
    "other packing": patched(10, struct.pack("<H", 12)),
    "lie about a size": patched(24, struct.pack("<L", 5)),
    "so large that it must be a lie": patched(24, struct.pack("<L", 2**30)),
    "overlapping entries": overlapping,
    "a hundred million entries": many_entries,
    "original nobody refers to": unlisted("originals/" + "0" * 64),
    "note nobody refers to": unlisted(f"notes/{UNKNOWN}.md"),
    "missing original": missing("originals/"),
    "missing text": missing("sources/"),
    "missing table": missing("data/labels"),
    "manifest of something else": said(format="other"),
    "later edition": said(version=2),
    "another notebook in the manifest": said(notebook_id=UNKNOWN),
    "part left out": said(tables=[]),
    "row twice": row_twice("sources"),
    "two notebooks": row_twice("notebook"),
    "id that is no id": changed("sources", id="../../x"),
    "unknown column": changed("sources", owner="me"),
    "wrong type": changed("notes", revision="1"),
    "time before time": changed("notebook", created_at=-1),
    "time after time": changed("notebook", created_at=2**62),
    "NUL in a row": changed("notebook", title="a\0b"),
    "lone surrogate in a row": changed("notebook", title="\ud800"),
    "too long a title": changed("notebook", title="x" * 1_001),
    "label of a source elsewhere": changed("labels", source_ids=[UNKNOWN]),
    "note of an answer elsewhere": changed("notes", answer_id=UNKNOWN),
    "short id of another": changed("notes", short_id="00000000"),
    "version that is not there": changed("sources", version=7),
    "passage beyond the text": changed("versions", passages=[{"start": 0, "end": 10**6, "place": {}}]),
    "mark beyond the text": changed("versions", marks=[{"offset": -1, "kind": "page", "label": "1"}]),
    "text that is not UTF-8": texted("sources/", b"\xff\xfe"),
    "text with NUL": texted("notes/", b"a\0b"),
    "citation that was made up": answered(lambda answer: answer["citations"][0].update(excerpt="Bees are blue.")),
    "citation before the text": answered(lambda answer: answer["citations"][0].update(start=-5)),
    "answer of another row": answered(lambda answer: answer.update(id=UNKNOWN)),
    "answer without a text": answered(lambda answer: answer.pop("text")),
    "nested without end": deep,
    "artifact of no form": changed("artifacts", content={"sections": 7}),
    "artifact of no kind": changed("artifacts", kind="virus"),
    "artifact without content": changed("artifacts", content=None),
    "artifact's file with a line in its type": changed(
        "artifacts", files=[{"format": "md", "place": 0, "media_type": "text/html\nx", "sha256": "0" * 64}]
    ),
}


async def whole(library: Library) -> bytes:
    notebook = await filled(library, report=True)
    exported = await (await library.notebooks.export(notebook)).read()
    await library.notebooks.delete(notebook)
    return exported


async def state_of(library: Library) -> list[Any]:
    from quire.adapters.sql.sqlite import SqliteStore

    assert isinstance(library.engine.parts.store, SqliteStore)

    def read(tx: Any) -> list[Any]:
        names = [
            row[0]
            for row in tx.connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'library_words%'"
            )
        ]
        return [(name, tx.connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]) for name in names]

    return await library.engine.system.read(read)


@pytest.mark.long
async def test_a_bomb_is_refused_before_it_is_unpacked(library: Library) -> None:
    exported = await whole(library)
    before = await state_of(library)
    with pytest.raises(TooLarge, match="expands to more"):
        await library.notebooks.import_(Upload.of(bomb(Forged(exported)), "bees.quire"))
    assert await state_of(library) == before


async def test_hostile_and_damaged_files_are_refused_whole(library: Library) -> None:
    exported = await whole(library)
    before = await state_of(library)
    accepted = []
    for name, forge in HOSTILE.items():
        data = forge(Forged(exported))
        try:
            await library.notebooks.import_(Upload.of(data, "bees.quire"))
            accepted.append(name)
        except InvalidInput:
            pass
        after = await state_of(library)
        assert after == before, name
    assert accepted == []
    # The same file, put together again without a change, is taken.
    made = await library.notebooks.import_(Upload.of(Forged(exported).packed(), "bees.quire"))
    assert made.title == "Bees & hives"


def first_statement(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["sections"][0]["blocks"][0]["items"][0]["statement"]
    return found


FORGED_WORDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "an excerpt that was made up": lambda one: one["grounds"][0].update(excerpt="Bees are blue."),
    "a text that its excerpt does not bear out": lambda one: one.update(text="Bees are blue reptiles of 1999."),
    "a span elsewhere": lambda one: one["grounds"][0].update(start=0, end=4),
    "a source elsewhere": lambda one: one["grounds"][0].update(source_id=UNKNOWN),
}


@pytest.mark.parametrize("harm", FORGED_WORDS)
async def test_an_artifact_whose_words_do_not_stand_in_its_sources_comes_without_its_files(
    library: Library, harm: str
) -> None:
    file = Forged(await whole(library))
    content = file.rows("artifacts")[0]["content"]
    FORGED_WORDS[harm](first_statement(content))
    file.change("artifacts", content=content)
    made = await library.notebooks.import_(Upload.of(file.packed(), "bees.quire"))
    artifact = (await library.artifacts.list(made.id, kind="report"))[0]
    assert (artifact.state, artifact.formats) == ("draft", [])
    assert "does not stand in the sources" in artifact.warnings[-1]
    kept = (await library.artifacts.get_content(made.id, artifact.id)).content
    assert first_statement(kept)["verified"] is False
    mended = await library.artifacts.edit(made.id, artifact.id, json.dumps(kept))
    assert mended.state == "ready"
    assert any("not borne out" in one for one in mended.warnings)
