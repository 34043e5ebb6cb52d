"""The command line in this process: a command does the same there as in one of its own, which takes far longer."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quire.entry.cli import main


def quire_here(
    home: Path, *arguments: str, stdin: bytes = b"", folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """How a command ended, with an environment, a folder and an input of its own."""
    with pytest.MonkeyPatch.context() as place, contextlib.ExitStack() as ending:
        for name in [name for name in os.environ if name.startswith("QUIRE_")]:
            place.delenv(name)
        for name, value in {"QUIRE_HOME": str(home), **environment}.items():
            place.setenv(name, value)
        if folder is not None:
            place.chdir(folder)
        place.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        ending.enter_context(contextlib.redirect_stdout(out))
        ending.enter_context(contextlib.redirect_stderr(err))
        code = main(list(arguments))
        out.flush()
        err.flush()
        return subprocess.CompletedProcess(
            ["quire", *arguments], code, out.detach().getvalue(), err.detach().getvalue()
        )
