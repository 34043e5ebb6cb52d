"""Formulas of Office documents (OMML) as LaTeX, with mathematical signs left as they are."""

from __future__ import annotations

from collections.abc import Callable

from quire.adapters.readers.markup import Element, attribute, child, children, local

SUMS = {"∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∬": "\\iint", "∮": "\\oint", "⋃": "\\bigcup", "⋂": "\\bigcap"}
ACCENTS = {"\u0302": "\\hat", "\u0303": "\\tilde", "\u0304": "\\bar", "\u0305": "\\bar", "\u20d7": "\\vec",
           "\u0307": "\\dot", "\u0308": "\\ddot"}  # fmt: skip
SIGNS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2061": "", "\u2062": "", "\u2063": ""})


def latex(element: Element) -> str:
    """A formula, or a part of one."""
    write = WRITERS.get(local(element))
    if write:
        return write(element)
    return "".join(latex(inner) for inner in element if not local(inner).endswith("Pr"))


def inside(element: Element, name: str) -> str:
    found = child(element, name)
    return "" if found is None else latex(found).strip()


def value(element: Element, *path: str) -> str | None:
    found = child(element, *path)
    return None if found is None else attribute(found, "val")


def run(element: Element) -> str:
    return "".join(text.text or "" for text in children(element, "t")).translate(SIGNS)


def fraction(element: Element) -> str:
    top, bottom = inside(element, "num"), inside(element, "den")
    if value(element, "fPr", "type") == "lin":
        return f"{top}/{bottom}"
    if value(element, "fPr", "type") == "noBar":
        return f"\\binom{{{top}}}{{{bottom}}}"
    return f"\\frac{{{top}}}{{{bottom}}}"


def scripted(element: Element) -> str:
    body = inside(element, "e")
    if body.startswith("\\frac"):
        body = f"{{{body}}}"
    low, high = inside(element, "sub"), inside(element, "sup")
    scripts = (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return scripts + body if local(element) == "sPre" else body + scripts


def root(element: Element) -> str:
    degree = inside(element, "deg")
    return f"\\sqrt{f'[{degree}]' if degree else ''}{{{inside(element, 'e')}}}"


def delimited(element: Element) -> str:
    opening, closing = value(element, "dPr", "begChr"), value(element, "dPr", "endChr")
    between = value(element, "dPr", "sepChr") or "|"
    body = between.join(latex(part).strip() for part in children(element, "e"))
    return f"{'(' if opening is None else opening}{body}{')' if closing is None else closing}"


def summed(element: Element) -> str:
    sign = value(element, "naryPr", "chr") or "∫"
    low, high = inside(element, "sub"), inside(element, "sup")
    limits = (f"_{{{low}}}" if low else "") + (f"^{{{high}}}" if high else "")
    return f"{SUMS.get(sign, sign)}{limits} {inside(element, 'e')}"


def function(element: Element) -> str:
    return f"{inside(element, 'fName')} {inside(element, 'e')}"


def accent(element: Element) -> str:
    sign = ACCENTS.get(value(element, "accPr", "chr") or "", "\\hat")
    return f"{sign}{{{inside(element, 'e')}}}"


def bar(element: Element) -> str:
    return f"\\overline{{{inside(element, 'e')}}}"


def limited(element: Element) -> str:
    script = "_" if local(element) == "limLow" else "^"
    return f"{inside(element, 'e')}{script}{{{inside(element, 'lim')}}}"


def matrix(element: Element) -> str:
    rows = [" & ".join(latex(cell).strip() for cell in children(row, "e")) for row in children(element, "mr")]
    return "\\begin{matrix}" + " \\\\ ".join(rows) + "\\end{matrix}"


def equations(element: Element) -> str:
    return " \\\\ ".join(latex(line).strip() for line in children(element, "e"))


WRITERS: dict[str, Callable[[Element], str]] = {
    "r": run, "f": fraction, "sSup": scripted, "sSub": scripted, "sSubSup": scripted, "sPre": scripted, "rad": root,
    "d": delimited, "nary": summed, "func": function, "acc": accent, "bar": bar, "limLow": limited,
    "limUpp": limited, "m": matrix, "eqArr": equations,
}  # fmt: skip
