"""Google's names: where calls go, where one signs in, and where files may be fetched from."""

from __future__ import annotations

from urllib.parse import urlsplit

from quire.domain.errors import WireDrift

APP_HOSTS = ("notebook.google.com", "notebooklm.google.com")
ACCOUNTS_HOST = "accounts.google.com"
FILE_DOMAINS = (".google.com", ".googleusercontent.com", ".googleapis.com")
# Where Google sends those in whose country the service is not offered.
CLOSED_HOSTS = ("notebook.google", "notebooklm.google")


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def is_googles(url: str) -> bool:
    """Whether cookies may travel there, and files come from there."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    host = (parts.hostname or "").lower()
    return parts.scheme == "https" and port in (None, 443) and any(host.endswith(domain) for domain in FILE_DOMAINS)


def checked(url: str, what: str) -> str:
    """An address that Google named, refused where it leads elsewhere."""
    if not is_googles(url):
        raise WireDrift(f"{what} leads to an address that is not Google's.", path=host_of(url)[:100])
    return url
