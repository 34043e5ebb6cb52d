"""Markup that a cell put out, without anything in it that runs or reaches out."""

from __future__ import annotations


def sanitised(html: str) -> str | None:
    """Safe markup; None where the library that makes it so is not installed."""
    try:
        import nh3
    except ImportError:
        return None
    clean: str = nh3.clean(html, link_rel="noopener noreferrer nofollow", url_schemes={"http", "https", "mailto"})
    return clean
