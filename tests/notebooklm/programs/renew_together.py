"""One of several processes that share an account for an hour: `renew_together.py PORT AUTHORITY FOLDER MINUTES`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from quire.adapters.http_client import HttpClient
from quire.adapters.memory import FixedClock
from quire.notebooklm.engine.account import Account
from quire.notebooklm.engine.profiles import Profiles


async def main(port: str, authority: str, folder: str, minutes: int) -> None:
    clock = FixedClock()
    http = HttpClient(f"http://127.0.0.1:{port}", authority)
    account = Account(Profiles(Path(folder)).get("shared"), http, clock, "notebook.google.com")
    for _ in range(minutes):
        tokens = await account.tokens()
        await account.refreshed(tokens)
        clock.move(seconds=60)
    await http.close()


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
