"""Files that are sent in: announced, then received under an address that says what they are."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from quire.api.library import Library
from quire.domain.errors import InvalidInput, NotAllowed, TooLarge
from quire.domain.files import Upload
from quire.domain.sources import Source
from quire.notebooklm.upload import UPLOAD_PATH, Announced
from quire.ports.machine import Purpose, Signer

HOUR = 3600


async def address(library: Library, announced: Announced, host: str, most: int) -> str:
    """Where the bytes go to; whoever has the address may send this one file, for an hour."""
    await library.notebooks.get(announced.notebook_id)
    if announced.size is not None and announced.size > most:
        raise TooLarge(f"The file is larger than {most:,} bytes.")
    claims = {"upload": [announced.notebook_id, announced.source_id, announced.name], "by": library.context.actor.id}
    upload_id = library.engine.signer.sign(Purpose.WIRE_UPLOAD, claims, HOUR)
    return f"https://{host}{UPLOAD_PATH}?authuser=0&upload_id={upload_id}"


def announced_at(signer: Signer, upload_id: str, actor_id: str) -> Announced:
    """What was announced under this address."""
    try:
        claims = signer.verify(Purpose.WIRE_UPLOAD, upload_id)
    except NotAllowed:
        raise InvalidInput("This upload is not known, or it has expired.") from None
    if claims["by"] != actor_id:
        raise InvalidInput("This upload is not yours.")
    notebook_id, source_id, name = claims["upload"]
    return Announced(notebook_id, name, source_id)


async def received(library: Library, announced: Announced, chunks: Callable[[], AsyncIterator[bytes]]) -> Source:
    """Makes the source of the bytes, under the id that it was announced with. It is read afterwards."""
    file = Upload(announced.name, chunks)
    return await library.sources.add_file(
        announced.notebook_id, file, wait=False, source_id=announced.source_id.lower()
    )
