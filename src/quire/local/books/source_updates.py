"""Sources that are made of books: what follows from a change to a file, in the transaction that makes it."""

from __future__ import annotations

from quire.local.jobs import queue
from quire.local.service import Service
from quire.ports.store import Tx

SCHEME = "book://"


def address(book_id: str) -> str:
    return SCHEME + book_id


def follow(tx: Tx, service: Service, book_id: str) -> None:
    """Has the sources that are made of a book read again. A job that still waits will find this change too."""
    for row in tx.all("sources_of_book", url=address(book_id)):
        if row["job_state"] == "queued":
            continue
        payload = {"source_id": row["id"], "titled": True, "fetch": False}
        job_id = queue(tx, service, "read_source", payload, notebook_id=row["notebook_id"])
        tx.run("read_source_again", id=row["id"], job_id=job_id, at=service.now())
        service.event(tx, "source.updated", row["id"], row["notebook_id"])
