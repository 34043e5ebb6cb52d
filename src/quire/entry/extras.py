"""What can be added to Quire: each extra, what it is for, the packages by which one knows that it is there, and the
models that it is of use with."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

DISTRIBUTION = "quire-notebook"


@dataclass(frozen=True)
class Extra:
    purpose: str
    packages: tuple[str, ...]
    models: tuple[str, ...] = ()

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
    "embedder": Extra(
        "search by meaning", ("numpy", "onnxruntime"), models=("minilm", "multilingual", "judge", "passage-judge")
    ),
    "browser": Extra("signing in to Google NotebookLM in a window", ("playwright",)),
    "studio": Extra("artifacts as PDF, slides and pictures", ("typst", "pypdfium2", "pptx", "fontTools", "lxml")),
    "voice": Extra("audio overviews, spoken", ("hibari", "numpy", "onnxruntime", "soundfile")),
    "video": Extra("video overviews, encoded by ffmpeg", ("imageio_ffmpeg", "numpy")),
    "oidc": Extra("signing in with OpenID Connect", ("joserfc",)),
    "scratch": Extra("running cells, Jupyter notebooks", ("ipykernel", "nbformat", "nh3")),
    "office": Extra(
        "notes and reports as Word documents, tables as workbooks", ("docx", "xlsxwriter", "mdit_py_plugins")
    ),
}
