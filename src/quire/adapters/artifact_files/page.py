"""A page of HTML that needs nothing beside itself: no network, no scripts of others."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d9dee6; --paper: #ffffff;
  --tint: #f3f6fa; --accent: #2457a6; --good: #1d7a46; --bad: #b3382c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3adba; --line: #38424f; --paper: #14181d;
  --tint: #1d232b; --accent: #8db8ff; --good: #6fce97; --bad: #ff9a8d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1.5rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.2rem 0 .6rem; }
p, ul, ol, dl, blockquote, table { margin: .6rem 0; }
li { margin: .35rem 0; }
dt { font-weight: 650; margin-top: .7rem; } dd { margin: 0 0 .4rem; }
sup { color: var(--soft); font-size: .72em; line-height: 0; } .soft { color: var(--soft); }
table { border-collapse: collapse; width: 100%; font-size: .92em; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--tint); }
blockquote { border-left: 3px solid var(--accent); padding-left: 1rem; color: var(--soft); }
button { font: inherit; color: var(--paper); background: var(--accent); border: 0; border-radius: .5rem;
  padding: .5rem 1rem; cursor: pointer; } button.quiet { background: var(--tint); color: var(--ink); }
button:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media print { main { max-width: none; padding: 0; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
TAG = re.compile(r"^[a-z][a-z0-9-]{0,34}$", re.IGNORECASE)


def page(title: str, language: str, body: str, *, style: str = "", script: str = "", after: str = "") -> str:
    """`body` is HTML already; `after` comes behind it and before the script."""
    tag = language.replace("_", "-")
    code = tag if TAG.match(tag) else "en"
    return (
        f'<!doctype html>\n<html lang="{code}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        + after
        + (f"<script>{script}</script>\n" if script else "")
        + "</body>\n</html>\n"
    )


class _Read(HTMLParser):
    VOID = frozenset({"meta", "br", "hr", "img", "input", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.attributes: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.attributes |= {name: value or "" for name, value in attrs}
        self.text.setdefault(tag, []).append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.text.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise ValueError(f"<{tag}> is not closed where it should be")

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.text[tag][-1] += data


def read_page(path: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The text of each element by its tag, and the last value of each attribute; ValueError where tags do not fit."""
    reader = _Read()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    if reader.open:
        raise ValueError(f"<{reader.open[-1]}> is not closed")
    return reader.text, reader.attributes
