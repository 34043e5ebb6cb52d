"""ffmpeg, a program that encodes: found, and run as a child with limits, without a shell."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue

from quire.domain.errors import QuireError, Unsupported
from quire.ports.artifact_files import Progress

log = logging.getLogger("quire.studio")
GIB = 1024**3
MEMORY, LARGEST_FILE = 4 * GIB, 2 * GIB
LOOK = 0.2
TOLD = 2_000
HINT = "quire extras add video"
# It reads our own files only, whatever they name.
ALWAYS = (
    *("-hide_banner", "-nostdin", "-y", "-loglevel", "error", "-stats_period", "0.2", "-progress", "pipe:1"),
    # Each thread takes address space, of which there is a limit, however many processors a machine has.
    *("-filter_threads", "4", "-filter_complex_threads", "4"),
)
INPUT = ("-protocol_whitelist", "file,pipe", "-threads", "2")


def program(named: str = "") -> str | None:
    """The ffmpeg that is named, that of the extra, or that of the machine; None where there is none."""
    if named:
        return shutil.which(named)
    package = find_spec("imageio_ffmpeg")
    for place in (package.submodule_search_locations or ()) if package else ():
        for found in sorted((Path(place) / "binaries").glob("ffmpeg-*")):
            return str(found)
    return shutil.which("ffmpeg")


class Ffmpeg:
    """`named` is what the setting says; empty for the one that there is."""

    def __init__(self, named: str = "") -> None:
        self._named = named
        self._found: str | None = None

    @property
    def there(self) -> bool:
        """Sound is put together by numpy, which comes with the extra and with others."""
        return self._program() is not None and find_spec("numpy") is not None

    def _program(self) -> str | None:
        if self._found is None or not Path(self._found).exists():
            self._found = program(self._named)
        return self._found

    def run(self, arguments: Sequence[str], folder: Path, seconds: float, limit: float, progress: Progress) -> None:
        """Runs it in a folder until it ends, or until `progress` raises: then the program is ended, too.

        `seconds` is how long what it makes will be, `limit` how long it may take.
        """
        path = self._program()
        if path is None:
            told = f"The setting ffmpeg names no program: {self._named}." if self._named else "There is no ffmpeg here."
            raise Unsupported(told, hint=HINT)
        with tempfile.TemporaryFile() as errors:
            # What it says goes to a file, and how far it is through a pipe that a thread empties: neither can fill up.
            child = subprocess.Popen(  # noqa: S603
                [path, *ALWAYS, *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={"LC_ALL": "C"},
            )
            try:
                _limit(child.pid, limit)
                self._watch(child, seconds, limit, progress)
            finally:
                if child.poll() is None:
                    child.kill()
                child.wait()
                if child.stdout is not None:
                    child.stdout.close()
            errors.seek(0)
            said = errors.read(TOLD).decode(errors="replace").strip()
        if child.returncode != 0:
            log.error("ffmpeg ended with %s: %s", child.returncode, said)
            raise QuireError("The video could not be encoded.", hint="The log of the server tells more.")

    def _watch(self, child: subprocess.Popen[bytes], seconds: float, limit: float, progress: Progress) -> None:
        told: SimpleQueue[float | None] = SimpleQueue()
        reader = threading.Thread(target=_read, args=(child, told), name="ffmpeg", daemon=True)
        reader.start()
        ends = time.monotonic() + limit
        part = 0.0
        while True:
            try:
                at = told.get(timeout=LOOK)
                if at is None:
                    break
                part = min(1.0, at / max(seconds, 0.1))
            except Empty:
                pass
            progress(part)
            if time.monotonic() > ends:
                raise QuireError("Encoding the video took too long.", hint="Make it shorter.")
        child.wait(timeout=max(1.0, ends - time.monotonic()))


def _read(child: subprocess.Popen[bytes], told: SimpleQueue[float | None]) -> None:
    """The times that it has come to, and None at its end."""
    assert child.stdout is not None
    try:
        for line in child.stdout:
            name, _, value = line.partition(b"=")
            if name == b"out_time_us" and value.strip().isdigit():
                told.put(int(value) / 1e6)
    except ValueError:
        pass  # It was closed because nobody waits any more.
    told.put(None)


def _limit(pid: int, seconds: float) -> None:
    if sys.platform != "linux":
        return
    import resource

    cores = 64
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_FSIZE: LARGEST_FILE,
        resource.RLIMIT_CPU: int(seconds * cores),
        resource.RLIMIT_CORE: 0,
    }
    try:
        for kind, most in limits.items():
            resource.prlimit(pid, kind, (most, most))
    except ProcessLookupError:
        pass  # It has ended already.
