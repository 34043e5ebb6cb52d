"""Logs: what a line holds, and what it never holds."""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quire.domain.errors import InvalidInput
from quire.entry import logs
from quire.entry.cli import main
from quire.entry.settings import load


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, logs.LogHandler)]:
        root.removeHandler(handler)
        handler.close()
    logging.getLogger("quire").setLevel(logging.NOTSET)


def start(home: Path, **settings: str) -> None:
    logs.start(load({"home": home, **settings}, {}))


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_call_is_logged_with_the_names_of_its_arguments_and_never_their_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--home", str(tmp_path), "note", "add", "secret title", "secret content", "-v"])
    err = capsys.readouterr().err
    (line,) = lines(err)
    assert line.keys() >= {"time", "level", "logger", "message", "tool", "door", "request", "outcome", "ms"}
    assert line["arguments"] == ["content", "title"]
    assert (line["tool"], line["level"], line["logger"]) == ("add_note", "info", "quire.calls")
    assert "secret" not in err


def test_a_log_file_is_for_its_owner_and_grows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        start(tmp_path, log_file="logs/quire.log")
        logging.getLogger("quire.calls").warning("here")
    path = tmp_path / "logs/quire.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [line["message"] for line in lines(path.read_text())] == ["here", "here"]
    assert capsys.readouterr().err == ""


def test_a_log_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="log file"):
        start(tmp_path, log_file=str(tmp_path))


def test_only_our_errors_carry_a_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start(tmp_path)
    for name in ("quire.errors", "quire.jobs", "asyncio"):
        try:
            raise ValueError("a value")
        except ValueError:
            logging.getLogger(name).exception("it failed")
    found = lines(capsys.readouterr().err)
    assert [line["exception"] for line in found] == ["ValueError"] * 3
    assert ["traceback" in line for line in found] == [True, False, False]


def test_the_level_is_ours_and_others_are_heard_from_warnings_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path, log_level="debug")
    for name in ("quire.jobs", "mcp.server"):
        logging.getLogger(name).debug("detail")
        logging.getLogger(name).warning("trouble")
    start(tmp_path, log_level="error")
    logging.getLogger("quire.jobs").warning("not heard")
    heard = [(line["logger"], line["message"]) for line in lines(capsys.readouterr().err)]
    assert heard == [("quire.jobs", "detail"), ("quire.jobs", "trouble"), ("mcp.server", "trouble")]


def test_a_record_is_one_line_whatever_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start(tmp_path)
    logging.getLogger("quire").warning("two\nlines \x1b[31m and %s", "more")
    (line,) = lines(capsys.readouterr().err)
    assert line["message"] == "two\nlines \x1b[31m and more"


def test_a_traceback_says_where_and_quotes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start(tmp_path)
    title = "".join(("My ", "diary"))
    try:
        try:
            raise FileNotFoundError(2, "No such file", title)
        except OSError as error:
            raise ValueError(title) from error
    except ValueError:
        logging.getLogger("quire.errors").exception("unexpected error")
    err = capsys.readouterr().err
    (line,) = lines(err)
    assert "builtins.ValueError" in line["traceback"]
    assert "builtins.FileNotFoundError: No such file" in line["traceback"]
    assert "test_cli_logs.py" in line["traceback"]
    assert title not in err
