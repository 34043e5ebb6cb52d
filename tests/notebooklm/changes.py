"""What a command of a real client did to the library, told in lines that the matrix can state."""

from __future__ import annotations

from quire.api.library import Library
from quire.domain.errors import NotFound
from through_proxy import Proxied

# What a command began may be a video, on a machine that is busy.
# Two voices of a film take a minute on two quiet cores, and many on busy ones.
SECONDS = 900
Facts = dict[tuple[str, str], tuple[str, str]]


def state(place: Proxied, notebook_id: str) -> Facts:
    """By kind and id: a name, and the rest that can change. All notebooks, and what is in one of them."""
    found: Facts = place.server.run(_state(place.server.library, notebook_id), SECONDS)
    return found


async def _state(library: Library, notebook_id: str) -> Facts:
    facts: Facts = {}
    facts["language", ""] = ((await library.settings.get_output_language()).code or "", "")
    for notebook in (await library.notebooks.list(limit=1_000)).items:
        facts["notebook", notebook.id] = (notebook.title, "")
    for collection in (await library.collections.list(limit=1_000)).items:
        held = [(await library.notebooks.get(id)).title for id in collection.notebook_ids]
        facts["collection", collection.id] = (collection.name, " ".join([collection.emoji or "", *held]).strip())
    try:
        sources = (await library.sources.list(notebook_id, limit=1_000)).items
    except NotFound:
        return facts
    for source in sources:
        read = await library.sources.wait(notebook_id, source.id, seconds=60)
        facts["source", source.id] = (read.title, read.state)
    for label in (await library.labels.list(notebook_id, limit=1_000)).items:
        under = [source.title for source in sources if source.id in label.source_ids]
        facts["label", label.id] = (label.name, " ".join([label.emoji or "", *under]).strip())
    for note in (await library.notes.list(notebook_id, limit=1_000)).items:
        facts["note", note.id] = (note.title, note.content)
    for one in (await library.artifacts.list(notebook_id, limit=1_000)).items:
        made = await library.artifacts.wait_for_completion(notebook_id, one.id, seconds=SECONDS)
        facts["artifact", one.id] = (made.kind, f"{made.state} {made.title}")
    for talk in (await library.chat.list_conversations(notebook_id, limit=100)).items:
        for turn in (await library.chat.get_history(talk.id, limit=100)).items:
            facts["question", turn.answer.id] = (turn.answer.question, "")
    share = await library.sharing.get_status(notebook_id)
    facts["share", notebook_id] = ("public" if share.public else "private", share.view_level)
    for user in share.users:
        facts["user", user.email] = (user.email, user.permission)
    chosen = await library.chat.get_configuration(notebook_id)
    facts["chat", notebook_id] = (chosen.goal, chosen.length)
    return facts


def changes(before: Facts, after: Facts, notebook_id: str) -> list[str]:
    """What is there only before (-), only after (+), or in both but not the same (=)."""
    gone = {
        kind
        for kind in ("source", "label", "note", "artifact", "question", "chat", "share", "user")
        if not any(key[0] == kind for key in after)
    }
    whole = ("notebook", notebook_id) not in after
    lines = []
    for kind, id in sorted(before.keys() - after.keys()):
        if not (whole and kind in gone):
            lines.append(f"- {kind} {before[kind, id][0]}")
    for kind, id in after.keys() - before.keys():
        lines.append(f"+ {kind} {after[kind, id][0]}")
    for kind, id in before.keys() & after.keys():
        if before[kind, id] != after[kind, id]:
            lines.append(" ".join(("=", kind, *after[kind, id])).strip())
    return sorted(lines)
