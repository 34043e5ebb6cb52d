"""The least server of one resource: `bare_resource.py PORT FILE` answers every read with the file's text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.lowlevel.server import Server


def main(port: int, file: str) -> None:
    text = Path(file).read_text(encoding="utf-8")

    async def read(context: Any, params: Any) -> types.ReadResourceResult:
        contents = types.TextResourceContents(uri=params.uri, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    server: Server[Any] = Server("bare", version="1", on_read_resource=read)
    app = server.streamable_http_app(json_response=True)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
