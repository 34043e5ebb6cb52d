"""Cookies of a Google account: read from what browsers and tools save, sent where they belong, renewed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from quire.domain.errors import InvalidInput

Key = tuple[str, str, str]
SESSION = -1.0
NEEDED = ("SID", "__Secure-1PSIDTS")
MOST_COOKIES = 500
MOST_LENGTH = 8_192
HTTP_ONLY = "#HttpOnly_"
AGE = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Cookie:
    """`expires` is in seconds since 1970; one that ends with its browser has none (-1)."""

    name: str
    value: str = field(repr=False)
    domain: str = ".google.com"
    path: str = "/"
    expires: float = SESSION
    secure: bool = True
    http_only: bool = True

    @property
    def can_be_sent(self) -> bool:
        """Whether a header can hold it; any other would spoil every request."""
        text = self.name + self.value
        return text.isascii() and text.isprintable() and ";" not in text

    @property
    def key(self) -> Key:
        return (self.name, self.domain.lstrip(".").lower(), self.path)

    def goes_to(self, host: str, path: str, now: float) -> bool:
        if self.expires != SESSION and self.expires <= now:
            return False
        domain = self.domain.lower()
        named = host == domain.lstrip(".") or (domain.startswith(".") and host.endswith(domain))
        return named and (self.path == "/" or path == self.path or path.startswith(self.path.rstrip("/") + "/"))


class CookieJar:
    """The cookies of one account. Of those that the account's file and this process both have, the newer counts.

    `login` tells one signing in from another, so that what was set in the one never comes among those of the other.
    """

    def __init__(self, cookies: Iterable[Cookie] = (), login: str = "") -> None:
        self.login = login
        self._cookies = {cookie.key: cookie for cookie in cookies}
        self._changed: dict[Key, Cookie | None] = {}

    def __iter__(self) -> Iterator[Cookie]:
        return iter(self._cookies.values())

    def __len__(self) -> int:
        return len(self._cookies)

    @property
    def missing(self) -> list[str]:
        """What Google wants and is not there."""
        names = {cookie.name for cookie in self}
        return [name for name in NEEDED if name not in names]

    def header(self, url: str, now: float) -> str:
        """What is sent to an address; longer paths first, as browsers do."""
        parts = urlsplit(url)
        host, path = (parts.hostname or "").lower(), parts.path or "/"
        found = [cookie for cookie in self if cookie.goes_to(host, path, now)]
        return "; ".join(f"{one.name}={one.value}" for one in sorted(found, key=lambda one: -len(one.path)))

    def take(self, url: str, lines: Iterable[str], now: float) -> bool:
        """Takes over what an answer sets; whether anything changed."""
        changed = False
        host = (urlsplit(url).hostname or "").lower()
        for line in lines:
            cookie = set_by(line, host, now)
            if cookie is None or self._cookies.get(cookie.key) == cookie:
                continue
            gone = cookie.expires != SESSION and cookie.expires <= now
            if gone:
                self._cookies.pop(cookie.key, None)
            elif len(self._cookies) < MOST_COOKIES or cookie.key in self._cookies:
                self._cookies[cookie.key] = cookie
            self._changed[cookie.key] = None if gone else cookie
            changed = True
        return changed

    def joined(self, stored: CookieJar) -> CookieJar:
        """What is stored, with what this process was told since it was read."""
        made = CookieJar(stored, stored.login)
        for key, cookie in self._changed.items():
            if cookie is None:
                made._cookies.pop(key, None)
            else:
                made._cookies[key] = cookie
        return made


def set_by(line: str, host: str, now: float) -> Cookie | None:
    """The cookie of a Set-Cookie line; None for one that the host may not set, or that makes no sense."""
    if len(line) > MOST_LENGTH:
        return None
    first, *rest = line.split(";")
    name, equals, value = first.partition("=")
    name = name.strip()
    if not equals or not name:
        return None
    cookie = Cookie(name, value.strip(), host, secure=False, http_only=False)
    if not cookie.can_be_sent:
        return None
    age: float | None = None
    for part in rest:
        key, _, text = part.strip().partition("=")
        match key.lower():
            case "domain" if text.strip():
                domain = text.strip().lstrip(".").lower()
                if not (host == domain or host.endswith("." + domain)) or "." not in domain:
                    return None
                cookie = replace(cookie, domain="." + domain)
            case "path" if text.startswith("/"):
                cookie = replace(cookie, path=text)
            case "max-age" if AGE.fullmatch(text):
                age = float(text[:12])
            case "expires":
                cookie = replace(cookie, expires=_moment(text))
            case "secure":
                cookie = replace(cookie, secure=True)
            case "httponly":
                cookie = replace(cookie, http_only=True)
    return cookie if age is None else replace(cookie, expires=now + age)


def _moment(text: str) -> float:
    try:
        return parsedate_to_datetime(text.replace("-", " ")).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return SESSION


def cookies_in(text: str) -> list[Cookie]:
    """The cookies in a file: a browser's saved state (Playwright), a list of cookies as JSON, or a cookies.txt."""
    found = _of_json(text) if text.lstrip().startswith(("{", "[")) else _of_lines(text)
    ours = [one for one in found if one.can_be_sent and one.domain.lstrip(".").lower().endswith("google.com")]
    if not ours:
        raise InvalidInput(
            "There are no cookies of Google in it.", hint="Save them from a browser that is signed in to NotebookLM."
        )
    return ours[:MOST_COOKIES]


def _of_json(text: str) -> list[Cookie]:
    try:
        data = json.loads(text)
        rows = data["cookies"] if isinstance(data, dict) else data
        return [_of_row(row) for row in rows]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise InvalidInput("This is no list of cookies.") from None


def _of_row(row: Any) -> Cookie:
    name, value = row["name"], row["value"]
    expires = row.get("expires", row.get("expirationDate"))
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError
    return Cookie(
        name=name,
        value=value,
        domain=str(row.get("domain") or ".google.com"),
        path=str(row.get("path") or "/"),
        expires=float(expires) if isinstance(expires, int | float) and expires > 0 else SESSION,
        secure=bool(row.get("secure", True)),
        http_only=bool(row.get("httpOnly", True)),
    )


def _of_lines(text: str) -> list[Cookie]:
    """cookies.txt: seven fields a line. What `curl` marks as for HTTP alone begins like a remark and is none."""
    found = []
    for line in text.splitlines():
        http_only = line.startswith(HTTP_ONLY)
        fields = line.removeprefix(HTTP_ONLY).split("\t")
        if len(fields) != 7 or (line.startswith("#") and not http_only):
            continue
        domain, _, path, secure, expires, name, value = fields
        moment = float(expires) if expires.isdecimal() and int(expires[:12]) > 0 else SESSION
        found.append(Cookie(name, value.strip(), domain, path or "/", moment, secure == "TRUE", http_only))
    return found


def storage_state(cookies: Iterable[Cookie]) -> dict[str, Any]:
    """The form in which a browser saves its state, which other clients of NotebookLM read too."""
    rows = [
        {
            "name": one.name,
            "value": one.value,
            "domain": one.domain,
            "path": one.path,
            "expires": one.expires,
            "httpOnly": one.http_only,
            "secure": one.secure,
            "sameSite": "None" if one.secure else "Lax",
        }
        for one in cookies
    ]
    return {"cookies": rows, "origins": []}
