"""Who may do what, for every capability that is declared: arguments and roles are read off the declarations."""

from __future__ import annotations

from typing import Any

import pytest
from trials import on_one_store

from quire.api.capability import Capability, Declared
from quire.api.library import Library
from quire.domain.errors import NotAllowed, NotFound, QuireError
from quire.domain.files import Upload
from quire.domain.sharing import Role

pytestmark = pytest.mark.anyio

# What belongs to one person: nobody else finds it, whatever their role in a notebook.
PERSONAL = ("conversation", "answer", "scratch", "session", "collection")


def declared_of_all_nouns() -> list[Capability]:
    """Those that have no tool included."""
    return [
        Capability(name, one.name, noun.noun, noun.toolset, one)
        for name, noun in Library.nouns.items()
        for one in (getattr(method, "declared", None) for method in vars(noun).values())
        if isinstance(one, Declared) and one.facts.of
    ]


# Arguments that have a form of their own, and that no call needs.
LEFT_OUT = ("notebook_id", "cursor", "wait", "file_size", "into", "heading")
ALL = {one.tool: one for one in declared_of_all_nouns()}


def fitting(schema: dict[str, Any]) -> Any:
    """A value that a schema allows."""
    if "enum" in schema or "default" in schema:
        return schema.get("default", schema.get("enum", [None])[0])
    if schema.get("type") == "array":
        return [fitting(schema["items"])]
    if schema.get("format") == "date-time":
        return "2026-01-01T00:00:00Z"
    if "pattern" in schema and "0-9a-f" in schema["pattern"]:
        return "0" * 64
    values = {"integer": schema.get("minimum", 1), "number": 1.0, "boolean": False, "string": "text"}
    return values[schema["type"]]


def arguments(capability: Capability, ids: dict[str, str]) -> dict[str, Any]:
    """Whatever a call takes, about the thing of its kind that is there."""
    assert capability.facts.of is not None
    kind, subject = capability.facts.of
    schema, examples = capability.input_schema, capability.declared.examples
    made: dict[str, Any] = {}
    for name, property in schema["properties"].items():
        if name == subject:
            made[name] = ids[kind]
        elif capability.declared.hints[name] is Upload:
            made[name] = Upload.of("# a lesson\n", "one.md")
        elif name in schema.get("required", []) or not (name in LEFT_OUT or "pattern" in property):
            made[name] = ids["book"] if name == "book_id" else examples.get(name) or fitting(property)
    return made


async def answer(capability: Capability, library: Library, given: dict[str, Any]) -> Any:
    called = capability.call(library, given)
    if capability.declared.shape != "stream":
        return await called
    try:
        return await anext(called)
    finally:
        await called.aclose()


async def refusal(capability: Capability, library: Library, given: dict[str, Any]) -> QuireError:
    try:
        await answer(capability, library, given)
    except QuireError as error:
        return error
    raise AssertionError(f"{capability.tool} was allowed")


async def things(library: Library, role: Role | None) -> dict[str, str]:
    """One of each kind, of the owner's, in notebooks where the guest has this role."""
    notebook = await library.notebooks.create("Shared")
    source = await library.sources.add_text(notebook.id, "Bees", "Bees make honey in the summer.")
    asked = await library.chat.ask(notebook.id, "Who makes honey?")
    book = await library.books.create(f"book-{notebook.id[:8]}", "A book")
    await library.books.write_content(book.book_id, "lessons/one.md", "# One\n")
    if role is not None:
        for notebook_id in (notebook.id, book.notebook_id):
            member = {"notebook_id": notebook_id, "person_id": "guest", "role": int(role)}
            await library.engine.system.write(lambda tx, member=member: tx.run("insert_member", **member))
    scratch = await library.scratch.create()
    return {
        "notebook": notebook.id,
        "note": (await library.notes.create(notebook.id, "a", "b")).id,
        "job": (await library.notes.export(notebook.id)).id,
        "source": source.id,
        "conversation": asked.conversation_id,
        "answer": asked.id,
        "book": book.book_id,
        "scratch": scratch.id,
        "session": scratch.session_id,
        "label": (await library.labels.create(notebook.id, "Bees")).id,
        "artifact": (await library.artifacts.generate(notebook.id, "report", wait=False)).id,
        "collection": (await library.collections.create("Gardens")).id,
    }


@on_one_store
@pytest.mark.parametrize("role", [None, *Role])
async def test_who_has_less_than_is_needed_gets_nothing_from_any_capability(
    library: Library, guest: Library, role: Role | None
) -> None:
    ids = await things(library, role)
    wrong: dict[str, QuireError] = {}
    for tool, capability in ALL.items():
        assert capability.facts.of is not None
        hidden = role is None or capability.facts.of[0] in PERSONAL
        if not hidden and role >= capability.facts.needs:
            continue
        refused = await refusal(capability, guest, arguments(capability, ids))
        if not isinstance(refused, NotFound if hidden else NotAllowed) or "Shared" in str(refused.body()):
            wrong[tool] = refused
    assert wrong == {}
    assert (await library.notes.get(None, ids["note"])).content == "b"
    assert (await library.notebooks.get(ids["notebook"])).title == "Shared"


def test_there_is_a_thing_of_every_kind_that_a_capability_is_about() -> None:
    kinds = {one.facts.of[0] for one in ALL.values() if one.facts.of}
    assert kinds == {"notebook", "note", "job", "source", "label", "artifact", "book", *PERSONAL}
