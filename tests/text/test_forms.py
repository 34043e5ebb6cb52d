"""Forms of answers: the list, the steps, the row, the documents that are asked for, and nothing of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

import pytest

from quire.domain.chat import ChatConfiguration
from quire.domain.documents import Place
from quire.domain.passages import Passage, PassageHit
from quire.ports.search import Embedder
from quire.text.across import AcrossLanguages
from quire.text.asked import asked_of
from quire.text.check_citations import Draft
from quire.text.document_questions import topic_of
from quire.text.extractive_maker import NONE, written
from quire.text.forms import Form
from quire.text.forms.comparison import comparison
from quire.text.forms.documents import documents
from quire.text.forms.extremes import extremes, measured
from quire.text.forms.faq import faq
from quire.text.forms.letter_heads import letter_heads
from quire.text.forms.lists import lists
from quire.text.forms.rows import rows
from quire.text.forms.sentences import sentences
from quire.text.forms.steps import steps
from quire.text.forms.whole_lists import with_whole_lists
from quire.text.judging import Shown
from quire.text.makers import WritingTask
from quire.text.quotes import draft_of_quotes
from quire.text.source_reader import SourceReader
from quire.text.words import language_of, tokens

KETTLE = """# Kettle

## Settings

| Setting | Temperature | Duration | Use for |
|---|---|---|---|
| Green | 80 °C | 2 min 40 s | green tea |
| Black | 100 °C | 4 min | black tea, instant soup |
| Baby | 40 °C | 55 s | milk |

## Faults

| Code | Meaning | What to do |
|---|---|---|
| F1 | no water | fill the kettle |
| F3 | limescale | run it with vinegar |

## What is in the box

- the kettle
- a filter
- a measuring spoon

## Descaling

To descale the kettle:

1. Fill it with water and vinegar.
2. Boil it twice.
3. Rinse it.

Clean the filter once a week. To do so, lift it out and hold it under the tap. Then put it back. Wipe the lid dry.
"""
COSTS = """| Item | Paid by | Date | Amount EUR |
| - | - | - | - |
| Ferry | Nora Lind | 28 May | 41.6 |
| Camp site | Ben Okoro | 2 June | 115.8 |
| Bread | Ben Okoro | 3 June | 7 |
"""
INVOICES = """| Customer | Ida Holm |  | Model | Kestrel |
| - | - | - | - | - |
| Mechanic | Jo Brandt |  | Year | 2021 |
| GRAND TOTAL |  |  |  | 1,240 |

| Customer | Max Thorn |  | Model | Osprey |
| - | - | - | - | - |
| Mechanic | Jo Brandt |  | Year | 2019 |
| GRAND TOTAL |  |  |  | 310 |
"""
RECEIPT = """# Receipt

Hotel Seaview

Porter Amir Haddad

Room 12

Number of guests 4
"""
FAQ = """# Questions

## Can I pay by card?

Yes, from 10 euros on.

## When do you open?

At nine, on Sundays at ten.

## What do I have to bring?

- a towel
- a lock for the locker
"""
PREISE = """# Schwimmbad

| Tarif | Preis | Dauer |
| - | - | - |
| Kind | 2,50 € | 2 Stunden |
| Erwachsene | 5 € | 3 Stunden |

## Mitzubringen

- Handtuch
- Badekappe
"""
METRO = "| 线路 | 首班车 | 票价 |\n| - | - | - |\n| 一号线 | 5:30 | 4元 |\n| 二号线 | 6:10 | 3元 |\n"


def task_of(question: str, *texts: str) -> WritingTask:
    """A question to texts, each a source of one passage called Source 1, Source 2 ..."""
    hits = []
    counts: Counter[str] = Counter()
    for number, text in enumerate(texts, 1):
        language = language_of(text)
        passage = Passage(
            id=number,
            source_id=str(number),
            source_title=f"Source {number}",
            version=1,
            start=0,
            end=len(text),
            text=text,
            place=Place(),
            language=language,
        )
        hits.append(PassageHit(passage=passage, score=1.0))
        counts.update(set(tokens(text, language)))
    return WritingTask(question, hits, (), ChatConfiguration(), dict(counts), len(texts))


def told(form: Form, question: str, *texts: str, earlier: str = "") -> tuple[str, list[str]]:
    """The text of a form's answer without its marks, and what it cites; empty where the form does not apply."""
    task = task_of(question, *texts)
    draft = form(task, replace(asked_of(question), about=earlier))
    return ("", []) if draft is None else (_plain(draft), _excerpts(task, draft))


