"""Contract 3: the tools of the book store.

Arguments come flat or inside `params`; a result is JSON, a list is a bare array; an error is
`{"error", "message", "path"}` and whatever else helps (the current hash of a file in conflict).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.api.capability import Capability
from quire.domain.books import stored
from quire.domain.builds import BuildPlan
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError
from quire.domain.pages import Page
from quire.entry.contract_tools.contract import Contract, compact

PATHS = ("path", "new_path")
TOLD = ("current_hash", "field", "log_id")
NAMES: list[tuple[type[QuireError], str]] = [
    (NotFound, "ContentNotFoundError"),
    (Conflict, "ConflictError"),
    (InvalidInput, "ValidationError"),
]


class BookContract(Contract):
    over_http = True
    errors = (NotFound, Conflict)
    tells_results = False

    def reshaped(self, given: dict[str, Any]) -> dict[str, Any]:
        inner = given.get("params")
        return inner if len(given) == 1 and isinstance(inner, dict) else given

    def answer(self, capability: Capability, result: Any) -> tuple[str, Any]:
        data = capability.dump(result)
        return compact(data["items"] if bare(result) else data), data

    def remark(self, result: Any) -> str | None:
        if not bare(result) or not result.truncated:
            return None
        least = "at least " if getattr(result, "at_least", False) else ""
        listed = f"{len(result):,} of {least}{result.total:,} are listed."
        return f"{listed} The next ones: call again with cursor {result.cursor!r}."

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        arguments = self.reshaped(dict(arguments))
        path = error.details.get("path") or place_of(arguments)
        body = {"error": name_of(error, arguments), "message": error.message}
        if isinstance(error, NotFound) and error.details["noun"] == "content":
            body["message"] = f"Content not found: {path}"
        if path:
            body["path"] = path
        if error.hint:
            body["hint"] = error.hint
        body |= {name: value for name, value in error.details.items() if name in TOLD}
        return compact(body), body

    def status(self, kind: type[QuireError]) -> int:
        return 400 if issubclass(kind, InvalidInput) else kind.status


def bare(result: Any) -> bool:
    """Whether a result is an array by itself; a plan is more than the list of its files."""
    return isinstance(result, Page) and not isinstance(result, BuildPlan)


def name_of(error: QuireError, arguments: Mapping[str, Any]) -> str:
    """The contract's word for an error; one that it does not know is called by our own."""
    field = error.details.get("field")
    if isinstance(error, InvalidInput) and field in PATHS and isinstance(arguments.get(field), str):
        return "InvalidPathError"
    return next((name for kind, name in NAMES if isinstance(error, kind)), f"{type(error).__name__}Error")


def place_of(arguments: Mapping[str, Any]) -> str:
    """Where an error happened, as far as the arguments tell."""
    book_id, path = arguments.get("book_id"), arguments.get("path")
    if not isinstance(book_id, str):
        return ""
    return stored(book_id, path if isinstance(path, str) else "")
