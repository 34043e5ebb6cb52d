"""A folder by llama-index-core: its directory reader, its sentence splitter, its document store on disk."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
import warnings

from llama_index.core import SimpleDirectoryReader
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.storage.docstore import SimpleDocumentStore

warnings.simplefilter("ignore")
folder = json.load(sys.stdin)["folder"]
begun = time.perf_counter()
pipeline = IngestionPipeline(transformations=[SentenceSplitter()], docstore=SimpleDocumentStore())
nodes = pipeline.run(documents=SimpleDirectoryReader(folder).load_data())
pipeline.docstore.add_documents(nodes)
with tempfile.TemporaryDirectory() as store:
    pipeline.persist(store)
    seconds = time.perf_counter() - begun
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"passages": len(nodes), "seconds": seconds, "memory_mb": memory}))
