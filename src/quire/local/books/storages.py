"""What an installation gives to books: the storages by name, and where uploads, words and registry.yaml are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quire.domain.errors import InvalidInput
from quire.ports.books import BookStorage, RegistryFile, Texts, UploadSpool


class BookStorages:
    """A storage is made when it is first needed. `remembered` is each book's, which a transaction then confirms."""

    def __init__(self, makers: Mapping[str, Callable[[], BookStorage]], default: str) -> None:
        self._makers = makers
        self._made: dict[str, BookStorage] = {}
        self.default = default
        self.remembered: dict[str, str] = {}

    @property
    def names(self) -> list[str]:
        return list(self._makers)

    def get(self, name: str) -> BookStorage:
        if name not in self._made:
            if name not in self._makers:
                raise InvalidInput(
                    f"There is no storage backend '{name}' here.",
                    hint=f"Known are {', '.join(self._makers)}; the setting 'shelves' names more.",
                    field="storage_backend",
                )
            self._made[name] = self._makers[name]()
        return self._made[name]


@dataclass(frozen=True)
class BookPorts:
    storages: BookStorages
    registry: RegistryFile
    uploads: UploadSpool
    texts: Texts
    cdn_url: str = ""
