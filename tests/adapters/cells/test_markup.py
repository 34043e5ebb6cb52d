"""Markup of cells: nothing that runs or reaches out, and never long to clean."""

from __future__ import annotations

import pytest

from quire.adapters.cells.markup import MOST_TAGS, sanitised, too_tangled
from quire.adapters.cells.svg import MOST_DEPTH
from quire.domain.cells import OUTPUT_LIMIT

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
PIXEL = "data:image/png;base64,iVBORw0KGgo="


def svg(inside: str) -> str | None:
    """What is left of what stands in a picture."""
    clean = sanitised("image/svg+xml", f"<svg {NAMES}>{inside}</svg>")
    if clean is None:
        return None
    start, end = f"<svg {NAMES}>", "</svg>"
    if clean == f"<svg {NAMES}/>":
        return ""
    assert clean.startswith(start)
    assert clean.endswith(end)
    return clean[len(start) : -len(end)]


@pytest.mark.parametrize(
    "drawn",
    [
        '<g transform="translate(1 2) rotate(3)"><path d="M0 0" style="fill: none; stroke:rgb(1,2,3)"/></g>',
        '<defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><rect fill="url(#g)"/>',
        '<clipPath id="c.1"><rect width="1"/></clipPath><use xlink:href="#a" clip-path="url(\'#c.1\')"/>',
        f'<image xlink:href="{PIXEL}" width="3"/>',
        '<text x="1">a &amp; b &lt;c&gt;</text>',
    ],
)
def test_a_picture_that_only_draws_is_kept(drawn: str) -> None:
    assert svg(drawn) == drawn


@pytest.mark.parametrize(
    ("hostile", "left"),
    [
        ("<script>x()</script><g onclick='x()' id='a'/>", '<g id="a"/>'),
        ("<style>@import url(http://x)</style>", ""),
        ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>", ""),
        ("<p xmlns='http://www.w3.org/1999/xhtml'><svg xmlns='http://www.w3.org/2000/svg'/></p>", ""),
        ("<a xlink:href='javascript:x()' href='http://x'><text>t</text></a>", "<g><text>t</text></g>"),
        ("<use href='http://x/#a'/><use xlink:href='//x'/><use href='a.svg#a'/>", "<use/><use/><use/>"),
        ("<image href='http://x/a.png'/><image href='data:image/svg+xml;base64,eA=='/>", "<image/><image/>"),
        ("<use href='data:image/png;base64,eA=='/>", "<use/>"),
        ("<rect fill='url(http://x)' stroke='red'/>", '<rect stroke="red"/>'),
        ("<rect fill='URL( &quot;//x&quot; )' mask='url(#a) url(//x)'/>", "<rect/>"),
        ("<rect style='fill:u\\72l(//x);stroke:red;background:url(#a);cursor:x'/>", '<rect style="stroke:red"/>'),
        ("<rect style='fill:url/**/(//x)' filter='image-set(//x)'/>", "<rect/>"),
        ("<set attributeName='href' to='javascript:x()'/><animate/><iframe/>", ""),
        ("<!-- x --><?php x ?><![CDATA[<script>x()</script>]]>", "&lt;script&gt;x()&lt;/script&gt;"),
        ("<g xml:base='http://x' evil:y='1' xmlns:evil='urn:e'/>", "<g/>"),
    ],
)
def test_what_runs_or_reaches_out_is_left_out(hostile: str, left: str) -> None:
    assert svg(hostile) == left


ENTITIES = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "x", "<svg", "<svg/>", "<html><svg/></html>", f"<g {NAMES}/>", f"<svg {NAMES}><g></svg>"),
        *(f"{ENTITIES}<svg {NAMES}>&b;</svg>", f"{OUTSIDE}<svg {NAMES}><text>&x;</text></svg>"),
        f"<svg {NAMES}>&undeclared;</svg>",
        f"<svg {NAMES}>\x01</svg>",
        f"<svg {NAMES}>" + "<g>" * MOST_DEPTH + "</g>" * MOST_DEPTH + "</svg>",
        f"<svg {NAMES}/>" * 2,
    ],
)
def test_what_is_no_clean_picture_is_none(wrong: str) -> None:
    assert sanitised("image/svg+xml", wrong) is None


def test_a_declaration_of_others_does_no_harm() -> None:
    before = (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://x/a.dtd">\n'
    )
    assert sanitised("image/svg+xml", f"\n{before}<svg {NAMES}/>") == f"<svg {NAMES}/>"


UNIQUE = "".join(f"<b id={number}>" for number in range(OUTPUT_LIMIT // 11))


# A parser of HTML takes minutes over the first four, and terabytes for the last.
@pytest.mark.parametrize(
    "tangled",
    [
        "<svg>" + "<g>" * 40_000 + "</x>" * 30_000,
        UNIQUE,
        "<b></p>" * 30_000,
        "<g " + "a " * 120_000 + ">",
        f"<p>{UNIQUE}</p>" + "<p>x</p>" * 10_000,
        "<g a='>' " + "b/" * 120_000,
    ],
)
def test_markup_that_would_take_long_is_left_out(tangled: str) -> None:
    assert too_tangled(tangled)
    assert sanitised("text/html", tangled) is None


def test_large_tables_are_no_tangle() -> None:
    table = "<table>" + ("<tr>" + "<td>1.2345</td>" * 20 + "</tr>") * 300 + "</table>"
    assert table.count("<") < MOST_TAGS
    clean = sanitised("text/html", table)
    assert clean is not None
    assert clean.count("<td>") == 6_000
