"""Flashcards as Markdown."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.cited import Numbers
from quire.adapters.artifact_files.report_markdown import escaped
from quire.domain.quizzes import Flashcards
from quire.ports.artifact_files import Progress


def make(cards: Flashcards, path: Path, progress: Progress) -> None:
    numbers = Numbers(one.explanation for one in cards.cards)
    parts = [f"# {escaped(cards.title)}"]
    for one in cards.cards:
        front = "  \n".join(escaped(line) for line in one.front.splitlines())
        parts.append(f"**{front}**\n\n{escaped(one.back)} {numbers.shown(one.explanation)}\n\n---")
    sources = "\n".join(f"{number}. {escaped(title)}" for number, title in enumerate(numbers.sources(), 1))
    parts.append(f"## {escaped(cards.words.get('sources', 'Sources'))}\n\n{sources}")
    if cards.remark:
        parts.append(f"*{escaped(cards.remark)}*")
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def check(path: Path, cards: Flashcards) -> None:
    text = path.read_text(encoding="utf-8")
    if text.count("\n---\n") != len(cards.cards) or any(escaped(one.back) not in text for one in cards.cards):
        raise ValueError("a card is missing")
