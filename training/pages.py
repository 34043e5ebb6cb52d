"""What the judge of passages is taught with: the passages of each notebook in sentences, and which of these answer.

Passages are cut and taken apart as Quire does it with any text that is pasted. Nothing is searched: what a question is
shown beside the passage that answers it are those that share most of its words.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from held_out import is_held_out
from quire.text.blocks import blocks
from quire.text.indexing import Prepared, pasted
from quire.text.judging import head_of
from written import FOLDER, Notebook, normal, notebooks

WORD = re.compile(r"\w+")
STEM, SHORTEST = 5, 3
ASKING = frozenset(
    WORD.findall(
        "about all also and any are but can could did does for from get got had has have her him his how into its long"
        " many may might much must not one our out she should than that the their them then there they this was were"
        " what when where which who whom whose why will with would you your"
    )
)


def stems(text: str) -> set[str]:
    words = {word for word in WORD.findall(text.casefold()) if len(word) >= SHORTEST}
    return {word[:STEM] for word in words - ASKING}


@dataclass
class Passage:
    """`over` is what stands over it: its document's title, and its heading."""

    over: str
    sentences: list[str]
    stems: set[str] = field(default_factory=set)


@dataclass
class Pages:
    """The passages of a notebook."""

    id: str
    passages: list[Passage]
    spread: Counter[str]

    @property
    def name(self) -> str:
        """The name of the files that it is in one of, which are numbered, as notebooks in a file are."""
        return self.id.rsplit("-", 2)[0]

    @property
    def held_out(self) -> bool:
        return is_held_out(self.id)

    def likeliest(self, question: str) -> list[int]:
        """The passages in the order of what they share with a question, a little shuffled."""
        asked, total = stems(question), len(self.passages)
        shared = [
            sum(math.log(1 + total / self.spread[stem]) for stem in asked & passage.stems) + 0.3 * random.random()
            for passage in self.passages
        ]
        return sorted(range(total), key=lambda at: -shared[at])


@dataclass(frozen=True)
class PageQuestion:
    """`answers` are passages with the sentences there that answer, none where nothing does."""

    pages: Pages
    text: str
    answers: dict[int, set[int]]


def questions(folder: Path = FOLDER) -> Iterator[PageQuestion]:
    for notebook in notebooks(folder):
        pages = _pages(notebook)
        texts = [[normal(sentence) for sentence in passage.sentences] for passage in pages.passages]
        before = ""
        for question in notebook.questions:
            words = [normal(one) for part in question.answers for one in part]
            answers: dict[int, set[int]] = {}
            for at, sentences in enumerate(texts):
                found = {place for place, sentence in enumerate(sentences) if any(one in sentence for one in words)}
                if found:
                    answers[at] = found
            asked, before = f"{question.text} {before}" if question.follows else question.text, question.text
            # Words that run over the end of a sentence are in none.
            if answers or not question.answers:
                yield PageQuestion(pages, asked, answers)


def _pages(notebook: Notebook) -> Pages:
    passages = []
    for title, written in notebook.documents:
        prepared = Prepared(pasted(written.strip()), title)
        for cut in prepared.passages:
            sentences = [cut.text[block.start : block.end] for block in blocks(cut.text, prepared.language)]
            passages.append(Passage(head_of(title, cut.place.heading or ""), sentences, stems(f"{title} {cut.text}")))
    return Pages(notebook.id, passages, Counter(stem for passage in passages for stem in passage.stems))
