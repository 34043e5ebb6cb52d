"""How well questions are answered as people ask them.

`python benchmarks/people.py [SET] [--folder DIR] [--check] [--show] [--json FILE] [--no-embedder]`

A set (`people/README.md`) has notebooks with their documents, and questions. Every notebook is made anew; a follow-up
goes on in the conversation of the question before it. No language model takes part.

right            every part of the gold is cited or said; `which-documents`: all of the documents are cited or named and
                 no other is cited; `unanswerable`: refused; `follow-up`: not the answer before it again
lean             right, and at most half of what is cited is padding
first            the first citation holds a part of the gold (questions that can be answered)
padding          share of the cited characters outside the sentences, items and rows of the gold and the relevant
refused          share of the questions that can be answered which are refused
confident_wrong  share of the questions answered with high confidence, but not rightly
suggestions      follow-ups suggested with the first answer of each notebook, those that are refused when asked, and the
                 share of all answers that come with at least two
calibration      for each confidence, and for refusals, how many answers there are and the share that is right

Rules may be tuned on the sets that are `OPEN`. Those kept `APART` are for measuring: their answers are neither shown
nor written.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sets
from people_texts import Read, normal
from quire import Answer, Library, Upload

FOLDER = Path(__file__).parent / "people"
OPEN = (
    "dev",
    "more",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
)
APART = ("apart", "kept-one", "kept-two", "kept-three", "kept-four", "kept-five")
FIGURES = ("right", "lean", "first", "padding", "refused", "confident_wrong")
LEVELS = ("high", "medium", "low", "refused")
MARK = re.compile(r"\s*\[\d+(?:,\s*\d+)*\]")


@dataclass(frozen=True)
class Question:
    id: str
    notebook: str
    question: str
    kind: str
    answerable: bool
    gold: list[list[str]]
    relevant: list[str]
    after: str = ""
    documents: list[str] = field(default_factory=list)

    @property
    def phrases(self) -> list[str]:
        return [*(phrase for part in self.gold for phrase in part), *self.relevant]


@dataclass(frozen=True)
class Verdict:
    """`cited` and `padding` are numbers of characters."""

    question: Question
    answer: Answer
    right: bool
    first: bool
    cited: int
    padding: int

    @property
    def lean(self) -> bool:
        return self.right and 2 * self.padding <= self.cited

    @property
    def level(self) -> str:
        return self.answer.confidence if self.answer.grounded else "refused"

    @property
    def confident_wrong(self) -> bool:
        return self.level == "high" and not self.right

    def told(self) -> dict[str, Any]:
        asked, answer = self.question, self.answer
        return {
            "id": asked.id,
            "kind": asked.kind,
            "question": asked.question,
            "answer": answer.text,
            "citations": [f"{one.source_title}: {one.excerpt}" for one in answer.citations],
            "suggestions": answer.follow_up_questions,
            "level": self.level,
            "support": answer.support,
            "right": self.right,
            "lean": self.lean,
            "first": self.first,
            "cited": self.cited,
            "padding": self.padding,
        }


def questions(folder: Path) -> list[Question]:
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [Question(**json.loads(line)) for line in lines if line.strip()]


def notebooks(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "notebooks.json").read_text(encoding="utf-8"))
    return found


def missing(asked: Iterable[Question], texts: Iterable[Read]) -> list[str]:
    """Phrases of the gold and the relevant that stand in none of the texts."""
    held = list(texts)
    return [
        f"{one.id}: {phrase}"
        for one in asked
        for phrase in one.phrases
        if not any(text.spans_of(phrase) for text in held)
    ]


def judge(asked: Question, answer: Answer, before: Answer | None, texts: dict[str, Read]) -> Verdict:
    cited = padding = 0
    first = False
    if asked.answerable and answer.grounded and answer.citations:
        begin = normal(answer.citations[0].excerpt)
        first = any(_says(begin, part) for part in asked.gold)
        for source, text in texts.items():
            spans = [(one.start, one.end) for one in answer.citations if one.source_id == source]
            quoted = text.letters_in(spans)
            cited += len(quoted)
            padding += len(quoted - text.letters_in(text.units_of(asked.phrases)))
    return Verdict(asked, answer, _right(asked, answer, before), first, cited, padding)


def _right(asked: Question, answer: Answer, before: Answer | None) -> bool:
    if answer.grounded != asked.answerable:
        return False
    if not asked.answerable:
        return True
    if before and before.text == answer.text:
        return False
    if asked.kind == "which-documents":
        cited = {one.source_title for one in answer.citations}
        unnamed = [title for title in asked.documents if normal(title) not in normal(answer.text)]
        return cited <= set(asked.documents) and cited >= set(unnamed)
    said = "\n".join(normal(part) for part in [MARK.sub("", answer.text), *(one.excerpt for one in answer.citations)])
    return all(_says(said, part) for part in asked.gold)


def _says(text: str, alternatives: Sequence[str]) -> bool:
    return any(normal(phrase) in text for phrase in alternatives)


@dataclass
class Round:
    """One run over a set."""

    folder: Path
    verdicts: list[Verdict] = field(default_factory=list)
    suggested: list[tuple[str, bool]] = field(default_factory=list)
    seconds: float = 0.0

    async def run(self, *, embedder: bool) -> None:
        asked = questions(self.folder)
        async with sets.library(embedder=embedder) as library:
            for notebook in notebooks(self.folder):
                id, texts = await fill(library, notebook, self.folder)
                own = [one for one in asked if one.notebook == notebook["id"]]
                if own:
                    await self._ask(library, id, own, texts)

    async def _ask(self, library: Library, id: str, asked: Sequence[Question], texts: dict[str, Read]) -> None:
        given: dict[str, Answer] = {}
        for one in asked:
            before = given.get(one.after)
            began = time.monotonic()
            answer = await library.chat.ask(
                id, one.question, conversation_id=before.conversation_id if before else None
            )
            self.seconds += time.monotonic() - began
            given[one.id] = answer
            self.verdicts.append(judge(one, answer, before, texts))
        for suggestion in given[asked[0].id].follow_up_questions:
            again = await library.chat.ask(id, asked[0].question)
            answer = await library.chat.ask(id, suggestion, conversation_id=again.conversation_id)
            self.suggested.append((suggestion, answer.grounded))

    def figures(self) -> dict[str, Any]:
        kinds = sorted({one.question.kind for one in self.verdicts})
        by_kind = {kind: [one for one in self.verdicts if one.question.kind == kind] for kind in kinds}
        by_kind["overall"] = self.verdicts
        answers = [one.answer for one in self.verdicts if one.answer.grounded]
        return {
            "kinds": {kind: figures(verdicts) for kind, verdicts in by_kind.items()},
            "calibration": {kind: calibration(verdicts) for kind, verdicts in by_kind.items()},
            "own_suggestions": len(self.suggested),
            "own_suggestions_refused": share([not answered for _, answered in self.suggested]),
            "two_suggestions": share([len(one.follow_up_questions) >= 2 for one in answers]),
            "seconds_a_question": round(self.seconds / max(1, len(self.verdicts)), 3),
        }


def figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    answerable = [one for one in verdicts if one.question.answerable]
    cited = sum(one.cited for one in verdicts)
    return {
        "questions": len(verdicts),
        "right": share([one.right for one in verdicts]),
        "lean": share([one.lean for one in verdicts]),
        "first": share([one.first for one in answerable]),
        "padding": round(sum(one.padding for one in verdicts) / cited, 3) if cited else None,
        "refused": share([one.level == "refused" for one in answerable]),
        "confident_wrong": share([one.confident_wrong for one in verdicts]),
    }


def calibration(verdicts: Sequence[Verdict]) -> dict[str, dict[str, Any]]:
    at = {level: [one.right for one in verdicts if one.level == level] for level in LEVELS}
    return {level: {"answers": len(rights), "right": share(rights)} for level, rights in at.items()}


def share(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


async def fill(library: Library, notebook: dict[str, Any], folder: Path) -> tuple[str, dict[str, Read]]:
    """A notebook with its documents, and their texts by the sources' ids, when all work on them is done."""
    id = (await library.notebooks.create(notebook["id"])).id
    texts: dict[str, Read] = {}
    for document in notebook["documents"]:
        if "text" in document:
            source = await library.sources.add(id, "text", text=document["text"], title=document["title"])
        else:
            upload = Upload.of(folder / document["path"])
            source = await library.sources.add_file(id, upload, title=document["title"])
        await library.sources.wait(id, source.id)
        texts[source.id] = Read((await library.sources.get_fulltext(id, source.id, limit=1_000_000)).text)
    await settled(library, id)
    return id, texts


