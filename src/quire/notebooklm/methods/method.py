"""One row of the table of methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any

from quire.domain.errors import WireDrift
from quire.notebooklm.wire import Drift, Node

OPTIONS: list[Any] = [2, None, None, [1, None, None, None, None, None, None, None, None, None, [1]]]
STUDIO_OPTIONS: list[Any] = [*OPTIONS, [[1, 4, 8, 2, 3, 6]]]
COLLECTION_OPTIONS: list[Any] = [2, None, None, [1, None, None, None, None, None, None, None, None, None, [1, 3]]]

HOME = "/"
NOTEBOOK = "/notebook/{notebook_id}"


class Repeat(StrEnum):
    """What happens when a call is made again because its answer was lost."""

    READ = "read"
    SAME = "same"
    """A write whose second time changes nothing."""
    TWICE = "twice"
    """A write whose second time makes another."""


class Timing(Enum):
    """How long a call may take, in seconds."""

    QUICK = 30.0
    PROCESSING = 120.0
    GENERATION = 600.0
    LONG = 1800.0


@dataclass(frozen=True, slots=True)
class Method:
    """`path` is the page that a browser would be on; it may be the only place that names the notebook."""

    id: str
    name: str
    request: Node
    response: Node
    path: str = NOTEBOOK
    repeat: Repeat = Repeat.READ
    timing: Timing = Timing.QUICK

    @property
    def timeout(self) -> float:
        return self.timing.value

    def source_path(self, names: Mapping[str, Any]) -> str:
        """The page of a call with these arguments; the home page where no notebook is named."""
        notebook = names.get("notebook_id")
        return self.path.format(notebook_id=notebook) if notebook else HOME

    def encode_request(self, names: Mapping[str, Any]) -> Any:
        return self.request.wire(names)

    def decode_request(self, params: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._read(self.request, params, "request")
        return found

    def encode_response(self, value: Any) -> Any:
        return self.response.wire(value)

    def decode_response(self, result: Any) -> Any:
        return self._read(self.response, result, "response")

    def unread(self, result: Any) -> Iterator[str]:
        """What a response holds that its template does not read."""
        return self.response.unread(result, "$")

    def _read(self, template: Node, value: Any, what: str) -> Any:
        try:
            return template.value(value)
        except Drift as drift:
            raise drifted(self.id, self.name, drift, what) from None


def drifted(id: str, name: str, drift: Drift, what: str) -> WireDrift:
    place = drift.place()
    return WireDrift(
        f"{id} {place}: expected {drift.expected}, found {drift.found} ({what} of {name}).",
        method=id,
        path=place,
        expected=drift.expected,
        found=drift.found,
    )
