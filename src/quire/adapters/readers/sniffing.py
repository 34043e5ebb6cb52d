"""What kind a file is: by its content first, then by its name, then by what its sender says."""

from __future__ import annotations

import re
import struct

from quire.domain.source_kinds import KINDS

# How much of a file's beginning tells its kind.
HEAD = 64 * 1024

PDF_WITHIN = 1024
ODF_TYPES = {"text": "odt", "presentation": "odp", "spreadsheet": "ods"}
OOXML_PARTS = ((b"word/", "docx"), (b"ppt/", "pptx"), (b"xl/", "xlsx"))
ZIP_KINDS = ("docx", "pptx", "xlsx", "ods", "odt", "odp", "epub")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OLE_STREAMS = (
    ("EncryptedPackage", "locked"), ("WordDocument", "doc"), ("PowerPoint Document", "ppt"), ("Workbook", "xls"),
    ("__properties_version1.0", "outlook"), ("__nameid_version1.0", "outlook"), ("Book", "xls"),
)  # fmt: skip
OLE_KINDS = ("doc", "ppt", "xls", "outlook")
RIFF_KINDS = {b"WAVE": "audio", b"AVI ": "video", b"WEBP": "image"}
BRANDS = {b"M4A ": "audio", b"M4B ": "audio", b"heic": "heic", b"heix": "heic", b"mif1": "heic", b"avif": "image"}
BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
CONTROLS = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
MOST_CONTROLS = 0.05
MAIL_HEADER = re.compile(
    rb"^(from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to|content-type|reply-to):",
    re.IGNORECASE | re.MULTILINE,
)
FEW_HEADERS = 3
SAVED_PAGE = re.compile(rb"^(snapshot-content-location:|from:[^\n]{0,20}saved by )", re.IGNORECASE | re.MULTILINE)
SRT = re.compile(r"\A\s*+\d{1,6}[^\S\n]*+\n\s*+\d{1,3}:\d\d:\d\d[,.]\d{1,3}\s*-->")
NOTEBOOK = re.compile(r'\A\s*\{.*"(cells|nbformat|worksheets)"\s*:', re.DOTALL)
# What was passed over is not tried again in another way: there are twice as many with each comment.
HTML = re.compile(
    r"\A\s*+(?:<\?xml[^>]*+>\s*+)?(?>(?:<!--.*?-->\s*+)*)(?:<!doctype\s+html|<html[\s>])", re.IGNORECASE | re.DOTALL
)
XML = re.compile(r"\A\s*(<\?xml\s|<(rss|feed|rdf:RDF)[\s>])")
BY_EXTENSION = {extension: kind for kind, known in KINDS.items() for extension in known.extensions}
BY_MEDIA_TYPE = {media_type: kind for kind, known in KINDS.items() for media_type in known.media_types}


def sniff(name: str, media_type: str | None, head: bytes) -> str:
    """The kind of a file from its name, its declared type and its first bytes (`HEAD` of them are enough).

    Content wins: a PDF that is called .txt is a PDF. Where the content is text of no special form, the name decides.
    """
    named = BY_EXTENSION.get(name.rpartition(".")[2].lower()) if "." in name else None
    told = BY_MEDIA_TYPE.get((media_type or "").partition(";")[0].strip().lower())
    binary = by_magic(head, named or told)
    if binary:
        return binary
    if not is_text(head):
        # Without a mark of its own: a damaged file, or one whose kind shows further in.
        return next((kind for kind in (named, told) if kind and not KINDS[kind].textual), "unknown")
    form = by_form(head)
    if form == "email" and named == "mhtml":
        return named
    return form or next((kind for kind in (named, told) if kind and KINDS[kind].textual), "text")


def by_magic(head: bytes, expected: str | None) -> str | None:
    if b"%PDF-" in head[:PDF_WITHIN]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return by_zip(head, expected)
    if head.startswith(OLE):
        return by_ole(head, expected)
    if head.startswith(b"RIFF"):
        return RIFF_KINDS.get(head[8:12])
    if head[4:8] == b"ftyp":
        return BRANDS.get(head[8:12], "video")
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return "audio"
    if head.startswith(b"BM") and len(head) > 14 and head[6:10] == b"\x00\x00\x00\x00":
        return "image"
    if head[257:262] == b"ustar":
        return "archive"
    for kind, known in KINDS.items():
        if head.startswith(known.magic) and known.magic:
            return kind
    return None


def by_zip(head: bytes, expected: str | None) -> str:
    """By the type that a zip file names first, or by the parts that it holds."""
    if head[30:38] == b"mimetype":
        declared = head[38:120]
        if declared.startswith(b"application/epub+zip"):
            return "epub"
        found = re.match(rb"application/vnd\.oasis\.opendocument\.([a-z]+)", declared)
        if found and found[1].decode() in ODF_TYPES:
            return ODF_TYPES[found[1].decode()]
    # In the part names of the local headers; content is compressed, so they hardly occur elsewhere.
    for part, kind in OOXML_PARTS:
        if re.search(rb"PK\x03\x04.{26}" + part, head, re.DOTALL):
            return kind
    return expected if expected in ZIP_KINDS else "archive"


def by_ole(head: bytes, expected: str | None) -> str:
    """By the names in the directory of an OLE file, if it is within reach."""
    directory = head
    if len(head) >= 52:
        sector_shift, first = struct.unpack("<H", head[30:32])[0], struct.unpack("<I", head[48:52])[0]
        start = (first + 1) << min(sector_shift, 12)
        directory = head[start : start + 4096] or head
    for stream, kind in OLE_STREAMS:
        if stream.encode("utf-16-le") in directory:
            return kind
    return expected if expected in OLE_KINDS else "unknown"


def is_text(head: bytes) -> bool:
    if head.startswith(BOMS) or looks_wide(head):
        return True
    return len(CONTROLS.findall(head)) <= MOST_CONTROLS * len(head)


def looks_wide(head: bytes) -> bool:
    """UTF-16 without a mark, as far as it is Western."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    return len(head) >= 8 and (odd > 0.4 * len(head) / 2 > 4 * even or even > 0.4 * len(head) / 2 > 4 * odd)


def by_form(head: bytes) -> str | None:
    """The kind of a text by how it begins."""
    text = readable(head)
    if text.lstrip("\ufeff \n").startswith("WEBVTT") or SRT.match(text):
        return "captions"
    if HTML.match(text):
        return "html"
    if XML.match(text):
        return "html" if "<html" in text[:2000].lower() else "xml"
    if NOTEBOOK.match(text[:4096]) and '"cell' in text:
        return "ipynb"
    top = head.lstrip(b"\r\n").replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    if len({found.lower() for found in MAIL_HEADER.findall(top)}) >= FEW_HEADERS and MAIL_HEADER.match(top):
        return "mhtml" if SAVED_PAGE.search(top) else "email"
    return None


def readable(head: bytes) -> str:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return head.decode("utf-16" if wide else "utf-8", "ignore").replace("\r\n", "\n").lstrip("\ufeff")
