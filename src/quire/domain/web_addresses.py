"""Addresses of pages that are the same although they are written in different ways."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

# What links carry to be counted by, and no page is chosen by.
COUNTING = re.compile(r"utm_\w{1,30}|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|ref_src|spm|_hs\w{1,10}")
DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>?#]{1,200}")
LONGEST = 2_000


def canonical(url: str) -> str:
    """What is the same for addresses of the same page: no scheme, no `www.`, no fragment, no counters."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url
    host = (parts.hostname or "").removeprefix("www.").rstrip(".")
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    place = host if port in (None, usual) else f"{host}:{port}"
    path = unquote(parts.path).rstrip("/")
    for index in ("/index.html", "/index.htm", "/index.php"):
        path = path.removesuffix(index)
    kept = sorted((name, value) for name, value in parse_qsl(parts.query) if not COUNTING.fullmatch(name))
    return place + path + (f"?{urlencode(kept)}" if kept else "")


def doi_of(text: str | None) -> str | None:
    """The DOI that an address or a field holds, as it is compared."""
    found = DOI.search(unquote(text[:LONGEST])) if text else None
    return found[0].rstrip(".,;)").lower() if found else None
