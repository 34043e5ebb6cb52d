"""The HTTP door: `/api`, `/files`, `/mcp` and the start page, behind one set of checks."""

from quire.entry.http.app import create_app, serve

__all__ = ["create_app", "serve"]
