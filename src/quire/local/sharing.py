"""Sharing: who else may use a notebook, and what of it they see."""

from __future__ import annotations

from typing import Any

from quire.domain.email_addresses import NO_DOMAIN, email_address
from quire.domain.errors import Conflict, LimitReached, NotFound
from quire.domain.pages import Page
from quire.domain.sharing import (
    OpenedNotebook,
    Permission,
    Role,
    SharedUser,
    ShareStatus,
    SharingEntry,
    ViewLevel,
)
from quire.local.check_role import seen_as
from quire.local.scope import Scope
from quire.local.sharing_log import logged, page_of_log
from quire.ports.store import Row, Tx

MOST_PEOPLE = 1_000
ROLES: dict[str, Role] = {"viewer": Role.VIEWER, "editor": Role.EDITOR}


class LocalSharing:
    """`url` is where a server of this home is found."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def get_status(self, scope: Scope) -> ShareStatus:
        return await scope.read(lambda tx: self._status(tx, scope))

    async def set_public(self, scope: Scope, public: bool, welcome_message: str) -> ShareStatus:
        def work(tx: Tx) -> ShareStatus:
            share = _held(tx, scope)
            _refuse_inbox(share)
            message = welcome_message.strip() if public else ""
            _set(tx, share, public=int(public), message=message)
            if not public:
                tx.run("delete_members_by_link", notebook_id=share["id"])
            return self._done(tx, scope, share, "link.opened" if public else "link.closed", "everyone", message)

        return await scope.write(work)

    async def set_view_level(self, scope: Scope, level: ViewLevel) -> ShareStatus:
        def work(tx: Tx) -> ShareStatus:
            share = _held(tx, scope)
            if level == "chat" and tx.one("book_that_has_notebook", id=share["id"]) is not None:
                raise Conflict("A book has no chat that viewers could be kept to.")
            _set(tx, share, view_level=level)
            return self._done(tx, scope, share, "view.changed", "viewers", level)

        return await scope.write(work)

    async def add_user(self, scope: Scope, email: str, permission: Permission, welcome_message: str) -> ShareStatus:
        return await self._shared(scope, email, permission, welcome_message.strip(), new=True)

    async def update_user(self, scope: Scope, email: str, permission: Permission) -> ShareStatus:
        return await self._shared(scope, email, permission, None, new=False)

    async def remove_user(self, scope: Scope, email: str) -> ShareStatus:
        email = email_address(email)

        def work(tx: Tx) -> ShareStatus:
            share = _held(tx, scope)
            member = _member(tx, share["id"], email)
            if member is not None:
                _refuse_last_owner(tx, share["id"], member)
                tx.run("delete_member", notebook_id=share["id"], person_id=member["person_id"])
            elif not tx.run("delete_invitation", notebook_id=share["id"], email=email):
                raise NotFound("person", email)
            return self._done(tx, scope, share, "user.removed", email)

        return await scope.write(work)

    async def open(self, scope: Scope) -> OpenedNotebook:
        def work(tx: Tx) -> OpenedNotebook:
            share = _held(tx, scope)
            where = {"notebook_id": share["id"], "person_id": scope.actor_id}
            member = tx.one("member_of", **where)
            if member is None:
                tx.run("set_member", role=int(Role.VIEWER), by_link=1, message=share["message"], **where)
                member = tx.one("member_of", **where)
                assert member is not None
                logged(tx, scope, "link.used", _called(tx, scope), notebook_id=share["id"], title=share["title"])
                scope.event(tx, "notebook.updated", share["id"])
            return _opened(share, member)

        return await scope.write(work)

    async def leave(self, scope: Scope) -> OpenedNotebook:
        def work(tx: Tx) -> OpenedNotebook:
            share = _held(tx, scope)
            _refuse_inbox(share)
            where = {"notebook_id": share["id"], "person_id": scope.actor_id}
            member = tx.one("member_of", **where)
            assert member is not None
            _refuse_last_owner(tx, share["id"], member)
            tx.run("delete_member", **where)
            logged(tx, scope, "user.left", _called(tx, scope), notebook_id=share["id"], title=share["title"])
            scope.event(tx, "notebook.updated", share["id"])
            return _opened(share, member)

        return await scope.write(work)

    async def log(self, scope: Scope, limit: int, cursor: str | None) -> Page[SharingEntry]:
        return await scope.read(lambda tx: page_of_log(tx, scope.notebook_id, limit, cursor))

    async def _shared(
        self, scope: Scope, email: str, permission: Permission, message: str | None, *, new: bool
    ) -> ShareStatus:
        """`message` is what they are welcomed with; None leaves what there was."""
        email, role = email_address(email), ROLES[permission]

        def work(tx: Tx) -> ShareStatus:
            share = _held(tx, scope)
            _refuse_inbox(share)
            id = share["id"]
            person = _person(tx, email)
            member = _member(tx, id, email)
            invited = tx.one("invitation_to_notebook", notebook_id=id, email=email)
            known = member or invited
            if known is None and not new:
                raise NotFound("person", email)
            if member is not None:
                _refuse_last_owner(tx, id, member)
            if known is None and self._count(tx, id) >= MOST_PEOPLE:
                raise LimitReached(f"A notebook is shared with at most {MOST_PEOPLE:,} people.")
            words = message or ("" if known is None else known["message"])
            if person is not None:
                who = {"notebook_id": id, "person_id": person["id"]}
                tx.run("set_member", role=int(role), by_link=0, message=words, **who)
                tx.run("delete_invitation", notebook_id=id, email=email)
            else:
                invitation = {"notebook_id": id, "email": email, "role": int(role), "message": words}
                tx.run("set_invitation", at=scope.now(), **invitation)
            return self._done(tx, scope, share, "user.changed" if known else "user.added", email, permission)

        return await scope.write(work)

    def _count(self, tx: Tx, id: str) -> int:
        where = {"notebook_id": id}
        return len(tx.all("members_of_notebook", **where)) + len(tx.all("invitations_to_notebook", **where))

    def _done(self, tx: Tx, scope: Scope, share: Row, action: str, subject: str, detail: str = "") -> ShareStatus:
        logged(tx, scope, action, subject, notebook_id=share["id"], title=share["title"], detail=detail)
        scope.event(tx, "notebook.updated", share["id"])
        return self._status(tx, scope)

    def _status(self, tx: Tx, scope: Scope) -> ShareStatus:
        share = tx.one("share_of", id=scope.notebook_id)
        assert share is not None
        where = {"notebook_id": share["id"]}
        members = [_user(row) for row in tx.all("members_of_notebook", **where)]
        invited = [
            SharedUser(email=row["email"], permission=_permission(row["role"]), pending=True, message=row["message"])
            for row in tx.all("invitations_to_notebook", **where)
        ]
        return ShareStatus(
            notebook_id=share["id"],
            public=bool(share["public"]),
            view_level=share["view_level"],
            users=[*members, *invited],
            by_link=tx.count("count_members_by_link", **where),
            message=share["message"],
            url=f"{self._url}/notebooks/{share['id']}",
        )


def _held(tx: Tx, scope: Scope) -> Row:
    """The notebook, held until commit, so that of two changes the second sees the first."""
    tx.one("lock_notebook", id=scope.notebook_id)
    share = tx.one("share_of", id=scope.notebook_id)
    if share is None:
        raise NotFound("notebook", scope.notebook_id)
    return share


def _set(tx: Tx, share: Row, **changed: Any) -> None:
    kept = {name: share[name] for name in ("public", "view_level", "message")}
    tx.run("set_share", notebook_id=share["id"], **kept | changed)


def _person(tx: Tx, email: str) -> Row | None:
    id, _, domain = email.partition("@")
    return tx.one("person_called", called=id if domain == NO_DOMAIN else email)


def _member(tx: Tx, notebook_id: str, email: str) -> Row | None:
    person = _person(tx, email)
    return None if person is None else tx.one("member_of", notebook_id=notebook_id, person_id=person["id"])


def _refuse_inbox(share: Row) -> None:
    if share["inbox_of"] is not None:
        raise Conflict("An inbox is one person's own and cannot be shared.")


def _refuse_last_owner(tx: Tx, notebook_id: str, member: Row) -> None:
    if member["role"] == Role.OWNER and tx.count("count_owners", notebook_id=notebook_id) < 2:
        raise Conflict("A notebook keeps its owner.", hint="delete_notebook deletes it.")


def _called(tx: Tx, scope: Scope) -> str:
    person = tx.one("person_called", called=scope.actor_id)
    return scope.actor_id if person is None else person["email"] or person["name"]


def _opened(share: Row, member: Row) -> OpenedNotebook:
    role = seen_as(member["role"], share["view_level"])
    return OpenedNotebook(notebook_id=share["id"], title=share["title"], role=role, message=member["message"])


def _user(row: Row) -> SharedUser:
    # Whoever has no address is called by an id that no address can be.
    email = row["email"] or f"{row['person_id']}@{NO_DOMAIN}"
    return SharedUser(email=email, name=row["name"], permission=_permission(row["role"]), message=row["message"])


def _permission(role: int) -> Any:
    return Role(max(role, Role.VIEWER)).name.lower()
