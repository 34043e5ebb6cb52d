"""Files of books: assets at their address, and uploads in pieces."""

from __future__ import annotations

import re
from typing import ClassVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from quire.api.engine import PiecewiseUpload
from quire.api.library import Library
from quire.domain.errors import Conflict, QuireError
from quire.entry.http.answers import Refused, json_response
from quire.entry.http.api import calling
from quire.entry.http.arguments import received
from quire.entry.http.files import disposition, file_response
from quire.entry.http.safety import Access

PIECE = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})")
# What a browser may show in a page of ours; all else is offered to be saved.
SHOWN = re.compile(r"(image|audio|video)/[\w.+-]+|application/pdf")


class BookFiles:
    """Routes that serve bytes rather than JSON."""

    access: ClassVar[dict[str, Access]] = {"/uploads/": Access(open=True, body="file")}

    def __init__(self, library: Library) -> None:
        self._library = library

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/books/{book_id}/assets/{asset_type}/{filename}", self.asset),
            Route("/uploads/{token}", self.progress, methods=["GET", "HEAD"]),
            Route("/uploads/{token}", self.upload, methods=["PUT"]),
        ]

    async def asset(self, request: Request) -> Response:
        """An asset at the address that stands for it where no other is set."""
        library = calling(request, self._library)
        file = await library.books.download_asset(**request.path_params)
        response = await file_response(request, file)
        if SHOWN.fullmatch(file.media_type):
            response.headers["Content-Disposition"] = disposition(file.name).replace("attachment", "inline", 1)
        return response

    async def progress(self, request: Request) -> Response:
        upload = self._upload(request)
        done = await upload.received()
        return json_response({"received": done, "size": upload.size}, 200, {"Upload-Offset": str(done)})

    async def upload(self, request: Request) -> Response:
        """Bytes of an upload: all of them, or the piece that Content-Range names."""
        upload = self._upload(request)
        start = piece_of(request, upload.size)
        try:
            result = await upload.receive(start, received(request))
        except QuireError as error:
            if isinstance(error, Conflict) and "received" in error.details:
                done = str(error.details["received"])
                raise Refused(409, "conflict", error.message, headers={"Upload-Offset": done}) from None
            raise
        if isinstance(result, int):
            return json_response({"received": result, "size": upload.size}, 202, {"Upload-Offset": str(result)})
        return json_response(result.model_dump(mode="json"), 201, {"Upload-Offset": str(upload.size)})

    def _upload(self, request: Request) -> PiecewiseUpload:
        token, request_id = request.path_params["token"], request.scope["quire.request_id"]
        return self._library.engine.upload(token, request_id)


def piece_of(request: Request, size: int) -> int:
    """Where the bytes of a request begin."""
    given = request.headers.get("content-range")
    if given is None:
        return 0
    piece = PIECE.fullmatch(given.strip())
    if piece is None or int(piece[3]) != size or int(piece[2]) >= size or int(piece[1]) > int(piece[2]):
        raise Refused(400, "malformed", f"Content-Range must be 'bytes first-last/{size}'.")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) != int(piece[2]) - int(piece[1]) + 1:
        raise Refused(400, "malformed", "The body is not as long as Content-Range says.")
    return int(piece[1])
