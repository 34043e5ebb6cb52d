"""The article of a web page, without what stands around it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from lxml import etree

from quire.adapters.readers.draft import Draft
from quire.adapters.readers.failures import DAMAGE
from quire.adapters.readers.html_blocks import HtmlBlocks
from quire.adapters.readers.markup import Element, descendants
from quire.adapters.readers.page_words import WORD, PageWords

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
# A page of this size is no article; looking for one would take longer than a file may take to be read.
MOST_CHARS, MOST_ELEMENTS = 3_000_000, 60_000
# An article that its page says it is has much of the page's prose, and of one that it does not nearly all words.
PROSE_SHARE, LEAST_SHARE, NEARLY_ALL = 0.4, 0.1, 0.85
# Without so much around it, a page is as good whole.
AROUND_SHARE = 0.2
FAR_SMALLER, MUCH_LOST = 0.25, 0.2


def write_article(draft: Draft, page: str, root: Element) -> bool:
    """Writes the article of a page; False where there is none, or it is not what the page is about."""
    if (
        len(page) > MOST_CHARS
        or sum(1 for _ in zip(root.iter(), range(MOST_ELEMENTS + 1), strict=False)) > MOST_ELEMENTS
    ):
        return False
    found = extracted(page)
    if found is None:
        return False
    parts = split_story(root, found.text) or [as_html(found.body)]
    article = Counter(word for part in parts for text in part.itertext() for word in WORD.findall(text))
    words = PageWords(root)
    if not is_about(words, article):
        return False
    draft.suggest_title(found.title)
    for part in parts:
        HtmlBlocks(draft).write(part)
    prose, _ = words.left_out_by(article)
    size = article.total()
    if size < FAR_SMALLER * words.total or prose > MUCH_LOST * (prose + size):
        draft.warn(
            f"Only the article of the page was read, {size:,} of {words.total:,} words. "
            "Add or refresh the source with `whole` to have all of it."
        )
    return True


def is_about(page: PageWords, article: Counter[str]) -> bool:
    """Whether a page is about the article that was found on it, and would not be as good whole."""
    prose, left_out = page.left_out_by(article)
    size = article.total()
    if page.declared:
        return size >= PROSE_SHARE * (size + prose) and size >= LEAST_SHARE * (size + left_out)
    around = page.total - page.prose.total() - page.links.total()
    return around >= AROUND_SHARE * page.total and size >= NEARLY_ALL * (size + left_out)


def extracted(page: str) -> Any:
    from trafilatura import bare_extraction

    found = {}
    for strict in (True, False):
        try:
            result: Any = bare_extraction(
                page, include_comments=False, include_formatting=True, with_metadata=True, favor_precision=strict
            )
        except (RecursionError, etree.LxmlError, *DAMAGE):
            continue
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