def _plain(draft: Draft) -> str:
    text = draft.text
    for number in range(len(draft.claims), 0, -1):
        text = text.replace(f" [{number}]", "").replace(f"\n[{number}]", "")
    return text


def _excerpts(task: WritingTask, draft: Draft) -> list[str]:
    hits = [*task.hits, *draft.added]
    passages = [(hits[claim.passage].passage, claim) for claim in draft.claims]
    return [one.text[claim.start - one.start : claim.end - one.start] for one, claim in passages]


@pytest.mark.parametrize(
    ("question", "text", "shown", "cited"),
    [
        ("How long does the Green setting take?", KETTLE, "Green: Duration 2 min 40 s", "| Green | 80 °C"),
        ("How hot is Baby?", KETTLE, "Baby: Temperature 40 °C", "| Baby |"),
        ("What does F3 mean?", KETTLE, "F3: Meaning limescale", "| F3 |"),
        ("What should I do when F1 is shown?", KETTLE, "F1: What to do fill the kettle", "| F1 |"),
        ("Who paid for the camp site?", COSTS, "Camp site: Paid by Ben Okoro", "| Camp site |"),
        ("When was the ferry paid?", COSTS, "Ferry: Date 28 May", "| Ferry |"),
        ("How much did the ferry cost?", COSTS, "Ferry: Amount EUR 41.6", "| Ferry |"),
        (
            "What is the grand total for Max Thorn's Osprey?",
            INVOICES,
            "GRAND TOTAL 310",
            "| GRAND TOTAL |  |  |  | 310 |",
        ),
        ("Who is Jo Brandt?", INVOICES, "Mechanic Jo Brandt", "Mechanic | Jo Brandt"),
        ("Which model does Ida Holm drive?", INVOICES, "Model Kestrel", "Model | Kestrel"),
        (
            "What is the ambient temperature?",
            "| Site |  |  |\n| - | - | - |\n| 1 | Ambient temp. | °C | : | max. +40 |\n| 2 | Dust | % | : | 6 |\n",
            "Ambient temp. °C max. +40",
            "| 1 | Ambient temp. |",
        ),
        ("How many guests were there?", RECEIPT, "Number of guests 4", "Number of guests 4"),
        ("Who was the porter?", RECEIPT, "Porter Amir Haddad", "Porter Amir Haddad"),
        ("Was kostet der Eintritt für Erwachsene?", PREISE, "Erwachsene: Preis 5 €", "| Erwachsene |"),
        ("Wie lange darf ein Kind bleiben?", PREISE, "Kind: Dauer 2 Stunden", "| Kind |"),
        ("二号线的票价是多少？", METRO, "二号线: 票价 3元", "| 二号线 |"),
    ],
)
def test_a_row_is_cited_and_its_value_told_with_what_it_is_called(
    question: str, text: str, shown: str, cited: str
) -> None:
    answer, excerpts = told(rows, question, text)
    assert answer == shown
    assert len(excerpts) == 1
    assert excerpts[0].startswith(cited)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long does the Red setting take?", KETTLE),
        ("How much does the Green setting cost?", KETTLE),
        ("How heavy is Baby?", KETTLE),
        ("Who paid for the hotel in Oslo?", COSTS),
        ("What is the grand total for Ada Byron?", INVOICES),
        ("How much did the room cost?", RECEIPT),
        ("What is the number of beds?", RECEIPT),
        ("What is the colour of the Grand Tourer?", INVOICES.replace("Kestrel", "Grand Tourer")),
        ("Why did Ben pay for the bread?", COSTS),
        ("Wie teuer ist der Tarif Familie?", PREISE),
        ("Which room are the courses in?", "# Autumn\n\nCourses: Monday and Friday\n\nThe room is cold.\n"),
        ("Who were the Lapwings?", "| Book | Author |\n| - | - |\n| Lapwings of the coast | Ida Holm |\n"),
    ],
)
def test_a_row_that_does_not_hold_what_is_asked_is_not_told(question: str, text: str) -> None:
    assert told(rows, question, text) == ("", [])


