"""Sharing, as NotebookLM's clients ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire.domain import sharing as ours
from quire.domain.email_addresses import email_address
from quire.domain.errors import InvalidInput
from quire.notebooklm.codes import Access, Permission, ViewLevel
from quire.notebooklm.methods.sharing import Grant, Person, Share, ShareStatus
from quire.notebooklm.server.wire_call import Handler, WireCall

MOST_PEOPLE = 1_000
PERMISSIONS: dict[str, Permission] = {
    "owner": Permission.OWNER,
    "editor": Permission.EDITOR,
    "viewer": Permission.VIEWER,
}
GIVEN: dict[Permission | None, ours.Permission] = {Permission.EDITOR: "editor", Permission.VIEWER: "viewer"}
LEVELS: dict[ViewLevel, ours.ViewLevel] = {ViewLevel.FULL: "full", ViewLevel.CHAT_ONLY: "chat"}


async def get_status(call: WireCall, names: Mapping[str, Any]) -> ShareStatus:
    status = await call.library.sharing.get_status(call.notebook(names))
    people = [Person(user.email, PERMISSIONS[user.permission], user.name or user.email) for user in status.users]
    return ShareStatus(tuple(people), status.public, MOST_PEOPLE, True)


async def share(call: WireCall, names: Mapping[str, Any]) -> None:
    """What cannot be done is refused before anything is."""
    shares: tuple[Share, ...] = names["shares"]
    for one in shares:
        for grant in one.grants:
            _check(grant)
    for one in shares:
        for grant in one.grants:
            await _grant(call, one, grant)
        if one.access is not None:
            await _open(call, one.notebook_id, one.access, one.message or "")


async def share_artifact(call: WireCall, names: Mapping[str, Any]) -> None:
    """Its link leads into the notebook, and opens for whoever may open that."""
    await _open(call, call.notebook(names), names["public"], "")


async def set_view_level(call: WireCall, notebook_id: str, level: ViewLevel) -> None:
    if level not in LEVELS:
        raise InvalidInput("The view level is neither full nor chat only.")
    await call.library.sharing.set_view_level(notebook_id, LEVELS[level])


async def _grant(call: WireCall, one: Share, grant: Grant) -> None:
    sharing = call.library.sharing
    if grant.permission is Permission.REMOVE:
        await sharing.remove_user(one.notebook_id, grant.email)
    else:
        await sharing.add_user(one.notebook_id, grant.email, GIVEN[grant.permission], one.message or "")


async def _open(call: WireCall, notebook_id: str, access: Access | None, message: str) -> None:
    if access not in (Access.RESTRICTED, Access.LINK):
        raise InvalidInput("The access is neither restricted nor by link.")
    await call.library.sharing.set_public(notebook_id, access is Access.LINK, message)


def _check(grant: Grant) -> None:
    email_address(grant.email)
    if grant.permission is not Permission.REMOVE and grant.permission not in GIVEN:
        raise InvalidInput("The permission must be editor or viewer; a notebook has one owner.")


HANDLERS: dict[str, Handler] = {
    "GET_SHARE_STATUS": get_status,
    "SHARE_NOTEBOOK": share,
    "SHARE_ARTIFACT": share_artifact,
}
