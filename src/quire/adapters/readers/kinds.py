"""The kinds of files that Quire knows, and what reads each."""

from __future__ import annotations

from typing import NamedTuple

READERS = "quire.adapters.readers"


class Kind(NamedTuple):
    """`reader` is `module:function`; a kind without one is refused, and `refusal` says why.

    `what` names it in a sentence. `magic` holds the bytes that files of the kind begin with, where these alone tell.
    `extra` is the extra of the package that its reader needs, `takes` what the reader wants to know besides the file
    and its limits. A `heavy` kind gets the heavy limits from the start, a `textual` one is nothing but characters.
    """

    what: str
    media_types: tuple[str, ...]
    extensions: tuple[str, ...]
    magic: tuple[bytes, ...] = ()
    reader: str = ""
    extra: str | None = None
    takes: tuple[str, ...] = ()
    heavy: bool = False
    textual: bool = False
    refusal: str = ""


def by(module_and_function: str) -> str:
    return f"{READERS}.{module_and_function}"


OOXML = "application/vnd.openxmlformats-officedocument"
ODF = "application/vnd.oasis.opendocument"

KINDS: dict[str, Kind] = {
    "text": Kind(
        "a text file",
        ("text/plain", "application/json", "application/x-yaml", "application/toml", "application/javascript"),
        (
            "txt", "text", "log", "json", "jsonl", "ndjson", "geojson", "yaml", "yml", "toml", "ini", "cfg", "conf",
            "env", "py", "pyi", "js", "mjs", "cjs", "ts", "tsx", "jsx", "java", "kt", "c", "h", "cc", "cpp", "hpp",
            "cs", "go", "rs", "rb", "php", "pl", "pm", "lua", "r", "jl", "swift", "scala", "sh", "bash", "zsh", "ps1",
            "bat", "sql", "css", "scss", "vue", "svelte", "tex", "bib", "rst", "org", "adoc", "asciidoc", "diff",
            "patch", "tf", "graphql", "proto", "gradle", "cmake", "mk", "f90", "m", "hs", "ex", "erl", "clj", "dart",
        ),
        reader=by("text:read_text"), textual=True,
    ),
    "markdown": Kind(
        "a Markdown file", ("text/markdown", "text/x-markdown"), ("md", "markdown", "mkd", "mdx", "qmd", "rmd"),
        reader=by("markdown:read_markdown"), textual=True,
    ),
    "csv": Kind(
        "a table of separated values", ("text/csv", "text/tab-separated-values"), ("csv", "tsv", "tab", "psv"),
        reader=by("delimited:read_delimited"), textual=True,
    ),
    "html": Kind(
        "a web page", ("text/html", "application/xhtml+xml"), ("html", "htm", "xhtml", "shtml"),
        reader=by("html:read_html"), extra="documents", takes=("url",), textual=True,
    ),
    "xml": Kind(
        "an XML file", ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml"),
        ("xml", "rss", "atom", "rdf"), reader=by("feeds:read_xml"), extra="documents", textual=True,
    ),
    "captions": Kind(
        "a file of captions", ("text/vtt", "application/x-subrip"), ("vtt", "srt", "sbv"),
        reader=by("captions:read_captions"), textual=True,
    ),
    "email": Kind("an e-mail", ("message/rfc822",), ("eml", "mht", "mhtml"), reader=by("mail:read_mail"), textual=True),
    "outlook": Kind(
        "an Outlook message", ("application/vnd.ms-outlook",), ("msg",),
        reader=by("mail:read_outlook"), extra="documents",
    ),
    "ipynb": Kind(
        "a Jupyter notebook", ("application/x-ipynb+json",), ("ipynb",),
        reader=by("notebooks:read_notebook"), textual=True,
    ),
    "rtf": Kind(
        "an RTF document", ("application/rtf", "text/rtf"), ("rtf",), (b"{\\rtf",),
        by("rich_text:read_rtf"), "documents",
    ),
    "pdf": Kind("a PDF", ("application/pdf",), ("pdf",), (b"%PDF-",), by("pdf:read_pdf"), "documents", ("progress",)),
    "docx": Kind(
        "a Word document", (f"{OOXML}.wordprocessingml.document",), ("docx", "docm", "dotx", "dotm"),
        reader=by("word:read_word"), extra="documents",
    ),
    "pptx": Kind(
        "a PowerPoint presentation", (f"{OOXML}.presentationml.presentation",), ("pptx", "pptm", "ppsx", "potx"),
        reader=by("slides:read_slides"), extra="documents",
    ),
    "xlsx": Kind(
        "a spreadsheet", (f"{OOXML}.spreadsheetml.sheet",), ("xlsx", "xlsm", "xlsb", "xltx"),
        reader=by("sheets:read_sheets"), extra="documents",
    ),
    "xls": Kind(
        "a spreadsheet", ("application/vnd.ms-excel",), ("xls", "xlt"),
        reader=by("sheets:read_sheets"), extra="documents",
    ),
    "ods": Kind(
        "a spreadsheet", (f"{ODF}.spreadsheet",), ("ods", "ots"), reader=by("sheets:read_sheets"), extra="documents",
    ),
    "odt": Kind(
        "an OpenDocument text", (f"{ODF}.text",), ("odt", "ott"),
        reader=by("open_documents:read_open_document"), extra="documents",
    ),
    "odp": Kind(
        "an OpenDocument presentation", (f"{ODF}.presentation",), ("odp", "otp"),
        reader=by("open_documents:read_open_document"), extra="documents",
    ),
    "epub": Kind("an EPUB book", ("application/epub+zip",), ("epub",), reader=by("books:read_book"), extra="documents"),
    "image": Kind(
        "a picture",
        ("image/png", "image/jpeg", "image/gif", "image/bmp", "image/tiff", "image/webp", "image/avif"),
        ("png", "jpg", "jpeg", "jpe", "gif", "bmp", "tif", "tiff", "webp", "avif"),
        (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*"),
        by("images:read_image"), "ocr", ("progress",), heavy=True,
    ),
    "audio": Kind(
        "a recording",
        ("audio/mpeg", "audio/wav", "audio/x-wav", "audio/ogg", "audio/flac", "audio/mp4", "audio/aac", "audio/x-m4a"),
        ("mp3", "wav", "ogg", "oga", "opus", "flac", "m4a", "m4b", "aac", "aif", "aiff", "amr", "wma"),
        (b"ID3", b"fLaC", b"OggS", b"#!AMR", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xf1", b"\xff\xf9"),
        by("speech:read_recording"), "speech", ("progress", "cache", "model"), heavy=True,
    ),
    "video": Kind(
        "a video",
        ("video/mp4", "video/quicktime", "video/webm", "video/x-matroska", "video/mpeg", "video/x-msvideo"),
        ("mp4", "m4v", "mov", "webm", "mkv", "avi", "mpg", "mpeg", "wmv", "flv", "3gp", "ogv", "mts", "m2ts"),
        (b"\x1aE\xdf\xa3", b"FLV\x01", b"\x00\x00\x01\xba", b"0&\xb2u\x8ef\xcf\x11"),
        by("speech:read_recording"), "speech", ("progress", "cache", "model"), heavy=True,
    ),
    "doc": Kind(
        "an old Word document", ("application/msword",), ("doc", "dot"),
        refusal="The file is in Word's old format (.doc). Save it as .docx or PDF, and add that.",
    ),
    "ppt": Kind(
        "an old PowerPoint presentation", ("application/vnd.ms-powerpoint",), ("ppt", "pps"),
        refusal="The file is in PowerPoint's old format (.ppt). Save it as .pptx or PDF, and add that.",
    ),
    "heic": Kind(
        "a HEIC picture", ("image/heic", "image/heif"), ("heic", "heif"),
        refusal="The file is a HEIC picture. Save it as JPEG or PNG, and add that.",
    ),
    "locked": Kind(
        "an encrypted Office document", ("application/encrypted",), (),
        refusal="The file is an Office document that is protected by a password. Save a copy without it, and add that.",
    ),
    "archive": Kind(
        "an archive", ("application/zip", "application/gzip", "application/x-tar", "application/x-7z-compressed"),
        ("zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar"),
        (b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"),
        refusal="The file is an archive. Unpack it, and add the files in it.",
    ),
    "unknown": Kind(
        "a file of another kind", ("application/octet-stream",), (),
        (b"\x7fELF", b"MZ\x90", b"SQLite format 3\x00", b"\xca\xfe\xba\xbe", b"\x00asm", b"wOFF", b"wOF2", b"OTTO"),
        refusal="The file is of a kind that Quire cannot read.",
    ),
}  # fmt: skip
