"""The master of our decks: a theme, and a layout with real placeholders for each kind of slide."""

from __future__ import annotations

from typing import Any

from quire.adapters.rendering import deck_look as look
from quire.adapters.rendering.deck_look import PLACES, LayoutName
from quire.adapters.rendering.scene import Box

# Calibri has the widths of Carlito, which everything is measured in, and is there wherever slides are shown.
FONT = "Calibri"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPACES = f'xmlns:a="{A}" xmlns:p="{P}" xmlns:r="{R}"'
TITLE, FOOTER, NUMBER = 0, 21, 22

# The layouts in their order: the kind as PowerPoint knows it, and its name.
LAYOUTS: dict[LayoutName, tuple[str, str]] = {
    "title": ("title", "Title"),
    "section": ("secHead", "Section"),
    "bullets": ("obj", "Title and bullets"),
    "columns": ("twoTxTwoObj", "Two columns"),
    "quote": ("cust", "Quote"),
    "table": ("tbl", "Title and table"),
    "chart": ("cust", "Chart and text"),
    "chart_only": ("chart", "Title and chart"),
    "figures": ("titleOnly", "Key figures"),
    "closing": ("cust", "Closing and sources"),
}
# The kind, the number and the look of each placeholder: size, bold, colour, bullets, where in its box.
HOLDERS: dict[str, tuple[str, int, float, bool, str, bool, str]] = {
    "subtitle": ("subTitle", 1, 22, False, look.DIM_ON_DARK, False, "t"),
    "text": ("body", 1, 20, False, look.INK, False, "ctr"),
    "body": ("body", 1, 22, False, look.INK, True, "t"),
    "left_heading": ("body", 1, 20, True, look.ACCENT, False, "t"),
    "left": ("body", 2, 20, False, look.INK, True, "t"),
    "right_heading": ("body", 3, 20, True, look.ACCENT, False, "t"),
    "right": ("body", 4, 20, False, look.INK, True, "t"),
    "quote": ("body", 1, 28, False, look.INK, False, "ctr"),
    "by": ("body", 2, 16, False, look.MUTED, False, "t"),
    "table": ("tbl", 1, 14, False, look.INK, False, "t"),
    "chart": ("chart", 2, 14, False, look.INK, False, "t"),
    "sources": ("body", 2, 14, False, look.INK, False, "t"),
}


def emu(points: float) -> int:
    return round(points * 12_700)


def new_presentation() -> Any:
    """An empty presentation with our master."""
    from pptx import Presentation

    made: Any = Presentation()
    made.slide_width, made.slide_height = emu(look.WIDTH), emu(look.HEIGHT)
    master = made.slide_masters[0]
    _set_theme(master)
    _set_master(master)
    layouts = list(master.slide_layouts)
    for spare in layouts[len(LAYOUTS) :]:
        master.slide_layouts.remove(spare)
    for (name, (kind, shown)), layout in zip(LAYOUTS.items(), layouts, strict=False):
        _set_layout(layout, name, kind, shown)
    return made


def shape_at(box: Box) -> str:
    return (
        f'<a:xfrm><a:off x="{emu(box.x)}" y="{emu(box.y)}"/>'
        f'<a:ext cx="{emu(box.width)}" cy="{emu(box.height)}"/></a:xfrm>'
    )


def small_holder(kind: str, number: int, box: Box, inside: str, align: str) -> str:
    """The placeholder of a footer or of a slide's number."""
    return (
        f'<p:sp {SPACES}><p:nvSpPr><p:cNvPr id="{900 + number}" name="{kind} {number}"/><p:cNvSpPr>'
        f'<a:spLocks noGrp="1"/></p:cNvSpPr>'
        f'<p:nvPr><p:ph type="{kind}" sz="quarter" idx="{number}"/></p:nvPr></p:nvSpPr>'
        f'<p:spPr>{shape_at(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr lIns="0" tIns="0" rIns="0" bIns="0" anchor="t"/>'
        f'<a:lstStyle><a:lvl1pPr algn="{align}"><a:defRPr sz="1100">{_color(look.MUTED)}</a:defRPr></a:lvl1pPr>'
        f"</a:lstStyle><a:p>{inside}</a:p></p:txBody></p:sp>"
    )


