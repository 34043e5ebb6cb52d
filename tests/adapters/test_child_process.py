"""A process of ours has ended when it is gone, whatever its pipes hold."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest

from quire.adapters.child_process import ended

FLOOD = "import sys\nwhile True: sys.stdout.write('x' * 65_536); sys.stderr.write('y' * 65_536)"
STRAY = (
    "import subprocess, sys, time\n"
    "subprocess.Popen(['sleep', '20'], start_new_session=True)\n"
    "print('left it', flush=True)\ntime.sleep(600)"
)


async def begun(program: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
    )
    assert process.stdout is not None
    await process.stdout.read(5)
    return process


@pytest.mark.parametrize("round", range(4))
def test_a_process_whose_output_nobody_reads_is_waited_for_no_longer_than_it_lives(round: int) -> None:
    async def use() -> int:
        process = await begun(FLOOD)
        await asyncio.sleep(0.2 * round)  # So long that its pipes are paused, or not yet.
        process.kill()
        async with asyncio.timeout(20):
            return await ended(process)

    assert asyncio.run(use()) == -9


def test_a_descendant_that_holds_a_pipe_open_is_not_waited_for() -> None:
    async def use() -> int:
        process = await begun(STRAY)
        process.kill()
        async with asyncio.timeout(15):
            return await ended(process)

    assert asyncio.run(use()) == -9


def test_a_process_that_ends_by_itself_gives_its_code() -> None:
    async def use() -> int:
        return await ended(await begun("print('hello'); raise SystemExit(3)"))

    assert asyncio.run(use()) == 3


def test_waiting_can_be_cancelled_and_begun_again() -> None:
    async def use() -> int:
        process = await begun("print('hello', flush=True); import time; time.sleep(600)")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await ended(process)
        process.kill()
        async with asyncio.timeout(15):
            return await ended(process)

    assert asyncio.run(use()) == -9
