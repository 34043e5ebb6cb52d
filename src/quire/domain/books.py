"""Books: lessons, summaries and assets as files with a hash, and the rules for naming them."""

from __future__ import annotations

import mimetypes
import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from quire.domain.errors import InvalidInput, NotFound, TooLarge
from quire.domain.pages import Page

CONTENT_LIMIT = 1024 * 1024
SUMMARY_LIMIT = 100 * 1024
PATH_LIMIT = 255
TITLE_LIMIT = 1_000

BOOK_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
PLAIN_PATH = re.compile(r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9_.-]+(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9_.-]+)*")
CHAPTER_ID = re.compile(r"chapter-[0-9]{2}")
SUMMARY_PATH = re.compile(r"chapters/chapter-[0-9]{2}/\.summary\.md")
HASH = re.compile(r"[0-9a-fA-F]{64}")
RESERVED = frozenset({"book.yaml", "registry.yaml", "archives", "audit", "audit.jsonl", ".audit", ".quire"})

BookStatus = Literal["active", "archived", "migrating"]

BookId = Annotated[
    str,
    Field(
        description="Such as my-book.",
        examples=["my-book"],
        json_schema_extra={"pattern": f"^{BOOK_ID.pattern}$", "minLength": 3, "maxLength": 50},
    ),
]
ContentPath = Annotated[
    str,
    Field(
        description="Such as lessons/part-1/chapter-01/lesson-01.md.",
        examples=["lessons/one.md"],
        json_schema_extra={"minLength": 1, "maxLength": PATH_LIMIT},
    ),
]
ChapterId = Annotated[
    str,
    Field(
        description="Such as chapter-01.",
        examples=["chapter-01"],
        json_schema_extra={"pattern": r"^chapter-\d{2}$"},
    ),
]
FileHash = Annotated[
    str,
    Field(
        description="The hash you read; refused if it changed.",
        json_schema_extra={"pattern": "^[0-9a-fA-F]{64}$"},
    ),
]
# The limits are checked in bytes; a text of more characters than that is too long in any case.
Text = Annotated[
    str,
    Field(
        description="Markdown, at most 1 MiB.",
        examples=["Milk and bread"],
        json_schema_extra={"maxLength": CONTENT_LIMIT},
    ),
]
SummaryText = Annotated[
    str,
    Field(
        description="Markdown, at most 100 KB.",
        examples=["Milk and bread"],
        json_schema_extra={"maxLength": SUMMARY_LIMIT},
    ),
]


class Fact(BaseModel):
    model_config = ConfigDict(frozen=True)


class Book(Fact):
    """A registered book."""

    book_id: str
    title: str
    storage_backend: str
    created_at: datetime
    status: BookStatus
    require_hash: bool = False
    overlays: bool = False
    notebook_id: str


class BookList(Page[Book]):
    """The books, and what is wrong with the registry that names them."""

    problems: list[str] = Field(default_factory=list)


class Entry(Fact):
    """A row of registry.yaml."""

    book_id: str
    title: Annotated[str, Field(min_length=1, max_length=TITLE_LIMIT)]
    storage_backend: Annotated[str, Field(min_length=1, max_length=50)]
    created_at: AwareDatetime
    status: BookStatus


def entry_of(raw: Any) -> Entry | str:
    """An entry of the registry, or what is wrong with it."""
    try:
        entry = Entry.model_validate(raw)
        check_book_id(entry.book_id)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in problem["loc"]) or "entry"
        return f"{where}: {problem['msg']}"
    except InvalidInput as error:
        return error.message
    return entry


class Content(Fact):
    """A file's text, and what is known of it; an overlay is the caller's own copy."""

    content: str
    file_size: int
    last_modified: datetime
    storage_backend: str
    file_hash_sha256: str
    path: str
    revision: int
    overlay: bool = False


class ContentWritten(Fact):
    status: Literal["success"] = "success"
    path: str
    file_size: int
    file_hash: str
    mode: Literal["created", "updated"]
    revision: int


class ContentEdited(Fact):
    status: Literal["success"] = "success"
    path: str
    file_size: int
    file_hash: str
    revision: int
    diff: str
    diff_truncated: bool = False


class ContentMoved(Fact):
    status: Literal["success"] = "success"
    path: str
    new_path: str
    file_size: int
    file_hash: str
    revision: int


class Summary(Fact):
    """A chapter's summary, and what is known of it."""

    path: str
    content: str
    file_size: int
    last_modified: datetime
    storage_backend: str
    sha256: str
    revision: int


class SummaryWritten(Fact):
    status: Literal["success"] = "success"
    path: str
    file_size: int
    sha256: str
    mode: Literal["created", "updated"]
    revision: int


