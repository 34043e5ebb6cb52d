"""How far artifacts say what their sources say: `python benchmarks/studio.py FILES... [--json FILE] [--speed]`.

All files become sources of one notebook, and each also of one by itself. Of every kind it prints the share of its
statements, right answers and cells that the passage they cite bears out, by the same check as the citations of answers;
and the share of the sources' main headings of which the artifact tells something, beside a baseline that takes as many
sentences from the beginnings of the sources. Of what a passage does not bear out the words are printed, too. All are
made as drafts: what is said is then written, and neither spoken nor drawn. `--speed` compares the processor time for a
report and slides with what the bare renderers take for the same pages, an audio overview with what the bare voice takes
for the same sentences, a video's time with what the bare voice and the bare encoder take for the same sentences and
pictures, and makes a report and a video of 300 sources. What `brief` is called for audio and video alike is told apart
by its kind.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sets
from quire.adapters.artifact_files import FileMakers
from quire.api.library import Library
from quire.domain.artifacts import Artifact
from quire.domain.files import Upload
from quire.domain.grounding import Grounds, Statement
from quire.studio.source_text import heading_of, shown
from quire.studio.support import supported
from quire.text.words import tokens

KINDS = ("report", "quiz", "flashcards", "mind_map", "data_table", "slide_deck", "infographic", "audio", "video")
FORMS = {
    "report": ("briefing_doc", "study_guide", "blog_post", "custom"),
    "slide_deck": ("detailed_deck", "presenter_slides"),
    "audio": ("deep_dive", "brief", "critique", "debate"),
    "video": ("explainer", "brief", "cinematic", "short"),
}
MAIN = 12
MANY = 300
ROUNDS = 7


def statements(value: Any) -> Iterator[Statement]:
    """All statements in a content's JSON."""
    if isinstance(value, dict):
        if {"text", "grounds", "verified"} <= value.keys():
            yield Statement.model_validate(value)
        else:
            for one in value.values():
                yield from statements(one)
    elif isinstance(value, list):
        for one in value:
            yield from statements(one)


def claims(kind: str, content: dict[str, Any], texts: dict[str, str]) -> list[tuple[str, bool]]:
    """Each thing that an artifact says, and whether its passage bears it out."""
    versions = {
        (grounds.source_id, grounds.version): texts[grounds.source_id]
        for one in statements(content)
        for grounds in one.grounds
    }
    told = [(one.text, supported(one, versions)) for one in statements(content)]
    for question in content.get("questions", []):
        said = question["explanation"]["text"]
        right = question["options"][question["answer"]]
        wrong = [one for at, one in enumerate(question["options"]) if at != question["answer"]]
        told.append((f"{question['question']} {right}", right in said and not any(one in said for one in wrong)))
    told += [(card["back"], card["back"] in card["explanation"]["text"]) for card in content.get("cards", [])]
    for row in content.get("rows", []) if kind == "data_table" else []:
        held = " ".join(Grounds.model_validate(one).excerpt for one in row["grounds"]).replace("\\|", "|")
        told += [(cell, not cell or shown(cell) in shown(held) or cell in held) for cell in row["cells"][1:-1]]
    return told


def main_headings(text: str, marks: list[tuple[int, str, int]]) -> list[tuple[str, int, int]]:
    """The headings of the highest level that has several, each with the span under it."""
    for level in range(1, 7):
        found = [(label, start) for start, label, one in marks if one == level and heading_of(label)]
        if len(found) > 1:
            ends = [start for _, start in found[1:]] + [len(text)]
            return [(label, start, end) for (label, start), end in zip(found, ends, strict=True)][:MAIN]
    return []


def covered(spans: list[tuple[str, int, int]], source_id: str, cited: list[Grounds]) -> int:
    return sum(any(one.source_id == source_id and start <= one.start < end for one in cited) for _, start, end in spans)


