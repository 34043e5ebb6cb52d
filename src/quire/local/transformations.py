"""Transformations: a person's prompts and built-in rules, run over sources and kept as notes."""

from __future__ import annotations

import asyncio
import builtins
import json
import uuid
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from quire import text as text_engine
from quire.domain.documents import Mark
from quire.domain.errors import Conflict, InvalidInput, NotFound, TooLarge, Unsupported
from quire.domain.jobs import Job
from quire.domain.labels import given_name
from quire.domain.notes import CONTENT_LIMIT
from quire.domain.pages import Page, cursor_at, page, position
from quire.domain.transformations import BUILT_IN, Transformation, TransformedNote
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.label_rows import with_labelled
from quire.local.notes import insert as insert_note
from quire.local.notes import note_of
from quire.local.person_settings import language_for
from quire.local.scope import Scope
from quire.local.source_rows import source_of
from quire.local.timestamps import moment
from quire.local.workers import job
from quire.ports.models import Model
from quire.ports.store import Row, Tx

if TYPE_CHECKING:
    from quire.text.makers import ModelMaker

NO_MODEL = Unsupported(
    "This transformation needs a language model, and none is set.",
    hint="`quire config set model …` names one; the built-in transformations need none.",
)


@dataclass
class SoFar:
    """How far a run over sources has gone."""

    done: int = 0
    notes: int = 0
    left_out: builtins.list[str] = field(default_factory=builtins.list)


class LocalTransformations:
    def __init__(self, jobs: JobQueue, model_maker: ModelMaker | None) -> None:
        self._jobs = jobs
        self._model: Model | None = model_maker.model if model_maker else None

    async def list(self, scope: Scope, limit: int, cursor: str | None) -> Page[Transformation]:
        """The built-in ones first."""

        def work(tx: Tx) -> Page[Transformation]:
            mine = {"person_id": scope.actor_id}
            rows = tx.all("transformations_of", after=position(cursor, 0), limit=limit + 1, **mine)
            own = page(rows, limit, tx.count("count_transformations", **mine), transformation_of)
            first = [] if cursor else builtins.list(BUILT_IN.values())
            return own.model_copy(update={"items": [*first, *own.items], "total": own.total + len(BUILT_IN)})

        return await scope.read(work)

    async def create(self, scope: Scope, name: str, prompt: str) -> Transformation:
        name, prompt, id = given_name(name), _prompt(prompt), str(uuid.uuid4())

        def work(tx: Tx) -> Transformation:
            _refuse_twins(tx, scope, name)
            mine = {"id": id, "person_id": scope.actor_id}
            tx.run("insert_transformation", name=name, prompt=prompt, at=scope.now(), **mine)
            _told(tx, scope, "created", id)
            return _one(tx, id)

        return await scope.write(work)

    async def update(
        self, scope: Scope, transformation_id: str, name: str | None, prompt: str | None
    ) -> Transformation:
        if name is None and prompt is None:
            raise InvalidInput("Give a name or a prompt.")

        def work(tx: Tx) -> Transformation:
            there = _one(tx, transformation_id)
            called = there.name if name is None else given_name(name)
            if called.casefold() != there.name.casefold():
                _refuse_twins(tx, scope, called)
            asked = there.prompt if prompt is None else _prompt(prompt)
            tx.run("update_transformation", id=transformation_id, name=called, prompt=asked, at=scope.now())
            _told(tx, scope, "updated", transformation_id)
            return _one(tx, transformation_id)

        return await scope.write(work)

    async def delete(self, scope: Scope, transformation_id: str) -> Transformation:
        def work(tx: Tx) -> Transformation:
            there = _one(tx, transformation_id)
            tx.run("delete_transformation", id=transformation_id)
            _told(tx, scope, "deleted", transformation_id)
            return there

        return await scope.write(work)

    async def run(
        self,
        scope: Scope,
        transformation_id: str,
        source_ids: builtins.list[str] | None,
        label_ids: builtins.list[str] | None,
        new_notes: bool,
        wait: bool,
    ) -> Job:
        wanted = await with_labelled(scope, source_ids, label_ids)

        def work(tx: Tx) -> tuple[Transformation, builtins.list[str]]:
            chosen = _chosen(tx, scope, transformation_id)
            there = {row["id"]: row for row in tx.all("source_states", notebook_id=scope.notebook_id)}
            for id in wanted or ():
                if id not in there:
                    raise NotFound("source", id)
            return chosen, builtins.list(dict.fromkeys(wanted or there))

        chosen, sources = await scope.read(work)
        if not sources:
            raise Conflict("The notebook has no sources.", hint="Add a source first.", reason="no_sources")
        if not chosen.built_in and self._model is None:
            raise NO_MODEL
        payload = {"id": chosen.id, "name": chosen.name, "prompt": chosen.prompt, "sources": sources, "new": new_notes}
        return await self._jobs.start(scope, "transform_sources", payload, wait=wait)

    async def results(self, scope: Scope, limit: int, cursor: str | None) -> Page[TransformedNote]:
        def work(tx: Tx) -> Page[TransformedNote]:
            where = {"notebook_id": scope.notebook_id}
            rows = tx.all("transformed_notes_of", before=position(cursor), limit=limit + 1, **where)
            total = tx.count("count_transformed_notes", **where)
            more, rows = len(rows) > limit, rows[:limit]
            items = [_result(row) for row in rows]
            return Page(items=items, total=total, truncated=more, cursor=cursor_at(rows[-1]["seq"]) if more else None)

        return await scope.read(work)

    @job("transform_sources")
    async def run_transform(self, run: Run) -> Finished:
        """One source after the other; a note and the place to go on from are written in one step."""
        sources: builtins.list[str] = run.payload["sources"]
        language = await run.read(lambda tx: language_for(tx, run.person_id))
        so_far = SoFar(**json.loads(run.place)) if run.place else SoFar()
        while so_far.done < len(sources):
            source_id = sources[so_far.done]
            row = await run.read(lambda tx, id=source_id: _readable(tx, run.notebook_id, id))  # type: ignore[misc]
            text, why = "", "It cannot be read."
            if row is not None:
                text, why = await self._made(run, row, so_far.done, language)
            so_far.done += 1
            if row is not None and text:
                so_far.notes += 1
                put = partial(_put, run, row, text)
            else:
                so_far.left_out.append(f"{row['title'] if row else source_id}: {why}"[:200])
                put = None
            await run.advance(so_far.done, len(sources), run.payload["name"], json.dumps(asdict(so_far)), put)
        return Finished({"notes": so_far.notes, "sources": len(sources), "left_out": so_far.left_out})

    async def _made(self, run: Run, row: Row, done: int, language: str | None) -> tuple[str, str]:
        """The text of a note, or why there is none."""
        marks = [Mark.model_validate(mark) for mark in json.loads(row["marks"])]
        source = text_engine.SourceToTransform(row["title"], row["text"], row["language"], marks)
        if run.payload["id"] in BUILT_IN:
            text = await asyncio.to_thread(text_engine.transformed, run.payload["id"], source)
            return text[:CONTENT_LIMIT], "There is nothing of the kind in it."
        if self._model is None:
            raise NO_MODEL

        async def told(part: int, parts: int) -> None:
            which = f", part {part} of {parts}" if parts > 1 else ""
            message = f"{run.payload['name']}: {source.title[:100]}{which}"
            await run.advance(done, len(run.payload["sources"]), message, run.place)

        try:
            text = await text_engine.made_by_model(self._model, run.payload["prompt"], source, language, told)
        except TooLarge as error:
            return "", error.message
        return text[:CONTENT_LIMIT], ""


