"""What people should know of a video: what is silent in it, how its look came about, and what cinematic means here."""

from __future__ import annotations

from quire.adapters.rendering.video.looks import look_of
from quire.domain.video_overviews import CUSTOM, VideoOverview
from quire.ports.voices import Voice

NO_VOICE = "There is no voice here, so it is silent, and what would be said is written below: quire extras add voice"
SILENT = "{} of {} lines are in a language that the voice does not speak; they are silent, and written below."
CINEMATIC = "Cinematic means stills with slow pans and zooms and captions here: no footage is generated."
HEEDED = "Of the look that was wished for these words were heeded: {}. The rest is in the style {}."
NOT_HEEDED = "Nothing of the look that was wished for could be understood; it is in the style {}."
NOT_WISHED = "No look was wished for in words; it is in the style {}."


def video_remarks(video: VideoOverview, voice: Voice) -> list[str]:
    lines = [line for scene in video.scenes for line in scene.lines]
    silent = sum(not voice.speaks(line.language or video.spoken) for line in lines)
    told: list[str] = []
    if voice.name == "none":
        told.append(NO_VOICE)
    elif silent:
        told.append(SILENT.format(silent, len(lines)))
    if video.form == "cinematic":
        told.append(CINEMATIC)
    look = look_of(video)
    if video.wish:
        told.append(HEEDED.format(", ".join(look.heeded), look.name) if look.heeded else NOT_HEEDED.format(look.name))
    elif video.style == CUSTOM:
        told.append(NOT_WISHED.format(look.name))
    return told