async def measured(library: Library, notebook: str) -> dict[str, Any]:
    texts: dict[str, str] = {}
    spans: dict[str, list[tuple[str, int, int]]] = {}
    for source in await library.sources.list(notebook, limit=1_000):
        if source.state == "failed":
            continue
        text = (await library.sources.get_fulltext(notebook, source.id, limit=1_000_000)).text
        texts[source.id] = text
        found = []
        at = 0
        for line in text.split("\n"):
            level = len(line) - len(line.lstrip("#"))
            if 0 < level < 7 and line[level : level + 1] == " ":
                found.append((at, line[level:].strip(), level))
            at += len(line) + 1
        spans[source.id] = main_headings(text, found)
    wanted = sum(map(len, spans.values()))
    result: dict[str, Any] = {}
    for kind in KINDS:
        for form in FORMS.get(kind, (None,)):
            named = f"video {form}" if kind == "video" else form or kind
            try:
                made: Artifact = await library.artifacts.generate(notebook, kind, format=form, draft=True)  # type: ignore[arg-type]
            except Exception as error:
                result[named] = {"refused": str(error)}
                continue
            content = (await library.artifacts.get_content(notebook, made.id)).content
            told = claims(kind, content, texts)
            cited = [grounds for one in statements(content) for grounds in one.grounds]
            cited += [Grounds.model_validate(one) for row in content.get("rows", []) for one in row.get("grounds", [])]
            heads = sum(covered(spans[id], id, cited) for id in texts)
            lead = _leading(texts, len(cited))
            base = sum(covered(spans[id], id, lead) for id in texts)
            result[named] = {
                "claims": len(told),
                "supported": round(sum(borne for _, borne in told) / max(1, len(told)), 4),
                "headings": wanted,
                "covered": round(heads / wanted, 4) if wanted else None,
                "baseline": round(base / wanted, 4) if wanted else None,
                "repeated": len(texts_of(content)) - len(set(texts_of(content))),
                "not borne out": [text for text, borne in told if not borne],
            }
    return result


def texts_of(content: dict[str, Any]) -> list[str]:
    return [
        item["statement"]["text"]
        for section in content.get("sections", [])
        for block in section["blocks"]
        if block["form"] in ("paragraph", "bullets")
        for item in block["items"]
    ]


def _leading(texts: dict[str, str], count: int) -> list[Grounds]:
    """As many sentences from where the sources begin, in turn."""
    from quire.text.sentences import sentences

    each = {
        id: [(start, end) for start, end in sentences(text) if len(tokens(text[start:end])) > 3]
        for id, text in texts.items()
    }
    found = []
    for at in range(count):
        for id, spans in each.items():
            if at < len(spans) and len(found) < count:
                start, end = spans[at]
                facts = {"source_id": id, "source_title": "", "version": 1, "excerpt": texts[id][start:end]}
                found.append(Grounds(start=start, end=end, **facts))  # type: ignore[arg-type]
    return found


async def quality(files: list[Path]) -> dict[str, Any]:
    async with sets.library(embedder=False) as library:
        whole = (await library.notebooks.create("All of them")).id
        result: dict[str, Any] = {}
        for file in files:
            try:
                await library.sources.add_file(whole, Upload.of(file))
            except Exception as error:
                print(f"{file.name}: {error}")
        result["together"] = await measured(library, whole)
        show("together", result["together"])
        for file in files:
            alone = (await library.notebooks.create(file.stem)).id
            try:
                await library.sources.add_file(alone, Upload.of(file))
            except Exception:
                continue
            result[file.name] = await measured(library, alone)
            show(file.name, result[file.name])
        return result


def show(name: str, kinds: dict[str, dict[str, Any]]) -> None:
    print(f"\n{name}")
    for kind, facts in kinds.items():
        print(f"  {kind:16} " + "  ".join(f"{key} {value}" for key, value in facts.items() if value != []), flush=True)


