"""What scratch notebooks need from the outside, as protocols; and the bench that holds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from quire.domain.scratch import IDLE_SECONDS
from quire.local.scratch.reaper import Reaper
from quire.ports.cells import Exports, Formats, Kernels


@dataclass(frozen=True)
class Bench:
    """All of it, and the settings. `boot` is this process, for notebooks that do not outlive it;
    `served` allows those who call over HTTP to run cells."""

    formats: Formats
    kernels: Kernels
    exports: Exports
    sanitised: Callable[[str], str | None]
    boot: str | None = None
    everyone: bool = False
    served: bool = False
    idle_seconds: int = IDLE_SECONDS
    reaper: Reaper = field(default_factory=Reaper)
