"""Pictures, by the text that stands in them."""

from __future__ import annotations

import warnings
from pathlib import Path

from quire.adapters.readers.draft import Draft, Progress
from quire.adapters.readers.failures import reading, too_many
from quire.adapters.readers.limits import Limits
from quire.domain.errors import TooLarge

WHAT = "a picture"
MOST_PIXELS = 100_000_000
LONGEST_SIDE = 4_000


def read_image(path: Path, limits: Limits, progress: Progress | None = None) -> Draft:
    draft = Draft(limits, progress)
    with reading(WHAT, extra="ocr"), warnings.catch_warnings():
        # Pillow warns of what it then raises, or of marks in the file that nobody asked for.
        warnings.simplefilter("ignore")
        from PIL import Image, ImageOps, ImageSequence

        from quire.adapters.readers.recognition import recognised_paragraphs

        Image.MAX_IMAGE_PIXELS = None
        with Image.open(path) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise TooLarge(f"The picture has more than {MOST_PIXELS:,} points.")
            count = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
            if count > limits.pages:
                raise too_many(count, limits.pages, "pages")
            for number, frame in enumerate(ImageSequence.Iterator(picture), 1):
                if count > 1:
                    draft.mark("page", str(number))
                shown = ImageOps.exif_transpose(frame).convert("RGB")
                shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
                for text in recognised_paragraphs(shown):
                    draft.block(text)
                draft.progress(number, count, more_time=True)
                if number == count:
                    break
    return draft.finish("No text was recognised in the picture.")
