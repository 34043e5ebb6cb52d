"""Things by the names that people give them: a title, the beginning of an id, or the id itself."""

from __future__ import annotations

import difflib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from quire.api.capability import Capability
from quire.api.guard import refuse_bad_text
from quire.api.library import Library
from quire.domain.chat import Conversation
from quire.domain.errors import InvalidInput, NotFound
from quire.domain.notebooks import Notebook
from quire.domain.pages import Page
from quire.domain.sharing import OWNER_ID, Role

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BEGINNING = re.compile(r"[0-9a-f-]{4,35}")
PAGE = 1_000
SHOWN = 5
SUGGESTED = 3
# A name that is longer than this is not misspelt.
LONGEST_NAME = 200
# What lists the things of a kind: a tool, or a command.
LISTS = {
    "notebook": ("list_notebooks", "quire notebook list"),
    "source": ("list_sources", "quire source list NOTEBOOK"),
    "artifact": ("list_artifacts", "quire artifact list NOTEBOOK"),
    "label": ("list_labels", "quire label list NOTEBOOK"),
    "research": ("list_research", "quire research list NOTEBOOK"),
    "collection": ("list_collections", "quire collection list"),
    "conversation": ("list_conversations", "quire chat conversations NOTEBOOK"),
    "answer": ("get_history", "quire chat history CONVERSATION"),
    "scratch notebook": ("list_scratch", "quire scratch list"),
    "transformation": ("list_transformations", "quire transformation list"),
    "job": ("list_jobs", "quire job list"),
    "token": ("list_tokens", "quire person tokens PERSON"),
}


class Named(NamedTuple):
    """Something that can be meant: its id, what it is called, and where it is."""

    id: str
    title: str = ""
    where: str = ""


