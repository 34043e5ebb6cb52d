"""The process in which one file is read: `python -m quire.adapters.readers.child`, with the job on its input.

It limits itself before it touches the file, tells of its progress in lines of JSON on its output, and
ends with the document or the reason why there is none. It dies with whoever started it.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from quire.adapters.readers.apart import go_apart
from quire.adapters.readers.limits import Limits
from quire.domain.errors import QuireError

TELL_EVERY = 0.5


class Teller:
    """Writes to whoever started us. What libraries print goes elsewhere."""

    def __init__(self) -> None:
        self._output = os.dup(1)
        os.dup2(2, 1)
        self._told = 0.0

    def progress(self, done: int, total: int | None, more_time: bool) -> None:
        now = time.monotonic()
        if more_time or now - self._told > TELL_EVERY:
            self._told = now
            self.say({"done": done, "total": total, "more_time": more_time})

    def say(self, header: dict[str, Any], content: bytes = b"") -> None:
        view = memoryview(json.dumps(header).encode() + b"\n" + content)
        while view:
            view = view[os.write(self._output, view) :]


class Allowance:
    """The limits of this process. The soft ones hold until heavy work begins, the hard ones always."""

    def __init__(self, limits: Limits, heavy: bool) -> None:
        cores = os.cpu_count() or 1
        self._limits = {
            resource.RLIMIT_AS: (limits.memory, limits.heavy_memory),
            resource.RLIMIT_CPU: (int(limits.seconds) + 1, int(limits.long_seconds) * cores + 1),
        }
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for which, (soft, hard) in self._limits.items():
            self._set(which, hard if heavy else soft, hard)

    def more(self) -> None:
        for which, (_, hard) in self._limits.items():
            self._set(which, hard, hard)

    def _set(self, which: int, soft: int, hard: int) -> None:
        most = resource.getrlimit(which)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        # macOS knows the limit of the address space and refuses to set it; the other limits still hold.
        with suppress(ValueError):
            resource.setrlimit(which, (soft, hard))


def read_job() -> dict[str, Any]:
    """The one line of our input; arguments can be read by anybody on the machine, and an address may be secret."""
    line = bytearray()
    while not line.endswith(b"\n"):
        chunk = os.read(0, 65_536)
        if not chunk:
            break
        line += chunk
    job: dict[str, Any] = json.loads(line)
    return job


def die_with_parent() -> None:
    """Our input is a pipe to which nothing more is written; it ends when the other side does."""

    def watch() -> None:
        os.read(0, 1)
        os.killpg(os.getpgrp(), signal.SIGKILL)

    if os.getpgrp() == os.getpid():
        threading.Thread(target=watch, daemon=True).start()


def main(job: dict[str, Any]) -> int:
    teller = Teller()
    die_with_parent()
    if job["beside"]:
        os.nice(10)
    limits = Limits(**job["limits"])
    allowance = Allowance(limits, job["heavy"])

    def progress(done: int, total: int | None, more_time: bool = False) -> None:
        if more_time:
            allowance.more()
        teller.progress(done, total, more_time)

    known = {**job["options"], "progress": progress}
    module, _, function = job["reader"].partition(":")
    try:
        read = getattr(importlib.import_module(module, __package__), function)
        draft = read(Path(job["path"]), limits, **{name: known[name] for name in job["takes"] if name in known})
        content = draft.as_json()
        teller.say({"document": len(content)}, content)
    except QuireError as error:
        teller.say({"error": error.body()})
    except ImportError:
        traceback.print_exc()
        teller.say({"missing": True})
    except MemoryError:
        teller.say({"memory": True})
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    go_apart()
    code = main(read_job())
    sys.stderr.flush()
    # Without the finalizers of libraries, which may take longer than the reading.
    os._exit(code)
