"""XML without its dangers: no entities, no network, no endless trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from quire.domain.errors import InvalidInput

Element = Any


def parse_xml(data: bytes) -> Element:
    """The root of a document. One that declares entities of its own is refused, whatever they hold."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    root = etree.fromstring(data, parser)
    inner = root.getroottree().docinfo.internalDTD
    if inner is not None and any(True for _ in inner.iterentities()):
        raise InvalidInput("The file declares XML entities of its own, which are refused.")
    return root


def local(element: Element) -> str:
    """An element's name without its namespace; empty for what is not an element."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """An attribute by its name without namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return None


def child(element: Element | None, *path: str) -> Element | None:
    """The first child by local names, one after another; None where there is none."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def children(element: Element | None, name: str) -> Iterator[Element]:
    if element is not None:
        yield from (inner for inner in element if local(inner) == name)


def descendants(element: Element, *names: str) -> Iterator[Element]:
    yield from (inner for inner in element.iter() if local(inner) in names)
