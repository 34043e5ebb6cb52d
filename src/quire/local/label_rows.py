"""Labels as rows of the store, and the sources that stand under them."""

from __future__ import annotations

from collections.abc import Sequence

from quire.domain.errors import Conflict, NotFound
from quire.domain.labels import Label
from quire.local.scope import Scope
from quire.local.timestamps import moment
from quire.ports.store import Row, Tx


def label_of(row: Row, source_ids: list[str]) -> Label:
    return Label(
        id=row["id"],
        notebook_id=row["notebook_id"],
        name=row["name"],
        emoji=row["emoji"],
        generated=bool(row["generated"]),
        source_ids=source_ids,
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )


def label_row(tx: Tx, id: str) -> Row:
    row = tx.one("label_by_id", id=id)
    if row is None:
        raise NotFound("label", id)
    return row


def one_label(tx: Tx, id: str) -> Label:
    return label_of(label_row(tx, id), [row["source_id"] for row in tx.all("members_of_label", id=id)])


def members(tx: Tx, notebook_id: str) -> dict[str, list[str]]:
    """The sources under each label of a notebook, in the order they were added to it."""
    found: dict[str, list[str]] = {}
    for row in tx.all("members_of_labels", notebook_id=notebook_id):
        found.setdefault(row["label_id"], []).append(row["source_id"])
    return found


async def with_labelled(
    scope: Scope, source_ids: Sequence[str] | None, label_ids: Sequence[str] | None
) -> list[str] | None:
    """The sources that are meant: those that are named, and those under the labels; None where neither was given."""
    if not label_ids:
        return None if source_ids is None else list(source_ids)

    def work(tx: Tx) -> list[str]:
        found = list(source_ids or ())
        for id in label_ids:
            if label_row(tx, id)["notebook_id"] != scope.notebook_id:
                raise NotFound("label", id)
            found += [row["source_id"] for row in tx.all("members_of_label", id=id)]
        return list(dict.fromkeys(found))

    found = await scope.read(work)
    if not found:
        raise Conflict("There are no sources under this label.", hint="list_labels shows them.", reason="no_sources")
    return found
