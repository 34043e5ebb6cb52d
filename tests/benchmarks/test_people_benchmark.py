"""The sets of questions as people ask them are sound, and answers to them are judged as the benchmark says."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import people
from people_texts import Read, normal
from quire.adapters.readers import HEAD, KINDS, LIMITS, reader_of, sniff

SETS = [people.FOLDER / name for name in ("dev", "apart")]
ASKED = {
    "fact", "definition", "list", "how-to", "comparison", "negation", "table", "two-part", "overview",
    "which-documents", "cross-language", "follow-up", "paraphrase", "unanswerable",
}  # fmt: skip
HARBOUR = """# Port Elm

The harbour was built in 1652. Mr. Ode keeps it.
It has **three** piers.

| Pier | Length |
| - | - |
| East | 90 m |
| West | 120 m |
"""


def read(path: Path) -> Read:
    """The text of a document, read in this process."""
    kind = sniff(path.name, None, path.read_bytes()[:HEAD])
    return Read(reader_of(KINDS[kind])(path, LIMITS).document().text)


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_gold_and_relevant_stand_in_the_documents_of_their_notebook(folder: Path) -> None:
    asked = people.questions(folder)
    for notebook in people.notebooks(folder):
        texts = [read(folder / document["path"]) for document in notebook["documents"]]
        own = [one for one in asked if one.notebook == notebook["id"]]
        assert own
        assert people.missing(own, texts) == []


@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_a_set_is_whole(folder: Path) -> None:
    asked, notebooks = people.questions(folder), people.notebooks(folder)
    titles = {notebook["id"]: {document["title"] for document in notebook["documents"]} for notebook in notebooks}
    paths = [document["path"] for notebook in notebooks for document in notebook["documents"]]
    assert Counter(paths) == Counter(f"files/{file.name}" for file in (folder / "files").iterdir())
    assert set(Counter(one.kind for one in asked)) == ASKED
    before: dict[str, str] = {}
    for one in asked:
        assert one.id not in before
        assert one.answerable == bool(one.gold) == (one.kind != "unanswerable")
        assert (one.kind == "follow-up") == bool(one.after)
        assert not one.after or before[one.after] == one.notebook
        assert (one.kind == "which-documents") == bool(one.documents)
        assert set(one.documents) <= titles[one.notebook]
        before[one.id] = one.notebook


def test_the_sets_share_no_document_and_no_question() -> None:
    dev, apart = ({file.name: file.read_bytes() for file in (folder / "files").iterdir()} for folder in SETS)
    assert not set(dev) & set(apart)
    assert not set(dev.values()) & set(apart.values())
    assert not {one.question for one in people.questions(SETS[0])} & {one.question for one in people.questions(SETS[1])}


def test_phrases_stand_whatever_their_case_spaces_and_emphasis() -> None:
    text = Read(HARBOUR)
    (span,) = text.spans_of("IT  has\nthree `piers`")
    assert HARBOUR[slice(*span)] == "It has **three** piers"
    assert text.spans_of("four piers") == []
    assert normal(" *The*\tHarbour ") == "the harbour"


@pytest.mark.parametrize(
    ("phrase", "units"),
    [
        ("1652", ["The harbour was built in 1652. "]),
        ("Ode", ["Mr. Ode keeps it.\n"]),
        ("three", ["It has **three** piers.\n"]),
        ("120 m", ["| West | 120 m |\n", "| Pier | Length |\n"]),
    ],
)
def test_a_phrase_bears_its_sentence_or_its_row_with_the_head(phrase: str, units: list[str]) -> None:
    assert [HARBOUR[start:end] for start, end in Read(HARBOUR).units_of([phrase])] == units


def test_headings_rules_and_white_space_are_not_counted() -> None:
    counted = Read(HARBOUR).letters_in([(0, len(HARBOUR))])
    assert {at for at in counted if HARBOUR[at] == "#"} == set()
    assert HARBOUR.index("| -") not in counted
    assert HARBOUR.index("| East") in counted
    assert not any(HARBOUR[at].isspace() for at in counted)


def asked(kind: str, gold: list[list[str]], **more: Any) -> people.Question:
    return people.Question("a", "port", "?", kind, bool(gold), gold, more.pop("relevant", []), **more)


def answer(*quotes: str, text: str = "", grounded: bool = True) -> people.Answer:
    """An answer that quotes the harbour's text."""
    citations = [
        {
            "number": number, "source_id": "s", "source_title": "Port", "version": 1, "passage_id": 1,
            "start": HARBOUR.index(quote), "end": HARBOUR.index(quote) + len(quote), "excerpt": quote, "place": {},
            "answer_start": 0, "answer_end": 1, "verified": True,
        }
        for number, quote in enumerate(quotes, 1)
    ]  # fmt: skip
    return people.Answer.model_validate(
        {
            "id": "x", "conversation_id": "c", "question": "?", "text": text or "\n".join(quotes),
            "maker": "extractive", "citations": citations, "confidence": "high",
            "follow_up_questions": [], "grounded": grounded,
        }
    )  # fmt: skip


