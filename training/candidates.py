"""What Quire would choose an answer from, for each question: `python training/candidates.py FILE [--texts DIR]`.

Every notebook of `texts` is made in a library of its own kind; each question goes the way of any other, up to the
sentences that its signs hold for promising. Those are written down with what a judge is shown of them, a line a
question: the sentences, which of them answer, and whether the notebook is held out from learning.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import numpy

import quire.text as text_engine
from held_out import is_held_out
from quire.adapters.embedders import MiniLm
from quire.api.library import Library
from quire.entry.bootstrap import build
from quire.entry.settings import load
from quire.text.asked import asked_of
from quire.text.candidates import Candidate, ScoredPassage
from quire.text.check_citations import Draft
from quire.text.forms.sentences import scored
from quire.text.judging import put_to_judge, to_judge
from quire.text.makers import WritingTask
from quire.text.sentence_choice import PASSAGES, weighed
from written import FOLDER, Notebook, Question, normal, notebooks

# Of the sentences that do not answer so many are kept, and those that do if they are among so many.
KEPT, ANSWERS = 12, 60
Embed = Callable[..., Any]


def promising(task: WritingTask) -> list[tuple[ScoredPassage, Candidate]]:
    """The sentences to choose from, the likeliest first by their signs."""
    asked, passages = task.asked or asked_of(task.question), scored(task.hits[:PASSAGES])
    passages, _, found, scores = weighed(asked, passages, task.frequencies, task.total, task.similarity)
    order = sorted(range(len(found)), key=lambda at: -scores[at])
    return [(passages[found[at].at], found[at]) for at in order]


def remembering(embed: Embed) -> Embed:
    """An embedder that makes a text's vector once: the questions to a notebook are compared with the same sentences."""
    known: dict[str, Any] = {}

    def remembered(self: Any, texts: list[str], kind: Any = "passage") -> Any:
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known.update(zip(fresh, embed(self, fresh, kind), strict=True))
        return numpy.array([known[text] for text in texts], dtype=numpy.float32).reshape(len(texts), self.dimensions)

    return remembered


class Recorder:
    """A maker that writes down what there is to choose from, and answers nothing."""

    name = "extractive"

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.put = ""

    async def write(self, task: WritingTask) -> AsyncIterator[str | Draft]:
        self.put = put_to_judge(task.asked or asked_of(task.question))
        self.found = await asyncio.to_thread(promising, task)
        yield Draft("", refused=True)


def row(notebook: Notebook, question: Question, put: str, found: list[Any]) -> dict[str, Any]:
    texts = []
    for rank, (passage, candidate) in enumerate(found):
        shown = to_judge(passage, candidate.start, candidate.end)
        said = normal(shown.text)
        answers = any(normal(words) in said for part in question.answers for words in part)
        if rank < KEPT or (answers and rank < ANSWERS):
            texts.append({"text": shown.text, "around": shown.around, "answers": answers, "rank": rank})
    return {
        "notebook": notebook.id,
        "held_out": is_held_out(notebook.id),
        "question": put,
        "answered": bool(question.answers),
        "texts": texts,
    }


async def recorded(library: Library, notebook: Notebook, recorder: Recorder) -> list[dict[str, Any]]:
    id = (await library.notebooks.create(notebook.id)).id
    for title, text in notebook.documents:
        source = await library.sources.add(id, "text", text=text.strip(), title=title)
        await library.sources.wait(id, source.id)
    while any(job.state in ("queued", "running") for job in (await library.jobs.list(id)).items):
        await asyncio.sleep(0.1)
    rows, conversation = [], None
    for question in notebook.questions:
        recorder.found, recorder.put = [], question.text
        answer = await library.chat.ask(id, question.text, conversation_id=conversation if question.follows else None)
        conversation = answer.conversation_id
        rows.append(row(notebook, question, recorder.put, recorder.found))
    await library.notebooks.delete(id)
    return rows


async def main(file: Path, texts: Path) -> None:
    recorder = Recorder()
    text_engine.ExtractiveMaker = lambda: recorder  # type: ignore[assignment,misc]
    MiniLm.embed = remembering(MiniLm.embed)  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as home, file.open("w", encoding="utf-8") as out:
        async with build(load({"home": home, "embedder": "auto", "voice": "embedded"}, {})) as library:
            for notebook in notebooks(texts):
                if missing := notebook.missing():
                    raise SystemExit("\n".join(["These answers stand in no document:", *missing]))
                for one in await recorded(library, notebook, recorder):
                    out.write(json.dumps(one, ensure_ascii=False) + "\n")
                print(notebook.id, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE", help="where the candidates are written, as JSON lines")
    parser.add_argument("--texts", type=Path, default=FOLDER, metavar="DIR", help="the notebooks (default: texts)")
    options = parser.parse_args()
    asyncio.run(main(options.file, options.texts))
