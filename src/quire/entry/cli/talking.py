"""`quire chat NOTEBOOK`: one question after the other, each following from those before it."""

from __future__ import annotations

import asyncio
import difflib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from quire.api.capability import Capability
from quire.api.context import Context
from quire.api.library import Library
from quire.domain.chat import Answer
from quire.domain.errors import InvalidInput, NotFound, QuireError
from quire.domain.notebooks import Notebook
from quire.entry import logs
from quire.entry.cli.asking import Asked, answered, asking_options, whom
from quire.entry.cli.calls import failed
from quire.entry.cli.commands import Flags, NounCommands, Teaching, global_options
from quire.entry.naming import notebooks_of
from quire.entry.settings import load

PROMPT = "> "
HISTORY = "chat_history"
REMEMBERED = 1_000
EXAMPLES = """Examples:
  quire chat Bees
  quire chat Bees --continue
  printf 'Who makes honey?\\nFrom what?\\n' | quire chat Bees
"""
COMMANDS = {
    "/new": "begin a new conversation",
    "/save": "keep the last answer as a note",
    "/sources": "list what is asked",
    "/help": "show this",
    "/quit": "leave (or Ctrl-D)",
}


class ChatCommands(NounCommands):
    """The commands about conversations; any other word is a notebook to talk with."""

    def __init__(self, noun: str, capabilities: Sequence[Capability], by_hand: Sequence[click.Command] = ()) -> None:
        super().__init__(noun, capabilities, by_hand)
        self.help = f"{self.help} 'quire chat NOTEBOOK' talks with one."
        self.short_help = "Talk with a notebook, and see what was said before."

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            return "talk", self.commands["talk"], args
        return super().resolve_command(ctx, args)


def command() -> click.Command:
    return Teaching(
        "talk",
        help="Talk with a notebook: ask, read the answer, ask on. 'quire chat NOTEBOOK' is the same. Questions come "
        "from the keyboard, or a line each from standard input.",
        short_help="Talk with a notebook; so does 'quire chat NOTEBOOK'.",
        epilog=EXAMPLES,
        callback=_act,
        params=[
            click.Argument(["notebook"], required=False, metavar="[NOTEBOOK]", help="A notebook's title or id."),
            *asking_options(),
            *global_options(),
        ],
    )


def _act(notebook: str | None, **given: Any) -> None:
    context = click.get_current_context()
    flags = context.ensure_object(Flags)
    settings = load(flags.settings)
    logs.start(settings)
    with asyncio.Runner() as runner:
        opened = flags.build(settings)
        try:
            library = opened.within(Context(door="cli", local=True))
            try:
                asked = runner.run(whom(library, notebook, **given))
            except NotFound as error:
                _add_commands_like(error, context, notebook)
                raise
            talk = Talk(runner, library, asked, settings.home / HISTORY, as_json=flags.as_json)
            talk.greet()
            talk.go_on()
        finally:
            runner.run(opened.close())
    context.exit(talk.exit_code)


def _add_commands_like(error: NotFound, context: click.Context, notebook: str | None) -> None:
    """What is no notebook may have been meant for a command beside this one."""
    group = context.parent.command if context.parent else None
    if isinstance(group, NounCommands) and context.parent and notebook and error.details["noun"] == "notebook":
        near = difflib.get_close_matches(notebook, group.list_commands(context.parent), 1)
        if near:
            error.hint = f"Did you mean 'quire chat {near[0]}'? {error.hint or ''}".strip()


