"""Meets every kind of failure with notebooklm-py's API, and prints what it raised; runs in its own environment."""

import asyncio
import json
import sys
from pathlib import Path

from notebooklm import NotebookLMClient

CASE, *NAMES = sys.argv[1:]
SAID = {}


async def met(name):
    """The next answer is the one that the case names."""
    Path(CASE).write_text(name, encoding="utf-8")
    try:
        async with NotebookLMClient.from_storage(rate_limit_max_retries=0, server_error_max_retries=0) as client:
            await client.notebooks.list()
    except Exception as error:
        return told(error)
    return ["none"]


def told(error):
    code = getattr(error, "rpc_code", None)
    later = getattr(error, "retry_after", None)
    return [type(error).__name__, *([str(code)] if code is not None else []), *([f"after {later}"] if later else [])]


async def main():
    for name in NAMES:
        SAID[name] = await met(name)


asyncio.run(main())
print(json.dumps(SAID))
