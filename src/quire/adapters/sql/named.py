"""Named queries and numbered migrations, read from the .sql files beside this one.

`notes.sql` serves every database; a query of the same name in `notes.postgres.sql`
takes its place on PostgreSQL.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
PARAMETER = re.compile(r"(?<!:):([a-z_]\w*)")


def queries(dialect: str) -> dict[str, str]:
    """Every query by name, as `dialect` has it, with `:name` for parameters."""
    found: dict[str, str] = {}
    for file in sorted(_files("queries"), key=lambda file: file.name.count(".")):
        _, _, variant = file.name.removesuffix(".sql").partition(".")
        if variant not in ("", dialect):
            continue
        _, *parts = NAME.split(file.read_text(encoding="utf-8"))
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            lines = [line for line in text.strip().splitlines() if not line.startswith("--")]
            found[name] = "\n".join(lines)
    return found


def migrations(words: dict[str, str]) -> list[tuple[int, str]]:
    """The migrations in order, each with its number; `{word}` stands for what differs between databases."""
    found = []
    for file in _files("migrations"):
        text = file.read_text(encoding="utf-8")
        for word, meaning in words.items():
            text = text.replace("{" + word + "}", meaning)
        found.append((int(file.name[:3]), text))
    return sorted(found)


def statements(script: str) -> list[str]:
    """The statements of a migration. Our own files hold no semicolon inside a statement."""
    bare = "\n".join(line for line in script.splitlines() if not line.lstrip().startswith("--"))
    return [part.strip() for part in bare.split(";") if part.strip()]


def percent_style(query: str) -> str:
    """`:name` as psycopg writes it."""
    return PARAMETER.sub(r"%(\1)s", query.replace("%", "%%"))


def _files(folder: str) -> list[Traversable]:
    return [file for file in (files(__package__) / folder).iterdir() if file.name.endswith(".sql")]
