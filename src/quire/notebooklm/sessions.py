"""Who may speak to the wire server: the TLS proxy by its key, a client by its session, a call by its token."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from quire.domain.errors import NotAllowed
from quire.ports.machine import Purpose, Signer

SESSION_DAYS = 30
SESSION_COOKIE = "SID"
# What a client looks for before it believes that someone is signed in; only the first one means anything here.
COOKIES = (SESSION_COOKIE, "__Secure-1PSIDTS", "__Secure-1PSID", "HSID", "SSID", "APISID", "SAPISID", "OSID", "LSID")
PROXY_HEADER = "x-quire-proxy"


def proxy_key(signer: Signer) -> str:
    """What the proxy proves itself with: made of the home's secret, which both sides can read."""
    return signer.derived(Purpose.WIRE_PROXY).hex()


class Sessions:
    """Sessions are signed and not kept, so a server that was started anew knows them.

    Everybody but the owner has a token of theirs in the place of one.
    """

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def open(self) -> str:
        """A session of this machine's owner."""
        return self._signer.sign(Purpose.WIRE_SESSION, {}, SESSION_DAYS * 24 * 3600)

    def is_owners(self, session: str) -> bool:
        """Whether this is a session that was opened here; those are the owner's."""
        try:
            self._signer.verify(Purpose.WIRE_SESSION, session)
        except NotAllowed:
            return False
        return True

    def token(self, session: str) -> str:
        """The token that each call of a session must carry, so that no other page can make one."""
        return self._keyed(Purpose.WIRE_CALL, session)[:40]

    def session_id(self, session: str) -> str:
        """The number that a client repeats on each call; nothing hangs on it."""
        return str(int(self._keyed(Purpose.WIRE_SESSION_NUMBER, session)[:14], 16))

    def check(self, session: str, token: str | None) -> bool:
        return hmac.compare_digest((token or "").encode(errors="replace"), self.token(session).encode())

    def _keyed(self, purpose: Purpose, session: str) -> str:
        return hmac.new(self._signer.derived(purpose), session.encode(errors="replace"), "sha256").hexdigest()


def cookie_values(session: str) -> dict[str, str]:
    """The cookies of a session; all but one are only looked for."""
    return {name: session if name == SESSION_COOKIE else "quire" for name in COOKIES}


def storage_state(session: str) -> dict[str, Any]:
    """A session as a browser's saved state, in which notebooklm-py keeps it."""
    expires = int((datetime.now(UTC) + timedelta(days=SESSION_DAYS)).timestamp())
    facts: Mapping[str, Any] = {
        "domain": ".google.com",
        "path": "/",
        "expires": expires,
        "httpOnly": True,
        "secure": True,
        "sameSite": "None",
    }
    cookies = [{"name": name, "value": value, **facts} for name, value in cookie_values(session).items()]
    return {"cookies": cookies, "origins": []}
