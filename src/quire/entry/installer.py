"""Adds extras to the environment that Quire runs in."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import quire
from quire.domain.errors import Unsupported, Upstream
from quire.entry.extras import DISTRIBUTION, EXTRAS


def install(names: Sequence[str]) -> None:
    """What the installer says is seen while it works."""
    wanted = f"{DISTRIBUTION}[{','.join(names)}]=={quire.__version__}"
    if importlib.util.find_spec("pip") is None:
        raise Unsupported(
            "There is no pip in Quire's environment.",
            hint=f"Add it there with the tool that made it: uv pip install --python {sys.executable} '{wanted}'",
        )
    # Quire itself is there, so pip takes it as it is and looks only for what the extras need.
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", *_pins(), wanted]
    if subprocess.run(command, check=False).returncode:  # noqa: S603
        raise Upstream("The installer did not succeed; what it said stands above.", retriable=True)
    importlib.invalidate_caches()
    missing = [name for name in names if not EXTRAS[name].installed]
    if missing:
        raise Unsupported(f"The installer ended well, and yet not all of this is there: {', '.join(missing)}.")


def _pins() -> list[str]:
    """A checkout tells the versions that were tested."""
    pins = Path(quire.__file__).parents[2] / "constraints.txt"
    return ["--constraint", str(pins)] if pins.is_file() else []
