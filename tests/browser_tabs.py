"""Tabs of a real browser, for tests of the page. Without chromium, whoever imports this is skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from serving import WAIT_SECONDS, Served

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("chromium is not installed (apt-get install chromium)", allow_module_level=True)

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

expect.set_options(timeout=WAIT_SECONDS * 1_000)

# Chromium stops answering once in some dozens of suites on a busy machine; that is told from a fault of the page's by
# trying once more, in a worker of its own where the first one was ended.
may_freeze = pytest.mark.flaky(reruns=1)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def browsing() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


def tab(
    browser: Browser, server: Served, excused: str = "responded with a status of", **options: Any
) -> Iterator[Page]:
    """A tab that must not complain, but for what is `excused`: neither about the page's script nor about its policy."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900}, **options)
    context.set_default_timeout(WAIT_SECONDS * 1_000)
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert [one for one in complaints if excused not in one] == []
