"""Video overviews as MP4."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.opened_mp4 import opened_mp4
from quire.adapters.video.encoding import encode
from quire.adapters.video.film import Film
from quire.domain.errors import QuireError
from quire.ports.artifact_files import Progress

# A file may be longer than its sound by a frame, and by what an encoder puts around it.
AROUND = 0.5


def make(film: Film, path: Path, progress: Progress) -> None:
    try:
        encode(film, path, progress)
    except ValueError as error:
        raise QuireError(f"The mp4 file is not whole: {error}.") from None


def check(path: Path, film: Film) -> None:
    """That it was decoded is part of its making, since that takes a while; here its parts are looked at."""
    found = opened_mp4(path)
    if not found.streams:
        raise ValueError("it cannot be played before all of it is there")
    if [(one.kind, one.codec) for one in found.tracks[:3]] != [("vide", "avc1"), ("soun", "mp4a"), ("sbtl", "tx3g")]:
        raise ValueError("a track is missing")
    if (found.tracks[0].width, found.tracks[0].height) != (film.frame.width, film.frame.height):
        raise ValueError("its pictures have another size")
    for track in found.tracks[:2]:
        if abs(track.seconds - film.seconds) > AROUND:
            raise ValueError(f"a track has {track.seconds:.1f} seconds where the script has {film.seconds:.1f}")
