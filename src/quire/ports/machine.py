"""The clock, and signatures that only this installation can make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        ...


class Signer(Protocol):
    """Makes and checks tokens that only this installation can make."""

    @property
    def key(self) -> bytes: ...

    def sign(self, claims: Mapping[str, Any], seconds: int) -> str: ...

    def verify(self, token: str) -> dict[str, Any]: ...
