"""The article of a web page, without what stands around it."""

from __future__ import annotations

import re
from typing import Any

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.html_blocks import HtmlBlocks
from quire.adapters.readers.markup import Element, descendants

RENAMED = {
    "list": "ul", "item": "li", "quote": "blockquote", "code": "pre", "row": "tr", "cell": "td", "lb": "br",
    "hi": "span", "ref": "span", "del": "span", "graphic": "span",
}  # fmt: skip
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
NOT_A_LETTER = re.compile(r"\W+")
TOO_LITTLE = 200
PARAGRAPH = 80
OPENING = 60
# The stricter extraction is cleaner, unless it takes that much of the text away.
STRICT_KEEPS = 0.6
# A page that puts its story into several containers of one class shows it by that many paragraphs more.
SPLIT_PARAGRAPHS = 4
SPLIT_SHARE = 0.5


def write_article(draft: Draft, page: str, root: Element, url: str) -> bool:
    """Writes the article that is found; False where there is next to none."""
    found = extracted(page, url)
    if found is None:
        return False
    draft.suggest_title(found.title)
    parts = split_story(root, found.text)
    for part in parts or [as_html(found.body)]:
        HtmlBlocks(draft).write(part)
    return True


def extracted(page: str, url: str) -> Any:
    from trafilatura import bare_extraction

    found = {}
    for strict in (True, False):
        result: Any = bare_extraction(
            page, url=url, include_comments=False, include_formatting=True, with_metadata=True, favor_precision=strict
        )
        if result is not None and result.body is not None:
            found[strict] = result
    lengths = {strict: len(result.text or "") for strict, result in found.items()}
    if max(lengths.values(), default=0) < TOO_LITTLE:
        return None
    return found[lengths.get(True, 0) >= STRICT_KEEPS * lengths.get(False, 0)]


def as_html(body: Element) -> Element:
    """trafilatura names elements as TEI does; back to HTML's names."""
    for element in body.iter():
        parent = element.getparent()
        if element.tag == "head":
            element.tag = element.get("rend") if element.get("rend") in HEADINGS else "h3"
        elif element.tag == "list" and element.get("rend") == "ol":
            element.tag = "ol"
        elif element.tag == "code" and parent is not None and parent.tag in ("p", "li", "td"):
            element.tag = "span"
        else:
            element.tag = RENAMED.get(element.tag, element.tag)
    return body


def split_story(root: Element, text: str) -> list[Element]:
    """The containers of a story that was taken for only one of them; empty where nothing is amiss."""
    known = letters(text)
    parents: dict[tuple[str, str], dict[Element, None]] = {}
    missing: dict[tuple[str, str], list[int]] = {}
    matched = set()
    for paragraph in descendants(root, "p"):
        said = letters("".join(paragraph.itertext()))
        parent = paragraph.getparent()
        if len(said) < PARAGRAPH or parent is None or not parent.get("class"):
            continue
        sign = (parent.tag, parent.get("class"))
        parents.setdefault(sign, {})[parent] = None
        if said[:OPENING] in known:
            matched.add(sign)
        else:
            missing.setdefault(sign, []).append(len(said))
    for sign in matched:
        lost = missing.get(sign, [])
        if len(lost) >= SPLIT_PARAGRAPHS and sum(lost) > SPLIT_SHARE * len(known) and len(parents[sign]) > 1:
            return list(parents[sign])
    return []


def letters(text: str) -> str:
    return NOT_A_LETTER.sub("", text)
