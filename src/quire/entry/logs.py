"""Logs as JSON lines, to stderr or to a file.

A line names a call's arguments and never holds their values; tracebacks are written for
`quire.errors` alone, as places in the code and kinds of exceptions: what these say may quote
somebody's text. Other libraries log what passes through them, so of theirs only warnings are kept.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from quire.domain.errors import InvalidInput
from quire.entry.settings import Settings

CALL = ("tool", "door", "actor", "request", "arguments", "outcome", "ms")
WITH_TRACEBACK = "quire.errors"
LONGEST_CHAIN = 10


class JsonLine(logging.Formatter):
    """One record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: getattr(record, name) for name in CALL if hasattr(record, name)}
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
            if record.name == WITH_TRACEBACK:
                line["traceback"] = _frames(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def _frames(error: BaseException | None) -> str:
    """Where it came from, and what that came from in turn."""
    parts: list[str] = []
    while error is not None and len(parts) < LONGEST_CHAIN:
        frames = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"{frames}{type(error).__module__}.{type(error).__qualname__}{_plain(error)}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(reversed(parts))


def _plain(error: BaseException) -> str:
    """What SQLite and the system say, which names columns and reasons and quotes no row."""
    import sqlite3

    if isinstance(error, sqlite3.Error):
        return f": {error}"
    return f": {error.strerror}" if isinstance(error, OSError) else ""


class LogHandler(logging.StreamHandler[TextIO]):
    """Writes to a file, or to whatever stderr is at that moment."""

    def __init__(self, file: TextIO | None) -> None:
        logging.Handler.__init__(self)
        self._file = file
        self.setFormatter(JsonLine())

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return self._file or sys.stderr

    def close(self) -> None:
        if self._file:
            self._file.close()
        super().close()


def start(settings: Settings) -> None:
    """Logs as the settings say, from now on; calling it again replaces what was said before."""
    handler = LogHandler(_opened(settings) if settings.log_file else None)
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old, LogHandler)]:
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("quire").setLevel(settings.log_level.upper())


def _opened(settings: Settings) -> TextIO:
    """The log file, made for its owner's eyes; a relative name is one in the home."""
    path = settings.home / Path(settings.log_file).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise InvalidInput(f"The log file {path} cannot be opened: {error.strerror}.") from None