async def by_id(library: Library, capability: Capability, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with everything that was named in another way named by its id."""
    arguments = dict(given)
    for argument in ("notebook_id", "into", "sources_of"):
        if isinstance(name := arguments.get(argument), str):
            if argument == "notebook_id" and capability.noun == "scratch":
                arguments[argument] = await scratch_named(library, name)
            else:
                arguments[argument] = await notebook_named(library, name)
    notebook = arguments.get("notebook_id")
    within: dict[str, Callable[[Library, str, str | None], Awaitable[str]]] = {
        "source_id": source_named,
        "label_id": label_named,
        "research_id": research_named,
        "artifact_id": artifact_named,
        "conversation_id": conversation_named,
        "answer_id": answer_named,
    }
    for argument, find in within.items():
        # An upload says which id its source is to have.
        if isinstance(name := arguments.get(argument), str) and capability.declared.shape != "upload":
            # The notebook of a copy is the one that it goes to.
            arguments[argument] = await find(library, name, None if capability.verb == "copy" else notebook)
    several: dict[str, Callable[[str], Awaitable[str | None]]] = {
        "source_ids": lambda name: source_named(library, name, notebook),
        "label_ids": lambda name: label_named(library, name, notebook),
        "notebook_ids": lambda name: notebook_named(library, name),
        "collection_ids": lambda name: collection_named(library, name),
    }
    for argument, find_each in several.items():
        if isinstance(names := arguments.get(argument), list):
            arguments[argument] = [await find_each(name) if isinstance(name, str) else name for name in names]
    if isinstance(name := arguments.get("collection_id"), str):
        arguments["collection_id"] = await collection_named(library, name)
    if isinstance(name := arguments.get("transformation_id"), str):
        arguments["transformation_id"] = await transformation_named(library, name)
    if isinstance(name := arguments.get("job_id"), str):
        arguments["job_id"] = await job_named(library, name)
    if isinstance(name := arguments.get("token_id"), str):
        arguments["token_id"] = await token_named(library, name)
    return arguments


async def notebook_named(library: Library, name: str | None) -> str | None:
    """The id of a notebook; None stays the inbox."""
    if name is None or UUID.fullmatch(name):
        return name
    there = [Named(one.id, one.title) for one in await notebooks_of(library)]
    return chosen(library, "notebook", name, there)


async def source_named(library: Library, name: str, notebook: str | None) -> str:
    """The id of a source of a notebook, or of any where none is given."""
    if UUID.fullmatch(name):
        return name
    notebooks = await readable_notebooks(library, notebook)
    there = [
        Named(source.id, source.title, one.title)
        for one in notebooks
        async for source in _all(library.sources.list, one.id)
    ]
    return chosen(library, "source", name, there)


async def label_named(library: Library, name: str, notebook: str | None) -> str:
    """The id of a label of a notebook, or of any where none is given."""
    if UUID.fullmatch(name):
        return name
    notebooks = await readable_notebooks(library, notebook)
    there = [
        Named(label.id, label.name, one.title) for one in notebooks async for label in _all(library.labels.list, one.id)
    ]
    return chosen(library, "label", name, there)


async def research_named(library: Library, name: str, notebook: str | None) -> str:
    """The id of a run of a notebook, or of any where none is given, by the beginning of it or by what it looked for."""
    if UUID.fullmatch(name):
        return name
    notebooks = await readable_notebooks(library, notebook)
    there = [
        Named(run.id, run.query, one.title) for one in notebooks async for run in _all(library.research.list, one.id)
    ]
    return chosen(library, "research", name, there)


async def artifact_named(library: Library, name: str, notebook: str | None) -> str:
    """The id of an artifact of a notebook, or of any where none is given."""
    if UUID.fullmatch(name):
        return name
    there = [
        Named(one.id, one.title, where.title)
        for where in await readable_notebooks(library, notebook)
        async for one in _all(library.artifacts.list, where.id)
    ]
    return chosen(library, "artifact", name, there)


async def collection_named(library: Library, name: str) -> str:
    if UUID.fullmatch(name):
        return name
    return chosen(
        library, "collection", name, [Named(one.id, one.name) async for one in _all(library.collections.list)]
    )


async def transformation_named(library: Library, name: str) -> str:
    if UUID.fullmatch(name):
        return name
    there = [Named(one.id, one.name) async for one in _all(library.transformations.list)]
    return name if any(one.id == name for one in there) else chosen(library, "transformation", name, there)


async def conversation_named(library: Library, name: str, notebook: str | None) -> str:
    """The id of a conversation by the beginning of it."""
    if UUID.fullmatch(name):
        return name
    there = [Named(one.id, one.question) for one in await conversations_of(library, notebook)]
    return chosen(library, "conversation", name, there)


async def answer_named(library: Library, name: str, notebook: str | None) -> str:
    """The id of an answer by the beginning of it; answers are found in the conversations that they are part of."""
    if UUID.fullmatch(name):
        return name
    there = [
        Named(turn.answer.id, turn.answer.question)
        for one in await conversations_of(library, notebook)
        async for turn in _all(library.chat.get_history, one.id)
    ]
    return chosen(library, "answer", name, there)


async def scratch_named(library: Library, name: str) -> str:
    if name.startswith("nb-"):
        return name
    there = [Named(one.id, one.title) for one in await library.scratch.list()]
    return chosen(library, "scratch notebook", name, there)


async def job_named(library: Library, name: str) -> str:
    if UUID.fullmatch(name):
        return name
    there = [Named(one.id, one.kind) async for one in _all(library.jobs.list)]
    return chosen(library, "job", name, there)


async def token_named(library: Library, name: str) -> str:
    """The id of a token by the beginning of it, or by its label: one's own, and anybody's for the server's owner."""
    if UUID.fullmatch(name):
        return name
    owner = library.context.actor.id == OWNER_ID
    people = [one.id async for one in _all(library.people.list)] if owner else [library.context.actor.id]
    there = [Named(token.id, token.label) for one in people for token in await library.people.list_tokens(one)]
    return chosen(library, "token", name, there)


async def readable_notebooks(library: Library, notebook: str | None) -> list[Notebook]:
    """The one that was named, or all that may be read; those that one may only chat with are passed over."""
    there = await notebooks_of(library)
    return [one for one in there if (one.role >= Role.VIEWER if notebook is None else one.id == notebook)]


async def notebooks_of(library: Library) -> list[Notebook]:
    return [one async for one in _all(library.notebooks.list)]


async def conversations_of(library: Library, notebook: str | None) -> list[Conversation]:
    """The conversations with a notebook, or with any; the one that was spoken in last comes first."""
    ids = [notebook] if notebook else [one.id for one in await notebooks_of(library)]
    found = [one for id in ids async for one in _all(library.chat.list_conversations, id)]
    return sorted(found, key=lambda one: one.updated_at, reverse=True)


def chosen(library: Library, noun: str, name: str, there: Sequence[Named]) -> str:
    """The id of the one thing that a name means."""
    refuse_bad_text(noun, name)
    wanted = " ".join(name.split()).casefold()
    found = [one for one in there if one.id == name or _words(one.title) == wanted]
    if not found and BEGINNING.fullmatch(wanted):
        found = [one for one in there if one.id.startswith(wanted)]
    if len(found) == 1:
        return found[0].id
    if found:
        ids = ", ".join(_shown(one, found) for one in found[:SHOWN])
        raise InvalidInput(f"There are {len(found)} {noun}s called '{name}'.", hint=f"Say which by its id: {ids}.")
    near = suggested(wanted, [one.title for one in there])
    quoted = [f"'{title}'" for title in near]
    better = f"Did you mean {' or '.join(quoted)}? " if near else ""
    tool, command = LISTS[noun]
    listed_by = tool if library.context.door == "mcp" else f"'{command}'"
    raise NotFound(noun, name, hint=f"{better}{listed_by} lists what there is.")


def suggested(wanted: str, titles: Iterable[str]) -> list[str]:
    """The titles that may have been meant: those that are like a name, and those that hold it."""
    if len(wanted) > LONGEST_NAME:
        return []
    folded = {_words(title): title for title in titles if title}
    holding = [one for one in folded if len(wanted) > 2 and wanted in one]
    near = difflib.get_close_matches(wanted, folded, SUGGESTED)
    return [" ".join(folded[one].split()) for one in dict.fromkeys([*near, *holding])][:SUGGESTED]


def _words(title: str) -> str:
    return " ".join(title.split()).casefold()


def _shown(one: Named, others: Sequence[Named]) -> str:
    """As much of an id as tells it from the others, and what else does."""
    length = next(size for size in range(8, 37) if sum(other.id[:size] == one.id[:size] for other in others) == 1)
    where = f" in {one.where}" if one.where else ""
    return f"{one.id[:length]} ({one.title}{where})" if one.title else one.id[:length]


async def _all(listed: Callable[..., Awaitable[Page[Any]]], *of: str) -> AsyncIterator[Any]:
    """All that a list holds, page by page."""
    cursor = None
    while True:
        found = await listed(*of, limit=PAGE, cursor=cursor)
        for one in found:
            yield one
        cursor = found.cursor
        if cursor is None:
            return
