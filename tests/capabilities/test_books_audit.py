"""What the audit log proves against who can write rows, or take the kept head away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from trials import on_one_store

from quire.adapters.memory import FixedClock
from quire.api.library import Library
from quire.local.books.audit_log import unkeyed_link
from quire.ports.store import Tx

pytestmark = [pytest.mark.anyio, on_one_store]

BOOK = "my-book"


@pytest.fixture
async def books(timed: Library) -> Library:
    await timed.books.create(BOOK, "My book")
    for number in range(4):
        await timed.books.write_content(BOOK, "a.md", str(number))
    assert (await timed.books.verify_audit(BOOK)).valid
    return timed


def raw(tx: Tx, *statements: str) -> None:
    for statement in statements:
        tx.connection.execute(statement)  # type: ignore[attr-defined]


def recomputed(tx: Tx) -> None:
    """A changed log, linked again by all that stands in the rows and in this program."""
    raw(tx, "UPDATE book_audit SET actor = 'someone else' WHERE number = 3")
    hash = ""
    for row in tx.all("audit_from", book_id=BOOK, after=0, last=100, limit=100):
        hash = unkeyed_link(hash, row)
        raw(tx, f"UPDATE book_audit SET hash = '{hash}' WHERE number = {row['number']}")
    raw(tx, f"UPDATE book SET chain_hash = '{hash}'")


def said_to_be_old(tx: Tx) -> None:
    recomputed(tx)
    raw(tx, "UPDATE book SET unkeyed = chain_length")


def cut(tx: Tx) -> None:
    raw(
        tx,
        "DELETE FROM book_audit WHERE number > 4",
        "UPDATE book SET chain_length = 4, chain_hash = (SELECT hash FROM book_audit WHERE number = 4)",
        "UPDATE book_file SET sha256 = (SELECT after_hash FROM book_audit WHERE number = 4) WHERE path = 'a.md'",
    )


@pytest.mark.parametrize("tamper", [recomputed, said_to_be_old, cut])
async def test_rows_that_agree_with_each_other_prove_nothing(books: Library, tamper: Callable[[Tx], None]) -> None:
    await books.engine.system.write(tamper)
    verdict = await books.books.verify_audit(BOOK)
    assert not verdict.valid
    assert verdict.reason


async def test_a_log_that_was_put_back_stays_doubted_when_it_has_grown_again(books: Library) -> None:
    before = (await books.books.verify_audit(BOOK)).entries
    await books.engine.system.write(cut)
    for number in range(6):
        await books.books.write_content(BOOK, "a.md", f"after {number}")
        assert not (await books.books.verify_audit(BOOK)).valid
    verdict = await books.books.verify_audit(BOOK)
    assert verdict.entries > before
    assert verdict.broken_at == 5


def kept_head(library: Library) -> Path:
    root = library.engine.parts.books.storages.get("fs").path("")
    assert root is not None
    return Path(root) / ".quire" / "audit" / BOOK


@pytest.mark.parametrize("change", [Path.unlink, lambda head: head.write_text("9" * 12 + " x" * 4)])
async def test_a_kept_head_that_is_missing_or_not_ours_is_found_out(
    books: Library, change: Callable[[Path], object]
) -> None:
    change(kept_head(books))
    verdict = await books.books.verify_audit(BOOK)
    assert (verdict.valid, verdict.reason is not None) == (False, True)


async def test_a_head_that_was_not_kept_before_a_crash_is_no_fault(books: Library) -> None:
    head = kept_head(books)
    before = head.read_bytes()
    await books.books.write_content(BOOK, "a.md", "one more")
    head.write_bytes(before)
    assert (await books.books.verify_audit(BOOK)).valid
    await books.books.write_content(BOOK, "a.md", "and another")
    assert head.read_bytes()[:12] == b"000000000008"
    assert (await books.books.verify_audit(BOOK)).valid


async def test_a_log_from_before_keys_is_sealed_by_the_sweep(books: Library, clock: FixedClock) -> None:
    await books.engine.system.write(said_to_be_old)
    kept_head(books).unlink()
    assert (await books.books.verify_audit(BOOK)).valid
    await books.engine.books.sweeper.sweep()
    verdict = await books.books.verify_audit(BOOK)
    assert (verdict.valid, verdict.entries) == (True, 7)
    assert (await books.books.audit(BOOK, limit=1))[0].operation == "seal"
    kept_head(books).unlink()
    assert not (await books.books.verify_audit(BOOK)).valid
