"""Scenes as SVG: text stays text, in fonts that the file brings along."""

from __future__ import annotations

import io
import unicodedata
from base64 import b64encode
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from quire.adapters.rendering.scene import Outline, Scene, Words
from quire.adapters.rendering.typefaces import FACES, Face, type_of


def svg(scene: Scene) -> str:
    width, height = _number(scene.width), _number(scene.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" xml:lang={quoteattr(scene.language)} aria-labelledby="title">',
        f'<title id="title">{escape(scene.title)}</title>',
    ]
    if scene.described:
        parts.append(f"<desc>{escape(scene.described)}</desc>")
    parts += [
        f"<style>{_styles(scene)}</style>",
        f'<rect width="{width}" height="{height}" fill="{scene.background}"/>',
    ]
    parts += [_words(item) if isinstance(item, Words) else _outline(item) for item in scene.items]
    return "\n".join([*parts, "</svg>", ""])


def write_svg(scene: Scene, path: Path) -> None:
    path.write_text(svg(scene), encoding="utf-8")


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _outline(outline: Outline) -> str:
    path = "".join(name + " ".join(f"{_number(x)},{_number(y)}" for x, y in points) for name, points in outline.steps)
    drawn = f'<path d="{path}" fill="{outline.fill or "none"}"'
    if outline.stroke:
        drawn += f' stroke="{outline.stroke}" stroke-width="{_number(outline.thickness)}"'
        drawn += ' stroke-linecap="round" stroke-linejoin="round"'
        if outline.dash:
            drawn += f' stroke-dasharray="{_number(outline.dash)}"'
    return drawn + "/>"


def _words(words: Words) -> str:
    type = type_of(words.typeface, words.bold)
    anchor = words.anchor
    if words.right_to_left and anchor != "middle":
        # What begins a line that is written from the right is its right end.
        anchor = "start" if anchor == "end" else "end"
    said = [
        f'<text x="{_number(words.x)}" y="{_number(words.y)}" font-size="{_number(words.size)}" fill="{words.color}"',
        f"font-family={quoteattr(', '.join(_quoted(name) for name in type.families))}",
    ]
    weight = FACES[words.typeface, words.bold][2]
    if weight != 400:
        said.append(f'font-weight="{weight}"')
    if anchor != "start":
        said.append(f'text-anchor="{anchor}"')
    if words.right_to_left:
        said.append('direction="rtl"')
    return " ".join(said) + f' xml:space="preserve">{escape(words.text)}</text>'


def _quoted(name: str) -> str:
    return f"'{name}'"


def _styles(scene: Scene) -> str:
    """The letters that are used, of the fonts that they are in."""
    used: dict[tuple[Path, str, int], tuple[Face, set[str]]] = {}
    for words in scene.words:
        for face, letters in type_of(words.typeface, words.bold).used(words.text).items():
            key = (face.path, face.family, face.weight)
            used.setdefault(key, (face, set()))[1].update(letters)
    return "".join(
        f"@font-face{{font-family:'{face.family}';font-weight:{face.weight};"
        f"src:url(data:font/ttf;base64,{b64encode(_cut_to(face, letters)).decode()})}}"
        for face, letters in used.values()
    )


def _cut_to(face: Face, letters: set[str]) -> bytes:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    options = Options(hinting=False, notdef_outline=True)
    options.drop_tables += ["FFTM", "meta"]
    # Letters that change beside each other need their rules; others are faster cut without.
    joined = any(unicodedata.bidirectional(letter) == "AL" or unicodedata.combining(letter) for letter in letters)
    options.layout_features = ["mark", "ccmp", "init", "medi", "fina", "isol", "rlig"] if joined else []
    if not joined:
        options.drop_tables += ["GSUB", "GPOS", "GDEF"]
    with TTFont(face.path, fontNumber=0, lazy=True) as font:
        cutter = Subsetter(options)
        cutter.populate(text="".join(sorted(letters)))
        cutter.subset(font)
        font.flavor = None
        file = io.BytesIO()
        font.save(file)
    return file.getvalue()
