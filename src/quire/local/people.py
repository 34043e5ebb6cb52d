"""People: who may call, and the tokens that prove it."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Awaitable, Callable

from quire.domain.email_addresses import NO_DOMAIN, email_address
from quire.domain.errors import Conflict, InvalidInput, LimitReached, NotFound
from quire.domain.pages import Page, page_of_all
from quire.domain.sharing import (
    OWNER_ID,
    TOKEN_BEGINS,
    NewToken,
    Person,
    RemovedPerson,
    Role,
    SharingEntry,
    Token,
    hash_of,
)
from quire.local.person_removal import PersonRemoval
from quire.local.scope import Scope
from quire.local.sharing_log import logged, page_of_log
from quire.local.timestamps import moment, optional_moment
from quire.ports.store import Row, Tx

MOST_TOKENS = 100
TOKEN_BYTES = 32
DAY = 24 * 3600 * 1_000_000


class LocalPeople:
    """What is done with tokens and people is in the log of sharing, and told in their inboxes."""

    def __init__(self, removal: PersonRemoval, end_kernels: Callable[[], Awaitable[object]]) -> None:
        self._removal = removal
        self._end_kernels = end_kernels

    async def whoami(self, scope: Scope) -> Person:
        return await scope.look_up(lambda tx: person_called(tx, scope.actor_id))

    async def add(self, scope: Scope, name: str, email: str) -> Person:
        name, email = given_name(name), email_address(email)

        def work(tx: Tx) -> Person:
            _refuse_taken(tx, email)
            id = str(uuid.uuid4())
            add_person(tx, id, name, None, scope.now(), email)
            logged(tx, scope, "person.added", email, detail=name)
            scope.event(tx, "person.added", id)
            return person_called(tx, id)

        return await scope.write(work)

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Person]:
        return await scope.read(lambda tx: page_of_all(tx.all("all_people"), limit, cursor, person_of))

    async def get(self, scope: Scope, person: str | None) -> Person:
        return await scope.look_up(lambda tx: person_called(tx, person or scope.actor_id))

    async def update(self, scope: Scope, person: str | None, name: str | None, email: str | None) -> Person:
        if name is None and email is None:
            raise InvalidInput("Give a name or an email.")
        name = None if name is None else given_name(name)
        email = None if email is None else email_address(email)

        def work(tx: Tx) -> Person:
            there = person_called(tx, person or scope.actor_id)
            if email is not None and email != there.email:
                _refuse_taken(tx, email)
            tx.run("change_person", id=there.id, name=name or there.name, email=email or there.email)
            if email is not None:
                accept_invitations(tx, there.id, email)
            logged(tx, scope, "person.changed", email or there.email or there.id, detail=name or there.name)
            scope.event(tx, "person.changed", there.id)
            return person_called(tx, there.id)

        return await scope.write(work)

    async def remove(
        self, scope: Scope, person: str, give_to: str | None, export_to: str | None, delete_all: bool
    ) -> RemovedPerson:
        if sum((give_to is not None, export_to is not None, delete_all)) > 1:
            raise InvalidInput("What they own is given away, exported or deleted: say one of them.")
        if export_to is not None and not scope.context.local:
            raise InvalidInput(
                "export_to: a folder is only written where the server runs on your machine.",
                hint="Run 'quire person remove' there.",
                field="export_to",
            )
        removed = await self._removal.remove(scope, person, give_to, export_to, delete_all=delete_all)
        await self._end_kernels()
        return removed

    async def create_token(self, scope: Scope, person: str | None, label: str, days: int) -> NewToken:
        def work(tx: Tx) -> NewToken:
            whose = person_called(tx, person or scope.actor_id)
            if tx.count("count_tokens", person_id=whose.id) >= MOST_TOKENS:
                raise LimitReached(f"{whose.name} has {MOST_TOKENS} tokens.", hint="Revoke some of them.")
            expires = scope.now() + days * DAY if days else None
            made = new_token(tx, whose.id, label.strip(), scope.now(), expires)
            logged(tx, scope, "token.created", whose.email or whose.id, detail=label.strip())
            scope.event(tx, "token.created", made.id)
            return made

        return await scope.write(work)

    async def list_tokens(self, scope: Scope, person: str | None) -> Page[Token]:
        def work(tx: Tx) -> Page[Token]:
            whose = person_called(tx, person or scope.actor_id)
            tokens = [token_of(row) for row in tx.all("tokens_of", person_id=whose.id)]
            return Page(items=tokens, total=len(tokens))

        return await scope.read(work)

    async def revoke_token(self, scope: Scope, token_id: str) -> Token:
        def work(tx: Tx) -> Token:
            row = tx.one("token_kept", id=token_id)
            if row is None:
                raise NotFound("token", token_id)
            tx.run("delete_token", id=token_id)
            whose = person_called(tx, row["person_id"])
            logged(tx, scope, "token.revoked", whose.email or whose.id, detail=row["label"])
            scope.event(tx, "token.revoked", token_id)
            return token_of(row)

        return await scope.write(work)

    async def log(self, scope: Scope, limit: int, cursor: str | None) -> Page[SharingEntry]:
        return await scope.read(lambda tx: page_of_log(tx, None, limit, cursor))


def given_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise InvalidInput("name: must not be empty.", field="name")
    return name


def _refuse_taken(tx: Tx, email: str) -> None:
    if email.endswith(f"@{NO_DOMAIN}"):
        raise InvalidInput(f"email: addresses at {NO_DOMAIN} are nobody's.", field="email")
    if tx.one("person_called", called=email) is not None:
        raise Conflict(f"Somebody has the address {email} already.")


def person_called(tx: Tx, called: str) -> Person:
    """Somebody by their id or address."""
    row = tx.one("person_called", called=called)
    if row is None:
        raise NotFound("person", called)
    return person_of(row)


def person_of(row: Row) -> Person:
    return Person(
        id=row["id"],
        name=row["name"],
        email=row["email"],
        owner=row["id"] == OWNER_ID,
        created_at=moment(row["created_at"]),
    )


def token_of(row: Row) -> Token:
    return Token(
        id=row["id"],
        person_id=row["person_id"],
        label=row["label"],
        created_at=moment(row["created_at"]),
        expires_at=optional_moment(row["expires_at"]),
        used_at=optional_moment(row["used_at"]),
    )


def new_token(tx: Tx, person_id: str, label: str, at: int, expires_at: int | None) -> NewToken:
    """A token of which only the hash is kept."""
    id, token = str(uuid.uuid4()), TOKEN_BEGINS + secrets.token_urlsafe(TOKEN_BYTES)
    kept = {"id": id, "person_id": person_id, "label": label}
    tx.run("insert_token", hash=hash_of(token.encode()), at=at, expires_at=expires_at, **kept)
    row = {**kept, "created_at": at, "expires_at": expires_at, "used_at": None}
    return NewToken(token=token, **dict(token_of(row)))


def add_person(tx: Tx, id: str, name: str, token_hash: str | None, at: int, email: str | None = None) -> None:
    """A user with an inbox; nothing happens when there is one of this id."""
    if not tx.run("insert_person", id=id, name=name, email=email, at=at):
        return
    notebook_id = str(uuid.uuid4())
    tx.run("insert_notebook", id=notebook_id, title="Inbox", inbox_of=id, at=at)
    tx.run("insert_member", notebook_id=notebook_id, person_id=id, role=int(Role.OWNER))
    if token_hash is not None:
        kept = {"id": str(uuid.uuid4()), "person_id": id, "label": "first"}
        tx.run("insert_token", hash=token_hash, at=at, expires_at=None, **kept)
    if email is not None:
        accept_invitations(tx, id, email)


def accept_invitations(tx: Tx, person_id: str, email: str) -> None:
    """Whoever has an address has what was shared with it."""
    for row in tx.all("invitations_of", email=email):
        where = {"notebook_id": row["notebook_id"], "person_id": person_id}
        if tx.one("member_of", **where) is None:
            tx.run("set_member", role=row["role"], by_link=0, message=row["message"], **where)
    tx.run("delete_invitations_of", email=email)
