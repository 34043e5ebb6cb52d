"""From a film to an MP4: H.264 and AAC, with chapters and a track of subtitles."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from quire.adapters.rendering.scene import Scene
from quire.adapters.rendering.typst_pages import pictures
from quire.adapters.rendering.video import cinema
from quire.adapters.rendering.video.frames import WIDE
from quire.adapters.rendering.video.stills import Stills
from quire.adapters.video.ffmpeg_program import INPUT
from quire.adapters.video.film import Film, Shot, vtt
from quire.ports.artifact_files import Progress
from quire.ports.voices import RATE

FRAMES = 25
SIZE = f"{int(WIDE.width)}x{int(WIDE.height)}"
AT_ONCE = 8
# How much of the work is drawing, encoding, joining and looking at it again.
DRAWN, ENCODED, JOINED = 0.2, 0.8, 0.88
# Pictures come five times a second and are blended into each other in between, so that each change is a short fade.
BLENDED = "format=yuv420p,fps=5,framerate=fps=25:interp_start=0:interp_end=255:scene=100"
X264 = ("-c:v", "libx264", "-preset", "superfast", "-crf", "21", "-profile:v", "high", "-pix_fmt", "yuv420p",
        "-threads", "4")  # fmt: skip
STILL = ("-tune", "stillimage", "-x264-params", "bframes=0:rc-lookahead=5:keyint=125")
MOVING = ("-x264-params", "keyint=125")
COLORS = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv")
TO_BT709 = "scale=out_color_matrix=bt709:out_range=tv"
FADE = 0.4
# How far a picture is zoomed, and how many times as large it is drawn, so that it moves evenly.
ZOOM, LARGER = 0.12, 2
LANGUAGES = {
    "en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld", "ru": "rus",
    "zh": "zho", "ja": "jpn", "ko": "kor", "ar": "ara", "he": "heb", "hi": "hin", "pl": "pol", "tr": "tur",
}  # fmt: skip
# Seconds that a run may take: some, and so many for each second of the film.
SOME, EACH = 120.0, 20.0
SAMPLED = (64, 36)
# How sound is looked at: samples a second, what is silent, and how much of what is spoken is loud at least.
HEARD, SILENT, LEAST_LOUD = 8_000, 0.003, 0.3
BRACES = str.maketrans("{}", "()")


def encode(film: Film, path: Path, progress: Progress) -> None:
    """Everything is made in a folder of its own, so that nothing half-made is ever at the path."""
    with tempfile.TemporaryDirectory(prefix="quire-video-") as name:
        folder = Path(name)
        seen = _moving if film.moves else _stills
        parts = seen(film, folder, progress)
        _write_list(folder / "parts.txt", [(part, None) for part in parts])
        _join(film, folder, lambda part: progress(ENCODED + part * (JOINED - ENCODED)))
        look_again(folder / "film.mp4", film, folder, lambda part: progress(JOINED + part * (1 - JOINED)))
        shutil.move(folder / "film.mp4", path)


def limit(film: Film) -> float:
    return SOME + EACH * film.seconds


def _stills(film: Film, folder: Path, progress: Progress) -> list[str]:
    stills = Stills(film.video, film.look.theme, captions=film.captioned)
    shots = film.shots()
    files = _drawn(
        film, shots, lambda shot: stills.still(shot.scene, shot.said, shot.caption), folder, "still",
        lambda part: progress(part * DRAWN),
    )  # fmt: skip
    times = [shot.end - shot.start for shot in shots]
    _write_list(folder / "stills.txt", [*zip(files, times, strict=True), (files[-1], None)])
    film.ffmpeg.run(
        [*INPUT, "-f", "concat", "-safe", "1", "-i", "stills.txt", "-vf", f"{TO_BT709},{BLENDED}", *X264, *STILL,
         *COLORS, "-t", f"{film.seconds:.3f}", "-an", "part.mp4"],
        folder, film.seconds, limit(film), lambda part: progress(DRAWN + part * (ENCODED - DRAWN)),
    )  # fmt: skip
    return ["part.mp4"]


def _moving(film: Film, folder: Path, progress: Progress) -> list[str]:
    """A file for each scene: its picture slowly moved, and what is written over it standing still."""
    theme, shots = film.look.theme, film.shots()
    stills = Stills(film.video, theme, captions=True)
    count = len(film.video.scenes)
    parts: list[str] = []
    for number in range(count):
        begin, end = (round(film.starts[at] * FRAMES) for at in (number, number + 1))
        frames = max(1, end - begin)
        own = [shot for shot in shots if shot.scene == number]
        done = number / count
        progress(done * ENCODED)
        (folder / f"picture{number}.png").write_bytes(
            pictures([cinema.picture(film.video, theme, number)], "", int(WIDE.width) * LARGER)[0]
        )
        files = _drawn(
            film, own,
            lambda shot: cinema.written_over(film.video, theme, stills, shot.scene, shot.said, shot.caption),
            folder, f"over{number}-", lambda part, done=done: progress(done * ENCODED),  # type: ignore[misc]
        )  # fmt: skip
        times = [shot.end - shot.start for shot in own]
        _write_list(folder / f"over{number}.txt", [*zip(files, times, strict=True), (files[-1], None)])
        seconds = frames / FRAMES
        graph = (
            # Colours are changed once for each picture, not for each frame.
            f"[0:v]{TO_BT709},format=yuv420p,zoompan={_move(number, frames)}:d={frames}:s={SIZE}:fps={FRAMES}[under];"
            f"[1:v]{TO_BT709},format=yuva420p,fps={FRAMES}[over];[under][over]overlay=eof_action=repeat,"
            f"fade=t=in:d={FADE},fade=t=out:st={max(0.0, seconds - FADE):.3f}:d={FADE},format=yuv420p"
        )
        name = f"part{number:03}.mp4"
        film.ffmpeg.run(
            [*INPUT, "-i", f"picture{number}.png", *INPUT, "-f", "concat", "-safe", "1", "-i", f"over{number}.txt",
             "-filter_complex", graph, *X264, *MOVING, *COLORS, "-frames:v", str(frames), "-an", name],
            folder, seconds, limit(film),
            lambda part, done=done: progress((done + part / count) * ENCODED),  # type: ignore[misc]
        )  # fmt: skip
        parts.append(name)
    return parts


def _move(number: int, frames: int) -> str:
    """Nearer, farther, to one side and to the other, in turn."""
    part = f"on/{max(1, frames - 1)}"
    middle, low = "(iw-iw/zoom)/2", "(ih-ih/zoom)/2"
    near = 1 + ZOOM
    return (
        f"z='1+{ZOOM}*{part}':x='{middle}':y='{low}'",
        f"z='{near}':x='(iw-iw/zoom)*{part}':y='{low}'",
        f"z='{near}-{ZOOM}*{part}':x='{middle}':y='{low}'",
        f"z='{near}':x='(iw-iw/zoom)*(1-{part})':y='{low}'",
    )[number % 4]


def _drawn(
    film: Film, shots: Sequence[Shot], draw: Callable[[Shot], Scene], folder: Path, name: str, progress: Progress
) -> list[str]:
    """A file for each shot; shots that look the same share one."""
    looks = list(dict.fromkeys((shot.scene, shot.said, shot.caption) for shot in shots))
    first = {(shot.scene, shot.said, shot.caption): shot for shot in reversed(shots)}
    names = {look: f"{name}{place:04}.png" for place, look in enumerate(looks)}
    for start in range(0, len(looks), AT_ONCE):
        progress(start / len(looks))
        some = looks[start : start + AT_ONCE]
        made = pictures([draw(first[look]) for look in some], "", int(film.frame.width))
        for look, picture in zip(some, made, strict=True):
            (folder / names[look]).write_bytes(picture)
    return [names[shot.scene, shot.said, shot.caption] for shot in shots]


def _write_list(path: Path, files: Sequence[tuple[str, float | None]]) -> None:
    """Files, one after the other; their names are our own."""
    lines = ["ffconcat version 1.0"]
    for name, seconds in files:
        lines.append(f"file {name}")
        if seconds is not None:
            lines.append(f"duration {seconds:.3f}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _join(film: Film, folder: Path, progress: Progress) -> None:
    # On their way into the track cues are a form in which braces have a meaning.
    plain = [replace(cue, text=cue.text.translate(BRACES)) for cue in film.cues()]
    (folder / "cues.vtt").write_text(vtt(plain), encoding="utf-8")
    (folder / "facts.txt").write_text(facts(film), encoding="utf-8")
    language = LANGUAGES.get(film.video.spoken, "und")
    told = [f"language={language}"]
    film.ffmpeg.run(
        [*INPUT, "-f", "concat", "-safe", "1", "-i", "parts.txt",
         *INPUT, "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", f"file:{film.recording.samples}",
         *INPUT, "-f", "webvtt", "-i", "cues.vtt", *INPUT, "-f", "ffmetadata", "-i", "facts.txt",
         "-map", "0:v:0", "-map", "1:a:0", "-map", "2:s:0", "-map_metadata", "3", "-map_chapters", "3",
         "-c:v", "copy", "-c:a", "aac", "-b:a", "96k", "-ar", "48000", "-c:s", "mov_text",
         "-metadata:s:a:0", *told, "-metadata:s:s:0", *told, "-movflags", "+faststart", "film.mp4"],
        folder, film.seconds, limit(film), progress,
    )  # fmt: skip


def facts(film: Film) -> str:
    """Title and chapters in ffmpeg's own form."""
    lines = [";FFMETADATA1", f"title={_escaped(film.video.title)}"]
    for chapter in film.chapters():
        start, end = int(chapter.start * 1000), int(chapter.end * 1000)
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={start}", f"END={end}", f"title={_escaped(chapter.title)}"]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return "".join(f"\\{letter}" if letter in "=;#\\" else letter for letter in text)


