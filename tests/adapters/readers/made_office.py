"""Office documents and books, as zip files of handwritten XML; and the older kind of container."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships"
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:"


def zipped(parts: Mapping[str, str | bytes], stored: Sequence[str] = ()) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, compress_type=kind)
    return data.getvalue()


def relations(*related: tuple[str, str, str], external: Sequence[str] = (), family: str = R) -> str:
    """Relations by id, kind and target."""
    lines = []
    for id, kind, target in related:
        mode = ' TargetMode="External"' if id in external else ""
        type = kind if kind.startswith("http") else f"{family}/{kind}"
        lines.append(f'<Relationship Id="{id}" Type="{type}" Target="{target}"{mode}/>')
    return f'<Relationships xmlns="{RELS}">{"".join(lines)}</Relationships>'


def docx(body: str, title: str = "", family: str = R, **parts: str) -> bytes:
    """A Word document with this body; `parts` are further parts by name (styles, numbering, footnotes, comments)."""
    related = [(f"r{name}", name, f"{name}.xml") for name in parts]
    main = f'<w:document xmlns:w="{W}" xmlns:r="{R}" xmlns:m="{M}"><w:body>{body}</w:body></w:document>'
    root = [("r1", "officeDocument", "word/document.xml"), ("r2", CORE, "docProps/core.xml")]
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(*root, family=family),
            "docProps/core.xml": f'<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></c>',
            "word/document.xml": main,
            "word/_rels/document.xml.rels": relations(
                *related, ("link", "hyperlink", "https://example.org/more"), external=("link",), family=family
            ),
            **{f"word/{name}.xml": content for name, content in parts.items()},
        }
    )


def para(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>
<w:style w:styleId="Eigen"><w:name w:val="My own"/><w:basedOn w:val="H2"/></w:style>
<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
</w:styles>"""

NUMBERING = f"""<w:numbering xmlns:w="{W}">
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="0"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
</w:numbering>"""


def item(text: str, list_id: int, depth: int = 0) -> str:
    return para(text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{list_id}"/></w:numPr>')


def styled(text: str, style: str) -> str:
    return para(text, f'<w:pStyle w:val="{style}"/>')


def grid(rows: Sequence[Sequence[str]]) -> str:
    """A Word table of paragraphs."""
    cells = "".join(f"<w:tr>{''.join(f'<w:tc>{para(cell)}</w:tc>' for cell in row)}</w:tr>" for row in rows)
    return f"<w:tbl>{cells}</w:tbl>"


def shape(text: str, kind: str | None = None) -> str:
    """A shape of a slide; `kind` is the placeholder's, None for a free one."""
    holder = "" if kind is None else f'<p:ph type="{kind}"/>'
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f"<p:sp><p:nvSpPr><p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"


def pptx(slides: Sequence[str], notes: Mapping[int, str] = {}) -> bytes:
    """A presentation of slides, each the shapes on it; notes by the number of their slide."""
    numbers = range(1, len(slides) + 1)
    space = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"'
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in numbers)
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f"<p:presentation {space}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{number}", "slide", f"slides/slide{number}.xml") for number in numbers)
        ),
    }
    for number, shapes in enumerate(slides, 1):
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        parts[f"ppt/slides/slide{number}.xml"] = f"<p:sld {space}>{tree}</p:sld>"
        if number in notes:
            said = f"<p:cSld><p:spTree>{shape(notes[number], 'body')}</p:spTree></p:cSld>"
            parts[f"ppt/notes/note{number}.xml"] = f"<p:notes {space}>{said}</p:notes>"
            target = f"../notes/note{number}.xml"
            parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(("n", "notesSlide", target))
    return zipped(parts)


def xlsx(sheets: Mapping[str, Sequence[Sequence[str | float]]], comment: str = "") -> bytes:
    """A workbook of such rows; a comment stands on A1 of every sheet."""
    listed = "".join(f'<sheet name="{name}" sheetId="{at}" r:id="s{at}"/>' for at, name in enumerate(sheets, 1))
    numbers = range(1, len(sheets) + 1)
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            *((f"s{at}", "worksheet", f"worksheets/sheet{at}.xml") for at in numbers)
        ),
    }
    for at, rows in enumerate(sheets.values(), 1):
        lines = []
        for row_number, row in enumerate(rows, 1):
            cells = "".join(cell(value, f"{chr(64 + column)}{row_number}") for column, value in enumerate(row, 1))
            lines.append(f'<row r="{row_number}">{cells}</row>')
        data = f"<sheetData>{''.join(lines)}</sheetData>"
        parts[f"xl/worksheets/sheet{at}.xml"] = f'<worksheet xmlns="{S}">{data}</worksheet>'
        if comment:
            said = f'<comment ref="A1" authorId="0"><text><t>{comment}</t></text></comment>'
            parts["xl/comments.xml"] = (
                f'<comments xmlns="{S}"><authors><author>Ada</author></authors>'
                f"<commentList>{said}</commentList></comments>"
            )
            parts[f"xl/worksheets/_rels/sheet{at}.xml.rels"] = relations(("c", "comments", "../comments.xml"))
    return zipped(parts)


