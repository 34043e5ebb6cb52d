"""Several notebooks at once: which of them the caller may read, checked in every transaction that reads in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from quire import text as text_engine
from quire.domain.across import LibraryAnswer, LibraryCitation, LibraryHit, LibraryHits
from quire.domain.chat import Answer
from quire.domain.errors import Conflict, NotFound
from quire.domain.sharing import Role
from quire.local.check_role import seen_as
from quire.local.scope import Scope
from quire.local.search import Search
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text import SearchPorts

Result = TypeVar("Result")

MOST = 1_000
NAMED = 3


@dataclass(frozen=True)
class Chosen:
    """Notebooks that are read, by id with their titles, and the titles of those that are left out."""

    titles: dict[str, str]
    left_out: tuple[str, ...]
    unread: tuple[str, ...]

    @property
    def ids(self) -> list[str]:
        return list(self.titles)

    @property
    def warnings(self) -> tuple[str, ...]:
        found = []
        if self.left_out:
            found.append(f"Left out, since you may only chat with them: {_some(self.left_out)}.")
        if self.unread:
            found.append(f"Not read yet, and not part of this: {_some(self.unread)}.")
        return tuple(found)


async def chosen_notebooks(scope: Scope, notebook_ids: Sequence[str] | None) -> Chosen:
    """Those that are named, or all of the caller's. One that is not there, or not theirs, is *not found*."""

    def work(tx: Tx) -> Chosen:
        rows = _members(tx, scope, notebook_ids)
        readable = {row["id"]: row["title"] for row in rows if _may_read(row)}
        left_out = tuple(row["title"] for row in rows if not _may_read(row))
        unread = tx.all("unread_in_notebooks", notebook_ids=json.dumps(list(readable)), limit=NAMED + 1)
        return Chosen(readable, left_out, tuple(row["title"] for row in unread))

    found = await scope.read(work)
    if not found.titles:
        hint = "Ask one of them with `ask`." if found.left_out else "Add a source first."
        raise Conflict("There is no notebook whose sources you may read.", hint=hint, reason="no_sources")
    return found


def searching_across(search: Search, scope: Scope, chosen: Chosen) -> SearchPorts:
    """The ports of a search in these notebooks; each transaction checks the caller's role in all of them first."""

    async def read(work: Callable[[Tx], Result]) -> Result:
        def checked(tx: Tx) -> Result:
            for row in _members(tx, scope, chosen.ids):
                if not _may_read(row):
                    raise NotFound("notebook", row["id"])
            return work(tx)

        return await scope.read(checked)

    return replace(search(scope), read=read)


async def found_across(
    search: Search, scope: Scope, query: str, notebook_ids: Sequence[str] | None, limit: int
) -> LibraryHits:
    chosen = await chosen_notebooks(scope, notebook_ids)
    ports = searching_across(search, scope, chosen)
    found = await text_engine.find_in(ports, chosen.ids, query, limit=limit)
    where = await _where(scope, chosen, {hit.passage.source_id for hit in found.hits})
    hits = [LibraryHit(**(dict(hit) | where[hit.passage.source_id])) for hit in found.hits]
    return LibraryHits(items=hits, notebooks=len(chosen.titles), left_out=list(chosen.left_out))


async def answer_across(scope: Scope, chosen: Chosen, answer: Answer) -> LibraryAnswer:
    """An answer whose citations name their notebooks."""
    where = await _where(scope, chosen, {citation.source_id for citation in answer.citations})
    citations = [LibraryCitation(**(dict(one) | where[one.source_id])) for one in answer.citations]
    told = {name: value for name, value in dict(answer).items() if name != "citations"}
    left_out = list(chosen.left_out)
    return LibraryAnswer(**told, citations=citations, notebooks=len(chosen.titles), left_out=left_out)


async def _where(scope: Scope, chosen: Chosen, source_ids: set[str]) -> dict[str, dict[str, str]]:
    def work(tx: Tx) -> list[Row]:
        return tx.all("notebooks_of_sources", source_ids=json.dumps(sorted(source_ids)))

    rows = await scope.read(work)
    known = {row["id"]: row["notebook_id"] for row in rows}
    # A source that was deleted while the answer was written was in one of these, and nobody can say in which.
    gone = {"notebook_id": "", "notebook_title": ""}
    return {
        id: {"notebook_id": known[id], "notebook_title": chosen.titles[known[id]]}
        if known.get(id) in chosen.titles
        else gone
        for id in source_ids
    }


def _members(tx: Tx, scope: Scope, notebook_ids: Sequence[str] | None) -> list[Row]:
    """The notebooks that the caller is a member of, all or those that are named."""
    person = {"person_id": scope.actor_id, "limit": MOST}
    if notebook_ids is None:
        return tx.all("notebooks_to_ask", **person)
    wanted = list(dict.fromkeys(notebook_ids))
    rows = {row["id"]: row for row in tx.all("notebooks_named", notebook_ids=json.dumps(wanted), **person)}
    for id in wanted:
        if id not in rows:
            raise NotFound("notebook", id)
    return [rows[id] for id in wanted]


def _may_read(row: Row) -> bool:
    return seen_as(row["role"], row["view_level"]) >= Role.VIEWER


def _some(titles: Sequence[str]) -> str:
    more = " and others" if len(titles) > NAMED else ""
    return ", ".join(f"'{title}'" for title in titles[:NAMED]) + more
