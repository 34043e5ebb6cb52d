"""Artifacts at Google: asked for, followed, fetched."""

from __future__ import annotations

import builtins
import re
from urllib.parse import quote

from quire.domain.artifacts import (
    UNLINKED,
    Artifact,
    ArtifactContent,
    ArtifactKind,
    ArtifactLink,
    OfferedKind,
    SuggestedReport,
)
from quire.domain.errors import Conflict, InvalidInput, NotFound, NotReady, Unsupported, Upstream, WireDrift
from quire.domain.files import Download
from quire.domain.pages import Page, page_of_all
from quire.notebooklm.codes import Access
from quire.notebooklm.engine.artifact_files import ArtifactTexts, exported_address, exported_as
from quire.notebooklm.engine.artifact_requests import WITHOUT_LANGUAGE, Wish, asked
from quire.notebooklm.engine.artifact_rows import addresses, artifact_of, kind_of
from quire.notebooklm.engine.caller import Caller
from quire.notebooklm.engine.downloads import Downloads
from quire.notebooklm.engine.notebooks import GoogleNotebooks
from quire.notebooklm.engine.polling import Polling
from quire.notebooklm.engine.probing import Since
from quire.notebooklm.engine.scope import GoogleScope, Whereabouts
from quire.notebooklm.engine.settings import GoogleSettings
from quire.notebooklm.engine.sources import GoogleSources
from quire.notebooklm.methods import artifacts as wire
from quire.notebooklm.methods import sharing
from quire.notebooklm.methods.studio import Artifact as Row

NOT_IN_A_FILE_NAME = re.compile(r"[^\w .,()&+-]+")
LONGEST_FILE_NAME = 80
LONGEST_WAIT = 24 * 3600.0
MAKING = "NotebookLM makes the artifact"


