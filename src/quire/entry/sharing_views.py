"""People, tokens and shares as people like to read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.text import Text

from quire.domain.sharing import (
    NewToken,
    OpenedNotebook,
    Person,
    RemovedPerson,
    SharedUser,
    ShareStatus,
    SharingEntry,
    Token,
)
from quire.entry.terminal import Tables, clean, facts, minute, short, table

WAITING = "let in once they are on this server"


def _person(out: Console, person: Person) -> None:
    given: dict[str, Any] = {"Name": Text(clean(person.name), style="bold"), "E-mail": person.email}
    given |= {"Id": Text(person.id, style="cyan"), "Owner": True if person.owner else None, "Since": person.created_at}
    if isinstance(person, RemovedPerson):
        given |= {"Given to": person.given_to, "Given": _titles(person.given)}
        given |= {"Exported": _titles(person.exported), "Deleted": _titles(person.deleted)}
    facts(out, given)


def _titles(titles: list[str]) -> str | None:
    return ", ".join(map(clean, titles)) or None


def _token(out: Console, token: Token) -> None:
    shown: dict[str, Any] = {"Token": Text(token.token, style="bold")} if isinstance(token, NewToken) else {}
    shown |= {"For": clean(token.label) or None, "Id": Text(token.id, style="cyan")}
    facts(out, shown | {"Until": token.expires_at or "revoked", "Last used": token.used_at})
    if isinstance(token, NewToken):
        told = "It is not shown again. Send it as 'Authorization: Bearer TOKEN', or paste it into the sign-in page."
        out.print(Text(told, style="dim"), soft_wrap=True)


def _status(out: Console, status: ShareStatus) -> None:
    columns, row = TABLES[SharedUser]
    table(out, columns, [row(user) for user in status.users])
    link = "everybody on this server who has the link" if status.public else "only these people"
    facts(
        out,
        {
            "Open to": link,
            "Viewers see": "all of it" if status.view_level == "full" else "only its chat",
            "Came by link": status.by_link or None,
            "Welcome": clean(status.message) or None,
            "Link": status.url,
        },
    )


def _opened(out: Console, opened: OpenedNotebook) -> None:
    role = opened.role.name.lower().replace("_", " ")
    title = Text(clean(opened.title), style="bold")
    facts(
        out,
        {
            "Title": title,
            "Id": Text(opened.notebook_id, style="cyan"),
            "Role": role,
            "Welcome": clean(opened.message) or None,
        },
    )


VIEWS: dict[type, Callable[[Console, Any], None]] = {
    Person: _person,
    RemovedPerson: _person,
    Token: _token,
    NewToken: _token,
    ShareStatus: _status,
    OpenedNotebook: _opened,
}
TABLES: Tables = {
    Person: (
        {"Id": "id", "Name": "cut", "E-mail": "cut", "Since (UTC)": "whole"},
        lambda one: (short(one.id), one.name, one.email or ("owner" if one.owner else ""), minute(one.created_at)),
    ),
    Token: (
        {"Id": "id", "For": "cut", "Until (UTC)": "whole", "Last used (UTC)": "whole"},
        lambda one: (short(one.id), one.label, minute(one.expires_at) or "revoked", minute(one.used_at) or "never"),
    ),
    SharedUser: (
        {"E-mail": "whole", "Name": "cut", "May": "whole", "": "cut"},
        lambda one: (one.email, one.name, one.permission, WAITING if one.pending else ""),
    ),
    SharingEntry: (
        {"At (UTC)": "whole", "Who": "cut", "Did": "whole", "Whom": "cut", "Notebook": "cut", "": "cut"},
        lambda one: (minute(one.at), one.actor, one.action, one.subject, one.title, one.detail),
    ),
}