def look_again(path: Path, film: Film, folder: Path, progress: Progress) -> None:
    """Decodes all of it: pictures are there, not empty and not all the same, and what is spoken can be heard."""
    wide, high = SAMPLED if film.frame.width > film.frame.height else SAMPLED[::-1]
    film.ffmpeg.run(
        ["-xerror", *INPUT, "-i", f"file:{path}", "-map", "0:v:0", "-vf", f"fps=2,scale={wide}:{high},format=gray",
         "-f", "rawvideo", "seen.raw", "-map", "0:a:0", "-ar", str(HEARD), "-ac", "1", "-f", "s16le", "heard.raw"],
        folder, film.seconds, limit(film), progress,
    )  # fmt: skip
    seen = (folder / "seen.raw").read_bytes()
    size = wide * high
    frames = [seen[at : at + size] for at in range(0, len(seen) - size + 1, size)]
    if abs(len(frames) / 2 - film.seconds) > 2.0:
        raise ValueError(f"it shows {len(frames) / 2:.1f} seconds where its script has {film.seconds:.1f}")
    empty = sum(max(frame) - min(frame) < 12 for frame in frames)
    if empty * 4 > len(frames):
        raise ValueError("most of its pictures are empty")
    if len(film.video.scenes) > 1 and len(set(frames)) < 2:
        raise ValueError("all its pictures are the same")
    _listen(folder / "heard.raw", film)


def _listen(path: Path, film: Film) -> None:
    import numpy

    sound = numpy.fromfile(path, dtype="<i2").astype(numpy.float32) / 32768
    window = HEARD // 20
    parts = sound[: len(sound) // window * window].reshape(-1, window)
    loud = float((numpy.sqrt((parts**2).mean(axis=1)) > SILENT).sum()) / 20
    spoken = sum(part.end - part.start for _, part in film.recording.parts if not part.silent)
    if loud < LEAST_LOUD * spoken:
        raise ValueError("what is spoken cannot be heard")
