"""A folder by Quire: read, cut, indexed for full text and kept in SQLite on disk, each file acknowledged by itself."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from quire.domain.files import Upload
from quire.entry.bootstrap import build
from quire.entry.settings import load

given = json.load(sys.stdin)


async def ingest(home: str) -> tuple[int, float]:
    async with build(load({"home": home, "embedder": "none"}, {})) as library:
        notebook = await library.notebooks.create("Folder")
        begun = time.perf_counter()
        passages = 0
        for file in sorted(Path(given["folder"]).iterdir()):
            if given["as_text"]:
                text = file.read_text(encoding="utf-8")
                source = await library.sources.add(notebook.id, "text", text=text, title=file.name)
            else:
                source = await library.sources.add_file(notebook.id, Upload.of(file))
            if source.state != "ready":
                raise SystemExit(f"{file.name}: {source.state}, {source.error}")
            passages += source.passages
        return passages, time.perf_counter() - begun


with tempfile.TemporaryDirectory() as home:
    passages, seconds = asyncio.run(ingest(home))
# Files are read in child processes: the largest of them counts as well.
usage = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({"passages": passages, "seconds": seconds, "memory_mb": sum(usage) / 1024}))
