"""The kinds of sources: how each is called, read, and told to clients that have their own names for them."""

from __future__ import annotations

from typing import NamedTuple

from quire.domain.videos import video_id


class Kind(NamedTuple):
    """`what` names it in a sentence.

    Files have media types; `magic` holds the bytes that they begin with, where these alone tell. `reader` is
    `.module:function` in the readers' package; a kind of files without one is refused, and `refusal` says why.
    `extra` is the extra of the package that its reader needs, `takes` what the reader wants to know besides the file
    and its limits. A `heavy` kind gets the heavy limits from the start, a `textual` one is nothing but characters.
    `wire` is NotebookLM's code for the kind, by its name; one that NotebookLM does not have is told as the kind
    `wire_as`. `listed_as` is the tool `list_sources`' own name for it, where that has one.
    """

    what: str
    media_types: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    reader: str = ""
    extra: str | None = None
    takes: tuple[str, ...] = ()
    heavy: bool = False
    textual: bool = False
    refusal: str = ""
    wire: str = ""
    wire_as: str = "text"
    listed_as: str = ""

    @property
    def label(self) -> str:
        """What a person calls it."""
        return self.what.partition(" ")[2].removesuffix(" file")

    @property
    def wire_code(self) -> str:
        """The name of NotebookLM's code that it is told by."""
        return self.wire or KINDS[self.wire_as].wire


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
        reader=".text:read_text", textual=True, wire="TEXT", listed_as="text",
    ),
    "markdown": Kind(
        "a Markdown file", ("text/markdown", "text/x-markdown"), ("md", "markdown", "mkd", "mdx", "qmd", "rmd"),
        reader=".markdown:read_markdown", textual=True, wire="MARKDOWN",
    ),
    "csv": Kind(
        "a table of separated values", ("text/csv", "text/tab-separated-values"), ("csv", "tsv", "tab", "psv"),
        reader=".delimited:read_delimited", textual=True, wire="CSV",
    ),
    "html": Kind(
        "a web page", ("text/html", "application/xhtml+xml"), ("html", "htm", "xhtml", "shtml"),
        reader=".html:read_html", extra="documents", takes=("whole",), textual=True, wire_as="url",
    ),
    "xml": Kind(
        "an XML file", ("application/xml", "text/xml", "application/rss+xml", "application/atom+xml"),
        ("xml", "rss", "atom", "rdf"), reader=".feeds:read_xml", extra="documents", textual=True,
    ),
    "captions": Kind(
        "a file of captions", ("text/vtt", "application/x-subrip"), ("vtt", "srt", "sbv"),
        reader=".captions:read_captions", textual=True,
    ),
    "email": Kind("an e-mail", ("message/rfc822",), ("eml",), reader=".mail:read_mail", textual=True),
    "mhtml": Kind(
        "a saved web page", ("multipart/related", "application/x-mimearchive"), ("mhtml", "mht"),
        reader=".saved_pages:read_saved_page", extra="documents", takes=("whole",), textual=True, wire_as="url",
    ),
    "outlook": Kind(
        "an Outlook message", ("application/vnd.ms-outlook",), ("msg",),
        reader=".mail:read_outlook", extra="documents",
    ),
    "ipynb": Kind(
        "a Jupyter notebook", ("application/x-ipynb+json",), ("ipynb",),
        reader=".jupyter:read_notebook", textual=True,
    ),
    "rtf": Kind(
        "an RTF document", ("application/rtf", "text/rtf"), ("rtf",), (b"{\\rtf",),
        ".rich_text:read_rtf", "documents",
    ),
    "pdf": Kind(
        "a PDF", ("application/pdf",), ("pdf",), (b"%PDF-",),
        ".pdf:read_pdf", "documents", ("progress",), wire="PDF", listed_as="pdf",
    ),
    "docx": Kind(
        "a Word document", (f"{OOXML}.wordprocessingml.document",), ("docx", "docm", "dotx", "dotm"),
        reader=".word:read_word", extra="documents", wire="DOCX",
    ),
    "pptx": Kind(
        "a PowerPoint presentation", (f"{OOXML}.presentationml.presentation",), ("pptx", "pptm", "ppsx", "potx"),
        reader=".slides:read_slides", extra="documents", wire="PPTX",
    ),
    "xlsx": Kind(
        "a spreadsheet", (f"{OOXML}.spreadsheetml.sheet",), ("xlsx", "xlsm", "xlsb", "xltx"),
        reader=".sheets:read_sheets", extra="documents", wire="XLSX",
    ),
    "xls": Kind(
        "a spreadsheet", ("application/vnd.ms-excel",), ("xls", "xlt"),
        reader=".sheets:read_sheets", extra="documents",
    ),
    "ods": Kind(
        "a spreadsheet", (f"{ODF}.spreadsheet",), ("ods", "ots"), reader=".sheets:read_sheets", extra="documents",
    ),
    "odt": Kind(
        "an OpenDocument text", (f"{ODF}.text",), ("odt", "ott"),
        reader=".open_documents:read_open_document", extra="documents", wire_as="docx",
    ),
    "odp": Kind(
        "an OpenDocument presentation", (f"{ODF}.presentation",), ("odp", "otp"),
        reader=".open_documents:read_open_document", extra="documents",
    ),
    "epub": Kind(
        "an EPUB book", ("application/epub+zip",), ("epub",),
        reader=".ebooks:read_book", extra="documents", wire="EPUB",
    ),
    "image": Kind(
        "a picture",
        ("image/png", "image/jpeg", "image/gif", "image/bmp", "image/tiff", "image/webp", "image/avif"),
        ("png", "jpg", "jpeg", "jpe", "gif", "bmp", "tif", "tiff", "webp", "avif"),
        (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*"),
        ".images:read_image", "ocr", ("progress",), heavy=True, wire="IMAGE",
    ),
    "audio": Kind(
        "a recording",
        ("audio/mpeg", "audio/wav", "audio/x-wav", "audio/ogg", "audio/flac", "audio/mp4", "audio/aac", "audio/x-m4a"),
        ("mp3", "wav", "ogg", "oga", "opus", "flac", "m4a", "m4b", "aac", "aif", "aiff", "amr", "wma"),
        (b"ID3", b"fLaC", b"OggS", b"#!AMR", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xf1", b"\xff\xf9"),
        ".speech:read_recording", "speech", ("progress", "cache", "model"), heavy=True, wire="MEDIA", listed_as="audio",
    ),
    "video": Kind(
        "a video",
        ("video/mp4", "video/quicktime", "video/webm", "video/x-matroska", "video/mpeg", "video/x-msvideo"),
        ("mp4", "m4v", "mov", "webm", "mkv", "avi", "mpg", "mpeg", "wmv", "flv", "3gp", "ogv", "mts", "m2ts"),
        (b"\x1aE\xdf\xa3", b"FLV\x01", b"\x00\x00\x01\xba", b"0&\xb2u\x8ef\xcf\x11"),
        ".speech:read_recording", "speech", ("progress", "cache", "model"), heavy=True, wire_as="audio",
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
        refusal="The file is of a kind that Quire cannot read.", wire="UNSPECIFIED",
    ),
    "url": Kind("a web page", wire="WEB_PAGE", listed_as="url"),
    "youtube": Kind("a YouTube video", wire="YOUTUBE", listed_as="youtube"),
    "book": Kind("a book"),
    "google_doc": Kind("a Google document", wire="GOOGLE_DOC", listed_as="gdoc"),
    "google_slides": Kind("a Google presentation", wire="GOOGLE_SLIDES", listed_as="gslides"),
    "google_sheet": Kind("a Google spreadsheet", wire="SHEET"),
    "drive_file": Kind("a file in Google Drive", wire="DRIVE_FILE"),
    "gmail": Kind("a message in Gmail", wire="GMAIL"),
    "gemini_chat": Kind("a chat with Gemini", wire="GEMINI_CHAT"),
    "ai_mode": Kind("a search in AI Mode", wire="AI_MODE"),
    "play_book": Kind("a book of Google Play", wire="PLAY_BOOK"),
}  # fmt: skip

# What a page of the web may be written in.
PAGES = ("html", "text", "markdown", "xml")


def kind_of(read_as: str, url: str | None) -> str:
    """The kind of a source that was read as this; a page of the web is one, whatever it is written in."""
    if url is None:
        return read_as
    if video_id(url):
        return "youtube"
    return "url" if read_as in PAGES else read_as


def known(kind: str) -> Kind:
    """What is known of a kind."""
    return KINDS.get(kind, KINDS["unknown"])
