"""Labels by topic: made for all sources of a notebook, or for those that have none."""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from quire import text as text_engine
from quire.domain.labels import Labelled
from quire.local.job_queue import JobQueue
from quire.local.job_run import Finished, Run
from quire.local.label_rows import members
from quire.local.person_settings import language_for
from quire.local.scope import Scope
from quire.local.workers import job
from quire.ports.search import Embedder, Vectors
from quire.ports.store import Read, Row, Tx

if TYPE_CHECKING:
    from quire.text.makers import ModelMaker

AT_ONCE = 200
BATCH = 25
# So many characters of a text are read from its beginning, and so many in each of three places after it.
BEGINNING, PIECE = 15_000, 5_000
# Two groups are the same where more than this share of what is in either is in both; so each is like one at most.
SAME = 0.5
# A label is about a topic that so much of it belongs to.
ABOUT = 0.5
MOST_LABELS = 1_000_000
UNNAMED = "Topic"

Told = Callable[[int, int, str], Awaitable[None]]
Event = Callable[[Tx, str, str], None]


@dataclass(frozen=True)
class NamedTopic:
    source_ids: list[str]
    names: list[str]


@dataclass(frozen=True)
class Plan:
    """The labels that stay, with what each is to hold, those that go, and the topics that become new ones."""

    members: dict[str, set[str]]
    gone: set[str]
    fresh: list[NamedTopic]


@dataclass(frozen=True)
class Found:
    """The topics of a notebook, and the sources and versions that they were found in."""

    topics: list[NamedTopic]
    sources: str


class Labelling:
    """The same sources give the same labels: nothing is drawn by lot, and labels are found again by what they hold."""

    def __init__(
        self, jobs: JobQueue, vectors: Vectors, embedder: Embedder | None, model_maker: ModelMaker | None
    ) -> None:
        self._jobs = jobs
        self._vectors = vectors
        self._embedder = embedder
        self._model = model_maker.model if model_maker else None
        # More sources are a job's work.
        self.at_once = AT_ONCE

    async def label(self, call: Scope, scope: Labelled) -> None:
        """Nothing is written before the names are there: a call that asks its client's model is made again."""
        sources = await call.read(lambda tx: tx.count("count_sources", notebook_id=call.notebook_id))
        if sources > self.at_once:
            await self._jobs.start(call, "label_sources", {"scope": scope})
            return
        language = await call.look_up(lambda tx: language_for(tx, call.actor_id))
        namer = text_engine.Namer(self._model, call.context.sampler, language)
        found = await self._found(call.read, call.notebook_id, call.context.report, namer)
        await call.write(lambda tx: _put(tx, call.notebook_id, scope, found, call.now(), call.event))

    @job("label_sources")
    async def run_label(self, run: Run) -> Finished:
        async def told(done: int, total: int, message: str) -> None:
            await run.advance(done, total, message, None)

        language = await run.read(lambda tx: language_for(tx, run.person_id))
        namer = text_engine.Namer(self._model, None, language)
        found = await self._found(run.read, run.notebook_id, told, namer)
        scope: Labelled = run.payload["scope"]

        def work(tx: Tx) -> None:
            _put(tx, run.notebook_id, scope, found, run.now(), run.event)

        await run.advance(1, 1, "labelling", "labelled", work)
        return Finished({"topics": len(found.topics)})

    def is_current(self, tx: Tx, notebook_id: str) -> bool:
        row = tx.one("labelled_by", notebook_id=notebook_id)
        return row is not None and row["sources"] == _hash(tx.all("versions_of_sources", notebook_id=notebook_id))

    async def _found(self, read: Read, notebook_id: str, told: Told, namer: text_engine.Namer) -> Found:
        total, versions = await read(
            lambda tx: (
                tx.count("count_sources", notebook_id=notebook_id),
                _hash(tx.all("versions_of_sources", notebook_id=notebook_id)),
            )
        )
        where = {"notebook_id": notebook_id, "most": BEGINNING, "piece": PIECE, "limit": BATCH}
        ids: list[str] = []
        titles: list[str] = []
        texts: list[text_engine.Spoken] = []
        after = 0
        while True:
            rows = await read(lambda tx, after=after: tx.all("samples_of_sources", after=after, **where))  # type: ignore[misc]
            if not rows:
                break
            texts += await asyncio.to_thread(_spoken, rows)
            ids += [row["id"] for row in rows]
            titles += [row["title"] for row in rows]
            after = rows[-1]["seq"]
            await told(len(ids), total, "reading")
        means = {}
        if (embedder := self._embedder) is not None:
            means = await read(lambda tx: self._vectors.of_sources(tx, notebook_id, embedder.name))
        vectors = [means.get(id) for id in ids]
        near = await asyncio.to_thread(text_engine.nearness, vectors, self._vectors.likeness)
        topics = await asyncio.to_thread(text_engine.find_topics, texts, near)
        topics = await namer.named(topics, titles)
        return Found([NamedTopic([ids[member] for member in one.members], one.names) for one in topics], versions)


