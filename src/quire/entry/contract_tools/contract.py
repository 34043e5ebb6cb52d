"""What a contract says of all tools of a toolset: how they are called, how they answer, and how they fail."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from quire.api.capability import Capability
from quire.domain.errors import QuireError


class Contract:
    """That of a toolset which no contract speaks of: JSON as the capability gives it."""

    # Whether it speaks of HTTP too: statuses, and bodies of errors beside our own.
    over_http: ClassVar[bool] = False
    # The errors that any of its tools may answer with.
    errors: ClassVar[tuple[type[QuireError], ...]] = ()
    # Whether its tools say what their results look like.
    tells_results: ClassVar[bool] = True

    def reshaped(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a client sent, where there is more than one way to send it."""
        return given

    def answer(self, capability: Capability, result: Any) -> tuple[str, Any]:
        """The text of a result, and the same as fields."""
        data = capability.dump(result)
        return compact(data), data

    def told(self, event: Any) -> Any:
        """What is told on the way to a result."""
        return event

    def attached(self, result: Any) -> list[dict[str, Any]]:
        """What of a result is no text: content in MCP's own forms."""
        return []

    def remark(self, result: Any) -> str | None:
        """What is said beside a text that cannot say it: that there is more."""
        return None

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The text and the body of a failed call."""
        body = error.body()
        return compact(body), body

    def status(self, kind: type[QuireError]) -> int:
        """The HTTP status of an error."""
        return kind.status


def compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
