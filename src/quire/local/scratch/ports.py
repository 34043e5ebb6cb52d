"""What scratch notebooks need from outside, and their settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quire.ports.cells import Exports, Formats, Kernels

IDLE_SECONDS = 30 * 60


@dataclass(frozen=True)
class ScratchPorts:
    """`boot` is this process, for notebooks that do not outlive it; `everyone` lets the owner list all notebooks;
    `served` allows those who call over HTTP to run cells; `sanitised` is markup of a media type without what runs, or
    nothing."""

    formats: Formats
    kernels: Kernels
    exports: Exports
    sanitised: Callable[[str, str], str | None]
    boot: str | None = None
    everyone: bool = False
    served: bool = False
    idle_seconds: int = IDLE_SECONDS
