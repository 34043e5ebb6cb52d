"""What a page is called, and in which letters it is written, by what its server says."""

from __future__ import annotations

import codecs
import mimetypes
import re
from email.message import Message
from urllib.parse import unquote, urlsplit

from quire.adapters.readers.sniffing import BY_EXTENSION, HEAD, by_magic, is_text

# What browsers read these as, which is more than their names say.
WIDER = {
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "tis-620": "cp874",
}
LONGEST = 200
LONGEST_HEADER = 2_000
# Python knows codes besides that are none of the web's, and some that take long to read.
ENCODINGS = re.compile(r"(iso8859|cp\d|koi8|mac|gb|big5|shift_jis|euc|iso2022|utf-(16|32)|hz|johab|tis|ptcp|kz)")
TEXTUAL = re.compile(r"text/|application/(xhtml|xml|json|javascript|[a-z.+-]+\+(xml|json))")


def name_of(url: str, headers: dict[str, str]) -> str:
    """What the server calls the file, or the last part of its path, with an ending that says what it is."""
    name = _given(headers.get("content-disposition", "")) or unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    name = re.sub(r"[\x00-\x1f\x7f/\\]|[\ud800-\udfff]", "_", name)[-LONGEST:].strip(". ") or "page"
    media_type = media_type_of(headers.get("content-type", ""))
    wanted = ".html" if "html" in media_type else mimetypes.guess_extension(media_type) or ""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if "html" in media_type:
        return name if ending in ("html", "htm", "xhtml") else name + wanted
    return name if ending in BY_EXTENSION else name + wanted


def _given(disposition: str) -> str:
    """The name in a header, which may claim to be in codes that are no letters."""
    message = Message()
    message["Content-Disposition"] = disposition[:LONGEST_HEADER]
    try:
        return message.get_filename() or ""
    except (UnicodeError, LookupError, ValueError):
        return ""


def media_type_of(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def charset_of(content_type: str) -> str | None:
    """The encoding of a text, where the server names one that is not UTF-8 and that is known."""
    found = re.search(r"""charset\s*=\s*["']?([\w.:-]+)""", content_type, re.IGNORECASE)
    if not found or not TEXTUAL.match(media_type_of(content_type)):
        return None
    try:
        known = codecs.lookup(found[1])
    except LookupError:
        return None
    return WIDER.get(known.name, known.name) if ENCODINGS.match(known.name) else None


def in_utf8(data: bytes, content_type: str, *, ended: bool) -> bytes | None:
    """A text in an encoding that only its server named, as UTF-8 with a mark that says so; else None.

    What is no text in that encoding stays as it is: servers call programs and pictures texts, too.
    """
    charset = charset_of(content_type)
    if charset is None or by_magic(data[:HEAD], None):
        return None
    try:
        data.decode()
    except UnicodeDecodeError:
        try:
            text = codecs.getincrementaldecoder(charset)().decode(data, ended).encode()
        except (UnicodeError, LookupError):
            return None
        return codecs.BOM_UTF8 + text if is_text(text[:HEAD]) else None
    return None
