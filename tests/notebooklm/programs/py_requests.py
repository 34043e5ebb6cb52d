"""Makes one call of notebooklm-py's API after the other, for whoever keeps what is sent; in its own environment.

Each line that is printed names a call. What its answer makes of it does not matter here.
"""

import asyncio
import contextlib
import json
import sys

from notebooklm.types import (
    AudioFormat,
    AudioLength,
    ExportType,
    InfographicDetail,
    InfographicOrientation,
    InfographicStyle,
    QuizDifficulty,
    QuizQuantity,
    ReportFormat,
    SlideDeckFormat,
    SlideDeckLength,
    VideoFormat,
    VideoStyle,
)

from notebooklm import ChatGoal, ChatResponseLength, NotebookLMClient, SharePermission, ShareViewLevel

N, S, T, A, C = "notebook-1", "source-1", "source-2", "artifact-1", "conversation-1"
PAGE, VIDEO = "https://a.example", "https://www.youtube.com/watch?v=abcdefghijk"
SECONDS = 20

CALLS = {
    "notebooks.list": lambda one: one.notebooks.list(),
    "notebooks.create": lambda one: one.notebooks.create("A title"),
    "notebooks.get": lambda one: one.notebooks.get(N),
    "notebooks.rename": lambda one: one.notebooks.rename(N, "New"),
    "notebooks.delete": lambda one: one.notebooks.delete(N),
    "notebooks.copy": lambda one: one.notebooks.copy(N, "A copy"),
    "notebooks.remove_from_recent": lambda one: one.notebooks.remove_from_recent(N),
    "notebooks.get_summary": lambda one: one.notebooks.get_summary(N),
    "sources.add_url": lambda one: one.sources.add_url(N, PAGE),
    "sources.add_video": lambda one: one.sources.add_url(N, VIDEO),
    "sources.add_text": lambda one: one.sources.add_text(N, "T", "Words"),
    "sources.add_drive": lambda one: one.sources.add_drive(N, "file-1", "T"),
    "sources.append_text": lambda one: one.sources.append_text(N, S, "More"),
    "sources.rename": lambda one: one.sources.rename(N, S, "New"),
    "sources.copy": lambda one: one.sources.copy(N, [S], "notebook-2"),
    "sources.delete": lambda one: one.sources.delete(N, S),
    "sources.get_fulltext": lambda one: one.sources.get_fulltext(N, S),
    "sources.get_guide": lambda one: one.sources.get_guide(N, S),
    "sources.search": lambda one: one.sources.search(N, "apples", source_ids=[S, T]),
    "sources.refresh": lambda one: one.sources.refresh(N, S),
    "sources.check_freshness": lambda one: one.sources.check_freshness(N, S),
    "labels.list": lambda one: one.labels.list(N),
    "labels.generate": lambda one: one.labels.generate(N),
    "labels.generate_all": lambda one: one.labels.generate(N, scope="all"),
    "labels.create": lambda one: one.labels.create(N, "Fruit", "🍎"),
    "labels.add_sources": lambda one: one.labels.add_sources(N, "label-1", [S]),
    "labels.remove_sources": lambda one: one.labels.remove_sources(N, "label-1", [S]),
    "labels.delete": lambda one: one.labels.delete(N, "label-1"),
    "collections.list": lambda one: one.collections.list(),
    "collections.create": lambda one: one.collections.create("Plants"),
    "collections.add_notebooks": lambda one: one.collections.add_notebooks("label-1", [N]),
    "collections.delete": lambda one: one.collections.delete("label-1"),
    "research.start": lambda one: one.research.start(N, "apples"),
    "research.start_drive": lambda one: one.research.start(N, "apples", source="drive"),
    "research.start_deep": lambda one: one.research.start(N, "apples", mode="deep"),
    "research.poll": lambda one: one.research.poll(N),
    "research.cancel": lambda one: one.research.cancel(N, "run-1"),
    "research.discover": lambda one: one.research.discover(N, "apples"),
    "chat.get_conversation_id": lambda one: one.chat.get_conversation_id(N),
    "chat.delete_conversation": lambda one: one.chat.delete_conversation(N, C),
    "chat.configure": lambda one: one.chat.configure(
        N, goal=ChatGoal.CUSTOM, custom_prompt="Be brief", response_length=ChatResponseLength.SHORTER
    ),
    "notes.create": lambda one: one.notes.create(N, "T", "Words"),
    "notes.update": lambda one: one.notes.update(N, "note-1", content="Words", title="A note"),
    "notes.delete": lambda one: one.notes.delete(N, "note-1"),
    "notes.list": lambda one: one.notes.list(N),
    "artifacts.list": lambda one: one.artifacts.list(N),
    "artifacts.audio": lambda one: one.artifacts.generate_audio(
        N, [S], "fr", "focus", audio_format=AudioFormat.DEBATE, audio_length=AudioLength.LONG
    ),
    "artifacts.audio_plain": lambda one: one.artifacts.generate_audio(N, [S], "fr"),
    "artifacts.video": lambda one: one.artifacts.generate_video(
        N, [S], "fr", "focus", video_format=VideoFormat.BRIEF, video_style=VideoStyle.ANIME
    ),
    "artifacts.video_styled": lambda one: one.artifacts.generate_video(
        N, [S], "fr", video_style=VideoStyle.CUSTOM, style_prompt="like an old map"
    ),
    "artifacts.quiz": lambda one: one.artifacts.generate_quiz(
        N, [S], "focus", quantity=QuizQuantity.FEWER, difficulty=QuizDifficulty.HARD
    ),
    "artifacts.quiz_plain": lambda one: one.artifacts.generate_quiz(N, [S]),
    "artifacts.flashcards": lambda one: one.artifacts.generate_flashcards(
        N, [S], "focus", quantity=QuizQuantity.MORE, difficulty=QuizDifficulty.EASY
    ),
    "artifacts.infographic": lambda one: one.artifacts.generate_infographic(
        N,
        [S],
        "fr",
        "focus",
        orientation=InfographicOrientation.SQUARE,
        detail_level=InfographicDetail.DETAILED,
        style=InfographicStyle.CLAY,
    ),
    "artifacts.slides": lambda one: one.artifacts.generate_slide_deck(
        N, [S], "fr", "focus", slide_format=SlideDeckFormat.PRESENTER_SLIDES, slide_length=SlideDeckLength.SHORT
    ),
    "artifacts.table": lambda one: one.artifacts.generate_data_table(N, [S], "fr", "focus"),
    "artifacts.report": lambda one: one.artifacts.generate_report(
        N, ReportFormat.CUSTOM, [S], "fr", custom_prompt="Where do apples come from?"
    ),
    "artifacts.rename": lambda one: one.artifacts.rename(N, A, "New"),
    "artifacts.delete": lambda one: one.artifacts.delete(N, A),
    "artifacts.revise_slide": lambda one: one.artifacts.revise_slide(N, A, 0, "bolder"),
    "artifacts.export": lambda one: one.artifacts.export(N, A, "An artifact", ExportType.DOCS),
    "artifacts.suggest_reports": lambda one: one.artifacts.suggest_reports(N),
    "artifacts.copy": lambda one: one.artifacts.copy(N, [A], "notebook-2"),
    "artifacts.choices": lambda one: one.artifacts.get_customization_choices(),
    "sharing.get_status": lambda one: one.sharing.get_status(N),
    "sharing.add_user": lambda one: one.sharing.add_user(
        N, "a@b.example", SharePermission.EDITOR, welcome_message="Hello"
    ),
    "sharing.update_user": lambda one: one.sharing.update_user(N, "a@b.example", SharePermission.VIEWER),
    "sharing.remove_user": lambda one: one.sharing.remove_user(N, "a@b.example"),
    "sharing.set_public": lambda one: one.sharing.set_public(N, True),
    "sharing.set_view_level": lambda one: one.sharing.set_view_level(N, ShareViewLevel.CHAT_ONLY),
    "settings.get_output_language": lambda one: one.settings.get_output_language(),
    "settings.set_output_language": lambda one: one.settings.set_output_language("fr"),
    "settings.get_usage": lambda one: one.settings.get_usage(),
}


async def main():
    async with NotebookLMClient.from_storage() as client:
        for name, call in CALLS.items():
            print(json.dumps(name), file=sys.stderr, flush=True)
            mark = f"mark {name}"
            with contextlib.suppress(Exception):
                await asyncio.wait_for(client.notebooks.create(mark), SECONDS)
            with contextlib.suppress(Exception):
                await asyncio.wait_for(call(client), SECONDS)


asyncio.run(main())
print(json.dumps(list(CALLS)))