class ContentDeleted(Fact):
    status: Literal["success"] = "success"
    path: str
    existed: bool
    message: str


class ContentVersion(Fact):
    """What a file was from a time on; a deletion has no hash."""

    revision: int
    operation: str
    actor: str
    at: datetime
    file_size: int
    file_hash: str | None
    current: bool = False


class ContentDiff(Fact):
    path: str
    from_revision: int
    to_revision: int
    diff: str
    diff_truncated: bool = False


class AuditEntry(Fact):
    """One operation that changed a book, with the hash of this entry and all before it."""

    number: int
    at: datetime
    actor: str
    operation: str
    path: str
    before_hash: str | None
    after_hash: str | None
    file_size: int | None
    detail: dict[str, Any]
    hash: str


class AuditVerdict(Fact):
    """`broken_at` is the first entry that does not follow from those before it."""

    valid: bool
    entries: int
    chain_hash: str
    broken_at: int | None = None
    reason: str | None = None


def stored(book_id: str, path: str = "") -> str:
    """Where something of a book is stored."""
    return f"books/{book_id}/{path}" if path else f"books/{book_id}"


def missing(key: str) -> NotFound:
    """What is said of a file that is not there; its path is given in full."""
    error = NotFound("content", key)
    error.details["path"] = key
    return error


def check_book_id(book_id: str) -> str:
    if not 3 <= len(book_id) <= 50 or not BOOK_ID.fullmatch(book_id):
        raise InvalidInput(
            "book_id: must be 3 to 50 lowercase letters, digits and single hyphens between them.", field="book_id"
        )
    return book_id


def check_path(path: str, *, field: str = "path", writing: bool = False) -> str:
    """A path inside a book as it was given, or InvalidInput. Nothing is decoded, trimmed or resolved."""
    if not 1 <= len(path) <= PATH_LIMIT:
        raise bad_path(field, f"must have 1 to {PATH_LIMIT} characters")
    if not PLAIN_PATH.fullmatch(path):
        raise bad_path(field, "may hold letters, digits and _ . - between single slashes, and no segment '.' or '..'")
    if writing and (first := path.partition("/")[0]).lower() in RESERVED:
        raise bad_path(field, f"'{first}' is kept by Quire itself")
    return path


def ours(path: str) -> bool:
    """Whether a file that was found is one that could have been written through a door."""
    try:
        check_path(path, writing=path != "book.yaml")
    except InvalidInput:
        return False
    return True


def has_own_name(path: str) -> bool:
    """Whether a path that no door writes, such as `my file.md`, may still be one that another program wrote."""
    parts = path.split("/")
    return (
        len(path) <= PATH_LIMIT
        and path.isprintable()
        and "\\" not in path
        and all(part not in ("", ".", "..") for part in parts)
        and parts[0].lower() not in RESERVED
    )


def bad_path(field: str, reason: str) -> InvalidInput:
    return InvalidInput(f"{field}: {reason}.", field=field)


def check_chapter_id(chapter_id: str) -> str:
    if not CHAPTER_ID.fullmatch(chapter_id):
        raise InvalidInput("chapter_id: must be of the form chapter-NN.", field="chapter_id")
    return chapter_id


def summary_path(chapter_id: str) -> str:
    return f"chapters/{check_chapter_id(chapter_id)}/.summary.md"


def limit_of(path: str) -> int:
    """How many bytes a text at a path may have, whichever tool writes it."""
    return SUMMARY_LIMIT if SUMMARY_PATH.fullmatch(path) else CONTENT_LIMIT


def check_summary(path: str, size: int) -> None:
    """Refuses to make a summary of bytes that are there already and too many."""
    if size > SUMMARY_LIMIT and SUMMARY_PATH.fullmatch(path):
        raise TooLarge(f"A summary has at most {SUMMARY_LIMIT:,} bytes, and these are {size:,}.")


def check_hash(file_hash: str | None) -> str | None:
    """A given hash in lower case."""
    if file_hash is not None and not HASH.fullmatch(file_hash):
        raise InvalidInput("file_hash: must be a SHA-256 in 64 hexadecimal digits.", field="file_hash")
    return None if file_hash is None else file_hash.lower()


def content_bytes(content: str, limit: int = CONTENT_LIMIT) -> bytes:
    """The bytes to be stored; the limit is theirs, not the text's."""
    data = content.encode()
    if len(data) > limit:
        raise TooLarge(f"content: has {len(data):,} bytes of UTF-8, at most {limit:,} are kept.", field="content")
    return data


def mime_of(path: str) -> str:
    """A media type by name alone."""
    if path.endswith(".md"):
        return "text/markdown"
    return mimetypes.guess_type(path, strict=False)[0] or "application/octet-stream"
