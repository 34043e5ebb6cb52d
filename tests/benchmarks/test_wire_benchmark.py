"""The benchmark of the wire runs, and both sides decode the same recordings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHER = ROOT / ".tools/notebooklm-py/bin/python"


@pytest.mark.skipif(not OTHER.exists(), reason="scripts/setup test did not run")
def test_both_sides_decode_what_was_recorded(tmp_path: Path) -> None:
    from quire.notebooklm.envelope import answer_body

    row = ["A title", [[["s"], "A page", [None, 9, None, None, 5], [None, 2]]], "notebook-1"]
    recording = [{"rpcids": "rLM1Ne", "path": "", "response_body": answer_body("rLM1Ne", [row])}]
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples/one.json").write_text(json.dumps(recording))
    command = [sys.executable, ROOT / "benchmarks/wire.py", tmp_path / "samples", "--rounds", "1", "--times", "1"]
    done = subprocess.run(
        [*command, "--decoding-only", "--json", tmp_path / "rows.json"], capture_output=True, text=True, timeout=120
    )
    assert "rLM1Ne" in done.stdout, done.stderr
    first, everything = json.loads((tmp_path / "rows.json").read_text())["decoding"]
    assert (first["method"], everything["method"]) == ("rLM1Ne", "all")
    assert first["quire_us"] > 0
    assert first["other_us"] > 0
