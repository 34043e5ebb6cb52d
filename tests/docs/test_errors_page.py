"""docs/errors.md against the classes it describes."""

from __future__ import annotations

import re
from pathlib import Path

from quire.domain.errors import QuireError

PAGE = (Path(__file__).parents[2] / "docs/errors.md").read_text(encoding="utf-8")


def errors() -> list[type[QuireError]]:
    kinds: list[type[QuireError]] = [QuireError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    return [kind for kind in kinds if kind.__module__ == "quire.domain.errors"]


def test_the_table_says_what_each_class_says() -> None:
    rows = {
        row[0]: row[1:]
        for row in re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\d+) \| (\d+) \| (\w+) \| (.+) \|$", PAGE, re.M)
    }
    assert rows == {
        kind.__name__: (
            kind.code,
            str(kind.status),
            str(kind.exit_code),
            "yes" if kind.retriable else "no",
            (kind.__doc__ or "").strip(),
        )
        for kind in errors()
    }


def test_codes_are_told_apart() -> None:
    codes = [kind.code for kind in errors()]
    assert len(codes) == len(set(codes))


def test_the_page_says_which_error_is_a_kind_of_which() -> None:
    wider = {
        (kind.__name__, base.__name__)
        for kind in errors()
        for base in kind.__bases__
        if base not in (QuireError, Exception)
    }
    assert set(re.findall(r"`(\w+)` (?:is )?an? `(\w+)`", PAGE)) == wider
