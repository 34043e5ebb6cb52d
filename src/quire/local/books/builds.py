"""What a build of a book has to do again: its state as one hash, and what has changed since another."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.books import check_path, ours
from quire.domain.builds import BuildPlan, FileChange, check_manifest_hash, manifest_hash
from quire.local.books.files import BookFiles
from quire.local.scope import Scope
from quire.ports.store import Tx

DAY = 24 * 3600 * 1_000_000


@dataclass(frozen=True)
class State:
    """The files of a book as they are, and what some of them were when the hash `since` was told; None if unknown."""

    hash: str
    since: str | None
    files: dict[str, tuple[str, int]]
    before: dict[str, str | None] | None

    def changes(self) -> list[FileChange]:
        """In the order of paths."""
        if self.before is None:
            return [
                FileChange(path=path, change="added", file_hash=sha256, file_size=size)
                for path, (sha256, size) in sorted(self.files.items())
            ]
        return [change for path in sorted(self.before) if (change := self._change(path, self.before[path]))]

    def _change(self, path: str, before: str | None) -> FileChange | None:
        sha256, size = self.files.get(path, (None, None))
        if sha256 == before:
            return None
        kind = "added" if before is None else "deleted" if sha256 is None else "modified"
        return FileChange(path=path, change=kind, file_hash=sha256, file_size=size)  # type: ignore[arg-type]


class Builds:
    def __init__(self, files: BookFiles) -> None:
        self._files = files

    async def plan_build(
        self, scope: Scope, book_id: str, manifest_hash: str | None, limit: int, cursor: str | None
    ) -> BuildPlan:
        since = check_manifest_hash(manifest_hash)
        after = check_path(cursor, field="cursor") if cursor else ""
        state = await self.state(scope, book_id, since)
        changes = state.changes()
        rest = [change for change in changes if change.path > after]
        more = len(rest) > limit
        return BuildPlan(
            book_id=book_id,
            status="full" if state.before is None else "changed" if changes else "unchanged",
            manifest_hash=state.hash,
            since=since,
            items=rest[:limit],
            total=len(changes),
            truncated=more,
            cursor=rest[limit - 1].path if more else None,
        )

    async def state(self, scope: Scope, book_id: str, since: str | None) -> State:
        """A book as it is now. That its hash was told is remembered, so that it can be asked with later."""
        await self._files.settle_under(scope, book_id, "")

        def work(tx: Tx) -> tuple[State, int, bool]:
            book = tx.one("book_by_id", book_id=book_id)
            assert book is not None
            rows = [row for row in tx.all("files_under", book_id=book_id, prefix="") if ours(row["path"])]
            files = {row["path"]: (row["sha256"], row["size"]) for row in rows}
            hash = manifest_hash({path: sha256 for path, (sha256, _) in files.items()})
            told = tx.one("manifest_of_book", book_id=book_id, hash=hash)
            before: dict[str, str | None] | None = None
            if since == hash:
                before = {}
            elif since and (known := tx.one("manifest_of_book", book_id=book_id, hash=since)):
                touched = tx.all("files_before", book_id=book_id, number=known["number"])
                before = {row["path"]: row["before_hash"] for row in touched if ours(row["path"])}
            fresh = told is not None and told["at"] > scope.now() - DAY
            return State(hash, since, files, before), book["chain_length"], fresh

        state, number, fresh = await scope.read(work)
        if not fresh:
            kept = {"book_id": book_id, "hash": state.hash, "number": number, "at": scope.now()}
            await scope.write(lambda tx: tx.run("keep_manifest", **kept))
        return state
