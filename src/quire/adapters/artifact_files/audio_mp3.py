"""Audio overviews as MP3, with their chapters."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

from quire.adapters.artifact_files import audio_wav
from quire.adapters.voices.recording import Recording
from quire.ports.artifact_files import Progress

MARK = b"ID3\x03\x00\x00"
HEAD = 10
NOT_GIVEN = 0xFFFFFFFF
TOP, ORDERED = 0x02, 0x01


def make(recording: Recording, path: Path, progress: Progress) -> None:
    with path.open("wb") as file, recording.mp3.open("rb") as sound:
        file.write(tag(recording))
        shutil.copyfileobj(sound, file)


def check(path: Path, recording: Recording) -> None:
    with path.open("rb") as file:
        head = file.read(HEAD)
        if head[:6] != MARK or file.read(_unsynced(head[6:10])).count(b"CHAP") != len(recording.chapters):
            raise ValueError("a chapter is missing")
    audio_wav.check_sound(path, recording)


def tag(recording: Recording) -> bytes:
    """An ID3 tag of version 2.3: the title, and each chapter with its own."""
    names = [f"chapter{number}".encode() + b"\0" for number in range(1, len(recording.chapters) + 1)]
    frames = [_frame(b"TIT2", _text(recording.script.title))]
    frames.append(_frame(b"CTOC", b"toc\0" + bytes([TOP | ORDERED, len(names)]) + b"".join(names)))
    ends = [*(chapter.start for chapter in recording.chapters[1:]), recording.seconds]
    for name, chapter, end in zip(names, recording.chapters, ends, strict=True):
        times = struct.pack(">IIII", int(chapter.start * 1000), int(end * 1000), NOT_GIVEN, NOT_GIVEN)
        frames.append(_frame(b"CHAP", name + times + _frame(b"TIT2", _text(chapter.title))))
    body = b"".join(frames)
    return MARK + _synced(len(body)) + body


def _frame(name: bytes, body: bytes) -> bytes:
    return name + struct.pack(">IH", len(body), 0) + body


def _text(text: str) -> bytes:
    return b"\x01" + text.encode("utf-16")


def _synced(number: int) -> bytes:
    """Seven bits a byte."""
    return bytes((number >> shift) & 0x7F for shift in (21, 14, 7, 0))


def _unsynced(given: bytes) -> int:
    return sum(byte << shift for byte, shift in zip(given, (21, 14, 7, 0), strict=True))
