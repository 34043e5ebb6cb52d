"""What notebooklm-py's API raises for what Quire refuses; runs in its own environment."""

import asyncio
import json
import sys

from notebooklm import NotebookLMClient

MINE, SHARED, THEIRS = sys.argv[1:4]
SAID = {}


async def raised(name, work):
    try:
        SAID[name] = ["none", repr(await work)[:200]]
    except Exception as error:
        code = getattr(error, "rpc_code", None)
        SAID[name] = [type(error).__name__, *([code] if code is not None else [])]
        SAID[name + " says"] = str(error)
        SAID[name + " later"] = getattr(error, "retry_after", None)


async def main():
    async with NotebookLMClient.from_storage(rate_limit_max_retries=0, server_error_max_retries=0) as client:
        await raised("missing notebook", client.notebooks.get("00000000-0000-4000-8000-000000000000"))
        await raised("missing source", client.sources.get(MINE, "00000000-0000-4000-8000-000000000000"))
        await raised("missing note", client.notes.get(MINE, "00000000-0000-4000-8000-000000000000"))
        await raised("may only read", client.notebooks.rename(SHARED, "Mine"))
        await raised("may not delete", client.sources.delete(SHARED, THEIRS))
        await raised("bad address", client.sources.add_url(MINE, "http://10.1.2.3/"))
        await raised("no service", client.sources.list_play_books())
        await raised("nothing to ask", client.chat.ask(MINE, "Is there anything?"))
        await raised("too often", client.notebooks.create("Second"))


asyncio.run(main())
print(json.dumps(SAID))
