"""Other software to measure beside, each in a virtual environment of its own under `.tools`.

What runs there is one of `programs/`: it reads JSON from its standard input, and the last line of its output is JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).parent / "programs"
TOOLS = Path(__file__).parents[1] / ".tools" / "rivals"
INSTALL_SECONDS, RUN_SECONDS = 900, 1_800


class Missing(Exception):
    """A rival did not install or did not run; the message says why."""


def run(program: str, given: Any, packages: Sequence[str] | None = None) -> Any:
    """What a program makes of what it is given, in an environment with these packages, or else in Quire's own."""
    python = Path(sys.executable) if packages is None else environment(packages)
    try:
        done = subprocess.run(
            [python, PROGRAMS / f"{program}.py"],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"{program} did not end in {RUN_SECONDS} s") from None
    if done.returncode:
        raise Missing(f"{program} failed: {_last_line(done.stderr)}")
    return json.loads(done.stdout.splitlines()[-1])


def environment(packages: Sequence[str]) -> Path:
    """The Python of an environment with these packages; it is made when first asked for."""
    name = packages[0].partition("=")[0]
    folder = TOOLS / name
    python = folder / "bin" / "python"
    wanted = "\n".join(packages)
    stamp = folder / "installed"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    print(f"installing {' '.join(packages)} into {folder}", file=sys.stderr)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    for command in ([sys.executable, "-m", "venv", "--clear", folder], pip):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise Missing(f"{name} did not install in {INSTALL_SECONDS} s") from None
        if done.returncode:
            raise Missing(f"{name} did not install: {_last_line(done.stderr)}")
    stamp.write_text(wanted, encoding="utf-8")
    return python


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it said nothing"
