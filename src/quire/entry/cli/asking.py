"""`quire ask NOTEBOOK QUESTION`: the answer as it is written, with what it rests on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

import click

from quire.api.context import Context
from quire.api.library import Library
from quire.domain.chat import Answer
from quire.domain.errors import Conflict, InvalidInput, NotFound
from quire.entry import logs
from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.cli.parameters import STDIN, read_text
from quire.entry.naming import (
    conversation_named,
    conversations_of,
    label_named,
    notebook_named,
    notebooks_of,
    source_named,
)
from quire.entry.settings import Settings, load

EXAMPLES = """Examples:
  quire ask Bees 'How many bees does a hive hold?'
  quire ask -c 'And in winter?'
  quire ask 'Who makes honey?'
  quire ask --all 'Who makes honey?'
  quire ask --in Bees --in Wasps 'Who makes honey?'
"""
MENTIONED = 5


class Asked(NamedTuple):
    """Whom a question goes to: a notebook, some of its sources, a conversation with it."""

    notebook_id: str | None
    source_ids: list[str] | None
    conversation_id: str | None
    label_ids: list[str] | None


def command() -> click.Command:
    return Teaching(
        "ask",
        help="Ask the sources of a notebook, or of the inbox. The answer cites them, and every citation is checked. "
        "'quire chat NOTEBOOK' asks one question after the other.",
        short_help="Ask the sources of a notebook.",
        epilog=EXAMPLES,
        callback=_act,
        params=[
            click.Argument(["words"], nargs=-1, metavar="[NOTEBOOK] QUESTION", help="A notebook's title or id."),
            *asking_options(),
            click.Option(["--all", "everywhere"], is_flag=True, help="Ask all notebooks that you may read."),
            click.Option(["--in", "among"], multiple=True, metavar="NOTEBOOK", help="Ask this notebook among others."),
            click.Option(["--more"], is_flag=True, help="Show passages beside the answer too."),
            *global_options(),
        ],
    )


def asking_options() -> list[click.Parameter]:
    return [
        click.Option(["--continue", "-c", "go_on"], is_flag=True, help="Go on with the last conversation."),
        click.Option(["--conversation"], metavar="ID", help="Go on with this conversation."),
        click.Option(["--source", "sources"], multiple=True, metavar="SOURCE", help="Ask only this source."),
        click.Option(["--label", "labels"], multiple=True, metavar="LABEL", help="Ask only what has this label."),
    ]


def _act(words: tuple[str, ...], more: bool, everywhere: bool, among: tuple[str, ...], **given: Any) -> None:
    context = click.get_current_context()
    if not words:
        raise click.UsageError("Say what to ask.", context)
    if len(words) > 2:
        raise InvalidInput("The question is in several pieces.", hint="Put it in quotes: quire ask Bees 'Who are you?'")
    flags = context.ensure_object(Flags)
    settings = load(flags.settings)
    logs.start(settings)
    named = words[0] if len(words) == 2 else None
    if everywhere or among:
        if (everywhere and among) or named is not None or given["sources"] or given["labels"]:
            raise InvalidInput(
                "--all and --in stand for the notebook: neither goes with the other, nor with a notebook, --source "
                "or --label."
            )
        asyncio.run(_ask_across(flags, settings, words[-1], among, given, more=more))
        return

    async def main() -> None:
        async with flags.build(settings) as opened:
            library = opened.within(Context(door="cli", local=True))
            if named is None and words[-1] != STDIN:
                await _refuse_a_lone_notebook(library, words[0])
            asked = await whom(library, named, **given)
            question = read_text() if words[-1] == STDIN else words[-1]
            try:
                await answered(library, asked, question, as_json=flags.as_json, more=more)
            except Conflict as error:
                if asked.notebook_id is None and error.details.get("reason") == "no_sources":
                    await _point_to_notebooks(library, error)
                raise

    asyncio.run(main())


async def _ask_across(
    flags: Flags, settings: Settings, words: str, among: tuple[str, ...], given: dict[str, Any], *, more: bool
) -> None:
    async with flags.build(settings) as opened:
        library = opened.within(Context(door="cli", local=True))
        ids = [await notebook_named(library, name) or "" for name in among] or None
        conversation_id = None
        if given["go_on"] or given["conversation"] is not None:
            inbox = await whom(library, None, **given)
            conversation_id = inbox.conversation_id
        question = read_text() if words == STDIN else words
        arguments = {"question": question, "notebook_ids": ids, "conversation_id": conversation_id}
        await shown(
            library.chat.ask_across, library.chat.ask_across_stream, arguments, as_json=flags.as_json, more=more
        )


async def whom(
    library: Library,
    notebook: str | None,
    *,
    go_on: bool,
    conversation: str | None,
    sources: tuple[str, ...],
    labels: tuple[str, ...],
) -> Asked:
    """What was named on the command line, by ids. A conversation knows its notebook, so that may be left out."""
    if go_on and conversation is not None:
        raise InvalidInput("--continue and --conversation cannot go together.")
    notebook_id = await notebook_named(library, notebook)
    conversation_id = None
    if go_on or conversation is not None:
        if go_on:
            before = await conversations_of(library, notebook_id)
            if not before:
                raise InvalidInput("There is no conversation to go on with.", hint="Ask without --continue first.")
            conversation_id = before[0].id
        else:
            conversation_id = await conversation_named(library, conversation or "", notebook_id)
        if notebook_id is None:
            notebook_id = (await library.chat.get_conversation(conversation_id)).notebook_id
    source_ids = [await source_named(library, source, notebook_id) for source in sources] or None
    label_ids = [await label_named(library, label, notebook_id) for label in labels] or None
    return Asked(notebook_id, source_ids, conversation_id, label_ids)


async def answered(
    library: Library, asked: Asked, question: str, *, as_json: bool, talking: bool = False, more: bool = False
) -> Answer:
    """Asks, and prints the answer: as it grows, or as JSON."""
    arguments: dict[str, Any] = {"question": question, **asked._asdict()}
    chat = library.chat
    return await shown(chat.ask, chat.ask_stream, arguments, as_json=as_json, talking=talking, more=more)


async def shown(
    ask: Callable[..., Awaitable[Answer]],
    ask_stream: Callable[..., AsyncIterator[Any]],
    arguments: dict[str, Any],
    *,
    as_json: bool,
    talking: bool = False,
    more: bool = False,
) -> Answer:
    if as_json:
        answer = await ask(**arguments)
        print_json(answer.model_dump(mode="json"))
        return answer
    from quire.entry.answer_views import Growing, show_answer
    from quire.entry.terminal import console

    out = console()
    with Growing(out) as growing:
        async with aclosing(ask_stream(**arguments)) as events:  # type: ignore[type-var]
            answer = await growing.until_whole(events)
    show_answer(out, answer, go_on=not talking, more=more)
    return answer


async def _refuse_a_lone_notebook(library: Library, word: str) -> None:
    """A single word that is the name of a notebook is no question."""
    try:
        id = await notebook_named(library, word)
        notebook = await library.notebooks.get(id or "")
    except (NotFound, InvalidInput):
        return
    raise InvalidInput(
        f"'{notebook.title}' is a notebook, and the question is missing.",
        hint=f"quire ask '{notebook.title}' 'YOUR QUESTION', or quire chat '{notebook.title}'.",
    )


async def _point_to_notebooks(library: Library, error: Conflict) -> None:
    others = [one.title for one in await notebooks_of(library) if one.source_count]
    error.message = "The inbox has no sources."
    if others:
        named = ", ".join(f"'{title}'" for title in others[:MENTIONED])
        error.hint = f"Say which notebook to ask, before the question. There are: {named}."
    else:
        error.hint = "Add a source first: quire source add FILE"