def test_rows_that_fit_alike_are_both_told() -> None:
    answer, excerpts = told(rows, "What is the grand total?", INVOICES)
    assert answer.split("\n") == ["GRAND TOTAL 1,240", "GRAND TOTAL 310"]
    assert len(excerpts) == 2


def test_rows_of_two_sources_are_told_apart() -> None:
    answer, _ = told(rows, "Who paid for the ferry?", COSTS, COSTS.replace("Nora Lind", "Tove Aas"))
    assert answer.split("\n") == ["Ferry: Paid by Nora Lind (Source 1)", "Ferry: Paid by Tove Aas (Source 2)"]


def test_a_row_named_in_the_question_before_is_told_by_its_other_column() -> None:
    answer, _ = told(rows, "And what temperature?", KETTLE, earlier="How long does the Green setting take?")
    assert answer == "Green: Temperature 80 °C"
    answer, _ = told(
        rows, "And how long does it take?", KETTLE, earlier="What temperature does the Green setting have?"
    )
    assert answer == "Green: Duration 2 min 40 s"


def test_a_record_named_in_the_follow_up_goes_before_that_of_the_question() -> None:
    answer, _ = told(rows, "And for the Osprey?", INVOICES, earlier="What is the grand total for Ida Holm's Kestrel?")
    assert answer == "GRAND TOTAL 310"


@pytest.mark.parametrize(
    ("form", "question", "text", "shown"),
    [
        (rows, "Which items did Ben Okoro pay?", COSTS, "Camp site\nBread"),
        (lists, "Which settings does the kettle have?", KETTLE, "- Green\n- Black\n- Baby"),
        (lists, "What is in the box of the kettle?", KETTLE, "- the kettle\n- a filter\n- a measuring spoon"),
        (lists, "Welche Dinge sind mitzubringen?", PREISE, "- Handtuch\n- Badekappe"),
        (
            lists,
            "Which countries are in Europe?",
            "- Asia\n  - Japan\n- Europe\n  - Malta\n  - Spain\n- Africa",
            "- Malta\n- Spain",
        ),
        (
            lists,
            "What are the tasks before release?",
            "Tasks before release:\n\n[x] Design\n\n[ ] Tests",
            "Tasks before release:\n[x] Design\n[ ] Tests",
        ),
        (
            lists,
            "Which steps are there in the plan?",
            "# Plan\n\n## Step 1: Dig\n\nIn the spring.\n\n## Step 2: Sow\n\nNot too deep.\n\n## Tools\n\nA spade.",
            "- Step 1: Dig\n- Step 2: Sow",
        ),
        (
            lists,
            "Which follow-up actions are in the review?",
            "# Review of the outage\n\nThe review came out late.\n\n## Actions\n\n- Test the pager\n- Renew the key",
            "- Test the pager\n- Renew the key",
        ),
        (
            rows,
            "Which colours are there?",
            "Sizes: S, M, L\n\nColours: red, green and blue",
            "Colours: red, green and blue",
        ),
        (
            rows,
            "Which animals are allowed?",
            "5. Fire\nBonfires are allowed in May.\n\n6. Animals\nHens, ducks and dogs are allowed.",
            "Hens, ducks and dogs are allowed.",
        ),
    ],
)
def test_a_list_is_told_whole_and_nothing_of_another(form: Form, question: str, text: str, shown: str) -> None:
    answer, excerpts = told(form, question, text)
    assert answer == shown
    assert excerpts


@pytest.mark.parametrize(
    "question",
    ["Which spare parts can I order?", "Which settings does the toaster of Mr Brown have?", "Which rooms are there?"],
)
def test_a_list_of_something_else_is_not_told(question: str) -> None:
    assert told(lists, question, KETTLE) == ("", [])


