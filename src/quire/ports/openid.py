"""Who somebody is, as a provider of OpenID Connect says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Flow:
    """What one sign-in is recognised by; it stays with the browser that began it."""

    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True)
class Identity:
    """Whom the provider speaks of; the address is one that it has verified."""

    email: str
    name: str


class OpenIdProvider(Protocol):
    async def begin(self) -> tuple[str, Flow]:
        """Where a browser signs in, and what it is recognised by when it comes back."""
        ...

    async def finish(self, flow: Flow, answer: Mapping[str, str]) -> Identity:
        """Who came back with this answer of the provider's; NotSignedIn where that cannot be believed."""
        ...
