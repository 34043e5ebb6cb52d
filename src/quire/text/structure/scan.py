"""Reads a text, or a stretch of one, into its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from quire.domain.markdown_headings import atx
from quire.text.headings import FENCE, LONGEST, plain
from quire.text.sentences import Span, sentences
from quire.text.structure.parts import Code, Item, ItemList, Part, Prose, Row, Section, Table
from quire.text.structure.tables import headed, is_row, is_rule, row_of

BULLET = re.compile(r"[-*+•‣▪◦·–][ \t]++(?=\S)")
COUNTED = re.compile(
    r"(?:\(?(?P<number>\d{1,3})[.)][ \t]|（(?P<wide>\d{1,2})）|(?P<listed>\d{1,2})[、．]"
    r"|\*{0,2}(?:step|schritt|étape|paso|passo|stap|шаг)[ \t](?P<step>\d{1,2})[ \t]?[:.)–—-]\*{0,2}[ \t]"
    r"|第(?P<ordinal>\d{1,2})步[：:]?"
    r"|\(?(?:[a-z]|[ivx]{2,4})[.)][ \t]|[一二三四五六七八九十]{1,3}、|[①-⑳]|\[[ x]\][ \t]|[☐☑☒])[ \t]*+(?=\S)",
    re.IGNORECASE,
)
TITLE_LENGTH, CAPTION_LENGTH = 80, 200
ENDED = re.compile(r"[.!?…;,。！？；，؟।][\"'”’»)\]]*$")
LEADING = (":", "：")
# After a blank line, what is indented so far still belongs to the item above.
INDENTED = 2


class Line(NamedTuple):
    start: int
    end: int
    text: str


class ItemMark(NamedTuple):
    """What begins an item: how far it is indented, where its words begin, what it is counted by."""

    indent: int
    end: int
    sign: str
    number: int | None


@lru_cache(64)
def parts_of(text: str, start: int = 0, end: int | None = None, above: Section | None = None) -> tuple[Part, ...]:
    """The parts from `start` to `end`, which are beginnings of lines, in reading order; `above` is what stands over
    the first."""
    return tuple(_Scan(text, start, len(text) if end is None else end, above).parts)


class _Scan:
    def __init__(self, text: str, start: int, end: int, above: Section | None) -> None:
        self.text = text
        self.parts: list[Part] = []
        self._lines = list(_lines(text, start, end))
        self._section = above
        self._at = 0
        while self._at < len(self._lines):
            self._next()

    def _next(self) -> None:
        line = self._lines[self._at]
        shown = line.text[:LONGEST]
        if not shown.strip():
            self._at += 1
        elif FENCE.match(shown):
            self._code(line)
        elif found := atx(shown):
            self._heading(line, *found)
        elif is_row(shown):
            self._table()
        elif _marked(shown):
            self._list()
        else:
            self._prose()

    def _heading(self, line: Line, level: int, title: str) -> None:
        above = self._section
        while above is not None and above.level >= level:
            above = above.above
        if title:
            self._section = Section(plain(title), line.start, line.end, level, above)
        self._at += 1

    def _code(self, line: Line) -> None:
        lead = self._lead()
        fence = FENCE.match(line.text)
        assert fence is not None
        last = self._at
        for at in range(self._at + 1, len(self._lines)):
            last = at
            mark = FENCE.match(self._lines[at].text)
            if mark and mark[1].startswith(fence[1]):
                break
        self.parts.append(Code(line.start, self._lines[last].end, self._section, lead))
        self._at = last + 1

    def _table(self) -> None:
        lead = self._lead(caption=True)
        first = self._at
        rows: list[Row] = []
        while self._at < len(self._lines) and is_row(self._lines[self._at].text):
            line = self._lines[self._at]
            if not is_rule(line.text):
                rows.append(row_of(self.text, line.start, line.end))
            self._at += 1
        if rows:
            head, others = headed(self.text, rows)
            start, end = self._lines[first].start, self._lines[self._at - 1].end
            self.parts.append(Table(start, end, self._section, lead, head, others))

    def _prose(self) -> None:
        first = last = self._at
        while last + 1 < len(self._lines):
            shown = self._lines[last + 1].text[:LONGEST]
            if not shown.strip() or atx(shown) or is_row(shown) or FENCE.match(shown) or _marked(shown):
                break
            last += 1
        self.parts.append(Prose(self._lines[first].start, self._lines[last].end, self._section))
        self._at = last + 1

    def _list(self) -> None:
        lead = self._lead()
        items: list[Item] = []
        indents: list[int] = []
        blank, sign = False, ""
        at = self._at
        while at < len(self._lines):
            line = self._lines[at]
            shown = line.text[:LONGEST]
            if not shown.strip():
                blank = True
                at += 1
                continue
            mark = _marked(shown)
            indent = len(shown) - len(shown.lstrip(" \t"))
            if mark:
                if blank and not self._goes_on(items, indents, mark, sign):
                    break
                while indents and indents[-1] > indent:
                    indents.pop()
                if not indents or indents[-1] < indent:
                    indents.append(indent)
                if len(indents) == 1:
                    sign = mark.sign
                words = line.start + mark.end, line.end
                items.append(Item(line.start + indent, line.end, words, len(indents) - 1, mark.number))
            elif atx(shown) or is_row(shown) or FENCE.match(shown) or (blank and indent < INDENTED):
                break
            else:
                last = items[-1]
                items[-1] = last._replace(end=line.end, text=(last.text[0], line.end))
            blank = False
            self._at = at = at + 1
        whole = _nested(items)
        if len(whole) > 1:
            self.parts.append(ItemList(whole[0].start, items[-1].end, self._section, lead, tuple(whole)))
        else:
            self.parts.append(Prose(items[0].start, items[-1].end, self._section))

    def _goes_on(self, items: list[Item], indents: list[int], mark: ItemMark, sign: str) -> bool:
        """Whether an item after a blank line is one more of the same list: nested, next in number, of the same sign."""
        if mark.indent > indents[0]:
            return True
        if mark.number is not None:
            last = next(item.number for item in reversed(items) if item.depth == 0)
            return last is not None and mark.number == last + 1
        return mark.sign == sign

    def _lead(self, *, caption: bool = False) -> Span | None:
        """The last sentence of the text before, where it leads up to what comes: by a colon, by standing right above
        it, as a short line that does not end as sentences do, or as the one sentence of a caption."""
        if not self.parts or not isinstance(self.parts[-1], Prose) or self.parts[-1].section is not self._section:
            return None
        before = self.parts[-1]
        said = self.text[before.start : before.end]
        near = "\n\n" not in self.text[before.end : self._lines[self._at].start]
        title = len(said) <= TITLE_LENGTH and "\n" not in said and not ENDED.search(said)
        spans = sentences(said)
        caption = caption and len(spans) == 1 and len(said) <= CAPTION_LENGTH
        if said.startswith("![") or not (said.rstrip("*_").endswith(LEADING) or near or title or caption):
            return None
        start, end = spans[-1]
        return before.start + start, before.start + end


def _lines(text: str, start: int, end: int) -> Iterator[Line]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield Line(start, start + len(text[start:stop].rstrip()), text[start:stop].rstrip())
        start = stop + 1


def _marked(line: str) -> ItemMark | None:
    """The mark of an item, if the line begins with one; a bullet may have a number behind it."""
    indent = len(line) - len(line.lstrip(" \t"))
    bullet = BULLET.match(line, indent)
    counted = COUNTED.match(line, bullet.end() if bullet else indent)
    mark = counted or bullet
    if mark is None:
        return None
    said = next(filter(None, counted.groups()), None) if counted else None
    sign = line[indent] if bullet and not said else "1" if said else "a"
    return ItemMark(indent, mark.end(), sign, int(said) if said else None)


def _nested(items: list[Item]) -> list[Item]:
    """Items that reach to the end of what is nested in them."""
    found: list[Item] = []
    ends: list[int] = []
    for item in reversed(items):
        inner = item.end
        del ends[item.depth + 2 :]
        if len(ends) > item.depth + 1:
            inner = max(inner, ends.pop())
        ends += [0] * (item.depth + 1 - len(ends))
        ends[item.depth] = max(ends[item.depth], inner)
        found.append(item._replace(end=inner))
    return found[::-1]
