"""Google's names: where calls go, where one signs in, and where files may be fetched from."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from quire.domain.errors import WireDrift

APP_HOSTS = ("notebook.google.com", "notebooklm.google.com")
ACCOUNTS_HOST = "accounts.google.com"
FILE_DOMAINS = (".google.com", ".googleusercontent.com", ".googleapis.com")
# Where Google sends those in whose country the service is not offered.
CLOSED_HOSTS = ("notebook.google", "notebooklm.google")
# A name, and nothing that another reader of addresses could take for the host instead.
NAMED = re.compile(r"([a-z0-9_-]+(?:\.[a-z0-9_-]+)+)(?::443)?")


def host_of(url: str) -> str:
    """The host of an address; none where it is no address."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def led_to(url: str, place: str) -> str:
    """Where an answer leads that was got from `url`; nowhere where that is no address."""
    try:
        return urljoin(url, place)
    except ValueError:
        return ""


def is_googles(url: str) -> bool:
    """Whether cookies may travel there, and files come from there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    named = NAMED.fullmatch(parts.netloc.lower())
    return parts.scheme == "https" and named is not None and named[1].endswith(FILE_DOMAINS)


def checked(url: str, what: str) -> str:
    """An address that Google named, refused where it leads elsewhere."""
    if not is_googles(url):
        raise WireDrift(f"{what} leads to an address that is not Google's.", path=host_of(url)[:100])
    return url