async def settled(library: Library, id: str) -> None:
    """Waits until nothing is being read or embedded."""
    while any(job.state in ("queued", "running") for job in (await library.jobs.list(id)).items):
        await asyncio.sleep(0.1)


async def checked(folder: Path) -> list[str]:
    """What is wrong with a set: phrases that Quire does not read in a notebook's documents."""
    asked = questions(folder)
    faults: list[str] = []
    async with sets.library(embedder=False) as library:
        for notebook in notebooks(folder):
            _, texts = await fill(library, notebook, folder)
            faults += missing([one for one in asked if one.notebook == notebook["id"]], texts.values())
    return faults


def table(found: dict[str, Any]) -> str:
    lines = [f"{'kind':<16}{'n':>4}" + "".join(f"{name:>17}" for name in FIGURES)]
    for kind, row in found["kinds"].items():
        lines.append(f"{kind:<16}{row['questions']:>4}" + "".join(f"{_cell(row[name]):>17}" for name in FIGURES))
    lines += ["", f"{'right (answers)':<20}" + "".join(f"{level:>17}" for level in LEVELS)]
    for kind, levels in found["calibration"].items():
        cells = (f"{_cell(levels[level]['right'])} ({levels[level]['answers']})" for level in LEVELS)
        lines.append(f"{kind:<20}" + "".join(f"{cell:>17}" for cell in cells))
    return "\n".join(
        [
            *lines,
            "",
            f"own suggestions refused {_cell(found['own_suggestions_refused'])} of {found['own_suggestions']}",
            f"answers with at least two suggestions {_cell(found['two_suggestions'])}",
            f"seconds a question {found['seconds_a_question']}",
        ]
    )


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def shown(verdict: Verdict) -> str:
    asked, answer = verdict.question, verdict.answer
    padding = f", padding {verdict.padding / verdict.cited:.2f}" if verdict.cited else ""
    word = "RIGHT" if verdict.right else "WRONG"
    lines = [f"{asked.id} ({asked.kind}) {asked.question}", f"{word}, {verdict.level} {answer.support:.2f}{padding}"]
    if not verdict.right and asked.gold:
        lines.append("gold: " + " + ".join(" / ".join(part) for part in asked.gold))
    return "\n  ".join([*lines, *answer.text.splitlines()]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", choices=(*OPEN, *APART), default="dev")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="another set of the same form")
    parser.add_argument("--check", action="store_true", help="only see that gold and relevant stand in the documents")
    parser.add_argument("--show", action="store_true", help="print every answer")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too, with the answers")
    parser.add_argument("--no-embedder", action="store_true", help="full text alone")
    options = parser.parse_args()
    folder = options.folder or FOLDER / options.set
    closed = not options.folder and options.set in APART
    if closed and options.show:
        parser.error("The answers to a set kept apart are not shown.")
    if options.check:
        faults = asyncio.run(checked(folder))
        print("\n".join([*faults, f"{len(faults)} phrases stand in no document"]))
        raise SystemExit(bool(faults))
    done = Round(folder)
    asyncio.run(done.run(embedder=not options.no_embedder))
    if options.show:
        print("\n".join(shown(one) for one in done.verdicts))
        print("\n".join(f"suggested: {said} -> {'answered' if ok else 'refused'}" for said, ok in done.suggested), "\n")
    found = done.figures()
    print(table(found))
    if options.json:
        found |= {"embedder": not options.no_embedder}
        if not closed:
            found |= {"answers": [one.told() for one in done.verdicts], "suggestions": done.suggested}
        options.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
