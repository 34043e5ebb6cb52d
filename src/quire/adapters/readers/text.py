"""Plain text in whatever encoding it comes: notes, logs, code, JSON."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import DAMAGE, reading
from quire.adapters.readers.limits import Limits
from quire.domain.errors import InvalidInput

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE = 64 * 1024
NOT_TEXT = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
MOST_NOT_TEXT = 0.02
# Double-byte encodings, each with the first bytes of its common characters; the more special come first.
FAR_EAST = {
    "cp949": (range(0xA1, 0xA4), range(0xB0, 0xC9)),
    "euc_jp": (range(0xA1, 0xA6), range(0xB0, 0xD0)),
    "cp932": (range(0x81, 0x84), range(0x88, 0x98)),
    "big5": (range(0xA1, 0xA4), range(0xA4, 0xC7)),
    "gb18030": (range(0xA1, 0xA4), range(0xB0, 0xD8)),
}
# For letters with accents among plain ones; the more usual come first.
LATIN = ("cp1252", "cp1250", "cp1254", "iso8859_2", "cp1257")
HIGH = re.compile(rb"[\x80-\xff]")
ACCENTED = re.compile(rb"(?:[a-z][\x80-\xff]|[\x80-\xff](?=[a-z]))", re.IGNORECASE)
COMMON = 0.9
WIDE = re.compile(r"[^\x00-\x7f]")
BESIDE_A_LETTER = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]")
MOST_BESIDE = 0.3
ENOUGH = 3_000


def read_text(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading("a text file"):
        draft.block(decode(path.read_bytes()))
    return draft.finish("The file is empty.")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of some bytes: by byte order mark, as UTF-8 or UTF-16, as declared, else by what it looks like."""
    for mark, marked in MARKS:
        if data.startswith(mark):
            return data.decode(marked, "replace")
    for encoding in filter(None, ("utf-8", declared)):
        try:
            text = data.decode(encoding)
        except (LookupError, UnicodeError):
            continue
        if "\x00" not in text[:SAMPLE]:
            return text
    wide = _utf16(data)
    if wide:
        return data.decode(wide, "replace")
    if len(NOT_TEXT.findall(data[:SAMPLE])) > MOST_NOT_TEXT * len(data[:SAMPLE]):
        raise InvalidInput("The file is not text, and its kind is not known.")
    if _nearly_utf8(data):
        return data.decode("utf-8", "replace")
    return data.decode(_guess(data), "replace")


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Western text is zero."""
    head = data[:SAMPLE]
    if len(head) < 4:
        return None
    even, odd = head[0::2].count(0) / len(head[0::2]), head[1::2].count(0) / len(head[1::2])
    if odd > 0.4 and even < 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 and odd < 0.1 else None


def _nearly_utf8(data: bytes) -> bool:
    """UTF-8 with a few bytes gone wrong, as logs and cut files have it."""
    head = data[:SAMPLE]
    wrong = head.decode("utf-8", "replace").count("\ufffd")
    high = sum(1 for byte in head if byte >= 0x80)
    return wrong * 20 < high


def _guess(data: bytes) -> str:
    high = next((at for at, byte in enumerate(data) if byte >= 0x80), 0)
    sample = data[max(0, high - SAMPLE // 4) :][:SAMPLE]
    far = _far_eastern(sample, whole=len(sample) == len(data))
    if far:
        return far
    accented = len(ACCENTED.findall(sample)) > MOST_BESIDE * len(HIGH.findall(sample))
    try:
        from charset_normalizer import from_bytes

        best = from_bytes(sample, cp_isolation=list(LATIN) if accented else None).best()
    except (ImportError, *DAMAGE):
        best = None
    return best.encoding if best is not None else "cp1252"


def _far_eastern(sample: bytes, whole: bool) -> str | None:
    """Short texts mislead statistics; but one that is made of an encoding's common characters is rarely chance."""
    found: dict[str, float] = {}
    for encoding, common in FAR_EAST.items():
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(sample, final=whole)
        except UnicodeDecodeError:
            continue
        wide = WIDE.findall(text)[:ENOUGH]
        if wide and len(BESIDE_A_LETTER.findall(text)) < MOST_BESIDE * len(wide):
            firsts = [character.encode(encoding)[0] for character in wide]
            found[encoding] = sum(1 for first in firsts if any(first in span for span in common)) / len(wide)
    best = max(found, key=lambda encoding: found[encoding], default=None)
    return best if best is not None and found[best] >= COMMON else None
