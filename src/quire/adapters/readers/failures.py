"""Foreign exceptions, turned into what a person can act on."""

from __future__ import annotations

import struct
import zipfile
import zlib
from types import TracebackType

from quire.domain.errors import InvalidInput, QuireError, TooLarge, Unsupported

# What libraries raise on files that are cut short or were never of their kind.
DAMAGE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
)
# Libraries with exceptions of their own; a panic in Rust is not even an Exception.
LIBRARIES = {"_csv", "av", "lxml", "pyo3_runtime", "python_calamine"}


class reading:
    """Whatever a library raises inside the block becomes an error that says what is wrong with the file.

    `what` is the kind with its article, as in "a PDF".
    """

    def __init__(self, what: str, extra: str = "documents") -> None:
        self.what = what
        self.extra = extra

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, QuireError):
            return
        if issubclass(kind, ImportError):
            raise needs(self.extra, self.what) from error
        if issubclass(kind, MemoryError):
            raise too_much_memory() from error
        if issubclass(kind, RecursionError):
            raise InvalidInput("The file is nested too deeply to be read.") from error
        if issubclass(kind, DAMAGE) or kind.__module__.partition(".")[0] in LIBRARIES:
            raise damaged(self.what) from error


def damaged(what: str) -> InvalidInput:
    return InvalidInput(f"The file is damaged, or is not {what}.")


def needs(extra: str, what: str) -> Unsupported:
    command = f"quire extras add {extra}"
    return Unsupported(f"Reading {what} needs an extra: {command}", hint=command)


def protected(what: str) -> InvalidInput:
    return InvalidInput(
        f"The file is {what} that is protected by a password.", hint="Save a copy without the password, and add that."
    )


def too_much_memory() -> TooLarge:
    return TooLarge("Reading the file takes more memory than one file may have.")


def too_many(count: int, most: int, noun: str) -> TooLarge:
    return TooLarge(f"The file has {count:,} {noun}; {most:,} are the most that are read.", hint="Split it into parts.")


def too_much_text(most: int) -> TooLarge:
    return TooLarge(f"There are more than {most:,} characters of text in the file.", hint="Split it into parts.")


def too_large(what: str, most: int) -> TooLarge:
    return TooLarge(f"The file is too large: {what} may have {most:,} bytes.", limit=most)
