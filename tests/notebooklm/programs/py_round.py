"""Calls the methods of notebooklm-py's API one after the other, and prints how each went; in its own environment."""

import asyncio
import contextlib
import json
import sys
from pathlib import Path

from notebooklm.exceptions import CollectionError
from notebooklm.types import ChatMode

from notebooklm import ChatGoal, NotebookLMClient, SharePermission, ShareViewLevel

PAGE, FILE = sys.argv[1:3]
WENT = {}
PEARS = "The pear is a fruit that ripens off the tree."


async def went(name, work, *, expect=None):
    """Notes how a call went. `expect` says what its result must be."""
    try:
        result = await work
    except Exception as error:
        WENT[name] = f"{type(error).__name__}: {error}"
        return None
    WENT[name] = "pass" if expect is None or expect(result) else f"unexpected: {result!r}"[:300]
    return result


def gone(name, left):
    """What a call was to change is read back: nothing of the old may be left."""
    if left:
        WENT[name] = f"not changed: {left!r}"[:300]


async def main():
    async with NotebookLMClient.from_storage() as client:
        books, sources, chat, notes = client.notebooks, client.sources, client.chat, client.notes
        made = await went("notebooks.create", books.create("Round"), expect=lambda nb: nb.title == "Round")
        nb = made.id
        await went("notebooks.list", books.list(), expect=lambda rows: nb in [row.id for row in rows])
        await went("notebooks.rename", books.rename(nb, "Orchard"))
        await went("notebooks.update", books.update(nb, title="Orchard"))
        await went("notebooks.set_emoji", books.set_emoji(nb, "\N{PEAR}"))
        gone("notebooks.set_emoji", "\N{PEAR}" not in repr(await books.get_raw(nb)))
        await went("notebooks.get", books.get(nb), expect=lambda row: row.title == "Orchard")
        await went("notebooks.get_or_none", books.get_or_none("missing"), expect=lambda row: row is None)
        await went("notebooks.get_raw", books.get_raw(nb))
        await went("notebooks.remove_from_recent", books.remove_from_recent(nb))

        pasted = await went("sources.add_text", sources.add_text(nb, "Pears", PEARS))
        file = await went("sources.add_file", sources.add_file(nb, Path(FILE)))
        page = await went("sources.add_url", sources.add_url(nb, PAGE))
        await went("sources.add_urls_batch", sources.add_urls_batch(nb, [PAGE + "?one", PAGE + "?two"]))
        queued = await went(
            "sources.add_urls_async", sources.add_urls_async(nb, [PAGE + "?three"]), expect=lambda rows: len(rows) == 1
        )
        read = await sources.wait_until_ready(nb, queued[0].id)
        gone("sources.add_urls_async", not read.is_ready)
        copied = await went(
            "sources.copy", sources.copy(nb, [pasted.id], nb), expect=lambda rows: rows[0].original_id == pasted.id
        )
        gone("sources.copy", not copied or not (await sources.wait_until_ready(nb, copied[0].source.id)).is_ready)
        twin = await went("notebooks.copy", books.copy(nb, "Twin"), expect=lambda row: row.title == "Twin")
        gone("notebooks.copy", len(await sources.list(twin.id)) != len(await sources.list(nb)))
        await books.delete(twin.id)
        await went("sources.append_text", sources.append_text(nb, pasted.id, "Quinces are related."))
        text = (await sources.get_fulltext(nb, pasted.id)).content
        gone("sources.append_text", not text.endswith("Quinces are related.") or not text.startswith(PEARS))
        await went("sources.wait_until_registered", sources.wait_until_registered(nb, file.id))
        await went("sources.wait_until_ready", sources.wait_until_ready(nb, file.id), expect=lambda row: row.is_ready)
        await went("sources.wait_for_sources", sources.wait_for_sources(nb, [pasted.id, file.id]))
        await went("sources.wait_all_until_ready", sources.wait_all_until_ready(nb, [pasted.id, page.id]))
        await went(
            "sources.list", sources.list(nb), expect=lambda rows: {pasted.id, file.id} <= {row.id for row in rows}
        )
        await went("sources.get", sources.get(nb, file.id), expect=lambda row: row.id == file.id)
        await went("sources.get_or_none", sources.get_or_none(nb, "missing"), expect=lambda row: row is None)
        await went(
            "sources.get_fulltext", sources.get_fulltext(nb, file.id), expect=lambda text: "Ethylene" in text.content
        )
        await went("sources.get_guide", sources.get_guide(nb, file.id), expect=lambda guide: guide.summary)
        await went("sources.search", sources.search(nb, "ethylene"), expect=lambda hits: "Ethylene" in hits[0].text)
        await went("sources.rename", sources.rename(nb, file.id, "Apples"))
        gone("sources.rename", (await sources.get(nb, file.id)).title != "Apples")
        await went("sources.refresh", sources.refresh(nb, file.id))
        await sources.wait_until_ready(nb, file.id)
        await went("notebooks.get_source_ids", books.get_source_ids(nb), expect=lambda ids: file.id in ids)
        await went("notebooks.get_summary", books.get_summary(nb), expect=bool)
        await went("notebooks.get_description", books.get_description(nb), expect=lambda found: found.summary)
        await went(
            "notebooks.get_metadata",
            books.get_metadata(nb),
            expect=lambda found: file.id in repr(found) or "Apples" in repr(found),
        )
        await went("notebooks.suggest_prompts", books.suggest_prompts(nb), expect=bool)
        await went("notebooks.suggest_next_steps", books.suggest_next_steps(nb), expect=bool)
        went_url = books.get_share_url(nb)
        WENT["notebooks.get_share_url"] = "pass" if nb in str(went_url) else "unexpected"

        await went("chat.configure", chat.configure(nb, goal=ChatGoal.CUSTOM, custom_prompt="Be brief"))
        await went("chat.get_settings", chat.get_settings(nb), expect=lambda found: found.custom_prompt == "Be brief")
        await went("chat.set_mode", chat.set_mode(nb, ChatMode.DEFAULT))
        asked = await went(
            "chat.ask",
            chat.ask(nb, "How tall is a standard apple tree?"),
            expect=lambda found: "two to four" in found.answer and found.references[0].source_id == file.id,
        )
        again = await chat.ask(nb, "When do apples ripen?", conversation_id=asked.conversation_id)
        same = again.conversation_id == asked.conversation_id
        WENT["chat.ask"] = WENT["chat.ask"] if same else "another conversation"
        await went(
            "chat.get_conversation_id", chat.get_conversation_id(nb), expect=lambda id: id == asked.conversation_id
        )
        await went("chat.session_status", chat.session_status(nb), expect=lambda found: not found.generating)
        await went("chat.cancel", chat.cancel(nb))
        await went("chat.get_conversation_turns", chat.get_conversation_turns(nb, asked.conversation_id), expect=bool)
        await went("chat.get_history", chat.get_history(nb), expect=lambda pairs: len(pairs) == 2)
        await went("chat.save_answer_as_note", chat.save_answer_as_note(nb, asked, title="Kept"))
        await went("chat.delete_conversation", chat.delete_conversation(nb, asked.conversation_id))
        gone("chat.delete_conversation", await chat.get_history(nb))

        note = await went("notes.create", notes.create(nb, "T", "Words"), expect=lambda row: row.content == "Words")
        await went("notes.get", notes.get(nb, note.id), expect=lambda row: row.title == "T")
        await went("notes.get_or_none", notes.get_or_none(nb, "missing"), expect=lambda row: row is None)
        await went("notes.update", notes.update(nb, note.id, content="More", title="U"))
        await went("notes.list", notes.list(nb), expect=lambda rows: "Kept" in [row.title for row in rows])
        await went("notes.list_mind_maps", notes.list_mind_maps(nb), expect=lambda rows: rows == [])
        gone("notes.update", (await notes.get(nb, note.id)).content != "More")
        await went("notes.delete", notes.delete(nb, note.id))
        gone("notes.delete", [row for row in await notes.list(nb) if row.id == note.id])

        await went("sources.add_drive", sources.add_drive(nb, "medlars.txt", "Medlars"), expect=lambda row: row.id)
        await research_round(client.research, nb)
        await label_round(client.labels, nb, pasted.id, file.id)
        await collection_round(client.collections, nb)
        await sharing_round(client.sharing, nb)

        await went("sources.check_freshness", sources.check_freshness(nb, page.id), expect=lambda fresh: fresh is True)
        await went("sources.delete", sources.delete(nb, page.id))
        await went("sources.delete_many", sources.delete_many(nb, [pasted.id]))
        await went("sources.delete_many_with_outcomes", sources.delete_many_with_outcomes(nb, [file.id]))
        left = {row.id for row in await sources.list(nb)} & {page.id, pasted.id, file.id}
        gone("sources.delete", page.id in left)
        gone("sources.delete_many", pasted.id in left)
        gone("sources.delete_many_with_outcomes", file.id in left)
        await settings_round(client.settings)
        await went("notebooks.delete", books.delete(nb))
        gone("notebooks.delete", await books.get_or_none(nb))