def judged(question: people.Question, given: people.Answer, before: people.Answer | None = None) -> people.Verdict:
    return people.judge(question, given, before, {"s": Read(HARBOUR)})


def test_what_is_quoted_beside_the_gold_is_padding() -> None:
    fact = asked("fact", [["1652"]])
    good, padded = judged(fact, answer("built in 1652.")), judged(fact, answer("| West | 120 m |", "in 1652."))
    assert (good.right, good.first, good.lean, good.cited, good.padding) == (True, True, True, 12, 0)
    assert (padded.right, padded.first, padded.lean) == (True, False, False)
    assert (padded.cited, padded.padding) == (18, 11)
    assert judged(asked("fact", [["1652"]], relevant=["West"]), padded.answer).padding == 0


def test_every_part_must_be_told_and_wrong_with_confidence_is_counted() -> None:
    both = asked("two-part", [["in 1652"], ["120 m", "90 m"]])
    assert judged(both, answer("built in 1652.", "| East | 90 m |")).right
    half = judged(both, answer("built in 1652."))
    assert (half.right, half.first, half.confident_wrong) == (False, True, True)
    assert judged(both, answer("built in 1652.", text="Built in 1652, west 120 m [1]")).right


def test_refusals_are_right_only_where_there_is_no_answer() -> None:
    refusal = answer(text="They do not hold it.", grounded=False)
    assert judged(asked("unanswerable", []), refusal).right
    assert judged(asked("fact", [["1652"]]), refusal).level == "refused"
    assert not judged(asked("fact", [["They do not"]]), refusal).right
    assert judged(asked("unanswerable", []), answer("built in 1652.")).confident_wrong


def test_a_follow_up_says_something_else_and_documents_are_exactly_those() -> None:
    again = answer("built in 1652.")
    assert not judged(asked("follow-up", [["1652"]], after="b"), again, again).right
    assert judged(asked("which-documents", [["1652"]], documents=["Port"]), again).right
    assert not judged(asked("which-documents", [["1652"]], documents=["Port", "Town"]), again).right
    named = answer("built in 1652.", text="Port, and the town")
    assert judged(asked("which-documents", [["1652"]], documents=["Port", "Town"]), named).right
    assert not judged(asked("which-documents", [["1652"]], documents=["Town"]), named).right


def test_a_round_tells_all_figures(tmp_path: Path) -> None:
    notebook = {"id": "port", "documents": [{"title": "Port", "text": HARBOUR}]}
    (tmp_path / "notebooks.json").write_text(json.dumps([notebook]))
    rows = [
        {"id": "1", "question": "When was the harbour built?", "kind": "fact", "gold": [["1652"]], "answerable": True},
        {"id": "2", "question": "Who sold the moon?", "kind": "unanswerable", "gold": [], "answerable": False},
    ]
    lines = [json.dumps(row | {"notebook": "port", "relevant": []}) for row in rows]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines))
    done = people.Round(tmp_path)
    asyncio.run(done.run(embedder=False))
    found = done.figures()
    assert found["kinds"]["overall"]["questions"] == 2
    assert found["kinds"]["fact"]["right"] == found["kinds"]["unanswerable"]["right"] == 1
    assert sum(level["answers"] for level in found["calibration"]["overall"].values()) == 2
    assert found["calibration"]["unanswerable"]["refused"] == {"answers": 1, "right": 1.0}
    told = people.table(found)
    assert all(word in told for word in (*people.FIGURES, *people.LEVELS, "own suggestions refused"))


def test_the_answers_to_the_set_apart_are_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["people.py", "apart", "--show"])
    with pytest.raises(SystemExit) as ended:
        people.main()
    assert ended.value.code == 2
    assert "not shown" in capsys.readouterr().err