SMALL = f'<a:rPr sz="1100"><a:solidFill><a:srgbClr val="{look.MUTED[1:]}"/></a:solidFill></a:rPr>'
NUMBER_FIELD = f'<a:fld id="{{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}}" type="slidenum">{SMALL}<a:t>‹#›</a:t></a:fld>'
FOOTER_TEXT = f"<a:r>{SMALL}<a:t/></a:r>"


def _color(color: str) -> str:
    return f'<a:solidFill><a:srgbClr val="{color[1:]}"/></a:solidFill>'


def _xml(text: str) -> Any:
    from pptx.oxml import parse_xml

    return parse_xml(text)


def _set_theme(master: Any) -> None:
    from pptx.opc.constants import RELATIONSHIP_TYPE

    part = master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    root = _xml(part.blob)
    colors = root.find(f".//{{{A}}}clrScheme")
    for name, color in {
        "dk1": look.INK,
        "lt1": look.PAPER,
        "dk2": look.DARK,
        "lt2": look.BAND,
        **{f"accent{number}": color for number, color in enumerate(look.CHART, 1)},
        "hlink": look.ACCENT,
        "folHlink": look.MUTED,
    }.items():
        place = colors.find(f"{{{A}}}{name}")
        for child in list(place):
            place.remove(child)
        place.append(_xml(f'<a:srgbClr xmlns:a="{A}" val="{color[1:]}"/>'))
    for face in root.iter(f"{{{A}}}latin"):
        face.set("typeface", FONT)
    from lxml import etree

    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _style(size: float, bold: bool, color: str, bullets: bool) -> str:
    indent = emu(20) if bullets else 0
    mark = (
        f'<a:buClr><a:srgbClr val="{look.ACCENT[1:]}"/></a:buClr><a:buFont typeface="Arial"/><a:buChar char="•"/>'
        if bullets
        else "<a:buNone/>"
    )
    return (
        f'<a:lvl1pPr marL="{indent}" indent="{-indent}" algn="l"><a:lnSpc><a:spcPct val="100000"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="0"/></a:spcBef>{mark}'
        f'<a:defRPr sz="{round(size * 100)}" b="{int(bold)}">{_color(color)}</a:defRPr></a:lvl1pPr>'
    )