class Talk:
    """A conversation at the keyboard. The event loop runs while an answer is made, and not while someone types."""

    def __init__(self, runner: asyncio.Runner, library: Library, asked: Asked, history: Path, *, as_json: bool) -> None:
        self._runner = runner
        self._library = library
        self._asked = asked
        self._history = history
        self._as_json = as_json
        self._last: Answer | None = None
        self._typed = sys.stdin.isatty()
        self.exit_code = 0

    def greet(self) -> None:
        """Fails where there is no such notebook; says what one is talking with where someone sits there."""
        notebook = self._runner.run(self._notebook())
        if self._typed and not self._as_json:
            count = f"{notebook.source_count} source{'' if notebook.source_count == 1 else 's'}"
            _say(f"{notebook.title}, {count}. Ask away; /help tells more, /quit leaves.")

    def go_on(self) -> None:
        with self._remembering() if self._typed else _as_they_come() as lines:
            for line in lines:
                line = line.strip()
                if line in ("/quit", "/exit", "/q") or (self._typed and line in ("quit", "exit")):
                    return
                if not line:
                    continue
                try:
                    self._do(line)
                except KeyboardInterrupt:
                    if not self._typed:
                        raise
                    _say("Stopped.")
                except QuireError as error:
                    code = failed(error, self._as_json)
                    if not self._typed:
                        self.exit_code = self.exit_code or code

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if not line.startswith("/"):
            if not self._typed and not self._as_json:
                # Nobody has seen it yet.
                from quire.entry.terminal import clean

                click.echo(clean(PROMPT + line))
            self._last = self._runner.run(
                answered(self._library, self._asked, line, as_json=self._as_json, talking=True)
            )
            self._asked = self._asked._replace(conversation_id=self._last.conversation_id)
            if not self._as_json:
                click.echo()
        elif word == "/new":
            self._asked, self._last = self._asked._replace(conversation_id=None), None
            _say("A new conversation.")
        elif word == "/save":
            self._runner.run(self._save(rest.strip() or None))
        elif word == "/sources":
            self._runner.run(self._sources())
        elif word == "/help":
            for name, about in COMMANDS.items():
                _say(f"  {name:10}{about}")
        else:
            near = difflib.get_close_matches(word, COMMANDS, 1)
            raise InvalidInput(f"There is no {word} here.", hint=f"Did you mean {near[0]}?" if near else "See /help.")

    async def _notebook(self) -> Notebook:
        """The one that is talked with; where none was named, the inbox."""
        if self._asked.notebook_id is not None:
            return await self._library.notebooks.get(self._asked.notebook_id)
        return next(one for one in await notebooks_of(self._library) if one.inbox)

    async def _save(self, title: str | None) -> None:
        if self._last is None:
            raise InvalidInput("There is no answer to keep yet.")
        note = await self._library.chat.save_answer_as_note(self._asked.notebook_id, self._last.id, title)
        _say(f"Kept as the note {note.short_id}, '{note.title}'.")

    async def _sources(self) -> None:
        from quire.entry import render

        render.show(await self._library.sources.list(self._asked.notebook_id), noun="source")

    @contextmanager
    def _remembering(self) -> Iterator[Iterator[str]]:
        """Lines from the keyboard, with those of earlier talks to go back to; nobody else can read them."""
        try:
            import readline
        except ImportError:
            yield _typed()
            return
        with suppress(OSError):
            readline.read_history_file(self._history)
        readline.set_history_length(REMEMBERED)
        try:
            yield _typed()
        finally:
            with suppress(OSError):
                self._history.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                os.close(os.open(self._history, os.O_WRONLY | os.O_CREAT, 0o600))
                readline.write_history_file(self._history)
                self._history.chmod(0o600)


def _typed() -> Iterator[str]:
    while True:
        try:
            if sys.stdout.isatty():
                yield input(PROMPT)
            else:
                click.echo(PROMPT, err=True, nl=False)
                yield input()
        except EOFError:
            click.echo(err=True)
            return
        except KeyboardInterrupt:
            click.echo(err=True)


@contextmanager
def _as_they_come() -> Iterator[Iterator[str]]:
    """A question a line; UTF-8 whatever the locale says."""

    def lines() -> Iterator[str]:
        for line in sys.stdin.buffer:
            try:
                yield line.decode()
            except UnicodeDecodeError:
                raise InvalidInput("Standard input is not UTF-8 text.") from None

    yield lines()


def _say(text: str) -> None:
    """What is not an answer goes to stderr."""
    from quire.entry.terminal import clean

    click.echo(clean(text), err=True)
