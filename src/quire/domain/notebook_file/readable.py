"""What of a notebook is written for people: Markdown that needs nothing else to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from quire.domain.chat import Answer, Citation
from quire.domain.hygiene import one_line

MARKER = re.compile(r"\[(\d{1,4})\]")
LINK_BREAKERS = re.compile(r"([\[\]\\`*_<>])")
UNFIT = re.compile(r"[^\w.-]+")
LONGEST_SLUG = 60


def in_link(title: str) -> str:
    """A title between the brackets of a link."""
    return LINK_BREAKERS.sub(r"\\\1", one_line(title)) or "Untitled"


def slug(title: str) -> str:
    """A title as the name of a file, on every system; letters of all scripts stay."""
    made = UNFIT.sub("-", one_line(title)).strip("-._ ").lower()
    while len(made.encode()) > LONGEST_SLUG * 2 or len(made) > LONGEST_SLUG:
        made = made[:-1]
    return made.strip("-._") or "untitled"


def quoted(text: str) -> str:
    """A text as a value in front matter: JSON's strings are YAML's."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def place_of(citation: Citation) -> str:
    place = citation.place
    named = [f"{name} {value}" for name in ("page", "slide", "sheet") if (value := getattr(place, name))]
    return ", ".join([*named, *(value for value in (place.heading, place.time) if value)])


def turn_as_markdown(number: int, answer: Answer, links: dict[str, str]) -> str:
    """A question and its answer; what it cites are footnotes, which link to their sources where these are there."""
    known = {citation.number for citation in answer.citations}

    def footnote(found: re.Match[str]) -> str:
        return f"[^{number}-{found[1]}]" if int(found[1]) in known else found[0]

    notes = []
    for citation in answer.citations:
        title = in_link(citation.source_title)
        shown = f"[{title}]({links[citation.source_id]})" if citation.source_id in links else title
        place = place_of(citation)
        where = f", {place}" if place else ""
        notes.append(f"[^{number}-{citation.number}]: {shown}{where}: “{one_line(citation.excerpt)}”\n")
    text = MARKER.sub(footnote, answer.text)
    return f"## {one_line(answer.question)}\n\n{text}\n\n" + "".join(notes) + ("\n" if notes else "")


def conversation_as_markdown(answers: Iterable[Answer], links: dict[str, str]) -> str:
    """`links` tells where the text of a source is, seen from the conversation."""
    return "".join(turn_as_markdown(number, answer, links) for number, answer in enumerate(answers, 1))


class Names:
    """Paths of files that are called by titles: each once, on file systems that know no case too."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def given(self, folder: str, title: str) -> str:
        name, number = slug(title), 1
        path = f"{folder}/{name}.md"
        while path.casefold() in self._taken:
            number += 1
            path = f"{folder}/{name}-{number}.md"
        self._taken.add(path.casefold())
        return path


def front_matter(values: Mapping[str, str | list[str] | None]) -> str:
    """What stands before a text, in YAML; what is None is left out."""
    lines = []
    for name, value in values.items():
        if value is not None:
            written = quoted(value) if isinstance(value, str) else f"[{', '.join(map(quoted, value))}]"
            lines.append(f"{name}: {written}\n")
    return f"---\n{''.join(lines)}---\n"


def index_as_markdown(title: str, sections: Iterable[tuple[str, Sequence[tuple[str, str | None]]]]) -> str:
    """A list of what is there: title and path of each."""
    lines = [f"# {one_line(title)}\n"]
    for heading, items in sections:
        if items:
            lines.append(f"\n## {heading}\n\n")
            lines += [f"- [{in_link(name)}]({path})\n" if path else f"- {in_link(name)}\n" for name, path in items]
    return "".join(lines)
