"""The styles of a document beside those that every DOCX begins with."""

from __future__ import annotations

from typing import Any

from quire.adapters.office.elements import make, qualified, within

MONOSPACED = "Consolas"
SHADE = "F3F4F6"


class StyleIds(dict[str, str]):
    """The ids of styles by their names, each looked up once."""

    def __init__(self, document: Any) -> None:
        super().__init__()
        self._known = document.styles

    def __missing__(self, name: str) -> str:
        self[name] = str(self._known[name].style_id)
        return self[name]


def add_styles(document: Any, language: str) -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt, RGBColor

    styles = document.styles
    code = styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
    code.base_style = styles["Normal"]
    code.font.name, code.font.size = MONOSPACED, Pt(9.5)
    code.paragraph_format.space_after = Pt(8)
    within(code.element.get_or_add_pPr(), "w:shd", "clear", color="auto", fill=SHADE)
    inline = styles.add_style("Code Char", WD_STYLE_TYPE.CHARACTER)
    inline.font.name, inline.font.size = MONOSPACED, Pt(9.5)
    link = styles.add_style("Hyperlink", WD_STYLE_TYPE.CHARACTER)
    link.font.color.rgb, link.font.underline = RGBColor(0x05, 0x63, 0xC1), True
    note = styles.add_style("footnote text", WD_STYLE_TYPE.PARAGRAPH)
    note.base_style = styles["Normal"]
    note.font.size = Pt(9)
    note.paragraph_format.space_after = Pt(2)
    reference = styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER)
    reference.font.superscript = True
    if language:
        defaults = styles.element.find(f".//{qualified('w:rPrDefault')}/{qualified('w:rPr')}")
        if defaults is not None:
            for known in defaults.findall(qualified("w:lang")):
                defaults.remove(known)
            defaults.append(make("w:lang", language, bidi=language, eastAsia=language))
