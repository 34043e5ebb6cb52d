"""A browser of this machine, as far as it takes to know whether one starts."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from contextlib import suppress

from quire.adapters.child_process import ended

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SECONDS = 20.0
QUIET = (
    "--headless=new",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
)


def program() -> str | None:
    """The path of a browser, if there is one."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


async def starts() -> bool:
    """Whether a browser is here and shows an empty page. It gets a folder of its own, and no network is used."""
    path = program()
    if path is None:
        return False
    # Chromium refuses its own sandbox to root.
    rootly = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with tempfile.TemporaryDirectory(prefix="quire-browser-", ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            path, *QUIET, *rootly, f"--user-data-dir={folder}", "--dump-dom", "about:blank",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(SECONDS):
                shown, _ = await process.communicate()
            return process.returncode == 0 and b"<html" in shown
        except TimeoutError:
            return False
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await ended(process)