def holding(*ids):
    return lambda row: list(getattr(row, "source_ids", None) or getattr(row, "notebook_ids", ())) == list(ids)


async def research_round(research, nb):
    begun = await went("research.start", research.start(nb, "plums"), expect=lambda run: run.task_id)
    done = await went(
        "research.wait_for_completion",
        research.wait_for_completion(nb, begun.task_id, initial_interval=0.1),
        expect=lambda run: run.status == "completed",
    )
    await went("research.poll", research.poll(nb, begun.task_id), expect=lambda run: run.sources[0].title == "Plums")
    found = await went("research.discover", research.discover(nb, "plums"), expect=lambda run: run.sources)
    await went("research.cancel", research.cancel(nb, found.task_id))
    added = await went(
        "research.import_sources", research.import_sources(nb, begun.task_id, done.sources), expect=lambda rows: rows
    )
    again = await went(
        "research.import_sources_with_verification",
        research.import_sources_with_verification(nb, begun.task_id, done.sources, allow_duplicate=True),
    )
    gone("research.import_sources_with_verification", [row["id"] for row in again] != [row["id"] for row in added])
    report = f"Plums. [Plums]({PAGE})"
    urls = research.extract_report_urls(report)
    WENT["research.extract_report_urls"] = "pass" if any("plums" in url for url in urls) else f"unexpected: {urls}"
    cited = research.select_cited_sources(done.sources, report)
    WENT["research.select_cited_sources"] = "pass" if len(cited.sources) == 1 else f"unexpected: {cited}"


