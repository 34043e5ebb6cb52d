"""Sources that are made of books: what follows from a change to a file, in the transaction that makes it."""

from __future__ import annotations

from quire.local.job_queue import JobQueue
from quire.local.scope import SystemScope
from quire.ports.store import Tx

SCHEME = "book://"


def address(book_id: str) -> str:
    return SCHEME + book_id


def follow(tx: Tx, system: SystemScope, jobs: JobQueue, book_id: str) -> None:
    """Has the sources that are made of a book read again. A job that still waits will find this change too.

    The work is that of the source's notebook, in the name of its owner: whoever writes the book may not know of it, and
    a source may only say that it is made of the book, as one that was imported can.
    """
    for row in tx.all("sources_of_book", url=address(book_id)):
        if row["job_state"] == "queued" or row["person_id"] is None:
            continue
        payload = {"source_id": row["id"], "titled": True}
        job_id = jobs.add(tx, row["notebook_id"], row["person_id"], "read_source", payload)
        tx.run("read_source_again", id=row["id"], job_id=job_id, at=system.now())
        system.event(tx, row["notebook_id"], "source.updated", row["id"])
