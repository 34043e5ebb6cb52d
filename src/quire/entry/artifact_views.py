"""Artifacts as people like to read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from quire.domain.artifacts import Artifact, ArtifactContent
from quire.entry.terminal import Fit, clean, facts, label, minute, short

STATES = {"ready": "green", "draft": "yellow", "failed": "red", "in_progress": "cyan", "pending": "cyan"}


def state(artifact: Artifact) -> Text:
    text = Text(artifact.state.replace("_", " "), style=STATES[artifact.state])
    if artifact.state == "in_progress":
        text.append(f" {artifact.progress:.0%} {artifact.doing}".rstrip(), "dim")
    return text


def show_artifact(out: Console, artifact: Artifact) -> None:
    facts(
        out,
        {
            "Title": Text(clean(artifact.title), style="bold"),
            "Id": Text(artifact.id, style="cyan"),
            "Kind": artifact.kind.replace("_", " "),
            "State": state(artifact),
            "Files": ", ".join(artifact.formats) or None,
            "Options": ", ".join(f"{name}: {value}" for name, value in artifact.options.items()) or None,
            "Instructions": clean(artifact.instructions) or None,
            "Language": artifact.language or None,
            "Written by": {"extractive": "the sources' own sentences", "model": "a language model"}.get(
                artifact.maker or ""
            ),
            "Sources": len(artifact.source_ids) or None,
            "Warnings": clean(" ".join(artifact.warnings)) or None,
            "Error": artifact.error and clean(artifact.error),
            "Made": artifact.created_at,
        },
    )


def next_step(artifact: Artifact) -> str:
    """The command that one wants next."""
    id = short(artifact.id)
    if artifact.state == "draft":
        return (
            f"Read and change it: quire artifact content {id} --json > draft.json\n"
            f"Then make its files: quire artifact edit {id} - < draft.json"
        )
    if artifact.state == "failed":
        return f"Make it again: quire artifact retry {id}"
    if artifact.state != "ready":
        return f"A running 'quire serve' works on it; so does: quire artifact wait {id}"
    others = "|".join(artifact.formats[1:])
    return f"Get its file: quire artifact download {id}" + (f" [--format {others}]" if others else "")


def show_content(out: Console, content: ArtifactContent) -> None:
    """What it says, a line each, without what statements rest on; `--json` tells that too."""
    for line in _lines(content.content, 0):
        out.print(Text(clean(line)), soft_wrap=True)


def _lines(value: Any, depth: int) -> Iterator[str]:
    pad = "  " * depth
    if isinstance(value, dict):
        for name, one in value.items():
            if name in ("grounds", "verified") or one in ("", [], None):
                continue
            if isinstance(one, dict | list):
                yield f"{pad}{label(name)}"
                yield from _lines(one, depth + 1)
            else:
                yield f"{pad}{label(name)}: {one}"
    elif isinstance(value, list):
        for one in value:
            yield from _lines(one, depth)
    else:
        yield f"{pad}{value}"


TABLE: tuple[Mapping[str, Fit], Callable[[Any], Sequence[Any]]] = (
    {"Id": "id", "Title": "cut", "Kind": "whole", "State": "cut", "Files": "cut", "Made (UTC)": "whole"},
    lambda one: (
        short(one.id),
        one.title,
        one.kind.replace("_", " "),
        state(one),
        ", ".join(one.formats),
        minute(one.created_at),
    ),
)
