"""The shelves of an installation by name, and which book stands on which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quire.domain.errors import InvalidInput
from quire.local.books.glances import Glances
from quire.ports.books import RegistryFile, Shelf, Spool, Texts


@dataclass(frozen=True)
class Listing:
    """The files of a book at one point of its log: path to hash, mark and version. Kept, since searches ask often."""

    chain_hash: str
    heads: dict[str, tuple[str, str, str]]


class Shelves:
    """A shelf is made when it is first needed. `of` remembers each book's, which a transaction then confirms."""

    def __init__(
        self,
        makers: Mapping[str, Callable[[], Shelf]],
        default: str,
        registry: RegistryFile,
        spool: Spool,
        texts: Texts,
        cdn_url: str = "",
    ) -> None:
        self._makers = makers
        self._made: dict[str, Shelf] = {}
        self.default = default
        self.registry = registry
        self.spool = spool
        self.texts = texts
        self.cdn_url = cdn_url.rstrip("/")
        self.registry_seen: str | None = None
        self.problems: list[str] = []
        self.of: dict[str, str] = {}
        self.glances = Glances()
        self.listings: dict[str, Listing] = {}

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