async def label_round(labels, nb, one, two):
    made = await went("labels.create", labels.create(nb, "Fruit", "\N{PEAR}"), expect=lambda row: row.name == "Fruit")
    held = await went("labels.add_sources", labels.add_sources(nb, made.id, [one, two]))
    gone("labels.add_sources", {one, two} ^ set(held.source_ids))
    await went(
        "labels.remove_sources", labels.remove_sources(nb, made.id, [two]), expect=lambda row: row.source_ids == [one]
    )
    await went("labels.rename", labels.rename(nb, made.id, "Trees"), expect=lambda row: row.emoji == "\N{PEAR}")
    await went(
        "labels.set_emoji", labels.set_emoji(nb, made.id, ""), expect=lambda row: row.name == "Trees" and not row.emoji
    )
    await went("labels.update", labels.update(nb, made.id, name="Pears"), expect=lambda row: row.name == "Pears")
    await went("labels.get", labels.get(nb, made.id), expect=holding(one))
    await went("labels.get_or_none", labels.get_or_none(nb, "missing"), expect=lambda row: row is None)
    await went("labels.sources", labels.sources(nb, made.id), expect=lambda rows: [row.id for row in rows] == [one])
    await went("labels.generate", labels.generate(nb), expect=lambda rows: made.id in [row.id for row in rows])
    again = [(row.id, row.name) for row in await labels.generate(nb, scope="all")]
    gone("labels.generate", again != [(row.id, row.name) for row in await labels.generate(nb, scope="all")])
    await went("labels.list", labels.list(nb), expect=lambda rows: again == [(row.id, row.name) for row in rows])
    await went("labels.delete", labels.delete(nb, made.id))
    gone("labels.delete", await labels.get_or_none(nb, made.id))