def test_a_list_of_what_holds_does_not_tell_what_does_not() -> None:
    text = "# Deductible costs\n\n- Tools, in full\n- Travel\n\nFines can never be deducted.\n"
    assert told(lists, "Which costs are deductible?", text)[0] == "- Tools, in full\n- Travel"
    assert told(lists, "Which costs are not deductible?", text) == ("", [])


@pytest.mark.parametrize(
    ("question", "text", "first", "last"),
    [
        ("How do I descale the kettle?", KETTLE, "To descale the kettle:", "3. Rinse it."),
        ("How do I clean the filter of the kettle?", KETTLE, "Clean the filter", "Then put it back."),
        (
            "Wie kann ich den Kuchen backen?",
            "# Kuchen\n\n## Zutaten\n\n- Mehl\n- Milch\n\n## Zubereitung\n\n1. Mehl sieben.\n2. Den Kuchen backen.\n",
            "1. Mehl sieben.",
            "2. Den Kuchen backen.",
        ),
    ],
)
def test_steps_are_told_in_order(question: str, text: str, first: str, last: str) -> None:
    answer, (excerpt,) = told(steps, question, text)
    assert answer.startswith(first)
    assert answer.endswith(last)
    assert excerpt in text


@pytest.mark.parametrize("question", ["How do I repair the oven?", "How do I get a refund for the ticket?"])
def test_steps_to_something_else_are_not_told(question: str) -> None:
    assert told(steps, question, KETTLE) == ("", [])


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Can I pay by card?", "Yes, from 10 euros on."),
        ("When do you open on Sundays?", "At nine, on Sundays at ten."),
        ("What do I have to bring along?", "- a towel\n- a lock for the locker"),
    ],
)
def test_a_question_that_a_source_puts_itself_has_its_answer(question: str, shown: str) -> None:
    assert told(faq, question, FAQ)[0] == shown


@pytest.mark.parametrize("question", ["Can I pay by cheque?", "When does the sauna close?", "Who owns the baths?"])
def test_the_question_of_a_source_is_not_taken_for_another(question: str) -> None:
    assert told(faq, question, FAQ) == ("", [])


def test_documents_are_told_each_with_a_place_and_no_others() -> None:
    texts = (
        "The club buys a used dinghy. It is blue.",
        "The dinghy was sold in May. Its mast was broken.",
        "The club paid for a new roof. Nobody sails.",
    )
    answer, excerpts = told(documents, "Which documents mention the dinghy?", *texts)
    assert answer == "Source 1: The club buys a used dinghy.\nSource 2: The dinghy was sold in May."
    assert excerpts == ["The club buys a used dinghy.", "The dinghy was sold in May."]


def test_documents_with_a_name_are_told_whatever_language_they_are_in() -> None:
    task = task_of(
        "Which of my sources mention Odile Marsh?",
        "Lo reemplaza una mujer, la partera Odile Marsh, que sabe mucho de la isla y de sus habitantes.",
        "The midwife Odile Marsh came to the island in spring.",
    )
    nobody = cast(Embedder, None)
    draft = written(replace(task, across=AcrossLanguages(task.question, "en", nobody, None)), asked_of(task.question))
    assert [excerpt[:12] for excerpt in _excerpts(task, draft)] == ["Lo reemplaza", "The midwife "]


PACKING = """Nobody gets anywhere without these:

- a lamp with two batteries
- a rope of twenty metres
- a knife
- a map
"""


class Around:
    """Reads all of one source."""

    def __init__(self, whole: Passage) -> None:
        self.whole = whole

    def around(self, passage: Passage, before: int, after: int) -> Passage:
        return self.whole


def cut_list(text: str) -> tuple[WritingTask, Draft]:
    """A question to a text whose list is cut by the end of the passage that was found, and what is quoted of that."""
    task = task_of("What should I not forget, the rope and the lamp aside?", text[: text.index("- a knife")])
    whole = task.passages[0].model_copy(update={"text": text, "end": len(text)})
    judged = replace(
        task,
        reader=cast(SourceReader, Around(whole)),
        judge=lambda asked, language, texts: [4.0 if "lamp" in one.text else 3.0 for one in texts],
    )
    return judged, sentences(judged, asked_of(task.question))


