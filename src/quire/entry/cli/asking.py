"""`quire ask NOTEBOOK QUESTION`: the answer as it is written, with what it rests on."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import click

from quire.api.context import Context
from quire.api.library import Library
from quire.domain.chat import Answer
from quire.entry import logs
from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Teaching, global_options
from quire.entry.cli.naming import notebook_named
from quire.entry.cli.parameters import STDIN, read_text
from quire.entry.settings import load

EXAMPLES = """Examples:
  quire ask 'Who makes honey?'
  quire ask Bees 'How many bees does a hive hold?'
"""


def command() -> click.Command:
    return Teaching(
        "ask",
        help="Ask the sources of a notebook, or of the inbox. The answer cites them, and every citation is checked.",
        short_help="Ask the sources of a notebook.",
        epilog=EXAMPLES,
        callback=_act,
        params=[
            click.Argument(["words"], nargs=-1, metavar="[NOTEBOOK] QUESTION", help="A notebook's id or title."),
            click.Option(["--source", "sources"], multiple=True, metavar="ID", help="Ask only this source."),
            click.Option(["--conversation"], metavar="ID", help="Go on with this conversation."),
            *global_options(),
        ],
    )


def _act(words: tuple[str, ...], sources: tuple[str, ...], conversation: str | None) -> None:
    context = click.get_current_context()
    if len(words) not in (1, 2):
        raise click.UsageError("Give a question, and before it maybe a notebook.", context)
    flags = context.ensure_object(Flags)
    settings = load(flags.settings)
    logs.start(settings)
    question = read_text() if words[-1] == STDIN else words[-1]
    asked: dict[str, Any] = {
        "question": question,
        "source_ids": list(sources) or None,
        "conversation_id": conversation,
    }

    async def main() -> None:
        async with flags.build(settings) as opened:
            library = opened.within(Context(door="cli", local=True))
            notebook = await notebook_named(library, words[0] if len(words) == 2 else None)
            if flags.as_json:
                print_json((await library.chat.ask(notebook, **asked)).model_dump(mode="json"))
            else:
                await _shown(library, notebook, asked)

    asyncio.run(main())


async def _shown(library: Library, notebook: str | None, asked: dict[str, Any]) -> None:
    from quire.entry.answer_views import Growing
    from quire.entry.terminal import console

    with Growing(console()) as growing:
        async with aclosing(library.chat.ask_stream(notebook, **asked)) as events:  # type: ignore[type-var]
            async for event in events:
                growing.show(event)
                if isinstance(event, Answer):
                    return
