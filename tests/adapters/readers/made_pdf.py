"""PDF files, written by hand: just enough for a reader to have something to do."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from typing import NamedTuple

PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


class Words(NamedTuple):
    """A line on a page: where it begins, how large, in which of the two fonts."""

    text: str
    x: float = 72
    y: float = 700
    size: float = 12
    font: str = "F1"


def paragraph(lines: Sequence[str], y: float = 650, x: float = 72, size: float = 12) -> list[Words]:
    """Lines one below the other."""
    return [Words(text, x, y - number * size * 1.2, size) for number, text in enumerate(lines)]


def pdf(
    pages: Sequence[Sequence[Words]],
    title: str = "",
    outline: Sequence[tuple[str, int]] = (),
    password: str = "",
    picture: bytes = b"",
    turned: bool = False,
    drawn: str = "",
) -> bytes:
    """A document of such pages. `outline` gives titles and page numbers; `picture` fills every page (grey, 8 by 8).

    `turned` pages lie on their side in the file, and are shown upright. `drawn` is what else every page draws.
    """
    objects: list[bytes] = [b""] * 5
    kids = []
    for page in pages:
        places = [f"0 1 -1 0 {792 - w.y} {w.x} Tm" if turned else f"{w.x} {w.y} Td" for w in page]
        shown = "".join(
            f"BT /{w.font} {w.size} Tf {place} ({escaped(w.text)}) Tj ET\n"
            for w, place in zip(page, places, strict=True)
        )
        shown += drawn
        if picture:
            shown += "q 612 0 0 792 0 0 cm /Im1 Do Q\n"
        content = shown.encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R %s /Contents %d 0 R /Resources "
            b"<< /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /Im1 5 0 R >> >> >>"
            % (b"/MediaBox [0 0 792 612] /Rotate 90" if turned else b"/MediaBox [0 0 612 792]", len(objects))
        )
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    objects[2] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
    data = zlib.compress(picture or b"\xff" * 64)
    objects[4] = (
        b"<< /Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(data), data)
    )
    first = len(objects) + 2
    marks = b""
    if outline:
        marks = b"/Outlines %d 0 R" % (first - 1)
        last = first + len(outline) - 1
        objects.append(b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>" % (first, last, len(outline)))
        for number, (words, page_number) in enumerate(outline):
            follows = b"/Next %d 0 R" % (first + number + 1) if number + 1 < len(outline) else b""
            before = b"/Prev %d 0 R" % (first + number - 1) if number else b""
            objects.append(
                b"<< /Title (%s) /Parent %d 0 R /Dest [%d 0 R /Fit] %s %s >>"
                % (escaped(words).encode("latin-1"), first - 1, kids[page_number - 1], follows, before)
            )
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % marks
    return bound(objects, title, password)


def empty_pages(count: int) -> bytes:
    """A document of many pages with nothing on them."""
    kids = b" ".join(b"%d 0 R" % (number + 3) for number in range(count))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>"
    tree = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, kids)
    return bound([b"<< /Type /Catalog /Pages 2 0 R >>", tree, *[page] * count])


def bound(objects: list[bytes], title: str = "", password: str = "") -> bytes:
    """Objects with a table of where they begin, and a trailer."""
    objects = [*objects, b"<< /Title (%s) >>" % escaped(title).encode("latin-1")]
    trailer = b"/Root 1 0 R /Info %d 0 R" % len(objects)
    if password:
        trailer += b" /ID [<00> <00>] /Encrypt %d 0 R" % (len(objects) + 1)
        objects.append(locked(password))
    data = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(data)


def locked(password: str) -> bytes:
    """The dictionary of the oldest encryption, with a password that a reader must know."""
    padded = (password.encode() + PADDING)[:32]
    owner = scrambled(hashlib.md5(padded).digest()[:5], padded)
    permissions = (-4).to_bytes(4, "little", signed=True)
    key = hashlib.md5(padded + owner + permissions + b"\x00").digest()[:5]
    user = scrambled(key, PADDING)
    return b"<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >>" % (
        owner.hex().encode(),
        user.hex().encode(),
    )


def scrambled(key: bytes, data: bytes) -> bytes:
    """RC4."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
