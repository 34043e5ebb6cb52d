"""Contract 3: the tools of the book store, each the capability of its name with the contract's form of call and error.

Arguments come flat or inside `params`; a result is JSON, a list is a bare array; an error is
`{"error", "message", "path"}` and whatever else helps (the current hash of a file in conflict).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from quire.api.capability import Capability
from quire.api.library import Library
from quire.domain.books import stored
from quire.domain.errors import Conflict, InvalidInput, NotFound, QuireError
from quire.domain.pages import Page
from quire.entry.faces.face import Face

PATHS = ("path", "new_path")
NAMES: list[tuple[type[QuireError], str]] = [
    (NotFound, "ContentNotFoundError"),
    (Conflict, "ConflictError"),
    (InvalidInput, "ValidationError"),
]


class BookFace(Face[Any, Any]):
    over_http = True
    errors = (NotFound, Conflict)

    def __init__(self, tool: str, *, destructive: bool | None = None, bare: bool = True) -> None:
        self.tool = tool  # type: ignore[misc]
        self.bare = bare
        self.destructive = destructive  # type: ignore[misc]

    def status(self, kind: type[QuireError]) -> int:
        return 400 if issubclass(kind, InvalidInput) else kind.status

    @cached_property
    def capability(self) -> Capability:
        from quire.entry.bootstrap import offered

        return next(one for one in offered() if one.tool == self.tool)

    @property
    def input(self) -> type[BaseModel]:  # type: ignore[override]
        return self.capability.declared.arguments

    @property
    def description(self) -> str:  # type: ignore[override]
        return self.capability.summary

    def input_schema(self) -> dict[str, Any]:
        return self.capability.input_schema

    def arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        inner = given.get("params")
        return inner if len(given) == 1 and isinstance(inner, dict) else given

    async def call(self, library: Library, input: BaseModel) -> Any:
        given = {name: getattr(input, name) for name in type(input).model_fields}
        return await self.capability.call(library, given)

    def text(self, result: Any, input: BaseModel) -> str:
        data = self.capability.dump(result)
        return compact(data["items"] if isinstance(result, Page) and self.bare else data)

    def structured(self, result: Any) -> dict[str, Any]:
        data: dict[str, Any] = self.capability.dump(result)
        return data

    def error(self, error: QuireError, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        arguments = self.arguments(dict(arguments))
        path = error.details.get("path") or place_of(error, arguments)
        body = {"error": name_of(error, arguments), "message": error.message}
        if isinstance(error, NotFound) and error.details["noun"] == "content":
            body["message"] = f"Content not found: {path}"
        if path:
            body["path"] = path
        if error.hint:
            body["hint"] = error.hint
        extra = {name: value for name, value in error.details.items() if name in ("current_hash", "field", "log_id")}
        return compact(body | extra), body | extra


def name_of(error: QuireError, arguments: Mapping[str, Any]) -> str:
    """The contract's word for an error; one that it does not know is called by our own."""
    field = error.details.get("field")
    if isinstance(error, InvalidInput) and field in PATHS and isinstance(arguments.get(field), str):
        return "InvalidPathError"
    return next((name for kind, name in NAMES if isinstance(error, kind)), f"{type(error).__name__}Error")


def place_of(error: QuireError, arguments: Mapping[str, Any]) -> str:
    """Where an error happened, as far as the arguments tell."""
    book_id, path = arguments.get("book_id"), arguments.get("path")
    if not isinstance(book_id, str):
        return ""
    return stored(book_id, path if isinstance(path, str) else "")


def compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


TOOLS = (
    "read_content", "write_content", "delete_content", "edit_content", "move_content",
    "read_summary", "write_summary", "delete_summary",
    "get_asset", "list_assets", "delete_asset", "download_asset",
    "get_content_history", "diff_content", "restore_content", "query_book_audit", "verify_book_audit",
    "glob_search", "grep_search", "get_book_archive", "list_books", "create_book", "update_book",
    "write_overlay", "delete_overlay", "list_overlays",
)  # fmt: skip

BOOK_FACES: tuple[Face[Any, Any], ...] = (
    *map(BookFace, TOOLS),
    BookFace("upload_asset", destructive=True),
    BookFace("plan_build", bare=False),
)