def test_a_list_that_a_passage_cuts_is_told_whole() -> None:
    judged, draft = cut_list(PACKING)
    told = with_whole_lists(draft, judged)
    assert [one.strip() for one in _excerpts(judged, told)] == [PACKING.strip()]
    assert "- a map" in told.text
    assert "- a map" not in draft.text
    assert with_whole_lists(draft, replace(judged, reader=None)) == draft
    short = replace(judged, configuration=ChatConfiguration(length="shorter"))
    assert with_whole_lists(draft, short) == draft


def test_a_very_long_list_is_not_told_to_its_end() -> None:
    things = "".join(f"- thing number {number}, of no use to anybody\n" for number in range(200))
    judged, draft = cut_list(PACKING + things)
    assert with_whole_lists(draft, judged) == draft


def test_the_rest_of_a_list_that_is_quoted_too_is_told_once() -> None:
    cut = PACKING.index("- a knife")
    task = task_of("What should I not forget?", PACKING[:cut], PACKING[cut:])
    first, second = task.hits
    rest = second.passage.model_copy(update={"source_id": "1", "start": cut, "end": len(PACKING)})
    task = replace(task, hits=[first, second.model_copy(update={"passage": rest})])
    whole = first.passage.model_copy(update={"text": PACKING, "end": len(PACKING)})
    draft = draft_of_quotes(task.hits, [(0, 0, len(PACKING[:cut].rstrip())), (1, 0, 9)], 0.9)
    told = with_whole_lists(draft, replace(task, reader=cast(SourceReader, Around(whole))))
    assert len(told.claims) == 1
    assert told.text.count("a knife") == 1
    # Without the whole text there is nothing to go on with.
    assert with_whole_lists(draft, replace(task, reader=cast(SourceReader, Around(first.passage)))) == draft


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("In which of these documents do I find something about typhoid?", "typhoid"),
        ("In which file is the deposit mentioned?", "deposit"),
        ("Which sources talk about the Ash river?", "Ash river"),
        ("Where is Mr Kern mentioned?", "Kern"),
        ("Which documents mention one-time passwords?", "one-time passwords"),
        ("Which documents mention information security?", "information security"),
        ("Where is MS mentioned?", "MS"),
    ],
)
def test_the_topic_of_documents_is_told_without_the_words_that_ask(question: str, topic: str) -> None:
    assert topic_of(question) == topic


def test_documents_that_have_only_a_part_of_what_is_asked_do_not_count() -> None:
    texts = ("The water meter is read in May.", "The mains water is shut off in winter.", "A parking meter was stolen.")
    assert told(documents, "Which documents talk about the water meter?", *texts)[1] == [texts[0]]
    assert told(documents, "Welche Dokumente erwähnen den Zug?", *texts) == ("", [])


@pytest.mark.parametrize(
    ("question", "text", "shown"),
    [
        ("Which setting has the highest temperature?", KETTLE, "Black: Temperature 100 °C"),
        ("Which setting is the shortest?", KETTLE, "Baby: Duration 55 s"),
        ("What was the most expensive item?", COSTS, "Camp site: Amount EUR 115.8"),
        ("Welcher Tarif ist der billigste?", PREISE, "Kind: Preis 2,50 €"),
    ],
)
def test_most_and_least_are_found_in_a_table(question: str, text: str, shown: str) -> None:
    assert told(extremes, question, text)[0] == shown


def test_most_is_not_found_where_it_is_not_measured_or_shared() -> None:
    assert told(extremes, "Which fault is the most dangerous?", KETTLE) == ("", [])
    assert told(extremes, "What was the most expensive item?", COSTS.replace("41.6", "115.8")) == ("", [])


