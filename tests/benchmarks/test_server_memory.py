"""The benchmark of a server's memory runs, and tells everything it should."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import server_memory


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process in a file")
def test_the_memory_of_a_process_is_told_in_megabytes() -> None:
    assert 5 < server_memory.resident(os.getpid()) < 5_000


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process in a file")
def test_the_benchmark_prints_a_table_and_writes_the_same_as_json(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    script = Path(server_memory.__file__)
    done = subprocess.run(
        [sys.executable, str(script), "--small", "--json", str(file)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert [row["goal"] for row in rows] == [None, None, 400.0, None, None, None, 629.0]
    assert [line.rsplit("MB", 1)[0].split("  ")[0] for line in done.stdout.splitlines()] == [
        row["name"] for row in rows
    ]
