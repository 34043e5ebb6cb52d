"""Calls the methods of notebooklm-py's API that make artifacts, and prints how each went; in its own environment."""

import asyncio
import csv
import json
import sys
from pathlib import Path

from notebooklm.types import AudioFormat, AudioLength, ExportType, MindMapKind, ReportFormat, VideoFormat, VideoStyle

from notebooklm import NotebookLMClient

NOTEBOOK, OTHER, FAILED, FOLDER = sys.argv[1:5]
WENT = {}


async def went(name, work, *, expect=None):
    """Notes how a call went. `expect` says what its result must be."""
    try:
        result = await work
        WENT[name] = "pass" if expect is None or expect(result) else f"unexpected: {result!r}"[:300]
    except Exception as error:
        WENT[name] = f"{type(error).__name__}: {error}"
        return None
    return result


def path(name):
    return str(Path(FOLDER) / name)


async def main():
    async with NotebookLMClient.from_storage() as client:
        studio, maps, notes = client.artifacts, client.mind_maps, client.notes
        nb = NOTEBOOK

        async def made(status):
            return await studio.wait_for_completion(nb, status.task_id, initial_interval=0.2, max_interval=0.5)

        report = await went(
            "artifacts.generate_report",
            studio.generate_report(nb, ReportFormat.CUSTOM, custom_prompt="Where do apples come from?"),
        )
        guide = await went("artifacts.generate_study_guide", studio.generate_study_guide(nb))
        quiz = await went("artifacts.generate_quiz", studio.generate_quiz(nb))
        cards = await went("artifacts.generate_flashcards", studio.generate_flashcards(nb))
        table = await went("artifacts.generate_data_table", studio.generate_data_table(nb))
        await went("artifacts.wait_for_completion", made(report), expect=lambda one: one.status == "completed")
        for status in (guide, quiz, cards, table):
            assert (await made(status)).status == "completed"
        await went(
            "artifacts.poll_status",
            studio.poll_status(nb, quiz.task_id),
            expect=lambda one: one.status == "completed",
        )
        await went("artifacts.list", studio.list(nb), expect=lambda rows: len(rows) >= 5)
        await went("artifacts.list_with_status", studio.list_with_status(nb))
        await went(
            "artifacts.list_reports",
            studio.list_reports(nb),
            expect=lambda rows: {report.task_id, guide.task_id} <= {row.id for row in rows},
        )
        await went("artifacts.list_quizzes", studio.list_quizzes(nb), expect=lambda rows: len(rows) == 1)
        await went("artifacts.list_flashcards", studio.list_flashcards(nb), expect=lambda rows: len(rows) == 1)
        await went("artifacts.list_data_tables", studio.list_data_tables(nb), expect=lambda rows: len(rows) == 1)
        audio = await went(
            "artifacts.generate_audio",
            studio.generate_audio(nb, audio_length=AudioLength.SHORT, audio_format=AudioFormat.BRIEF),
        )
        assert (await made(audio)).status == "completed"
        await went("artifacts.list_audio", studio.list_audio(nb), expect=lambda rows: len(rows) == 1)
        await went(
            "artifacts.download_audio",
            studio.download_audio(nb, path("a.mp3")),
            expect=lambda file: Path(file).read_bytes().startswith(b"ID3"),
        )
        video = await went(
            "artifacts.generate_video",
            studio.generate_video(nb, video_format=VideoFormat.BRIEF, video_style=VideoStyle.WHITEBOARD),
        )
        film = await went("artifacts.generate_cinematic_video", studio.generate_cinematic_video(nb))
        for status in (video, film):
            assert (await made(status)).status == "completed"
        await went("artifacts.list_video", studio.list_video(nb), expect=lambda rows: len(rows) == 2)
        await went(
            "artifacts.download_video",
            studio.download_video(nb, path("v.mp4"), video.task_id),
            expect=lambda file: Path(file).read_bytes()[4:8] == b"ftyp",
        )
        assert Path(await studio.download_video(nb, path("c.mp4"), film.task_id)).stat().st_size > 100_000
        deck = await went("artifacts.generate_slide_deck", studio.generate_slide_deck(nb, instructions="Apples"))
        sheet = await went("artifacts.generate_infographic", studio.generate_infographic(nb))
        for status in (deck, sheet):
            assert (await made(status)).status == "completed"
        revised = await went("artifacts.revise_slide", studio.revise_slide(nb, deck.task_id, 1, "title: Trees"))
        assert (await made(revised)).status == "completed"
        await went(
            "artifacts.download_slide_deck",
            studio.download_slide_deck(nb, path("s.pptx"), output_format="pptx"),
            expect=lambda file: Path(file).read_bytes().startswith(b"PK"),
        )
        assert Path(await studio.download_slide_deck(nb, path("s.pdf"))).read_bytes().startswith(b"%PDF")
        await went(
            "artifacts.download_infographic",
            studio.download_infographic(nb, path("i.png")),
            expect=lambda file: Path(file).read_bytes().startswith(b"\x89PNG"),
        )
        await went("artifacts.list_slide_decks", studio.list_slide_decks(nb), expect=lambda rows: len(rows) == 1)
        await went("artifacts.list_infographics", studio.list_infographics(nb), expect=lambda rows: len(rows) == 1)
        await went("artifacts.get", studio.get(nb, quiz.task_id), expect=lambda row: row.id == quiz.task_id)
        await went("artifacts.get_or_none", studio.get_or_none(nb, "missing"), expect=lambda row: row is None)
        await went("artifacts.lookup", studio.lookup(nb, quiz.task_id))
        await went(
            "artifacts.get_prompt",
            studio.get_prompt(nb, report.task_id),
            expect=lambda text: text == "Where do apples come from?",
        )
        await went("artifacts.get_customization_choices", studio.get_customization_choices(nb))
        await went("artifacts.suggest_reports", studio.suggest_reports(nb), expect=lambda rows: rows[0].title)

        await went(
            "artifacts.download_report",
            studio.download_report(nb, path("r.md"), report.task_id),
            expect=lambda file: "Central Asia" in Path(file).read_text(),
        )
        await went(
            "artifacts.download_quiz",
            studio.download_quiz(nb, path("q.json")),
            expect=lambda file: json.loads(Path(file).read_text())["questions"][0]["answerOptions"],
        )
        await went(
            "artifacts.download_flashcards",
            studio.download_flashcards(nb, path("f.md"), output_format="markdown"),
            expect=lambda file: len(Path(file).read_text()) > 100,
        )
        await went(
            "artifacts.download_data_table",
            studio.download_data_table(nb, path("t.csv")),
            expect=lambda file: "Source" in next(csv.reader(Path(file).read_text("utf-8-sig").splitlines())),
        )
        await went(
            "artifacts.rename",
            studio.rename(nb, report.task_id, "Origins"),
            expect=lambda row: row.title == "Origins",
        )
        await went(
            "artifacts.copy",
            studio.copy(nb, [report.task_id], OTHER),
            expect=lambda rows: len(rows) == 1,
        )
        await went("artifacts.export", studio.export(nb, report.task_id, "T", ExportType.DOCS), expect=has_address)
        await went("artifacts.export_report", studio.export_report(nb, report.task_id), expect=has_address)
        await went("artifacts.export_data_table", studio.export_data_table(nb, table.task_id), expect=has_address)
        again = await went("artifacts.retry_failed", studio.retry_failed(nb, FAILED))
        assert (await made(again)).status == "completed"

        tree = await went("artifacts.generate_mind_map", studio.generate_mind_map(nb), expect=lambda one: one.mind_map)
        interactive = await went("mind_maps.generate", maps.generate(nb, kind=MindMapKind.INTERACTIVE))
        noted = await maps.generate(nb, kind=MindMapKind.NOTE_BACKED, instructions="Only pears")
        await went("mind_maps.list", maps.list(nb), expect=lambda rows: interactive.id in {row.id for row in rows})
        await went("mind_maps.list_note_backed", maps.list_note_backed(nb), expect=lambda rows: len(rows) >= 1)
        await went("mind_maps.get", maps.get(nb, interactive.id), expect=lambda one: one.id == interactive.id)
        await went("mind_maps.get_or_none", maps.get_or_none(nb, "missing"), expect=lambda one: one is None)
        await went("mind_maps.get_tree", maps.get_tree(nb, interactive.id), expect=lambda one: one["children"])
        await went(
            "artifacts.download_mind_map",
            studio.download_mind_map(nb, path("m.json"), interactive.id),
            expect=lambda file: json.loads(Path(file).read_text())["children"],
        )
        await went(
            "mind_maps.rename", maps.rename(nb, interactive.id, "Fruit"), expect=lambda one: one.title == "Fruit"
        )
        await went("mind_maps.delete", maps.delete(nb, interactive.id))
        assert await maps.get_or_none(nb, interactive.id) is None
        await went("notes.delete_mind_map", notes.delete_mind_map(nb, noted.id))
        assert noted.id not in {row.id for row in await maps.list_note_backed(nb)}
        assert tree is not None
        await went("artifacts.delete", studio.delete(nb, report.task_id))
        assert await studio.get_or_none(nb, report.task_id) is None


def has_address(result):
    return "https://notebooklm.google.com/files/" in repr(result)


asyncio.run(main())
print(json.dumps(WENT))