@pytest.mark.parametrize(
    ("said", "value"),
    [("3 h 15 min", 11_700), ("1,200 EUR", 1_200), ("-5 °C", -5), ("2 km", 2_000), ("0.75 kWh", 0.75), ("none", None)],
)
def test_a_cell_is_measured(said: str, value: float | None) -> None:
    assert measured(said) == value


def test_days_are_measured_by_their_order() -> None:
    days = [measured(said) for said in ("28 May 2024", "2 June 2024", "2024-06-03", "04.06.2024")]
    assert None not in days
    assert days == sorted(days, key=lambda day: day or 0)


def test_each_form_has_its_turn() -> None:
    for question, shown in (
        ("How long does the Green setting take?", "Green: Duration 2 min 40 s"),
        ("Which settings does the kettle have?", "- Green\n- Black\n- Baby"),
        ("Which setting has the highest temperature?", "Black: Temperature 100 °C"),
    ):
        assert _plain(written(task_of(question, KETTLE), asked_of(question))) == shown


def test_a_row_that_a_judge_denies_is_told_only_where_it_is_not_sure() -> None:
    question = "When was the ferry paid?"
    asked = asked_of(question)

    def said(verdict: float) -> Draft:
        return written(
            replace(task_of(question, COSTS), judge=lambda asked, language, texts: [verdict] * len(texts)), asked
        )

    assert _plain(said(1.0)) == _plain(said(NONE + 1)) == "Ferry: Date 28 May"
    assert said(2 * NONE).refused


@pytest.mark.parametrize(("length", "quotes"), [("shorter", 1), ("default", 5)])
def test_a_list_is_as_long_as_the_reader_wants_answers(length: Literal["shorter", "default"], quotes: int) -> None:
    question = "Which tasks are open?"
    text = "\n\n".join(f"Task {name} of the club is open." for name in ("hull", "rope", "boat", "oars", "shed"))
    task = replace(
        task_of(question, text),
        configuration=ChatConfiguration(length=length),
        judge=lambda asked, language, texts: [4.0] * len(texts),
    )
    assert len(sentences(task, asked_of(question)).claims) == quotes


MAILS = """From: Ada Byron <ada@mill.example>
To: The millers
Date: Mon, 3 Mar 2025
Subject: The lost parcel

The parcel was found behind the wheel.

From: Jon Moss
To: Ada Byron
Subject: Flour

The flour is dry again."""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Who wrote the email about the parcel?", "From: Ada Byron <ada@mill.example>"),
        ("Who sent the mail on the flour?", "From: Jon Moss"),
        ("To whom was the letter about flour sent?", "To: Ada Byron"),
        ("Who is the message about the parcel addressed to?", "To: The millers"),
        ("When was the email about the parcel sent?", "Date: Mon, 3 Mar 2025"),
        ("What is the subject of Jon's mail?", "Subject: Flour"),
    ],
)
def test_the_head_of_a_letter_tells_who_wrote_it_to_whom_and_when(question: str, line: str) -> None:
    assert told(letter_heads, question, MAILS)[1] == [line]


def test_what_a_letter_says_is_not_told_by_its_head() -> None:
    assert letter_heads(task_of("Who found the parcel?", MAILS), asked_of("Who found the parcel?")) is None
    assert letter_heads(task_of("Who sent the mail?", KETTLE), asked_of("Who sent the mail?")) is None
    assert letter_heads(task_of("Who sent the mail?", *[MAILS] * 2), asked_of("Who sent the mail?")) is None


def test_a_comparison_that_one_sentence_names_both_sides_of_tells_the_other_too() -> None:
    question = "Who stays in office longer, the steward or the treasurer?"
    text = (
        "The treasurer stays in office for three years and may not be the steward.\n\n"
        "The members choose a steward who stays for two years.\n\nThe barn was painted in May."
    )

    def judge(question: str, language: str | None, texts: Sequence[Shown]) -> list[float]:
        return [6.0 if "three years" in one.text else 1.0 if "two years" in one.text else -5.0 for one in texts]

    draft = comparison(replace(task_of(question, text), judge=judge), asked_of(question))
    assert draft is not None
    assert "three years" in draft.text
    assert "two years" in draft.text
    assert "barn" not in draft.text