def cell(value: str | float, place: str) -> str:
    if value == "":
        return ""
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def open_document(content: str, kind: str = "text", styles: str = "", title: str = "") -> bytes:
    """An OpenDocument file (text or presentation)."""
    spaces = " ".join(
        f'xmlns:{prefix}="{TEXT}{name}"'
        for prefix, name in (
            ("office", "office:1.0"), ("text", "text:1.0"), ("table", "table:1.0"), ("draw", "drawing:1.0"),
            ("style", "style:1.0"), ("presentation", "presentation:1.0"),
        )
    )  # fmt: skip
    body = f"<office:body><office:{kind}>{content}</office:{kind}></office:body>"
    meta = f'<m xmlns:dc="http://purl.org/dc/elements/1.1/"><meta><dc:title>{title}</dc:title></meta></m>'
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<office:document-content {spaces} xmlns:xlink='http://www.w3.org/1999/xlink'>"
            f"<office:automatic-styles>{styles}</office:automatic-styles>{body}</office:document-content>",
            "meta.xml": meta,
            "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{TEXT}manifest:1.0"/>',
        },
        stored=("mimetype",),
    )


def epub(chapters: Mapping[str, str], title: str = "A book", contents: Mapping[str, str] = {}, **more: str) -> bytes:
    """A book of chapters (name and XHTML body); `contents` names them in the table of contents."""
    items = "".join(f'<item id="{n}" href="{n}" media-type="application/xhtml+xml"/>' for n in chapters)
    entries = "".join(f'<li><a href="{name}">{label}</a></li>' for name, label in contents.items())
    nav = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    order = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    head = '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>'
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OPS/book.opf"/></container>',
            "OPS/book.opf": f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>{title}</dc:title>'
            f"</metadata><manifest>{items}{nav}</manifest><spine>{order}</spine></package>",
            "OPS/nav.xhtml": f"<html><body><nav><ol>{entries}</ol></nav></body></html>",
            **{
                f"OPS/{name}": f'{head}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
                f"<body>{body}</body></html>"
                for name, body in chapters.items()
            },
            **{name.replace("__", "/").replace("_xml", ".xml"): content for name, content in more.items()},
        },
        stored=("mimetype",),
    )


def container(streams: Mapping[str, bytes]) -> bytes:
    """A compound file as Office used before zip; every stream is filled up to the size of the large ones."""
    sector = 512
    contents = [data + b"\x00" * (max(4096, -(-len(data) // sector) * sector) - len(data)) for data in streams.values()]
    entries = [entry("Root Entry", 5, 0xFFFFFFFE, 0, child=1)]
    directory_sectors = -(-(len(streams) + 1) // 4)
    chain = [0xFFFFFFFD, *chained(1, directory_sectors)]
    for number, (name, data) in enumerate(zip(streams, contents, strict=True), 1):
        first = len(chain)
        chain += chained(first, len(data) // sector)
        after = number + 1 if number < len(streams) else 0xFFFFFFFF
        entries.append(entry(name, 2, first, len(data), after=after))
    entries += [b"\x00" * 128] * (directory_sectors * 4 - len(entries))
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(sector, b"\xff")
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 16 + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    header += b"\x00" * 6 + struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    header += struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    return header + table + b"".join(entries) + b"".join(contents)


def chained(first: int, count: int) -> list[int]:
    return [*range(first + 1, first + count), 0xFFFFFFFE]


def entry(name: str, kind: int, first: int, size: int, child: int = 0xFFFFFFFF, after: int = 0xFFFFFFFF) -> bytes:
    encoded = name.encode("utf-16-le") + b"\x00\x00"
    head = encoded.ljust(64, b"\x00") + struct.pack("<HBB", len(encoded), kind, 1)
    tree = struct.pack("<III", 0xFFFFFFFF, after, child)
    return head + tree + b"\x00" * 36 + struct.pack("<IQ", first, size)
