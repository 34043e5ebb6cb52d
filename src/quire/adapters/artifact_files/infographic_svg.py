"""Infographics as SVG."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.rendering.infographic.sheet import sheet_of
from quire.adapters.rendering.plain_text import with_plain_text
from quire.adapters.rendering.svg import write_svg
from quire.domain.infographics import Infographic
from quire.ports.artifact_files import Progress

SVG = "{http://www.w3.org/2000/svg}"


def make(infographic: Infographic, path: Path, progress: Progress) -> None:
    scene = sheet_of(with_plain_text(infographic))
    progress(0.5)
    write_svg(scene, path)


def check(path: Path, infographic: Infographic) -> None:
    """It is XML, and its texts stand on the sheet."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        root = etree.parse(str(path), parser).getroot()
    except etree.XMLSyntaxError:
        raise ValueError("it is no XML") from None
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    texts = root.findall(f"{SVG}text")
    if root.tag != f"{SVG}svg" or not texts:
        raise ValueError("it has no text")
    for text in texts:
        if not (0 <= float(text.get("x", "-1")) <= width and 0 <= float(text.get("y", "-1")) <= height):
            raise ValueError(f"“{text.text}” stands beside the sheet")
