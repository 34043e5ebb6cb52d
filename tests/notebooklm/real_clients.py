"""The two real clients from PyPI, in environments of their own, as processes that come in through the TLS proxy."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.domain.files import Upload
from quire.entry.cli.proxy import sign_in_files
from through_proxy import Proxied

HERE = Path(__file__).parent
TOOLS = HERE.parents[1] / ".tools"
PROGRAMS = {"notebooklm-py": "notebooklm", "nlm": "nlm"}
SECONDS = 900
DRIVE = "medlars.txt"
NONE = "00000000-0000-4000-8000-000000000000"
APPLES = """# Apples

The apple tree was first domesticated in Central Asia, where its wild ancestor, Malus sieversii, is still found.
A standard apple tree reaches a height of two to four and a half metres. Apples ripen in late summer or autumn.

## Storage

Apples can be kept for some months at cold temperatures. Ethylene ripens them faster.
"""
PEARS = "The pear is a fruit. Pears ripen off the tree. A pear tree can live for a hundred years."
ARTIFACTS = ("report", "quiz", "flashcards", "mind_map", "data_table", "slide_deck", "infographic", "audio", "video")
# A video of a few sentences is enough to fetch.
FORMS = {"video": "short"}
MISSING = not all((TOOLS / name / "bin/python").exists() for name in PROGRAMS)


def environment(folder: Path, port: int, authority: Path, session: str) -> dict[str, str]:
    """What `quire proxy env` tells a shell."""
    proxy = f"http://127.0.0.1:{port}"
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "HTTPS_PROXY": proxy,
        "https_proxy": proxy,
        "NO_PROXY": "",
        "SSL_CERT_FILE": str(authority),
        "COLUMNS": "250",
        "PYTHONWARNINGS": "ignore",
        **sign_in_files(folder / "profiles", session),
    }


def ran(variables: dict[str, str], folder: Path, client: str, script: str, *arguments: str) -> Any:
    """What a script of ours prints as JSON from inside a client's environment."""
    done = started(variables, folder, client, "python", "-W", "ignore", str(HERE / "programs" / script), *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def started(
    variables: dict[str, str], folder: Path, client: str, program: str, *command: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(TOOLS / client / "bin" / program), *command],
        env=variables,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
        cwd=folder,
    )


@dataclass
class Clients:
    place: Proxied
    page: str
    folder: Path

    def environment(self) -> dict[str, str]:
        return environment(self.folder, self.place.port, self.place.authority, self.place.sessions.open())

    def run(self, client: str, *command: str) -> subprocess.CompletedProcess[str]:
        return started(self.environment(), self.folder, client, PROGRAMS[client], *command)

    def printed(self, client: str, script: str, *arguments: str) -> Any:
        return ran(self.environment(), self.folder, client, script, *arguments)

    def prepared(self, artifacts: Collection[str] = ()) -> dict[str, str]:
        """A notebook with sources that are read, one of them under a label, a note, and a question that was asked; a
        second one, and a collection with the first. Of `artifacts` one each, and one that has `failed`."""
        library = self.place.server.library

        async def make() -> dict[str, str]:
            await library.settings.set_output_language("")
            notebook = (await library.notebooks.create("Orchard")).id
            pasted = await library.sources.add_text(notebook, "Pears", PEARS)
            file = await library.sources.add_file(notebook, Upload.of(APPLES, "apples.md"), title="Apples")
            note = await library.notes.create(notebook, "Reminder", "Remember the pears")
            talk = (await library.chat.ask(notebook, "Where do apples come from?")).conversation_id
            label = (await library.labels.create(notebook, "Fruit", "🍐")).id
            await library.labels.add_sources(notebook, label, [pasted.id])
            other = (await library.notebooks.create("Other")).id
            collection = (await library.collections.create("Plants")).id
            if library.engine.parts.finders.names("web") == ("searxng",):
                await library.research.start(notebook, "plums", wait=True)
            await library.collections.add_notebooks(collection, [notebook])
            await library.sharing.add_user(notebook, "ann@example.com")
            made = {
                kind: (
                    await library.artifacts.generate(
                        notebook, kind, "apples", format=FORMS.get(kind), title=f"My {kind}"
                    )
                ).id
                for kind in ARTIFACTS
                if kind in artifacts
            }
            if "failed" in artifacts:
                begun = await library.artifacts.generate(notebook, "report", wait=False)
                await library.jobs.cancel(begun.job_id)
                await library.artifacts.wait_for_completion(notebook, begun.id)
                made["failed"] = begun.id
            return made | {
                "nb": notebook,
                "other": other,
                "label": label,
                "collection": collection,
                "source": file.id,
                "pasted": pasted.id,
                "note": note.id,
                "talk": talk,
            }

        names: dict[str, str] = self.place.server.run(make(), SECONDS)
        plan = self.written("plan.json", json.dumps([{"element_id": NONE}]))
        files = {"file": self.file(), "plan": plan, "out": self.folder / "out.md"}
        return (
            names
            | {"page": self.page, "none": NONE, "drive": DRIVE}
            | {name: str(path) for name, path in files.items()}
        )

    def file(self) -> Path:
        return self.written("apples.md", APPLES)

    def written(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file
