"""A folder by paper-qa, read and cut, in memory. Citations are given, since it would ask a model for them."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from pathlib import Path

from paperqa import Docs, Settings

folder = json.load(sys.stdin)["folder"]


async def ingest() -> Docs:
    settings = Settings()
    settings.parsing.use_doc_details = False
    settings.parsing.defer_embedding = True
    settings.parsing.multimodal = False
    docs = Docs()
    for file in sorted(Path(folder).iterdir()):
        await docs.aadd(file, citation=file.name, docname=file.name, title=file.name, authors=[], settings=settings)
    return docs


begun = time.perf_counter()
made = asyncio.run(ingest())
seconds = time.perf_counter() - begun
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"passages": len(made.texts), "seconds": seconds, "memory_mb": memory}))
