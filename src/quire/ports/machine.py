"""The clock, and signatures that only this installation can make."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        ...


class Purpose(StrEnum):
    """What a token or a key is for. One whose claims change gets another text, and what was given out ends."""

    FILE_LINK = "file link of a token"
    ASSET_UPLOAD = "asset upload"
    PAGE_SESSION = "page session of a token"
    PAGE_SESSION_PROOF = "page session proof"
    OWNERS_MARK = "mark of the owner's token"
    PAGE_SIGN_IN = "page sign-in at a provider"
    MCP_REQUEST_STATE = "mcp request state"
    WIRE_PROXY = "wire proxy"
    WIRE_SESSION = "wire session"
    WIRE_CALL = "wire call"
    WIRE_SESSION_NUMBER = "wire session number"
    WIRE_UPLOAD = "wire upload"


class Signer(Protocol):
    """Makes and checks tokens that only this installation can make, each good for one purpose."""

    def sign(self, purpose: Purpose, claims: Mapping[str, Any], seconds: int) -> str: ...

    def verify(self, purpose: Purpose, token: str) -> dict[str, Any]:
        """The claims, or NotAllowed when this is no token for the purpose or has expired."""
        ...

    def derived(self, purpose: Purpose) -> bytes:
        """A key of 32 bytes, from which neither the secret nor any other key can be told."""
        ...


class OwnersToken(Protocol):
    """The token that this installation's owner has, where there is one."""

    def mark(self) -> str:
        """Tells it from any other, and nothing of it to whoever reads the mark; empty where there is no token."""
        ...

    def has(self, mark: str) -> bool:
        """Whether the mark is of a token that holds."""
        ...
