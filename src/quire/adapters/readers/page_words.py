"""The words of a web page: which are its own, which stand around them, and how many an article leaves out."""

from __future__ import annotations

import re
from collections import Counter

from lxml import etree

from quire.adapters.readers.html_blocks import SKIPPED, hidden
from quire.adapters.readers.markup import Element, descendants, local

WORD = re.compile(r"\w+")
AROUND = {"nav", "header", "footer", "aside", "form", "dialog", "menu"}
AROUND_ROLES = {
    "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar",
}  # fmt: skip
AROUND_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|footer|header|breadcrumbs?|cookies?|consent|share|sharing|social"
    r"|related|recommended|newsletter|promo|ads?|advert\w{0,12}|banner|toolbar|toc|pagination|subscribe|trending|popular"
    r"|login|modal|popup)(?:$|[\s_-])",
    re.IGNORECASE,
)
COMMENTS = re.compile(r"(?:^|[\s_-])(?:comments?|disqus)(?:$|[\s_-])", re.IGNORECASE)
NAMES_READ = 300
ARTICLE_TYPE = re.compile(r"(?:^|/)(?:\w{0,30}Article|BlogPosting|Report)$")
TYPES = re.compile(r'"@type"\s*:\s*\[?\s*"(\w{1,60})"')
NO_ARTICLES = {"DiscussionForumPosting", "QAPage", "CollectionPage"}
TYPES_READ = 200_000


class PageWords:
    """`prose` and `links` are the words of the page's own part, `total` counts all that a reader of it would see."""

    def __init__(self, root: Element) -> None:
        self.declared = is_declared(root)
        self.prose: Counter[str] = Counter()
        self.links: Counter[str] = Counter()
        self.total = 0
        self._count(root)

    def left_out_by(self, article: Counter[str]) -> tuple[int, int]:
        """How many words of the page's own part an article leaves out: of its prose, and with links."""
        return (self.prose - article).total(), (self.prose + self.links - article).total()

    def _count(self, root: Element) -> None:
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped: Element | None = None
        around: Element | None = None
        links = 0
        for event, element in walker:
            tag = local(element).lower()
            if event == "start":
                if tag in SKIPPED or hidden(element):
                    skipped = element
                    walker.skip_subtree()
                    continue
                if around is None and self._stands_around(element, tag):
                    around = element
                links += tag == "a"
                self._add(element.text, around is not None, links > 0)
                continue
            if element is skipped:
                skipped = None
            else:
                links -= tag == "a"
            if element is around:
                around = None
            if element is not root:
                self._add(element.tail, around is not None, links > 0)

    def _add(self, text: str | None, around: bool, link: bool) -> None:
        if not text or text.isspace():
            return
        words = WORD.findall(text)
        self.total += len(words)
        if not around:
            (self.links if link else self.prose).update(words)

    def _stands_around(self, element: Element, tag: str) -> bool:
        if tag in ("html", "head", "body", "main", "article"):
            return False
        if tag in AROUND or element.get("role") in AROUND_ROLES:
            return True
        names = f"{element.get('class') or ''} {element.get('id') or ''}"[:NAMES_READ]
        # Of a forum's page, the comments are what it is about.
        return bool(AROUND_NAMES.search(names) or (self.declared and COMMENTS.search(names)))


def is_declared(root: Element) -> bool:
    """Whether a page says of itself that it is an article."""
    types: set[str] = set()
    for script in descendants(root, "script"):
        if "ld+json" in (script.get("type") or ""):
            types.update(TYPES.findall((script.text or "")[:TYPES_READ]))
    for element in root.iter("*"):
        if element.get("itemtype"):
            types.add(element.get("itemtype").rpartition("/")[2])
    if types & NO_ARTICLES:
        return False
    told = any(
        (meta.get("property") or meta.get("name")) == "og:type" and "article" in (meta.get("content") or "").lower()
        for meta in descendants(root, "meta")
    )
    return told or any(map(ARTICLE_TYPE.search, types)) or sum(1 for _ in descendants(root, "article")) == 1
