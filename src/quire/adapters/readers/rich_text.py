"""RTF, as word processors of every age can save it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.limits import Limits

TITLE = re.compile(r"\{\\title\s++([^{}\\]++)\}")
PARAGRAPH_END = re.compile(r"\n+")


def read_rtf(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading("an RTF document"):
        from striprtf import striprtf

        strip: Any = striprtf.rtf_to_text
        data = path.read_bytes().decode("latin-1")
        if not data.lstrip().startswith("{\\rtf"):
            raise damaged("an RTF document")
        title = TITLE.search(data[:20_000])
        draft.suggest_title(title[1] if title else None)
        for paragraph in PARAGRAPH_END.split(strip(data, errors="replace")):
            if "|" in paragraph and paragraph.rstrip().endswith("|"):
                draft.line("| " + paragraph.strip().replace("|", " | ").strip())
            else:
                draft.block(paragraph)
    return draft.finish()
