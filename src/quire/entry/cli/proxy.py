"""`quire proxy`: existing NotebookLM tools, pointed at Quire."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shlex
from pathlib import Path
from typing import Any

import click

from quire.domain.errors import InvalidInput, Unsupported
from quire.domain.sharing import TOKEN_BEGINS, hash_of
from quire.entry import logs
from quire.entry.cli.calls import print_json
from quire.entry.cli.commands import Flags, Group, Teaching, global_options
from quire.entry.cli.parameters import STDIN, read_text
from quire.entry.settings import Settings, load

FOLDER = "notebooklm"
PORT = 8766
ABOUT = """Let existing NotebookLM tools work on Quire, unchanged.

Runs beside 'quire serve' and stands in for Google's hosts, for those programs only that are told so:

\b
  quire serve &
  quire proxy &
  eval "$(quire proxy env)"
  notebooklm list"""


def command() -> click.Command:
    port = click.Option(["--port"], type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Its port.")
    env = Teaching(
        "env",
        help="Print the variables that point NotebookLM tools here, and write their sign-in files in the home.",
        short_help="Print the variables that point NotebookLM tools here.",
        callback=_env,
        params=[
            click.Option(["--port"], type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Its port."),
            click.Option(
                ["--token"], help="Sign in as whoever has this token, and not as the owner; '-' is read from stdin."
            ),
            *global_options(),
        ],
    )
    return Group(
        "proxy",
        help=ABOUT,
        short_help="Let existing NotebookLM tools work on Quire.",
        callback=_proxy,
        invoke_without_command=True,
        params=[
            port,
            click.Option(["--upstream"], help="Where 'quire serve' is. Default: http://127.0.0.1 and its port."),
            *global_options(),
        ],
        commands={"env": env},
    )


def _proxy(port: int, upstream: str | None) -> None:
    context = click.get_current_context()
    if context.invoked_subcommand:
        return
    settings = _settings(context)
    logs.start(settings)
    from quire.entry.bootstrap import make_signer
    from quire.notebooklm.sessions import proxy_key
    from quire.notebooklm.tls_proxy import TlsProxy, run

    address = upstream or f"http://127.0.0.1:{settings.port or 8765}"
    proxy = TlsProxy(settings.home / FOLDER / "tls", address, proxy_key(make_signer(settings)))

    def started(port: int) -> None:
        click.echo(f"Quire stands in for NotebookLM at http://127.0.0.1:{port}", err=True)

    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(run(proxy, port, started))


def _env(port: int, token: str | None) -> None:
    context = click.get_current_context()
    settings = _settings(context)
    from quire.entry.bootstrap import make_signer
    from quire.notebooklm.certificates import certificates
    from quire.notebooklm.sessions import Sessions

    folder = settings.home / FOLDER
    authority = certificates(folder / "tls").authority
    if token is None:
        session = Sessions(make_signer(settings)).open()
    else:
        # A token stands in the place of a session, and each has files of its own.
        session = token.strip() if token != STDIN else read_text().strip()
        if not session.startswith(TOKEN_BEGINS):
            raise InvalidInput("That is no token of a person.", hint="quire person token PERSON makes one.")
        folder = folder / "people" / hash_of(session.encode())[:12]
    variables = {
        "HTTPS_PROXY": f"http://127.0.0.1:{port}",
        "https_proxy": f"http://127.0.0.1:{port}",
        "NO_PROXY": "",
        "no_proxy": "",
        "SSL_CERT_FILE": str(authority),
        **sign_in_files(folder, session),
    }
    if context.ensure_object(Flags).as_json:
        print_json(variables)
    else:
        for name, value in variables.items():
            click.echo(f"export {name}={shlex.quote(value)}")


def sign_in_files(folder: Path, session: str) -> dict[str, str]:
    """Writes what each client reads its session from; the variables that name the places."""
    from quire.notebooklm.sessions import cookie_values, storage_state

    first, second = folder / "notebooklm-py", folder / "nlm"
    keep(first / "profiles/default/storage_state.json", storage_state(session))
    keep(second / "profiles/default/cookies.json", cookie_values(session))
    keep(
        second / "profiles/default/metadata.json", {"email": "owner@quire.invalid", "csrf_token": "", "session_id": ""}
    )
    return {"NOTEBOOKLM_HOME": str(first), "NOTEBOOKLM_MCP_CLI_PATH": str(second)}


def keep(path: Path, data: Any) -> None:
    """A file that nobody else may read, in place all at once."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(data, file)
    temporary.replace(path)


def _settings(context: click.Context) -> Settings:
    settings = load(context.ensure_object(Flags).settings)
    if settings.store == "memory":
        raise Unsupported("A store in memory ends with its server, and so do its sessions.", hint="Use a home.")
    return settings
