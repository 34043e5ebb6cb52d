"""Lists of cells as Hypothesis makes them."""

from __future__ import annotations

from hypothesis import strategies as st

from quire.adapters.cells.srcmd import normal, ordered
from quire.domain.cells import Cell, Output, Sheet

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=60)
LINES = st.lists(
    st.one_of(
        TEXT,
        st.sampled_from(
            ["", "```", "~~~", "````js", "- a", "> q", "    x", "## two", "<!--", "-->", "<pre>", "[a]: b", "a", "|a|"]
        ),
    ),
    max_size=8,
).map("\n".join)
NAMES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}\.(js|mjs|ts|cts|py|txt|rs)", fullmatch=True)

code = st.builds(
    Cell,
    type=st.just("code"),
    source=LINES,
    language=st.sampled_from(["javascript", "typescript", "python", "rust"]),
    filename=st.none() | NAMES,
)
markdown = st.builds(Cell, type=st.just("markdown"), source=LINES.map(normal))
raw = st.builds(Cell, type=st.just("raw"), source=LINES)
title = st.builds(Cell, type=st.just("title"), source=TEXT | st.sampled_from(["C #", "#", "a ## ", "*x*"]))
package = st.builds(Cell, type=st.just("package.json"), source=LINES)

data = st.dictionaries(st.sampled_from(["text/plain", "text/html", "image/png"]), TEXT, max_size=2)
outputs = st.one_of(
    st.builds(Output, kind=st.just("stream"), name=st.sampled_from(["stdout", "stderr"]), text=TEXT),
    st.builds(Output, kind=st.just("display"), data=data),
    st.builds(Output, kind=st.just("result"), data=data, execution_count=st.integers(1, 99)),
    st.builds(Output, kind=st.just("error"), error_name=TEXT, error_value=TEXT, traceback=st.lists(TEXT, max_size=2)),
)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """A notebook in the order that srcmd has: a title, package.json, then anything."""
    cells = draw(st.lists(st.one_of(code, markdown, raw), max_size=6))
    head = [draw(one) for one in (title, package) if draw(st.booleans())]
    language = draw(st.sampled_from(["javascript", "typescript", "python"]))
    return Sheet(language=language, cells=ordered([*head, *cells]))


@st.composite
def run_sheets(draw: st.DrawFn) -> Sheet:
    """The same with ids and outputs, as a notebook that has run."""
    sheet = draw(sheets())
    cells = []
    for number, cell in enumerate(sheet.cells):
        more: dict[str, object] = {"id": f"cell-{number}"}
        if cell.type == "code":
            more["outputs"] = draw(st.lists(outputs, max_size=2))
            more["execution_count"] = draw(st.none() | st.integers(1, 99))
        cells.append(cell.model_copy(update=more))
    return sheet.model_copy(update={"cells": cells})
