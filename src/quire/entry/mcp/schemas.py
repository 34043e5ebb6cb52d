"""Schemas as short as a model needs them. What they leave out is still checked, and refused in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

# Bounds that are told when they are broken, and need not be read before.
CHECKED_LATER = {"maxLength", "minLength", "pattern", "exclusiveMinimum", "maxItems", "format"}
UPLOADED: Schema = {
    "path": {"description": "A file on this machine.", "type": "string"},
    "text": {"description": "Its text, in the place of path.", "type": "string"},
    "name": {"description": "Its name, with text.", "type": "string"},
}


def lean(schema: Schema) -> Schema:
    """The schema of arguments, with an upload as arguments of its own."""
    properties: Schema = {}
    for name, node in schema["properties"].items():
        if is_upload(node):
            properties |= UPLOADED
        else:
            properties[name] = _lean(node)
    made = {**schema, "properties": properties}
    if "required" in schema:
        made["required"] = [name for name in schema["required"] if name in properties]
    return made


def is_upload(node: Mapping[str, Any]) -> bool:
    return node.get("x-quire") == "upload"


def _lean(node: Any) -> Any:
    if isinstance(node, list):
        return [_lean(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _lean(value) for key, value in node.items() if key not in CHECKED_LATER}


def outline(schema: Schema) -> Schema:
    """The schema of a result: its fields, or those of a page's items, and their types; not what is inside of them."""
    is_page = "items" in schema.get("properties", {})
    return _outline(schema, schema.get("$defs", {}), 2 if is_page else 1)


def _outline(node: Schema, models: Mapping[str, Schema], depth: int) -> Schema:
    if "$ref" in node:
        node = models[node["$ref"].rpartition("/")[2]]
    if "anyOf" in node:
        options = [_outline(one, models, depth) for one in node["anyOf"]]
        whole = [one for one in options if one != {"type": "null"}]
        if len(whole) == 1 and isinstance(whole[0].get("type"), str) and "enum" not in whole[0]:
            return {**whole[0], "type": [whole[0]["type"], "null"]}
        return {"anyOf": options}
    made: Schema = {key: node[key] for key in ("type", "enum", "const") if key in node}
    if "properties" in node and depth:
        made["properties"] = {name: _outline(value, models, depth - 1) for name, value in node["properties"].items()}
    if "items" in node:
        made["items"] = _outline(node["items"], models, depth)
    return made