def _holder(name: str, layout: LayoutName, number: int) -> str:
    box = PLACES[layout][name]
    if name == "title":
        dark = layout in ("title", "section")
        kind, idx = ("ctrTitle" if layout == "title" else "title"), 0
        size: float = 46 if layout == "title" else 38 if dark else 30
        style, anchor = _style(size, True, look.ON_DARK if dark else look.INK, False), "b"
    else:
        kind, idx, size, bold, color, bullets, anchor = HOLDERS[name]
        if layout == "section":
            color, anchor = look.DIM_ON_DARK, "t"
        style = _style(size, bold, color, bullets)
    mark = f'type="{kind}"' + (f' idx="{idx}"' if idx else "")
    prompt = name.replace("_", " ").capitalize()
    return (
        f'<p:sp {SPACES}><p:nvSpPr><p:cNvPr id="{number}" name="{prompt} {number}"/><p:cNvSpPr><a:spLocks noGrp="1"/>'
        f"</p:cNvSpPr><p:nvPr><p:ph {mark}/></p:nvPr></p:nvSpPr>"
        f'<p:spPr>{shape_at(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" anchor="{anchor}"><a:noAutofit/>'
        f"</a:bodyPr><a:lstStyle>{style}</a:lstStyle><a:p><a:r><a:rPr/><a:t>{prompt}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def _block(box: Box, color: str, number: int, shape: str = "rect") -> str:
    return (
        f'<p:sp {SPACES}><p:nvSpPr><p:cNvPr id="{number}" name="Shape {number}"/><p:cNvSpPr/><p:nvPr userDrawn="1"/>'
        f'</p:nvSpPr><p:spPr>{shape_at(box)}<a:prstGeom prst="{shape}"><a:avLst/></a:prstGeom>{_color(color)}'
        f"<a:ln><a:noFill/></a:ln></p:spPr></p:sp>"
    )


def _quote_mark(number: int) -> str:
    return (
        f'<p:sp {SPACES}><p:nvSpPr><p:cNvPr id="{number}" name="Quote mark"/><p:cNvSpPr txBox="1"/>'
        f'<p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>{shape_at(look.QUOTE_MARK)}<a:prstGeom prst="rect"><a:avLst/>'
        '</a:prstGeom><a:noFill/></p:spPr><p:txBody><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0"/>'
        f'<a:lstStyle/><a:p><a:r><a:rPr sz="9600" b="1">{_color(look.ACCENT)}<a:latin typeface="Georgia"/></a:rPr>'
        "<a:t>“</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def _ground(name: LayoutName) -> list[str]:
    if name == "title":
        return [
            _block(Box(48, 120, 8, 324), look.SPARK, 101),
            _block(Box(760, 300, 200, 240), look.MIDNIGHT, 102, "rtTriangle"),
            _block(Box(840, 396, 120, 144), look.ACCENT, 103, "rtTriangle"),
        ]
    if name == "section":
        return [_block(Box(0, 0, 96, look.HEIGHT), look.ACCENT, 101), _block(Box(150, 306, 72, 4), look.SPARK, 102)]
    made = [_block(look.STROKE, look.ACCENT, 101)]
    made += [_block(sheet, look.BAND, 102 + place) for place, sheet in enumerate(look.SHEETS.get(name, ()))]
    if name == "quote":
        made += [_block(look.QUOTE_BAR, look.SPARK, 102), _quote_mark(103)]
    return made


def _set_layout(layout: Any, name: LayoutName, kind: str, shown: str) -> None:
    root = layout._element
    root.set("type", kind)
    root.set("preserve", "1")
    slide = root.find(f"{{{P}}}cSld")
    slide.set("name", shown)
    dark = name in ("title", "section")
    _background(slide, look.DARK if dark else None)
    tree = slide.find(f"{{{P}}}spTree")
    for shape in list(tree)[2:]:
        tree.remove(shape)
    for text in _ground(name):
        shape = _xml(text)
        if "rtTriangle" in text:
            shape.find(f".//{{{A}}}xfrm").set("flipH", "1")
        tree.append(shape)
    for number, holder in enumerate(PLACES[name], 2):
        tree.append(_xml(_holder(holder, name, number)))
    if not dark:
        tree.append(_xml(small_holder("ftr", FOOTER, look.FOOT, "<a:endParaRPr/>", "l")))
        tree.append(_xml(small_holder("sldNum", NUMBER, look.NUMBER, NUMBER_FIELD, "r")))


def _background(slide: Any, color: str | None) -> None:
    for old in slide.findall(f"{{{P}}}bg"):
        slide.remove(old)
    if color:
        slide.insert(0, _xml(f"<p:bg {SPACES}><p:bgPr>{_color(color)}<a:effectLst/></p:bgPr></p:bg>"))


def _set_master(master: Any) -> None:
    root = master._element
    tree = root.find(f"{{{P}}}cSld").find(f"{{{P}}}spTree")
    boxes = {"title": look.HEAD, "body": look.BODY, "ftr": look.FOOT, "sldNum": look.NUMBER}
    for shape in list(tree)[2:]:
        holder = shape.find(f".//{{{P}}}ph")
        kind = holder.get("type") if holder is not None else None
        if kind not in boxes:
            tree.remove(shape)
            continue
        old = shape.find(f".//{{{A}}}xfrm")
        old.getparent().replace(old, _xml(shape_at(boxes[kind]).replace("<a:xfrm>", f'<a:xfrm xmlns:a="{A}">')))
    style = root.find(f"{{{P}}}txStyles/{{{P}}}titleStyle")
    for child in list(style):
        style.remove(child)
    style.append(_xml(_style(30, True, look.INK, False).replace("<a:lvl1pPr", f'<a:lvl1pPr xmlns:a="{A}"', 1)))
