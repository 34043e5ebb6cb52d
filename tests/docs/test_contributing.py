"""CONTRIBUTING's worked example, applied to a copy of the source and used through the doors."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A copy of Quire with the example's capability in it, on the path of a fresh process."""
    made = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src/quire", made / "quire", ignore=shutil.ignore_patterns("__pycache__"))
    (_, query), (_, method), (_, test) = BLOCKS
    with (made / "quire/adapters/sql/queries/notes.sql").open("a") as queries:
        queries.write("\n" + query)
    service = made / "quire/local/notes.py"
    before, mark, after = service.read_text().partition('    @capability("update_note"')
    assert mark
    service.write_text(f"{before}{method}\n{mark}{after}")
    (made / "test_stale.py").write_text(test)
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(made),
        "QUIRE_HOME": str(made / "home"),
        "HOME": str(made),
    }


def run(environment: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        capture_output=True,
        text=True,
        env=environment,
        cwd=environment["PYTHONPATH"],
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_has_a_query_a_method_and_a_test() -> None:
    assert [language for language, _ in BLOCKS] == ["sql", "python", "python"]


def test_the_examples_own_test_passes(environment: dict[str, str]) -> None:
    assert "1 passed" in run(environment, "pytest", "-q", "-p", "no:cacheprovider", "test_stale.py")


def test_the_new_capability_is_a_command(environment: dict[str, str]) -> None:
    assert run(environment, "quire", "note", "stale", "7", "--json") == (
        '{"items":[],"total":0,"truncated":false,"cursor":null}\n'
    )
    assert "nobody has changed for so many days" in run(environment, "quire", "note", "stale", "--help")


def test_the_new_capability_is_a_tool(environment: dict[str, str]) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "quire", "mcp", "--toolsets", "notes"], env=environment
    )

    async def use() -> tuple[list[str], dict[str, object] | None]:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            tools = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("list_stale_notes", {"days": 7})
            return tools, result.structured_content

    tools, answer = asyncio.run(use())
    assert "list_stale_notes" in tools
    assert answer == {"items": [], "total": 0, "truncated": False, "cursor": None}