def _put(run: Run, row: Row, text: str, tx: Tx) -> None:
    """A new note, or the one of the last run; one that somebody has changed since is theirs."""
    at = run.now()
    title = f"{run.payload['name']}: {row['title']}"[:1_000]
    of = {"source_id": row["id"], "transformation_id": run.payload["id"]}
    there = None
    if not run.payload["new"]:
        there = tx.one("note_to_transform_again", notebook_id=run.notebook_id, **of)
    if there is None:
        note = insert_note(tx, run.notebook_id, str(uuid.uuid4()), title, text, at)
        tx.run("insert_transformed_note", note_id=note.id, version=row["version"], revision=1, at=at, **of)
        run.event(tx, "note.created", note.id)
        return
    folded = {"folded_title": title.casefold(), "folded_content": text.casefold()}
    changed = tx.one("update_note", id=there["id"], title=title, content=text, at=at, **folded)
    if changed is None:
        raise RuntimeError("a note that was there was not updated")
    note = note_of(changed)
    tx.run("update_transformed_note", note_id=note.id, version=row["version"], revision=note.revision, at=at)
    run.event(tx, "note.updated", note.id)


def _readable(tx: Tx, notebook_id: str, source_id: str) -> Row | None:
    """A source with its text, if it is still there and was read."""
    row = tx.one("source_by_id", id=source_id)
    if row is None or row["notebook_id"] != notebook_id or source_of(row).state != "ready":
        return None
    return tx.one("version_text", id=source_id, version=row["version"])


def _chosen(tx: Tx, scope: Scope, named: str) -> Transformation:
    """A built-in transformation or one of the caller's, by id or by name."""
    for one in BUILT_IN.values():
        if named.casefold() in (one.id, one.name.casefold()):
            return one
    row = tx.one("transformation_by_id", id=named)
    if row is not None and row["person_id"] == scope.actor_id:
        return transformation_of(row)
    raise NotFound("transformation", named, hint="list_transformations shows them.")


def _refuse_twins(tx: Tx, scope: Scope, name: str) -> None:
    rows = tx.all("transformations_of", person_id=scope.actor_id, after=0, limit=10_000)
    taken = {row["name"].casefold() for row in rows} | {one.name.casefold() for one in BUILT_IN.values()}
    if name.casefold() in taken | BUILT_IN.keys():
        raise Conflict(f"There is a transformation '{name[:80]}' already.", hint="update_transformation changes it.")


def _told(tx: Tx, scope: Scope, what: str, id: str) -> None:
    """What happens to a transformation is told in its maker's inbox."""
    inbox = tx.one("role_in_inbox", person_id=scope.actor_id)
    if inbox is not None:
        event = {"notebook_id": inbox["notebook_id"], "kind": f"transformation.{what}", "subject_id": id}
        tx.run("insert_event", at=scope.now(), **event)


def _one(tx: Tx, id: str) -> Transformation:
    row = tx.one("transformation_by_id", id=id)
    if row is None:
        raise NotFound("transformation", id)
    return transformation_of(row)


def _prompt(prompt: str) -> str:
    if not prompt.strip():
        raise InvalidInput("prompt: must not be empty.", field="prompt")
    return prompt.strip()


def _result(row: Row) -> TransformedNote:
    return TransformedNote(
        note_id=row["note_id"],
        note_title=row["note_title"],
        source_id=row["source_id"],
        source_title=row["source_title"],
        transformation_id=row["transformation_id"],
        version=row["version"],
        current=row["version"] == row["last_version"],
        made_at=moment(row["made_at"]),
    )


def transformation_of(row: Row) -> Transformation:
    return Transformation(
        id=row["id"],
        name=row["name"],
        prompt=row["prompt"],
        created_at=moment(row["created_at"]),
        updated_at=moment(row["updated_at"]),
    )