class GoogleArtifacts:
    def __init__(
        self,
        caller: Caller,
        whereabouts: Whereabouts,
        notebooks: GoogleNotebooks,
        sources: GoogleSources,
        settings: GoogleSettings,
        downloads: Downloads,
        polling: Polling,
        since: Since,
        home: str,
    ) -> None:
        """`home` is the address of NotebookLM's page."""
        self._caller = caller
        self._whereabouts = whereabouts
        self._notebooks = notebooks
        self._sources = sources
        self._settings = settings
        self._downloads = downloads
        self._texts = ArtifactTexts(caller)
        self._polling = polling
        self._since = since
        self._home = home

    async def list(
        self, scope: GoogleScope, kind: ArtifactKind | None, limit: int, cursor: str | None
    ) -> Page[Artifact]:
        notebook_id = await scope.notebook_id()
        found = [told for row in await self._rows(notebook_id) if (told := self._told(row, notebook_id)) is not None]
        shown = [one for one in found if kind is None or one.kind == kind]
        shown.sort(key=lambda one: one.created_at, reverse=True)
        return page_of_all(shown, limit, cursor, lambda one: one)

    async def get(self, scope: GoogleScope, artifact_id: str) -> Artifact:
        return await self._one(await scope.notebook_id(), artifact_id)

    async def generate(
        self,
        scope: GoogleScope,
        kind: ArtifactKind,
        instructions: str | None,
        format: str | None,
        length: str | None,
        quantity: str | None,
        difficulty: str | None,
        orientation: str | None,
        detail: str | None,
        style: str | None,
        language: str | None,
        source_ids: builtins.list[str] | None,
        label_ids: builtins.list[str] | None,
        title: str | None,
        draft: bool,
        wait: bool,
    ) -> Artifact:
        if draft:
            raise Unsupported("NotebookLM makes an artifact at once; there is no draft to edit.")
        options = {
            "format": format,
            "length": length,
            "quantity": quantity,
            "difficulty": difficulty,
            "orientation": orientation,
            "detail": detail,
            "style": style,
        }
        notebook_id = await scope.notebook_id()
        if language is None and kind not in WITHOUT_LANGUAGE:
            language = await self._settings.language()
        chosen = {name: value for name, value in options.items() if value is not None}
        sources = await self._made_of(notebook_id, source_ids, label_ids)
        wanted = asked(Wish(kind, sources, (instructions or "").strip(), language, chosen))
        row = await self._asked_for(notebook_id, kind, wanted)
        return await self._begun(scope, notebook_id, row, wait, " ".join((title or "").split()))

    async def wait_for_completion(self, scope: GoogleScope, artifact_id: str, seconds: float) -> Artifact:
        notebook_id = await scope.notebook_id()
        return await self._awaited(scope, await self._one(notebook_id, artifact_id), seconds)

    async def download(self, scope: GoogleScope, artifact_id: str, format: str | None) -> Download:
        notebook_id = await scope.notebook_id()
        row, artifact = await self._ready(notebook_id, artifact_id)
        ending = (format or artifact.formats[0]).lower().removeprefix(".")
        if ending not in artifact.formats:
            raise InvalidInput(f"format: it comes as {', '.join(artifact.formats)}.", field="format")
        name = f"{file_name(artifact)}.{ending}"
        url = addresses(row).get(ending)
        if ending in ("docx", "xlsx"):
            made = await self._caller.call("EXPORT_ARTIFACT", **exported_as(artifact, ending))
            url = exported_address(made, ending)
        local = scope.context.local
        if url is not None:
            return await self._downloads.fetched(url, name, local=local)
        return await self._downloads.written(await self._texts.text(row, artifact, ending), name, local=local)

    async def get_content(self, scope: GoogleScope, artifact_id: str) -> ArtifactContent:
        row, artifact = await self._ready(await scope.notebook_id(), artifact_id)
        content = await self._texts.content(row, artifact)
        return ArtifactContent(artifact_id=artifact.id, kind=artifact.kind, content=content)

    async def revise_slide(
        self, scope: GoogleScope, artifact_id: str, slide_index: int, prompt: str, wait: bool
    ) -> Artifact:
        notebook_id = await scope.notebook_id()
        deck = await self._one(notebook_id, artifact_id)
        if deck.kind != "slide_deck":
            raise InvalidInput("Only the slides of a deck can be made anew.")
        row = await self._caller.call(
            "REVISE_SLIDE",
            about=("artifact", artifact_id),
            notebook_id=notebook_id,
            artifact_id=artifact_id,
            slide=slide_index,
            prompt=prompt,
        )
        return await self._begun(scope, notebook_id, row or await self._row(notebook_id, artifact_id), wait)

    async def rename(self, scope: GoogleScope, artifact_id: str, title: str) -> Artifact:
        return await self._renamed(await scope.notebook_id(), artifact_id, title)

    async def retry_failed(self, scope: GoogleScope, artifact_id: str, wait: bool) -> Artifact:
        notebook_id = await scope.notebook_id()
        if (await self._one(notebook_id, artifact_id)).state != "failed":
            raise Conflict("Only an artifact that has failed can be made again.")
        row = await self._caller.call(
            "RETRY_ARTIFACT", about=("artifact", artifact_id), notebook_id=notebook_id, artifact_id=artifact_id
        )
        return await self._begun(scope, notebook_id, row or await self._row(notebook_id, artifact_id), wait)

    async def copy(self, scope: GoogleScope, artifact_id: str) -> Artifact:
        notebook_id = await scope.notebook_id()
        copies: tuple[wire.CopiedArtifact, ...] = await self._caller.call(
            "COPY_ARTIFACTS", about=("artifact", artifact_id), notebook_id=notebook_id, artifact_ids=[artifact_id]
        )
        told = next((self._told(one.artifact, notebook_id) for one in copies), None)
        if told is None:
            raise NotFound("artifact", artifact_id)
        return told

    async def share(self, scope: GoogleScope, artifact_id: str, format: str | None, days: int) -> ArtifactLink:
        """A link that opens for whoever may open the notebook: it is given only where that is everybody already."""
        notebook_id = await scope.notebook_id()
        _, artifact = await self._ready(notebook_id, artifact_id)
        if artifact.kind in UNLINKED:
            raise Unsupported("Mind maps cannot be shared by a link.", hint="download_artifact gets a file to send.")
        status: sharing.ShareStatus = await self._caller.call(
            "GET_SHARE_STATUS", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        if not status.public:
            hint = "set_notebook_public opens the whole notebook to whoever has its link."
            raise Conflict("NotebookLM shares an artifact only with its notebook, which is not public.", hint=hint)
        await self._caller.call(
            "SHARE_ARTIFACT",
            about=("artifact", artifact_id),
            notebook_id=notebook_id,
            artifact_id=artifact_id,
            public=Access.LINK,
        )
        url = f"{self._home}notebook/{quote(notebook_id, safe='')}?artifactId={quote(artifact_id, safe='')}"
        return ArtifactLink(artifact_id=artifact_id, format=format or artifact.formats[0], url=url)

    async def delete(self, scope: GoogleScope, artifact_id: str) -> Artifact:
        notebook_id = await scope.notebook_id()
        artifact = await self._one(notebook_id, artifact_id)
        await self._caller.call(
            "DELETE_ARTIFACT", about=("artifact", artifact_id), notebook_id=notebook_id, artifact_id=artifact_id
        )
        self._whereabouts.forget("artifact", artifact_id)
        return artifact

    async def suggest_reports(self, scope: GoogleScope) -> Page[SuggestedReport]:
        notebook_id = await scope.notebook_id()
        ideas: tuple[wire.ReportIdea, ...] = await self._caller.call(
            "GET_SUGGESTED_REPORTS", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        items = [
            SuggestedReport(title=one.title, description=one.description or "", prompt=one.prompt or one.title)
            for one in ideas
        ]
        return Page(items=items, total=len(items))

    async def kinds(self, scope: GoogleScope) -> builtins.list[OfferedKind]:
        """All kinds; of sound, video and slides what the account may choose from."""
        choices: wire.Choices = await self._caller.call("GET_CUSTOMIZATION_CHOICES")
        told = {"audio": choices.audio, "video": choices.video, "slide_deck": choices.slides}
        every: tuple[ArtifactKind, ...] = (
            "report",
            "quiz",
            "flashcards",
            "mind_map",
            "data_table",
            "slide_deck",
            "infographic",
            "audio",
            "video",
        )
        return [OfferedKind(kind=kind) for kind in every if told.get(kind, True)]

    async def _made_of(
        self, notebook_id: str, source_ids: builtins.list[str] | None, label_ids: builtins.list[str] | None
    ) -> builtins.list[str]:
        """The sources it is made of, which the wire names one by one."""
        there = [source.id for source in (await self._notebooks.row(notebook_id)).sources]
        chosen = await self._sources.chosen(notebook_id, source_ids, label_ids)
        for id in chosen or ():
            if id not in there:
                raise NotFound("source", id)
        if not (there if chosen is None else chosen):
            raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
        return there if chosen is None else chosen

    async def _asked_for(self, notebook_id: str, kind: ArtifactKind, wanted: Row) -> Row:
        start = self._since()

        async def made() -> Row | None:
            for row in await self._listed(notebook_id):
                new = row.id and not self._whereabouts.knows("artifact", row.id) and start.before(row.created_at)
                if new and kind_of(row) == kind and set(row.source_ids) == set(wanted.source_ids):
                    return row
            return None

        row: Row | None = await self._caller.call(
            "CREATE_ARTIFACT", about=("notebook", notebook_id), probe=made, notebook_id=notebook_id, artifact=wanted
        )
        if row is None or not row.id:
            raise Upstream("NotebookLM did not begin the artifact.", outcome="rejected")
        return row

    async def _begun(self, scope: GoogleScope, notebook_id: str, row: Row, wait: bool, title: str = "") -> Artifact:
        """NotebookLM names what it makes when it is made, so a title is given then, and before for those who look."""
        artifact = self._told(row, notebook_id)
        if artifact is None:
            raise WireDrift("R7cb6c $[0]: an artifact of another kind.", method="R7cb6c", path="$[0][2]")
        if title:
            artifact = await self._renamed(notebook_id, artifact.id, title)
        if not wait:
            return artifact
        artifact = await self._awaited(scope, artifact, LONGEST_WAIT)
        if artifact.state == "failed":
            hint = "retry_artifact tries again."
            raise Upstream(artifact.error, hint=hint, artifact_id=artifact.id)
        if title and artifact.title != title:
            artifact = await self._renamed(notebook_id, artifact.id, title)
        return artifact

    async def _awaited(self, scope: GoogleScope, artifact: Artifact, seconds: float) -> Artifact:
        return await self._polling.until(
            scope,
            artifact,
            lambda one: one.ended,
            lambda: self._one(artifact.notebook_id, artifact.id),
            doing=MAKING,
            seconds=seconds,
        )

    async def _renamed(self, notebook_id: str, artifact_id: str, title: str) -> Artifact:
        name = " ".join(title.split())
        if not name:
            raise InvalidInput("title: must not be empty.", field="title")
        await self._caller.call(
            "RENAME_ARTIFACT",
            about=("artifact", artifact_id),
            notebook_id=notebook_id,
            artifact_id=artifact_id,
            title=name,
        )
        return await self._one(notebook_id, artifact_id)

    async def _ready(self, notebook_id: str, artifact_id: str) -> tuple[Row, Artifact]:
        row = await self._row(notebook_id, artifact_id)
        artifact = self._told(row, notebook_id)
        assert artifact is not None
        if artifact.state != "ready" or not artifact.formats:
            raise NotReady("The artifact is not ready.", hint="get_artifact tells how far it is.")
        return row, artifact

    async def _one(self, notebook_id: str, artifact_id: str) -> Artifact:
        told = self._told(await self._row(notebook_id, artifact_id), notebook_id)
        assert told is not None
        return told

    async def _row(self, notebook_id: str, artifact_id: str) -> Row:
        for row in await self._rows(notebook_id):
            if row.id == artifact_id and kind_of(row) is not None:
                return row
        raise NotFound("artifact", artifact_id)

    async def _rows(self, notebook_id: str) -> tuple[Row, ...]:
        rows = await self._listed(notebook_id)
        for row in rows:
            self._whereabouts.tell("artifact", row.id or "", notebook_id)
        return rows

    async def _listed(self, notebook_id: str) -> tuple[Row, ...]:
        rows: tuple[Row, ...] = await self._caller.call(
            "LIST_ARTIFACTS", about=("notebook", notebook_id), notebook_id=notebook_id
        )
        return rows

    def _told(self, row: Row, notebook_id: str) -> Artifact | None:
        kind = kind_of(row)
        if kind is None:
            return None
        self._whereabouts.tell("artifact", row.id or "", notebook_id)
        return artifact_of(row, kind, notebook_id)


def file_name(artifact: Artifact) -> str:
    title = NOT_IN_A_FILE_NAME.sub(" ", artifact.title)[:LONGEST_FILE_NAME].strip(" .")
    return " ".join(title.split()) or artifact.kind
