"""Whether a caller has the role that a call needs, in the notebook that it is about."""

from __future__ import annotations

from quire.api.engine import Subject
from quire.domain.errors import NotAllowed, NotFound
from quire.domain.sharing import Role, ViewLevel
from quire.ports.store import Tx

# What is meant where a call names nothing.
DEFAULTS = {"notebook": "inbox", "person": "yourself", "server": "for you"}


def check_role(tx: Tx, actor_id: str, subject: Subject, needs: Role) -> str:
    """The notebook that the subject is in, if the actor has the role there. No access at all is *not found*."""
    if subject.kind == "server":
        row = tx.one("role_in_server", person_id=actor_id)
    elif subject.kind == "notebook" and subject.id is None:
        row = tx.one("role_in_inbox", person_id=actor_id)
    else:
        # Whoever speaks of nobody speaks of themselves.
        id = actor_id if subject.kind == "person" and subject.id is None else subject.id
        row = tx.one(f"role_in_{subject.kind}", id=id, person_id=actor_id)
    if row is None or (subject.within is not None and row["notebook_id"] != subject.within):
        kind = "notebook" if subject.kind == "link" else subject.kind
        raise NotFound(kind, DEFAULTS.get(kind, "") if subject.id is None else subject.id)
    notebook_id: str = row["notebook_id"]
    role = row["role"]
    if role == Role.VIEWER and needs is Role.VIEWER:
        level = tx.one("view_level", notebook_id=notebook_id)
        role = seen_as(role, None if level is None else level["view_level"])
    if role < needs:
        raise NotAllowed(_words(subject, Role(role), needs))
    return notebook_id


def seen_as(role: int, view_level: ViewLevel | None) -> Role:
    """What a member's role comes to where viewers see only the chat."""
    return Role.CHAT_ONLY if role == Role.VIEWER and view_level == "chat" else Role(role)


def _words(subject: Subject, role: Role, needs: Role) -> str:
    if subject.kind in ("server", "person", "token"):
        return "Only the owner of this server may do that."
    if role is Role.CHAT_ONLY:
        return "You may only chat with this notebook."
    return f"This needs the role {needs.name.lower()} in the notebook."
