"""Web pages that a browser saved with their pictures in one file (MHTML)."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from email.message import Message
from itertools import islice
from pathlib import Path

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.html import html_text, write_page
from quire.adapters.readers.limits import Limits

WHAT = "a saved web page"
MOST_PARTS = 10_000
FRAMES = 50


def read_saved_page(path: Path, limits: Limits, whole: bool = False) -> Draft:
    """The page itself, which comes first; with `whole` the frames in it too."""
    draft = Draft(limits)
    with reading(WHAT):
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.compat32)
        pages = list(islice(pages_of(message), FRAMES if whole else 1))
        if not pages:
            raise damaged(WHAT)
        for page in pages:
            write_page(draft, page, whole)
    return draft.finish()


def pages_of(message: Message) -> Iterator[str]:
    for part in islice(message.walk(), MOST_PARTS):
        data = part.get_payload(decode=True) if part.get_content_type() == "text/html" else None
        if isinstance(data, bytes) and data.strip():
            yield html_text(data, part.get_content_charset())
