"""Who else may use a notebook at Google."""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import quote

from quire.domain.email_addresses import email_address
from quire.domain.errors import NotAllowed, NotFound, Upstream
from quire.domain.sharing import OpenedNotebook, Permission, SharedUser, ShareStatus, ViewLevel
from quire.notebooklm import codes
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.rows import notebook_of
from quire.notebooklm.engine.scope import GoogleScope
from quire.notebooklm.methods import sharing as wire

PERMISSIONS: dict[codes.Permission | None, Literal["owner", "editor", "viewer"]] = {
    codes.Permission.OWNER: "owner",
    codes.Permission.EDITOR: "editor",
    codes.Permission.VIEWER: "viewer",
}
GRANTS = {"editor": codes.Permission.EDITOR, "viewer": codes.Permission.VIEWER}
LEVELS: dict[ViewLevel, codes.ViewLevel] = {"full": codes.ViewLevel.FULL, "chat": codes.ViewLevel.CHAT_ONLY}
MAIL = 1
# A grant with words for whoever gets it, one without, and what is taken away.
WITH_WORDS, WITHOUT_WORDS = 0, 1


class GoogleSharing:
    """`home` is the address of NotebookLM's page."""

    def __init__(self, caller: Caller, notebooks: GoogleNotebooks, home: str) -> None:
        self._caller = caller
        self._notebooks = notebooks
        self._home = home

    async def get_status(self, scope: GoogleScope) -> ShareStatus:
        return await self._status(await scope.notebook_id())

    async def set_public(self, scope: GoogleScope, public: bool, welcome_message: str) -> ShareStatus:
        notebook_id = await scope.notebook_id()
        access = codes.Access.LINK if public else codes.Access.RESTRICTED
        words = welcome_message.strip() if public else ""
        share = wire.Share(notebook_id, access=access, flag=int(access), message=words)
        await self._shared(share, notify=MAIL)
        status = await self._status(notebook_id)
        if status.public != public:
            raise Upstream("NotebookLM did not change who may open the notebook.", outcome="unknown")
        return status

    async def set_view_level(self, scope: GoogleScope, level: ViewLevel) -> ShareStatus:
        """What was set is told, since NotebookLM does not tell it."""
        notebook_id = await scope.notebook_id()
        await self._caller.call(
            "RENAME_NOTEBOOK", about=("notebook", notebook_id), notebook_id=notebook_id, view_level=LEVELS[level]
        )
        return (await self._status(notebook_id)).model_copy(update={"view_level": level})

    async def add_user(
        self, scope: GoogleScope, email: str, permission: Permission, welcome_message: str
    ) -> ShareStatus:
        notebook_id = await scope.notebook_id()
        return await self._granted(notebook_id, email, permission, welcome_message.strip(), notify=MAIL)

    async def update_user(self, scope: GoogleScope, email: str, permission: Permission) -> ShareStatus:
        notebook_id = await scope.notebook_id()
        _known(await self._status(notebook_id), email)
        return await self._granted(notebook_id, email, permission, "", notify=0)

    async def remove_user(self, scope: GoogleScope, email: str) -> ShareStatus:
        notebook_id, address = await scope.notebook_id(), email_address(email)
        if _known(await self._status(notebook_id), address).permission == "owner":
            raise NotAllowed("The owner of a notebook cannot be taken out of it.")
        grant = wire.Grant(address, codes.Permission.REMOVE)
        await self._shared(wire.Share(notebook_id, (grant,), flag=WITH_WORDS, message=""), notify=0)
        return await self._status(notebook_id)

    async def open(self, scope: GoogleScope) -> OpenedNotebook:
        """Whoever asks for a notebook by its id has opened it."""
        found = notebook_of(await self._notebooks.row(await scope.notebook_id()))
        return OpenedNotebook(notebook_id=found.id, title=found.title, role=found.role)

    async def _granted(
        self, notebook_id: str, email: str, permission: Permission, words: str, *, notify: int
    ) -> ShareStatus:
        """Looked at afterwards: NotebookLM says nothing of an address that it does not take."""
        address = email_address(email)
        grant = wire.Grant(address, GRANTS[permission])
        flag = WITH_WORDS if words else WITHOUT_WORDS
        await self._shared(wire.Share(notebook_id, (grant,), flag=flag, message=words), notify=notify)
        status = await self._status(notebook_id)
        if _known(status, address).permission not in (permission, "owner"):
            raise Upstream("NotebookLM did not give the permission.", outcome="unknown")
        return status

    async def _shared(self, share: wire.Share, **more: Any) -> None:
        id = share.notebook_id
        await self._caller.call("SHARE_NOTEBOOK", about=("notebook", id), notebook_id=id, shares=[share], **more)

    async def _status(self, notebook_id: str) -> ShareStatus:
        row: wire.ShareStatus = await self._caller.call(
            "GET_SHARE_STATUS", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        users = [
            SharedUser(email=one.email, name=one.name or "", permission=PERMISSIONS[one.permission])
            for one in row.people
            if one.permission in PERMISSIONS
        ]
        url = f"{self._home}notebook/{quote(notebook_id, safe='')}"
        return ShareStatus(
            notebook_id=notebook_id, public=bool(row.public), view_level="full", users=users, by_link=0, url=url
        )


def _known(status: ShareStatus, email: str) -> SharedUser:
    wanted = email_address(email).casefold()
    for user in status.users:
        if user.email.casefold() == wanted:
            return user
    raise NotFound("person", email)
