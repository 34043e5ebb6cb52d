"""Markup that a cell put out, without anything in it that runs or reaches out."""

from __future__ import annotations

import re

from quire.adapters.cells.svg import clean_svg
from quire.domain.cells import OUTPUT_LIMIT

# Elements that a parser of HTML opens again in each paragraph after the one where they were left open.
REOPENED = re.compile(r"<(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/>]", re.IGNORECASE)
# What separates attributes. One of a tag is compared with all that it has already.
SEPARATOR = re.compile(r"[\s/\"'=]+")
# The parser takes the square of these in time, and of the first in memory: a second or less.
MOST_TAGS = 15_000
MOST_REOPENED = 500_000
MOST_ATTRIBUTES = 20_000


def sanitised(media_type: str, text: str) -> str | None:
    """Safe markup; None where there is no telling what is, or the library that makes it so is not installed."""
    if media_type == "image/svg+xml":
        return clean_svg(text)
    if too_tangled(text):
        return None
    try:
        import nh3
    except ImportError:
        return None
    clean: str = nh3.clean(text, link_rel="noopener noreferrer nofollow", url_schemes={"http", "https", "mailto"})
    return clean if len(clean) <= 2 * OUTPUT_LIMIT else None


def too_tangled(html: str) -> bool:
    """Whether a parser would take long over it, whatever it turns out to be."""
    tags = html.count("<")
    if tags > MOST_TAGS or tags * len(REOPENED.findall(html)) > MOST_REOPENED:
        return True
    return any(len(SEPARATOR.findall(part)) > MOST_ATTRIBUTES for part in html.split("<"))
