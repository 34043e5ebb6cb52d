"""What is loaded when it is first needed, once, however many threads need it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from quire.adapters.allocator import give_back

Loaded = TypeVar("Loaded")


class LoadedOnce(Generic[Loaded]):
    """Called, it has what `load` returned; `value` is None until then. What loading took besides is given back.

    `load` is no method of whoever holds this: the two would hold each other, with all that was loaded, when nobody
    needs them any more."""

    def __init__(self, load: Callable[[], Loaded]) -> None:
        self._load, self._lock = load, threading.Lock()
        self.value: Loaded | None = None

    def __call__(self) -> Loaded:
        with self._lock:
            if self.value is None:
                self.value = self._load()
                give_back()
            return self.value
