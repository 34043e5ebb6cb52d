"""What a page is called, and in which letters it is written, by what its server says."""

from __future__ import annotations

import codecs
import mimetypes
import re
from email.message import Message
from urllib.parse import unquote, urlsplit

from quire.adapters.readers.sniffing import BY_EXTENSION

LONGEST = 200
TEXTUAL = re.compile(r"text/|application/(xhtml|xml|json|javascript|[a-z.+-]+\+(xml|json))")


def name_of(url: str, headers: dict[str, str]) -> str:
    """What the server calls the file, or the last part of its path, with an ending that says what it is."""
    message = Message()
    message["Content-Disposition"] = headers.get("content-disposition", "")
    name = message.get_filename() or unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    name = re.sub(r"[\x00-\x1f\x7f/\\]|[\ud800-\udfff]", "_", name)[-LONGEST:].strip(". ") or "page"
    media_type = media_type_of(headers.get("content-type", ""))
    wanted = ".html" if "html" in media_type else mimetypes.guess_extension(media_type) or ""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if "html" in media_type:
        return name if ending in ("html", "htm", "xhtml") else name + wanted
    return name if ending in BY_EXTENSION else name + wanted


def media_type_of(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def charset_of(content_type: str) -> str | None:
    """The encoding of a text, where the server names one that is not UTF-8 and that Python knows."""
    found = re.search(r"""charset\s*=\s*["']?([\w.:-]+)""", content_type, re.IGNORECASE)
    if not found or not TEXTUAL.match(media_type_of(content_type)):
        return None
    try:
        known = codecs.lookup(found[1])
    except LookupError:
        return None
    return None if known.name == "utf-8" else known.name
