"""Signing in to Google in a real browser window, and taking its cookies along."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from quire.adapters.browser_program import program
from quire.domain.errors import TimedOut, Unsupported

LOOK_AGAIN = 0.5
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-default-browser-check",
)
NO_PLAYWRIGHT = "Signing in by a browser needs an extra."


async def sign_in(
    host: str,
    needed: tuple[str, ...],
    *,
    seconds: float,
    proxy: str = "",
    authorities: str = "",
    path: str | None = None,
    shown: bool = True,
) -> dict[str, Any]:
    """The state of a browser in which somebody has signed in: it shows NotebookLM's page and has the needed cookies.

    `authorities` names certificates to trust beside the browser's own; where there are such, the browser is asked
    whether it trusts a key of theirs, and nothing else.
    """
    try:
        from playwright.async_api import Error, async_playwright
    except ImportError:
        raise Unsupported(NO_PLAYWRIGHT, hint="quire extras add browser, or quire login --cookies FILE") from None
    chosen = path or program()
    if chosen is None:
        raise Unsupported("There is no browser on this machine.", hint="quire login --cookies FILE")
    arguments = [*QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    if authorities:
        arguments.append(f"--ignore-certificate-errors-spki-list={await asyncio.to_thread(_keys, Path(authorities))}")
    with tempfile.TemporaryDirectory(prefix="quire-login-", ignore_cleanup_errors=True) as folder:
        async with async_playwright() as playwright:
            try:
                context = await playwright.chromium.launch_persistent_context(
                    folder,
                    executable_path=chosen,
                    headless=not shown,
                    args=arguments,
                    proxy={"server": proxy} if proxy else None,
                )
            except Error:
                raise Unsupported(
                    "The browser does not start.", hint="A window is needed; elsewhere: quire login --cookies FILE"
                ) from None
            try:
                page = context.pages[0] if context.pages else await context.new_page()
                await page.goto(f"https://{host}/", wait_until="domcontentloaded")
                return await _waited_for(context, host, needed, time.monotonic() + seconds)
            except Error as error:
                reason = error.message.partition("\n")[0][:200]
                raise Unsupported(f"The browser ended before anyone signed in: {reason}") from None
            finally:
                await context.close()


async def _waited_for(context: Any, host: str, needed: tuple[str, ...], end: float) -> dict[str, Any]:
    while time.monotonic() < end:
        there = any(urlsplit(page.url).hostname == host for page in context.pages)
        if there:
            names = {cookie["name"] for cookie in await context.cookies(f"https://{host}/")}
            if names.issuperset(needed):
                state: dict[str, Any] = await context.storage_state()
                return state
        await asyncio.sleep(LOOK_AGAIN)
    raise TimedOut("Nobody signed in within the time.")


def _keys(path: Path) -> str:
    """The hashes by which a browser knows the keys of certificates."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    found = x509.load_pem_x509_certificates(path.read_bytes())
    keys = (one.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) for one in found)
    return ",".join(base64.b64encode(hashlib.sha256(key).digest()).decode() for key in keys)
