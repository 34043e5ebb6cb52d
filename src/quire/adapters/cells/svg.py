"""SVG that only draws: known elements and attributes, nothing that runs, and no reference but to itself.

It is read as XML and written anew, so that what was not understood is not there. A file that is not well-formed, or
that declares entities, is no clean SVG.
"""

from __future__ import annotations

import re
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
MOST_DEPTH = 100

SHAPES = "circle ellipse line path polygon polyline rect image"
TEXTS = "text textPath tspan"
GROUPS = "svg g defs symbol use marker clipPath mask pattern linearGradient radialGradient stop switch"
FILTERS = (
    "filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap "
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode "
    "feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence"
)
ELEMENTS = frozenset(f"{SHAPES} {TEXTS} {GROUPS} {FILTERS}".split())
STYLED = (
    "alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters "
    "direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font-family "
    "font-size font-size-adjust font-stretch font-style font-variant font-weight isolation letter-spacing "
    "lighting-color marker-end marker-mid marker-start mask mix-blend-mode opacity overflow paint-order "
    "shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap "
    "stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering "
    "transform transform-origin unicode-bidi vector-effect visibility white-space word-spacing writing-mode"
)
PLACED = (
    "class id style lang amplitude azimuth baseFrequency bias clipPathUnits cx cy d diffuseConstant divisor dx dy "
    "edgeMode elevation exponent filterUnits fr fx fy gradientTransform gradientUnits height in in2 intercept k1 k2 k3 "
    "k4 kernelMatrix lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits "
    "method mode numOctaves offset operator order orient pathLength patternContentUnits patternTransform patternUnits "
    "points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY result "
    "rotate rx ry scale seed slope spacing specularConstant specularExponent spreadMethod startOffset stdDeviation "
    "stitchTiles surfaceScale tableValues targetX targetY textLength type values version viewBox width x x1 x2 "
    "xChannelSelector y y1 y2 yChannelSelector z"
)
ATTRIBUTES = frozenset(f"{STYLED} {PLACED}".split())
PROPERTIES = frozenset(STYLED.split())
LINKS = ("href", f"{XLINK} href")
OWN_PART = re.compile(r"#[\w.:-]+")
OWN_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
OWN_REFERENCE = re.compile(r"url\(\s*[\"']?#[\w.:-]+[\"']?\s*\)", re.IGNORECASE)
NOT_NAME = re.compile(r"[^\w-]")
LONGEST_CALL = 20
CALLS = frozenset(
    {"rgb", "rgba", "hsl", "hsla", "matrix", "translate", "scale", "rotate", "skewx", "skewy", "calc", "blur"}
)
# What a style sheet reads as another character.
ESCAPES = ("\\", "/*", "@", "<")


class Unclean(Exception):
    """Not an SVG that can be made clean."""


class Writer:
    """Writes what a parser tells it of, as far as it is known; what stands in something unknown is left out too."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._depth = 0
        self._left_out = 0

    def doctype(self, name: str, system_id: str | None, public_id: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            raise Unclean

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        plain = drawn_as(name)
        known = plain in ELEMENTS
        if self._depth > MOST_DEPTH or (self._depth == 1 and not (known and plain == "svg")):
            raise Unclean
        if self._left_out or not known:
            self._left_out += 1
            return
        names = f' xmlns="{SVG}" xmlns:xlink="{XLINK}"' if self._depth == 1 else ""
        self._parts.append(f"<{plain}{names}{''.join(written(plain, *one) for one in attributes.items())}>")

    def end(self, name: str) -> None:
        self._depth -= 1
        plain = drawn_as(name)
        if self._left_out:
            self._left_out -= 1
        elif (last := self._parts[-1]).startswith(f"<{plain}") and last.endswith(">") and not last.endswith("/>"):
            self._parts[-1] = f"{last[:-1]}/>"
        else:
            self._parts.append(f"</{plain}>")

    def text(self, data: str) -> None:
        if not self._left_out and self._depth:
            self._parts.append(escape(data))

    def whole(self) -> str:
        return "".join(self._parts)


def clean_svg(text: str) -> str | None:
    """The picture without what is not only drawn; None where it is no SVG."""
    writer = Writer()
    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = writer.doctype
    parser.StartElementHandler = writer.start
    parser.EndElementHandler = writer.end
    parser.CharacterDataHandler = writer.text
    try:
        parser.Parse(text.lstrip().encode(), True)
    except (expat.ExpatError, Unclean, UnicodeEncodeError):
        return None
    return writer.whole()


def drawn_as(name: str) -> str:
    """An element of SVG's own by its plain name; what a link holds is drawn, and leads nowhere."""
    namespace, _, plain = name.rpartition(" ")
    if namespace != SVG:
        return ""
    return "g" if plain == "a" else plain


def written(element: str, name: str, value: str) -> str:
    """An attribute as it may stand; nothing where it may not."""
    if name in LINKS:
        is_own = OWN_PART.fullmatch(value) or (element == "image" and OWN_PICTURE.fullmatch(value))
        return f" xlink:href={quoteattr(value)}" if is_own else ""
    if name not in ATTRIBUTES:
        return ""
    if name == "style":
        value = ";".join(one for one in value.split(";") if harmless_style(one))
        return f" style={quoteattr(value)}" if value else ""
    return f" {name}={quoteattr(value)}" if harmless(value) else ""


def harmless_style(declaration: str) -> bool:
    name, _, value = declaration.partition(":")
    return name.strip().lower() in PROPERTIES and harmless(value)


def harmless(value: str) -> bool:
    """Whether a value refers to nothing but parts of the picture."""
    if any(escape in value for escape in ESCAPES):
        return False
    *called, _ = OWN_REFERENCE.sub("", value).split("(")
    return all(NOT_NAME.split(before.rstrip()[-LONGEST_CALL:])[-1].lower() in CALLS for before in called)
