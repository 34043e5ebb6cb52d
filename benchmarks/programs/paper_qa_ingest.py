"""A folder by paper-qa: its index of a directory. What it would ask a model for stands in a manifest."""

from __future__ import annotations

import asyncio
import csv
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from paperqa import Settings
from paperqa.agents.search import get_directory_index

folder = Path(json.load(sys.stdin)["folder"])


async def ingest(home: Path) -> tuple[int, float]:
    settings = Settings()
    settings.parsing.use_doc_details = False
    settings.parsing.defer_embedding = True
    settings.parsing.multimodal = False
    settings.agent.rebuild_index = True
    settings.agent.index.paper_directory = folder
    settings.agent.index.index_directory = home
    settings.agent.index.manifest_file = home / "manifest.csv"
    with (home / "manifest.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["file_location", "title", "doi", "citation", "docname"])
        rows.writerows([one.name, one.name, "", one.name, one.name] for one in sorted(folder.iterdir()))
    begun = time.perf_counter()
    index = await get_directory_index(settings=settings)
    seconds = time.perf_counter() - begun
    kept = [await index.get_saved_object(file) for file in await index.index_files]
    return sum(len(docs.texts) for docs in kept if docs), seconds


with tempfile.TemporaryDirectory() as home:
    passages, seconds = asyncio.run(ingest(Path(home)))
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"passages": passages, "seconds": seconds, "memory_mb": memory}))
