"""Any search service that describes itself by OpenAPI: its search operation is found by its query parameter."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

import yaml

from quire.adapters.finders.service import MOST, Access, Service, plain, text_at, told
from quire.domain.errors import Unsupported
from quire.domain.web_addresses import doi_of
from quire.ports.finders import Found

# What services call things, the usual names first.
QUERY = ("q", "query", "search", "text", "term", "terms", "keywords", "keyword", "s", "search_query", "question")
LIMIT = ("limit", "count", "rows", "size", "per_page", "per-page", "max_results", "maxResults", "top", "num", "n")
TITLE = ("title", "name", "heading", "label", "display_name", "headline")
ADDRESS = ("url", "link", "href", "uri", "web_url", "html_url", "permalink", "landing_page_url", "webUrl", "doi")
SNIPPET = ("snippet", "description", "summary", "abstract", "content", "excerpt", "text", "body", "highlight")
PATHS, NODES, DEPTH = 1_000, 20_000, 8


@dataclass(frozen=True)
class Operation:
    """How to ask: where, by which parameter, and what must be sent along."""

    path: str
    query: str
    posts: bool
    limit: str | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)


class OpenApi:
    """The address is the description's own; the key goes where the description says."""

    name = "openapi"

    def __init__(self, access: Access) -> None:
        address = access.address or ""
        parts = urlsplit(address)
        self._address = address
        self._path = address[len(f"{parts.scheme}://{parts.netloc}") :] or "/"
        self._key = access.key
        self._service = Service(self.name, "", access._replace(address=f"{parts.scheme}://{parts.netloc}"))
        self._described: tuple[Operation, str, tuple[str, str] | None] | None = None

    async def find(self, query: str, limit: int, language: str | None) -> list[Found]:
        if self._described is None:
            data = await self._service.bytes(self._path)
            self._described = await asyncio.to_thread(self._read, data)
        operation, base, credential = self._described
        sent = {**operation.fixed, operation.query: query}
        if operation.limit:
            sent[operation.limit] = limit
        headers: dict[str, str] = {}
        if self._key and credential:
            place, name = credential
            value = f"Bearer {self._key}" if name == "Authorization" else self._key
            (headers if place == "header" else sent)[name] = value
        if operation.posts:
            answer = await self._service.json(operation.path, headers=headers, content=sent, base=base)
        else:
            answer = await self._service.json(operation.path, sent, headers=headers, base=base)
        return told(results(answer), self._found, limit)

    def _read(self, data: bytes) -> tuple[Operation, str, tuple[str, str] | None]:
        try:
            described = json.loads(data) if data.lstrip()[:1] == b"{" else yaml.safe_load(data)
        except (ValueError, yaml.YAMLError, RecursionError):
            raise self._service.strange() from None
        operation = search_operation(described)
        if operation is None:
            raise Unsupported(
                "openapi: the description has no operation that searches.",
                hint=f"An operation with one of these parameters is looked for: {', '.join(QUERY)}.",
            )
        servers = described.get("servers")
        own = text_at(servers[0], "url") if isinstance(servers, list) and servers else None
        base = urljoin(self._address, own or "/").rstrip("/")
        return operation, base, _credential(described)

    def _found(self, row: dict[str, Any]) -> Found:
        def first(names: tuple[str, ...]) -> str | None:
            return next((value for name in names if isinstance(value := row.get(name), str) and value), None)

        address, doi = first(ADDRESS), doi_of(text_at(row, "doi") or text_at(row, "DOI"))
        if address and doi and "://" not in address:
            address = f"https://doi.org/{doi}"
        return Found(plain(first(TITLE)), address, snippet=plain(first(SNIPPET)), doi=doi, finder=self.name)


def search_operation(described: Any) -> Operation | None:
    """The operation whose query parameter is called most like one; a path that says `search` counts for more."""
    paths = described.get("paths") if isinstance(described, dict) else None
    found: list[tuple[int, int, Operation]] = []
    for number, (path, item) in enumerate(paths.items() if isinstance(paths, dict) else ()):
        if number >= PATHS or not isinstance(path, str) or not isinstance(item, dict) or "{" in path:
            continue
        for method in ("get", "post"):
            operation = item.get(method)
            if isinstance(operation, dict):
                made = _operation(described, path, method == "post", operation, item.get("parameters"))
                if made is not None:
                    says = "search" in f"{path} {operation.get('operationId', '')}".lower()
                    found.append((QUERY.index(made.query) - (len(QUERY) if says else 0), number, made))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _operation(described: Any, path: str, posts: bool, operation: dict[str, Any], shared: Any) -> Operation | None:
    fields: dict[str, tuple[dict[str, Any], bool]] = {}
    if posts:
        body = _resolved(described, operation.get("requestBody"))
        schema = _resolved(described, _inside(body, "content", "application/json", "schema"))
        for name, one in _inside(schema, "properties").items():
            fields[name] = (_resolved(described, one), name in _listed(schema.get("required")))
    else:
        own = [*_listed(shared), *_listed(operation.get("parameters"))]
        for one in (_resolved(described, parameter) for parameter in own):
            if one.get("in") == "query" and isinstance(one.get("name"), str):
                schema = _resolved(described, one.get("schema"))
                fields[one["name"]] = ({"example": one.get("example"), **schema}, one.get("required") is True)
    query = next((name for name in QUERY if name in fields), None)
    if query is None:
        return None
    limit = next((name for name in LIMIT if name in fields), None)
    fixed = {}
    for name, (schema, required) in fields.items():
        if required and name not in (query, limit):
            choices = (schema.get("default"), schema.get("example"), *_listed(schema.get("enum")))
            value = next((one for one in choices if one), None)
            if not isinstance(value, str | int):
                return None
            fixed[name] = value
    return Operation(path, query, posts, limit, fixed)


def _resolved(described: Any, one: Any) -> dict[str, Any]:
    """What a reference inside the description leads to; nothing else is looked up."""
    for _ in range(DEPTH):
        reference = one.get("$ref") if isinstance(one, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        one = described
        for name in reference[2:].split("/"):
            one = one.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(one, dict) else None
    return one if isinstance(one, dict) else {}


def _inside(one: Any, *path: str) -> dict[str, Any]:
    for name in path:
        one = one.get(name) if isinstance(one, dict) else None
    return one if isinstance(one, dict) else {}


def _listed(one: Any) -> list[Any]:
    return one if isinstance(one, list) else []


def _credential(described: dict[str, Any]) -> tuple[str, str] | None:
    """Where a key is sent: in a header or in the query, and under which name."""
    for scheme in _inside(described, "components", "securitySchemes").values():
        one = _resolved(described, scheme)
        if one.get("type") == "apiKey" and one.get("in") in ("header", "query") and isinstance(one.get("name"), str):
            return one["in"], one["name"]
        if one.get("type") in ("http", "oauth2"):
            return "header", "Authorization"
    return None


def results(answer: Any) -> list[dict[str, Any]]:
    """The first list in an answer whose members have a title and an address, from the outside in."""
    for members in _lists(answer):
        good = [
            one
            for one in members[:MOST]
            if isinstance(one, dict) and any(name in one for name in TITLE) and any(name in one for name in ADDRESS)
        ]
        if good:
            return good
    return []


def _lists(answer: Any) -> Iterator[list[Any]]:
    waiting = deque([answer])
    for _ in range(NODES):
        if not waiting:
            return
        node = waiting.popleft()
        if isinstance(node, list):
            yield node
            waiting.extend(one for one in node[:MOST] if isinstance(one, dict | list))
        elif isinstance(node, dict):
            waiting.extend(one for one in node.values() if isinstance(one, dict | list))
