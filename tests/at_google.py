"""A library on the engine that drives NotebookLM, against Quire's own server in Google's place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import Settings
from quire.notebooklm.sessions import storage_state
from through_proxy import Proxied, proxied


def settings_for(place: Proxied, home: Path, **more: Any) -> Settings:
    """Settings of an engine whose way to Google ends at the server."""
    given = {
        "home": home,
        "engine": "notebooklm",
        "notebooklm_cookies": json.dumps(storage_state(place.sessions.open())),
        "notebooklm_proxy": f"http://127.0.0.1:{place.port}",
        "notebooklm_ca": str(place.authority),
        "embedder": "none",
        "rates": "",
    }
    return Settings.model_validate(given | more)


@contextmanager
def at_google(folder: Path, there: Settings | None = None, **more: Any) -> Iterator[tuple[Library, Proxied]]:
    """`there` are settings of the server in Google's place, but for home and store; `more` are the engine's."""
    given = {} if there is None else there.model_dump(include=there.model_fields_set - {"home", "port", "store"})
    with proxied(folder / "google", **{"embedder": "none"} | given) as place:
        yield build(settings_for(place, folder / "here", **more)), place
