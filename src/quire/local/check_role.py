"""Whether a caller has the role that a call needs, in the notebook that it is about."""

from __future__ import annotations

from quire.api.engine import Subject
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.sharing import Role
from quire.ports.store import Tx


def check_role(tx: Tx, actor_id: str, subject: Subject, needs: Role) -> str:
    """The notebook that the subject is in, if the actor has the role there. No access at all is *not found*."""
    if subject.kind == "notebook" and subject.id is None:
        row = tx.one("role_in_inbox", person_id=actor_id)
    else:
        row = tx.one(f"role_in_{subject.kind}", id=subject.id, person_id=actor_id)
    if row is None or (subject.within is not None and row["notebook_id"] != subject.within):
        raise NotFound(subject.kind, "inbox" if subject.id is None else subject.id)
    if row["role"] < needs:
        raise NotAllowed(f"This needs the role {needs.name.lower()} in the notebook.")
    notebook_id: str = row["notebook_id"]
    return notebook_id
