"""srcmd, both ways: by the cases of its own parser, and by any list of cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cell_lists import sheets
from hypothesis import given, settings

from quire.adapters.cells.formats import CellFormats
from quire.adapters.cells.srcmd import decode, encode
from quire.domain.cells import Cell, Sheet
from quire.domain.errors import InvalidInput

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "srcmd_cases.json").read_text(encoding="utf-8"))
HEAD = '<!-- srcbook:{"language":"javascript"} -->\n\n# T\n\n'
# srcbook loses what is between the longer fences, and cannot write Python or a text without a package.json.
OURS = {
    "four_ticks": CASES[3]["input"],
    "title_trailing_hash": '<!-- srcbook:{"language":"javascript"} -->\n\n# Hello\n',
    "setext_title": '<!-- srcbook:{"language":"javascript"} -->\n\n# Hello\n\ntext\n',
    "nopkg": '<!-- srcbook:{"language":"javascript"} -->\n\n# T\n\nhi\n',
    "pyfile": HEAD + "###### package.json\n\n```json\n{}\n```\n\n###### a.py\n\n```python\nA\n```\n",
}


def shown(cell: Cell) -> dict[str, str]:
    if cell.type == "code":
        return {"type": "code", "filename": cell.filename or "", "source": cell.source}
    return {"type": cell.type, "source" if cell.type == "package.json" else "text": cell.source}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_text_is_read_as_srcbook_reads_it_and_written_without_its_losses(case: dict[str, Any]) -> None:
    wanted = case["decoded"]
    if "throw" in wanted or wanted["error"]:
        with pytest.raises(InvalidInput) as refused:
            decode(case["input"])
        if "errors" in wanted:
            assert refused.value.details["errors"] == wanted["errors"]
        else:
            assert refused.value.message.startswith(wanted["throw"].partition(":")[0])
        return
    sheet = decode(case["input"])
    assert sheet.language == wanted["language"]
    cells = [{name: value for name, value in cell.items() if name != "lang"} for cell in wanted["cells"]]
    assert [shown(cell) for cell in sheet.cells] == cells
    written = encode(sheet)
    assert written == OURS.get(case["name"], case["reencoded"])
    assert (written == case["input"]) or not case["byte_identical"]
    assert decode(written) == sheet


@given(sheet=sheets())
@settings(max_examples=60, deadline=None)
def test_any_cells_survive(sheet: Sheet) -> None:
    text = encode(sheet, lenient=True)
    again = decode(text)
    assert again == sheet
    assert encode(again, lenient=True) == text


@pytest.mark.parametrize("title", ["\x1f", "a\x1f", "\x1c b", "\x85", "\x1f #", "# #"])
def test_a_title_keeps_what_only_python_takes_for_blank(title: str) -> None:
    sheet = Sheet(language="javascript", cells=[Cell(type="title", source=title)])
    assert decode(encode(sheet)) == sheet


def test_a_heading_of_level_1_or_6_in_markdown_is_refused_with_its_place() -> None:
    for text in ("# one", "a\n\n###### six", "Setext\n==="):
        sheet = Sheet(language="javascript", cells=[Cell(id="cell-7", type="markdown", source=text)])
        with pytest.raises(InvalidInput, match=r"cell-7.*heading of level") as refused:
            encode(sheet)
        assert "levels 2 to 5" in str(refused.value.hint)
        assert [cell.source for cell in decode(encode(sheet, lenient=True)).cells] == [text]
    fine = Sheet(language="javascript", cells=[Cell(type="markdown", source="> # quoted\n\n- ###### in a list")])
    assert decode(encode(fine)) == fine


def test_what_srcbook_loses_is_kept() -> None:
    text = HEAD + "[a]: https://example.org\n\nBefore [a].\n\n###### package.json\n\n```json\n{}\n```\n"
    sheet = decode(text)
    assert [cell.type for cell in sheet.cells] == ["title", "markdown", "package.json"]
    assert sheet.cells[1].source == "[a]: https://example.org\n\nBefore [a]."
    written = encode(sheet)
    assert written.index("package.json") < written.index("[a]:")
    two = Sheet(language="javascript", cells=[*sheet.cells[:1], *(Cell(type="markdown", source=one) for one in "ab")])
    assert [cell.source for cell in decode(encode(two)).cells] == ["T", "a", "b"]


def test_a_fence_grows_only_where_the_source_would_close_it() -> None:
    inside = 'const fence = "```";\n```js'
    cell = Cell(type="code", filename="a.js", source=inside)
    assert f"\n```javascript\n{inside}\n```\n" in encode(Sheet(language="javascript", cells=[cell]))
    cell = Cell(type="code", filename="a.js", source="  `````  ")
    assert "\n``````javascript\n" in encode(Sheet(language="javascript", cells=[cell]))


def test_typescript_keeps_its_configuration() -> None:
    text = '<!-- srcbook:{"language":"typescript","tsconfig.json":{"b":[1,"é"],"a":{}}} -->\n\n# T\n'
    sheet = decode(text)
    assert sheet.tsconfig == {"b": [1, "é"], "a": {}}
    assert encode(sheet) == text


def test_a_link_without_its_file_is_kept_with_a_warning() -> None:
    text = HEAD + "###### a.js\n\n[a.js](./src/a.js)\n"
    sheet = decode(text)
    assert (sheet.cells[1].linked, sheet.cells[1].source) == (True, "")
    assert "a.js" in sheet.warnings[0]
    assert encode(sheet) == text


def test_the_folder_form_comes_back_as_it_was(tmp_path: Path) -> None:
    sheet = decode(HEAD + "###### package.json\n\n```json\n{}\n```\n\nText\n\n###### a.js\n\n```javascript\nA\n\n```\n")
    files = CellFormats().folder(sheet)
    assert set(files) == {"README.md", "package.json", "src/a.js"}
    assert "[a.js](./src/a.js)" in files["README.md"]
    assert "[package.json](./package.json)" in files["README.md"]
    (tmp_path / "src").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert CellFormats().read("srcmd", str(tmp_path)) == sheet


def test_a_folder_gives_nothing_that_is_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "book"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.js").symlink_to(tmp_path / "secret")
    places = {"a.js": "./src/a.js", "b.js": "../secret", "c.js": "/etc/passwd"}
    links = [f"###### {name}\n\n[{name}]({place})\n" for name, place in places.items()]
    (folder / "README.md").write_text(HEAD + "\n".join(links))
    sheet = CellFormats().read("srcmd", str(folder))
    assert [cell.source for cell in sheet.cells[1:]] == ["", "", ""]
    assert len(sheet.warnings) == 3


@pytest.mark.parametrize("name", ["../a.js", "a/b.js", "..", "a\\b.js"])
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="is not a file name"):
        decode(f"{HEAD}###### {name}\n\n```js\nA\n```\n")


@pytest.mark.parametrize(
    "metadata",
    ["[]", '"javascript"', '{"language":"python"}', "{}", '{"language":"javascript","quire":1}', "[" * 5_000],
)
def test_metadata_that_says_nothing_is_refused(metadata: str) -> None:
    with pytest.raises(InvalidInput):
        decode(f"<!-- srcbook:{metadata} -->\n\n# T\n")
