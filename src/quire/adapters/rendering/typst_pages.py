"""Scenes as PDF and as pictures, by Typst."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from quire.adapters.rendering.scene import Outline, Scene, Words
from quire.adapters.rendering.typefaces import FACES, SHIPPED, machine_faces, type_of

# Of `pt-BR` and of `zh_Hans`, what is before the region or script.
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z0-9])")
# Text comes as data, so nothing in it can be taken for markup.
TEMPLATE = b"""
#let given = json(bytes(sys.inputs.given))
#set document(title: given.title, date: none)
#let colored(value) = if value == none { none } else { rgb(value) }
#let at(point) = (point.at(0) * 1pt, point.at(1) * 1pt)
#let drawn(item) = place(top + left, curve(
  fill: colored(item.fill),
  stroke: if item.stroke == none { none } else {
    (
      paint: rgb(item.stroke), thickness: item.thickness * 1pt, cap: "round", join: "round",
      dash: if item.dash > 0 { (item.dash * 1pt, item.dash * 1pt) } else { none },
    )
  },
  ..item.steps.map(step => {
    let points = step.at(1).map(at)
    if step.at(0) == "M" { curve.move(points.at(0)) }
    else if step.at(0) == "L" { curve.line(points.at(0)) }
    else if step.at(0) == "C" { curve.cubic(points.at(0), points.at(1), points.at(2)) }
    else { curve.close() }
  }),
))
#let written(item) = {
  let made = text(
    font: item.fonts, weight: item.weight, size: item.size * 1pt, fill: rgb(item.color), lang: item.lang,
    dir: if item.rtl { rtl } else { ltr }, top-edge: "baseline", bottom-edge: "baseline", hyphenate: false,
    item.text,
  )
  if item.anchor == "start" { place(top + left, dx: item.x * 1pt, dy: item.y * 1pt, made) }
  else {
    context {
      let wide = measure(made).width
      place(top + left, dx: item.x * 1pt - wide * (if item.anchor == "end" { 1 } else { 0.5 }), dy: item.y * 1pt, made)
    }
  }
}
#for (number, shown) in given.pages.enumerate() {
  page(width: shown.width * 1pt, height: shown.height * 1pt, margin: 0pt, fill: rgb(shown.background), {
    for item in shown.items { if item.kind == "words" { written(item) } else { drawn(item) } }
  })
}
"""


def pdf(scenes: Sequence[Scene], title: str, path: Path) -> None:
    path.write_bytes(_compiled(scenes, title, "pdf")[0])


def pictures(scenes: Sequence[Scene], title: str, width: int) -> list[bytes]:
    """A PNG of each scene, so many pixels wide."""
    return _compiled(scenes, title, "png", ppi=72 * width / scenes[0].width)


def _compiled(scenes: Sequence[Scene], title: str, format: str, ppi: float = 144.0) -> list[bytes]:
    typst: Any = import_module("typst")
    given = {"title": title, "pages": [_page(scene) for scene in scenes]}
    made = typst.compile(
        TEMPLATE,
        format=format,
        ppi=ppi,
        sys_inputs={"given": json.dumps(given)},
        font_paths=_fonts(),
        ignore_system_fonts=True,
    )
    return made if isinstance(made, list) else [made]


@cache
def _fonts() -> Any:
    typst: Any = import_module("typst")
    folders = dict.fromkeys(str(face.path.parent) for face in machine_faces())
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(SHIPPED), *folders])


def typst_language(tag: str) -> str:
    """Typst takes two or three letters, and refuses the whole text with anything else."""
    found = LANGUAGE.match(tag)
    return found[0].lower() if found else "en"


def _page(scene: Scene) -> dict[str, Any]:
    items = [_words(item, scene.language) if isinstance(item, Words) else _outline(item) for item in scene.items]
    return {"width": scene.width, "height": scene.height, "background": scene.background, "items": items}


def _words(words: Words, language: str) -> dict[str, Any]:
    return {
        "kind": "words",
        "x": words.x,
        "y": words.y,
        "text": words.text,
        "size": words.size,
        "color": words.color,
        "anchor": words.anchor,
        "rtl": words.right_to_left,
        "lang": typst_language(language),
        "fonts": type_of(words.typeface, words.bold).families,
        "weight": FACES[words.typeface, words.bold][2],
    }


def _outline(outline: Outline) -> dict[str, Any]:
    return {
        "kind": "outline",
        "steps": [[name, [list(point) for point in points]] for name, points in outline.steps],
        "fill": outline.fill,
        "stroke": outline.stroke,
        "thickness": outline.thickness,
        "dash": outline.dash,
    }
