"""Deep runs whose process is killed in their middle, and that another one ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from research_toiler import open_library
from stores import files_first

from quire.domain.research import ResearchRun
from research_corpus import Corpus, check_report, serving_corpus

TOILER = Path(__file__).with_name("research_toiler.py")
SECONDS = 60.0


def killed(home: Path, store: str, corpus: Corpus, pages: int, query: str, after: int) -> str:
    """The run of a process that was killed while so many pages were read and others were on their way."""
    corpus.held, corpus.hold_after = threading.Event(), after
    command = [sys.executable, str(TOILER), str(home), store, corpus.url, str(pages), query]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    id = process.stdout.readline().strip()
    give_up = time.monotonic() + SECONDS
    while len(corpus.read) <= after:
        assert time.monotonic() < give_up, "it did not get so far"
        time.sleep(0.01)
    process.kill()
    assert process.wait(SECONDS) == -9
    process.stdout.close()
    corpus.held.set()
    corpus.held = None
    return id


async def ended(home: Path, store: str, corpus: Corpus, id: str) -> tuple[ResearchRun, list[str]]:
    """The run once another process has ended it, and the pages that were read before that began."""
    async with open_library(str(home), store, corpus.url) as library:
        pages = await library.engine.system.read(lambda tx: tx.all("research_pages", research_id=id))
        settled = [page["url"] for page in pages if page["state"] != "found"]
        assert (await library.research.poll(None, id)).state == "in_progress"
        run = await library.research.wait(None, id, seconds=600)
        assert await library.engine.system.read(lambda tx: tx.all("left_over_readings")) == []
        return run, settled


@files_first
def test_a_run_whose_process_was_killed_goes_on_where_it_was(home: Path, store: str) -> None:
    with serving_corpus(60) as corpus:
        id = killed(home, store, corpus, 4, "glassblowing", 2)
        # The third page is one of the second round, which began after the first two were written down.
        before, asked = list(corpus.read), list(corpus.asked)
        run, settled = asyncio.run(ended(home, store, corpus, id))
        assert run.state == "completed"
        check_report(run, corpus)
        after = corpus.read[len(before) :]
        # What was settled is not fetched again, and what was asked is not asked again.
        assert settled
        assert not set(settled) & set(after)
        assert not set(asked) & set(corpus.asked[len(asked) :])
        assert len(set(corpus.read)) <= 4 + 4
        assert run.done <= 4


@pytest.mark.long
def test_two_thousand_pages_are_researched_within_budget_through_three_kills(tmp_path: Path) -> None:
    with serving_corpus(2_000) as corpus:
        id = killed(tmp_path / "home", "", corpus, 60, "glassblowing", 5)
        for after in (20, 35):
            corpus.held, corpus.hold_after = threading.Event(), after
            command = [sys.executable, "-c", WAITER, str(tmp_path / "home"), corpus.url, id]
            process = subprocess.Popen(command, cwd=Path(__file__).parent)
            give_up = time.monotonic() + SECONDS
            while len(corpus.read) <= after:
                assert time.monotonic() < give_up, "it did not get so far"
                time.sleep(0.01)
            process.kill()
            process.wait(SECONDS)
            corpus.held.set()
            corpus.held = None
        began = time.monotonic()
        run, settled = asyncio.run(ended(tmp_path / "home", "", corpus, id))
        assert time.monotonic() - began < 600
        assert run.state == "completed"
        sources = check_report(run, corpus)
        assert len(sources) >= 15
        assert run.done <= 60
        assert len(settled) >= 15
        assert all("glassblowing" in finding.title for finding in run.findings if finding.cited)
        # Of each kill at most the pages that were on their way are fetched twice.
        assert len(corpus.read) - len(set(corpus.read)) <= 3 * 4


WAITER = """
import asyncio, sys
from research_toiler import open_library
async def main(home, finder, id):
    async with open_library(home, "", finder) as library:
        await library.research.wait(None, id)
asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.long
def test_a_deep_run_over_two_thousand_pages_keeps_to_its_budget(tmp_path: Path) -> None:
    async def run(corpus: Corpus) -> ResearchRun:
        async with open_library(str(tmp_path / "home"), "", corpus.url) as library:
            budget = {"pages": 40, "seconds": 120, "rounds": 3}
            return await library.research.start(None, "the history of ropemaking", mode="deep", wait=True, **budget)

    with serving_corpus(2_000) as corpus:
        began = time.monotonic()
        made = asyncio.run(run(corpus))
        assert time.monotonic() - began < 180
        assert made.state == "completed"
        assert len(corpus.read) == len(set(corpus.read)) <= 40
        sources = check_report(made, corpus)
        assert all("ropemaking" in corpus.pages[int(url.rpartition("/")[2])][0] for url in sources.values())
