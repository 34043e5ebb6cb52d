"""A notebook with something of everything, to be moved, and a library whose process dies at a chosen moment."""

from __future__ import annotations

from typing import Any

from quire.api.library import Library
from quire.domain.files import Upload

BEES = "A honey bee visits about 100 flowers on a flight. It flies up to five kilometres from its hive."
WAX = "Beeswax melts at 62 to 64 degrees. Worker bees make it in eight glands."


class Killed(BaseException):
    """The process is gone."""


class Mortal:
    """A library that goes on for so many of its calls and dies before, or right after, the next one."""

    def __init__(self, library: Library, calls: int | None = None, *, after: bool = False) -> None:
        self._library = library
        self._left = calls
        self._after = after
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._library, name)
        return found if name in ("engine", "context") else _Noun(self, found)

    def _spent(self) -> bool:
        self.calls += 1
        return self._left is not None and self.calls > self._left


class _Noun:
    def __init__(self, mortal: Mortal, noun: Any) -> None:
        self._mortal = mortal
        self._noun = noun

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._noun, name)
        if name in ("done_by", "engine", "context"):
            return method

        async def counted(*arguments: Any, **named: Any) -> Any:
            dies = self._mortal._spent()
            if dies and not self._mortal._after:
                raise Killed
            result = await method(*arguments, **named)
            if dies:
                raise Killed
            return result

        return counted


async def filled(library: Library, *, artifacts: bool = False) -> str:
    """The id of a notebook that has something of everything."""
    notebook = (await library.notebooks.create("Bees")).id
    await library.notebooks.set_emoji(notebook, "🐝")
    flights = await library.sources.add_text(notebook, "Flights", BEES)
    wax = await library.sources.add_file(notebook, Upload.of(WAX, "wax.txt"), title="Wax")
    await library.labels.create(notebook, "Empty")
    label = await library.labels.create(notebook, "Flying", "✈️")
    await library.labels.add_sources(notebook, label.id, [flights.id, wax.id])
    await library.notes.create(notebook, "First", "one")
    await library.notes.create(notebook, "Second", "two")
    await library.notes.create(notebook, "First", "a namesake")
    await library.chat.configure(notebook, goal="custom", instructions="Be short.", length="shorter")
    answer = await library.chat.ask(notebook, "How many flowers does a honey bee visit on a flight?")
    await library.chat.ask(notebook, "How far does it fly from its hive?", conversation_id=answer.conversation_id)
    if artifacts:
        await library.artifacts.generate(notebook, "report", title="A report")
    return notebook


async def told(library: Library, notebook_id: str) -> dict[str, Any]:
    """What a notebook holds, without ids and times."""
    notebook = await library.notebooks.get(notebook_id)
    sources = (await library.sources.list(notebook_id, limit=1_000)).items
    titles = {one.id: one.title for one in sources}
    texts = {}
    for one in sources:
        texts[one.title] = (await library.sources.get_fulltext(notebook_id, one.id)).text.strip()
    talks = []
    for one in await library.chat.list_conversations(notebook_id):
        turns = (await library.chat.get_history(one.id)).items
        talks.append(
            [
                (
                    turn.answer.question,
                    turn.answer.text,
                    [titles.get(cited.source_id) for cited in turn.answer.citations],
                )
                for turn in turns
            ]
        )
    return {
        "notebook": (notebook.title, notebook.emoji),
        "sources": [(one.title, texts[one.title]) for one in sources],
        "labels": sorted(
            (one.name, one.emoji, sorted(titles[id] for id in one.source_ids))
            for one in await library.labels.list(notebook_id)
        ),
        "notes": [(one.title, one.content) for one in await library.notes.list(notebook_id)],
        "chat": (await library.chat.get_configuration(notebook_id)).model_dump(),
        "conversations": talks,
    }
