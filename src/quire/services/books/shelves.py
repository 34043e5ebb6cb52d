"""The shelves of an installation by name, and which book stands on which."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quire.domain.errors import InvalidInput
from quire.services.ports import RegistryFile, Shelf, Spool


class Shelves:
    """A shelf is made when it is first needed. `of` remembers each book's, which a transaction then confirms."""

    def __init__(
        self,
        makers: Mapping[str, Callable[[], Shelf]],
        default: str,
        registry: RegistryFile,
        spool: Spool,
        cdn_url: str = "",
    ) -> None:
        self._makers = makers
        self._made: dict[str, Shelf] = {}
        self.default = default
        self.registry = registry
        self.spool = spool
        self.cdn_url = cdn_url.rstrip("/")
        self.registry_seen: str | None = None
        self.problems: list[str] = []
        self.of: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        return list(self._makers)

    def get(self, name: str) -> Shelf:
        if name not in self._made:
            if name not in self._makers:
                raise InvalidInput(
                    f"There is no storage backend '{name}' here.",
                    hint=f"Known are {', '.join(self._makers)}; the setting 'shelves' names more.",
                    field="storage_backend",
                )
            self._made[name] = self._makers[name]()
        return self._made[name]
