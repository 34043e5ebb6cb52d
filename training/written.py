"""Texts with questions, as they are written: notebooks, their documents, and what is asked of them.

=== a notebook
--- doc: a title
the document's text
--- ask
Q: a question
A: the words of a document that answer it; a line for each part, ` || ` between words that would each do alone
Q: a question that the documents do not answer
A: -
F: a question that goes on from the one right before it
A: the words that answer it, or -
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "texts"
NOTEBOOK, DOCUMENT, ASK, QUESTION, FOLLOWING, ANSWER = "=== ", "--- doc:", "--- ask", "Q:", "F:", "A:"
NONE, OR = "-", " || "
MARKS = re.compile(r"[*`]")


@dataclass
class Question:
    """`answers` has the parts that are needed, each with the words of which any will do; none where nothing answers.
    One that `follows` goes on from the question before it."""

    text: str
    answers: list[list[str]] = field(default_factory=list)
    follows: bool = False


@dataclass
class Notebook:
    id: str
    documents: list[tuple[str, str]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def missing(self) -> list[str]:
        """Answers that stand in none of the documents."""
        texts = normal("\n".join(text for _, text in self.documents))
        return [
            f"{self.id}: {words}"
            for question in self.questions
            for part in question.answers
            for words in part
            if normal(words) not in texts
        ]


def normal(text: str) -> str:
    """What is compared: white space, case and marks do not count."""
    return " ".join(MARKS.sub("", text).split()).casefold()


def notebooks(folder: Path = FOLDER) -> Iterator[Notebook]:
    for file in sorted(folder.glob("*.txt")):
        yield from _read(file)


def _read(file: Path) -> list[Notebook]:
    found: list[Notebook] = []
    asking = False
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(NOTEBOOK):
            found.append(Notebook(f"{file.stem}-{len(found) + 1}"))
            asking = False
        elif line.startswith(DOCUMENT):
            found[-1].documents.append((line.removeprefix(DOCUMENT).strip(), ""))
            asking = False
        elif line.strip() == ASK:
            asking = True
        elif not asking:
            title, text = found[-1].documents[-1]
            found[-1].documents[-1] = (title, f"{text}{line}\n")
        elif line.startswith((QUESTION, FOLLOWING)):
            follows = line.startswith(FOLLOWING)
            found[-1].questions.append(Question(line[len(QUESTION) :].strip(), follows=follows))
        elif line.startswith(ANSWER):
            told = line.removeprefix(ANSWER).strip()
            if told != NONE:
                found[-1].questions[-1].answers.append(told.split(OR))
        elif line.strip():
            raise ValueError(f"{file.name}:{number} is neither a question nor an answer.")
    return found
