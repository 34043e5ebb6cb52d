"""EPUB books: chapters in the order of the spine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from quire.adapters.readers.archives import Archive, resolved
from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import damaged, reading
from quire.adapters.readers.html import parse_xhtml
from quire.adapters.readers.html_blocks import HtmlBlocks
from quire.adapters.readers.limits import Limits
from quire.adapters.readers.markup import Element, attribute, child, children, descendants, local, parse_xml
from quire.domain.errors import InvalidInput

WHAT = "an EPUB book"
TEXTS = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")
HEADINGS = ("h1", "h2", "h3")


def read_book(path: Path, limits: Limits) -> Draft:
    draft = Draft(limits)
    with reading(WHAT), Archive(path, WHAT, limits) as archive:
        container = parse_xml(archive.read("META-INF/container.xml"))
        opf = next((attribute(file, "full-path") or "" for file in descendants(container, "rootfile")), "")
        package = parse_xml(archive.read(opf))
        title = next(descendants(package, "title"), None)
        draft.suggest_title(None if title is None else title.text)
        locked = encrypted(archive)
        labels = contents(archive, package, opf)
        for name in spine(package, opf):
            if name in locked:
                raise InvalidInput("The file is an EPUB book with copy protection, which cannot be read.")
            if name in archive:
                write_chapter(draft, parse_xhtml(archive.read(name)), labels.get(name))
    return draft.finish("There is no text in the book.")


def write_chapter(draft: Draft, page: Element, label: str | None) -> None:
    body = next(descendants(page, "body"), page)
    if label and not any(True for _ in descendants(body, *HEADINGS)) and "".join(body.itertext()).strip():
        draft.heading(1, label)
    HtmlBlocks(draft).write(body)


def items(package: Element, opf: str) -> Iterator[tuple[str, Element, str]]:
    """Each thing in the book: its id, its element, its name in the archive."""
    for item in children(child(package, "manifest"), "item"):
        yield item.get("id") or "", item, resolved(opf, item.get("href") or "")


def spine(package: Element, opf: str) -> Iterator[str]:
    """The names of the texts in reading order; the table of contents is left out."""
    known = {
        id: name for id, item, name in items(package, opf)
        if (item.get("media-type") or "") in TEXTS and "nav" not in (item.get("properties") or "").split()
    }  # fmt: skip
    listed = [
        known[place.get("idref")]
        for place in children(child(package, "spine"), "itemref")
        if place.get("idref") in known
    ]
    if not listed:
        raise damaged(WHAT)
    yield from dict.fromkeys(listed)


def contents(archive: Archive, package: Element, opf: str) -> dict[str, str]:
    """What the table of contents calls each file, by the first entry that points to it."""
    labels: dict[str, str] = {}
    for _, item, name in items(package, opf):
        is_nav = "nav" in (item.get("properties") or "").split()
        if name not in archive or not (is_nav or item.get("media-type") == "application/x-dtbncx+xml"):
            continue
        root = parse_xhtml(archive.read(name))
        for entry in descendants(root, "a", "navPoint"):
            target = child(entry, "content") if local(entry) == "navPoint" else entry
            words = child(entry, "navLabel") if local(entry) == "navPoint" else entry
            address = (attribute(target, "src") or attribute(target, "href") or "") if target is not None else ""
            if words is not None and address:
                labels.setdefault(resolved(name, address), " ".join("".join(words.itertext()).split()))
    return labels


def encrypted(archive: Archive) -> set[str]:
    data = archive.get("META-INF/encryption.xml")
    if data is None:
        return set()
    return {resolved("", found.get("URI") or "") for found in descendants(parse_xml(data), "CipherReference")}