async def settings_round(settings):
    await went(
        "settings.set_output_language", settings.set_output_language("pt_BR"), expect=lambda code: code == "pt_BR"
    )
    await went("settings.get_output_language", settings.get_output_language(), expect=lambda code: code == "pt_BR")
    await went(
        "settings.get_user_settings",
        settings.get_user_settings(),
        expect=lambda found: found.output_language == "pt_BR",
    )
    await went(
        "settings.get_account_limits",
        settings.get_account_limits(),
        expect=lambda limits: limits.source_limit is None and limits.raw_limits[3] == 500_000,
    )
    await went("settings.get_usage", settings.get_usage(), expect=lambda usage: not usage.enabled)


async def sharing_round(sharing, nb):
    def shown(status):
        return {user.email: user.permission.name for user in status.shared_users}

    await went(
        "sharing.add_user",
        sharing.add_user(nb, "ann@example.com", SharePermission.EDITOR, welcome_message="Look"),
        expect=lambda status: shown(status)["ann@example.com"] == "EDITOR",
    )
    await went(
        "sharing.set_users",
        sharing.set_users(
            nb, [("bob@example.com", SharePermission.VIEWER), ("cid@example.com", SharePermission.VIEWER)]
        ),
        expect=lambda status: len(shown(status)) == 4,
    )
    await went(
        "sharing.update_user",
        sharing.update_user(nb, "ann@example.com", SharePermission.VIEWER),
        expect=lambda status: shown(status)["ann@example.com"] == "VIEWER",
    )
    await went(
        "sharing.remove_user",
        sharing.remove_user(nb, "bob@example.com"),
        expect=lambda status: "bob@example.com" not in shown(status),
    )
    await went("sharing.set_public", sharing.set_public(nb, True), expect=lambda status: status.is_public)
    await went("sharing.set_view_level", sharing.set_view_level(nb, ShareViewLevel.CHAT_ONLY))
    await went("sharing.get_status", sharing.get_status(nb), expect=lambda status: status.is_public)
    gone("sharing.set_public", (await sharing.set_public(nb, False)).is_public)


async def collection_round(collections, nb):
    with contextlib.suppress(CollectionError):
        await collections.create("Plants")
    rows = await went("collections.list", collections.list(), expect=lambda rows: rows[-1].name == "Plants")
    id = rows[-1].id
    await went(
        "collections.add_notebooks", collections.add_notebooks(id, [nb]), expect=lambda row: row.notebook_ids == [nb]
    )
    await went("collections.notebooks", collections.notebooks(id), expect=lambda rows: [row.id for row in rows] == [nb])
    await went("collections.rename", collections.rename(id, "Trees"), expect=lambda row: row.name == "Trees")
    await went("collections.get", collections.get(id), expect=holding(nb))
    await went("collections.get_or_none", collections.get_or_none("missing"), expect=lambda row: row is None)
    await went(
        "collections.remove_notebooks", collections.remove_notebooks(id, [nb]), expect=lambda row: not row.notebook_ids
    )
    await went("collections.delete", collections.delete(id))
    gone("collections.delete", await collections.get_or_none(id))


asyncio.run(main())
print(json.dumps(WENT))
