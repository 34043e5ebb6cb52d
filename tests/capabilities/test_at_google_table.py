"""The table of what goes otherwise at Google names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

from at_google_table import DIFFERENT, LOCAL, RACING, SMOKE, UNSUPPORTED, WAITING

TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)


def test_every_name_in_the_table_is_a_test() -> None:
    modules = Path(__file__).parent.glob("test_*.py")
    files = {file.stem: TEST.findall(file.read_text(encoding="utf-8")) for file in modules}
    named = {f"{module}::{test}" for module, tests in files.items() for test in tests}
    told = [name.partition("[")[0] for name in (*SMOKE, *UNSUPPORTED, *DIFFERENT)]
    assert [name for name in told if name not in named and name not in files] == []
    assert [name for name in (*LOCAL, *WAITING) if not any(file.startswith(name) for file in files)] == []
    assert [name for name in RACING if not any(name in tests for tests in files.values())] == []
    assert not set(UNSUPPORTED) & set(DIFFERENT)
