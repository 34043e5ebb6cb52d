"""Addresses of YouTube videos, in the forms in which people copy them."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

HOSTS = ("youtube.com", "youtube-nocookie.com")
FORMS = ("watch", "shorts", "embed", "live", "v")
ID = re.compile(r"[A-Za-z0-9_-]{11}")


def video_id(url: str) -> str | None:
    """The id of the video that a URL leads to, if it does."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.").removeprefix("m.").removeprefix("music.")
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    first, _, rest = parts.path.strip("/").partition("/")
    if host == "youtu.be":
        found = first
    elif host in HOSTS and first in FORMS:
        found = parse_qs(parts.query).get("v", [""])[0] if first == "watch" else rest.partition("/")[0]
    else:
        return None
    return found if ID.fullmatch(found) else None