def _spoken(rows: Iterable[Row]) -> list[text_engine.Spoken]:
    return [text_engine.spoken(row["title"], f"{row['beginning']}\n{row['pieces']}", row["language"]) for row in rows]


def _hash(rows: Sequence[Row]) -> str:
    return hashlib.sha256("\n".join(f"{row['id']} {row['version']}" for row in rows).encode()).hexdigest()


def _put(tx: Tx, notebook_id: str, scope: Labelled, found: Found, at: int, event: Event) -> None:
    """Writes topics down as labels, among those that there are by now."""
    tx.one("lock_notebook", id=notebook_id)
    rows = tx.all("labels_of", notebook_id=notebook_id, after=0, limit=MOST_LABELS)
    held = members(tx, notebook_id)
    under = {row["id"]: set(held.get(row["id"], ())) for row in rows}
    generated = {row["id"] for row in rows if row["generated"]}
    plan = _anew(found.topics, under, generated) if scope == "all" else _rest(found.topics, under)
    for id in plan.gone:
        tx.run("delete_label", id=id, notebook_id=notebook_id)
        event(tx, "label.deleted", id)
    for id, wanted in plan.members.items():
        if wanted != under[id]:
            for source_id in sorted(under[id] - wanted):
                tx.run("remove_from_label", id=id, source_id=source_id)
            _fill(tx, id, wanted - under[id])
            tx.run("touch_label", id=id, generated=int(id in generated), at=at)
            event(tx, "label.updated", id)
    taken = {row["name"].casefold() for row in rows if row["id"] not in plan.gone}
    for topic in plan.fresh:
        id = str(uuid.uuid4())
        name = _free_name(topic.names, taken)
        tx.run("insert_label", id=id, notebook_id=notebook_id, name=name, emoji=None, generated=1, at=at)
        _fill(tx, id, topic.source_ids)
        event(tx, "label.created", id)
    tx.run("set_labelled_by", notebook_id=notebook_id, sources=found.sources)


def _anew(topics: Sequence[NamedTopic], under: Mapping[str, set[str]], generated: set[str]) -> Plan:
    """All topics as labels. One that holds mostly the same stays, with its name; of a person's own nothing is taken."""
    alike = [
        (_shared(set(topic.source_ids), held), place, id)
        for place, topic in enumerate(topics)
        for id, held in under.items()
    ]
    kept: dict[str, set[str]] = {}
    places: set[int] = set()
    for share, place, id in sorted(alike, key=lambda one: -one[0]):
        if share > SAME and id not in kept and place not in places:
            wanted = set(topics[place].source_ids)
            kept[id] = wanted if id in generated else wanted | under[id]
            places.add(place)
    fresh = [topic for place, topic in enumerate(topics) if place not in places]
    return Plan(kept, generated - kept.keys(), fresh)


def _rest(topics: Sequence[NamedTopic], under: Mapping[str, set[str]]) -> Plan:
    """What has no label joins the one that is about its topic; without one it makes a label of its own."""
    labelled = set[str]().union(*under.values())
    joined: dict[str, set[str]] = {}
    fresh = []
    for topic in topics:
        new = [id for id in topic.source_ids if id not in labelled]
        shares = {id: len(held.intersection(topic.source_ids)) for id, held in under.items() if held}
        about = [id for id, share in shares.items() if share >= ABOUT * len(under[id])]
        if new and about:
            best = max(about, key=lambda id: shares[id])
            joined[best] = joined.get(best, under[best]) | set(new)
        elif len(new) > 1:
            fresh.append(NamedTopic(new, topic.names))
    return Plan(joined, set(), fresh)


def _shared(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _fill(tx: Tx, label_id: str, source_ids: Iterable[str]) -> None:
    for source_id in sorted(source_ids):
        tx.run("add_to_label", id=label_id, source_id=source_id)


def _free_name(names: Sequence[str], taken: set[str]) -> str:
    """The first name that no other label has."""
    first = names[0] if names else UNNAMED
    numbered = (f"{first} {number}" for number in count(2))
    name = next(name for name in chain(names or [UNNAMED], numbered) if name.casefold() not in taken)
    taken.add(name.casefold())
    return name
