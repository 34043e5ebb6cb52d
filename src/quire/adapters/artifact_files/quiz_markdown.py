"""Quizzes as Markdown: the questions, and the answers after them."""

from __future__ import annotations

from pathlib import Path

from quire.adapters.artifact_files.cited import Numbers
from quire.adapters.artifact_files.report_markdown import escaped
from quire.domain.quizzes import Quiz
from quire.ports.artifact_files import Progress

LETTERS = "ABCDEFGH"


def make(quiz: Quiz, path: Path, progress: Progress) -> None:
    numbers = Numbers(one.explanation for one in quiz.questions)
    words = quiz.words
    parts = [f"# {escaped(quiz.title)}"]
    for number, one in enumerate(quiz.questions, 1):
        question = "  \n   ".join(escaped(line) for line in one.question.splitlines())
        listed = "\n".join(
            f"   - {letter}. {escaped(option)}" for letter, option in zip(LETTERS, one.options, strict=False)
        )
        parts.append(f"{number}. {question}\n\n{listed}")
    parts.append(f"## {escaped(words.get('answer', 'Answers'))}")
    parts.append(
        "\n".join(
            f"{number}. **{LETTERS[one.answer]}. {escaped(one.options[one.answer])}** – "
            f"{escaped(one.explanation.text)} {numbers.shown(one.explanation)}"
            for number, one in enumerate(quiz.questions, 1)
        )
    )
    sources = "\n".join(f"{number}. {escaped(title)}" for number, title in enumerate(numbers.sources(), 1))
    parts.append(f"## {escaped(words.get('sources', 'Sources'))}\n\n{sources}")
    if quiz.remark:
        parts.append(f"*{escaped(quiz.remark)}*")
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def check(path: Path, quiz: Quiz) -> None:
    text = path.read_text(encoding="utf-8")
    if any(escaped(option) not in text for one in quiz.questions for option in one.options):
        raise ValueError("an answer is missing")