def summed(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A kind's figures over all notebooks."""
    names = dict.fromkeys(kind for kinds in result.values() for kind in kinds)
    found = {name: [kinds[name] for kinds in result.values() if "claims" in kinds.get(name, {})] for name in names}
    return {
        name: {
            "made": len(each),
            "claims": sum(one["claims"] for one in each),
            "supported": round(
                1 - sum(len(one["not borne out"]) for one in each) / sum(one["claims"] for one in each), 4
            ),
            "repeated": sum(one["repeated"] for one in each),
            **{
                key: round(sum(one[key] * one["headings"] for one in some) / sum(one["headings"] for one in some), 4)
                for some in [[one for one in each if one["headings"]]]
                if some
                for key in ("covered", "baseline")
            },
        }
        for name, each in found.items()
        if each
    }


async def speed(files: list[Path]) -> dict[str, Any]:
    async with sets.library(embedder=False) as library:
        notebook = (await library.notebooks.create("Speed")).id
        for file in files:
            await library.sources.add_file(notebook, Upload.of(file))
        result = {
            **await rendered(library, notebook, "report"),
            **await rendered(library, notebook, "slide_deck"),
            **await spoken(library, notebook),
            **await filmed(library, notebook),
        }
        many = (await library.notebooks.create("Many")).id
        for number in range(MANY):
            text = f"# Note {number}\n\nA note of the year {1700 + number} is about ship {number}. "
            text += f"The ship carried {number * 7} tons of grain to harbour {number % 9}.\n\n## Crew\n\n"
            text += f"The crew of ship {number} had {20 + number % 30} sailors from town {number % 17}.\n"
            await library.sources.add_text(many, f"Ship {number}", text)
        began = time.perf_counter()
        large = await library.artifacts.generate(many, "report")
        large_seconds = time.perf_counter() - began
        began = time.perf_counter()
        video = await library.artifacts.generate(many, "video", format="brief")
        return result | {
            "sources": MANY,
            "large_report_seconds": round(large_seconds, 2),
            "large_report_state": large.state,
            "large_video_seconds": round(time.perf_counter() - began, 2),
            "large_video_state": video.state,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }


async def rendered(library: Library, notebook: str, kind: Any) -> dict[str, Any]:
    """The processor time of an artifact beside that of its bare renderers, the best of a few, all warm.

    Processor time, because on a machine that others use the clock tells of them, too.
    """
    from quire.studio.kinds import kind_of

    # The first one also loads what makes the files, as the first use of the bare renderers would.
    made = await library.artifacts.generate(notebook, kind)
    found = (await library.artifacts.get_content(notebook, made.id)).content
    content = kind_of(kind).content_type.model_validate(found)
    makers = FileMakers(lambda extra: True)
    now = [one.name for one in makers.formats(kind) if not one.when_asked]
    whole, bare = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        await library.artifacts.generate(notebook, kind)
        whole.append(time.process_time() - began)
        began = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            for format in now:
                makers.make(kind, format, content, Path(folder) / format, lambda part: None)
        bare.append(time.process_time() - began)
    return {
        f"{kind}_seconds": round(min(whole), 3),
        f"{kind}_bare_renderers_seconds": round(min(bare), 3),
        f"{kind}_ratio": round(min(whole) / min(bare), 2),
    }


async def spoken(library: Library, notebook: str) -> dict[str, Any]:
    """The processor time on the way from sources to an MP3, beside that of the bare voice, both warm.

    What the encoder takes is told apart: it runs beside the voice, on another core.
    """
    from quire.adapters.voices import voice_of
    from quire.studio.kinds import kind_of
    from quire.text.read_aloud import read_aloud

    voice = voice_of()
    voice.speak("Ready.", 1)
    await library.artifacts.generate(notebook, "audio", draft=True)
    began = time.process_time()
    made = await library.artifacts.generate(notebook, "audio", draft=True)
    written = time.process_time() - began
    content = (await library.artifacts.get_content(notebook, made.id)).content
    script = kind_of("audio").content_type.model_validate(content)
    ways, bare, beside, seconds = [], [], [], 0.0
    for _ in range(ROUNDS):
        began = time.thread_time()
        for chapter in content["chapters"]:
            for turn in chapter["turns"]:
                for text in (turn["link"], *(one["text"] for one in turn["statements"]), turn["question"]):
                    if text:
                        seconds += len(voice.speak(read_aloud(text), turn["host"])) / 2 / 24_000 / ROUNDS
        bare.append(time.thread_time() - began)
        makers = FileMakers(lambda extra: True, lambda: voice)
        began, all_began = time.thread_time(), time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            for format in ("mp3", "md", "vtt", "json"):
                makers.make("audio", format, script, Path(folder) / format, lambda part: None)
        way = time.thread_time() - began
        beside.append(time.process_time() - all_began - way)
        ways.append(written + way)
    return {
        "audio_seconds": round(min(ways), 2),
        "bare_voice_seconds": round(min(bare), 2),
        "audio_ratio": round(min(ways) / min(bare), 2),
        "encoder_beside_seconds": round(min(beside), 2),
        "seconds_of_sound": round(seconds),
    }


async def filmed(library: Library, notebook: str) -> dict[str, Any]:
    """The time of a video beside that of the bare voice and of the bare encoder, given its pictures and its sound."""
    import subprocess

    import av

    from quire.adapters.video.ffmpeg_program import program
    from quire.adapters.voices import voice_of
    from quire.text.read_aloud import read_aloud

    began = time.perf_counter()
    made = await library.artifacts.generate(notebook, "video")
    whole = time.perf_counter() - began
    told = json.loads(await (await library.artifacts.download(notebook, made.id, "json")).read())
    voice = voice_of()
    voice.speak("Ready.", 1)
    began = time.perf_counter()
    for chapter in told["chapters"]:
        for turn in chapter["turns"]:
            for part in turn["parts"]:
                voice.speak(read_aloud(part["text"]), 1)
    bare_voice = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "film.mp4").write_bytes(await (await library.artifacts.download(notebook, made.id)).read())
        times: list[float] = []
        with av.open(str(folder / "film.mp4")) as file:
            last = None
            for frame in file.decode(video=0):
                seen = frame.reformat(64, 36, "gray").to_ndarray().astype(int)
                if last is None or abs(seen - last).max() > 24:
                    frame.to_image().save(folder / f"{len(times)}.png")
                    times.append(frame.time or 0.0)
                last = seen
        ends = [*times[1:], told["seconds"]]
        lines = [
            f"file {at}.png\nduration {end - start:.3f}"
            for at, (start, end) in enumerate(zip(times, ends, strict=True))
        ]
        (folder / "list.txt").write_text("\n".join(["ffconcat version 1.0", *lines, f"file {len(times) - 1}.png"]))
        ffmpeg = str(program())
        subprocess.run([ffmpeg, "-v", "error", "-i", "film.mp4", "-map", "0:a", "sound.wav"], cwd=folder, check=True)
        began = time.perf_counter()
        subprocess.run(
            [ffmpeg, "-v", "error", "-f", "concat", "-i", "list.txt", "-i", "sound.wav", "-vf", "fps=25,format=yuv420p",
             "-c:v", "libx264", "-preset", "superfast", "-crf", "21", "-tune", "stillimage", "-c:a", "aac",
             "-t", str(told["seconds"]), "bare.mp4"],
            cwd=folder, check=True,
        )  # fmt: skip
        bare_encoder = time.perf_counter() - began
    return {
        "video_seconds": round(whole, 2),
        "bare_voice_for_video_seconds": round(bare_voice, 2),
        "bare_encoder_seconds": round(bare_encoder, 2),
        "video_ratio": round(whole / (bare_voice + bare_encoder), 2),
        "seconds_of_video": told["seconds"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    result = asyncio.run(speed(given.files) if given.speed else quality(given.files))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2), encoding="utf-8")
    if given.speed:
        print(json.dumps(result, indent=2))
        return
    show("all notebooks", summed(result))


if __name__ == "__main__":
    main()
