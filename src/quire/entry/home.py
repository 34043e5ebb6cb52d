"""The folder that everything is kept in: what in it is ours, and who can look into it."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from quire.entry.settings import Settings

log = logging.getLogger("quire.home")

# What a folder is known by to hold a library.
LIBRARY = {"quire.db", "secret"}
OURS = LIBRARY | {
    "blobs", "shelf", "uploads", "cache", "scratch", "token", "ended_sessions", "notebooklm", "chat_history",
    "transfers", ".migrate.lock", "served_at",
}  # fmt: skip
# With what SQLite, an upgrade and a write put beside them.
OURS_BEGIN = ("quire.", "words.db", ".quire.", ".token.")
NOBODYS = {".DS_Store", "lost+found"}
OTHERS = 0o077
NAMED = 3


def is_ours_alone(settings: Settings) -> bool:
    """Whether the home is there, and a library or nothing is in it.

    A folder that holds other things too must be left as it is: whoever reads those would be locked out. What Quire
    makes in it is private all the same.
    """
    home = settings.home
    try:
        names = set(os.listdir(home))
        strangers = strangers_in(settings)
        if strangers and home.stat().st_mode & OTHERS:
            log.warning("%s", shared_with(strangers, home))
        return not names or bool(names & LIBRARY and not strangers)
    except OSError:
        return False


def strangers_in(settings: Settings) -> list[str]:
    """The names in the home that are not of Quire's making."""
    set_by_name = tuple(Path(given).name for given in (settings.store, settings.log_file) if given)
    try:
        names = os.listdir(settings.home)
    except OSError:
        return []
    known = (*OURS_BEGIN, *set_by_name)
    return sorted(name for name in names if name not in OURS | NOBODYS and not name.startswith(known))


def shared_with(strangers: list[str], home: Path) -> str:
    more = f" and {len(strangers) - NAMED} more" if len(strangers) > NAMED else ""
    held = ", ".join(strangers[:NAMED]) + more
    return f"{home} holds other things too ({held}), so who can look into it was left as it is."
