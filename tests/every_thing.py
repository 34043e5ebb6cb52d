"""One thing of every kind that a capability is about, and arguments for every call, read off the declarations."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from quire.api.capability import Capability, Declared
from quire.api.library import Library
from quire.domain.files import Upload
from quire.domain.sharing import Role

# Arguments that have a form of their own, and that no call needs.
LEFT_OUT = ("notebook_id", "cursor", "wait", "file_size", "into", "heading", "give_to", "export_to")


def all_declared() -> dict[str, Capability]:
    """Every capability by its tool, those that have no tool included."""
    return {
        one.facts.tool: Capability(name, one.name, noun.noun, one.facts.toolset or noun.toolset, one)
        for name, noun in Library.nouns.items()
        for one in (getattr(method, "declared", None) for method in vars(noun).values())
        if isinstance(one, Declared)
    }


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
    kind, subject = capability.facts.of or ("", "")
    schema, examples = capability.input_schema, capability.declared.examples
    made: dict[str, Any] = {}
    for name, property in schema["properties"].items():
        if name == subject:
            made[name] = ids[kind]
        elif capability.declared.hints[name] is Upload:
            made[name] = Upload.of("# a lesson\n", "one.md")
        elif name in schema.get("required", []) or not (name in LEFT_OUT or "pattern" in property):
            known = {"book_id": ids["book"], "session_id": ids["session"]}
            made[name] = known.get(name) or examples.get(name) or fitting(property)
    return made


async def answer(capability: Capability, library: Library, given: dict[str, Any]) -> Any:
    """What a call gives; of a stream, what comes first."""
    called = capability.call(library, given)
    if capability.declared.shape != "stream":
        return await called
    async with aclosing(called) as events:
        return await anext(events)


async def things(maker: Library, role: Role | None, guest_id: str = "guest") -> dict[str, str]:
    """One of each kind, of the maker's, in a notebook and a book where the guest has this role."""
    notebook = await maker.notebooks.create("Shared")
    source = await maker.sources.add_text(notebook.id, "Bees", "Bees make honey in the summer.")
    asked = await maker.chat.ask(notebook.id, "Who makes honey?")
    book = await maker.books.create(f"book-{notebook.id[:8]}", "A book")
    await maker.books.write_content(book.book_id, "lessons/one.md", "# One\n")
    for notebook_id in (notebook.id, book.notebook_id):
        if role is not None:
            await let_in(maker, notebook_id, role, guest_id)
    return await own_things(maker) | {
        "notebook": notebook.id,
        "link": notebook.id,
        "note": (await maker.notes.create(notebook.id, "a", "b")).id,
        "job": (await maker.notes.export(notebook.id)).id,
        "source": source.id,
        "conversation": asked.conversation_id,
        "answer": asked.id,
        "book": book.book_id,
        "label": (await maker.labels.create(notebook.id, "Bees")).id,
        "research": await research_run(maker, notebook.id),
        "artifact": (await maker.artifacts.generate(notebook.id, "report", wait=False)).id,
    }


async def research_run(maker: Library, notebook_id: str) -> str:
    """A run that nobody works on: to begin one needs somebody who can be asked."""
    id = str(uuid.uuid4())
    facts = {"id": id, "notebook_id": notebook_id, "job_id": None, "session_id": None, "query": "bees"}
    facts |= {"source": "web", "mode": "fast", "budget": '{"pages": 1, "seconds": 1, "rounds": 1}', "at": 0}
    await maker.engine.system.write(lambda tx: tx.run("insert_research", **facts))
    return id


async def own_things(maker: Library) -> dict[str, str]:
    """What is one person's alone and in no notebook."""
    scratch = await maker.scratch.create()
    return {
        "server": "",
        "scratch": scratch.id,
        "session": scratch.session_id,
        "collection": (await maker.collections.create("Gardens")).id,
        "transformation": (await maker.transformations.create(f"Plain {scratch.id}", "Say it plainly.")).id,
        "person": maker.context.actor.id,
        "token": (await maker.people.create_token()).id,
    }


async def let_in(maker: Library, notebook_id: str, role: Role, guest_id: str) -> None:
    member = {"notebook_id": notebook_id, "person_id": guest_id, "role": int(role), "by_link": 0, "message": ""}
    await maker.engine.system.write(lambda tx: tx.run("set_member", **member))


async def each(capabilities: dict[str, Capability]) -> AsyncIterator[Capability]:
    """Those that read first, and those that destroy last."""
    for effect in ("read", "write", "destroy"):
        for capability in capabilities.values():
            if capability.facts.effect == effect:
                yield capability
